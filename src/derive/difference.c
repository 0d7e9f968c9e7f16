/* SPDX-License-Identifier: MIT */
#include "derive/difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "derive/graphs.h"
#include "derive/labelled_difference.h"
#include "derive/sums.h"

struct difference_side difference_all(const struct profile *profile)
{
	return (struct difference_side){profile, 0, profile->sample_count};
}

enum { SIDE_NOW, SIDE_BASE, SIDE_COUNT }; /* also their numbers in `shared` */

/* A difference while it is made. */
struct making {
	const struct difference_options *options;
	struct shared shared;
	struct builder builder;
	struct copier copier;
	struct sums sums;
	struct graphs graphs[PART_COUNT]; /* of parts; of PART_ALL there is none */
	double scale[MAX_FILE_TYPES];     /* of the values of `now` */
	uint32_t base_label;       /* pprof::base = true; 0: samples of the base do not get it */
	struct hash_map base_sets; /* sets of labels -> the same with it */
};

/* ---- normalizing ------------------------------------------------------------------------ */

static double making_sum(
	const struct making *making, unsigned type, size_t p, const struct difference_side *side)
{
	int64_t sum = 0;
	bool overflow = false;
	for (size_t i = side->first; i < side->last; i++)
		sum = units_add(sum, shared_value(&making->shared, type, p, i), &overflow);
	return (double)sum;
}

static void making_find_scales(struct making *making)
{
	const struct difference_options *options = making->options;
	for (unsigned type = 0; type < making->shared.count; type++) {
		making->scale[type] = 1;
		if (!options->normalize)
			continue;
		const double now = making_sum(making, type, SIDE_NOW, &options->now);
		const double base = making_sum(making, type, SIDE_BASE, &options->base);
		making->scale[type] = now != 0 ? base / now : 0;
	}
}

/* ---- adding up -------------------------------------------------------------------------- */

static int64_t making_negative(int64_t value)
{
	return value == INT64_MIN ? INT64_MAX : -value;
}

/* Adds one value to the three parts of a type. */
static void making_add(
	struct making *making, int64_t *sum, unsigned type, unsigned side, int64_t value)
{
	const unsigned count = making->shared.count;
	int64_t *delta = &sum[type], *base = &sum[count + type], *now = &sum[2 * count + type];
	if (side == SIDE_NOW)
		value = sums_scaled(value, making->scale[type]);
	sums_add(&making->sums, side == SIDE_NOW ? now : base, value);
	sums_add(&making->sums, delta, side == SIDE_NOW ? value : making_negative(value));
}

/* A graph of calls is one of all samples. */
static void making_add_graph(struct making *making, unsigned number,
	const struct difference_side *side, struct copy *copy)
{
	const struct graphs_share none = {0}, plus = {1, 1}, minus = {-1, 1},
				  now = {1, making->scale[making->shared.default_type]};
	const bool is_now = number == SIDE_NOW;
	if (side->first > 0 || side->last < side->profile->sample_count)
		return;
	graphs_add(&making->graphs[PART_DELTA], copy, is_now ? now : minus);
	graphs_add(&making->graphs[PART_BASE], copy, is_now ? none : plus);
	graphs_add(&making->graphs[PART_NEW], copy, is_now ? now : none);
}

/*
 * The set of labels `set` with the label of the base, in its place by key: a difference that is
 * itself the base has it already. A label of that key with another text goes, as in pprof.
 */
static uint32_t making_base_set(struct making *making, uint32_t set)
{
	const struct profile *profile = making->builder.profile;
	const string_id key = profile->labels[making->base_label].key;
	const char *name = profile_string(profile, key, NULL);
	uint32_t count = 0, made = 0, *slot = hash_map_slot(&making->base_sets, set);
	bool is_in = false;
	if (*slot != 0)
		return *slot - 1;
	for (uint32_t i = set; i != 0; i = profile->set_parent[i])
		count++;
	uint32_t *labels = memory_new(count, sizeof *labels);
	for (uint32_t i = set, k = count; i != 0; i = profile->set_parent[i])
		labels[--k] = profile->set_label[i];
	for (uint32_t i = 0; i <= count; i++) {
		const string_id mine = i < count ? profile->labels[labels[i]].key : 0;
		const bool is_behind =
			i == count || strcmp(profile_string(profile, mine, NULL), name) > 0;
		if (is_behind && !is_in)
			made = builder_label_set(&making->builder, made, making->base_label);
		is_in |= is_behind;
		if (i < count && mine != key)
			made = builder_label_set(&making->builder, made, labels[i]);
	}
	free(labels);
	*slot = made + 1;
	return made;
}

