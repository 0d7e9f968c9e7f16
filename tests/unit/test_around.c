/* SPDX-License-Identifier: MIT */
/* Trees made from a call tree (around.h) against a walk over every sample's stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/around.h"
#include "unit/make_profile.h"

enum { MOST_DEPTH = 40, MOST_CHAINS = 20000 };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Samples of stacks of up to ten frames of a few functions; without recursion each is in a stack
 * once. */
static struct profile *make_random(uint64_t seed, int samples, bool has_recursion)
{
	struct making making;
	struct text folded = {0};
	making_start(&making);
	for (int i = 0; i < samples; i++) {
		unsigned used = 0;
		text_clear(&folded);
		for (uint64_t depth = next_random(&seed) % 11; depth > 0; depth--) {
			unsigned function =
				(unsigned)(next_random(&seed) % (has_recursion ? 4 : 9));
			if (!has_recursion && used & 1u << function)
				continue;
			used |= 1u << function;
			text_printf(&folded, "%sf%u", folded.length ? ";" : "", function);
		}
		text_printf(&folded, " %d", (int)(next_random(&seed) % 3) + 1);
		making_add(&making, folded.data, (int64_t)(next_random(&seed) % 1000));
	}
	text_free(&folded);
	return making_finish(&making);
}

static struct calltree *build(const struct profile *profile, const struct query *query)
{
	struct vp_error err;
	struct query everything;
	query_init(&everything, profile);
	struct calltree *tree = calltree_build(profile, query ? query : &everything, &err);
	assert_non_null(tree);
	return tree;
}

/* What holds for every tree. */
static void check_shape(const struct calltree *tree)
{
	int64_t *sum = memory_new(tree->node_count, sizeof *sum);
	assert_int_equal(tree->row[0], 0);
	assert_int_equal(tree->end[0], tree->node_count);
	for (uint32_t i = tree->node_count; i-- > 0;) {
		sum[i] += tree->self[i];
		assert_int_equal(sum[i], tree->total[i]);
		assert_true(tree->end[i] > i);
		if (i == 0)
			continue;
		assert_true(tree->parent[i] < i && tree->end[i] <= tree->end[tree->parent[i]]);
		sum[tree->parent[i]] += sum[i];
	}
	free(sum);
	/* Siblings are of different rows: they would be one node. */
	uint32_t *seen = memory_new(tree->row_count, sizeof *seen);
	for (uint32_t node = 0; node < tree->node_count; node++) {
		for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child]) {
			assert_true(seen[tree->row[child]] != node + 1);
			seen[tree->row[child]] = node + 1;
		}
	}
	free(seen);
}

/* ---- by hand -------------------------------------------------------------------------------- */

/* A chain of rows below the root, and what it has. */
struct chain {
	uint32_t rows[MOST_DEPTH], depth;
	int64_t self, total;
};

struct chains {
	struct chain *list;
	uint32_t count;
};

static struct chain *chains_find(struct chains *chains, const uint32_t *rows, uint32_t depth)
{
	for (uint32_t i = 0; i < chains->count; i++)
		if (chains->list[i].depth == depth &&
			memcmp(chains->list[i].rows, rows, depth * sizeof *rows) == 0)
			return &chains->list[i];
	assert_true(chains->count < MOST_CHAINS);
	struct chain *chain = &chains->list[chains->count++];
	*chain = (struct chain){.depth = depth};
	memcpy(chain->rows, rows, depth * sizeof *rows);
	return chain;
}

static void chains_add(struct chains *chains, const uint32_t *rows, uint32_t depth, int64_t value)
{
	for (uint32_t i = 0; i <= depth; i++)
		chains_find(chains, rows, i)->total += value;
	chains_find(chains, rows, depth)->self += value;
}

/* The rows of a sample's stack, outermost first. */
static uint32_t rows_of_sample(const struct calltree *tree, size_t sample, uint32_t *rows)
{
	const struct profile *profile = tree->profile;
	uint32_t depth = 0;
	stack_id stack = profile->sample_stack[sample];
	for (stack_id i = stack; i; i = profile->stack_parent[i])
		depth++;
	uint32_t at = depth;
	for (stack_id i = stack; i; i = profile->stack_parent[i])
		rows[--at] = tree->row_of_frame[profile->stack_frame[i]];
	return depth;
}

