/* SPDX-License-Identifier: MIT */
/* The flame graph: the lines about what is selected. */
#include "view/flame_state.h"

#include <stdio.h>
#include <string.h>

/*
 * Figures stand in columns of their own, right-aligned, so that little of the lines changes from
 * one frame to the next.
 */
enum { SHARE_CELLS = 5 };

struct flame_pen {
	struct flame_state *state;
	const struct view_context *context;
	struct canvas *canvas;
	const struct flame_places *places;
};

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

/*
 * Text on the left and on the right of a line; the left one is cut first. The first `bold` cells of
 * it are.
 */
static void flame_detail_line(
	const struct flame_pen *pen, int y, const char *left, int bold, const char *right)
{
	const struct box *box = &pen->places->detail;
	int width = text_width(right, strlen(right));
	int room = box->width - 2;
	if (width + 12 > room)
		width = 0;
	int used = common_text(
		pen->canvas, box->x + 1, y, room - (width ? width + 2 : 0), ROLE_NORMAL, left);
	canvas_look(
		pen->canvas, (struct box){box->x + 1, y, bold < used ? bold : used, 1}, LOOK_BOLD);
	if (width)
		canvas_text(pen->canvas, box->x + 1 + room - width, y, width, ROLE_NORMAL, right);
}

/* A value as wide as the largest one of the tree is at least. */
static void flame_add_value(const struct flame_pen *pen, int64_t value, struct text *out)
{
	const struct calltree *tree = pen->context->tree;
	char text[UNIT_SIZE];
	char widest[UNIT_SIZE];
	common_place_value(text, tree, value);
	common_place_value(widest, tree, tree->total[0]);
	int missing = text_width(widest, strlen(widest)) - text_width(text, strlen(text));
	text_repeat(out, " ", missing > 0 ? missing : 0);
	text_puts(out, text);
}

static void flame_add_share(
	const struct flame_pen *pen, struct text *out, int64_t value, int64_t base)
{
	char share[UNIT_SIZE];
	text_printf(
		out, "%*s", SHARE_CELLS, common_share_of(share, pen->context->tree, value, base));
}

/* "total: old 1.2 s   new 1.4 s   change +0.2 s  +3.1%" */
static void flame_add_parts(const struct flame_pen *pen, uint32_t node, struct text *out)
{
	const struct view_context *context = pen->context;
	char value[UNIT_SIZE];
	text_printf(out, "total: old %s",
		common_value(value, context->base, context->base->total[node]));
	text_printf(
		out, "   new %s", common_value(value, context->newer, context->newer->total[node]));
	text_printf(out, "   change %s",
		common_value(value, context->change, context->change->total[node]));
	text_printf(
		out, "  %s", common_share(value, context->change, context->change->total[node]));
}

/* "total   576 samples   30.6% of all   57.7% of zoom   33.8% of parent" */
static void flame_add_total(
	const struct flame_pen *pen, uint32_t node, int64_t value, struct text *out)
{
	const struct calltree *tree = pen->context->tree;
	uint32_t zoom = flame_zoomed(pen->state);
	uint32_t parent = tree->parent[node];
	if (pen->context->base) {
		flame_add_parts(pen, node, out);
		return;
	}
	bool is_count = strcmp(tree->profile->types[tree->query.type].unit, "count") == 0;
	text_puts(out, "total ");
	flame_add_value(pen, value, out);
	if (is_count)
		text_printf(out, " %s", common_noun(tree));
	text_puts(out, "   ");
	flame_add_share(pen, out, value, tree->base);
	text_puts(out, " of all");
	if (zoom != 0 && pen->state->row >= 0) {
		text_puts(out, "   ");
		flame_add_share(pen, out, value, calltree_width(tree, zoom));
		text_puts(out, " of zoom");
	}
	bool has_room = zoom == 0 || pen->places->detail.width >= 100;
	if (node != 0 && parent != 0 && parent != zoom && has_room) {
		text_puts(out, "   ");
		flame_add_share(pen, out, value, calltree_width(tree, parent));
		text_puts(out, " of parent");
	}
}

static void flame_detail_pile(const struct flame_pen *pen, const struct flame_cell *pile, int y)
{
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	char share[UNIT_SIZE];
	text_clear(scratch);
	common_place_share(share, tree, pile->value, tree->base);
	text_printf(scratch, "%u frame%s below one cell, %s, largest: ", pile->frames,
		pile->frames == 1 ? "" : "s", share);
	int bold = text_width(scratch->data, scratch->length) - 11;
	row_name(tree, tree->row[pile->node], pen->context->ascii, scratch);
	text_puts(scratch, "   ");
	row_location(tree, tree->row[pile->node], false, pen->context->ascii, scratch);
	flame_detail_line(pen, y, scratch->data, bold, "Enter: zoom in there");
	if (pen->places->detail.height < 3)
		return;
	text_clear(scratch);
	flame_add_total(pen, pile->node, pile->value, scratch);
	flame_detail_line(pen, y + 1, scratch->data, 0, "");
}

