/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_GRAPHS_H
#define VPTOP_DERIVE_GRAPHS_H

#include "derive/copy.h"
#include "profile/callgraph.h"

/*
 * Graphs of calls of several profiles as one, as Stats.add of Python's pstats adds them: calls and
 * times of equal functions and of equal pairs are added, or subtracted. Zero-initialise it.
 */
struct graphs {
	struct call_node *nodes; /* by function of the builder */
	size_t node_count, node_capacity;
	struct call_edge *edges;
	size_t edge_count, edge_capacity;
	size_t count; /* graphs that were added */
	bool is_sampled, overflow;
};

/* What is taken of a graph. */
struct graphs_share {
	int sign;     /* 1: it is added, -1: subtracted; 0: its functions and pairs are there, but
			 nothing of what they have */
	double scale; /* of its times; calls are what they are */
};

/* Takes a share of the graph of copy->from, where it has one. */
void graphs_add(struct graphs *graphs, struct copy *copy, struct graphs_share share);

/*
 * The sum becomes the builder's, where all `profiles` had a graph: else what the others add is not
 * in it, and there is none. Frees the rest.
 */
void graphs_build(struct graphs *graphs, struct builder *builder, size_t profiles);

/*
 * The same of a difference: parts[PART_DELTA], [PART_BASE] and [PART_NEW] have had shares of the
 * same profiles in the same order.
 */
void graphs_build_difference(
	struct graphs parts[PART_COUNT], struct builder *builder, size_t profiles);

#endif
