/* SPDX-License-Identifier: MIT */
/* The flame graph: where keys and mouse take its cursor, its zoom and its folds. */
#include "base/memory.h"
#include "view/flame_state.h"

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

void flame_scroll_by(struct flame_state *state, const struct flame_places *places, int step)
{
	size_t rows = places->rows > 0 ? (size_t)places->rows : 1;
	if (step < 0 && state->scroll > 0)
		state->scroll--;
	if (step > 0 && state->scroll + rows < state->flame.row_count)
		state->scroll++;
	size_t first = flame_first_clear(state, rows);
	size_t last = flame_last_clear(state, rows);
	while (state->row >= 0 && (size_t)state->row < first) {
		if (!flame_move_down(state, places))
			break;
	}
	while (state->row > (int64_t)last)
		flame_move_up(state, places);
	/* Where nothing is below the cursor, the nearest frame of the first row shown is. */
	if (state->row >= 0 && (size_t)state->row < first)
		flame_stand_on(state, first,
			flame_nearest(&state->flame, first, state->wanted, 0, state->width));
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

bool flame_move(struct flame_state *state, const struct flame_places *places, enum action action)
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

void flame_point_at(struct flame_state *state, const struct flame_places *places, int x, int y)
{
	const struct box *graph = &places->graph;
	int line = state->is_inverted ? graph->y + graph->height - 1 - y : y - graph->y;
	if (x < graph->x || x >= graph->x + graph->width || line < 0 || line >= graph->height)
		return;
	if (line < places->ancestors) {
		if (line > places->fold)
			state->row = line - places->ancestors;
		else if (line < places->fold)
			state->row = -(int64_t)places->above;
		return;
	}
	size_t row = state->scroll + (size_t)(line - places->ancestors);
	const struct flame_cell *cell = flame_at(&state->flame, row, x - graph->x);
	if (!cell)
		return;
	state->wanted = x - graph->x;
	flame_stand_on(state, row, cell);
}

/* ---- zoom --------------------------------------------------------------------- */

void flame_zoom_to(
	struct flame_state *state, const struct calltree *tree, uint32_t node, bool is_for_hit)
{
	state->zooms = array_grow(
		state->zooms, &state->zoom_capacity, state->zoom_count + 1, sizeof *state->zooms);
	state->zooms[state->zoom_count++] =
		(struct flame_zoom){node, flame_depth(tree, node), is_for_hit};
	state->row = 0;
	state->column = state->wanted = 0;
	state->scroll = 0;
}

const char *flame_zoom_in(struct flame_state *state, const struct calltree *tree)
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
	flame_zoom_to(state, tree, node, false);
	return NULL;
}

const char *flame_zoom_out(
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

/* ---- folds --------------------------------------------------------------------- */

static void flame_flip_chain(struct flame_state *state, uint32_t head)
{
	for (size_t i = 0; i < state->head_count; i++) {
		if (state->heads[i] == head) {
			state->heads[i] = state->heads[--state->head_count];
			return;
		}
	}
	state->heads = array_grow(
		state->heads, &state->head_capacity, state->head_count + 1, sizeof *state->heads);
	state->heads[state->head_count++] = head;
}

/* Unfolds the chain below the cursor or folds it, and stands on its first frame or on the fold. */
const char *flame_fold_chain(struct flame_state *state, const struct view_context *context)
{
	const struct calltree *tree = context->tree;
	uint32_t head = state->row > 0 ? flame_chain(&state->flame, tree, (size_t)state->row) : 0;
	if (head == 0)
		return "Only long chains fold: frames of one callee each, all equally wide";
	uint32_t node = flame_cursor_node(state, tree);
	for (uint32_t i = flame_cursor_folded(state); i > 1; i--)
		node = tree->parent[node];
	int wanted = state->wanted;
	flame_flip_chain(state, head);
	flame_show(state, context, node);
	state->wanted = wanted;
	return NULL;
}

const char *flame_fold_all(
	struct flame_state *state, const struct view_context *context, bool is_unfolded)
{
	uint32_t node = flame_cursor_node(state, context->tree);
	int64_t row = state->row;
	size_t before = state->flame.row_count;
	state->is_unfolded = is_unfolded;
	state->head_count = 0;
	flame_show(state, context, node);
	if (row < 0) /* a caller of the zoomed frame */
		state->row = row;
	if (before != state->flame.row_count)
		return is_unfolded ? "All chains are unfolded" : "Chains are folded";
	return is_unfolded ? "No chain is folded here" : "There is no chain to fold here";
}

/* Whether the cursor's cell is of `node` and of no other frame. */
static bool flame_shows(const struct flame_state *state, uint32_t node)
{
	const struct flame_cell *cell = flame_cursor_cell(state);
	return cell && cell->node == node && cell->coverage == 0;
}

void flame_reveal(struct flame_state *state, const struct view_context *context, uint32_t node,
	bool is_for_hit)
{
	const struct calltree *tree = context->tree;
	while (state->zoom_count > 0 &&
		(node < flame_zoomed(state) || node >= tree->end[flame_zoomed(state)]))
		state->zoom_count--;
	flame_show(state, context, node);
	if (flame_cursor_folded(state) > 0) {
		flame_flip_chain(state, flame_chain(&state->flame, tree, (size_t)state->row));
		flame_show(state, context, node);
	}
	/* Too thin to be seen: over the whole width, its callers above it. */
	if (!flame_shows(state, node) && node != flame_zoomed(state)) {
		flame_zoom_to(state, tree, node, is_for_hit);
		flame_show(state, context, node);
	}
}
