/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_TABLE_H
#define VPTOP_REPORT_TABLE_H

#include "base/text.h"

/*
 * A table of text: cells are collected row by row, then written in columns that are as wide as
 * their widest cell needs and that together fit into a line. Cells are cleaned text.
 */

enum column_shape {
	COLUMN_NUMBER, /* aligned right, never cut */
	COLUMN_TEXT,   /* aligned left; cut at its end when the line is too short */
	COLUMN_PLACE   /* aligned left; cut at its start, since a path differs at its end */
};

struct table_column {
	const char *title;
	enum column_shape shape;
	int minimum;    /* cells that a TEXT or PLACE needs to be of use */
	int expendable; /* 0: always there; else the highest is left out first when there is no room
			 */
};

enum { MAX_TABLE_COLUMNS = 12 };

struct table {
	const struct table_column *columns;
	int column_count;
	bool has_paths;   /* texts are paths: cut them at their start, too */
	struct text pool; /* all cells one after another */
	size_t *end; /* of each cell in the pool; TABLE_RULE in place of a row's first: a rule */
	size_t cell_count, cell_capacity;
};

/* `columns` must outlive the table. */
void table_init(struct table *table, const struct table_column *columns, int column_count);
void table_free(struct table *table);

/* Adds the next cell of the row: what was added to table->pool since the cell before, and `s`. */
void table_cell(struct table *table, const char *s);
/* A line across, between two rows. */
void table_rule(struct table *table);

/* Writes titles (unless all are empty), rule and rows, no line wider than `width` cells. */
void table_write(const struct table *table, struct text *out, int width, bool ascii);

/* A horizontal line of `width` cells and a line end. */
void table_line(struct text *out, int width, bool ascii);

#endif
