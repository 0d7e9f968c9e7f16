/* SPDX-License-Identifier: MIT */
#include "app/browse.h"

#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/places.h"
#include "base/memory.h"

/* ---- what is opened ------------------------------------------------------------------- */

struct opened {
	struct open_options open; /* points at the texts below */
	char **paths;             /* [path_count]: those that are opened, then the base */
	size_t path_count;
	struct text name;
	/* What was there before it, as long as it may come back. */
	struct restrictions restrictions;
	char own_type[sizeof((struct app *)0)->own_type];
	bool has_before;
};

static void opened_free(struct opened *opened)
{
	if (!opened)
		return;
	for (size_t i = 0; i < opened->path_count; i++)
		free(opened->paths[i]);
	free(opened->paths);
	text_free(&opened->name);
	if (opened->has_before)
		restrict_free(&opened->restrictions);
	free(opened);
}

/* Where the last `parts` parts of a path begin; *end: behind them, without slashes. */
static const char *browse_tail(const char *path, int parts, const char **end)
{
	const char *at = path + strlen(path);
	while (at > path + 1 && at[-1] == '/')
		at--;
	*end = at;
	for (; parts > 0 && at > path; parts--) {
		while (at > path && at[-1] == '/')
			at--;
		while (at > path && at[-1] != '/')
			at--;
	}
	return at == *end ? path : at;
}

/* How many parts of the end of a path tell it from another; 1 where all are the same. */
static int browse_parts_apart(const char *path, const char *other)
{
	for (int parts = 1;; parts++) {
		const char *end, *other_end;
		const char *tail = browse_tail(path, parts, &end);
		const char *other_tail = browse_tail(other, parts, &other_end);
		const size_t length = (size_t)(end - tail);
		if (length != (size_t)(other_end - other_tail) ||
			memcmp(tail, other_tail, length) != 0)
			return parts;
		if (tail == path) /* the same, or all of it is the other's end */
			return 1;
		if (other_tail == other)
			return parts + 1;
	}
}

/* The name of a file, cleaned, and in brackets the folder that tells it from the others: runs of
 * one program leave files of the same names. */
static void browse_add_path(
	const struct open_options *open, const char *path, bool ascii, struct text *out)
{
	const char *end;
	int parts = 1;
	if (strcmp(path, "-") == 0) {
		text_puts(out, "standard input");
		return;
	}
	for (size_t i = 0; i < open->path_count + open->base_count; i++) {
		const char *other =
			i < open->path_count ? open->paths[i] : open->bases[i - open->path_count];
		const int apart = browse_parts_apart(path, other);
		parts = apart > parts ? apart : parts;
	}
	const char *name = browse_tail(path, 1, &end);
	text_clean(out, name, (size_t)(end - name), ascii);
	const char *folder = browse_tail(path, parts, &end);
	const size_t root = *folder == '/';
	if (folder + root >= name)
		return;
	text_puts(out, " (");
	text_clean(out, folder, root + strcspn(folder + root, "/"), ascii);
	text_puts(out, ")");
}

void browse_add_name(const struct open_options *open, bool ascii, struct text *out)
{
	enum { MOST = 8 };
	if (open->path_count > 1)
		text_printf(out, "%zu profiles: ", open->path_count);
	for (size_t i = 0; i < open->path_count && i < MOST; i++) {
		text_puts(out, i > 0 ? ", " : "");
		browse_add_path(open, open->paths[i], ascii, out);
	}
	text_puts(out, open->path_count > MOST ? ", ..." : "");
	for (size_t i = 0; i < open->base_count && i < MOST; i++) {
		text_puts(out, i > 0 ? ", " : " against ");
		browse_add_path(open, open->bases[i], ascii, out);
	}
}

