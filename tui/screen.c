/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>

/* A key that repeats faster than pictures can be drawn must not keep the screen from changing. */
enum { MOST_KEYS_A_STEP = 256 };

bool screen_open(struct app *app, const struct term_options *options, struct vp_error *err)
{
	if (!term_open(options, err))
		return false;
	app->context.no_eighths = app->canvas.no_eighths = term_no_eighths();
	app->has_mouse = term_mouse(true);
	if (term_note())
		snprintf(app->notice, sizeof app->notice, "%s", term_note());
	return true;
}

void screen_draw(struct app *app)
{
	int width, height;
	term_size(&width, &height);
	app_draw(app, width, height);
	term_show(&app->canvas, app->request.redraw_all);
	app->request.redraw_all = false;
}

/* The source file that the user asked for, in the program that he reads files with. */
static void screen_show_source(struct app *app)
{
	struct app_request *request = &app->request;
	struct text line = {0};
	const char *pager = getenv("PAGER");
	text_printf(&line, "exec %s +%u \"$1\"", pager && *pager ? pager : "less",
		request->source_line > 0 ? request->source_line : 1);
	const char *const command[] = {"sh", "-c", line.data, "sh", request->source.data, NULL};
	if (!term_run(command))
		app_notice(app, "%s could not be run", pager && *pager ? pager : "less");
	text_clear(&request->source);
	request->redraw_all = true;
	text_free(&line);
}

/* What the app wants of the terminal. */
static void screen_serve(struct app *app)
{
	struct app_request *request = &app->request;
	if (request->suspend) {
		request->suspend = false;
		request->redraw_all = true;
		term_suspend();
	}
	if (request->flip_mouse) {
		request->flip_mouse = false;
		if (!term_mouse(app->has_mouse) && app->has_mouse) {
			app->has_mouse = false;
			app_notice(app, "This terminal has no mouse");
		}
	}
	if (request->copy.length > 0) {
		if (!term_copy(request->copy.data, request->copy.length))
			app_notice(
				app, "It is too long for a terminal's clipboard, or there is none");
		text_clear(&request->copy);
	}
	if (request->source.length > 0)
		screen_show_source(app);
}

static void screen_take(struct app *app, uint32_t key)
{
	struct pointer pointer;
	if (key == KEY_CLOSED)
		app->quit = true;
	else if (key != KEY_POINTER)
		app_key(app, key);
	else if (term_pointer(&pointer))
		app_pointer(app, &pointer);
}

bool screen_step(struct app *app, int wait_ms)
{
	uint32_t key = term_key(wait_ms);
	if (key == KEY_NONE)
		return true;
	for (int i = 0; i < MOST_KEYS_A_STEP && key != KEY_NONE; i++) {
		screen_take(app, key);
		if (app->quit)
			return false;
		screen_serve(app);
		/* What follows is for the profile that is read then. */
		if (app->request.reload)
			return true;
		key = i + 1 < MOST_KEYS_A_STEP ? term_key(0) : KEY_NONE;
	}
	screen_draw(app);
	return true;
}
