/* SPDX-License-Identifier: MIT */
#include "kit/help.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kit/keys.h"

enum {
	WIDEST = 80,       /* cells of a line: longer ones are hard to read */
	MOST_GROUPS = 12,  /* headings */
	LONGEST_LABEL = 16 /* cells of "h l, Left Right" and its like */
};

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

/* What the mouse does. It has no keys, so that it is not in their table. */
static const struct {
	unsigned where;
	const char *label, *text;
} help_mouse[] = {
	{IN_ALL, "click", "select, press a tab"},
	{IN_ALL, "double click", "in, like Enter"},
	{IN_ALL, "right click", "out, like u"},
	{IN_ALL & ~IN_TIMELINE, "wheel", "scroll"},
	{IN_TIMELINE, "wheel", "zoom at the pointer"},
	{IN_TIMELINE, "drag", "mark a time window"},
	{IN_ALL, "Shift+drag", "select text"},
	{IN_ALL, "Option+drag", "the same in iTerm2"},
};
enum { MOUSE_LINES = sizeof help_mouse / sizeof help_mouse[0] };

/* A line of the page: a key, or the heading of a group (`label` is NULL). */
struct help_line {
	const char *label, *text;
};

static size_t help_add_group(
	struct help_line *lines, size_t count, const char *group, unsigned where)
{
	lines[count++] = (struct help_line){NULL, group};
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_binding *binding = &key_table[i];
		if ((binding->where & where) && binding->label &&
			strcmp(binding->group, group) == 0)
			lines[count++] = (struct help_line){binding->label, binding->text};
	}
	return count;
}

static size_t help_add_mouse(struct help_line *lines, size_t count, unsigned where)
{
	lines[count++] = (struct help_line){NULL, "MOUSE"};
	for (size_t i = 0; i < MOUSE_LINES; i++)
		if (help_mouse[i].where & where)
			lines[count++] =
				(struct help_line){help_mouse[i].label, help_mouse[i].text};
	return count;
}

/* The line of a heading from which on the right column makes the longer one shortest. */
static size_t help_split_lines(const struct help_line *lines, size_t count)
{
	size_t best = count, least = SIZE_MAX, groups = 0;
	for (size_t i = 0; i < count; i++) {
		if (lines[i].label)
			continue;
		/* Each heading has a blank line above it. */
		const size_t left = i + groups++;
		size_t right = count - i;
		for (size_t k = i; k < count; k++)
			right += !lines[k].label;
		const size_t longer = left > right ? left : right;
		if (longer <= least) {
			least = longer;
			best = i;
		}
	}
	return best;
}

void help_fill(struct pager *pager, const char *title, const char *explanation, unsigned where)
{
	struct help_line *lines =
		memory_new(key_table_size + MOST_GROUPS + 1 + MOUSE_LINES, sizeof *lines);
	const char *groups[MOST_GROUPS];
	size_t count = 0;
	const int group_count = help_list_groups(groups, where);
	for (int i = 0; i < group_count; i++)
		count = help_add_group(lines, count, groups[i], where);
	if (where & IN_ALL)
		count = help_add_mouse(lines, count, where);

	pager_clear(pager);
	snprintf(pager->title, sizeof pager->title, "%s", title);
	pager->widest = WIDEST;
	if (explanation[0])
		pager_add(pager, ROLE_OVERLAY, explanation);
	const size_t split = help_split_lines(lines, count);
	for (size_t i = 0; i < count; i++) {
		const enum pager_column column = i < split ? COLUMN_LEFT : COLUMN_RIGHT;
		if (lines[i].label) {
			pager_add_key(pager, column, help_label_width(where), lines[i].label,
				lines[i].text);
			continue;
		}
		pager_add_column(pager, column, ROLE_OVERLAY, "");
		pager_add_column(pager, column, ROLE_OVERLAY_HEADING, lines[i].text);
	}
	free(lines);
}
