/* SPDX-License-Identifier: MIT */
/* The table of functions: its cells. */
#include "view/top_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	TOP_PERCENT = 7, /* cells of the columns */
	TOP_TOTAL_PERCENT = 10,
	TOP_VALUE = 11,
	TOP_EACH = 10,
	TOP_CALLS = 11,
	TOP_BAR = 12,
	TOP_NARROW_BAR = 6,
	TOP_MOST_NAME = 48,
	TOP_WIDE = 96,
	TOP_BOTH_FIGURES = 48, /* from this width on self and total are both there */
	TOP_DETAIL_NAME = 28,
	TOP_DETAIL_DIGITS = 4,
	TOP_DETAIL_COUNTS = 72, /* from this width on the detail line has callers and callees */
};

/* ---- places ------------------------------------------------------------------------ */

struct table_places top_divide(struct box area)
{
	return table_divide(area, area.height >= 12 ? 2 : 0);
}

/* Calls are the file's best figures, but names come first; those of one call need a wide screen. */
static void top_choose_calls(const struct top_state *state, const struct calltree *tree, int width,
	struct top_columns *columns)
{
	if (!state->has_calls)
		return;
	columns->calls = width >= 60 || state->sort == SORT_CALLS ? TOP_CALLS : 0;
	columns->self_each = columns->total_each =
		width >= 124 ? common_value_width(tree, TOP_EACH) : 0;
}

/* Columns go from the right to the left where there is no room; the name and the figure that is
 * sorted by stay. */
struct top_columns top_choose_columns(
	const struct top_state *state, const struct view_context *context, int width)
{
	if (context->base)
		return top_change_columns(context, width);
	bool is_percent = context->unit != UNIT_ABSOLUTE;
	bool has_self = width >= TOP_BOTH_FIGURES || state->sort != SORT_CUM;
	bool has_total = width >= TOP_BOTH_FIGURES || state->sort == SORT_CUM;
	struct top_columns columns = {0};
	const int whole = width;
	top_choose_calls(state, context->tree, width, &columns);
	width -= columns.calls + columns.self_each + columns.total_each;
	int percent = is_percent || width >= 60 ? TOP_PERCENT : 0;
	int value = !is_percent || width >= 70 ? common_value_width(context->tree, TOP_VALUE) : 0;
	int used = 2 + columns.calls; /* mark and margin */
	columns.self_x = used;
	if (has_self) {
		columns.self_percent = percent;
		columns.self = value;
		columns.self_bar = width >= TOP_WIDE ? TOP_BAR : width >= 84 ? TOP_NARROW_BAR : 0;
	}
	if (has_total) {
		columns.total_percent = percent && has_self ? TOP_TOTAL_PERCENT : percent;
		columns.total = value;
		columns.total_bar = width >= 110 ? TOP_BAR : width >= 84 ? TOP_NARROW_BAR : 0;
	}
	if (width >= 150)
		columns.self_bar = columns.total_bar = 2 * TOP_BAR;
	used += columns.self_percent + columns.self + columns.self_each;
	used += columns.self_bar + (columns.self_bar > 0);
	columns.total_x = used;
	used += columns.total_percent + columns.total + columns.total_each;
	used += columns.total_bar + (columns.total_bar > 0) + 2;
	columns.name_x = used;
	int room = whole - used - 1;
	columns.location = room < 30 ? 0 : context->full_names ? room / 2 : room * 2 / 5;
	if (room - columns.location > TOP_MOST_NAME)
		columns.location = room - TOP_MOST_NAME;
	columns.name = room - columns.location - (columns.location > 0);
	columns.location_x = columns.name_x + columns.name + 1;
	return columns;
}

int top_bar_scale(const struct top_state *state, const struct calltree *tree)
{
	static const int scales[] = {50, 20, 10, 5, 4, 2};
	double share = tree->base ? (double)state->most_flat / (double)tree->base : 1;
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (share * scales[i] <= 1)
			return scales[i];
	return 1;
}

/* ---- the head ------------------------------------------------------------------------ */

