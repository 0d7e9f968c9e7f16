/* SPDX-License-Identifier: MIT */
#include "profile/callgraph.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"

static int callgraph_compare(const void *a, const void *b)
{
	const struct call_edge *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void callgraph_add_edge(
	struct callgraph *graph, struct call_edge *to, const struct call_edge *from)
{
	to->calls = units_add(to->calls, from->calls, &graph->overflow);
	to->primitive = units_add(to->primitive, from->primitive, &graph->overflow);
	to->self_ns = units_add(to->self_ns, from->self_ns, &graph->overflow);
	to->total_ns = units_add(to->total_ns, from->total_ns, &graph->overflow);
	to->is_estimate |= from->is_estimate;
	to->is_absent &= from->is_absent;
}

static void callgraph_sort(struct callgraph *graph)
{
	size_t kept = 0;
	if (graph->edge_count > 0)
		qsort(graph->edges, graph->edge_count, sizeof *graph->edges, callgraph_compare);
	for (size_t i = 0; i < graph->edge_count; i++) {
		if (kept > 0 && callgraph_compare(&graph->edges[kept - 1], &graph->edges[i]) == 0)
			callgraph_add_edge(graph, &graph->edges[kept - 1], &graph->edges[i]);
		else
			graph->edges[kept++] = graph->edges[i];
	}
	graph->edge_count = kept;
}

/* first[i + 1] counts of each id become where its group begins. */
static void callgraph_add_up(size_t *first, uint32_t node_count)
{
	for (uint32_t i = 0; i < node_count; i++)
		first[i + 1] += first[i];
}

static void callgraph_index(struct callgraph *graph)
{
	graph->first_callee =
		memory_new((size_t)graph->node_count + 1, sizeof *graph->first_callee);
	graph->first_caller =
		memory_new((size_t)graph->node_count + 1, sizeof *graph->first_caller);
	graph->incoming = memory_new(graph->edge_count + 1, sizeof *graph->incoming);
	for (size_t i = 0; i < graph->edge_count; i++) {
		graph->first_callee[graph->edges[i].caller + 1]++;
		graph->first_caller[graph->edges[i].callee + 1]++;
	}
	callgraph_add_up(graph->first_callee, graph->node_count);
	callgraph_add_up(graph->first_caller, graph->node_count);
	size_t *next = memory_new((size_t)graph->node_count + 1, sizeof *next);
	for (size_t i = 0; i < graph->edge_count; i++) {
		const uint32_t callee = graph->edges[i].callee;
		graph->incoming[graph->first_caller[callee] + next[callee]++] = (uint32_t)i;
	}
	free(next);
}

/* A part of a time; not more than all of it. */
static int64_t callgraph_share(int64_t ns, int64_t calls, int64_t all)
{
	return calls >= all ? ns : (int64_t)((double)ns * ((double)calls / (double)all));
}

void callgraph_estimate(struct callgraph *graph)
{
	for (size_t i = 0; i < graph->edge_count; i++) {
		struct call_edge *edge = &graph->edges[i];
		const struct call_node *callee = &graph->nodes[edge->callee];
		if (!edge->is_estimate)
			continue;
		edge->primitive = edge->calls;
		edge->self_ns = callgraph_share(callee->self_ns, edge->calls, callee->calls);
		edge->total_ns = callgraph_share(callee->total_ns, edge->calls, callee->calls);
	}
}

struct callgraph *callgraph_new(
	struct call_node *nodes, uint32_t node_count, struct call_edge *edges, size_t edge_count)
{
	struct callgraph *graph = memory_new(1, sizeof *graph);
	graph->nodes = nodes;
	graph->node_count = node_count;
	graph->edges = edges;
	graph->edge_count = edge_count;
	callgraph_sort(graph);
	callgraph_index(graph);
	graph->has_edge_times = true;
	for (size_t i = 0; i < graph->edge_count; i++)
		graph->has_edge_times &= !graph->edges[i].is_estimate;
	for (uint32_t i = 0; i < node_count; i++) {
		graph->total_ns = units_add(graph->total_ns, nodes[i].self_ns, &graph->overflow);
		graph->calls = units_add(graph->calls, nodes[i].calls, &graph->overflow);
		graph->primitive =
			units_add(graph->primitive, nodes[i].primitive, &graph->overflow);
	}
	return graph;
}

void callgraph_free(struct callgraph *graph)
{
	if (!graph)
		return;
	callgraph_free(graph->base);
	callgraph_free(graph->now);
	free(graph->nodes);
	free(graph->edges);
	free(graph->incoming);
	free(graph->first_callee);
	free(graph->first_caller);
	free(graph);
}

/* ---- cycles: Tarjan's algorithm with a stack of its own ---------------------------------- */

struct callgraph_walk {
	const struct callgraph *graph;
	uint32_t *component; /* UINT32_MAX: not yet known */
	uint32_t *index;     /* order of visits, from 1 */
	uint32_t *low;       /* least index on the stack that is within reach */
	uint32_t *open;      /* visited, component not known */
	uint32_t open_count;
	struct callgraph_step {
		uint32_t node;
		size_t edge; /* the next one to follow */
	} * path;
	uint32_t depth, visited, count;
};

static void callgraph_enter(struct callgraph_walk *walk, uint32_t node)
{
	walk->index[node] = walk->low[node] = ++walk->visited;
	walk->open[walk->open_count++] = node;
	walk->path[walk->depth++] = (struct callgraph_step){node, walk->graph->first_callee[node]};
}

static void callgraph_leave(struct callgraph_walk *walk)
{
	const uint32_t node = walk->path[--walk->depth].node;
	if (walk->depth > 0) {
		const uint32_t caller = walk->path[walk->depth - 1].node;
		if (walk->low[node] < walk->low[caller])
			walk->low[caller] = walk->low[node];
	}
	if (walk->low[node] != walk->index[node])
		return;
	uint32_t member;
	do {
		member = walk->open[--walk->open_count];
		walk->component[member] = walk->count;
	} while (member != node);
	walk->count++;
}

static void callgraph_follow(struct callgraph_walk *walk)
{
	struct callgraph_step *step = &walk->path[walk->depth - 1];
	if (step->edge == walk->graph->first_callee[step->node + 1]) {
		callgraph_leave(walk);
		return;
	}
	const uint32_t node = step->node, callee = walk->graph->edges[step->edge++].callee;
	if (walk->index[callee] == 0)
		callgraph_enter(walk, callee);
	else if (walk->component[callee] == UINT32_MAX && walk->index[callee] < walk->low[node])
		walk->low[node] = walk->index[callee];
}

uint32_t callgraph_components(const struct callgraph *graph, uint32_t *component)
{
	const uint32_t count = graph->node_count;
	struct callgraph_walk walk = {.graph = graph,
		.component = component,
		.index = memory_new(count, sizeof *walk.index),
		.low = memory_new(count, sizeof *walk.low),
		.open = memory_new(count, sizeof *walk.open),
		.path = memory_new(count, sizeof *walk.path)};
	for (uint32_t i = 0; i < count; i++)
		component[i] = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (walk.index[i] == 0)
			callgraph_enter(&walk, i);
		while (walk.depth > 0)
			callgraph_follow(&walk);
	}
	free(walk.index);
	free(walk.low);
	free(walk.open);
	free(walk.path);
	return walk.count;
}
