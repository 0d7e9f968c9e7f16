/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_FLAME_STATE_H
#define VPTOP_TUI_VIEW_FLAME_STATE_H

#include "view/common.h"

/* The state of the flame graph, and what flame.c (keys) and flame_draw.c (cells) share. */

/* One zoom of the stack; the root of the tree is below the first one. */
struct flame_zoom {
	uint32_t node;
	uint32_t depth; /* frames from the root to it: to find it again in another tree */
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

struct flame_state {
	/* What the numbers below belong to. */
	unsigned generation;
	struct query query;
	int64_t total;
	int width;

	struct flame flame;
	bool has_layout;
	enum flame_order order;
	enum colouring colouring;
	bool is_inverted;

	struct flame_zoom *zooms;
	size_t zoom_count, zoom_capacity;

	int64_t row; /* of the cursor: of the layout; -1 the zoomed frame's caller, -2 its caller,
			... */
	int column;  /* a column of the cursor's cell */
	int wanted;  /* the column that moves up and down try to keep */
	size_t scroll;

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
/* The frame below the cursor; of an aggregate the largest one. */
uint32_t flame_cursor_node(const struct flame_state *state, const struct calltree *tree);
uint32_t flame_depth(const struct calltree *tree, uint32_t node);
/* The cell of a row in columns [first, end) that is nearest to `column`; NULL: there is none. */
const struct flame_cell *flame_nearest(
	const struct flame *flame, size_t row, int column, int first, int end);
/* Puts the cursor on a cell of `row`, at the wanted column if that lies in it. */
void flame_stand_on(struct flame_state *state, size_t row, const struct flame_cell *cell);
/* Puts the cursor on `node`, or on what shows of it: its aggregate, or else the nearest caller. */
void flame_find(struct flame_state *state, const struct calltree *tree, uint32_t node);
/* After every key: what another tree needs to bring us back here. */
void flame_note(struct flame_state *state, const struct calltree *tree);
void flame_lay_out(struct flame_state *state, const struct view_context *context, int width);

void flame_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);

#endif
