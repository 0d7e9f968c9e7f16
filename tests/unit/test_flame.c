/* SPDX-License-Identifier: MIT */
/* The flame graph's layout: properties over random trees, and the examples of screens.md 2.1. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "layout/flame.h"
#include "unit/make_profile.h"

/* ---- trees by hand ---------------------------------------------------------- */

/* parent[i] < i, in pre-order; self[i] >= 0. Totals and ends are worked out. */
static struct calltree *make_tree(uint32_t count, const uint32_t *parent, const int64_t *self)
{
	struct calltree *tree = memory_new(1, sizeof *tree);
	tree->node_count = count;
	tree->parent = memory_new(count, sizeof *tree->parent);
	tree->end = memory_new(count, sizeof *tree->end);
	tree->row = memory_new(count, sizeof *tree->row);
	tree->self = memory_new(count, sizeof *tree->self);
	tree->total = memory_new(count, sizeof *tree->total);
	for (uint32_t i = 0; i < count; i++) {
		tree->parent[i] = parent[i];
		tree->self[i] = self[i];
		tree->total[i] = self[i];
		tree->end[i] = i + 1;
	}
	for (uint32_t i = count; i-- > 1;) {
		tree->total[parent[i]] += tree->total[i];
		if (tree->end[parent[i]] < tree->end[i])
			tree->end[parent[i]] = tree->end[i];
	}
	tree->all = tree->base = tree->total[0];
	return tree;
}

static void free_tree(struct calltree *tree)
{
	free(tree->parent);
	free(tree->end);
	free(tree->row);
	free(tree->self);
	free(tree->total);
	free(tree);
}

/* A root without self time and `count` equal children. */
static struct calltree *make_fan(uint32_t count, int64_t value)
{
	uint32_t *parent = memory_new(count + 1, sizeof *parent);
	int64_t *self = memory_new(count + 1, sizeof *self);
	for (uint32_t i = 1; i <= count; i++)
		self[i] = value;
	struct calltree *tree = make_tree(count + 1, parent, self);
	free(parent);
	free(self);
	return tree;
}

static struct calltree *make_chain(uint32_t depth)
{
	uint32_t *parent = memory_new(depth + 1, sizeof *parent);
	int64_t *self = memory_new(depth + 1, sizeof *self);
	for (uint32_t i = 1; i <= depth; i++)
		parent[i] = i - 1;
	self[depth] = 7;
	struct calltree *tree = make_tree(depth + 1, parent, self);
	free(parent);
	free(self);
	return tree;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* A random tree in pre-order: each node hangs below one of the last nodes' ancestors. */
static struct calltree *make_random(uint64_t seed, uint32_t count)
{
	uint32_t *parent = memory_new(count, sizeof *parent);
	int64_t *self = memory_new(count, sizeof *self);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t at = i - 1;
		while (at && next_random(&seed) % 3 == 0)
			at = parent[at];
		parent[i] = at;
		unsigned kind = (unsigned)(next_random(&seed) % 4);
		self[i] = kind == 0 ? 0 : (int64_t)(next_random(&seed) % (kind == 1 ? 1000 : 10));
	}
	struct calltree *tree = make_tree(count, parent, self);
	free(parent);
	free(self);
	return tree;
}

/* ---- properties --------------------------------------------------------------- */

/* The frame (not an aggregate) of `row` that owns `column`. */
static const struct flame_cell *owner(const struct flame *flame, size_t row, int column)
{
	const struct flame_cell *cell = flame_at(flame, row, column);
	return cell && cell->coverage == 0 ? cell : NULL;
}

static void check_row_order(const struct flame *flame, size_t row)
{
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	int edge = 0;
	assert_true(flame->rows[row].count > 0);
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		assert_true(cells[i].column >= edge); /* no overlap */
		assert_true(cells[i].width >= 1);
		edge = cells[i].column + cells[i].width;
		assert_true(edge <= flame->width);
		assert_ptr_equal(flame_at(flame, row, cells[i].column), &cells[i]);
		assert_ptr_equal(flame_at(flame, row, edge - 1), &cells[i]);
		assert_true(cells[i].coverage == 0
				    ? cells[i].frames == 0
				    : cells[i].coverage >= 32 && cells[i].coverage <= 256 &&
					      cells[i].width == 1 && cells[i].frames > 0);
	}
}

