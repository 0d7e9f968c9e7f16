/* SPDX-License-Identifier: MIT */
/* The flame graph's view: search, folds, leaves first, mouse, and how little a move changes. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "unit/make_profile.h"
#include "view/view.h"

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* ---- the view alone on a canvas ---------------------------------------------------- */

struct stage {
	struct view_context context;
	struct profile *profile;
	struct search search;
	uint8_t *hits;
	void *state;
	struct canvas canvas;
	struct box area;
};

static void stage_open(struct stage *stage, struct profile *profile, int width, int height)
{
	struct vp_error err;
	*stage = (struct stage){.profile = profile, .area = {0, 0, width, height}};
	stage->context.profile = profile;
	stage->context.generation = 1;
	query_init(&stage->context.query, profile);
	stage->context.clock = clock_make(profile, CLOCK_AUTO);
	stage->context.tree = calltree_build(profile, &stage->context.query, &err);
	assert_non_null(stage->context.tree);
	stage->state = view_flame.open();
}

static void stage_close(struct stage *stage)
{
	view_flame.close(stage->state);
	calltree_free(stage->context.tree);
	profile_free(stage->profile);
	canvas_free(&stage->canvas);
	free(stage->hits);
}

static void stage_draw(struct stage *stage)
{
	stage->canvas.ascii = stage->context.ascii;
	canvas_resize(&stage->canvas, stage->area.width, stage->area.height);
	view_flame.draw(stage->state, &stage->context, &stage->canvas, stage->area);
}

static struct reaction stage_act(struct stage *stage, enum action action)
{
	return view_flame.act(stage->state, &stage->context, action, stage->area);
}

static uint32_t stage_node(struct stage *stage, uint32_t *row)
{
	uint32_t node = 0, own_row = 0;
	int64_t sample = -1;
	view_flame.selected(stage->state, &stage->context, &node, row ? row : &own_row, &sample);
	return node;
}

static const char *stage_dump(struct stage *stage, struct text *out)
{
	stage_draw(stage);
	text_clear(out);
	canvas_dump(&stage->canvas, out);
	return out->data;
}

static void stage_search(struct stage *stage, const char *pattern)
{
	struct vp_error err;
	size_t count;
	uint32_t *rows = rows_matching(stage->context.tree, pattern, &count, &err);
	free(stage->hits);
	stage->hits = memory_new(stage->context.tree->row_count, 1);
	for (size_t i = 0; i < count; i++)
		stage->hits[rows[i]] = 1;
	free(rows);
	stage->search =
		(struct search){.text = pattern, .hits = stage->hits, .row_count = (uint32_t)count};
	stage->context.search = &stage->search;
}

static enum found stage_find(struct stage *stage, enum find where)
{
	return view_flame.find(stage->state, &stage->context, stage->area, where);
}

/* ---- profiles ------------------------------------------------------------------------ */

static struct profile *make_random(uint64_t seed, int samples)
{
	static const char *const names[] = {"main", "run", "std::map<int>::at(int)", "pkg.Class.f",
		"\u6f22\u5b57", "x", "a_rather_long_name", "<lambda>", "\x1b[2J", "step"};
	struct making making;
	struct text folded = {0};
	making_start(&making);
	for (int i = 0; i < samples; i++) {
		text_clear(&folded);
		text_puts(&folded, "start");
		bool has_chain = next_random(&seed) % 4 == 0;
		for (int k = 0; has_chain && k < 9; k++)
			text_printf(&folded, ";link%d", k);
		for (uint64_t depth = next_random(&seed) % 14; depth > 0; depth--)
			text_printf(&folded, ";%s", names[next_random(&seed) % 10]);
		text_puts(&folded, " 1");
		making_add(&making, folded.data, -1);
	}
	text_free(&folded);
	return making_finish(&making);
}

/* main > a0 > ... > a9 > left | right; 3 and 2 samples. */
static struct profile *make_chain(void)
{
	struct making making;
	making_start(&making);
	making_add(&making, "main;a0;a1;a2;a3;a4;a5;a6;a7;a8;a9;left 3", -1);
	making_add(&making, "main;a0;a1;a2;a3;a4;a5;a6;a7;a8;a9;right 2", -1);
	making_add(&making, "other;left 1", -1);
	return making_finish(&making);
}

