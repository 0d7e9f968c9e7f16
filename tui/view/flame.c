/* SPDX-License-Identifier: MIT */
/* The flame graph: cursor, zoom, keys. The drawing is in flame_draw.c. */
#include "view/flame_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- moves -------------------------------------------------------------------- */

/* The callers of the zoomed frame that stand right above it, below the fold. */
static int flame_near_callers(const struct flame_places *places)
{
	return places->fold >= 0 ? places->ancestors - 1 - places->fold : places->ancestors;
}

static bool flame_move_up(struct flame_state *state, const struct flame_places *places)
{
	if (state->row > 0) {
		size_t row = (size_t)state->row - 1;
		flame_stand_on(state, row,
			flame_nearest(&state->flame, row, state->column, 0, state->width));
		return true;
	}
	int64_t callers = 1 - state->row;
	if (callers > flame_near_callers(places)) {
		/* Over the fold there is only the root. */
		if (places->fold != 1 || -state->row == (int64_t)places->above)
			return false;
		callers = places->above;
	}
	state->row = -callers;
	return true;
}

static bool flame_move_down(struct flame_state *state, const struct flame_places *places)
{
	if (state->row < 0) {
		int near = flame_near_callers(places);
		state->row = -state->row > near ? -(int64_t)near : state->row + 1;
		return true;
	}
	const struct flame_cell *cell = flame_cursor_cell(state);
	if (!cell)
		return false;
	size_t row = (size_t)state->row + 1;
	const struct flame_cell *below = flame_nearest(
		&state->flame, row, state->wanted, cell->column, cell->column + cell->width);
	if (!below)
		return false;
	flame_stand_on(state, row, below);
	return true;
}

static void flame_move_rows(struct flame_state *state, const struct flame_places *places, int rows)
{
	for (; rows < 0; rows++)
		if (state->row <= 0 || !flame_move_up(state, places))
			break;
	for (; rows > 0; rows--)
		if (!flame_move_down(state, places))
			break;
}

/* Goes to the cell `step` places along the row; to its end for INT32_MIN and INT32_MAX. */
static bool flame_move_along(struct flame_state *state, int step)
{
	const struct flame_cell *cell = flame_cursor_cell(state);
	if (!cell)
		return false;
	const struct flame_row *row = &state->flame.rows[state->row];
	const struct flame_cell *cells = state->flame.cells + row->first;
	int64_t i = cell - cells + (int64_t)step;
	if (i < 0)
		i = 0;
	if (i >= (int64_t)row->count)
		i = (int64_t)row->count - 1;
	if (&cells[i] == cell)
		return false;
	state->column = state->wanted = cells[i].column;
	return true;
}

static void flame_scroll_by(struct flame_state *state, const struct flame_places *places, int step)
{
	size_t rows = places->rows > 0 ? (size_t)places->rows : 1;
	if (step < 0 && state->scroll > 0)
		state->scroll--;
	if (step > 0 && state->scroll + rows < state->flame.row_count)
		state->scroll++;
	while (state->row >= 0 && (size_t)state->row < state->scroll) {
		if (!flame_move_down(state, places))
			break;
	}
	while (state->row >= (int64_t)(state->scroll + rows))
		flame_move_up(state, places);
	/* Where nothing is below the cursor, the nearest frame of the first row shown is. */
	if (state->row >= 0 && (size_t)state->row < state->scroll)
		flame_stand_on(state, state->scroll,
			flame_nearest(
				&state->flame, state->scroll, state->wanted, 0, state->width));
}

/* ---- zoom --------------------------------------------------------------------- */

static void flame_zoom_to(struct flame_state *state, const struct calltree *tree, uint32_t node)
{
	state->zooms = array_grow(
		state->zooms, &state->zoom_capacity, state->zoom_count + 1, sizeof *state->zooms);
	state->zooms[state->zoom_count++] = (struct flame_zoom){node, flame_depth(tree, node)};
	state->row = 0;
	state->column = state->wanted = 0;
	state->scroll = 0;
}

static const char *flame_zoom_in(struct flame_state *state, const struct calltree *tree)
{
	const struct flame_cell *cell = flame_cursor_cell(state);
	uint32_t node = flame_cursor_node(state, tree);
	if (cell && cell->coverage > 0) {
		node = tree->parent[node];
		/* Right under the zoomed one: that cannot grow, the largest of them can. */
		if (node == flame_zoomed(state))
			node = cell->node;
	}
	if (node == flame_zoomed(state))
		return node == 0 ? "This is everything: move down to a frame to zoom into it"
				 : "Already zoomed here";
	flame_zoom_to(state, tree, node);
	return NULL;
}

