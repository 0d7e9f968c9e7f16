/* SPDX-License-Identifier: MIT */
/* The flame graph: its cells (screens.md 2.3). */
#include "view/flame_state.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum {
	LEFT_EDGE = 0x258f,
	CURSOR_MARK = 0x25b6,
	SAME_NAME_MARK = 0x2022,
	SAME_NAME_LEAST = 6, /* cells of a frame that gets the mark */
	MOST_CHAIN = 28      /* cells of the names of a folded chain */
};

/* What drawing needs to know, gathered once. */
struct flame_brush {
	struct flame_state *state;
	const struct view_context *context;
	struct canvas *canvas;
	const struct flame_places *places;
	struct calltree labels; /* the tree with the base that percentages are of */
	const uint8_t *hits;    /* of the search, by row; NULL: there are none */
	uint32_t cursor_row_id; /* row of the tree (function) below the cursor */
};

/* Screen line of the graph's line i, counted from the root. */
static int flame_line(const struct flame_brush *brush, int i)
{
	const struct box *graph = &brush->places->graph;
	return brush->state->is_inverted ? graph->y + graph->height - 1 - i : graph->y + i;
}

/* ---- colours -------------------------------------------------------------------- */

static enum role flame_role_above(const struct flame_state *state, size_t row, int column)
{
	const struct flame_cell *above = row > 0 ? flame_at(&state->flame, row - 1, column) : NULL;
	return above ? (enum role)state->roles[above - state->flame.cells] : ROLE_NORMAL;
}

/*
 * Gives the frames of all rows before `end` their colours. They depend on their neighbours, so they
 * are worked out once for a layout: neither cursor nor scrolling may change them.
 */
static void flame_colour(struct flame_state *state, const struct calltree *tree, size_t end)
{
	const struct flame *flame = &state->flame;
	state->roles = array_grow(
		state->roles, &state->role_capacity, flame->cell_count, sizeof *state->roles);
	for (; state->coloured < end && state->coloured < flame->row_count; state->coloured++) {
		const struct flame_row *row = &flame->rows[state->coloured];
		enum role beside = ROLE_NORMAL;
		int edge = 0;
		for (uint32_t i = row->first; i < row->first + row->count; i++) {
			const struct flame_cell *cell = &flame->cells[i];
			state->roles[i] = ROLE_FRAME_TINY;
			if (cell->coverage > 0)
				continue;
			beside = common_frame_role(tree, cell->node, state->colouring,
				cell->column == edge ? beside : ROLE_NORMAL,
				flame_role_above(state, state->coloured, cell->column));
			edge = cell->column + cell->width;
			state->roles[i] = (uint8_t)beside;
		}
	}
}

/* ---- frames ---------------------------------------------------------------------- */

static bool flame_is_hit(const struct flame_brush *brush, uint32_t node)
{
	return brush->hits && brush->hits[brush->context->tree->row[node]];
}

static void flame_figure(const struct flame_brush *brush, uint32_t node, char out[UNIT_SIZE])
{
	const struct calltree *tree = &brush->labels;
	if (node == 0) /* all there is, which is no estimate */
		common_share(out, tree, tree->total[0]);
	else if (brush->context->unit == UNIT_ABSOLUTE)
		common_place_value(out, tree, tree->total[node]);
	else
		common_place_share(out, tree, tree->total[node], tree->base);
}

/* Returns the cells used. */
static int flame_draw_label(
	const struct flame_brush *brush, uint32_t node, int x, int y, int cells, enum role role)
{
	struct text *scratch = &brush->state->scratch;
	char figure[UNIT_SIZE];
	if (cells < 1)
		return 0;
	flame_figure(brush, node, figure);
	/* A share of the zoomed frame means nothing for its callers. */
	if (node < flame_zoomed(brush->state) && brush->context->unit == UNIT_OF_ZOOM)
		figure[0] = '\0';
	text_clear(scratch);
	flame_label_with(&brush->labels, node, figure, cells, brush->context->ascii, scratch);
	return scratch->data ? canvas_text(brush->canvas, x, y, cells, role, scratch->data) : 0;
}

/* "⋮ 9 frames: main › run › … › step" or as much of it as fits; returns the cells used. */
static int flame_draw_chain(const struct flame_brush *brush, uint32_t last, uint32_t folded, int x,
	int y, int cells, enum role role)
{
	const struct calltree *tree = brush->context->tree;
	struct text *scratch = &brush->state->scratch;
	uint32_t above = last;
	for (uint32_t i = 0; i < folded; i++)
		above = tree->parent[above];
	text_clear(scratch);
	text_printf(scratch, "\u22ee %u frames", folded);
	int used = text_width(scratch->data, scratch->length);
	if (used > cells) {
		text_clear(scratch);
		text_printf(scratch, "\u22ee%u", folded);
		used = text_width(scratch->data, scratch->length);
	} else if (cells - used >= 8) {
		int room = cells - used - 2 < MOST_CHAIN ? cells - used - 2 : MOST_CHAIN;
		text_puts(scratch, ": ");
		common_chain(brush->context, above, last, room, scratch);
	}
	if (used > cells)
		return canvas_text(brush->canvas, x, y, cells, role, "\u22ee");
	return canvas_text(brush->canvas, x, y, cells, role, scratch->data);
}

