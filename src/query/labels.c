/* SPDX-License-Identifier: MIT */
#include "query/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pprof_units.h"
#include "query/pattern.h"

static void labels_add(
	struct label_keys *keys, struct hash_map *slots, size_t *capacity, uint32_t i)
{
	const struct label *label = &keys->profile->labels[i];
	uint32_t *slot = hash_map_slot(slots, label->key);
	if (*slot == 0) {
		keys->keys = array_grow(
			keys->keys, capacity, (size_t)keys->count + 1, sizeof *keys->keys);
		keys->keys[keys->count] = (struct label_key){.key = label->key};
		*slot = ++keys->count;
	}
	const uint32_t index = *slot - 1;
	struct label_key *key = &keys->keys[index];
	keys->key_of_label[i] = index;
	key->has_texts |= label->text != 0;
	key->has_numbers |= label->text == 0;
	if (label->text != 0 || label->unit == 0)
		return;
	if (key->unit == 0)
		key->unit = label->unit;
	key->has_other_units |= key->unit != label->unit;
}

struct label_keys label_keys_build(const struct profile *profile)
{
	struct label_keys keys = {.profile = profile};
	struct hash_map slots = {0};
	size_t capacity = 0;
	keys.key_of_label = memory_new((size_t)profile->label_count + 1, sizeof *keys.key_of_label);
	for (uint32_t i = 1; i < profile->label_count; i++)
		labels_add(&keys, &slots, &capacity, i);
	hash_map_free(&slots);
	return keys;
}

void label_keys_free(struct label_keys *keys)
{
	free(keys->keys);
	free(keys->key_of_label);
	*keys = (struct label_keys){0};
}

const char *label_unit(const struct label_keys *keys, uint32_t key)
{
	const struct label_key *k = &keys->keys[key];
	const char *name = profile_string(keys->profile, k->key, NULL);
	if (k->unit != 0)
		return profile_string(keys->profile, k->unit, NULL);
	return strcmp(name, "alignment") == 0 || strcmp(name, "request") == 0 ? "bytes" : name;
}

void label_value(
	const struct label_keys *keys, uint32_t label, const char *wanted, struct text *out)
{
	const struct label *l = &keys->profile->labels[label];
	if (l->text != 0) {
		size_t length;
		const char *bytes = profile_string(keys->profile, l->text, &length);
		text_add(out, bytes, length);
		return;
	}
	const char *unit = label_unit(keys, keys->key_of_label[label]);
	char number[UNIT_SIZE];
	text_puts(out, pprof_units_value(number, (double)l->number, unit, wanted));
}

/* Sets shown[key] to what it was and what the pattern says. */
static bool labels_keep(const struct label_keys *keys, const char *text, bool on_match, bool *shown,
	struct vp_error *err)
{
	if (!text || !*text)
		return true;
	struct pattern *pattern = pattern_compile(text, err);
	bool ok = pattern != NULL;
	for (uint32_t i = 0; ok && i < keys->count; i++) {
		size_t length;
		const char *name = profile_string(keys->profile, keys->keys[i].key, &length);
		const int matches = pattern_matches(pattern, name, length, err);
		ok = matches >= 0;
		shown[i] &= (matches == 1) == on_match;
	}
	pattern_free(pattern);
	return ok;
}

bool *label_keys_shown(
	const struct label_keys *keys, const char *show, const char *hide, struct vp_error *err)
{
	bool *shown = memory_new((size_t)keys->count + 1, sizeof *shown);
	memset(shown, true, keys->count);
	if (labels_keep(keys, show, true, shown, err) && labels_keep(keys, hide, false, shown, err))
		return shown;
	free(shown);
	return NULL;
}

uint32_t label_list(const struct profile *profile, uint32_t set, uint32_t **list, size_t *capacity)
{
	uint32_t count = 0, i = 0;
	for (uint32_t at = set; at != 0; at = profile->set_parent[at])
		count++;
	if (count > *capacity)
		*list = array_grow(*list, capacity, count, sizeof **list);
	for (uint32_t at = set; at != 0; at = profile->set_parent[at])
		(*list)[count - ++i] = profile->set_label[at];
	return count;
}
