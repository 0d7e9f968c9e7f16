/* SPDX-License-Identifier: MIT */
/* The timeline: what ran in the bin or the mark, the common prefix and how the stacks go on. */
#include "view/timeline_state.h"

#include <stdio.h>
#include <string.h>

enum {
	PANE_TWO_COLUMNS = 100, /* from so many cells on prefix and tails stand side by side */
	PANE_SHARE = 7,         /* cells of the columns of figures */
	PANE_SAMPLES = 9,
	PANE_MEMORY = 10,
	PANE_ROOMY = 72,       /* from so many cells on the list has the samples */
	PANE_TWO_LINES = 70,   /* below that many locations stand in lines of their own */
	PANE_LEAST_PLACE = 36, /* cells of a name from which on it shares them with its location */
};

/* ---- the lines of the list ------------------------------------------------------ */

/* Tails of the range, and one more line each where samples have no stack or were filtered out. */
static size_t pane_tails(const struct timeline_state *state)
{
	const struct bin_detail *detail = &state->detail;
	if (!state->has_detail)
		return 0;
	return detail->tail_count + (detail->empty_count > detail->dropped_count) +
	       (detail->dropped_count > 0);
}

static uint32_t pane_depth(const struct calltree *tree, uint32_t above, uint32_t node)
{
	uint32_t path[1];
	return common_path(tree, above, node, path, 1);
}

/* Frames of the unfolded tail below the prefix. */
static size_t pane_unfolded(const struct timeline_state *state, const struct calltree *tree)
{
	const struct bin_detail *detail = &state->detail;
	if (!state->has_unfolded || state->unfolded >= detail->tail_count)
		return 0;
	return pane_depth(tree, detail->prefix, detail->tails[state->unfolded].node);
}

size_t timeline_lines(const struct timeline_state *state, const struct calltree *tree)
{
	return pane_tails(state) + pane_unfolded(state, tree);
}

/* What a line is: a tail, and with frame > 0 the frame so many below the prefix in it. */
struct pane_line {
	size_t tail, frame;
};

static struct pane_line pane_line(const struct timeline_state *state, size_t unfolded, size_t i)
{
	if (unfolded == 0 || i <= state->unfolded)
		return (struct pane_line){i, 0};
	if (i <= state->unfolded + unfolded)
		return (struct pane_line){state->unfolded, i - state->unfolded};
	return (struct pane_line){i - unfolded, 0};
}

/* The caller of `node` that is `up` frames above it. */
static uint32_t pane_ancestor(const struct calltree *tree, uint32_t node, size_t up)
{
	for (; up > 0; up--)
		node = tree->parent[node];
	return node;
}

uint32_t timeline_node(const struct timeline_state *state, const struct calltree *tree)
{
	const struct bin_detail *detail = &state->detail;
	size_t unfolded = pane_unfolded(state, tree);
	struct pane_line line = pane_line(state, unfolded, state->line);
	if (!state->has_walked || line.tail >= detail->tail_count)
		return detail->prefix;
	uint32_t node = detail->tails[line.tail].node;
	return line.frame > 0 ? pane_ancestor(tree, node, unfolded - line.frame) : node;
}

const char *timeline_fold(struct timeline_state *state, const struct calltree *tree)
{
	struct pane_line line = pane_line(state, pane_unfolded(state, tree), state->line);
	if (line.tail >= state->detail.tail_count)
		return "There is no stack to unfold here";
	if (state->detail.tails[line.tail].node == state->detail.prefix)
		return "This stack ends with the common prefix";
	bool is_open = state->has_unfolded && state->unfolded == line.tail;
	state->has_unfolded = !is_open;
	state->unfolded = state->line = line.tail;
	state->has_walked = true;
	return NULL;
}

/* ---- figures -------------------------------------------------------------------- */

struct pane_columns {
	bool has_samples, has_memory;
	int width; /* of all of them */
};

static struct pane_columns pane_columns(const struct view_context *context, int width)
{
	struct pane_columns columns = {
		width >= PANE_ROOMY, profile_has_memory(context->profile), PANE_SHARE};
	columns.width += columns.has_samples ? PANE_SAMPLES : 0;
	columns.width += columns.has_memory ? 2 * PANE_MEMORY : 0;
	return columns;
}

