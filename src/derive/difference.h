/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_DIFFERENCE_H
#define VPTOP_DERIVE_DIFFERENCE_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * What changed from one profile to another (numbers.md 3.4 rules 2 and 3). Each of the n types that
 * both have is there three times: types [0, n) are new minus base, [n, 2n) the base ("base:NAME"),
 * [2n, 3n) the new ("new:NAME"), so that base + change = new in every sample and every sum.
 *
 * DIFFERENCE_CANCELS: one sample a stack and set of labels. DIFFERENCE_OF_BASE: as in pprof, the
 * samples of the base stay apart, with the label pprof::base = true, and are profile->base_samples,
 * of which all shares are.
 */

/* Samples [first, last) of a profile. */
struct difference_side {
	const struct profile *profile;
	size_t first, last;
};

struct difference_options {
	struct difference_side now, base;
	enum difference kind;
	bool normalize; /* scale each type of `now` to the total of the base, value by value */
};

/* All samples of a profile. */
struct difference_side difference_all(const struct profile *profile);

/* NULL and *err (ERROR_INCOMPATIBLE) where they do not go together. Both stay as they are. */
struct profile *profile_difference(const struct difference_options *options, struct vp_error *err);

#endif
