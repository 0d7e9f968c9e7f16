/* SPDX-License-Identifier: MIT */
/* The canvas: nothing outside it is touched, and nothing gets in that a terminal would act on. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kit/canvas.h"

static struct canvas make_canvas(int width, int height, bool ascii)
{
	struct canvas canvas = {.ascii = ascii};
	canvas_resize(&canvas, width, height);
	return canvas;
}

static void assert_dump(const struct canvas *canvas, const char *expected)
{
	struct text out = {0};
	canvas_dump(canvas, &out);
	assert_string_equal(out.data, expected);
	text_free(&out);
}

/* No control, format or direction character; right halves only behind wide characters. */
static void assert_sound(const struct canvas *canvas)
{
	for (int y = 0; y < canvas->height; y++) {
		const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
		for (int x = 0; x < canvas->width; x++) {
			const uint32_t c = row[x].character;
			if (c == 0) {
				assert_true(x > 0);
				assert_int_equal(character_width(row[x - 1].character), 2);
				continue;
			}
			assert_true(c >= 0x20 && c != 0x7f && !(c > 0x7f && c < 0xa0));
			assert_true(c < 0x200b || c > 0x200f);
			assert_true(c < 0x2028 || c > 0x202e);
			assert_true(!canvas->ascii || c < 0x7f);
			if (character_width(c) == 2)
				assert_true(x + 1 < canvas->width && row[x + 1].character == 0);
			assert_true(row[x].role < ROLE_COUNT);
		}
	}
}

static void text_is_cut_at_its_field_and_at_the_edges(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(10, 2, false);
	assert_int_equal(canvas_text(&canvas, 0, 0, 3, ROLE_NORMAL, "abcdef"), 3);
	assert_int_equal(canvas_text(&canvas, 8, 0, 9, ROLE_NORMAL, "xyz"), 2);
	canvas_text(&canvas, -2, 1, 9, ROLE_NORMAL, "abcdef");
	canvas_text(&canvas, 0, 2, 9, ROLE_NORMAL, "below");
	canvas_text(&canvas, 0, -1, 9, ROLE_NORMAL, "above");
	canvas_text_right(&canvas, 5, 1, 5, ROLE_NORMAL, "12");
	assert_dump(&canvas, "abc     xy\ncdef    12\n");
	canvas_free(&canvas);
}

static void wide_characters_are_never_halved(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(6, 3, false);
	assert_int_equal(canvas_text(&canvas, 0, 0, 5, ROLE_NORMAL, "日本語"), 4);
	canvas_text(&canvas, 1, 1, 9, ROLE_NORMAL, "日本語"); /* 語 would stick out */
	canvas_text(&canvas, -1, 2, 9, ROLE_NORMAL, "日本");
	assert_dump(&canvas, "日本\n 日本\n 本\n");
	canvas_put(&canvas, 1, 0, ROLE_NORMAL, 'x'); /* on a right half */
	canvas_put(&canvas, 3, 1, ROLE_NORMAL, 'y'); /* on a left half */
	assert_dump(&canvas, " x本\n 日y\n 本\n");
	canvas_put(&canvas, 5, 2, ROLE_NORMAL, 0x65e5); /* no room for its right half */
	assert_sound(&canvas);
	canvas_free(&canvas);
}

static void combining_characters_stay_on_their_base(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(8, 1, false);
	assert_int_equal(canvas_text(&canvas, 0, 0, 8, ROLE_NORMAL, "e\u0301a\u0300\u0302b"), 3);
	assert_int_equal(canvas.cells[0].mark, 0x301);
	assert_int_equal(canvas.cells[1].mark, 0x300);
	assert_dump(&canvas, "e\u0301a\u0300b\n");
	canvas_text(&canvas, 0, 0, 8, ROLE_NORMAL, "\u0301x"); /* nothing to stand on */
	assert_dump(&canvas, "xa\u0300b\n");
	canvas_free(&canvas);
}

static void no_control_byte_gets_in(void **state)
{
	(void)state;
	static const char *const hostile[] = {"\033]52;c;AAAA\007", "a\tb\nc\rd\b",
		"\x9b"
		"31m",
		"\xc2\x9b"
		"31m",
		"\u202egnp.exe", "a\u200bb\u200fc", "\xff\xfe\xc3", "\u2028\u2029", "\x7f",
		"\U000e0041", "\ufeffx"};
	for (int ascii = 0; ascii < 2; ascii++) {
		struct canvas canvas = make_canvas(24, 12, ascii);
		for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
			canvas_text(&canvas, 0, (int)i, 24, ROLE_NORMAL, hostile[i]);
		for (uint32_t c = 0; c < 24; c++)
			canvas_put(&canvas, (int)c, 11, ROLE_NORMAL, c + 0x7a);
		assert_sound(&canvas);
		canvas_free(&canvas);
	}
}

