/* SPDX-License-Identifier: MIT */
/* The timeline of a series of snapshots: keys of the bars, and the words. */
#include "view/timeline_series_state.h"

#include <stdlib.h>

bool series_is_shown(const struct view_context *context)
{
	return context->profile && context->tree && context->profile->snapshots;
}

void series_free(struct series_state *state)
{
	free(state->values);
	free(state->rows);
	text_free(&state->scratch);
	*state = (struct series_state){0};
}

/* ---- brought up to date ------------------------------------------------------------------- */

void series_settle(struct series_state *state, const struct view_context *context)
{
	const struct query *query = &context->query;
	const bool is_new = !state->values || state->generation != context->generation ||
			    state->type != query->type;
	if (is_new) {
		free(state->values);
		state->values = snapshots_build(context->tree);
		state->has_rows = false;
		state->is_marking = state->is_marking && state->generation == context->generation;
		series_find_wanted(state, context);
	}
	if (!state->count || state->count != context->profile->snapshot_count ||
		state->window != query->first)
		state->cursor = profile_snapshot_of(context->profile, query->first);
	state->count = context->profile->snapshot_count;
	state->window = query->first;
	state->value_width = common_value_width(context->tree, SERIES_VALUE);
	state->generation = context->generation;
	state->type = query->type;
	if (state->mark >= state->count)
		state->is_marking = false;
}

size_t series_before(const struct series_state *state)
{
	if (state->is_marking)
		return state->mark;
	return state->cursor > 0 ? state->cursor - 1 : 0;
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool series_move(struct series_state *state, enum action action)
{
	const size_t last = state->count - 1, page = state->count / 4 + 1;
	switch (action) {
	case ACT_LEFT:
		state->cursor -= state->cursor > 0;
		return true;
	case ACT_RIGHT:
		state->cursor += state->cursor < last;
		return true;
	case ACT_PAN_LEFT:
		state->cursor -= state->cursor < page ? state->cursor : page;
		return true;
	case ACT_PAN_RIGHT:
		state->cursor = last - state->cursor < page ? last : state->cursor + page;
		return true;
	case ACT_FIRST:
	case ACT_ROW_FIRST:
		state->cursor = 0;
		return true;
	case ACT_LAST:
	case ACT_ROW_LAST:
		state->cursor = last;
		return true;
	case ACT_PEAK_HIGHEST:
		for (size_t i = 0; i < state->count; i++)
			if (state->values[i].value > state->values[state->cursor].value)
				state->cursor = i;
		return true;
	default:
		return false;
	}
}

/* The snapshot below the cursor becomes the one that all views show. */
static void series_take(const struct series_state *state, struct reaction *reaction)
{
	const struct snapshot_value *value = &state->values[state->cursor];
	if (value->first == value->last) {
		reaction->notice = "This snapshot is empty";
		return;
	}
	reaction->want |= WANT_WINDOW | WANT_VIEW;
	reaction->view = "flame";
	reaction->first = value->first;
	reaction->last = value->last;
}

/* From the marked snapshot to that of the cursor, whichever comes first. */
static void series_grow(struct series_state *state, struct reaction *reaction)
{
	const bool is_later = state->cursor >= state->mark;
	const size_t from = is_later ? state->mark : state->cursor;
	const size_t to = is_later ? state->cursor : state->mark;
	state->is_marking = false;
	state->has_rows = false;
	if (from == to) {
		reaction->notice = "Growth needs two snapshots: v at the first, Enter at the last";
		return;
	}
	reaction->want |= WANT_GROWTH;
	reaction->first = from;
	reaction->last = to;
}

struct reaction series_act(struct series_state *state, const struct view_context *context,
	struct box area, enum action action)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	const struct reaction nothing = {.sample = -1};
	series_settle(state, context);
	if (action == ACT_MARK && !state->is_marking) {
		state->is_marking = true;
		state->mark = state->cursor;
	} else if (state->is_marking && (action == ACT_MARK || action == ACT_IN)) {
		series_grow(state, &reaction);
	} else if (action == ACT_IN) {
		series_take(state, &reaction);
	} else if (action == ACT_CANCEL) {
		if (!state->is_marking)
			return nothing;
		state->is_marking = false;
		state->has_rows = false;
	} else if (action == ACT_CLOCK) {
		reaction.want |= WANT_CLOCK;
	} else if (action == ACT_NAMES) {
		reaction.want |= WANT_NAMES;
	} else if (!series_move(state, action) && !series_move_row(state, context, area, action)) {
		return nothing;
	}
	return reaction;
}

void series_select(struct series_state *state, const struct view_context *context, uint64_t sample)
{
	series_settle(state, context);
	state->cursor = profile_snapshot_of(context->profile, sample);
}

uint32_t series_selected(const struct series_state *state, const struct view_context *context)
{
	return state->has_line && state->has_rows && state->generation == context->generation
		       ? state->wanted
		       : 0;
}

/* ---- words --------------------------------------------------------------------------------- */

void series_status(struct series_state *state, const struct view_context *context, struct text *out)
{
	series_settle(state, context);
	text_printf(out, "%s, a bar a snapshot", common_noun(context->tree));
}

void series_explain(const struct view_context *context, struct text *out)
{
	text_printf(out,
		"These are %zu profiles of one program, one after the other, and each bar is one of "
		"them: as high as what it counts, the %s of what the filters leave. What lives is not "
		"added up over time, so all other views show one snapshot, at first the last one; "
		"Enter shows another one as a flame graph.\n",
		context->profile->snapshot_count, common_noun(context->tree));
	text_puts(out,
		"v marks a snapshot; at another one Enter then shows what grew from the first of the "
		"two to the last, as a flame graph: red is more, green is less. q comes back here.\n"
		"Below the bars: what each function holds by itself in the snapshot of the cursor, and "
		"how that has changed since the one before, or since the marked one. j and k choose "
		"one of them, and / looks for it there; the other views then have it selected.\n");
}
