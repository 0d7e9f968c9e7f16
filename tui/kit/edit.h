/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_EDIT_H
#define VPTOP_TUI_EDIT_H

#include <stdbool.h>

#include "kit/canvas.h"
#include "kit/keys.h"

/*
 * A line of text that the user types: UTF-8, with a cursor, and the lines typed before. Keys:
 * Left Right, Home End Ctrl-A Ctrl-E, Ctrl-B Ctrl-F, Backspace Delete Ctrl-D, Ctrl-W (a word),
 * Ctrl-U (all before the cursor), Ctrl-K, Up Down Ctrl-P Ctrl-N (lines typed before). A character
 * and the combining ones on it are one step. What a terminal would not show (control, direction and
 * zero-width characters) is never part of it, so the text can be drawn as it is.
 */

enum { EDIT_SIZE = 512, EDIT_HISTORY = 32 };

/* Lines typed before, oldest first. Zero-initialise. */
struct edit_history {
	char lines[EDIT_HISTORY][EDIT_SIZE];
	unsigned count;
};

struct edit {
	char text[EDIT_SIZE];         /* NUL-ended, always whole characters */
	size_t length, cursor;        /* bytes */
	struct edit_history *history; /* NULL: none; not owned */
	unsigned recalled;            /* history->count: what is being typed */
	char typed[EDIT_SIZE];        /* what was typed before lines were recalled */
};

/*
 * Begins with `text` (NULL: nothing), the cursor at its end. What does not fit, and what can never
 * be part of it (bytes that are not UTF-8, too), is left out.
 */
void edit_start(struct edit *edit, const char *text, struct edit_history *history);

/* One key; true: the text is another one now. Enter, Esc and Tab are the caller's. */
bool edit_key(struct edit *edit, uint32_t key);

/* Adds what was typed to the history: the newest one, each text once, nothing where it is empty. */
void edit_remember(struct edit_history *history, const char *text);

/*
 * Draws the text in `cells` cells, scrolled so that the cursor shows, with an ellipsis where it is
 * cut, and sets the canvas's cursor.
 */
void edit_draw(
	const struct edit *edit, struct canvas *canvas, int x, int y, int cells, enum role role);

#endif
