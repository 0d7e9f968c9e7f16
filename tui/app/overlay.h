/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_OVERLAY_H
#define VPTOP_TUI_OVERLAY_H

#include "app/app.h"

/* What is drawn over the view: a page of text (help, names to copy, the tour) or a list. */

void overlay_open_page(struct app *app, enum page page);
void overlay_close(struct app *app);
/* An action (IN_PAGE, IN_LIST) in it. */
void overlay_act(struct app *app, enum action action);
void overlay_draw(struct app *app, struct box body);

#endif
