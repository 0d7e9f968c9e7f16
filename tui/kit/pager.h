/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_PAGER_H
#define VPTOP_TUI_PAGER_H

#include <stdbool.h>

#include "kit/canvas.h"
#include "kit/keys.h"

/*
 * Text over a view, in a frame or plain over the whole body: help, the tour, names to copy. Lines
 * are wrapped at blanks to the width they are drawn at, scrolled, and searched. Zero-initialise it,
 * or pager_clear. `area` is the room for text and frame, the same in all functions.
 */

/*
 * Lines of the left column and the lines of the right one that follow them stand side by side where
 * there is room, else the right ones below the left ones.
 */
enum pager_column { COLUMN_BOTH, COLUMN_LEFT, COLUMN_RIGHT };

struct pager_line {
	char *text; /* cleaned, NUL-ended */
	uint32_t length;
	enum role role;
	bool is_verbatim; /* wrapped anywhere, at the edge only: what is to be selected and copied
			   */
	enum pager_column column;
	int key_cells; /* so many cells at its start are the name of a key, and what is wrapped is
			  indented by as much */
};

#define PAGER_NO_LINE UINT32_MAX

/* A stretch of a line that fits into a row. */
struct pager_piece {
	uint32_t line; /* PAGER_NO_LINE: nothing */
	uint32_t from, length;
};

struct pager_row {
	struct pager_piece left, right;
};

struct pager {
	char title[80]; /* cleaned */
	bool is_plain;  /* no frame, from the first column on: so that a terminal can select it */
	int widest;     /* cells of a line; 0: as wide as there is room */
	struct pager_line *lines;
	size_t count, capacity;
	int scroll;      /* first row shown, of the wrapped ones; drawing puts it right */
	int found;       /* wrapped row of the hit that is shown; -1: none */
	const char *hit; /* text that is marked wherever it occurs; NULL: none; not owned */

	/* The lines as wrapped last: made anew when the width or the lines change. */
	struct pager_row *rows;
	size_t row_count, row_capacity, wrapped_lines;
	int wrapped_cells;
};

/* Takes away the lines, the title and what was set; nothing is found, the first row is shown. */
void pager_clear(struct pager *pager);
void pager_free(struct pager *pager);

/* Adds lines; line ends in `text` separate them, one at its end does not begin another one. */
void pager_add(struct pager *pager, enum role role, const char *text);
void pager_add_verbatim(struct pager *pager, enum role role, const char *text);
void pager_add_column(
	struct pager *pager, enum pager_column column, enum role role, const char *text);
/* Adds a line that says what a key does: the key in `key_cells` cells, two blanks, the text. */
void pager_add_key(struct pager *pager, enum pager_column column, int key_cells, const char *key,
	const char *text);

/* Scrolls; false: not one of its actions. */
bool pager_act(struct pager *pager, enum action action, struct box area);
/*
 * Shows the next (`step` 1), previous (-1) or, from what is shown on, first (0) row that has `text`
 * in it, beyond the ends from the other end on; upper and lower case are alike unless `text` has an
 * upper case letter. False: there is none, and nothing changes.
 */
bool pager_find(struct pager *pager, struct box area, const char *text, int step);
/* The frame, or the whole area of a plain page. */
struct box pager_box(struct pager *pager, struct box area);
void pager_draw(struct pager *pager, struct canvas *canvas, struct box area);

#endif
