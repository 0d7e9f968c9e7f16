/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_OPEN_H
#define VPTOP_DERIVE_OPEN_H

#include "format/format.h"

/*
 * From the files that the user named to the one profile that is shown. The order is pprof's: files
 * are merged (or become a series), the base is subtracted, labels become frames. A file that is a
 * difference by its labels (labelled_difference.h) is one here, too.
 */

enum { OPEN_MOST_BASES = 64 };

/* What several files are. */
enum together {
	TOGETHER_AUTO, /* a series where their values are snapshots of one process, else merged */
	TOGETHER_SERIES,
	TOGETHER_MERGED
};

struct open_options {
	struct load_options load;
	const char *const *paths; /* [path_count], at least one */
	size_t path_count;
	enum together together;
	const char *bases[OPEN_MOST_BASES]; /* --base, --diff-base: merged, and subtracted */
	size_t base_count;
	bool is_diff_base, normalize;
	const char *tag_root, *tag_leaf; /* keys of labels, with commas; NULL: none */
	const char *tag_unit;            /* of their numbers; NULL: what fits each */
};

/*
 * NULL and *err on failure. Where there are several files the message begins with the path of the
 * one it is about.
 */
struct profile *profile_open(const struct open_options *options, struct vp_error *err);

#endif
