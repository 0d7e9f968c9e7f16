/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_INPUT_H
#define VPTOP_TUI_INPUT_H

#include "kit/keys.h"
#include "mouse.h"

/*
 * Keys, the mouse and pasted text from the bytes that a terminal sends. Part of the terminal: it
 * knows curses, which knows how the terminal's keys begin and end.
 */

struct input {
	void *window; /* curses' */
	struct mouse mouse;
	struct pointer pointer; /* what the last KEY_POINTER is about */
	bool has_pointer;
	bool is_pasting; /* all that comes is text */
};

/* After newterm. False: no memory. */
bool input_open(struct input *input, bool has_mouse);
void input_close(struct input *input);

/*
 * A key that is there now, KEY_NONE where there is none. Keys that have no name are swallowed,
 * *count of them.
 */
uint32_t input_read(struct input *input, int *count);

#endif
