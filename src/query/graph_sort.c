/* SPDX-License-Identifier: MIT */
/* In which order nodes and edges of a graph are shown, and so which are left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/graph_parts.h"

/* What nodes and edges are sorted by, gathered first: qsort has no context. */
struct sort_key {
	uint64_t first, second; /* descending */
	const char *name, *other;
	uint32_t index;
};

static int sort_compare(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	int order = strcmp(x->name, y->name);
	if (order == 0)
		order = strcmp(x->other, y->other);
	if (order == 0 && x->second != y->second)
		order = x->second > y->second ? -1 : 1;
	return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* Labels of the rows of all nodes, in one pool; names[node] point into it. */
static char *sort_names(const struct graph *graph, const char **names)
{
	struct text pool = {0};
	size_t *start = memory_new(graph->node_count, sizeof *start);
	for (uint32_t i = 0; i < graph->node_count; i++) {
		start[i] = pool.length;
		row_label(graph->tree, graph->nodes[i].row, false, &pool);
		text_add(&pool, "", 1);
	}
	for (uint32_t i = 0; i < graph->node_count; i++)
		names[i] = pool.data + start[i];
	free(start);
	return pool.data;
}

/* ---- how much a node tells ------------------------------------------------------------------- */

/* How much the edges of one side tell: nothing where all goes through one of them. */
static double sort_entropy(
	const struct graph *graph, const struct graph_links *links, uint32_t node, int64_t self)
{
	double sum = (double)self, score = 0;
	if (links->start[node] == links->start[node + 1])
		return 1; /* where stacks begin or end */
	for (size_t k = links->start[node]; k < links->start[node + 1]; k++) {
		const int64_t weight = graph->edges[links->edges[k]].weight;
		sum += weight > 0 ? (double)weight : 0;
	}
	if (sum == 0)
		return 0;
	for (size_t k = links->start[node]; k < links->start[node + 1]; k++) {
		const double part = (double)graph_size(graph->edges[links->edges[k]].weight) / sum;
		score -= part * log2(part);
	}
	if (self > 0)
		score -= (double)self / sum * log2((double)self / sum);
	return score;
}

/*
 * Nodes that calls only pass through are worth their flat value, those where they part more. An
 * edge of weight 0 makes the score no number; as pprof has it such a node comes last, behind those
 * that are worth nothing.
 */
static uint64_t sort_score(const struct graph *graph, uint32_t node)
{
	const struct graph_node *it = &graph->nodes[node];
	const double score = (sort_entropy(graph, &graph->in, node, 0) +
				     sort_entropy(graph, &graph->out, node, it->flat)) *
			     (double)it->cum;
	uint64_t whole = UINT64_C(1) << 63;
	if (score < 0x1p63 && score >= -0x1p63)
		whole = (uint64_t)(int64_t)score;
	const uint64_t sum = whole + (uint64_t)it->flat;
	return sum == UINT64_C(1) << 63 ? 0 : 1 + graph_size((int64_t)sum);
}

/* ---- sorting --------------------------------------------------------------------------------- */

static struct sort_key sort_key_of(const struct graph *graph, uint32_t i, enum function_sort sort,
	bool is_visual, const char *name)
{
	const struct graph_node *node = &graph->nodes[i];
	struct sort_key key = {.name = name, .other = "", .index = i};
	const uint64_t flat = graph_size(node->flat), cum = graph_size(node->cum);
	key.first = is_visual           ? sort_score(graph, i)
		    : sort == SORT_FLAT ? flat
		    : sort == SORT_CUM  ? cum
					: 0;
	key.second = !is_visual && sort != SORT_CUM ? cum : flat;
	return key;
}

void graph_sort_nodes(struct graph *graph, enum function_sort sort, bool is_visual)
{
	const uint32_t count = graph->node_count;
	const char **names = memory_new(count, sizeof *names);
	struct sort_key *keys = memory_new(count, sizeof *keys);
	uint32_t *place = memory_new(count, sizeof *place);
	struct graph_node *nodes = memory_new(count, sizeof *nodes);
	char *pool = sort_names(graph, names);
	if (is_visual)
		graph_link(graph);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = sort_key_of(graph, i, sort, is_visual, names[i]);
	qsort(keys, count, sizeof *keys, sort_compare);
	for (uint32_t i = 0; i < count; i++) {
		nodes[i] = graph->nodes[keys[i].index];
		place[keys[i].index] = i;
	}
	for (size_t i = 0; i < graph->edge_count; i++) {
		graph->edges[i].from = place[graph->edges[i].from];
		graph->edges[i].to = place[graph->edges[i].to];
	}
	free(graph->nodes);
	graph->nodes = nodes;
	free(names);
	free(keys);
	free(place);
	free(pool);
}

void graph_sort_edges(struct graph *graph)
{
	const char **names = memory_new(graph->node_count, sizeof *names);
	struct sort_key *keys = memory_new(graph->edge_count, sizeof *keys);
	struct graph_edge *edges = memory_new(graph->edge_count, sizeof *edges);
	char *pool = sort_names(graph, names);
	size_t count = 0;
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct graph_edge *edge = &graph->edges[i];
		if (!edge->is_gone)
			keys[count++] = (struct sort_key){.first = graph_size(edge->weight),
				.name = names[edge->from],
				.other = names[edge->to],
				.index = (uint32_t)i};
	}
	qsort(keys, count, sizeof *keys, sort_compare);
	for (size_t i = 0; i < count; i++)
		edges[i] = graph->edges[keys[i].index];
	free(graph->edges);
	graph->edges = edges;
	graph->edge_count = count;
	free(names);
	free(keys);
	free(pool);
}
