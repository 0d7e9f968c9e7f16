/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_PATTERN_H
#define VPTOP_QUERY_PATTERN_H

#include "base/error.h"
#include "query/query.h"

/*
 * A regular expression as users type it: PCRE2, unanchored, case-sensitive, on bytes that need not
 * be UTF-8. A match that takes too long is an error, never a hang.
 */
struct pattern;

/* NULL and *err (ERROR_USAGE) where the text is no pattern. */
struct pattern *pattern_compile(const char *text, struct vp_error *err);
void pattern_free(struct pattern *pattern);

/* 1 matches, 0 does not, -1 and *err where the limit was reached. */
int pattern_matches(
	const struct pattern *pattern, const char *bytes, size_t length, struct vp_error *err);

/* The same for a row: its name, its file, its module (numbers.md 3.3 rule 1). */
int pattern_matches_row(const struct pattern *pattern, const struct calltree *tree, uint32_t row,
	struct vp_error *err);

#endif
