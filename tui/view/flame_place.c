/* SPDX-License-Identifier: MIT */
/* The flame graph: where its cursor is, and how it stays there when size, zoom or tree change. */
#include "view/flame_state.h"

#include <string.h>

#include "base/memory.h"

enum {
	FLAME_PATH = 4096,     /* frames of a path that are found again in another tree */
	FLAME_MARGIN_ROWS = 6, /* below that every row is needed */
	FLAME_SCROLL_STEP = 4, /* the cursor scrolls by a quarter of the rows */
};

/* ---- places ------------------------------------------------------------------ */

uint32_t flame_zoomed(const struct flame_state *state)
{
	return state->zoom_count ? state->zooms[state->zoom_count - 1].node : 0;
}

uint32_t flame_depth(const struct calltree *tree, uint32_t node)
{
	uint32_t depth = 0;
	for (; node != 0; node = tree->parent[node])
		depth++;
	return depth;
}

static struct flame_places flame_divide(
	const struct flame_state *state, const struct view_context *context, struct box area)
{
	int margin = area.width >= 100 ? 1 : 0;
	int detail = area.height >= 30 ? 4 : area.height >= 12 ? 3 : area.height >= 5 ? 1 : 0;
	struct flame_places places = {
		.graph = {area.x + margin, area.y, area.width - 2 * margin, area.height - detail},
		.detail = {area.x, area.y + area.height - detail, area.width, detail},
		.fold = -1,
	};
	/* Numbers of another tree mean nothing in this one: flame_settle finds the zoom again. */
	if (context->tree && state->generation == context->generation)
		places.above = flame_depth(context->tree, flame_zoomed(state));
	int most = places.graph.height / 4 > 0 ? places.graph.height / 4 : 1;
	places.ancestors = places.above < (uint32_t)most ? (int)places.above : most;
	if ((uint32_t)places.ancestors < places.above)
		places.fold = places.ancestors >= 2 ? 1 : 0;
	if (places.graph.height < 2)
		places.ancestors = 0;
	places.rows = places.graph.height - places.ancestors;
	return places;
}

uint32_t flame_ancestor(const struct flame_state *state, const struct calltree *tree,
	const struct flame_places *places, int i)
{
	if (i == places->fold)
		return UINT32_MAX;
	if (i < places->fold)
		return 0;
	uint32_t node = flame_zoomed(state);
	for (int steps = places->ancestors - i; steps > 0; steps--)
		node = tree->parent[node];
	return node;
}

/* ---- the cursor --------------------------------------------------------------- */

const struct flame_cell *flame_cursor_cell(const struct flame_state *state)
{
	return state->row < 0 ? NULL : flame_at(&state->flame, (size_t)state->row, state->column);
}

uint32_t flame_cursor_node(const struct flame_state *state, const struct calltree *tree)
{
	const struct flame_cell *cell = flame_cursor_cell(state);
	uint32_t node = cell ? cell->node : flame_zoomed(state);
	for (int64_t row = state->row; row < 0 && node != 0; row++)
		node = tree->parent[node];
	return node;
}

/* The cell of a row in columns [first, end) that is nearest to `column`; NULL: there is none. */
const struct flame_cell *flame_nearest(
	const struct flame *flame, size_t row, int column, int first, int end)
{
	if (row >= flame->row_count)
		return NULL;
	const struct flame_cell *best = NULL;
	int best_distance = 0;
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		int left = cells[i].column;
		int right = left + cells[i].width - 1;
		if (right < first || left >= end)
			continue;
		int distance = column < left ? left - column : column > right ? column - right : 0;
		if (!best || distance < best_distance) {
			best = &cells[i];
			best_distance = distance;
		}
	}
	return best;
}

/* Puts the cursor on a cell of `row`, at the wanted column if that lies in it. */
void flame_stand_on(struct flame_state *state, size_t row, const struct flame_cell *cell)
{
	state->row = (int64_t)row;
	bool holds_wanted =
		state->wanted >= cell->column && state->wanted < cell->column + cell->width;
	state->column = holds_wanted ? state->wanted : cell->column;
}

uint32_t flame_cursor_folded(const struct flame_state *state)
{
	return state->row < 0 || (size_t)state->row >= state->flame.row_count
		       ? 0
		       : state->flame.rows[state->row].folded;
}

