/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TIMELINE_SERIES_STATE_H
#define VPTOP_TUI_VIEW_TIMELINE_SERIES_STATE_H

#include "view/timeline_series.h"

/* What the two files of it share. */

/* Brings values and cursor up to date. First thing to call. */
void series_settle(struct series_state *state, const struct view_context *context);
/* The same for the rows below the bars. */
void series_settle_rows(struct series_state *state, const struct view_context *context);
/* The snapshot that the one of the cursor is compared with: the marked one, or the one before. */
size_t series_before(const struct series_state *state);

#endif
