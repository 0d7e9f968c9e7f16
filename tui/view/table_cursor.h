/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TABLE_CURSOR_H
#define VPTOP_TUI_VIEW_TABLE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kit/keys.h"

/*
 * The cursor of a table and the first row on the screen, moved by keys and the wheel. `count` rows,
 * `visible` of them on the screen at once.
 */

/* By `step` rows, up to the ends; 0 in an empty table. */
void table_step(size_t *cursor, size_t count, int64_t step);

/* The rows move by `step`, the cursor only where it would go out of sight. */
void table_scroll(size_t *cursor, size_t *scroll, size_t count, int visible, int64_t step);

/* The cursor is on a row, and that row in sight: after a jump with what is around it. */
void table_show_cursor(size_t *cursor, size_t *scroll, size_t count, int visible);

/* Does what a key that moves asks for; false: the action is not one of these. */
bool table_act_move(size_t *cursor, size_t *scroll, size_t count, int visible, enum action action);

#endif