/*
 * Another place of the function that is selected: one of those whose totals add up to what it has
 * in all. Below such a one it is not marked again, since each mark costs bytes.
 */
static bool flame_is_same_name(const struct flame_brush *brush, const struct flame_cell *cell)
{
	const struct calltree *tree = brush->context->tree;
	uint32_t node = cell->node;
	if (brush->hits || cell->width < SAME_NAME_LEAST || tree->row[node] != brush->cursor_row_id)
		return false;
	do
		node = tree->parent[node];
	while (node != 0 && tree->row[node] != brush->cursor_row_id);
	return node == 0;
}

/* The first cell of a frame: its left edge, and what marks it without any colour. */
static uint32_t flame_edge_glyph(const struct flame_brush *brush, const struct flame_cell *cell,
	bool is_fold, bool is_cursor)
{
	if (is_cursor)
		return CURSOR_MARK;
	return !is_fold && flame_is_same_name(brush, cell) ? SAME_NAME_MARK : LEFT_EDGE;
}

static void flame_mark(
	const struct flame_brush *brush, int x, int y, int cells, bool is_cursor, bool is_hit)
{
	int look = (is_cursor ? LOOK_BOLD : 0) | (is_hit ? LOOK_BOLD | LOOK_UNDERLINE : 0);
	canvas_look(brush->canvas, (struct box){x, y, cells, 1}, look);
}

/*
 * A frame is as wide as what changed below it, both ways; only as much of it is red or green as is
 * left where they are set off against each other. The first `kept` cells stay as they are.
 */
static void flame_shade_change(
	const struct flame_brush *brush, const struct flame_cell *cell, int y, int kept)
{
	const struct calltree *tree = brush->context->tree;
	const double change = (double)tree->total[cell->node];
	const double whole = (double)calltree_width(tree, cell->node);
	const double share = whole > 0 ? (change < 0 ? -change : change) / whole : 1;
	int shaded = (int)(share * cell->width + 0.5);
	if (shaded < 1 && change != 0)
		shaded = 1;
	if (shaded < kept)
		shaded = kept;
	if (shaded < cell->width)
		canvas_role(brush->canvas,
			(struct box){brush->places->graph.x + cell->column + shaded, y,
				cell->width - shaded, 1},
			ROLE_FRAME_GREY);
}

/*
 * A frame in its colour; the cursor is a patch below the label, so that what is right of it stays.
 * Blanks have no look of their own, bold or underlined: a terminal can be told to erase many of
 * them at once only where they are plain.
 */
static void flame_draw_frame(const struct flame_brush *brush, const struct flame_cell *cell,
	uint32_t folded, int y, bool is_cursor)
{
	struct canvas *canvas = brush->canvas;
	int x = brush->places->graph.x + cell->column;
	int room = cell->width - 1;
	bool is_hit = flame_is_hit(brush, cell->node);
	enum role role = (enum role)brush->state->roles[cell - brush->state->flame.cells];
	if (brush->hits && !is_hit)
		role = ROLE_FRAME_ROOT;
	canvas_fill(canvas, (struct box){x, y, cell->width, 1}, role, ' ');
	if (is_cursor)
		role = ROLE_FRAME_CURSOR;
	canvas_put(canvas, x, y, role, flame_edge_glyph(brush, cell, folded > 0, is_cursor));
	int used = folded > 0 ? flame_draw_chain(brush, cell->node, folded, x + 1, y, room, role)
			      : flame_draw_label(brush, cell->node, x + 1, y, room, role);
	if (is_cursor && used < room)
		canvas_put(canvas, x + 1 + used, y, role, ' ');
	flame_mark(brush, x, y, used + 1, is_cursor, is_hit);
	if (common_is_change(brush->context->tree) && !brush->hits)
		flame_shade_change(brush, cell, y, is_cursor ? used + 2 : 0);
}

static void flame_draw_pile(
	const struct flame_brush *brush, const struct flame_cell *cell, int y, bool is_cursor)
{
	int x = brush->places->graph.x + cell->column;
	uint32_t glyph = cell->coverage >= 128 ? 0x2592 : 0x2591;
	bool is_hit = flame_is_hit(brush, cell->node);
	enum role role = is_cursor                ? ROLE_FRAME_CURSOR
			 : brush->hits && !is_hit ? ROLE_FRAME_ROOT
						  : ROLE_FRAME_TINY;
	canvas_put(brush->canvas, x, y, role, is_cursor ? CURSOR_MARK : glyph);
	flame_mark(brush, x, y, 1, is_cursor, is_hit);
}

