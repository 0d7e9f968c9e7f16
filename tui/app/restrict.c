/* SPDX-License-Identifier: MIT */
#include "app/restrict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/change.h"
#include "app/places.h"
#include "base/memory.h"
#include "choose.h"

/* A copy of a text; NULL for none and for an empty one. */
static char *restrict_copy(const char *text)
{
	return text && *text ? memory_copy_string(text) : NULL;
}

static void restrict_replace(char **text, const char *with)
{
	char *copy = restrict_copy(with);
	free(*text);
	*text = copy;
}

/* ---- the order they came in --------------------------------------------------- */

static void restrict_note(struct restrictions *all, enum restriction which, bool is_in_force)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < all->added_count; i++)
		if (all->added[i] != which)
			all->added[kept++] = all->added[i];
	if (is_in_force)
		all->added[kept++] = which;
	all->added_count = kept;
}

void restrict_init(struct restrictions *restrictions, const struct query *query, const char *from,
	const char *to, const char *thread)
{
	*restrictions = (struct restrictions){
		.granularity = query->granularity, .no_inlines = query->no_inlines};
	restrict_replace(&restrictions->from, from);
	restrict_replace(&restrictions->to, to);
	restrict_note(restrictions, RESTRICT_WINDOW, restrictions->from || restrictions->to);
	if (thread)
		snprintf(restrictions->thread, sizeof restrictions->thread, "%.23s", thread);
	restrict_note(restrictions, RESTRICT_THREAD, thread != NULL);
	for (int i = 0; i < FILTER_COUNT; i++) {
		restrict_replace(&restrictions->filters[i], query->filters[i]);
		restrict_note(restrictions, RESTRICT_FILTER + (enum restriction)i,
			restrictions->filters[i] != NULL);
	}
}

void restrict_init_labels(
	struct restrictions *restrictions, const char *tag_root, const char *tag_leaf)
{
	restrict_replace(&restrictions->tag_root, tag_root);
	restrict_note(restrictions, RESTRICT_TAG_ROOT, restrictions->tag_root != NULL);
	restrict_replace(&restrictions->tag_leaf, tag_leaf);
	restrict_note(restrictions, RESTRICT_TAG_LEAF, restrictions->tag_leaf != NULL);
}

void restrict_free(struct restrictions *restrictions)
{
	free(restrictions->tag_root);
	free(restrictions->tag_leaf);
	for (int i = 0; i < FILTER_COUNT; i++)
		free(restrictions->filters[i]);
	free(restrictions->from);
	free(restrictions->to);
}

/* ---- the query ------------------------------------------------------------------ */

bool restrict_query(const struct app *app, const struct profile *profile, const struct clock *clock,
	struct query *query, struct vp_error *err)
{
	const struct restrictions *all = &app->restrictions;
	const char *type = app->own_type[0] ? app->own_type : app->type;
	struct query wished = app->options.query;
	wished.granularity = all->granularity;
	wished.no_inlines = all->no_inlines;
	for (int i = 0; i < FILTER_COUNT; i++)
		wished.filters[i] = all->filters[i];
	return choose_query(
		       &wished, type, all->thread[0] ? all->thread : NULL, profile, query, err) &&
	       clock_window(clock, profile, all->from, all->to, &query->first, &query->last, err);
}

/* Another tree: for filters and granularity. */
static bool restrict_rebuild(struct app *app, struct vp_error *err)
{
	struct view_context *context = &app->context;
	struct query query;
	if (!restrict_query(app, context->profile, &context->clock, &query, err))
		return false;
	struct calltree *tree = calltree_build(context->profile, &query, err);
	if (!tree)
		return false;
	place_note_selection(app);
	place_carry(app, context->tree, tree);
	calltree_free(context->tree);
	context->tree = tree;
	context->query = query;
	context->generation++;
	change_refresh(app);
	search_refresh(app);
	return true;
}