/* Lays out for the zoom that is in force now and stands on `node`. */
static void flame_show(struct flame_state *state, const struct view_context *context, uint32_t node)
{
	flame_lay_out(state, context, state->width > 0 ? state->width : 80);
	flame_find(state, context->tree, node);
	state->wanted = state->column;
}

static const char *flame_zoom_out(
	struct flame_state *state, const struct view_context *context, bool is_all)
{
	if (state->zoom_count == 0)
		return "Nothing to zoom out of: this is everything";
	uint32_t node = is_all && state->row >= 0 ? flame_cursor_node(state, context->tree)
						  : flame_zoomed(state);
	state->zoom_count = is_all ? 0 : state->zoom_count - 1;
	flame_show(state, context, node);
	return NULL;
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
	free(state->zooms);
	free(state->zoom_path.hashes);
	free(state->cursor_path.hashes);
	text_free(&state->scratch);
	free(state);
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

/* Moves that depend on which way is up. */
static void flame_vertical(
	struct flame_state *state, const struct flame_places *places, enum action action)
{
	int page = places->rows > 1 ? places->rows - 1 : 1;
	int step = 0;
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		step = 1;
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		step = page;
		break;
	default:
		step = (page + 1) / 2;
		break;
	}
	bool is_up = action == ACT_UP || action == ACT_PAGE_UP || action == ACT_HALF_UP;
	if (is_up == state->is_inverted)
		flame_move_rows(state, places, step);
	else if (step == 1)
		flame_move_up(state, places);
	else
		flame_move_rows(state, places, -step);
}

static struct reaction flame_wish(
	enum action action, const struct view_context *context, const struct flame_state *state)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (action == ACT_UNIT)
		reaction.want |= WANT_UNIT;
	if (action == ACT_TYPE)
		reaction.want |= WANT_TYPE;
	if (action == ACT_NAMES)
		reaction.want |= WANT_NAMES;
	if (action == ACT_TO_TIMELINE) {
		uint32_t node = flame_cursor_node(state, context->tree);
		reaction.want |= WANT_VIEW;
		reaction.view = "timeline";
		reaction.node = node;
		reaction.row = context->tree->row[node];
		reaction.sample = common_sample_of_node(context, node);
	}
	return reaction;
}

/* Keys that move the cursor; false: it is none of them. */
static bool flame_move(
	struct flame_state *state, const struct flame_places *places, enum action action)
{
	size_t last = state->flame.row_count - 1;
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		flame_vertical(state, places, action);
		return true;
	case ACT_LEFT:
	case ACT_RIGHT:
		flame_move_along(state, action == ACT_LEFT ? -1 : 1);
		return true;
	case ACT_ROW_FIRST:
	case ACT_ROW_LAST:
		flame_move_along(state, action == ACT_ROW_FIRST ? INT32_MIN : INT32_MAX);
		return true;
	case ACT_FIRST:
		state->row = 0;
		state->column = state->wanted = 0;
		return true;
	case ACT_LAST:
		flame_stand_on(state, last,
			flame_nearest(&state->flame, last, state->wanted, 0, state->width));
		state->wanted = state->column;
		return true;
	case ACT_SCROLL_UP:
	case ACT_SCROLL_DOWN:
		flame_scroll_by(
			state, places, (action == ACT_SCROLL_UP) != state->is_inverted ? -1 : 1);
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
	struct flame_places places = flame_prepare(state, context, area);
	switch (action) {
	case ACT_IN:
		reaction.notice = flame_zoom_in(state, context->tree);
		break;
	case ACT_OUT:
	case ACT_RESET:
		reaction.notice = flame_zoom_out(state, context, action == ACT_RESET);
		break;
	case ACT_COLOUR:
	case ACT_INVERT:
	case ACT_ORDER:
		reaction.notice = flame_look(state, context, action);
		break;
	case ACT_UNIT:
	case ACT_TYPE:
	case ACT_NAMES:
	case ACT_TO_TIMELINE:
		return flame_wish(action, context, state);
	default:
		if (!flame_move(state, &places, action))
			return (struct reaction){.sample = -1};
		break;
	}
	flame_prepare(state, context, area);
	flame_note(state, context->tree);
	return reaction;
}