/* The deepest node whose name is this. */
static uint32_t node_called(const struct stage *stage, const char *name)
{
	const struct calltree *tree = stage->context.tree;
	struct text text = {0};
	uint32_t found = 0;
	for (uint32_t node = 1; node < tree->node_count && found == 0; node++) {
		text_clear(&text);
		row_name(tree, tree->row[node], false, &text);
		if (strcmp(text.data, name) == 0)
			found = node;
	}
	text_free(&text);
	assert_int_not_equal(found, 0);
	return found;
}

/* ---- search -------------------------------------------------------------------------- */

static uint32_t depth_of(const struct calltree *tree, uint32_t node)
{
	uint32_t depth = 0;
	for (; node != 0; node = tree->parent[node])
		depth++;
	return depth;
}

/* All hits in the order of the screen: sorted by insertion. */
static size_t list_hits(const struct stage *stage, enum flame_order order, uint32_t *list)
{
	const struct calltree *tree = stage->context.tree;
	size_t count = 0;
	for (uint32_t node = 1; node < tree->node_count; node++) {
		if (!stage->hits[tree->row[node]] || tree->total[node] == 0)
			continue;
		size_t i = count++;
		for (; i > 0; i--) {
			uint32_t a = depth_of(tree, list[i - 1]), b = depth_of(tree, node);
			if (a < b || (a == b && flame_compare_frames(
							tree, order, list[i - 1], node) < 0))
				break;
			list[i] = list[i - 1];
		}
		list[i] = node;
	}
	return count;
}

static void check_search(struct stage *stage, enum flame_order order)
{
	uint32_t *list = memory_new(stage->context.tree->node_count, sizeof *list);
	size_t count = list_hits(stage, order, list);
	stage_act(stage, ACT_RESET);
	stage_act(stage, ACT_FIRST);
	if (count == 0)
		assert_int_equal(stage_find(stage, FIND_HERE), FOUND_NOTHING);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(stage_find(stage, i == 0 ? FIND_HERE : FIND_FORWARD), FOUND);
		assert_int_equal(stage_node(stage, NULL), list[i]);
		/* The selected thing itself is the first hit from here. */
		assert_int_equal(stage_find(stage, FIND_HERE), FOUND);
		assert_int_equal(stage_node(stage, NULL), list[i]);
		if (i % 7 == 0)
			stage_draw(stage);
	}
	if (count > 0) {
		assert_int_equal(stage_find(stage, FIND_FORWARD), FOUND_WRAPPED);
		assert_int_equal(stage_node(stage, NULL), list[0]);
		assert_int_equal(stage_find(stage, FIND_BACKWARD), FOUND_WRAPPED);
	}
	for (size_t i = count; i-- > 0;) {
		assert_int_equal(stage_node(stage, NULL), list[i]);
		assert_int_equal(stage_find(stage, FIND_BACKWARD), i > 0 ? FOUND : FOUND_WRAPPED);
	}
	free(list);
}

static void test_find_visits_each_hit_once(void **state)
{
	(void)state;
	static const char *const patterns[] = {"^main$", "run|step", "link", "start", "nowhere"};
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct stage stage;
		stage_open(&stage, make_random(seed, 20 + (int)seed * 12), 30 + (int)seed * 9,
			5 + (int)seed * 3);
		enum flame_order order = ORDER_SIZE;
		for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
			stage_search(&stage, patterns[i]);
			check_search(&stage, order);
			stage_act(&stage, ACT_ORDER);
			order = (order + 1) % 3;
		}
		stage_close(&stage);
	}
}

static void test_find_starts_inside_the_zoom(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_chain(), 80, 20);
	stage_search(&stage, "^left$");
	uint32_t inner = node_called(&stage, "left");
	uint32_t outer = stage.context.tree->end[inner];
	while (stage.context.tree->row[outer] != stage.context.tree->row[inner])
		outer++;
	/* Zoomed into main: the hit in it comes first, though it is deeper. */
	view_flame.select(stage.state, &stage.context, node_called(&stage, "main"), 0, -1);
	stage_act(&stage, ACT_IN);
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_int_equal(stage_node(&stage, NULL), inner);
	struct text words = {0};
	view_flame.status(stage.state, &stage.context, &words);
	assert_non_null(strstr(words.data, "zoom"));
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_int_equal(stage_node(&stage, NULL), outer);
	text_clear(&words);
	view_flame.status(stage.state, &stage.context, &words);
	assert_null(strstr(words.data, "zoom"));
	text_free(&words);
	stage_close(&stage);
}

