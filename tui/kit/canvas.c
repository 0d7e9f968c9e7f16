/* SPDX-License-Identifier: MIT */
#include "kit/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FULL_BLOCK = 0x2588, LEFT_EIGHTH = 0x258f, HORIZONTAL = 0x2500, VERTICAL = 0x2502 };

/* What the drawing glyphs of the views become where only ASCII may be used. */
static const struct {
	uint32_t first, last;
	char ascii;
} canvas_ascii_table[] = {
	{0x00a0, 0x00a0, ' '},
	{0x00b7, 0x00b7, '.'}, /* middle dot */
	{0x00d7, 0x00d7, 'x'}, /* times */
	{0x2010, 0x2015, '-'}, /* dashes */
	{0x2022, 0x2022, '*'}, /* bullet */
	{0x2026, 0x2026, '~'}, /* ellipsis */
	{0x2039, 0x2039, '<'}, /* single quotes that point */
	{0x203a, 0x203a, '>'},
	{0x2190, 0x2190, '<'}, /* arrows */
	{0x2191, 0x2191, '^'},
	{0x2192, 0x2192, '>'},
	{0x2193, 0x2193, 'v'},
	{0x22ee, 0x22ee, ':'}, /* vertical ellipsis */
	{0x2500, 0x2501, '-'}, /* lines */
	{0x2502, 0x2503, '|'},
	{0x2504, 0x2505, '-'},
	{0x2506, 0x2507, ':'},
	{0x250c, 0x254b, '+'},
	{0x2550, 0x2550, '='},
	{0x2551, 0x2551, '|'},
	{0x2552, 0x2570, '+'},
	{0x2581, 0x2583, ' '}, /* blocks from below: from half a cell on they count */
	{0x2584, 0x2588, '#'},
	{0x2589, 0x258c, '#'}, /* blocks from the left */
	{0x258d, 0x258f, '|'},
	{0x2591, 0x2591, '.'}, /* shades */
	{0x2592, 0x2593, ':'},
	{0x25b2, 0x25b4, '^'}, /* triangles */
	{0x25b6, 0x25b8, '>'},
	{0x25bc, 0x25be, 'v'},
	{0x25c0, 0x25c2, '<'},
};

/* Control, format and direction characters: a terminal acts on them instead of showing them. */
static bool canvas_is_unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xd800 && c <= 0xdfff) || (c >= 0xe0000 && c <= 0xe0fff) || c > 0x10ffff;
}

static uint32_t canvas_to_ascii(uint32_t c)
{
	if (c < 0x80)
		return c;
	for (size_t i = 0; i < sizeof canvas_ascii_table / sizeof canvas_ascii_table[0]; i++)
		if (c >= canvas_ascii_table[i].first && c <= canvas_ascii_table[i].last)
			return (uint32_t)canvas_ascii_table[i].ascii;
	return '?';
}

/* The part of `box` that is on the canvas; sides of no length where there is none. */
static struct box canvas_clip(const struct canvas *canvas, struct box box)
{
	int64_t right = (int64_t)box.x + (box.width > 0 ? box.width : 0);
	int64_t bottom = (int64_t)box.y + (box.height > 0 ? box.height : 0);
	struct box part = {.x = box.x > 0 ? box.x : 0, .y = box.y > 0 ? box.y : 0};
	if (right > canvas->width)
		right = canvas->width;
	if (bottom > canvas->height)
		bottom = canvas->height;
	part.width = right > part.x ? (int)(right - part.x) : 0;
	part.height = bottom > part.y ? (int)(bottom - part.y) : 0;
	return part;
}

static struct cell *canvas_at(const struct canvas *canvas, int x, int y)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

void canvas_resize(struct canvas *canvas, int width, int height)
{
	if (width < 1)
		width = 1;
	if (height < 1)
		height = 1;
	if (width != canvas->width || height != canvas->height || !canvas->cells) {
		free(canvas->cells);
		canvas->cells = memory_new((size_t)width * (size_t)height, sizeof *canvas->cells);
		canvas->width = width;
		canvas->height = height;
	}
	canvas_clear(canvas);
}

void canvas_free(struct canvas *canvas)
{
	free(canvas->cells);
	canvas->cells = NULL;
	canvas->width = canvas->height = 0;
}

