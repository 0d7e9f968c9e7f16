/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

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

static bool top_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	struct shown shown = parts_shown(input);
	double base = (double)input->tree->base, sum = 0;
	struct table table;
	table_init(&table, top_columns, sizeof top_columns / sizeof *top_columns);
	for (size_t i = 0; i < shown.count; i++) {
		const struct function_row *row = &shown.rows[i];
		sum += (double)row->flat;
		parts_cell_value(input, &table, row->flat);
		parts_cell_percent(&table, (double)row->flat, base);
		parts_cell_percent(&table, sum, base);
		parts_cell_value(input, &table, row->cum);
		parts_cell_percent(&table, (double)row->cum, base);
		parts_cell_name(input, &table, row->row);
		parts_cell_place(input, &table, row->row);
	}
	head_text(input, out);
	head_shown(input, &shown, out);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
	free(shown.rows);
	return true;
}

static bool top_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	struct shown shown = parts_shown(input);
	json_t *rows = json_array();
	for (size_t i = 0; i < shown.count; i++) {
		json_t *row = json_object();
		parts_set_row(input, row, shown.rows[i].row);
		json_object_set_new(row, "flat", json_integer(shown.rows[i].flat));
		json_object_set_new(row, "cum", json_integer(shown.rows[i].cum));
		json_array_append_new(rows, row);
	}
	json_object_set_new(object, "total", json_integer(input->tree->base));
	json_object_set_new(object, "rows", rows);
	free(shown.rows);
	return true;
}

const struct report report_top = {
	.name = "top",
	.description = "functions by self or total",
	.needs_tree = true,
	.text = top_text,
	.json = top_json,
};
