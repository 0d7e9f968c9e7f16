/* SPDX-License-Identifier: MIT */
/* The flame graph: the view, and which tree it shows. */
#include <stdlib.h>

#include "base/memory.h"
#include "query/around.h"
#include "view/flame_state.h"

enum { FLAME_WHEEL_ROWS = 3 };

/* ---- the tree that is shown ------------------------------------------------------ */

static void flame_drop_leaves(struct flame_state *state)
{
	if (state->leaves.tree)
		calltree_free(state->leaves.tree);
	state->leaves.tree = NULL;
}

static struct calltree *flame_leaves_of(
	struct flame_state *state, const struct view_context *context)
{
	struct flame_leaves *leaves = &state->leaves;
	const struct calltree *tree = context->tree;
	bool is_same = leaves->tree && leaves->generation == context->generation &&
		       leaves->total == tree->total[0] && leaves->query.type == tree->query.type &&
		       leaves->query.first == tree->query.first &&
		       leaves->query.last == tree->query.last &&
		       leaves->query.thread == tree->query.thread;
	if (is_same)
		return leaves->tree;
	flame_drop_leaves(state);
	leaves->tree = calltree_bottom_up(tree);
	leaves->generation = context->generation;
	leaves->query = tree->query;
	leaves->total = tree->total[0];
	leaves->made++;
	return leaves->tree;
}

/* The context with the tree that is shown. Leaves first, other counts make other nodes. */
static struct view_context flame_context(
	struct flame_state *state, const struct view_context *context)
{
	struct view_context own = *context;
	own.generation = context->generation * 2;
	if (!state->is_bottom_up || !context->tree)
		return own;
	own.tree = flame_leaves_of(state, context);
	own.base = own.newer = own.change = NULL;
	own.generation = state->leaves.made * 2 + 1;
	return own;
}

/* The function's own node below the root, or else its largest one. */
static uint32_t flame_node_of_row(const struct calltree *tree, uint32_t row)
{
	for (uint32_t node = 1; node < tree->node_count; node = tree->end[node])
		if (tree->row[node] == row)
			return node;
	return common_largest_node(tree, row);
}

static const char *flame_turn(
	struct flame_state *state, const struct view_context *context, struct box area)
{
	struct view_context own = flame_context(state, context);
	uint32_t row = own.tree->row[flame_cursor_node(state, own.tree)];
	state->is_bottom_up = !state->is_bottom_up;
	state->zoom_count = 0;
	state->zoom_path.count = state->cursor_path.count = 0;
	state->scroll = 0;
	own = flame_context(state, context);
	flame_prepare(state, &own, area);
	uint32_t node = row == 0              ? 0
			: state->is_bottom_up ? flame_node_of_row(own.tree, row)
					      : common_largest_node(own.tree, row);
	flame_find(state, own.tree, node);
	state->wanted = state->column;
	if (!state->is_bottom_up)
		flame_drop_leaves(state);
	return state->is_bottom_up ? "Leaves first: below each function its callers"
				   : "Root first: below each function what it called";
}

/* ---- the view ------------------------------------------------------------------- */

static void *flame_open(void)
{
	return memory_new(1, sizeof(struct flame_state));
}

static void flame_close(void *opaque)
{
	struct flame_state *state = opaque;
	if (state->has_layout)
		flame_free(&state->flame);
	flame_drop_leaves(state);
	free(state->roles);
	free(state->heads);
	free(state->zooms);
	free(state->kept.heads);
	free(state->kept.zooms);
	free(state->zoom_path.hashes);
	free(state->cursor_path.hashes);
	text_free(&state->scratch);
	free(state);
}

static void flame_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct view_context own = flame_context(opaque, context);
	if (!common_is_too_small(area) && !common_empty(context, canvas, area))
		flame_draw_all(opaque, &own, canvas, area);
}

static const char *flame_look(
	struct flame_state *state, const struct view_context *context, enum action action)
{
	static const char *const colours[COLOURING_COUNT] = {
		"Colour: module", "Colour: name", "Colour: share of self time", "Colour: none"};
	static const char *const orders[] = {
		"Order: largest first", "Order: by name", "Order: first seen first"};
	if (action == ACT_COLOUR) {
		state->colouring = (enum colouring)((state->colouring + 1) % COLOURING_COUNT);
		state->coloured = 0;
		return colours[state->colouring];
	}
	if (action == ACT_INVERT) {
		state->is_inverted = !state->is_inverted;
		return state->is_inverted ? "Root at the bottom" : "Root at the top";
	}
	uint32_t node = flame_cursor_node(state, context->tree);
	state->order = (enum flame_order)((state->order + 1) % 3);
	flame_show(state, context, node);
	return orders[state->order];
}

/* What only the app can do. */
static struct reaction flame_wish(
	enum action action, const struct view_context *own, const struct flame_state *state)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (action == ACT_UNIT)
		reaction.want |= WANT_UNIT;
	if (action == ACT_TYPE)
		reaction.want |= WANT_TYPE;
	if (action == ACT_NAMES)
		reaction.want |= WANT_NAMES;
	if (action == ACT_TO_TIMELINE) {
		uint32_t node = flame_cursor_node(state, own->tree);
		reaction.want |= WANT_VIEW;
		reaction.view = "timeline";
		reaction.node = state->is_bottom_up ? 0 : node;
		reaction.row = own->tree->row[node];
		reaction.sample = common_sample_of_node(own, node);
	}
	return reaction;
}

