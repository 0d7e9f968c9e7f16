/* SPDX-License-Identifier: MIT */
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TABLE_RULE SIZE_MAX

enum {
	TABLE_GAP = 2,
	TABLE_PLACE = 16, /* cells that a place and a text keep as long as the other can give */
	TABLE_TEXT = 26,
};

/* Columns as they are written: which, and how wide. */
struct table_layout {
	int width[MAX_TABLE_COLUMNS]; /* -1: left out */
	int total;                    /* cells of a whole line */
};

void table_init(struct table *table, const struct table_column *columns, int column_count)
{
	*table = (struct table){.columns = columns, .column_count = column_count};
	text_puts(&table->pool, "");
}

void table_free(struct table *table)
{
	text_free(&table->pool);
	free(table->end);
	*table = (struct table){0};
}

static void table_end(struct table *table, size_t end)
{
	table->end = array_grow(
		table->end, &table->cell_capacity, table->cell_count + 1, sizeof *table->end);
	table->end[table->cell_count++] = end;
}

void table_cell(struct table *table, const char *s)
{
	text_puts(&table->pool, s);
	table_end(table, table->pool.length);
}

void table_rule(struct table *table)
{
	for (int i = 0; i < table->column_count; i++)
		table_end(table, TABLE_RULE);
}

static bool table_is_rule(const struct table *table, size_t cell)
{
	return table->end[cell] == TABLE_RULE;
}

/* Steps over one cell: its text, and its start moves on to the next one's. */
static const char *table_text(const struct table *table, size_t cell, size_t *start, size_t *length)
{
	const char *s = table->pool.data + *start;
	*length = table->end[cell] - *start;
	*start = table->end[cell];
	return s;
}

static void table_natural(const struct table *table, int width[])
{
	for (int i = 0; i < table->column_count; i++)
		width[i] = text_width(table->columns[i].title, strlen(table->columns[i].title));
	size_t start = 0;
	for (size_t cell = 0; cell < table->cell_count; cell++) {
		if (table_is_rule(table, cell))
			continue;
		size_t length;
		const char *s = table_text(table, cell, &start, &length);
		int cells = text_width(s, length), column = (int)(cell % table->column_count);
		if (cells > width[column])
			width[column] = cells;
	}
}

static int table_sum(const struct table *table, const int width[])
{
	int sum = -TABLE_GAP;
	for (int i = 0; i < table->column_count; i++)
		if (width[i] >= 0)
			sum += width[i] + TABLE_GAP;
	return sum > 0 ? sum : 0;
}

/*
 * Takes `excess` cells from the columns of a shape, down to `floor` cells or their own minimum;
 * returns what is left to take.
 */
static int table_shrink(
	const struct table *table, int width[], enum column_shape shape, int floor, int excess)
{
	for (int i = table->column_count; i-- > 0 && excess > 0;) {
		int minimum = table->columns[i].minimum;
		int spare = width[i] - (floor > minimum ? floor : minimum);
		if (table->columns[i].shape != shape || width[i] < 0 || spare <= 0)
			continue;
		int taken = spare < excess ? spare : excess;
		width[i] -= taken;
		excess -= taken;
	}
	return excess;
}

/* Places give way before names do, but neither gets very short before the other does. */
static int table_squeeze(const struct table *table, int width[], int excess)
{
	excess = table_shrink(table, width, COLUMN_PLACE, TABLE_PLACE, excess);
	excess = table_shrink(table, width, COLUMN_TEXT, TABLE_TEXT, excess);
	excess = table_shrink(table, width, COLUMN_PLACE, 0, excess);
	return table_shrink(table, width, COLUMN_TEXT, 0, excess);
}

static bool table_drop(const struct table *table, int width[])
{
	int worst = -1;
	for (int i = 0; i < table->column_count; i++)
		if (width[i] >= 0 && table->columns[i].expendable > 0 &&
			(worst < 0 ||
				table->columns[i].expendable > table->columns[worst].expendable))
			worst = i;
	if (worst >= 0)
		width[worst] = -1;
	return worst >= 0;
}