/* As the command line says, but of other files; `is_change`: files[1] against files[0]. */
static struct opened *opened_make(
	const struct app *app, const struct reaction *reaction, bool is_change)
{
	const struct catalog *catalog = app->browser.catalog;
	struct opened *opened = memory_new(1, sizeof *opened);
	struct open_options *open = &opened->open;
	if (app->open)
		*open = *app->open;
	else
		open->load = app->load ? *app->load : load_options_default();
	open->base_count = 0;
	open->is_diff_base = is_change;
	opened->paths = memory_new(reaction->file_count, sizeof *opened->paths);
	for (size_t i = 0; i < reaction->file_count; i++) {
		const size_t at = is_change ? reaction->file_count - 1 - i : i;
		opened->paths[opened->path_count++] =
			memory_copy_string(catalog->entries[reaction->files[at]].path);
	}
	open->paths = (const char *const *)opened->paths;
	open->path_count = is_change ? 1 : opened->path_count;
	if (is_change)
		open->bases[open->base_count++] = opened->paths[1];
	browse_add_name(open, app->context.ascii, &opened->name);
	return opened;
}

/* ---- the folder ----------------------------------------------------------------------- */

void browse_set_folder(struct app *app, const char *folder)
{
	free(app->browser.folder);
	app->browser.folder = memory_copy_string(folder);
	app->context.folder = app->browser.folder;
}

void browse_free(struct browser *browser)
{
	free(browser->folder);
	for (size_t i = 0; i < browser->trail_count; i++)
		free(browser->trail[i]);
	free(browser->trail);
	catalog_free(browser->catalog);
	catalog_filter_free(&browser->filter);
	opened_free(browser->asked);
	opened_free(browser->opening);
	opened_free(browser->opened);
}

static bool browse_is_shown(const struct app *app)
{
	return app_view(app)->is_of_folder && app->browser.folder;
}

static void browse_look(struct app *app)
{
	struct browser *browser = &app->browser;
	/* Views see by the generation that it is another catalog. */
	const unsigned generation = browser->catalog ? browser->catalog->generation : 0;
	catalog_free(browser->catalog);
	browser->catalog = catalog_open(browser->folder, &browser->options);
	browser->catalog->generation = generation + 1;
	app->context.catalog = browser->catalog;
	app->context.catalog_filter = &browser->filter;
}

static void browse_go_above(struct app *app)
{
	char *above = catalog_folder_above(app->browser.folder);
	if (!above) {
		app_notice(app, "There is no folder above this one");
		return;
	}
	struct browser *browser = &app->browser;
	browser->trail = array_grow(browser->trail, &browser->trail_capacity,
		browser->trail_count + 1, sizeof *browser->trail);
	browser->trail[browser->trail_count++] = memory_copy_string(browser->folder);
	browse_set_folder(app, above);
	browse_look(app);
	free(above);
}

static void browse_go_below(struct app *app)
{
	struct browser *browser = &app->browser;
	char *below = browser->trail[--browser->trail_count];
	browse_set_folder(app, below);
	browse_look(app);
	free(below);
}

static void browse_grant(struct app *app)
{
	struct browser *browser = &app->browser;
	const int wish = (int)browser->wish;
	browser->wish = FOLDER_STAYS;
	if (wish == FOLDER_ABOVE) {
		browse_go_above(app);
	} else if (wish == FOLDER_BACK) {
		browse_go_below(app);
	} else if (wish == FOLDER_AGAIN) {
		browse_look(app);
	} else if (wish == FOLDER_HIDDEN) {
		browser->options.hidden = !browser->options.hidden;
		browse_look(app);
	} else if (!browser->catalog) {
		browse_look(app);
	}
}

bool browse_has_work(const struct app *app)
{
	const struct browser *browser = &app->browser;
	const struct catalog *catalog = browser->catalog;
	if (!browse_is_shown(app) || browser->opening)
		return false;
	return browser->wish != FOLDER_STAYS || !catalog || !catalog->is_found ||
	       catalog->read_count < catalog->count;
}

bool browse_step(struct app *app, int64_t budget_ns)
{
	if (!browse_has_work(app))
		return false;
	browse_grant(app);
	catalog_step(app->browser.catalog, budget_ns);
	return browse_has_work(app);
}

bool browse_must_stop(const struct app *app)
{
	const struct browser *browser = &app->browser;
	return app->quit || browser->asked || browser->wish != FOLDER_STAYS ||
	       !browse_is_shown(app);
}

/* ---- wishes ------------------------------------------------------------------------------ */

