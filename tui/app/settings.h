/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SETTINGS_H
#define VPTOP_TUI_SETTINGS_H

#include "app/app.h"

/*
 * The list of settings (F2): what is counted, and how it looks. Enter or Right changes the setting
 * below the cursor to its next value, Left to the one before; x takes a restriction away.
 */

void settings_open(struct app *app);
/* Makes the list's lines anew, before each drawing. */
void settings_fill(struct app *app);
void settings_act(struct app *app, enum action action);

#endif
