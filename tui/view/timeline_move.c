/* SPDX-License-Identifier: MIT */
/* The timeline: cursor, zoom, peaks, and the mark that becomes the time window. */
#include "view/timeline_state.h"

/* ---- cursor ------------------------------------------------------------------- */

/* Moves by bins; past an end of what is shown that goes along. */
static void move_by_bins(struct timeline_state *state, int64_t step)
{
	int64_t target = (int64_t)timeline_bin(state) + step;
	if (target >= 0 && target < (int64_t)state->bin_count) {
		state->cursor = timeline_middle(&state->bins[target]);
		return;
	}
	int64_t size = (int64_t)((state->shown.last - state->shown.first) / state->bin_count);
	int64_t highest = (int64_t)state->samples - 1;
	int64_t cursor = (int64_t)state->cursor + step * (size > 0 ? size : 1);
	cursor = cursor < 0 ? 0 : cursor > highest ? highest : cursor;
	state->cursor = (uint64_t)cursor;
	timeline_follow_cursor(state);
}

void timeline_hold_cursor(struct timeline_state *state)
{
	if (state->cursor < state->shown.first)
		state->cursor = state->shown.first;
	if (state->cursor >= state->shown.last)
		state->cursor = state->shown.last - 1;
}

void timeline_pan(struct timeline_state *state, int64_t step)
{
	int64_t first = (int64_t)state->shown.first + step;
	timeline_show(
		state, first > 0 ? (uint64_t)first : 0, state->shown.last - state->shown.first);
}

/* Half a screen; the cursor keeps its column. */
static const char *move_half_a_screen(struct timeline_state *state, int direction)
{
	uint64_t length = state->shown.last - state->shown.first;
	uint64_t offset = state->cursor - state->shown.first;
	uint64_t before = state->shown.first;
	timeline_pan(state, direction * (int64_t)(length / 2 + length % 2));
	state->cursor = state->shown.first + offset;
	if (state->shown.first != before)
		return NULL;
	return length == state->samples ? "This is the whole run"
	       : direction < 0          ? "This is the start of the run"
					: "This is the end of the run";
}

/* ---- zoom ------------------------------------------------------------------------ */

const char *timeline_zoom(struct timeline_state *state, uint64_t around, bool is_in)
{
	uint64_t length = state->shown.last - state->shown.first;
	uint64_t least = state->width < state->samples ? state->width : state->samples;
	if (is_in && length <= least)
		return "Each column is one sample already";
	if (!is_in && length == state->samples)
		return "This is the whole run";
	uint64_t wanted = is_in ? length - length / 2 : length * 2;
	if (wanted < least)
		wanted = least;
	if (wanted > state->samples)
		wanted = state->samples;
	double before = (double)(around - state->shown.first) / (double)length;
	uint64_t left = (uint64_t)(before * (double)wanted);
	timeline_show(state, around > left ? around - left : 0, wanted);
	return NULL;
}

/* ---- peaks ----------------------------------------------------------------------- */

static const char *move_to_peak(
	struct timeline_state *state, const struct view_context *context, enum action action)
{
	const struct bin_grid grid = {state->shown.first, state->shown.last, state->bin_count};
	struct bin peak;
	if (!profile_has_memory(context->profile))
		return "No memory was recorded, so there are no peaks";
	if (action == ACT_PEAK_HIGHEST) {
		state->cursor = timeline_highest(state, context, (struct range){0, state->samples});
	} else {
		bool is_next = action == ACT_PEAK_NEXT;
		if (!timeline_peak(timeline_pyramid(state, context), &grid, timeline_bin(state),
			    is_next ? 1 : -1, &peak))
			return is_next ? "There is no later peak" : "There is no earlier peak";
		state->cursor = peak.max_sample;
	}
	timeline_follow_cursor(state);
	return NULL;
}

/* ---- the mark -------------------------------------------------------------------- */

void timeline_start_mark(struct timeline_state *state, struct range start)
{
	state->is_marking = true;
	state->mark_start = start;
	state->marked = (struct bin){0};
}

struct range timeline_marked(const struct timeline_state *state)
{
	struct range marked = state->mark_start;
	const struct bin *bin = &state->bins[timeline_bin(state)];
	if (bin->first < marked.first)
		marked.first = bin->first;
	if (bin->last > marked.last)
		marked.last = bin->last;
	return marked;
}

void timeline_end_mark(struct timeline_state *state, struct reaction *reaction)
{
	state->wanted = timeline_marked(state);
	state->is_marking = state->is_dragging = false;
	reaction->want |= WANT_WINDOW;
	reaction->first = state->wanted.first;
	reaction->last = state->wanted.last;
}

/* ---- keys ------------------------------------------------------------------------ */

/* Left and right, by how many bins; 0: another action. */
static int64_t move_bins(enum action action, size_t bin_count)
{
	int64_t count = (int64_t)bin_count;
	switch (action) {
	case ACT_LEFT:
		return -1;
	case ACT_RIGHT:
		return 1;
	case ACT_HALF_UP:
		return -(count / 10 + 1);
	case ACT_HALF_DOWN:
		return count / 10 + 1;
	case ACT_PAGE_UP:
		return -(count / 4 + 1);
	case ACT_PAGE_DOWN:
		return count / 4 + 1;
	default:
		return 0;
	}
}

/* The ends of what is shown and of the run. */
static bool move_to_end(struct timeline_state *state, enum action action)
{
	if (action == ACT_ROW_FIRST)
		state->cursor = state->shown.first;
	else if (action == ACT_ROW_LAST)
		state->cursor = state->shown.last - 1;
	else if (action == ACT_FIRST)
		state->cursor = 0;
	else if (action == ACT_LAST)
		state->cursor = state->samples - 1;
	else
		return false;
	timeline_follow_cursor(state);
	return true;
}

bool timeline_move(struct timeline_state *state, const struct view_context *context,
	enum action action, const char **notice)
{
	int64_t step = move_bins(action, state->bin_count);
	if (step != 0) {
		move_by_bins(state, step);
		return true;
	}
	switch (action) {
	case ACT_IN:
	case ACT_OUT:
		*notice = timeline_zoom(state, state->cursor, action == ACT_IN);
		return true;
	case ACT_RESET:
		timeline_show(state, 0, state->samples);
		return true;
	case ACT_PAN_LEFT:
	case ACT_PAN_RIGHT:
		*notice = move_half_a_screen(state, action == ACT_PAN_LEFT ? -1 : 1);
		return true;
	case ACT_PEAK_NEXT:
	case ACT_PEAK_PREVIOUS:
	case ACT_PEAK_HIGHEST:
		*notice = move_to_peak(state, context, action);
		return true;
	default:
		return move_to_end(state, action);
	}
}