/* The cell of a row that is the node, or the chain that it is folded into; NULL: neither. */
static const struct flame_cell *flame_cell_of(
	const struct flame *flame, const struct calltree *tree, size_t row, uint32_t node)
{
	if (row >= flame->row_count)
		return NULL;
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		bool is_below = cells[i].node > node && cells[i].node < tree->end[node];
		if (cells[i].node == node || (flame->rows[row].folded > 0 && is_below))
			return &cells[i];
	}
	return NULL;
}

void flame_find(struct flame_state *state, const struct calltree *tree, uint32_t node)
{
	uint32_t zoom = flame_zoomed(state);
	if (node < zoom || node >= tree->end[zoom]) {
		/* A caller of the zoomed frame, or something outside: stand on the zoomed frame. */
		state->row = 0;
		state->column = 0;
		return;
	}
	uint32_t depth = flame_depth(tree, node) - flame_depth(tree, zoom);
	for (;; node = tree->parent[node], depth--) {
		size_t row = flame_row_at(&state->flame, depth);
		const struct flame_cell *cell = flame_cell_of(&state->flame, tree, row, node);
		if (cell) {
			flame_stand_on(state, row, cell);
			return;
		}
		if (depth == 0)
			return;
	}
}

static void flame_remember(struct flame_path *path, const struct calltree *tree, uint32_t node)
{
	uint32_t depth = flame_depth(tree, node);
	for (; depth > FLAME_PATH; depth--)
		node = tree->parent[node];
	path->hashes = array_grow(path->hashes, &path->capacity, depth, sizeof *path->hashes);
	path->count = depth;
	for (; depth > 0; node = tree->parent[node])
		path->hashes[--depth] = common_row_hash(tree, tree->row[node]);
}

/* The frame that the first `count` names of a path lead to, as far as there are such frames. */
static uint32_t flame_recall(
	const struct flame_path *path, size_t count, const struct calltree *tree)
{
	uint32_t node = 0;
	for (size_t i = 0; i < count && i < path->count; i++) {
		uint32_t child = node + 1;
		while (child < tree->end[node] &&
			common_row_hash(tree, tree->row[child]) != path->hashes[i])
			child = tree->end[child];
		if (child >= tree->end[node])
			break;
		node = child;
	}
	return node;
}

/* After every key: what another tree needs to bring us back here. */
void flame_note(struct flame_state *state, const struct calltree *tree)
{
	flame_remember(&state->zoom_path, tree, flame_zoomed(state));
	flame_remember(&state->cursor_path, tree, flame_cursor_node(state, tree));
}

/* The tree is another one: finds zooms and cursor again by their names. */
static uint32_t flame_follow(struct flame_state *state, const struct calltree *tree)
{
	size_t kept = 0;
	for (size_t i = 0; i < state->zoom_count; i++) {
		uint32_t node = flame_recall(&state->zoom_path, state->zooms[i].depth, tree);
		uint32_t depth = flame_depth(tree, node);
		if (node == 0 || depth != state->zooms[i].depth)
			continue;
		state->zooms[kept] = state->zooms[i];
		state->zooms[kept++].node = node;
	}
	state->zoom_count = kept;
	return flame_recall(&state->cursor_path, state->cursor_path.count, tree);
}

/* Rows at the edges are kept free of the cursor where more of them are hidden. */
static size_t flame_margin(const struct flame_state *state, size_t rows)
{
	return rows >= FLAME_MARGIN_ROWS && !state->is_pointed ? 1 : 0;
}

size_t flame_first_clear(const struct flame_state *state, size_t rows)
{
	return state->scroll + (state->scroll > 0 ? flame_margin(state, rows) : 0);
}

size_t flame_last_clear(const struct flame_state *state, size_t rows)
{
	bool has_more = state->scroll + rows < state->flame.row_count;
	return state->scroll + rows - 1 - (has_more ? flame_margin(state, rows) : 0);
}

static void flame_scroll_to_cursor(struct flame_state *state, int rows)
{
	size_t visible = rows > 0 ? (size_t)rows : 1;
	size_t count = state->flame.row_count;
	size_t row = state->row < 0 ? 0 : (size_t)state->row;
	/* A row of the screen that moves is sent anew: so they move seldom, and some at once. */
	size_t step = flame_margin(state, visible) * (visible / FLAME_SCROLL_STEP);
	if (row < flame_first_clear(state, visible))
		state->scroll = row > step ? row - step : 0;
	if (row > flame_last_clear(state, visible))
		state->scroll = row + step + 1 - visible;
	if (state->scroll + visible > count)
		state->scroll = count > visible ? count - visible : 0;
}

