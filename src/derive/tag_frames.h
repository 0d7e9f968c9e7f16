/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_TAG_FRAMES_H
#define VPTOP_DERIVE_TAG_FRAMES_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * A new profile in which values of labels are frames (numbers.md 3.3 rule 12): those of the keys in
 * `root` above the outermost frame of each stack, the first key outermost, and those of `leaf`
 * below the innermost one, the last key innermost. Keys are separated by commas; NULL or "" is
 * none. The function's name is the values of the key with commas between them, its file is the
 * key; a sample without that key has a frame without a name. Numbers are written as pprof does:
 * those with a unit in `unit` (NULL: the one that fits), others as they are.
 *
 * Samples keep their order, values and labels. NULL and *err (ERROR_USAGE) for a profile whose
 * format has no labels. A key that no sample has is a warning of the new profile.
 */
struct profile *profile_with_tags(const struct profile *profile, const char *root, const char *leaf,
	const char *unit, struct vp_error *err);

#endif
