/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/traces.h"
#include "report/head.h"

/* All different stacks and labels with their values, the heaviest first; the leaf on top. */

static bool traces_make(
	const struct report_input *input, struct traces *traces, struct vp_error *err)
{
	return traces_build(
		traces, input->tree, input->options->tag_show, input->options->tag_hide, err);
}

static size_t traces_most(const struct report_input *input, size_t count)
{
	long most = input->options->node_count;
	return most > 0 && count > (size_t)most ? (size_t)most : count;
}

/* Labels of a trace. */
struct traces_list {
	uint32_t *labels;
	size_t capacity;
};

/* The index behind the labels with the key of labels[first]; is_alike: texts, or numbers, only. */
static uint32_t traces_same(const struct traces *traces, const uint32_t *labels, uint32_t count,
	uint32_t first, bool is_alike)
{
	const struct label *all = traces->keys.profile->labels, *is = &all[labels[first]];
	uint32_t i = first + 1;
	while (i < count && all[labels[i]].key == is->key &&
		(!is_alike || (all[labels[i]].text == 0) == (is->text == 0)))
		i++;
	return i;
}

/* ---- text ------------------------------------------------------------------ */

static const struct table_column traces_columns[] = {
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
	{"STACK, LEAF FIRST", COLUMN_TEXT, 16, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

static const struct table_column traces_label_columns[] = {
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
	{"LABELS, STACK, LEAF FIRST", COLUMN_TEXT, 16, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

/* "key: value value", a line for each key. */
static void traces_text_labels(const struct report_input *input, const struct traces *traces,
	uint32_t set, struct traces_list *list, struct table *table)
{
	const struct profile *profile = input->profile;
	const uint32_t count = traces_labels(traces, set, &list->labels, &list->capacity);
	struct text value = {0};
	for (uint32_t i = 0, end; i < count; i = end) {
		size_t length;
		const char *key =
			profile_string(profile, profile->labels[list->labels[i]].key, &length);
		end = traces_same(traces, list->labels, count, i, true);
		table_cell(table, "");
		table_cell(table, "");
		text_clean(&table->pool, key, length, input->options->ascii);
		text_puts(&table->pool, ":");
		for (uint32_t k = i; k < end; k++) {
			text_clear(&value);
			label_value(&traces->keys, list->labels[k], "auto", &value);
			text_puts(&table->pool, " ");
			text_clean(&table->pool, value.data, value.length, input->options->ascii);
		}
		table_cell(table, "");
		table_cell(table, "");
	}
	text_free(&value);
}

static void traces_text_stack(
	const struct report_input *input, struct table *table, const struct trace *trace)
{
	const struct calltree *tree = input->tree;
	parts_cell_value(input, table, trace->value);
	parts_cell_percent(table, (double)trace->value, (double)tree->base);
	if (trace->node == 0) {
		table_cell(table, "(no stack)");
		table_cell(table, "");
	}
	for (uint32_t node = trace->node; node != 0; node = tree->parent[node]) {
		if (node != trace->node) {
			table_cell(table, "");
			table_cell(table, "");
		}
		parts_cell_name(input, table, tree->row[node]);
		parts_cell_place(input, table, tree->row[node]);
	}
	table_rule(table);
}

static bool traces_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct traces traces;
	struct traces_list list = {0};
	if (!traces_make(input, &traces, err))
		return false;
	size_t most = traces_most(input, traces.count);
	struct table table;
	table_init(&table, traces.sets.count > 1 ? traces_label_columns : traces_columns,
		sizeof traces_columns / sizeof *traces_columns);
	for (size_t i = 0; i < most; i++) {
		traces_text_labels(input, &traces, traces.list[i].set, &list, &table);
		traces_text_stack(input, &table, &traces.list[i]);
	}
	head_text(input, out);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	if (most < traces.count)
		parts_more(input, out, traces.count - most, " stacks");
	table_free(&table);
	traces_free(&traces);
	free(list.labels);
	return true;
}

/* ---- JSON ------------------------------------------------------------------- */

/* Names as JSON; where pprof prints more than the name, all of that. */
static struct quoted traces_quote(const struct report_input *input)
{
	const struct calltree *tree = input->tree;
	if (!input->profile->is_name_function || input->options->query.granularity == BY_FUNCTION)
		return parts_quote_rows(input);
	struct quoted quoted = {{0}, memory_new(tree->row_count, sizeof *quoted.end)};
	struct text label = {0};
	for (uint32_t row = 0; row < tree->row_count; row++) {
		text_clear(&label);
		row_label(tree, row, false, &label);
		parts_write_string(label.data, label.length, &quoted.pool);
		quoted.end[row] = quoted.pool.length;
	}
	text_free(&label);
	return quoted;
}

static void traces_json_value(const struct traces *traces, uint32_t label, struct text *out)
{
	const struct profile *profile = traces->keys.profile;
	const struct label *l = &profile->labels[label];
	if (l->text == 0) {
		text_printf(out, "%" PRId64, l->number);
		return;
	}
	size_t length;
	const char *bytes = profile_string(profile, l->text, &length);
	parts_write_string(bytes, length, out);
}

/* {"key": value}; an array where there are several. */
static void traces_json_labels(
	const struct traces *traces, uint32_t set, struct traces_list *list, struct text *out)
{
	const struct profile *profile = traces->keys.profile;
	const uint32_t count = traces_labels(traces, set, &list->labels, &list->capacity);
	text_puts(out, "{");
	for (uint32_t i = 0, end; i < count; i = end) {
		size_t length;
		const char *key =
			profile_string(profile, profile->labels[list->labels[i]].key, &length);
		end = traces_same(traces, list->labels, count, i, false);
		text_puts(out, i > 0 ? ", " : "");
		parts_write_string(key, length, out);
		text_puts(out, end > i + 1 ? ": [" : ": ");
		for (uint32_t k = i; k < end; k++) {
			text_puts(out, k > i ? ", " : "");
			traces_json_value(traces, list->labels[k], out);
		}
		text_puts(out, end > i + 1 ? "]" : "");
	}
	text_puts(out, "}");
}

static void traces_json_trace(const struct report_input *input, const struct quoted *names,
	const struct traces *traces, const struct trace *trace, struct traces_list *list,
	struct text *out)
{
	const struct calltree *tree = input->tree;
	text_puts(out, "{\"values\": [");
	for (unsigned type = 0; type < input->profile->type_count; type++) {
		text_puts(out, type > 0 ? ", " : "");
		parts_write_value(input, &input->profile->types[type],
			traces->values[trace->values + type], out);
	}
	text_puts(out, "], \"labels\": ");
	traces_json_labels(traces, trace->set, list, out);
	text_puts(out, ", \"stack\": [");
	for (uint32_t node = trace->node; node != 0; node = tree->parent[node]) {
		if (node != trace->node)
			text_puts(out, ", ");
		parts_quoted(names, tree->row[node], out);
	}
	text_puts(out, "]}");
}

static bool traces_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	return true;
}

/* {"key": "unit"} of keys that have numbers. */
static void traces_json_units(const struct traces *traces, struct text *out)
{
	const char *before = "";
	text_puts(out, "\"label_units\": {");
	for (uint32_t i = 0; i < traces->keys.count; i++) {
		const struct label_key *key = &traces->keys.keys[i];
		size_t length;
		const char *name = profile_string(traces->keys.profile, key->key, &length);
		const char *unit = label_unit(&traces->keys, i);
		if (!key->has_numbers)
			continue;
		text_puts(out, before);
		parts_write_string(name, length, out);
		text_puts(out, ": ");
		parts_write_string(unit, strlen(unit), out);
		before = ", ";
	}
	text_puts(out, "}");
}

static bool traces_json_rest(
	const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct traces traces;
	struct traces_list list = {0};
	if (!traces_make(input, &traces, err))
		return false;
	size_t most = traces_most(input, traces.count);
	struct quoted names = traces_quote(input);
	traces_json_units(&traces, out);
	text_puts(out, ",\n \"traces\": [");
	for (size_t i = 0; i < most; i++) {
		text_puts(out, i > 0 ? ",\n  " : "\n  ");
		traces_json_trace(input, &names, &traces, &traces.list[i], &list, out);
	}
	text_puts(out, "]");
	quoted_free(&names);
	traces_free(&traces);
	free(list.labels);
	return true;
}

const struct report report_traces = {
	.name = "traces",
	.description = "all different stacks, the heaviest first",
	.needs_tree = true,
	.shows_stacks = true,
	.shows_means = true,
	.text = traces_text,
	.json = traces_json,
	.json_rest = traces_json_rest,
};
