/* SPDX-License-Identifier: MIT */
/* The context line: what is left out of the picture, and what the view says of itself. */
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/chrome.h"
#include "view/common.h"

/* A chip ends with a blank; `value`: what presses of it take away, UINT32_MAX: nothing. */
struct chrome_chips {
	struct app *app;
	struct text line; /* all of them */
	int y;
};

/* Takes over what `text` has, if anything, as the next chip. */
static void chrome_add_chip(struct chrome_chips *chips, const char *text, uint32_t value)
{
	if (!text || !*text)
		return;
	const int before = text_width(chips->line.data ? chips->line.data : "", chips->line.length);
	text_printf(&chips->line, "[%s] ", text);
	const int after = text_width(chips->line.data, chips->line.length);
	if (value != UINT32_MAX)
		chrome_add_spot(
			chips->app, SPOT_CHIP, 1 + before, chips->y, after - before - 1, value);
}

/* "/dtype  5 functions, 22.4%" */
static void chrome_add_search(struct chrome_chips *chips)
{
	struct text words = {0};
	const struct search *search = chips->app->context.search;
	if (!search)
		return;
	text_printf(&words, "/%s  ", search->text);
	search_describe(chips->app, &words);
	chrome_add_chip(chips, words.data, RESTRICT_COUNT);
	text_free(&words);
}

/* Which side of a difference is counted, and the key that flips it. */
static void chrome_add_part(struct chrome_chips *chips)
{
	static const char *const parts[] = {[PART_DELTA] = "change (x: old)",
		[PART_BASE] = "old (x: new)",
		[PART_NEW] = "new (x: change)"};
	const struct view_context *context = &chips->app->context;
	if (context->profile && context->base)
		chrome_add_chip(chips, parts[context->profile->types[context->query.type].part],
			UINT32_MAX);
}

/* What is left out of the picture, and why: each restriction is a chip. */
static void chrome_add_chips(struct chrome_chips *chips)
{
	const struct app *app = chips->app;
	const struct query *query = &app->context.query;
	struct text words = {0};
	if (app->is_partial)
		chrome_add_chip(chips, "stopped: a part of the file", UINT32_MAX);
	chrome_add_part(chips);
	for (unsigned i = 0; i < RESTRICT_COUNT; i++) {
		/* The window and the thread come first: they are short. */
		const unsigned which = (i + RESTRICT_WINDOW) % RESTRICT_COUNT;
		text_clear(&words);
		restrict_describe(app, (enum restriction)which, &words);
		if (words.length > 0)
			chrome_add_chip(chips, words.data, which);
	}
	if (query->granularity > BY_FILEFUNCTION) {
		text_clear(&words);
		text_printf(&words, "by %s", restrict_granularity_name(query->granularity));
		chrome_add_chip(chips, words.data, UINT32_MAX);
	}
	if (query->no_inlines)
		chrome_add_chip(chips, "inlined frames as their callers", UINT32_MAX);
	if (query->divide_by > 0 && query->divide_by != 1) {
		text_clear(&words);
		text_printf(&words, "values divided by %g", query->divide_by);
		chrome_add_chip(chips, words.data, UINT32_MAX);
	}
	if (query->drop_negative)
		chrome_add_chip(chips, "no rows below 0", UINT32_MAX);
	if (query->reference_tree)
		chrome_add_chip(chips, "reference tree", UINT32_MAX);
	chrome_add_search(chips);
	text_free(&words);
}

/* Which folder it is that the list is of, and what is left out of it. */
static void chrome_add_folder(const struct app *app, struct text *out)
{
	const struct catalog *catalog = app->context.catalog;
	const char *folder = app->context.folder ? app->context.folder : "";
	if (strcmp(folder, ".") == 0 && catalog && catalog->real)
		folder = catalog->real;
	const struct catalog_filter *filter = &app->browser.filter;
	text_clean(out, folder, strlen(folder), app->context.ascii);
	if (out->length > 0 && out->data[out->length - 1] != '/')
		text_puts(out, "/");
	text_puts(out, " ");
	if (filter->text) {
		text_puts(out, "[filter ");
		text_clean(out, filter->text, strlen(filter->text), app->context.ascii);
		text_puts(out, "] ");
	}
	if (filter->project)
		text_puts(out, "[project] ");
}

void chrome_draw_context(struct app *app, int y)
{
	struct canvas *canvas = &app->canvas;
	struct chrome_chips chips = {.app = app, .y = y};
	struct text status = {0};
	if (app_view(app)->is_of_folder)
		chrome_add_folder(app, &chips.line);
	else
		chrome_add_chips(&chips);
	if (view_table[app->view]->status)
		view_table[app->view]->status(app->state[app->view], &app->context, &status);
	const int width = canvas->width - 2;
	int left = text_width(chips.line.data ? chips.line.data : "", chips.line.length);
	int right = text_width(status.data ? status.data : "", status.length);
	/* Restrictions may take three quarters of the line; then the view's words go first. */
	const int most = 3 * width / 4;
	if (left + right > width)
		left = left < most ? left : width - right > most ? width - right : most;
	const bool is_cut = right > width - left;
	if (is_cut)
		right = width - left - (left > 0);
	if (left > 0 && app_view(app)->is_of_folder)
		common_text_end(canvas, 1, y, left, ROLE_ACCENT, chips.line.data);
	else if (left > 0)
		common_text(canvas, 1, y, left, ROLE_ACCENT, chips.line.data);
	else if (right + 12 < width && app->context.profile->is_timed)
		canvas_text(canvas, 1, y, 10, ROLE_DIM, "whole run");
	if (status.length > 0 && is_cut)
		common_text_end(canvas, 1 + width - right, y, right, ROLE_CONTEXT, status.data);
	else if (status.length > 0)
		canvas_text_right(canvas, 1 + width - right, y, right, ROLE_CONTEXT, status.data);
	text_free(&chips.line);
	text_free(&status);
}
