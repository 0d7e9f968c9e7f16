/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_DOT_TAGS_H
#define VPTOP_REPORT_DOT_TAGS_H

#include "report/amounts.h"

/*
 * Adds the boxes of the labels tags[count] of a node: the four heaviest texts, below each the
 * numbers of its samples, in four groups of neighbours where there are more. False where there is
 * none.
 */
bool dot_tags(const struct amounts *amounts, const struct graph *graph, uint32_t node,
	const struct graph_tag *tags, size_t count, struct text *out);

#endif
