/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_SERIES_H
#define VPTOP_DERIVE_SERIES_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * Profiles that were taken of one process one after the other, such as a Go program's heap every
 * few seconds. They become one profile with the samples of each, in order of time;
 * profile->snapshots says where each begins. What lives, and what was counted since the start of
 * the process, is not added up over them: totals are those of the last one.
 */

/* Whether several profiles are such ones: they show what lives, in types that all have, and no two
 * are of different programs. */
bool series_is(const struct profile *const *profiles, size_t count);

/*
 * In order of time; `names` break ties, and where one has no time the order given is kept. NULL and
 * *err (ERROR_INCOMPATIBLE) where they have no value type in common; *bad is then the number of the
 * one that does not go with the first. The profiles stay as they are.
 */
struct profile *profile_series(const struct profile *const *profiles, const char *const *names,
	size_t count, size_t *bad, struct vp_error *err);

/* Makes the totals of the types those of the last snapshot. */
void series_sum_up(struct profile *series);

/*
 * What grew from snapshot `from` to snapshot `to` of a series (indices): a difference that cancels.
 */
struct profile *series_growth(
	const struct profile *series, size_t from, size_t to, struct vp_error *err);

#endif
