/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_DOT_H
#define VPTOP_REPORT_DOT_H

#include "report/parts.h"

/* The two pictures that the report dot writes, for graphviz. */

/* pprof's: boxes by own share, edges by share, labels beside them (numbers.md 3.1 to 3.3). */
bool dot_pprof(const struct report_input *input, struct text *out, struct vp_error *err);

/* gprof2dot's, of a profile that has a graph of calls (pstats.md section 6). */
void dot_gprof2dot(const struct report_input *input, struct text *out);

#endif
