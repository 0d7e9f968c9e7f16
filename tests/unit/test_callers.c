/* SPDX-License-Identifier: MIT */
/* The callers view: its lines add up, its cursor comes back, its search reaches every frame. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "unit/make_profile.h"
#include "view/callers_state.h"

enum { MARGIN = 2, UNTOUCHED = 0x1f };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static struct profile *make_random(uint64_t seed, int samples)
{
	static const char *const names[] = {"main", "run", "std::map<int>::at(int)", "pkg.Class.f",
		"\u6f22\u5b57", "x", "a_rather_long_name_that_fits_nowhere_at_all",
		"e\u0301e\u0301", "\x1b[2J\xff", "<lambda>"};
	struct making making;
	struct text folded = {0};
	making_start(&making);
	making.builder.profile->is_timed = true;
	for (int i = 0; i < samples; i++) {
		text_clear(&folded);
		text_puts(&folded, "start");
		for (uint64_t depth = next_random(&seed) % 9; depth > 0; depth--) {
			uint64_t a = next_random(&seed) % 10, b = next_random(&seed) % 10;
			text_printf(&folded, ";%s", names[a < b ? a : b]); /* the first ones most */
		}
		text_puts(&folded, " 1");
		making_add(&making, folded.data, 1000 + i);
	}
	text_free(&folded);
	return making_finish(&making);
}

/* ---- a view in the middle of a canvas ------------------------------------------------------- */

struct stage {
	struct view_context context;
	struct profile *profile;
	struct callers_state *state;
	struct canvas canvas;
	struct search search;
	uint8_t *hits;
	struct box area;
};

static void stage_show(struct stage *stage, struct profile *profile)
{
	struct vp_error err;
	stage->profile = profile;
	stage->context.profile = profile;
	stage->context.generation++;
	query_init(&stage->context.query, profile);
	stage->context.clock = clock_make(profile, CLOCK_AUTO);
	stage->context.tree = calltree_build(profile, &stage->context.query, &err);
	assert_non_null(stage->context.tree);
}

static void stage_open(struct stage *stage, struct profile *profile)
{
	*stage = (struct stage){.area = {MARGIN, MARGIN, 100, 26}};
	stage_show(stage, profile);
	stage->state = view_callers.open();
}

static void stage_drop(struct stage *stage)
{
	free(stage->hits);
	stage->hits = NULL;
	stage->context.search = NULL;
	calltree_free(stage->context.tree);
	profile_free(stage->profile);
}

static void stage_close(struct stage *stage)
{
	view_callers.close(stage->state);
	stage_drop(stage);
	canvas_free(&stage->canvas);
}

static void stage_draw(struct stage *stage)
{
	struct canvas *canvas = &stage->canvas;
	canvas->ascii = stage->context.ascii;
	canvas_resize(canvas, stage->area.width + 2 * MARGIN, stage->area.height + 2 * MARGIN);
	for (int i = 0; i < canvas->width * canvas->height; i++)
		canvas->cells[i].character = UNTOUCHED;
	view_callers.draw(stage->state, &stage->context, canvas, stage->area);
	for (int y = 0; y < canvas->height; y++) {
		for (int x = 0; x < canvas->width; x++) {
			uint32_t c = canvas->cells[y * canvas->width + x].character;
			bool is_inside = x >= MARGIN && x < canvas->width - MARGIN && y >= MARGIN &&
					 y < canvas->height - MARGIN;
			if (!is_inside)
				assert_int_equal(c, UNTOUCHED);
			assert_true(c == 0 || c == UNTOUCHED || (c >= ' ' && c != 0x7f));
			if (canvas->ascii)
				assert_true(c < 0x7f);
		}
	}
}

static struct reaction stage_act(struct stage *stage, enum action action)
{
	return view_callers.act(stage->state, &stage->context, action, stage->area);
}

/* Names that begin with one of these letters are hits. */
static void stage_search(struct stage *stage, const char *letters)
{
	const struct calltree *tree = stage->context.tree;
	free(stage->hits);
	stage->hits = memory_new(tree->row_count, 1);
	stage->search = (struct search){.text = letters, .hits = stage->hits};
	for (uint32_t row = 1; row < tree->row_count; row++) {
		const char *name = profile_string(tree->profile, tree->rows[row].name, NULL);
		stage->hits[row] = *name && strchr(letters, *name) != NULL;
		stage->search.row_count += stage->hits[row];
	}
	stage->context.search = &stage->search;
}

