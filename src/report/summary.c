/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "report/bins.h"
#include "report/head.h"

/* The answer at one glance: facts, memory with its peak, where the time went. */

enum {
	SUMMARY_SIDE_BY_SIDE = 70, /* columns from which two lists stand beside each other */
	SUMMARY_CHART = 6,         /* rows */
	SUMMARY_HOTTEST = 6,       /* rows of a list in text */
	SUMMARY_JSON = 10,         /* and in JSON (cli.md) */
	SUMMARY_STACK = 10,        /* frames of the peak's stack that are named */
	SUMMARY_ROOT = 2           /* of them: at its root */
};

/* The node of the stack at the peak; false where there is no memory or a filter drops the stack. */
static bool summary_peak(const struct report_input *input, struct bin *whole, uint32_t *node)
{
	const struct calltree *tree = input->tree;
	if (!profile_has_memory(input->profile))
		return false;
	*whole = bins_whole(input);
	if (whole->count == 0)
		return false;
	*node = calltree_node_of_sample(tree, whole->max_sample);
	if (*node == NODE_DROPPED)
		*node = 0;
	return true;
}

/* ---- text ---------------------------------------------------------------------- */

static const struct table_column summary_self[] = {
	{"SELF%", COLUMN_NUMBER, 0, 0},
	{"HOTTEST BY ITSELF", COLUMN_TEXT, 12, 0},
	{"", COLUMN_PLACE, 10, 1},
};

static const struct table_column summary_total[] = {
	{"TOTAL%", COLUMN_NUMBER, 0, 0},
	{"WITH ALL IT CALLS", COLUMN_TEXT, 12, 0},
	{"", COLUMN_PLACE, 10, 1},
};

static void summary_list(
	const struct report_input *input, enum function_sort sort, int width, struct text *out)
{
	const struct table_column *columns = sort == SORT_FLAT ? summary_self : summary_total;
	size_t count;
	struct function_row *rows = parts_functions(input, sort, &count);
	struct table table;
	table_init(&table, columns, 3);
	for (size_t i = 0; i < count && i < SUMMARY_HOTTEST; i++) {
		int64_t value = sort == SORT_FLAT ? rows[i].flat : rows[i].cum;
		if (value == 0)
			break;
		parts_cell_percent(&table, (double)value, (double)input->tree->base);
		parts_cell_name(input, &table, rows[i].row);
		parts_cell_place(input, &table, rows[i].row);
	}
	table_write(&table, out, width, input->options->ascii);
	table_free(&table);
	free(rows);
}

/* The next line of *s, and steps over it; the length of the line. */
static size_t summary_line(const char **s, const char **line)
{
	*line = *s;
	size_t length = strcspn(*s, "\n");
	*s += length + ((*s)[length] == '\n');
	return length;
}

static int summary_widest(const char *s)
{
	int widest = 0;
	while (*s) {
		const char *line;
		size_t length = summary_line(&s, &line);
		int width = text_width(line, length);
		if (width > widest)
			widest = width;
	}
	return widest;
}

static void summary_beside(
	const char *left, const char *right, int left_width, bool ascii, struct text *out)
{
	while (*left || *right) {
		const char *a, *b;
		size_t a_length = summary_line(&left, &a), b_length = summary_line(&right, &b);
		if (b_length > 0) {
			text_field(out, a, a_length, left_width, false, ascii);
			text_puts(out, "    ");
			text_add(out, b, b_length);
		} else {
			text_add(out, a, a_length);
		}
		text_puts(out, "\n");
	}
}

static void summary_hottest(const struct report_input *input, struct text *out)
{
	int columns = input->options->columns;
	struct text self = {0}, total = {0};
	bool is_beside = columns >= SUMMARY_SIDE_BY_SIDE;
	int width = is_beside ? (columns - 4) / 2 : columns;
	text_puts(&self, "");
	text_puts(&total, "");
	summary_list(input, SORT_FLAT, width, &self);
	summary_list(input, SORT_CUM, width, &total);
	text_puts(out, "\n");
	if (is_beside) {
		summary_beside(self.data, total.data, summary_widest(self.data),
			input->options->ascii, out);
	} else {
		text_add(out, self.data, self.length);
		text_puts(out, "\n");
		text_add(out, total.data, total.length);
	}
	text_free(&self);
	text_free(&total);
}

