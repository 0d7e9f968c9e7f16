/* SPDX-License-Identifier: MIT */
#include "paint.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	WORTH_ERASING = 10, /* blanks in a row, from which on erasing them is shorter */
	WORTH_REWRITING = 4 /* so many cells that are there already cost less than a jump */
};

static const struct style paint_plain = {-1, -1, 0};

/* ---- what a cell looks like --------------------------------------------------- */

static struct style paint_role_style(const struct paint_terminal *terminal, enum role role)
{
	struct style style = theme_style(role, terminal->depth);
	if (terminal->has_default_colours || terminal->depth == DEPTH_MONO)
		return style;
	if (style.foreground < 0 && style.background >= 0)
		style.foreground = 7;
	if (style.background < 0 && style.foreground >= 0)
		style.background = 0;
	return style;
}

static struct style paint_style(const struct painter *painter, const struct cell *cell)
{
	enum { NO_UNDERLINE = 2, NO_REVERSE = 4, NO_DIM = 16, NO_BOLD = 32 };
	const struct paint_terminal *terminal = painter->terminal;
	struct style style = painter->styles[cell->role];
	/* A cursor on a line that is reversed already has to differ from it. */
	style.look ^= cell->look & LOOK_REVERSE;
	style.look |= cell->look & ~LOOK_REVERSE;
	const bool has_colour = style.foreground >= 0 || style.background >= 0;
	const int without = has_colour ? terminal->no_colour_video : 0;
	if (!terminal->underline || (without & NO_UNDERLINE))
		style.look &= ~LOOK_UNDERLINE;
	if (!terminal->reverse || (without & NO_REVERSE))
		style.look &= ~LOOK_REVERSE;
	if (!terminal->dim || (without & NO_DIM))
		style.look &= ~THEME_DIM;
	if (!terminal->bold || (without & NO_BOLD))
		style.look &= ~LOOK_BOLD;
	return style;
}

/* Whether only the background of the cell is seen. */
static bool paint_is_blank(const struct cell *cell, const struct style *style)
{
	return cell->character == ' ' && cell->mark == 0 &&
	       !(style->look & (LOOK_REVERSE | LOOK_UNDERLINE));
}

/* Whether two cells look different. */
static bool paint_differs(
	const struct painter *painter, const struct cell *before, const struct cell *now)
{
	if (before->character != now->character || before->mark != now->mark)
		return true;
	if (before->role == now->role && before->look == now->look)
		return false;
	const struct style a = paint_style(painter, before), b = paint_style(painter, now);
	if (a.background != b.background)
		return true;
	if (paint_is_blank(before, &a) && paint_is_blank(now, &b))
		return false;
	return a.foreground != b.foreground || a.look != b.look;
}

/* ---- bytes -------------------------------------------------------------------- */

static void paint_add(struct painter *painter, const char *bytes)
{
	text_puts(&painter->bytes, bytes);
}

static const char *paint_expand(const struct painter *painter, const char *capability, int a, int b)
{
	return painter->terminal->expand(capability, a, b);
}

/* Whether it is "\033[...m" with nothing but numbers, so that two of them can be one. */
static bool paint_is_mergeable(const char *bytes)
{
	if (strncmp(bytes, "\033[", 2) != 0)
		return false;
	const size_t numbers = strspn(bytes + 2, "0123456789;");
	return bytes[2 + numbers] == 'm' && bytes[3 + numbers] == '\0';
}

/* Adds a change of colour or attribute, to the one just before it where that can be. */
static void paint_add_look(struct painter *painter, const char *bytes)
{
	struct text *out = &painter->bytes;
	const bool is_mergeable = paint_is_mergeable(bytes);
	if (is_mergeable && out->length > 0 && painter->colours_end == out->length) {
		const bool was_normal = out->data[out->length - 2] == '[';
		out->data[out->length - 1] = ';';
		if (was_normal) { /* "\033[m" is short for "\033[0m" */
			out->data[out->length - 1] = '0';
			text_puts(out, ";");
		}
		bytes += 2;
	}
	text_puts(out, bytes);
	painter->colours_end = is_mergeable ? out->length : 0;
}

/* Back to plain text on the terminal's own background. */
static void paint_lay_down(struct painter *painter)
{
	if (painter->terminal->normal)
		paint_add_look(painter, painter->terminal->normal);
	painter->pen = paint_plain;
}

