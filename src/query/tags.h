/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_TAGS_H
#define VPTOP_QUERY_TAGS_H

#include "query/query.h"

/*
 * Filters on labels, exactly as pprof's tagfocus and tagignore (numbers.md 3.3 rule 10): which sets
 * of labels pass. *passes: [profile->set_count], one at least, by profile_label_set; free() it;
 * NULL where all do. False and *err (ERROR_USAGE) for a bad pattern.
 */
bool tags_passing(const struct profile *profile, const struct query *query, uint8_t **passes,
	struct vp_error *err);

/* Whether a filter is a range of numbers, which texts never are in, and no pattern. */
bool tags_is_range(const char *filter);

#endif
