/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_LABEL_MENU_H
#define VPTOP_TUI_LABEL_MENU_H

#include "view/view.h"

struct app;

/* Does what the view of labels wants: WANT_FILTER, WANT_TAG_ROOT, WANT_TAG_LEAF, WANT_UNDO. */
void label_menu_react(struct app *app, const struct reaction *reaction);

#endif
