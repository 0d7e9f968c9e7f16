/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void check_clean(const char *bytes, size_t length, bool ascii, const char *expected)
{
	struct text text = {0};
	text_puts(&text, "");
	text_clean(&text, bytes, length, ascii);
	assert_string_equal(text.data, expected);
	text_free(&text);
}

#define CLEAN(bytes, expected) check_clean(bytes, sizeof(bytes) - 1, false, expected)
#define CLEAN_ASCII(bytes, expected) check_clean(bytes, sizeof(bytes) - 1, true, expected)

static void test_plain_text_stays(void **state)
{
	(void)state;
	CLEAN("", "");
	CLEAN("main /srv/a.py:12", "main /srv/a.py:12");
	CLEAN("na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac", "na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac");
	CLEAN("\xf0\x9f\x8d\xb0", "\xf0\x9f\x8d\xb0");
}

static void test_control_characters_become_visible(void **state)
{
	(void)state;
	CLEAN("a\x1b[2Jb", "a\\x1b[2Jb");
	CLEAN("a\0b", "a\\x00b");
	CLEAN("two\nlines\ttab\rcr\x07\x08\x7f", "two\\x0alines\\x09tab\\x0dcr\\x07\\x08\\x7f");
	/* C1 as a character, and as bare bytes that are not UTF-8. */
	CLEAN("c1\xc2\x9b"
	      "31m",
		"c1\\u{9b}31m");
	CLEAN("c1\x9b"
	      "31m",
		"c1\\x9b31m");
}

static void test_characters_that_hide_become_visible(void **state)
{
	(void)state;
	CLEAN("\xe2\x80\xae", "\\u{202e}");                        /* right-to-left override */
	CLEAN("\xe2\x81\xa6x\xe2\x81\xa9", "\\u{2066}x\\u{2069}"); /* isolates */
	CLEAN("\xe2\x80\x8b", "\\u{200b}");                        /* zero width space */
	CLEAN("\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}");
	CLEAN("\xef\xbb\xbf", "\\u{feff}");
	CLEAN("\xf3\xa0\x80\x81", "\\u{e0001}"); /* tag */
}