static uint32_t row_of(const struct calltree *tree, const char *name)
{
	for (uint32_t row = 1; row < tree->row_count; row++)
		if (strcmp(profile_string(tree->profile, tree->rows[row].name, NULL), name) == 0)
			return row;
	return 0;
}

static uint32_t selected_row(const struct stage *stage)
{
	uint32_t node = 0, row = 0;
	int64_t sample = -1;
	view_callers.selected(stage->state, &stage->context, &node, &row, &sample);
	if (row != 0)
		assert_int_equal(stage->context.tree->row[node], row);
	return row;
}

/* ---- what holds after every key -------------------------------------------------------------- */

/* The lines right below each unfolded one have its value; those next to the centre the total. */
static void check_lines(const struct callers_state *state)
{
	for (int which = 0; which < SIDES; which++) {
		const struct callers_side *side = &state->side[which];
		int64_t sum = 0;
		for (size_t i = 0; i < side->count; i++) {
			const struct callers_line *line = &side->lines[i];
			int64_t inside = 0;
			sum += line->depth == 0 ? line->value : 0;
			assert_true(i == 0 ? line->depth == 0
					   : line->depth <= side->lines[i - 1].depth + 1);
			for (size_t j = i + 1;
				j < side->count && side->lines[j].depth > line->depth; j++)
				inside += side->lines[j].depth == line->depth + 1
						  ? side->lines[j].value
						  : 0;
			if (line->is_open && line->can_unfold)
				assert_int_equal(inside, line->value);
			else
				assert_int_equal(inside, 0);
			if (line->kind == LINE_FRAME)
				assert_int_equal(line->value, side->tree->total[line->node]);
		}
		assert_int_equal(sum, state->cum);
	}
}

static void check_cursor(const struct stage *stage)
{
	const struct callers_state *state = stage->state;
	struct callers_places places = callers_divide(state, stage->area);
	int height = places.bar.height;
	if (state->section == SECTION_CENTRE || state->is_flames)
		return;
	int which = state->section == SECTION_CALLEES;
	const struct callers_side *side = &state->side[which];
	assert_true(state->cursor < side->count);
	assert_true(state->cursor >= side->scroll);
	if (stage->area.height >= 4)
		assert_true(state->cursor < side->scroll + (size_t)places.list[which].height);
	for (int i = 0; i < SIDES; i++)
		height += places.heading[i].height + places.list[i].height;
	height += places.head.height + places.detail.height;
	assert_true(stage->area.height < 3 || height == stage->area.height);
}

static void check(struct stage *stage)
{
	struct text words = {0};
	stage_draw(stage);
	if (callers_has_centre(stage->state)) {
		check_lines(stage->state);
		check_cursor(stage);
		assert_true(selected_row(stage) != 0);
	}
	view_callers.status(stage->state, &stage->context, &words);
	view_callers.explain(stage->state, &stage->context, &words);
	for (size_t i = 0; i < words.length; i++)
		assert_true((unsigned char)words.data[i] >= ' ' || words.data[i] == '\n');
	text_free(&words);
}

static void play(struct stage *stage, uint64_t seed, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		stage->area.width = 1 + (int)(next_random(&seed) % 160);
		stage->area.height = 1 + (int)(next_random(&seed) % 50);
		stage->context.ascii = next_random(&seed) % 2 == 0;
		for (int keys = 0; keys < 6; keys++) {
			struct pointer pointer = {
				.kind = (enum pointer_kind)(next_random(&seed) % 9),
				.x = MARGIN +
				     (int)(next_random(&seed) % (uint64_t)stage->area.width),
				.y = MARGIN +
				     (int)(next_random(&seed) % (uint64_t)stage->area.height)};
			switch (next_random(&seed) % 8) {
			case 0:
				view_callers.point(
					stage->state, &stage->context, stage->area, &pointer);
				break;
			case 1:
				view_callers.find(stage->state, &stage->context, stage->area,
					(enum find)(next_random(&seed) % 3));
				break;
			default:
				stage_act(stage, (enum action)(next_random(&seed) % ACT_COUNT));
			}
		}
		check(stage);
	}
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void test_every_size(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(7, 300));
	for (int flames = 0; flames < 2; flames++) {
		for (int width = 1; width <= 130; width += width < 12 ? 1 : 7) {
			for (int height = 1; height <= 50; height += height < 20 ? 1 : 5) {
				stage.area.width = width;
				stage.area.height = height;
				check(&stage);
			}
		}
		stage_act(&stage, ACT_FLAMES);
	}
	stage_close(&stage);
}

