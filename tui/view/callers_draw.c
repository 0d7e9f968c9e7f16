/* SPDX-License-Identifier: MIT */
/* The callers view: its lists in cells (screens.md 5.4). */
#include "view/callers_state.h"

#include <stdio.h>
#include <string.h>

enum {
	DOUBLE_RULE = 0x2550,
	CENTRE_MARK = 0x25b6,
	OPEN_MARK = 0x25be,
	FOLDED_MARK = 0x25b8,
	LEAF_MARK = 0xb7,
	CALLERS_SHARE = 8, /* cells of the columns */
	CALLERS_VALUE = 11,
	CALLERS_CALLS = 13,
	CALLERS_MOST_NAME = 60,
	CALLERS_LEAST_INDENT = 8
};

/* Which columns there is room for; 0 cells: none. */
struct callers_columns {
	int name, location, calls, bar, share, parts, value;
	int name_x, location_x, calls_x, bar_x, share_x, parts_x, value_x;
};

/* What drawing needs to know, gathered once. */
struct callers_brush {
	struct callers_state *state;
	const struct view_context *context;
	struct canvas *canvas;
	struct callers_columns columns;
};

static struct callers_columns callers_choose_columns(
	const struct callers_state *state, const struct calltree *tree, struct box area)
{
	struct callers_columns columns = {.name_x = area.x + 1};
	int right = area.x + area.width - 1;
	bool has_share = state->share != SHARE_NONE;
	columns.value =
		area.width >= 56 || !has_share ? common_value_width(tree, CALLERS_VALUE) : 0;
	columns.share = has_share ? CALLERS_SHARE : 0;
	columns.bar = area.width >= 150 ? 24 : area.width >= 96 ? 14 : area.width >= 70 ? 8 : 0;
	columns.value_x = right - columns.value;
	columns.parts = callers_change_width(&state->side[CALLEES], area.width);
	if (columns.parts && area.width < 110)
		columns.bar = 0;
	columns.parts_x = columns.value_x - columns.parts;
	columns.share_x = columns.parts_x - columns.share;
	columns.bar_x = columns.share_x - columns.bar;
	columns.calls = state->is_exact && area.width >= 60 ? CALLERS_CALLS : 0;
	columns.calls_x = columns.bar_x - columns.calls - (columns.calls && columns.bar);
	int room = columns.calls_x - columns.name_x - 1;
	columns.location = room >= 36 ? room * 2 / 5 : 0;
	if (room - columns.location > CALLERS_MOST_NAME)
		columns.location = room - CALLERS_MOST_NAME;
	columns.name = room - columns.location - (columns.location > 0);
	columns.location_x = columns.name_x + columns.name + 1;
	return columns;
}

static char *callers_share_text(
	const struct callers_brush *brush, char out[UNIT_SIZE], int64_t value)
{
	const int64_t cum = brush->state->cum;
	if (brush->state->share == SHARE_OF_ALL)
		return common_share(out, brush->context->tree, value);
	/* Of a centre that became less, what became less is a part. */
	return common_share_of(out, brush->context->tree, cum < 0 ? -value : value, cum);
}

static void callers_draw_calls(
	const struct callers_brush *brush, int y, int64_t calls, int64_t primitive)
{
	char figure[UNIT_SIZE];
	if (brush->columns.calls)
		canvas_text_right(brush->canvas, brush->columns.calls_x, y, brush->columns.calls,
			ROLE_NUMBER, common_calls(figure, brush->context->tree, calls, primitive));
}

/* Whether the values of a side's lines, or that of a line, are estimates. */
static bool callers_is_estimate(const struct callers_state *state, const struct calltree *tree,
	const struct neighbour *neighbour)
{
	return neighbour ? neighbour->is_estimate : calltree_is_estimate(tree) && !state->is_exact;
}

/* Bar, share and value at the right of a line. */
static void callers_draw_figures(
	const struct callers_brush *brush, int y, int64_t value, bool is_estimate)
{
	const struct callers_columns *columns = &brush->columns;
	char figure[UNIT_SIZE];
	if (columns->bar && brush->state->cum != 0)
		canvas_bar(brush->canvas, columns->bar_x, y, columns->bar,
			(double)value / (double)brush->state->cum, ROLE_BAR);
	if (columns->share)
		canvas_text_right(brush->canvas, columns->share_x, y, columns->share, ROLE_NUMBER,
			callers_share_text(brush, figure, value));
	if (columns->value)
		canvas_text_right(brush->canvas, columns->value_x, y, columns->value, ROLE_NUMBER,
			common_estimate(figure, brush->context->tree, value, is_estimate));
}

