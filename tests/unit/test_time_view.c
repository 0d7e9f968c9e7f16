/* SPDX-License-Identifier: MIT */
/* The timeline: zoom, the time window and its mark, peaks, the list of tails, search, mouse. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/make_profile.h"
#include "view/timeline_state.h"

/*
 * A run of SAMPLES samples. Memory rises slowly, with a spike at SPIKE and a lower one at
 * SMALL_SPIKE; the stack changes every ten samples, and "rare" runs at the two spikes only.
 */
enum { SAMPLES = 20000, SPIKE = 15000, SMALL_SPIKE = 4000, WIDTH = 100, HEIGHT = 26 };

/* The chart has a column a bin: what CHART_LEFT and a blank on the right leave. */
enum { BINS = WIDTH - CHART_LEFT - 1 };

static const struct box area = {0, 0, WIDTH, HEIGHT};

struct stage {
	struct view_context context;
	struct profile *profile;
	void *opaque;
	struct timeline_state *state; /* the same */
	struct canvas canvas;
	struct text dump;
	struct search search;
	uint8_t *hits;
};

static struct profile *make_run(void)
{
	static const char *const stacks[] = {"main;run;load;parse 1", "main;run;load 1",
		"main;run;train;forward 1", "main;run;train;backward;add 1", "main;run 1"};
	struct making making;
	making_start(&making);
	making.builder.profile->is_timed = true;
	making.builder.profile->has_start = true;
	making.builder.profile->has_offset = true;
	making.builder.profile->start_ns = INT64_C(1796031005) * 1000000000;
	for (int i = 0; i < SAMPLES; i++) {
		bool is_spike = i == SPIKE || i == SMALL_SPIKE;
		int64_t kib = 100000 + i + (i == SPIKE ? 300000 : is_spike ? 100000 : 0);
		making_add(&making, is_spike ? "main;run;rare;leaf 1" : stacks[i / 10 % 5], kib);
	}
	return making_finish(&making);
}

static void stage_open(struct stage *stage)
{
	struct vp_error err;
	*stage = (struct stage){.profile = make_run()};
	struct view_context *context = &stage->context;
	context->profile = stage->profile;
	context->series = SERIES_BOTH;
	context->generation = 1;
	query_init(&context->query, stage->profile);
	context->clock = clock_make(stage->profile, CLOCK_AUTO);
	context->tree = calltree_build(stage->profile, &context->query, &err);
	context->pyramid = pyramid_build(stage->profile);
	stage->state = stage->opaque = view_timeline.open();
}

static void stage_close(struct stage *stage)
{
	view_timeline.close(stage->opaque);
	calltree_free(stage->context.tree);
	pyramid_free(stage->context.pyramid);
	profile_free(stage->profile);
	canvas_free(&stage->canvas);
	text_free(&stage->dump);
	free(stage->hits);
}

static const char *stage_draw(struct stage *stage)
{
	stage->canvas.ascii = stage->context.ascii;
	canvas_resize(&stage->canvas, WIDTH, HEIGHT);
	view_timeline.draw(stage->opaque, &stage->context, &stage->canvas, area);
	text_clear(&stage->dump);
	canvas_dump(&stage->canvas, &stage->dump);
	return stage->dump.data;
}

static struct reaction stage_act(struct stage *stage, enum action action)
{
	struct reaction reaction = view_timeline.act(stage->opaque, &stage->context, action, area);
	if (reaction.want & WANT_WINDOW) { /* as the app does */
		stage->context.query.first = reaction.first;
		stage->context.query.last = reaction.last;
	}
	stage_draw(stage);
	return reaction;
}

static void stage_acts(struct stage *stage, enum action action, int times)
{
	while (times-- > 0)
		stage_act(stage, action);
}

static struct reaction stage_point(struct stage *stage, enum pointer_kind kind, int x, int y)
{
	const struct pointer pointer = {kind, x, y};
	struct reaction reaction =
		view_timeline.point(stage->opaque, &stage->context, area, &pointer);
	if (reaction.want & WANT_WINDOW) {
		stage->context.query.first = reaction.first;
		stage->context.query.last = reaction.last;
	}
	stage_draw(stage);
	return reaction;
}

static void assert_on_screen(struct stage *stage, const char *expected)
{
	if (!strstr(stage_draw(stage), expected))
		fail_msg("'%s' is not on the screen:\n%s", expected, stage->dump.data);
}

