/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_LAYOUT_FLAME_H
#define VPTOP_LAYOUT_FLAME_H

#include "query/query.h"

/*
 * A flame graph as rows of cells (screens.md 2.3). Edge snap: a frame that starts at s and is v
 * wide, inside a zoomed root of total T drawn W columns wide, covers the columns round(s W / T) up
 * to round((s + v) W / T), with one rounding rule (half up) everywhere. So children stay inside
 * their parent, siblings never overlap, every column has one owner, no edge is off by more than
 * half a cell.
 */

enum flame_order { ORDER_SIZE, ORDER_NAME, ORDER_FIRST };

struct flame_cell {
	uint32_t node;          /* of the call tree; the largest of an aggregate */
	uint16_t column, width; /* width >= 1 */
	uint16_t coverage; /* aggregates: 1..256 of the cell that is covered; 0: a frame of its own
			    */
	uint32_t frames;   /* aggregates: how many frames below one cell reach into it */
	int64_t value;     /* total of the frame, or of the aggregate's frames */
};

struct flame_row {
	uint32_t first, count; /* cells[first .. first + count), left to right */
	uint32_t depth;        /* frames from the zoomed one down to these */
	uint32_t folded;       /* frames of the chain that is folded into this row, whose last one
				  the row has; 0: the row is itself only */
};

struct flame {
	int width;
	uint32_t zoom; /* node shown over the whole width, on row 0 */
	struct flame_cell *cells;
	size_t cell_count, cell_capacity;
	struct flame_row *rows; /* row 0 is the zoomed node; deeper rows have something to show */
	size_t row_count, row_capacity;
};

/*
 * Lays out `zoom` and what is below it, `width` columns wide (1..4096), iteratively, in time
 * proportional to the visible cells and their children. Aggregates cover a cell that no frame owns
 * by at least 1/8. Free with flame_free.
 */
struct flame flame_layout(
	const struct calltree *tree, uint32_t zoom, int width, enum flame_order order);
void flame_free(struct flame *flame);

/*
 * A chain is a run of more than FLAME_CHAIN rows below the zoomed frame whose pictures are the
 * same: in each of them every frame has one callee of its own width. It is called by its head, the
 * leftmost frame of its first row.
 */
enum { FLAME_CHAIN = 6 };

/* Which chains to fold: all (is_off: none), but the other way round for those in heads[]. */
struct flame_folding {
	bool is_off;
	const uint32_t *heads;
	size_t head_count;
};

/* Folds chains of a new layout into one row each, their last. Cells stay where they are. */
void flame_fold(struct flame *flame, const struct flame_folding *folding);
/* The head of the chain that a row belongs to or stands for; 0: it is in none. */
uint32_t flame_chain(const struct flame *flame, const struct calltree *tree, size_t row);
/* The row with the frames `depth` below the zoomed one, or the fold that they are in; row_count
 * where nothing of them shows. */
size_t flame_row_at(const struct flame *flame, uint32_t depth);

/* Which of two frames of the same depth is further left: < 0 for a, 0 where they are the same. */
int flame_compare_frames(
	const struct calltree *tree, enum flame_order order, uint32_t a, uint32_t b);

/* The cell of `row` that holds `column`, NULL where the column is the parent's own. */
const struct flame_cell *flame_at(const struct flame *flame, size_t row, int column);

/*
 * The first label that fits into `cells` (screens.md 2.3 rule 5): "name file:line 12.3%",
 * "name 12.3%", name, the name's last parts, cut name with an ellipsis; below 4 cells its first
 * characters.
 */
void flame_label(
	const struct calltree *tree, uint32_t node, int cells, bool ascii, struct text *out);
/* The same with `figure` in the place of the percentage: "name file:line 576 MiB". */
void flame_label_with(const struct calltree *tree, uint32_t node, const char *figure, int cells,
	bool ascii, struct text *out);

/*
 * The most telling part of a row's name that fits into `cells`: the name, the name without
 * arguments, its last parts, and only then cut with an ellipsis.
 */
void flame_name(const struct calltree *tree, uint32_t row, int cells, bool ascii, struct text *out);

#endif
