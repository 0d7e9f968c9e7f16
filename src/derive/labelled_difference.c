/* SPDX-License-Identifier: MIT */
#include "derive/labelled_difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

/* ---- which samples are of the base ------------------------------------------------------- */

static bool labelled_is(const struct profile *profile, string_id id, const char *text)
{
	return strcmp(profile_string(profile, id, NULL), text) == 0;
}

/* The label of the base; 0 where there is none. */
static uint32_t labelled_find(const struct profile *profile)
{
	for (uint32_t i = 1; i < profile->label_count; i++)
		if (labelled_is(profile, profile->labels[i].key, "pprof::base") &&
			labelled_is(profile, profile->labels[i].text, "true"))
			return i;
	return 0;
}

void labelled_difference_mark(struct profile *profile, uint32_t label)
{
	bool *has_label = memory_new(profile->set_count, sizeof *has_label);
	const size_t words = profile->sample_count / 64 + 1;
	for (uint32_t i = 1; i < profile->set_count; i++)
		has_label[i] = has_label[profile->set_parent[i]] || profile->set_label[i] == label;
	if (!profile->base_samples)
		profile->base_samples = memory_new(words, sizeof *profile->base_samples);
	for (size_t i = 0; i < profile->sample_count; i++)
		if (has_label[profile_label_set(profile, i)])
			profile->base_samples[i / 64] |= UINT64_C(1) << i % 64;
	free(has_label);
}

/* ---- its types ---------------------------------------------------------------------------- */

/* What a sample had and has: the value of the base is there with its sign turned. */
static int64_t labelled_value(const struct profile *profile, unsigned type, size_t i, bool of_base)
{
	const bool is_base = profile->base_samples[i / 64] >> i % 64 & 1;
	const int64_t value = profile_value(profile, type, i);
	if (is_base != of_base)
		return 0;
	if (!of_base)
		return value;
	return value == INT64_MIN ? INT64_MAX : -value;
}

/* Type `made` is what the base, or the new one, had of `type`. */
static void labelled_make_type(struct profile *profile, unsigned type, unsigned made, bool of_base)
{
	const struct value_type *from = &profile->types[type];
	struct value_type *to = &profile->types[made];
	struct text name = {0};
	bool overflow = false;
	text_printf(&name, "%s%s", of_base ? "base:" : "new:", from->name);
	char *copy = arena_new(&profile->arena, name.length + 1, 1);
	*to = *from;
	to->name = memcpy(copy, name.data, name.length + 1);
	text_free(&name);
	to->part = of_base ? PART_BASE : PART_NEW;
	to->source = VALUE_COLUMN;
	to->column = made;
	to->scale = 1;
	to->total = 0;
	int64_t *wide = memory_new(profile->sample_count + 1, sizeof *wide);
	for (size_t i = 0; i < profile->sample_count; i++) {
		wide[i] = labelled_value(profile, type, i, of_base);
		to->total = units_add(to->total, wide[i], &overflow);
	}
	profile->columns[made].wide = wide;
	profile->columns[made].capacity = profile->sample_count + 1;
}

static void labelled_make_types(struct profile *profile)
{
	const unsigned count = profile->type_count;
	for (unsigned i = 0; i < count; i++) {
		profile->types[i].part = PART_DELTA;
		labelled_make_type(profile, i, count + i, true);
		labelled_make_type(profile, i, 2 * count + i, false);
	}
	profile->type_count = 3 * count;
}

void labelled_difference(struct profile *profile)
{
	const uint32_t label = labelled_find(profile);
	if (label == 0 || profile->sample_count == 0 || profile->snapshots)
		return;
	labelled_difference_mark(profile, label);
	if (profile->difference == DIFFERENCE_NONE && profile->type_count <= MAX_FILE_TYPES) {
		labelled_make_types(profile);
		/* How long the samples of both are together says nothing, and when they ended. */
		profile->period_ns = 0;
		profile->has_end = false;
	}
	if (profile->type_count > 0 && profile->types[0].part == PART_DELTA)
		profile->difference = DIFFERENCE_OF_BASE;
}
