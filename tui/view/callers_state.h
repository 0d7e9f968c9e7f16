/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_CALLERS_STATE_H
#define VPTOP_TUI_VIEW_CALLERS_STATE_H

#include "base/hash.h"
#include "query/around.h"
#include "view/common.h"

/*
 * The state of the callers view, and what its files share: callers.c (keys), callers_place.c (the
 * centre and its trees, how the body is divided), callers_lines.c (trees to lines),
 * callers_draw.c (lines to cells), callers_flames.c (the same as flame graphs), callers_find.c
 * (search), callers_words.c (context line and help).
 */

/* Where the cursor is: in one of the two lists, or on the function between them. */
enum callers_section { SECTION_CALLERS, SECTION_CENTRE, SECTION_CALLEES };
/* Index of a side. */
enum { CALLERS, CALLEES, SIDES };

enum callers_kind {
	LINE_FRAME,
	LINE_SELF, /* what a frame has itself; among callers: what nobody else called */
	LINE_SMALL /* frames below 1 % */
};

struct callers_line {
	enum callers_kind kind;
	bool can_unfold, is_open;
	uint32_t node;  /* of the side's tree; LINE_SELF and LINE_SMALL: of the frame they belong to
			 */
	uint32_t depth; /* 0: next to the centre */
	uint32_t count; /* LINE_SMALL: frames it stands for */
	int64_t value;
	uint64_t key; /* of the names from the centre to here: the same in every tree */
};

struct callers_side {
	struct calltree *tree;        /* of calltree_callers or calltree_callees; NULL: none */
	struct calltree *old, *newer; /* in a difference: the same tree counted for its parts */
	struct callers_line *lines;
	size_t count, capacity;
	size_t scroll;
	struct flame flame; /* laid out from the centre on, of `width` columns */
	size_t flame_scroll;
	int width; /* 0: there is no layout */
};

enum { CALLERS_NAME_SIZE = 80, CALLERS_MOST_CENTRES = 100 };

/* A function that is or was the centre, and where the cursor was. */
struct callers_centre {
	uint64_t hash; /* common_row_hash; 0: there is no centre so far */
	uint32_t row;  /* in the tree of state->generation; 0: it is not in there */
	char name[CALLERS_NAME_SIZE];
	enum callers_section section;
	uint64_t key; /* of the cursor's line */
};

/* What the column of shares shows. */
enum callers_share { SHARE_OF_CENTRE, SHARE_OF_ALL, SHARE_NONE, SHARE_COUNT };

struct callers_state {
	/* What the numbers below belong to. */
	unsigned generation;
	struct query query;
	int64_t total, base;
	bool is_built;

	struct callers_centre centre;
	bool is_chosen; /* by the user; else it is the function with the most self */
	struct callers_centre *before;
	size_t before_count, before_capacity;
	int64_t flat, cum; /* of the centre; cum 0: it has nothing here */
	/*
	 * Lists of a call graph are its own edges, one level of them, with calls; list[i] of
	 * `exact` is node AROUND_CENTRE + 1 + i of the side's tree.
	 */
	bool is_exact;
	struct neighbours exact;
	int64_t calls, primitive; /* of the centre */

	struct callers_side side[SIDES];
	struct hash_map folds; /* key of a line -> 1: it is unfolded */
	enum callers_section section;
	size_t cursor; /* line of the section */
	enum callers_share share;

	struct {
		enum callers_section section;
		uint64_t key; /* of the cursor's line */
		size_t scroll[SIDES], flame_scroll[SIDES];
		int64_t level;
		int column, wanted;
	} kept; /* where a search began */

	bool is_flames;
	int64_t level;      /* of the cursor: 0 the centre, 1.. its callees, -1.. its callers */
	int column, wanted; /* a column of the cursor's frame; the one that moves try to keep */

	uint32_t largest_row, largest_node; /* the function that was asked for last */
	struct text scratch;
};

/* How the body is divided; heights are 0 where there is no room. */
struct callers_places {
	struct box head;
	struct box heading[SIDES]; /* the rule above each list */
	struct box list[SIDES];
	struct box bar; /* the centre between them */
	struct box detail;
};

/* ---- callers_place.c ---- */

/* Follows the tree that is shown, and brings cursor and scrolling into range. First thing to call.
 */
void callers_settle(
	struct callers_state *state, const struct view_context *context, struct box area);