static void test_random_keys(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct stage stage;
		stage_open(&stage, make_random(seed, (int)(seed * seed * 6)));
		stage_search(&stage, seed % 2 ? "mx" : "p");
		play(&stage, seed, 100);
		stage_close(&stage);
	}
}

static void test_centres(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(3, 400));
	struct callers_state *view = stage.state;
	uint32_t main_row = row_of(stage.context.tree, "main");
	uint32_t x_row = row_of(stage.context.tree, "x");
	view_callers.select(view, &stage.context, 0, main_row, -1);
	check(&stage);
	assert_int_equal(selected_row(&stage), main_row);
	assert_int_equal(view->before_count, 0);
	/* Down to a callee that is not main itself. */
	stage_act(&stage, ACT_DOWN);
	while (selected_row(&stage) == main_row)
		stage_act(&stage, ACT_DOWN);
	uint32_t chosen = selected_row(&stage);
	uint64_t key = callers_cursor_line(view)->key;
	stage_act(&stage, ACT_IN);
	check(&stage);
	assert_int_equal(view->centre.row, chosen);
	assert_int_equal(view->section, SECTION_CENTRE);
	assert_non_null(stage_act(&stage, ACT_IN).notice); /* it is the centre already */
	view_callers.select(view, &stage.context, 0, x_row, -1);
	check(&stage);
	stage_act(&stage, ACT_OUT);
	assert_int_equal(view->centre.row, chosen);
	stage_act(&stage, ACT_OUT);
	assert_int_equal(view->centre.row, main_row);
	assert_int_equal(callers_cursor_line(view)->key, key);
	assert_non_null(stage_act(&stage, ACT_OUT).notice);
	stage_close(&stage);
}

/* Nothing was selected so far: the function with the most self. */
static void test_first_centre(void **state)
{
	(void)state;
	struct stage stage;
	size_t count;
	stage_open(&stage, make_random(4, 200));
	struct function_row *rows = functions_build(stage.context.tree, SORT_FLAT, &count);
	check(&stage);
	assert_int_equal(stage.state->centre.row, rows[0].row);
	assert_int_equal(stage.state->flat, rows[0].flat);
	assert_int_equal(stage.state->cum, rows[0].cum);
	free(rows);
	stage_close(&stage);
}

static bool has_words(const struct stage *stage, const char *words)
{
	struct text dump = {0};
	canvas_dump(&stage->canvas, &dump);
	bool is_there = strstr(dump.data, words) != NULL;
	text_free(&dump);
	return is_there;
}

/* Other trees, one of which does not have the centre. */
static void test_centre_survives(void **state)
{
	(void)state;
	struct stage stage;
	struct making making;
	stage_open(&stage, make_random(5, 300));
	view_callers.select(
		stage.state, &stage.context, 0, row_of(stage.context.tree, "pkg.Class.f"), -1);
	check(&stage);
	stage_act(&stage, ACT_DOWN);
	stage_act(&stage, ACT_FOLD);
	check(&stage);
	uint64_t key = callers_cursor_line(stage.state)->key;

	stage_drop(&stage);
	making_start(&making);
	making_add(&making, "other;function 3", -1);
	stage_show(&stage, making_finish(&making));
	check(&stage);
	assert_false(callers_has_centre(stage.state));
	assert_true(has_words(&stage, "pkg.Class.f has no samples here."));
	assert_non_null(stage_act(&stage, ACT_IN).notice);
	assert_int_equal(selected_row(&stage), 0);

	stage_drop(&stage);
	stage_show(&stage, make_random(5, 300));
	check(&stage);
	assert_true(callers_has_centre(stage.state));
	assert_string_equal(stage.state->centre.name, "pkg.Class.f");
	assert_int_equal(callers_cursor_line(stage.state)->key, key);

	/* A window without samples of it, in the same tree. */
	struct query query = stage.context.query;
	struct vp_error err;
	query.last = query.first = 0;
	for (uint64_t i = 0; i < stage.profile->sample_count && query.last == 0; i++) {
		uint32_t node = common_node_of_sample(&stage.context, (int64_t)i);
		uint32_t depth = 0;
		for (; node; node = stage.context.tree->parent[node])
			depth += stage.context.tree->row[node] == stage.state->centre.row;
		query.first = i;
		query.last = depth == 0 ? i + 1 : 0;
	}
	assert_true(query.last > 0);
	stage.context.query = query;
	assert_true(calltree_count(stage.context.tree, &query, &err));
	check(&stage);
	assert_true(has_words(&stage, "pkg.Class.f has no samples here."));
	stage_close(&stage);
}

