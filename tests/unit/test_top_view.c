/* SPDX-License-Identifier: MIT */
/* The table of functions and the summary: filter, search, lines, mouse. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/pattern.h"
#include "unit/make_profile.h"
#include "view/common.h"

enum { FUNCTIONS = 60, PARSERS = 5 };

/* Functions of falling weight, every twelfth a parser; main calls them all, one of them the next.
 */
static struct profile *make_many(void)
{
	struct making making;
	char folded[160];
	making_start(&making);
	making.builder.profile->is_timed = true;
	for (int i = 0; i < FUNCTIONS; i++) {
		const char *word = i % 12 != 0 ? "work" : i == 24 ? "Parser" : "parse";
		snprintf(folded, sizeof folded, "main;run;%s_%02d %d", word, i, 2 * FUNCTIONS - i);
		making_add(&making, folded, 100000 + i);
		snprintf(folded, sizeof folded, "main;run;%s_%02d;leaf_%d;end 1", word, i, i % 3);
		making_add(&making, folded, i == 30 ? 500000 : 100000);
	}
	return making_finish(&making);
}

/* ---- a view on a canvas ------------------------------------------------------------ */

struct stage {
	struct view_context context;
	struct profile *profile;
	const struct view *view;
	void *state;
	struct canvas canvas;
	struct box area;
	struct search search;
	uint8_t *hits;
	struct text text;
};

static void stage_open(struct stage *stage, const struct view *view, int width, int height)
{
	struct vp_error err;
	struct profile *profile = make_many();
	*stage = (struct stage){.profile = profile, .view = view, .area = {0, 0, width, height}};
	stage->context.profile = profile;
	stage->context.series = SERIES_BOTH;
	stage->context.generation = 1;
	query_init(&stage->context.query, profile);
	stage->context.clock = clock_make(profile, CLOCK_AUTO);
	stage->context.tree = calltree_build(profile, &stage->context.query, &err);
	assert_non_null(stage->context.tree);
	stage->context.pyramid = pyramid_build(profile);
	stage->state = view->open();
}

static void stage_close(struct stage *stage)
{
	stage->view->close(stage->state);
	calltree_free(stage->context.tree);
	pyramid_free(stage->context.pyramid);
	profile_free(stage->profile);
	canvas_free(&stage->canvas);
	text_free(&stage->text);
	free(stage->hits);
}

static const char *stage_draw(struct stage *stage)
{
	canvas_resize(&stage->canvas, stage->area.width, stage->area.height);
	stage->view->draw(stage->state, &stage->context, &stage->canvas, stage->area);
	text_clear(&stage->text);
	canvas_dump(&stage->canvas, &stage->text);
	return stage->text.data;
}

static struct reaction stage_act(struct stage *stage, enum action action)
{
	return stage->view->act(stage->state, &stage->context, action, stage->area);
}

static struct reaction stage_point(struct stage *stage, enum pointer_kind kind, int x, int y)
{
	const struct pointer pointer = {kind, x, y};
	return stage->view->point(stage->state, &stage->context, stage->area, &pointer);
}

/* The selected row. */
static uint32_t stage_row(const struct stage *stage)
{
	uint32_t node = 0;
	uint32_t row = 0;
	int64_t sample = -1;
	stage->view->selected(stage->state, &stage->context, &node, &row, &sample);
	return row;
}

static const char *stage_name(const struct stage *stage)
{
	const struct calltree *tree = stage->context.tree;
	return profile_string(tree->profile, tree->rows[stage_row(stage)].name, NULL);
}

static const char *stage_status(struct stage *stage)
{
	text_clear(&stage->text);
	stage->view->status(stage->state, &stage->context, &stage->text);
	return stage->text.data;
}

static void stage_search(struct stage *stage, const char *pattern)
{
	struct vp_error err;
	size_t count;
	uint32_t *rows = rows_matching(stage->context.tree, pattern, &count, &err);
	assert_non_null(rows);
	free(stage->hits);
	stage->hits = calloc(stage->context.tree->row_count, 1);
	for (size_t i = 0; i < count; i++)
		stage->hits[rows[i]] = 1;
	free(rows);
	stage->search = (struct search){pattern, stage->hits, (uint32_t)count, 0};
	stage->context.search = &stage->search;
}