static void check_inside_parents(const struct calltree *tree, const struct flame *flame, size_t row)
{
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	for (uint32_t i = 0; row > 0 && i < flame->rows[row].count; i++) {
		if (cells[i].coverage)
			continue;
		const struct flame_cell *parent = owner(flame, row - 1, cells[i].column);
		assert_non_null(parent);
		assert_int_equal(parent->node, tree->parent[cells[i].node]);
		assert_true(cells[i].column + cells[i].width <= parent->column + parent->width);
	}
}

/* Where the children fill their parent, each column of the parent shows something below it. */
static void check_no_column_lost(const struct calltree *tree, const struct flame *flame, size_t row)
{
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		uint32_t node = cells[i].node;
		if (cells[i].coverage || tree->self[node] || tree->end[node] == node + 1 ||
			tree->total[node] == 0)
			continue;
		for (int column = cells[i].column; column < cells[i].column + cells[i].width;
			column++)
			assert_non_null(flame_at(flame, row + 1, column));
	}
}

static void check_flame(const struct calltree *tree, const struct flame *flame)
{
	assert_true(flame->row_count >= 1);
	const struct flame_cell *top = flame_at(flame, 0, 0);
	assert_int_equal(top->node, flame->zoom);
	assert_int_equal(top->width, flame->width);
	for (size_t row = 0; row < flame->row_count; row++) {
		check_row_order(flame, row);
		check_inside_parents(tree, flame, row);
		check_no_column_lost(tree, flame, row);
	}
}

/* Offset of a node in the zoomed one, in the order of flame_layout. */
static int64_t offset_of(const struct calltree *tree, uint32_t zoom, uint32_t node)
{
	int64_t offset = 0;
	for (; node != zoom; node = tree->parent[node]) {
		uint32_t parent = tree->parent[node];
		for (uint32_t c = parent + 1; c < tree->end[parent]; c = tree->end[c])
			if (tree->total[c] > tree->total[node] ||
				(tree->total[c] == tree->total[node] && c < node))
				offset += tree->total[c];
	}
	return offset;
}

static void check_edges(const struct calltree *tree, const struct flame *flame)
{
	double scale = flame->width / (double)tree->total[flame->zoom];
	for (size_t i = 0; i < flame->cell_count; i++) {
		const struct flame_cell *cell = &flame->cells[i];
		if (cell->coverage)
			continue;
		double left = (double)offset_of(tree, flame->zoom, cell->node) * scale;
		double right = left + (double)tree->total[cell->node] * scale;
		assert_true(left - cell->column < 0.5 + 1e-9 && cell->column - left < 0.5 + 1e-9);
		int edge = cell->column + cell->width;
		assert_true(right - edge < 0.5 + 1e-9 && edge - right < 0.5 + 1e-9);
	}
}

/* A node whose exact width holds the middle of a column owns it, so each such node must be there.
 */
static void check_all_drawn(const struct calltree *tree, const struct flame *flame)
{
	size_t frames = 0;
	size_t expected = 0;
	for (size_t i = 0; i < flame->cell_count; i++)
		frames += flame->cells[i].coverage == 0;
	int64_t total = tree->total[flame->zoom];
	for (uint32_t node = flame->zoom; node < tree->end[flame->zoom]; node++) {
		int64_t start = offset_of(tree, flame->zoom, node);
		int64_t left = (start * flame->width * 2 + total) / (2 * total);
		int64_t right =
			((start + tree->total[node]) * flame->width * 2 + total) / (2 * total);
		expected += right > left;
	}
	assert_int_equal(frames, expected);
}

static void test_random_trees(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct calltree *tree = make_random(seed, 3 + (uint32_t)(seed * 7 % 300));
		for (int width = 1; width <= 200; width += 1 + (int)(seed % 5)) {
			for (int order = ORDER_SIZE; order <= ORDER_FIRST; order += 2) {
				struct flame flame =
					flame_layout(tree, 0, width, (enum flame_order)order);
				check_flame(tree, &flame);
				flame_free(&flame);
			}
		}
		free_tree(tree);
	}
}

