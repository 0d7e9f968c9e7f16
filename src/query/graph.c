/* SPDX-License-Identifier: MIT */
#include "query/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "query/graph_parts.h"

/* Labels that are drawn at a node, at most; so many count as nodes of the picture. */
enum { GRAPH_TAGS_OF_NODE = 4 };

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	free(graph->nodes);
	free(graph->edges);
	free(graph->tags);
	free(graph->labels.name);
	text_free(&graph->labels.pool);
	free(graph->in.start);
	free(graph->in.edges);
	free(graph->out.start);
	free(graph->out.edges);
	free(graph);
}

int64_t graph_flat(const struct graph_node *node)
{
	return calltree_mean(node->flat, node->flat_divisor);
}

int64_t graph_cum(const struct graph_node *node)
{
	return calltree_mean(node->cum, node->cum_divisor);
}

int64_t graph_weight(const struct graph_edge *edge)
{
	return calltree_mean(edge->weight, edge->divisor);
}

const char *graph_label(const struct graph *graph, uint32_t name)
{
	return graph->labels.count ? graph->labels.pool.data + graph->labels.name[name] : "";
}

/* ---- links ----------------------------------------------------------------------------------- */

/* What is not shown has no links in the end. */
static bool graph_links_have(const struct graph *graph, const struct graph_edge *edge, bool is_in)
{
	return !edge->is_gone && (!is_in || edge->to < graph->node_count);
}

static struct graph_links graph_links_of(const struct graph *graph, bool is_in)
{
	struct graph_links links = {memory_new((size_t)graph->node_count + 1, sizeof *links.start),
		memory_new(graph->edge_count + 1, sizeof *links.edges)};
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct graph_edge *edge = &graph->edges[i];
		if (graph_links_have(graph, edge, is_in))
			links.start[(is_in ? edge->to : edge->from) + 1]++;
	}
	for (uint32_t i = 0; i < graph->node_count; i++)
		links.start[i + 1] += links.start[i];
	size_t *next = memory_new((size_t)graph->node_count + 1, sizeof *next);
	memcpy(next, links.start, graph->node_count * sizeof *next);
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct graph_edge *edge = &graph->edges[i];
		if (graph_links_have(graph, edge, is_in))
			links.edges[next[is_in ? edge->to : edge->from]++] = (uint32_t)i;
	}
	free(next);
	return links;
}

void graph_link(struct graph *graph)
{
	free(graph->in.start);
	free(graph->in.edges);
	free(graph->out.start);
	free(graph->out.edges);
	graph->in = graph_links_of(graph, true);
	graph->out = graph_links_of(graph, false);
}

/* ---- what is left out ------------------------------------------------------------------------ */

/* Lists the nodes that have anything. */
static void graph_list(struct graph *graph, bool drop_negative)
{
	for (uint32_t i = 0; i < graph->node_count; i++) {
		struct graph_node *node = &graph->nodes[i];
		const bool is_negative = node->flat < 0 || (node->flat == 0 && node->cum < 0);
		node->is_listed = (node->flat != 0 || node->cum != 0 || node->is_exact) &&
				  !(drop_negative && is_negative);
	}
}

static uint32_t graph_listed(const struct graph *graph)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < graph->node_count; i++)
		count += graph->nodes[i].is_listed;
	return count;
}

static int64_t graph_cut(int64_t sum, double fraction)
{
	const double cut = (double)sum * fraction;
	return cut >= 9e18 || cut <= -9e18 ? INT64_MAX : (int64_t)graph_size((int64_t)cut);
}

/* Goes on with the nodes keeps[index] alone. */
static void graph_keep(struct graph *graph, bool *keeps, const struct graph_options *options)
{
	if (options->is_tree) {
		/* Places that are not shown anyway stay between those that are. */
		for (uint32_t i = 0; i < graph->node_count; i++)
			keeps[i] |= !graph->nodes[i].is_listed;
		graph_take_places(graph, keeps);
		return;
	}
	bool *rows = memory_new(graph->tree->row_count, sizeof *rows);
	for (uint32_t i = 0; i < graph->node_count; i++)
		rows[graph->nodes[i].row] = keeps[i];
	graph_fill_rows(graph, rows);
	graph_list(graph, options->drop_negative);
	free(rows);
}

