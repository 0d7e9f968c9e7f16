/* SPDX-License-Identifier: MIT */
#include "derive/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "derive/difference.h"
#include "derive/sums.h"

/* ---- is it one ------------------------------------------------------------------------- */

static bool series_has_type(const struct profile *profile, const struct value_type *type)
{
	for (unsigned i = 0; i < profile->type_count; i++)
		if (strcmp(profile->types[i].name, type->name) == 0 &&
			profile->types[i].kind == type->kind)
			return true;
	return false;
}

/* The program that a profile is of: what its first mapping is; "" where it does not say. */
static const char *series_program(const struct profile *profile)
{
	if (profile->mapping_count < 2)
		return "";
	const struct mapping *first = &profile->mappings[1];
	return profile_string(profile, first->build_id ? first->build_id : first->file, NULL);
}

bool series_is(const struct profile *const *profiles, size_t count)
{
	const struct value_type *type = NULL;
	const char *program = "";
	for (size_t i = 0; i < count && !type; i++) {
		const struct profile *profile = profiles[i];
		if (profile->type_count > 0 &&
			profile->types[profile->default_type].kind == VALUE_SNAPSHOT)
			type = &profile->types[profile->default_type];
	}
	for (size_t i = 0; i < count && type; i++) {
		const char *own = series_program(profiles[i]);
		if (!series_has_type(profiles[i], type) ||
			(*own && *program && strcmp(own, program) != 0))
			return false;
		program = *own ? own : program;
	}
	return type && count > 1;
}

/* ---- in order of time ------------------------------------------------------------------ */

struct series_place {
	int64_t time_ns;
	const char *name;
	size_t number; /* as given */
	bool is_timed; /* all of them have a time */
};

static int series_compare(const void *a, const void *b)
{
	const struct series_place *left = a, *right = b;
	if (left->is_timed && left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	const int names = left->is_timed ? strcmp(left->name, right->name) : 0;
	if (names != 0)
		return names;
	return (left->number > right->number) - (left->number < right->number);
}

static struct series_place *series_sort(
	const struct profile *const *profiles, const char *const *names, size_t count)
{
	struct series_place *places = memory_new(count, sizeof *places);
	bool is_timed = true;
	for (size_t i = 0; i < count; i++)
		is_timed &= profiles[i]->has_start;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct series_place){.time_ns = profiles[i]->start_ns,
			.name = names ? names[i] : "",
			.number = i,
			.is_timed = is_timed};
	qsort(places, count, sizeof *places, series_compare);
	return places;
}

/* ---- making one ------------------------------------------------------------------------ */

/* The samples of one snapshot, those of equal stacks and labels added. */
static void series_add(
	struct builder *builder, struct copier *copier, const struct shared *shared, size_t p)
{
	const struct profile *from = shared->profiles[p];
	struct sums sums;
	struct copy copy;
	sums_init(&sums, shared->count);
	copy_init(&copy, copier, from);
	for (size_t i = 0; i < from->sample_count; i++) {
		const uint32_t set = from->sample_labels ? from->sample_labels[i] : 0;
		int64_t *sum =
			sums_of(&sums, copy.stacks[from->sample_stack[i]], copy_labels(&copy, set));
		for (unsigned type = 0; type < shared->count; type++)
			sums_add(&sums, &sum[type], shared_value(shared, type, p, i));
	}
	copy_free(&copy);
	sums_build(&sums, builder);
	sums_free(&sums);
}

static void series_add_snapshots(struct builder *builder, const struct shared *shared,
	const struct series_place *places, const char *const *names)
{
	struct profile *to = builder->profile;
	struct copier copier;
	copier_init(&copier, builder);
	to->snapshots = memory_new(shared->profile_count, sizeof *to->snapshots);
	to->snapshot_count = shared->profile_count;
	for (size_t i = 0; i < shared->profile_count; i++) {
		const size_t p = places[i].number;
		const struct profile *from = shared->profiles[p];
		const char *name = names ? names[p] : from->source;
		to->snapshots[i] =
			(struct snapshot){.time_ns = from->has_start ? from->start_ns : 0,
				.first = to->sample_count,
				.name = copy_text(builder, name ? name : "")};
		copy_warnings(builder, from, names ? names[p] : NULL);
		series_add(builder, &copier, shared, p);
	}
	copier_free(&copier);
}