static void test_hits_are_marked(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_chain(), 80, 20);
	stage_search(&stage, "^other$");
	stage_draw(&stage);
	int marked = 0;
	int coloured = 0;
	for (int i = 0; i < 80 * 15; i++) {
		const struct cell *cell = &stage.canvas.cells[i];
		marked += (cell->look & LOOK_UNDERLINE) != 0;
		coloured += cell->role >= ROLE_FRAME_FIRST || cell->role == ROLE_FRAME_GREY;
		if (cell->look & LOOK_UNDERLINE)
			assert_true(cell->role >= ROLE_FRAME_FIRST);
	}
	assert_true(marked >= 6);
	assert_true(coloured >= marked && coloured <= 80 / 6 + 1);
	stage_close(&stage);
}

/* ---- folds ----------------------------------------------------------------------------- */

static void test_chains_fold_and_unfold(void **state)
{
	(void)state;
	struct stage stage;
	struct text out = {0};
	stage_open(&stage, make_chain(), 100, 30);
	assert_non_null(strstr(stage_dump(&stage, &out), "\u22ee 9 frames: a1 \u203a"));
	assert_null(strstr(out.data, "\u258fa4"));
	stage.context.ascii = true;
	assert_non_null(strstr(stage_dump(&stage, &out), ": 9 frames: a1 >"));
	stage.context.ascii = false;
	/* all, main and other, a0 and left, the chain */
	stage_act(&stage, ACT_DOWN);
	stage_act(&stage, ACT_DOWN);
	stage_act(&stage, ACT_DOWN);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a9"));
	assert_null(stage_act(&stage, ACT_FOLD).notice);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a1"));
	assert_non_null(strstr(stage_dump(&stage, &out), "\u258fa4"));
	stage_act(&stage, ACT_DOWN);
	stage_act(&stage, ACT_DOWN);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a3"));
	stage_act(&stage, ACT_FOLD);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a9"));
	assert_null(strstr(stage_dump(&stage, &out), "\u258fa4"));
	stage_act(&stage, ACT_UNFOLD_ALL);
	assert_non_null(strstr(stage_dump(&stage, &out), "\u258fa4"));
	stage_act(&stage, ACT_FOLD); /* only this one */
	assert_null(strstr(stage_dump(&stage, &out), "\u258fa4"));
	stage_act(&stage, ACT_FOLD_ALL);
	assert_null(strstr(stage_dump(&stage, &out), "\u258fa4"));
	/* Enter goes to the end of the chain. */
	stage_act(&stage, ACT_IN);
	assert_non_null(strstr(stage_dump(&stage, &out), "\u25b6a9"));
	text_free(&out);
	stage_close(&stage);
}

static void test_what_is_folded_is_found(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_chain(), 100, 30);
	stage_draw(&stage);
	uint32_t node = node_called(&stage, "a4");
	view_flame.select(stage.state, &stage.context, node, 0, -1);
	assert_int_equal(stage_node(&stage, NULL), node);
	stage_act(&stage, ACT_FOLD_ALL);
	assert_int_not_equal(stage_node(&stage, NULL), node);
	/* From the fold on, what is in it comes next. */
	stage_search(&stage, "^a[16]$");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a1"));
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "a6"));
	stage_close(&stage);
}

/* ---- leaves first ------------------------------------------------------------------------ */

static void test_leaves_first(void **state)
{
	(void)state;
	struct stage stage;
	struct text out = {0};
	uint32_t row = 0;
	stage_open(&stage, make_chain(), 100, 30);
	stage_draw(&stage);
	uint32_t left = node_called(&stage, "left");
	view_flame.select(stage.state, &stage.context, left, 0, -1);
	stage_act(&stage, ACT_BOTTOM_UP);
	assert_int_equal(stage_node(&stage, &row), 0); /* its number is of another tree */
	assert_int_equal(row, stage.context.tree->row[left]);
	/* 4 of 6 samples ended in it, and one of them came from other. */
	assert_non_null(strstr(stage_dump(&stage, &out), "left srv/left.py:1 66.7%"));
	assert_non_null(strstr(out.data, "\u258fother"));
	text_clear(&out);
	view_flame.status(stage.state, &stage.context, &out);
	assert_non_null(strstr(out.data, "leaves first"));
	stage_act(&stage, ACT_DOWN);
	stage_act(&stage, ACT_IN);
	assert_int_equal(stage_node(&stage, &row), 0);
	assert_int_not_equal(row, 0);
	/* What other views select is found by its function. */
	view_flame.select(stage.state, &stage.context, node_called(&stage, "right"), 0, -1);
	stage_node(&stage, &row);
	assert_int_equal(row, stage.context.tree->row[node_called(&stage, "right")]);
	stage_act(&stage, ACT_BOTTOM_UP);
	assert_int_equal(stage_node(&stage, &row), node_called(&stage, "right"));
	text_free(&out);
	stage_close(&stage);
}

