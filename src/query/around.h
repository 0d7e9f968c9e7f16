/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_AROUND_H
#define VPTOP_QUERY_AROUND_H

#include "query/query.h"

/*
 * Call trees made from another one, `tree`: what is above a function, what is below it, and
 * everything from the leaves up. They are trees as calltree_build makes them: pre-order, node 0 is
 * the root "all" (row 0), total = self + the totals of the children; node_of_stack says where a
 * sample's stack went (NODE_DROPPED: it is not in this tree). Rows are those of `tree`, which must
 * live as long; query, all, base and samples are copies, so that percentages are of the same. Never
 * calltree_count them: make them anew. Free with calltree_free.
 *
 * Recursion (numbers.md 3.1 rules 3 and 10): a stack counts once, at the outermost occurrence of
 * the function, as in a function's cum and in pprof's flame graph. So these are not the sums of
 * neighbours_build, which has a caller or callee for each pair of frames and none for self calls:
 * the two agree where no stack has the function twice.
 */

/* Such a tree of `from` without nodes so far. */
struct calltree *around_tree(const struct calltree *from);

/* The function's node in the trees of calltree_callers and calltree_callees; it is always there. */
enum { AROUND_CENTRE = 1 };

/*
 * Everything from the leaves up: below the root each function with its own (self) values, below it
 * who called it, below that who called the caller. total[node]: values of the stacks that end in
 * this very chain; self[node]: of those for which the chain is the whole stack. total[0] is that of
 * `tree`; the total of a function's node below the root is its flat value; self[0] are samples
 * without a stack.
 *
 * Such a tree can be as large as the sum of all stacks' depths. It gets at most 65536 nodes more
 * than twice the nodes of `tree`, in time proportional to these; the largest chains are followed
 * first, and one that is not followed any further ends there, with its value as self. left_out says
 * how much of total[0] ends so.
 */
struct calltree *calltree_bottom_up(const struct calltree *tree);

/*
 * The function `row` (not 0) as node AROUND_CENTRE, below it who called it, below that who called
 * the caller. total of the centre: the function's cum; of others: values of the stacks in which
 * this chain leads to the outermost occurrence. self: of those that start with this very frame.
 * Bounded as calltree_bottom_up is.
 */
struct calltree *calltree_callers(const struct calltree *tree, uint32_t row);

/*
 * The function `row` (not 0) as node AROUND_CENTRE: all of its outermost occurrences as one, below
 * it what they called. total of the centre: the function's cum; its self: values of the stacks that
 * end in an outermost occurrence. The function called again further down is a node there like any
 * other, with its own self: all nodes of the row together have the function's flat value. At most
 * one node more than `tree`, and time proportional to what is below the function.
 */
struct calltree *calltree_callees(const struct calltree *tree, uint32_t row);

#endif
