/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_H
#define VPTOP_TUI_VIEW_H

#include "kit/canvas.h"
#include "kit/keys.h"
#include "layout/chart.h"
#include "layout/flame.h"
#include "query/query.h"
#include "query/timeline.h"

/*
 * A view is a constant struct in a file of its own, and one line in the table of views. It draws
 * from the context (shared by all views, owned by the app) and its own state, and says what it
 * wants done; it never calls the app or another view.
 */

/* What all views share. Views read it; only the app writes it. */
struct view_context {
	const struct profile *profile;
	struct query query;    /* time window, thread, filters, value type */
	struct calltree *tree; /* of `query`; NULL while nothing can be shown */
	struct pyramid *pyramid;
	struct clock clock;
	bool is_absolute; /* time axis: clock time, not time since the start */
	enum chart_series series;
	bool is_loading; /* the profile is a part or a preview of what is being read */
	bool ascii, no_eighths, full_names;
	enum { UNIT_OF_ALL, UNIT_OF_ZOOM, UNIT_ABSOLUTE } unit;
	unsigned generation; /* changes whenever profile or tree are others: forget node and row
				numbers */
};

/* What a view wants done after an action: bits. */
enum {
	WANT_REDRAW = 1,
	WANT_VIEW = 2,   /* open `view` with `node`, `row` or `sample` selected */
	WANT_CLOCK = 4,  /* flip absolute/relative */
	WANT_SERIES = 8, /* next of max, mean, both */
	WANT_UNIT = 16,
	WANT_TYPE = 32, /* next additive value type */
	WANT_NAMES = 64
};

struct reaction {
	unsigned want;
	bool handled;       /* false: the app may do something of its own with the key */
	const char *view;   /* "flame", "timeline", "top", "summary" */
	uint32_t node, row; /* 0: none */
	int64_t sample;     /* -1: none */
	const char *notice; /* one line for the user, NULL: none; constant text */
};

struct view {
	const char *name;    /* "summary", "flame", "timeline", "top" */
	const char *tab;     /* "Summary" */
	unsigned where;      /* its IN_ bit */
	void *(*open)(void); /* zero-initialised state */
	void (*close)(void *state);
	/* Draws the body into `area`. May fix its own state up (scrolling, stale numbers). */
	void (*draw)(void *state, const struct view_context *context, struct canvas *canvas,
		struct box area);
	struct reaction (*act)(void *state, const struct view_context *context, enum action action,
		struct box area);
	/* Selects what another view points at (see struct reaction); any of them may be none. */
	void (*select)(void *state, const struct view_context *context, uint32_t node, uint32_t row,
		int64_t sample);
	/* Adds the right part of the context line: "zoom 2.6x of 12 360 samples", "sort: self". */
	void (*status)(void *state, const struct view_context *context, struct text *out);
	/* Adds the help page's first part: it explains this very picture in this profile's numbers.
	 */
	void (*explain)(void *state, const struct view_context *context, struct text *out);
	/* What is selected, as `select` takes it, for other views; the function may be NULL. */
	void (*selected)(void *state, const struct view_context *context, uint32_t *node,
		uint32_t *row, int64_t *sample);
};

extern const struct view view_summary, view_flame, view_timeline, view_top;
extern const struct view *const view_table[]; /* NULL-ended; the tab of view_table[i] is i + 1 */

#endif
