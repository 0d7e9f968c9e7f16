/* SPDX-License-Identifier: MIT */
/* The flame graph: its cells (screens.md 2.3). */
#include "view/flame_state.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_EDGE = 0x258f, CURSOR_MARK = 0x25b6 };

/* What drawing needs to know, gathered once. */
struct flame_brush {
	struct flame_state *state;
	const struct view_context *context;
	struct canvas *canvas;
	const struct flame_places *places;
	struct calltree labels; /* the tree with the base that percentages are of */
	uint32_t cursor_row_id; /* row of the tree (function) below the cursor */
};

/* Screen line of the graph's line i, counted from the root. */
static int flame_line(const struct flame_brush *brush, int i)
{
	const struct box *graph = &brush->places->graph;
	return brush->state->is_inverted ? graph->y + graph->height - 1 - i : graph->y + i;
}

static void flame_figure(const struct flame_brush *brush, uint32_t node, char out[UNIT_SIZE])
{
	const struct calltree *tree = &brush->labels;
	if (brush->context->unit == UNIT_ABSOLUTE)
		common_value(out, tree, tree->total[node]);
	else
		units_percent(out, (double)tree->total[node], (double)tree->base);
}

static void flame_draw_label(
	const struct flame_brush *brush, uint32_t node, int x, int y, int cells, enum role role)
{
	struct text *scratch = &brush->state->scratch;
	char figure[UNIT_SIZE];
	if (cells < 1)
		return;
	flame_figure(brush, node, figure);
	/* A share of the zoomed frame means nothing for its callers. */
	if (role == ROLE_FRAME_ROOT && brush->context->unit == UNIT_OF_ZOOM)
		figure[0] = '\0';
	text_clear(scratch);
	flame_label_with(&brush->labels, node, figure, cells, brush->context->ascii, scratch);
	if (scratch->data)
		canvas_text(brush->canvas, x, y, cells, role, scratch->data);
}

static void flame_draw_frame(const struct flame_brush *brush, const struct flame_cell *cell, int y,
	enum role role, bool is_cursor)
{
	struct canvas *canvas = brush->canvas;
	int x = brush->places->graph.x + cell->column;
	struct box box = {x, y, cell->width, 1};
	canvas_fill(canvas, box, role, ' ');
	canvas_put(canvas, x, y, role, is_cursor ? CURSOR_MARK : LEFT_EDGE);
	flame_draw_label(brush, cell->node, x + 1, y, cell->width - 1, role);
	if (is_cursor)
		canvas_look(canvas, box, LOOK_REVERSE | LOOK_BOLD);
	else if (brush->context->tree->row[cell->node] == brush->cursor_row_id)
		canvas_look(canvas, (struct box){x + 1, y, cell->width - 1, 1}, LOOK_UNDERLINE);
}

static void flame_draw_pile(
	const struct flame_brush *brush, const struct flame_cell *cell, int y, bool is_cursor)
{
	int x = brush->places->graph.x + cell->column;
	bool is_half = cell->coverage >= 128;
	uint32_t glyph = is_half ? 0x2592 : 0x2591;
	if (brush->context->ascii)
		glyph = is_half ? ':' : '.';
	canvas_put(brush->canvas, x, y, ROLE_FRAME_TINY, glyph);
	if (is_cursor) {
		canvas_put(brush->canvas, x, y, ROLE_FRAME_TINY, CURSOR_MARK);
		canvas_look(brush->canvas, (struct box){x, y, 1, 1}, LOOK_REVERSE | LOOK_BOLD);
	}
}