/* The first step: nodes below the cut-off. */
static void graph_drop_small(
	struct graph *graph, int64_t least, const struct graph_options *options)
{
	bool *keeps = memory_new(graph->node_count, sizeof *keeps);
	uint32_t all = graph_listed(graph), kept = 0;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct graph_node *node = &graph->nodes[i];
		keeps[i] = node->is_listed && graph_size(node->cum) >= (uint64_t)least;
		kept += keeps[i];
	}
	if (least > 0 && kept < all) {
		graph->dropped_nodes = all - kept;
		graph_keep(graph, keeps, options);
	}
	free(keeps);
}

static size_t graph_drop_edges(struct graph *graph, int64_t least)
{
	size_t dropped = 0;
	for (size_t i = 0; i < graph->edge_count; i++) {
		struct graph_edge *edge = &graph->edges[i];
		if (edge->is_gone || !graph->nodes[edge->to].is_listed ||
			graph_size(edge->weight) >= (uint64_t)least)
			continue;
		edge->is_gone = true;
		dropped++;
	}
	return dropped;
}

/* How many of the listed nodes are taken, in their order: in a picture labels need room, too. */
static uint32_t graph_room(const struct graph *graph, const struct graph_options *options)
{
	const uint32_t most = graph_listed(graph);
	uint32_t *tags = memory_new(graph->node_count, sizeof *tags);
	long used = 0;
	uint32_t taken = 0;
	for (size_t i = 0; i < graph->tag_count && options->is_visual; i++)
		tags[graph->tags[i].node] += graph->tags[i].flat != 0;
	for (uint32_t i = 0; i < graph->node_count && used < options->node_count; i++) {
		if (!graph->nodes[i].is_listed)
			continue;
		used += 1 + (tags[i] < GRAPH_TAGS_OF_NODE ? tags[i] : GRAPH_TAGS_OF_NODE);
		taken++;
	}
	free(tags);
	return taken < most ? taken : most;
}

/* The second step: the first node_count nodes. */
static bool graph_take_first(struct graph *graph, int64_t least, int64_t least_edge,
	const struct graph_options *options, struct vp_error *err)
{
	if (options->is_visual && !graph_fill_tags(graph, options, err))
		return false;
	graph_cut_tags(graph, least);
	graph_drop_edges(graph, least_edge);
	const uint32_t room = graph_room(graph, options);
	graph->tag_count = 0; /* they were of the nodes that there were */
	if (room == graph->before)
		return true;
	bool *keeps = memory_new(graph->node_count, sizeof *keeps);
	uint32_t taken = 0;
	for (uint32_t i = 0; i < graph->node_count; i++)
		keeps[i] = graph->nodes[i].is_listed && taken++ < room;
	graph_keep(graph, keeps, options);
	graph_sort_nodes(graph, options->sort, options->is_visual);
	free(keeps);
	return true;
}

/* ---- edges that tell nothing new ------------------------------------------------------------- */

struct graph_search {
	uint32_t *seen; /* by node: number of the search that was there */
	uint32_t *queue;
	uint32_t number;
};

/* Whether there is a way between the ends of an edge that does not use it. */
static bool graph_is_redundant(
	const struct graph *graph, struct graph_search *search, uint32_t redundant)
{
	const struct graph_edge *edge = &graph->edges[redundant];
	uint32_t first = 0, last = 0;
	search->number++;
	search->queue[last++] = edge->to;
	search->seen[edge->to] = search->number;
	while (first < last) {
		const uint32_t node = search->queue[first++];
		for (size_t k = graph->in.start[node]; k < graph->in.start[node + 1]; k++) {
			const uint32_t i = graph->in.edges[k], from = graph->edges[i].from;
			if (i == redundant || graph->edges[i].is_gone ||
				search->seen[from] == search->number)
				continue;
			if (from == edge->from)
				return true;
			search->seen[from] = search->number;
			search->queue[last++] = from;
		}
	}
	return false;
}