static void pane_draw_headings(
	const struct view_context *context, struct canvas *canvas, struct box line)
{
	struct pane_columns columns = pane_columns(context, line.width);
	int x = line.x + line.width - columns.width;
	canvas_fill(canvas, (struct box){x, line.y, columns.width, 1}, ROLE_NORMAL, ' ');
	canvas_text_right(canvas, x, line.y, PANE_SHARE, ROLE_HEADING, "share");
	x += PANE_SHARE;
	if (columns.has_samples) {
		canvas_text_right(canvas, x, line.y, PANE_SAMPLES, ROLE_HEADING, "samples");
		x += PANE_SAMPLES;
	}
	if (!columns.has_memory)
		return;
	canvas_text_right(canvas, x, line.y, PANE_MEMORY, ROLE_HEADING, "mean");
	canvas_text_right(canvas, x + PANE_MEMORY, line.y, PANE_MEMORY, ROLE_HEADING, "max");
}

static void pane_draw_figures(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, uint64_t count, const struct tail *tail)
{
	char value[UNIT_SIZE];
	struct pane_columns columns = pane_columns(context, line.width);
	int x = line.x + line.width - columns.width;
	canvas_text_right(canvas, x, line.y, PANE_SHARE, ROLE_NUMBER,
		units_percent(value, (double)count, (double)state->detail.count));
	x += PANE_SHARE;
	if (columns.has_samples) {
		canvas_text_right(canvas, x, line.y, PANE_SAMPLES, ROLE_NUMBER,
			units_count(value, (int64_t)count));
		x += PANE_SAMPLES;
	}
	if (!tail || !columns.has_memory)
		return;
	canvas_text_right(canvas, x, line.y, PANE_MEMORY, ROLE_NUMBER,
		units_value(value, (int64_t)(tail->mean + 0.5), "bytes"));
	canvas_text_right(canvas, x + PANE_MEMORY, line.y, PANE_MEMORY, ROLE_NUMBER,
		units_value(value, tail->max, "bytes"));
}

/* ---- tails ---------------------------------------------------------------------- */

/* Samples without a stack, then those that the filters leave out. */
static void pane_draw_rest(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, int name_cells, size_t i)
{
	const struct bin_detail *detail = &state->detail;
	uint64_t empty = detail->empty_count - detail->dropped_count;
	bool is_empty = i == detail->tail_count && empty > 0;
	common_text(canvas, line.x + 2, line.y, name_cells, ROLE_DIM,
		is_empty ? "(no stack)" : "(filtered out)");
	pane_draw_figures(
		state, context, canvas, line, is_empty ? empty : detail->dropped_count, NULL);
}

/* One tail: what comes after the prefix, its place, share and memory; `rows` 1 or 2. */
static void pane_draw_tail(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, size_t i, int rows)
{
	const struct bin_detail *detail = &state->detail;
	struct text *scratch = &state->scratch;
	enum role role = i == 0 ? ROLE_REMAINDER : ROLE_NORMAL;
	int cells = line.width - 3 - pane_columns(context, line.width).width;
	if (i >= detail->tail_count) {
		pane_draw_rest(state, context, canvas, line, cells, i);
		return;
	}
	const struct tail *tail = &detail->tails[i];
	uint32_t row = context->tree->row[tail->node];
	int place = rows == 1 && cells >= PANE_LEAST_PLACE ? cells * 2 / 5 : 0;
	int room = cells - place - (place > 0);
	int x = line.x + 2;
	if (tail->node == detail->prefix) {
		int used = canvas_text(canvas, x, line.y, room, ROLE_DIM, "(self) ");
		common_draw_name(
			context, canvas, x + used, line.y, room - used, role, row, scratch);
	} else {
		common_draw_chain(context, canvas, x, line.y, room, role, detail->prefix,
			tail->node, scratch);
	}
	if (place > 0)
		common_draw_location(
			context, canvas, x + cells - place, line.y, place, row, scratch);
	if (rows > 1)
		common_draw_location(context, canvas, x + 2, line.y + 1, cells - 2, row, scratch);
	pane_draw_figures(state, context, canvas, line, tail->count, tail);
}