static void test_edges_are_half_a_cell_off_at_most(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct calltree *tree = make_random(seed * 31, 60);
		uint32_t zoom = seed % 3 == 0 && tree->total[1] > 0 ? 1 : 0;
		if (tree->total[zoom] > 0) {
			struct flame flame =
				flame_layout(tree, zoom, 20 + (int)seed * 5, ORDER_SIZE);
			check_flame(tree, &flame);
			check_edges(tree, &flame);
			check_all_drawn(tree, &flame);
			flame_free(&flame);
		}
		free_tree(tree);
	}
}

static void test_hundred_children_in_eighty_columns(void **state)
{
	(void)state;
	struct calltree *tree = make_fan(100, 1);
	struct flame flame = flame_layout(tree, 0, 80, ORDER_SIZE);
	assert_int_equal(flame.row_count, 2);
	assert_int_equal(flame.rows[1].count, 80);
	for (int column = 0; column < 80; column++)
		assert_non_null(owner(&flame, 1, column));
	flame_free(&flame);
	free_tree(tree);
}

static void test_thirty_children_fill_to_the_edge(void **state)
{
	(void)state;
	struct calltree *tree = make_fan(30, 1);
	struct flame flame = flame_layout(tree, 0, 80, ORDER_SIZE);
	assert_int_equal(flame.rows[1].count, 30);
	for (int column = 0; column < 80; column++)
		assert_non_null(owner(&flame, 1, column));
	flame_free(&flame);
	free_tree(tree);
}

static void test_deep_stacks(void **state)
{
	(void)state;
	const uint32_t depths[] = {500, 20000, 100000};
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
		struct calltree *tree = make_chain(depths[i]);
		struct flame flame = flame_layout(tree, 0, 80, ORDER_SIZE);
		assert_int_equal(flame.row_count, depths[i] + 1);
		assert_int_equal(flame.cell_count, depths[i] + 1);
		assert_int_equal(flame.cells[depths[i]].width, 80);
		flame_free(&flame);
		free_tree(tree);
	}
}

