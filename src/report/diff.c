/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/calls.h"
#include "report/head.h"

/* What changed between two profiles, with what there was before and is now. */

/* The first DIFF_CALLS are of a format that counts calls. */
static const struct table_column diff_columns[] = {
	{"OLD CALLS", COLUMN_NUMBER, 0, 7},
	{"NEW CALLS", COLUMN_NUMBER, 0, 6},
	{"DELTA CALLS", COLUMN_NUMBER, 0, 4},
	{"OLD", COLUMN_NUMBER, 0, 0},
	{"NEW", COLUMN_NUMBER, 0, 0},
	{"DELTA", COLUMN_NUMBER, 0, 0},
	{"DELTA%", COLUMN_NUMBER, 0, 2},
	{"OLD TOTAL", COLUMN_NUMBER, 0, 5},
	{"NEW TOTAL", COLUMN_NUMBER, 0, 5},
	{"DELTA TOTAL", COLUMN_NUMBER, 0, 1},
	{"NAME", COLUMN_TEXT, 14, 0},
	{"LOCATION", COLUMN_PLACE, 12, 3},
};

enum { DIFF_CALLS = 3 };

/* One row in the three parts of the difference. */
struct diff_row {
	struct function_row delta, base, now;
};

struct diff {
	struct diff_row *rows; /* in order */
	size_t all, count;     /* rows, and how many of them are to be printed */
	int64_t base_total, new_total, delta_total;
};

/* ---- rows -------------------------------------------------------------------- */

/* Flat and cum of all rows of a part, by row. */
static struct function_row *diff_part(const struct report_input *input, enum value_part part)
{
	const struct calltree *tree = input->tree;
	struct function_row *by_row = memory_new(tree->row_count, sizeof *by_row);
	struct calltree *counted = calltree_recount(
		tree, profile_type_of_part(input->profile, tree->query.type, part));
	size_t count;
	for (uint32_t i = 0; i < tree->row_count; i++)
		by_row[i].row = i;
	if (!counted)
		return by_row;
	struct function_row *rows = functions_build(counted, SORT_NAME, &count);
	for (size_t i = 0; i < count; i++)
		by_row[rows[i].row] = rows[i];
	free(rows);
	calltree_free(counted);
	return by_row;
}

/* Whether a row is in the report: something was or is there. */
static bool diff_has(const struct report_input *input, const struct diff_row *row)
{
	const bool is_less = row->delta.flat < 0 || (row->delta.flat == 0 && row->delta.cum < 0);
	if (input->options->drop_negative && is_less)
		return false;
	return row->base.flat || row->base.cum || row->now.flat || row->now.cum ||
	       row->delta.flat || row->delta.cum || row->delta.has_calls;
}

/* Rows in the order of their changes; those that did not change at all come last, by name. */
static struct diff_row *diff_rows(const struct report_input *input, size_t *count)
{
	const struct calltree *tree = input->tree;
	struct function_row *base = diff_part(input, PART_BASE), *now = diff_part(input, PART_NEW);
	struct diff_row *rows = memory_new(tree->row_count, sizeof *rows);
	bool *is_there = memory_new(tree->row_count, sizeof *is_there);
	struct calltree *change = calltree_recount(
		tree, profile_type_of_part(input->profile, tree->query.type, PART_DELTA));
	size_t changed = 0, kept = 0;
	struct function_row *list =
		change ? functions_build(change, input->options->sort, &changed) : NULL;
	for (size_t i = 0; i < changed; i++)
		is_there[list[i].row] = true;
	for (size_t i = 0; i < changed + tree->row_count; i++) {
		const uint32_t row = i < changed ? list[i].row : (uint32_t)(i - changed);
		if (row == 0 || (i >= changed && is_there[row]))
			continue;
		rows[kept] = (struct diff_row){
			.delta = {.row = row}, .base = base[row], .now = now[row]};
		if (i < changed)
			rows[kept].delta = list[i];
		kept += diff_has(input, &rows[kept]);
	}
	free(base);
	free(now);
	free(list);
	free(is_there);
	if (change)
		calltree_free(change);
	*count = kept;
	return rows;
}

static int64_t diff_total(const struct report_input *input, enum value_part part)
{
	const struct profile *profile = input->profile;
	return profile->types[profile_type_of_part(profile, input->tree->query.type, part)].total;
}

static bool diff_make(const struct report_input *input, struct diff *diff, struct vp_error *err)
{
	const long most = input->options->no_trim ? 0 : input->options->node_count;
	if (input->profile->difference == DIFFERENCE_NONE)
		return error_set(err, ERROR_USAGE, -1,
			"there is nothing to compare with: --base=FILE or --diff-base=FILE names it");
	*diff = (struct diff){.base_total = diff_total(input, PART_BASE),
		.new_total = diff_total(input, PART_NEW),
		.delta_total = diff_total(input, PART_DELTA)};
	diff->rows = diff_rows(input, &diff->all);
	diff->count = most > 0 && diff->all > (size_t)most ? (size_t)most : diff->all;
	return true;
}

/* Whatever part was asked for, the change is what is counted. */
static void diff_prepare(const struct profile *profile, struct report_options *options)
{
	options->query.type = profile_type_of_part(profile, options->query.type, PART_DELTA);
}

/* ---- text --------------------------------------------------------------------- */

