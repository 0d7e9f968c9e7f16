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

#endif
