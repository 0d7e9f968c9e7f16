/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_MERGE_H
#define VPTOP_DERIVE_MERGE_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * Several profiles become one, as pprof merges them (numbers.md 3.4 rules 4 and 5): value types
 * that all have, in the finest unit, samples of equal stacks and labels added. Types of other
 * formats become columns, but for gauges, which add up to nothing. The order of samples is lost.
 *
 * NULL and *err (ERROR_INCOMPATIBLE) where they do not go together; *bad is then the number of the
 * profile that does not go with the first. The profiles stay as they are. `names` (NULL: none) go
 * in front of their warnings.
 */
struct profile *profile_merge(const struct profile *const *profiles, const char *const *names,
	size_t count, size_t *bad, struct vp_error *err);

#endif
