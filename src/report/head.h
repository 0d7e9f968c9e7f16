/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_HEAD_H
#define VPTOP_REPORT_HEAD_H

#include "report/parts.h"

/* What every report begins with. */

/* Adds "profile", "query" and "warnings" (cli.md). */
void head_json(const struct report_input *input, json_t *object);

/* File, type, time, duration, filters: what the numbers below are of. */
void head_text(const struct report_input *input, struct text *out);

/* The lines after the facts of a table that was cut to its important rows. */
void head_shown(const struct report_input *input, const struct shown *shown, struct text *out);

/* The facts one by one, for summary and info as well. */
void head_fact(
	const struct report_input *input, struct text *out, const char *label, const char *value);
void head_format(const struct report_input *input, struct text *out);  /* "vmprof 6, pypy" */
void head_program(const struct report_input *input, struct text *out); /* project, function */
void head_start(const struct report_input *input, struct text *out);   /* date, time, zone */
void head_duration(
	const struct report_input *input, struct text *out); /* and how the clock was made */
void head_samples(const struct report_input *input, struct text *out);
const char *head_samples_label(const struct profile *profile); /* "Samples" or "Calls" */
void head_warnings(const struct report_input *input, struct text *out, int most);

/* Sum of the weights of all samples. */
int64_t head_weight(const struct profile *profile);

#endif
