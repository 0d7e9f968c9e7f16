/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/change.h"
#include "app/chrome.h"
#include "app/exports.h"
#include "app/growth.h"
#include "app/menu.h"
#include "app/overlay.h"
#include "app/places.h"
#include "app/settings.h"
#include "app/source_file.h"
#include "choose.h"
#include "derive/tag_frames.h"

const struct view *app_view(const struct app *app)
{
	return view_table[app->view];
}

void app_notice(struct app *app, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(app->notice, sizeof app->notice, format, arguments);
	va_end(arguments);
}

struct box app_body(const struct app *app)
{
	if (app->canvas.width == 0) /* nothing was drawn so far */
		return chrome_body(80, 24);
	return chrome_body(app->canvas.width, app->canvas.height);
}

unsigned app_view_where(const struct app *app)
{
	const unsigned where = app_view(app)->where;
	const struct profile *profile = app->context.profile;
	return where == IN_TIMELINE && profile && profile->snapshots ? IN_SERIES : where;
}

unsigned app_where(const struct app *app)
{
	if (app->overlay == OVERLAY_LIST)
		return IN_LIST;
	if (app->overlay == OVERLAY_PAGE)
		return app->page == PAGE_TOUR ? IN_TOUR : IN_PAGE;
	return app_view_where(app);
}

void app_init(struct app *app, const struct report_options *options, const char *name,
	const char *thread, const char *view, bool no_eighths)
{
	*app = (struct app){.name = name, .options = *options, .place = {.sample = -1}};
	app->context.ascii = app->canvas.ascii = options->ascii;
	app->context.no_eighths = app->canvas.no_eighths = no_eighths;
	app->context.series = options->series;
	app->context.query.thread = -1;
	restrict_init(&app->restrictions, &options->query, options->from, options->to, thread);
	for (unsigned i = 0; i < VIEW_COUNT; i++)
		app->state[i] = view_table[i]->open();
	const unsigned first = view ? place_find_view(view) : 0;
	app->view = first < VIEW_COUNT ? first : 0;
	app->first_view = app_view(app)->is_of_folder ? 0 : app->view;
	app->picks_view = !view;
	app->thread = thread;
}

static void app_forget(struct app *app)
{
	change_forget(app);
	if (app->context.tree)
		calltree_free(app->context.tree);
	if (app->context.pyramid)
		pyramid_free(app->context.pyramid);
	profile_free(app->owned);
	profile_free(app->plain);
	growth_forget(app);
	app->context.tree = NULL;
	app->context.pyramid = NULL;
	app->context.profile = NULL;
	app->owned = app->plain = NULL;
}

void app_free(struct app *app)
{
	for (unsigned i = 0; i < VIEW_COUNT; i++)
		view_table[i]->close(app->state[i]);
	app_forget(app);
	text_free(&app->waiting.growth_name);
	browse_free(&app->browser);
	restrict_free(&app->restrictions);
	finder_free(&app->finder);
	free(app->finder.view_text);
	prompt_free(&app->prompt);
	pager_free(&app->pager);
	list_free(&app->list);
	text_free(&app->request.copy);
	text_free(&app->request.source);
	canvas_free(&app->canvas);
}

/* ---- a profile is shown ----------------------------------------------------- */

static bool app_make_query(const struct app *app, const struct profile *profile,
	const struct clock *clock, bool is_loading, struct query *query, struct vp_error *err)
{
	if (restrict_query(app, profile, clock, query, err))
		return true;
	/* A part of a profile may lack what the whole one has: all of it is shown meanwhile. */
	return is_loading && choose_query(&app->options.query, NULL, NULL, profile, query, err);
}

static bool app_choose_axis(
	const struct app *app, bool is_loading, struct view_context *next, struct vp_error *err)
{
	const enum time_axis wished = app->options.time;
	next->is_absolute = next->clock.has_date && (wished == TIME_RELATIVE) == app->flipped_clock;
	if (wished == TIME_ABSOLUTE && !next->clock.has_date && !is_loading)
		return error_set(err, ERROR_USAGE, -1,
			"--time=absolute needs a start date, and this file has none "
			"(--start=DATE gives one)");
	return true;
}

/* Shows a profile; on failure nothing changes, and the profile is still the caller's. */
static bool app_present(
	struct app *app, struct profile *profile, bool is_loading, struct vp_error *err)
{
	struct view_context next = app->context;
	next.profile = profile;
	next.is_loading = is_loading;
	next.clock = clock_make(profile, app->options.clock);
	next.tree = next.base = next.newer = next.change = NULL;
	next.search = NULL;
	if (app_choose_axis(app, is_loading, &next, err) &&
		app_make_query(app, profile, &next.clock, is_loading, &next.query, err))
		next.tree = calltree_build(profile, &next.query, err);
	if (!next.tree)
		return false;
	next.pyramid = pyramid_build(profile);
	next.generation++;