static void assert_shown(const struct stage *stage, uint64_t first, uint64_t last)
{
	assert_int_equal(stage->state->shown.first, first);
	assert_int_equal(stage->state->shown.last, last);
}

static const struct bin *cursor_bin(const struct stage *stage)
{
	return &stage->state->bins[timeline_bin(stage->state)];
}

/* ---- zoom ---------------------------------------------------------------------- */

static void zoom_keeps_the_cursor(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_draw(&stage);
	assert_shown(&stage, 0, SAMPLES);
	assert_int_equal(stage.state->cursor, SPIKE); /* at first the peak */
	uint64_t before = SAMPLES;
	for (int i = 0; i < 12; i++) {
		struct reaction reaction = stage_act(&stage, ACT_IN);
		uint64_t length = stage.state->shown.last - stage.state->shown.first;
		assert_true(length <= before && length >= BINS);
		assert_int_equal(length == before, reaction.notice != NULL);
		assert_int_equal(stage.state->cursor, SPIKE);
		assert_true(cursor_bin(&stage)->count >= 1);
		before = length;
	}
	assert_int_equal(before, BINS); /* a sample a column */
	stage_acts(&stage, ACT_OUT, 3);
	assert_int_equal(stage.state->shown.last - stage.state->shown.first, 8 * BINS);
	assert_int_equal(stage.state->cursor, SPIKE);
	stage_act(&stage, ACT_RESET);
	assert_shown(&stage, 0, SAMPLES);
	assert_non_null(stage_act(&stage, ACT_OUT).notice);
	stage_close(&stage);
}

static void pan_keeps_the_column(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_acts(&stage, ACT_IN, 3);
	struct range shown = stage.state->shown;
	size_t column = timeline_bin(stage.state);
	stage_act(&stage, ACT_PAN_LEFT);
	uint64_t half = (shown.last - shown.first) / 2;
	assert_shown(&stage, shown.first - half, shown.last - half);
	assert_int_equal(timeline_bin(stage.state), column);
	stage_act(&stage, ACT_PAN_RIGHT);
	assert_shown(&stage, shown.first, shown.last);
	assert_int_equal(stage.state->cursor, SPIKE);
	stage_acts(&stage, ACT_PAN_RIGHT, 20);
	assert_int_equal(stage.state->shown.last, SAMPLES);
	assert_string_equal(stage_act(&stage, ACT_PAN_RIGHT).notice, "This is the end of the run");
	stage_act(&stage, ACT_FIRST);
	assert_int_equal(stage.state->shown.first, 0);
	assert_int_equal(stage.state->cursor, 0);
	stage_act(&stage, ACT_LAST);
	assert_int_equal(stage.state->cursor, SAMPLES - 1);
	stage_close(&stage);
}

static void peaks_beyond_what_is_shown(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_acts(&stage, ACT_IN, 8); /* around the spike */
	assert_true(stage.state->shown.first > SMALL_SPIKE);
	stage_act(&stage, ACT_PEAK_PREVIOUS);
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	assert_true(stage.state->shown.first <= SMALL_SPIKE);
	assert_true(stage.state->shown.last > SMALL_SPIKE);
	assert_non_null(stage_act(&stage, ACT_PEAK_PREVIOUS).notice);
	stage_act(&stage, ACT_PEAK_NEXT);
	assert_int_equal(stage.state->cursor, SPIKE);
	stage_act(&stage, ACT_FIRST);
	stage_act(&stage, ACT_PEAK_HIGHEST);
	assert_int_equal(stage.state->cursor, SPIKE);
	stage_close(&stage);
}

/* ---- the window ------------------------------------------------------------------ */

static void a_window_from_elsewhere_is_shown(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage.context.query.first = 5000; /* --from, --to */
	stage.context.query.last = 5600;
	stage_draw(&stage);
	assert_shown(&stage, 4900, 5700);
	assert_true(stage.state->cursor >= 5000 && stage.state->cursor < 5600);
	assert_on_screen(&stage, "[\u2550\u2550\u2550");
	assert_on_screen(&stage, "zoom 25.0x");
	stage_act(&stage, ACT_RESET);
	assert_shown(&stage, 0, SAMPLES);
	assert_on_screen(&stage, "whole run");
	/* One that is well visible moves nothing. */
	stage.context.query.first = 2000;
	stage.context.query.last = 8000;
	stage_draw(&stage);
	assert_shown(&stage, 0, SAMPLES);
	/* Without one all stays as it is. */
	uint64_t cursor = stage.state->cursor;
	stage.context.query.first = 0;
	stage.context.query.last = SAMPLES;
	stage_draw(&stage);
	assert_shown(&stage, 0, SAMPLES);
	assert_int_equal(stage.state->cursor, cursor);
	assert_null(strstr(stage_draw(&stage), "\u2550"));
	stage_close(&stage);
}