/* A change has its sign, whichever way it goes. */
static void diff_cell_change(const struct report_input *input, struct table *table, int64_t value)
{
	char text[UNIT_SIZE + 1] = "+";
	parts_value(input, text + (value > 0), value);
	text_puts(&table->pool, input->is_estimate ? "~" : "");
	table_cell(table, text);
}

static void diff_cells_calls(struct table *table, const struct diff_row *row)
{
	const struct function_row *delta = &row->delta;
	calls_cell(table, delta->has_calls, row->base.calls, row->base.primitive);
	calls_cell(table, delta->has_calls, row->now.calls, row->now.primitive);
	calls_cell_change(table, delta->has_calls, delta->calls, delta->primitive);
}

static void diff_text_row(
	const struct report_input *input, struct table *table, const struct diff_row *row)
{
	char share[UNIT_SIZE + 1] = "-";
	units_percent(
		share + (row->delta.flat < 0), (double)row->delta.flat, (double)input->tree->base);
	if (calls_are_known(input))
		diff_cells_calls(table, row);
	parts_cell_value(input, table, row->base.flat);
	parts_cell_value(input, table, row->now.flat);
	diff_cell_change(input, table, row->delta.flat);
	table_cell(table, share);
	parts_cell_value(input, table, row->base.cum);
	parts_cell_value(input, table, row->now.cum);
	diff_cell_change(input, table, row->delta.cum);
	parts_cell_name(input, table, row->delta.row);
	parts_cell_place(input, table, row->delta.row);
}

static void diff_text_totals(
	const struct report_input *input, const struct diff *diff, struct text *out)
{
	char old[UNIT_SIZE], now[UNIT_SIZE], change[UNIT_SIZE], share[UNIT_SIZE];
	struct text line = {0};
	text_printf(&line, "%s before, %s now: %s%s", parts_value(input, old, diff->base_total),
		parts_value(input, now, diff->new_total), diff->delta_total > 0 ? "+" : "",
		parts_value(input, change, diff->delta_total));
	if (diff->base_total != 0)
		text_printf(&line, ", %s%s", diff->delta_total < 0 ? "-" : "+",
			units_percent(share, (double)diff->delta_total, (double)diff->base_total));
	head_fact(input, out, "Totals", line.data);
	text_free(&line);
}

static bool diff_text(const struct report_input *given, struct text *out, struct vp_error *err)
{
	struct diff diff;
	struct report_options own;
	if (!diff_make(given, &diff, err))
		return false;
	struct function_row *changes = memory_new(diff.count, sizeof *changes);
	for (size_t i = 0; i < diff.count; i++)
		changes[i] = diff.rows[i].delta;
	struct report_input input = parts_with_unit(given, changes, diff.count, &own);
	const int skipped = calls_are_known(&input) ? 0 : DIFF_CALLS;
	struct table table;
	table_init(&table, diff_columns + skipped,
		(int)(sizeof diff_columns / sizeof *diff_columns) - skipped);
	for (size_t i = 0; i < diff.count; i++)
		diff_text_row(&input, &table, &diff.rows[i]);
	head_text(&input, out);
	diff_text_totals(&input, &diff, out);
	text_puts(out, "\n");
	table_write(&table, out, own.columns, own.ascii);
	if (diff.count < diff.all)
		parts_more(&input, out, diff.all - diff.count, " rows");
	table_free(&table);
	free(changes);
	free(diff.rows);
	return true;
}

/* ---- JSON ---------------------------------------------------------------------- */

static void diff_set_calls(json_t *object, const struct diff_row *row)
{
	const struct function_row *delta = &row->delta;
	if (!delta->has_calls)
		return;
	json_object_set_new(object, "base_calls", json_integer(row->base.calls));
	json_object_set_new(object, "base_primitive_calls", json_integer(row->base.primitive));
	calls_set(object, true, row->now.calls, row->now.primitive);
	json_object_set_new(object, "delta_calls", json_integer(delta->calls));
	json_object_set_new(object, "delta_primitive_calls", json_integer(delta->primitive));
}

static json_t *diff_json_row(const struct report_input *input, const struct diff_row *row)
{
	json_t *object = json_object();
	parts_set_row(input, object, row->delta.row);
	json_object_set_new(object, "base_flat", parts_json_value(input, row->base.flat));
	json_object_set_new(object, "flat", parts_json_value(input, row->now.flat));
	json_object_set_new(object, "delta_flat", parts_json_value(input, row->delta.flat));
	json_object_set_new(object, "base_cum", parts_json_value(input, row->base.cum));
	json_object_set_new(object, "cum", parts_json_value(input, row->now.cum));
	json_object_set_new(object, "delta_cum", parts_json_value(input, row->delta.cum));
	diff_set_calls(object, row);
	return object;
}

static bool diff_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	struct diff diff;
	if (!diff_make(input, &diff, err))
		return false;
	json_t *rows = json_array();
	for (size_t i = 0; i < diff.count; i++)
		json_array_append_new(rows, diff_json_row(input, &diff.rows[i]));
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "base_total", parts_json_value(input, diff.base_total));
	json_object_set_new(object, "new_total", parts_json_value(input, diff.new_total));
	json_object_set_new(object, "delta_total", parts_json_value(input, diff.delta_total));
	json_object_set_new(object, "rows", rows);
	free(diff.rows);
	return true;
}

const struct report report_diff = {
	.name = "diff",
	.description = "functions by how much they changed, with --base or --diff-base",
	.needs_tree = true,
	.prepare = diff_prepare,
	.text = diff_text,
	.json = diff_json,
};