/* "same name: 2 frames, 41.3%   depth  7/13" */
static void flame_say_where(const struct flame_pen *pen, uint32_t node, char *out, size_t size)
{
	const struct calltree *tree = pen->context->tree;
	const struct flame_same_name *same = &pen->state->same;
	char share[UNIT_SIZE];
	char most[UNIT_SIZE];
	out[0] = '\0';
	flame_count_same_name(pen->state, tree, tree->row[node]);
	if (same->frames >= 2 && node != 0)
		snprintf(out, size, "same name: %u frames, %s   ", same->frames,
			common_place_share(share, tree, same->total, tree->base));
	int digits = snprintf(most, sizeof most, "%u", tree->profile->max_depth);
	snprintf(out + strlen(out), size - strlen(out), "depth %*u/%s", digits,
		flame_depth(tree, node), most);
}

/* Name and place of a frame, as much of the path as fits; returns the cells of the name. */
static int flame_say_name(const struct flame_pen *pen, uint32_t node, int cells)
{
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	text_clear(scratch);
	row_name(tree, tree->row[node], pen->context->ascii, scratch);
	int width = scratch->data ? text_width(scratch->data, scratch->length) : 0;
	if (node == 0)
		return width;
	text_puts(scratch, "   ");
	size_t name = scratch->length;
	row_location(tree, tree->row[node], true, pen->context->ascii, scratch);
	if (text_width(scratch->data, scratch->length) <= cells)
		return width;
	scratch->length = name;
	scratch->data[name] = '\0';
	row_location(tree, tree->row[node], false, pen->context->ascii, scratch);
	return width;
}

/* "total ... self ..." */
static void flame_detail_values(const struct flame_pen *pen, uint32_t node, int64_t self, int y)
{
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	struct text right = {0};
	/* Leaves first, a box has no self of its own: stacks begin there. */
	text_puts(&right, pen->state->is_bottom_up ? "begins here " : "self ");
	flame_add_value(pen, self, &right);
	text_puts(&right, "  ");
	flame_add_share(pen, &right, self, tree->base);
	text_clear(scratch);
	flame_add_total(pen, node, tree->total[node], scratch);
	flame_detail_line(pen, y, scratch->data, 0, right.data);
	text_free(&right);
}

/* "9 frames in a chain: main › run › … › step" and what they have together. */
static void flame_detail_chain(const struct flame_pen *pen, uint32_t last, uint32_t folded, int y)
{
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	bool is_wide = pen->places->detail.width >= 70;
	const char *keys = is_wide ? "Space: unfold   Enter: zoom to its end" : "Space: unfold";
	uint32_t first = last;
	int64_t self = tree->self[last];
	for (uint32_t i = 1; i < folded; i++) {
		first = tree->parent[first];
		self += tree->self[first];
	}
	text_clear(scratch);
	text_printf(scratch, "%u frames in a chain", folded);
	int bold = text_width(scratch->data, scratch->length);
	text_puts(scratch, ": ");
	int room = pen->places->detail.width - 4 - (int)strlen(keys) - bold - 2;
	common_chain(pen->context, tree->parent[first], last, room > 8 ? room : 8, scratch);
	flame_detail_line(pen, y, scratch->data, bold, keys);
	if (pen->places->detail.height >= 3)
		flame_detail_values(pen, first, self, y + 1);
}

static void flame_detail_frame(const struct flame_pen *pen, uint32_t node, int y)
{
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	char right[160];
	bool is_one_line = pen->places->detail.height < 3;
	if (is_one_line)
		common_place_share(right, tree, tree->total[node], tree->base);
	else
		flame_say_where(pen, node, right, sizeof right);
	int bold = flame_say_name(pen, node, pen->places->detail.width - 4 - (int)strlen(right));
	flame_detail_line(pen, y, scratch->data ? scratch->data : "", bold, right);
}

/* The way to it from the root. */
static void flame_detail_path(const struct flame_pen *pen, uint32_t node, int y)
{
	const struct box *box = &pen->places->detail;
	const struct calltree *tree = pen->context->tree;
	struct text *scratch = &pen->state->scratch;
	if (node == 0 || tree->parent[node] == 0)
		return;
	text_clear(scratch);
	text_puts(scratch, pen->state->is_bottom_up ? "a caller of " : "called by ");
	common_chain(pen->context, 0, tree->parent[node], box->width - 14, scratch);
	canvas_text(pen->canvas, box->x + 1, y, box->width - 2, ROLE_DIM, scratch->data);
}

void flame_draw_detail(struct flame_state *state, const struct view_context *context,
	struct canvas *canvas, const struct flame_places *places)
{
	struct flame_pen pen = {state, context, canvas, places};
	const struct box *box = &places->detail;
	const struct flame_cell *cell = flame_cursor_cell(state);
	uint32_t node = flame_cursor_node(state, context->tree);
	uint32_t folded = flame_cursor_folded(state);
	int y = box->y;
	if (box->height < 1)
		return;
	if (box->height >= 3)
		canvas_rule(canvas, box->x, y++, box->width, "selected");
	if (cell && cell->coverage > 0) {
		flame_detail_pile(&pen, cell, y);
	} else if (folded > 0) {
		flame_detail_chain(&pen, node, folded, y);
	} else {
		flame_detail_frame(&pen, node, y);
		if (box->height >= 3)
			flame_detail_values(&pen, node, context->tree->self[node], y + 1);
	}
	if (box->height >= 4)
		flame_detail_path(&pen, node, y + 2);
}
