/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "report/calls.h"
#include "report/edges.h"
#include "report/head.h"

/* Functions by what they used themselves or with all that they called (numbers.md 3.1, 3.2). */

static const struct table_column top_columns[] = {
	{"SELF", COLUMN_NUMBER, 0, 0},
	{"SELF%", COLUMN_NUMBER, 0, 0},
	{"SUM%", COLUMN_NUMBER, 0, 3},
	{"TOTAL", COLUMN_NUMBER, 0, 1},
	{"TOTAL%", COLUMN_NUMBER, 0, 0},
	{"NAME", COLUMN_TEXT, 14, 0},
	{"LOCATION", COLUMN_PLACE, 12, 2},
};

/* Of a format that counts calls; pstats's columns, and the shares. */
static const struct table_column top_call_columns[] = {
	{"CALLS", COLUMN_NUMBER, 0, 0},
	{"SELF", COLUMN_NUMBER, 0, 0},
	{"SELF%", COLUMN_NUMBER, 0, 2},
	{"SUM%", COLUMN_NUMBER, 0, 6},
	{"EACH", COLUMN_NUMBER, 0, 5},
	{"TOTAL", COLUMN_NUMBER, 0, 0},
	{"TOTAL%", COLUMN_NUMBER, 0, 1},
	{"EACH", COLUMN_NUMBER, 0, 4},
	{"NAME", COLUMN_TEXT, 14, 0},
	{"LOCATION", COLUMN_PLACE, 12, 3},
};

/* What changed in the time of one call is not the change of the one by that of the other. */
static const struct table_column top_call_change_columns[] = {
	{"CALLS", COLUMN_NUMBER, 0, 0},
	{"SELF", COLUMN_NUMBER, 0, 0},
	{"SELF%", COLUMN_NUMBER, 0, 2},
	{"SUM%", COLUMN_NUMBER, 0, 4},
	{"TOTAL", COLUMN_NUMBER, 0, 0},
	{"TOTAL%", COLUMN_NUMBER, 0, 1},
	{"NAME", COLUMN_TEXT, 14, 0},
	{"LOCATION", COLUMN_PLACE, 12, 3},
};

/*
 * Whether the calls of a function were inlined, by row (numbers.md 3.1 rule 2): all that are
 * important enough to be edges, or some. NULL where no frame was.
 */
enum top_inline { INLINE_NONE, INLINE_SOME, INLINE_ALL };

static uint8_t *top_inlines(const struct report_input *input, const struct shown *shown)
{
	if (!input->tree->calls)
		return NULL;
	struct edges edges = edges_build(input->tree, shown);
	uint8_t *inlines = memory_new(input->tree->row_count, 1);
	for (size_t i = 0; i < shown->count; i++) {
		uint32_t row = shown->rows[i].row;
		struct neighbours neighbours = edges_of(&edges, row);
		size_t calls = 0, inlined = 0;
		for (size_t k = 0; k < neighbours.caller_count; k++) {
			if (neighbours.callers[k].row == 0) /* the root calls nothing */
				continue;
			calls++;
			inlined += neighbours.callers[k].is_inlined;
		}
		inlines[row] = inlined == 0      ? INLINE_NONE
			       : inlined < calls ? INLINE_SOME
						 : INLINE_ALL;
	}
	edges_free(&edges);
	return inlines;
}

static void top_row(const struct report_input *input, struct table *table,
	const struct function_row *row, double sum, uint8_t inlines)
{
	static const char *const marks[] = {"", " (partial-inline)", " (inline)"};
	double base = (double)input->tree->base;
	const bool has_calls = calls_are_known(input);
	const bool has_each = has_calls && parts_type(input)->part != PART_DELTA;
	if (has_calls)
		calls_cell(table, row->has_calls, row->calls, row->primitive);
	parts_cell_value(input, table, row->flat);
	parts_cell_percent(table, (double)row->flat, base);
	parts_cell_percent(table, sum, base);
	if (has_each)
		calls_cell_each(input, table, row->flat, row->calls);
	parts_cell_value(input, table, row->cum);
	parts_cell_percent(table, (double)row->cum, base);
	if (has_each)
		calls_cell_each(input, table, row->cum, row->primitive);
	parts_cell_marked_name(input, table, row->row, marks[inlines]);
	parts_cell_place(input, table, row->row);
}

static bool top_text(const struct report_input *given, struct text *out, struct vp_error *err)
{
	(void)err;
	struct report_options own;
	struct shown shown = parts_shown(given);
	struct report_input input = parts_with_unit(given, shown.rows, shown.count, &own);
	uint8_t *inlines = top_inlines(&input, &shown);
	double sum = 0;
	struct table table;
	if (!calls_are_known(&input))
		table_init(&table, top_columns, sizeof top_columns / sizeof *top_columns);
	else if (parts_type(&input)->part == PART_DELTA)
		table_init(&table, top_call_change_columns,
			sizeof top_call_change_columns / sizeof *top_call_change_columns);
	else
		table_init(&table, top_call_columns,
			sizeof top_call_columns / sizeof *top_call_columns);
	for (size_t i = 0; i < shown.count; i++) {
		const struct function_row *row = &shown.rows[i];
		sum += (double)row->flat;
		top_row(&input, &table, row, sum, inlines ? inlines[row->row] : INLINE_NONE);
	}
	head_text(&input, out);
	head_shown(&input, &shown, out);
	text_puts(out, "\n");
	table_write(&table, out, own.columns, own.ascii);
	table_free(&table);
	free(inlines);
	shown_free(&shown);
	return true;
}

static bool top_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	static const char *const words[] = {NULL, "some", "all"};
	struct shown shown = parts_shown(input);
	uint8_t *inlines = top_inlines(input, &shown);
	json_t *rows = json_array();
	for (size_t i = 0; i < shown.count; i++) {
		const struct function_row *it = &shown.rows[i];
		json_t *row = json_object();
		parts_set_row(input, row, it->row);
		json_object_set_new(row, "flat", parts_json_value(input, it->flat));
		json_object_set_new(row, "cum", parts_json_value(input, it->cum));
		calls_set(row, it->has_calls, it->calls, it->primitive);
		json_object_set_new(row, "inline",
			parts_string_or_null(words[inlines ? inlines[it->row] : INLINE_NONE]));
		json_array_append_new(rows, row);
	}
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "rows", rows);
	free(inlines);
	shown_free(&shown);
	return true;
}

static void top_prepare(const struct profile *profile, struct report_options *options)
{
	(void)profile;
	options->query.for_functions = true;
}

const struct report report_top = {
	.name = "top",
	.description = "functions by self or total",
	.needs_tree = true,
	.shows_inlined = true,
	.shows_means = true,
	.prepare = top_prepare,
	.text = top_text,
	.json = top_json,
};
