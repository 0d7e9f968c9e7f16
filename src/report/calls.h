/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_CALLS_H
#define VPTOP_REPORT_CALLS_H

#include "report/parts.h"

/* Numbers of calls, where the format counts them (pstats.md section 3). */

/* Whether rows and edges of this report have them. */
bool calls_are_known(const struct report_input *input);

/* The next cell: "100", "100/20" where 20 of the calls are no recursion; empty unless `has`. */
void calls_cell(struct table *table, bool has, int64_t calls, int64_t primitive);

/* The same for a change: "+100/+20". */
void calls_cell_change(struct table *table, bool has, int64_t calls, int64_t primitive);

/* The next cell: value / calls; empty where there are none. */
void calls_cell_each(
	const struct report_input *input, struct table *table, int64_t value, int64_t calls);

/* The value of a neighbour, with ~ where it is an estimate. */
void calls_cell_neighbour(
	const struct report_input *input, struct table *table, const struct neighbour *neighbour);

/* Sets "calls" and "primitive_calls"; nothing unless `has`. */
void calls_set(json_t *object, bool has, int64_t calls, int64_t primitive);

#endif
