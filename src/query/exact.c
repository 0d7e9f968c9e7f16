/* SPDX-License-Identifier: MIT */
/* Functions, callers and callees of a graph of calls: the file's own figures, not sums over a tree.
 */
#include "query/exact.h"

#include <stdlib.h>

#include "query/around.h"

static bool exact_is_all(const struct calltree *tree)
{
	const struct query *query = &tree->query;
	for (int filter = 0; filter < FILTER_COUNT; filter++)
		if (query->filters[filter])
			return false;
	return query->first == 0 && query->last >= tree->profile->sample_count &&
	       query->thread < 0 && query->granularity != BY_FILE && !query->mean &&
	       !query->reference_tree;
}

/* A tree made from another one, of callers or of leaves, is about stacks. */
bool calltree_is_exact(const struct calltree *tree)
{
	return tree->profile->callgraph && tree->row_of_frame && exact_is_all(tree);
}

bool calltree_is_estimate(const struct calltree *tree)
{
	return tree->profile->has_estimated_stacks;
}

uint32_t *exact_rows_of_functions(const struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	const uint32_t count = profile->callgraph->node_count;
	uint32_t *row = memory_new((size_t)count + 1, sizeof *row);
	for (frame_id i = 1; i < profile->frame_count; i++)
		if (profile->frames[i].function < count)
			row[profile->frames[i].function] = tree->row_of_frame[i];
	return row;
}

void exact_add_up(const struct calltree *tree, struct function_row *rows)
{
	const struct callgraph *graph = tree->profile->callgraph;
	uint32_t *row = exact_rows_of_functions(tree);
	for (uint32_t i = 0; i < tree->row_count; i++)
		rows[i].row = i;
	for (uint32_t i = 1; i < graph->node_count; i++) {
		const struct call_node *node = &graph->nodes[i];
		if (row[i] != 0)
			rows[row[i]] = (struct function_row){.row = row[i],
				.flat = node->self_ns,
				.cum = node->total_ns,
				.calls = node->calls,
				.primitive = node->primitive,
				.has_calls = node->has_entry};
	}
	free(row);
}

struct neighbour exact_neighbour(const struct call_edge *edge, uint32_t row)
{
	return (struct neighbour){.row = row,
		.value = edge->total_ns,
		.sum = edge->total_ns,
		.calls = edge->calls,
		.primitive = edge->primitive,
		.has_calls = true,
		.is_estimate = edge->is_estimate};
}

static function_id exact_function(
	const struct calltree *tree, const uint32_t *row_of_function, uint32_t row)
{
	for (function_id i = 1; i < tree->profile->callgraph->node_count; i++)
		if (row_of_function[i] == row)
			return i;
	return 0;
}

const struct call_node *exact_node(const struct calltree *tree, uint32_t row)
{
	uint32_t *rows = exact_rows_of_functions(tree);
	const function_id function = row ? exact_function(tree, rows, row) : 0;
	free(rows);
	return &tree->profile->callgraph->nodes[function];
}

struct neighbours exact_neighbours(const struct calltree *tree, uint32_t row)
{
	const struct callgraph *graph = tree->profile->callgraph;
	uint32_t *rows = exact_rows_of_functions(tree);
	const function_id function = row ? exact_function(tree, rows, row) : 0;
	const size_t up = graph->first_caller[function], down = graph->first_callee[function];
	struct neighbours result = {.flat = graph->nodes[function].self_ns,
		.cum = graph->nodes[function].total_ns,
		.caller_count = graph->first_caller[function + 1] - up,
		.callee_count = graph->first_callee[function + 1] - down};
	result.callers = memory_new(result.caller_count + 1, sizeof *result.callers);
	result.callees = memory_new(result.callee_count + 1, sizeof *result.callees);
	for (size_t i = 0; i < result.caller_count; i++) {
		const struct call_edge *edge = &graph->edges[graph->incoming[up + i]];
		result.callers[i] = exact_neighbour(edge, rows[edge->caller]);
	}
	for (size_t i = 0; i < result.callee_count; i++) {
		const struct call_edge *edge = &graph->edges[down + i];
		result.callees[i] = exact_neighbour(edge, rows[edge->callee]);
	}
	free(rows);
	return result;
}

struct calltree *exact_around(const struct calltree *from, uint32_t row,
	const struct neighbour *list, size_t count, int64_t self)
{
	const uint32_t node_count = (uint32_t)count + AROUND_CENTRE + 1;
	struct calltree *tree = memory_new(1, sizeof *tree);
	*tree = (struct calltree){.profile = from->profile,
		.query = from->query,
		.rows = from->rows,
		.row_count = from->row_count,
		.all = from->all,
		.base = from->base,
		.samples = from->samples,
		.node_count = node_count,
		.parent = memory_new(node_count, sizeof *tree->parent),
		.end = memory_new(node_count, sizeof *tree->end),
		.row = memory_new(node_count, sizeof *tree->row),
		.self = memory_new(node_count, sizeof *tree->self),
		.total = memory_new(node_count, sizeof *tree->total),
		.node_of_stack = memory_new(from->profile->stack_count, sizeof(uint32_t)),
		.is_counted = true,
		.owns_links = true,
		.borrows_rows = true};
	for (uint32_t i = 0; i < from->profile->stack_count; i++)
		tree->node_of_stack[i] = NODE_DROPPED;
	tree->end[0] = tree->end[AROUND_CENTRE] = node_count;
	tree->row[AROUND_CENTRE] = row;
	tree->self[AROUND_CENTRE] = self;
	tree->total[0] = tree->total[AROUND_CENTRE] = exact_node(from, row)->total_ns;
	for (uint32_t node = AROUND_CENTRE + 1; node < node_count; node++) {
		const struct neighbour *neighbour = &list[node - AROUND_CENTRE - 1];
		tree->parent[node] = AROUND_CENTRE;
		tree->end[node] = node + 1;
		tree->row[node] = neighbour->row;
		tree->self[node] = tree->total[node] = neighbour->value;
	}
	return tree;
}
