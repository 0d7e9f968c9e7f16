/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_CANVAS_H
#define VPTOP_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/*
 * A grid of cells (character, role) that views draw into and tui/term.c copies to the terminal;
 * tests dump it as text. Every function clips; no cell outside is ever touched; text is cleaned by
 * the caller (text_clean) and what is still not printable is drawn as '?'.
 */

/* What a cell is, not what it looks like: the theme decides that. */
enum role {
	ROLE_NORMAL,
	ROLE_TITLE, /* first line */
	ROLE_TAB,
	ROLE_TAB_ACTIVE,
	ROLE_CONTEXT, /* the line of chips below the tabs */
	ROLE_HEADING, /* of a table or section */
	ROLE_RULE,    /* lines between sections, axes */
	ROLE_DIM,
	ROLE_ACCENT,
	ROLE_NUMBER,
	ROLE_BAR,
	ROLE_WARNING,
	ROLE_PREFIX,      /* common prefix of a bin's stacks */
	ROLE_REMAINDER,   /* most common remainder */
	ROLE_MEAN,        /* chart: ink of the mean */
	ROLE_MAX,         /* chart: ink of the max */
	ROLE_MEAN_ON_MAX, /* chart: the mean's top on the max's ink */
	ROLE_FOOTER,
	ROLE_FOOTER_KEY,
	ROLE_OVERLAY, /* help, menus */
	ROLE_OVERLAY_KEY,
	ROLE_OVERLAY_HEADING,
	ROLE_FRAME_GREY, /* flame graph: native, unknown, GC frames */
	ROLE_FRAME_ROOT, /* ancestors of the zoom */
	ROLE_FRAME_TINY, /* aggregates of frames below one cell */
	ROLE_FRAME_CURSOR,
	ROLE_FRAME_MORE, /* flame graph of a difference: what became more; two shades */
	ROLE_FRAME_MORE_TOO,
	ROLE_FRAME_LESS, /* what became less */
	ROLE_FRAME_LESS_TOO,
	ROLE_FRAME_FIRST, /* flame graph: FRAME_HUES hues in two shades follow */
	ROLE_FRAME_LAST = ROLE_FRAME_FIRST + 23,
	ROLE_COUNT
};

enum { FRAME_HUES = 12 };

enum { LOOK_REVERSE = 1, LOOK_BOLD = 2, LOOK_UNDERLINE = 4 };

struct cell {
	uint32_t character; /* 0: the right half of a wide character */
	uint32_t mark;      /* a combining character on it, 0: none */
	uint8_t role, look;
};

struct canvas {
	int width, height;
	struct cell *cells;     /* [height][width] */
	bool ascii;             /* draw with characters below 128 only */
	bool no_eighths;        /* the font has full and shade blocks only */
	int cursor_x, cursor_y; /* where a prompt's cursor stands; -1: hidden */
};

/* A rectangle of the canvas. */
struct box {
	int x, y, width, height;
};

void canvas_resize(struct canvas *canvas, int width, int height); /* and clears */
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);

/* Draws cleaned text from (x, y), cut at x + cells (and at the edges); returns the cells used. */
int canvas_text(struct canvas *canvas, int x, int y, int cells, enum role role, const char *text);
/* The same, right-aligned in `cells`. */
void canvas_text_right(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int cells, enum role role,
	const char *format, ...) __attribute__((format(printf, 6, 7)));
void canvas_put(struct canvas *canvas, int x, int y, enum role role, uint32_t character);
void canvas_fill(struct canvas *canvas, struct box box, enum role role, uint32_t character);
/* A line of U+2500 or '-', with a title set into it (NULL: none). */
void canvas_rule(struct canvas *canvas, int x, int y, int cells, const char *title);
/* Changes the role of cells that are there already. */
void canvas_role(struct canvas *canvas, struct box box, enum role role);
/* Adds LOOK_ bits to cells that are there already. */
void canvas_look(struct canvas *canvas, struct box box, int look);
/* A horizontal bar of value/full of `cells`, in eighths (UTF-8) or '#'. */
void canvas_bar(struct canvas *canvas, int x, int y, int cells, double share, enum role role);
/* A framed box with a title, cleared inside. */
void canvas_frame(struct canvas *canvas, struct box box, const char *title);

/* The canvas as lines of UTF-8 text, blanks at line ends removed. */
void canvas_dump(const struct canvas *canvas, struct text *out);

#endif
