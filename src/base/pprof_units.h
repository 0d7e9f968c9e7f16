/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_PPROF_UNITS_H
#define VPTOP_BASE_PPROF_UNITS_H

#include <stdbool.h>

#include "base/units.h"

/*
 * Values as pprof prints them (numbers.md 3.2 rules 3 and 5): "1.25s", "512kB", "0", two decimals
 * at most. Units are names in any case, singular or plural: "ns", "Seconds", "kilobytes".
 */

/*
 * `value` of `unit` in the unit `wanted`: a name, or "auto" or "minimum" for the largest one that
 * leaves a 1 before the point. *shown (may be NULL) is the name of the unit that it is in, "" for
 * plain counts; where `wanted` is of another family than `unit`, the family's own unit. Names live
 * as long as `wanted` does.
 */
double pprof_units_scale(double value, const char *unit, const char *wanted, const char **shown);

/* The same as text; `wanted` of NULL is "auto". */
char *pprof_units_value(char out[UNIT_SIZE], double value, const char *unit, const char *wanted);

/* As pprof's -divide_by: times 1/N, towards 0. 0: as it is. */
int64_t pprof_units_divided(int64_t value, double divide_by);

/*
 * A value of `unit` with so many decimals as people read it: divided, and where `wanted` is not
 * NULL in that unit as pprof writes it, else in the one that fits (units_decimal).
 */
char *pprof_units_printed(char out[UNIT_SIZE], int64_t value, unsigned decimals, const char *unit,
	double divide_by, const char *wanted);

/*
 * What "minimum" is in a report whose smallest size other than 0 is `least` (0: there is none) and
 * whose total is `most`: one unit for all that is printed. is_whole: only integers can be written.
 */
const char *pprof_units_minimum(double least, double most, const char *unit, bool is_whole);

/* "12.34%", "  100%", " 0.05%", "    0%". */
char *pprof_units_percent(char out[UNIT_SIZE], double value, double total);

#endif
