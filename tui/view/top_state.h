/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_TOP_STATE_H
#define VPTOP_TUI_VIEW_TOP_STATE_H

#include "view/common.h"
#include "view/table_draw.h"

/* The state of the table of functions, and what top.c (keys) and top_draw.c (cells) share. */

struct top_state {
	unsigned generation;
	struct query query;
	bool is_built;
	struct function_row *rows; /* in the order of `sort` */
	size_t row_count;
	/* In a difference: figures of each row of the tree, by enum value_part; NULL elsewhere. */
	struct function_row *parts[PART_COUNT];
	enum function_sort sort, built_sort; /* wished; that of `rows` */
	bool is_reversed;

	/* Only rows that match are shown. */
	struct text pattern; /* as typed; length 0: all of them */
	uint8_t *matches;    /* [row_count of the tree]; NULL: not worked out for this tree */
	uint32_t *passing;   /* [shown_count] indices of `rows`, ascending; NULL: all */
	size_t shown_count;

	size_t cursor, scroll; /* in the order shown */
	/* What the user chose to stand on, for finding it again; 0: nothing. */
	uint64_t wanted;     /* hash of the row */
	uint32_t wanted_row; /* its number in this tree */
	struct {
		size_t cursor, scroll;
		uint64_t wanted;
		uint32_t wanted_row;
	} kept;         /* where a search began */
	int shift;      /* cells that names are moved to the left */
	int most_shift; /* that shows all of the names that were drawn last */

	/* What is said of the function below the cursor, worked out once for each. */
	uint32_t neighbours_of;
	uint32_t caller_count, callee_count;
	bool has_calls;    /* the format counts them */
	bool has_bars;     /* there was room for them */
	int64_t most_flat; /* the largest self value: scale of the bars */
	struct text scratch;
};

/* Which columns there is room for; 0 cells: none. */
struct top_columns {
	int calls, self_each, total_each; /* where the format counts calls */
	int self_percent, self_bar, self, total_percent, total_bar, total;
	int name, location;
	int self_x, total_x, name_x,
		location_x; /* where the first of TOTAL's columns begins, ... */
};

/* How the body is divided; a height of 0: not there. */
struct table_places top_divide(struct box area);
struct top_columns top_choose_columns(
	const struct top_state *state, const struct view_context *context, int width);

/* Makes the rows anew where the context's tree or the order are others; `wanted` is found again. */
void top_refresh(struct top_state *state, const struct view_context *context);
/* Works out which rows are shown: those that match `pattern`. */
void top_pass(struct top_state *state, const struct calltree *tree);
/* Brings all up to date with the context, and the cursor onto the screen. First thing to call. */
void top_settle(struct top_state *state, const struct view_context *context,
	const struct table_places *places);

/* Line i of those that are shown. */
const struct function_row *top_row(const struct top_state *state, size_t i);
/* Notes the row below the cursor as the wanted one. */
void top_note(struct top_state *state, const struct calltree *tree);
/* Puts the cursor on the wanted row, where it is shown; in a filtered table else on the first. */
void top_find_wanted(struct top_state *state, const struct calltree *tree);

/* By how much self bars are stretched so that small shares can be read. */
int top_bar_scale(const struct top_state *state, const struct calltree *tree);

/* The table of a difference (context->base is there): its figures, columns and cells. */
void top_change_build(struct top_state *state, const struct view_context *context);
void top_change_free(struct top_state *state);
struct top_columns top_change_columns(const struct view_context *context, int width);
void top_change_head(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);
void top_change_figures(const struct top_state *state, const struct view_context *context,
	struct canvas *canvas, uint32_t row, struct box line);

void top_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);

#endif