static enum found stage_find(struct stage *stage, enum find where)
{
	return stage->view->find(stage->state, &stage->context, stage->area, where);
}

static bool stage_narrow(struct stage *stage, const char *pattern)
{
	struct vp_error err = {0};
	bool is_done = view_top.narrow(stage->state, &stage->context, pattern, &err);
	if (!is_done)
		assert_int_equal(err.code, ERROR_USAGE);
	return is_done;
}

/* The line of the screen with the pointer of the cursor; -1: none, -2: several. */
static int stage_pointer(const struct stage *stage)
{
	int line = -1;
	for (int y = 0; y < stage->canvas.height; y++)
		if (stage->canvas.cells[y * stage->canvas.width].character == 0x25b8)
			line = line == -1 ? y : -2;
	return line;
}

/* ---- the table of functions ---------------------------------------------------------- */

static void test_every_row_is_reached(void **unused)
{
	static const int sizes[][2] = {{40, 7}, {80, 20}, {100, 26}, {200, 56}};
	(void)unused;
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		struct stage stage;
		size_t count;
		stage_open(&stage, &view_top, sizes[s][0], sizes[s][1]);
		struct function_row *rows = functions_build(stage.context.tree, SORT_FLAT, &count);
		stage_draw(&stage);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(stage_row(&stage), rows[i].row);
			stage_draw(&stage);
			assert_true(stage_pointer(&stage) > 0);
			stage_act(&stage, ACT_DOWN);
		}
		for (size_t i = count; i-- > 0; stage_act(&stage, ACT_UP))
			assert_int_equal(stage_row(&stage), rows[i].row);
		for (size_t line = 0; line <= count + 1; line++) {
			size_t at = line < 1 ? 0 : line > count ? count - 1 : line - 1;
			view_top.go_to_line(stage.state, &stage.context, line);
			assert_int_equal(stage_row(&stage), rows[at].row);
			stage_draw(&stage);
			assert_true(stage_pointer(&stage) > 0);
		}
		free(rows);
		stage_close(&stage);
	}
}

static void test_filter(void **unused)
{
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_top, 100, 26);
	stage_draw(&stage);
	view_top.go_to_line(stage.state, &stage.context, 30);
	uint32_t before = stage_row(&stage);
	assert_true(stage_narrow(&stage, "pars"));
	assert_non_null(strstr(stage_status(&stage), "filter: pars   5 of 66"));
	assert_non_null(strstr(stage_draw(&stage), "parse_00"));
	assert_null(strstr(stage_draw(&stage), "work_"));
	assert_string_equal(stage_name(&stage), "parse_00");
	/* In rank order, and no further than the last one. */
	static const char *const names[] = {"parse_12", "Parser_24", "parse_36", "parse_48"};
	for (int i = 0; i < 6; i++) {
		stage_act(&stage, ACT_DOWN);
		assert_string_equal(stage_name(&stage), names[i < 4 ? i : 3]);
	}
	assert_true(stage_narrow(&stage, "Pars"));
	assert_string_equal(stage_name(&stage), "Parser_24");
	assert_false(stage_narrow(&stage, "pars["));
	assert_non_null(strstr(stage_status(&stage), "filter: Pars   1 of 66"));

	assert_true(stage_narrow(&stage, "no such \x1b\\[2J"));
	assert_non_null(strstr(stage_draw(&stage), "No function matches /no such "));
	assert_null(strchr(stage_draw(&stage), '\x1b'));
	assert_null(strchr(stage_status(&stage), '\x1b'));
	assert_int_equal(stage_row(&stage), 0);
	for (int action = ACT_NONE; action < ACT_COUNT; action++)
		if (action != ACT_CANCEL)
			stage_act(&stage, (enum action)action);
	stage_act(&stage, ACT_REVERSE);

	/* Sorting keeps the filter, Esc clears it, once. */
	assert_true(stage_narrow(&stage, "srv/leaf_"));
	stage_act(&stage, ACT_SORT_NEXT);
	assert_non_null(strstr(stage_status(&stage), "3 of 66"));
	assert_true(stage_act(&stage, ACT_CANCEL).handled);
	assert_null(strstr(stage_status(&stage), "filter"));
	assert_false(stage_act(&stage, ACT_CANCEL).handled);

	/* Where the user was before is where he is after it. */
	view_top.select(stage.state, &stage.context, 0, before, -1);
	assert_true(stage_narrow(&stage, "parse"));
	assert_int_not_equal(stage_row(&stage), before);
	assert_true(stage_narrow(&stage, ""));
	assert_int_equal(stage_row(&stage), before);

	/* Another tree: the filter is applied to it too. */
	assert_true(stage_narrow(&stage, "parse"));
	stage.context.generation++;
	stage_draw(&stage);
	assert_non_null(strstr(stage_status(&stage), "5 of 66"));
	stage_close(&stage);
}

