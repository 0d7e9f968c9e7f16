/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TIMELINE_STATE_H
#define VPTOP_TUI_VIEW_TIMELINE_STATE_H

#include "view/common.h"

/* The state of the timeline, and what the files of the timeline share. */

struct timeline_state {
	/* What the numbers below belong to. */
	struct query query;
	unsigned generation;
	bool is_settled;
	bool has_moved; /* the user did: until then the cursor follows the peak */
	bool has_chart, has_detail;
	bool is_absolute; /* of the chart */

	uint64_t first, last; /* samples shown */
	uint64_t cursor;      /* a sample of the bin below the cursor */

	struct bin *bins; /* [bin_count], one a column */
	size_t bin_count, bin_capacity;
	struct chart chart;
	uint64_t chart_first, chart_last;
	int chart_width, chart_height;
	enum chart_series series;

	/* Without memory: lanes[height][width], the frames that ran, a sample a column; 0: none. */
	uint32_t *lanes;
	size_t lane_capacity;
	uint32_t lanes_above; /* frames that all of them share and that are left out */

	struct bin_detail detail; /* of the bin below the cursor */
	uint64_t detail_first, detail_last;
	size_t tail, tail_scroll; /* the tail that is marked, the first one shown */

	struct text scratch;
};

/* How the body is divided; a height of 0: not there. */
struct timeline_places {
	struct box header, chart, status, pane;
};

struct timeline_places timeline_divide(struct box area);
/* Brings window, cursor, bins, chart and detail up to date. First thing to call. */
void timeline_settle(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places);
/* Shows samples [first, first + length), moved so that they lie inside the whole window. */
void timeline_show(struct timeline_state *state, const struct view_context *context, uint64_t first,
	uint64_t length);
/* Moves the window, if it must be, so that it holds the cursor. */
void timeline_follow_cursor(struct timeline_state *state, const struct view_context *context);
/* Window and cursor only: what timeline_settle does first. */
void timeline_settle_window(struct timeline_state *state, const struct view_context *context);
/* The first sample with the most memory in the query's window; without memory its first one. */
uint64_t timeline_highest(const struct view_context *context);
/* The bin below the cursor; 0 where there are none. */
size_t timeline_bin(const struct timeline_state *state);
/* Tails of the bin, and one more where samples have no stack. */
size_t timeline_tails(const struct timeline_state *state);
/* Whether the profile has anything that can be laid out in time. */
bool timeline_has_time(const struct view_context *context);

void timeline_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);
void timeline_draw_pane(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);

#endif
