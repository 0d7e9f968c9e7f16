/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_HELP_H
#define VPTOP_TUI_HELP_H

#include "kit/canvas.h"

/*
 * The help page of a view: what it says of its own picture, then the keys that are valid there,
 * made from the table of keys. It covers `area` as far as it needs; *scroll is the first line
 * shown, and is put right where it points past the end.
 */
void help_draw(struct canvas *canvas, struct box area, const char *title, const char *explanation,
	unsigned where, int *scroll);

/* Lines of the page that fit into `area` at once. */
int help_page_rows(struct box area);

#endif
