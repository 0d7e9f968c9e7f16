/* SPDX-License-Identifier: MIT */
#include "kit/help.h"

#include <stdio.h>
#include <string.h>

#include "kit/keys.h"

enum {
	WIDEST = 100,      /* cells of the frame: longer lines are hard to read */
	TWO_COLUMNS = 68,  /* cells inside the frame from which on the keys stand in two columns */
	MARGIN = 2,        /* columns of the picture that stay visible on each side */
	PAGE_ROWS = 400,   /* more than any page has */
	LONGEST_LABEL = 16 /* cells of "h l, Left Right" and its like */
};

/* Draws text[length] cut at blanks into lines of `cells`; returns the lines used. */
static int help_wrap(struct canvas *page, int x, int y, int cells, enum role role, const char *text,
	size_t length)
{
	int rows = 0;
	while (length > 0) {
		int width;
		size_t fits = text_fit(text, length, cells, &width), skip = 0;
		if (fits < length) {
			size_t blank = fits;
			while (blank > 0 && text[blank] != ' ')
				blank--;
			if (blank > 0) {
				fits = blank;
				skip = 1;
			}
		}
		if (fits == 0) /* not even one character has room */
			break;
		canvas_printf(page, x, y + rows++, cells, role, "%.*s", (int)fits, text);
		text += fits + skip;
		length -= fits + skip;
	}
	return rows > 0 ? rows : 1;
}

static int help_explain(struct canvas *page, int cells, const char *text)
{
	int y = 0;
	while (*text) {
		const size_t length = strcspn(text, "\n");
		y += help_wrap(page, 0, y, cells, ROLE_OVERLAY, text, length);
		text += length + (text[length] == '\n');
	}
	return y;
}

/* Whether the line of binding i is the first one of its group in this view. */
static bool help_opens_group(size_t i, unsigned where)
{
	if (!(key_table[i].where & where) || !key_table[i].label)
		return false;
	for (size_t k = 0; k < i; k++)
		if ((key_table[k].where & where) && key_table[k].label &&
			strcmp(key_table[k].group, key_table[i].group) == 0)
			return false;
	return true;
}

static int help_label_width(unsigned where)
{
	int widest = 0;
	for (size_t i = 0; i < key_table_size; i++) {
		if (!(key_table[i].where & where) || !key_table[i].label)
			continue;
		const int width = text_width(key_table[i].label, strlen(key_table[i].label));
		if (width > widest)
			widest = width;
	}
	return widest < LONGEST_LABEL ? widest : LONGEST_LABEL;
}

/* Draws the heading and the lines of one group; returns the lines used, a blank one included. */
static int help_group(struct canvas *page, struct box column, const char *group, unsigned where)
{
	const int label = help_label_width(where), indent = label + 2;
	int y = column.y;
	canvas_text(page, column.x, y++, column.width, ROLE_OVERLAY_HEADING, group);
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_binding *binding = &key_table[i];
		if (!(binding->where & where) || !binding->label ||
			strcmp(binding->group, group) != 0)
			continue;
		canvas_text(page, column.x, y, label, ROLE_OVERLAY_KEY, binding->label);
		y += help_wrap(page, column.x + indent, y, column.width - indent, ROLE_OVERLAY,
			binding->text, strlen(binding->text));
	}
	return y + 1 - column.y;
}

/* Draws the groups below each other into one column, from `*next` on until it is `limit` lines
 * long. */
static int help_column(
	struct canvas *page, struct box column, unsigned where, size_t *next, int limit)
{
	int used = 0;
	for (; *next < key_table_size && used < limit; ++*next) {
		if (!help_opens_group(*next, where))
			continue;
		const struct box rest = {column.x, column.y + used, column.width, column.height};
		used += help_group(page, rest, key_table[*next].group, where);
	}
	return used;
}

/* Draws the keys from line y on; returns the line after them. */
static int help_keys(struct canvas *page, int y, int cells, unsigned where)
{
	size_t next = 0;
	const struct box whole = {0, y, cells, PAGE_ROWS};
	if (cells < TWO_COLUMNS)
		return y + help_column(page, whole, where, &next, PAGE_ROWS);
	/* The first column ends with the group that passes the middle. */
	const struct box left = {0, y, (cells - 2) / 2, PAGE_ROWS};
	const struct box right = {left.width + 2, y, cells - left.width - 2, PAGE_ROWS};
	struct canvas draft = {0};
	canvas_resize(&draft, cells, 1);
	const int all = help_column(&draft, left, where, &next, PAGE_ROWS);
	canvas_free(&draft);
	next = 0;
	const int left_rows = help_column(page, left, where, &next, (all + 1) / 2);
	const int right_rows = help_column(page, right, where, &next, PAGE_ROWS);
	return y + (left_rows > right_rows ? left_rows : right_rows);
}

static int help_page(struct canvas *page, int cells, const char *explanation, unsigned where)
{
	int y = help_explain(page, cells, explanation);
	if (y > 0)
		y++;
	return help_keys(page, y, cells, where) - 1; /* without the blank line at the end */
}

static void help_copy(
	const struct canvas *page, int first, int rows, struct canvas *canvas, int x, int y)
{
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < page->width; column++) {
			const struct cell *cell =
				&page->cells[(size_t)(first + row) * page->width + (size_t)column];
			if (cell->character == 0 || cell->character == ' ')
				continue;
			canvas_put(canvas, x + column, y + row, cell->role, cell->character);
			if (cell->mark)
				canvas_put(canvas, x + column, y + row, cell->role, cell->mark);
		}
	}
}

int help_page_rows(struct box area)
{
	return area.height > 3 ? area.height - 2 : 1;
}

void help_draw(struct canvas *canvas, struct box area, const char *title, const char *explanation,
	unsigned where, int *scroll)
{
	struct box frame = area;
	if (frame.width > 60) {
		frame.x += MARGIN;
		frame.width -= 2 * MARGIN;
	}
	if (frame.width > WIDEST) {
		frame.x += (frame.width - WIDEST) / 2;
		frame.width = WIDEST;
	}
	const int cells = frame.width - 4;
	if (cells < 4)
		return;

	struct canvas page = {.ascii = canvas->ascii, .no_eighths = canvas->no_eighths};
	canvas_resize(&page, cells, PAGE_ROWS);
	int rows = help_page(&page, cells, explanation, where);
	if (rows > PAGE_ROWS)
		rows = PAGE_ROWS;
	const int most = help_page_rows(area), shown = rows < most ? rows : most;
	if (*scroll > rows - shown)
		*scroll = rows - shown;
	if (*scroll < 0)
		*scroll = 0;

	frame.height = shown + 2;
	canvas_frame(canvas, frame, title);
	help_copy(&page, *scroll, shown, canvas, frame.x + 2, frame.y + 1);
	canvas_free(&page);
	const int below = rows - shown - *scroll;
	if (below > 0) {
		char more[40];
		const int width = snprintf(
			more, sizeof more, " %d more %s ", below, below == 1 ? "line" : "lines");
		canvas_text(canvas, frame.x + frame.width - 2 - width, frame.y + frame.height - 1,
			width, ROLE_OVERLAY_HEADING, more);
	}
}
