/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"

void text_free(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->data)
		text->data[0] = 0;
}

void text_add(struct text *text, const char *bytes, size_t length)
{
	text->data = array_grow(text->data, &text->capacity, text->length + length + 1, 1);
	if (length)
		memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = 0;
}

void text_puts(struct text *text, const char *s)
{
	text_add(text, s, strlen(s));
}

void text_printf(struct text *text, const char *format, ...)
{
	char small[256];
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(small, sizeof small, format, args);
	va_end(args);
	if (length >= 0 && (size_t)length < sizeof small) {
		text_add(text, small, (size_t)length);
	} else if (length >= 0) {
		size_t size = (size_t)length + 1;
		text->data = array_grow(text->data, &text->capacity, text->length + size, 1);
		vsnprintf(text->data + text->length, size, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void text_repeat(struct text *text, const char *s, int times)
{
	for (int i = 0; i < times; i++)
		text_puts(text, s);
}

size_t utf8_decode(const char *s, size_t length, uint32_t *character)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)s;
	size_t size = u[0] < 0x80   ? 1
		      : u[0] < 0xc2 ? 0
		      : u[0] < 0xe0 ? 2
		      : u[0] < 0xf0 ? 3
		      : u[0] < 0xf5 ? 4
				    : 0;
	if (size == 0 || size > length)
		return 0;
	uint32_t c = size == 1 ? u[0] : u[0] & (0xffu >> (size + 1));
	for (size_t i = 1; i < size; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3fu);
	}
	if (c < smallest[size] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*character = c;
	return size;
}

size_t utf8_encode(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = size; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)((0xf00u >> size & 0xf0) | c);
	return size;
}

/* Characters that act on a terminal or hide: shown by their number (screens.md 4, "Text from files
 * is hostile"). */
static bool text_is_hostile(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe007f) || (c & 0xfffe) == 0xfffe;
}

void text_clean(struct text *text, const char *bytes, size_t length, bool ascii)
{
	size_t plain = 0; /* start of a run that needs no change */
	for (size_t i = 0; i < length;) {
		unsigned char byte = (unsigned char)bytes[i];
		if (byte >= 0x20 && byte < 0x7f) {
			i++;
			continue;
		}
		text_add(text, bytes + plain, i - plain);
		uint32_t c = 0;
		size_t size = utf8_decode(bytes + i, length - i, &c);
		if (size == 0 || (size == 1 && text_is_hostile(c)))
			text_printf(text, "\\x%02x", byte);
		else if (text_is_hostile(c))
			text_printf(text, "\\u{%x}", (unsigned)c);
		else if (ascii)
			text_puts(text, "?");
		else
			text_add(text, bytes + i, size);
		i += size ? size : 1;
		plain = i;
	}
	text_add(text, bytes + plain, length - plain);
}

/* Wide and combining characters for locales whose wcwidth knows ASCII only. Pairs of first, last.
 */
static const uint32_t text_wide[][2] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	{0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
static const uint32_t text_combining[][2] = {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd},
	{0x610, 0x61a}, {0x64b, 0x65f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

static bool text_in(const uint32_t (*ranges)[2], size_t count, uint32_t c)
{
	for (size_t i = 0; i < count; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

int character_width(uint32_t c)
{
	if (c < 0x7f)
		return c >= 0x20;
	int width = wcwidth((wchar_t)c);
	if (width >= 0)
		return width;
	if (text_in(text_combining, sizeof text_combining / sizeof *text_combining, c))
		return 0;
	return text_in(text_wide, sizeof text_wide / sizeof *text_wide, c) ? 2 : 1;
}

size_t text_fit(const char *s, size_t length, int cells, int *width)
{
	size_t i = 0;
	int used = 0;
	while (i < length) {
		uint32_t c = '?';
		size_t size = utf8_decode(s + i, length - i, &c);
		int w = size ? character_width(c) : 1;
		if (used + w > cells)
			break;
		used += w;
		i += size ? size : 1;
	}
	*width = used;
	return i;
}

int text_width(const char *s, size_t length)
{
	int width;
	text_fit(s, length, 0x7ffffff0, &width);
	return width;
}

void text_field(struct text *text, const char *s, size_t length, int cells, bool right, bool ascii)
{
	if (cells <= 0)
		return;
	int width;
	size_t fits = text_fit(s, length, cells, &width);
	if (fits < length) {
		fits = text_fit(s, length, cells - 1, &width);
		text_add(text, s, fits);
		text_puts(text, ascii ? "~" : "\xe2\x80\xa6");
		text_repeat(text, " ", cells - 1 - width);
		return;
	}
	if (right)
		text_repeat(text, " ", cells - width);
	text_add(text, s, fits);
	if (!right)
		text_repeat(text, " ", cells - width);
}
