/* SPDX-License-Identifier: MIT */
#include "format/text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { LINES_WINDOW = 64 * 1024 };

enum text_encoding text_encoding_of(const uint8_t *bytes, size_t size, size_t *mark)
{
	*mark = 0;
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		*mark = 3;
		return TEXT_UTF8;
	}
	if (size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) ||
				 (bytes[0] == 0xfe && bytes[1] == 0xff))) {
		*mark = 2;
		return bytes[0] == 0xff ? TEXT_UTF16_LE : TEXT_UTF16_BE;
	}
	return TEXT_UTF8;
}

void text_lines_open(struct text_lines *lines, struct source *source)
{
	size_t have, mark;
	const uint8_t *bytes = source_peek(source, 4, &have);
	*lines = (struct text_lines){.source = source};
	lines->encoding = text_encoding_of(bytes, have, &mark);
	source_skip(source, mark);
}

void text_lines_close(struct text_lines *lines)
{
	free(lines->buffer);
	*lines = (struct text_lines){0};
}

/* The line feed in bytes[from..size), or `size`. */
static size_t lines_find_end(
	const struct text_lines *lines, const uint8_t *bytes, size_t from, size_t size)
{
	if (lines->encoding == TEXT_UTF8) {
		const uint8_t *end = memchr(bytes + from, '\n', size - from);
		return end ? (size_t)(end - bytes) : size;
	}
	const size_t low = lines->encoding == TEXT_UTF16_BE;
	for (size_t i = from & ~(size_t)1; i + 1 < size; i += 2)
		if (bytes[i + low] == '\n' && bytes[i + 1 - low] == 0)
			return i;
	return size;
}

static uint32_t lines_unit(const struct text_lines *lines, const uint8_t *p)
{
	const bool is_big = lines->encoding == TEXT_UTF16_BE;
	return (uint32_t)p[is_big ? 0 : 1] << 8 | p[is_big ? 1 : 0];
}

/* bytes[size] of UTF-16 into the buffer; returns the length. Half a pair becomes U+FFFD. */
static size_t lines_transcode(struct text_lines *lines, const uint8_t *bytes, size_t size)
{
	size_t length = 0;
	const size_t needed = size / 2 * 3 + 4; /* at most three bytes a unit */
	if (needed > lines->capacity)
		lines->buffer = array_grow(lines->buffer, &lines->capacity, needed, 1);
	for (size_t i = 0; i + 1 < size; i += 2) {
		uint32_t c = lines_unit(lines, bytes + i);
		const bool is_high = c >= 0xd800 && c < 0xdc00;
		const uint32_t low = is_high && i + 3 < size ? lines_unit(lines, bytes + i + 2) : 0;
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i += 2;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		length += utf8_encode(c, lines->buffer + length);
	}
	return length;
}

/*
 * The bytes of the next line and its length without the line end; lines->used gets the length with
 * it. NULL at the end of the source. *is_whole is false where the line is longer than the limit.
 */
static const uint8_t *lines_take(struct text_lines *lines, size_t *length, bool *is_whole)
{
	const size_t end_size = lines->encoding == TEXT_UTF8 ? 1 : 2;
	size_t have, seen = 0, wanted = 1;
	*is_whole = true;
	for (;;) {
		const uint8_t *bytes = source_peek(lines->source, wanted, &have);
		const size_t end = lines_find_end(lines, bytes, seen, have);
		*length = end;
		lines->is_ended = end < have;
		lines->used = lines->is_ended ? end + end_size : have;
		*is_whole = end <= TEXT_MAX_LINE;
		if (lines->is_ended || !*is_whole)
			return bytes;
		if (have < wanted) /* the end of the source */
			return have > 0 ? bytes : NULL;
		seen = have;
		wanted = have + (have < LINES_WINDOW ? LINES_WINDOW : have);
		if (wanted > TEXT_MAX_LINE)
			wanted = TEXT_MAX_LINE + LINES_WINDOW;
	}
}

/* Goes on behind the line of which more than the limit was seen. */
static void lines_skip_long(struct text_lines *lines)
{
	const size_t end_size = lines->encoding == TEXT_UTF8 ? 1 : 2;
	size_t have;
	lines->too_long++;
	while (!lines->is_ended) {
		source_skip(lines->source, lines->used);
		const uint8_t *bytes = source_peek(lines->source, end_size, &have);
		const size_t even = have < end_size ? have : have / end_size * end_size;
		const size_t end = lines_find_end(lines, bytes, 0, even);
		lines->is_ended = end < even;
		lines->used = lines->is_ended ? end + end_size : even;
		if (even == 0)
			return;
	}
}

bool text_lines_next(struct text_lines *lines, const char **line, size_t *length)
{
	bool is_whole;
	for (;;) {
		source_skip(lines->source, lines->used);
		lines->offset = source_offset(lines->source);
		lines->number++;
		const uint8_t *bytes = lines_take(lines, length, &is_whole);
		if (!bytes) {
			lines->used = 0;
			return false;
		}
		*line = (const char *)bytes;
		if (is_whole)
			break;
		lines_skip_long(lines);
	}
	if (lines->encoding != TEXT_UTF8) {
		*length = lines_transcode(lines, (const uint8_t *)*line, *length);
		*line = lines->buffer;
	}
	if (*length > 0 && (*line)[*length - 1] == '\r')
		--*length;
	return true;
}