/* ---- mouse --------------------------------------------------------------------------------- */

static struct reaction stage_point(struct stage *stage, enum pointer_kind kind, int x, int y)
{
	struct pointer pointer = {.kind = kind, .x = x, .y = y};
	return view_flame.point(stage->state, &stage->context, stage->area, &pointer);
}

/* A press on any cell of a frame selects the frame whose mark then stands at its left edge. */
static void test_press_selects(void **state)
{
	(void)state;
	for (int flips = 0; flips < 2; flips++) {
		struct stage stage;
		stage_open(&stage, make_random(5, 200), 120, 20);
		if (flips)
			stage_act(&stage, ACT_INVERT);
		for (int y = 0; y < 20; y++) {
			for (int x = 0; x < 120; x += 3) {
				uint32_t before = stage_node(&stage, NULL);
				assert_true(stage_point(&stage, POINTER_PRESS, x, y).handled);
				stage_draw(&stage);
				if (stage_node(&stage, NULL) == before)
					continue;
				int mark = x;
				while (mark > 0 &&
					stage.canvas.cells[y * 120 + mark].character != 0x25b6)
					mark--;
				assert_int_equal(
					stage.canvas.cells[y * 120 + mark].character, 0x25b6);
			}
		}
		stage_close(&stage);
	}
}

static void test_press_on_a_caller(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_chain(), 80, 24);
	view_flame.select(stage.state, &stage.context, node_called(&stage, "a2"), 0, -1);
	stage_act(&stage, ACT_IN);
	/* all, main, a0, a1 above a2 */
	stage_point(&stage, POINTER_PRESS, 30, 1);
	assert_int_equal(stage_node(&stage, NULL), node_called(&stage, "main"));
	stage_point(&stage, POINTER_PRESS, 30, 0);
	assert_int_equal(stage_node(&stage, NULL), 0);
	stage_close(&stage);
}

static void test_wheel_scrolls(void **state)
{
	(void)state;
	struct stage stage;
	struct text out = {0};
	stage_open(&stage, make_random(3, 300), 80, 10);
	assert_non_null(strstr(stage_dump(&stage, &out), "\u25bc"));
	assert_null(strstr(out.data, "\u25b2"));
	stage_point(&stage, POINTER_WHEEL_DOWN, 5, 5);
	assert_non_null(strstr(stage_dump(&stage, &out), "\u25b2 3 more rows"));
	stage_point(&stage, POINTER_WHEEL_UP, 5, 5);
	assert_null(strstr(stage_dump(&stage, &out), "\u25b2"));
	text_free(&out);
	stage_close(&stage);
}

/* ---- moves ---------------------------------------------------------------------------------- */

static int differing(const struct canvas *a, const struct canvas *b, int rows)
{
	int count = 0;
	for (int i = 0; i < a->width * rows; i++)
		count += a->cells[i].character != b->cells[i].character ||
			 a->cells[i].role != b->cells[i].role ||
			 a->cells[i].look != b->cells[i].look;
	return count;
}

/* The labels of two frames change and the figures below, and no colour anywhere else. */
static void test_a_move_changes_little(void **state)
{
	(void)state;
	struct stage stage;
	struct canvas before = {0};
	uint64_t seed = 4;
	stage_open(&stage, make_random(8, 400), 100, 40);
	stage_draw(&stage);
	for (int i = 0; i < 200; i++) {
		static const enum action moves[] = {
			ACT_DOWN, ACT_DOWN, ACT_UP, ACT_LEFT, ACT_RIGHT};
		canvas_resize(&before, 100, 40);
		memcpy(before.cells, stage.canvas.cells, 100 * 40 * sizeof *before.cells);
		stage_act(&stage, moves[next_random(&seed) % 5]);
		stage_draw(&stage);
		/* 32 rows of frames: two labels, and a mark for each frame of two functions */
		assert_true(differing(&before, &stage.canvas, 32) <= 2 * 42 + 40);
	}
	canvas_free(&before);
	stage_close(&stage);
}