struct callers_places callers_divide(const struct callers_state *state, struct box area);
/* The centre has samples here; else there is nothing to stand on. */
bool callers_has_centre(const struct callers_state *state);
/* Makes a row the centre; the one before is remembered. */
void callers_set_centre(
	struct callers_state *state, const struct view_context *context, uint32_t row);
/* Back to the centre before; false: there is none. */
bool callers_go_back(struct callers_state *state, const struct view_context *context);
/* After every key: what another tree needs to bring us back here. */
void callers_note(struct callers_state *state);
/* Puts the cursor where callers_note says that it was on this centre. */
void callers_restore(struct callers_state *state);
/* Scrolls so that the cursor is on the screen. */
void callers_follow(struct callers_state *state, const struct callers_places *places);
/* Frees trees and lines. */
void callers_forget(struct callers_state *state);

/* ---- callers_lines.c ---- */

/* The side of the cursor; NULL on the centre. */
struct callers_side *callers_side_at(struct callers_state *state, enum callers_section section);
/* The line of the cursor; NULL on the centre. */
const struct callers_line *callers_cursor_line(const struct callers_state *state);
/* Makes the lines of both sides anew; the cursor stays on its line, or on its index. */
void callers_list(struct callers_state *state);
/* Index of the line with a key; side->count: there is none. */
size_t callers_find_line(const struct callers_side *side, uint64_t key);
/* Unfolds or folds a line; the caller lists anew. */
void callers_set_fold(struct callers_state *state, uint64_t key, bool is_open);
/* A first picture: the largest lines of both sides are unfolded while `room` lines hold them. */
void callers_unfold_largest(struct callers_state *state, size_t room);
/* Unfolds all, up to a limit: NULL, or a notice. */
const char *callers_unfold_all(struct callers_state *state);
void callers_fold_all(struct callers_state *state);
/*
 * The frames below a node of a side's tree in the order of the screen, with their keys; *count of
 * them, free() the result. `key`: the one of `node`.
 */
struct callers_line *callers_children(const struct callers_state *state,
	const struct calltree *tree, uint32_t node, uint64_t key, size_t *count);
/* The key that all others of a side begin with. */
uint64_t callers_seed(const struct callers_state *state, int side);
/* The key of the line that stands for the frames below 1 % of a frame with `key`. */
uint64_t callers_small_key(uint64_t key);
/* Whether a value is below 1 % of the centre's. */
bool callers_is_small(const struct callers_state *state, int64_t value);

/* ---- callers_draw.c ---- */

void callers_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);
/* The first line: name and place of the centre, its total and self, how many callers. */
void callers_draw_head(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box line);

/* ---- callers_change.c: in a difference ---- */

/* Counts the trees of both sides for the parts; frees them. */
void callers_change_build(struct callers_state *state, const struct view_context *context);
void callers_change_free(struct callers_side *side);
/* Cells of the columns old and new on a screen of that width; 0: they are not there. */
int callers_change_width(const struct callers_side *side, int width);
/* Both columns side by side in `box`. */
void callers_change_heading(struct canvas *canvas, struct box box);
/* `line` NULL: what the centre has itself. */
void callers_change_figures(const struct callers_side *side, const struct callers_line *line,
	bool is_estimate, struct canvas *canvas, struct box box);

/* ---- callers_flames.c ---- */

void callers_flames_settle(
	struct callers_state *state, const struct view_context *context, struct box area);
void callers_flames_draw(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);
/* False: not a key of the flame graphs. */
bool callers_flames_move(struct callers_state *state, enum action action, struct box area);
/* The frame below the cursor: its tree and node. */
const struct calltree *callers_flames_frame(const struct callers_state *state, uint32_t *node);
bool callers_flames_press(struct callers_state *state, struct box area, int x, int y);
void callers_flames_scroll(struct callers_state *state, struct box area, int y, int step);
/* Stands on the next frame that is a hit, in the order of the screen. */
enum found callers_flames_find(
	struct callers_state *state, const struct view_context *context, enum find where);

/* ---- callers_words.c ---- */

void callers_status(void *opaque, const struct view_context *context, struct text *out);
void callers_explain(void *opaque, const struct view_context *context, struct text *out);

/* ---- callers_find.c ---- */

enum found callers_find(
	void *opaque, const struct view_context *context, struct box area, enum find where);
void callers_keep(void *opaque);
void callers_return(void *opaque, const struct view_context *context);

#endif
