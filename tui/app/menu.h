/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_MENU_H
#define VPTOP_TUI_MENU_H

#include "app/app.h"

/* The lists over a view: what can be done with the selected thing (m), threads (@). */

void menu_open(struct app *app);
void menu_open_threads(struct app *app);
/* An action (IN_LIST) in one of them. */
void menu_act(struct app *app, enum action action);

#endif
