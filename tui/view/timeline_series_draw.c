/* SPDX-License-Identifier: MIT */
/* The timeline of a series of snapshots: bars, axes, and the table below them. */
#include <stdio.h>
#include <string.h>

#include "view/table_draw.h"
#include "view/timeline_series_state.h"

enum { SERIES_AXIS = 1, SERIES_SELF = 9, SERIES_MOST_ROWS = 20, SERIES_MOST_BAR = 9 };

/* How bars are laid out: snapshots [first, first + count), `step` columns each. */
struct series_bars {
	size_t first, count;
	int step, bar; /* columns from one to the next, and of ink */
	int x, y, height;
};

static struct series_bars series_bars(const struct series_state *state, struct box area)
{
	struct series_bars bars = {.x = area.x + state->value_width + SERIES_AXIS, .y = area.y + 1};
	const int width = area.width - state->value_width - SERIES_AXIS - 1;
	bars.height = (area.height - 4) / 2;
	if (bars.height > SERIES_MOST_ROWS)
		bars.height = SERIES_MOST_ROWS;
	if (bars.height < 1)
		bars.height = 1;
	const int each = (int)((size_t)width / state->count);
	bars.step = each < 1 ? 1 : each > SERIES_MOST_BAR ? SERIES_MOST_BAR : each;
	bars.bar = bars.step > 2 ? bars.step - 1 : bars.step;
	bars.count = (size_t)(width / bars.step);
	if (bars.count > state->count)
		bars.count = state->count;
	if (state->cursor >= bars.count) /* where not all fit the cursor is in the middle */
		bars.first = state->cursor - bars.count / 2;
	if (bars.first > state->count - bars.count)
		bars.first = state->count - bars.count;
	return bars;
}

static int series_x(const struct series_bars *bars, size_t snapshot)
{
	return bars->x + (int)(snapshot - bars->first) * bars->step;
}

static bool series_is_in(const struct series_bars *bars, size_t snapshot)
{
	return snapshot >= bars->first && snapshot < bars->first + bars->count;
}

static int64_t series_most(const struct series_state *state)
{
	int64_t most = 0;
	for (size_t i = 0; i < state->count; i++)
		most = state->values[i].value > most ? state->values[i].value : most;
	return most;
}

/* ---- bars ------------------------------------------------------------------------------- */

static void series_draw_bar(const struct view_context *context, struct canvas *canvas,
	const struct series_bars *bars, int x, double share)
{
	int eighths = (int)(share * bars->height * 8 + 0.5);
	if (share > 0 && eighths < 1)
		eighths = 1;
	for (int row = 0; row < bars->height && eighths > 0; row++, eighths -= 8) {
		const struct chart_cell cell = {
			.ink = INK_MEAN, .eighth = (uint8_t)(eighths < 8 ? eighths : 8)};
		canvas_fill(canvas, (struct box){x, bars->y + bars->height - 1 - row, bars->bar, 1},
			ROLE_MEAN, chart_glyph(cell, context->ascii, context->no_eighths));
	}
}

static void series_draw_labels(const struct view_context *context, struct canvas *canvas,
	const struct series_bars *bars, int left, int64_t most)
{
	char text[UNIT_SIZE];
	const int middle = bars->height / 2;
	const int x = bars->x - left - SERIES_AXIS, cells = left - 1;
	canvas_text_right(
		canvas, x, bars->y, cells, ROLE_DIM, common_value(text, context->tree, most));
	if (bars->height >= 6)
		canvas_text_right(canvas, x, bars->y + middle, cells, ROLE_DIM,
			common_value(text, context->tree,
				(int64_t)((double)most * (bars->height - middle) / bars->height)));
	canvas_text_right(canvas, x, bars->y + bars->height, cells, ROLE_DIM, "0");
	for (int row = 0; row < bars->height; row++)
		canvas_put(canvas, bars->x - 1, bars->y + row, ROLE_RULE,
			context->ascii ? '|' : 0x2502);
}

/* The step in which moments of snapshots are told apart. */
static int64_t series_step(const struct view_context *context)
{
	const int64_t snapshots = (int64_t)context->profile->snapshot_count;
	int64_t step = INT64_C(1000000000);
	while (step > 1000 && context->clock.length_ns / snapshots < step)
		step /= 10;
	return step;
}

static void series_moment(const struct view_context *context, size_t snapshot, char out[UNIT_SIZE])
{
	if (context->clock.kind == TIME_NONE)
		snprintf(out, UNIT_SIZE, "#%zu", snapshot + 1);
	else
		chart_moment(out, &context->clock, context->profile->snapshots[snapshot].first,
			context->is_absolute, series_step(context));
}