	app_forget(app);
	app->context = next;
	app->owned = profile;
	browse_arrive(app);
	if (profile->callgraph && app->picks_view && app->view == app->first_view &&
		!app_view(app)->is_of_folder)
		app->view = place_find_view("callers");
	app->peak_kib = profile_has_memory(profile) && profile->sample_count > 0
				? profile_memory_kib(profile, profile_peak(profile))
				: -1;
	app->is_loading = is_loading;
	app->place = (struct place){.sample = -1};
	app->has_entry = false;
	change_refresh(app);
	search_refresh(app);
	return true;
}

/* The profile with labels as frames, if any are to be: a new one then. NULL and *err on failure. */
static struct profile *app_with_labels(
	const struct app *app, struct profile *profile, struct vp_error *err)
{
	const struct restrictions *all = &app->restrictions;
	if (!all->tag_root && !all->tag_leaf)
		return profile;
	return profile_with_tags(profile, all->tag_root, all->tag_leaf, NULL, err);
}

bool app_show(struct app *app, struct profile *profile, bool is_loading, struct vp_error *err)
{
	struct profile *shown = is_loading ? profile : app_with_labels(app, profile, err);
	if (shown && app_present(app, shown, is_loading, err)) {
		app->plain = shown != profile ? profile : NULL;
		return true;
	}
	if (shown != profile)
		profile_free(shown);
	profile_free(profile);
	return false;
}

bool app_show_again(struct app *app, struct vp_error *err)
{
	struct profile *plain = app->plain ? app->plain : app->owned;
	struct profile *made = app->plain ? app->owned : NULL;
	struct profile *shown = app_with_labels(app, plain, err);
	if (!shown)
		return false;
	app->owned = made; /* what is made anew does not take the other one away */
	app->plain = NULL;
	if (app_present(app, shown, app->is_loading, err)) {
		app->plain = shown != plain ? plain : NULL;
		return true;
	}
	app->owned = made ? made : plain;
	app->plain = made ? plain : NULL;
	if (shown != plain)
		profile_free(shown);
	return false;
}

/* ---- actions that are the same in every view ------------------------------------- */

static void app_back(struct app *app)
{
	if (app->overlay != OVERLAY_NONE)
		overlay_close(app);
	else if (app->browser.opening && app_view(app)->is_of_folder)
		app->cancel = true;
	else if (!growth_close(app) && !place_go_back(app))
		app->quit = true;
}

/* Whether the view on the screen has something that keys can act on. */
bool app_can_act(const struct app *app)
{
	return app_view(app)->is_of_folder || app->context.tree;
}

/* Esc: the smallest thing there is to undo. */
static void app_cancel(struct app *app)
{
	if (app->is_loading) {
		app->cancel = true;
		return;
	}
	if (app_can_act(app)) {
		const struct reaction reaction = app_view(app)->act(
			app->state[app->view], &app->context, ACT_CANCEL, app_body(app));
		if (reaction.handled) {
			app->is_narrowed = false;
			app_react(app, &reaction);
			return;
		}
	}
	if (app_view(app)->is_of_folder) {
		if (!browse_go_back(app))
			app_notice(app, "Nothing to undo; q goes back, Q quits");
	} else if (app->context.search)
		search_clear(app);
	else if (!restrict_remove_last(app))
		app_notice(app, "Nothing to undo; q goes back, Q quits");
}

static void app_search_name(struct app *app)
{
	const struct place here = app_current(app);
	struct text name = {0};
	struct vp_error err;
	if (!app->context.tree || here.row == 0) {
		app_notice(app, "No function is selected");
		return;
	}
	row_name(app->context.tree, here.row, false, &name);
	if (search_set(app, name.data, true, &err))
		search_go(app, FIND_FORWARD);
	text_free(&name);
}

static void app_open_filter(struct app *app)
{
	if (app_view(app)->narrow)
		prompt_open(app, PROMPT_NARROW);
	else
		prompt_open_filter(app, FILTER_FOCUS);
}

static void app_open_source(struct app *app)
{
	const struct place here = app_current(app);
	if (!app->context.tree || here.row == 0)
		app_notice(app, "No function is selected");
	else
		source_file_open(app, here.row);
}

void app_open_view(struct app *app, unsigned view)
{
	if (browse_can_show(app, view_table[view]))
		place_go_to_view(app, view, NULL);
	else if (view_table[view]->is_of_folder)
		app_notice(app, "The profile has no folder: there is no list of files");
	else if (app->context.tree && view_table[view]->is_useful)
		app_notice(app, "The samples of this profile have no labels");
	else
		app_notice(app, "No profile is open yet: Enter opens the selected one");
}

/* Goes on to the next view that can be shown. */
static void app_step_view(struct app *app, unsigned step)
{
	unsigned view = (app->view + step) % VIEW_COUNT;
	while (view != app->view && !browse_can_show(app, view_table[view]))
		view = (view + step) % VIEW_COUNT;
	place_go_to_view(app, view, NULL);
}

static void app_open_digit(struct app *app, unsigned digit)
{
	for (unsigned i = 0; i < VIEW_COUNT; i++)
		if (view_table[i]->digit == digit)
			app_open_view(app, i);
}