static void making_add_side(
	struct making *making, unsigned number, const struct difference_side *side)
{
	const struct profile *from = side->profile;
	struct copy copy;
	copy_init(&copy, &making->copier, from);
	for (size_t i = side->first; i < side->last; i++) {
		uint32_t set = copy_labels(&copy, from->sample_labels ? from->sample_labels[i] : 0);
		if (number == SIDE_BASE && making->base_label != 0)
			set = making_base_set(making, set);
		int64_t *sum = sums_of(&making->sums, copy.stacks[from->sample_stack[i]], set);
		for (unsigned type = 0; type < making->shared.count; type++)
			making_add(making, sum, type, number,
				shared_value(&making->shared, type, number, i));
	}
	making_add_graph(making, number, side, &copy);
	copy_free(&copy);
}

/* ---- the profile ------------------------------------------------------------------------ */

static void making_add_types(struct making *making)
{
	static const struct {
		enum value_part part;
		const char *prefix;
	} parts[] = {{PART_DELTA, NULL}, {PART_BASE, "base:"}, {PART_NEW, "new:"}};
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		for (unsigned i = 0; i < making->shared.count; i++)
			shared_add_type(&making->builder, &making->shared.types[i].type,
				parts[k].prefix, parts[k].part);
	making->builder.profile->default_type = making->shared.default_type;
}

static void making_add_label(struct making *making)
{
	static const char key[] = "pprof::base", text[] = "true";
	if (making->options->kind != DIFFERENCE_OF_BASE)
		return;
	const struct label label = {.key = builder_string(&making->builder, key, strlen(key)),
		.text = builder_string(&making->builder, text, strlen(text))};
	making->base_label = builder_label(&making->builder, &label);
}

/* The head is that of both; of how long the samples are together there is nothing to say. */
static void making_head(struct making *making)
{
	const struct difference_options *options = making->options;
	const struct profile *both[SIDE_COUNT] = {
		[SIDE_NOW] = options->now.profile, [SIDE_BASE] = options->base.profile};
	struct profile *profile = making->builder.profile;
	shared_head(&making->builder, both, SIDE_COUNT);
	profile->source = copy_text(&making->builder, options->now.profile->source);
	profile->base_source = copy_text(&making->builder, options->base.profile->source);
	profile->difference = options->kind;
	profile->period_ns = 0;
}

static struct profile *making_run(struct making *making)
{
	const struct difference_options *options = making->options;
	const struct builder_limits limits = {BUILDER_DEFAULT_MAX_DEPTH};
	builder_init(&making->builder, &limits, NULL, NULL);
	copier_init(&making->copier, &making->builder);
	sums_init(&making->sums, 3 * making->shared.count);
	making_head(making);
	making_add_types(making);
	making_add_label(making);
	making_find_scales(making);
	making_add_side(making, SIDE_NOW, &options->now);
	making_add_side(making, SIDE_BASE, &options->base);
	sums_build(&making->sums, &making->builder);
	graphs_build_difference(making->graphs, &making->builder, SIDE_COUNT);
	if (making->base_label != 0)
		labelled_difference_mark(making->builder.profile, making->base_label);
	hash_map_free(&making->base_sets);
	sums_free(&making->sums);
	copier_free(&making->copier);
	return builder_finish(&making->builder);
}

struct profile *profile_difference(const struct difference_options *options, struct vp_error *err)
{
	struct making making = {.options = options};
	const struct profile *both[SIDE_COUNT] = {
		[SIDE_NOW] = options->now.profile, [SIDE_BASE] = options->base.profile};
	struct profile *profile = NULL;
	size_t bad;
	if (shared_find(&making.shared, both, SIDE_COUNT, &bad, err))
		profile = making_run(&making);
	shared_free(&making.shared);
	return profile;
}
