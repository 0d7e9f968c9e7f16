/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_GRAPH_H
#define VPTOP_QUERY_GRAPH_H

#include "query/query.h"

/*
 * The graph of calls of a call tree, cut down to what a picture can show: the nodes, edges and
 * labels that pprof chooses (numbers.md 3.1, 3.3 rules 8, 9, 11 and 14). A node is a row or, as a
 * tree, a node of the call tree.
 *
 * Values are sums; with query.mean graph_flat and the others divide them.
 *
 * In a picture an edge may lead to a node that is not shown, as in pprof's: one in which values
 * above and below 0 cancel, or one that drop_negative leaves out.
 */

struct graph_node {
	uint32_t row;
	uint32_t place; /* node of the call tree, where the graph is a tree; else 0 */
	bool is_listed; /* not left out */
	bool is_exact;  /* of a graph of calls: it is there, even with nothing */
	int64_t flat, cum, flat_divisor, cum_divisor;
};

struct graph_edge {
	uint32_t from, to; /* indices of nodes; `to` may be one of those that are not shown */
	int64_t weight, divisor;
	int64_t calls;    /* how many, where the tree is exact; else 0: unknown */
	bool is_residual; /* goes over nodes that were left out, in some stack */
	bool is_inlined;  /* in all stacks */
	bool is_gone;
};

/* What the labels of samples are in a node. */
struct graph_tag {
	uint32_t node;   /* index */
	uint32_t label;  /* index into graph_labels.names: all texts of a sample */
	uint32_t number; /* likewise, a number as text; 0: this is of the texts alone */
	int64_t value;   /* the number */
	int64_t flat, cum, flat_divisor, cum_divisor;
};

struct graph_options {
	enum function_sort sort;
	bool is_tree;    /* places in the call tree, not rows */
	bool is_visual;  /* chosen for a picture: by how much each node tells, labels count */
	long node_count; /* 0: all */
	double node_fraction, edge_fraction;
	bool drop_negative;
	bool has_tags;
	const char *tag_show, *tag_hide; /* patterns of keys, or NULL */
	const char *unit;                /* of numbers of labels; NULL: what fits each */
};

struct graph_labels {
	struct text pool; /* the names one after another, each ended by a NUL */
	size_t *name;     /* [count]: where each begins; name 0 is "" */
	uint32_t count;
	size_t capacity;
	const char *number_unit; /* of the numbers; NULL: there are none */
};

struct graph {
	const struct calltree *tree;
	struct graph_node *nodes; /* in order; behind them those that are not shown */
	uint32_t node_count;
	struct graph_edge *edges; /* in order of weight */
	size_t edge_count;
	struct graph_tag *tags; /* by node */
	size_t tag_count;
	struct graph_labels labels;
	size_t dropped_nodes, dropped_edges; /* below the cut-off */
	size_t before; /* how many nodes there were before the first node_count were taken */
	struct graph_links {
		size_t *start;   /* [node_count + 1] */
		uint32_t *edges; /* indices */
	} in, out;
};

/* NULL and *err for a bad pattern; graph_free it. It lives no longer than the tree. */
struct graph *graph_build(
	const struct calltree *tree, const struct graph_options *options, struct vp_error *err);
void graph_free(struct graph *graph); /* NULL is fine */

int64_t graph_flat(const struct graph_node *node);
int64_t graph_cum(const struct graph_node *node);
int64_t graph_weight(const struct graph_edge *edge);
const char *graph_label(const struct graph *graph, uint32_t name);

#endif
