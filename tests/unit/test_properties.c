/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any profile and any filters: random profiles of pprof's kind, with inlined
 * lines, recursion, values below 0, labels and frames to drop; each call tree is compared with what
 * the filters say of each sample, one by one, as numbers.md 3.3 has it. Seeded: it always does the
 * same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "profile/builder.h"
#include "query/query.h"

enum { NAMES = 8, LOCATIONS = 12, LINES = 4, DEPTH = 7, SAMPLES = 40, ROUNDS = 1500 };

static const char *const names[NAMES] = {
	"f0", "f1", "f2", "f3", "f1(int)", ".dot(int)", "main", "ns::f2(a)"};
static const char *const files[] = {"a.c", "b.c", "lib/c.c"};
/* All mean themselves as patterns, so strstr is as good as PCRE2. */
static const char *const patterns[] = {
	"f1", "f2", "a.c", "lib", "ns::", "main", "dot", "int", "no"};
static const char *const dropped[] = {"f3", "dot", "main", "ns::f2"};

struct line {
	int name, file;
};

struct location {
	struct line lines[LINES]; /* innermost first */
	int count;
};

struct sample {
	int locations[DEPTH]; /* leaf first */
	int depth, label;
	int64_t values[2];
};

struct random_profile {
	struct location locations[LOCATIONS];
	struct sample samples[SAMPLES];
	int sample_count;
	const char *drop;
};

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

/* ---- making one --------------------------------------------------------------------------- */

static void invent(struct random_profile *made)
{
	*made = (struct random_profile){.drop = below(3) ? NULL : dropped[below(4)]};
	const bool is_signed = below(3) == 0;
	for (int i = 0; i < LOCATIONS; i++) {
		struct location *location = &made->locations[i];
		location->count = below(2) ? 1 : (int)below(LINES) + 1;
		for (int k = 0; k < location->count; k++)
			location->lines[k] = (struct line){(int)below(NAMES), (int)below(3)};
	}
	made->sample_count = (int)below(SAMPLES) + 1;
	for (int i = 0; i < made->sample_count; i++) {
		struct sample *sample = &made->samples[i];
		sample->depth = (int)below(DEPTH + 1);
		sample->label = (int)below(3);
		for (int k = 0; k < sample->depth; k++)
			sample->locations[k] = (int)below(LOCATIONS);
		sample->values[0] = (int64_t)below(4);
		sample->values[1] = (int64_t)below(400) - (is_signed ? 200 : 0);
	}
}

static string_id intern(struct builder *builder, const char *text)
{
	return builder_string(builder, text, strlen(text));
}

static size_t add_location(
	struct builder *builder, const struct random_profile *made, int i, frame_id *frames)
{
	const struct location *location = &made->locations[i];
	size_t count = 0;
	for (int k = location->count; k-- > 0;) {
		const struct line *line = &location->lines[k];
		struct function function = {.name = intern(builder, names[line->name]),
			.file = intern(builder, files[line->file]),
			.kind = CODE_NATIVE};
		struct frame frame = {.address = (uint64_t)(i + 1) * 16,
			.function = builder_function(builder, &function),
			.kind = CODE_NATIVE,
			.is_inlined = k != location->count - 1};
		frames[count++] = builder_function_frame(builder, &frame);
	}
	return count;
}

static struct profile *build(const struct random_profile *made)
{
	struct builder builder;
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	builder_init(&builder, &limits, NULL, NULL);
	builder.profile->is_name_function = true;
	builder.profile->format = "pprof";
	builder_type(&builder, "objects", "count", VALUE_COUNTER, 1);
	builder_type(&builder, "space", "bytes", VALUE_COUNTER, 1);
	builder.profile->default_type = 1;
	for (int i = 0; i < made->sample_count; i++) {
		const struct sample *sample = &made->samples[i];
		frame_id frames[DEPTH * LINES];
		size_t depth = 0;
		for (int k = sample->depth; k-- > 0;)
			depth += add_location(&builder, made, sample->locations[k], frames + depth);
		builder_values(&builder, builder_stack(&builder, frames, depth), sample->values);
		struct label label = {.key = intern(&builder, "k"),
			.text = intern(&builder, sample->label == 1 ? "one" : "two")};
		builder_sample_labels(&builder,
			sample->label
				? builder_label_set(&builder, 0, builder_label(&builder, &label))
				: 0);
	}
	if (made->drop)
		builder.profile->drop_frames =
			builder_text(&builder, made->drop, strlen(made->drop));
	struct profile *profile = builder_finish(&builder);
	profile->default_type = 1;
	return profile;
}