/* The same tree, counted again: for window and thread. */
static bool restrict_recount(struct app *app, struct vp_error *err)
{
	struct view_context *context = &app->context;
	struct query query;
	if (!restrict_query(app, context->profile, &context->clock, &query, err) ||
		!calltree_count(context->tree, &query, err))
		return false;
	context->query = query;
	change_refresh(app);
	search_refresh(app);
	return true;
}

/* ---- changes ---------------------------------------------------------------------- */

bool restrict_filter(
	struct app *app, enum filter_kind kind, const char *pattern, struct vp_error *err)
{
	char **filter = &app->restrictions.filters[kind], *before = *filter;
	if (!app->context.tree)
		return true;
	*filter = restrict_copy(pattern);
	if (!restrict_rebuild(app, err)) {
		free(*filter);
		*filter = before;
		return false;
	}
	free(before);
	restrict_note(&app->restrictions, RESTRICT_FILTER + (enum restriction)kind, *filter);
	return true;
}

bool restrict_window(struct app *app, const char *from, const char *to, struct vp_error *err)
{
	struct restrictions *all = &app->restrictions;
	char *before_from = all->from, *before_to = all->to;
	if (!app->context.tree)
		return true;
	all->from = restrict_copy(from);
	all->to = restrict_copy(to);
	if (!restrict_recount(app, err)) {
		free(all->from);
		free(all->to);
		all->from = before_from;
		all->to = before_to;
		return false;
	}
	free(before_from);
	free(before_to);
	restrict_note(all, RESTRICT_WINDOW, all->from || all->to);
	return true;
}

bool restrict_samples(struct app *app, uint64_t first, uint64_t last, struct vp_error *err)
{
	char from[32], to[32];
	const bool is_open = !app->context.profile || last >= app->context.profile->sample_count;
	snprintf(from, sizeof from, "#%" PRIu64, first);
	snprintf(to, sizeof to, "#%" PRIu64, last);
	return restrict_window(app, first > 0 ? from : NULL, is_open ? NULL : to, err);
}

bool restrict_thread(struct app *app, const char *id, struct vp_error *err)
{
	struct restrictions *all = &app->restrictions;
	char before[sizeof all->thread];
	memcpy(before, all->thread, sizeof before);
	if (!app->context.tree)
		return true;
	snprintf(all->thread, sizeof all->thread, "%.23s", id ? id : "");
	if (!restrict_recount(app, err)) {
		memcpy(all->thread, before, sizeof before);
		return false;
	}
	restrict_note(all, RESTRICT_THREAD, all->thread[0]);
	return true;
}

bool restrict_granularity(struct app *app, enum granularity granularity, struct vp_error *err)
{
	const enum granularity before = app->restrictions.granularity;
	if (!app->context.tree)
		return true;
	app->restrictions.granularity = granularity;
	if (restrict_rebuild(app, err))
		return true;
	app->restrictions.granularity = before;
	return false;
}

bool restrict_inlines(struct app *app, bool no_inlines, struct vp_error *err)
{
	const bool before = app->restrictions.no_inlines;
	if (!app->context.tree)
		return true;
	app->restrictions.no_inlines = no_inlines;
	if (restrict_rebuild(app, err))
		return true;
	app->restrictions.no_inlines = before;
	return false;
}

bool restrict_labels(
	struct app *app, enum restriction which, const char *keys, struct vp_error *err)
{
	struct restrictions *all = &app->restrictions;
	char **label = which == RESTRICT_TAG_ROOT ? &all->tag_root : &all->tag_leaf;
	char *before = *label;
	if (!app->context.tree || app->is_loading)
		return true;
	*label = restrict_copy(keys);
	if (!app_show_again(app, err)) {
		free(*label);
		*label = before;
		return false;
	}
	free(before);
	restrict_note(all, which, *label);
	return true;
}

void restrict_remove(struct app *app, enum restriction restriction)
{
	struct vp_error err;
	bool ok;
	if (restriction == RESTRICT_WINDOW)
		ok = restrict_window(app, NULL, NULL, &err);
	else if (restriction == RESTRICT_THREAD)
		ok = restrict_thread(app, NULL, &err);
	else if (restriction == RESTRICT_TAG_ROOT || restriction == RESTRICT_TAG_LEAF)
		ok = restrict_labels(app, restriction, NULL, &err);
	else
		ok = restrict_filter(app, (enum filter_kind)restriction, NULL, &err);
	if (!ok)
		app_notice(app, "%s", err.message);
}