/* A heading; the one that is sorted by stands out, in colour and without. */
static void top_draw_heading(const struct top_state *state, struct canvas *canvas, struct box box,
	const char *word, enum function_sort sort, bool has_arrow)
{
	char heading[32];
	bool is_sorted = state->sort == sort;
	const char *arrow = !is_sorted ? " " : state->is_reversed ? "\u25b2" : "\u25bc";
	enum role role = is_sorted ? ROLE_HEADING : ROLE_DIM;
	if (box.width < 1)
		return;
	snprintf(heading, sizeof heading, "%s%s", word, has_arrow ? arrow : "");
	if (sort == SORT_NAME)
		canvas_text(canvas, box.x, box.y, box.width, role, heading);
	else
		canvas_text_right(canvas, box.x, box.y, box.width, role, heading);
}

static void top_draw_figure_heads(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, struct box area)
{
	int scale = top_bar_scale(state, context->tree);
	int x = area.x + columns->self_x;
	int y = area.y;
	top_draw_heading(state, canvas, (struct box){x - columns->calls, y, columns->calls, 1},
		"CALLS", SORT_CALLS, state->sort == SORT_CALLS);
	top_draw_heading(state, canvas, (struct box){x, y, columns->self_percent, 1}, "SELF%",
		SORT_FLAT, true);
	x += columns->self_percent;
	if (columns->self_bar) {
		if (scale > 1)
			canvas_printf(canvas, x + 1, y, columns->self_bar, ROLE_DIM, "x%d", scale);
		x += columns->self_bar + 1;
	}
	top_draw_heading(state, canvas, (struct box){x, y, columns->self, 1}, "SELF", SORT_FLAT,
		columns->self_percent == 0 && state->sort == SORT_FLAT);
	x += columns->self;
	if (columns->self_each)
		canvas_text_right(canvas, x, y, columns->self_each, ROLE_DIM, "EACH");
	x = area.x + columns->total_x;
	top_draw_heading(state, canvas, (struct box){x, y, columns->total_percent, 1}, "TOTAL%",
		SORT_CUM, true);
	x += columns->total_percent + columns->total_bar + (columns->total_bar > 0);
	top_draw_heading(state, canvas, (struct box){x, y, columns->total, 1}, "TOTAL", SORT_CUM,
		columns->total_percent == 0 && state->sort == SORT_CUM);
	x += columns->total;
	if (columns->total_each)
		canvas_text_right(canvas, x, y, columns->total_each, ROLE_DIM, "EACH");
}

