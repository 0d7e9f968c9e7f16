/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_PAINT_H
#define VPTOP_TUI_PAINT_H

#include "kit/canvas.h"
#include "kit/theme.h"

/*
 * Turns pictures into the bytes that make a terminal show them: what differs from what is on its
 * screen, no more. Curses would send both colours at each change of one, and all of them again
 * after an attribute; over a slow line that is half of the bytes. It knows no curses: what the
 * terminal understands comes in as strings.
 */

/* Capabilities of terminfo, without padding marks; NULL: the terminal has none such. */
struct paint_terminal {
	const char *clear, *cursor_address, *cursor_right, *erase_to_end, *erase_cells;
	const char *scroll_region; /* of first and last line */
	const char *normal, *bold, *dim, *reverse, *underline, *foreground, *background;
	/* Fills numbers into one of these; valid until the next call. */
	const char *(*expand)(const char *capability, int first, int second);
	enum colour_depth depth;
	bool has_default_colours; /* else black and white stand for them */
	bool erases_in_colour;    /* an erased cell has the background that is set */
	bool wraps_late;          /* the cursor stays in the last column until the next character */
	int no_colour_video;      /* terminfo's ncv: attributes that colours rule out */
};

struct painter {
	const struct paint_terminal *terminal;
	struct style styles[ROLE_COUNT];
	struct cell *shown; /* [height][width]; NULL: what is on the screen is not known */
	int width, height;
	int x, y;          /* of the terminal's cursor; y -1: not known */
	struct style pen;  /* what the next character would look like */
	struct text bytes; /* of the last picture */
	size_t colours_end;
};

/* `terminal` must stay valid. Zero-initialise the painter first. */
void paint_start(struct painter *painter, const struct paint_terminal *terminal);
void paint_free(struct painter *painter);

/* Others wrote on the screen: the next picture is painted whole. */
void paint_forget(struct painter *painter);

/* The bytes that bring the picture onto the screen; valid until the next call. */
const struct text *paint_show(struct painter *painter, const struct canvas *canvas);

#endif