static void flame_draw_row(const struct flame_brush *brush, size_t row, int y)
{
	const struct flame_state *state = brush->state;
	const struct flame *flame = &state->flame;
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	uint32_t count = flame->rows[row].count;
	const struct flame_cell *cursor =
		state->row == (int64_t)row ? flame_cursor_cell(state) : NULL;
	enum role beside = ROLE_NORMAL;
	int edge = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct flame_cell *cell = &cells[i];
		if (cell->coverage > 0) {
			flame_draw_pile(brush, cell, y, cell == cursor);
			continue;
		}
		enum role role = common_frame_role(brush->context->tree, cell->node,
			state->colouring, cell->column == edge ? beside : ROLE_NORMAL,
			common_role_at(brush->canvas, brush->places->graph.x + cell->column,
				y + (state->is_inverted ? 1 : -1)));
		flame_draw_frame(brush, cell, y, role, cell == cursor);
		beside = role;
		edge = cell->column + cell->width;
		/* The last of a run of frames is closed, so that it shows without colours, too. */
		bool is_last = i + 1 == count || cells[i + 1].column != edge;
		if (is_last && edge < flame->width)
			canvas_put(brush->canvas, brush->places->graph.x + edge, y, ROLE_RULE,
				LEFT_EDGE);
	}
}

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
	for (int i = 0; i < places->ancestors; i++) {
		int y = flame_line(brush, i);
		struct box box = {places->graph.x, y, places->graph.width, 1};
		canvas_fill(brush->canvas, box, ROLE_FRAME_ROOT, ' ');
		canvas_put(brush->canvas, box.x, y, ROLE_FRAME_ROOT, LEFT_EDGE);
		uint32_t node = flame_ancestor(brush->state, brush->context->tree, places, i);
		if (node == UINT32_MAX) {
			flame_draw_fold(brush, y);
			continue;
		}
		flame_draw_label(brush, node, box.x + 1, y, box.width - 1, ROLE_FRAME_ROOT);
		if (brush->state->row < 0 &&
			node == flame_cursor_node(brush->state, brush->context->tree)) {
			canvas_put(brush->canvas, box.x, y, ROLE_FRAME_ROOT, CURSOR_MARK);
			canvas_look(brush->canvas, box, LOOK_REVERSE | LOOK_BOLD);
		}
	}
}

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
	const struct flame_state *state = brush->state;
	const struct flame_places *places = brush->places;
	flame_draw_ancestors(brush);
	int line = places->ancestors;
	size_t row = state->scroll;
	for (; line < places->graph.height && row < state->flame.row_count; line++, row++)
		flame_draw_row(brush, row, flame_line(brush, line));
	flame_draw_more(brush, flame_line(brush, places->ancestors), state->scroll, false);
	flame_draw_more(brush, flame_line(brush, places->graph.height - 1),
		state->flame.row_count - row, true);
}

/* ---- what is selected -------------------------------------------------------- */

/* Counts the places of a function and what they add up to, once a stack. */
static void flame_count_same_name(
	struct flame_state *state, const struct calltree *tree, uint32_t row)
{
	struct flame_same_name *same = &state->same;
	if (same->is_known && same->row == row)
		return;
	*same = (struct flame_same_name){.is_known = true, .row = row};
	uint32_t counted = 0; /* nodes before this one lie in a place that was added already */
	for (uint32_t node = 0; node < tree->node_count; node++) {
		if (tree->row[node] != row)
			continue;
		same->frames++;
		if (node >= counted) {
			same->total += tree->total[node];
			counted = tree->end[node];
		}
	}
}

/* Text on the left and on the right of a line; the left one is cut first. */
static void flame_detail_line(
	const struct flame_brush *brush, int y, const char *left, const char *right, enum role role)
{
	const struct box *box = &brush->places->detail;
	int width = text_width(right, strlen(right));
	int room = box->width - 2;
	if (width + 12 > room)
		width = 0;
	common_text(brush->canvas, box->x + 1, y, room - (width ? width + 2 : 0), role, left);
	if (width)
		canvas_text(brush->canvas, box->x + 1 + room - width, y, width, ROLE_DIM, right);
}

/* "  30.6% of all  57.7% of zoom  33.8% of parent" */
static void flame_add_shares(const struct flame_brush *brush, uint32_t node, int64_t value)
{
	const struct calltree *tree = brush->context->tree;
	struct text *scratch = &brush->state->scratch;
	char share[UNIT_SIZE];
	uint32_t zoom = flame_zoomed(brush->state);
	uint32_t parent = tree->parent[node];
	text_printf(
		scratch, "   %s of all", units_percent(share, (double)value, (double)tree->base));
	if (zoom != 0 && brush->state->row >= 0)
		text_printf(scratch, "   %s of zoom",
			units_percent(share, (double)value, (double)tree->total[zoom]));
	bool has_room = zoom == 0 || brush->places->detail.width >= 100;
	if (node != 0 && parent != 0 && parent != zoom && has_room)
		text_printf(scratch, "   %s of parent",
			units_percent(share, (double)value, (double)tree->total[parent]));
}

static void flame_detail_pile(const struct flame_brush *brush, const struct flame_cell *pile, int y)
{
	const struct calltree *tree = brush->context->tree;
	struct text *scratch = &brush->state->scratch;
	char value[UNIT_SIZE];
	char share[UNIT_SIZE];
	text_clear(scratch);
	units_percent(share, (double)pile->value, (double)tree->base);
	if (pile->frames == 1)
		text_printf(scratch, "1 frame below one cell, %s: ", share);
	else
		text_printf(
			scratch, "%u frames below one cell, %s, largest: ", pile->frames, share);
	row_name(tree, tree->row[pile->node], brush->context->ascii, scratch);
	text_puts(scratch, "   ");
	row_location(tree, tree->row[pile->node], false, brush->context->ascii, scratch);
	flame_detail_line(brush, y, scratch->data, "Enter: zoom in there", ROLE_ACCENT);
	if (brush->places->detail.height < 3)
		return;
	text_clear(scratch);
	text_printf(scratch, "total %s", common_value(value, tree, pile->value));
	flame_add_shares(brush, pile->node, pile->value);
	flame_detail_line(brush, y + 1, scratch->data, "", ROLE_NORMAL);
}

