/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_APP_H
#define VPTOP_TUI_APP_H

#include "kit/canvas.h"
#include "report/report.h"
#include "view/view.h"

/*
 * The state of the program and its one step: a key goes in, state changes, a canvas is drawn. It
 * knows no curses, so tests drive it without a terminal.
 */

enum { VIEW_COUNT = 4 };

/* Below this size nothing but a message is drawn. */
enum { SMALLEST_WIDTH = 40, SMALLEST_HEIGHT = 10 };

/* What is selected, in numbers of the call tree and profile that are shown. */
struct place {
	uint32_t node, row; /* a frame, a function; 0: none */
	int64_t sample;     /* -1: none */
};

struct app {
	struct view_context context;
	const char *name;          /* of the profile, cleaned, for the title */
	const char *type, *thread; /* --type and --thread as typed, NULL: not given */
	char own_type[32];         /* name of the value type that the user changed to, "": none */
	bool flipped_clock;        /* the user wants the other time axis than the options say */
	void *state[VIEW_COUNT];
	unsigned view;                       /* index into view_table */
	unsigned history[32], history_count; /* views one came from, each of them once */
	struct place place;                  /* what the user selected last; goes along */
	struct place entry;                  /* what the view had selected before its first key */
	bool has_entry;
	struct canvas canvas;
	bool help_open;
	int help_scroll;
	char notice[160]; /* shown until the next key */
	bool is_loading, quit, cancel, redraw_all, suspend;
	bool is_partial;      /* the user stopped the loading */
	uint64_t done, total; /* of loading, bytes */
	uint64_t samples_read;
	struct profile *owned; /* the profile shown */
	struct report_options options;
};

/*
 * Options give the filters, granularity, clock, time axis and series; `view`: name of the first
 * view or NULL. What the strings point at must outlive the app.
 */
void app_init(struct app *app, const struct report_options *options, const char *name,
	const char *view, bool no_eighths);
void app_free(struct app *app);

/*
 * Shows a profile (owned by the app from now on, also on failure), keeping the view and the value
 * type; views find their own selection again, by names. `is_loading`: a part or preview of one that
 * is still being read, in which what the options ask for may be missing. False and *err
 * (ERROR_USAGE) where the options do not fit it; what was shown before stays.
 */
bool app_show(struct app *app, struct profile *profile, bool is_loading, struct vp_error *err);

/* Opens the timeline at a sample. */
void app_open_at(struct app *app, int64_t sample);

/* One key (enum key or a character). */
void app_key(struct app *app, uint32_t key);

/* Draws everything into app->canvas at the given size. */
void app_draw(struct app *app, int width, int height);

#endif