/* ---- what pprof would do ------------------------------------------------------------------ */

struct stack {
	struct location locations[DEPTH]; /* leaf first */
	int depth;
};

static bool line_matches(const struct line *line, const char *pattern)
{
	return strstr(names[line->name], pattern) || strstr(files[line->file], pattern);
}

static bool location_matches(const struct location *location, const char *pattern)
{
	for (int i = 0; i < location->count; i++)
		if (line_matches(&location->lines[i], pattern))
			return true;
	return false;
}

/* Without a leading dot and the arguments. */
static void simplify(char out[32], const char *name)
{
	name += *name == '.';
	strcpy(out, name);
	out[strcspn(out, "(")] = '\0';
}

static void keep_lines(struct location *location, int first, int last)
{
	memmove(location->lines, location->lines + first,
		(size_t)(last - first) * sizeof *location->lines);
	location->count = last - first;
}

/* drop_frames: what a location becomes, and whether the stack ends there. */
static bool drop_lines(struct location *location, const char *pattern, bool *is_whole)
{
	for (int i = location->count; i-- > 0;) {
		char name[32];
		simplify(name, names[location->lines[i].name]);
		if (strcmp(name, pattern) != 0)
			continue;
		*is_whole = i == location->count - 1;
		if (!*is_whole)
			keep_lines(location, i + 1, location->count);
		return true;
	}
	return false;
}

static void drop(struct stack *stack, const char *pattern)
{
	bool found_user = false;
	int cut = 0;
	for (int i = stack->depth; pattern && i-- > 0;) {
		bool is_whole = false;
		bool ends = drop_lines(&stack->locations[i], pattern, &is_whole);
		if (!ends)
			found_user = true;
		else if (found_user && cut == 0)
			cut = is_whole ? i + 1 : i;
	}
	memmove(stack->locations, stack->locations + cut,
		(size_t)(stack->depth - cut) * sizeof *stack->locations);
	stack->depth -= cut;
}

/* focus, ignore, hide, show; false: the sample goes. */
static bool filter_names(struct stack *stack, const char *const *filters)
{
	const char *focus = filters[FILTER_FOCUS], *ignore = filters[FILTER_IGNORE];
	const char *hide = filters[FILTER_HIDE], *show = filters[FILTER_SHOW];
	bool is_focused = false;
	int kept = 0;
	if (!focus && !ignore && !hide && !show)
		return true;
	for (int i = 0; i < stack->depth; i++) {
		struct location *location = &stack->locations[i];
		if (ignore && location_matches(location, ignore))
			return false;
		is_focused |= !focus || location_matches(location, focus);
		int lines = 0;
		for (int k = 0; k < location->count; k++) {
			const struct line line = location->lines[k];
			if ((hide && line_matches(&line, hide)) ||
				(show && !line_matches(&line, show)))
				continue;
			location->lines[lines++] = line;
		}
		location->count = lines;
		if (lines > 0)
			stack->locations[kept++] = *location;
	}
	stack->depth = kept;
	return is_focused && kept > 0;
}

static bool show_from(struct stack *stack, const char *pattern)
{
	int highest = -1;
	for (int i = 0; pattern && i < stack->depth; i++) {
		struct location *location = &stack->locations[i];
		for (int k = location->count; k-- > 0;) {
			if (!line_matches(&location->lines[k], pattern))
				continue;
			keep_lines(location, 0, k + 1);
			highest = i;
			break;
		}
	}
	if (pattern)
		stack->depth = highest + 1;
	return !pattern || highest >= 0;
}

static void prune_from(struct stack *stack, const char *pattern)
{
	int lowest = -1;
	for (int i = stack->depth; pattern && i-- > 0;) {
		struct location *location = &stack->locations[i];
		for (int k = 0; k < location->count; k++) {
			char name[32];
			simplify(name, names[location->lines[k].name]);
			if (!strstr(name, pattern))
				continue;
			keep_lines(location, k, location->count);
			lowest = i;
			break;
		}
	}
	if (lowest <= 0)
		return;
	memmove(stack->locations, stack->locations + lowest,
		(size_t)(stack->depth - lowest) * sizeof *stack->locations);
	stack->depth -= lowest;
}