static void flame_draw_row(const struct flame_brush *brush, size_t row, int y)
{
	const struct flame *flame = &brush->state->flame;
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	uint32_t count = flame->rows[row].count;
	const struct flame_cell *cursor =
		brush->state->row == (int64_t)row ? flame_cursor_cell(brush->state) : NULL;
	for (uint32_t i = 0; i < count; i++) {
		const struct flame_cell *cell = &cells[i];
		if (cell->coverage > 0) {
			flame_draw_pile(brush, cell, y, cell == cursor);
			continue;
		}
		flame_draw_frame(brush, cell, flame->rows[row].folded, y, cell == cursor);
		int edge = cell->column + cell->width;
		/* The last of a run of frames is closed, so that it shows without colours, too. */
		bool is_last = i + 1 == count || cells[i + 1].column != edge;
		if (is_last && edge < flame->width)
			canvas_put(brush->canvas, brush->places->graph.x + edge, y,
				brush->hits ? ROLE_FRAME_ROOT : ROLE_FRAME_TINY, LEFT_EDGE);
	}
}

/* ---- callers of the zoomed frame ---------------------------------------------------- */

/* "... 4 more: main › run › step" */
static void flame_draw_fold(const struct flame_brush *brush, int y)
{
	const struct flame_places *places = brush->places;
	const struct calltree *tree = brush->context->tree;
	struct text *scratch = &brush->state->scratch;
	int below = places->ancestors - 1 - places->fold; /* callers shown below the fold */
	uint32_t hidden = places->above - (uint32_t)below - (uint32_t)places->fold;
	uint32_t last = flame_zoomed(brush->state);
	for (int i = 0; i <= below; i++)
		last = tree->parent[last];
	uint32_t above = last;
	for (uint32_t i = 0; i < hidden; i++)
		above = tree->parent[above];
	text_clear(scratch);
	text_printf(scratch, "%s %u more: ", brush->context->ascii ? "..." : "\u2026", hidden);
	int used = text_width(scratch->data, scratch->length);
	common_chain(brush->context, above, last, places->graph.width - 1 - used, scratch);
	canvas_text(brush->canvas, places->graph.x + 1, y, places->graph.width - 1, ROLE_FRAME_ROOT,
		scratch->data);
}

static void flame_draw_ancestors(const struct flame_brush *brush)
{
	const struct flame_places *places = brush->places;
	const struct flame_state *state = brush->state;
	for (int i = 0; i < places->ancestors; i++) {
		int y = flame_line(brush, i);
		struct box box = {places->graph.x, y, places->graph.width, 1};
		uint32_t node = flame_ancestor(state, brush->context->tree, places, i);
		bool is_cursor = state->row < 0 && node != UINT32_MAX &&
				 node == flame_cursor_node(state, brush->context->tree);
		enum role role = is_cursor ? ROLE_FRAME_CURSOR : ROLE_FRAME_ROOT;
		canvas_put(brush->canvas, box.x, y, role, is_cursor ? CURSOR_MARK : LEFT_EDGE);
		if (node == UINT32_MAX) {
			flame_draw_fold(brush, y);
			continue;
		}
		int used = flame_draw_label(brush, node, box.x + 1, y, box.width - 1, role);
		if (is_cursor && used < box.width - 1)
			canvas_put(brush->canvas, box.x + 1 + used, y, role, ' ');
		flame_mark(brush, box.x, y, used + 1, is_cursor, flame_is_hit(brush, node));
	}
}

/* ---- all of it ------------------------------------------------------------------------ */

static void flame_draw_more(const struct flame_brush *brush, int y, size_t rows, bool is_below)
{
	const struct box *graph = &brush->places->graph;
	bool points_down = is_below != brush->state->is_inverted;
	char line[64];
	if (rows == 0 || brush->places->rows < 3)
		return;
	snprintf(line, sizeof line, " %s %zu more row%s ", points_down ? "\u25bc" : "\u25b2", rows,
		rows == 1 ? "" : "s");
	int width = text_width(line, strlen(line));
	canvas_text(brush->canvas, graph->x + graph->width - width, y, width, ROLE_ACCENT, line);
}

static void flame_draw_graph(const struct flame_brush *brush)
{
	struct flame_state *state = brush->state;
	const struct flame_places *places = brush->places;
	int line = places->ancestors;
	size_t row = state->scroll;
	flame_colour(state, brush->context->tree, row + (size_t)(places->graph.height - line));
	flame_draw_ancestors(brush);
	for (; line < places->graph.height && row < state->flame.row_count; line++, row++)
		flame_draw_row(brush, row, flame_line(brush, line));
	flame_draw_more(brush, flame_line(brush, places->ancestors), state->scroll, false);
	flame_draw_more(brush, flame_line(brush, places->graph.height - 1),
		state->flame.row_count - row, true);
}

void flame_draw_all(struct flame_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct flame_places places = flame_prepare(state, context, area);
	const struct search *search = context->search;
	struct flame_brush brush = {
		.state = state,
		.context = context,
		.canvas = canvas,
		.places = &places,
		.labels = *context->tree,
		.hits = search && search->row_count > 0 ? search->hits : NULL,
	};
	if (context->unit == UNIT_OF_ZOOM)
		brush.labels.base = calltree_width(context->tree, flame_zoomed(state));
	uint32_t node = flame_cursor_node(state, context->tree);
	brush.cursor_row_id = node != 0 ? context->tree->row[node] : UINT32_MAX;
	flame_draw_graph(&brush);
	flame_draw_detail(state, context, canvas, &places);
}
