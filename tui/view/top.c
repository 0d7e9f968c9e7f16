/* SPDX-License-Identifier: MIT */
/* The table of functions: self and total, with bars. */
#include "view/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	TOP_PERCENT = 7, /* cells of the columns */
	TOP_TOTAL_PERCENT = 10,
	TOP_VALUE = 11,
	TOP_BAR = 12,
	TOP_NARROW_BAR = 6,
	TOP_MOST_NAME = 48,
};

struct top_state {
	unsigned generation;
	struct query query;
	bool is_built;
	struct function_row *rows; /* in the order of `sort` */
	size_t row_count;
	enum function_sort sort;
	bool is_reversed;
	size_t cursor, scroll; /* in the order shown */
	uint64_t wanted;       /* hash of the row below the cursor, to find it again; 0: none */
	int shift;             /* cells that names are moved to the left */
	bool has_neighbours;   /* what is said of the function below the cursor */
	uint32_t neighbours_of;
	size_t caller_count, callee_count;
	int64_t most_flat; /* the largest self value: scale of the bars */
	struct text scratch;
};

/* Which columns there is room for; 0 cells: none. */
struct top_columns {
	int self_percent, self_bar, self, total_percent, total_bar, total;
	int name, location;
	int name_x, location_x;
};

struct top_places {
	struct box head, rows, detail;
};

/* ---- rows ------------------------------------------------------------------------ */

static const struct function_row *top_row(const struct top_state *state, size_t i)
{
	return &state->rows[state->is_reversed ? state->row_count - 1 - i : i];
}

static void top_find(struct top_state *state, const struct calltree *tree)
{
	for (size_t i = 0; state->wanted && i < state->row_count; i++) {
		if (common_row_hash(tree, top_row(state, i)->row) == state->wanted) {
			state->cursor = i;
			return;
		}
	}
	if (state->cursor >= state->row_count)
		state->cursor = state->row_count > 0 ? state->row_count - 1 : 0;
}

static void top_note(struct top_state *state, const struct calltree *tree)
{
	if (state->cursor < state->row_count)
		state->wanted = common_row_hash(tree, top_row(state, state->cursor)->row);
}

static void top_build(struct top_state *state, const struct view_context *context)
{
	free(state->rows);
	state->rows = functions_build(context->tree, state->sort, &state->row_count);
	state->generation = context->generation;
	state->query = context->tree->query;
	state->is_built = true;
	state->has_neighbours = false;
	state->most_flat = 0;
	for (size_t i = 0; i < state->row_count; i++)
		if (state->rows[i].flat > state->most_flat)
			state->most_flat = state->rows[i].flat;
	top_find(state, context->tree);
}

static struct top_places top_divide(struct box area)
{
	int detail = area.height >= 12 ? 2 : 0;
	int head = area.height >= 10 ? 2 : area.height >= 3 ? 1 : 0;
	return (struct top_places){
		.head = {area.x, area.y, area.width, head},
		.rows = {area.x, area.y + head, area.width, area.height - head - detail},
		.detail = {area.x, area.y + area.height - detail, area.width, detail},
	};
}

static void top_settle(struct top_state *state, const struct view_context *context,
	const struct top_places *places)
{
	const struct query *query = &context->tree->query;
	if (!state->is_built || state->generation != context->generation ||
		state->query.type != query->type || state->query.first != query->first ||
		state->query.last != query->last || state->query.thread != query->thread)
		top_build(state, context);
	size_t visible = places->rows.height > 0 ? (size_t)places->rows.height : 1;
	if (state->cursor >= state->row_count)
		state->cursor = state->row_count > 0 ? state->row_count - 1 : 0;
	if (state->cursor < state->scroll)
		state->scroll = state->cursor;
	if (state->cursor >= state->scroll + visible)
		state->scroll = state->cursor - visible + 1;
	if (state->scroll + visible > state->row_count)
		state->scroll = state->row_count > visible ? state->row_count - visible : 0;
}

/* ---- columns --------------------------------------------------------------------- */

