/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_CONTEXT_H
#define VPTOP_REPORT_CONTEXT_H

#include "report/parts.h"

/* A function between its callers and callees: what `tree` and `peek` are made of. */

void context_init(const struct report_input *input, struct table *table);

/*
 * Adds callers, the function, callees and a rule. Shares of edges are of the function's cum, those
 * of the function of everything (numbers.md 3.2 rule 6). With query.mean edges are sums, as pprof
 * prints them; JSON has the means, too.
 */
void context_add(const struct report_input *input, struct table *table,
	const struct function_row *function, const struct neighbours *neighbours);

/* {label, name, file, line, module, flat, cum, callers, callees} */
json_t *context_json(const struct report_input *input, const struct function_row *function,
	const struct neighbours *neighbours);

#endif
