/* SPDX-License-Identifier: MIT */
/* Functions, callers and callees of a graph of calls: the file's own figures, not sums over a tree.
 */
#include "query/exact.h"

#include <stdlib.h>

#include "base/units.h"
#include "query/around.h"
#include "query/graph_parts.h"

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

const struct callgraph *exact_graph(const struct calltree *tree)
{
	const struct callgraph *graph = tree->profile->callgraph;
	switch (tree->profile->types[tree->query.type].part) {
	case PART_BASE:
		return graph->base;
	case PART_NEW:
		return graph->now;
	default:
		return graph;
	}
}

int64_t exact_changes(const struct calltree *tree)
{
	const struct callgraph *graph = exact_graph(tree);
	bool overflow = false;
	int64_t sum = 0;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const int64_t ns = graph->nodes[i].self_ns;
		sum = units_add(sum, ns == INT64_MIN ? INT64_MAX : ns < 0 ? -ns : ns, &overflow);
	}
	return sum;
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
	const struct callgraph *graph = exact_graph(tree);
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
		.mean = edge->total_ns,
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
	return &exact_graph(tree)->nodes[function];
}

struct neighbours exact_neighbours(const struct calltree *tree, uint32_t row)
{
	const struct callgraph *graph = exact_graph(tree);
	uint32_t *rows = exact_rows_of_functions(tree);
	const function_id function = row ? exact_function(tree, rows, row) : 0;
	const size_t up = graph->first_caller[function], up_end = graph->first_caller[function + 1];
	const size_t down = graph->first_callee[function],
		     down_end = graph->first_callee[function + 1];
	struct neighbours result = {.flat = graph->nodes[function].self_ns,
		.cum = graph->nodes[function].total_ns,
		.callers = memory_new(up_end - up + 1, sizeof *result.callers),
		.callees = memory_new(down_end - down + 1, sizeof *result.callees)};
	for (size_t i = up; i < up_end; i++) {
		const struct call_edge *edge = &graph->edges[graph->incoming[i]];
		if (!edge->is_absent)
			result.callers[result.caller_count++] =
				exact_neighbour(edge, rows[edge->caller]);
	}
	for (size_t i = down; i < down_end; i++) {
		const struct call_edge *edge = &graph->edges[i];
		if (!edge->is_absent)
			result.callees[result.callee_count++] =
				exact_neighbour(edge, rows[edge->callee]);
	}
	free(rows);
	return result;
}

struct calltree *exact_around(const struct calltree *from, uint32_t row,
	const struct neighbour *list, size_t count, int64_t self)
{
	const uint32_t node_count = (uint32_t)count + AROUND_CENTRE + 1;
	struct calltree *tree = around_tree(from);
	tree->node_count = node_count;
	tree->parent = memory_new(node_count, sizeof *tree->parent);
	tree->end = memory_new(node_count, sizeof *tree->end);
	tree->row = memory_new(node_count, sizeof *tree->row);
	tree->self = memory_new(node_count, sizeof *tree->self);
	tree->total = memory_new(node_count, sizeof *tree->total);
	tree->node_of_stack = memory_new(from->profile->stack_count, sizeof(uint32_t));
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

/* ---- the graph of a picture ---------------------------------------------------------------- */

/* Nodes of the functions that are kept; returns index + 1 by function, 0: it has none. */
static uint32_t *exact_add_nodes(struct graph *graph, const bool *kept)
{
	const struct callgraph *calls = exact_graph(graph->tree);
	uint32_t *rows = exact_rows_of_functions(graph->tree);
	uint32_t *index = memory_new(calls->node_count, sizeof *index);
	bool *is_end = memory_new(calls->node_count, sizeof *is_end);
	for (size_t i = 0; i < calls->edge_count; i++)
		if (!calls->edges[i].is_absent)
			is_end[calls->edges[i].caller] = is_end[calls->edges[i].callee] = true;
	graph->nodes = memory_new(calls->node_count, sizeof *graph->nodes);
	for (uint32_t i = 1; i < calls->node_count; i++) {
		const struct call_node *node = &calls->nodes[i];
		const bool is_there = node->has_entry || is_end[i];
		if (!is_there || rows[i] == 0 || (kept && !kept[rows[i]]))
			continue;
		graph->nodes[graph->node_count++] = (struct graph_node){.row = rows[i],
			.is_exact = true,
			.flat = node->self_ns,
			.cum = node->total_ns};
		index[i] = graph->node_count;
	}
	free(rows);
	free(is_end);
	return index;
}

void graph_fill_exact(struct graph *graph, const bool *kept)
{
	const struct callgraph *calls = exact_graph(graph->tree);
	uint32_t *index = exact_add_nodes(graph, kept);
	graph->edges = memory_new(calls->edge_count + 1, sizeof *graph->edges);
	for (size_t i = 0; i < calls->edge_count; i++) {
		const struct call_edge *edge = &calls->edges[i];
		const uint32_t from = index[edge->caller], to = index[edge->callee];
		if (from != 0 && to != 0 && !edge->is_absent)
			graph->edges[graph->edge_count++] = (struct graph_edge){.from = from - 1,
				.to = to - 1,
				.weight = edge->total_ns,
				.calls = edge->calls};
	}
	free(index);
}
