/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "report/calls.h"
#include "report/head.h"

/* Who calls a function, or what it calls. */

static const struct table_column neighbours_columns[] = {
	{"CALLS", COLUMN_NUMBER, 0, 2},
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
	{"NAME", COLUMN_TEXT, 14, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

struct neighbours_list {
	const struct neighbour *items;
	size_t count;
};

static struct neighbours_list neighbours_side(const struct neighbours *neighbours, bool callers)
{
	return callers ? (struct neighbours_list){neighbours->callers, neighbours->caller_count}
		       : (struct neighbours_list){neighbours->callees, neighbours->callee_count};
}

static void neighbours_title(const struct report_input *input, const struct function_row *function,
	bool callers, struct text *out)
{
	char cum[AMOUNT_SIZE], flat[UNIT_SIZE], share[UNIT_SIZE];
	struct text title = {0};
	row_label(input->tree, function->row, input->options->ascii, &title);
	text_printf(&title, ": total %s, %s of all; self %s",
		parts_amount(input, cum, function->cum),
		units_percent(share, (double)function->cum, (double)input->tree->base),
		parts_value(input, flat, function->flat));
	text_puts(out, "\n");
	head_fact(input, out, callers ? "Callers of" : "Callees of", title.data);
	text_free(&title);
}

static void neighbours_table(const struct report_input *input, const struct function_row *function,
	struct neighbours_list list, struct text *out)
{
	struct table table;
	const int skipped = calls_are_known(input) ? 0 : 1;
	table_init(&table, neighbours_columns + skipped,
		(int)(sizeof neighbours_columns / sizeof *neighbours_columns) - skipped);
	for (size_t i = 0; i < list.count; i++) {
		if (!skipped)
			calls_cell(&table, list.items[i].has_calls, list.items[i].calls,
				list.items[i].primitive);
		calls_cell_neighbour(input, &table, &list.items[i]);
		parts_cell_percent(&table, (double)list.items[i].value, (double)function->cum);
		if (list.items[i].row == 0)
			table_cell(&table, "(the root)");
		else
			parts_cell_name(input, &table, list.items[i].row);
		parts_cell_place(input, &table, list.items[i].row);
	}
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
}

static bool neighbours_text(
	const struct report_input *input, bool callers, struct text *out, struct vp_error *err)
{
	size_t count;
	struct function_row *functions = parts_matching(input, &count, err);
	if (!functions)
		return false;
	head_text(input, out);
	for (size_t i = 0; i < count; i++) {
		struct neighbours neighbours = neighbours_build(input->tree, functions[i].row);
		neighbours_title(input, &functions[i], callers, out);
		neighbours_table(input, &functions[i], neighbours_side(&neighbours, callers), out);
		neighbours_free(&neighbours);
	}
	free(functions);
	return true;
}

static json_t *neighbours_object(
	const struct report_input *input, const struct function_row *function, bool callers)
{
	struct neighbours neighbours = neighbours_build(input->tree, function->row);
	struct neighbours_list list = neighbours_side(&neighbours, callers);
	json_t *object = json_object();
	json_object_set_new(object, "function", parts_name(input, function->row));
	parts_set_row(input, object, function->row);
	json_object_del(object, "name");
	json_object_set_new(object, "flat", parts_json_value(input, function->flat));
	json_object_set_new(object, "cum", parts_json_value(input, function->cum));
	calls_set(object, function->has_calls, function->calls, function->primitive);
	json_object_set_new(object, "rows", parts_neighbours(input, list.items, list.count));
	neighbours_free(&neighbours);
	return object;
}

/* The first match at the top, as scripts expect it; all of them, each with its rows, in
 * "functions". */
static bool neighbours_json(
	const struct report_input *input, bool callers, json_t *object, struct vp_error *err)
{
	size_t count;
	struct function_row *functions = parts_matching(input, &count, err);
	if (!functions)
		return false;
	json_t *all = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(all, neighbours_object(input, &functions[i], callers));
	json_object_update(object, json_array_get(all, 0));
	json_object_set_new(object, "functions", all);
	free(functions);
	return true;
}

static bool callers_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	return neighbours_text(input, true, out, err);
}

static bool callers_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	return neighbours_json(input, true, object, err);
}

static bool callees_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	return neighbours_text(input, false, out, err);
}

static bool callees_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	return neighbours_json(input, false, object, err);
}

const struct report report_callers = {
	.name = "callers",
	.description = "who calls the functions that -F names",
	.needs_tree = true,
	.text = callers_text,
	.json = callers_json,
};

const struct report report_callees = {
	.name = "callees",
	.description = "what the functions that -F names call",
	.needs_tree = true,
	.text = callees_text,
	.json = callees_json,
};
