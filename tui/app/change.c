/* SPDX-License-Identifier: MIT */
#include "app/change.h"

#include <stdio.h>

#include "app/app.h"

void change_forget(struct app *app)
{
	struct view_context *context = &app->context;
	calltree_free(context->base);
	calltree_free(context->newer);
	calltree_free(context->change);
	context->base = context->newer = context->change = NULL;
}

static struct calltree *change_part(const struct app *app, enum value_part part)
{
	const struct view_context *context = &app->context;
	return calltree_recount(
		context->tree, profile_type_of_part(context->profile, context->query.type, part));
}

void change_refresh(struct app *app)
{
	change_forget(app);
	if (!app->context.tree || app->context.profile->difference == DIFFERENCE_NONE)
		return;
	app->context.base = change_part(app, PART_BASE);
	app->context.newer = change_part(app, PART_NEW);
	app->context.change = change_part(app, PART_DELTA);
}

void change_next_part(struct app *app)
{
	const struct view_context *context = &app->context;
	const struct profile *profile = context->profile;
	if (!context->tree || profile->difference == DIFFERENCE_NONE) {
		app_notice(app, "x flips between two profiles that are compared (--base)");
		return;
	}
	const enum value_part now = profile->types[context->query.type].part;
	const enum value_part next = now == PART_DELTA  ? PART_BASE
				     : now == PART_BASE ? PART_NEW
							: PART_DELTA;
	app_set_type(app, profile_type_of_part(profile, context->query.type, next));
}
