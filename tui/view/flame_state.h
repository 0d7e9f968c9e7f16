/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_FLAME_STATE_H
#define VPTOP_TUI_VIEW_FLAME_STATE_H

#include "view/common.h"

/*
 * The state of the flame graph, and what its files share: flame.c (the view), flame_move.c (cursor,
 * zoom, folds), flame_find.c (search), flame_place.c (what is where), flame_draw.c and
 * flame_detail.c (cells), flame_words.c (words about it).
 *
 * Leaves first, the view shows a tree of its own. All functions but those of flame.c get a context
 * with the tree that is shown, and a generation that is another one for each of the two.
 */

/* One zoom of the stack; the root of the tree is below the first one. */
struct flame_zoom {
	uint32_t node;
	uint32_t depth;  /* frames from the root to it: to find it again in another tree */
	bool is_for_hit; /* the search zoomed in to show a hit, and will zoom out again */
};

/* What a frame's function adds up to over all its places; worked out when the cursor gets there. */
struct flame_same_name {
	bool is_known;
	uint32_t row;
	uint32_t frames;
	int64_t total; /* counted once a stack */
};

/* A path of names from the root, for finding a frame again in another tree. */
struct flame_path {
	uint64_t *hashes;
	size_t count, capacity;
};

/* The tree with the leaves first, and what it was made of. */
struct flame_leaves {
	struct calltree *tree; /* NULL: not made */
	unsigned generation;
	struct query query;
	int64_t total;
	unsigned made; /* how many trees were made so far */
};

/* Where the user was when a search began. */
struct flame_kept {
	unsigned generation;
	bool is_kept, is_unfolded;
	uint32_t *heads;
	size_t head_count, head_capacity;
	struct flame_zoom *zooms;
	size_t zoom_count, zoom_capacity;
	int64_t row;
	int column, wanted;
	size_t scroll;
};

struct flame_state {
	/* What the numbers below belong to. */
	unsigned generation;
	struct query query;
	int64_t total;
	int width;

	struct flame flame;
	bool has_layout;
	enum flame_order order;
	bool is_inverted;

	enum colouring colouring;
	uint8_t *roles; /* enum role of flame.cells[i], of the first `coloured` rows */
	size_t role_capacity, coloured;

	bool is_bottom_up;
	struct flame_leaves leaves;

	bool is_unfolded; /* all chains but the ones in heads[]; else they are the unfolded ones */
	uint32_t *heads;
	size_t head_count, head_capacity;

	struct flame_zoom *zooms;
	size_t zoom_count, zoom_capacity;

	int64_t row; /* of the cursor: of the layout; -1 the zoomed frame's caller, -2 its caller,
			... */
	int column;  /* a column of the cursor's cell */
	int wanted;  /* the column that moves up and down try to keep */
	size_t scroll;
	bool is_pointed; /* the cursor is where the mouse was pressed: nothing scrolls under it */

	struct flame_kept kept;
	struct flame_path zoom_path, cursor_path;
	struct flame_same_name same;
	struct text scratch;
};

/* How the body is divided. */
struct flame_places {
	struct box graph;  /* frames */
	struct box detail; /* lines about the selected one, below a rule */
	int ancestors;     /* rows of the graph that show the callers of the zoomed frame */
	uint32_t above;    /* how many callers it has */
	int fold;          /* the row among them that stands for several, -1: none */
	int rows;          /* rows left for the layout */
};

/* ---- flame_place.c */

uint32_t flame_zoomed(const struct flame_state *state);
/*
 * Lays out anew where something changed, brings cursor and scrolling into range and says where
 * things are. First thing to call in every function of the view.
 */
struct flame_places flame_prepare(
	struct flame_state *state, const struct view_context *context, struct box area);
/* The caller of the zoomed frame in row i of the callers; UINT32_MAX for the fold. */
uint32_t flame_ancestor(const struct flame_state *state, const struct calltree *tree,
	const struct flame_places *places, int i);