void flame_lay_out(struct flame_state *state, const struct view_context *context, int width)
{
	struct flame_folding folding = {.is_off = state->is_unfolded,
		.heads = state->heads,
		.head_count = state->head_count};
	if (state->has_layout)
		flame_free(&state->flame);
	state->flame = flame_layout(context->tree, flame_zoomed(state), width, state->order);
	flame_fold(&state->flame, &folding);
	state->has_layout = true;
	state->coloured = 0;
	state->width = width;
}

void flame_show(struct flame_state *state, const struct view_context *context, uint32_t node)
{
	flame_lay_out(state, context, state->width > 0 ? state->width : 80);
	flame_find(state, context->tree, node);
	state->wanted = state->column;
}

static void flame_settle(struct flame_state *state, const struct view_context *context,
	const struct flame_places *places)
{
	const struct calltree *tree = context->tree;
	int width = places->graph.width > 0 ? places->graph.width : 1;
	bool is_other = !state->has_layout || state->generation != context->generation;
	bool is_recounted =
		is_other || state->query.type != tree->query.type ||
		state->query.first != tree->query.first || state->query.last != tree->query.last ||
		state->query.thread != tree->query.thread || state->total != tree->total[0];
	if (is_recounted || state->width != width || state->flame.zoom != flame_zoomed(state)) {
		uint32_t node =
			is_other ? flame_follow(state, tree) : flame_cursor_node(state, tree);
		if (is_recounted)
			state->same.is_known = false;
		if (is_other)
			state->head_count = 0;
		state->generation = context->generation;
		state->query = tree->query;
		state->total = tree->total[0];
		flame_lay_out(state, context, width);
		if (state->row >= 0 || is_other)
			flame_find(state, tree, node);
	}
	if (state->row < -(int64_t)places->above)
		state->row = -(int64_t)places->above;
	flame_scroll_to_cursor(state, places->rows);
}

struct flame_places flame_prepare(
	struct flame_state *state, const struct view_context *context, struct box area)
{
	struct flame_places places = flame_divide(state, context, area);
	flame_settle(state, context, &places);
	/* The zoom may have changed with the tree. */
	places = flame_divide(state, context, area);
	flame_settle(state, context, &places);
	return places;
}

/* ---- back to where a search began ---------------------------------------------------- */

static void flame_copy_folds(const uint32_t *from, size_t count, uint32_t **to, size_t *capacity)
{
	*to = array_grow(*to, capacity, count, sizeof **to);
	if (count > 0)
		memcpy(*to, from, count * sizeof **to);
}

static void flame_copy_zooms(
	const struct flame_zoom *from, size_t count, struct flame_zoom **to, size_t *capacity)
{
	*to = array_grow(*to, capacity, count, sizeof **to);
	if (count > 0)
		memcpy(*to, from, count * sizeof **to);
}

void flame_keep(void *opaque)
{
	struct flame_state *state = opaque;
	struct flame_kept *kept = &state->kept;
	kept->is_kept = state->has_layout;
	kept->generation = state->generation;
	kept->is_unfolded = state->is_unfolded;
	kept->head_count = state->head_count;
	flame_copy_folds(state->heads, state->head_count, &kept->heads, &kept->head_capacity);
	kept->zoom_count = state->zoom_count;
	flame_copy_zooms(state->zooms, state->zoom_count, &kept->zooms, &kept->zoom_capacity);
	kept->row = state->row;
	kept->column = state->column;
	kept->wanted = state->wanted;
	kept->scroll = state->scroll;
}

void flame_restore(struct flame_state *state, const struct view_context *context)
{
	const struct flame_kept *kept = &state->kept;
	if (!kept->is_kept || !context->tree || kept->generation != state->generation)
		return;
	state->is_unfolded = kept->is_unfolded;
	state->head_count = kept->head_count;
	flame_copy_folds(kept->heads, kept->head_count, &state->heads, &state->head_capacity);
	state->zoom_count = kept->zoom_count;
	flame_copy_zooms(kept->zooms, kept->zoom_count, &state->zooms, &state->zoom_capacity);
	flame_lay_out(state, context, state->width);
	state->row = kept->row;
	state->column = kept->column;
	state->wanted = kept->wanted;
	state->scroll = kept->scroll;
	flame_note(state, context->tree);
}
