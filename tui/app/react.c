/* SPDX-License-Identifier: MIT */
/* What views want done, and the changes that settings make, too. */
#include <stdio.h>

#include "app/app.h"
#include "app/change.h"
#include "app/growth.h"
#include "app/label_menu.h"
#include "app/places.h"
#include "view/common.h"

bool app_set_type(struct app *app, unsigned type)
{
	struct view_context *context = &app->context;
	const struct value_type *wished = &context->profile->types[type];
	struct query query = context->query;
	struct vp_error err;
	char all[UNIT_SIZE];
	query.type = type;
	if (!calltree_count(context->tree, &query, &err)) {
		app_notice(app, "%s", err.message);
		return false;
	}
	context->query = query;
	change_refresh(app);
	search_refresh(app);
	snprintf(app->own_type, sizeof app->own_type, "%s", wished->name);
	if (wished->part == PART_DELTA)
		app_notice(app, "counting the change of %s: %s", wished->name,
			common_value(all, context->tree, context->tree->total[0]));
	else
		app_notice(app, "counting %s: %s in all", wished->name,
			common_value(all, context->tree, context->tree->all));
	return true;
}

void app_next_type(struct app *app, int step)
{
	const struct view_context *context = &app->context;
	const struct profile *profile = context->profile;
	const unsigned now = context->query.type;
	for (unsigned i = 1; i < profile->type_count; i++) {
		const unsigned away = step > 0 ? i : profile->type_count - i;
		const unsigned next = (now + away) % profile->type_count;
		if (profile->types[next].kind == VALUE_GAUGE ||
			profile->types[next].part != profile->types[now].part)
			continue;
		app_set_type(app, next);
		return;
	}
	app_notice(app, "this profile has one value that can be added up");
}

void app_flip_clock(struct app *app)
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

void app_next_series(struct app *app)
{
	app->context.series = app->context.series == SERIES_MAX    ? SERIES_MEAN
			      : app->context.series == SERIES_MEAN ? SERIES_BOTH
								   : SERIES_MAX;
}

void app_next_unit(struct app *app)
{
	app->context.unit = app->context.unit == UNIT_OF_ALL    ? UNIT_OF_ZOOM
			    : app->context.unit == UNIT_OF_ZOOM ? UNIT_ABSOLUTE
								: UNIT_OF_ALL;
}

struct reaction app_default_reaction(enum action action)
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
	if (action == ACT_TO_TIMELINE || action == ACT_TO_CALLERS) {
		reaction.want = WANT_VIEW;
		reaction.view = action == ACT_TO_TIMELINE ? "timeline" : "callers";
	}
	return reaction;
}

static void app_take_window(struct app *app, const struct reaction *reaction)
{
	struct vp_error err;
	struct text window = {0};
	if (!restrict_samples(app, reaction->first, reaction->last, &err)) {
		app_notice(app, "%s", err.message);
		return;
	}
	restrict_describe(app, RESTRICT_WINDOW, &window);
	if (window.length > 0)
		app_notice(app, "All views show %s now; Esc takes it away", window.data);
	text_free(&window);
}

void app_react(struct app *app, const struct reaction *reaction)
{
	if (reaction->notice)
		app_notice(app, "%s", reaction->notice);
	if (reaction->want & WANT_WINDOW)
		app_take_window(app, reaction);
	if (reaction->want & WANT_CLOCK)
		app_flip_clock(app);
	if (reaction->want & WANT_SERIES)
		app_next_series(app);
	if (reaction->want & WANT_UNIT)
		app_next_unit(app);
	if (reaction->want & WANT_TYPE)
		app_next_type(app, 1);
	if (reaction->want & WANT_NAMES)
		app->context.full_names = !app->context.full_names;
	browse_react(app, reaction);
	label_menu_react(app, reaction);
	if (reaction->want & WANT_GROWTH)
		growth_open(app, reaction);
	if (!(reaction->want & WANT_VIEW) || !reaction->view)
		return;
	const unsigned view = place_find_view(reaction->view);
	struct place place = {reaction->node, reaction->row, reaction->sample};
	if (place.row == 0 && place.node != 0)
		place.row = app->context.tree->row[place.node];
	if (view < VIEW_COUNT)
		place_go_to_view(app, view, place.row != 0 || place.sample >= 0 ? &place : NULL);
}
