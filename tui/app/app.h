/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_APP_H
#define VPTOP_TUI_APP_H

#include "app/browse.h"
#include "app/prompt.h"
#include "app/restrict.h"
#include "app/search.h"
#include "derive/open.h"
#include "format/format.h"
#include "kit/canvas.h"
#include "kit/list.h"
#include "kit/pager.h"
#include "report/report.h"
#include "view/view.h"

/*
 * The state of the program and its one step: a key goes in, state changes, a canvas is drawn. It
 * knows no curses, so tests drive it without a terminal. Each file of this folder has one part of
 * it.
 */

enum { VIEW_COUNT = 7 };

/* Below this size nothing but a message is drawn. */
enum { SMALLEST_WIDTH = 40, SMALLEST_HEIGHT = 10 };

/* What is selected, in numbers of the call tree and profile that are shown. */
struct place {
	uint32_t node, row; /* a frame, a function; 0: none */
	int64_t sample;     /* -1: none */
};

/* What is drawn over the view, one thing at a time. */
enum overlay { OVERLAY_NONE, OVERLAY_PAGE, OVERLAY_LIST };
enum page { PAGE_HELP, PAGE_YANK, PAGE_TOUR };
enum list_kind { LIST_MENU, LIST_SETTINGS, LIST_THREADS, LIST_EXPORTS };

/* What the screen's loop is to do after a key: nothing that the app, which knows no terminal, can.
 */
struct app_request {
	bool redraw_all, suspend, reload;
	bool flip_mouse;
	struct text copy;   /* for the terminal's clipboard; length 0: nothing */
	struct text source; /* path of a source file to show; length 0: nothing */
	uint32_t source_line;
};

/* A place on the screen that the mouse can press, outside the view; made by chrome_draw. */
struct spot {
	enum { SPOT_TAB, SPOT_CHIP, SPOT_KEY } kind;
	int x, y, width;
	uint32_t value; /* index of the view; enum chip_kind; key */
};
enum { MOST_SPOTS = 64 };

/* A series of snapshots while what grew in it is shown; see growth.h. */
struct waiting_series {
	struct profile *profile; /* NULL: none waits */
	char *from, *to;         /* its time window */
	const char *name;        /* its title */
	unsigned history_count;  /* views one came from, when it was left */
	struct text growth_name; /* the title meanwhile */
};

struct app {
	struct view_context context;
	const char *name;                 /* of the profile, cleaned, for the title */
	const char *path;                 /* of the profile, as typed; NULL in tests */
	const struct load_options *load;  /* how it is read; NULL: as is usual */
	const struct open_options *open;  /* other files beside `path`; NULL: there are none */
	const char *type;                 /* --type as typed, NULL: not given */
	const char *thread;               /* --thread likewise */
	struct browser browser;           /* the folder, and what is opened from it */
	char own_type[96];                /* value type that the user changed to, "": none */
	struct restrictions restrictions; /* what is left out of the pictures */
	bool flipped_clock; /* the user wants the other time axis than the options say */
	bool has_mouse;     /* it is on; the loop keeps this up to date */
	bool is_pasting;
	bool is_narrowed; /* the view on the screen shows some of its rows only */

	void *state[VIEW_COUNT];
	unsigned view;       /* index into view_table */
	unsigned first_view; /* of a profile that is opened from the folder */
	bool picks_view; /* no --view: a graph of calls begins with the callers, which are exact */
	unsigned history[32], history_count; /* views one came from, each of them once */
	struct place place;                  /* what the user selected last; goes along */
	struct place entry;                  /* what the view had selected before its first key */
	bool has_entry;

	struct finder finder; /* what is searched for */
	struct prompt prompt; /* what is being typed */
	enum overlay overlay;
	enum page page;
	struct pager pager; /* what OVERLAY_PAGE shows */
	int tour_step;
	enum list_kind list_kind;
	struct list list; /* what OVERLAY_LIST shows */

	struct canvas canvas;
	struct spot spots[MOST_SPOTS];
	size_t spot_count;
	char notice[160]; /* shown until the next key */

	bool is_loading, quit, cancel;
	struct app_request request;
	bool is_partial;      /* the user stopped the loading */
	uint64_t done, total; /* of loading, bytes */
	uint64_t samples_read;
	struct waiting_series waiting;
	struct profile *owned; /* the profile shown */
	struct profile *plain; /* what it was made of, where labels are frames in it; else NULL */
	int64_t peak_kib;      /* its highest memory, for the title; -1: it has none */
	struct report_options options;
};

/*
 * Options give the filters, window, granularity, clock, time axis and series; `thread`: an id as
 * typed or NULL; `view`: name of the first view or NULL. What the strings point at must outlive the
 * app, and the app must not be moved.
 */
void app_init(struct app *app, const struct report_options *options, const char *name,
	const char *thread, const char *view, bool no_eighths);
void app_free(struct app *app);

/*
 * Shows a profile (owned by the app from now on, also on failure), keeping the view and the value
 * type; views find their own selection again, by names. `is_loading`: a part or preview of one that
 * is still being read, in which what the options ask for may be missing. False and *err
 * (ERROR_USAGE) where the options do not fit it; what was shown before stays.
 */
bool app_show(struct app *app, struct profile *profile, bool is_loading, struct vp_error *err);

/*
 * The profile that is shown, with other labels as frames (restrictions.tag_root, tag_leaf). False
 * and *err where that fails; then nothing changes.
 */
bool app_show_again(struct app *app, struct vp_error *err);

/* One key (enum key or a character). */
void app_key(struct app *app, uint32_t key);

/* An action, as if its key had been pressed. */
void app_act(struct app *app, enum action action);

/* The mouse did something. */
void app_pointer(struct app *app, const struct pointer *pointer);

/* Draws everything into app->canvas at the given size. */
void app_draw(struct app *app, int width, int height);

/* ---- for the files of this folder ------------------------------------------- */

const struct view *app_view(const struct app *app);
struct box app_body(const struct app *app); /* where the view is drawn */
/* The bit of the view on the screen, whatever lies over it. */
unsigned app_view_where(const struct app *app);
unsigned app_where(const struct app *app); /* IN_ bit that keys have their meaning from */
/* Brings a view onto the screen, or says why it cannot be. */
void app_open_view(struct app *app, unsigned view);
/* Whether the view on the screen has something to show and to act on. */
bool app_can_act(const struct app *app);
void app_notice(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Does what a view wants done. */
void app_react(struct app *app, const struct reaction *reaction);
/* The bits of struct reaction that an action stands for where the view leaves it to us. */
struct reaction app_default_reaction(enum action action);
void app_flip_clock(struct app *app);
/* Counts another value type; false, with a notice, where it cannot be. */
bool app_set_type(struct app *app, unsigned type);
void app_next_type(struct app *app, int step);
void app_next_series(struct app *app);
void app_next_unit(struct app *app);

#endif