/* Sets what a cell needs that is not set. A blank one shows nothing but its background. */
static void paint_take_pen(struct painter *painter, const struct style *style, bool is_blank)
{
	const struct paint_terminal *terminal = painter->terminal;
	struct style *pen = &painter->pen;
	const int seen = is_blank ? LOOK_REVERSE | LOOK_UNDERLINE : ~0;
	const int wanted = style->look & seen;
	if ((pen->look & seen & ~wanted) || (style->background < 0 && pen->background >= 0) ||
		(!is_blank && style->foreground < 0 && pen->foreground >= 0))
		paint_lay_down(painter);
	const struct {
		int look;
		const char *bytes;
	} looks[] = {{LOOK_BOLD, terminal->bold}, {THEME_DIM, terminal->dim},
		{LOOK_REVERSE, terminal->reverse}, {LOOK_UNDERLINE, terminal->underline}};
	for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
		if ((wanted & looks[i].look) && !(pen->look & looks[i].look))
			paint_add_look(painter, looks[i].bytes);
	pen->look |= wanted;
	if (!is_blank && style->foreground != pen->foreground) {
		paint_add_look(
			painter, paint_expand(painter, terminal->foreground, style->foreground, 0));
		pen->foreground = style->foreground;
	}
	if (style->background != pen->background) {
		paint_add_look(
			painter, paint_expand(painter, terminal->background, style->background, 0));
		pen->background = style->background;
	}
}

/* Whether terminals agree on how many cells it takes; they do not where a font decides. */
static bool paint_is_sure(const struct cell *cell)
{
	const uint32_t c = cell->character;
	if (cell->mark != 0)
		return false;
	return c < 0x300 || (c >= 0x2010 && c < 0x2300) || (c >= 0x2500 && c < 0x25fb) ||
	       (c >= 0x3041 && c < 0xa000) || (c >= 0xac00 && c < 0xd7a4);
}

static void paint_character(struct painter *painter, const struct cell *cell, int width)
{
	char bytes[4];
	text_add(&painter->bytes, bytes, utf8_encode(cell->character, bytes));
	if (cell->mark != 0)
		text_add(&painter->bytes, bytes, utf8_encode(cell->mark, bytes));
	painter->x += width;
	if (!paint_is_sure(cell) ||
		(painter->x >= painter->width && !painter->terminal->wraps_late))
		painter->y = -1;
}

/* ---- moving ------------------------------------------------------------------- */

/* Moves right over cells by writing them again, where that takes few bytes. */
static bool paint_rewrite(struct painter *painter, int x)
{
	const struct cell *row = &painter->shown[(size_t)painter->y * (size_t)painter->width];
	if (x - painter->x > WORTH_REWRITING)
		return false;
	for (int i = painter->x; i < x; i++) {
		const struct style style = paint_style(painter, &row[i]);
		const bool is_blank = paint_is_blank(&row[i], &style);
		const int seen = is_blank ? LOOK_REVERSE | LOOK_UNDERLINE : ~0;
		if (row[i].character < ' ' || row[i].character > '~' || row[i].mark != 0 ||
			style.background != painter->pen.background ||
			(!is_blank && style.foreground != painter->pen.foreground) ||
			((style.look ^ painter->pen.look) & seen))
			return false;
	}
	for (; painter->x < x; painter->x++) {
		const char c = (char)row[painter->x].character;
		text_add(&painter->bytes, &c, 1);
	}
	return true;
}

static void paint_move(struct painter *painter, int x, int y)
{
	const struct paint_terminal *terminal = painter->terminal;
	if (painter->y >= 0 && painter->y + 1 == y && (x == 0 || terminal->cursor_right)) {
		paint_add(painter, "\r\n");
		painter->x = 0;
		painter->y = y;
	}
	if (painter->y == y && painter->x == x)
		return;
	/* In the last column the cursor is not where it seems to be. */
	const bool is_forward = painter->y == y && painter->x < x && painter->x < painter->width;
	if (is_forward && paint_rewrite(painter, x))
		return;
	if (is_forward && terminal->cursor_right)
		paint_add(
			painter, paint_expand(painter, terminal->cursor_right, x - painter->x, 0));
	else
		paint_add(painter, paint_expand(painter, terminal->cursor_address, y, x));
	painter->x = x;
	painter->y = y;
}

/* ---- the picture -------------------------------------------------------------- */

/* How many cells from x on are blank and look the same; *changed of them are new. */
static int paint_blanks(const struct painter *painter, const struct cell *before,
	const struct cell *now, int x, int *changed)
{
	int end = x, background = -1;
	for (*changed = 0; end < painter->width; end++) {
		const struct style style = paint_style(painter, &now[end]);
		if (!paint_is_blank(&now[end], &style) ||
			(end > x && style.background != background))
			break;
		background = style.background;
		*changed += paint_differs(painter, &before[end], &now[end]);
	}
	return background < 0 || painter->terminal->erases_in_colour ? end - x : 0;
}

