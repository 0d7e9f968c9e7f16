/* SPDX-License-Identifier: MIT */
#include "kit/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kit/frame.h"

enum {
	GAP = 2,           /* blanks between text, value and key */
	EDGES = 4,         /* cells of the frame and of the blank inside it */
	TITLE_EDGES = 8,   /* cells of the upper border that are not the title's */
	CURSOR = 0x25b8,   /* in the first column of the selected line */
	LEAST_WIDTH = 22,  /* cells of a frame that can say how many lines are out of sight */
	SHORTEST_TEXT = 12 /* cells that the text keeps where the value is long */
};

void list_clear(struct list *list)
{
	list->count = 0;
}

void list_free(struct list *list)
{
	free(list->lines);
	*list = (struct list){0};
}

struct list_line *list_add(struct list *list, int id, const char *format, ...)
{
	va_list arguments;
	list->lines =
		array_grow(list->lines, &list->capacity, list->count + 1, sizeof *list->lines);
	struct list_line *line = &list->lines[list->count++];
	*line = (struct list_line){.id = id};
	va_start(arguments, format);
	const int wanted = vsnprintf(line->text, sizeof line->text, format, arguments);
	va_end(arguments);
	if (wanted >= (int)sizeof line->text) {
		/* The last character may be cut: it goes with all its bytes. */
		size_t end = sizeof line->text - 1;
		while (end > 0 && ((unsigned char)line->text[end - 1] & 0xc0) == 0x80)
			end--;
		line->text[end > 0 ? end - 1 : 0] = '\0';
	}
	return line;
}

/* ---- the cursor --------------------------------------------------------------- */

/* The nearest line from `at` on that the cursor can stand on, first in the direction `step`, then
 * in the other one; count: there is none. */
static size_t list_stop(const struct list *list, size_t at, int step)
{
	for (int turn = 0; turn < 2; turn++, step = -step)
		for (size_t i = at; i < list->count; i += (size_t)step) /* 0 - 1 ends it, too */
			if (!list->lines[i].is_heading)
				return i;
	return list->count;
}

static void list_settle(struct list *list)
{
	if (list->count == 0) {
		list->cursor = 0;
		return;
	}
	if (list->cursor >= list->count)
		list->cursor = list->count - 1;
	list->cursor = list_stop(list, list->cursor, 1);
}

const struct list_line *list_selected(struct list *list)
{
	list_settle(list);
	return list->cursor < list->count ? &list->lines[list->cursor] : NULL;
}

/* Lines that have room in the frame. */
static size_t list_rows(const struct list *list, struct box area)
{
	const struct box frame = list_box(list, area);
	return frame.height > 2 ? (size_t)frame.height - 2 : 0;
}

static void list_move(struct list *list, size_t rows, bool down)
{
	const size_t last = list->count > 0 ? list->count - 1 : 0;
	if (rows < 1)
		rows = 1;
	if (down)
		rows = rows < last - list->cursor ? list->cursor + rows : last;
	else
		rows = rows < list->cursor ? list->cursor - rows : 0;
	list->cursor = list_stop(list, rows, down ? 1 : -1);
}

bool list_act(struct list *list, enum action action, struct box area)
{
	const size_t page = list_rows(list, area);
	list_settle(list);
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		list_move(list, 1, action == ACT_DOWN);
		return true;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		list_move(list, page / 2, action == ACT_HALF_DOWN);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		list_move(list, page, action == ACT_PAGE_DOWN);
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		list_move(list, list->count, action == ACT_LAST);
		return true;
	default:
		return false;
	}
}

/* Scrolls so that the cursor is in sight, with the heading right above it. */
static void list_scroll(struct list *list, size_t rows)
{
	size_t first = list->cursor;
	if (first > 0 && first < list->count && list->lines[first - 1].is_heading && rows > 1)
		first--;
	if (list->scroll > first)
		list->scroll = first;
	if (list->cursor >= list->scroll + rows)
		list->scroll = list->cursor + 1 - rows;
	if (list->scroll + rows > list->count)
		list->scroll = list->count > rows ? list->count - rows : 0;
}