/* A long stack by its two ends: what the program was at, and what it was doing there. */
static void summary_stack(const struct report_input *input, uint32_t node, struct text *out)
{
	size_t count;
	uint32_t *path = parts_path(input->tree, node, &count);
	if (count == 0)
		text_puts(out, "no stack");
	if (count <= SUMMARY_STACK + 2) { /* no mark that takes as much room as what it hides */
		parts_join(input, path, count, out);
	} else {
		size_t leaf = SUMMARY_STACK - SUMMARY_ROOT;
		parts_join(input, path, SUMMARY_ROOT, out);
		text_printf(out, " > (%zu more) > ", count - SUMMARY_STACK);
		parts_join(input, path + count - leaf, leaf, out);
	}
	free(path);
}

static void summary_memory(const struct report_input *input, struct text *out)
{
	struct bin whole;
	uint32_t node;
	if (!input->profile->is_timed || !summary_peak(input, &whole, &node))
		return;
	char size[UNIT_SIZE], moment[UNIT_SIZE], mean[UNIT_SIZE];
	struct text value = {0};
	text_puts(out, "\n");
	bins_chart(input, SUMMARY_CHART, SERIES_BOTH, out);
	text_printf(&value, "%s at %s (mean %s) in ", units_value(size, whole.max, "bytes"),
		parts_moment(
			input, moment, whole.max_sample, bins_step_ns(input, (size_t)whole.count)),
		units_value(mean, (int64_t)(whole.mean + 0.5), "bytes"));
	summary_stack(input, node, &value);
	head_fact(input, out, "Peak", value.data);
	text_free(&value);
}

static bool summary_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	head_text(input, out);
	head_warnings(input, out, 3);
	summary_memory(input, out);
	summary_hottest(input, out);
	return true;
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *summary_json_hottest(const struct report_input *input, enum function_sort sort)
{
	size_t count;
	struct function_row *rows = parts_functions(input, sort, &count);
	json_t *array = json_array();
	for (size_t i = 0; i < count && i < SUMMARY_JSON; i++) {
		json_t *row = json_object();
		parts_set_row(input, row, rows[i].row);
		json_object_set_new(row, "flat", parts_json_value(input, rows[i].flat));
		json_object_set_new(row, "cum", parts_json_value(input, rows[i].cum));
		json_array_append_new(array, row);
	}
	free(rows);
	return array;
}

static json_t *summary_json_peak(const struct report_input *input)
{
	struct bin whole;
	uint32_t node;
	if (!summary_peak(input, &whole, &node))
		return json_null();
	json_t *peak = json_object();
	size_t count;
	uint32_t *path = parts_path(input->tree, node, &count);
	int64_t ns = clock_time(&input->clock, whole.max_sample);
	json_object_set_new(peak, "value", json_integer(whole.max));
	json_object_set_new(peak, "unit", json_string("bytes"));
	json_object_set_new(peak, "sample", json_integer((json_int_t)whole.max_sample));
	json_object_set_new(peak, "time", parts_json_moment(input, whole.max_sample));
	json_object_set_new(
		peak, "time_ns", parts_integer_or_null(ns, input->clock.kind != TIME_NONE));
	json_object_set_new(peak, "is_estimate", json_boolean(input->clock.is_estimate));
	json_object_set_new(peak, "stack", parts_names(input, path, count));
	free(path);
	return peak;
}

static bool summary_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_t *types = json_object_get(json_object_get(object, "profile"), "types");
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "hottest", summary_json_hottest(input, SORT_FLAT));
	json_object_set_new(object, "hottest_total", summary_json_hottest(input, SORT_CUM));
	json_object_set_new(object, "peak", summary_json_peak(input));
	json_object_set(object, "types", types);
	return true;
}

const struct report report_summary = {
	.name = "summary",
	.description = "the answer at one glance: facts, memory, the hottest functions",
	.needs_tree = true,
	.needs_timeline = true,
	.text = summary_text,
	.json = summary_json,
};