/* The cell below the cursor; NULL where the cursor is on a caller of the zoomed frame. */
const struct flame_cell *flame_cursor_cell(const struct flame_state *state);
/* The frame below the cursor; of an aggregate the largest one, of a folded chain the last one. */
uint32_t flame_cursor_node(const struct flame_state *state, const struct calltree *tree);
/* How many frames are folded into the row of the cursor, 0: it is no fold. */
uint32_t flame_cursor_folded(const struct flame_state *state);
uint32_t flame_depth(const struct calltree *tree, uint32_t node);
/* The cell of a row in columns [first, end) that is nearest to `column`; NULL: there is none. */
const struct flame_cell *flame_nearest(
	const struct flame *flame, size_t row, int column, int first, int end);
/* Puts the cursor on a cell of `row`, at the wanted column if that lies in it. */
void flame_stand_on(struct flame_state *state, size_t row, const struct flame_cell *cell);
/* Puts the cursor on `node`, or on what shows of it: its fold, its aggregate, or else the nearest
 * caller. */
void flame_find(struct flame_state *state, const struct calltree *tree, uint32_t node);
/* The rows of the layout that the cursor can be on without scrolling, where `rows` of them show. */
size_t flame_first_clear(const struct flame_state *state, size_t rows);
size_t flame_last_clear(const struct flame_state *state, size_t rows);
/* After every key: what another tree needs to bring us back here. */
void flame_note(struct flame_state *state, const struct calltree *tree);
/* struct view, `keep` and `restore`. */
void flame_keep(void *opaque);
void flame_restore(struct flame_state *state, const struct view_context *context);
void flame_lay_out(struct flame_state *state, const struct view_context *context, int width);
/* Lays out for the zoom and the folds that are in force now and stands on `node`. */
void flame_show(struct flame_state *state, const struct view_context *context, uint32_t node);

/* ---- flame_move.c */

/* Keys that move the cursor; false: it is none of them. */
bool flame_move(struct flame_state *state, const struct flame_places *places, enum action action);
/* Scrolls by one row and takes the cursor along where it would leave the screen. */
void flame_scroll_by(struct flame_state *state, const struct flame_places *places, int step);
/* Selects what stands at a cell of the canvas; nothing where nothing does. */
void flame_point_at(struct flame_state *state, const struct flame_places *places, int x, int y);
void flame_zoom_to(
	struct flame_state *state, const struct calltree *tree, uint32_t node, bool is_for_hit);
/* These say what is to be told the user, NULL: nothing. */
const char *flame_zoom_in(struct flame_state *state, const struct calltree *tree);
const char *flame_zoom_out(
	struct flame_state *state, const struct view_context *context, bool is_all);
const char *flame_fold_chain(struct flame_state *state, const struct view_context *context);
const char *flame_fold_all(
	struct flame_state *state, const struct view_context *context, bool is_unfolded);
/*
 * Stands on `node` itself: zooms out where it is outside the zoom, unfolds the chain that it is in,
 * zooms into it where it is too thin.
 */
void flame_reveal(struct flame_state *state, const struct view_context *context, uint32_t node,
	bool is_for_hit);

/* ---- flame_find.c */

/* As find of struct view. */
enum found flame_find_hit(
	struct flame_state *state, const struct view_context *context, enum find where);

/* ---- flame_draw.c, flame_detail.c */

void flame_draw_all(struct flame_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);
void flame_draw_detail(struct flame_state *state, const struct view_context *context,
	struct canvas *canvas, const struct flame_places *places);

/* ---- flame_words.c */

/* "colour: module   all of 705 samples" */
void flame_say_status(
	const struct flame_state *state, const struct view_context *context, struct text *out);
void flame_say_explanation(
	const struct flame_state *state, const struct view_context *context, struct text *out);
const char *flame_order_name(enum flame_order order);

#endif