/* A frame of the unfolded tail: its number in the stack, name and place. */
static void pane_draw_frame(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, uint32_t node, uint32_t number)
{
	struct text *scratch = &state->scratch;
	uint32_t row = context->tree->row[node];
	int cells = line.width - 10;
	int room = cells < 30 ? cells : cells * 9 / 20;
	canvas_printf(canvas, line.x + 2, line.y, 5, ROLE_DIM, "%5u", number % 100000);
	canvas_put(canvas, line.x + 8, line.y, ROLE_RULE, 0x2502);
	int used = common_draw_name(
		context, canvas, line.x + 10, line.y, room, ROLE_NORMAL, row, scratch);
	if (cells > room)
		common_draw_location(context, canvas, line.x + 10 + (used < room ? room : used) + 1,
			line.y, cells - room - 1, row, scratch);
}

/* How the list lies in its area. */
struct pane_list {
	size_t lines, unfolded, visible;
	int rows;      /* of a tail */
	bool has_more; /* the last row says how many there are beyond */
};

static struct pane_list pane_lay_out(
	const struct timeline_state *state, const struct calltree *tree, struct box area)
{
	struct pane_list list = {.rows = 1, .unfolded = pane_unfolded(state, tree)};
	size_t height = area.height > 0 ? (size_t)area.height : 0;
	list.lines = timeline_lines(state, tree);
	if (area.width < PANE_TWO_LINES &&
		2 * (list.lines - list.unfolded) + list.unfolded <= height)
		list.rows = 2;
	list.has_more = (list.lines > height && list.rows == 1 && height >= 3) ||
			(state->detail.rest_count > 0 && height >= 2);
	list.visible = height - list.has_more;
	return list;
}

static void pane_scroll(struct timeline_state *state, const struct pane_list *list)
{
	if (state->line >= list->lines)
		state->line = list->lines > 0 ? list->lines - 1 : 0;
	if (state->line < state->line_scroll)
		state->line_scroll = state->line;
	if (list->visible > 0 && state->line >= state->line_scroll + list->visible)
		state->line_scroll = state->line - list->visible + 1;
	if (state->line_scroll + list->visible > list->lines)
		state->line_scroll = list->lines > list->visible ? list->lines - list->visible : 0;
}

static void pane_draw_more(const struct timeline_state *state, const struct pane_list *list,
	struct canvas *canvas, struct box line, size_t next)
{
	char count[UNIT_SIZE];
	size_t below = list->lines - next + state->detail.rest_count;
	bool is_below = below > 0;
	units_count(count, (int64_t)(is_below ? below : state->line_scroll));
	canvas_printf(canvas, line.x + 2, line.y, line.width - 2, is_below ? ROLE_ACCENT : ROLE_DIM,
		"%s %s more", is_below ? "\u25bc" : "\u25b2", count);
}

static void pane_draw_list(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct calltree *tree = context->tree;
	struct pane_list list = pane_lay_out(state, tree, area);
	if (area.height < 1 || area.width < 8)
		return;
	pane_scroll(state, &list);
	uint32_t above = pane_depth(tree, 0, state->detail.prefix);
	int y = area.y;
	size_t i = state->line_scroll;
	for (; i < list.lines && y < area.y + (int)list.visible; i++) {
		struct pane_line at = pane_line(state, list.unfolded, i);
		struct box line = {area.x, y, area.width, 1};
		y += at.frame > 0 ? 1 : list.rows;
		if (at.frame > 0) {
			pane_draw_frame(state, context, canvas, line,
				pane_ancestor(tree, state->detail.tails[at.tail].node,
					list.unfolded - at.frame),
				above + (uint32_t)at.frame);
		} else {
			pane_draw_tail(state, context, canvas, line, at.tail, list.rows);
		}
		if (i != state->line)
			continue;
		canvas_put(canvas, line.x, line.y, ROLE_ACCENT, 0x25b8);
		canvas_look(canvas, line, LOOK_BOLD);
	}
	if (list.has_more)
		pane_draw_more(state, &list, canvas, (struct box){area.x, y, area.width, 1}, i);
}