static void series_draw_axis(const struct series_state *state, const struct view_context *context,
	struct canvas *canvas, const struct series_bars *bars)
{
	const int y = bars->y + bars->height;
	const int width = (int)bars->count * bars->step;
	int used = 0;
	canvas_put(canvas, bars->x - 1, y, ROLE_RULE, context->ascii ? '+' : 0x2514);
	canvas_fill(canvas, (struct box){bars->x, y, width, 1}, ROLE_RULE,
		context->ascii ? '-' : 0x2500);
	for (size_t i = bars->first; i < bars->first + bars->count; i++) {
		char text[UNIT_SIZE];
		series_moment(context, i, text);
		const int x = series_x(bars, i), length = text_width(text, strlen(text));
		if (x < used || x + length > bars->x + width + SERIES_VALUE)
			continue;
		canvas_text(canvas, x, y + 1, length, ROLE_DIM, text);
		used = x + length + 2;
	}
	for (size_t i = bars->first; state->is_marking && i < bars->first + bars->count; i++)
		if ((i >= state->mark && i <= state->cursor) ||
			(i <= state->mark && i >= state->cursor))
			canvas_fill(canvas, (struct box){series_x(bars, i), y, bars->bar, 1},
				ROLE_ACCENT, context->ascii ? '=' : 0x2550);
	canvas_put(canvas, series_x(bars, state->cursor) + (bars->bar - 1) / 2, y, ROLE_ACCENT,
		context->ascii ? '^' : 0x25b2);
}

static void series_draw_bars(const struct series_state *state, const struct view_context *context,
	struct canvas *canvas, const struct series_bars *bars)
{
	const int64_t most = series_most(state);
	const size_t shown = profile_snapshot_of(context->profile, context->query.first);
	for (size_t i = bars->first; i < bars->first + bars->count; i++)
		series_draw_bar(context, canvas, bars, series_x(bars, i),
			most > 0 ? (double)state->values[i].value / (double)most : 0);
	series_draw_labels(context, canvas, bars, state->value_width, most);
	series_draw_axis(state, context, canvas, bars);
	/* The snapshot that the other views show, and the cursor. */
	if (series_is_in(bars, shown))
		canvas_role(canvas,
			(struct box){series_x(bars, shown), bars->y, bars->bar, bars->height},
			ROLE_ACCENT);
	canvas_look(canvas,
		(struct box){series_x(bars, state->cursor), bars->y, bars->bar, bars->height},
		LOOK_REVERSE);
}

/* ---- lines of words ------------------------------------------------------------------------- */

static void series_change_text(
	char out[UNIT_SIZE + 1], const struct calltree *tree, int64_t before, int64_t now)
{
	int64_t change = 0;
	if (__builtin_sub_overflow(now, before, &change))
		change = now < before ? INT64_MIN : INT64_MAX;
	out[0] = '+';
	common_value(out + (change > 0), tree, change);
}

static void series_draw_header(const struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	char from[UNIT_SIZE], to[UNIT_SIZE], right[2 * UNIT_SIZE + 32];
	const int used = canvas_printf(canvas, area.x + 1, area.y, area.width - 2, ROLE_HEADING,
		"%s in each snapshot", common_noun(context->tree));
	series_moment(context, 0, from);
	series_moment(context, state->count - 1, to);
	snprintf(right, sizeof right, "%s \u2013 %s   %zu snapshots", from, to, state->count);
	const int width = text_width(right, strlen(right));
	if (used + width + 4 < area.width)
		canvas_text_right(canvas, area.x, area.y, area.width - 1, ROLE_DIM, right);
}

/* Adds a piece to a line if there is room; returns the cells used. */
static int series_piece(
	struct canvas *canvas, struct box line, int used, enum role role, const char *piece)
{
	const int width = text_width(piece, strlen(piece));
	if (used + 2 + width > line.width)
		return used;
	canvas_text(canvas, line.x + used + 1, line.y, width, role, piece);
	return used + 2 + width;
}

