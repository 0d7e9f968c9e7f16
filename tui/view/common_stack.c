/* SPDX-License-Identifier: MIT */
/* Stacks as several views show them: the frames of a path in one line, or one below the other. */
#include "view/common.h"

#include <string.h>

enum { COMMON_MOST_FRAMES = 256, COMMON_MOST_NAME = 48 };

uint32_t common_path(
	const struct calltree *tree, uint32_t above, uint32_t node, uint32_t *path, uint32_t most)
{
	uint32_t count = 0;
	for (uint32_t at = node; at != above && at != 0; at = tree->parent[at])
		count++;
	uint32_t kept = count < most ? count : most;
	for (uint32_t i = kept; i-- > 0; node = tree->parent[node])
		path[i] = node;
	return count;
}

static const char *common_arrow(const struct view_context *context)
{
	return context->ascii ? " > " : " \u203a ";
}

static const char *common_dots(const struct view_context *context)
{
	return context->ascii ? ".." : "\u2026";
}

/* The frame right below `above` on the way to `node`. */
static uint32_t common_first_below(const struct calltree *tree, uint32_t above, uint32_t node)
{
	while (tree->parent[node] != above && tree->parent[node] != 0)
		node = tree->parent[node];
	return node;
}

/* How many frames at the end of path[count] fit into `cells`, each with an arrow before it. */
static uint32_t common_tail_that_fits(const struct view_context *context, const uint32_t *path,
	uint32_t count, int cells, struct text *scratch)
{
	uint32_t fits = 0;
	size_t start = scratch->length;
	while (fits < count) {
		row_name(context->tree, context->tree->row[path[count - 1 - fits]], context->ascii,
			scratch);
		cells -= 3 + text_width(scratch->data + start, scratch->length - start);
		scratch->length = start;
		scratch->data[start] = '\0';
		if (cells < 0)
			break;
		fits++;
	}
	return fits;
}

/* Which frames of a chain are shown: those of path[from .. kept), before them maybe the outermost
 * one, and dots where some are left out. */
struct common_chain_parts {
	uint32_t path[COMMON_MOST_FRAMES];
	uint32_t from, kept;
	uint32_t first; /* the outermost frame, 0: not set apart */
	bool has_dots;
};

static void common_chain_choose(const struct view_context *context, uint32_t above, uint32_t node,
	int cells, struct text *scratch, struct common_chain_parts *parts)
{
	const struct calltree *tree = context->tree;
	uint32_t count = common_path(tree, above, node, parts->path, COMMON_MOST_FRAMES);
	parts->kept = parts->from = count < COMMON_MOST_FRAMES ? count : COMMON_MOST_FRAMES;
	parts->first = 0;
	parts->has_dots = false;
	if (count == 0 || cells < 1)
		return;
	text_puts(scratch, "");
	uint32_t shown =
		common_tail_that_fits(context, parts->path, parts->kept, cells + 3, scratch);
	if (shown < count) {
		size_t start = scratch->length;
		uint32_t first = common_first_below(tree, above, node);
		row_name(tree, tree->row[first], context->ascii, scratch);
		int used = text_width(scratch->data + start, scratch->length - start);
		scratch->length = start;
		scratch->data[start] = '\0';
		int dots = 3 + text_width(common_dots(context), strlen(common_dots(context)));
		shown = common_tail_that_fits(
			context, parts->path, parts->kept, cells - used - dots, scratch);
		parts->has_dots = true;
		if (shown > 0)
			parts->first = first;
		else
			shown = 1; /* the innermost frame says most */
	}
	parts->from = parts->kept - shown;
}

void common_chain(const struct view_context *context, uint32_t above, uint32_t node, int cells,
	struct text *out)
{
	const struct calltree *tree = context->tree;
	struct common_chain_parts parts;
	common_chain_choose(context, above, node, cells, out, &parts);
	if (parts.first) {
		row_name(tree, tree->row[parts.first], context->ascii, out);
		text_puts(out, common_arrow(context));
	}
	if (parts.has_dots) {
		text_puts(out, common_dots(context));
		text_puts(out, common_arrow(context));
	}
	for (uint32_t i = parts.from; i < parts.kept; i++) {
		row_name(tree, tree->row[parts.path[i]], context->ascii, out);
		if (i + 1 < parts.kept)
			text_puts(out, common_arrow(context));
	}
}

