/* SPDX-License-Identifier: MIT */
#include "app/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/exports.h"
#include "app/go_to.h"
#include "app/pages.h"
#include "app/places.h"
#include "base/memory.h"
#include "query/tags.h"
#include "view/common.h"

enum { LEAST_EDIT = 16 }; /* cells of the text that what stands beside it leaves */

void prompt_free(struct prompt *prompt)
{
	free(prompt->before);
	prompt->before = NULL;
}

static void prompt_close(struct app *app)
{
	app->prompt.kind = PROMPT_NONE;
	free(app->prompt.before);
	app->prompt.before = NULL;
}

/* ---- beginning --------------------------------------------------------------- */

static void prompt_start(struct app *app, enum prompt_kind kind, const char *text)
{
	struct prompt *prompt = &app->prompt;
	prompt->kind = kind;
	prompt->complaint[0] = '\0';
	prompt->is_confirmed = false;
	edit_start(&prompt->edit, text, &prompt->histories[kind]);
}

static void prompt_begin_search(struct app *app)
{
	struct prompt *prompt = &app->prompt;
	free(prompt->before);
	prompt->before = memory_copy_string(app->finder.text);
	prompt->before_is_name = app->finder.is_name;
	if (app_view(app)->keep)
		app_view(app)->keep(app->state[app->view]);
	prompt_start(app, PROMPT_SEARCH, NULL);
}

void prompt_open(struct app *app, enum prompt_kind kind)
{
	if (kind == PROMPT_SEARCH) {
		prompt_begin_search(app);
	} else if (kind == PROMPT_WRITE) {
		prompt_open_export(app, NULL);
	} else if (kind == PROMPT_NARROW) {
		const struct edit_history *history = &app->prompt.histories[kind];
		const char *last = history->count > 0 ? history->lines[history->count - 1] : NULL;
		prompt_start(app, kind, app->is_narrowed ? last : NULL);
	} else {
		prompt_start(app, kind, NULL);
	}
}

void prompt_open_filter(struct app *app, enum filter_kind kind)
{
	app->prompt.filter = kind;
	prompt_start(app, PROMPT_FILTER, app->restrictions.filters[kind]);
}

void prompt_open_export(struct app *app, const struct export_form *form)
{
	struct text name = {0};
	app->prompt.form = form;
	if (form)
		exports_default_name(app, form, &name);
	else
		pages_default_name(app, &name);
	prompt_start(app, PROMPT_WRITE, name.data);
	text_free(&name);
}

/* ---- what the text does --------------------------------------------------------- */

static void prompt_complain(struct app *app, const struct vp_error *err)
{
	snprintf(app->prompt.complaint, sizeof app->prompt.complaint, "%.159s", err->message);
}

static void prompt_back_to_origin(struct app *app)
{
	if (app_can_act(app) && app_view(app)->restore)
		app_view(app)->restore(app->state[app->view], &app->context);
}

/* The search follows the typing: from where it began to the first hit. */
static void prompt_follow_search(struct app *app)
{
	struct prompt *prompt = &app->prompt;
	struct vp_error err;
	prompt_back_to_origin(app);
	if (app_view(app)->find_text) {
		if (!search_text(app, prompt->edit.text, FIND_HERE, &err))
			prompt_complain(app, &err);
	} else if (prompt->edit.length == 0)
		search_clear(app);
	else if (!search_set(app, prompt->edit.text, false, &err))
		prompt_complain(app, &err);
	else if (app_view(app)->find)
		app_view(app)->find(app->state[app->view], &app->context, app_body(app), FIND_HERE);
}

static bool prompt_narrow(struct app *app, const char *text)
{
	struct vp_error err;
	const struct view *view = app_view(app);
	if (!view->narrow || !app_can_act(app))
		return true;
	if (view->narrow(app->state[app->view], &app->context, text, &err)) {
		app->is_narrowed = *text != '\0';
		return true;
	}
	prompt_complain(app, &err);
	return false;
}

static void prompt_follow(struct app *app)
{
	app->prompt.complaint[0] = '\0';
	app->prompt.is_confirmed = false;
	if (app->prompt.kind == PROMPT_SEARCH)
		prompt_follow_search(app);
	else if (app->prompt.kind == PROMPT_NARROW)
		prompt_narrow(app, app->prompt.edit.text);
}

/* ---- its end ------------------------------------------------------------------------ */