static void mark_a_window(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_draw(&stage);
	assert_false(stage_act(&stage, ACT_CANCEL).handled); /* the app's Esc */
	uint64_t last = cursor_bin(&stage)->last;
	assert_false(stage_act(&stage, ACT_MARK).want & WANT_WINDOW);
	stage_acts(&stage, ACT_LEFT, 5);
	uint64_t first = cursor_bin(&stage)->first;
	assert_on_screen(&stage, "mark [");
	assert_on_screen(&stage, "\u25b2\u2550\u2550\u2550\u2550]");
	/* The stacks are those of all of it. */
	assert_int_equal(stage.state->detail.count, last - first);
	struct reaction reaction = stage_act(&stage, ACT_MARK);
	assert_true(reaction.want & WANT_WINDOW);
	assert_int_equal(reaction.first, first);
	assert_int_equal(reaction.last, last);
	assert_shown(&stage, 0, SAMPLES); /* v does not zoom */
	assert_true(stage.state->detail.count < 300);
	/* The same to the right, and Enter. */
	stage_act(&stage, ACT_MARK);
	first = cursor_bin(&stage)->first;
	stage_acts(&stage, ACT_RIGHT, 20);
	last = cursor_bin(&stage)->last;
	reaction = stage_act(&stage, ACT_IN);
	assert_true(reaction.want & WANT_WINDOW);
	assert_int_equal(reaction.first, first);
	assert_int_equal(reaction.last, last);
	assert_int_equal(stage.state->shown.first, first - (last - first) / 6);
	assert_int_equal(stage.state->shown.last, last + (last - first) / 6);
	stage_close(&stage);
}

static void drop_a_mark(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_act(&stage, ACT_MARK);
	stage_acts(&stage, ACT_RIGHT, 4);
	struct reaction reaction = stage_act(&stage, ACT_CANCEL);
	assert_true(reaction.handled);
	assert_false(reaction.want & WANT_WINDOW);
	assert_null(strstr(stage_draw(&stage), "mark ["));
	assert_false(stage_act(&stage, ACT_CANCEL).handled);
	/* Another profile drops it, too. */
	stage_act(&stage, ACT_MARK);
	stage.context.generation++;
	stage_draw(&stage);
	assert_false(stage.state->is_marking);
	stage_close(&stage);
}

/* ---- the mouse ------------------------------------------------------------------- */

static void drag_a_window(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_draw(&stage);
	stage_point(&stage, POINTER_PRESS, CHART_LEFT + 10, 4);
	assert_int_equal(timeline_bin(stage.state), 10);
	stage_point(&stage, POINTER_DRAG, CHART_LEFT + 14, 5);
	stage_point(&stage, POINTER_DRAG, CHART_LEFT + 20, 5);
	assert_on_screen(&stage, "mark [");
	struct reaction reaction = stage_point(&stage, POINTER_RELEASE, CHART_LEFT + 20, 5);
	assert_true(reaction.want & WANT_WINDOW);
	assert_int_equal(reaction.first, stage.state->bins[10].first);
	assert_int_equal(reaction.last, stage.state->bins[20].last);
	assert_shown(&stage, 0, SAMPLES);
	/* A click is no window, and outside of the chart nothing is dragged. */
	stage_point(&stage, POINTER_PRESS, CHART_LEFT + 40, 4);
	stage_point(&stage, POINTER_DRAG, CHART_LEFT + 40, 4);
	assert_false(stage_point(&stage, POINTER_RELEASE, CHART_LEFT + 40, 4).want & WANT_WINDOW);
	assert_false(stage.state->is_marking);
	stage_point(&stage, POINTER_DRAG, CHART_LEFT + 50, 4);
	assert_false(stage.state->is_marking);
	/* Beside the chart the nearest bin counts. */
	stage_point(&stage, POINTER_PRESS, CHART_LEFT + 40, 4);
	stage_point(&stage, POINTER_DRAG, 0, 25);
	reaction = stage_point(&stage, POINTER_RELEASE, 0, 25);
	assert_int_equal(reaction.first, 0);
	assert_int_equal(reaction.last, stage.state->bins[40].last);
	stage_close(&stage);
}