static bool app_act_on_view(struct app *app, enum action action)
{
	switch (action) {
	case ACT_VIEW_NEXT:
		app_step_view(app, 1);
		return true;
	case ACT_VIEW_PREVIOUS:
		app_step_view(app, VIEW_COUNT - 1);
		return true;
	case ACT_VIEW_1:
	case ACT_VIEW_2:
	case ACT_VIEW_3:
	case ACT_VIEW_4:
	case ACT_VIEW_5:
	case ACT_VIEW_6:
	case ACT_VIEW_7:
	case ACT_VIEW_8:
		app_open_digit(app, (unsigned)(action - ACT_VIEW_1) + 1);
		return true;
	case ACT_SEARCH:
		prompt_open(app, PROMPT_SEARCH);
		return true;
	case ACT_HIT_NEXT:
	case ACT_HIT_PREVIOUS:
		search_go(app, action == ACT_HIT_NEXT ? FIND_FORWARD : FIND_BACKWARD);
		return true;
	case ACT_SAME_NAME:
		app_search_name(app);
		return true;
	case ACT_PART:
		change_next_part(app);
		return true;
	case ACT_FILTER:
		app_open_filter(app);
		return true;
	case ACT_GO_TO:
		prompt_open(app, PROMPT_GO_TO);
		return true;
	default:
		return false;
	}
}

static bool app_act_on_all(struct app *app, enum action action)
{
	switch (action) {
	case ACT_HELP:
		overlay_open_page(app, PAGE_HELP);
		return true;
	case ACT_YANK:
		overlay_open_page(app, PAGE_YANK);
		return true;
	case ACT_MENU:
		menu_open(app);
		return true;
	case ACT_SETTINGS:
		settings_open(app);
		return true;
	case ACT_THREAD:
		menu_open_threads(app);
		return true;
	case ACT_WRITE:
		prompt_open(app, PROMPT_WRITE);
		return true;
	case ACT_EXPORT:
		exports_open(app);
		return true;
	case ACT_SOURCE:
		app_open_source(app);
		return true;
	case ACT_RELOAD:
		app->request.reload = !app->is_loading;
		return true;
	case ACT_MOUSE:
		app->request.flip_mouse = true;
		app->has_mouse = !app->has_mouse;
		app_notice(app, "%s",
			app->has_mouse ? "Mouse on: Shift and the mouse select text" : "Mouse off");
		return true;
	default:
		return false;
	}
}

/* What works over pages and lists, too. */
static bool app_act_anywhere(struct app *app, enum action action)
{
	switch (action) {
	case ACT_BACK:
		app_back(app);
		return true;
	case ACT_QUIT:
		app->quit = true;
		return true;
	case ACT_REDRAW:
		app->request.redraw_all = true;
		return true;
	case ACT_SUSPEND:
		app->request.suspend = true;
		return true;
	default:
		return false;
	}
}

static void app_act_in_view(struct app *app, enum action action)
{
	if (!app_can_act(app))
		return;
	struct reaction reaction =
		app_view(app)->act(app->state[app->view], &app->context, action, app_body(app));
	if (!reaction.handled && !reaction.notice)
		reaction = app_default_reaction(action);
	app_react(app, &reaction);
}

void app_act(struct app *app, enum action action)
{
	if (app_act_anywhere(app, action))
		return;
	if (app->overlay != OVERLAY_NONE)
		overlay_act(app, action);
	else if (action == ACT_CANCEL)
		app_cancel(app);
	else if (!browse_act(app, action) && !app_act_on_view(app, action) &&
		 !app_act_on_all(app, action))
		app_act_in_view(app, action);
}

/* ---- keys --------------------------------------------------------------------- */

void app_key(struct app *app, uint32_t key)
{
	const bool had_notice = app->notice[0] != '\0';
	if (key == KEY_RESIZED || key == KEY_NONE || key == KEY_POINTER)
		return;
	if (key == KEY_PASTE || key == KEY_PASTE_DONE) {
		app->is_pasting = key == KEY_PASTE;
		return;
	}
	/* What is pasted is text, never keys. */
	if (app->is_pasting && (app->prompt.kind == PROMPT_NONE || key == KEY_RETURN))
		return;
	app->notice[0] = '\0';
	place_note_entry(app);
	if (app->prompt.kind != PROMPT_NONE) {
		prompt_key(app, key);
		return;
	}
	const enum action action = key_action(key, app_where(app));
	/* Esc takes away the smallest thing, and that may be the notice. */
	if (action != ACT_NONE && (action != ACT_CANCEL || !had_notice || app->is_loading))
		app_act(app, action);
}

/* ---- drawing ------------------------------------------------------------------ */

void app_draw(struct app *app, int width, int height)
{
	canvas_resize(&app->canvas, width, height);
	app->spot_count = 0;
	if (width < SMALLEST_WIDTH || height < SMALLEST_HEIGHT) {
		chrome_draw_too_small(&app->canvas);
		return;
	}
	const struct box body = chrome_body(width, height);
	if (app_can_act(app))
		app_view(app)->draw(app->state[app->view], &app->context, &app->canvas, body);
	else
		chrome_draw_waiting(app, body);
	chrome_draw(app);
	overlay_draw(app, body);
}
