/* SPDX-License-Identifier: MIT */
#include "query/tag_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pprof_units.h"
#include "base/strings.h"
#include "base/units.h"

enum { SUMS_BLOCK = 256 };

/* ---- samples to sets ------------------------------------------------------------------------ */

/* What is known of a set of labels, later of all sets below it, too. */
struct sums_set {
	int64_t value;
	bool is_seen; /* a sample has it whose values are not all 0: others are not there for pprof
		       */
};

static bool sums_is_there(const struct profile *profile, size_t i)
{
	for (unsigned type = 0; type < profile->type_count; type++)
		if (profile_value(profile, type, i) != 0)
			return true;
	return false;
}

static struct sums_set *sums_of_sets(const struct calltree *tree, bool *overflow)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	const uint32_t *threads = query->thread < 0 ? NULL : profile->sample_thread;
	struct sums_set *sets = memory_new((size_t)profile->set_count + 1, sizeof *sets);
	int64_t values[SUMS_BLOCK];
	for (uint64_t first = query->first; first < query->last; first += SUMS_BLOCK) {
		const uint64_t left = query->last - first,
			       count = left < SUMS_BLOCK ? left : SUMS_BLOCK;
		profile_values(profile, query->type, first, count, values);
		for (uint64_t i = first; i < first + count; i++) {
			struct sums_set *set = &sets[profile_label_set(profile, i)];
			const int64_t value = values[i - first];
			if ((threads && threads[i] != (uint32_t)query->thread) ||
				calltree_node_of_sample(tree, i) == NODE_DROPPED)
				continue;
			set->value = units_add(set->value, value, overflow);
			if (!set->is_seen)
				set->is_seen = value != 0 || sums_is_there(profile, i);
		}
	}
	return sets;
}

/* ---- sets to labels ------------------------------------------------------------------------- */

struct sums_labels {
	int64_t *value; /* [label_count] */
	bool *is_seen;  /* likewise */
};

/*
 * A set has its own label and those of the sets above it: so the sum of a label is that of all sets
 * which end with it, and of those below them.
 */
static struct sums_labels sums_of_labels(struct tag_sums *sums, struct sums_set *sets)
{
	const struct profile *profile = sums->keys.profile;
	const size_t count = (size_t)profile->label_count + 1;
	struct sums_labels labels = {
		memory_new(count, sizeof *labels.value), memory_new(count, sizeof *labels.is_seen)};
	for (uint32_t i = profile->set_count; i-- > 1;) {
		const uint32_t label = profile->set_label[i], above = profile->set_parent[i];
		labels.value[label] =
			units_add(labels.value[label], sets[i].value, &sums->overflow);
		labels.is_seen[label] |= sets[i].is_seen;
		sets[above].value = units_add(sets[above].value, sets[i].value, &sums->overflow);
		sets[above].is_seen |= sets[i].is_seen;
	}
	return labels;
}

static void sums_free_labels(struct sums_labels *labels)
{
	free(labels->value);
	free(labels->is_seen);
}

/* ---- labels to values ----------------------------------------------------------------------- */

/* A value while values are found: its key and the number of its text. */
struct sums_find {
	struct tag_sums *sums;
	struct strings texts;
	struct hash_map slots; /* key << 32 | text -> index of the value */
	struct text scratch;
	size_t capacity, key_capacity;
	uint32_t *key_of_value;
	const char *unit;
};

static struct tag_value *sums_value(struct sums_find *find, uint32_t key, uint32_t label)
{
	struct tag_sums *sums = find->sums;
	text_clear(&find->scratch);
	label_value(&sums->keys, label, find->unit, &find->scratch);
	const string_id id = strings_add(&find->texts, find->scratch.data, find->scratch.length);
	uint32_t *slot = hash_map_slot(&find->slots, (uint64_t)key << 32 | id);
	if (*slot == 0) {
		const uint32_t i = sums->value_count++;
		sums->values = array_grow(
			sums->values, &find->capacity, (size_t)i + 1, sizeof *sums->values);
		find->key_of_value = array_grow(find->key_of_value, &find->key_capacity,
			(size_t)i + 1, sizeof *find->key_of_value);
		sums->values[i] = (struct tag_value){.text = (uint32_t)sums->text.length,
			.length = (uint32_t)find->scratch.length};
		text_add(&sums->text, find->scratch.data, find->scratch.length);
		find->key_of_value[i] = key;
		*slot = i + 1;
	}
	return &sums->values[*slot - 1];
}

static void sums_add_label(struct sums_find *find, const struct sums_labels *labels, uint32_t label)
{
	const struct label *l = &find->sums->keys.profile->labels[label];
	struct tag_value *value = sums_value(find, find->sums->keys.key_of_label[label], label);
	value->value = units_add(value->value, labels->value[label], &find->sums->overflow);
	if (l->text != 0) {
		value->has_text = true;
		return;
	}
	if (!value->has_number || l->number < value->least)
		value->least = l->number;
	if (!value->has_number || l->number > value->most)
		value->most = l->number;
	value->has_number = true;
}

/* ---- order ---------------------------------------------------------------------------------- */

static uint64_t sums_size(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static int sums_compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
	return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* Values with all that their order needs. */
struct sums_sorted {
	struct tag_value value;
	const char *text;
	uint32_t key;
};

static int sums_compare_values(const void *a, const void *b)
{
	const struct sums_sorted *x = a, *y = b;
	const uint64_t x_size = sums_size(x->value.value), y_size = sums_size(y->value.value);
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x_size != y_size)
		return x_size > y_size ? -1 : 1;
	return sums_compare_bytes(x->text, x->value.length, y->text, y->value.length);
}