/* ---- prefix --------------------------------------------------------------------- */

/* In `cells`: "8 frames in all 54 stacks". */
static void pane_prefix_words(
	const struct timeline_state *state, uint32_t depth, int cells, char out[120])
{
	char count[UNIT_SIZE];
	char frames[UNIT_SIZE] = "no frame";
	uint64_t stacks = state->detail.count - state->detail.empty_count;
	units_count(count, (int64_t)stacks);
	if (depth > 0)
		snprintf(frames, sizeof frames, "%u frame%s", depth, depth == 1 ? "" : "s");
	if (state->detail.count == 0)
		snprintf(out, 120, "no sample was taken here");
	else if (stacks == 0)
		snprintf(out, 120, "no stack was recorded here");
	else if (stacks == 1)
		snprintf(out, 120, "%s, one stack", frames);
	else if (snprintf(out, 120, "%s in all %s stacks", frames, count) > cells)
		snprintf(out, 120, "%s in %s stacks", frames, count);
}

static void pane_tail_words(const struct timeline_state *state, char out[64])
{
	char count[UNIT_SIZE];
	size_t tails = state->detail.tail_count + state->detail.rest_count;
	snprintf(out, 64, "%s tail%s", units_count(count, (int64_t)tails), tails == 1 ? "" : "s");
}

/* Where the parts of the pane lie; a height of 0: not there. */
struct pane_parts {
	bool is_wide; /* prefix and list side by side */
	struct box prefix_title, prefix, list_title, list;
};

static struct pane_parts pane_divide_wide(struct box area)
{
	int left = area.width < 140 ? area.width * 9 / 20 : area.width / 2 - 1;
	int right = area.width - left - 3;
	int skip = area.height >= 9 ? 2 : 1;
	int y = area.y + 1 + skip;
	int height = area.height - 1 - skip;
	return (struct pane_parts){true, {area.x + 1, area.y + 1, left - 2, 1},
		{area.x, y, left - 1, height}, {area.x + left + 2, area.y + 1, right, 1},
		{area.x + left + 2, y, right, height}};
}

static struct pane_parts pane_divide(
	const struct timeline_state *state, const struct calltree *tree, struct box area)
{
	struct pane_parts parts = {0};
	uint32_t depth = pane_depth(tree, 0, state->detail.prefix);
	if (area.width >= PANE_TWO_COLUMNS && area.height >= 4)
		return pane_divide_wide(area);
	int y = area.y;
	int lines = area.height >= 14 ? area.height / 3 : 1;
	if (area.height >= 3)
		parts.prefix_title = (struct box){area.x, y++, area.width, 1};
	if ((uint32_t)lines > depth)
		lines = (int)depth;
	parts.prefix = (struct box){area.x, y, area.width - 1, lines};
	y += lines;
	int left = area.y + area.height - y;
	if (left < 2)
		return parts;
	parts.list_title = (struct box){area.x, y, area.width, 1};
	parts.list = (struct box){area.x + 1, y + 1, area.width - 2, left - 1};
	return parts;
}

static void pane_draw_wide_titles(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area, const struct pane_parts *parts)
{
	char words[120];
	char tails[64];
	struct box left = parts->prefix_title;
	struct box right = parts->list_title;
	int edge = right.x - 2;
	canvas_rule(canvas, area.x, area.y, area.width, NULL);
	canvas_put(canvas, edge, area.y, ROLE_RULE, 0x252c);
	canvas_fill(canvas, (struct box){edge, area.y + 1, 1, area.height - 1}, ROLE_RULE, 0x2502);
	pane_prefix_words(
		state, pane_depth(context->tree, 0, state->detail.prefix), left.width - 16, words);
	pane_tail_words(state, tails);
	canvas_text(canvas, left.x, left.y, left.width, ROLE_HEADING, "COMMON PREFIX");
	common_text(canvas, left.x + 16, left.y, left.width - 16, ROLE_DIM, words);
	canvas_text(canvas, right.x, right.y, 8, ROLE_HEADING, "THEN");
	common_text(canvas, right.x + 7, right.y,
		right.width - pane_columns(context, right.width).width - 8, ROLE_DIM, tails);
	pane_draw_headings(context, canvas, right);
}