static void ascii_has_a_glyph_for_every_drawing_character(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(40, 2, true);
	canvas_text(&canvas, 0, 0, 40, ROLE_NORMAL, "▏run…▏▶x › y ░▒█▄▁ ─│┌┼╯ ▼▲ ·–× é日");
	assert_dump(&canvas, "|run~|>x > y .:##  -|+++ v^ .-x ??\n\n");
	canvas_free(&canvas);
}

static void bars_have_the_length_of_their_share(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(10, 6, false);
	canvas_bar(&canvas, 0, 0, 10, 1, ROLE_BAR);
	canvas_bar(&canvas, 0, 1, 10, 0.5, ROLE_BAR);
	canvas_bar(&canvas, 0, 2, 10, 0.0001, ROLE_BAR); /* small, but there */
	canvas_bar(&canvas, 0, 3, 10, 0, ROLE_BAR);
	canvas_bar(&canvas, 0, 4, 10, 7, ROLE_BAR);
	canvas_bar(&canvas, 0, 5, 10, 0.0 / 1 * -1, ROLE_BAR);
	assert_dump(&canvas, "██████████\n█████\n▏\n\n██████████\n\n");
	canvas_free(&canvas);
	canvas = make_canvas(10, 1, true);
	canvas_bar(&canvas, 0, 0, 10, 0.36, ROLE_BAR);
	assert_dump(&canvas, "####\n");
	canvas_free(&canvas);
}

static void frames_and_rules_carry_titles(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(20, 4, false);
	canvas_fill(&canvas, (struct box){0, 0, 20, 4}, ROLE_NORMAL, 'x');
	canvas_frame(&canvas, (struct box){1, 0, 16, 3}, "Help");
	canvas_rule(&canvas, 0, 3, 20, "sel");
	assert_dump(&canvas,
		"x╭── Help ──────╮xxx\nx│              │xxx\nx╰──────────────╯xxx\n── sel ─────────────\n");
	canvas_free(&canvas);
}

/* Everything at random, far outside too; a sanitizer sees what gets lost. */
static void drawing_clips_at_every_size(void **state)
{
	(void)state;
	unsigned seed = 1;
	for (int size = 0; size < 130; size++) {
		const int width = size + 1, height = 1 + size % 50;
		struct canvas canvas = make_canvas(width, height, size % 3 == 0);
		canvas.no_eighths = size % 2;
		for (int i = 0; i < 60; i++) {
			int n[6];
			for (int k = 0; k < 6; k++) {
				seed = seed * 1664525u + 1013904223u;
				n[k] = (int)(seed >> 16) % 300 - 90;
			}
			const struct box box = {n[0], n[1], n[2], n[3]};
			const enum role role = (enum role)((n[4] + 90) % ROLE_COUNT);
			canvas_fill(&canvas, box, role, (uint32_t)(0x2500 + n[5]));
			canvas_text(&canvas, n[0], n[1], n[2], role, "a日e\u0301\033▏語…z");
			canvas_text_right(&canvas, n[3], n[1], n[2], role, "日12");
			canvas_printf(&canvas, n[0], n[3], n[2], role, "%d 日", n[4]);
			canvas_put(&canvas, n[2], n[3], role, 0x65e5);
			canvas_rule(&canvas, n[0], n[2], n[1], "a title");
			canvas_frame(&canvas, box, "a title");
			canvas_bar(&canvas, n[0], n[1], n[2], n[3] / 100.0, role);
			canvas_role(&canvas, box, role);
			canvas_look(&canvas, box, LOOK_REVERSE);
		}
		assert_sound(&canvas);
		canvas_free(&canvas);
	}
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_cut_at_its_field_and_at_the_edges),
		cmocka_unit_test(wide_characters_are_never_halved),
		cmocka_unit_test(combining_characters_stay_on_their_base),
		cmocka_unit_test(no_control_byte_gets_in),
		cmocka_unit_test(ascii_has_a_glyph_for_every_drawing_character),
		cmocka_unit_test(bars_have_the_length_of_their_share),
		cmocka_unit_test(frames_and_rules_carry_titles),
		cmocka_unit_test(drawing_clips_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
