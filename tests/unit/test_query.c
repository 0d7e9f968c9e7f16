/* SPDX-License-Identifier: MIT */
/* Call tree, functions, neighbours: the figures of numbers.md 3.1 and 3.3, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "query/query.h"
#include "unit/make_profile.h"

/* main;r;r;c;r is recursion (3.1 rules 3 and 4). */
static struct profile *example(void)
{
	struct making making;
	making_start(&making);
	making_add(&making, "main;a;b 10", 100);
	making_add(&making, "main;a 20", 200);
	making_add(&making, "main;a;b;c 40", 150);
	making_add(&making, "main;r;r;c;r 30", 300);
	making_add(&making, " 5", 300);
	return making_finish(&making);
}

static struct calltree *build(
	const struct profile *profile, enum filter_kind filter, const char *pattern)
{
	struct query query;
	struct vp_error err;
	query_init(&query, profile);
	if (pattern)
		query.filters[filter] = pattern;
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_non_null(tree);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		assert_true(tree->parent[i] < i);
		assert_true(tree->end[i] > i && tree->end[i] <= tree->end[tree->parent[i]]);
	}
	return tree;
}

static uint32_t row_of(const struct calltree *tree, const char *name)
{
	for (uint32_t row = 1; row < tree->row_count; row++)
		if (strcmp(profile_string(tree->profile, tree->rows[row].name, NULL), name) == 0)
			return row;
	return 0;
}

static void check_row(const struct calltree *tree, const char *name, int64_t flat, int64_t cum)
{
	size_t count;
	struct function_row found = {0}, *rows = functions_build(tree, SORT_CUM, &count);
	for (size_t i = 0; i < count; i++)
		if (rows[i].row == row_of(tree, name))
			found = rows[i];
	free(rows);
	assert_int_equal(found.flat, flat);
	assert_int_equal(found.cum, cum);
}

static void test_flat_and_cum(void **state)
{
	(void)state;
	struct profile *profile = example();
	struct calltree *tree = build(profile, 0, NULL);
	assert_int_equal(tree->all, 105);
	assert_int_equal(tree->total[0], 105);
	check_row(tree, "main", 0, 100);
	check_row(tree, "r", 30, 30);
	check_row(tree, "c", 40, 70);
	check_row(tree, "b", 10, 50);
	check_row(tree, "a", 20, 70);
	calltree_free(tree);
	profile_free(profile);
}

static int64_t value_of(
	const struct calltree *tree, const struct neighbour *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].row == row_of(tree, name))
			return list[i].value;
	return 0;
}

static void test_neighbours(void **state)
{
	(void)state;
	struct profile *profile = example();
	struct calltree *tree = build(profile, 0, NULL);
	struct neighbours r = neighbours_build(tree, row_of(tree, "r"));
	assert_int_equal(r.flat, 30);
	assert_int_equal(r.cum, 30);
	assert_int_equal(r.caller_count, 2); /* main and c; r itself is none */
	assert_int_equal(value_of(tree, r.callers, r.caller_count, "main"), 30);
	assert_int_equal(value_of(tree, r.callers, r.caller_count, "c"), 30);
	assert_int_equal(r.callee_count, 1);
	assert_int_equal(value_of(tree, r.callees, r.callee_count, "c"), 30);
	neighbours_free(&r);
	struct neighbours c = neighbours_build(tree, row_of(tree, "c"));
	assert_int_equal(value_of(tree, c.callers, c.caller_count, "b"), 40);
	assert_int_equal(value_of(tree, c.callers, c.caller_count, "r"), 30);
	neighbours_free(&c);
	calltree_free(tree);
	profile_free(profile);
}

static void check_filter(enum filter_kind filter, const char *pattern, int64_t shown)
{
	struct profile *profile = example();
	struct calltree *tree = build(profile, filter, pattern);
	assert_int_equal(tree->all, 105);
	assert_int_equal(tree->base, 105);
	assert_int_equal(tree->total[0], shown);
	calltree_free(tree);
	profile_free(profile);
}

