/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "chrome.h"
#include "kit/help.h"

static const struct view *app_view(const struct app *app)
{
	return view_table[app->view];
}

static void app_notice(struct app *app, const char *text)
{
	snprintf(app->notice, sizeof app->notice, "%.*s", (int)sizeof app->notice - 1, text);
}

static struct box app_body(const struct app *app)
{
	if (app->canvas.width == 0) /* nothing was drawn so far */
		return chrome_body(80, 24);
	return chrome_body(app->canvas.width, app->canvas.height);
}

/* The index of a view by name, VIEW_COUNT where there is none. */
static unsigned app_find_view(const char *name)
{
	unsigned i = 0;
	while (i < VIEW_COUNT && strcmp(view_table[i]->name, name) != 0)
		i++;
	return i;
}

void app_init(struct app *app, const struct report_options *options, const char *name,
	const char *view, bool no_eighths)
{
	*app = (struct app){.name = name, .options = *options, .place = {.sample = -1}};
	app->context.ascii = app->canvas.ascii = options->ascii;
	app->context.no_eighths = app->canvas.no_eighths = no_eighths;
	app->context.series = options->series;
	app->context.query.thread = -1;
	for (unsigned i = 0; i < VIEW_COUNT; i++)
		app->state[i] = view_table[i]->open();
	const unsigned first = view ? app_find_view(view) : 0;
	app->view = first < VIEW_COUNT ? first : 0;
}

static void app_forget(struct app *app)
{
	if (app->context.tree)
		calltree_free(app->context.tree);
	if (app->context.pyramid)
		pyramid_free(app->context.pyramid);
	profile_free(app->owned);
	app->context.tree = NULL;
	app->context.pyramid = NULL;
	app->context.profile = NULL;
	app->owned = NULL;
}

void app_free(struct app *app)
{
	for (unsigned i = 0; i < VIEW_COUNT; i++)
		view_table[i]->close(app->state[i]);
	app_forget(app);
	canvas_free(&app->canvas);
}

/* ---- what is selected ------------------------------------------------------- */

/* What a view has selected. */
static struct place app_selected(const struct app *app, unsigned view)
{
	struct place own = {.sample = -1};
	if (!view_table[view]->selected || !app->context.tree)
		return own;
	view_table[view]->selected(
		app->state[view], &app->context, &own.node, &own.row, &own.sample);
	if (own.node != 0 && own.row == 0)
		own.row = app->context.tree->row[own.node];
	return own;
}

/* Before the view's first key: what it says later is the user's choice only where it differs. */
static void app_note_entry(struct app *app)
{
	if (!app->has_entry)
		app->entry = app_selected(app, app->view);
	app->has_entry = true;
}

/* Takes over what the user selected in the view on the screen. */
static void app_note_selection(struct app *app)
{
	const struct place own = app_selected(app, app->view), *entry = &app->entry;
	if (own.row != 0 && (own.row != entry->row || own.node != entry->node)) {
		app->place.node = own.node;
		app->place.row = own.row;
	}
	if (own.sample >= 0 && own.sample != entry->sample)
		app->place.sample = own.sample;
}

static void app_select(struct app *app, const struct place *place)
{
	if (app->context.tree && (place->node != 0 || place->row != 0 || place->sample >= 0))
		app_view(app)->select(app->state[app->view], &app->context, place->node, place->row,
			place->sample);
}

/* A view that has this selected already keeps its own frame of it, and its zoom. */
static bool app_has_selected(const struct place *own, const struct place *place)
{
	if (place->row != 0 && own->row != place->row)
		return false;
	if (own->sample >= 0)
		return place->sample < 0 || own->sample == place->sample;
	return place->row != 0 || place->sample < 0;
}

/* Brings a view onto the screen. `place`: what it is to select; NULL: what was selected last. */
static void app_open_view(struct app *app, unsigned view, const struct place *place)
{
	app_note_selection(app);
	app->view = view;
	app->has_entry = false;
	if (place) {
		app->place = *place;
		app_select(app, place);
		return;
	}
	const struct place own = app_selected(app, view);
	if (!app_has_selected(&own, &app->place))
		app_select(app, &app->place);
}

/* The same, and remembers where one came from. Each view is in the history once, so that q ends. */
static void app_go_to_view(struct app *app, unsigned view, const struct place *place)
{
	unsigned kept = 0;
	if (view == app->view) {
		if (place)
			app_select(app, place);
		return;
	}
	for (unsigned i = 0; i < app->history_count; i++)
		if (app->history[i] != view && app->history[i] != app->view)
			app->history[kept++] = app->history[i];
	app->history[kept++] = app->view;
	app->history_count = kept;
	app_open_view(app, view, place);
}