/* From the last node on, of each the lightest edges first, up to the first that goes over nothing.
 */
static void graph_drop_redundant(struct graph *graph)
{
	struct graph_search search = {.seen = memory_new(graph->node_count, sizeof *search.seen),
		.queue = memory_new((size_t)graph->node_count + 1, sizeof *search.queue)};
	for (uint32_t node = graph->node_count; node-- > 0;) {
		if (!graph->nodes[node].is_listed)
			continue;
		for (size_t k = graph->in.start[node + 1]; k-- > graph->in.start[node];) {
			const uint32_t i = graph->in.edges[k];
			if (!graph->edges[i].is_residual)
				break;
			if (graph_is_redundant(graph, &search, i))
				graph->edges[i].is_gone = true;
		}
	}
	free(search.seen);
	free(search.queue);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/*
 * Only what is shown stays, in its order; behind it, where `keeps_hidden`, the nodes that edges
 * lead to though they are not shown.
 */
static void graph_compact(struct graph *graph, bool keeps_hidden)
{
	uint32_t *index = memory_new(graph->node_count, sizeof *index), count = 0;
	struct graph_node *nodes = memory_new(graph->node_count, sizeof *nodes);
	size_t edges = 0;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		if (!graph->nodes[i].is_listed)
			continue;
		nodes[count] = graph->nodes[i];
		index[i] = ++count;
	}
	uint32_t all = count;
	for (size_t i = 0; i < graph->edge_count; i++) {
		struct graph_edge edge = graph->edges[i];
		if (edge.is_gone || index[edge.from] == 0 || index[edge.from] > count)
			continue;
		if (index[edge.to] == 0 && keeps_hidden) {
			nodes[all] = graph->nodes[edge.to];
			index[edge.to] = ++all;
		}
		if (index[edge.to] == 0)
			continue;
		edge.from = index[edge.from] - 1;
		edge.to = index[edge.to] - 1;
		graph->edges[edges++] = edge;
	}
	free(graph->nodes);
	graph->nodes = nodes;
	graph->node_count = count;
	graph->edge_count = edges;
	free(index);
}

static bool graph_choose(
	struct graph *graph, const struct graph_options *options, struct vp_error *err)
{
	int64_t sum = 0;
	bool overflow = false;
	for (uint32_t i = 0; i < graph->node_count; i++)
		if (graph->nodes[i].is_listed)
			sum = units_add(sum, graph->nodes[i].flat, &overflow);
	const int64_t least = graph_cut(sum, options->node_fraction);
	const int64_t least_edge = graph_cut(sum, options->edge_fraction);
	graph_drop_small(graph, least, options);
	graph->before = graph_listed(graph);
	graph_sort_nodes(graph, options->sort, options->is_visual);
	if (options->node_count > 0 && !graph_take_first(graph, least, least_edge, options, err))
		return false;
	graph->dropped_edges = graph_drop_edges(graph, least_edge);
	graph_sort_edges(graph);
	graph_link(graph);
	if (options->is_visual)
		graph_drop_redundant(graph);
	graph_compact(graph, options->is_visual);
	graph_link(graph);
	if (options->has_tags && !graph_fill_tags(graph, options, err))
		return false;
	graph_cut_tags(graph, least);
	return true;
}

struct graph *graph_build(
	const struct calltree *tree, const struct graph_options *options, struct vp_error *err)
{
	struct graph *graph = memory_new(1, sizeof *graph);
	graph->tree = tree;
	if (options->is_tree)
		graph_fill_places(graph);
	else
		graph_fill_rows(graph, NULL);
	graph_list(graph, options->drop_negative);
	if (graph_choose(graph, options, err))
		return graph;
	graph_free(graph);
	return NULL;
}
