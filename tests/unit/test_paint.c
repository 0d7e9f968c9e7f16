/* SPDX-License-Identifier: MIT */
/*
 * The bytes that go to the terminal, read by a small terminal of our own: after each picture its
 * cells are what the canvas says, whatever was there before.
 */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "paint.h"

enum { MOST_CELLS = 60 * 20 };

/* ---- a terminal --------------------------------------------------------------- */

struct screen {
	int width, height, x, y;
	bool erases_in_colour, wraps_late;
	struct style pen;
	struct cell cells[MOST_CELLS]; /* character and mark */
	struct style styles[MOST_CELLS];
};

static const struct style plain = {-1, -1, 0};

static void erase_cell(struct screen *screen, int x, int y)
{
	const int i = y * screen->width + x;
	screen->cells[i] = (struct cell){.character = ' '};
	screen->styles[i] = plain;
	if (screen->erases_in_colour)
		screen->styles[i].background = screen->pen.background;
}

static void set_look(struct screen *screen, const int *numbers, int count)
{
	for (int i = 0; i < count; i++) {
		const int n = numbers[i];
		if (n == 0)
			screen->pen = plain;
		else if (n == 1)
			screen->pen.look |= LOOK_BOLD;
		else if (n == 2)
			screen->pen.look |= THEME_DIM;
		else if (n == 4)
			screen->pen.look |= LOOK_UNDERLINE;
		else if (n == 7)
			screen->pen.look |= LOOK_REVERSE;
		else if ((n == 38 || n == 48) && i + 2 < count && numbers[i + 1] == 5) {
			*(n == 38 ? &screen->pen.foreground : &screen->pen.background) =
				numbers[i + 2];
			i += 2;
		} else if (n >= 30 && n < 38)
			screen->pen.foreground = n - 30;
		else if (n >= 40 && n < 48)
			screen->pen.background = n - 40;
		else
			fail_msg("SGR %d", n);
	}
}

/* "\033[1;2H": returns what follows it. */
static const char *read_sequence(struct screen *screen, const char *text)
{
	int numbers[16] = {0}, count = 0;
	assert_int_equal(text[1], '[');
	for (text += 2; (*text >= '0' && *text <= '9') || *text == ';'; text++) {
		if (*text == ';')
			count++;
		else
			numbers[count] = numbers[count] * 10 + *text - '0';
		assert_true(count < 15);
	}
	count++;
	switch (*text) {
	case 'H':
		screen->y = numbers[0] ? numbers[0] - 1 : 0;
		screen->x = numbers[1] ? numbers[1] - 1 : 0;
		break;
	case 'C':
		assert_true(screen->x < screen->width);
		screen->x += numbers[0] ? numbers[0] : 1;
		break;
	case 'J':
		for (int i = 0; i < screen->width * screen->height; i++)
			erase_cell(screen, i % screen->width, i / screen->width);
		break;
	case 'K':
		for (int x = screen->x; x < screen->width; x++)
			erase_cell(screen, x, screen->y);
		break;
	case 'X':
		for (int x = screen->x; x < screen->x + numbers[0]; x++)
			erase_cell(screen, x, screen->y);
		break;
	case 'm':
		set_look(screen, numbers, count);
		break;
	default:
		fail_msg("sequence %c", *text);
	}
	assert_true(screen->x < screen->width && screen->y < screen->height);
	return text + 1;
}

static void put_character(struct screen *screen, uint32_t c)
{
	const int width = character_width(c);
	struct cell *cell = &screen->cells[screen->y * screen->width + screen->x];
	if (width == 0) {
		cell -= cell[-1].character == 0 ? 2 : 1;
		cell->mark = c;
		return;
	}
	assert_true(c >= ' ' && width > 0 && screen->x + width <= screen->width);
	if (cell->character == 0) /* half of a wide one is lost */
		cell[-1] = (struct cell){.character = ' '};
	for (int i = 0; i < width; i++) {
		cell[i] = (struct cell){.character = i ? 0 : c};
		screen->styles[screen->y * screen->width + screen->x + i] = screen->pen;
	}
	screen->x += width;
	if (screen->x < screen->width && cell[width].character == 0)
		cell[width] = (struct cell){.character = ' '};
	if (screen->x == screen->width && !screen->wraps_late) {
		screen->x = 0;
		screen->y++;
		assert_true(screen->y < screen->height); /* it would scroll */
	}
}