void browse_react(struct app *app, const struct reaction *reaction)
{
	struct browser *browser = &app->browser;
	const bool is_change = reaction->want & WANT_DIFF;
	if (reaction->want & WANT_FOLDER)
		browser->wish = FOLDER_ABOVE;
	if (!browser->catalog || reaction->file_count == 0)
		return;
	if (reaction->want & (WANT_OPEN | WANT_DIFF)) {
		opened_free(browser->asked);
		browser->asked = opened_make(app, reaction, is_change);
	} else {
		catalog_want(browser->catalog, reaction->files[0]);
	}
}

bool browse_go_back(struct app *app)
{
	if (!browse_is_shown(app) || app->browser.trail_count == 0)
		return false;
	app->browser.wish = FOLDER_BACK;
	return true;
}

bool browse_act(struct app *app, enum action action)
{
	if (!browse_is_shown(app))
		return false;
	if (action == ACT_RELOAD) {
		app->browser.wish = FOLDER_AGAIN;
		app_notice(app, "Read again");
	} else if (action == ACT_HIDDEN) {
		app->browser.wish = FOLDER_HIDDEN;
		app_notice(app,
			app->browser.options.hidden ? "Without hidden files" : "With hidden files");
	} else {
		return false;
	}
	return true;
}

/* ---- opening ----------------------------------------------------------------------------- */

/* Filters and the like were for the profile before; the new one begins as the command line says. */
static void browse_put_aside(struct app *app, struct opened *opened)
{
	const struct report_options *options = &app->options;
	opened->restrictions = app->restrictions;
	opened->has_before = true;
	memcpy(opened->own_type, app->own_type, sizeof opened->own_type);
	restrict_init(&app->restrictions, &options->query, options->from, options->to, app->thread);
	app->own_type[0] = '\0';
}

static void browse_put_back(struct app *app, struct opened *opened)
{
	restrict_free(&app->restrictions);
	app->restrictions = opened->restrictions;
	opened->has_before = false;
	memcpy(app->own_type, opened->own_type, sizeof app->own_type);
}

void browse_arrive(struct app *app)
{
	struct browser *browser = &app->browser;
	struct opened *opened = browser->opening;
	if (!opened || browser->has_arrived)
		return;
	browser->has_arrived = true;
	app->name = opened->name.data;
	app->path = app->context.path = opened->open.paths[0];
	app->open = &opened->open;
	app->load = &opened->open.load;
	search_clear(app);
	app->history[0] = place_find_view("browse");
	app->history_count = 1;
	app->view = app->first_view;
}

/* Of a path that the message begins with, the last part is enough: there is one line for it. */
static void browse_complain(struct app *app, const struct vp_error *err)
{
	const char *folder = app->browser.folder, *message = err->message;
	const size_t length = strlen(folder);
	struct text clean = {0};
	const char *colon = strstr(message, ": ");
	if (strncmp(message, folder, length) == 0 && colon)
		while (strchr(message, '/') && strchr(message, '/') < colon)
			message = strchr(message, '/') + 1;
	text_clean(&clean, message, strlen(message), app->context.ascii);
	app_notice(app, "%s", clean.data ? clean.data : "");
	text_free(&clean);
}

void browse_open(struct app *app, browse_loader load, void *context)
{
	struct browser *browser = &app->browser;
	struct opened *opened = browser->asked;
	struct vp_error err = {.offset = -1};
	if (!opened)
		return;
	browser->asked = NULL;
	browser->opening = opened;
	browser->has_arrived = false;
	const bool was_partial = app->is_partial;
	app->cancel = app->is_partial = false;
	browse_put_aside(app, opened);
	app->done = app->total = app->samples_read = 0;
	const bool ok = load(app, &opened->open, context, &err);
	app->cancel = false;
	browser->opening = NULL;
	if (browser->has_arrived) {
		opened_free(browser->opened);
		browser->opened = opened;
	} else {
		browse_put_back(app, opened);
		opened_free(opened);
		app->is_partial = was_partial;
	}
	if (!ok && err.code == ERROR_CANCELLED)
		app_notice(app, "Stopped");
	else if (!ok)
		browse_complain(app, &err);
}

/* ---- which views there are ----------------------------------------------------------------- */

bool browse_can_show(const struct app *app, const struct view *view)
{
	if (view->is_of_folder)
		return app->browser.folder != NULL;
	if (view->is_useful && !view->is_useful(&app->context))
		return false;
	return app->context.tree || (app->is_loading && !app->browser.folder);
}
