/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <stdio.h>

/* A key that repeats faster than pictures can be drawn must not keep the screen from changing. */
enum { MOST_KEYS_A_STEP = 256 };

bool screen_open(struct app *app, const struct term_options *options, struct vp_error *err)
{
	if (!term_open(options, err))
		return false;
	app->context.no_eighths = app->canvas.no_eighths = term_no_eighths();
	if (term_note())
		snprintf(app->notice, sizeof app->notice, "%s", term_note());
	return true;
}

void screen_draw(struct app *app)
{
	int width, height;
	term_size(&width, &height);
	app_draw(app, width, height);
	term_show(&app->canvas, app->redraw_all);
	app->redraw_all = false;
}

bool screen_step(struct app *app, int wait_ms)
{
	uint32_t key = term_key(wait_ms);
	if (key == KEY_NONE)
		return true;
	for (int i = 0; i < MOST_KEYS_A_STEP && key != KEY_NONE; i++) {
		if (key == KEY_CLOSED)
			app->quit = true;
		else
			app_key(app, key);
		if (app->quit)
			return false;
		if (app->suspend) {
			app->suspend = false;
			app->redraw_all = true;
			term_suspend();
		}
		key = i + 1 < MOST_KEYS_A_STEP ? term_key(0) : KEY_NONE;
	}
	screen_draw(app);
	return true;
}
