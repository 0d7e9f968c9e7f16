/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_CHROME_H
#define VPTOP_TUI_CHROME_H

#include "app/app.h"

/* What stands around a view: title, tabs, context line, footer. */

/* Where the view draws on a screen of that size. */
struct box chrome_body(int width, int height);

/* Draws all but the body into app->canvas. */
void chrome_draw(struct app *app);

/* The body while there is nothing to show yet. */
void chrome_draw_waiting(struct app *app, struct box body);

/* What is said on a screen that is too small for anything else. */
void chrome_draw_too_small(struct canvas *canvas);

/* ---- for chrome_context.c ----------------------------------------------------- */

/* Notes a place that the mouse can press. */
void chrome_add_spot(struct app *app, int kind, int x, int y, int width, uint32_t value);
void chrome_draw_context(struct app *app, int y);

#endif