/* Frames of both sides that are hits, and the centre where it is one. */
static uint32_t count_hits(const struct stage *stage)
{
	const struct callers_state *view = stage->state;
	uint32_t count = stage->hits[view->centre.row];
	for (int i = 0; i < SIDES; i++) {
		const struct calltree *tree = view->side[i].tree;
		for (uint32_t node = AROUND_CENTRE + 1; node < tree->node_count; node++)
			count += tree->total[node] != 0 && stage->hits[tree->row[node]];
	}
	return count;
}

/* Where the cursor is, as one number that grows down the screen. */
static size_t cursor_place(const struct callers_state *view)
{
	size_t above = view->side[CALLERS].count;
	return view->section == SECTION_CALLERS  ? view->cursor
	       : view->section == SECTION_CENTRE ? above
						 : above + 1 + view->cursor;
}

static void test_search_reaches_all(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct stage stage;
		stage_open(&stage, make_random(seed, 40 + (int)seed * 40));
		stage_search(&stage, seed % 2 ? "m" : "xp<");
		check(&stage);
		uint32_t hits = count_hits(&stage);
		enum find way = seed % 4 < 2 ? FIND_FORWARD : FIND_BACKWARD;
		/* From the one end to the other each hit once: backwards from beyond the first. */
		stage_act(&stage, ACT_FIRST);
		enum found found = view_callers.find(stage.state, &stage.context, stage.area,
			way == FIND_FORWARD ? FIND_HERE : way);
		assert_int_equal(found, way == FIND_FORWARD ? FOUND : FOUND_WRAPPED);
		uint32_t visited = 0;
		do {
			visited++;
			assert_true(stage.hits[selected_row(&stage)]);
			check(&stage);
			found = view_callers.find(stage.state, &stage.context, stage.area, way);
			assert_true(visited <= hits);
		} while (found == FOUND);
		assert_int_equal(found, FOUND_WRAPPED);
		assert_int_equal(visited, hits);
		/* Now that all is unfolded, the order is that of the screen. */
		for (uint32_t i = 1; i < hits; i++) {
			size_t place = cursor_place(stage.state);
			found = view_callers.find(stage.state, &stage.context, stage.area, way);
			assert_int_equal(found, FOUND);
			assert_true(way == FIND_FORWARD ? cursor_place(stage.state) > place
							: cursor_place(stage.state) < place);
		}
		stage_search(&stage, "?");
		assert_int_equal(view_callers.find(stage.state, &stage.context, stage.area, way),
			FOUND_NOTHING);
		stage_close(&stage);
	}
}

static void test_folding(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(6, 300));
	struct callers_state *view = stage.state;
	view_callers.select(view, &stage.context, 0, row_of(stage.context.tree, "start"), -1);
	check(&stage);
	stage_act(&stage, ACT_FOLD_ALL);
	check(&stage);
	size_t folded = view->side[CALLEES].count;
	stage_act(&stage, ACT_UNFOLD_ALL);
	check(&stage);
	size_t large = view->side[CALLEES].count;
	assert_true(large > folded);
	stage_act(&stage, ACT_UNFOLD_ALL); /* what is below 1 %, too */
	check(&stage);
	assert_true(view->side[CALLEES].count > large);
	/* h from a line deep inside goes outwards, folding what is unfolded, to the centre. */
	stage_act(&stage, ACT_LAST);
	for (int i = 0; view->section != SECTION_CENTRE; i++) {
		stage_act(&stage, ACT_LEFT);
		check(&stage);
		assert_true(i < 40);
	}
	stage_act(&stage, ACT_FOLD_ALL);
	assert_int_equal(view->side[CALLEES].count, folded);
	/* A press on a line's mark unfolds it, elsewhere it does not. */
	struct callers_places places = callers_divide(view, stage.area);
	struct pointer pointer = {
		.kind = POINTER_PRESS, .x = MARGIN + 20, .y = places.list[CALLEES].y};
	view_callers.point(view, &stage.context, stage.area, &pointer);
	assert_int_equal(view->section, SECTION_CALLEES);
	assert_int_equal(view->side[CALLEES].count, folded);
	pointer.x = MARGIN + 1;
	view_callers.point(view, &stage.context, stage.area, &pointer);
	assert_true(view->side[CALLEES].count > folded);
	check(&stage);
	stage_close(&stage);
}