void app_open_at(struct app *app, int64_t sample)
{
	const struct place place = {.sample = sample};
	app_open_view(app, app_find_view("timeline"), &place);
}

/* ---- a profile is shown ----------------------------------------------------- */

static bool app_make_query(const struct app *app, const struct profile *profile,
	const struct clock *clock, bool is_loading, struct query *query, struct vp_error *err)
{
	const struct query *wished = &app->options.query;
	const char *type = app->own_type[0] ? app->own_type : app->type;
	if (choose_query(wished, type, app->thread, profile, query, err) &&
		clock_window(clock, profile, app->options.from, app->options.to, &query->first,
			&query->last, err))
		return true;
	/* A part of a profile may lack what the whole one has: all of it is shown meanwhile. */
	return is_loading && choose_query(wished, NULL, NULL, profile, query, err);
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

bool app_show(struct app *app, struct profile *profile, bool is_loading, struct vp_error *err)
{
	struct view_context next = app->context;
	next.profile = profile;
	next.is_loading = is_loading;
	next.clock = clock_make(profile, app->options.clock);
	next.tree = NULL;
	if (app_choose_axis(app, is_loading, &next, err) &&
		app_make_query(app, profile, &next.clock, is_loading, &next.query, err))
		next.tree = calltree_build(profile, &next.query, err);
	if (!next.tree) {
		profile_free(profile);
		return false;
	}
	next.pyramid = pyramid_build(profile);
	next.generation++;

	app_forget(app);
	app->context = next;
	app->owned = profile;
	app->is_loading = is_loading;
	app->place = (struct place){.sample = -1};
	app->has_entry = false;
	return true;
}

/* ---- what a view wants done --------------------------------------------------- */

static void app_next_type(struct app *app)
{
	struct view_context *context = &app->context;
	const struct profile *profile = context->profile;
	struct query query = context->query;
	struct vp_error err;
	char unit[UNIT_SIZE];
	for (unsigned step = 1; step < profile->type_count; step++) {
		query.type = (context->query.type + step) % profile->type_count;
		const struct value_type *type = &profile->types[query.type];
		if (type->kind == VALUE_GAUGE)
			continue;
		if (!calltree_count(context->tree, &query, &err)) {
			app_notice(app, err.message);
			return;
		}
		context->query = query;
		snprintf(app->own_type, sizeof app->own_type, "%s", type->name);
		snprintf(app->notice, sizeof app->notice, "counting %s: %s in all", type->name,
			units_value(unit, context->tree->all, type->unit));
		return;
	}
	app_notice(app, "this profile has one value that can be added up");
}

static void app_flip_clock(struct app *app)
{
	struct view_context *context = &app->context;
	if (context->clock.kind == TIME_NONE)
		app_notice(app, "this profile has no times");
	else if (!context->clock.has_date)
		app_notice(
			app, "this profile has no start date: times count from its first sample");
	else {
		context->is_absolute = !context->is_absolute;
		app->flipped_clock = !app->flipped_clock;
	}
}

static void app_next_series(struct app *app)
{
	app->context.series = app->context.series == SERIES_MAX    ? SERIES_MEAN
			      : app->context.series == SERIES_MEAN ? SERIES_BOTH
								   : SERIES_MAX;
}

static void app_next_unit(struct app *app)
{
	app->context.unit = app->context.unit == UNIT_OF_ALL    ? UNIT_OF_ZOOM
			    : app->context.unit == UNIT_OF_ZOOM ? UNIT_ABSOLUTE
								: UNIT_OF_ALL;
}

/* The bits of struct reaction that an action stands for where the view leaves it to us. */
static struct reaction app_default_reaction(enum action action)
{
	struct reaction reaction = {.sample = -1};
	if (action == ACT_CLOCK)
		reaction.want = WANT_CLOCK;
	else if (action == ACT_SERIES)
		reaction.want = WANT_SERIES;
	else if (action == ACT_UNIT)
		reaction.want = WANT_UNIT;
	else if (action == ACT_TYPE)
		reaction.want = WANT_TYPE;
	else if (action == ACT_NAMES)
		reaction.want = WANT_NAMES;
	if (action == ACT_TO_TIMELINE) {
		reaction.want = WANT_VIEW;
		reaction.view = "timeline";
	}
	return reaction;
}

static void app_react(struct app *app, const struct reaction *reaction)
{
	if (reaction->notice)
		app_notice(app, reaction->notice);
	if (reaction->want & WANT_CLOCK)
		app_flip_clock(app);
	if (reaction->want & WANT_SERIES)
		app_next_series(app);
	if (reaction->want & WANT_UNIT)
		app_next_unit(app);
	if (reaction->want & WANT_TYPE)
		app_next_type(app);
	if (reaction->want & WANT_NAMES)
		app->context.full_names = !app->context.full_names;
	if (!(reaction->want & WANT_VIEW) || !reaction->view)
		return;
	const unsigned view = app_find_view(reaction->view);
	struct place place = {reaction->node, reaction->row, reaction->sample};
	if (place.row == 0 && place.node != 0)
		place.row = app->context.tree->row[place.node];
	if (view < VIEW_COUNT)
		app_go_to_view(app, view, place.row != 0 || place.sample >= 0 ? &place : NULL);
}

static void app_act_in_view(struct app *app, enum action action)
{
	if (!app->context.tree)
		return;
	struct reaction reaction =
		app_view(app)->act(app->state[app->view], &app->context, action, app_body(app));
	if (!reaction.handled && !reaction.notice)
		reaction = app_default_reaction(action);
	app_react(app, &reaction);
}

/* ---- keys --------------------------------------------------------------------- */

static void app_scroll_help(struct app *app, enum action action)
{
	const int page = help_page_rows(app_body(app));
	switch (action) {
	case ACT_UP:
		app->help_scroll--;
		break;
	case ACT_DOWN:
		app->help_scroll++;
		break;
	case ACT_HALF_UP:
		app->help_scroll -= page / 2;
		break;
	case ACT_HALF_DOWN:
		app->help_scroll += page / 2;
		break;
	case ACT_PAGE_UP:
		app->help_scroll -= page;
		break;
	case ACT_PAGE_DOWN:
		app->help_scroll += page;
		break;
	case ACT_FIRST:
		app->help_scroll = 0;
		break;
	case ACT_LAST:
		app->help_scroll = INT32_MAX / 2; /* drawing puts it right */
		break;
	default:
		break;
	}
}

static void app_back(struct app *app)
{
	if (app->help_open)
		app->help_open = false;
	else if (app->history_count > 0)
		app_open_view(app, app->history[--app->history_count], NULL);
	else
		app->quit = true;
}

/* Actions that are the same in every view; false: it is not one of them. */
static bool app_act(struct app *app, enum action action)
{
	switch (action) {
	case ACT_HELP:
		app->help_open = true;
		app->help_scroll = 0;
		return true;
	case ACT_BACK:
		app_back(app);
		return true;
	case ACT_QUIT:
		app->quit = true;
		return true;
	case ACT_REDRAW:
		app->redraw_all = true;
		return true;
	case ACT_SUSPEND:
		app->suspend = true;
		return true;
	case ACT_VIEW_NEXT:
		app_go_to_view(app, (app->view + 1) % VIEW_COUNT, NULL);
		return true;
	case ACT_VIEW_PREVIOUS:
		app_go_to_view(app, (app->view + VIEW_COUNT - 1) % VIEW_COUNT, NULL);
		return true;
	case ACT_VIEW_1:
	case ACT_VIEW_2:
	case ACT_VIEW_3:
	case ACT_VIEW_4:
		app_go_to_view(app, (unsigned)(action - ACT_VIEW_1), NULL);
		return true;
	default:
		return false;
	}
}

void app_key(struct app *app, uint32_t key)
{
	const bool had_notice = app->notice[0] != '\0';
	if (key == KEY_RESIZED || key == KEY_NONE)
		return;
	app->notice[0] = '\0';
	app_note_entry(app);
	const enum action action = key_action(key, app->help_open ? IN_HELP : app_view(app)->where);
	if (action == ACT_NONE || app_act(app, action))
		return;
	if (app->help_open)
		app_scroll_help(app, action);
	else if (action == ACT_CANCEL && app->is_loading)
		app->cancel = true;
	else if (action != ACT_CANCEL || !had_notice) /* Esc takes away the smallest thing */
		app_act_in_view(app, action);
}

/* ---- drawing ------------------------------------------------------------------ */

static void app_draw_help(struct app *app, struct box body)
{
	struct text explanation = {0};
	char title[40];
	if (app->context.tree && app_view(app)->explain)
		app_view(app)->explain(app->state[app->view], &app->context, &explanation);
	snprintf(title, sizeof title, "Help: %s", app_view(app)->tab);
	help_draw(&app->canvas, body, title, explanation.data ? explanation.data : "",
		app_view(app)->where, &app->help_scroll);
	text_free(&explanation);
}

void app_draw(struct app *app, int width, int height)
{
	canvas_resize(&app->canvas, width, height);
	if (width < SMALLEST_WIDTH || height < SMALLEST_HEIGHT) {
		chrome_draw_too_small(&app->canvas);
		return;
	}
	const struct box body = chrome_body(width, height);
	if (app->context.tree)
		app_view(app)->draw(app->state[app->view], &app->context, &app->canvas, body);
	else
		chrome_draw_waiting(app, body);
	chrome_draw(app);
	if (app->help_open)
		app_draw_help(app, body);
}
