/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/head.h"

/* All different stacks with their values, the heaviest first; the leaf on top. */

static size_t traces_most(const struct report_input *input, size_t count)
{
	long most = input->options->node_count;
	return most > 0 && count > (size_t)most ? (size_t)most : count;
}

/* ---- text ------------------------------------------------------------------ */

static const struct table_column traces_columns[] = {
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
	{"STACK, LEAF FIRST", COLUMN_TEXT, 16, 0},
	{"LOCATION", COLUMN_PLACE, 12, 1},
};

static void traces_text_stack(const struct report_input *input, struct table *table, uint32_t leaf)
{
	const struct calltree *tree = input->tree;
	uint32_t node = leaf;
	parts_cell_value(input, table, tree->self[leaf]);
	parts_cell_percent(table, (double)tree->self[leaf], (double)tree->base);
	if (leaf == 0) {
		table_cell(table, "(no stack)");
		table_cell(table, "");
	}
	for (; node != 0; node = tree->parent[node]) {
		if (node != leaf) {
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
	(void)err;
	size_t count;
	uint32_t *nodes = heaviest_stacks(input->tree, &count);
	size_t most = traces_most(input, count);
	struct table table;
	table_init(&table, traces_columns, sizeof traces_columns / sizeof *traces_columns);
	for (size_t i = 0; i < most; i++)
		traces_text_stack(input, &table, nodes[i]);
	head_text(input, out);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	if (most < count)
		parts_more(input, out, count - most, " stacks");
	table_free(&table);
	free(nodes);
	return true;
}

/* ---- JSON ------------------------------------------------------------------- */

/* A GAUGE adds up to nothing: the largest value that was seen with the stack stands for it. */
static int64_t traces_join(enum value_kind kind, int64_t old, int64_t value)
{
	bool overflow = false;
	if (kind == VALUE_GAUGE)
		return value > old ? value : old;
	return units_add(old, value, &overflow);
}

/* Values of each type by node: [type * node_count + node]. free() it. */
static int64_t *traces_values(const struct report_input *input)
{
	const struct profile *profile = input->profile;
	const struct calltree *tree = input->tree;
	const struct query *query = &input->options->query;
	int64_t *values =
		memory_new((size_t)profile->type_count * tree->node_count, sizeof *values);
	for (size_t i = (size_t)query->first; i < query->last && i < profile->sample_count; i++) {
		uint32_t node = calltree_node_of_sample(tree, i);
		uint32_t thread = profile->sample_thread ? profile->sample_thread[i] : 0;
		if (node == NODE_DROPPED ||
			(query->thread >= 0 && thread != (uint32_t)query->thread))
			continue;
		for (unsigned type = 0; type < profile->type_count; type++) {
			int64_t *sum = &values[(size_t)type * tree->node_count + node];
			*sum = traces_join(
				profile->types[type].kind, *sum, profile_value(profile, type, i));
		}
	}
	return values;
}

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
		json_t *string = parts_string(label.data, label.length);
		char *json = json_dumps(string, JSON_ENCODE_ANY);
		text_puts(&quoted.pool, json ? json : "\"\"");
		quoted.end[row] = quoted.pool.length;
		free(json);
		json_decref(string);
	}
	text_free(&label);
	return quoted;
}

static void traces_json_stack(const struct report_input *input, const struct quoted *names,
	const int64_t *values, uint32_t leaf, struct text *out)
{
	const struct calltree *tree = input->tree;
	text_puts(out, "{\"values\": [");
	for (unsigned type = 0; type < input->profile->type_count; type++)
		text_printf(out, "%s%" PRId64, type > 0 ? ", " : "",
			values[(size_t)type * tree->node_count + leaf]);
	text_puts(out, "], \"labels\": {}, \"stack\": [");
	for (uint32_t node = leaf; node != 0; node = tree->parent[node]) {
		if (node != leaf)
			text_puts(out, ", ");
		parts_quoted(names, tree->row[node], out);
	}
	text_puts(out, "]}");
}

static bool traces_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_object_set_new(object, "total", json_integer(input->tree->base));
	return true;
}

static bool traces_json_rest(
	const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	size_t count;
	uint32_t *nodes = heaviest_stacks(input->tree, &count);
	size_t most = traces_most(input, count);
	int64_t *values = traces_values(input);
	struct quoted names = traces_quote(input);
	text_puts(out, "\"traces\": [");
	for (size_t i = 0; i < most; i++) {
		text_puts(out, i > 0 ? ",\n  " : "\n  ");
		traces_json_stack(input, &names, values, nodes[i], out);
	}
	text_puts(out, "]");
	quoted_free(&names);
	free(values);
	free(nodes);
	return true;
}

const struct report report_traces = {
	.name = "traces",
	.description = "all different stacks, the heaviest first",
	.needs_tree = true,
	.text = traces_text,
	.json = traces_json,
	.json_rest = traces_json_rest,
};