static void read_bytes(struct screen *screen, const struct text *bytes)
{
	const char *text = bytes->data, *end = bytes->data + bytes->length;
	while (text && text < end) {
		uint32_t c;
		if (*text == '\033') {
			text = read_sequence(screen, text);
		} else if (*text == '\r') {
			screen->x = 0;
			text++;
		} else if (*text == '\n') {
			screen->y++;
			assert_true(screen->y < screen->height);
			text++;
		} else {
			const size_t n = utf8_decode(text, (size_t)(end - text), &c);
			assert_true(n > 0);
			put_character(screen, c);
			text += n;
		}
	}
}

/* ---- what it can -------------------------------------------------------------- */

static const char *expand(const char *capability, int first, int second)
{
	static char bytes[64];
	switch (capability[0]) {
	case 'H':
		snprintf(bytes, sizeof bytes, "\033[%d;%dH", first + 1, second + 1);
		break;
	case 'f':
	case 'b':
		snprintf(bytes, sizeof bytes, "\033[%s8;5;%dm", *capability == 'f' ? "3" : "4",
			first);
		break;
	case '3':
	case '4':
		snprintf(bytes, sizeof bytes, "\033[%c%dm", *capability, first);
		break;
	default:
		snprintf(bytes, sizeof bytes, "\033[%d%c", first, *capability);
	}
	return bytes;
}

static struct paint_terminal make_terminal(unsigned kind)
{
	struct paint_terminal terminal = {.clear = "\033[H\033[2J",
		.cursor_address = "H",
		.normal = "\033[m",
		.bold = "\033[1m",
		.reverse = "\033[7m",
		.expand = expand};
	static const enum colour_depth depths[] = {DEPTH_256, DEPTH_8, DEPTH_MONO};
	terminal.depth = depths[kind % 3];
	terminal.foreground = terminal.depth == DEPTH_256 ? "f" : "3";
	terminal.background = terminal.depth == DEPTH_256 ? "b" : "4";
	terminal.cursor_right = kind & 1 ? "C" : NULL;
	terminal.erase_to_end = kind & 2 ? "\033[K" : NULL;
	terminal.erase_cells = kind & 4 ? "X" : NULL;
	terminal.dim = kind & 2 ? "\033[2m" : NULL;
	terminal.underline = kind & 4 ? "\033[4m" : NULL;
	terminal.erases_in_colour = kind & 8;
	terminal.wraps_late = !(kind & 16);
	terminal.has_default_colours = !(kind & 32);
	terminal.no_colour_video = kind & 64 ? 18 : 0;
	return terminal;
}

/* What the cell is to look like there. */
static struct style wanted_style(const struct paint_terminal *terminal, const struct cell *cell)
{
	struct style style = theme_style((enum role)cell->role, terminal->depth);
	const bool has_colour = style.foreground >= 0 || style.background >= 0;
	if (has_colour && !terminal->has_default_colours) {
		style.foreground = style.foreground < 0 ? 7 : style.foreground;
		style.background = style.background < 0 ? 0 : style.background;
	}
	style.look = ((style.look ^ cell->look) & LOOK_REVERSE) |
		     ((style.look | cell->look) & ~LOOK_REVERSE);
	if (!terminal->dim || (has_colour && (terminal->no_colour_video & 16)))
		style.look &= ~THEME_DIM;
	if (!terminal->underline || (has_colour && (terminal->no_colour_video & 2)))
		style.look &= ~LOOK_UNDERLINE;
	return style;
}

static void shows(const struct screen *screen, const struct canvas *canvas,
	const struct paint_terminal *terminal)
{
	const int count = canvas->width * canvas->height;
	for (int i = 0; i < count - (terminal->wraps_late ? 0 : 2); i++) {
		const struct cell *want = &canvas->cells[i], *got = &screen->cells[i];
		const struct style style = wanted_style(terminal, want), *is = &screen->styles[i];
		assert_int_equal(got->character, want->character);
		if (want->character == 0)
			continue;
		assert_int_equal(got->mark, want->mark);
		assert_int_equal(is->background, style.background);
		const int seen = LOOK_REVERSE | LOOK_UNDERLINE;
		if (want->character == ' ' && want->mark == 0 && !(style.look & seen)) {
			assert_int_equal(is->look & seen, 0);
			continue;
		}
		assert_int_equal(is->foreground, style.foreground);
		assert_int_equal(is->look, style.look);
	}
}