static void reverse(uint32_t *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t row = rows[i];
		rows[i] = rows[count - 1 - i];
		rows[count - 1 - i] = row;
	}
}

enum direction { BOTTOM_UP, CALLERS, CALLEES };

/* What becomes of a stack; false: it is not in that tree. */
static bool turn(enum direction direction, uint32_t row, uint32_t *rows, uint32_t *depth)
{
	uint32_t outermost = 0;
	if (direction == BOTTOM_UP) {
		reverse(rows, *depth);
		return true;
	}
	while (outermost < *depth && rows[outermost] != row)
		outermost++;
	if (outermost == *depth)
		return false;
	if (direction == CALLERS) {
		*depth = outermost + 1;
		reverse(rows, *depth);
	} else {
		*depth -= outermost;
		memmove(rows, rows + outermost, *depth * sizeof *rows);
	}
	return true;
}

static uint32_t rows_of_node(const struct calltree *tree, uint32_t node, uint32_t *rows)
{
	uint32_t depth = 0;
	for (; node; node = tree->parent[node])
		rows[depth++] = tree->row[node];
	reverse(rows, depth);
	return depth;
}

/* Compares every node of a tree with the samples, and every sample with its node. */
static void check_tree(const struct calltree *tree, const struct calltree *made,
	enum direction direction, uint32_t row)
{
	const struct profile *profile = tree->profile;
	struct chains chains = {.list = memory_new(MOST_CHAINS, sizeof *chains.list)};
	int64_t *values = memory_new(profile->sample_count, sizeof *values);
	uint32_t rows[MOST_DEPTH], own[MOST_DEPTH], depth;
	check_shape(made);
	assert_int_equal(made->left_out, 0);
	profile_values(profile, tree->query.type, 0, profile->sample_count, values);
	for (uint64_t i = tree->query.first; i < tree->query.last; i++) {
		depth = rows_of_sample(tree, i, rows);
		uint32_t node = made->node_of_stack[profile->sample_stack[i]];
		if (!turn(direction, row, rows, &depth)) {
			assert_int_equal(node, NODE_DROPPED);
			continue;
		}
		chains_add(&chains, rows, depth, values[i]);
		if (values[i] == 0 && node == NODE_DROPPED)
			continue;
		assert_int_equal(rows_of_node(made, node, own), depth);
		assert_memory_equal(own, rows, depth * sizeof *rows);
	}
	for (uint32_t node = 0; node < made->node_count; node++) {
		depth = rows_of_node(made, node, rows);
		struct chain *chain = chains_find(&chains, rows, depth);
		assert_int_equal(made->self[node], chain->self);
		assert_int_equal(made->total[node], chain->total);
		chain->self = chain->total = 0;
	}
	for (uint32_t i = 0; i < chains.count; i++) /* nothing is missing */
		assert_int_equal(chains.list[i].total, 0);
	free(chains.list);
	free(values);
}

static void check_functions(const struct calltree *tree)
{
	size_t count;
	struct function_row *functions = functions_build(tree, SORT_CUM, &count);
	struct calltree *leaves = calltree_bottom_up(tree);
	check_tree(tree, leaves, BOTTOM_UP, 0);
	assert_int_equal(leaves->total[0], tree->total[0]);
	for (size_t i = 0; i < count; i++) {
		uint32_t row = functions[i].row;
		struct calltree *callers = calltree_callers(tree, row);
		struct calltree *callees = calltree_callees(tree, row);
		int64_t flat = 0;
		check_tree(tree, callers, CALLERS, row);
		check_tree(tree, callees, CALLEES, row);
		assert_int_equal(callers->row[AROUND_CENTRE], row);
		assert_int_equal(callees->row[AROUND_CENTRE], row);
		assert_int_equal(callers->total[AROUND_CENTRE], functions[i].cum);
		assert_int_equal(callees->total[AROUND_CENTRE], functions[i].cum);
		assert_int_equal(callers->total[0], functions[i].cum);
		for (uint32_t node = 1; node < callees->node_count; node++)
			if (callees->row[node] == row)
				flat += callees->self[node];
		assert_int_equal(flat, functions[i].flat);
		flat = 0;
		for (uint32_t node = 1; node < leaves->node_count; node = leaves->end[node])
			if (leaves->row[node] == row)
				flat += leaves->total[node];
		assert_int_equal(flat, functions[i].flat);
		calltree_free(callers);
		calltree_free(callees);
	}
	calltree_free(leaves);
	free(functions);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void test_random_profiles(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct profile *profile = make_random(seed, (int)seed * 12, seed % 3 != 0);
		struct query query;
		query_init(&query, profile);
		for (unsigned type = 0; type < profile->type_count; type++) {
			if (profile->types[type].kind == VALUE_GAUGE)
				continue;
			query.type = type;
			query.first = seed % 2 ? profile->sample_count / 3 : 0;
			struct calltree *tree = build(profile, &query);
			check_functions(tree);
			calltree_free(tree);
		}
		profile_free(profile);
	}
}