static void pane_draw_narrow_titles(struct timeline_state *state,
	const struct view_context *context, struct canvas *canvas, const struct pane_parts *parts)
{
	char words[120];
	char title[160];
	char tails[64];
	struct box line = parts->prefix_title;
	if (line.height > 0) {
		pane_prefix_words(state, pane_depth(context->tree, 0, state->detail.prefix),
			line.width - 24, words);
		snprintf(title, sizeof title, "common prefix: %s", words);
		canvas_rule(canvas, line.x, line.y, line.width, title);
	}
	line = parts->list_title;
	if (line.height < 1)
		return;
	pane_tail_words(state, tails);
	snprintf(title, sizeof title, "then: %s", tails);
	canvas_rule(canvas, line.x, line.y, line.width, title);
	/* In the columns of the list below. */
	pane_draw_headings(
		context, canvas, (struct box){parts->list.x, line.y, parts->list.width, 1});
}

/* The prefix in one line: its frames, and where the innermost one is. */
static void pane_draw_prefix_line(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line)
{
	struct text *scratch = &state->scratch;
	uint32_t prefix = state->detail.prefix;
	const char *location = common_location(context, context->tree->row[prefix], false, scratch);
	int width = text_width(location, strlen(location));
	int room = line.width - 3 - width - 2;
	if (room >= 24)
		canvas_text(canvas, line.x + line.width - width, line.y, width, ROLE_DIM, location);
	else
		room = line.width - 3;
	canvas_put(canvas, line.x + 1, line.y, ROLE_PREFIX, context->ascii ? '|' : 0x258c);
	common_draw_chain(
		context, canvas, line.x + 3, line.y, room, ROLE_PREFIX, 0, prefix, scratch);
}

static void pane_draw_prefix(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct pane_parts *parts)
{
	uint32_t prefix = state->detail.prefix;
	if (prefix == 0 || parts->prefix.height < 1)
		return;
	if (parts->is_wide || parts->prefix.height > 1)
		common_stack(context, canvas, parts->prefix, prefix, ROLE_PREFIX, &state->scratch);
	else
		pane_draw_prefix_line(state, context, canvas, parts->prefix);
}

/* ---- all of it -------------------------------------------------------------------- */

void timeline_draw_pane(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	if (area.height < 1 || !state->has_detail)
		return;
	if (state->is_too_long) {
		canvas_rule(canvas, area.x, area.y, area.width, NULL);
		common_wrap(canvas,
			(struct box){area.x + 1, area.y + 2, area.width - 2, area.height - 2},
			ROLE_DIM,
			"The mark holds too many samples to list their stacks at each step. When "
			"it ends, the other views show what ran in it.");
		return;
	}
	struct pane_parts parts = pane_divide(state, context->tree, area);
	if (parts.is_wide)
		pane_draw_wide_titles(state, context, canvas, area, &parts);
	else
		pane_draw_narrow_titles(state, context, canvas, &parts);
	pane_draw_prefix(state, context, canvas, &parts);
	pane_draw_list(state, context, canvas, parts.list);
}

bool timeline_line_at(const struct timeline_state *state, const struct view_context *context,
	struct box pane, int x, int y, size_t *line)
{
	if (pane.height < 1 || !state->has_detail || state->is_too_long)
		return false;
	struct box area = pane_divide(state, context->tree, pane).list;
	struct pane_list list = pane_lay_out(state, context->tree, area);
	int row = area.y;
	if (x < area.x || x >= area.x + area.width || y < area.y)
		return false;
	for (size_t i = state->line_scroll; i < list.lines && row < area.y + (int)list.visible;
		i++) {
		row += pane_line(state, list.unfolded, i).frame > 0 ? 1 : list.rows;
		*line = i;
		if (y < row)
			return true;
	}
	return false;
}
