/* SPDX-License-Identifier: MIT */
#include "app/growth.h"

#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/places.h"
#include "derive/series.h"

/* What waits: the series, and what was chosen in it. */
static void growth_park(struct app *app, struct profile *series, char *from, char *to)
{
	struct waiting_series *waiting = &app->waiting;
	waiting->profile = series;
	waiting->from = from;
	waiting->to = to;
	waiting->name = app->name;
	waiting->history_count = app->history_count;
}

static void growth_add_name(const struct app *app, const struct profile *series, size_t from,
	size_t to, struct text *out)
{
	const char *names[] = {series->snapshots[to].name, series->snapshots[from].name};
	for (size_t i = 0; i < 2; i++) {
		const char *slash = strrchr(names[i], '/');
		const char *name = slash && slash[1] ? slash + 1 : names[i];
		text_puts(out, i > 0 ? " against " : "");
		text_clean(out, name, strlen(name), app->context.ascii);
	}
}

void growth_open(struct app *app, const struct reaction *reaction)
{
	struct restrictions *all = &app->restrictions;
	/* As it was read: labels that are frames become frames again when it is shown. */
	struct profile *series = app->plain ? app->plain : app->owned;
	struct profile *shown = app->plain ? app->owned : NULL;
	struct vp_error err = {.offset = -1};
	if (!series || !series->snapshots)
		return;
	struct profile *growth =
		series_growth(series, (size_t)reaction->first, (size_t)reaction->last, &err);
	char *from = all->from, *to = all->to;
	all->from = all->to = NULL; /* a difference has no time */
	app->owned = shown;
	app->plain = NULL;
	if (!growth || !app_show(app, growth, false, &err)) {
		app->owned = shown ? shown : series;
		app->plain = shown ? series : NULL;
		all->from = from;
		all->to = to;
		app_notice(app, "%s", err.message);
		return;
	}
	growth_park(app, series, from, to);
	text_clear(&app->waiting.growth_name);
	growth_add_name(app, series, (size_t)reaction->first, (size_t)reaction->last,
		&app->waiting.growth_name);
	app->name = app->waiting.growth_name.data;
	place_go_to_view(app, place_find_view("flame"), NULL);
	app_notice(app, "What grew between the two snapshots; q goes back to the series");
}

/* Types of a part of the difference are not there in the series. */
static void growth_restore_type(struct app *app)
{
	const char *colon = strchr(app->own_type, ':');
	if (colon)
		memmove(app->own_type, colon + 1, strlen(colon + 1) + 1);
}

bool growth_close(struct app *app)
{
	struct waiting_series *waiting = &app->waiting;
	struct profile *series = waiting->profile;
	struct vp_error err = {.offset = -1};
	if (!series || app->history_count > waiting->history_count + 1)
		return false;
	char *from = waiting->from, *to = waiting->to;
	const char *name = waiting->name;
	waiting->profile = NULL;
	waiting->from = waiting->to = NULL;
	free(app->restrictions.from);
	free(app->restrictions.to);
	app->restrictions.from = from;
	app->restrictions.to = to;
	growth_restore_type(app);
	if (!app_show(
		    app, series, false, &err)) { /* it was freed, and there is no other way back */
		app_notice(app, "%s", err.message);
		return true;
	}
	app->name = name;
	place_go_back(app);
	return true;
}

void growth_forget(struct app *app)
{
	struct waiting_series *waiting = &app->waiting;
	profile_free(waiting->profile);
	free(waiting->from);
	free(waiting->to);
	waiting->profile = NULL;
	waiting->from = waiting->to = NULL;
}