static void check_find(struct stage *stage, const char *const *names, int count)
{
	assert_int_equal(stage_find(stage, FIND_HERE), FOUND);
	for (int i = 0; i < count; i++) {
		assert_string_equal(stage_name(stage), names[i]);
		assert_int_equal(stage_find(stage, FIND_HERE), FOUND);
		assert_string_equal(stage_name(stage), names[i]);
		enum found expected = i + 1 < count ? FOUND : FOUND_WRAPPED;
		assert_int_equal(stage_find(stage, FIND_FORWARD), expected);
		stage_draw(stage);
		assert_true(stage_pointer(stage) > 0);
	}
	assert_string_equal(stage_name(stage), names[0]);
	for (int i = count; i-- > 0;) {
		enum found expected = i + 1 < count ? FOUND : FOUND_WRAPPED;
		assert_int_equal(stage_find(stage, FIND_BACKWARD), expected);
		assert_string_equal(stage_name(stage), names[i]);
	}
}

static void test_find(void **unused)
{
	static const char *const names[PARSERS] = {
		"parse_00", "parse_12", "Parser_24", "parse_36", "parse_48"};
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_top, 80, 20);
	stage_draw(&stage);
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND_NOTHING);
	stage_search(&stage, "(?i)pars");
	check_find(&stage, names, PARSERS);
	assert_true(stage_narrow(&stage, "_.[024]|work_3"));
	check_find(&stage, (const char *const[]){"parse_00", "parse_12", "Parser_24"}, 3);
	assert_true(stage_narrow(&stage, "work"));
	uint32_t row = stage_row(&stage);
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND_NOTHING);
	assert_int_equal(stage_row(&stage), row);
	assert_true(stage_narrow(&stage, ""));
	stage_search(&stage, "parse_36");
	assert_int_equal(stage_find(&stage, FIND_HERE), FOUND);
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND_WRAPPED);
	assert_int_equal(stage_find(&stage, FIND_BACKWARD), FOUND_WRAPPED);
	assert_string_equal(stage_name(&stage), "parse_36");
	stage_close(&stage);
}