void canvas_clear(struct canvas *canvas)
{
	const size_t count = (size_t)canvas->width * (size_t)canvas->height;
	for (size_t i = 0; i < count; i++)
		canvas->cells[i] = (struct cell){.character = ' '};
	canvas->cursor_x = canvas->cursor_y = -1;
}

/* Where (x, y) is one half of a wide character, the other half becomes blank. */
static void canvas_split(struct canvas *canvas, int x, int y)
{
	struct cell *cell = canvas_at(canvas, x, y);
	if (cell->character == 0 && x > 0) {
		cell[-1].character = ' ';
		cell[-1].mark = 0;
	}
	if (x + 1 < canvas->width && cell[1].character == 0)
		cell[1].character = ' ';
}

/* One character of `width` cells, all of which are on the canvas. */
static void canvas_set(struct canvas *canvas, int x, int y, enum role role, uint32_t c, int width)
{
	for (int i = 0; i < width; i++) {
		canvas_split(canvas, x + i, y);
		*canvas_at(canvas, x + i, y) =
			(struct cell){.character = i == 0 ? c : 0, .role = (uint8_t)role};
	}
}

/* What is drawn for `c`, and its width: 0 for a combining character. */
static uint32_t canvas_printable(const struct canvas *canvas, uint32_t c, int *width)
{
	*width = 1;
	if (canvas_is_unsafe(c))
		return '?';
	if (c < 0x7f)
		return c;
	const int wanted = character_width(c);
	if (canvas->ascii) {
		*width = wanted == 0 ? 0 : 1;
		return canvas_to_ascii(c);
	}
	if (wanted < 0 || wanted > 2)
		return '?';
	*width = wanted;
	return c;
}

/* Puts a combining character on the character that ends left of x. */
static void canvas_mark(struct canvas *canvas, int x, int y, uint32_t c)
{
	if (canvas->ascii || x < 1 || x > canvas->width)
		return;
	struct cell *cell = canvas_at(canvas, x - 1, y);
	if (cell->character == 0 && x > 1)
		cell--;
	if (cell->mark == 0)
		cell->mark = c;
}

int canvas_text(struct canvas *canvas, int x, int y, int cells, enum role role, const char *text)
{
	int used = 0;
	if (y < 0 || y >= canvas->height)
		return 0;
	for (size_t left = strlen(text), n; left > 0; text += n, left -= n) {
		uint32_t c;
		int width;
		n = utf8_decode(text, left, &c);
		if (n == 0) {
			n = 1;
			c = '?';
		}
		c = canvas_printable(canvas, c, &width);
		const int at = x + used;
		if (width == 0) {
			if (used > 0)
				canvas_mark(canvas, at, y, c);
			continue;
		}
		if (used + width > cells || at >= canvas->width)
			break;
		if (at >= 0 && at + width <= canvas->width)
			canvas_set(canvas, at, y, role, c, width);
		else if (at + width > 0)
			canvas_set(canvas, at < 0 ? 0 : at, y, role, ' ', 1);
		used += width;
	}
	return used;
}

void canvas_text_right(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text)
{
	const int width = text_width(text, strlen(text));
	if (width < cells)
		canvas_text(canvas, x + cells - width, y, width, role, text);
	else
		canvas_text(canvas, x, y, cells, role, text);
	/* A figure without its end would be another one. */
	if (width > cells && cells > 0)
		canvas_put(canvas, x + cells - 1, y, role, 0x2026);
}

