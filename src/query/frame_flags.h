/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_FRAME_FLAGS_H
#define VPTOP_QUERY_FRAME_FLAGS_H

#include "base/error.h"
#include "query/query.h"

/*
 * What the filters say of each frame, before frames become rows: so a filter on a file works where
 * rows merge files (numbers.md 3.3 rules 1 to 7).
 */
enum {
	FRAME_FOCUS = 1,
	FRAME_IGNORE = 2,
	FRAME_HIDDEN = 4, /* by hide or show, or the JIT's machine code */
	FRAME_START = 8,  /* show_from */
	FRAME_DROP = 16,  /* the profile itself wants it left out, with what it calls */
	FRAME_PRUNE = 32  /* prune_from */
};

/*
 * Flags of each frame of tree->profile, for tree->query; tree->rows are made. NULL and *err for a
 * bad pattern; free() it.
 */
uint8_t *frame_flags_build(const struct calltree *tree, struct vp_error *err);

/*
 * Adds a warning to a profile whose own patterns, drop_frames and keep_frames, are none or cannot
 * be matched with its names in time: they leave nothing out then. Once, after it is loaded.
 */
void frame_flags_check(struct profile *profile);

#endif