/* A neighbour's value in a list of them. */
static int64_t value_of(const struct neighbour *list, size_t count, uint32_t row)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].row == row)
			return list[i].value;
	return 0;
}

static void check_side(const struct calltree *made, const struct neighbour *list, size_t count)
{
	int64_t sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += list[i].row != 0 ? list[i].value : 0;
	for (uint32_t node = AROUND_CENTRE + 1; node < made->node_count; node = made->end[node]) {
		assert_int_equal(made->total[node], value_of(list, count, made->row[node]));
		sum -= made->total[node];
	}
	assert_int_equal(sum, 0);
}

static void test_neighbours(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct profile *profile = make_random(seed, 100, false);
		struct calltree *tree = build(profile, NULL);
		for (uint32_t row = 1; row < tree->row_count; row++) {
			struct neighbours around = neighbours_build(tree, row);
			struct calltree *callers = calltree_callers(tree, row);
			struct calltree *callees = calltree_callees(tree, row);
			check_side(callers, around.callers, around.caller_count);
			check_side(callees, around.callees, around.callee_count);
			assert_int_equal(callees->self[AROUND_CENTRE], around.flat);
			assert_int_equal(callers->self[AROUND_CENTRE],
				value_of(around.callers, around.caller_count, 0));
			neighbours_free(&around);
			calltree_free(callers);
			calltree_free(callees);
		}
		calltree_free(tree);
		profile_free(profile);
	}
}

/* Filters hide rows and drop stacks: the trees are of what is left. */
static void test_filters(void **state)
{
	(void)state;
	struct profile *profile = make_random(4, 120, true);
	struct query query;
	query_init(&query, profile);
	query.filters[FILTER_HIDE] = "f1";
	query.filters[FILTER_FOCUS] = "f2";
	struct calltree *tree = build(profile, &query), *leaves = calltree_bottom_up(tree);
	assert_true(tree->total[0] < tree->all);
	assert_int_equal(leaves->total[0], tree->total[0]);
	check_shape(leaves);
	for (uint32_t row = 1; row < tree->row_count; row++) {
		struct calltree *callers = calltree_callers(tree, row);
		struct calltree *callees = calltree_callees(tree, row);
		check_shape(callers);
		check_shape(callees);
		assert_int_equal(callers->total[AROUND_CENTRE], callees->total[AROUND_CENTRE]);
		calltree_free(callers);
		calltree_free(callees);
	}
	calltree_free(leaves);
	calltree_free(tree);
	profile_free(profile);
}

/* The reference tool's tree has a function as its root: it is a frame like any other. */
static void test_moved_root(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	making_add(&making, "main;a 3", -1);
	making_add(&making, "main 2", -1);
	struct profile *profile = making_finish(&making);
	struct query query;
	query_init(&query, profile);
	query.reference_tree = true;
	struct calltree *tree = build(profile, &query), *leaves = calltree_bottom_up(tree);
	assert_true(tree->row[0] != 0);
	check_shape(leaves);
	assert_int_equal(leaves->node_count, 4); /* all, a, main that called it, main */
	struct calltree *callees = calltree_callees(tree, tree->row[0]);
	assert_int_equal(callees->total[AROUND_CENTRE], 5);
	assert_int_equal(callees->self[AROUND_CENTRE], 2);
	calltree_free(callees);
	calltree_free(leaves);
	calltree_free(tree);
	profile_free(profile);
}

/* A stack of `depth` frames, each `functions` frames the same one again; a sample at its end, or
 * one at each depth. */
