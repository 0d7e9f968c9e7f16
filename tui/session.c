/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <string.h>
#include <time.h>

#include "load.h"
#include "screen.h"

#define MS INT64_C(1000000)
#define STEP_NS (20 * MS)     /* reading on in a folder between two looks at the keys */
#define PICTURE_NS (120 * MS) /* what was found is drawn that often */

static int64_t session_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 * MS + now.tv_nsec;
}

bool session_reads_stdin(const struct open_options *open)
{
	bool reads = false;
	for (size_t i = 0; i < open->path_count; i++)
		reads |= strcmp(open->paths[i], "-") == 0;
	for (size_t i = 0; i < open->base_count; i++)
		reads |= strcmp(open->bases[i], "-") == 0;
	return reads;
}

/* ---- the folder ------------------------------------------------------------------------- */

/* Draws the list where enough has passed since the last time. */
static void session_draw_list(struct app *app)
{
	const int64_t now_ns = session_now();
	if (now_ns - app->browser.drawn_ns < PICTURE_NS)
		return;
	app->browser.drawn_ns = now_ns;
	screen_draw(app);
}

/* A profile of the folder is being loaded for its facts: keys come first. */
static bool session_progress(void *context, struct builder *builder, uint64_t done, uint64_t total)
{
	struct app *app = context;
	(void)builder;
	(void)done;
	(void)total;
	if (!screen_step(app, 0) || browse_must_stop(app))
		return false;
	session_draw_list(app);
	return true;
}

void session_prepare(struct app *app)
{
	struct load_options *load = &app->browser.options.load;
	load->progress = session_progress;
	load->progress_context = app;
}

/* ---- what keys ask for ------------------------------------------------------------------- */

/* Reads the file again; where that fails the last picture there was stays. */
static void session_reload(struct app *app, const struct term_options *terminal)
{
	struct vp_error err = {.offset = -1};
	app->request.reload = app->is_partial = app->cancel = false;
	if (session_reads_stdin(app->open))
		app_notice(app, "Standard input cannot be read again");
	else if (!load_profile(app, app->open, terminal, &err))
		app_notice(app, "%s", err.message);
	else if (!app->quit)
		app_notice(app, "Read again");
	if (!app->quit)
		screen_draw(app);
}

static bool session_load(
	struct app *app, const struct open_options *options, void *context, struct vp_error *err)
{
	return load_profile(app, options, context, err);
}

static void session_open(struct app *app, const struct term_options *terminal)
{
	struct term_options own = *terminal;
	browse_open(app, session_load, &own);
	if (!app->quit)
		screen_draw(app);
}

void session_run(struct app *app, const struct term_options *terminal)
{
	while (!app->quit && screen_step(app, browse_has_work(app) ? 0 : -1)) {
		if (app->request.reload)
			session_reload(app, terminal);
		if (app->browser.asked)
			session_open(app, terminal);
		if (!browse_has_work(app))
			continue;
		const bool has_more = browse_step(app, STEP_NS);
		if (has_more)
			session_draw_list(app);
		else if (!app->quit)
			screen_draw(app);
	}
}
