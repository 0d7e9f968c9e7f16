/* SPDX-License-Identifier: MIT */
#include "app/places.h"

#include <stdlib.h>
#include <string.h>

#include "view/common.h"

/* What a view has selected. */
static struct place place_of_view(const struct app *app, unsigned view)
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

struct place app_current(const struct app *app)
{
	struct place own = place_of_view(app, app->view);
	if (own.row == 0 && own.sample < 0)
		own = app->place;
	return own;
}

void place_note_entry(struct app *app)
{
	if (!app->has_entry)
		app->entry = place_of_view(app, app->view);
	app->has_entry = true;
}

void place_note_selection(struct app *app)
{
	const struct place own = place_of_view(app, app->view), *entry = &app->entry;
	if (own.row != 0 && (own.row != entry->row || own.node != entry->node)) {
		app->place.node = own.node;
		app->place.row = own.row;
	}
	if (own.sample >= 0 && own.sample != entry->sample)
		app->place.sample = own.sample;
}

void place_select(struct app *app, const struct place *place)
{
	if (app->context.tree && (place->node != 0 || place->row != 0 || place->sample >= 0))
		app_view(app)->select(app->state[app->view], &app->context, place->node, place->row,
			place->sample);
}

void place_carry(struct app *app, const struct calltree *before, const struct calltree *after)
{
	struct place *place = &app->place;
	const uint32_t row = place->row;
	place->node = place->row = 0;
	app->has_entry = false;
	if (row == 0)
		return;
	const uint64_t hash = common_row_hash(before, row);
	for (uint32_t i = 1; i < after->row_count && place->row == 0; i++)
		if (common_row_hash(after, i) == hash)
			place->row = i;
}

unsigned place_find_view(const char *name)
{
	unsigned i = 0;
	while (i < VIEW_COUNT && strcmp(view_table[i]->name, name) != 0)
		i++;
	return i;
}

/* A view that has this selected already keeps its own frame of it, and its zoom. */
static bool place_is_selected(const struct place *own, const struct place *place)
{
	if (place->row != 0 && own->row != place->row)
		return false;
	if (own->sample >= 0)
		return place->sample < 0 || own->sample == place->sample;
	return place->row != 0 || place->sample < 0;
}

static void place_open_view(struct app *app, unsigned view, const struct place *place)
{
	place_note_selection(app);
	app->view = view;
	app->has_entry = false;
	if (place) {
		app->place = *place;
		place_select(app, place);
		return;
	}
	const struct place own = place_of_view(app, view);
	if (!place_is_selected(&own, &app->place))
		place_select(app, &app->place);
}

/* Each view is in the history once, so that q comes to an end. */
void place_go_to_view(struct app *app, unsigned view, const struct place *place)
{
	unsigned kept = 0;
	if (view == app->view) {
		if (place)
			place_select(app, place);
		return;
	}
	for (unsigned i = 0; i < app->history_count; i++)
		if (app->history[i] != view && app->history[i] != app->view)
			app->history[kept++] = app->history[i];
	app->history[kept++] = app->view;
	app->history_count = kept;
	place_open_view(app, view, place);
}

bool place_go_back(struct app *app)
{
	if (app->history_count == 0)
		return false;
	place_open_view(app, app->history[--app->history_count], NULL);
	return true;
}

void place_open_at(struct app *app, int64_t sample)
{
	const struct place place = {.sample = sample};
	place_open_view(app, place_find_view("timeline"), &place);
}

bool place_open_function(
	struct app *app, const char *pattern, bool is_view_given, struct vp_error *err)
{
	const struct calltree *tree = app->context.tree;
	size_t match_count, count;
	uint32_t *matches = rows_matching(tree, pattern, &match_count, err);
	if (!matches)
		return false;
	struct function_row *rows = functions_build(tree, SORT_CUM, &count);
	struct place place = {.sample = -1};
	for (size_t i = 0; i < count && place.row == 0; i++)
		for (size_t k = 0; k < match_count && place.row == 0; k++)
			if (matches[k] == rows[i].row)
				place.row = rows[i].row;
	free(rows);
	free(matches);
	if (place.row == 0)
		return error_set(err, ERROR_USAGE, -1, "no function here matches '%.60s'", pattern);
	place_open_view(app, is_view_given ? app->view : place_find_view("callers"), &place);
	return true;
}