/* Names of a sample after all filters, leaf first; false: the sample goes. */
static bool evaluate(const struct random_profile *made, const struct sample *sample,
	const struct query *query, int *path, int *depth)
{
	struct stack stack = {.depth = sample->depth};
	*depth = 0;
	for (int i = 0; i < sample->depth; i++)
		stack.locations[i] = made->locations[sample->locations[i]];
	drop(&stack, query->all_frames ? NULL : made->drop);
	if (!filter_names(&stack, query->filters) ||
		!show_from(&stack, query->filters[FILTER_SHOW_FROM]))
		return false;
	if (query->filters[FILTER_TAG_FOCUS] && sample->label != 1)
		return false;
	prune_from(&stack, query->filters[FILTER_PRUNE_FROM]);
	for (int i = 0; i < stack.depth; i++)
		for (int k = query->no_inlines ? stack.locations[i].count - 1 : 0;
			k < stack.locations[i].count; k++)
			path[(*depth)++] = stack.locations[i].lines[k].name;
	return true;
}

/* ---- comparing ----------------------------------------------------------------------------- */

struct expected {
	int64_t flat[NAMES], cum[NAMES], flat_first[NAMES], cum_first[NAMES];
	int64_t all, passed, total, samples;
};

static struct expected expect(const struct random_profile *made, const struct query *query)
{
	struct expected sums = {.all = 0};
	for (int i = 0; i < made->sample_count; i++) {
		const struct sample *sample = &made->samples[i];
		const int64_t value = sample->values[query->type], first = sample->values[0];
		int path[DEPTH * LINES], depth;
		bool seen[NAMES] = {false};
		sums.all += value < 0 ? -value : value;
		if (!evaluate(made, sample, query, path, &depth))
			continue;
		sums.samples++;
		sums.total += value;
		sums.passed += value < 0 ? -value : value;
		for (int k = 0; k < depth; k++) {
			sums.cum[path[k]] += seen[path[k]] ? 0 : value;
			sums.cum_first[path[k]] += seen[path[k]] ? 0 : first;
			seen[path[k]] = true;
		}
		if (depth > 0) {
			sums.flat[path[0]] += value;
			sums.flat_first[path[0]] += first;
		}
	}
	return sums;
}

static int name_of(const struct calltree *tree, uint32_t row)
{
	const char *name = profile_string(tree->profile, tree->rows[row].name, NULL);
	for (int i = 0; i < NAMES; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	fail_msg("there is no function %s", name);
	return 0;
}

static void compare_rows(const struct calltree *tree, const struct expected *sums)
{
	const bool mean = tree->query.mean;
	bool seen[NAMES] = {false};
	size_t count;
	struct function_row *rows = functions_build(tree, SORT_FLAT, &count);
	for (size_t i = 0; i < count; i++) {
		const int name = name_of(tree, rows[i].row);
		seen[name] = true;
		assert_int_equal(rows[i].flat,
			calltree_mean(sums->flat[name], mean ? sums->flat_first[name] : 0));
		assert_int_equal(rows[i].cum,
			calltree_mean(sums->cum[name], mean ? sums->cum_first[name] : 0));
		struct neighbours around = neighbours_build(tree, rows[i].row);
		assert_int_equal(around.flat, rows[i].flat);
		assert_int_equal(around.cum, rows[i].cum);
		neighbours_free(&around);
	}
	for (int i = 0; i < NAMES; i++)
		assert_true(seen[i] || (sums->flat[i] == 0 && sums->cum[i] == 0));
	free(rows);
}

/* Sums of a tree that hold whatever is in it. */
static void check_tree(const struct calltree *tree, const struct expected *sums)
{
	int64_t self = 0;
	assert_int_equal(tree->all, sums->all);
	assert_int_equal(tree->passed, sums->passed);
	assert_int_equal(tree->samples, sums->samples);
	assert_int_equal(tree->total[0], sums->total);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		int64_t below = tree->self[i];
		self += tree->self[i];
		for (uint32_t child = i + 1; child < tree->end[i]; child = tree->end[child]) {
			assert_int_equal(tree->parent[child], i);
			below += tree->total[child];
		}
		assert_int_equal(below, tree->total[i]);
	}
	assert_int_equal(self, tree->total[0]);
	if (sums->total != sums->passed)
		return; /* values below 0 */
	size_t count;
	struct function_row *rows = functions_build(tree, SORT_NAME, &count);
	for (size_t i = 0; i < count && !tree->query.mean; i++)
		assert_true(rows[i].cum >= rows[i].flat && rows[i].cum <= tree->total[0]);
	free(rows);
}

