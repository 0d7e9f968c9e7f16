/* SPDX-License-Identifier: MIT */
/* The timeline: what ran in the bin, the common prefix and how the stacks go on. */
#include "view/timeline_state.h"

#include <stdio.h>
#include <string.h>

enum {
	PANE_TWO_COLUMNS = 100, /* from so many cells on prefix and tails stand side by side */
	PANE_SHARE = 7,         /* cells of the columns of figures */
	PANE_MEMORY = 10,
};

static int pane_figures(const struct view_context *context)
{
	return PANE_SHARE + (profile_has_memory(context->profile) ? 2 * PANE_MEMORY : 0);
}

static void pane_draw_headings(
	const struct view_context *context, struct canvas *canvas, struct box line)
{
	int x = line.x + line.width - pane_figures(context);
	canvas_fill(canvas, (struct box){x, line.y, pane_figures(context), 1}, ROLE_NORMAL, ' ');
	canvas_text_right(canvas, x, line.y, PANE_SHARE, ROLE_HEADING, "share");
	if (!profile_has_memory(context->profile))
		return;
	canvas_text_right(canvas, x + PANE_SHARE, line.y, PANE_MEMORY, ROLE_HEADING, "mean");
	canvas_text_right(
		canvas, x + PANE_SHARE + PANE_MEMORY, line.y, PANE_MEMORY, ROLE_HEADING, "max");
}

/* ---- tails ------------------------------------------------------------------- */

static void pane_draw_figures(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, uint64_t count, const struct tail *tail)
{
	char value[UNIT_SIZE];
	int x = line.x + line.width - pane_figures(context);
	canvas_text_right(canvas, x, line.y, PANE_SHARE, ROLE_NUMBER,
		units_percent(value, (double)count, (double)state->detail.count));
	if (!tail || !profile_has_memory(context->profile))
		return;
	x += PANE_SHARE;
	canvas_text_right(canvas, x, line.y, PANE_MEMORY, ROLE_NUMBER,
		units_value(value, (int64_t)(tail->mean + 0.5), "bytes"));
	canvas_text_right(canvas, x + PANE_MEMORY, line.y, PANE_MEMORY, ROLE_NUMBER,
		units_value(value, tail->max, "bytes"));
}

/* One tail: what comes after the prefix, its place, share and memory; `lines` 1 or 2. */
static void pane_draw_tail(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, size_t i, int lines)
{
	const struct bin_detail *detail = &state->detail;
	struct text *scratch = &state->scratch;
	enum role role = i == 0 ? ROLE_REMAINDER : ROLE_NORMAL;
	bool is_marked = i == state->tail;
	struct box name = {line.x + 2, line.y, line.width - 2 - pane_figures(context) - 1, 1};
	if (is_marked)
		canvas_put(canvas, line.x, line.y, ROLE_ACCENT, 0x25b8);
	if (i >= detail->tail_count) {
		canvas_text(canvas, name.x, name.y, name.width, ROLE_DIM, "(no stack)");
		pane_draw_figures(state, context, canvas, line, detail->empty_count, NULL);
		return;
	}
	const struct tail *tail = &detail->tails[i];
	uint32_t row = context->tree->row[tail->node];
	int location = lines == 1 && name.width >= 44 ? name.width * 2 / 5 : 0;
	text_clear(scratch);
	if (tail->node == detail->prefix) {
		text_puts(scratch, "(self) ");
		row_name(context->tree, row, context->ascii, scratch);
	} else {
		common_chain(context, detail->prefix, tail->node,
			name.width - location - (location > 0), scratch);
	}
	common_text(canvas, name.x, name.y, name.width - location - (location > 0), role,
		scratch->data ? scratch->data : "");
	if (location > 0)
		common_draw_location(context, canvas, name.x + name.width - location, name.y,
			location, row, scratch);
	if (lines > 1)
		common_draw_location(
			context, canvas, name.x + 2, name.y + 1, name.width - 2, row, scratch);
	pane_draw_figures(state, context, canvas, line, tail->count, tail);
	if (is_marked)
		canvas_look(canvas, (struct box){line.x, line.y, line.width, 1}, LOOK_BOLD);
}

static void pane_draw_tails(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	size_t count = timeline_tails(state);
	if (area.height < 1 || area.width < 8)
		return;
	int lines = area.width < 70 && (size_t)area.height >= 2 * count && count > 0 ? 2 : 1;
	/* Where there are more, the last line says how many. */
	int rows = area.height;
	if ((size_t)(rows / lines) < count && rows >= 3)
		rows--;
	size_t visible = rows / lines > 0 ? (size_t)(rows / lines) : 1;
	if (state->tail >= count)
		state->tail = count > 0 ? count - 1 : 0;
	if (state->tail < state->tail_scroll)
		state->tail_scroll = state->tail;
	if (state->tail >= state->tail_scroll + visible)
		state->tail_scroll = state->tail - visible + 1;
	if (state->tail_scroll + visible > count)
		state->tail_scroll = count > visible ? count - visible : 0;
	int y = area.y;
	size_t i = state->tail_scroll;
	for (; i < count && y + lines <= area.y + rows; i++, y += lines)
		pane_draw_tail(
			state, context, canvas, (struct box){area.x, y, area.width, 1}, i, lines);
	if (rows == area.height)
		return;
	if (i < count)
		canvas_printf(canvas, area.x + 2, y, area.width - 2, ROLE_ACCENT, "\u25bc %zu more",
			count - i);
	else
		canvas_printf(canvas, area.x + 2, y, area.width - 2, ROLE_DIM, "\u25b2 %zu more",
			state->tail_scroll);
}

