/* SPDX-License-Identifier: MIT */
/* Lines and words of the old text formats of pprof. */
#include "format/legacy.h"

#include <string.h>

enum { LINES_PER_TICK = 4096 };

/* ---- lines ---------------------------------------------------------------------------- */

static bool legacy_tick(struct legacy *legacy)
{
	uint64_t done, total;
	if (legacy->ticks++ % LINES_PER_TICK != 0)
		return true;
	source_progress(legacy->source, &done, &total);
	legacy->is_cancelled = !builder_tick(legacy->builder, done, total);
	return !legacy->is_cancelled;
}

bool legacy_line(struct legacy *legacy, const char **line, size_t *length)
{
	if (!legacy->lines.source)
		text_lines_open(&legacy->lines, legacy->source);
	if (!legacy_tick(legacy) || !text_lines_next(&legacy->lines, line, length))
		return false;
	legacy->is_cut = !legacy->lines.is_ended;
	return !legacy->is_cut;
}

void legacy_end_lines(struct legacy *legacy)
{
	source_skip(legacy->source, legacy->lines.used);
	text_lines_close(&legacy->lines);
}

void legacy_bad_line(struct legacy *legacy)
{
	if (legacy->bad_lines++ == 0)
		legacy->bad_offset = legacy->lines.offset;
}

void legacy_read_map(struct legacy *legacy)
{
	const char *line;
	size_t length;
	while (legacy_line(legacy, &line, &length))
		legacy_map_line(&legacy->map, legacy->builder, line, length);
}

void legacy_read_rest(struct legacy *legacy)
{
	const char *line;
	size_t length;
	while (legacy_line(legacy, &line, &length))
		if (legacy_map_begins(line, length)) {
			legacy_read_map(legacy);
			return;
		}
}

/* ---- words ---------------------------------------------------------------------------- */

struct legacy_cursor legacy_cursor(const char *line, size_t length)
{
	return (struct legacy_cursor){line, line + length};
}

static bool legacy_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void legacy_skip_spaces(struct legacy_cursor *c)
{
	while (c->next < c->end && legacy_is_space(*c->next))
		c->next++;
}

bool legacy_take(struct legacy_cursor *c, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(c->end - c->next) < length || memcmp(c->next, text, length) != 0)
		return false;
	c->next += length;
	return true;
}

bool legacy_take_number(struct legacy_cursor *c, int64_t *number)
{
	struct legacy_cursor at = *c;
	bool is_negative = legacy_take(&at, "-");
	const char *start = at.next;
	int64_t value = 0;
	for (; at.next < at.end && *at.next >= '0' && *at.next <= '9'; at.next++)
		if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
			__builtin_add_overflow(value, (int64_t)(*at.next - '0'), &value))
			return false;
	if (at.next == start)
		return false;
	*number = is_negative ? -value : value;
	*c = at;
	return true;
}

static int legacy_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool legacy_take_hex(struct legacy_cursor *c, uint64_t *number)
{
	struct legacy_cursor at = *c;
	legacy_take(&at, "0x");
	const char *start = at.next;
	uint64_t value = 0;
	for (; at.next < at.end && legacy_digit(*at.next) >= 0; at.next++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)legacy_digit(*at.next);
	}
	if (at.next == start)
		return false;
	*number = value;
	*c = at;
	return true;
}

bool legacy_take_address(struct legacy_cursor *c, uint64_t *number)
{
	struct legacy_cursor at = *c;
	return legacy_take(&at, "0x") && legacy_take_hex(c, number);
}

bool legacy_at_end(struct legacy_cursor c)
{
	legacy_skip_spaces(&c);
	return c.next == c.end;
}

struct legacy_cursor legacy_trim(struct legacy_cursor c)
{
	legacy_skip_spaces(&c);
	while (c.end > c.next && legacy_is_space(c.end[-1]))
		c.end--;
	return c;
}

bool legacy_is(struct legacy_cursor c, const char *text)
{
	return legacy_take(&c, text) && c.next == c.end;
}

bool legacy_contains(const char *line, size_t length, const char *text)
{
	struct legacy_cursor c = legacy_cursor(line, length);
	while (c.next < c.end) {
		const char *first = memchr(c.next, text[0], (size_t)(c.end - c.next));
		if (!first)
			return false;
		c.next = first;
		if (legacy_take(&c, text))
			return true;
		c.next = first + 1;
	}
	return false;
}

bool legacy_is_blank(const char *line, size_t length)
{
	struct legacy_cursor c = legacy_cursor(line, length);
	legacy_skip_spaces(&c);
	return c.next == c.end || *c.next == '#';
}

bool legacy_attribute(
	const char *line, size_t length, struct legacy_cursor *key, struct legacy_cursor *value)
{
	const char *mark = length ? memchr(line, '=', length) : NULL;
	if (!mark)
		return false;
	*key = legacy_trim((struct legacy_cursor){line, mark});
	*value = legacy_trim((struct legacy_cursor){mark + 1, line + length});
	return true;
}

bool legacy_take_stack(struct legacy *legacy, struct legacy_cursor *c, uint64_t back)
{
	uint64_t address;
	for (;;) {
		const char *before = c->next;
		legacy_skip_spaces(c);
		if (c->next == c->end)
			return true;
		if (c->next == before || !legacy_take_address(c, &address))
			return false;
		legacy_push(legacy, legacy_place(legacy, address - back, 0));
	}
}

struct legacy_cursor legacy_first_line(const uint8_t *bytes, size_t size, bool with_comments)
{
	struct legacy_cursor c = legacy_cursor((const char *)bytes, size);
	legacy_take(&c, "\xef\xbb\xbf");
	while (c.next < c.end) {
		const char *end = memchr(c.next, '\n', (size_t)(c.end - c.next));
		struct legacy_cursor line = {c.next, end ? end : c.end};
		line = legacy_trim(line);
		if (line.next < line.end && !(with_comments && *line.next == '#'))
			return line;
		c.next = end ? end + 1 : c.end;
	}
	return c;
}
