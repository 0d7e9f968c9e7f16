/* SPDX-License-Identifier: MIT */
#include "derive/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static void graphs_make_node(struct graphs *graphs, size_t function)
{
	if (function < graphs->node_count)
		return;
	graphs->nodes = array_grow(
		graphs->nodes, &graphs->node_capacity, function + 1, sizeof *graphs->nodes);
	memset(graphs->nodes + graphs->node_count, 0,
		(function + 1 - graphs->node_count) * sizeof *graphs->nodes);
	graphs->node_count = function + 1;
}

void graphs_add(struct graphs *graphs, struct copy *copy)
{
	const struct callgraph *graph = copy->from->callgraph;
	bool overflow = false;
	if (!graph)
		return;
	graphs->count++;
	graphs->is_sampled |= graph->is_sampled;
	for (function_id i = 1; i < graph->node_count; i++) {
		const struct call_node *from = &graph->nodes[i];
		const function_id id = copy_function(copy, i);
		graphs_make_node(graphs, id);
		struct call_node *to = &graphs->nodes[id];
		to->calls = units_add(to->calls, from->calls, &overflow);
		to->primitive = units_add(to->primitive, from->primitive, &overflow);
		to->self_ns = units_add(to->self_ns, from->self_ns, &overflow);
		to->total_ns = units_add(to->total_ns, from->total_ns, &overflow);
		to->has_entry |= from->has_entry;
	}
	graphs->edges = array_grow(graphs->edges, &graphs->edge_capacity,
		graphs->edge_count + graph->edge_count, sizeof *graphs->edges);
	for (size_t i = 0; i < graph->edge_count; i++) {
		struct call_edge edge = graph->edges[i];
		edge.caller = copy_function(copy, edge.caller);
		edge.callee = copy_function(copy, edge.callee);
		graphs->edges[graphs->edge_count++] = edge;
	}
}

void graphs_build(struct graphs *graphs, struct builder *builder, size_t profiles)
{
	if (graphs->count == profiles && profiles > 0) {
		graphs_make_node(graphs, 0);
		builder->profile->callgraph = callgraph_new(graphs->nodes,
			(uint32_t)graphs->node_count, graphs->edges, graphs->edge_count);
		builder->profile->callgraph->is_sampled = graphs->is_sampled;
	} else {
		free(graphs->nodes);
		free(graphs->edges);
	}
	*graphs = (struct graphs){0};
}
