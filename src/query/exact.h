/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_EXACT_H
#define VPTOP_QUERY_EXACT_H

#include "profile/callgraph.h"
#include "query/query.h"

/* Rows of a tree for the functions of profile->callgraph; only where calltree_is_exact. */

/* What is counted: of a difference the graph of the part that the tree's type is of. */
const struct callgraph *exact_graph(const struct calltree *tree);

/*
 * What shares are of where changes cancel: the sizes of the changes of all functions' own times.
 */
int64_t exact_changes(const struct calltree *tree);

/* The row of each function, 0 where it has none: [callgraph->node_count], free() it. */
uint32_t *exact_rows_of_functions(const struct calltree *tree);

/* Figures of all rows: rows[tree->row_count], zeroed but for `row`. */
void exact_add_up(const struct calltree *tree, struct function_row *rows);

/* What an edge says of the neighbour in `row`. */
struct neighbour exact_neighbour(const struct call_edge *edge, uint32_t row);

/* Callers and callees of a row, in no order; those that the part counted does not have are left
 * out. */
struct neighbours exact_neighbours(const struct calltree *tree, uint32_t row);

/* All figures of a row; those of nobody where it is no function. */
const struct call_node *exact_node(const struct calltree *tree, uint32_t row);

/*
 * One side of a row as a tree like those of around.h: node AROUND_CENTRE with the row's total and
 * `self`, below it list[count] as leaves, in that order. Their totals need not add up to the
 * centre's (recursion). No stack is in it.
 */
struct calltree *exact_around(const struct calltree *tree, uint32_t row,
	const struct neighbour *list, size_t count, int64_t self);

#endif