static double seconds_of_layout(const struct calltree *tree, enum flame_order order)
{
	struct timespec before, after;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	struct flame flame = flame_layout(tree, 0, 80, order);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	check_row_order(&flame, 1);
	assert_int_equal(flame.rows[1].count, 80);
	flame_free(&flame);
	return (double)(after.tv_sec - before.tv_sec) +
	       (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

static void test_a_million_children(void **state)
{
	(void)state;
	struct calltree *tree = make_fan(1000000, 1);
	for (uint32_t i = 1; i <= 1000000; i++) {
		tree->total[i] = tree->self[i] = (int64_t)(i * 2654435761u % 100000);
		tree->total[0] += tree->total[i] - 1;
	}
	/* Generous: sanitizers and a busy machine take ten times the usual 0.05 s. */
	assert_true(seconds_of_layout(tree, ORDER_SIZE) < 3.0);
	assert_true(seconds_of_layout(tree, ORDER_FIRST) < 3.0);
	free_tree(tree);
}

static void test_siblings_are_sorted(void **state)
{
	(void)state;
	struct calltree *tree = make_fan(60, 1);
	for (uint32_t i = 1; i <= 60; i++) {
		tree->total[0] += i * 37 % 61 - 1;
		tree->total[i] = tree->self[i] = i * 37 % 61;
	}
	struct flame flame = flame_layout(tree, 0, 2000, ORDER_SIZE);
	assert_int_equal(flame.rows[1].count, 60);
	for (uint32_t i = 1; i < 60; i++)
		assert_true(flame.cells[i].value > flame.cells[i + 1].value);
	flame_free(&flame);
	flame = flame_layout(tree, 0, 2000, ORDER_FIRST);
	for (uint32_t i = 1; i < 60; i++)
		assert_true(flame.cells[i].node < flame.cells[i + 1].node);
	flame_free(&flame);
	free_tree(tree);
}

static void test_aggregates(void **state)
{
	(void)state;
	/* 10 columns of 1000: one child to 9.0, three small ones to 9.3, the rest is self time. */
	const uint32_t parent[] = {0, 0, 0, 0, 0};
	const int64_t self[] = {700, 9000, 80, 120, 100};
	struct calltree *tree = make_tree(5, parent, self);
	struct flame flame = flame_layout(tree, 0, 10, ORDER_SIZE);
	assert_int_equal(flame.row_count, 2);
	assert_int_equal(flame.rows[1].count, 2);
	const struct flame_cell *pile = flame_at(&flame, 1, 9);
	assert_non_null(pile);
	assert_int_equal(pile->frames, 3);
	assert_int_equal(pile->value, 300);
	assert_int_equal(pile->node, 3);      /* the largest */
	assert_int_equal(pile->coverage, 76); /* 0.3 * 256, rounded down */
	flame_free(&flame);
	free_tree(tree);
}

static void test_callees_of_small_frames_show_where_nothing_hides_them(void **state)
{
	(void)state;
	/* In the one column of width: the middle child owns it, its neighbours cover 0.4 each
	 * below. */
	const uint32_t parent[] = {0, 0, 1, 0, 0, 4};
	const int64_t self[] = {0, 0, 40, 20, 0, 40};
	struct calltree *tree = make_tree(6, parent, self);
	struct flame flame = flame_layout(tree, 0, 1, ORDER_FIRST);
	assert_int_equal(flame.row_count, 3);
	assert_int_equal(flame_at(&flame, 1, 0)->node, 3);
	const struct flame_cell *pile = flame_at(&flame, 2, 0);
	assert_int_equal(pile->frames, 2);
	assert_int_equal(pile->coverage, 102 + 103); /* 0.4 each, between positions rounded down */
	flame_free(&flame);
	free_tree(tree);
}

static void test_nothing_and_too_much(void **state)
{
	(void)state;
	struct calltree *tree = make_fan(3, 0);
	struct flame flame = flame_layout(tree, 0, 80, ORDER_SIZE);
	assert_int_equal(flame.row_count, 1);
	assert_int_equal(flame.cell_count, 1);
	flame_free(&flame);
	/* Values near the end of int64, and sums that saturated there. */
	for (uint32_t i = 1; i <= 3; i++)
		tree->total[i] = tree->self[i] = INT64_MAX / 2;
	tree->total[0] = INT64_MAX;
	flame = flame_layout(tree, 0, 4096, ORDER_SIZE);
	check_row_order(&flame, 1);
	assert_int_equal(flame.rows[1].count, 2);
	assert_int_equal(flame.cells[1].width, 2048);
	flame_free(&flame);
	free_tree(tree);
}

/* ---- chains ---------------------------------------------------------------------- */

/* A random tree with long chains of single callees in it. */
static struct calltree *make_chains(uint64_t seed, uint32_t count)
{
	uint32_t *parent = memory_new(count, sizeof *parent);
	int64_t *self = memory_new(count, sizeof *self);
	uint32_t left = 0; /* frames that the chain being made still gets */
	for (uint32_t i = 1; i < count; i++) {
		uint32_t at = i - 1;
		while (left == 0 && at && next_random(&seed) % 3 != 0)
			at = parent[at];
		parent[i] = at;
		if (left == 0 && next_random(&seed) % 4 == 0)
			left = (uint32_t)(next_random(&seed) % 14);
		else if (left > 0)
			left--;
		self[i] = left > 0 ? 0 : (int64_t)(next_random(&seed) % 50);
	}
	self[count - 1] = 10;
	struct calltree *tree = make_tree(count, parent, self);
	free(parent);
	free(self);
	return tree;
}

static bool same_picture(const struct flame *flame, size_t a, size_t b)
{
	if (flame->rows[a].count != flame->rows[b].count)
		return false;
	for (uint32_t i = 0; i < flame->rows[a].count; i++) {
		const struct flame_cell *x = &flame->cells[flame->rows[a].first + i];
		const struct flame_cell *y = &flame->cells[flame->rows[b].first + i];
		if (x->column != y->column || x->width != y->width || x->coverage || y->coverage)
			return false;
	}
	return true;
}

/* Each row of the whole picture is there, or in a fold of rows that all look like the fold. */
static size_t check_folds(const struct calltree *tree, const struct flame *whole,
	const struct flame *folded, uint32_t unfolded)
{
	size_t folds = 0;
	uint32_t depth = 0;
	for (size_t row = 0; row < folded->row_count; row++) {
		const struct flame_row *at = &folded->rows[row];
		uint32_t rows = at->folded > 0 ? at->folded : 1;
		assert_true(at->folded == 0 || (at->folded > FLAME_CHAIN && row > 0));
		assert_int_equal(at->depth, depth + rows - 1);
		for (uint32_t i = 0; i < rows; i++, depth++) {
			assert_int_equal(flame_row_at(folded, depth), row);
			assert_true(same_picture(whole, depth, at->depth) || rows == 1);
		}
		/* The row itself is its last one: no cell is lost, every column has its owner. */
		assert_int_equal(at->first, whole->rows[at->depth].first);
		assert_int_equal(at->count, whole->rows[at->depth].count);
		uint32_t head = flame_chain(folded, tree, row);
		uint32_t whole_head = flame_chain(whole, tree, at->depth);
		assert_int_equal(head, whole_head);
		if (at->folded > 0)
			assert_int_equal(head, whole->cells[whole->rows[depth - rows].first].node);
		assert_true((at->folded > 0) == (head != 0 && head != unfolded));
		folds += at->folded > 0;
		/* Chains are folded whole. */
		if (at->folded > 0 && row + 1 < folded->row_count)
			assert_false(same_picture(whole, depth - 1, depth));
	}
	assert_int_equal(depth, whole->row_count);
	assert_int_equal(flame_row_at(folded, depth), folded->row_count);
	return folds;
}

static void test_chains_fold(void **state)
{
	(void)state;
	size_t folds = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct calltree *tree = make_chains(seed, 20 + (uint32_t)(seed * 13 % 400));
		int width = 1 + (int)(seed * 17 % 150);
		struct flame whole = flame_layout(tree, 0, width, ORDER_SIZE);
		struct flame flame = flame_layout(tree, 0, width, ORDER_SIZE);
		struct flame_folding folding = {0};
		flame_fold(&flame, &folding);
		folds += check_folds(tree, &whole, &flame, 0);
		/* All but one, then no other one. */
		uint32_t head = 0;
		for (size_t row = 0; row < flame.row_count && head == 0; row++)
			head = flame_chain(&flame, tree, row);
		flame_free(&flame);
		flame = flame_layout(tree, 0, width, ORDER_SIZE);
		folding = (struct flame_folding){.heads = &head, .head_count = head != 0};
		flame_fold(&flame, &folding);
		check_folds(tree, &whole, &flame, head);
		flame_free(&flame);
		flame = flame_layout(tree, 0, width, ORDER_SIZE);
		folding.is_off = true;
		flame_fold(&flame, &folding);
		size_t count = 0;
		for (size_t row = 0; row < flame.row_count; row++)
			count += flame.rows[row].folded > 0;
		assert_int_equal(count, head != 0);
		flame_free(&flame);
		flame_free(&whole);
		free_tree(tree);
	}
	assert_true(folds > 30);
}

static void test_a_deep_chain_is_two_rows(void **state)
{
	(void)state;
	struct calltree *tree = make_chain(100000);
	struct flame flame = flame_layout(tree, 0, 80, ORDER_SIZE);
	flame_fold(&flame, &(struct flame_folding){0});
	assert_int_equal(flame.row_count, 2);
	assert_int_equal(flame.rows[1].folded, 100000);
	assert_int_equal(flame.rows[1].depth, 100000);
	assert_int_equal(flame_at(&flame, 1, 0)->node, 100000);
	assert_int_equal(flame_chain(&flame, tree, 1), 1);
	flame_free(&flame);
	free_tree(tree);
}

/* flame_compare_frames has the order of the picture. */
static void test_order_of_frames(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct calltree *tree = make_random(seed, 200);
		enum flame_order order = seed % 2 ? ORDER_SIZE : ORDER_FIRST;
		struct flame flame = flame_layout(tree, 0, 300, order);
		for (size_t row = 0; row < flame.row_count; row++) {
			const struct flame_cell *cells = flame.cells + flame.rows[row].first;
			for (uint32_t i = 0; i < flame.rows[row].count; i++)
				for (uint32_t k = 0; k < flame.rows[row].count; k++) {
					if (cells[i].coverage || cells[k].coverage)
						continue;
					int sign = flame_compare_frames(
						tree, order, cells[i].node, cells[k].node);
					assert_int_equal(sign, i < k ? -1 : i > k);
				}
		}
		flame_free(&flame);
		free_tree(tree);
	}
}