static void test_filters(void **state)
{
	(void)state;
	check_filter(FILTER_FOCUS, "^r$", 30);
	check_filter(FILTER_FOCUS, "r\\.py", 30); /* a file, too */
	check_filter(FILTER_FOCUS, "^c$", 70);
	check_filter(FILTER_IGNORE, "^c$", 30); /* the empty stack goes with any filter */
	check_filter(FILTER_HIDE, "^b$", 100);  /* hide keeps the total */
	check_filter(FILTER_SHOW, "^a$", 70);
	check_filter(FILTER_SHOW_FROM, "^b$", 50);
	check_filter(FILTER_FOCUS, "nothing of the kind", 0);
}

static void test_filters_move_values(void **state)
{
	(void)state;
	struct profile *profile = example();
	struct calltree *tree = build(profile, FILTER_HIDE, "^b$");
	check_row(tree, "a", 30, 70); /* b's own 10 go to its caller */
	calltree_free(tree);
	tree = build(profile, FILTER_SHOW_FROM, "^b$");
	check_row(tree, "b", 10, 50);
	check_row(tree, "main", 0, 0);
	calltree_free(tree);
	tree = build(profile, FILTER_SHOW_FROM, "^r$"); /* the highest match */
	check_row(tree, "r", 30, 30);
	assert_int_equal(tree->end[1] - 1, 4); /* r r c r */
	calltree_free(tree);
	profile_free(profile);
}

