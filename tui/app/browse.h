/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_BROWSE_H
#define VPTOP_TUI_BROWSE_H

#include "catalog/catalog.h"
#include "derive/open.h"
#include "view/view.h"

/*
 * The folder whose profiles the view Files shows, and opening one of them in place of the profile
 * that is shown. Keys only ask for it: the screen's loop, or a script, has it done between keys.
 */

struct app;

/* The profiles that one of the list was opened as; owns all texts. */
struct opened;

struct browser {
	char *folder;            /* NULL: there is none */
	struct catalog *catalog; /* of it; NULL as long as nobody has looked */
	struct catalog_options options;
	struct catalog_filter filter;
	const char *project; /* what filter.project was made from; NULL: none */
	char **trail;        /* [trail_count]: folders that were left for the one above */
	size_t trail_count, trail_capacity;
	enum { FOLDER_STAYS, FOLDER_AGAIN, FOLDER_ABOVE, FOLDER_BACK, FOLDER_HIDDEN } wish;
	struct opened *asked;   /* to be opened; NULL: none */
	struct opened *opening; /* being loaded */
	struct opened *opened;  /* shown; NULL: what the command line named is */
	int64_t drawn_ns;       /* when the list was last drawn, by the clock of the loop */
	bool has_arrived;       /* a picture of `opening` is shown */
};

/* The folder to show; it is looked into when the view is first on the screen. */
void browse_set_folder(struct app *app, const char *folder);
void browse_free(struct browser *browser);

/* Wishes of the view. */
void browse_react(struct app *app, const struct reaction *reaction);
/* ACT_RELOAD and ACT_HIDDEN; false: not one of them. */
bool browse_act(struct app *app, enum action action);
/* Back to the folder that was left for the one above; false: there is none. */
bool browse_go_back(struct app *app);

/* Whether browse_step has something to do: only while the list is on the screen. */
bool browse_has_work(const struct app *app);
/* Reads on in the folder for about `budget_ns`; false when all is read. */
bool browse_step(struct app *app, int64_t budget_ns);

/* Whether a progress callback of catalog_options.load is to stop what it loads. */
bool browse_must_stop(const struct app *app);

/*
 * Opens what was asked for: `load` loads it and calls app_show. Where that fails a notice says why,
 * and what was shown before is shown still.
 */
typedef bool (*browse_loader)(
	struct app *app, const struct open_options *options, void *context, struct vp_error *err);
void browse_open(struct app *app, browse_loader load, void *context);
/* For app_show: the profile that is being opened is shown from now on. */
void browse_arrive(struct app *app);

/* "a.pb.gz", "3 profiles: a, b, c", "x.pb.gz (new) against x.pb.gz (old)", cleaned. */
void browse_add_name(const struct open_options *open, bool ascii, struct text *out);

/* Whether a view has something to show: a profile, or a folder. */
bool browse_can_show(const struct app *app, const struct view *view);

#endif
