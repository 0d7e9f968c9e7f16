/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_ROWS_H
#define VPTOP_QUERY_ROWS_H

#include "query/query.h"

/* Fills tree->rows and tree->row_of_frame for tree->query.granularity. */
void rows_build(struct calltree *tree);

/* Whether each row stands for one frame only. */
bool rows_are_frames(const struct calltree *tree);

/*
 * Adds what a row without a name is called by: "[module]", or "<unknown>" where there is none, too
 * (numbers.md 3.1 rule 9).
 */
void row_module(const struct calltree *tree, uint32_t row, bool ascii, struct text *out);

#endif
