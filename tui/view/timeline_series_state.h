/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TIMELINE_SERIES_STATE_H
#define VPTOP_TUI_VIEW_TIMELINE_SERIES_STATE_H

#include "view/timeline_series.h"

/* What the files of it share. */

enum { SERIES_VALUE = 11 };

/* Brings values and cursor up to date. First thing to call. */
void series_settle(struct series_state *state, const struct view_context *context);
/* The same for the rows below the bars. */
void series_settle_rows(struct series_state *state, const struct view_context *context);
/* Looks for the chosen function in another tree. */
void series_find_wanted(struct series_state *state, const struct view_context *context);
/* Where the rows are drawn; height 0: there is no room. */
struct box series_rows_box(const struct series_state *state, struct box area);
/* Brings the chosen line into the `visible` ones. */
void series_settle_scroll(struct series_state *state, int visible);
/* Keys and mouse among the rows; false: the action is not one for them. */
bool series_move_row(struct series_state *state, const struct view_context *context,
	struct box area, enum action action);
void series_point_row(struct series_state *state, const struct view_context *context,
	struct box rows, const struct pointer *pointer);
/* The snapshot that the one of the cursor is compared with: the marked one, or the one before. */
size_t series_before(const struct series_state *state);

#endif