static uint32_t count_changed(const struct canvas *a, const struct cell *old)
{
	uint32_t changed = 0;
	for (int i = 0; i < a->width * a->height; i++)
		changed += memcmp(&a->cells[i], &old[i], sizeof *old) != 0;
	return changed;
}

/* A cursor move costs few bytes on the line. */
static void test_moves_touch_few_cells(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(8, 60));
	check(&stage);
	size_t size = (size_t)(stage.canvas.width * stage.canvas.height);
	struct cell *old = memory_new(size, sizeof *old);
	stage_act(&stage, ACT_FIRST);
	stage_draw(&stage);
	for (int i = 0; i < 12; i++) {
		size_t scroll =
			stage.state->side[CALLERS].scroll + stage.state->side[CALLEES].scroll;
		memcpy(old, stage.canvas.cells, size * sizeof *old);
		stage_act(&stage, ACT_DOWN);
		stage_draw(&stage);
		if (scroll == stage.state->side[CALLERS].scroll + stage.state->side[CALLEES].scroll)
			assert_true(count_changed(&stage.canvas, old) <= 200);
	}
	free(old);
	stage_close(&stage);
}

/* Time shows a sample of the very chain below the cursor. */
static void test_time(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(9, 300));
	for (int i = 0; i < 30; i++) {
		check(&stage);
		struct reaction reaction = stage_act(&stage, ACT_TO_TIMELINE);
		assert_string_equal(reaction.view, "timeline");
		assert_true(reaction.sample >= 0);
		uint32_t node = common_node_of_sample(&stage.context, reaction.sample);
		uint32_t found = 0;
		for (; node; node = stage.context.tree->parent[node])
			found += stage.context.tree->row[node] == reaction.row;
		assert_true(found > 0);
		stage_act(&stage, i % 7 == 6 ? ACT_IN : ACT_DOWN);
	}
	stage_close(&stage);
}

static void test_deep_stack(void **state)
{
	(void)state;
	struct making making;
	struct stage stage;
	stack_id stack = 0;
	making_start(&making);
	builder_name(&making.builder, 2, "py:down:1:/srv/down.py", 22, 1);
	builder_name(&making.builder, 4, "py:end:1:/srv/down.py", 21, 1);
	frame_id down = builder_frame(&making.builder, 2, 0, CODE_PYTHON);
	for (uint32_t i = 0; i < 100000; i++)
		stack = builder_child(&making.builder, stack, down);
	stack = builder_child(
		&making.builder, stack, builder_frame(&making.builder, 4, 0, CODE_PYTHON));
	for (int i = 0; i < 20; i++)
		builder_sample(&making.builder, stack, 1, -1, 0);
	stage_open(&stage, making_finish(&making));
	stage_draw(&stage);
	assert_non_null(stage_act(&stage, ACT_UNFOLD_ALL).notice);
	stage_draw(&stage);
	stage_act(&stage, ACT_FLAMES);
	stage_draw(&stage);
	stage_act(&stage, ACT_FIRST);
	stage_draw(&stage);
	stage_act(&stage, ACT_IN);
	stage_act(&stage, ACT_FLAMES);
	stage_search(&stage, "e"); /* at the end of the stack only */
	assert_int_equal(
		view_callers.find(stage.state, &stage.context, stage.area, FIND_FORWARD), FOUND);
	stage_draw(&stage);
	stage_close(&stage);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_random_keys),
		cmocka_unit_test(test_centres),
		cmocka_unit_test(test_first_centre),
		cmocka_unit_test(test_centre_survives),
		cmocka_unit_test(test_search_reaches_all),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_moves_touch_few_cells),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_deep_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
