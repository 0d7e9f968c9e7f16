/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TABLE_DRAW_H
#define VPTOP_TUI_VIEW_TABLE_DRAW_H

#include <stddef.h>

#include "kit/canvas.h"

/* What tables look like: head, rows, and a detail of the row below the cursor. */

/* How the body is divided; a height of 0: not there. A rule is the head's last line and the
 * detail's first one. */
struct table_places {
	struct box head, rows, detail;
};

/* With `detail` lines for the detail, the rule included. */
struct table_places table_divide(struct box area, int detail);

/* A heading; the one that is sorted by stands out, in colour and with an arrow. */
void table_draw_heading(struct canvas *canvas, struct box box, const char *word, bool is_sorted,
	bool is_up, bool is_right);

/* How many of `count` rows are out of sight, at the right end of a line: "▲ 3  ▼ 41 more". */
void table_draw_hidden(
	struct canvas *canvas, struct box line, size_t scroll, int visible, size_t count);

/* The rule above the detail, with what is out of sight. */
void table_draw_edge(
	struct canvas *canvas, const struct table_places *places, size_t scroll, size_t count);

#endif