int canvas_printf(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *format, ...)
{
	char line[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	return canvas_text(canvas, x, y, cells, role, line);
}

void canvas_put(struct canvas *canvas, int x, int y, enum role role, uint32_t character)
{
	int width;
	const uint32_t c = canvas_printable(canvas, character, &width);
	if (y < 0 || y >= canvas->height || x < 0 || x + width > canvas->width)
		return;
	if (width == 0)
		canvas_mark(canvas, x + 1, y, c);
	else
		canvas_set(canvas, x, y, role, c, width);
}

void canvas_fill(struct canvas *canvas, struct box box, enum role role, uint32_t character)
{
	const struct box part = canvas_clip(canvas, box);
	int width;
	uint32_t c = canvas_printable(canvas, character, &width);
	if (width != 1)
		c = '?';
	for (int y = part.y; y < part.y + part.height; y++)
		for (int x = part.x; x < part.x + part.width; x++)
			canvas_set(canvas, x, y, role, c, 1);
}

void canvas_rule(struct canvas *canvas, int x, int y, int cells, const char *title)
{
	canvas_fill(canvas, (struct box){x, y, cells, 1}, ROLE_RULE, HORIZONTAL);
	if (!title || cells < 8)
		return;
	canvas_put(canvas, x + 2, y, ROLE_RULE, ' ');
	const int used = canvas_text(canvas, x + 3, y, cells - 6, ROLE_HEADING, title);
	canvas_put(canvas, x + 3 + used, y, ROLE_RULE, ' ');
}

void canvas_role(struct canvas *canvas, struct box box, enum role role)
{
	const struct box part = canvas_clip(canvas, box);
	for (int y = part.y; y < part.y + part.height; y++)
		for (int x = part.x; x < part.x + part.width; x++)
			canvas_at(canvas, x, y)->role = (uint8_t)role;
}

void canvas_look(struct canvas *canvas, struct box box, int look)
{
	const struct box part = canvas_clip(canvas, box);
	for (int y = part.y; y < part.y + part.height; y++)
		for (int x = part.x; x < part.x + part.width; x++)
			canvas_at(canvas, x, y)->look |= (uint8_t)look;
}

void canvas_bar(struct canvas *canvas, int x, int y, int cells, double share, enum role role)
{
	if (cells < 1 || !(share > 0)) /* NaN is no bar either */
		return;
	if (share > 1)
		share = 1;
	const int steps = canvas->ascii || canvas->no_eighths ? 1 : 8;
	int length = (int)(share * cells * steps + 0.5);
	if (length == 0 && steps == 8)
		length = 1; /* what is there stays visible */
	canvas_fill(canvas, (struct box){x, y, length / steps, 1}, role, FULL_BLOCK);
	if (length % steps != 0)
		canvas_put(canvas, x + length / steps, y, role,
			(uint32_t)(LEFT_EIGHTH + 1 - length % steps));
}

void canvas_frame(struct canvas *canvas, struct box box, const char *title)
{
	const int right = box.x + box.width - 1, bottom = box.y + box.height - 1;
	if (box.width < 2 || box.height < 2)
		return;
	canvas_fill(canvas, box, ROLE_OVERLAY, ' ');
	canvas_fill(canvas, (struct box){box.x, box.y, box.width, 1}, ROLE_OVERLAY, HORIZONTAL);
	canvas_fill(canvas, (struct box){box.x, bottom, box.width, 1}, ROLE_OVERLAY, HORIZONTAL);
	canvas_fill(canvas, (struct box){box.x, box.y, 1, box.height}, ROLE_OVERLAY, VERTICAL);
	canvas_fill(canvas, (struct box){right, box.y, 1, box.height}, ROLE_OVERLAY, VERTICAL);
	/* Round corners are no part of a console's font, square ones are. */
	static const uint32_t round[] = {0x256d, 0x256e, 0x2570, 0x256f};
	static const uint32_t square[] = {0x250c, 0x2510, 0x2514, 0x2518};
	const uint32_t *corners = canvas->no_eighths ? square : round;
	canvas_put(canvas, box.x, box.y, ROLE_OVERLAY, corners[0]);
	canvas_put(canvas, right, box.y, ROLE_OVERLAY, corners[1]);
	canvas_put(canvas, box.x, bottom, ROLE_OVERLAY, corners[2]);
	canvas_put(canvas, right, bottom, ROLE_OVERLAY, corners[3]);
	if (!title || box.width < 10)
		return;
	canvas_put(canvas, box.x + 3, box.y, ROLE_OVERLAY, ' ');
	const int used =
		canvas_text(canvas, box.x + 4, box.y, box.width - 8, ROLE_OVERLAY_HEADING, title);
	canvas_put(canvas, box.x + 4 + used, box.y, ROLE_OVERLAY, ' ');
}

static void canvas_dump_cell(const struct cell *cell, struct text *out)
{
	char bytes[4];
	if (cell->character == 0)
		return;
	text_add(out, bytes, utf8_encode(cell->character, bytes));
	if (cell->mark != 0)
		text_add(out, bytes, utf8_encode(cell->mark, bytes));
}

void canvas_dump(const struct canvas *canvas, struct text *out)
{
	for (int y = 0; y < canvas->height; y++) {
		int end = canvas->width;
		while (end > 0 && canvas_at(canvas, end - 1, y)->character == ' ')
			end--;
		for (int x = 0; x < end; x++)
			canvas_dump_cell(canvas_at(canvas, x, y), out);
		text_puts(out, "\n");
	}
}
