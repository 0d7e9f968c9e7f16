/* SPDX-License-Identifier: MIT */
#include "report/context.h"
#include "report/edges.h"
#include "report/head.h"

/* The call graph as text: each function that matters, between its callers and callees. */

static bool tree_text(const struct report_input *given, struct text *out, struct vp_error *err)
{
	(void)err;
	struct report_options own;
	struct shown shown = parts_shown(given);
	struct report_input with = parts_with_unit(given, shown.rows, shown.count, &own);
	const struct report_input *input = &with;
	struct edges edges = edges_build(input->tree, &shown);
	struct table table;
	context_init(input, &table);
	for (size_t i = 0; i < shown.count; i++) {
		struct neighbours neighbours = edges_of(&edges, shown.rows[i].row);
		context_add(input, &table, &shown.rows[i], &neighbours);
	}
	head_text(input, out);
	head_shown(input, &shown, out);
	text_puts(out, "\n");
	table_write(&table, out, own.columns, own.ascii);
	table_free(&table);
	edges_free(&edges);
	shown_free(&shown);
	return true;
}

static bool tree_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	struct shown shown = parts_shown(input);
	struct edges edges = edges_build(input->tree, &shown);
	json_t *rows = json_array();
	for (size_t i = 0; i < shown.count; i++) {
		struct neighbours neighbours = edges_of(&edges, shown.rows[i].row);
		json_array_append_new(rows, context_json(input, &shown.rows[i], &neighbours));
	}
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "rows", rows);
	edges_free(&edges);
	shown_free(&shown);
	return true;
}

const struct report report_tree = {
	.name = "tree",
	.description = "each function between its callers and callees",
	.needs_tree = true,
	.shows_inlined = true,
	.shows_means = true,
	.text = tree_text,
	.json = tree_json,
};
