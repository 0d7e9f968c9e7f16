/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_LIST_H
#define VPTOP_TUI_LIST_H

#include <stdbool.h>

#include "kit/canvas.h"
#include "kit/keys.h"

/*
 * A framed list over a view: menu, settings, threads. It draws and moves the cursor; what a line
 * does is the caller's. Zero-initialise it. `area` is the room for list and frame, the same in all
 * functions.
 */

struct list_line {
	char text[160];  /* on the left; cleaned */
	char value[160]; /* on the right of it: a setting's value; "": none; cleaned */
	char key[16];    /* the key that does the same: "3", "F2", "": none */
	bool is_heading; /* a section's name: the cursor does not stand on it */
	int id;          /* the caller's own */
};

struct list {
	char title[80]; /* cleaned */
	struct list_line *lines;
	size_t count, capacity;
	size_t cursor, scroll; /* lines; drawing puts both right */
};

void list_clear(struct list *list); /* keeps the title and the cursor's place */
void list_free(struct list *list);
/*
 * Adds a line and returns it, zeroed but for text (cut to whole characters) and id. It is valid
 * until the next call.
 */
struct list_line *list_add(struct list *list, int id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The line below the cursor; NULL in a list without any. */
const struct list_line *list_selected(struct list *list);
/* Moves (ACT_UP, ACT_DOWN, pages, ACT_FIRST, ACT_LAST); false: not one of them. */
bool list_act(struct list *list, enum action action, struct box area);
/* The line at (x, y) becomes the selected one; false: there is none. */
bool list_point(struct list *list, struct box area, int x, int y);
/* The frame in the middle of `area`, as small as its lines, as large as there is room. */
struct box list_box(const struct list *list, struct box area);
void list_draw(struct list *list, struct canvas *canvas, struct box area);

#endif