static void test_point(void **unused)
{
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_top, 100, 26);
	stage.area = (struct box){0, 3, 100, 26};
	canvas_resize(&stage.canvas, 100, 29);
	view_top.draw(stage.state, &stage.context, &stage.canvas, stage.area);
	assert_true(stage_point(&stage, POINTER_PRESS, 70, 3 + 2 + 4).handled);
	assert_string_equal(stage_name(&stage), "work_04");
	assert_false(stage_point(&stage, POINTER_PRESS, 70, 3 + 1).handled);  /* rule */
	assert_false(stage_point(&stage, POINTER_PRESS, 70, 3 + 25).handled); /* detail */
	assert_false(stage_point(&stage, POINTER_RELEASE, 70, 3 + 5).handled);
	assert_string_equal(stage_name(&stage), "work_04");

	stage_point(&stage, POINTER_PRESS, 70, 3);
	assert_non_null(strstr(stage_status(&stage), "sort: name"));
	stage_point(&stage, POINTER_PRESS, 40, 3);
	assert_non_null(strstr(stage_status(&stage), "sort: total"));
	stage_point(&stage, POINTER_PRESS, 5, 3);
	assert_non_null(strstr(stage_status(&stage), "sort: self "));
	stage_point(&stage, POINTER_PRESS, 6, 3);
	assert_non_null(strstr(stage_status(&stage), "sort: self, reversed"));
	stage_point(&stage, POINTER_PRESS, 6, 3);
	assert_string_equal(stage_name(&stage), "work_04");

	/* The wheel moves the rows, the cursor only where it would go out of sight. */
	view_top.go_to_line(stage.state, &stage.context, 1);
	stage_point(&stage, POINTER_WHEEL_UP, 50, 10);
	assert_string_equal(stage_name(&stage), "parse_00");
	stage_point(&stage, POINTER_WHEEL_DOWN, 50, 10);
	assert_string_equal(stage_name(&stage), "work_03");
	stage_point(&stage, POINTER_WHEEL_UP, 50, 10);
	assert_string_equal(stage_name(&stage), "work_03");
	for (int i = 0; i < 40; i++)
		stage_point(&stage, POINTER_WHEEL_DOWN, 50, 10);
	assert_true(stage_point(&stage, POINTER_PRESS, 70, 3 + 2 + 21).handled);
	stage_act(&stage, ACT_DOWN);
	uint32_t last = stage_row(&stage);
	stage_act(&stage, ACT_LAST);
	assert_int_equal(stage_row(&stage), last);

	struct reaction reaction = stage_act(&stage, ACT_IN);
	assert_true(reaction.want & WANT_VIEW);
	assert_string_equal(reaction.view, "callers");
	assert_int_equal(reaction.row, last);
	stage_close(&stage);
}

/* What the detail line says of each function. */
static void test_detail(void **unused)
{
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_top, 120, 26);
	stage_draw(&stage);
	uint32_t before = 0;
	while (stage_row(&stage) != before) {
		char expected[80];
		before = stage_row(&stage);
		struct neighbours neighbours = neighbours_build(stage.context.tree, before);
		snprintf(expected, sizeof expected, "callers %4zu  callees %4zu ",
			neighbours.caller_count, neighbours.callee_count);
		neighbours_free(&neighbours);
		assert_non_null(strstr(stage_draw(&stage), expected));
		stage_act(&stage, ACT_DOWN);
	}
	stage_close(&stage);
}

/* Which rows are out of sight is said wherever some are. */
static void test_hidden_rows(void **unused)
{
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_top, 80, 20); /* 16 rows */
	assert_non_null(strstr(stage_draw(&stage), " \u25bc 50 more "));
	stage_act(&stage, ACT_SCROLL_DOWN);
	assert_non_null(strstr(stage_draw(&stage), " \u25b2 1  \u25bc 49 more "));
	stage_act(&stage, ACT_LAST);
	assert_non_null(strstr(stage_draw(&stage), " \u25b2 50 more "));
	assert_true(stage_narrow(&stage, "leaf"));
	assert_null(strstr(stage_draw(&stage), " more "));
	stage_close(&stage);
}

/* ---- the summary ------------------------------------------------------------------------ */

static void test_summary_find(void **unused)
{
	struct stage stage;
	(void)unused;
	stage_open(&stage, &view_summary, 100, 26);
	stage_draw(&stage);
	/* In the self table, in the total table, in the stack at the peak. */
	stage_search(&stage, "^(main|parse_00|work_30)$");
	assert_int_equal(stage_find(&stage, FIND_HERE), FOUND);
	assert_string_equal(stage_name(&stage), "parse_00");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_string_equal(stage_name(&stage), "main");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_string_equal(stage_name(&stage), "parse_00");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_string_equal(stage_name(&stage), "main");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND);
	assert_string_equal(stage_name(&stage), "work_30");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND_WRAPPED);
	assert_string_equal(stage_name(&stage), "parse_00");
	assert_int_equal(stage_find(&stage, FIND_BACKWARD), FOUND_WRAPPED);
	assert_string_equal(stage_name(&stage), "work_30");
	assert_int_equal(stage_find(&stage, FIND_BACKWARD), FOUND);
	assert_string_equal(stage_name(&stage), "main");
	struct reaction reaction = stage_act(&stage, ACT_IN);
	assert_string_equal(reaction.view, "flame");
	assert_int_equal(reaction.node, 1);
	reaction = stage_act(&stage, ACT_TO_TIMELINE);
	assert_string_equal(reaction.view, "timeline");
	assert_true(reaction.sample > 0);
	stage_search(&stage, "nothing");
	assert_int_equal(stage_find(&stage, FIND_FORWARD), FOUND_NOTHING);
	assert_string_equal(stage_name(&stage), "main");
	stage_close(&stage);
}

