/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_LABELLED_DIFFERENCE_H
#define VPTOP_DERIVE_LABELLED_DIFFERENCE_H

#include "profile/profile.h"

/*
 * A difference that was written to a file (pprof -proto -diff_base): samples of the base are there
 * with values below 0 and the label pprof::base = "true" (numbers.md 3.2 rule 2). It becomes what
 * profile_difference makes of two files with DIFFERENCE_OF_BASE: each of its types is there three
 * times, and profile->base_samples are those of which shares are. Samples stay as they are.
 *
 * Nothing happens to a profile without such samples, to a series, and to one with more than
 * MAX_FILE_TYPES types. Where the profile is a difference already, only its marks are completed.
 */
void labelled_difference(struct profile *profile);

/* Makes profile->base_samples those whose labels have number `label` among them. */
void labelled_difference_mark(struct profile *profile, uint32_t label);

#endif
