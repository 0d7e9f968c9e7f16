/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_PLACES_H
#define VPTOP_TUI_PLACES_H

#include "app/app.h"

/* What is selected, and how it goes along from view to view and back. */

/* What the user has before him: what the view on the screen has selected. */
struct place app_current(const struct app *app);

/* Before the view's first key: what it says later is the user's choice only where it differs. */
void place_note_entry(struct app *app);
/* Takes over what the user selected in the view on the screen. */
void place_note_selection(struct app *app);
void place_select(struct app *app, const struct place *place);
/* The call tree becomes another one: finds the selected function in it again. */
void place_carry(struct app *app, const struct calltree *before, const struct calltree *after);

/* The index of a view by name, VIEW_COUNT where there is none. */
unsigned place_find_view(const char *name);
/*
 * Brings a view onto the screen and remembers where one came from. `place`: what it is to select;
 * NULL: what was selected last.
 */
void place_go_to_view(struct app *app, unsigned view, const struct place *place);
/* Back to the view one came from; false: there is none. */
bool place_go_back(struct app *app);
/*
 * Selects the function that matches a pattern, of several the one with the largest total, and opens
 * it in Callers unless `is_view_given`. False and *err (ERROR_USAGE) for a bad pattern or none that
 * matches.
 */
bool place_open_function(
	struct app *app, const char *pattern, bool is_view_given, struct vp_error *err);
/* Opens the timeline at a sample. */
void place_open_at(struct app *app, int64_t sample);

#endif
