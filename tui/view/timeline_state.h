/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TIMELINE_STATE_H
#define VPTOP_TUI_VIEW_TIMELINE_STATE_H

#include "query/sample_set.h"
#include "view/common.h"
#include "view/timeline_series.h"

/*
 * The state of the timeline, and what its files share. It always has the whole run; what is shown
 * of it is a matter of zoom. The time window (context->query) and the mark that makes one are drawn
 * into it. All ranges are samples [first, last).
 */

struct range {
	uint64_t first, last;
};

struct timeline_state {
	struct series_state snapshots; /* of a series of snapshots; it needs nothing else here */
	/* What the numbers below belong to. */
	struct query query;
	uint64_t samples; /* of the run */
	unsigned generation;
	bool is_settled;
	bool has_moved; /* the user did: until then the cursor follows the peak */
	bool has_chart, has_detail;
	bool is_absolute; /* of the chart */
	bool has_drops;   /* a filter drops stacks */
	bool is_marking;
	bool is_dragging; /* the mouse makes the mark */
	bool is_pressed;  /* the button went down on the chart, in the bin `press` */
	bool is_too_long; /* the mark holds more samples than are counted at each step */
	bool has_walked;  /* the user chose a line of this bin */
	bool has_unfolded;

	struct pyramid *chosen; /* of the samples that count; NULL: all do */
	struct range shown;
	uint64_t width;  /* columns of the chart; 0 before it was drawn */
	uint64_t cursor; /* a sample of the bin below the cursor */

	/* A window being made: from the bin where it began to that of the cursor. */
	struct range mark_start;
	struct bin marked; /* what it holds by now */
	struct range press;
	struct range wanted; /* the window that this view asked for last */

	struct bin *bins; /* [bin_count] */
	size_t bin_count, bin_capacity;
	struct bin *columns; /* [bin_count * columns_per_bin], the bin of each */
	size_t column_capacity;
	struct chart chart;
	struct range chart_shown;
	int chart_width, chart_height;
	enum chart_series series;
	int columns_per_bin; /* 1; more in a run of few samples, where a bin is a sample */

	/* Without memory: lanes[height][width], the frames that ran, a sample a column; 0: none. */
	uint32_t *lanes;
	size_t lane_capacity;
	uint32_t lanes_above; /* frames that all of them share and that are left out */

	/* Of the bin below the cursor, or of the mark. */
	struct bin_detail detail;
	struct range detail_range;

	/* The list of tails: a line each, and one for each frame of the unfolded tail below it. */
	size_t line, line_scroll;
	size_t unfolded; /* tail */

	struct {
		bool has_moved, has_walked, has_unfolded;
		struct range shown;
		uint64_t cursor;
		size_t line, line_scroll, unfolded;
	} kept;            /* where a search began */
	bool is_returning; /* there, when the bin's detail is made next */

	struct sample_set hits; /* of the search */
	uint64_t hits_key;      /* what they were made from; 0: there are none */

	struct text scratch;
};

/* How the body is divided; a height of 0: not there. */
struct timeline_places {
	struct box header, chart, status, pane;
};

/* ---- place: what is shown, brought up to date ---- */

struct timeline_places timeline_divide(struct box area);
/* Brings window, cursor, bins, chart, mark and detail up to date. First thing to call. */
void timeline_settle(struct timeline_state *state, const struct view_context *context,
	const struct timeline_places *places);
/* Window and cursor only: what timeline_settle does first. */
void timeline_settle_window(struct timeline_state *state, const struct view_context *context);
/* Shows `length` samples from `first` on, moved so that they lie inside the run. */
void timeline_show(struct timeline_state *state, uint64_t first, uint64_t length);
/* Shows a range with a margin on both sides. */
void timeline_show_range(struct timeline_state *state, struct range range);
/* Moves what is shown, if it must be, so that it holds the cursor. */
void timeline_follow_cursor(struct timeline_state *state);
/* The first sample with the most memory in a range; without memory its first one. */
uint64_t timeline_highest(
	const struct timeline_state *state, const struct view_context *context, struct range range);
/* Whether the window is a part of the run. */
bool timeline_has_window(const struct view_context *context);
/* The bin below the cursor, and that of a sample; 0 where there are none. */
size_t timeline_bin(const struct timeline_state *state);
size_t timeline_bin_of(const struct timeline_state *state, uint64_t sample);
/* The columns of the chart that are in use. */
int timeline_column_count(const struct timeline_state *state);
/* The sample in the middle of a bin. */
uint64_t timeline_middle(const struct bin *bin);
/* Of the samples that are counted: of the chosen thread, let through by the filters. */
const struct pyramid *timeline_pyramid(
	const struct timeline_state *state, const struct view_context *context);
/* Whether the profile has anything that can be laid out in time. */
bool timeline_has_time(const struct view_context *context);

/* ---- lanes: which frames ran, where no memory was recorded ---- */

void timeline_make_lanes(struct timeline_state *state, const struct view_context *context);
void timeline_draw_lanes(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, const struct box *area);

/* ---- move: zoom, peaks, the mark ---- */

/* Cursor, zoom and peaks; false: the action is none of these. *notice: words for the user. */
bool timeline_move(struct timeline_state *state, const struct view_context *context,
	enum action action, const char **notice);
/* Zooms by two so that the sample `around` keeps its place; returns why not, or NULL. */
const char *timeline_zoom(struct timeline_state *state, uint64_t around, bool is_in);
/* Moves what is shown by `step` samples. */
void timeline_pan(struct timeline_state *state, int64_t step);
/* Puts the cursor back onto what is shown. */
void timeline_hold_cursor(struct timeline_state *state);
void timeline_start_mark(struct timeline_state *state, struct range start);
/* From where the mark began to the cursor. */
struct range timeline_marked(const struct timeline_state *state);
/* The mark becomes the window. */
void timeline_end_mark(struct timeline_state *state, struct reaction *reaction);

/* ---- pane: what ran ---- */

/* Lines of the list: tails, samples without a stack, frames of the unfolded tail. */
size_t timeline_lines(const struct timeline_state *state, const struct calltree *tree);
/* The frame of the line that the cursor is on; the common prefix until the user walked. */
uint32_t timeline_node(const struct timeline_state *state, const struct calltree *tree);
/* Folds or unfolds the tail of the cursor's line; returns why not, or NULL. */
const char *timeline_fold(struct timeline_state *state, const struct calltree *tree);
void timeline_draw_pane(struct timeline_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);
/* The line of the list drawn at row y of the pane; false where there is none. */
bool timeline_line_at(const struct timeline_state *state, const struct view_context *context,
	struct box pane, int x, int y, size_t *line);

/* ---- the rest ---- */

/* Looks the search up in all samples, once a search. False: nothing is searched for. */
bool timeline_settle_hits(struct timeline_state *state, const struct view_context *context);
/* Whether a sample of the bin has a hit in its stack; after timeline_settle_hits. */
bool timeline_has_hit(const struct timeline_state *state, const struct bin *bin);
enum found timeline_find(
	void *opaque, const struct view_context *context, struct box area, enum find where);
void timeline_keep(void *opaque);
void timeline_restore(void *opaque, const struct view_context *context);
struct reaction timeline_point(void *opaque, const struct view_context *context, struct box area,
	const struct pointer *pointer);
void timeline_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);
void timeline_status(void *opaque, const struct view_context *context, struct text *out);
void timeline_explain(void *opaque, const struct view_context *context, struct text *out);

#endif
