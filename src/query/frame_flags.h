/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_FRAME_FLAGS_H
#define VPTOP_QUERY_FRAME_FLAGS_H

#include "base/error.h"
#include "query/query.h"

/*
 * What the filters say of each frame, before frames become rows: so a filter on a file works where
 * rows merge files (numbers.md 3.3 rules 1 to 5 and 7).
 */
enum {
	FRAME_FOCUS = 1,
	FRAME_IGNORE = 2,
	FRAME_HIDDEN = 4, /* by hide or show, or the JIT's machine code */
	FRAME_START = 8,  /* show_from */
	FRAME_DROP = 16   /* the profile itself wants it left out, with what it calls */
};

/*
 * Flags of each frame of tree->profile, for tree->query; tree->rows are made. NULL and *err for a
 * bad pattern; free() it.
 */
uint8_t *frame_flags_build(const struct calltree *tree, struct vp_error *err);

#endif
