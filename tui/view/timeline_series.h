/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TIMELINE_SERIES_H
#define VPTOP_TUI_VIEW_TIMELINE_SERIES_H

#include "query/snapshots.h"
#include "view/common.h"

/*
 * The timeline of a series of snapshots: a bar each, as high as what lived then, and below what
 * that was. The snapshot that the other views show is the time window.
 */

/* A function in the snapshot below the cursor, and in the one it is compared with. */
struct series_row {
	uint32_t row;
	int64_t value, before;
};

struct series_state {
	struct snapshot_value *values; /* of all snapshots; NULL: not made yet */
	size_t count;
	unsigned generation, type; /* what they were made from */
	uint64_t window;           /* first sample of the window that was seen last */
	size_t cursor, mark;       /* snapshots */
	int value_width;           /* cells of a column of values */
	bool is_marking;

	struct series_row
		*rows; /* [row_count] of the snapshot rows_of, compared with rows_before */
	size_t row_count, rows_of, rows_before;
	bool has_rows;

	size_t line, scroll;  /* of the rows: the chosen one, and the first on the screen */
	uint32_t wanted;      /* the function that the user chose; 0: none so far */
	uint64_t wanted_hash; /* of its name */
	bool has_line;        /* it is one of the rows */
	struct {
		uint32_t wanted;
		uint64_t hash;
		size_t scroll;
	} kept; /* where a search began */
	struct text scratch;
};

/* Whether the profile is one. */
bool series_is_shown(const struct view_context *context);

void series_free(struct series_state *state);
void series_draw(struct series_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);
struct reaction series_act(struct series_state *state, const struct view_context *context,
	struct box area, enum action action);
struct reaction series_point(struct series_state *state, const struct view_context *context,
	struct box area, const struct pointer *pointer);
/* As the members of struct view: among the functions below the bars. */
enum found series_find(struct series_state *state, const struct view_context *context,
	struct box area, enum find where);
void series_keep(struct series_state *state);
void series_restore(struct series_state *state);
/* The function that is chosen there; 0: none. */
uint32_t series_selected(const struct series_state *state, const struct view_context *context);
/* Moves the cursor to the snapshot of a sample. */
void series_select(struct series_state *state, const struct view_context *context, uint64_t sample);
void series_status(
	struct series_state *state, const struct view_context *context, struct text *out);
void series_explain(const struct view_context *context, struct text *out);

#endif