/* Columns go from the right to the left where there is no room; the name and one figure stay. */
static struct top_columns top_choose_columns(const struct view_context *context, int width)
{
	bool is_percent = context->unit != UNIT_ABSOLUTE;
	struct top_columns columns = {0};
	int used = 2; /* mark and margin */
	columns.self_percent = is_percent || width >= 60 ? TOP_PERCENT : 0;
	columns.self = !is_percent || width >= 70 ? TOP_VALUE : 0;
	columns.self_bar = width >= 96 ? TOP_BAR : width >= 84 ? TOP_NARROW_BAR : 0;
	columns.total_percent = width >= 48 && columns.self_percent ? TOP_TOTAL_PERCENT : 0;
	columns.total = width >= 48 ? columns.self : 0;
	columns.total_bar = width >= 110 ? TOP_BAR : columns.self_bar ? TOP_NARROW_BAR : 0;
	if (width >= 150)
		columns.self_bar = columns.total_bar = 2 * TOP_BAR;
	used += columns.self_percent + columns.self + columns.total_percent + columns.total;
	used += columns.self_bar + (columns.self_bar > 0) + columns.total_bar +
		(columns.total_bar > 0) + 2;
	columns.name_x = used;
	int room = width - used - 1;
	columns.location = room >= 30 ? room * 2 / 5 : 0;
	if (room - columns.location > TOP_MOST_NAME)
		columns.location = room - TOP_MOST_NAME;
	columns.name = room - columns.location - (columns.location > 0);
	columns.location_x = columns.name_x + columns.name + 1;
	return columns;
}

/* By how much self bars are stretched so that small shares can be read. */
static int top_bar_scale(const struct top_state *state, const struct calltree *tree)
{
	static const int scales[] = {50, 20, 10, 5, 4, 2};
	double share = tree->base ? (double)state->most_flat / (double)tree->base : 1;
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (share * scales[i] <= 1)
			return scales[i];
	return 1;
}

static void top_draw_head(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, struct box area)
{
	const char *arrow = state->is_reversed ? "\u25b2" : "\u25bc";
	char self[32];
	char total[32];
	char name[32];
	int scale = top_bar_scale(state, context->tree);
	snprintf(self, sizeof self, "SELF%%%s", state->sort == SORT_FLAT ? arrow : " ");
	snprintf(total, sizeof total, "TOTAL%%%s", state->sort == SORT_CUM ? arrow : " ");
	snprintf(name, sizeof name, "FUNCTION%s", state->sort == SORT_NAME ? arrow : " ");
	int x = area.x + 2;
	if (columns->self_percent) {
		canvas_text_right(canvas, x, area.y, columns->self_percent, ROLE_HEADING, self);
		x += columns->self_percent;
	}
	if (columns->self_bar) {
		if (scale > 1)
			canvas_printf(
				canvas, x + 1, area.y, columns->self_bar, ROLE_DIM, "x%d", scale);
		x += columns->self_bar + 1;
	}
	if (columns->self) {
		bool is_alone = columns->self_percent == 0 && state->sort == SORT_FLAT;
		char word[16];
		snprintf(word, sizeof word, "SELF%s", is_alone ? arrow : "");
		canvas_text_right(canvas, x, area.y, columns->self, ROLE_HEADING, word);
		x += columns->self;
	}
	if (columns->total_percent) {
		canvas_text_right(canvas, x, area.y, columns->total_percent, ROLE_HEADING, total);
		x += columns->total_percent;
	}
	x += columns->total_bar + (columns->total_bar > 0);
	if (columns->total) {
		bool is_alone = columns->total_percent == 0 && state->sort == SORT_CUM;
		char word[16];
		snprintf(word, sizeof word, "TOTAL%s", is_alone ? arrow : "");
		canvas_text_right(canvas, x, area.y, columns->total, ROLE_HEADING, word);
	}
	canvas_text(canvas, area.x + columns->name_x, area.y, columns->name, ROLE_HEADING, name);
	if (columns->location)
		canvas_text(canvas, area.x + columns->location_x, area.y, columns->location,
			ROLE_HEADING, "LOCATION");
	if (area.height >= 2)
		canvas_rule(canvas, area.x, area.y + 1, area.width, NULL);
}

/* Draws a text moved to the left by `shift` cells, but no further than its end needs. */
static void top_draw_shifted(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text, int shift)
{
	int width;
	int hidden = text_width(text, strlen(text)) - cells;
	if (shift > hidden)
		shift = hidden > 0 ? hidden : 0;
	common_text(canvas, x, y, cells, role, text + text_fit(text, strlen(text), shift, &width));
}

static void top_draw_figures(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, const struct function_row *row,
	int x, int y)
{
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	double base = tree->base ? (double)tree->base : 1;
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
			common_value(value, tree, row->flat));
	x += columns->self;
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
			common_value(value, tree, row->cum));
}

