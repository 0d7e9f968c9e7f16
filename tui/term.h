/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_TERM_H
#define VPTOP_TUI_TERM_H

#include "base/error.h"
#include "kit/canvas.h"
#include "kit/keys.h"

/*
 * The terminal: the only file that knows curses. The terminal is as it was before on every way out:
 * term_close, exit(), SIGINT, SIGTERM, SIGHUP, SIGQUIT, crashes; and around SIGTSTP.
 */

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct term_options {
	enum colour_choice colour;
	bool keys_from_tty; /* standard input is the profile: read keys from /dev/tty */
	bool all_blocks;    /* the font has eighth blocks, whatever the terminal's name says */
};

/* Takes the terminal. False and *err where it cannot (unknown, dumb, not a terminal): print text
 * then. */
bool term_open(const struct term_options *options, struct vp_error *err);
bool term_is_open(void);
void term_close(void);

void term_size(int *width, int *height);

/* Sends the differences to what is on the screen; `redraw_all`: everything (after other programs
 * wrote there). */
void term_show(const struct canvas *canvas, bool redraw_all);

/*
 * The next key: a character, an enum key, KEY_NONE when `wait_ms` (-1: for ever) passed without
 * one, KEY_CLOSED when the terminal is gone or a signal asked us to end (term_signal says which).
 */
uint32_t term_key(int wait_ms);
int term_signal(void); /* 0: none */

/* Gives the terminal back, stops the process, takes it again when it goes on. */
void term_suspend(void);

/* What the user should know of how the terminal was opened, one line; NULL: nothing. */
const char *term_note(void);

/* The linux console's font has full and shade blocks but no eighths. */
bool term_no_eighths(void);

#endif