/* "depth 7/13   same name: 2 frames, 41.3%" */
static void flame_say_where(const struct flame_brush *brush, uint32_t node, char *out, size_t size)
{
	const struct calltree *tree = brush->context->tree;
	const struct flame_same_name *same = &brush->state->same;
	char share[UNIT_SIZE];
	flame_count_same_name(brush->state, tree, tree->row[node]);
	snprintf(out, size, "depth %u/%u", flame_depth(tree, node), tree->profile->max_depth);
	if (same->frames < 2 || node == 0)
		return;
	snprintf(out + strlen(out), size - strlen(out), "   same name: %u frames, %s", same->frames,
		units_percent(share, (double)same->total, (double)tree->base));
}

/* Name and place of a frame, as much of the path as fits. */
static void flame_say_name(const struct flame_brush *brush, uint32_t node, int cells)
{
	const struct calltree *tree = brush->context->tree;
	struct text *scratch = &brush->state->scratch;
	text_clear(scratch);
	row_name(tree, tree->row[node], brush->context->ascii, scratch);
	if (node == 0)
		return;
	text_puts(scratch, "   ");
	size_t name = scratch->length;
	row_location(tree, tree->row[node], true, brush->context->ascii, scratch);
	if (text_width(scratch->data, scratch->length) <= cells)
		return;
	scratch->length = name;
	scratch->data[name] = '\0';
	row_location(tree, tree->row[node], false, brush->context->ascii, scratch);
}

static void flame_detail_frame(const struct flame_brush *brush, uint32_t node, int y)
{
	const struct calltree *tree = brush->context->tree;
	struct flame_state *state = brush->state;
	struct text *scratch = &state->scratch;
	char value[UNIT_SIZE];
	char share[UNIT_SIZE];
	char right[160];
	bool is_one_line = brush->places->detail.height < 3;
	if (is_one_line)
		units_percent(right, (double)tree->total[node], (double)tree->base);
	else
		flame_say_where(brush, node, right, sizeof right);
	flame_say_name(brush, node, brush->places->detail.width - 4 - (int)strlen(right));
	flame_detail_line(brush, y, scratch->data, right, ROLE_ACCENT);
	if (is_one_line)
		return;
	text_clear(scratch);
	bool is_count = strcmp(tree->profile->types[tree->query.type].unit, "count") == 0;
	text_printf(scratch, "total %s%s%s", common_value(value, tree, tree->total[node]),
		is_count ? " " : "", is_count ? common_noun(tree) : "");
	flame_add_shares(brush, node, tree->total[node]);
	common_value(value, tree, tree->self[node]);
	snprintf(right, sizeof right, "self %s   %s", value,
		units_percent(share, (double)tree->self[node], (double)tree->base));
	flame_detail_line(brush, y + 1, scratch->data, right, ROLE_NORMAL);
}

static void flame_draw_detail(const struct flame_brush *brush)
{
	const struct box *box = &brush->places->detail;
	const struct flame_cell *cell = flame_cursor_cell(brush->state);
	uint32_t node = flame_cursor_node(brush->state, brush->context->tree);
	int y = box->y;
	if (box->height < 1)
		return;
	if (box->height >= 3)
		canvas_rule(brush->canvas, box->x, y++, box->width, "selected");
	if (cell && cell->coverage > 0)
		flame_detail_pile(brush, cell, y);
	else
		flame_detail_frame(brush, node, y);
	if (box->height < 4 || node == 0)
		return;
	struct text *scratch = &brush->state->scratch;
	text_clear(scratch);
	text_puts(scratch, "called by ");
	common_chain(
		brush->context, 0, brush->context->tree->parent[node], box->width - 12, scratch);
	if (brush->context->tree->parent[node] != 0)
		canvas_text(
			brush->canvas, box->x + 1, y + 2, box->width - 2, ROLE_DIM, scratch->data);
}

void flame_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct flame_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
	struct flame_places places = flame_prepare(state, context, area);
	struct flame_brush brush = {
		.state = state,
		.context = context,
		.canvas = canvas,
		.places = &places,
		.labels = *context->tree,
	};
	if (context->unit == UNIT_OF_ZOOM)
		brush.labels.base = context->tree->total[flame_zoomed(state)];
	uint32_t node = flame_cursor_node(state, context->tree);
	brush.cursor_row_id = node != 0 ? context->tree->row[node] : UINT32_MAX;
	flame_draw_graph(&brush);
	flame_draw_detail(&brush);
}