/* Keys that change the picture; false: it is none of them. */
static bool flame_change(struct flame_state *state, const struct view_context *own,
	enum action action, const char **notice)
{
	switch (action) {
	case ACT_IN:
		*notice = flame_zoom_in(state, own->tree);
		return true;
	case ACT_OUT:
	case ACT_RESET:
		*notice = flame_zoom_out(state, own, action == ACT_RESET);
		return true;
	case ACT_COLOUR:
	case ACT_INVERT:
	case ACT_ORDER:
		*notice = flame_look(state, own, action);
		return true;
	case ACT_FOLD:
		*notice = flame_fold_chain(state, own);
		return true;
	case ACT_UNFOLD_ALL:
	case ACT_FOLD_ALL:
		*notice = flame_fold_all(state, own, action == ACT_UNFOLD_ALL);
		return true;
	default:
		return false;
	}
}

static struct reaction flame_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct flame_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	struct view_context own = flame_context(state, context);
	struct flame_places places = flame_prepare(state, &own, area);
	state->is_pointed = false;
	if (action == ACT_UNIT || action == ACT_TYPE || action == ACT_NAMES ||
		action == ACT_TO_TIMELINE)
		return flame_wish(action, &own, state);
	if (action == ACT_BOTTOM_UP) {
		reaction.notice = flame_turn(state, context, area);
		own = flame_context(state, context);
	} else if (!flame_change(state, &own, action, &reaction.notice) &&
		   !flame_move(state, &places, action)) {
		return (struct reaction){.sample = -1};
	}
	flame_prepare(state, &own, area);
	flame_note(state, own.tree);
	return reaction;
}

static void flame_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct flame_state *state = opaque;
	if (!context->tree)
		return;
	struct view_context own = flame_context(state, context);
	const struct calltree *tree = own.tree;
	if (state->is_bottom_up) { /* the node is one of the other tree's */
		if (row == 0 && node < context->tree->node_count)
			row = context->tree->row[node];
		node = row != 0 ? flame_node_of_row(tree, row) : 0;
	} else if (node == 0 && row != 0) {
		node = common_largest_node(tree, row);
	}
	if (node == 0 && sample >= 0)
		node = common_node_of_sample(&own, sample);
	if (node == 0 || node >= tree->node_count)
		return;
	/* Follows the zoom into this tree first, at the width of the last drawing. */
	int width = state->width > 0 ? state->width : 80;
	flame_prepare(state, &own, (struct box){0, 0, width, 24});
	flame_reveal(state, &own, node, false);
	flame_note(state, tree);
}

static void flame_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	struct flame_state *state = opaque;
	*sample = -1;
	struct view_context own = flame_context(state, context);
	if (!own.tree || !state->has_layout || state->generation != own.generation)
		return;
	uint32_t at = flame_cursor_node(state, own.tree);
	*row = own.tree->row[at];
	*node = state->is_bottom_up ? 0 : at;
}

static void flame_go_back(void *opaque, const struct view_context *context)
{
	struct flame_state *state = opaque;
	if (!context->tree)
		return;
	struct view_context own = flame_context(state, context);
	flame_restore(state, &own);
}

static enum found flame_find_next(
	void *opaque, const struct view_context *context, struct box area, enum find where)
{
	struct flame_state *state = opaque;
	if (!context->tree)
		return FOUND_NOTHING;
	struct view_context own = flame_context(state, context);
	flame_prepare(state, &own, area);
	state->is_pointed = false;
	enum found found = flame_find_hit(state, &own, where);
	flame_prepare(state, &own, area);
	flame_note(state, own.tree);
	return found;
}

static struct reaction flame_point(void *opaque, const struct view_context *context,
	struct box area, const struct pointer *pointer)
{
	struct flame_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	struct view_context own = flame_context(state, context);
	struct flame_places places = flame_prepare(state, &own, area);
	bool is_up = pointer->kind == POINTER_WHEEL_UP;
	if (pointer->kind == POINTER_PRESS) {
		state->is_pointed = true;
		flame_point_at(state, &places, pointer->x, pointer->y);
	} else if (is_up || pointer->kind == POINTER_WHEEL_DOWN) {
		state->is_pointed = false;
		for (int i = 0; i < FLAME_WHEEL_ROWS; i++)
			flame_scroll_by(state, &places, is_up != state->is_inverted ? -1 : 1);
	} else {
		return (struct reaction){.sample = -1};
	}
	flame_prepare(state, &own, area);
	flame_note(state, own.tree);
	return reaction;
}

static const char *flame_setting(void *opaque, enum action action)
{
	const struct flame_state *state = opaque;
	switch (action) {
	case ACT_COLOUR:
		return common_colouring_name(state->colouring);
	case ACT_ORDER:
		return flame_order_name(state->order);
	case ACT_INVERT:
		return state->is_inverted ? "root below" : "root on top";
	case ACT_BOTTOM_UP:
		return state->is_bottom_up ? "leaves first" : "root first";
	default:
		return "";
	}
}

static void flame_status(void *opaque, const struct view_context *context, struct text *out)
{
	struct view_context own = flame_context(opaque, context);
	if (own.tree)
		flame_say_status(opaque, &own, out);
}

static void flame_explain(void *opaque, const struct view_context *context, struct text *out)
{
	struct view_context own = flame_context(opaque, context);
	if (own.tree)
		flame_say_explanation(opaque, &own, out);
}

const struct view view_flame = {
	.name = "flame",
	.tab = "Flame",
	.digit = 2,
	.where = IN_FLAME,
	.open = flame_open,
	.close = flame_close,
	.draw = flame_draw,
	.act = flame_act,
	.select = flame_select,
	.status = flame_status,
	.explain = flame_explain,
	.selected = flame_selected,
	.find = flame_find_next,
	.keep = flame_keep,
	.restore = flame_go_back,
	.point = flame_point,
	.setting = flame_setting,
};
