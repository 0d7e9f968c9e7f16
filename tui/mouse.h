/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_MOUSE_H
#define VPTOP_TUI_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "kit/keys.h"

/* What a terminal reports of its mouse, as what it means. */

struct mouse {
	bool is_held;      /* the left button */
	struct pointer at; /* the last press, or the last cell of a drag */
	int64_t press_ns;  /* when the last press was that can be the first of two; 0: none */
};

/*
 * One report: the button's number with its modifier bits (0: left, 2: right, 3: all are up, +4:
 * Shift, +32: moved, 64..67: wheel), and a cell counted from 0. `is_release`: a button went up, as
 * the newer form of reports says it. False: nothing that we act on.
 */
bool mouse_report(struct mouse *mouse, int button, int x, int y, bool is_release, int64_t now_ns,
	struct pointer *out);

/* Reads "0;10;5M", the newer form (1006) after its "\033[<", and does the same. */
bool mouse_report_text(struct mouse *mouse, const char *text, int64_t now_ns, struct pointer *out);

#endif
