/* SPDX-License-Identifier: MIT */
#include "report/calls.h"

#include "profile/callgraph.h"

bool calls_are_known(const struct report_input *input)
{
	return input->tree && calltree_is_exact(input->tree);
}

void calls_cell(struct table *table, bool has, int64_t calls, int64_t primitive)
{
	char text[UNIT_SIZE];
	if (has && primitive != calls)
		text_printf(&table->pool, "%s/", units_count(text, calls));
	table_cell(table, has ? units_count(text, primitive) : "");
}

void calls_cell_change(struct table *table, bool has, int64_t calls, int64_t primitive)
{
	char text[UNIT_SIZE];
	if (has && primitive != calls)
		text_printf(&table->pool, "%s%s/", calls > 0 ? "+" : "", units_count(text, calls));
	if (has && primitive > 0)
		text_puts(&table->pool, "+");
	table_cell(table, has ? units_count(text, primitive) : "");
}

void calls_cell_each(
	const struct report_input *input, struct table *table, int64_t value, int64_t calls)
{
	if (calls > 0)
		parts_cell_value(input, table, value / calls);
	else
		table_cell(table, "");
}

void calls_cell_neighbour(
	const struct report_input *input, struct table *table, const struct neighbour *neighbour)
{
	if (neighbour->is_estimate && !input->is_estimate)
		text_puts(&table->pool, "~");
	parts_cell_value(input, table, neighbour->value);
}

void calls_set(json_t *object, bool has, int64_t calls, int64_t primitive)
{
	if (!has)
		return;
	json_object_set_new(object, "calls", json_integer(calls));
	json_object_set_new(object, "primitive_calls", json_integer(primitive));
}