static void series_draw_status(const struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line)
{
	char text[3 * UNIT_SIZE], value[UNIT_SIZE], change[UNIT_SIZE + 1];
	const size_t before = series_before(state);
	const int64_t now = state->values[state->cursor].value;
	series_change_text(change, context->tree, state->values[before].value, now);
	snprintf(text, sizeof text, "%s%zu/%zu", context->ascii ? "^ " : "\u25b2 ",
		state->cursor + 1, state->count);
	int used = series_piece(canvas, line, 0, ROLE_ACCENT, text);
	if (context->clock.kind != TIME_NONE) {
		series_moment(context, state->cursor, text);
		used = series_piece(canvas, line, used, ROLE_NORMAL, text);
	}
	used = series_piece(
		canvas, line, used, ROLE_ACCENT, common_value(value, context->tree, now));
	if (state->is_marking) {
		snprintf(
			text, sizeof text, "%s since the marked one, %zu", change, state->mark + 1);
		used = series_piece(canvas, line, used, ROLE_NORMAL, text);
		series_piece(canvas, line, used, ROLE_DIM, "Enter growth  Esc drop");
		return;
	}
	if (state->cursor > 0) {
		snprintf(text, sizeof text, "%s since the one before", change);
		used = series_piece(canvas, line, used, ROLE_NORMAL, text);
	}
	struct text name = {0};
	const char *path = context->profile->snapshots[state->cursor].name;
	text_clean(&name, path, strlen(path), context->ascii);
	if (line.width - used > 12)
		common_text_end(canvas, line.x + used + 1, line.y, line.width - used - 2, ROLE_DIM,
			name.data ? name.data : "");
	text_free(&name);
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* Where the columns behind that of values begin. */
struct series_columns {
	int change, change_x, name_x;
};

static struct series_columns series_columns(const struct series_state *state)
{
	const int change_x = SERIES_SELF + state->value_width + 1;
	return (struct series_columns){.change = state->value_width + 1,
		.change_x = change_x,
		.name_x = change_x + state->value_width + 3};
}

static void series_draw_row(struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line, const struct series_row *row)
{
	char text[UNIT_SIZE + 1];
	const int64_t all = state->values[state->cursor].value;
	const struct series_columns columns = series_columns(state);
	const int name = line.x + columns.name_x, left = line.width - columns.name_x - 1;
	units_percent(text, (double)row->value, (double)all);
	canvas_text_right(canvas, line.x + 1, line.y, 7, ROLE_NUMBER, text);
	canvas_text_right(canvas, line.x + SERIES_SELF, line.y, state->value_width, ROLE_NUMBER,
		common_value(text, context->tree, row->value));
	series_change_text(text, context->tree, row->before, row->value);
	canvas_text_right(canvas, line.x + columns.change_x, line.y, columns.change,
		row->value > row->before   ? ROLE_WARNING
		: row->value < row->before ? ROLE_ACCENT
					   : ROLE_DIM,
		text);
	if (left < 8)
		return;
	const int cells = left >= 50 ? left * 2 / 3 : left;
	const int used = common_draw_name(
		context, canvas, name, line.y, cells, ROLE_NORMAL, row->row, &state->scratch);
	if (left >= 50)
		common_draw_location(context, canvas, name + cells + 1, line.y, left - cells - 1,
			row->row, &state->scratch);
	if (state->has_line && row->row == state->wanted)
		common_mark_row(canvas, line.x, (struct box){name, line.y, used, 1});
}

struct box series_rows_box(const struct series_state *state, struct box area)
{
	const struct series_bars bars = series_bars(state, area);
	const int y = bars.y + bars.height + 5; /* the axis, its labels, words, a rule, a head */
	const int height = area.y + area.height - y;
	return (struct box){area.x, y, area.width, height > 0 ? height : 0};
}

static void series_draw_table(struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box rows)
{
	char title[80];
	if (rows.height < 1)
		return;
	const struct box area = {rows.x, rows.y - 2, rows.width, rows.height + 2};
	const struct series_columns columns = series_columns(state);
	series_settle_rows(state, context);
	series_settle_scroll(state, rows.height);
	if (state->is_marking)
		snprintf(title, sizeof title, "what changed since snapshot %zu", state->mark + 1);
	else
		snprintf(title, sizeof title, "what snapshot %zu holds, by function",
			state->cursor + 1);
	canvas_rule(canvas, area.x, area.y, area.width, title);
	table_draw_hidden(canvas, (struct box){area.x, area.y, area.width, 1}, state->scroll,
		rows.height, state->row_count);
	canvas_text_right(canvas, area.x, area.y + 1, 8, ROLE_HEADING, "SELF%");
	canvas_text_right(
		canvas, area.x + SERIES_SELF, area.y + 1, state->value_width, ROLE_HEADING, "SELF");
	canvas_text_right(canvas, area.x + columns.change_x, area.y + 1, columns.change,
		ROLE_HEADING, "CHANGE");
	canvas_text(canvas, area.x + columns.name_x, area.y + 1, area.width - columns.name_x - 1,
		ROLE_HEADING, "FUNCTION");
	for (int i = 0; i < rows.height && state->scroll + (size_t)i < state->row_count; i++)
		series_draw_row(state, context, canvas,
			(struct box){rows.x, rows.y + i, rows.width, 1},
			&state->rows[state->scroll + (size_t)i]);
}

void series_draw(struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	series_settle(state, context);
	const struct series_bars bars = series_bars(state, area);
	const int below = bars.y + bars.height + 2;
	series_draw_header(state, context, canvas, area);
	series_draw_bars(state, context, canvas, &bars);
	if (below < area.y + area.height)
		series_draw_status(
			state, context, canvas, (struct box){area.x, below, area.width, 1});
	series_draw_table(state, context, canvas, series_rows_box(state, area));
}

/* ---- the mouse ---------------------------------------------------------------------------------
 */

struct reaction series_point(struct series_state *state, const struct view_context *context,
	struct box area, const struct pointer *pointer)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	series_settle(state, context);
	const struct series_bars bars = series_bars(state, area);
	const struct box rows = series_rows_box(state, area);
	const int x = pointer->x - bars.x;
	if (pointer->y >= rows.y && pointer->y < rows.y + rows.height) {
		series_point_row(state, context, rows, pointer);
		return reaction;
	}
	if (pointer->kind != POINTER_PRESS || x < 0 || pointer->y < bars.y ||
		pointer->y > bars.y + bars.height || (size_t)(x / bars.step) >= bars.count)
		return (struct reaction){.sample = -1};
	state->cursor = bars.first + (size_t)(x / bars.step);
	return reaction;
}