/* A press selects what is drawn there: wherever it does, the pointer is on that line after it. */
static void test_summary_point(void **unused)
{
	static const int sizes[][2] = {{40, 7}, {60, 30}, {80, 20}, {100, 26}, {200, 56}};
	(void)unused;
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		struct stage stage;
		int selected = 0;
		stage_open(&stage, &view_summary, sizes[s][0], sizes[s][1]);
		builder_warn(&(struct builder){.profile = stage.profile}, "note", "a warning");
		stage_draw(&stage);
		for (int y = 0; y < sizes[s][1]; y++) {
			if (!stage_point(&stage, POINTER_PRESS, 3, y).handled)
				continue;
			stage_draw(&stage);
			/* The chart is selected anywhere, and marked at its heading. */
			if (stage_row(&stage) != 0)
				assert_int_equal(stage_pointer(&stage), y);
			selected++;
		}
		assert_true(selected > 1);
		assert_false(stage_point(&stage, POINTER_DRAG, 3, 3).handled);
		assert_true(stage_point(&stage, POINTER_WHEEL_DOWN, 3, 3).handled);
		stage_close(&stage);
	}
}

static void test_summary_of_a_part(void **unused)
{
	struct stage stage;
	struct vp_error err;
	(void)unused;
	stage_open(&stage, &view_summary, 100, 26);
	assert_null(strstr(stage_draw(&stage), "in the window"));
	assert_null(strstr(stage_draw(&stage), "shown"));
	stage.context.query.first = 100;
	stage.context.query.last = 200;
	assert_true(calltree_count(stage.context.tree, &stage.context.query, &err));
	const char *screen = stage_draw(&stage);
	assert_non_null(strstr(screen, "top self, samples in the window"));
	assert_non_null(strstr(screen, ", 100 of "));
	assert_non_null(strstr(stage_status(&stage), "% of 100 samples in the window"));
	stage_close(&stage);
}

/* ---- both ------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void stage_do_anything(struct stage *stage, uint64_t *seed)
{
	static const char *const patterns[] = {"", "pars", "work_.5", "nothing", "(", "leaf|main"};
	const char *pattern = patterns[next_random(seed) % 6];
	struct vp_error err;
	switch (next_random(seed) % 6) {
	case 0:
		stage_find(stage, (enum find)(next_random(seed) % 3));
		break;
	case 1:
		stage_point(stage, (enum pointer_kind)(next_random(seed) % 9),
			(int)(next_random(seed) % 140) - 3, (int)(next_random(seed) % 60) - 3);
		break;
	case 2:
		if (stage->view->narrow)
			stage->view->narrow(stage->state, &stage->context, pattern, &err);
		break;
	case 3:
		if (stage->view->go_to_line)
			stage->view->go_to_line(
				stage->state, &stage->context, next_random(seed) % 80);
		break;
	case 4:
		if (*pattern && *pattern != '(')
			stage_search(stage, pattern);
		break;
	default:
		stage_act(stage, (enum action)(next_random(seed) % ACT_COUNT));
		break;
	}
}

/* At every size whatever is done: nothing crashes, what is selected is a row of the tree. */
static void test_anything(void **unused)
{
	const struct view *const views[] = {&view_top, &view_summary};
	uint64_t seed = 11;
	(void)unused;
	for (int v = 0; v < 2; v++) {
		struct stage stage;
		stage_open(&stage, views[v], 80, 24);
		for (int round = 0; round < 3000; round++) {
			stage.area.width = 1 + (int)(next_random(&seed) % 130);
			stage.area.height = 1 + (int)(next_random(&seed) % 50);
			stage.context.full_names = round % 7 == 0;
			stage.context.unit = round % 3;
			stage.canvas.ascii = stage.context.ascii = round % 2 == 0;
			if (round % 50 == 0)
				stage.context.generation++;
			stage_do_anything(&stage, &seed);
			stage_draw(&stage);
			stage_do_anything(&stage, &seed);
			assert_true(stage_row(&stage) < stage.context.tree->row_count);
			stage_status(&stage);
			stage.view->explain(stage.state, &stage.context, &stage.text);
		}
		stage_close(&stage);
	}
}

