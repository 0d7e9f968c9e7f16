/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_CALLTREE_MAP_H
#define VPTOP_QUERY_CALLTREE_MAP_H

#include "query/query.h"

/* From stacks to the nodes of a call tree, through the filters (numbers.md 3.3). */

/* Where each row is one frame and nothing is hidden, the stack tree is the call tree; for sums of
 * functions also where it is not. */
bool calltree_is_stack_tree(const struct calltree *tree, const uint8_t *flags);

/*
 * Makes nodes of stacks: tree->node_of_stack, node_count, parent, end, row. Rows are made; flags:
 * frame_flags.h.
 */
void calltree_map_stacks(struct calltree *tree, const uint8_t *flags);

/* The first type of the file, in the part of a difference that is counted: what means are of. */
unsigned calltree_first_type(const struct calltree *tree);

#endif
