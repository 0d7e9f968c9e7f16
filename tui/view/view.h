/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_H
#define VPTOP_TUI_VIEW_H

#include "catalog/catalog.h"
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

/* What the user searches for; made by the app, once for each tree and text. */
struct search {
	const char *text;    /* as typed, cleaned, for words on the screen */
	const uint8_t *hits; /* [tree->row_count]: 1: name, file or module match */
	uint32_t row_count;  /* how many do */
	int64_t total;       /* what they have in all: a stack with several counts once */
};

/* What all views share. Views read it; only the app writes it. */
struct view_context {
	const struct profile *profile;
	/* Time window, thread, filters, value type. first..last is the window that the user marked
	 * or typed; the timeline shows the whole run all the same, with the window marked. */
	struct query query;
	struct calltree *tree; /* of `query`; NULL while nothing can be shown */
	/* In a difference: the same tree counted for the base, for the new profile and for the
	 * change between them; NULL elsewhere. */
	struct calltree *base, *newer, *change;
	struct pyramid *pyramid;
	struct clock clock;
	bool is_absolute; /* time axis: clock time, not time since the start */
	enum chart_series series;
	/* The profiles of a folder, and which of them are to be seen; NULL: none is known so far.
	 */
	const struct catalog *catalog;
	const struct catalog_filter *catalog_filter;
	const char *folder; /* its path, NULL: there is none; the catalog may come later */
	const char *path;   /* of the profile that is open; NULL: none, or it has no path */
	bool is_loading;    /* the profile is a part or a preview of what is being read */
	bool ascii, no_eighths, full_names;
	enum { UNIT_OF_ALL, UNIT_OF_ZOOM, UNIT_ABSOLUTE } unit;
	const struct search *search; /* NULL: none. Its hits are of `tree` */
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
	WANT_NAMES = 64,
	WANT_WINDOW = 128,    /* the time window is samples [first, last) */
	WANT_OPEN = 256,      /* open the profiles `files` of the catalog, together */
	WANT_DIFF = 512,      /* open files[1] as the change from files[0] */
	WANT_FOLDER = 1024,   /* show the folder above */
	WANT_FILTER = 2048,   /* set `filter` to `text`, or add it to what is left out by it */
	WANT_TAG_ROOT = 4096, /* the values of the label `text` are the outermost frames ... */
	WANT_TAG_LEAF = 8192, /* ... or the innermost ones */
	WANT_UNDO = 16384,    /* take away the restriction that came last */
	WANT_GROWTH = 32768   /* what grew from snapshot `first` to snapshot `last` of a series */
};

struct reaction {
	unsigned want;
	bool handled;       /* false: the app may do something of its own with the key */
	const char *view;   /* "flame", "timeline", "top", "summary", "callers" */
	uint32_t node, row; /* 0: none */
	int64_t sample;     /* -1: none */
	uint64_t first, last;
	/* Entries of the catalog: of WANT_OPEN and WANT_DIFF; else the one that is selected, whose
	 * facts come first. Valid until the view's next call. */
	const uint32_t *files;
	size_t file_count;
	enum filter_kind filter;
	const char *text;   /* valid until the view's next call */
	const char *notice; /* one line for the user, NULL: none; constant text */
};

/* Where a search goes from what is selected. */
enum find {
	FIND_HERE, /* the first hit that comes, the selected thing itself included */
	FIND_FORWARD,
	FIND_BACKWARD
};
enum found { FOUND_NOTHING, FOUND, FOUND_WRAPPED };

struct view {
	const char *name;  /* "summary", "flame", "timeline", "top", "callers" */
	const char *tab;   /* "Summary" */
	unsigned digit;    /* the key that opens it, 1..8, which the tab shows */
	unsigned where;    /* its IN_ bit */
	bool is_of_folder; /* it shows the catalog, and is there without a profile, too */
	/* Whether there is anything to see in it: else it has no tab. NULL: always. */
	bool (*is_useful)(const struct view_context *context);
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

	/* The rest may be NULL: this view cannot do it. */

	/* Selects a hit of context->search, in the order of the screen, beyond its ends from the
	 * other end on. What is selected stays where there is none. */
	enum found (*find)(
		void *state, const struct view_context *context, struct box area, enum find where);
	/* The same in a view whose rows are no functions: selects a row that matches a pattern; "":
	 * nothing is searched for any more. FOUND_NOTHING and *err (ERROR_USAGE) for a bad one;
	 * *err is not touched where just nothing is found. */
	enum found (*find_text)(void *state, const struct view_context *context, struct box area,
		const char *pattern, enum find where, struct vp_error *err);
	/* Notes where the user is, and goes back there: a search that is typed looks from there at
	 * every letter, and Esc ends there. The tree is the same one in between. */
	void (*keep)(void *state);
	void (*restore)(void *state, const struct view_context *context);
	/* The mouse did something inside `area`: POINTER_PRESS selects what stands there, wheels
	 * scroll. For POINTER_DOUBLE the app acts ACT_IN after the press, for POINTER_RIGHT
	 * ACT_OUT: they do not come here. */
	struct reaction (*point)(void *state, const struct view_context *context, struct box area,
		const struct pointer *pointer);
	/* Shows only rows whose name, file or module match a pattern, "": all of them. False and
	 * *err (ERROR_USAGE) for a bad one; then nothing changes. */
	bool (*narrow)(void *state, const struct view_context *context, const char *pattern,
		struct vp_error *err);
	/* The row that the whole picture is about, 0: none. */
	uint32_t (*subject)(void *state, const struct view_context *context);
	/* In a word, what the view's own setting is that an action (ACT_COLOUR, ACT_ORDER,
	 * ACT_INVERT, ACT_SORT_NEXT) changes; constant text. */
	const char *(*setting)(void *state, enum action action);
	/* The path of the file or folder that is selected, NULL: none. */
	const char *(*path)(const void *state, const struct view_context *context);
	/* Selects line `line` (from 1) of a table, the last one where there are fewer. */
	void (*go_to_line)(void *state, const struct view_context *context, uint64_t line);
};

extern const struct view view_files, view_labels;
extern const struct view view_summary, view_flame, view_timeline, view_top, view_callers;
extern const struct view *const view_table[]; /* NULL-ended, by digit */

#endif
