/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_CONTEXT_H
#define VPTOP_REPORT_CONTEXT_H

#include "report/parts.h"

/* A function between its callers and callees: what `tree` and `peek` are made of. */

void context_init(const struct report_input *input, struct table *table);

/*
 * Adds callers, the function, callees and a rule. Edges below `edge_cut` are left out. Shares of
 * edges are of the function's cum, those of the function of everything (numbers.md 3.2 rule 6).
 */
void context_add(const struct report_input *input, struct table *table,
	const struct function_row *function, const struct neighbours *neighbours, int64_t edge_cut);

/* How many of list[count] are not below the cut: sorted by size, they are its beginning. */
size_t context_cut(const struct neighbour *list, size_t count, int64_t cut);

/* {label, name, file, line, module, flat, cum, callers, callees} */
json_t *context_json(const struct report_input *input, const struct function_row *function,
	const struct neighbours *neighbours, int64_t edge_cut);

#endif
