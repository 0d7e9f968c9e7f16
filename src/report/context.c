/* SPDX-License-Identifier: MIT */
#include "report/context.h"

static const struct table_column context_columns[] = {
	{"SELF", COLUMN_NUMBER, 0, 2},
	{"SELF%", COLUMN_NUMBER, 0, 0},
	{"TOTAL", COLUMN_NUMBER, 0, 3},
	{"TOTAL%", COLUMN_NUMBER, 0, 0},
	{"EDGE", COLUMN_NUMBER, 0, 0},
	{"EDGE%", COLUMN_NUMBER, 0, 0},
	{"NAME", COLUMN_TEXT, 16, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

void context_init(struct table *table)
{
	table_init(table, context_columns, sizeof context_columns / sizeof *context_columns);
}

/* Lists are sorted by size, so what is above the cut is their beginning. */
static size_t context_cut(const struct neighbour *list, size_t count, int64_t cut)
{
	size_t kept = 0;
	while (kept < count && (list[kept].value >= cut || list[kept].value <= -cut))
		kept++;
	return kept;
}

static void context_edges(const struct report_input *input, struct table *table,
	const struct neighbour *list, size_t count, int64_t cum)
{
	for (size_t i = 0; i < count; i++) {
		for (int blank = 0; blank < 4; blank++)
			table_cell(table, "");
		parts_cell_value(input, table, list[i].value);
		parts_cell_percent(table, (double)list[i].value, (double)cum);
		text_puts(&table->pool, "    ");
		if (list[i].row == 0)
			table_cell(table, "(the root)");
		else
			parts_cell_name(input, table, list[i].row);
		parts_cell_place(input, table, list[i].row);
	}
}

void context_add(const struct report_input *input, struct table *table,
	const struct function_row *function, const struct neighbours *neighbours, int64_t edge_cut)
{
	double base = (double)input->tree->base;
	context_edges(input, table, neighbours->callers,
		context_cut(neighbours->callers, neighbours->caller_count, edge_cut),
		function->cum);
	parts_cell_value(input, table, function->flat);
	parts_cell_percent(table, (double)function->flat, base);
	parts_cell_value(input, table, function->cum);
	parts_cell_percent(table, (double)function->cum, base);
	table_cell(table, "");
	table_cell(table, "");
	parts_cell_name(input, table, function->row);
	parts_cell_place(input, table, function->row);
	context_edges(input, table, neighbours->callees,
		context_cut(neighbours->callees, neighbours->callee_count, edge_cut),
		function->cum);
	table_rule(table);
}

json_t *context_json(const struct report_input *input, const struct function_row *function,
	const struct neighbours *neighbours, int64_t edge_cut)
{
	json_t *object = json_object();
	parts_set_row(input, object, function->row);
	json_object_set_new(object, "flat", json_integer(function->flat));
	json_object_set_new(object, "cum", json_integer(function->cum));
	json_object_set_new(object, "callers",
		parts_neighbours(input, neighbours->callers,
			context_cut(neighbours->callers, neighbours->caller_count, edge_cut)));
	json_object_set_new(object, "callees",
		parts_neighbours(input, neighbours->callees,
			context_cut(neighbours->callees, neighbours->callee_count, edge_cut)));
	return object;
}