/* ---- what views share -------------------------------------------------------------------- */

/* A drawn chain is the written one, and hits of the search are marked in it. */
static void test_chain(void **unused)
{
	struct stage stage;
	struct text scratch = {0};
	struct text written = {0};
	(void)unused;
	stage_open(&stage, &view_top, 80, 24);
	stage_search(&stage, "run");
	struct calltree *tree = stage.context.tree;
	uint32_t node = common_largest_node(tree, tree->row[tree->node_count - 1]);
	for (int cells = 0; cells < 60; cells++) {
		canvas_resize(&stage.canvas, 80, 1);
		int used = common_draw_chain(
			&stage.context, &stage.canvas, 0, 0, cells, ROLE_NORMAL, 0, node, &scratch);
		assert_true(used <= cells);
		text_clear(&written);
		common_chain(&stage.context, 0, node, cells, &written);
		text_clear(&stage.text);
		canvas_dump(&stage.canvas, &stage.text);
		stage.text.data[stage.text.length - 1] = '\0';
		if (text_width(written.data ? written.data : "", written.length) <= cells)
			assert_string_equal(stage.text.data, written.data ? written.data : "");
		const char *hit = strstr(stage.text.data, "run");
		int underlined = 0;
		for (int x = 0; x < 80; x++)
			underlined += (stage.canvas.cells[x].look & LOOK_UNDERLINE) != 0;
		if (hit)
			assert_int_equal(underlined, 3);
	}
	text_free(&scratch);
	text_free(&written);
	stage_close(&stage);
}

static void test_smart_case(void **unused)
{
	static const char *const patterns[][2] = {{"pars", "(?i)pars"}, {"Pars", "Pars"},
		{"\\W\\S", "(?i)\\W\\S"}, {"a\\", "(?i)a\\"}, {"", "(?i)"}};
	(void)unused;
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		char *smart = common_smart_case(patterns[i][0]);
		assert_string_equal(smart, patterns[i][1]);
		free(smart);
	}
}

/* Rows that match are those that match one by one. */
static void test_rows_matching(void **unused)
{
	static const char *const patterns[] = {
		"parse", "^/srv/leaf", "(?i)PARSE.*py", "", "nothing"};
	struct stage stage;
	struct vp_error err;
	(void)unused;
	stage_open(&stage, &view_top, 80, 24);
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		size_t count;
		size_t at = 0;
		struct pattern *pattern = pattern_compile(patterns[i], &err);
		uint32_t *rows = rows_matching(stage.context.tree, patterns[i], &count, &err);
		for (uint32_t row = 1; row < stage.context.tree->row_count; row++)
			if (pattern_matches_row(pattern, stage.context.tree, row, &err) > 0) {
				assert_true(at < count);
				assert_int_equal(rows[at++], row);
			}
		assert_int_equal(at, count);
		pattern_free(pattern);
		free(rows);
	}
	stage_close(&stage);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_reached),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_point),
		cmocka_unit_test(test_detail),
		cmocka_unit_test(test_hidden_rows),
		cmocka_unit_test(test_summary_find),
		cmocka_unit_test(test_summary_point),
		cmocka_unit_test(test_summary_of_a_part),
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_smart_case),
		cmocka_unit_test(test_rows_matching),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
