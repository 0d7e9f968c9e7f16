/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "query/pattern.h"
#include "report/context.h"
#include "report/edges.h"
#include "report/head.h"

/* The functions that -F names, with all their callers and callees: nothing is cut. */

/*
 * As parts_matching; in pprof's profiles the pattern is one of what pprof prints, not of files and
 * modules that it does not.
 */
static struct function_row *peek_rows(
	const struct report_input *input, size_t *count, struct vp_error *err)
{
	struct function_row *rows = parts_matching(input, count, err);
	if (!rows || !input->profile->is_name_function)
		return rows;
	struct pattern *pattern = pattern_compile(input->options->function, err);
	struct text label = {0};
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++) {
		text_clear(&label);
		row_label(input->tree, rows[i].row, false, &label);
		if (pattern_matches(pattern, label.data, label.length, NULL) == 1)
			rows[kept++] = rows[i];
	}
	text_free(&label);
	pattern_free(pattern);
	*count = kept;
	if (kept > 0)
		return rows;
	free(rows);
	error_set(err, ERROR_USAGE, -1, "no function that was sampled matches %.200s",
		input->options->function);
	return NULL;
}

/* The unit "minimum" is of all rows, not of these alone, as in pprof. */
static struct report_input peek_with_unit(
	const struct report_input *given, struct report_options *own)
{
	size_t count;
	struct function_row *rows = parts_functions(given, SORT_NAME, &count);
	struct report_input with = parts_with_unit(given, rows, count, own);
	free(rows);
	return with;
}

/*
 * The neighbours of rows: in pprof's profiles as the report tree has them, with what cancels; in
 * others looked for when they are asked for.
 */
struct peek {
	const struct report_input *input;
	struct edges edges;
	struct neighbours last;
};

static struct peek peek_open(const struct report_input *input)
{
	struct peek peek = {.input = input};
	if (!input->profile->is_name_function)
		return peek;
	struct shown all = {0};
	all.rows = parts_functions(input, SORT_NAME, &all.count);
	peek.edges = edges_build(input->tree, &all);
	shown_free(&all);
	return peek;
}

/* Until the next call. */
static const struct neighbours *peek_at(struct peek *peek, uint32_t row)
{
	if (peek->edges.callers) {
		peek->last = edges_of(&peek->edges, row);
	} else {
		neighbours_free(&peek->last);
		peek->last = neighbours_build(peek->input->tree, row);
	}
	return &peek->last;
}

static void peek_close(struct peek *peek)
{
	if (!peek->edges.callers)
		neighbours_free(&peek->last);
	edges_free(&peek->edges);
}

static bool peek_text(const struct report_input *given, struct text *out, struct vp_error *err)
{
	size_t count;
	struct report_options own;
	struct report_input with = peek_with_unit(given, &own), *input = &with;
	struct function_row *functions = peek_rows(input, &count, err);
	if (!functions)
		return false;
	struct peek peek = peek_open(input);
	struct table table;
	context_init(input, &table);
	for (size_t i = 0; i < count; i++)
		context_add(input, &table, &functions[i], peek_at(&peek, functions[i].row));
	peek_close(&peek);
	head_text(input, out);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
	free(functions);
	return true;
}

static bool peek_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	size_t count;
	struct function_row *functions = peek_rows(input, &count, err);
	if (!functions)
		return false;
	struct peek peek = peek_open(input);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(
			rows, context_json(input, &functions[i], peek_at(&peek, functions[i].row)));
	peek_close(&peek);
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "rows", rows);
	free(functions);
	return true;
}

const struct report report_peek = {
	.name = "peek",
	.description = "callers and callees of the functions that -F names",
	.needs_tree = true,
	.shows_inlined = true,
	.shows_means = true,
	.text = peek_text,
	.json = peek_json,
};
