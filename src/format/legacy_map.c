/* SPDX-License-Identifier: MIT */
#include "format/legacy_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/legacy.h"

void legacy_map_free(struct legacy_map *map)
{
	for (size_t i = 0; i < map->variable_count; i++) {
		free(map->variables[i].name);
		free(map->variables[i].value);
	}
	free(map->mappings);
	*map = (struct legacy_map){0};
}

bool legacy_map_begins(const char *line, size_t length)
{
	return legacy_contains(line, length, "--- Memory map: ---") ||
	       legacy_contains(line, length, "MAPPED_LIBRARIES:");
}

/* ---- one line ------------------------------------------------------------------------- */

static bool map_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips what a log puts in front of each line: "... file:line] ". */
static struct legacy_cursor map_skip_log(struct legacy_cursor c)
{
	const size_t length = (size_t)(c.end - c.next);
	const char *mark = length ? memchr(c.next, ']', length) : NULL;
	const char *digit = mark;
	while (digit && digit > c.next && map_is_digit(digit[-1]))
		digit--;
	if (!mark || digit == mark || digit - c.next < 2 || digit[-1] != ':' || mark + 1 >= c.end ||
		mark[1] != ' ' || memchr(c.next, '[', (size_t)(mark - c.next)))
		return c;
	c.next = mark + 2;
	return c;
}

static bool map_take_spaces(struct legacy_cursor *c)
{
	const char *before = c->next;
	legacy_skip_spaces(c);
	return c->next > before;
}

/* "start-limit", with a colon or not behind it. */
static bool map_take_range(struct legacy_cursor *c, struct legacy_mapping *mapping)
{
	legacy_skip_spaces(c);
	if (!legacy_take_hex(c, &mapping->start))
		return false;
	bool has_dash = legacy_take(c, "-");
	if (!map_take_spaces(c) && !has_dash)
		return false;
	if (!legacy_take_hex(c, &mapping->limit) || mapping->limit <= mapping->start)
		return false;
	legacy_take(c, ":");
	return c->next == c->end || *c->next == ' ' || *c->next == '\t';
}

/* The permissions, where there are some. */
static bool map_take_rights(struct legacy_cursor *c, bool *can_run)
{
	struct legacy_cursor at = *c;
	legacy_skip_spaces(&at);
	const char *start = at.next;
	*can_run = false;
	for (; at.next < at.end && memchr("-rwxsp", *at.next, 6); at.next++)
		*can_run |= *at.next == 'x';
	if (at.next - start < 3 || (at.next < at.end && *at.next != ' '))
		return false;
	*c = at;
	return true;
}

/* "offset device inode", of /proc/PID/maps. */
static bool map_take_numbers(struct legacy_cursor *c, uint64_t *offset)
{
	struct legacy_cursor at = *c;
	uint64_t major, minor;
	int64_t inode;
	legacy_skip_spaces(&at);
	if (!legacy_take_hex(&at, offset) || !map_take_spaces(&at) ||
		!legacy_take_hex(&at, &major) || !legacy_take(&at, ":") ||
		!legacy_take_hex(&at, &minor) || !map_take_spaces(&at) ||
		!legacy_take_number(&at, &inode))
		return false;
	*c = at;
	return true;
}

/* The path that is left; in the brief form an offset "(@1000)" and an id may be behind it. */
static struct legacy_cursor map_path(struct legacy_cursor c, bool is_brief, uint64_t *offset)
{
	static const char deleted[] = " (deleted)";
	const size_t deleted_length = sizeof deleted - 1;
	c = legacy_trim(c);
	if (is_brief) {
		struct legacy_cursor rest = c;
		while (rest.next < rest.end && *rest.next != ' ' && *rest.next != '\t')
			rest.next++;
		c.end = rest.next;
		legacy_skip_spaces(&rest);
		if (legacy_take(&rest, "(@"))
			legacy_take_hex(&rest, offset);
	} else if ((size_t)(c.end - c.next) > deleted_length &&
		   memcmp(c.end - deleted_length, deleted, deleted_length) == 0) {
		c.end -= deleted_length;
	}
	return c;
}

static char *map_copy(struct legacy_cursor c)
{
	size_t length = (size_t)(c.end - c.next);
	char *copy = memory_new(length + 1, 1);
	if (length)
		memcpy(copy, c.next, length);
	return copy;
}

static void map_variable(struct legacy_map *map, const char *line, size_t length)
{
	const size_t most = sizeof map->variables / sizeof *map->variables;
	struct legacy_cursor name, value;
	if (map->variable_count == most || !legacy_attribute(line, length, &name, &value) ||
		name.next == name.end)
		return;
	map->variables[map->variable_count++] =
		(struct legacy_variable){.name = map_copy(name), .value = map_copy(value)};
}

/* The path with a $name at its start replaced. */
static string_id map_file(
	const struct legacy_map *map, struct builder *builder, struct legacy_cursor path)
{
	struct text text = {0};
	struct legacy_cursor rest = path;
	bool is_variable = legacy_take(&rest, "$");
	for (size_t i = 0; is_variable && i < map->variable_count; i++) {
		struct legacy_cursor c = rest;
		if (!legacy_take(&c, map->variables[i].name))
			continue;
		text_puts(&text, map->variables[i].value);
		path = c;
		break;
	}
	if (path.next < path.end)
		text_add(&text, path.next, (size_t)(path.end - path.next));
	string_id file = builder_string(builder, text.data ? text.data : "", text.length);
	text_free(&text);
	return file;
}

void legacy_map_line(
	struct legacy_map *map, struct builder *builder, const char *line, size_t length)
{
	struct legacy_cursor c = map_skip_log(legacy_cursor(line, length));
	struct legacy_mapping mapping = {0};
	bool can_run;
	if (!map_take_range(&c, &mapping)) {
		map_variable(map, line, length);
		return;
	}
	if (map_take_rights(&c, &can_run) && !can_run)
		return;
	bool is_brief = !map_take_numbers(&c, &mapping.offset);
	mapping.file = map_file(map, builder, map_path(c, is_brief, &mapping.offset));
	map->mappings =
		array_grow(map->mappings, &map->capacity, map->count + 1, sizeof *map->mappings);
	map->mappings[map->count++] = mapping;
	map->is_sorted = false;
}

/* ---- look-up -------------------------------------------------------------------------- */

static int map_compare(const void *a, const void *b)
{
	const struct legacy_mapping *left = a, *right = b;
	return (left->start > right->start) - (left->start < right->start);
}

static uint32_t map_use(struct builder *builder, struct legacy_mapping *mapping)
{
	if (mapping->id == 0)
		mapping->id = builder_mapping(builder, &(struct mapping){.start = mapping->start,
							       .limit = mapping->limit,
							       .offset = mapping->offset,
							       .file = mapping->file});
	return mapping->id;
}

uint32_t legacy_map_find(struct legacy_map *map, struct builder *builder, uint64_t address)
{
	if (!map->is_sorted && map->count > 0)
		qsort(map->mappings, map->count, sizeof *map->mappings, map_compare);
	map->is_sorted = true;
	size_t low = 0, high = map->count; /* the first that starts behind the address */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (map->mappings[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && address < map->mappings[low - 1].limit)
		return map_use(builder, &map->mappings[low - 1]);
	/* Some writers leave out the first part of a file that is mapped in pieces. */
	if (low == map->count)
		return 0;
	struct legacy_mapping *next = &map->mappings[low];
	if (next->offset <= next->start && next->start - next->offset <= address)
		return map_use(builder, next);
	return 0;
}
