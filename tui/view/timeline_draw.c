/* SPDX-License-Identifier: MIT */
/* The timeline: chart, axes, and the line about the bin below the cursor. */
#include "view/timeline_state.h"

#include <stdio.h>
#include <string.h>

enum { CURSOR_MARK = 0x25b2, WINDOW_LINE = 0x2550, HIT_MARK = 0x2022 };

static void timeline_moment(
	const struct view_context *context, uint64_t sample, int64_t step, char out[UNIT_SIZE])
{
	chart_moment(out, &context->clock, sample, context->is_absolute, step);
}

/* ---- header ------------------------------------------------------------------ */

/* A glyph of the chart and what it stands for; returns the cells used. */
static int timeline_draw_key(
	struct canvas *canvas, int x, int y, enum role role, uint32_t glyph, const char *word)
{
	canvas_put(canvas, x, y, role, glyph);
	return 2 + canvas_text(canvas, x + 2, y, 24, ROLE_DIM, word) + 2;
}

static int timeline_draw_memory_keys(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *line)
{
	const struct chart_cell full = {.ink = INK_MEAN, .eighth = 8};
	const struct chart_cell shade = {.ink = INK_MAX, .eighth = 8};
	bool ascii = context->ascii;
	int x = line->x + CHART_LEFT;
	canvas_text_right(
		canvas, line->x, line->y, CHART_LEFT - 2, ROLE_HEADING, state->chart.y_unit);
	x += timeline_draw_key(canvas, x, line->y, ROLE_MEAN,
		chart_glyph(full, ascii, context->no_eighths),
		context->series == SERIES_MAX ? "max" : "mean");
	if (context->series == SERIES_BOTH)
		x += timeline_draw_key(canvas, x, line->y, ROLE_MAX,
			chart_glyph(shade, ascii, context->no_eighths), "max");
	return x;
}

/* What the chart is made of; returns the column after it. */
static int timeline_draw_legend(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *line)
{
	int x = line->x + 1;
	if (profile_has_memory(context->profile)) {
		x = timeline_draw_memory_keys(state, context, canvas, line);
	} else {
		x += canvas_text(canvas, x, line->y, line->width - 2, ROLE_HEADING,
			"no memory was recorded; what ran, one sample a column");
		if (state->lanes_above > 0 && line->width >= 100)
			x += canvas_printf(canvas, x, line->y, line->width - x, ROLE_DIM,
				", below %u frame%s that all share", state->lanes_above,
				state->lanes_above == 1 ? "" : "s");
		x += 2;
	}
	if (timeline_settle_hits(state, context) && x + 8 < line->x + line->width)
		x += timeline_draw_key(canvas, x, line->y, ROLE_ACCENT, HIT_MARK, "hits");
	return x;
}

static void timeline_draw_header(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *line)
{
	char from[UNIT_SIZE];
	char to[UNIT_SIZE];
	char right[256];
	if (line->height < 1)
		return;
	uint64_t length = state->shown.last - state->shown.first;
	int64_t step = common_step(&context->clock, length / 50 + 1);
	timeline_moment(context, state->shown.first, step, from);
	timeline_moment(context, state->shown.last, step, to);
	char zoom[UNIT_SIZE] = "whole run";
	if (length < state->samples)
		snprintf(zoom, sizeof zoom, "zoom %.1fx", (double)state->samples / (double)length);
	snprintf(right, sizeof right, "%s \u2013 %s   %s   %zu bin%s", from, to, zoom,
		state->bin_count, state->bin_count == 1 ? "" : "s");
	int width = text_width(right, strlen(right));
	int x = timeline_draw_legend(state, context, canvas, line);
	if (x + width < line->x + line->width)
		canvas_text_right(canvas, line->x, line->y, line->width - 1, ROLE_DIM, right);
}

/* ---- marks on the chart -------------------------------------------------------- */

/* What is chosen in time: the mark while one is made, else the window. False: neither. */
static bool timeline_chosen(const struct timeline_state *state, const struct view_context *context,
	struct range *chosen)
{
	*chosen = state->is_marking ? timeline_marked(state)
				    : (struct range){context->query.first, context->query.last};
	return state->is_marking || timeline_has_window(context);
}

/* The columns of the chart that it covers: [*from, *to); none where it is not shown. */
static void timeline_columns(
	const struct timeline_state *state, const struct range *chosen, int *from, int *to)
{
	*from = *to = 0;
	if (chosen->last <= state->shown.first || chosen->first >= state->shown.last)
		return;
	*from = (int)timeline_bin_of(state, chosen->first) * state->columns_per_bin;
	*to = ((int)timeline_bin_of(state, chosen->last - 1) + 1) * state->columns_per_bin;
}

/* What lies outside of it is grey; what is blank there stays as it is, for fewer bytes. */
static void timeline_dim(struct canvas *canvas, struct box box)
{
	for (int y = box.y; y < box.y + box.height; y++)
		for (int x = box.x; x < box.x + box.width; x++)
			if (common_role_at(canvas, x, y) != ROLE_NORMAL)
				canvas_role(canvas, (struct box){x, y, 1, 1}, ROLE_FRAME_ROOT);
}