static void wheel_zooms_and_pans(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_draw(&stage);
	uint64_t below = timeline_middle(&stage.state->bins[30]);
	stage_point(&stage, POINTER_WHEEL_UP, CHART_LEFT + 30, 4);
	assert_int_equal(stage.state->shown.last - stage.state->shown.first, SAMPLES / 2);
	size_t column = timeline_bin_of(stage.state, below);
	assert_true(column >= 29 && column <= 31);
	uint64_t first = stage.state->shown.first;
	stage_point(&stage, POINTER_WHEEL_RIGHT, CHART_LEFT + 30, 4);
	assert_int_equal(stage.state->shown.first, first + SAMPLES / 16);
	stage_point(&stage, POINTER_WHEEL_LEFT, CHART_LEFT + 30, 4);
	assert_int_equal(stage.state->shown.first, first);
	stage_point(&stage, POINTER_WHEEL_DOWN, CHART_LEFT + 30, 4);
	assert_shown(&stage, 0, SAMPLES);
	stage_close(&stage);
}

/* ---- the list of tails --------------------------------------------------------------- */

static const char *selected_name(struct stage *stage)
{
	uint32_t node = 0;
	uint32_t row = 0;
	int64_t sample = -1;
	view_timeline.selected(stage->opaque, &stage->context, &node, &row, &sample);
	return profile_string(stage->profile, stage->context.tree->rows[row].name, NULL);
}

static void walk_and_unfold_tails(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_act(&stage, ACT_FIRST);
	assert_on_screen(&stage, "2 frames in all");
	assert_on_screen(&stage, "5 tails");
	assert_string_equal(selected_name(&stage), "run"); /* the common prefix */
	stage_act(&stage, ACT_DOWN);
	assert_string_equal(selected_name(&stage), "load");
	stage_act(&stage, ACT_UP);
	assert_string_equal(selected_name(&stage), "parse"); /* chosen now */
	stage_act(&stage, ACT_FOLD);
	assert_on_screen(&stage, "3 \u2502 load");
	assert_on_screen(&stage, "4 \u2502 parse");
	stage_act(&stage, ACT_DOWN);
	assert_string_equal(selected_name(&stage), "load"); /* the caller of parse */
	stage_act(&stage, ACT_DOWN);
	assert_string_equal(selected_name(&stage), "parse");
	stage_act(&stage, ACT_FOLD); /* from one of its frames, too */
	assert_null(strstr(stage_draw(&stage), "\u2502 parse"));
	assert_int_equal(stage.state->line, 0);
	stage_acts(&stage, ACT_DOWN, 20);
	assert_int_equal(stage.state->line, 4);
	/* Another bin, another list. */
	stage_act(&stage, ACT_RIGHT);
	assert_int_equal(stage.state->line, 0);
	stage_close(&stage);
}

static void press_a_tail(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	stage_act(&stage, ACT_FIRST);
	size_t line;
	struct timeline_places places = timeline_divide(area);
	int row = 0;
	while (row < HEIGHT &&
		!(timeline_line_at(stage.state, &stage.context, places.pane, 60, row, &line) &&
			line == 2))
		row++;
	assert_true(row < HEIGHT);
	stage_point(&stage, POINTER_PRESS, 60, row);
	assert_int_equal(stage.state->line, 2);
	stage_point(&stage, POINTER_WHEEL_DOWN, 60, row);
	assert_int_equal(stage.state->line, 3);
	stage_point(&stage, POINTER_PRESS, 60, HEIGHT - 1);
	stage_close(&stage);
}

/* ---- search --------------------------------------------------------------------------- */

static void search_for(struct stage *stage, const char *text)
{
	size_t count;
	uint32_t *rows = rows_matching(stage->context.tree, text, &count, NULL);
	free(stage->hits);
	stage->hits = calloc(stage->context.tree->row_count, 1);
	for (size_t i = 0; i < count; i++)
		stage->hits[rows[i]] = 1;
	free(rows);
	stage->search = (struct search){text, stage->hits, (uint32_t)count, 0};
	stage->context.search = &stage->search;
}

