/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_LOAD_H
#define VPTOP_TUI_LOAD_H

#include "app/app.h"
#include "derive/open.h"
#include "term.h"

/*
 * Loads a profile into the app. Where that takes longer than a moment, the screen is opened
 * meanwhile and shows the progress and the picture as far as it is known, and keys are handled; so
 * the terminal may be open or not afterwards (term_is_open).
 *
 * False and *err where there is no profile to show. True where there is one: the whole, or, when
 * the user pressed Esc, a part (app->is_partial); also when the user quit (app->quit).
 */
bool load_profile(struct app *app, const struct open_options *options,
	const struct term_options *terminal, struct vp_error *err);

#endif
