/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_TERM_H
#define VPTOP_TUI_TERM_H

#include "base/error.h"
#include "kit/canvas.h"
#include "kit/keys.h"

/*
 * The terminal. It and input.c, which reads keys, are all that knows curses; what is shown is
 * painted by paint.c. The terminal is as it was before on every way out: term_close, exit(),
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT, crashes; and around SIGTSTP.
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

/* 1x1 to 4096x4096; 80x24 where the terminal does not say. */
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

/* What the mouse did, after KEY_POINTER; false where there is nothing new. */
bool term_pointer(struct pointer *out);

/* Reports of the mouse on or off; off at first. False where the terminal has no mouse. */
bool term_mouse(bool on);

/* Puts bytes into the terminal's clipboard (OSC 52). False where it has none, or they are too
 * many; whether the terminal allows it cannot be known. */
bool term_copy(const char *bytes, size_t length);

/* Gives the terminal back, stops the process, takes it again when it goes on. */
void term_suspend(void);

/*
 * Gives the terminal back, runs a program (searched in $PATH; argv ends with NULL) in the
 * foreground, takes the terminal again when that ends; draw everything then. False where it could
 * not be run (exit status 126 or 127 of a shell, too).
 */
bool term_run(const char *const argv[]);

/* What the user should know of how the terminal was opened, one line; NULL: nothing. */
const char *term_note(void);

/* The linux console's font has full and shade blocks but no eighths. */
bool term_no_eighths(void);

#endif