static void test_bad_patterns(void **state)
{
	(void)state;
	struct profile *profile = example();
	struct query query;
	struct vp_error err = {0};
	query_init(&query, profile);
	query.filters[FILTER_FOCUS] = "(";
	assert_null(calltree_build(profile, &query, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	query.filters[FILTER_FOCUS] = NULL;
	assert_true(profile_find_type(profile, "memory", &query.type));
	assert_null(calltree_build(profile, &query, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	profile_free(profile);
}

static void test_time_window_and_types(void **state)
{
	(void)state;
	struct profile *profile = example();
	struct calltree *tree = build(profile, 0, NULL);
	struct query query = tree->query;
	struct vp_error err;
	query.first = 5;
	query.last = 35;
	assert_true(calltree_count(tree, &query, &err));
	assert_int_equal(tree->all, 30);
	check_row(tree, "b", 5, 10); /* 5 samples in a;b, 5 in a;b;c */
	assert_true(profile_find_type(profile, "time", &query.type));
	query.first = 0;
	query.last = profile->sample_count;
	assert_true(calltree_count(tree, &query, &err));
	assert_int_equal(tree->all, 105 * INT64_C(10000000));
	assert_true(profile_find_type(profile, "growth", &query.type));
	assert_true(calltree_count(tree, &query, &err));
	/* 100 -> 200 in a, 150 -> 300 in r; the fall in c counts nothing. */
	assert_int_equal(tree->all, (100 + 150) * 1024);
	check_row(tree, "a", 100 * 1024, 100 * 1024);
	check_row(tree, "r", 150 * 1024, 150 * 1024);
	calltree_free(tree);
	profile_free(profile);
}

static void test_granularity(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	builder_name(builder, 2, "py:run:1:/srv/x/a.py", 20, 1);
	builder_name(builder, 4, "py:run:1:/srv/y/a.py", 20, 1);
	builder_name(builder, 6, "py:go:9:/srv/y/a.py", 19, 1);
	builder_name(builder, 8, "py:run:1:/srv/x/a.py", 20, 1);
	frame_id frames[] = {builder_frame(builder, 2, 3, CODE_PYTHON),
		builder_frame(builder, 4, 5, CODE_PYTHON),
		builder_frame(builder, 6, 0, CODE_PYTHON),
		builder_frame(builder, 8, 7, CODE_PYTHON),
		builder_frame(builder, 10, 0, CODE_PYTHON)};
	for (size_t i = 0; i < 5; i++)
		builder_sample(builder, builder_stack(builder, &frames[i], 1), 1, -1, 0);
	struct profile *profile = making_finish(&making);
	static const struct {
		enum granularity granularity;
		uint32_t rows;
	} expected[] = {{BY_FUNCTION, 4}, {BY_FILEFUNCTION, 4}, {BY_FILE, 3}, {BY_LINE, 5},
		{BY_ADDRESS, 5}};
	for (size_t i = 0; i < 5; i++) {
		struct query query;
		query_init(&query, profile);
		query.granularity = expected[i].granularity;
		struct calltree *tree = calltree_build(profile, &query, NULL);
		assert_int_equal(tree->row_count - 1, expected[i].rows);
		calltree_free(tree);
	}
	struct calltree *tree = build(profile, 0, NULL);
	struct text label = {0};
	row_label(tree, row_of(tree, "go"), false, &label);
	assert_string_equal(label.data, "go");
	text_clear(&label);
	row_label(tree, row_of(tree, "run"), false, &label);
	assert_string_equal(label.data, "run x/a.py:1");
	text_clear(&label);
	row_label(tree, tree->row_count - 1, false, &label);
	assert_string_equal(label.data, "<unknown 0xa>");
	text_free(&label);
	calltree_free(tree);
	profile_free(profile);
}

/* The JIT's machine code is no function: its samples are its caller's own (numbers.md, own rule 9).
 */
static void test_assembler(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	builder_name(builder, 2, "py:f:1:f.py", 11, 1);
	frame_id frames[] = {builder_frame(builder, 2, 0, CODE_PYTHON),
		builder_frame(builder, 2, 0, CODE_JIT),
		builder_frame(builder, 99, 0, CODE_ASSEMBLER)};
	builder_sample(builder, builder_stack(builder, frames, 3), 1, -1, 0);
	struct profile *profile = making_finish(&making);
	struct calltree *tree = build(profile, 0, NULL);
	check_row(tree, "f", 1, 1);
	calltree_free(tree);
	struct query query;
	query_init(&query, profile);
	query.show_assembler = true;
	tree = calltree_build(profile, &query, NULL);
	check_row(tree, "f", 0, 1);
	calltree_free(tree);
	profile_free(profile);
}

/* Sums and partitions over random trees; the seed is fixed. */
static void test_properties(void **state)
{
	(void)state;
	srand(11);
	for (int round = 0; round < 20; round++) {
		struct making making;
		making_start(&making);
		for (int i = 0; i < 100; i++) {
			struct text folded = {0};
			int depth = rand() % 7;
			for (int d = 0; d < depth; d++)
				text_printf(&folded, "%sf%d", d ? ";" : "", rand() % 6);
			text_printf(&folded, " %d", 1 + rand() % 5);
			making_add(&making, folded.data, rand() % 1000);
			text_free(&folded);
		}
		struct profile *profile = making_finish(&making);
		struct calltree *all = build(profile, 0, NULL),
				*focus = build(profile, FILTER_FOCUS, "f3"),
				*ignore = build(profile, FILTER_IGNORE, "f3"),
				*hide = build(profile, FILTER_HIDE, "f3");
		size_t count;
		int64_t sum = all->self[0];
		struct function_row *rows = functions_build(all, SORT_FLAT, &count);
		for (size_t i = 0; i < count; i++) {
			sum += rows[i].flat;
			assert_true(rows[i].cum >= rows[i].flat && rows[i].cum <= all->all);
			assert_true(i == 0 || rows[i - 1].flat >= rows[i].flat);
		}
		free(rows);
		assert_int_equal(sum, all->all);
		assert_int_equal(focus->total[0] + ignore->total[0], all->all - all->self[0]);
		assert_true(hide->total[0] <= all->all);
		calltree_free(all);
		calltree_free(focus);
		calltree_free(ignore);
		calltree_free(hide);
		profile_free(profile);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat_and_cum),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_filters_move_values),
		cmocka_unit_test(test_bad_patterns),
		cmocka_unit_test(test_time_window_and_types),
		cmocka_unit_test(test_granularity),
		cmocka_unit_test(test_assembler),
		cmocka_unit_test(test_properties),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
