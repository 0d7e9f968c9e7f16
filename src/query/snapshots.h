/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_SNAPSHOTS_H
#define VPTOP_QUERY_SNAPSHOTS_H

#include "query/query.h"

/* What a series of snapshots amounts to, one by one. */

struct snapshot_value {
	uint64_t first, last; /* samples [first, last) */
	uint64_t count;       /* of these passed the filters */
	int64_t value;        /* their sum of the query's type */
	bool overflow;
};

/*
 * Of all snapshots, with the filters of `tree`, which was made with any range; its query's type is
 * counted. [profile->snapshot_count]; free() it.
 */
struct snapshot_value *snapshots_build(const struct calltree *tree);

#endif
