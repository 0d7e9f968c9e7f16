/* SPDX-License-Identifier: MIT */
/* The timeline: chart, axes, and the line about the bin below the cursor. */
#include "view/timeline_state.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_EDGE = 0x258f, CURSOR_MARK = 0x25b2 };

static void timeline_moment(
	const struct view_context *context, uint64_t sample, int64_t step, char out[UNIT_SIZE])
{
	chart_moment(out, &context->clock, sample, context->is_absolute, step);
}

/* ---- header ------------------------------------------------------------------ */

static void timeline_draw_legend(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *line)
{
	int x = line->x + 1;
	if (!profile_has_memory(context->profile)) {
		char text[96];
		snprintf(
			text, sizeof text, "no memory was recorded; what ran, one sample a column");
		int used = canvas_text(canvas, x, line->y, line->width - 2, ROLE_HEADING, text);
		if (state->lanes_above > 0 && line->width >= 100)
			canvas_printf(canvas, x + used, line->y, line->width - 2 - used, ROLE_DIM,
				", below %u frame%s that all share", state->lanes_above,
				state->lanes_above == 1 ? "" : "s");
		return;
	}
	canvas_text_right(
		canvas, line->x, line->y, CHART_LEFT - 2, ROLE_HEADING, state->chart.y_unit);
	x = line->x + CHART_LEFT;
	struct chart_cell full = {.ink = INK_MEAN, .eighth = 8};
	struct chart_cell shade = {.ink = INK_MAX, .eighth = 8};
	bool is_max = context->series == SERIES_MAX;
	canvas_put(canvas, x, line->y, ROLE_MEAN,
		chart_glyph(full, context->ascii, context->no_eighths));
	x += 2 + canvas_text(canvas, x + 2, line->y, 6, ROLE_DIM, is_max ? "max" : "mean") + 2;
	if (context->series != SERIES_BOTH)
		return;
	canvas_put(canvas, x, line->y, ROLE_MAX,
		chart_glyph(shade, context->ascii, context->no_eighths));
	canvas_text(canvas, x + 2, line->y, 6, ROLE_DIM, "max");
}

static void timeline_draw_header(const struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct box *line)
{
	char from[UNIT_SIZE];
	char to[UNIT_SIZE];
	char right[200];
	if (line->height < 1)
		return;
	uint64_t length = state->last - state->first;
	uint64_t whole = context->query.last - context->query.first;
	int64_t step = common_step(&context->clock, length / 50 + 1);
	timeline_moment(context, state->first, step, from);
	timeline_moment(context, state->last, step, to);
	char zoom[UNIT_SIZE] = "whole run";
	if (length < whole)
		snprintf(zoom, sizeof zoom, "zoom %.1fx", (double)whole / (double)length);
	snprintf(right, sizeof right, "%s \u2013 %s   %s   %zu bins", from, to, zoom,
		state->bin_count);
	int width = text_width(right, strlen(right));
	timeline_draw_legend(state, context, canvas, line);
	int taken = profile_has_memory(context->profile) ? 24 : 92;
	if (width + taken <= line->width)
		canvas_text_right(canvas, line->x, line->y, line->width - 1, ROLE_DIM, right);
}

/* ---- chart ------------------------------------------------------------------- */

/* A lane: runs of columns with the same frame are one box. */
static void timeline_draw_lane(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area, int lane)
{
	const uint32_t *nodes = state->lanes + (size_t)lane * (size_t)state->chart_width;
	int y = area->y + lane;
	enum role beside = ROLE_NORMAL;
	for (int column = 0, end; column < (int)state->bin_count; column = end) {
		uint32_t node = nodes[column];
		for (end = column + 1; end < (int)state->bin_count && nodes[end] == node; end++)
			;
		if (node == 0) {
			beside = ROLE_NORMAL;
			continue;
		}
		struct box box = {area->x + CHART_LEFT + column, y, end - column, 1};
		enum role above = lane > 0 ? common_role_at(canvas, box.x, y - 1) : ROLE_NORMAL;
		enum role role =
			common_frame_role(context->tree, node, COLOUR_BY_MODULE, beside, above);
		canvas_fill(canvas, box, role, ' ');
		canvas_put(canvas, box.x, y, role, LEFT_EDGE);
		text_clear(&state->scratch);
		flame_label_with(
			context->tree, node, "", box.width - 1, context->ascii, &state->scratch);
		if (state->scratch.length > 0)
			canvas_text(canvas, box.x + 1, y, box.width - 1, role, state->scratch.data);
		beside = role;
		if (end < (int)state->bin_count && nodes[end] == 0)
			canvas_put(canvas, box.x + box.width, y, ROLE_RULE, LEFT_EDGE);
	}
}

static void timeline_draw_chart(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area)
{
	bool has_memory = profile_has_memory(context->profile);
	common_chart(
		context, canvas, *area, &state->chart, state->bins, state->bin_count, has_memory);
	for (int lane = 0; !has_memory && lane < state->chart_height; lane++)
		timeline_draw_lane(state, context, canvas, area, lane);
	int x = area->x + CHART_LEFT + (int)timeline_bin(state);
	canvas_look(canvas, (struct box){x, area->y, 1, state->chart_height}, LOOK_REVERSE);
	canvas_put(canvas, x, area->y + state->chart_height, ROLE_ACCENT, CURSOR_MARK);
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
	if (line->height < 1)
		return;
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
		timeline_add(canvas, line, used, gap, ROLE_DIM, "no sample of this thread");
		return;
	}
	if (profile_has_memory(context->profile))
		used = timeline_add_memory(context, canvas, line, used, bin);
	char count[UNIT_SIZE];
	snprintf(piece, sizeof piece, "%s sample%s", units_count(count, (int64_t)bin->count),
		bin->count == 1 ? "" : "s");
	timeline_add(canvas, line, used, gap, ROLE_DIM, piece);
}

void timeline_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct timeline_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
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
	timeline_draw_status(state, context, canvas, &places.status);
	timeline_draw_pane(state, context, canvas, places.pane);
}
