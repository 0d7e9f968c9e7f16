/* SPDX-License-Identifier: MIT */
#include "report/context.h"

#include "report/calls.h"

static const struct table_column context_columns[] = {
	{"CALLS", COLUMN_NUMBER, 0, 0},
	{"SELF", COLUMN_NUMBER, 0, 2},
	{"SELF%", COLUMN_NUMBER, 0, 0},
	{"TOTAL", COLUMN_NUMBER, 0, 3},
	{"TOTAL%", COLUMN_NUMBER, 0, 0},
	{"EDGE", COLUMN_NUMBER, 0, 0},
	{"EDGE%", COLUMN_NUMBER, 0, 0},
	{"NAME", COLUMN_TEXT, 16, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

static int context_skipped(const struct report_input *input)
{
	return calls_are_known(input) ? 0 : 1;
}

void context_init(const struct report_input *input, struct table *table)
{
	const int skipped = context_skipped(input);
	table_init(table, context_columns + skipped,
		(int)(sizeof context_columns / sizeof *context_columns) - skipped);
}

static void context_edges(const struct report_input *input, struct table *table,
	const struct neighbour *list, size_t count, int64_t cum)
{
	for (size_t i = 0; i < count; i++) {
		if (!context_skipped(input))
			calls_cell(table, list[i].has_calls, list[i].calls, list[i].primitive);
		for (int blank = 0; blank < 4; blank++)
			table_cell(table, "");
		calls_cell_neighbour(input, table, &list[i]);
		parts_cell_percent(table, (double)list[i].value, (double)cum);
		text_puts(&table->pool, "    ");
		if (list[i].row == 0)
			table_cell(table, "(the root)");
		else
			parts_cell_marked_name(
				input, table, list[i].row, list[i].is_inlined ? " (inline)" : "");
		parts_cell_place(input, table, list[i].row);
	}
}

void context_add(const struct report_input *input, struct table *table,
	const struct function_row *function, const struct neighbours *neighbours)
{
	double base = (double)input->tree->base;
	context_edges(input, table, neighbours->callers, neighbours->caller_count, function->cum);
	if (!context_skipped(input))
		calls_cell(table, function->has_calls, function->calls, function->primitive);
	parts_cell_value(input, table, function->flat);
	parts_cell_percent(table, (double)function->flat, base);
	parts_cell_value(input, table, function->cum);
	parts_cell_percent(table, (double)function->cum, base);
	table_cell(table, "");
	table_cell(table, "");
	parts_cell_name(input, table, function->row);
	parts_cell_place(input, table, function->row);
	context_edges(input, table, neighbours->callees, neighbours->callee_count, function->cum);
	table_rule(table);
}

json_t *context_json(const struct report_input *input, const struct function_row *function,
	const struct neighbours *neighbours)
{
	json_t *object = json_object();
	parts_set_row(input, object, function->row);
	json_object_set_new(object, "flat", parts_json_value(input, function->flat));
	json_object_set_new(object, "cum", parts_json_value(input, function->cum));
	calls_set(object, function->has_calls, function->calls, function->primitive);
	json_object_set_new(object, "callers",
		parts_neighbours(input, neighbours->callers, neighbours->caller_count));
	json_object_set_new(object, "callees",
		parts_neighbours(input, neighbours->callees, neighbours->callee_count));
	return object;
}
