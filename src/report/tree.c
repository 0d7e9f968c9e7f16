/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "report/context.h"
#include "report/edges.h"
#include "report/head.h"

/* The call graph as text: each function that matters, between its callers and callees. */

/*
 * What pprof shows where rows were cut: edges that skip them. NULL where none were, and for other
 * profiles.
 */
static bool *tree_kept(const struct report_input *input, const struct shown *shown)
{
	if (!input->profile->is_name_function || shown->count == shown->all)
		return NULL;
	bool *kept = memory_new(input->tree->row_count, sizeof *kept);
	for (size_t i = 0; i < shown->count; i++)
		kept[shown->rows[i].row] = true;
	return kept;
}

static bool tree_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	struct shown shown = parts_shown(input);
	bool *kept = tree_kept(input, &shown);
	struct edges edges = edges_build(input->tree, kept);
	struct table table;
	context_init(&table);
	for (size_t i = 0; i < shown.count; i++) {
		struct neighbours neighbours = edges_of(&edges, shown.rows[i].row);
		context_add(input, &table, &shown.rows[i], &neighbours, shown.edge_cut);
	}
	head_text(input, out);
	head_shown(input, &shown, out);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
	edges_free(&edges);
	free(kept);
	free(shown.rows);
	return true;
}

static bool tree_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	struct shown shown = parts_shown(input);
	bool *kept = tree_kept(input, &shown);
	struct edges edges = edges_build(input->tree, kept);
	json_t *rows = json_array();
	for (size_t i = 0; i < shown.count; i++) {
		struct neighbours neighbours = edges_of(&edges, shown.rows[i].row);
		json_array_append_new(
			rows, context_json(input, &shown.rows[i], &neighbours, shown.edge_cut));
	}
	json_object_set_new(object, "total", json_integer(input->tree->base));
	json_object_set_new(object, "rows", rows);
	edges_free(&edges);
	free(kept);
	free(shown.rows);
	return true;
}

const struct report report_tree = {
	.name = "tree",
	.description = "each function between its callers and callees",
	.needs_tree = true,
	.text = tree_text,
	.json = tree_json,
};
