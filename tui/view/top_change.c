/* SPDX-License-Identifier: MIT */
/* The table of functions of two profiles that are compared: what they had, and the change. */
#include "view/top_state.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { CHANGE_VALUE = 11, CHANGE_SHARE = 9, CHANGE_MARGIN = 2, CHANGE_ROOM = 24 };

/* One column, in the order in which they stand. */
struct change_column {
	const char *heading;
	enum value_part part;
	bool is_self;
	bool is_share; /* of the change, of the base of all percentages */
	bool is_calls; /* where the format counts them */
	int least;     /* width of the screen from which on it is there */
};

static const struct change_column change_columns[] = {
	{"CALLS old", PART_BASE, false, false, true, 170},
	{"CALLS new", PART_NEW, false, false, true, 170},
	{"CALLS +-", PART_DELTA, false, false, true, 100},
	{"SELF old", PART_BASE, true, false, false, 132},
	{"SELF new", PART_NEW, true, false, false, 132},
	{"SELF +-", PART_DELTA, true, false, false, 62},
	{"TOTAL old", PART_BASE, false, false, false, 84},
	{"TOTAL new", PART_NEW, false, false, false, 72},
	{"TOTAL +-", PART_DELTA, false, false, false, 0},
	{"+-%", PART_DELTA, false, true, false, 50},
};

enum { CHANGE_COLUMNS = sizeof change_columns / sizeof *change_columns };

static int change_width(
	const struct change_column *column, const struct view_context *context, int width)
{
	if (width < column->least || (column->is_calls && !calltree_is_exact(context->tree)))
		return 0;
	return column->is_share   ? CHANGE_SHARE
	       : column->is_calls ? CHANGE_VALUE
				  : common_value_width(context->tree, CHANGE_VALUE);
}

/* ---- figures ------------------------------------------------------------------------- */

static struct function_row *change_by_row(const struct calltree *tree)
{
	size_t count;
	struct function_row *list = functions_build(tree, SORT_NAME, &count);
	struct function_row *rows = memory_new(tree->row_count, sizeof *rows);
	for (size_t i = 0; i < count; i++)
		rows[list[i].row] = list[i];
	free(list);
	return rows;
}

void top_change_build(struct top_state *state, const struct view_context *context)
{
	top_change_free(state);
	if (!context->base)
		return;
	state->parts[PART_BASE] = change_by_row(context->base);
	state->parts[PART_NEW] = change_by_row(context->newer);
	state->parts[PART_DELTA] = change_by_row(context->change);
}

void top_change_free(struct top_state *state)
{
	for (size_t i = 0; i < sizeof state->parts / sizeof *state->parts; i++) {
		free(state->parts[i]);
		state->parts[i] = NULL;
	}
}

static const struct calltree *change_tree(const struct view_context *context, enum value_part part)
{
	return part == PART_BASE  ? context->base
	       : part == PART_NEW ? context->newer
				  : context->change;
}

/* ---- cells ----------------------------------------------------------------------------- */

struct top_columns top_change_columns(const struct view_context *context, int width)
{
	struct top_columns columns = {.name_x = CHANGE_MARGIN};
	for (int i = 0; i < CHANGE_COLUMNS; i++)
		columns.name_x += change_width(&change_columns[i], context, width);
	columns.name_x += CHANGE_MARGIN;
	const int room = width - columns.name_x - 1;
	columns.location = room < 2 * CHANGE_ROOM ? 0
			   : context->full_names  ? room / 2
						  : room * 2 / 5;
	columns.name = room - columns.location - (columns.location > 0);
	columns.location_x = columns.name_x + columns.name + 1;
	return columns;
}

/* The column whose figure the rows are in the order of stands out, in colour and without. */
void top_change_head(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const enum value_part part = context->profile->types[context->query.type].part;
	int x = area.x + CHANGE_MARGIN;
	for (int i = 0; i < CHANGE_COLUMNS; i++) {
		const struct change_column *column = &change_columns[i];
		const int cells = change_width(column, context, area.width);
		const enum function_sort sort = column->is_calls  ? SORT_CALLS
						: column->is_self ? SORT_FLAT
								  : SORT_CUM;
		const bool is_sorted =
			!column->is_share && column->part == part && state->sort == sort;
		char heading[32];
		snprintf(heading, sizeof heading, "%s%s", column->heading,
			!is_sorted           ? ""
			: state->is_reversed ? "\u25b2"
					     : "\u25bc");
		if (cells > 0)
			canvas_text_right(canvas, x, area.y, cells,
				is_sorted ? ROLE_HEADING : ROLE_DIM, heading);
		x += cells;
	}
}

static enum role change_role(const struct change_column *column, int64_t value)
{
	if (column->part != PART_DELTA || value == 0)
		return ROLE_NUMBER;
	return value > 0 ? ROLE_REMAINDER : ROLE_MEAN;
}

void top_change_figures(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, uint32_t row, struct box line)
{
	int x = line.x + CHANGE_MARGIN;
	for (int i = 0; i < CHANGE_COLUMNS; i++) {
		const struct change_column *column = &change_columns[i];
		const int cells = change_width(column, context, line.width);
		const struct function_row *figures = &state->parts[column->part][row];
		const struct calltree *tree = change_tree(context, column->part);
		const int64_t value = column->is_calls  ? figures->calls
				      : column->is_self ? figures->flat
							: figures->cum;
		char text[UNIT_SIZE];
		if (column->is_calls)
			common_calls(text, tree, figures->calls, figures->primitive);
		else if (column->is_share)
			common_share(text, tree, value);
		else
			common_estimate(text, tree, value, common_rows_are_estimates(tree));
		if (cells > 0)
			canvas_text_right(
				canvas, x, line.y, cells, change_role(column, value), text);
		x += cells;
	}
}