static struct expected check(
	const struct random_profile *made, const struct profile *profile, const struct query *query)
{
	struct vp_error err = {.offset = -1};
	struct expected sums = expect(made, query);
	struct calltree *tree = calltree_build(profile, query, &err);
	assert_non_null(tree);
	assert_true(calltree_mark_inlined(tree, &err));
	check_tree(tree, &sums);
	compare_rows(tree, &sums);
	calltree_free(tree);
	return sums;
}

static struct query choose(const struct profile *profile)
{
	struct query query;
	query_init(&query, profile);
	query.type = below(4) ? 1 : 0;
	for (int i = 0; i < FILTER_COUNT; i++)
		if (filter_is_of_frames((enum filter_kind)i) && below(4) == 0)
			query.filters[i] = patterns[below(sizeof patterns / sizeof *patterns)];
	if (below(4) == 0)
		query.filters[FILTER_TAG_FOCUS] = "one";
	query.no_inlines = below(4) == 0;
	query.all_frames = below(4) == 0;
	query.mean = below(4) == 0;
	return query;
}

static void test_each_filter_as_sample_by_sample(void **state)
{
	(void)state;
	struct random_profile made;
	for (int round = 0; round < ROUNDS; round++) {
		random_state = (uint64_t)round;
		invent(&made);
		struct profile *profile = build(&made);
		struct query query = choose(profile);
		check(&made, profile, &query);
		profile_free(profile);
	}
}

/* Some figures do not depend on what is random. */
static void test_what_filters_leave(void **state)
{
	(void)state;
	struct random_profile made;
	for (int round = 0; round < ROUNDS / 3; round++) {
		random_state = (uint64_t)round + 1000000;
		invent(&made);
		struct profile *profile = build(&made);
		const char *pattern = patterns[below(sizeof patterns / sizeof *patterns)];
		struct query plain, query;
		query_init(&plain, profile);
		struct expected all = check(&made, profile, &plain);
		query = plain;
		query.no_inlines = true;
		assert_int_equal(check(&made, profile, &query).total, all.total);
		query = plain;
		query.filters[FILTER_PRUNE_FROM] = pattern;
		assert_int_equal(check(&made, profile, &query).total, all.total);
		/* Stacks with a match, those without one, and samples without a stack are all. */
		query = plain;
		query.filters[FILTER_FOCUS] = pattern;
		const int64_t with = check(&made, profile, &query).total;
		query = plain;
		query.filters[FILTER_IGNORE] = pattern;
		const int64_t without = check(&made, profile, &query).total;
		query = plain;
		query.filters[FILTER_IGNORE] = "no function is called so";
		assert_int_equal(with + without, check(&made, profile, &query).total);
		/* What is hidden leaves its value to its caller, where it has one that is not. */
		query = plain;
		query.filters[FILTER_HIDE] = "no function is called so";
		assert_int_equal(check(&made, profile, &query).total, with + without);
		profile_free(profile);
	}
}

/* A pattern that takes too long on a name is an error, in whichever filter it is. */
static void test_patterns_that_take_too_long(void **state)
{
	(void)state;
	struct builder builder;
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct text name = {0};
	builder_init(&builder, &limits, NULL, NULL);
	builder.profile->is_name_function = true;
	builder_type(&builder, "objects", "count", VALUE_COUNTER, 1);
	text_repeat(&name, "a", 4000);
	struct function function = {
		.name = builder_string(&builder, name.data, name.length), .kind = CODE_NATIVE};
	struct frame frame = {
		.function = builder_function(&builder, &function), .kind = CODE_NATIVE};
	frame_id id = builder_function_frame(&builder, &frame);
	int64_t one = 1;
	builder_values(&builder, builder_stack(&builder, &id, 1), &one);
	struct profile *profile = builder_finish(&builder);
	for (int i = 0; i < FILTER_COUNT; i++) {
		struct vp_error err = {.offset = -1};
		struct query query;
		query_init(&query, profile);
		query.filters[i] = "^(a+)+[bc]";
		if (!filter_is_of_frames((enum filter_kind)i))
			continue;
		assert_null(calltree_build(profile, &query, &err));
		assert_int_equal(err.code, ERROR_LIMIT);
	}
	text_free(&name);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_filter_as_sample_by_sample),
		cmocka_unit_test(test_what_filters_leave),
		cmocka_unit_test(test_patterns_that_take_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
