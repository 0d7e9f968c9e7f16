/* SPDX-License-Identifier: MIT */
/* The timeline: what is shown, bins, chart and bin detail, brought up to date after a change. */
#include "view/timeline_state.h"

#include <string.h>

#include "base/memory.h"

enum {
	TIMELINE_MOST_ROWS = 22, /* a higher chart says no more, the stacks below it do */
	TIMELINE_MOST_TAILS = 10000,
	/* More samples are not counted at each step of a mark: that takes longer than a key may. */
	TIMELINE_MOST_MARKED = 2000000,
};

/* ---- what is shown ----------------------------------------------------------- */

bool timeline_has_time(const struct view_context *context)
{
	return context->profile && context->profile->is_timed && context->pyramid &&
	       context->profile->sample_count > 0;
}

bool timeline_has_window(const struct view_context *context)
{
	const struct query *query = &context->query;
	return query->first < query->last &&
	       (query->first > 0 || query->last < context->profile->sample_count);
}

struct timeline_places timeline_divide(struct box area)
{
	struct timeline_places places = {0};
	int header = area.height >= 10;
	int status = area.height >= 4;
	int rows =
		area.height >= 10 ? (area.height - 4) / 2 : area.height - status - CHART_BOTTOM - 1;
	if (rows < 1)
		rows = 1;
	if (rows > TIMELINE_MOST_ROWS)
		rows = TIMELINE_MOST_ROWS;
	int y = area.y;
	places.header = (struct box){area.x, y, area.width, header};
	y += header;
	places.chart = (struct box){area.x, y, area.width, rows + CHART_BOTTOM};
	y += rows + CHART_BOTTOM;
	places.status = (struct box){area.x, y, area.width, status};
	y += status;
	int left = area.y + area.height - y;
	places.pane = (struct box){area.x, y, area.width, left > 0 ? left : 0};
	return places;
}

size_t timeline_bin_of(const struct timeline_state *state, uint64_t sample)
{
	size_t low = 0;
	size_t high = state->bin_count;
	while (high - low > 1) { /* the last bin that begins at or before the sample */
		size_t middle = low + (high - low) / 2;
		if (state->bins[middle].first <= sample)
			low = middle;
		else
			high = middle;
	}
	return low;
}

size_t timeline_bin(const struct timeline_state *state)
{
	return timeline_bin_of(state, state->cursor);
}

int timeline_column_count(const struct timeline_state *state)
{
	return (int)state->bin_count * state->columns_per_bin;
}

uint64_t timeline_middle(const struct bin *bin)
{
	return bin->first + (bin->last - bin->first) / 2;
}

void timeline_show(struct timeline_state *state, uint64_t first, uint64_t length)
{
	if (length > state->samples)
		length = state->samples;
	if (first > state->samples - length)
		first = state->samples - length;
	state->shown = (struct range){first, first + length};
}

void timeline_show_range(struct timeline_state *state, struct range range)
{
	uint64_t length = range.last - range.first;
	uint64_t margin = length / 6;
	if (length + 2 * margin < state->width) /* each column holds at least one sample */
		margin = (state->width - length + 1) / 2;
	timeline_show(state, range.first > margin ? range.first - margin : 0, length + 2 * margin);
}

void timeline_follow_cursor(struct timeline_state *state)
{
	uint64_t length = state->shown.last - state->shown.first;
	if (state->cursor >= state->shown.first && state->cursor < state->shown.last)
		return;
	timeline_show(state, state->cursor > length / 2 ? state->cursor - length / 2 : 0, length);
}

const struct pyramid *timeline_pyramid(
	const struct timeline_state *state, const struct view_context *context)
{
	return state->chosen ? state->chosen : context->pyramid;
}

uint64_t timeline_highest(
	const struct timeline_state *state, const struct view_context *context, struct range range)
{
	struct bin bin;
	if (!profile_has_memory(context->profile) ||
		timeline_bins(timeline_pyramid(state, context), range.first, range.last, -1, &bin,
			1) != 1 ||
		bin.count == 0)
		return range.first;
	return bin.max_sample;
}

static bool timeline_drops(const struct calltree *tree)
{
	if (tree->set_passes)
		return true;
	for (uint32_t i = 0; tree->node_of_stack && i < tree->profile->stack_count; i++)
		if (tree->node_of_stack[i] == NODE_DROPPED)
			return true;
	return false;
}

/* Another profile, tree or thread: nothing that was made from the old one is right. */
static void timeline_forget(struct timeline_state *state, const struct view_context *context)
{
	bool was_whole = !state->is_settled ||
			 (state->shown.first == 0 && state->shown.last == state->samples);
	state->samples = context->profile->sample_count;
	if (state->generation != context->generation || !state->is_settled)
		state->has_drops = timeline_drops(context->tree);
	pyramid_free(state->chosen);
	state->chosen = NULL;
	if (state->has_drops || (context->query.thread >= 0 && context->profile->sample_thread))
		state->chosen = pyramid_build_of(context->profile,
			state->has_drops ? context->tree : NULL, context->query.thread);
	state->has_detail = false;
	state->is_marking = state->is_dragging = state->is_pressed = false;
	if (state->has_chart)
		chart_free(&state->chart);
	state->has_chart = false;
	if (was_whole)
		timeline_show(state, 0, state->samples);
	else
		timeline_show(state, state->shown.first, state->shown.last - state->shown.first);
	if (state->cursor >= state->samples)
		state->cursor = state->samples - 1;
}

