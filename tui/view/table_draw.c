/* SPDX-License-Identifier: MIT */
#include "view/table_draw.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { TABLE_HEAD_AND_RULE = 10, TABLE_HEAD = 3 }; /* from these heights on */

struct table_places table_divide(struct box area, int detail)
{
	const int head = area.height >= TABLE_HEAD_AND_RULE ? 2 : area.height >= TABLE_HEAD ? 1 : 0;
	return (struct table_places){
		.head = {area.x, area.y, area.width, head},
		.rows = {area.x, area.y + head, area.width, area.height - head - detail},
		.detail = {area.x, area.y + area.height - detail, area.width, detail},
	};
}

void table_draw_heading(struct canvas *canvas, struct box box, const char *word, bool is_sorted,
	bool is_up, bool is_right)
{
	char heading[32];
	const enum role role = is_sorted ? ROLE_HEADING : ROLE_DIM;
	if (box.width < 2)
		return;
	snprintf(heading, sizeof heading, "%s%s", word,
		!is_sorted ? ""
		: is_up    ? "\u25b2"
			   : "\u25bc");
	if (is_right)
		canvas_text_right(canvas, box.x, box.y, box.width, role, heading);
	else
		canvas_text(canvas, box.x, box.y, box.width, role, heading);
}

void table_draw_hidden(
	struct canvas *canvas, struct box line, size_t scroll, int visible, size_t count)
{
	char above[40] = "", below[40] = "", figure[UNIT_SIZE], words[96];
	const size_t last = scroll + (size_t)visible;
	if (scroll > 0)
		snprintf(above, sizeof above, "\u25b2 %s", units_count(figure, (int64_t)scroll));
	if (last < count)
		snprintf(below, sizeof below, "\u25bc %s",
			units_count(figure, (int64_t)(count - last)));
	if (!*above && !*below)
		return;
	snprintf(words, sizeof words, " %s%s%s more ", above, *above && *below ? "  " : "", below);
	const int width = text_width(words, strlen(words));
	if (width + 2 <= line.width)
		canvas_text(
			canvas, line.x + line.width - width - 1, line.y, width, ROLE_DIM, words);
}

void table_draw_edge(
	struct canvas *canvas, const struct table_places *places, size_t scroll, size_t count)
{
	struct box rule = {places->rows.x, places->detail.y, places->rows.width, 1};
	if (places->detail.height > 0)
		canvas_rule(canvas, rule.x, rule.y, rule.width, NULL);
	else
		rule.y = places->head.y + places->head.height - 1;
	if (places->detail.height > 0 || places->head.height > 0)
		table_draw_hidden(canvas, rule, scroll, places->rows.height, count);
}