static void top_draw_row(struct top_state *state, const struct view_context *context,
	struct canvas *canvas, const struct top_columns *columns, size_t i, struct box line)
{
	const struct function_row *row = top_row(state, i);
	top_draw_figures(state, context, canvas, columns, row, line.x + 2, line.y);
	int x = line.x + columns->name_x;
	int place = line.x + columns->location_x;
	if (state->shift == 0) {
		common_draw_name(context, canvas, x, line.y, columns->name, ROLE_NORMAL, row->row,
			&state->scratch);
		common_draw_location(context, canvas, place, line.y, columns->location, row->row,
			&state->scratch);
	} else {
		top_draw_shifted(canvas, x, line.y, columns->name, ROLE_NORMAL,
			common_name(context, row->row, &state->scratch), state->shift);
		top_draw_shifted(canvas, place, line.y, columns->location, ROLE_DIM,
			common_location(context, row->row, true, &state->scratch), state->shift);
	}
	if (i == state->cursor)
		common_mark_line(canvas, line);
}

/* How many callers and callees the function below the cursor has; worked out once for each. */
static void top_count_neighbours(struct top_state *state, const struct calltree *tree, uint32_t row)
{
	if (state->has_neighbours && state->neighbours_of == row)
		return;
	struct neighbours neighbours = neighbours_build(tree, row);
	state->caller_count = neighbours.caller_count;
	state->callee_count = neighbours.callee_count;
	state->neighbours_of = row;
	state->has_neighbours = true;
	neighbours_free(&neighbours);
}

static void top_draw_detail(struct top_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	if (area.height < 2 || state->row_count == 0)
		return;
	char right[120] = "";
	uint32_t row = top_row(state, state->cursor)->row;
	top_count_neighbours(state, context->tree, row);
	if (area.width >= 72)
		snprintf(right, sizeof right, "%zu caller%s   %zu callee%s   ", state->caller_count,
			state->caller_count == 1 ? "" : "s", state->callee_count,
			state->callee_count == 1 ? "" : "s");
	snprintf(right + strlen(right), sizeof right - strlen(right), "%zu of %zu",
		state->cursor + 1, state->row_count);
	canvas_rule(canvas, area.x, area.y, area.width, NULL);
	canvas_text_right(canvas, area.x, area.y + 1, area.width - 1, ROLE_DIM, right);
	int room = area.width - 4 - (int)strlen(right);
	int used = canvas_text(canvas, area.x + 1, area.y + 1, room, ROLE_ACCENT,
		common_name(context, row, &state->scratch));
	if (used + 3 < room)
		canvas_text(canvas, area.x + 1 + used + 3, area.y + 1, room - used - 3, ROLE_NORMAL,
			common_location(context, row, true, &state->scratch));
}

static void top_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct top_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
	struct top_places places = top_divide(area);
	top_settle(state, context, &places);
	struct top_columns columns = top_choose_columns(context, area.width);
	if (places.head.height > 0)
		top_draw_head(state, context, canvas, &columns, places.head);
	for (int line = 0; line < places.rows.height; line++) {
		size_t i = state->scroll + (size_t)line;
		if (i >= state->row_count)
			break;
		top_draw_row(state, context, canvas, &columns, i,
			(struct box){places.rows.x, places.rows.y + line, places.rows.width, 1});
	}
	top_draw_detail(state, context, canvas, places.detail);
}

/* ---- keys ------------------------------------------------------------------------ */

static void top_move(struct top_state *state, int64_t step)
{
	int64_t to = (int64_t)state->cursor + step;
	int64_t last = (int64_t)state->row_count - 1;
	state->cursor = (size_t)(to < 0 || last < 0 ? 0 : to > last ? last : to);
}

static void top_scroll(struct top_state *state, const struct top_places *places, int step)
{
	size_t visible = places->rows.height > 0 ? (size_t)places->rows.height : 1;
	if (step < 0 && state->scroll > 0)
		state->scroll--;
	if (step > 0 && state->scroll + visible < state->row_count)
		state->scroll++;
	if (state->cursor < state->scroll)
		state->cursor = state->scroll;
	if (state->cursor >= state->scroll + visible)
		state->cursor = state->scroll + visible - 1;
}

/* Another order: the same function stays below the cursor. */
static const char *top_sort(
	struct top_state *state, const struct view_context *context, enum action action)
{
	static const char *const notices[] = {[SORT_FLAT] = "Sorted by self",
		[SORT_CUM] = "Sorted by total",
		[SORT_NAME] = "Sorted by name"};
	top_note(state, context->tree);
	if (action == ACT_REVERSE) {
		state->is_reversed = !state->is_reversed;
		top_find(state, context->tree);
		return state->is_reversed ? "Order reversed" : "Order as usual";
	}
	unsigned step = action == ACT_SORT_NEXT ? 1 : 2;
	state->sort = (enum function_sort)((state->sort + step) % 3);
	top_build(state, context);
	return notices[state->sort];
}