static struct profile *make_deep(uint32_t depth, uint32_t functions, bool is_sampled_everywhere)
{
	struct making making;
	struct text name = {0};
	frame_id *frames = memory_new(functions, sizeof *frames);
	stack_id stack = 0;
	making_start(&making);
	for (uint32_t i = 0; i < functions; i++) {
		text_clear(&name);
		text_printf(&name, "py:f%u:1:/srv/f.py", i);
		builder_name(&making.builder, 2 * i + 2, name.data, name.length, 1);
		frames[i] = builder_frame(&making.builder, 2 * i + 2, 0, CODE_PYTHON);
	}
	for (uint32_t i = 0; i < depth; i++) {
		stack = builder_child(&making.builder, stack, frames[i % functions]);
		if (is_sampled_everywhere || i + 1 == depth)
			builder_sample(&making.builder, stack, 1, -1, 0);
	}
	text_free(&name);
	free(frames);
	return making_finish(&making);
}

static void test_deep_recursion(void **state)
{
	(void)state;
	struct profile *profile = make_deep(100000, 1, false);
	struct calltree *tree = build(profile, NULL), *leaves = calltree_bottom_up(tree);
	check_shape(leaves);
	assert_int_equal(leaves->node_count, 100001);
	assert_int_equal(leaves->left_out, 0);
	assert_int_equal(leaves->total[100000], 1);
	struct calltree *callers = calltree_callers(tree, tree->row[1]);
	struct calltree *callees = calltree_callees(tree, tree->row[1]);
	check_shape(callees);
	assert_int_equal(callers->node_count, 2);
	assert_int_equal(callees->node_count, 100001);
	calltree_free(callers);
	calltree_free(callees);
	calltree_free(leaves);
	calltree_free(tree);
	profile_free(profile);
}

/* What would be quadratic is cut, and the figures add up all the same. */
static void test_remainder(void **state)
{
	(void)state;
	for (uint32_t functions = 1; functions <= 20000; functions = functions * 10 + 1000) {
		struct profile *profile = make_deep(20000, functions, true);
		struct calltree *tree = build(profile, NULL), *leaves = calltree_bottom_up(tree);
		int64_t ends = 0;
		check_shape(leaves);
		assert_int_equal(leaves->total[0], 20000);
		assert_true(leaves->node_count <= 2 * tree->node_count + (1 << 16));
		assert_true(leaves->left_out > 0 && leaves->left_out < 20000);
		for (uint32_t node = 1; node < leaves->node_count; node++)
			ends += leaves->self[node];
		assert_int_equal(ends, 20000);
		struct calltree *callers = calltree_callers(tree, tree->row[1]);
		assert_int_equal(callers->total[AROUND_CENTRE], 20000);
		assert_int_equal(callers->left_out, 0);
		calltree_free(callers);
		calltree_free(leaves);
		calltree_free(tree);
		profile_free(profile);
	}
}

/* numbers.md 3.1 rule 3: main;r;r;c;r counts once. */
static void test_recursion_by_hand(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	making_add(&making, "main;r;r;c;r 30", -1);
	making_add(&making, "main;r 12", -1);
	making_add(&making, "main;x 7", -1);
	struct profile *profile = making_finish(&making);
	struct calltree *tree = build(profile, NULL);
	uint32_t row = tree->row[2];
	struct calltree *callees = calltree_callees(tree, row);
	assert_int_equal(callees->total[AROUND_CENTRE], 42);
	assert_int_equal(callees->self[AROUND_CENTRE], 12);
	assert_int_equal(callees->node_count, 5); /* all, r, r, c, r */
	assert_int_equal(callees->self[4], 30);
	struct calltree *callers = calltree_callers(tree, row);
	assert_int_equal(callers->node_count, 3); /* all, r, main */
	assert_int_equal(callers->total[2], 42);
	struct calltree *leaves = calltree_bottom_up(tree);
	assert_int_equal(leaves->node_count, 9); /* all, r, c, r, r, main; main; x, main */
	assert_int_equal(leaves->total[1], 42);
	calltree_free(leaves);
	calltree_free(callers);
	calltree_free(callees);
	calltree_free(tree);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_profiles),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_moved_root),
		cmocka_unit_test(test_deep_recursion),
		cmocka_unit_test(test_remainder),
		cmocka_unit_test(test_recursion_by_hand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