/* The edge that a line of an exact list stands for; NULL elsewhere. */
static const struct neighbour *callers_neighbour(const struct callers_state *state,
	const struct callers_side *side, const struct callers_line *line)
{
	const bool is_callers = side == &state->side[CALLERS];
	if (!state->is_exact || line->kind != LINE_FRAME)
		return NULL;
	return (is_callers ? state->exact.callers : state->exact.callees) + line->node -
	       AROUND_CENTRE - 1;
}

/* ---- lines -------------------------------------------------------------------------------- */

static uint32_t callers_mark(const struct callers_brush *brush, const struct callers_line *line)
{
	bool ascii = brush->context->ascii;
	if (line->can_unfold)
		return line->is_open ? OPEN_MARK : ascii ? '+' : FOLDED_MARK;
	return ascii ? ' ' : LEAF_MARK;
}

/* Cells that a line is moved to the right; where there is no room for it, its depth in figures
 * stands there. */
static int callers_indent(const struct callers_brush *brush, const struct callers_line *line, int y)
{
	int most = brush->columns.name / 2;
	if (most < CALLERS_LEAST_INDENT)
		most = CALLERS_LEAST_INDENT < brush->columns.name / 3 ? CALLERS_LEAST_INDENT
								      : brush->columns.name / 3;
	if (line->depth * 2 <= (uint32_t)(most > 0 ? most : 0))
		return (int)line->depth * 2;
	canvas_printf(
		brush->canvas, brush->columns.name_x, y, most - 1, ROLE_DIM, "%u", line->depth + 1);
	return most;
}

static int callers_draw_words(const struct callers_brush *brush, const struct callers_side *side,
	const struct callers_line *line, int x, int y, int cells)
{
	char words[80];
	bool is_above = side == &brush->state->side[CALLERS];
	if (line->kind == LINE_SMALL)
		snprintf(words, sizeof words, "(%u more below 1 %%)", line->count);
	else if (!is_above)
		snprintf(words, sizeof words, "(self)");
	else
		snprintf(words, sizeof words, "(no caller%s)",
			side->tree->left_out != 0 ? ", or not followed" : "");
	return common_text(brush->canvas, x, y, cells, ROLE_DIM, words);
}

static void callers_draw_line(const struct callers_brush *brush, const struct callers_side *side,
	size_t index, struct box box)
{
	const struct callers_line *line = &side->lines[index];
	const struct callers_columns *columns = &brush->columns;
	struct text *scratch = &brush->state->scratch;
	int indent = callers_indent(brush, line, box.y);
	int x = columns->name_x + indent;
	int cells = columns->name - indent - 2, used;
	canvas_put(brush->canvas, x, box.y, ROLE_ACCENT, callers_mark(brush, line));
	if (line->kind == LINE_FRAME) {
		uint32_t row = side->tree->row[line->node];
		used = common_draw_name(brush->context, brush->canvas, x + 2, box.y, cells,
			ROLE_NORMAL, row, scratch);
		if (columns->location)
			common_draw_location(brush->context, brush->canvas, columns->location_x,
				box.y, columns->location, row, scratch);
	} else {
		used = callers_draw_words(brush, side, line, x + 2, box.y, cells);
	}
	const struct neighbour *neighbour = callers_neighbour(brush->state, side, line);
	const bool is_estimate = callers_is_estimate(brush->state, side->tree, neighbour);
	if (neighbour)
		callers_draw_calls(brush, box.y, neighbour->calls, neighbour->primitive);
	if (columns->parts)
		callers_change_figures(side, line, is_estimate, brush->canvas,
			(struct box){columns->parts_x, box.y, columns->parts, 1});
	callers_draw_figures(brush, box.y, line->value, is_estimate);
	if (callers_cursor_line(brush->state) == line)
		common_mark_row(brush->canvas, box.x, (struct box){x, box.y, 2 + used, 1});
}

static void callers_draw_list(const struct callers_brush *brush, int which, struct box box)
{
	const struct callers_side *side = &brush->state->side[which];
	for (int i = 0; i < box.height && side->scroll + (size_t)i < side->count; i++)
		callers_draw_line(brush, side, side->scroll + (size_t)i,
			(struct box){box.x, box.y + i, box.width, 1});
}

