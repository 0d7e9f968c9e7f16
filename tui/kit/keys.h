/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_KEYS_H
#define VPTOP_TUI_KEYS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The one table of keys and actions. Key handling, the help screen, the footer and the man page's
 * list are made from it, and a test looks for duplicates.
 */

/* Keys that are not characters. */
enum key {
	KEY_NONE = 0x110000,
	KEY_MOVE_UP,
	KEY_MOVE_DOWN,
	KEY_MOVE_LEFT,
	KEY_MOVE_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FIRST,
	KEY_LAST,
	KEY_RETURN,
	KEY_ESCAPE,
	KEY_ERASE,
	KEY_TAB,
	KEY_TAB_BACK,
	KEY_DELETE,
	KEY_FUNCTION, /* + 1..12 */
	KEY_RESIZED = KEY_FUNCTION + 13,
	KEY_POINTER,    /* the mouse: term_pointer() says what it did */
	KEY_PASTE,      /* pasted text follows, as characters ... */
	KEY_PASTE_DONE, /* ... until here */
	KEY_CLOSED      /* the terminal is gone */
};

/* What the mouse did. */
enum pointer_kind {
	POINTER_PRESS,  /* the left button */
	POINTER_DOUBLE, /* the second of two quick presses; the first one came as POINTER_PRESS */
	POINTER_RIGHT,
	POINTER_DRAG,    /* moved with the left button held */
	POINTER_RELEASE, /* of the left button */
	POINTER_WHEEL_UP,
	POINTER_WHEEL_DOWN,
	POINTER_WHEEL_LEFT, /* also Shift and the wheel */
	POINTER_WHEEL_RIGHT
};

struct pointer {
	enum pointer_kind kind;
	int x, y; /* cell of the canvas */
};

#define KEY_CTRL(letter) ((letter)&0x1f)

enum action {
	ACT_NONE,
	ACT_UP,
	ACT_DOWN,
	ACT_LEFT,
	ACT_RIGHT,
	ACT_PAGE_UP,
	ACT_PAGE_DOWN,
	ACT_HALF_UP,
	ACT_HALF_DOWN,
	ACT_FIRST,
	ACT_LAST,
	ACT_ROW_FIRST,
	ACT_ROW_LAST,
	ACT_SCROLL_UP,
	ACT_SCROLL_DOWN,
	ACT_IN,
	ACT_OUT,
	ACT_RESET,
	ACT_NEXT_SECTION,
	ACT_PREVIOUS_SECTION,
	ACT_PEAK_NEXT,
	ACT_PEAK_PREVIOUS,
	ACT_PEAK_HIGHEST,
	ACT_SERIES,
	ACT_CLOCK,
	ACT_UNIT,
	ACT_COLOUR,
	ACT_INVERT,
	ACT_ORDER,
	ACT_NAMES,
	ACT_TYPE,
	ACT_PART,
	ACT_MARK,
	ACT_PAN_LEFT,
	ACT_PAN_RIGHT,
	ACT_FOLD,
	ACT_DIFF,
	ACT_MERGE,
	ACT_HIDDEN,
	ACT_LABEL_IGNORE,
	ACT_LABEL_ROOT,
	ACT_LABEL_LEAF,
	ACT_UNFOLD_ALL,
	ACT_FOLD_ALL,
	ACT_BOTTOM_UP,
	ACT_FLAMES,
	ACT_SORT_NEXT,
	ACT_SORT_PREVIOUS,
	ACT_REVERSE,
	ACT_VIEW_1,
	ACT_VIEW_2,
	ACT_VIEW_3,
	ACT_VIEW_4,
	ACT_VIEW_5,
	ACT_VIEW_6,
	ACT_VIEW_7,
	ACT_VIEW_8,
	ACT_VIEW_NEXT,
	ACT_VIEW_PREVIOUS,
	ACT_TO_TIMELINE,
	ACT_TO_CALLERS,
	ACT_SEARCH,
	ACT_HIT_NEXT,
	ACT_HIT_PREVIOUS,
	ACT_SAME_NAME,
	ACT_FILTER,
	ACT_GO_TO,
	ACT_THREAD,
	ACT_MENU,
	ACT_SETTINGS,
	ACT_YANK,
	ACT_COPY,
	ACT_WRITE,
	ACT_EXPORT,
	ACT_SOURCE,
	ACT_MOUSE,
	ACT_RELOAD,
	ACT_TOUR,
	ACT_TOUR_NEXT,
	ACT_TOUR_BACK,
	ACT_CLEAR,
	ACT_HELP,
	ACT_REDRAW,
	ACT_SUSPEND,
	ACT_BACK,
	ACT_CANCEL,
	ACT_QUIT,
	ACT_COUNT
};

/* Where a key is valid: bits; the names of views as in view.h. */
enum {
	IN_SUMMARY = 1,
	IN_FLAME = 2,
	IN_TIMELINE = 4,
	IN_TOP = 8,
	IN_CALLERS = 16,
	IN_PAGE = 32,  /* text over a view: help, names to copy, the tour */
	IN_TOUR = 128, /* a page of the tour */
	IN_FILES = 256,
	IN_LABELS = 512,
	IN_SERIES = 1024, /* the timeline of a series of snapshots */
	IN_LIST = 64,     /* a list over a view: menu, settings, threads */
	IN_TABLES = IN_SUMMARY | IN_TOP | IN_CALLERS,
	IN_PROFILE =
		IN_SUMMARY | IN_FLAME | IN_TIMELINE | IN_TOP | IN_CALLERS | IN_LABELS | IN_SERIES,
	IN_ALL = IN_PROFILE | IN_FILES
};

struct key_binding {
	uint32_t keys[4]; /* 0-ended unless full */
	enum action action;
	unsigned where;
	const char *label;  /* the keys as help prints them: "j k, arrows" (NULL: no line of its own
			       in help) */
	const char *text;   /* what it does, in this group */
	const char *group;  /* heading in help: "MOVE", "ZOOM", "FIND", "VIEWS", "TIME",
				  "TABLE", "LOOK", "OTHER" */
	const char *footer; /* short word in the footer, NULL: not there */
};

extern const struct key_binding key_table[];
extern const size_t key_table_size;

/* The action of a key in a view (one IN_ bit), ACT_NONE where it has none. */
enum action key_action(uint32_t key, unsigned where);

#endif