static enum found find(struct stage *stage, enum find where)
{
	return view_timeline.find(stage->opaque, &stage->context, area, where);
}

static void find_bins_with_hits(void **state)
{
	(void)state;
	struct stage stage;
	stage_open(&stage);
	assert_int_equal(find(&stage, FIND_HERE), FOUND_NOTHING); /* nothing is searched for */
	search_for(&stage, "rare");
	stage_act(&stage, ACT_FIRST);
	assert_int_equal(find(&stage, FIND_HERE), FOUND);
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	assert_string_equal(selected_name(&stage), "leaf"); /* the tail that has the hit */
	assert_on_screen(&stage, "\u2022 hits");
	struct text words = {0};
	view_timeline.status(stage.opaque, &stage.context, &words);
	assert_non_null(strstr(words.data, "ran in 2 of 92 bins"));
	text_free(&words);
	assert_int_equal(find(&stage, FIND_HERE), FOUND); /* it stays */
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	stage_acts(&stage, ACT_IN, 6);
	assert_true(stage.state->shown.last < SPIKE);
	assert_int_equal(find(&stage, FIND_FORWARD), FOUND); /* beyond what is shown */
	assert_int_equal(stage.state->cursor, SPIKE);
	assert_true(stage.state->shown.last > SPIKE);
	assert_int_equal(find(&stage, FIND_FORWARD), FOUND_WRAPPED);
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	assert_int_equal(find(&stage, FIND_BACKWARD), FOUND_WRAPPED);
	assert_int_equal(stage.state->cursor, SPIKE);
	assert_int_equal(find(&stage, FIND_BACKWARD), FOUND);
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	search_for(&stage, "nothing_of_that_name");
	assert_int_equal(find(&stage, FIND_FORWARD), FOUND_NOTHING);
	assert_int_equal(stage.state->cursor, SMALL_SPIKE);
	stage_close(&stage);
}

/* ---- filters ---------------------------------------------------------------------------- */

static void bins_that_a_filter_empties(void **state)
{
	(void)state;
	struct stage stage;
	struct vp_error err;
	stage_open(&stage);
	stage_draw(&stage);
	calltree_free(stage.context.tree);
	stage.context.query.filters[FILTER_FOCUS] = "rare";
	stage.context.tree = calltree_build(stage.profile, &stage.context.query, &err);
	stage.context.generation++;
	stage_draw(&stage);
	size_t filled = 0;
	for (size_t i = 0; i < stage.state->bin_count; i++)
		filled += stage.state->bins[i].count > 0;
	assert_int_equal(filled, 2);
	assert_on_screen(&stage, "\u00b7\u00b7\u00b7\u00b7");
	assert_on_screen(&stage, "(filtered out)");
	stage_act(&stage, ACT_LEFT);
	assert_on_screen(&stage, "no sample passes");
	stage_close(&stage);
}

/* ---- whatever comes ------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* A few samples of two threads, with memory or without. */
static struct profile *make_small(uint64_t seed, int samples, bool has_memory)
{
	struct making making;
	making_start(&making);
	making.builder.profile->is_timed = true;
	struct builder *builder = &making.builder;
	frame_id frames[5];
	for (uint64_t i = 0; i < 5; i++)
		frames[i] = builder_frame(builder, 100 + i, 0, CODE_PYTHON);
	for (int i = 0; i < samples; i++) {
		frame_id stack[40];
		size_t depth =
			next_random(&seed) % 4 == 0 ? next_random(&seed) % 40 : (size_t)i % 3;
		for (size_t k = 0; k < depth; k++)
			stack[k] = frames[next_random(&seed) % 5];
		builder_sample(builder, builder_stack(builder, stack, depth), 1,
			has_memory ? (int64_t)(next_random(&seed) % 5000) : -1,
			next_random(&seed) % 8 == 0 ? 2 : 1);
	}
	return making_finish(&making);
}

