/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_GRAPH_PARTS_H
#define VPTOP_QUERY_GRAPH_PARTS_H

#include "query/graph.h"

/* What graph.c is made of. */

/*
 * Which nodes of the call tree any sample came through that is not 0: where values are below 0 a
 * sum of 0 does not say that there was none. seen[node of the call tree]; free() it.
 */
bool *graph_seen(const struct calltree *tree);

/* Nodes and edges of all rows; kept[row] (NULL: all): the others are stepped over. */
void graph_fill_rows(struct graph *graph, const bool *kept);
/* The same of an exact tree: nothing goes over what is not kept, since only pairs are known. */
void graph_fill_exact(struct graph *graph, const bool *kept);
/* The same for a tree: each place that a sample came through. */
void graph_fill_places(struct graph *graph);
/* Takes the nodes out that are not kept[node]; those that they called are called by their callers.
 */
void graph_take_places(struct graph *graph, const bool *kept);

/* Makes in and out of the edges that are not gone. */
void graph_link(struct graph *graph);

/* Order of nodes and edges; there are no labels yet. */
void graph_sort_nodes(struct graph *graph, enum function_sort sort, bool is_visual);
void graph_sort_edges(struct graph *graph);

/* Labels of each node, by node. False and *err for a bad pattern. */
bool graph_fill_tags(
	struct graph *graph, const struct graph_options *options, struct vp_error *err);
/* Those that are not below the cut-off. */
void graph_cut_tags(struct graph *graph, int64_t least);

static inline uint64_t graph_size(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

#endif
