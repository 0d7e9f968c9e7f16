/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_TOUR_H
#define VPTOP_TUI_TOUR_H

#include <stdbool.h>

#include "kit/pager.h"

/*
 * A tour of seven pages for those who start the program for the first time. That it was seen is a
 * file, $XDG_STATE_HOME/vptop/tour-seen (~/.local/state without that variable).
 */

enum { TOUR_STEPS = 7 };

/* Whether it was never seen; false where that could not be remembered. */
bool tour_is_new(void);

/* Makes the file, and folders above it for the user alone; silent where that fails. */
void tour_remember(void);

/* Fills a page: step 0 .. TOUR_STEPS - 1. */
void tour_fill(struct pager *pager, int step);

#endif
