/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_PPROF_NAMES_H
#define VPTOP_FORMAT_PPROF_NAMES_H

#include "base/text.h"

/* Words of pprof files, as pprof itself understands them. */

/* A unit as the file has it, in any case, in the singular or the plural (numbers.md 3.2 rule 5). */
struct pprof_unit {
	const char *base; /* "nanoseconds", "bytes", "count", or the unit itself */
	int64_t scale;    /* to the base unit */
};

struct pprof_unit pprof_unit(const char *unit);

/*
 * Of a unit that counts fractions, "count x 0.01", how many decimals there are, and *plain: how
 * many bytes of it are the name of the unit; 0 for any other. vptop's own report pprof writes such.
 */
unsigned pprof_unit_decimals(const char *unit, size_t length, size_t *plain);

/*
 * The shortest path that is the same as path[length], without looking at any file: no doubled
 * slashes, no ".", no ".." behind a name; and without the folder of the build's process. False
 * where it is that already; then nothing is written.
 */
bool pprof_clean_path(const char *path, size_t length, struct text *out);

#endif
