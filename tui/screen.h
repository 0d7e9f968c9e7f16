/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SCREEN_H
#define VPTOP_TUI_SCREEN_H

#include "app/app.h"
#include "term.h"

/* The app on the terminal. */

/* term_open, and tells the app what the terminal can show. */
bool screen_open(struct app *app, const struct term_options *options, struct vp_error *err);

/* Draws the app at the terminal's size and shows it. */
void screen_draw(struct app *app);

/*
 * Waits up to wait_ms (-1: for ever) for a key, handles all keys that are there, then draws once.
 * False: the program is to end (the user quit, a signal came, or the terminal is gone).
 */
bool screen_step(struct app *app, int wait_ms);

#endif