/* Esc: everything as it was. */
static void prompt_cancel(struct app *app)
{
	struct prompt *prompt = &app->prompt;
	struct vp_error err;
	if (prompt->kind == PROMPT_SEARCH && app_view(app)->find_text) {
		prompt_back_to_origin(app);
		search_text(app, "", FIND_HERE, &err);
	} else if (prompt->kind == PROMPT_SEARCH) {
		prompt_back_to_origin(app);
		if (!prompt->before ||
			!search_set(app, prompt->before, prompt->before_is_name, &err))
			search_clear(app);
	} else if (prompt->kind == PROMPT_NARROW) {
		prompt_narrow(app, "");
	}
	prompt_close(app);
}

/* Enter on an empty line searches for what was searched for before. */
static bool prompt_accept_search(struct app *app)
{
	struct prompt *prompt = &app->prompt;
	const struct edit_history *history = &prompt->histories[PROMPT_SEARCH];
	struct vp_error err;
	if (prompt->complaint[0])
		return false;
	if (app_view(app)->find_text) {
		if (prompt->edit.length == 0 && history->count > 0)
			search_text(app, history->lines[history->count - 1], FIND_FORWARD, &err);
		return true;
	}
	if (prompt->edit.length > 0) {
		if (app->context.search && app->context.search->row_count == 0)
			app_notice(app, "No function here matches %s", app->context.search->text);
		return true;
	}
	const char *again = prompt->before   ? prompt->before
			    : history->count ? history->lines[history->count - 1]
					     : NULL;
	if (again && search_set(app, again, prompt->before && prompt->before_is_name, &err))
		search_go(app, FIND_FORWARD);
	return true;
}

static bool prompt_accept_page_search(struct app *app)
{
	app->pager.hit = app->prompt.edit.length > 0 ? app->prompt.edit.text : NULL;
	if (pager_find(&app->pager, app_body(app), app->prompt.edit.text, 0))
		return true;
	snprintf(app->prompt.complaint, sizeof app->prompt.complaint, "not on this page");
	return false;
}

static bool prompt_accept_filter(struct app *app)
{
	struct vp_error err;
	const struct prompt *prompt = &app->prompt;
	if (!restrict_filter(app, prompt->filter, prompt->edit.text, &err)) {
		prompt_complain(app, &err);
		return false;
	}
	/* Nothing left: the text stays, to be mended. */
	if (prompt->edit.length > 0 && app->context.tree && app->context.tree->samples == 0) {
		const bool is_range =
			!filter_is_of_frames(prompt->filter) && tags_is_range(prompt->edit.text);
		snprintf(app->prompt.complaint, sizeof app->prompt.complaint,
			is_range ? "no sample is left: this is a number, ^1$ a text"
				 : "no sample is left");
		return false;
	}
	return true;
}

static bool prompt_accept_write(struct app *app)
{
	struct prompt *prompt = &app->prompt;
	const char *path = prompt->edit.text;
	struct vp_error err = {.offset = -1};
	char bytes[UNIT_SIZE];
	size_t size;
	if (prompt->form ? exports_write(app, prompt->form, path, prompt->is_confirmed, &size, &err)
			 : pages_write(app, path, prompt->is_confirmed, &size, &err)) {
		/* Of a notice that is too long the end is cut. */
		app_notice(app, "Written %s%s to %s", units_value(bytes, (int64_t)size, "bytes"),
			app->is_partial ? " of what was read" : "", path);
		return true;
	}
	prompt_complain(app, &err);
	if (err.code == ERROR_USAGE) {
		snprintf(prompt->complaint, sizeof prompt->complaint,
			"it exists: Enter again overwrites it");
		prompt->is_confirmed = true;
	}
	return false;
}

static bool prompt_accept(struct app *app)
{
	struct vp_error err;
	switch (app->prompt.kind) {
	case PROMPT_SEARCH:
		return prompt_accept_search(app);
	case PROMPT_SEARCH_PAGE:
		return prompt_accept_page_search(app);
	case PROMPT_NARROW:
		return app->prompt.complaint[0] == '\0';
	case PROMPT_FILTER:
		return prompt_accept_filter(app);
	case PROMPT_GO_TO:
		if (go_to(app, app->prompt.edit.text, &err))
			return true;
		prompt_complain(app, &err);
		return false;
	case PROMPT_WRITE:
		return prompt_accept_write(app);
	default:
		return true;
	}
}

/* ---- keys ------------------------------------------------------------------------------ */

