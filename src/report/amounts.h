/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_AMOUNTS_H
#define VPTOP_REPORT_AMOUNTS_H

#include "query/graph.h"
#include "report/parts.h"

/* Values in reports that other tools read, and the words around them: as pprof writes them. */

struct amounts {
	const struct report_input *input;
	const char *unit; /* what all values are written in */
};

/* The unit that fits the values of a graph (numbers.md 3.2 rule 5), if the user named none. */
struct amounts amounts_of(
	const struct report_input *input, const struct graph *graph, bool is_whole);

/* A value of the query's type in that unit, with its name. */
char *amounts_value(const struct amounts *amounts, char out[UNIT_SIZE], int64_t value);
/* The same as a number. */
double amounts_scaled(const struct amounts *amounts, int64_t value);

/* How much of the graph is asked for: options, or pprof's own choice. */
struct graph_options amounts_graph(const struct report_input *input, bool is_visual);

/* Adds the lines of a legend, a line end behind each: file, type, time, what is shown of how much.
 */
void amounts_legend(const struct amounts *amounts, const struct graph *graph, struct text *out);

/* Name of the program or of the file; "" where there is none. Cleaned. */
void amounts_title(const struct report_input *input, struct text *out);

#endif