static void random_context(struct stage *stage, uint64_t *seed)
{
	struct view_context *context = &stage->context;
	uint64_t count = stage->profile->sample_count;
	context->ascii = next_random(seed) % 2 == 0;
	context->is_absolute = context->clock.has_date && next_random(seed) % 2 == 0;
	context->series = (enum chart_series)(next_random(seed) % 3);
	context->query.thread = (int32_t)(next_random(seed) % 4) - 1;
	if (context->query.thread >= (int32_t)stage->profile->thread_count)
		context->query.thread = -1;
	context->query.first = 0;
	context->query.last = count;
	if (count > 0 && next_random(seed) % 2 == 0) {
		context->query.first = next_random(seed) % count;
		context->query.last = context->query.first + 1 +
				      next_random(seed) % (count - context->query.first);
	}
	stage->search = (struct search){"x", stage->hits, 1, 0};
	context->search = next_random(seed) % 2 == 0 ? &stage->search : NULL;
}

static void random_step(struct stage *stage, uint64_t *seed, struct box box)
{
	struct reaction reaction = {0};
	const struct pointer pointer = {(enum pointer_kind)(next_random(seed) % 9),
		(int)(next_random(seed) % (uint64_t)box.width),
		(int)(next_random(seed) % (uint64_t)box.height)};
	if (next_random(seed) % 3 == 0)
		reaction = view_timeline.point(stage->opaque, &stage->context, box, &pointer);
	else if (next_random(seed) % 8 == 0)
		view_timeline.find(
			stage->opaque, &stage->context, box, (enum find)(next_random(seed) % 3));
	else
		reaction = view_timeline.act(stage->opaque, &stage->context,
			(enum action)(next_random(seed) % ACT_COUNT), box);
	if (!(reaction.want & WANT_WINDOW))
		return;
	assert_true(reaction.first < reaction.last);
	assert_true(reaction.last <= stage->profile->sample_count);
	stage->context.query.first = reaction.first;
	stage->context.query.last = reaction.last;
}

static void random_play(struct stage *stage, uint64_t seed)
{
	for (int i = 0; i < 150; i++) {
		struct box box = {0, 0, 1 + (int)(next_random(&seed) % 130),
			1 + (int)(next_random(&seed) % 50)};
		random_context(stage, &seed);
		for (int k = 0; k < 8; k++)
			random_step(stage, &seed, box);
		stage->canvas.ascii = stage->context.ascii;
		canvas_resize(&stage->canvas, box.width, box.height);
		view_timeline.draw(stage->opaque, &stage->context, &stage->canvas, box);
		struct text words = {0};
		view_timeline.status(stage->opaque, &stage->context, &words);
		view_timeline.explain(stage->opaque, &stage->context, &words);
		text_free(&words);
	}
}

static void whatever_comes(void **state)
{
	(void)state;
	static const int sizes[] = {0, 1, 2, 3, 70, 91, 92, 93, 400, 3000};
	struct stage stage = {.opaque = view_timeline.open()};
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct vp_error err;
		stage.profile = make_small(seed, sizes[seed % 10], seed % 3 != 0);
		struct view_context *context = &stage.context;
		context->profile = stage.profile;
		context->generation++;
		query_init(&context->query, stage.profile);
		context->query.filters[FILTER_IGNORE] = seed % 4 == 0 ? "0x65" : NULL;
		context->clock = clock_make(stage.profile, CLOCK_AUTO);
		context->tree = calltree_build(stage.profile, &context->query, &err);
		context->pyramid = pyramid_build(stage.profile);
		stage.hits = calloc(context->tree->row_count, 1);
		stage.hits[context->tree->row_count - 1] = 1;
		random_play(&stage, seed);
		calltree_free(context->tree);
		pyramid_free(context->pyramid);
		profile_free(stage.profile);
		free(stage.hits);
	}
	view_timeline.close(stage.opaque);
	canvas_free(&stage.canvas);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zoom_keeps_the_cursor),
		cmocka_unit_test(pan_keeps_the_column),
		cmocka_unit_test(peaks_beyond_what_is_shown),
		cmocka_unit_test(a_window_from_elsewhere_is_shown),
		cmocka_unit_test(mark_a_window),
		cmocka_unit_test(drop_a_mark),
		cmocka_unit_test(drag_a_window),
		cmocka_unit_test(wheel_zooms_and_pans),
		cmocka_unit_test(walk_and_unfold_tails),
		cmocka_unit_test(press_a_tail),
		cmocka_unit_test(find_bins_with_hits),
		cmocka_unit_test(bins_that_a_filter_empties),
		cmocka_unit_test(whatever_comes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