static void series_head(struct builder *builder, const struct shared *shared, bool is_timed)
{
	struct profile *to = builder->profile;
	shared_head(builder, shared->profiles, shared->profile_count);
	to->is_timed = true;
	to->duration_ns = 0;
	to->period_ns = 0;
	to->has_end = is_timed;
	for (size_t p = 0; p < shared->profile_count && is_timed; p++) {
		const int64_t start = shared->profiles[p]->start_ns;
		to->end_ns = p == 0 || start > to->end_ns ? start : to->end_ns;
	}
}

void series_sum_up(struct profile *profile)
{
	const size_t first = profile->snapshots[profile->snapshot_count - 1].first;
	bool overflow = false;
	for (unsigned type = 0; type < profile->type_count; type++) {
		int64_t total = 0;
		for (size_t i = first; i < profile->sample_count; i++)
			total = units_add(total, profile_value(profile, type, i), &overflow);
		profile->types[type].total = total;
	}
}

struct profile *profile_series(const struct profile *const *profiles, const char *const *names,
	size_t count, size_t *bad, struct vp_error *err)
{
	const struct builder_limits limits = {BUILDER_DEFAULT_MAX_DEPTH};
	struct shared shared;
	if (!shared_find(&shared, profiles, count, bad, err)) {
		shared_free(&shared);
		return NULL;
	}
	struct builder builder;
	struct series_place *places = series_sort(profiles, names, count);
	builder_init(&builder, &limits, NULL, NULL);
	series_head(&builder, &shared, places[0].is_timed);
	for (unsigned i = 0; i < shared.count; i++)
		shared_add_type(&builder, &shared.types[i].type, NULL, PART_ALL);
	builder.profile->default_type = shared.default_type;
	if (!places[0].is_timed)
		builder_warn(&builder, "bad-time",
			"not all of the profiles say when they were taken: they are in the order given");
	series_add_snapshots(&builder, &shared, places, names);
	free(places);
	shared_free(&shared);
	struct profile *profile = builder_finish(&builder);
	series_sum_up(profile);
	return profile;
}

/* ---- growth ----------------------------------------------------------------------------- */

static struct difference_side series_side(const struct profile *series, size_t i)
{
	const bool is_last = i + 1 >= series->snapshot_count;
	return (struct difference_side){.profile = series,
		.first = series->snapshots[i].first,
		.last = is_last ? series->sample_count : series->snapshots[i + 1].first};
}

static const char *series_copy_name(struct profile *to, const char *name)
{
	char *copy = arena_new(&to->arena, strlen(name) + 1, 1);
	return memcpy(copy, name, strlen(name) + 1);
}

/* The growth is that of the time between the two. */
static void series_name_growth(
	struct profile *growth, const struct snapshot *from, const struct snapshot *to)
{
	growth->source = series_copy_name(growth, to->name);
	growth->base_source = series_copy_name(growth, from->name);
	growth->has_start = from->time_ns > 0;
	growth->start_ns = from->time_ns;
	growth->duration_ns = 0;
	growth->has_end = from->time_ns > 0 && to->time_ns > from->time_ns;
	growth->end_ns = growth->has_end ? to->time_ns : 0;
}

struct profile *series_growth(
	const struct profile *series, size_t from, size_t to, struct vp_error *err)
{
	if (from >= series->snapshot_count || to >= series->snapshot_count) {
		error_set(err, ERROR_USAGE, -1, "there are %zu snapshots", series->snapshot_count);
		return NULL;
	}
	struct profile *growth =
		profile_difference(&(struct difference_options){.now = series_side(series, to),
					   .base = series_side(series, from),
					   .kind = DIFFERENCE_CANCELS},
			err);
	if (growth)
		series_name_growth(growth, &series->snapshots[from], &series->snapshots[to]);
	return growth;
}