/* " ▼ 12 more rows ", right-aligned before column `right`. */
static void callers_draw_more(
	const struct callers_brush *brush, int right, int y, size_t rows, bool is_below)
{
	char words[48];
	if (rows == 0)
		return;
	snprintf(words, sizeof words, " %s %zu more row%s ", is_below ? "\u25bc" : "\u25b2", rows,
		rows == 1 ? "" : "s");
	int width = text_width(words, strlen(words));
	if (right - width >= brush->columns.name_x)
		canvas_text(brush->canvas, right - width, y, width, ROLE_ACCENT, words);
}

/* ---- what stands between the lists --------------------------------------------------------- */

static void callers_draw_heading(const struct callers_brush *brush, int which, struct box box)
{
	enum { LEAD = 4, LONG = 24 }; /* of a rule in front of its title; the longest title */
	static const char *const titles[SIDES][2] = {
		[CALLERS] = {"CALLERS", "CALLERS (who led here)"},
		[CALLEES] = {"CALLEES", "CALLEES (what it calls)"}};
	static const char *const shares[SHARE_COUNT] = {
		[SHARE_OF_CENTRE] = "share", [SHARE_OF_ALL] = "of all", [SHARE_NONE] = ""};
	const struct callers_columns *columns = &brush->columns;
	int right = columns->share ? columns->share_x : columns->value_x;
	if (columns->calls)
		right = columns->calls_x;
	if (box.height < 1)
		return;
	canvas_rule(brush->canvas, box.x, box.y, box.width,
		titles[which][right - box.x >= LEAD + LONG]);
	callers_draw_more(brush, right, box.y, brush->state->side[which].scroll, false);
	if (columns->share + columns->value > 0)
		canvas_fill(brush->canvas,
			(struct box){right, box.y, columns->value_x + columns->value - right, 1},
			ROLE_HEADING, ' ');
	if (columns->calls)
		canvas_text_right(brush->canvas, columns->calls_x, box.y, columns->calls,
			ROLE_HEADING, "calls");
	if (columns->share)
		canvas_text_right(brush->canvas, columns->share_x, box.y, columns->share,
			ROLE_HEADING, shares[brush->state->share]);
	if (columns->parts)
		callers_change_heading(
			brush->canvas, (struct box){columns->parts_x, box.y, columns->parts, 1});
	if (columns->value)
		canvas_text_right(brush->canvas, columns->value_x, box.y, columns->value,
			ROLE_HEADING, common_is_change(brush->context->tree) ? "change" : "total");
}

/* Rows of a list below what is shown of it. */
static size_t callers_rows_below(const struct callers_side *side, struct box box)
{
	size_t shown = side->scroll + (size_t)box.height;
	return shown < side->count ? side->count - shown : 0;
}

static void callers_draw_self(const struct callers_brush *brush, struct box box)
{
	const struct callers_state *state = brush->state;
	const struct calltree *tree = brush->context->tree;
	char value[UNIT_SIZE], share[UNIT_SIZE], words[200];
	int64_t below = state->flat - state->side[CALLEES].tree->self[AROUND_CENTRE];
	int cells = brush->columns.calls_x - box.x - 3;
	const bool is_estimate = callers_is_estimate(state, state->side[CALLEES].tree, NULL);
	common_value(value, tree, state->flat);
	common_share_of(share, tree, state->flat, state->cum);
	int used = snprintf(words, sizeof words, "self %s, %s of its total", value, share);
	if (below != 0)
		snprintf(words + used, sizeof words - (size_t)used, ", %s of it in recursion",
			common_value(value, tree, below));
	common_text(brush->canvas, box.x + 2, box.y, cells, ROLE_NORMAL, words);
	if (brush->columns.parts)
		callers_change_figures(&state->side[CALLEES], NULL, is_estimate, brush->canvas,
			(struct box){brush->columns.parts_x, box.y, brush->columns.parts, 1});
	callers_draw_figures(brush, box.y, state->flat, is_estimate);
}