/* ---- pictures ----------------------------------------------------------------- */

static uint32_t seed;

static int any(int below)
{
	seed = seed * 1664525u + 1013904223u;
	return (int)((seed >> 8) % (uint32_t)below);
}

/* Draws something over what is there. */
static void scribble(struct canvas *canvas)
{
	static const char *const texts[] = {"a", "word", "a longer text with blanks   in it",
		"日本", "e\u0301te\u0301", "\u258fframe", "\u2591\u2592 \u00b7", "x 日本語 y"};
	const struct box box = {any(canvas->width), any(canvas->height), 1 + any(40), 1 + any(3)};
	const enum role role = (enum role)any(any(2) ? ROLE_COUNT : ROLE_BAR);
	switch (any(5)) {
	case 0:
		canvas_fill(canvas, box, role, ' ');
		break;
	case 1:
		canvas_look(canvas, box, 1 + any(7));
		break;
	case 2:
		canvas_role(canvas, box, role);
		break;
	default:
		canvas_text(canvas, box.x, box.y, 1 + any(60), role, texts[any(8)]);
	}
}

static void every_terminal_shows_the_canvas(void **state)
{
	(void)state;
	static struct screen screen;
	for (unsigned kind = 0; kind < 128; kind++) {
		const struct paint_terminal terminal = make_terminal(kind);
		struct canvas canvas = {0};
		struct painter painter = {0};
		paint_start(&painter, &terminal);
		seed = kind;
		for (int step = 0; step < 200; step++) {
			if (step % 50 == 0) {
				canvas_resize(&canvas, 1 + any(60), 1 + any(20));
				screen = (struct screen){.width = canvas.width,
					.height = canvas.height,
					.pen = screen.pen,
					.erases_in_colour = terminal.erases_in_colour,
					.wraps_late = terminal.wraps_late};
				paint_forget(&painter);
			}
			if (any(20) == 0)
				canvas_clear(&canvas);
			for (int i = any(4); i >= 0; i--)
				scribble(&canvas);
			read_bytes(&screen, paint_show(&painter, &canvas));
			shows(&screen, &canvas, &terminal);
			assert_int_equal(paint_show(&painter, &canvas)->length, 0);
		}
		paint_free(&painter);
		canvas_free(&canvas);
	}
}

/* ---- few bytes ---------------------------------------------------------------- */

static void changes_are_short(void **state)
{
	(void)state;
	const struct paint_terminal terminal = make_terminal(15);
	struct canvas canvas = {0};
	struct painter painter = {0};
	paint_start(&painter, &terminal);
	canvas_resize(&canvas, 60, 20);
	for (int y = 0; y < 20; y++)
		canvas_text(&canvas, 0, y, 60, ROLE_NORMAL, "a line that stays where it is");
	/* Blanks are not sent. */
	assert_true(paint_show(&painter, &canvas)->length < 20 * 36);
	canvas_put(&canvas, 7, 3, ROLE_NORMAL, 'X');
	assert_string_equal(paint_show(&painter, &canvas)->data, "\033[4;8HX");
	/* Both colours in one sequence; then the one that changes. */
	canvas_text(&canvas, 8, 3, 2, ROLE_FRAME_FIRST, "ab");
	canvas_text(&canvas, 10, 3, 2, (enum role)(ROLE_FRAME_FIRST + 1), "cd");
	assert_string_equal(
		paint_show(&painter, &canvas)->data, "\033[38;5;16;48;5;117mab\033[48;5;74mcd");
	/* A blank needs no ink, and the rest of a line is erased at once. */
	canvas_text(&canvas, 12, 3, 48, ROLE_NORMAL, "                                    ");
	assert_string_equal(paint_show(&painter, &canvas)->data, "\033[m\033[K");
	paint_free(&painter);
	canvas_free(&canvas);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_terminal_shows_the_canvas),
		cmocka_unit_test(changes_are_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
