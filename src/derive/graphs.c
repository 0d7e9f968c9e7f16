/* SPDX-License-Identifier: MIT */
#include "derive/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "derive/sums.h"

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

static int64_t graphs_part(int64_t value, struct graphs_share share)
{
	if (share.sign == 0)
		return 0;
	value = sums_scaled(value, share.scale);
	return share.sign > 0 ? value : value == INT64_MIN ? INT64_MAX : -value;
}

static void graphs_add_node(struct graphs *graphs, struct call_node *to,
	const struct call_node *from, struct graphs_share share)
{
	const struct graphs_share calls = {share.sign, 1};
	bool *overflow = &graphs->overflow;
	to->calls = units_add(to->calls, graphs_part(from->calls, calls), overflow);
	to->primitive = units_add(to->primitive, graphs_part(from->primitive, calls), overflow);
	to->self_ns = units_add(to->self_ns, graphs_part(from->self_ns, share), overflow);
	to->total_ns = units_add(to->total_ns, graphs_part(from->total_ns, share), overflow);
	to->has_entry |= from->has_entry && share.sign != 0;
}

static struct call_edge graphs_edge(
	struct copy *copy, const struct call_edge *from, struct graphs_share share)
{
	const struct graphs_share calls = {share.sign, 1};
	return (struct call_edge){.caller = copy_function(copy, from->caller),
		.callee = copy_function(copy, from->callee),
		.calls = graphs_part(from->calls, calls),
		.primitive = graphs_part(from->primitive, calls),
		.self_ns = graphs_part(from->self_ns, share),
		.total_ns = graphs_part(from->total_ns, share),
		.is_estimate = from->is_estimate && share.sign != 0,
		.is_absent = share.sign == 0};
}

void graphs_add(struct graphs *graphs, struct copy *copy, struct graphs_share share)
{
	const struct callgraph *graph = copy->from->callgraph;
	if (!graph)
		return;
	graphs->count++;
	graphs->is_sampled |= graph->is_sampled;
	for (function_id i = 1; i < graph->node_count; i++) {
		const function_id id = copy_function(copy, i);
		graphs_make_node(graphs, id);
		graphs_add_node(graphs, &graphs->nodes[id], &graph->nodes[i], share);
	}
	graphs->edges = array_grow(graphs->edges, &graphs->edge_capacity,
		graphs->edge_count + graph->edge_count, sizeof *graphs->edges);
	for (size_t i = 0; i < graph->edge_count; i++)
		graphs->edges[graphs->edge_count++] = graphs_edge(copy, &graph->edges[i], share);
}

/* NULL where not all of the profiles had one. Empties `graphs`. */
static struct callgraph *graphs_take(
	struct graphs *graphs, struct builder *builder, size_t profiles)
{
	struct callgraph *graph = NULL;
	if (graphs->count == profiles && profiles > 0) {
		graphs_make_node(graphs, 0);
		graph = callgraph_new(graphs->nodes, (uint32_t)graphs->node_count, graphs->edges,
			graphs->edge_count);
		graph->is_sampled = graphs->is_sampled;
		graph->overflow |= graphs->overflow;
		if (graph->overflow)
			builder_warn(builder, "overflow",
				"calls or times were added past 64 bits: they stay at the largest number there is");
	} else {
		free(graphs->nodes);
		free(graphs->edges);
	}
	*graphs = (struct graphs){0};
	return graph;
}

/* Where all times are 0: functions and calls are there to be seen. */
static void graphs_keep_sample(struct builder *builder)
{
	static const int64_t zeros[MAX_VALUE_TYPES];
	if (builder->profile->sample_count == 0 && builder->profile->function_count > 1)
		builder_values(builder, 0, zeros);
}

void graphs_build(struct graphs *graphs, struct builder *builder, size_t profiles)
{
	struct callgraph *graph = graphs_take(graphs, builder, profiles);
	if (graph) {
		callgraph_estimate(graph);
		graphs_keep_sample(builder);
	}
	builder->profile->callgraph = graph;
}

void graphs_build_difference(
	struct graphs parts[PART_COUNT], struct builder *builder, size_t profiles)
{
	struct callgraph *change = graphs_take(&parts[PART_DELTA], builder, profiles);
	struct callgraph *base = graphs_take(&parts[PART_BASE], builder, profiles);
	struct callgraph *now = graphs_take(&parts[PART_NEW], builder, profiles);
	if (change) {
		change->base = base;
		change->now = now;
		graphs_keep_sample(builder);
	}
	builder->profile->callgraph = change;
}