/* The centre: "═══ ▶ read_csv ═══", and its own part. */
static void callers_draw_bar(const struct callers_brush *brush, struct box box, struct box callers)
{
	struct callers_state *state = brush->state;
	char figure[UNIT_SIZE], words[UNIT_SIZE + 16];
	struct box rule = {box.x, box.y, box.width, 1};
	int lead = box.width >= 60 ? 7 : 2;
	int x = box.x + lead + 1;
	canvas_fill(brush->canvas, rule, ROLE_RULE, DOUBLE_RULE);
	canvas_put(brush->canvas, x - 1, box.y, ROLE_NORMAL, ' ');
	canvas_put(brush->canvas, x, box.y, ROLE_ACCENT, CENTRE_MARK);
	canvas_put(brush->canvas, x + 1, box.y, ROLE_NORMAL, ' ');
	int used = 2 + common_draw_name(brush->context, brush->canvas, x + 2, box.y,
			       box.x + box.width - x - 6, ROLE_ACCENT, state->centre.row,
			       &state->scratch);
	canvas_put(brush->canvas, x + used, box.y, ROLE_NORMAL, ' ');
	if (state->section == SECTION_CENTRE)
		common_mark_row(brush->canvas, x, (struct box){x, box.y, used, 1});
	callers_draw_more(brush, box.x + box.width - 2, box.y,
		callers_rows_below(&state->side[CALLERS], callers), true);
	if (box.height >= 3) {
		callers_draw_self(brush, (struct box){box.x, box.y + 1, box.width, 1});
		rule.y += 2;
		canvas_fill(brush->canvas, rule, ROLE_RULE, DOUBLE_RULE);
		return;
	}
	snprintf(words, sizeof words, " self %s ",
		units_percent(figure, (double)state->flat, (double)state->cum));
	int width = (int)strlen(words);
	int right = box.x + box.width - 2 - 18;
	if (x + used + 1 + width < right)
		canvas_text(brush->canvas, x + used + 2, box.y, width, ROLE_NUMBER, words);
}

/* ---- head and foot ----------------------------------------------------------------------------
 */

static uint32_t callers_count_next(const struct callers_state *state, int side)
{
	const struct calltree *tree = state->side[side].tree;
	uint32_t count = 0;
	if (state->is_exact)
		return tree->node_count - AROUND_CENTRE - 1;
	for (uint32_t i = AROUND_CENTRE + 1; i < tree->node_count; i = tree->end[i])
		count += tree->total[i] != 0;
	return count;
}

/* Figures of the centre, less and less of them: 0 is the long form. */
static void callers_add_figures(const struct callers_state *state,
	const struct view_context *context, int brevity, struct text *out)
{
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE], share[UNIT_SIZE];
	common_share(share, tree, state->cum);
	if (brevity == 4) {
		text_puts(out, share);
		return;
	}
	text_printf(out, "total %s %s", common_value(value, tree, state->cum), share);
	if (state->is_exact && brevity < 3)
		text_printf(out, "   %s call%s",
			common_calls(value, tree, state->calls, state->primitive),
			state->calls == 1 ? "" : "s");
	if (brevity == 3)
		return;
	common_share(share, tree, state->flat);
	text_printf(out, "   self %s %s", common_value(value, tree, state->flat), share);
	const uint32_t callers = callers_count_next(state, CALLERS);
	const uint32_t callees = callers_count_next(state, CALLEES);
	if (brevity < 2)
		text_printf(out, "   %u caller%s", callers, callers == 1 ? "" : "s");
	if (brevity < 1)
		text_printf(out, "   %u callee%s", callees, callees == 1 ? "" : "s");
}

void callers_draw_head(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line)
{
	struct text *scratch = &state->scratch;
	int room = line.width - 2, figures;
	if (line.height < 1)
		return;
	const char *words = common_name(context, state->centre.row, scratch);
	int name = text_width(words, strlen(words));
	words = common_location(context, state->centre.row, false, scratch);
	int location = 3 + text_width(words, strlen(words));
	for (int brevity = 0;; brevity++) {
		/* The place says more than how many callers there are, and less than self. */
		int wanted = brevity < 2 ? name + location : name;
		text_clear(scratch);
		callers_add_figures(state, context, brevity, scratch);
		figures = text_width(scratch->data, scratch->length);
		if (brevity == 4 || figures + 2 + (wanted < room / 2 ? wanted : room / 2) <= room)
			break;
	}
	canvas_text_right(canvas, line.x + 1, line.y, room, ROLE_NORMAL, scratch->data);
	room -= figures + 2;
	int used = common_draw_name(
		context, canvas, line.x + 1, line.y, room, ROLE_ACCENT, state->centre.row, scratch);
	int x = line.x + 1 + used + 3;
	if (room - used - 3 >= 12)
		common_draw_location(
			context, canvas, x, line.y, room - used - 3, state->centre.row, scratch);
}

