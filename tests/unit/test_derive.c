/* SPDX-License-Identifier: MIT */
/* Profiles made of profiles: merged, subtracted, one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "derive/difference.h"
#include "derive/merge.h"
#include "derive/open.h"
#include "derive/series.h"
#include "profile/builder.h"
#include "profile/clock.h"
#include "query/query.h"
#include "query/snapshots.h"

/* ---- profiles of one program -------------------------------------------------------------- */

enum { FUNCTIONS = 12, TYPES = 2 };

struct shape {
	uint32_t seed;
	uint64_t start;   /* where the program lies in memory */
	const char *file; /* of the program */
	enum value_kind kind;
	int64_t scale; /* of the second type */
	size_t samples;
	int64_t time_ns;
};

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static string_id word(struct builder *builder, const char *text)
{
	return builder_string(builder, text, strlen(text));
}

static void add_frames(struct builder *builder, const struct shape *shape, frame_id *frames)
{
	const struct mapping mapping = {.start = shape->start,
		.limit = shape->start + 0x10000 - shape->seed % 7,
		.file = word(builder, shape->file),
		.build_id = word(builder, "b1d"),
		.has_functions = true};
	const uint32_t id = builder_mapping(builder, &mapping);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%" PRIu32, i);
		const struct function function = {.name = word(builder, name),
			.file = word(builder, "a.go"),
			.module = mapping.file,
			.kind = CODE_NATIVE};
		frames[i] = builder_function_frame(
			builder, &(struct frame){.address = shape->start + 16 * i,
					 .function = builder_function(builder, &function),
					 .line = i,
					 .kind = CODE_NATIVE,
					 .mapping = id});
	}
}

static uint32_t random_labels(struct builder *builder, uint32_t *seed)
{
	static const char *const keys[] = {"a", "b", "c"};
	uint32_t set = 0;
	const uint32_t first = next_random(seed) % 3, count = next_random(seed) % 3;
	for (uint32_t i = 0; i < count; i++) { /* in any order of keys */
		const char *key = keys[(first + 2 * i) % 3];
		struct label label = {.key = word(builder, key), .number = 1};
		if (next_random(seed) % 2 == 0)
			label.text = word(builder, "x");
		set = builder_label_set(builder, set, builder_label(builder, &label));
	}
	return set;
}

static struct profile *random_profile(const struct shape *shape)
{
	const struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct builder builder;
	frame_id frames[FUNCTIONS], stack[6];
	uint32_t seed = shape->seed;
	builder_init(&builder, &limits, NULL, NULL);
	builder_type(&builder, "count", "count", VALUE_COUNTER, 1);
	builder_type(&builder, "live", "nanoseconds", shape->kind, shape->scale);
	builder.profile->default_type = 1;
	builder.profile->is_name_function = true;
	builder.profile->is_timed = false;
	builder.profile->format = "pprof";
	builder.profile->source = "made";
	builder.profile->has_start = shape->time_ns > 0;
	builder.profile->start_ns = shape->time_ns;
	add_frames(&builder, shape, frames);
	for (size_t i = 0; i < shape->samples; i++) {
		const size_t depth = next_random(&seed) % 6;
		for (size_t k = 0; k < depth; k++)
			stack[k] = frames[next_random(&seed) % FUNCTIONS];
		const int64_t values[TYPES] = {
			next_random(&seed) % 5, (int64_t)(next_random(&seed) % 2000) - 200};
		builder_values(&builder, builder_stack(&builder, stack, depth), values);
		builder_sample_labels(&builder, random_labels(&builder, &seed));
	}
	return builder_finish(&builder);
}

/* ---- what a profile says, whatever the order of its samples ------------------------------- */

static void add_stack(const struct profile *profile, stack_id stack, struct text *out)
{
	for (stack_id i = stack; i != 0; i = profile->stack_parent[i]) {
		const frame_id frame = profile->stack_frame[i];
		text_printf(out, "%s+%" PRIx64 ";",
			profile_string(profile, profile_function(profile, frame)->name, NULL),
			profile->frames[frame].address -
				profile->mappings[profile->frames[frame].mapping].start);
	}
}