/* Where a chain is drawn, and how far it got. */
struct common_pen {
	const struct view_context *context;
	struct canvas *canvas;
	int x, y, cells, used;
	enum role role;
	struct text *scratch;
};

static void common_pen_puts(struct common_pen *pen, const char *text)
{
	pen->used += canvas_text(
		pen->canvas, pen->x + pen->used, pen->y, pen->cells - pen->used, pen->role, text);
}

static void common_pen_frame(struct common_pen *pen, uint32_t node)
{
	uint32_t row = pen->context->tree->row[node];
	int start = pen->used;
	const char *name = common_name(pen->context, row, pen->scratch);
	pen->used += common_text(
		pen->canvas, pen->x + start, pen->y, pen->cells - start, pen->role, name);
	canvas_look(pen->canvas, (struct box){pen->x + start, pen->y, pen->used - start, 1},
		common_look(pen->context, row));
}

int common_draw_chain(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, enum role role, uint32_t above, uint32_t node, struct text *scratch)
{
	struct common_chain_parts parts;
	struct common_pen pen = {context, canvas, x, y, cells, 0, role, scratch};
	text_clear(scratch);
	common_chain_choose(context, above, node, cells, scratch, &parts);
	if (parts.first) {
		common_pen_frame(&pen, parts.first);
		common_pen_puts(&pen, common_arrow(context));
	}
	if (parts.has_dots) {
		common_pen_puts(&pen, common_dots(context));
		common_pen_puts(&pen, common_arrow(context));
	}
	for (uint32_t i = parts.from; i < parts.kept; i++) {
		common_pen_frame(&pen, parts.path[i]);
		if (i + 1 < parts.kept)
			common_pen_puts(&pen, common_arrow(context));
	}
	return pen.used;
}

int common_stack_frames(const struct calltree *tree, uint32_t node, int height, int *skipped)
{
	uint32_t path[1];
	uint32_t count = common_path(tree, 0, node, path, 1);
	int most = height < COMMON_MOST_FRAMES ? height : COMMON_MOST_FRAMES;
	*skipped = 0;
	if (most < 1 || count <= (uint32_t)most)
		return most < 1 ? 0 : (int)count;
	*skipped = 1; /* that line says how many are left out */
	return most - 1;
}

int common_stack_marked(const struct view_context *context, struct canvas *canvas, struct box area,
	uint32_t node, uint32_t marked, enum role role, struct text *scratch)
{
	uint32_t path[COMMON_MOST_FRAMES];
	int skipped;
	int shown = common_stack_frames(context->tree, node, area.height, &skipped);
	uint32_t count = common_path(context->tree, 0, node, path, (uint32_t)shown);
	if (skipped)
		canvas_printf(canvas, area.x, area.y, area.width, ROLE_DIM, "   %s %u more above",
			common_dots(context), count - (uint32_t)shown);
	int name_cells = area.width < 44 ? area.width - 7 : (area.width - 8) * 9 / 20;
	if (name_cells > COMMON_MOST_NAME)
		name_cells = COMMON_MOST_NAME;
	for (int i = 0; i < shown; i++) {
		uint32_t row = context->tree->row[path[i]];
		int y = area.y + skipped + i;
		canvas_printf(canvas, area.x, y, 4, ROLE_DIM, "%4u",
			(count - (uint32_t)(shown - i) + 1) % 10000);
		canvas_put(canvas, area.x + 5, y, role, context->ascii ? '|' : 0x258c);
		struct box name = {area.x + 7, y, name_cells, 1};
		name.width = common_draw_name(
			context, canvas, name.x, y, name_cells, role, row, scratch);
		int place = name.x + (name.width < name_cells ? name_cells : name.width) + 1;
		common_draw_location(
			context, canvas, place, y, area.x + area.width - place, row, scratch);
		if (path[i] == marked)
			common_mark_row(canvas, area.x, name);
	}
	return skipped + shown;
}

int common_stack(const struct view_context *context, struct canvas *canvas, struct box area,
	uint32_t node, enum role role, struct text *scratch)
{
	return common_stack_marked(context, canvas, area, node, 0, role, scratch);
}
