/* SPDX-License-Identifier: MIT */
#include "kit/help.h"

#include <stdio.h>
#include <string.h>

#include "kit/keys.h"

enum {
	WIDEST = 84,       /* cells of the frame: longer lines are hard to read */
	TWO_COLUMNS = 68,  /* cells inside the frame from which on the keys stand in two columns */
	MARGIN = 1,        /* column of the picture that stays visible on each side */
	MOST_GROUPS = 12,  /* headings */
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

/* The groups that have a line in this view, in the order of the table; returns how many. */
static int help_list_groups(const char *groups[MOST_GROUPS], unsigned where)
{
	int count = 0;
	for (size_t i = 0; i < key_table_size; i++) {
		int k = 0;
		if (!(key_table[i].where & where) || !key_table[i].label)
			continue;
		while (k < count && strcmp(groups[k], key_table[i].group) != 0)
			k++;
		if (k == count && count < MOST_GROUPS)
			groups[count++] = key_table[i].group;
	}
	return count;
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

/* Draws groups[count] below each other; returns the lines used. */
static int help_column(struct canvas *page, struct box column, unsigned where,
	const char *const *groups, int count)
{
	int used = 0;
	for (int i = 0; i < count; i++) {
		const struct box rest = {column.x, column.y + used, column.width, column.height};
		used += help_group(page, rest, groups[i], where);
	}
	return used;
}

/* How many of groups[count] stand in the left one of two columns, so that the longer one is short.
 */
static int help_split(struct box column, unsigned where, const char *const *groups, int count)
{
	struct canvas draft = {0};
	int heights[MOST_GROUPS], all = 0, left = 0, best = 0, least = PAGE_ROWS;
	canvas_resize(&draft, column.width, 1);
	for (int i = 0; i < count; i++)
		all += heights[i] = help_group(&draft, column, groups[i], where);
	canvas_free(&draft);
	for (int i = 0; i < count; i++) {
		left += heights[i];
		const int longer = left > all - left ? left : all - left;
		if (longer < least) {
			least = longer;
			best = i + 1;
		}
	}
	return best;
}

/* Draws the keys from line y on; returns the line after them. */
static int help_keys(struct canvas *page, int y, int cells, unsigned where)
{
	const char *groups[MOST_GROUPS];
	const int count = help_list_groups(groups, where);
	const struct box whole = {0, y, cells, PAGE_ROWS};
	if (cells < TWO_COLUMNS)
		return y + help_column(page, whole, where, groups, count);
	const struct box left = {0, y, (cells - 2) / 2, PAGE_ROWS};
	const struct box right = {left.width + 2, y, cells - left.width - 2, PAGE_ROWS};
	const int split = help_split(left, where, groups, count);
	const int left_rows = help_column(page, left, where, groups, split);
	const int right_rows = help_column(page, right, where, groups + split, count - split);
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