/* Numbers of little use are left out before a name or place gets too short to read. */
static struct table_layout table_fit(const struct table *table, int width)
{
	int natural[MAX_TABLE_COLUMNS] = {0};
	table_natural(table, natural);
	struct table_layout layout = {{0}, width};
	memcpy(layout.width, natural, sizeof natural[0] * (size_t)table->column_count);
	for (;;) {
		int excess = table_sum(table, layout.width) - width;
		if (excess <= 0)
			break;
		int trial[MAX_TABLE_COLUMNS];
		memcpy(trial, layout.width, sizeof trial);
		excess = table_squeeze(table, trial, excess);
		if (excess <= 0 || !table_drop(table, layout.width)) {
			memcpy(layout.width, trial, sizeof trial);
			break;
		}
	}
	if (table_sum(table, layout.width) < width)
		layout.total = table_sum(table, layout.width);
	return layout;
}

/* The last `cells` - 1 cells of s, after an ellipsis. */
static void table_tail(struct text *out, const char *s, size_t length, int cells, bool ascii)
{
	int width = text_width(s, length), dropped = 0;
	size_t skip = text_fit(s, length, width - cells + 1, &dropped);
	/* A wide character that straddles the cut goes, too. */
	if (width - dropped > cells - 1) {
		uint32_t c;
		size_t size = utf8_decode(s + skip, length - skip, &c);
		skip += size ? size : 1;
	}
	text_puts(out, ascii ? "~" : "\xe2\x80\xa6");
	text_field(out, s + skip, length - skip, cells - 1, false, ascii);
}

static void table_put(const struct table *table, const struct table_layout *layout, int column,
	const char *s, size_t length, struct text *line, bool ascii)
{
	int cells = layout->width[column];
	if (cells < 0)
		return;
	if (line->length > 0)
		text_repeat(line, " ", TABLE_GAP);
	int used = text_width(s, length);
	bool right = table->columns[column].shape == COLUMN_NUMBER;
	bool is_place =
		table->columns[column].shape == COLUMN_PLACE || (!right && table->has_paths);
	if (used > cells && cells > 1 && is_place)
		table_tail(line, s, length, cells, ascii);
	else
		text_field(line, s, length, cells, right, ascii);
}

/* A line as it goes out: no blanks at its end, no cell beyond the width. */
static void table_flush(struct text *line, struct text *out, int width, bool ascii)
{
	size_t length = line->length;
	while (length > 0 && line->data[length - 1] == ' ')
		length--;
	int used = text_width(line->data ? line->data : "", length);
	if (used > width)
		text_field(out, line->data, length, width, false, ascii);
	else
		text_add(out, line->data ? line->data : "", length);
	text_puts(out, "\n");
	text_clear(line);
}

void table_line(struct text *out, int width, bool ascii)
{
	text_repeat(out, ascii ? "-" : "\xe2\x94\x80", width);
	text_puts(out, "\n");
}

static void table_titles(const struct table *table, const struct table_layout *layout,
	struct text *line, struct text *out, bool ascii)
{
	bool any = false;
	for (int i = 0; i < table->column_count; i++)
		any |= table->columns[i].title[0] != 0;
	if (!any)
		return;
	for (int i = 0; i < table->column_count; i++) {
		const char *title = table->columns[i].title;
		table_put(table, layout, i, title, strlen(title), line, ascii);
	}
	table_flush(line, out, layout->total, ascii);
	table_line(out, layout->total, ascii);
}

void table_write(const struct table *table, struct text *out, int width, bool ascii)
{
	struct table_layout layout = table_fit(table, width);
	struct text line = {0};
	table_titles(table, &layout, &line, out, ascii);
	size_t start = 0;
	for (size_t cell = 0; cell < table->cell_count; cell++) {
		int column = (int)(cell % table->column_count);
		if (table_is_rule(table, cell)) {
			if (column == 0)
				table_line(out, layout.total, ascii);
			continue;
		}
		size_t length;
		const char *s = table_text(table, cell, &start, &length);
		table_put(table, &layout, column, s, length, &line, ascii);
		if (column == table->column_count - 1)
			table_flush(&line, out, layout.total, ascii);
	}
	text_free(&line);
}