/* Erases a stretch of blanks where that is shorter than writing them; returns its length, or 0. */
static int paint_erase(
	struct painter *painter, const struct cell *before, const struct cell *now, int x, int y)
{
	const struct paint_terminal *terminal = painter->terminal;
	int changed;
	const int count = paint_blanks(painter, before, now, x, &changed);
	const bool is_rest = x + count == painter->width && changed > 3 && terminal->erase_to_end;
	if (!is_rest && (changed < WORTH_ERASING || !terminal->erase_cells))
		return 0;
	const struct style style = paint_style(painter, &now[x]);
	paint_move(painter, x, y);
	paint_take_pen(painter, &style, true);
	/* Reversed erasing differs from terminal to terminal: the pen of a blank has none. */
	paint_add(painter, is_rest ? terminal->erase_to_end
				   : paint_expand(painter, terminal->erase_cells, count, 0));
	return count;
}

static int paint_cell(struct painter *painter, const struct cell *now, int x, int y)
{
	const struct style style = paint_style(painter, &now[x]);
	const int width = x + 1 < painter->width && now[x + 1].character == 0 ? 2 : 1;
	const bool is_last = y + 1 == painter->height && x + width == painter->width;
	/* There a character would scroll the screen. */
	if (is_last && !painter->terminal->wraps_late)
		return width;
	paint_move(painter, x, y);
	paint_take_pen(painter, &style, paint_is_blank(&now[x], &style));
	paint_character(painter, &now[x], width);
	return width;
}

static void paint_row(struct painter *painter, const struct canvas *canvas, int y)
{
	struct cell *before = &painter->shown[(size_t)y * (size_t)painter->width];
	const struct cell *now = &canvas->cells[(size_t)y * (size_t)canvas->width];
	for (int x = 0, done; x < painter->width; x += done) {
		done = 1;
		/* The right half of a wide character is painted with the left one. */
		if (now[x].character == 0 || !paint_differs(painter, &before[x], &now[x]))
			continue;
		const int erased = paint_erase(painter, before, now, x, y);
		done = erased > 0 ? erased : paint_cell(painter, now, x, y);
		memcpy(&before[x], &now[x], (size_t)done * sizeof *now);
	}
}

/* Clears the screen, or takes it for full of something else where that cannot be. */
static void paint_begin(struct painter *painter, const struct canvas *canvas)
{
	const size_t count = (size_t)canvas->width * (size_t)canvas->height;
	const char *clear = painter->terminal->clear;
	painter->shown = memory_grow(painter->shown, count * sizeof *painter->shown);
	painter->width = canvas->width;
	painter->height = canvas->height;
	painter->y = -1;
	paint_lay_down(painter);
	/* All of it: a new line in the last one of a part would scroll. */
	if (painter->terminal->scroll_region)
		paint_add(painter, paint_expand(painter, painter->terminal->scroll_region, 0,
					   painter->height - 1));
	if (clear) {
		paint_add(painter, clear);
		painter->x = painter->y = 0;
	}
	for (size_t i = 0; i < count; i++)
		painter->shown[i] = (struct cell){.character = clear ? ' ' : UINT32_MAX};
}

const struct text *paint_show(struct painter *painter, const struct canvas *canvas)
{
	text_clear(&painter->bytes);
	painter->colours_end = 0;
	if (!painter->shown || painter->width != canvas->width || painter->height != canvas->height)
		paint_begin(painter, canvas);
	for (int y = 0; y < canvas->height; y++)
		paint_row(painter, canvas, y);
	if (canvas->cursor_x >= 0 && canvas->cursor_y >= 0)
		paint_move(painter, canvas->cursor_x, canvas->cursor_y);
	return &painter->bytes;
}

/* ---- start and end ------------------------------------------------------------ */

void paint_start(struct painter *painter, const struct paint_terminal *terminal)
{
	painter->terminal = terminal;
	for (int role = 0; role < ROLE_COUNT; role++)
		painter->styles[role] = paint_role_style(terminal, (enum role)role);
	paint_forget(painter);
}

void paint_forget(struct painter *painter)
{
	free(painter->shown);
	painter->shown = NULL;
}

void paint_free(struct painter *painter)
{
	paint_forget(painter);
	text_free(&painter->bytes);
}