static void test_broken_utf8_is_shown_byte_by_byte(void **state)
{
	(void)state;
	CLEAN("caf\xe9", "caf\\xe9");
	CLEAN("cut\xe6\x97", "cut\\xe6\\x97");
	CLEAN("\xc0\xaf", "\\xc0\\xaf");                   /* overlong */
	CLEAN("\xe0\x80\xaf", "\\xe0\\x80\\xaf");          /* overlong */
	CLEAN("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* surrogate */
	CLEAN("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* past U+10FFFF */
	CLEAN("\x80\xbf\xff", "\\x80\\xbf\\xff");
}

static void test_ascii_only(void **state)
{
	(void)state;
	CLEAN_ASCII("na\xc3\xafve", "na?ve");
	CLEAN_ASCII("caf\xe9", "caf\\xe9");
	CLEAN_ASCII("\xf0\x9f\x8d\xb0 x", "? x");
}

/* What comes out of any bytes is UTF-8 without a control character, and stays when cleaned again.
 */
static void test_clean_of_random_bytes(void **state)
{
	(void)state;
	uint32_t seed = 12345;
	for (int round = 0; round < 2000; round++) {
		char bytes[24];
		size_t length = (size_t)round % sizeof bytes;
		for (size_t i = 0; i < length; i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[i] = (char)(seed >> 24);
		}
		struct text once = {0}, twice = {0};
		text_puts(&once, "");
		text_puts(&twice, "");
		text_clean(&once, bytes, length, round & 1);
		for (size_t i = 0; i < once.length;) {
			uint32_t c;
			size_t size = utf8_decode(once.data + i, once.length - i, &c);
			assert_true(size > 0);
			assert_true(c >= 0x20 && !(c >= 0x7f && c < 0xa0));
			assert_true(!(round & 1) || c < 0x7f);
			i += size;
		}
		text_clean(&twice, once.data, once.length, round & 1);
		assert_string_equal(once.data, twice.data);
		text_free(&once);
		text_free(&twice);
	}
}

static void test_utf8_goes_round(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
		if (c >= 0xd800 && c < 0xe000)
			continue;
		char bytes[4];
		uint32_t back = 0;
		size_t size = utf8_encode(c, bytes);
		assert_int_equal(utf8_decode(bytes, size, &back), size);
		assert_int_equal(back, c);
		if (size > 1)
			assert_int_equal(utf8_decode(bytes, size - 1, &back), 0);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(text_width("abc", 3), 3);
	assert_int_equal(text_width("na\xc3\xafve", 6), 5);
	assert_int_equal(text_width("\xe6\x97\xa5\xe6\x9c\xac", 6), 4);
	assert_int_equal(text_width("e\xcc\x81", 3), 1); /* combining accent */
	assert_int_equal(character_width(0x1f370), 2);
	assert_int_equal(character_width('a'), 1);
}

static void test_fit_never_cuts_a_character(void **state)
{
	(void)state;
	const char *wide = "a\xe6\x97\xa5\xe6\x9c\xac"
			   "b";
	int width;
	assert_int_equal(text_fit(wide, 8, 0, &width), 0);
	assert_int_equal(width, 0);
	assert_int_equal(text_fit(wide, 8, 2, &width), 1);
	assert_int_equal(width, 1);
	assert_int_equal(text_fit(wide, 8, 3, &width), 4);
	assert_int_equal(width, 3);
	assert_int_equal(text_fit(wide, 8, 99, &width), 8);
	assert_int_equal(width, 6);
}

static void check_field(const char *s, int cells, bool right, bool ascii, const char *expected)
{
	struct text text = {0};
	text_puts(&text, "");
	text_field(&text, s, strlen(s), cells, right, ascii);
	assert_string_equal(text.data, expected);
	text_free(&text);
}

static void test_field(void **state)
{
	(void)state;
	check_field("abc", 5, false, false, "abc  ");
	check_field("abc", 5, true, false, "  abc");
	check_field("abcdef", 4, false, true, "abc~");
	check_field("abcdef", 4, false, false, "abc\xe2\x80\xa6");
	check_field("abc", 0, false, false, "");
	/* A wide character that would be cut in half leaves a blank. */
	check_field("\xe6\x97\xa5\xe6\x9c\xac\xe6\x97\xa5", 4, false, true, "\xe6\x97\xa5~ ");
	check_field("\xe6\x97\xa5\xe6\x9c\xac", 4, false, true, "\xe6\x97\xa5\xe6\x9c\xac");
	for (int cells = 1; cells < 12; cells++) {
		struct text text = {0};
		text_field(&text, "x\xe6\x97\xa5y\xe6\x9c\xac", 8, cells, cells & 1, false);
		assert_int_equal(text_width(text.data, text.length), cells);
		text_free(&text);
	}
}

static void test_text_grows(void **state)
{
	(void)state;
	struct text text = {0};
	for (int i = 0; i < 1000; i++)
		text_printf(&text, "%d,", i);
	text_repeat(&text, "ab", 500);
	assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 1000);
	assert_int_equal(strlen(text.data), text.length);
	size_t capacity = text.capacity;
	text_clear(&text);
	assert_int_equal(text.length, 0);
	assert_string_equal(text.data, "");
	assert_int_equal(text.capacity, capacity);
	text_printf(&text, "%0400d", 7);
	assert_int_equal(text.length, 400);
	text_free(&text);
}

int main(void)
{
	/* Widths are the locale's business where it knows the character. */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_text_stays),
		cmocka_unit_test(test_control_characters_become_visible),
		cmocka_unit_test(test_characters_that_hide_become_visible),
		cmocka_unit_test(test_broken_utf8_is_shown_byte_by_byte),
		cmocka_unit_test(test_ascii_only),
		cmocka_unit_test(test_clean_of_random_bytes),
		cmocka_unit_test(test_utf8_goes_round),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_fit_never_cuts_a_character),
		cmocka_unit_test(test_field),
		cmocka_unit_test(test_text_grows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