/* Where many rows are hidden no frame changes its colour as they scroll. */
static void test_scrolling_keeps_colours(void **state)
{
	(void)state;
	struct stage stage;
	struct canvas before = {0};
	stage_open(&stage, make_random(8, 400), 100, 14);
	stage_act(&stage, ACT_LAST);
	stage_draw(&stage);
	canvas_resize(&before, 100, 14);
	memcpy(before.cells, stage.canvas.cells, 100 * 14 * sizeof *before.cells);
	stage_act(&stage, ACT_SCROLL_UP);
	stage_draw(&stage);
	for (int y = 2; y < 8; y++)
		for (int x = 0; x < 100; x++) {
			const struct cell *a = &before.cells[y * 100 + x];
			const struct cell *b = &stage.canvas.cells[(y + 1) * 100 + x];
			if (a->role != ROLE_FRAME_CURSOR && b->role != ROLE_FRAME_CURSOR)
				assert_int_equal(a->role, b->role);
		}
	canvas_free(&before);
	stage_close(&stage);
}

static void test_anything_at_any_size(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		uint64_t random = seed;
		struct stage stage;
		struct text words = {0};
		stage_open(&stage, make_random(seed, 150), 80, 24);
		for (int i = 0; i < 500; i++) {
			stage.area.width = 1 + (int)(next_random(&random) % 130);
			stage.area.height = 1 + (int)(next_random(&random) % 50);
			if (next_random(&random) % 20 == 0)
				stage_search(&stage, next_random(&random) % 2 ? "run|x" : "link");
			if (next_random(&random) % 20 == 0)
				stage.context.search = NULL;
			switch (next_random(&random) % 6) {
			case 0:
				stage_find(&stage, (enum find)(next_random(&random) % 3));
				break;
			case 1:
				stage_point(&stage, (enum pointer_kind)(next_random(&random) % 9),
					(int)(next_random(&random) % 140) - 5,
					(int)(next_random(&random) % 60) - 5);
				break;
			case 2:
				view_flame.select(stage.state, &stage.context,
					(uint32_t)next_random(&random) %
						stage.context.tree->node_count,
					0, (int64_t)(next_random(&random) % 100));
				break;
			default:
				stage_act(&stage, (enum action)(next_random(&random) % ACT_COUNT));
				break;
			}
			stage_draw(&stage);
			text_clear(&words);
			view_flame.status(stage.state, &stage.context, &words);
			view_flame.explain(stage.state, &stage.context, &words);
		}
		text_free(&words);
		stage_close(&stage);
	}
}

/* Leaves first, other counts of the same tree make another one. */
static void test_counts_change_below(void **state)
{
	(void)state;
	struct stage stage;
	struct vp_error err;
	stage_open(&stage, make_random(2, 300), 100, 24);
	for (int i = 0; i < 40; i++) {
		if (i % 5 == 0)
			stage_act(&stage, ACT_BOTTOM_UP);
		stage_act(&stage, ACT_DOWN);
		if (i % 3 == 0)
			stage_act(&stage, ACT_IN);
		stage.context.query.first = (uint64_t)(i * 6);
		stage.context.query.last = (uint64_t)(i * 6 + 60 - i);
		assert_true(calltree_count(stage.context.tree, &stage.context.query, &err));
		stage_draw(&stage);
		uint32_t row = 0;
		stage_node(&stage, &row);
		assert_true(row < stage.context.tree->row_count);
	}
	stage_close(&stage);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_visits_each_hit_once),
		cmocka_unit_test(test_find_starts_inside_the_zoom),
		cmocka_unit_test(test_hits_are_marked),
		cmocka_unit_test(test_chains_fold_and_unfold),
		cmocka_unit_test(test_what_is_folded_is_found),
		cmocka_unit_test(test_leaves_first),
		cmocka_unit_test(test_press_selects),
		cmocka_unit_test(test_press_on_a_caller),
		cmocka_unit_test(test_wheel_scrolls),
		cmocka_unit_test(test_a_move_changes_little),
		cmocka_unit_test(test_scrolling_keeps_colours),
		cmocka_unit_test(test_anything_at_any_size),
		cmocka_unit_test(test_counts_change_below),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