/* Tab goes from one kind of filter to the next; the text goes along. */
static void prompt_next_filter(struct app *app, int step)
{
	struct prompt *prompt = &app->prompt;
	prompt->filter =
		(enum filter_kind)(((int)prompt->filter + step + FILTER_COUNT) % FILTER_COUNT);
	prompt->complaint[0] = '\0';
	if (prompt->edit.length == 0)
		edit_start(&prompt->edit, app->restrictions.filters[prompt->filter],
			prompt->edit.history);
}

void prompt_key(struct app *app, uint32_t key)
{
	struct prompt *prompt = &app->prompt;
	if (key == KEY_ESCAPE || key == KEY_CTRL('G') || key == KEY_CTRL('C')) {
		prompt_cancel(app);
	} else if (key == KEY_RETURN) {
		char text[EDIT_SIZE];
		memcpy(text, prompt->edit.text, sizeof text);
		const enum prompt_kind kind = prompt->kind;
		const bool is_done = prompt_accept(app);
		edit_remember(&prompt->histories[kind], text);
		if (is_done)
			prompt_close(app);
	} else if (key == KEY_CTRL('L')) {
		app->request.redraw_all = true;
	} else if ((key == KEY_TAB || key == KEY_TAB_BACK) && prompt->kind == PROMPT_FILTER) {
		prompt_next_filter(app, key == KEY_TAB ? 1 : -1);
	} else if (key == KEY_ERASE && prompt->edit.length == 0) {
		prompt_cancel(app); /* as in less and vim */
	} else if (edit_key(&prompt->edit, key)) {
		prompt_follow(app);
	}
}

/* ---- drawing --------------------------------------------------------------------------- */

static void prompt_add_label(const struct prompt *prompt, struct text *out)
{
	static const char *const labels[PROMPT_KIND_COUNT] = {[PROMPT_SEARCH] = "/",
		[PROMPT_SEARCH_PAGE] = "/",
		[PROMPT_NARROW] = "filter: ",
		[PROMPT_GO_TO] = ":",
		[PROMPT_WRITE] = "write to: "};
	if (prompt->kind == PROMPT_FILTER)
		text_printf(out, "%s: ", restrict_filter_name(prompt->filter));
	else if (prompt->kind == PROMPT_WRITE && prompt->form)
		text_printf(out, "save %s to: ", exports_name(prompt->form));
	else
		text_puts(out, labels[prompt->kind]);
}

/* What stands beside the text: what is wrong with it, else what it finds or could be. */
static void prompt_add_hint(const struct app *app, struct text *out)
{
	const struct prompt *prompt = &app->prompt;
	if (prompt->complaint[0])
		text_puts(out, prompt->complaint);
	else if (prompt->kind == PROMPT_SEARCH && app_view(app)->is_of_folder)
		text_puts(out, "path, kind, project, function");
	else if (prompt->kind == PROMPT_SEARCH && prompt->edit.length > 0)
		search_describe(app, out);
	else if (prompt->kind == PROMPT_FILTER)
		text_puts(out, filter_is_of_frames(prompt->filter)
				       ? "Tab: another kind   empty: none"
				       : "key=pattern,pattern or key=1kb:2mb   empty: none");
	else if (prompt->kind == PROMPT_GO_TO)
		text_puts(out, "11:30  +20m  50%  #1500  11:25-11:35  or a line");
	else if (prompt->kind == PROMPT_NARROW)
		text_puts(out, "Esc: all rows");
}

void prompt_draw(struct app *app, int y)
{
	struct canvas *canvas = &app->canvas;
	struct text label = {0}, hint = {0};
	const bool is_wrong = app->prompt.complaint[0];
	canvas_fill(canvas, (struct box){0, y, canvas->width, 1}, ROLE_NORMAL, ' ');
	prompt_add_label(&app->prompt, &label);
	prompt_add_hint(app, &hint);
	const int width = text_width(label.data, label.length);
	int right = hint.data ? text_width(hint.data, hint.length) : 0;
	const int most = canvas->width - 4 - width - LEAST_EDIT;
	if (right > most)
		right = is_wrong && most > 0 ? most : 0;
	canvas_text(canvas, 1, y, width, ROLE_ACCENT, label.data);
	if (right > 0)
		common_text(canvas, canvas->width - 1 - right, y, right,
			is_wrong ? ROLE_WARNING : ROLE_DIM, hint.data);
	const int room = canvas->width - 2 - width - (right > 0 ? right + 2 : 0);
	edit_draw(&app->prompt.edit, canvas, 1 + width, y, room, ROLE_NORMAL);
	text_free(&label);
	text_free(&hint);
}
