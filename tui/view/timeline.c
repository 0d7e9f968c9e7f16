/* SPDX-License-Identifier: MIT */
/*
 * The timeline: its keys, and the view. What is shown is kept in timeline_place.c; cursor and mark
 * move in timeline_move.c; timeline_draw.c, timeline_lanes.c and timeline_pane.c draw.
 */
#include "view/timeline_state.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- keys ------------------------------------------------------------------------ */

/* The list of tails. */
static bool timeline_walk(struct timeline_state *state, const struct view_context *context,
	enum action action, const char **notice)
{
	size_t lines = timeline_lines(state, context->tree);
	if (action == ACT_FOLD) {
		*notice = timeline_fold(state, context->tree);
		return true;
	}
	if (action == ACT_UP)
		state->line -= state->line > 0;
	else if (action == ACT_DOWN)
		state->line += state->line + 1 < lines;
	else
		return false;
	state->has_walked = true;
	return true;
}

/* Begins, ends and drops the mark. */
static bool timeline_mark(
	struct timeline_state *state, enum action action, struct reaction *reaction)
{
	if (action == ACT_MARK && !state->is_marking) {
		const struct bin *bin = &state->bins[timeline_bin(state)];
		timeline_start_mark(state, (struct range){bin->first, bin->last});
		return true;
	}
	if (!state->is_marking)
		return false;
	if (action == ACT_MARK || action == ACT_IN) {
		timeline_end_mark(state, reaction);
		if (action == ACT_IN)
			timeline_show_range(state, state->wanted);
		return true;
	}
	if (action != ACT_CANCEL)
		return false;
	state->is_marking = state->is_dragging = false;
	return true;
}

/* What the app changes for all views; 0: another action. */
static unsigned timeline_wish(enum action action)
{
	switch (action) {
	case ACT_CLOCK:
		return WANT_CLOCK;
	case ACT_SERIES:
		return WANT_SERIES;
	case ACT_NAMES:
		return WANT_NAMES;
	default:
		return 0;
	}
}

static struct reaction timeline_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct timeline_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (series_is_shown(context))
		return series_act(&state->snapshots, context, area, action);
	reaction.want |= timeline_wish(action);
	if (reaction.want != WANT_REDRAW)
		return reaction;
	if (!timeline_has_time(context) || !context->tree)
		return (struct reaction){.sample = -1};
	struct timeline_places places = timeline_divide(area);
	timeline_settle(state, context, &places);
	if (!timeline_mark(state, action, &reaction) &&
		!timeline_walk(state, context, action, &reaction.notice) &&
		!timeline_move(state, context, action, &reaction.notice))
		return (struct reaction){.sample = -1};
	state->has_moved = true;
	timeline_settle(state, context, &places);
	return reaction;
}

/* ---- the view -------------------------------------------------------------------- */

static void *timeline_open(void)
{
	return memory_new(1, sizeof(struct timeline_state));
}

static void timeline_close(void *opaque)
{
	struct timeline_state *state = opaque;
	if (state->has_chart)
		chart_free(&state->chart);
	series_free(&state->snapshots);
	bin_detail_free(&state->detail);
	sample_set_free(&state->hits);
	pyramid_free(state->chosen);
	free(state->bins);
	free(state->columns);
	free(state->lanes);
	text_free(&state->scratch);
	free(state);
}

static void timeline_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct timeline_state *state = opaque;
	(void)node;
	(void)row;
	if (sample < 0 || !timeline_has_time(context) ||
		(uint64_t)sample >= context->profile->sample_count)
		return;
	if (series_is_shown(context)) {
		series_select(&state->snapshots, context, (uint64_t)sample);
		return;
	}
	timeline_settle_window(state, context);
	state->cursor = (uint64_t)sample;
	state->has_moved = true;
	timeline_follow_cursor(state);
}

/* The line of the list once the user has walked it, else what all stacks of the bin begin with. */
static void timeline_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct timeline_state *state = opaque;
	if (series_is_shown(context)) { /* the snapshot is the window */
		*row = series_selected(&state->snapshots, context);
		return;
	}
	if (!state->is_settled || !state->has_moved || state->generation != context->generation)
		return;
	*sample = (int64_t)state->cursor;
	if (!state->has_detail)
		return;
	*node = timeline_node(state, context->tree);
	*row = context->tree->row[*node];
}

const struct view view_timeline = {
	.name = "timeline",
	.tab = "Time",
	.digit = 3,
	.where = IN_TIMELINE,
	.open = timeline_open,
	.close = timeline_close,
	.draw = timeline_draw,
	.act = timeline_act,
	.select = timeline_select,
	.status = timeline_status,
	.explain = timeline_explain,
	.selected = timeline_selected,
	.find = timeline_find,
	.keep = timeline_keep,
	.restore = timeline_restore,
	.point = timeline_point,
};