static void timeline_draw_chosen(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *area)
{
	struct range chosen;
	int from;
	int to;
	if (!timeline_chosen(state, context, &chosen))
		return;
	timeline_columns(state, &chosen, &from, &to);
	int left = area->x + CHART_LEFT;
	int axis = area->y + state->chart_height;
	timeline_dim(canvas, (struct box){left, area->y, from, state->chart_height});
	timeline_dim(canvas,
		(struct box){left + to, area->y, state->chart_width - to, state->chart_height});
	canvas_fill(
		canvas, (struct box){left + from, axis, to - from, 1}, ROLE_ACCENT, WINDOW_LINE);
	if (to - from < 2)
		return;
	if (chosen.first >= state->shown.first)
		canvas_put(canvas, left + from, axis, ROLE_ACCENT, '[');
	if (chosen.last <= state->shown.last)
		canvas_put(canvas, left + to - 1, axis, ROLE_ACCENT, ']');
}

static void timeline_draw_hits(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area)
{
	int axis = area->y + state->chart_height;
	if (!timeline_settle_hits(state, context) || state->hits.count == 0)
		return;
	/* In the middle of the bin, where it has several columns. */
	int x = area->x + CHART_LEFT + (state->columns_per_bin - 1) / 2;
	for (size_t i = 0; i < state->bin_count; i++, x += state->columns_per_bin)
		if (timeline_has_hit(state, &state->bins[i]))
			canvas_put(canvas, x, axis, ROLE_ACCENT, HIT_MARK);
}

/* ---- chart ------------------------------------------------------------------- */

static void timeline_draw_chart(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area)
{
	bool has_memory = profile_has_memory(context->profile);
	common_chart(context, canvas, *area, &state->chart, state->columns,
		(size_t)timeline_column_count(state), has_memory);
	if (!has_memory)
		timeline_draw_lanes(state, context, canvas, area);
	timeline_draw_chosen(state, context, canvas, area);
	timeline_draw_hits(state, context, canvas, area);
	int each = state->columns_per_bin;
	int x = area->x + CHART_LEFT + (int)timeline_bin(state) * each;
	canvas_look(canvas, (struct box){x, area->y, each, state->chart_height}, LOOK_REVERSE);
	canvas_put(canvas, x + (each - 1) / 2, area->y + state->chart_height, ROLE_ACCENT,
		CURSOR_MARK);
}

/* ---- the bin below the cursor --------------------------------------------------- */

/* Adds one piece to the status line if there is room for it; `gap` blanks before it. */
static int timeline_add(struct canvas *canvas, const struct box *line, int used, int gap,
	enum role role, const char *piece)
{
	int width = text_width(piece, strlen(piece));
	if (used + gap + width > line->width - 1)
		return used;
	canvas_text(canvas, line->x + used + gap, line->y, width, role, piece);
	return used + gap + width;
}

/* Mean, max and when the max was; in little room the max goes first. */
static int timeline_add_memory(const struct view_context *context, struct canvas *canvas,
	const struct box *line, int used, const struct bin *bin)
{
	char mean[UNIT_SIZE];
	char max[UNIT_SIZE];
	char moment[UNIT_SIZE];
	char piece[160];
	int gap = line->width >= 100 ? 3 : 2;
	units_value(mean, (int64_t)(bin->mean + 0.5), "bytes");
	units_value(max, bin->max, "bytes");
	timeline_moment(context, bin->max_sample, common_step(&context->clock, 1), moment);
	if (line->width < 60) {
		snprintf(piece, sizeof piece, "max %s", max);
		used = timeline_add(canvas, line, used, gap, ROLE_ACCENT, piece);
		snprintf(piece, sizeof piece, "mean %s", mean);
		return timeline_add(canvas, line, used, gap, ROLE_NORMAL, piece);
	}
	snprintf(piece, sizeof piece, "mean %s", mean);
	used = timeline_add(canvas, line, used, gap, ROLE_NORMAL, piece);
	snprintf(piece, sizeof piece, "max %s at %s", max, moment);
	return timeline_add(canvas, line, used, gap, ROLE_ACCENT, piece);
}

/* "54 samples of 3 threads": of the range below which the stacks stand. */
static int timeline_add_samples(const struct timeline_state *state, struct canvas *canvas,
	const struct box *line, int used, uint64_t samples)
{
	char count[UNIT_SIZE];
	char piece[128];
	uint32_t threads = state->is_too_long ? 0 : state->detail.thread_count;
	int length = snprintf(piece, sizeof piece, "%s sample%s",
		units_count(count, (int64_t)samples), samples == 1 ? "" : "s");
	if (threads > 0 && length > 0)
		snprintf(piece + length, sizeof piece - (size_t)length, " of %u thread%s", threads,
			threads == 1 ? "" : "s");
	return timeline_add(canvas, line, used, line->width >= 100 ? 3 : 2, ROLE_DIM, piece);
}