static void add_labels(const struct profile *profile, size_t i, struct text *out)
{
	uint32_t set = profile->sample_labels ? profile->sample_labels[i] : 0;
	for (; set != 0; set = profile->set_parent[set]) {
		const struct label *label = &profile->labels[profile->set_label[set]];
		text_printf(out, " %s=%s", profile_string(profile, label->key, NULL),
			label->text ? profile_string(profile, label->text, NULL) : "1");
	}
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All samples as sorted lines. free() it. */
static char *describe(const struct profile *profile)
{
	char **lines = calloc(profile->sample_count + 1, sizeof *lines);
	struct text all = {0};
	for (size_t i = 0; i < profile->sample_count; i++) {
		struct text line = {0};
		add_stack(profile, profile->sample_stack[i], &line);
		add_labels(profile, i, &line);
		for (unsigned type = 0; type < profile->type_count; type++)
			text_printf(&line, " %" PRId64, profile_value(profile, type, i));
		lines[i] = line.data;
	}
	qsort(lines, profile->sample_count, sizeof *lines, compare_lines);
	for (size_t i = 0; i < profile->sample_count; i++) {
		text_printf(&all, "%s\n", lines[i]);
		free(lines[i]);
	}
	free(lines);
	return all.data ? all.data : strdup("");
}

static void assert_same(const struct profile *a, const struct profile *b)
{
	char *left = describe(a), *right = describe(b);
	assert_string_equal(left, right);
	free(left);
	free(right);
}

static struct profile *merged(const struct profile *a, const struct profile *b)
{
	const struct profile *both[] = {a, b};
	struct vp_error err;
	size_t bad;
	struct profile *profile = profile_merge(both, NULL, 2, &bad, &err);
	assert_non_null(profile);
	return profile;
}

static struct profile *subtracted(
	const struct profile *now, const struct profile *base, enum difference kind)
{
	struct vp_error err;
	struct profile *profile = profile_difference(
		&(struct difference_options){
			.now = difference_all(now), .base = difference_all(base), .kind = kind},
		&err);
	assert_non_null(profile);
	return profile;
}

static struct shape shape_of(uint32_t seed)
{
	return (struct shape){.seed = seed,
		.start = (uint64_t)(seed % 5 + 1) << 20,
		.file = seed % 3 ? "/bin/a" : "/old/a",
		.scale = seed % 2 ? 1 : 1000,
		.samples = seed % 40};
}

/* ---- merging ------------------------------------------------------------------------------- */

static void test_merge_is_commutative(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 60; seed++) {
		const struct shape first = shape_of(seed), second = shape_of(seed * 31 + 7);
		struct profile *a = random_profile(&first), *b = random_profile(&second);
		struct profile *ab = merged(a, b), *ba = merged(b, a);
		assert_same(ab, ba);
		for (unsigned type = 0; type < TYPES; type++)
			assert_int_equal(
				ab->types[type].total, a->types[type].total + b->types[type].total);
		assert_int_equal(ab->frame_count <= FUNCTIONS + 1, 1);
		assert_true(ab->mapping_count <= 2);
		/* What was merged is merged. */
		struct profile *again = merged(ab, ab);
		assert_int_equal(again->sample_count, ab->sample_count);
		profile_free(a);
		profile_free(b);
		profile_free(ab);
		profile_free(ba);
		profile_free(again);
	}
}

static void test_merge_saturates(void **state)
{
	(void)state;
	const struct builder_limits limits = {.max_depth = 10};
	struct profile *profiles[2];
	for (int i = 0; i < 2; i++) {
		struct builder builder;
		builder_init(&builder, &limits, NULL, NULL);
		builder_type(&builder, "n", "count", VALUE_COUNTER, 1);
		builder.profile->source = "made";
		builder_values(&builder, 0, (int64_t[]){INT64_MAX - 5});
		profiles[i] = builder_finish(&builder);
	}
	struct profile *sum = merged(profiles[0], profiles[1]);
	assert_int_equal(profile_value(sum, 0, 0), INT64_MAX);
	assert_true(sum->warning_count > 0);
	assert_string_equal(sum->warnings[0].class_name, "overflow");
	profile_free(sum);
	profile_free(profiles[0]);
	profile_free(profiles[1]);
}

