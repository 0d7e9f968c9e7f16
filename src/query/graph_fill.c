/* SPDX-License-Identifier: MIT */
/* Nodes and edges of a graph of calls, from the call tree. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/units.h"
#include "query/graph_parts.h"

/* ---- which places any sample came through ---------------------------------------------------- */

bool *graph_seen(const struct calltree *tree)
{
	bool *seen = memory_new(tree->node_count, sizeof *seen);
	for (uint32_t i = 0; i < tree->node_count; i++)
		seen[i] = tree->total[i] != 0 || (tree->total_divisor && tree->total_divisor[i]);
	const struct query *query = &tree->query;
	const bool is_signed = tree->passed != tree->total[0];
	for (uint64_t i = query->first; is_signed && i < query->last; i++) {
		const uint32_t *thread = tree->profile->sample_thread;
		const uint32_t node = calltree_node_of_sample(tree, i);
		if (node != NODE_DROPPED &&
			(query->thread < 0 || !thread || thread[i] == (uint32_t)query->thread))
			seen[node] |= profile_value(tree->profile, query->type, i) != 0;
	}
	for (uint32_t i = tree->node_count; i-- > 1;)
		seen[tree->parent[i]] |= seen[i];
	return seen;
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct fill {
	struct graph *graph;
	const bool *kept; /* by row */
	bool *seen;
	uint32_t *node_of_row; /* index + 1 */
	uint32_t *covered;     /* by row: end of its last outermost place */
	uint32_t *near;        /* by place: the row of the nearest place that is kept */
	struct hash_map slots; /* caller and callee -> edge */
	size_t node_capacity, edge_capacity;
	uint32_t *on_path; /* by edge: how often it is on the way to where the pass stands */
	size_t on_path_capacity;
	struct fill_step {
		uint32_t end; /* first place behind the subtree */
		uint32_t edge;
	} * path;
	size_t depth, path_capacity;
	bool overflow;
};

static struct graph_node *fill_node(struct fill *fill, uint32_t row)
{
	struct graph *graph = fill->graph;
	if (fill->node_of_row[row] == 0) {
		graph->nodes = array_grow(graph->nodes, &fill->node_capacity,
			(size_t)graph->node_count + 1, sizeof *graph->nodes);
		graph->nodes[graph->node_count] = (struct graph_node){.row = row};
		fill->node_of_row[row] = ++graph->node_count;
	}
	return &graph->nodes[fill->node_of_row[row] - 1];
}

static int64_t fill_divisor(const int64_t *divisors, uint32_t place)
{
	return divisors ? divisors[place] : 0;
}

static void fill_count(struct fill *fill, uint32_t place)
{
	const struct calltree *tree = fill->graph->tree;
	const uint32_t row = tree->row[place];
	struct graph_node *node = fill_node(fill, row);
	node->flat = units_add(node->flat, tree->self[place], &fill->overflow);
	node->flat_divisor = units_add(
		node->flat_divisor, fill_divisor(tree->self_divisor, place), &fill->overflow);
	if (place < fill->covered[row])
		return;
	fill->covered[row] = tree->end[place];
	node->cum = units_add(node->cum, tree->total[place], &fill->overflow);
	node->cum_divisor = units_add(
		node->cum_divisor, fill_divisor(tree->total_divisor, place), &fill->overflow);
}

static uint32_t fill_find_edge(struct fill *fill, uint32_t caller, uint32_t callee)
{
	struct graph *graph = fill->graph;
	uint32_t *slot = hash_map_slot(&fill->slots, (uint64_t)caller << 32 | callee);
	if (*slot == 0) {
		const size_t count = graph->edge_count++;
		graph->edges = array_grow(
			graph->edges, &fill->edge_capacity, count + 1, sizeof *graph->edges);
		graph->edges[count] = (struct graph_edge){.from = fill->node_of_row[caller] - 1,
			.to = fill->node_of_row[callee] - 1,
			.is_inlined = true};
		fill->on_path = array_grow(
			fill->on_path, &fill->on_path_capacity, count + 1, sizeof *fill->on_path);
		fill->on_path[count] = 0;
		*slot = (uint32_t)count + 1;
	}
	return *slot - 1;
}

/* A pair counts once a stack: at its outermost place, which has all stacks below. */
static void fill_edge(struct fill *fill, uint32_t place, uint32_t caller, bool is_residual)
{
	const struct calltree *tree = fill->graph->tree;
	const uint32_t i = fill_find_edge(fill, caller, tree->row[place]);
	struct graph_edge *edge = &fill->graph->edges[i];
	if (fill->on_path[i]++ == 0) {
		edge->weight = units_add(edge->weight, tree->total[place], &fill->overflow);
		edge->divisor = units_add(
			edge->divisor, fill_divisor(tree->total_divisor, place), &fill->overflow);
		edge->is_residual |= is_residual;
		edge->is_inlined &= calltree_is_inlined(tree, place);
	}
	fill->path =
		array_grow(fill->path, &fill->path_capacity, fill->depth + 1, sizeof *fill->path);
	fill->path[fill->depth++] = (struct fill_step){tree->end[place], i};
}

static void fill_visit(struct fill *fill, uint32_t place)
{
	const struct calltree *tree = fill->graph->tree;
	const uint32_t parent = tree->parent[place], row = tree->row[place];
	while (fill->depth > 0 && fill->path[fill->depth - 1].end <= place)
		fill->on_path[fill->path[--fill->depth].edge]--;
	const uint32_t caller = fill->near[parent];
	fill->near[place] = caller;
	if ((fill->kept && !fill->kept[row]) || !fill->seen[place])
		return;
	fill->near[place] = row;
	fill_count(fill, place);
	if (caller != 0 && caller != row)
		fill_edge(fill, place, caller, fill->kept && !fill->kept[tree->row[parent]]);
}

static void fill_rows(struct graph *graph, const bool *kept)
{
	const struct calltree *tree = graph->tree;
	struct fill fill = {.graph = graph,
		.kept = kept,
		.seen = graph_seen(tree),
		.node_of_row = memory_new(tree->row_count, sizeof *fill.node_of_row),
		.covered = memory_new(tree->row_count, sizeof *fill.covered),
		.near = memory_new(tree->node_count, sizeof *fill.near)};
	for (uint32_t place = 1; place < tree->node_count; place++)
		if (tree->row[place] != 0)
			fill_visit(&fill, place);
	free(fill.seen);
	free(fill.node_of_row);
	free(fill.covered);
	free(fill.near);
	free(fill.on_path);
	free(fill.path);
	hash_map_free(&fill.slots);
}

void graph_fill_rows(struct graph *graph, const bool *kept)
{
	free(graph->nodes);
	free(graph->edges);
	graph->nodes = NULL;
	graph->edges = NULL;
	graph->node_count = 0;
	graph->edge_count = 0;
	if (calltree_is_exact(graph->tree))
		graph_fill_exact(graph, kept);
	else
		fill_rows(graph, kept);
}

/* ---- places ---------------------------------------------------------------------------------- */

void graph_fill_places(struct graph *graph)
{
	const struct calltree *tree = graph->tree;
	bool *seen = graph_seen(tree);
	uint32_t *index = memory_new(tree->node_count, sizeof *index);
	graph->nodes = memory_new(tree->node_count, sizeof *graph->nodes);
	graph->edges = memory_new(tree->node_count, sizeof *graph->edges);
	for (uint32_t place = 1; place < tree->node_count; place++) {
		if (!seen[place])
			continue;
		const uint32_t parent = tree->parent[place];
		index[place] = graph->node_count++;
		graph->nodes[index[place]] = (struct graph_node){.row = tree->row[place],
			.place = place,
			.flat = tree->self[place],
			.cum = tree->total[place],
			.flat_divisor = fill_divisor(tree->self_divisor, place),
			.cum_divisor = fill_divisor(tree->total_divisor, place)};
		if (parent != 0)
			graph->edges[graph->edge_count++] =
				(struct graph_edge){.from = index[parent],
					.to = index[place],
					.weight = tree->total[place],
					.divisor = fill_divisor(tree->total_divisor, place),
					.is_inlined = calltree_is_inlined(tree, place)};
	}
	free(seen);
	free(index);
}

/* How a node that goes away is reached from the nearest one above it that stays. */
struct fill_reach {
	uint32_t from; /* index + 1; 0: from none */
	bool is_inlined;
};

void graph_take_places(struct graph *graph, const bool *kept)
{
	const uint32_t count = graph->node_count;
	struct fill_reach *reach = memory_new(count, sizeof *reach);
	uint32_t *incoming = memory_new(count, sizeof *incoming); /* edge + 1 */
	uint32_t *by_place = memory_new(graph->tree->node_count, sizeof *by_place);
	for (size_t i = 0; i < graph->edge_count; i++)
		if (!graph->edges[i].is_gone)
			incoming[graph->edges[i].to] = (uint32_t)i + 1;
	for (uint32_t i = 0; i < count; i++)
		by_place[graph->nodes[i].place] = i + 1;
	/* Callers come first in the order of places. */
	for (uint32_t place = 1; place < graph->tree->node_count; place++) {
		const uint32_t i = by_place[place] - 1;
		if (by_place[place] == 0 || incoming[i] == 0)
			continue;
		struct graph_edge *edge = &graph->edges[incoming[i] - 1];
		const uint32_t above = edge->from;
		struct fill_reach here = {above + 1, edge->is_inlined};
		if (!kept[above]) {
			here.from = reach[above].from;
			here.is_inlined &= reach[above].is_inlined;
			edge->is_residual = true;
			edge->is_inlined = here.is_inlined;
		}
		reach[i] = here;
		edge->is_gone = here.from == 0 || !kept[i];
		if (!edge->is_gone)
			edge->from = here.from - 1;
	}
	for (uint32_t i = 0; i < count; i++)
		graph->nodes[i].is_listed &= kept[i];
	free(reach);
	free(incoming);
	free(by_place);
}
