/* SPDX-License-Identifier: MIT */
/* The views: at any size they stay inside their area, whatever the profile and the keys. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/make_profile.h"
#include "view/view.h"

enum { VIEWS = 5, MARGIN = 2, UNTOUCHED = 0x1f };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* ---- profiles ----------------------------------------------------------------- */

/* A few hundred samples of random stacks, with names of every kind; memory with spikes or none. */
static struct profile *make_random(uint64_t seed, int samples, bool has_memory)
{
	static const char *const names[] = {"main", "run", "std::map<int>::at(int)", "pkg.Class.f",
		"\u6f22\u5b57", "x", "a_rather_long_name_that_fits_nowhere_at_all",
		"e\u0301e\u0301", "\x1b[2J\xff", "<lambda>"};
	struct making making;
	struct text folded = {0};
	making_start(&making);
	making.builder.profile->is_timed = true;
	making.builder.profile->has_start = true;
	making.builder.profile->start_ns = INT64_C(1796031005) * 1000000000;
	for (int i = 0; i < samples; i++) {
		text_clear(&folded);
		text_puts(&folded, "start");
		for (uint64_t depth = next_random(&seed) % 12; depth > 0; depth--)
			text_printf(&folded, ";%s", names[next_random(&seed) % 10]);
		text_puts(&folded, " 1");
		int64_t memory = 100000 + i * 10 + (next_random(&seed) % 50 == 0 ? 200000 : 0);
		making_add(&making, folded.data, has_memory ? memory : -1);
	}
	if (samples > 5)
		making_add(&making, " 3", has_memory ? 1 : -1); /* without a stack */
	text_free(&folded);
	builder_warn(&making.builder, "note", "a warning of \x1b[31m%d\x1b[0m words", 5);
	return making_finish(&making);
}

/* One stack, very deep. */
static struct profile *make_deep(uint32_t depth)
{
	struct making making;
	making_start(&making);
	making.builder.profile->is_timed = true;
	builder_name(&making.builder, 2, "py:down:1:/srv/down.py", 22, 1);
	stack_id stack = 0;
	frame_id frame = builder_frame(&making.builder, 2, 0, CODE_PYTHON);
	for (uint32_t i = 0; i < depth; i++)
		stack = builder_child(&making.builder, stack, frame);
	for (int i = 0; i < 20; i++)
		builder_sample(&making.builder, stack, 1, -1, 0);
	return making_finish(&making);
}

/* ---- a view in the middle of a canvas -------------------------------------------- */

struct stage {
	struct view_context context;
	struct profile *profile;
	void *state[VIEWS];
	struct canvas canvas;
};

static void stage_open(struct stage *stage, struct profile *profile)
{
	struct vp_error err;
	*stage = (struct stage){.profile = profile};
	stage->context.profile = profile;
	stage->context.series = SERIES_BOTH;
	stage->context.is_absolute = true;
	stage->context.generation = 1;
	query_init(&stage->context.query, profile);
	stage->context.clock = clock_make(profile, CLOCK_AUTO);
	stage->context.is_absolute = stage->context.clock.has_date;
	stage->context.tree = calltree_build(profile, &stage->context.query, &err);
	assert_non_null(stage->context.tree);
	stage->context.pyramid = pyramid_build(profile);
	for (int i = 0; i < VIEWS; i++)
		stage->state[i] = view_table[i]->open();
}

static void stage_close(struct stage *stage)
{
	for (int i = 0; i < VIEWS; i++)
		view_table[i]->close(stage->state[i]);
	calltree_free(stage->context.tree);
	pyramid_free(stage->context.pyramid);
	profile_free(stage->profile);
	canvas_free(&stage->canvas);
}

/* What the app does with a view's wishes, as far as they concern the views. */
static void stage_react(struct stage *stage, const struct reaction *reaction)
{
	if (reaction->want & WANT_CLOCK)
		stage->context.is_absolute =
			stage->context.clock.has_date && !stage->context.is_absolute;
	if (reaction->want & WANT_SERIES)
		stage->context.series = (stage->context.series + 1) % 3;
	if (reaction->want & WANT_UNIT)
		stage->context.unit = (stage->context.unit + 1) % 3;
	for (int i = 0; (reaction->want & WANT_VIEW) && i < VIEWS; i++)
		if (strcmp(view_table[i]->name, reaction->view) == 0)
			view_table[i]->select(stage->state[i], &stage->context, reaction->node,
				reaction->row, reaction->sample);
}

static void check_cell(const struct canvas *canvas, int x, int y, bool is_inside)
{
	const struct cell *cell = &canvas->cells[y * canvas->width + x];
	if (!is_inside)
		assert_int_equal(cell->character, UNTOUCHED);
	else
		assert_true(cell->character == 0 || cell->character == UNTOUCHED ||
			    (cell->character >= ' ' && cell->character != 0x7f));
	if (canvas->ascii)
		assert_true(cell->character < 0x7f);
	assert_true(cell->role < ROLE_COUNT);
}

