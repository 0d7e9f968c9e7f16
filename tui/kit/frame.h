/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_FRAME_H
#define VPTOP_TUI_FRAME_H

#include "kit/canvas.h"

/* What the frames of lists and pages have in common. */

/* A box of that size in the middle of `area`, smaller where there is no room for it. */
struct box frame_middle(struct box area, int width, int height);

/* Says in the lower border of a frame how many lines are out of sight above and below. */
void frame_more(struct canvas *canvas, struct box frame, size_t above, size_t below);

#endif
