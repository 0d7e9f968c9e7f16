/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_THEME_H
#define VPTOP_TUI_THEME_H

#include "kit/canvas.h"

/*
 * What a role looks like. Nothing here assumes a dark or a light background: text stands on the
 * terminal's own background in colours that are readable on both, or on a background of ours.
 */

enum colour_depth { DEPTH_MONO, DEPTH_8, DEPTH_256 };

enum { THEME_DIM = 8 }; /* one more bit of `look`, which no view sets itself */

struct style {
	int foreground, background; /* -1: the terminal's own */
	int look;                   /* LOOK_ bits and THEME_DIM */
};

struct style theme_style(enum role role, enum colour_depth depth);

#endif