/* Name and place of the cursor's line, where they were cut. */
static void callers_draw_full_name(const struct callers_brush *brush, struct box box, int cells)
{
	const struct callers_line *line = callers_cursor_line(brush->state);
	const struct callers_columns *columns = &brush->columns;
	struct text *scratch = &brush->state->scratch;
	if (!line || line->kind != LINE_FRAME)
		return;
	const struct callers_side *side = callers_side_at(brush->state, brush->state->section);
	uint32_t row = side->tree->row[line->node];
	const char *name = common_name(brush->context, row, scratch);
	int width = text_width(name, strlen(name));
	bool is_cut = width + 2 + 2 * (int)line->depth > columns->name;
	const char *location = common_location(brush->context, row, false, scratch);
	is_cut |= text_width(location, strlen(location)) > columns->location;
	if (!is_cut)
		return;
	int used = common_draw_name(
		brush->context, brush->canvas, box.x + 1, box.y, cells, ROLE_ACCENT, row, scratch);
	location = common_location(brush->context, row, true, scratch);
	if (used + 6 < cells)
		common_text_end(brush->canvas, box.x + 1 + used + 3, box.y, cells - used - 3,
			ROLE_NORMAL, location);
}

static void callers_draw_detail(const struct callers_brush *brush, struct box box, size_t below)
{
	const struct callers_state *state = brush->state;
	struct text *scratch = &brush->state->scratch;
	int cells = box.width - 2, width = 0;
	if (box.height < 1)
		return;
	text_clear(scratch);
	if (state->before_count > 0 && box.width >= 60)
		text_printf(scratch, "u: back to %s", state->before[state->before_count - 1].name);
	if (scratch->length > 0) {
		width = text_width(scratch->data, scratch->length);
		if (width > box.width / 3)
			width = box.width / 3;
		common_text(brush->canvas, box.x + 1 + cells - width, box.y, width, ROLE_DIM,
			scratch->data);
		width += 2;
	}
	if (below > 0) {
		callers_draw_more(brush, box.x + 1 + cells - width, box.y, below, true);
		width += 20;
	}
	callers_draw_full_name(brush, box, cells - width);
}

/* ---- the body ---------------------------------------------------------------------------------
 */

/* Says why there is no picture. */
static void callers_draw_gone(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct text *scratch = &state->scratch;
	text_clear(scratch);
	if (state->centre.hash == 0)
		text_puts(scratch, "No function was seen here: the samples have no stacks.");
	else
		text_printf(scratch, "%s has no %s here.", state->centre.name,
			common_noun(context->tree));
	int lines = common_wrap(canvas,
		(struct box){area.x + 2, area.y + area.height / 3, area.width - 4,
			area.height - area.height / 3},
		ROLE_NORMAL, scratch->data);
	if (state->centre.hash == 0)
		return;
	text_clear(scratch);
	text_puts(scratch, "It comes back with a time window, thread and filters that it is in. ");
	if (state->before_count > 0)
		text_printf(scratch, "u: back to %s.", state->before[state->before_count - 1].name);
	int y = area.y + area.height / 3 + lines + 1;
	common_wrap(canvas, (struct box){area.x + 2, y, area.width - 4, area.y + area.height - y},
		ROLE_DIM, scratch->data);
}

static void callers_draw_lists(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct callers_places places = callers_divide(state, area);
	struct callers_brush brush = {.state = state,
		.context = context,
		.canvas = canvas,
		.columns = callers_choose_columns(state, context->tree, area)};
	size_t below = callers_rows_below(&state->side[CALLEES], places.list[CALLEES]);
	callers_draw_head(state, context, canvas, places.head);
	for (int i = 0; i < SIDES; i++) {
		callers_draw_heading(&brush, i, places.heading[i]);
		callers_draw_list(&brush, i, places.list[i]);
	}
	callers_draw_bar(&brush, places.bar, places.list[CALLERS]);
	callers_draw_detail(&brush, places.detail, below);
	if (places.detail.height == 0 && places.list[CALLEES].height > 1)
		callers_draw_more(&brush, brush.columns.bar_x,
			places.list[CALLEES].y + places.list[CALLEES].height - 1, below, true);
}

void callers_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct callers_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
	callers_settle(state, context, area);
	if (!callers_has_centre(state))
		callers_draw_gone(state, context, canvas, area);
	else if (state->is_flames)
		callers_flames_draw(state, context, canvas, area);
	else
		callers_draw_lists(state, context, canvas, area);
}