static void stage_draw(struct stage *stage, int view, int width, int height)
{
	struct canvas *canvas = &stage->canvas;
	canvas->ascii = stage->context.ascii;
	canvas_resize(canvas, width + 2 * MARGIN, height + 2 * MARGIN);
	for (int i = 0; i < canvas->width * canvas->height; i++)
		canvas->cells[i].character = UNTOUCHED;
	view_table[view]->draw(stage->state[view], &stage->context, canvas,
		(struct box){MARGIN, MARGIN, width, height});
	for (int y = 0; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			check_cell(canvas, x, y,
				x >= MARGIN && x < MARGIN + width && y >= MARGIN &&
					y < MARGIN + height);
}

static void stage_words(struct stage *stage, int view)
{
	struct text words = {0};
	view_table[view]->status(stage->state[view], &stage->context, &words);
	view_table[view]->explain(stage->state[view], &stage->context, &words);
	for (size_t i = 0; i < words.length; i++)
		assert_true((unsigned char)words.data[i] >= ' ' || words.data[i] == '\n');
	text_free(&words);
}

static void play(struct stage *stage, uint64_t seed, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		int view = (int)(next_random(&seed) % 4);
		int width = 1 + (int)(next_random(&seed) % 130);
		int height = 1 + (int)(next_random(&seed) % 50);
		struct box area = {MARGIN, MARGIN, width, height};
		stage->context.ascii = next_random(&seed) % 2 == 0;
		stage->context.full_names = next_random(&seed) % 4 == 0;
		for (int keys = 0; keys < 6; keys++) {
			enum action action = (enum action)(next_random(&seed) % ACT_COUNT);
			struct reaction reaction = view_table[view]->act(
				stage->state[view], &stage->context, action, area);
			stage_react(stage, &reaction);
		}
		stage_draw(stage, view, width, height);
		stage_words(stage, view);
	}
}

/* ---- tests ---------------------------------------------------------------------- */

static void test_every_size(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(7, 300, true));
	for (int view = 0; view < VIEWS; view++)
		for (int width = 1; width <= 130; width += width < 12 ? 1 : 7)
			for (int height = 1; height <= 50; height += height < 14 ? 1 : 5)
				stage_draw(&stage, view, width, height);
	stage_close(&stage);
}

static void test_random_keys(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct stage stage;
		stage_open(&stage, make_random(seed, (int)(seed * seed * 5), seed % 2 == 0));
		play(&stage, seed, 120);
		stage_close(&stage);
	}
}

static void test_few_samples(void **state)
{
	(void)state;
	for (int samples = 0; samples <= 3; samples++) {
		struct stage stage;
		stage_open(&stage, make_random(5, samples, true));
		play(&stage, 11, 60);
		stage_close(&stage);
	}
}

static void test_deep_stack(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_deep(100000));
	play(&stage, 3, 40);
	stage_close(&stage);
}

static void test_tree_changes_below_a_view(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(1, 400, true));
	for (uint64_t seed = 2; seed < 10; seed++) {
		struct vp_error err;
		play(&stage, seed, 20);
		/* Another profile in the place of this one, as while one is loaded. */
		struct profile *old = stage.profile;
		struct calltree *old_tree = stage.context.tree;
		struct pyramid *old_pyramid = stage.context.pyramid;
		stage.profile = make_random(seed, (int)(seed * 50), seed % 3 != 0);
		stage.context.profile = stage.profile;
		stage.context.generation++;
		query_init(&stage.context.query, stage.profile);
		stage.context.clock = clock_make(stage.profile, CLOCK_AUTO);
		stage.context.tree = calltree_build(stage.profile, &stage.context.query, &err);
		stage.context.pyramid = pyramid_build(stage.profile);
		calltree_free(old_tree);
		pyramid_free(old_pyramid);
		profile_free(old);
	}
	stage_close(&stage);
}

/* What Enter opens has the function selected that the cursor was on. */
static void test_selection_goes_along(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage, make_random(9, 500, true));
	struct box area = {MARGIN, MARGIN, 100, 26};
	for (int i = 0; i < 8; i++) {
		struct reaction reaction =
			view_table[3]->act(stage.state[3], &stage.context, ACT_IN, area);
		assert_true(reaction.want & WANT_VIEW);
		assert_string_equal(reaction.view, "callers");
		reaction.view = "flame"; /* as 2 would */
		stage_react(&stage, &reaction);
		uint32_t node = 0;
		uint32_t row = 0;
		int64_t sample = -1;
		view_table[1]->selected(stage.state[1], &stage.context, &node, &row, &sample);
		assert_int_equal(row, reaction.row);
		stage_draw(&stage, 1, 100, 26);
		view_table[3]->act(stage.state[3], &stage.context, ACT_DOWN, area);
	}
	stage_close(&stage);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_random_keys),
		cmocka_unit_test(test_few_samples),
		cmocka_unit_test(test_deep_stack),
		cmocka_unit_test(test_tree_changes_below_a_view),
		cmocka_unit_test(test_selection_goes_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