static void flame_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct flame_state *state = opaque;
	const struct calltree *tree = context->tree;
	if (!tree)
		return;
	if (node == 0 && row != 0)
		node = common_largest_node(tree, row);
	if (node == 0 && sample >= 0)
		node = common_node_of_sample(context, sample);
	if (node == 0 || node >= tree->node_count)
		return;
	/* Follows the zoom into this tree first, at the width of the last drawing. */
	int width = state->width > 0 ? state->width : 80;
	flame_prepare(state, context, (struct box){0, 0, width, 24});
	uint32_t zoom = flame_zoomed(state);
	if (node < zoom || node >= tree->end[zoom])
		state->zoom_count = 0;
	flame_show(state, context, node);
	const struct flame_cell *cell = flame_cursor_cell(state);
	/* Too thin to be seen: show it over the whole width, its callers above it. */
	if (!cell || cell->node != node || cell->coverage > 0) {
		flame_zoom_to(state, tree, node);
		flame_show(state, context, node);
	}
	flame_note(state, tree);
}

static void flame_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct flame_state *state = opaque;
	*sample = -1;
	if (!context->tree || !state->has_layout || state->generation != context->generation)
		return;
	*node = flame_cursor_node(state, context->tree);
	*row = context->tree->row[*node];
}

/* "all › … › json_line › dumps": where the zoomed frame is. */
static void flame_breadcrumb(const struct view_context *context, uint32_t zoom, struct text *out)
{
	const struct calltree *tree = context->tree;
	uint32_t above = tree->parent[tree->parent[zoom]];
	text_puts(out, above != 0 ? "all \u203a \u2026 \u203a " : "all \u203a ");
	common_chain(context, above, zoom, 36, out);
}

static void flame_status(void *opaque, const struct view_context *context, struct text *out)
{
	struct flame_state *state = opaque;
	const struct calltree *tree = context->tree;
	if (!tree)
		return;
	uint32_t zoom = state->generation == context->generation ? flame_zoomed(state) : 0;
	char all[UNIT_SIZE];
	common_value(all, tree, tree->total[0]);
	if (zoom != 0 && tree->total[zoom] > 0) {
		flame_breadcrumb(context, zoom, out);
		double factor = (double)tree->total[0] / (double)tree->total[zoom];
		text_printf(out, "   zoom %.*fx of %s", factor < 99.95 ? 1 : 0, factor, all);
	} else {
		text_printf(out, "colour: %s   all of %s", common_colouring_name(state->colouring),
			all);
	}
	if (strcmp(tree->profile->types[tree->query.type].unit, "count") == 0)
		text_printf(out, " %s", common_noun(tree));
}

static void flame_explain(void *opaque, const struct view_context *context, struct text *out)
{
	struct flame_state *state = opaque;
	const struct calltree *tree = context->tree;
	if (!tree)
		return;
	uint32_t zoom = state->generation == context->generation ? flame_zoomed(state) : 0;
	char value[UNIT_SIZE];
	char share[UNIT_SIZE];
	int width = state->width > 0 ? state->width : 80;
	double column = (double)tree->total[zoom] / width;
	if (strcmp(tree->profile->types[tree->query.type].unit, "count") == 0 && column < 10)
		snprintf(value, sizeof value, "%.1f", column);
	else
		common_value(value, tree, (int64_t)(column + 0.5));
	units_percent(share, column, (double)tree->base);
	text_printf(out,
		"A box is a function in one place of the call tree; what it called hangs below it. "
		"Its width is its total: the %s while it was on the stack, itself running or "
		"waiting for what it called. %s\n",
		common_noun(tree), common_explanation(tree));
	text_printf(out, "One column is about %s %s, %s of all. ", value, common_noun(tree), share);
	text_puts(out,
		"What is free below a box, on the right, is its own (self) share. Frames thinner "
		"than half a column add up to \u2591 or \u2592: Enter there zooms in.\n");
	text_printf(out,
		"Colour: %s. The same names have the same colour in every run; grey is native "
		"code and addresses without a name.\n",
		common_colouring_name(state->colouring));
	if (profile_has_memory(context->profile))
		text_puts(out,
			"Memory is not drawn here: it was measured for the whole process, so it "
			"belongs to a moment, not to a function, and must not be added up over "
			"stacks. See Time.\n");
}

const struct view view_flame = {
	.name = "flame",
	.tab = "Flame",
	.where = IN_FLAME,
	.open = flame_open,
	.close = flame_close,
	.draw = flame_draw,
	.act = flame_act,
	.select = flame_select,
	.status = flame_status,
	.explain = flame_explain,
	.selected = flame_selected,
};
