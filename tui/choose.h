/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_CHOOSE_H
#define VPTOP_TUI_CHOOSE_H

#include "report/report.h"

/*
 * What the user typed, made into a query of one profile. False and *err (ERROR_USAGE) where the
 * profile does not have it.
 */

/*
 * The whole profile, with the granularity and filters of `wished`, the value type and the thread
 * that were named (NULL: the default type, all threads).
 */
bool choose_query(const struct query *wished, const char *type, const char *thread,
	const struct profile *profile, struct query *query, struct vp_error *err);

/* Sets query->first and last: the samples from `from` on whose span begins before `to`; NULL: no
 * limit. */
bool choose_window(const char *from, const char *to, const struct clock *clock, struct query *query,
	struct vp_error *err);

#endif
