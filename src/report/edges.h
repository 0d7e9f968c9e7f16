/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_EDGES_H
#define VPTOP_REPORT_EDGES_H

#include "report/parts.h"

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
 * Of the rows that are shown: where frames of other rows lie between two, the outer one counts as
 * the caller of the inner one (shown->kept; numbers.md 3.3 rule 8). Edges below shown->edge_cut are
 * left out. As in pprof, functions in which all cancels are callers and callees, too, though they
 * are no rows, and so is what cancels between two.
 */
struct edges edges_build(const struct calltree *tree, const struct shown *shown);
void edges_free(struct edges *edges);

/* The neighbours of one row, pointing into `edges`: not to be freed. flat and cum are left 0. */
struct neighbours edges_of(const struct edges *edges, uint32_t row);

#endif
