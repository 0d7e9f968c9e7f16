/* SPDX-License-Identifier: MIT */
/* Reports of the mouse, and what goes to the clipboard. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "clipboard.h"
#include "mouse.h"

#define MS INT64_C(1000000)

/* -1: the report is none for us. */
static int kind_of(struct mouse *mouse, const char *report, int64_t now_ms)
{
	struct pointer pointer;
	if (!mouse_report_text(mouse, report, now_ms * MS, &pointer))
		return -1;
	return (int)pointer.kind;
}

static void buttons_are_told_apart(void **state)
{
	(void)state;
	struct mouse mouse = {0};
	struct pointer pointer;
	assert_true(mouse_report_text(&mouse, "0;11;6M", 1000 * MS, &pointer));
	assert_int_equal(pointer.kind, POINTER_PRESS);
	assert_int_equal(pointer.x, 10);
	assert_int_equal(pointer.y, 5);
	assert_int_equal(kind_of(&mouse, "0;11;6m", 1010), POINTER_RELEASE);
	assert_int_equal(kind_of(&mouse, "0;11;6m", 1020), -1); /* it was up already */
	assert_int_equal(kind_of(&mouse, "2;1;1M", 2000), POINTER_RIGHT);
	assert_int_equal(kind_of(&mouse, "2;1;1m", 2000), -1);
	assert_int_equal(kind_of(&mouse, "1;1;1M", 2000), -1);
	assert_int_equal(kind_of(&mouse, "64;1;1M", 2000), POINTER_WHEEL_UP);
	assert_int_equal(kind_of(&mouse, "65;1;1M", 2000), POINTER_WHEEL_DOWN);
	assert_int_equal(kind_of(&mouse, "66;1;1M", 2000), POINTER_WHEEL_LEFT);
	assert_int_equal(kind_of(&mouse, "67;1;1M", 2000), POINTER_WHEEL_RIGHT);
	assert_int_equal(kind_of(&mouse, "68;1;1M", 2000), POINTER_WHEEL_LEFT);
	assert_int_equal(kind_of(&mouse, "69;1;1M", 2000), POINTER_WHEEL_RIGHT);
	assert_int_equal(kind_of(&mouse, "80;1;1M", 2000), POINTER_WHEEL_UP); /* with Control */
	assert_int_equal(kind_of(&mouse, "128;1;1M", 2000), -1);
}

static void quick_presses_at_one_cell_are_double(void **state)
{
	(void)state;
	struct mouse mouse = {0};
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1000), POINTER_PRESS);
	kind_of(&mouse, "0;3;3m", 1050);
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1200), POINTER_DOUBLE);
	kind_of(&mouse, "0;3;3m", 1250);
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1300), POINTER_PRESS); /* a third one */
	kind_of(&mouse, "0;3;3m", 1310);
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1700), POINTER_PRESS); /* too late */
	kind_of(&mouse, "0;3;3m", 1710);
	assert_int_equal(kind_of(&mouse, "0;4;3M", 1720), POINTER_PRESS); /* elsewhere */
	kind_of(&mouse, "0;4;3m", 1730);
	assert_int_equal(kind_of(&mouse, "2;4;3M", 1740), POINTER_RIGHT);
	assert_int_equal(kind_of(&mouse, "0;4;3M", 1750), POINTER_PRESS); /* another one between */
}

static void drags_are_told_once_a_cell(void **state)
{
	(void)state;
	struct mouse mouse = {0};
	assert_int_equal(kind_of(&mouse, "32;3;3M", 1000), -1); /* nothing is held */
	assert_int_equal(kind_of(&mouse, "35;3;3M", 1000), -1);
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1000), POINTER_PRESS);
	assert_int_equal(kind_of(&mouse, "32;3;3M", 1010), -1);
	assert_int_equal(kind_of(&mouse, "32;4;3M", 1020), POINTER_DRAG);
	assert_int_equal(kind_of(&mouse, "36;4;3M", 1030), -1);
	assert_int_equal(kind_of(&mouse, "32;3;3M", 1040), POINTER_DRAG);
	assert_int_equal(kind_of(&mouse, "34;9;3M", 1040), -1); /* the right button's */
	assert_int_equal(kind_of(&mouse, "0;3;3m", 1050), POINTER_RELEASE);
	assert_int_equal(kind_of(&mouse, "0;3;3M", 1060), POINTER_PRESS); /* no double after it */
}

/* The older form: three bytes, no word on which button went up. */
static void the_older_form_works_too(void **state)
{
	(void)state;
	struct mouse mouse = {0};
	struct pointer pointer;
	assert_true(mouse_report(&mouse, 0, 2, 3, false, MS, &pointer));
	assert_int_equal(pointer.kind, POINTER_PRESS);
	assert_true(mouse_report(&mouse, 32, 4, 3, false, MS, &pointer));
	assert_int_equal(pointer.kind, POINTER_DRAG);
	assert_true(mouse_report(&mouse, 3, 4, 3, false, MS, &pointer));
	assert_int_equal(pointer.kind, POINTER_RELEASE);
	assert_false(mouse_report(&mouse, 3, 4, 3, false, MS, &pointer));
	assert_false(mouse_report(&mouse, 0, -1, 3, false, MS, &pointer));
	assert_false(mouse_report(&mouse, -32, 1, 3, false, MS, &pointer));
}

static void broken_reports_are_none(void **state)
{
	(void)state;
	static const char *const reports[] = {"", "M", ";;M", "0;1M", "0;1;1", "0;1;1;1M", "0;0;1M",
		"0;1;0M", "-1;1;1M", "0; 1;1M", "0;99999999999999999999;1M", "0;1;70000M",
		"0;1;1Mx", "a;1;1M", "0;1;1H"};
	for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
		struct mouse mouse = {0};
		assert_int_equal(kind_of(&mouse, reports[i], 1000), -1);
	}
}

static void the_clipboard_gets_base64(void **state)
{
	(void)state;
	static const struct {
		const char *text, *bytes;
	} known[] = {{"", "\033]52;c;\a"}, {"f", "\033]52;c;Zg==\a"}, {"fo", "\033]52;c;Zm8=\a"},
		{"foo", "\033]52;c;Zm9v\a"}, {"\xff\xfe\xfd\xfc", "\033]52;c;//79/A==\a"}};
	struct text out = {0};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		text_clear(&out);
		assert_true(clipboard_encode(&out, known[i].text, strlen(known[i].text), false));
		assert_string_equal(out.data, known[i].bytes);
	}
	text_clear(&out);
	assert_true(clipboard_encode(&out, "foo", 3, true));
	assert_string_equal(out.data, "\033]52;c;Zm9v\a\033Ptmux;\033\033]52;c;Zm9v\a\033\\");
	char *much = calloc(CLIPBOARD_MOST + 1, 1);
	text_clear(&out);
	assert_false(clipboard_encode(&out, much, CLIPBOARD_MOST + 1, false));
	assert_int_equal(out.length, 0);
	assert_true(clipboard_encode(&out, much, CLIPBOARD_MOST, false));
	free(much);
	text_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buttons_are_told_apart),
		cmocka_unit_test(quick_presses_at_one_cell_are_double),
		cmocka_unit_test(drags_are_told_once_a_cell),
		cmocka_unit_test(the_older_form_works_too),
		cmocka_unit_test(broken_reports_are_none),
		cmocka_unit_test(the_clipboard_gets_base64),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
