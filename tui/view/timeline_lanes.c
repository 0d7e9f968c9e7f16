/* SPDX-License-Identifier: MIT */
/* The timeline without memory: lanes of the frames that ran. */
#include "view/timeline_state.h"

#include <string.h>

#include "base/memory.h"
#include "profile/tree.h"

enum { LEFT_EDGE = 0x258f };

/* A frame that ran in the bin: of the chosen thread's sample nearest to its middle; or 0. */
static uint32_t lanes_frame_of_bin(const struct view_context *context, const struct bin *bin)
{
	const struct profile *profile = context->profile;
	uint64_t middle = timeline_middle(bin);
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

static uint32_t lanes_depth(const struct calltree *tree, uint32_t node)
{
	uint32_t depth = 0;
	for (; node != 0; node = tree->parent[node])
		depth++;
	return depth;
}

/* Fills one column with the frames of `node` that are not common, outermost in the first lane. */
static void lanes_fill(
	struct timeline_state *state, const struct calltree *tree, size_t column, uint32_t node)
{
	uint32_t depth = lanes_depth(tree, node);
	for (; depth > state->lanes_above; depth--, node = tree->parent[node]) {
		uint32_t lane = depth - 1 - state->lanes_above;
		if (lane < (uint32_t)state->chart_height)
			state->lanes[lane * (size_t)state->chart_width + column] = node;
	}
}

void timeline_make_lanes(struct timeline_state *state, const struct view_context *context)
{
	const struct calltree *tree = context->tree;
	size_t cells = (size_t)state->chart_width * (size_t)state->chart_height;
	state->lanes =
		array_grow(state->lanes, &state->lane_capacity, cells + 1, sizeof *state->lanes);
	memset(state->lanes, 0, (cells + 1) * sizeof *state->lanes);
	state->lanes_above = 0;
	uint32_t lowest = UINT32_MAX;
	uint32_t highest = 0;
	for (size_t i = 0; i < state->bin_count; i++) {
		uint32_t node = lanes_frame_of_bin(context, &state->bins[i]);
		if (node == 0)
			continue;
		lowest = node < lowest ? node : lowest;
		highest = node > highest ? node : highest;
	}
	if (highest == 0)
		return;
	uint32_t above = lanes_depth(tree, tree_common(tree->parent, tree->end, lowest, highest));
	/* Where all run the same frame it is worth a lane of its own. */
	state->lanes_above = above > 0 ? above - 1 : 0;
	for (int i = 0; i < timeline_column_count(state); i++)
		lanes_fill(state, tree, (size_t)i, lanes_frame_of_bin(context, &state->columns[i]));
}

/* A lane: runs of columns with the same frame are one box. */
static void lanes_draw_one(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area, int lane)
{
	const uint32_t *nodes = state->lanes + (size_t)lane * (size_t)state->chart_width;
	int y = area->y + lane;
	int columns = timeline_column_count(state);
	enum role beside = ROLE_NORMAL;
	for (int column = 0, end; column < columns; column = end) {
		uint32_t node = nodes[column];
		for (end = column + 1; end < columns && nodes[end] == node; end++)
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
		canvas_look(canvas, box, common_look(context, context->tree->row[node]));
		beside = role;
		if (end < columns && nodes[end] == 0)
			canvas_put(canvas, box.x + box.width, y, ROLE_RULE, LEFT_EDGE);
	}
}

void timeline_draw_lanes(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area)
{
	for (int lane = 0; lane < state->chart_height; lane++)
		lanes_draw_one(state, context, canvas, area, lane);
}
