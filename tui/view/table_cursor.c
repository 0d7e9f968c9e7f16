/* SPDX-License-Identifier: MIT */
#include "view/table_cursor.h"

void table_step(size_t *cursor, size_t count, int64_t step)
{
	const int64_t to = (int64_t)*cursor + step, last = (int64_t)count - 1;
	*cursor = (size_t)(to < 0 || last < 0 ? 0 : to > last ? last : to);
}

void table_scroll(size_t *cursor, size_t *scroll, size_t count, int visible, int64_t step)
{
	const size_t shown = visible > 0 ? (size_t)visible : 1;
	const size_t most = count > shown ? count - shown : 0;
	const int64_t to = (int64_t)*scroll + step;
	*scroll = to < 0 ? 0 : (size_t)to > most ? most : (size_t)to;
	if (*cursor < *scroll)
		*cursor = *scroll;
	if (*cursor >= *scroll + shown)
		*cursor = *scroll + shown - 1;
}

void table_show_cursor(size_t *cursor, size_t *scroll, size_t count, int visible)
{
	const size_t rows = visible > 0 ? (size_t)visible : 1;
	if (*cursor >= count)
		*cursor = count > 0 ? count - 1 : 0;
	const bool is_far = *cursor + rows < *scroll || *cursor >= *scroll + 2 * rows;
	if (is_far)
		*scroll = *cursor > rows / 2 ? *cursor - rows / 2 : 0;
	else if (*cursor < *scroll)
		*scroll = *cursor;
	else if (*cursor >= *scroll + rows)
		*scroll = *cursor - rows + 1;
	if (*scroll + rows > count)
		*scroll = count > rows ? count - rows : 0;
}

bool table_act_move(size_t *cursor, size_t *scroll, size_t count, int visible, enum action action)
{
	const int64_t page = visible > 1 ? visible - 1 : 1, half = (page + 1) / 2;
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		table_step(cursor, count, action == ACT_UP ? -1 : 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		table_step(cursor, count, action == ACT_PAGE_UP ? -page : page);
		return true;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		table_step(cursor, count, action == ACT_HALF_UP ? -half : half);
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		table_step(cursor, count, action == ACT_FIRST ? INT32_MIN : INT32_MAX);
		return true;
	case ACT_SCROLL_UP:
	case ACT_SCROLL_DOWN:
		table_scroll(cursor, scroll, count, visible, action == ACT_SCROLL_UP ? -1 : 1);
		return true;
	default:
		return false;
	}
}
