/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_BINS_H
#define VPTOP_REPORT_BINS_H

#include "report/parts.h"

/* Bins as `timeline` and `bin` print them, and the chart of `timeline` and `summary`. */

/* The bins that the options ask for over the range; *count of them; free() it. */
struct bin *bins_make(const struct report_input *input, size_t *count);

/* One bin over all of the range: its peak, mean, first and last value. */
struct bin bins_whole(const struct report_input *input);

/* How fine moments are written where bins are `count` over the range. */
int64_t bins_step_ns(const struct report_input *input, size_t count);

/* `"first": 0, "last": 9, ...` without braces. `is_first`: the first bin of the reference server's.
 */
void bins_members(
	const struct report_input *input, const struct bin *bin, bool is_first, struct text *out);

/* Draws the memory of the range, `height` rows high, with both axes; nothing where it is too
 * narrow. */
void bins_chart(
	const struct report_input *input, int height, enum chart_series series, struct text *out);

#endif