static void timeline_add_mark_keys(struct canvas *canvas, const struct box *line, int used)
{
	static const char *const keys[] = {"v take it", "Enter zoom", "Esc drop"};
	for (int i = 0; i < 3; i++) {
		int before = used;
		used = timeline_add(canvas, line, used, 2, ROLE_DIM, keys[i]);
		if (used == before)
			return;
	}
}

/* The mark: from when to when, how long, what it holds, and how to end it. */
static void timeline_draw_mark(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *line)
{
	char from[UNIT_SIZE];
	char to[UNIT_SIZE];
	char piece[160];
	const struct bin *marked = &state->marked;
	const struct clock *clock = &context->clock;
	int64_t step = common_step(clock, (state->shown.last - state->shown.first) /
						  (state->bin_count > 0 ? state->bin_count : 1));
	int gap = line->width >= 100 ? 3 : 2;
	timeline_moment(context, marked->first, step, from);
	timeline_moment(context, marked->last, step, to);
	snprintf(piece, sizeof piece, "mark [%s \u2013 %s]", from, to);
	int used = timeline_add(canvas, line, 0, 1, ROLE_ACCENT, piece);
	if (clock->kind != TIME_NONE && line->width >= 70) {
		units_duration(
			from, clock_time(clock, marked->last) - clock_time(clock, marked->first));
		used = timeline_add(canvas, line, used, gap, ROLE_NORMAL, from);
	}
	used = timeline_add_samples(state, canvas, line, used, marked->count);
	if (profile_has_memory(context->profile) && marked->count > 0 && line->width >= 100) {
		snprintf(piece, sizeof piece, "mean %s",
			units_value(from, (int64_t)(marked->mean + 0.5), "bytes"));
		used = timeline_add(canvas, line, used, gap, ROLE_NORMAL, piece);
		snprintf(piece, sizeof piece, "max %s", units_value(from, marked->max, "bytes"));
		used = timeline_add(canvas, line, used, gap, ROLE_ACCENT, piece);
	}
	timeline_add_mark_keys(canvas, line, used);
}

static void timeline_draw_status(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *line)
{
	char from[UNIT_SIZE];
	char to[UNIT_SIZE];
	char piece[160];
	size_t i = timeline_bin(state);
	const struct bin *bin = &state->bins[i];
	int64_t step = common_step(&context->clock, bin->last - bin->first);
	bool is_wide = line->width >= 100;
	int gap = is_wide ? 3 : 2;
	snprintf(piece, sizeof piece, is_wide ? "\u25b2 bin %zu/%zu" : "\u25b2 %zu/%zu", i + 1,
		state->bin_count);
	int used = timeline_add(canvas, line, 0, 1, ROLE_ACCENT, piece);
	timeline_moment(context, bin->first, step, from);
	timeline_moment(context, bin->last, step, to);
	snprintf(piece, sizeof piece, "%s \u2013 %s", from, to);
	used = timeline_add(canvas, line, used, gap, ROLE_NORMAL, is_wide ? piece : from);
	if (is_wide && context->is_absolute) {
		chart_moment(piece, &context->clock, bin->first, false, step);
		used = timeline_add(canvas, line, used, gap, ROLE_DIM, piece);
	}
	if (bin->count == 0) {
		timeline_add(canvas, line, used, gap, ROLE_DIM,
			state->has_drops ? "no sample passes" : "no sample of this thread");
		return;
	}
	if (profile_has_memory(context->profile))
		used = timeline_add_memory(context, canvas, line, used, bin);
	timeline_add_samples(state, canvas, line, used, bin->count);
}

/* Nothing to show at all; a window without samples is still a place in the run. */
static bool timeline_is_empty(
	const struct view_context *context, struct canvas *canvas, struct box area)
{
	if (context->profile && context->tree && timeline_has_time(context) &&
		(timeline_has_window(context) || context->query.first >= context->query.last))
		return false;
	return common_empty(context, canvas, area);
}

void timeline_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct timeline_state *state = opaque;
	if (common_is_too_small(area) || timeline_is_empty(context, canvas, area))
		return;
	if (series_is_shown(context)) {
		series_draw(&state->snapshots, context, canvas, area);
		return;
	}
	if (!timeline_has_time(context)) {
		int room = area.width > 64 ? 60 : area.width - 2;
		common_wrap(canvas,
			(struct box){area.x + (area.width - room) / 2, area.y + area.height / 3,
				room, 5},
			ROLE_NORMAL,
			context->is_loading
				? "The samples are still being read: the timeline comes with them. "
				  "Flame and Top are there already."
				: "This profile is a call tree: it says how often, but not when. "
				  "So there is no timeline; see Flame and Top.");
		return;
	}
	struct timeline_places places = timeline_divide(area);
	timeline_settle(state, context, &places);
	if (state->bin_count == 0)
		return;
	timeline_draw_header(state, context, canvas, &places.header);
	timeline_draw_chart(state, context, canvas, &places.chart);
	if (places.status.height > 0) {
		if (state->is_marking)
			timeline_draw_mark(state, context, canvas, &places.status);
		else
			timeline_draw_status(state, context, canvas, &places.status);
	}
	timeline_draw_pane(state, context, canvas, places.pane);
}