/* A window that came from elsewhere: it must be well visible, and the cursor in it. */
static void timeline_enter_window(struct timeline_state *state, const struct view_context *context)
{
	struct range window = {context->query.first, context->query.last};
	uint64_t length = window.last - window.first;
	bool is_clear = window.first >= state->shown.first && window.last <= state->shown.last &&
			length >= (state->shown.last - state->shown.first) / 6;
	if (!is_clear)
		timeline_show_range(state, window);
	if (state->cursor < window.first || state->cursor >= window.last)
		state->cursor = timeline_highest(state, context, window);
}

void timeline_settle_window(struct timeline_state *state, const struct view_context *context)
{
	const struct query *query = &context->query;
	bool is_same_run = state->is_settled && state->generation == context->generation &&
			   state->query.thread == query->thread;
	bool is_same_window = state->is_settled && state->query.first == query->first &&
			      state->query.last == query->last;
	if (is_same_run && is_same_window)
		return;
	bool is_own = state->wanted.first == query->first && state->wanted.last == query->last;
	if (!is_same_run)
		timeline_forget(state, context);
	if (!state->has_moved)
		state->cursor =
			timeline_highest(state, context, (struct range){query->first, query->last});
	if (!is_same_window && !is_own && timeline_has_window(context))
		timeline_enter_window(state, context);
	state->wanted = (struct range){0};
	state->query = *query;
	state->generation = context->generation;
	state->is_settled = true;
	timeline_follow_cursor(state);
}

/* ---- bins, chart, detail --------------------------------------------------------- */

static void timeline_make_columns(struct timeline_state *state, size_t width)
{
	size_t each = state->bin_count > 0 ? width / state->bin_count : 1;
	state->columns_per_bin = each > 1 ? (int)each : 1;
	size_t count = (size_t)timeline_column_count(state);
	state->columns = array_grow(
		state->columns, &state->column_capacity, count + 1, sizeof *state->columns);
	for (size_t i = 0; i < count; i++)
		state->columns[i] = state->bins[i / (size_t)state->columns_per_bin];
}

static void timeline_settle_chart(
	struct timeline_state *state, const struct view_context *context, struct box area)
{
	int width = (int)state->width;
	int height = area.height > CHART_BOTTOM ? area.height - CHART_BOTTOM : 1;
	bool is_same = state->has_chart && state->chart_shown.first == state->shown.first &&
		       state->chart_shown.last == state->shown.last &&
		       state->chart_width == width && state->chart_height == height &&
		       state->series == context->series &&
		       state->is_absolute == context->is_absolute;
	if (is_same)
		return;
	if (state->has_chart)
		chart_free(&state->chart);
	state->bins =
		array_grow(state->bins, &state->bin_capacity, (size_t)width, sizeof *state->bins);
	state->bin_count = timeline_bins(timeline_pyramid(state, context), state->shown.first,
		state->shown.last, -1, state->bins, (size_t)width);
	state->chart_shown = state->shown;
	state->chart_width = width;
	state->chart_height = height;
	state->series = context->series;
	state->is_absolute = context->is_absolute;
	timeline_make_columns(state, (size_t)width);
	state->chart = chart_layout(state->columns, (size_t)timeline_column_count(state), width,
		height, context->series, &context->clock, context->is_absolute, state->shown.first,
		state->shown.last);
	state->has_chart = true;
	if (!profile_has_memory(context->profile))
		timeline_make_lanes(state, context);
}

static void timeline_settle_mark(struct timeline_state *state, const struct view_context *context)
{
	struct range range = timeline_marked(state);
	if (!state->is_marking ||
		(state->marked.first == range.first && state->marked.last == range.last))
		return;
	timeline_bins(
		timeline_pyramid(state, context), range.first, range.last, -1, &state->marked, 1);
}

static void timeline_settle_detail(struct timeline_state *state, const struct view_context *context)
{
	const struct bin *bin =
		state->is_marking ? &state->marked : &state->bins[timeline_bin(state)];
	if (state->has_detail && state->detail_range.first == bin->first &&
		state->detail_range.last == bin->last)
		return;
	bin_detail_free(&state->detail);
	state->is_too_long = state->is_marking && bin->last - bin->first > TIMELINE_MOST_MARKED;
	if (!state->is_too_long)
		state->detail = bin_detail_most(context->tree, bin->first, bin->last,
			context->query.thread, TIMELINE_MOST_TAILS);
	state->has_detail = true;
	state->detail_range = (struct range){bin->first, bin->last};
	state->line = state->is_returning ? state->kept.line : 0;
	state->line_scroll = state->is_returning ? state->kept.line_scroll : 0;
	state->unfolded = state->is_returning ? state->kept.unfolded : 0;
	state->has_walked = state->is_returning && state->kept.has_walked;
	state->has_unfolded = state->is_returning && state->kept.has_unfolded;
	state->is_returning = false;
}

void timeline_settle(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places)
{
	int width = places->chart.width - CHART_LEFT - 1;
	state->width = width > 0 ? (uint64_t)width : 1;
	timeline_settle_window(state, context);
	timeline_settle_chart(state, context, places->chart);
	if (state->bin_count == 0)
		return;
	timeline_settle_mark(state, context);
	timeline_settle_detail(state, context);
}