bool list_point(struct list *list, struct box area, int x, int y)
{
	const struct box frame = list_box(list, area);
	const int row = y - frame.y - 1;
	if (x <= frame.x || x >= frame.x + frame.width - 1 || row < 0 || row >= frame.height - 2)
		return false;
	const size_t line = list->scroll + (size_t)row;
	if (line >= list->count || list->lines[line].is_heading)
		return false;
	list->cursor = line;
	return true;
}

/* ---- drawing ------------------------------------------------------------------ */

static int list_larger(int a, int b)
{
	return a > b ? a : b;
}

static int list_width(const char *text)
{
	return text_width(text, strlen(text));
}

/* Cells of the widest text, value, key and heading. */
struct list_widths {
	int text, value, key, heading;
};

static void list_widen(int *widest, const char *text)
{
	*widest = list_larger(*widest, list_width(text));
}

static struct list_widths list_measure(const struct list *list)
{
	struct list_widths widest = {0};
	for (size_t i = 0; i < list->count; i++) {
		const struct list_line *line = &list->lines[i];
		list_widen(line->is_heading ? &widest.heading : &widest.text, line->text);
		list_widen(&widest.value, line->value);
		list_widen(&widest.key, line->key);
	}
	return widest;
}

static int list_with_gap(int cells)
{
	return cells > 0 ? GAP + cells : 0;
}

struct box list_box(const struct list *list, struct box area)
{
	const struct list_widths widest = list_measure(list);
	int width =
		EDGES + 1 + widest.text + list_with_gap(widest.value) + list_with_gap(widest.key);
	width = list_larger(width, EDGES + widest.heading);
	width = list_larger(width, TITLE_EDGES + list_width(list->title));
	width = list_larger(width, LEAST_WIDTH);
	const int height = list->count < (size_t)area.height ? (int)list->count + 2 : area.height;
	return frame_middle(area, width, height);
}

/* Draws `text` in at most `cells`, with an ellipsis where it is cut. */
static void list_text(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text)
{
	const int width = list_width(text);
	canvas_text(canvas, x, y, cells, role, text);
	if (width > cells && cells > 1)
		canvas_put(canvas, x + cells - 1, y, role, 0x2026);
}

static void list_draw_line(const struct list_line *line, struct canvas *canvas, struct box row,
	struct list_widths widths)
{
	if (line->is_heading) {
		list_text(
			canvas, row.x + 1, row.y, row.width - 1, ROLE_OVERLAY_HEADING, line->text);
		return;
	}
	const int room = row.width - 3 - list_with_gap(widths.key);
	int text = widths.text;
	if (text + list_with_gap(widths.value) > room) {
		text = room - list_with_gap(widths.value);
		if (text < SHORTEST_TEXT)
			text = widths.text < SHORTEST_TEXT ? widths.text : SHORTEST_TEXT;
	}
	/* Without a value its column is the text's, too. */
	const bool is_whole = line->value[0] == '\0';
	list_text(canvas, row.x + 2, row.y, is_whole || text > room ? room : text, ROLE_OVERLAY,
		line->text);
	list_text(canvas, row.x + 2 + text + GAP, row.y, room - text - GAP, ROLE_OVERLAY,
		line->value);
	canvas_text_right(canvas, row.x + row.width - widths.key - 1, row.y, widths.key,
		ROLE_OVERLAY_KEY, line->key);
}

void list_draw(struct list *list, struct canvas *canvas, struct box area)
{
	const struct box frame = list_box(list, area);
	const size_t rows = list_rows(list, area);
	const struct list_widths widths = list_measure(list);
	list_settle(list);
	canvas_frame(canvas, frame, list->title[0] ? list->title : NULL);
	if (rows == 0 || frame.width <= EDGES)
		return;
	list_scroll(list, rows);
	for (size_t i = 0; i < rows && list->scroll + i < list->count; i++) {
		const struct box row = {frame.x + 1, frame.y + 1 + (int)i, frame.width - 2, 1};
		list_draw_line(&list->lines[list->scroll + i], canvas, row, widths);
		if (list->scroll + i != list->cursor)
			continue;
		canvas_put(canvas, row.x, row.y, ROLE_OVERLAY, CURSOR);
		canvas_role(canvas, row, ROLE_OVERLAY);
		canvas_look(canvas, row, LOOK_REVERSE | LOOK_BOLD);
	}
	const size_t end = list->scroll + rows;
	frame_more(canvas, frame, list->scroll, end < list->count ? list->count - end : 0);
}