static void test_incompatible(void **state)
{
	(void)state;
	const struct builder_limits limits = {.max_depth = 10};
	static const char *const names[][2] = {
		{"cpu", "nanoseconds"}, {"space", "bytes"}, {"cpu", "bytes"}};
	struct profile *profiles[3];
	struct vp_error err;
	size_t bad = 9;
	for (int i = 0; i < 3; i++) {
		struct builder builder;
		builder_init(&builder, &limits, NULL, NULL);
		builder_type(&builder, names[i][0], names[i][1], VALUE_COUNTER, 1);
		builder.profile->source = "made";
		profiles[i] = builder_finish(&builder);
	}
	for (int i = 1; i < 3; i++) {
		const struct profile *three[] = {profiles[0], profiles[0], profiles[i]};
		assert_null(profile_merge(three, NULL, 3, &bad, &err));
		assert_int_equal(err.code, ERROR_INCOMPATIBLE);
		assert_int_equal(bad, 2);
		assert_null(profile_series(three, NULL, 3, &bad, &err));
		assert_null(profile_difference(
			&(struct difference_options){.now = difference_all(profiles[0]),
				.base = difference_all(profiles[i]),
				.kind = DIFFERENCE_CANCELS},
			&err));
	}
	for (int i = 0; i < 3; i++)
		profile_free(profiles[i]);
}

/* ---- differences ----------------------------------------------------------------------------- */

static void test_difference_adds_up(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 60; seed++) {
		const struct shape first = shape_of(seed), second = shape_of(seed * 17 + 3);
		struct profile *now = random_profile(&first), *base = random_profile(&second);
		for (int kind = DIFFERENCE_CANCELS; kind <= DIFFERENCE_OF_BASE; kind++) {
			struct profile *d = subtracted(now, base, (enum difference)kind);
			assert_int_equal(d->type_count, 3 * TYPES);
			assert_int_equal(d->default_type, 1);
			for (unsigned type = 0; type < TYPES; type++) {
				for (size_t i = 0; i < d->sample_count; i++)
					assert_int_equal(profile_value(d, type, i) +
								 profile_value(d, TYPES + type, i),
						profile_value(d, 2 * TYPES + type, i));
				assert_int_equal(
					d->types[TYPES + type].total, base->types[type].total);
				assert_int_equal(
					d->types[2 * TYPES + type].total, now->types[type].total);
			}
			profile_free(d);
		}
		profile_free(now);
		profile_free(base);
	}
}

static void test_difference_with_itself(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 40; seed++) {
		struct shape shape = shape_of(seed);
		struct profile *now = random_profile(&shape);
		shape.start += 0x7000000; /* the same program elsewhere in memory */
		struct profile *base = random_profile(&shape);
		struct profile *d = subtracted(now, base, DIFFERENCE_CANCELS);
		for (size_t i = 0; i < d->sample_count; i++)
			for (unsigned type = 0; type < TYPES; type++)
				assert_int_equal(profile_value(d, type, i), 0);
		profile_free(d);
		d = subtracted(now, base, DIFFERENCE_OF_BASE);
		struct query query;
		struct vp_error err;
		query_init(&query, d);
		struct calltree *tree = calltree_build(d, &query, &err);
		assert_non_null(tree);
		for (uint32_t i = 0; i < tree->node_count; i++)
			assert_int_equal(tree->total[i], 0);
		calltree_free(tree);
		profile_free(d);
		profile_free(now);
		profile_free(base);
	}
}

/* ---- series ------------------------------------------------------------------------------------
 */

