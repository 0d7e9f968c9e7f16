/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_EDGES_H
#define VPTOP_REPORT_EDGES_H

#include "query/query.h"

/*
 * All callers and callees of all rows at once, in one pass over the tree; neighbours_build answers
 * the same for one row. Row 0 as a caller stands for the root.
 */
struct edges {
	struct neighbour *callers,
		*callees; /* grouped by row; in a row by |value| down, then name */
	size_t *caller_start, *callee_start; /* [row_count + 1]: where the group of a row begins */
};

/*
 * kept[row] (NULL: all): where frames of other rows lie between two, the outer one counts as the
 * caller of the inner one (numbers.md 3.3 rule 8).
 */
struct edges edges_build(const struct calltree *tree, const bool *kept);
void edges_free(struct edges *edges);

/* The neighbours of one row, pointing into `edges`: not to be freed. flat and cum are left 0. */
struct neighbours edges_of(const struct edges *edges, uint32_t row);

#endif