/* ---- prefix ------------------------------------------------------------------ */

static void pane_prefix_words(const struct timeline_state *state, uint32_t depth, char out[120])
{
	char count[UNIT_SIZE];
	uint64_t stacks = state->detail.count - state->detail.empty_count;
	units_count(count, (int64_t)stacks);
	if (stacks == 0)
		snprintf(out, 120, "no stack was recorded here");
	else if (depth == 0)
		snprintf(out, 120, "no frame in all %s stacks", count);
	else if (stacks == 1)
		snprintf(out, 120, "%u frame%s, one stack", depth, depth == 1 ? "" : "s");
	else
		snprintf(out, 120, "%u frame%s in all %s stacks", depth, depth == 1 ? "" : "s",
			count);
}

static void pane_tail_words(const struct timeline_state *state, char out[64])
{
	size_t count = state->detail.tail_count;
	snprintf(out, 64, count == 1 ? "%zu tail" : "%zu tails", count);
}

static uint32_t pane_prefix_depth(const struct timeline_state *state, const struct calltree *tree)
{
	uint32_t path[1];
	return common_path(tree, 0, state->detail.prefix, path, 1);
}

static void pane_draw_two_columns(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	char words[120];
	char tails[64];
	int left = area.width < 140 ? area.width * 9 / 20 : area.width / 2 - 1;
	struct box right = {area.x + left + 2, area.y + 1, area.width - left - 3, area.height - 1};
	canvas_rule(canvas, area.x, area.y, area.width, NULL);
	canvas_put(canvas, area.x + left, area.y, ROLE_RULE, 0x252c);
	canvas_fill(canvas, (struct box){area.x + left, area.y + 1, 1, area.height - 1}, ROLE_RULE,
		0x2502);
	uint32_t depth = pane_prefix_depth(state, context->tree);
	pane_prefix_words(state, depth, words);
	pane_tail_words(state, tails);
	canvas_text(canvas, area.x + 1, right.y, left - 2, ROLE_HEADING, "COMMON PREFIX");
	canvas_text(canvas, area.x + 17, right.y, left - 18, ROLE_DIM, words);
	canvas_text(canvas, right.x, right.y, 8, ROLE_HEADING, "THEN");
	canvas_text(canvas, right.x + 7, right.y, right.width - pane_figures(context) - 8, ROLE_DIM,
		tails);
	pane_draw_headings(context, canvas, (struct box){right.x, right.y, right.width, 1});
	int skip = area.height >= 8 ? 2 : 1;
	common_stack(context, canvas,
		(struct box){area.x, right.y + skip, left - 1, right.height - skip},
		state->detail.prefix, ROLE_PREFIX, &state->scratch);
	pane_draw_tails(state, context, canvas,
		(struct box){right.x, right.y + skip, right.width, right.height - skip});
}

/* The prefix in one line: its frames, and where the innermost one is. */
static void pane_draw_prefix_line(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line)
{
	struct text *scratch = &state->scratch;
	uint32_t prefix = state->detail.prefix;
	if (prefix == 0)
		return;
	const char *location = common_location(context, context->tree->row[prefix], false, scratch);
	int width = text_width(location, strlen(location));
	int room = line.width - 4 - width - 2;
	if (room >= 24)
		canvas_text(
			canvas, line.x + line.width - 1 - width, line.y, width, ROLE_DIM, location);
	else
		room = line.width - 4;
	text_clear(scratch);
	common_chain(context, 0, prefix, room, scratch);
	canvas_put(canvas, line.x + 1, line.y, ROLE_PREFIX, context->ascii ? '|' : 0x258c);
	canvas_text(canvas, line.x + 3, line.y, room, ROLE_PREFIX, scratch->data);
}

static void pane_draw_stacked(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	char words[120];
	char title[160];
	char tails[64];
	uint32_t depth = pane_prefix_depth(state, context->tree);
	int y = area.y;
	if (area.height >= 3) {
		pane_prefix_words(state, depth, words);
		snprintf(title, sizeof title, "common prefix: %s", words);
		canvas_rule(canvas, area.x, y++, area.width, title);
	}
	int lines = area.height >= 14 ? area.height / 3 : 1;
	if ((uint32_t)lines > depth)
		lines = depth > 0 ? (int)depth : 0;
	if (lines > 1)
		common_stack(context, canvas, (struct box){area.x, y, area.width - 1, lines},
			state->detail.prefix, ROLE_PREFIX, &state->scratch);
	else if (lines == 1)
		pane_draw_prefix_line(
			state, context, canvas, (struct box){area.x, y, area.width, 1});
	y += lines;
	if (area.y + area.height - y < 2)
		return;
	pane_tail_words(state, tails);
	snprintf(title, sizeof title, "then: %s", tails);
	canvas_rule(canvas, area.x, y, area.width, title);
	pane_draw_headings(context, canvas, (struct box){area.x, y, area.width - 1, 1});
	y++;
	pane_draw_tails(state, context, canvas,
		(struct box){area.x + 1, y, area.width - 2, area.y + area.height - y});
}

void timeline_draw_pane(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	if (area.height < 1 || !state->has_detail)
		return;
	if (area.width >= PANE_TWO_COLUMNS && area.height >= 4)
		pane_draw_two_columns(state, context, canvas, area);
	else
		pane_draw_stacked(state, context, canvas, area);
}