/* ---- labels -------------------------------------------------------------------- */

static void check_label(const char *name, int cells, bool ascii, const char *expected)
{
	struct making making;
	struct text folded = {0};
	struct vp_error err;
	making_start(&making);
	text_printf(&folded, "%s 3", name);
	making_add(&making, folded.data, -1);
	making_add(&making, "other 1", -1);
	struct profile *profile = making_finish(&making);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_non_null(tree);
	struct text label = {0};
	flame_label(tree, 1, cells, ascii, &label);
	assert_string_equal(label.data ? label.data : "", expected);
	text_free(&label);
	text_free(&folded);
	calltree_free(tree);
	profile_free(profile);
}

static void test_labels(void **state)
{
	(void)state;
	check_label("main", 30, false, "main srv/main.py:1 75.0%");
	check_label("main", 24, false, "main srv/main.py:1 75.0%");
	check_label("main", 23, false, "main 75.0%");
	check_label("main", 10, false, "main 75.0%");
	check_label("main", 9, false, "main");
	check_label("main", 4, false, "main");
	check_label("main", 3, false, "ma\u2026");
	check_label("main", 3, true, "ma~");
	check_label("main", 2, false, "ma");
	check_label("main", 1, false, "m");
	check_label("main", 0, false, "");
}

static void test_labels_keep_what_differs(void **state)
{
	(void)state;
	check_label("std::vector<a::b>::push_back(int)", 33, false,
		"std::vector<a::b>::push_back(int)");
	check_label("std::vector<a::b>::push_back(int)", 30, false, "std::vector<a::b>::push_back");
	check_label("std::vector<a::b>::push_back(int)", 27, false, "vector<a::b>::push_back");
	check_label("std::vector<a::b>::push_back(int)", 9, false, "push_back");
	check_label("std::vector<a::b>::push_back(int)", 6, false, "push_\u2026");
	check_label("pkg.mod.Class.method", 14, false, "Class.method");
	check_label("<module>", 5, false, "<mod\u2026");
	check_label("<lambda>", 2, false, "<l");
	check_label("operator()", 9, false, "operator");
}

