/* SPDX-License-Identifier: MIT */
#include "app/search.h"

#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/memory.h"
#include "view/common.h"

void finder_free(struct finder *finder)
{
	char *view_text = finder->view_text;
	free(finder->text);
	free(finder->hits);
	text_free(&finder->shown);
	*finder = (struct finder){.view_text = view_text};
}

/* ---- what is found --------------------------------------------------------------- */

static uint8_t *search_name(const struct calltree *tree, const char *name)
{
	uint8_t *hits = memory_new(tree->row_count, 1);
	struct text own = {0};
	for (uint32_t row = 1; row < tree->row_count; row++) {
		text_clear(&own);
		row_name(tree, row, false, &own);
		hits[row] = strcmp(own.data, name) == 0;
	}
	text_free(&own);
	return hits;
}

/* Below a hit no other one counts again. */
static int64_t search_total(const struct calltree *tree, const uint8_t *hits)
{
	int64_t total = 0;
	bool overflow = false;
	for (uint32_t node = 1; node < tree->node_count;) {
		const bool is_hit = hits[tree->row[node]];
		if (is_hit)
			total = units_add(total, tree->total[node], &overflow);
		node = is_hit ? tree->end[node] : node + 1;
	}
	return total;
}

/* Functions that have no sample in the tree are not counted. */
static uint32_t search_count(const struct calltree *tree, const uint8_t *hits)
{
	uint32_t count = 0;
	uint8_t *is_counted = memory_new(tree->row_count, 1);
	for (uint32_t node = 1; node < tree->node_count; node++) {
		const uint32_t row = tree->row[node];
		if (!hits[row] || is_counted[row] || calltree_width(tree, node) == 0)
			continue;
		is_counted[row] = 1;
		count++;
	}
	free(is_counted);
	return count;
}

static bool search_make(struct app *app, const char *text, bool is_name, struct vp_error *err)
{
	const struct calltree *tree = app->context.tree;
	struct finder *finder = &app->finder;
	uint8_t *hits = is_name ? search_name(tree, text) : common_match(tree, text, err);
	if (!hits)
		return false;
	if (text != finder->text) {
		char *copy = memory_copy_string(text);
		free(finder->text);
		finder->text = copy;
		finder->is_name = is_name;
	}
	text_clear(&finder->shown);
	text_clean(&finder->shown, finder->text, strlen(finder->text), app->context.ascii);
	free(finder->hits);
	finder->hits = hits;
	finder->search = (struct search){.text = finder->shown.data,
		.hits = hits,
		.row_count = search_count(tree, hits),
		.total = search_total(tree, hits)};
	app->context.search = &finder->search;
	return true;
}

bool search_set(struct app *app, const char *text, bool is_name, struct vp_error *err)
{
	return app->context.tree && *text && search_make(app, text, is_name, err);
}

void search_clear(struct app *app)
{
	app->context.search = NULL;
	finder_free(&app->finder);
}

void search_refresh(struct app *app)
{
	struct vp_error err;
	const struct finder *finder = &app->finder;
	app->context.search = NULL;
	if (finder->text && !search_make(app, finder->text, finder->is_name, &err))
		search_clear(app);
}

/* ---- going there ------------------------------------------------------------------ */

void search_describe(const struct app *app, struct text *out)
{
	const struct search *search = app->context.search;
	char share[UNIT_SIZE];
	if (!search)
		return;
	if (search->row_count == 0)
		text_puts(out, "no function");
	else
		text_printf(out, "%u function%s, %s", search->row_count,
			search->row_count == 1 ? "" : "s",
			units_percent(
				share, (double)search->total, (double)app->context.tree->base));
}

static void search_notice_wrap(struct app *app, enum find where)
{
	app_notice(app, "%s",
		where == FIND_BACKWARD ? "Before the first hit: on from the last one"
				       : "Past the last hit: on from the first one");
}

bool search_text(struct app *app, const char *text, enum find where, struct vp_error *err)
{
	struct finder *finder = &app->finder;
	struct vp_error own = {.code = ERROR_NONE};
	if (text) {
		char *copy = memory_copy_string(text);
		free(finder->view_text);
		finder->view_text = copy;
	} else if (!finder->view_text || !*finder->view_text) {
		app_notice(app, "Nothing to search for: / begins a search");
		return true;
	}
	const enum found found = app_view(app)->find_text(app->state[app->view], &app->context,
		app_body(app), finder->view_text, where, &own);
	if (own.code != ERROR_NONE) {
		*err = own;
		return false;
	}
	if (found == FOUND_NOTHING && *finder->view_text)
		app_notice(app, "Nothing here matches");
	else if (found == FOUND_WRAPPED && where != FIND_HERE)
		search_notice_wrap(app, where);
	return true;
}

void search_go(struct app *app, enum find where)
{
	const struct view *view = app_view(app);
	struct vp_error err;
	if (view->find_text) {
		search_text(app, NULL, where, &err);
		return;
	}
	const struct search *search = app->context.search;
	if (!search) {
		app_notice(app, "Nothing to search for: / begins a search");
		return;
	}
	if (!view->find) {
		app_notice(app, "There is nothing to search in %s", view->tab);
		return;
	}
	const enum found found =
		view->find(app->state[app->view], &app->context, app_body(app), where);
	if (search->row_count == 0)
		app_notice(app, "No function here matches %s", search->text);
	else if (found == FOUND_NOTHING)
		app_notice(app, "%s is not in this picture", search->text);
	else if (found == FOUND_WRAPPED)
		search_notice_wrap(app, where);
}
