/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_HELP_H
#define VPTOP_TUI_HELP_H

#include "kit/pager.h"

/*
 * Fills the help page of a view: what it says of its own picture, then the keys that are valid
 * there, made from the table of keys, and what the mouse does; in two columns where there is room.
 * `where`: the view's IN_ bit; `title` and `explanation` cleaned, "": none. The page suits any
 * width.
 */
void help_fill(struct pager *pager, const char *title, const char *explanation, unsigned where);

#endif