static void top_draw_head(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, struct box area)
{
	const int y = area.y;
	if (context->base)
		top_change_head(state, context, canvas, area);
	else
		top_draw_figure_heads(state, context, canvas, columns, area);
	top_draw_heading(state, canvas, (struct box){area.x + columns->name_x, y, columns->name, 1},
		"FUNCTION", SORT_NAME, true);
	if (columns->location)
		canvas_text(canvas, area.x + columns->location_x, y, columns->location, ROLE_DIM,
			"LOCATION");
	if (area.height >= 2)
		canvas_rule(canvas, area.x, y + 1, area.width, NULL);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Draws a text moved to the left by `shift` cells, but no further than its end needs; *most is
 * raised to that. */
static int top_draw_shifted(struct canvas *canvas, int x, int y, int cells, enum role role,
	const char *text, int shift, int *most)
{
	int width;
	int hidden = text_width(text, strlen(text)) - cells;
	if (hidden > *most)
		*most = hidden;
	if (shift > hidden)
		shift = hidden;
	if (shift < 1 || cells < 2)
		return common_text(canvas, x, y, cells, role, text);
	canvas_put(canvas, x, y, role, 0x2026);
	text += text_fit(text, strlen(text), shift + 1, &width);
	return 1 + common_text(canvas, x + 1, y, cells - 1, role, text);
}

/* What one call takes; nothing where there was none. */
static void top_draw_each(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, int64_t value, int64_t calls)
{
	char figure[UNIT_SIZE];
	if (cells > 0 && calls > 0)
		canvas_text_right(canvas, x, y, cells, ROLE_NUMBER,
			common_value(figure, context->tree, value / calls));
}

static void top_draw_figures(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, const struct function_row *row,
	struct box line)
{
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	double base = tree->base ? (double)tree->base : 1;
	const bool is_estimate = common_rows_are_estimates(tree);
	int x = line.x + columns->self_x;
	int y = line.y;
	if (columns->calls && row->has_calls)
		canvas_text_right(canvas, x - columns->calls, y, columns->calls, ROLE_NUMBER,
			common_calls(value, tree, row->calls, row->primitive));
	if (columns->self_percent)
		canvas_text_right(canvas, x, y, columns->self_percent - 1, ROLE_NUMBER,
			units_percent(value, (double)row->flat, (double)tree->base));
	x += columns->self_percent;
	if (columns->self_bar) {
		canvas_bar(canvas, x, y, columns->self_bar,
			(double)row->flat / base * top_bar_scale(state, tree), ROLE_BAR);
		x += columns->self_bar + 1;
	}
	if (columns->self)
		canvas_text_right(canvas, x, y, columns->self, ROLE_NUMBER,
			common_estimate(value, tree, row->flat, is_estimate));
	top_draw_each(
		context, canvas, x + columns->self, y, columns->self_each, row->flat, row->calls);
	x = line.x + columns->total_x;
	if (columns->total_percent)
		canvas_text_right(canvas, x, y, columns->total_percent - 1, ROLE_NUMBER,
			units_percent(value, (double)row->cum, (double)tree->base));
	x += columns->total_percent;
	if (columns->total_bar) {
		canvas_bar(canvas, x, y, columns->total_bar, (double)row->cum / base, ROLE_BAR);
		x += columns->total_bar + 1;
	}
	if (columns->total)
		canvas_text_right(canvas, x, y, columns->total, ROLE_NUMBER,
			common_estimate(value, tree, row->cum, is_estimate));
	top_draw_each(context, canvas, x + columns->total, y, columns->total_each, row->cum,
		row->primitive);
}

static void top_draw_row(struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, size_t i, struct box line)
{
	const struct function_row *row = top_row(state, i);
	struct box name = {line.x + columns->name_x, line.y, columns->name, 1};
	int place = line.x + columns->location_x;
	if (context->base)
		top_change_figures(state, context, canvas, row->row, line);
	else
		top_draw_figures(state, context, canvas, columns, row, line);
	if (state->shift == 0) {
		name.width = common_draw_name(context, canvas, name.x, name.y, name.width,
			ROLE_NORMAL, row->row, &state->scratch);
		common_draw_location(context, canvas, place, line.y, columns->location, row->row,
			&state->scratch);
	} else {
		name.width = top_draw_shifted(canvas, name.x, name.y, name.width, ROLE_NORMAL,
			common_name(context, row->row, &state->scratch), state->shift,
			&state->most_shift);
		canvas_look(canvas, name, common_look(context, row->row));
		if (columns->location > 0)
			top_draw_shifted(canvas, place, line.y, columns->location, ROLE_DIM,
				common_location(context, row->row, true, &state->scratch),
				state->shift, &state->most_shift);
	}
	if (i == state->cursor)
		common_mark_row(canvas, line.x, name);
}

/* ---- the detail line --------------------------------------------------------------- */

/* How many functions call the one below the cursor, and are called by it. */
static void top_count_neighbours(struct top_state *state, const struct calltree *tree, uint32_t row)
{
	if (state->neighbours_of == row)
		return;
	if (calltree_is_exact(tree)) {
		struct neighbours neighbours = neighbours_build(tree, row);
		state->caller_count = (uint32_t)neighbours.caller_count;
		state->callee_count = (uint32_t)neighbours.callee_count;
		neighbours_free(&neighbours);
		state->neighbours_of = row;
		return;
	}
	/* A caller that is a callee too is counted on both sides. */
	enum { IS_CALLER = 1, IS_CALLEE = 2 };
	uint8_t *sides = memory_new(tree->row_count, sizeof *sides);
	state->caller_count = state->callee_count = 0;
	for (uint32_t node = 1; node < tree->node_count; node++) {
		uint32_t mine = tree->row[node];
		uint32_t above = tree->row[tree->parent[node]];
		if ((mine != row && above != row) || mine == above || tree->total[node] == 0)
			continue;
		uint8_t *side = &sides[mine == row ? above : mine];
		uint8_t bit = mine == row ? IS_CALLER : IS_CALLEE;
		if (*side & bit)
			continue;
		*side |= bit;
		if (bit == IS_CALLER)
			state->caller_count++;
		else
			state->callee_count++;
	}
	free(sides);
	state->neighbours_of = row;
}

/* Draws a word and a figure of `digits` cells at the right end of `area`, which it shortens. */
static void top_draw_count(
	struct canvas *canvas, struct box *area, const char *word, const char *figure, int digits)
{
	int length = (int)strlen(word);
	int used = length + digits + 3;
	int x = area->x + area->width - digits;
	if (used > area->width)
		return;
	canvas_text_right(canvas, x, area->y, digits, ROLE_NORMAL, figure);
	canvas_text(canvas, x - 1 - length, area->y, length, ROLE_DIM, word);
	area->width -= used;
}

/*
 * Fixed columns as far as names allow it, and figures without a colour: from one function to the
 * next as few cells as possible change.
 */
static void top_draw_detail(struct top_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	char figure[UNIT_SIZE];
	char words[UNIT_SIZE + 8];
	uint32_t row = top_row(state, state->cursor)->row;
	struct box rest = {area.x + 1, area.y, area.width - 2, 1};
	int digits = (int)strlen(units_count(figure, (int64_t)state->shown_count));
	snprintf(words, sizeof words, "of %s", figure);
	canvas_text_right(canvas, rest.x, rest.y, rest.width, ROLE_DIM, words);
	rest.width -= digits + 4;
	top_draw_count(canvas, &rest, "", units_count(figure, (int64_t)state->cursor + 1), digits);
	if (area.width >= TOP_DETAIL_COUNTS) {
		top_count_neighbours(state, context->tree, row);
		top_draw_count(canvas, &rest, "callees", units_count(figure, state->callee_count),
			TOP_DETAIL_DIGITS);
		top_draw_count(canvas, &rest, "callers", units_count(figure, state->caller_count),
			TOP_DETAIL_DIGITS);
	}
	int used = common_text(canvas, rest.x, rest.y, rest.width, ROLE_NORMAL,
		common_name(context, row, &state->scratch));
	canvas_look(canvas, (struct box){rest.x, rest.y, used, 1},
		LOOK_BOLD | common_look(context, row));
	if (area.width >= TOP_WIDE && used < TOP_DETAIL_NAME)
		used = TOP_DETAIL_NAME;
	used += 2;
	if (used < rest.width)
		common_text_end(canvas, rest.x + used, rest.y, rest.width - used, ROLE_NORMAL,
			common_location(context, row, true, &state->scratch));
}

/* ---- all of it --------------------------------------------------------------------- */

static void top_draw_nothing(struct top_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct text *words = &state->scratch;
	text_clear(words);
	text_puts(words, "No function matches /");
	text_clean(words, state->pattern.data, state->pattern.length, context->ascii);
	text_puts(words, "/. & changes the pattern, Esc shows all functions again.");
	common_wrap(canvas,
		(struct box){area.x + 2, area.y + (area.height > 4 ? 1 : 0), area.width - 4,
			area.height},
		ROLE_NORMAL, words->data);
}

void top_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct top_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
	struct table_places places = top_divide(area);
	top_settle(state, context, &places);
	struct top_columns columns = top_choose_columns(state, context, area.width);
	state->has_bars = columns.self_bar > 0;
	if (places.head.height > 0)
		top_draw_head(state, context, canvas, &columns, places.head);
	state->most_shift = 0;
	for (int line = 0; line < places.rows.height; line++) {
		size_t i = state->scroll + (size_t)line;
		if (i >= state->shown_count)
			break;
		top_draw_row(state, context, canvas, &columns, i,
			(struct box){places.rows.x, places.rows.y + line, places.rows.width, 1});
	}
	if (state->shift > state->most_shift) /* the next key back is to move them at once */
		state->shift = state->most_shift;
	table_draw_edge(canvas, &places, state->scroll, state->shown_count);
	if (state->shown_count == 0) {
		if (state->pattern.length > 0)
			top_draw_nothing(state, context, canvas, places.rows);
		return;
	}
	if (places.detail.height > 1)
		top_draw_detail(state, context, canvas,
			(struct box){area.x, places.detail.y + 1, area.width, 1});
}