static struct reaction top_open_other(
	const struct top_state *state, const struct view_context *context, enum action action)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (state->row_count == 0)
		return reaction;
	reaction.want |= WANT_VIEW;
	reaction.row = top_row(state, state->cursor)->row;
	reaction.node = common_largest_node(context->tree, reaction.row);
	reaction.view = "flame";
	if (action == ACT_TO_TIMELINE) {
		reaction.view = "timeline";
		reaction.sample = common_sample_of_node(context, reaction.node);
	}
	return reaction;
}

static struct reaction top_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct top_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	struct top_places places = top_divide(area);
	top_settle(state, context, &places);
	int64_t page = places.rows.height > 1 ? places.rows.height - 1 : 1;
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		top_move(state, action == ACT_UP ? -1 : 1);
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		top_move(state, action == ACT_PAGE_UP ? -page : page);
		break;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		top_move(state, action == ACT_HALF_UP ? -(page + 1) / 2 : (page + 1) / 2);
		break;
	case ACT_FIRST:
	case ACT_LAST:
		top_move(state, action == ACT_FIRST ? INT32_MIN : INT32_MAX);
		break;
	case ACT_SCROLL_UP:
	case ACT_SCROLL_DOWN:
		top_scroll(state, &places, action == ACT_SCROLL_UP ? -1 : 1);
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
		state->shift += action == ACT_LEFT ? -8 : 8;
		state->shift = state->shift < 0 ? 0 : state->shift > 400 ? 400 : state->shift;
		break;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREVIOUS:
	case ACT_REVERSE:
		reaction.notice = top_sort(state, context, action);
		break;
	case ACT_IN:
	case ACT_TO_TIMELINE:
		return top_open_other(state, context, action);
	default:
		return (struct reaction){.sample = -1};
	}
	top_settle(state, context, &places);
	top_note(state, context->tree);
	return reaction;
}

/* ---- the view -------------------------------------------------------------------- */

static void *top_open(void)
{
	return memory_new(1, sizeof(struct top_state));
}

static void top_close(void *opaque)
{
	struct top_state *state = opaque;
	free(state->rows);
	text_free(&state->scratch);
	free(state);
}

static void top_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct top_state *state = opaque;
	(void)sample;
	if (!context->tree)
		return;
	if (row == 0 && node != 0 && node < context->tree->node_count)
		row = context->tree->row[node];
	if (row == 0 || row >= context->tree->row_count)
		return;
	state->wanted = common_row_hash(context->tree, row);
	if (state->is_built && state->generation == context->generation)
		top_find(state, context->tree);
}

static void top_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct top_state *state = opaque;
	*node = 0;
	*sample = -1;
	if (state->is_built && state->generation == context->generation &&
		state->cursor < state->row_count)
		*row = top_row(state, state->cursor)->row;
}

static void top_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct top_state *state = opaque;
	static const char *const sorts[] = {
		[SORT_FLAT] = "self", [SORT_CUM] = "total", [SORT_NAME] = "name"};
	char count[UNIT_SIZE];
	if (!context->tree)
		return;
	text_printf(out, "sort: %s%s   %s functions", sorts[state->sort],
		state->is_reversed ? ", reversed" : "",
		units_count(count, (int64_t)state->row_count));
}

static void top_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct top_state *state = opaque;
	const struct calltree *tree = context->tree;
	char all[UNIT_SIZE];
	if (!tree)
		return;
	common_value(all, tree, tree->base);
	text_printf(out,
		"Self is the %s while the function itself ran, total the %s while it was anywhere on "
		"the stack: counted once a sample, however often it is on it (recursion). %s "
		"Percentages are of %s %s.\n",
		common_noun(tree), common_noun(tree), common_explanation(tree), all,
		common_noun(tree));
	text_puts(out,
		"A function is a name, a file and a first line: two that are called alike in "
		"different files are two rows.\n");
	int scale = top_bar_scale(state, tree);
	if (scale > 1)
		text_printf(out, "Self bars are stretched %d times, total bars are not.\n", scale);
}

const struct view view_top = {
	.name = "top",
	.tab = "Top",
	.where = IN_TOP,
	.open = top_open,
	.close = top_close,
	.draw = top_draw,
	.act = top_act,
	.select = top_select,
	.status = top_status,
	.explain = top_explain,
	.selected = top_selected,
};