bool restrict_remove_last(struct app *app)
{
	const struct restrictions *all = &app->restrictions;
	if (all->added_count == 0)
		return false;
	restrict_remove(app, all->added[all->added_count - 1]);
	return true;
}

/* ---- in words ----------------------------------------------------------------------- */

const char *restrict_filter_name(enum filter_kind kind)
{
	static const char *const names[FILTER_COUNT] = {[FILTER_FOCUS] = "focus",
		[FILTER_IGNORE] = "ignore",
		[FILTER_HIDE] = "hide",
		[FILTER_SHOW] = "show",
		[FILTER_SHOW_FROM] = "show from",
		[FILTER_PRUNE_FROM] = "prune from",
		[FILTER_TAG_FOCUS] = "label",
		[FILTER_TAG_IGNORE] = "no label"};
	return names[kind];
}

const char *restrict_granularity_name(enum granularity granularity)
{
	static const char *const names[] = {[BY_FUNCTION] = "function",
		[BY_FILEFUNCTION] = "file and function",
		[BY_FILE] = "file",
		[BY_LINE] = "line",
		[BY_ADDRESS] = "address"};
	return names[granularity];
}

static void restrict_describe_window(const struct app *app, struct text *out)
{
	const struct view_context *context = &app->context;
	const struct clock *clock = &context->clock;
	char from[UNIT_SIZE], to[UNIT_SIZE];
	if (context->profile->snapshots) {
		const size_t i = profile_snapshot_of(context->profile, context->query.first);
		text_printf(out, "snapshot %zu of %zu", i + 1, context->profile->snapshot_count);
		if (clock->kind != TIME_NONE)
			text_printf(out, ", %s",
				chart_moment(from, clock, context->query.first,
					context->is_absolute, INT64_C(1000000000)));
		return;
	}
	const int64_t first = clock_time(clock, context->query.first);
	const int64_t last = clock_time(clock, context->query.last);
	/* Fine enough that a short window does not begin where it ends. */
	int64_t step = INT64_C(1000000000);
	while (clock->kind != TIME_NONE && step > 1000 && last - first < 4 * step)
		step /= 10;
	chart_moment(from, clock, context->query.first, context->is_absolute, step);
	chart_moment(to, clock, context->query.last, context->is_absolute, step);
	text_printf(out, "time %s - %s", from, to);
}

static void restrict_describe_labels(
	const struct app *app, const char *what, const char *keys, struct text *out)
{
	if (!keys)
		return;
	text_printf(out, "%s ", what);
	text_clean(out, keys, strlen(keys), app->context.ascii);
}

void restrict_describe(const struct app *app, enum restriction restriction, struct text *out)
{
	const struct query *query = &app->context.query;
	const struct profile *profile = app->context.profile;
	if (!profile)
		return;
	if (restriction == RESTRICT_WINDOW) {
		if (query->first > 0 || query->last < profile->sample_count)
			restrict_describe_window(app, out);
	} else if (restriction == RESTRICT_THREAD) {
		if (query->thread >= 0 && (uint32_t)query->thread < profile->thread_count)
			text_printf(out, "thread 0x%" PRIx64, profile->threads[query->thread].id);
	} else if (restriction == RESTRICT_TAG_ROOT) {
		restrict_describe_labels(app, "root", app->restrictions.tag_root, out);
	} else if (restriction == RESTRICT_TAG_LEAF) {
		restrict_describe_labels(app, "leaf", app->restrictions.tag_leaf, out);
	} else if (query->filters[restriction]) {
		text_printf(out, "%s ", restrict_filter_name((enum filter_kind)restriction));
		text_clean(out, query->filters[restriction], strlen(query->filters[restriction]),
			app->context.ascii);
	}
}
