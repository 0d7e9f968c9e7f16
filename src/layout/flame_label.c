/* SPDX-License-Identifier: MIT */
/* What a flame graph's frames are called in the cells that they have. */
#include "layout/flame.h"

#include <string.h>

#include "base/units.h"

/* Bytes of a name before its argument list, all of them where it has none: `f(int)` gives `f`. */
static size_t flame_without_arguments(const char *name, size_t length)
{
	if (length == 0 || name[length - 1] != ')')
		return length;
	int depth = 0;
	for (size_t i = length; i-- > 0;) {
		if (name[i] == ')')
			depth++;
		else if (name[i] == '(' && --depth == 0)
			return i > 0 ? i : length;
	}
	return length;
}

/* Bytes to drop from the left of a qualified name to leave out one more of its parts, or 0. */
static size_t flame_next_part(const char *name, size_t length)
{
	int depth = 0;
	for (size_t i = 0; i + 1 < length; i++) {
		if (strchr("<([{", name[i]))
			depth++;
		else if (strchr(">)]}", name[i]))
			depth--;
		if (depth > 0 || i == 0)
			continue;
		if (name[i] == '.' || name[i] == '/')
			return i + 1;
		if (name[i] == ':' && name[i + 1] == ':')
			return i + 2 < length ? i + 2 : 0;
	}
	return 0;
}

/* Of a stand-in for a name, "<native symbol 0x5075c1>", the address says most. */
static void flame_strip_address(const char **name, size_t *length)
{
	size_t start = *length;
	if (*length < 6 || (*name)[0] != '<' || (*name)[*length - 1] != '>')
		return;
	while (start > 3 && strncmp(*name + start - 3, " 0x", 3) != 0)
		start--;
	if (start <= 3)
		return;
	*name += start - 2;
	*length -= start - 2 + 1;
}

/* Cuts what was added to `out` from `start` on to the most telling part that fits into `cells`. */
static void flame_shorten(struct text *out, size_t start, int cells, bool ascii)
{
	const char *name = out->data + start;
	size_t length = flame_without_arguments(name, out->length - start);
	flame_strip_address(&name, &length);
	size_t drop = 0;
	while (text_width(name + drop, length - drop) > cells) {
		size_t part = flame_next_part(name + drop, length - drop);
		if (part == 0)
			break;
		drop += part;
	}
	length -= drop;
	int width;
	bool is_cut = text_width(name + drop, length) > cells;
	bool has_mark = is_cut && cells >= 3;
	size_t kept = is_cut ? text_fit(name + drop, length, cells - has_mark, &width) : length;
	memmove(out->data + start, name + drop, kept);
	out->length = start + kept;
	out->data[out->length] = '\0';
	if (has_mark)
		text_puts(out, ascii ? "~" : "\u2026");
}

static void flame_cut_back(struct text *out, size_t length)
{
	out->length = length;
	out->data[length] = '\0';
}

void flame_name(const struct calltree *tree, uint32_t row, int cells, bool ascii, struct text *out)
{
	size_t start = out->length;
	row_name(tree, row, ascii, out);
	if (out->length > start && text_width(out->data + start, out->length - start) > cells)
		flame_shorten(out, start, cells, ascii);
}

void flame_label_with(const struct calltree *tree, uint32_t node, const char *figure, int cells,
	bool ascii, struct text *out)
{
	if (cells < 1)
		return;
	size_t start = out->length;
	row_name(tree, tree->row[node], ascii, out);
	if (out->length == start)
		return;
	size_t name_end = out->length;
	int room = cells - text_width(out->data + start, name_end - start);
	if (room < 0) {
		flame_shorten(out, start, cells, ascii);
		return;
	}
	int figure_room = room - (int)strlen(figure) - 1;
	if (figure_room < 0)
		return;
	text_puts(out, " ");
	if (tree->query.granularity != BY_FILE)
		row_location(tree, tree->row[node], false, ascii, out);
	if (tree->row[node] == 0 || out->length == name_end + 1 ||
		text_width(out->data + name_end, out->length - name_end) > figure_room)
		flame_cut_back(out, name_end);
	text_puts(out, " ");
	text_puts(out, figure);
}

void flame_label(
	const struct calltree *tree, uint32_t node, int cells, bool ascii, struct text *out)
{
	char percent[UNIT_SIZE + 1];
	const bool is_estimate = node != 0 && calltree_is_estimate(tree);
	const bool is_change = tree->profile->types[tree->query.type].part == PART_DELTA;
	const int64_t value = tree->total[node];
	percent[0] = is_estimate ? '~' : value < 0 ? '-' : '+';
	units_percent(percent + (is_estimate || (is_change && value != 0)), (double)value,
		(double)tree->base);
	flame_label_with(tree, node, percent, cells, ascii, out);
}
