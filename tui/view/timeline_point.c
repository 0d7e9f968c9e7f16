/* SPDX-License-Identifier: MIT */
/* The timeline: the mouse. */
#include "view/timeline_state.h"

/* The bin of a column of the screen; beside the chart the nearest one. */
static const struct bin *point_bin(
	const struct timeline_state *state, const struct box *chart, int x)
{
	int64_t column = (int64_t)x - chart->x - CHART_LEFT;
	int64_t last = timeline_column_count(state) - 1;
	column = column < 0 ? 0 : column > last ? last : column;
	return &state->bins[column / state->columns_per_bin];
}

static bool point_is_in(const struct box *box, const struct pointer *pointer)
{
	return pointer->x >= box->x && pointer->x < box->x + box->width && pointer->y >= box->y &&
	       pointer->y < box->y + box->height;
}

static void point_press(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places, const struct pointer *pointer)
{
	size_t line;
	state->is_pressed = point_is_in(&places->chart, pointer);
	if (state->is_pressed) {
		const struct bin *bin = point_bin(state, &places->chart, pointer->x);
		state->cursor = timeline_middle(bin);
		state->press = (struct range){bin->first, bin->last};
	} else if (timeline_line_at(state, context, places->pane, pointer->x, pointer->y, &line)) {
		state->line = line;
		state->has_walked = true;
	}
}

/* From the pressed bin on a mark is made; one that the keys began is moved. */
static void point_drag(struct timeline_state *state, const struct timeline_places *places,
	const struct pointer *pointer)
{
	if (!state->is_pressed)
		return;
	if (!state->is_marking) {
		timeline_start_mark(state, state->press);
		state->is_dragging = true;
	}
	state->cursor = timeline_middle(point_bin(state, &places->chart, pointer->x));
}

static void point_release(struct timeline_state *state, const struct timeline_places *places,
	const struct pointer *pointer, struct reaction *reaction)
{
	state->is_pressed = false;
	if (!state->is_dragging)
		return;
	state->cursor = timeline_middle(point_bin(state, &places->chart, pointer->x));
	struct range marked = timeline_marked(state);
	if (marked.first < state->mark_start.first || marked.last > state->mark_start.last)
		timeline_end_mark(state, reaction);
	else
		state->is_marking = state->is_dragging = false;
}

static void point_wheel(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places, const struct pointer *pointer)
{
	int64_t length = (int64_t)(state->shown.last - state->shown.first);
	int64_t step = length / 8 > 0 ? length / 8 : 1;
	bool is_up = pointer->kind == POINTER_WHEEL_UP;
	if (pointer->kind == POINTER_WHEEL_LEFT || pointer->kind == POINTER_WHEEL_RIGHT) {
		timeline_pan(state, pointer->kind == POINTER_WHEEL_LEFT ? -step : step);
	} else if (point_is_in(&places->pane, pointer)) {
		size_t lines = timeline_lines(state, context->tree);
		state->line = is_up ? state->line - (state->line > 0)
				    : state->line + (state->line + 1 < lines);
		state->has_walked = true;
	} else {
		const struct bin *bin = point_bin(state, &places->chart, pointer->x);
		timeline_zoom(state, timeline_middle(bin), is_up);
	}
	timeline_hold_cursor(state);
}

struct reaction timeline_point(void *opaque, const struct view_context *context, struct box area,
	const struct pointer *pointer)
{
	struct timeline_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (series_is_shown(context))
		return series_point(&state->snapshots, context, area, pointer);
	if (!timeline_has_time(context) || !context->tree)
		return (struct reaction){.sample = -1};
	struct timeline_places places = timeline_divide(area);
	timeline_settle(state, context, &places);
	switch (pointer->kind) {
	case POINTER_PRESS:
		point_press(state, context, &places, pointer);
		break;
	case POINTER_DRAG:
		point_drag(state, &places, pointer);
		break;
	case POINTER_RELEASE:
		point_release(state, &places, pointer, &reaction);
		break;
	case POINTER_WHEEL_UP:
	case POINTER_WHEEL_DOWN:
	case POINTER_WHEEL_LEFT:
	case POINTER_WHEEL_RIGHT:
		point_wheel(state, context, &places, pointer);
		break;
	case POINTER_DOUBLE:
	case POINTER_RIGHT:
		return (struct reaction){.sample = -1};
	}
	state->has_moved = true;
	timeline_settle(state, context, &places);
	return reaction;
}