static void test_labels_count_cells(void **state)
{
	(void)state;
	/* Two cells a character: never half of one. */
	check_label("\u6f22\u5b57\u6f22\u5b57", 8, false, "\u6f22\u5b57\u6f22\u5b57");
	check_label("\u6f22\u5b57\u6f22\u5b57", 7, false, "\u6f22\u5b57\u6f22\u2026");
	check_label("\u6f22\u5b57\u6f22\u5b57", 6, false, "\u6f22\u5b57\u2026");
	check_label("\u6f22\u5b57\u6f22\u5b57", 1, false, "");
	check_label("a\x1b[31mred", 40, false, "a\\x1b[31mred srv/a\\x1b[31mred.py:1 75.0%");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_trees),
		cmocka_unit_test(test_edges_are_half_a_cell_off_at_most),
		cmocka_unit_test(test_hundred_children_in_eighty_columns),
		cmocka_unit_test(test_thirty_children_fill_to_the_edge),
		cmocka_unit_test(test_deep_stacks),
		cmocka_unit_test(test_a_million_children),
		cmocka_unit_test(test_siblings_are_sorted),
		cmocka_unit_test(test_aggregates),
		cmocka_unit_test(test_callees_of_small_frames_show_where_nothing_hides_them),
		cmocka_unit_test(test_nothing_and_too_much),
		cmocka_unit_test(test_chains_fold),
		cmocka_unit_test(test_a_deep_chain_is_two_rows),
		cmocka_unit_test(test_order_of_frames),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_labels_keep_what_differs),
		cmocka_unit_test(test_labels_count_cells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