static void test_series(void **state)
{
	(void)state;
	enum { COUNT = 4 };
	struct profile *profiles[COUNT];
	const char *const names[COUNT] = {"d", "c", "b", "a"};
	for (uint32_t i = 0; i < COUNT; i++) { /* the last one first */
		struct shape shape = shape_of(50 + i);
		shape.kind = VALUE_SNAPSHOT;
		shape.samples = i == 2 ? 0 : 20 + i;
		shape.time_ns = 1000 + 10 * (int64_t)(COUNT - i);
		profiles[i] = random_profile(&shape);
	}
	const struct profile *const *given = (const struct profile *const *)profiles;
	struct vp_error err;
	size_t bad;
	assert_true(series_is(given, COUNT));
	struct profile *series = profile_series(given, names, COUNT, &bad, &err);
	assert_non_null(series);
	assert_int_equal(series->snapshot_count, COUNT);
	struct query query;
	query_init(&query, series);
	assert_int_equal(query.first, series->snapshots[COUNT - 1].first);
	for (unsigned type = 0; type < TYPES; type++)
		assert_int_equal(series->types[type].total, profiles[0]->types[type].total);
	query.type = 0;
	struct calltree *tree = calltree_build(series, &query, &err);
	struct snapshot_value *values = snapshots_build(tree);
	for (size_t i = 0; i < COUNT; i++) {
		assert_string_equal(series->snapshots[i].name, names[COUNT - 1 - i]);
		assert_int_equal(values[i].value, profiles[COUNT - 1 - i]->types[0].total);
	}
	free(values);
	calltree_free(tree);

	struct profile *growth = series_growth(series, 0, COUNT - 1, &err);
	struct profile *direct = subtracted(profiles[0], profiles[COUNT - 1], DIFFERENCE_CANCELS);
	assert_same(growth, direct);
	assert_null(series_growth(series, 0, COUNT, &err));
	profile_free(growth);
	profile_free(direct);
	profile_free(series);
	for (size_t i = 0; i < COUNT; i++)
		profile_free(profiles[i]);
}

/* The snapshots that times choose. */
static void test_series_clock(void **state)
{
	(void)state;
	struct snapshot snapshots[] = {
		{5000, 0, "a"}, {6000, 10, "b"}, {6000, 10, "c"}, {9000, 30, "d"}};
	struct profile profile = {
		.snapshots = snapshots, .snapshot_count = 4, .sample_count = 40, .is_timed = true};
	const struct clock clock = clock_make(&profile, CLOCK_AUTO);
	struct vp_error err;
	size_t first, last;
	uint64_t from, to;
	assert_int_equal(clock.kind, TIME_STAMPED);
	assert_int_equal(clock_time(&clock, 0), 0);
	assert_int_equal(clock_time(&clock, 15), 1000);
	assert_int_equal(clock_time(&clock, 40), 4000);
	assert_int_equal(clock_sample(&clock, 3999), 10);
	assert_int_equal(clock_sample(&clock, 4000), 39);
	assert_true(clock_window(&clock, &profile, NULL, NULL, &from, &to, &err));
	assert_int_equal(from, 30);
	assert_int_equal(to, 40);
	assert_true(clock_window(&clock, &profile, NULL, "+1000ns", &from, &to, &err));
	assert_int_equal(from, 0);
	assert_int_equal(to, 10);
	assert_true(clock_window(&clock, &profile, "#10", "#30", &from, &to, &err));
	assert_int_equal(from, 10);
	assert_int_equal(to, 30);
	assert_true(clock_snapshots(&clock, "+1000ns", NULL, &first, &last, &err));
	assert_int_equal(last, 4);
	assert_true(first == 1 || first == 2);
	assert_false(clock_window(&clock, &profile, "+2000ns", "+3000ns", &from, &to, &err));
	snapshots[1].time_ns = 0; /* unknown: there is no clock then */
	assert_int_equal(clock_make(&profile, CLOCK_AUTO).kind, TIME_NONE);
}

/* ---- opening ------------------------------------------------------------------------------------
 */

static void test_open_refuses(void **state)
{
	(void)state;
	const char *const paths[] = {"-", "/nowhere/a", "-"};
	struct open_options options = {
		.load = load_options_default(), .paths = paths, .path_count = 3};
	struct vp_error err = {0};
	assert_null(profile_open(&options, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	options.path_count = 1;
	options.bases[0] = "-";
	options.base_count = 1;
	assert_null(profile_open(&options, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	options.paths = &paths[1];
	options.bases[0] = "/nowhere/b";
	assert_null(profile_open(&options, &err));
	assert_int_equal(err.code, ERROR_IO);
	assert_true(strncmp(err.message, "/nowhere/a: ", 12) == 0);
	options.base_count = 0;
	options.normalize = true;
	assert_null(profile_open(&options, &err));
	assert_int_equal(err.code, ERROR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge_is_commutative),
		cmocka_unit_test(test_merge_saturates),
		cmocka_unit_test(test_incompatible),
		cmocka_unit_test(test_difference_adds_up),
		cmocka_unit_test(test_difference_with_itself),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_series_clock),
		cmocka_unit_test(test_open_refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
