/* SPDX-License-Identifier: MIT */
/* The timeline: window, bins, chart and bin detail, brought up to date when something changed. */
#include "view/timeline_state.h"

#include <string.h>

#include "base/memory.h"

enum {
	TIMELINE_MOST_ROWS = 22, /* a higher chart says no more, the stacks below it do */
};

/* ---- what is shown ----------------------------------------------------------- */

bool timeline_has_time(const struct view_context *context)
{
	return context->profile && context->profile->is_timed && context->pyramid &&
	       context->profile->sample_count > 0;
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

size_t timeline_bin(const struct timeline_state *state)
{
	size_t low = 0;
	size_t high = state->bin_count;
	while (high - low > 1) { /* the last bin that begins at or before the cursor */
		size_t middle = low + (high - low) / 2;
		if (state->bins[middle].first <= state->cursor)
			low = middle;
		else
			high = middle;
	}
	return low;
}

size_t timeline_tails(const struct timeline_state *state)
{
	return state->has_detail ? state->detail.tail_count + (state->detail.empty_count > 0) : 0;
}

void timeline_show(struct timeline_state *state, const struct view_context *context, uint64_t first,
	uint64_t length)
{
	uint64_t start = context->query.first;
	uint64_t end = context->query.last;
	if (length > end - start)
		length = end - start;
	if (first < start)
		first = start;
	if (first > end - length)
		first = end - length;
	state->first = first;
	state->last = first + length;
}

/* Moves the window, if it must be, so that it holds the cursor. */
void timeline_follow_cursor(struct timeline_state *state, const struct view_context *context)
{
	uint64_t length = state->last - state->first;
	if (state->cursor >= state->first && state->cursor < state->last)
		return;
	timeline_show(state, context, state->cursor > length / 2 ? state->cursor - length / 2 : 0,
		length);
}

/* The first sample with the most memory in the query's window; without memory its first one. */
uint64_t timeline_highest(const struct view_context *context)
{
	struct bin bin;
	const struct query *query = &context->query;
	if (!profile_has_memory(context->profile) ||
		timeline_bins(
			context->pyramid, query->first, query->last, query->thread, &bin, 1) != 1 ||
		bin.count == 0)
		return query->first;
	return bin.max_sample;
}

void timeline_settle_window(struct timeline_state *state, const struct view_context *context)
{
	const struct query *query = &context->query;
	bool was_whole = !state->is_settled ||
			 (state->first == state->query.first && state->last == state->query.last);
	bool is_same = state->is_settled && state->generation == context->generation &&
		       state->query.first == query->first && state->query.last == query->last &&
		       state->query.thread == query->thread;
	if (is_same)
		return;
	state->query = *query;
	state->generation = context->generation;
	state->is_settled = true;
	state->has_detail = false;
	if (was_whole)
		timeline_show(state, context, query->first, query->last - query->first);
	else
		timeline_show(state, context, state->first, state->last - state->first);
	if (!state->has_moved)
		state->cursor = timeline_highest(context);
	if (state->cursor < query->first || state->cursor >= query->last)
		state->cursor = query->first;
	timeline_follow_cursor(state, context);
	if (state->has_chart)
		chart_free(&state->chart);
	state->has_chart = false;
}

/* ---- lanes: which stacks ran, where no memory was recorded ------------------------ */

/* A frame that ran in the bin: of the chosen thread's sample nearest to its middle; or 0. */
static uint32_t timeline_frame_of_bin(const struct view_context *context, const struct bin *bin)
{
	const struct profile *profile = context->profile;
	uint64_t middle = bin->first + (bin->last - bin->first) / 2;
	for (uint64_t distance = 0; distance <= bin->last - bin->first; distance++) {
		for (int side = 0; side < 2; side++) {
			uint64_t i = side ? middle - distance : middle + distance;
			if (i < bin->first || i >= bin->last)
				continue;
			bool is_chosen =
				context->query.thread < 0 || !profile->sample_thread ||
				profile->sample_thread[i] == (uint32_t)context->query.thread;
			uint32_t node = is_chosen ? common_node_of_sample(context, (int64_t)i) : 0;
			if (node != 0)
				return node;
		}
	}
	return 0;
}

static uint32_t timeline_depth(const struct calltree *tree, uint32_t node)
{
	uint32_t depth = 0;
	for (; node != 0; node = tree->parent[node])
		depth++;
	return depth;
}

/* Fills one column with the frames of `node` that are not common, outermost in the first lane. */
static void timeline_fill_lanes(
	struct timeline_state *state, const struct calltree *tree, size_t column, uint32_t node)
{
	uint32_t depth = timeline_depth(tree, node);
	for (; depth > state->lanes_above; depth--, node = tree->parent[node]) {
		uint32_t lane = depth - 1 - state->lanes_above;
		if (lane < (uint32_t)state->chart_height)
			state->lanes[lane * (size_t)state->chart_width + column] = node;
	}
}

static void timeline_make_lanes(struct timeline_state *state, const struct view_context *context)
{
	const struct calltree *tree = context->tree;
	size_t cells = (size_t)state->chart_width * (size_t)state->chart_height;
	state->lanes =
		array_grow(state->lanes, &state->lane_capacity, cells + 1, sizeof *state->lanes);
	memset(state->lanes, 0, (cells + 1) * sizeof *state->lanes);
	uint32_t lowest = UINT32_MAX;
	uint32_t highest = 0;
	for (size_t i = 0; i < state->bin_count; i++) {
		uint32_t node = timeline_frame_of_bin(context, &state->bins[i]);
		if (node == 0)
			continue;
		lowest = node < lowest ? node : lowest;
		highest = node > highest ? node : highest;
	}
	if (highest == 0)
		return;
	/* In pre-order the caller that all have in common is that of the first and the last one. */
	uint32_t common = lowest;
	while (highest >= tree->end[common])
		common = tree->parent[common];
	uint32_t above = timeline_depth(tree, common);
	/* Where all run the same frame it is worth a lane of its own. */
	state->lanes_above = above > 0 ? above - 1 : 0;
	for (size_t i = 0; i < state->bin_count; i++)
		timeline_fill_lanes(
			state, tree, i, timeline_frame_of_bin(context, &state->bins[i]));
}

/* ---- bins, chart, detail --------------------------------------------------------- */

static void timeline_settle_chart(
	struct timeline_state *state, const struct view_context *context, struct box area)
{
	int width = area.width - CHART_LEFT - 1;
	int height = area.height - CHART_BOTTOM;
	width = width > 0 ? width : 1;
	height = height > 0 ? height : 1;
	bool is_same = state->has_chart && state->chart_first == state->first &&
		       state->chart_last == state->last && state->chart_width == width &&
		       state->chart_height == height && state->series == context->series &&
		       state->is_absolute == context->is_absolute;
	if (is_same)
		return;
	if (state->has_chart)
		chart_free(&state->chart);
	state->bins =
		array_grow(state->bins, &state->bin_capacity, (size_t)width, sizeof *state->bins);
	state->bin_count = timeline_bins(context->pyramid, state->first, state->last,
		context->query.thread, state->bins, (size_t)width);
	state->chart_first = state->first;
	state->chart_last = state->last;
	state->chart_width = width;
	state->chart_height = height;
	state->series = context->series;
	state->is_absolute = context->is_absolute;
	state->chart = chart_layout(state->bins, state->bin_count, width, height, context->series,
		&context->clock, context->is_absolute, state->first, state->last);
	state->has_chart = true;
	if (!profile_has_memory(context->profile))
		timeline_make_lanes(state, context);
}

static void timeline_settle_detail(struct timeline_state *state, const struct view_context *context)
{
	if (state->bin_count == 0)
		return;
	const struct bin *bin = &state->bins[timeline_bin(state)];
	if (state->has_detail && state->detail_first == bin->first &&
		state->detail_last == bin->last)
		return;
	bin_detail_free(&state->detail);
	state->detail = bin_detail_build(
		context->tree, bin->first, bin->last, context->query.thread, false);
	state->has_detail = true;
	state->detail_first = bin->first;
	state->detail_last = bin->last;
	state->tail = state->tail_scroll = 0;
}

void timeline_settle(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places)
{
	timeline_settle_window(state, context);
	timeline_settle_chart(state, context, places->chart);
	timeline_settle_detail(state, context);
}