static void sums_sort_values(struct sums_find *find)
{
	struct tag_sums *sums = find->sums;
	struct sums_sorted *sorted = memory_new((size_t)sums->value_count + 1, sizeof *sorted);
	for (uint32_t i = 0; i < sums->value_count; i++)
		sorted[i] = (struct sums_sorted){sums->values[i],
			sums->text.data + sums->values[i].text, find->key_of_value[i]};
	qsort(sorted, sums->value_count, sizeof *sorted, sums_compare_values);
	for (uint32_t i = 0; i < sums->value_count; i++) {
		sums->values[i] = sorted[i].value;
		find->key_of_value[i] = sorted[i].key;
	}
	free(sorted);
}

struct sums_sorted_key {
	struct tag_key key;
	const char *name;
	size_t length;
};

static int sums_compare_keys(const void *a, const void *b)
{
	const struct sums_sorted_key *x = a, *y = b;
	return sums_compare_bytes(x->name, x->length, y->name, y->length);
}

/* The keys of sorted values, by name. */
static void sums_list_keys(struct sums_find *find)
{
	struct tag_sums *sums = find->sums;
	struct sums_sorted_key *sorted = memory_new((size_t)sums->keys.count + 1, sizeof *sorted);
	for (uint32_t i = 0; i < sums->value_count; i++) {
		const uint32_t key = find->key_of_value[i];
		if (i == 0 || find->key_of_value[i - 1] != key) {
			struct sums_sorted_key *new_one = &sorted[sums->count++];
			new_one->key = (struct tag_key){.key = key, .first = i};
			new_one->name = profile_string(
				sums->keys.profile, sums->keys.keys[key].key, &new_one->length);
		}
		struct tag_key *last = &sorted[sums->count - 1].key;
		last->count++;
		last->value = units_add(last->value, sums->values[i].value, &sums->overflow);
	}
	qsort(sorted, sums->count, sizeof *sorted, sums_compare_keys);
	sums->list = memory_new((size_t)sums->count + 1, sizeof *sums->list);
	for (uint32_t i = 0; i < sums->count; i++)
		sums->list[i] = sorted[i].key;
	free(sorted);
}

bool tag_sums_build(struct tag_sums *sums, const struct calltree *tree,
	const struct tag_options *options, struct vp_error *err)
{
	const struct profile *profile = tree->profile;
	*sums = (struct tag_sums){.keys = label_keys_build(profile)};
	bool *shown = label_keys_shown(&sums->keys, options->show, options->hide, err);
	if (!shown) {
		tag_sums_free(sums);
		return false;
	}
	struct sums_set *sets = sums_of_sets(tree, &sums->overflow);
	struct sums_labels labels = sums_of_labels(sums, sets);
	struct sums_find find = {.sums = sums, .unit = options->unit ? options->unit : "auto"};
	strings_init(&find.texts);
	for (uint32_t i = 1; i < profile->label_count; i++)
		if (labels.is_seen[i] && shown[sums->keys.key_of_label[i]])
			sums_add_label(&find, &labels, i);
	sums_sort_values(&find);
	sums_list_keys(&find);
	strings_free(&find.texts);
	hash_map_free(&find.slots);
	text_free(&find.scratch);
	free(find.key_of_value);
	sums_free_labels(&labels);
	free(sets);
	free(shown);
	return true;
}

void tag_sums_free(struct tag_sums *sums)
{
	label_keys_free(&sums->keys);
	free(sums->list);
	free(sums->values);
	text_free(&sums->text);
	*sums = (struct tag_sums){0};
}

/* ---- a filter for a value ------------------------------------------------------------------- */

/* The unit as a filter can name it: letters; nothing for one that is not known. */
static const char *sums_filter_unit(const char *unit)
{
	const char *shown;
	pprof_units_scale(1, unit, "", &shown);
	if (*shown == '\0')
		return "";
	return strspn(unit, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(unit)
		       ? unit
		       : NULL;
}

static bool sums_filter_number(const char *unit, const struct tag_value *value, struct text *out)
{
	unit = sums_filter_unit(unit);
	if (!unit)
		return false;
	text_printf(out, "%" PRId64 "%s", value->least, unit);
	if (value->least != value->most)
		text_printf(out, ":%" PRId64 "%s", value->most, unit);
	return true;
}

/* A pattern of exactly that text; a comma would part it in two. */
static void sums_filter_text(const char *bytes, size_t length, struct text *out)
{
	text_puts(out, "^");
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == ',' || bytes[i] == '\0') {
			text_puts(out, ".");
			continue;
		}
		if (strchr("\\^$.|?*+()[]{}", bytes[i]))
			text_puts(out, "\\");
		text_add(out, &bytes[i], 1);
	}
	text_puts(out, "$");
}

bool tag_sums_filter(const struct tag_sums *sums, const struct tag_key *key,
	const struct tag_value *value, struct text *out)
{
	size_t length;
	const struct profile *profile = sums->keys.profile;
	const char *name = profile_string(profile, sums->keys.keys[key->key].key, &length);
	if (length == 0 || memchr(name, '=', length) || memchr(name, '\0', length))
		return false;
	text_add(out, name, length);
	text_puts(out, "=");
	if (!value->has_text)
		return sums_filter_number(label_unit(&sums->keys, key->key), value, out);
	sums_filter_text(sums->text.data + value->text, value->length, out);
	return true;
}
