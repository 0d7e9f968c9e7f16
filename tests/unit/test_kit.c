/* SPDX-License-Identifier: MIT */
/* What overlays are made of: the edited line, lists, pages of text, help. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kit/edit.h"
#include "kit/help.h"
#include "kit/list.h"
#include "kit/pager.h"

static struct canvas make_canvas(int width, int height)
{
	struct canvas canvas = {0};
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

static const struct cell *cell_at(const struct canvas *canvas, int x, int y)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

/* ---- the edited line ---------------------------------------------------------- */

static void type(struct edit *edit, const char *text)
{
	for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
		uint32_t c;
		size = utf8_decode(text, left, &c);
		assert_true(size > 0);
		edit_key(edit, c);
	}
}

static void press(struct edit *edit, uint32_t key, int times)
{
	while (times-- > 0)
		edit_key(edit, key);
}

static void characters_go_in_at_the_cursor(void **state)
{
	(void)state;
	struct edit edit;
	edit_start(&edit, NULL, NULL);
	assert_true(edit_key(&edit, 'a'));
	type(&edit, "cd");
	press(&edit, KEY_MOVE_LEFT, 2);
	assert_false(edit_key(&edit, KEY_MOVE_LEFT + 1000)); /* no key of ours */
	type(&edit, "b");
	assert_string_equal(edit.text, "abcd");
	press(&edit, KEY_FIRST, 1);
	type(&edit, "日");
	press(&edit, KEY_LAST, 1);
	type(&edit, "é");
	assert_string_equal(edit.text, "日abcdé");
	assert_int_equal(edit.length, strlen(edit.text));
	assert_int_equal(edit.cursor, edit.length);
}

static void characters_are_erased_whole(void **state)
{
	(void)state;
	struct edit edit;
	edit_start(&edit, "a日e\xcc\x81\xcc\xa3z", NULL); /* e with two combining characters */
	press(&edit, KEY_MOVE_LEFT, 1);
	assert_true(edit_key(&edit, KEY_ERASE));
	assert_string_equal(edit.text, "a日z");
	assert_true(edit_key(&edit, 0x7f));
	assert_string_equal(edit.text, "az");
	assert_true(edit_key(&edit, KEY_DELETE));
	assert_false(edit_key(&edit, KEY_CTRL('D')));
	assert_true(edit_key(&edit, 8));
	assert_false(edit_key(&edit, KEY_ERASE));
	assert_string_equal(edit.text, "");
}

static void words_and_ends_are_cut(void **state)
{
	(void)state;
	struct edit edit;
	edit_start(&edit, "one two  three", NULL);
	assert_true(edit_key(&edit, KEY_CTRL('W')));
	assert_string_equal(edit.text, "one two  ");
	assert_true(edit_key(&edit, KEY_CTRL('W')));
	assert_string_equal(edit.text, "one ");
	press(&edit, KEY_CTRL('A'), 1);
	assert_false(edit_key(&edit, KEY_CTRL('W')));
	assert_false(edit_key(&edit, KEY_CTRL('U')));
	press(&edit, KEY_MOVE_RIGHT, 1);
	assert_true(edit_key(&edit, KEY_CTRL('K')));
	assert_string_equal(edit.text, "o");
	press(&edit, KEY_CTRL('E'), 1);
	assert_true(edit_key(&edit, KEY_CTRL('U')));
	assert_string_equal(edit.text, "");
}

static void what_a_terminal_would_act_on_never_gets_in(void **state)
{
	(void)state;
	static const uint32_t bad[] = {0, 1, 7, 0x1b, '\n', '\t', 0x85, 0x9b, 0xad, 0x200b, 0x202e,
		0x2066, 0xd800, 0xfeff, 0xe0041, 0x110000, KEY_RETURN, KEY_ESCAPE, KEY_RESIZED};
	struct edit edit;
	edit_start(&edit, "\033[1ma\xff\xc3(\xe2\x80\xaeq", NULL);
	assert_string_equal(edit.text, "[1ma(q");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(edit_key(&edit, bad[i]));
	assert_string_equal(edit.text, "[1ma(q");
}

static void a_long_text_ends_at_a_whole_character(void **state)
{
	(void)state;
	char text[EDIT_SIZE * 2];
	struct edit edit;
	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = "\xe6\x97\xa5"[i % 3]; /* 日 */
	text[sizeof text - 1] = '\0';
	edit_start(&edit, text, NULL);
	assert_int_equal(edit.length, (EDIT_SIZE - 1) / 3 * 3);
	assert_int_equal(strlen(edit.text), edit.length);
	assert_false(edit_key(&edit, 0x65e5));
	press(&edit, KEY_FIRST, 1);
	assert_true(edit_key(&edit, 'a')); /* one byte was free */
	assert_false(edit_key(&edit, 'b'));
	assert_int_equal(edit.length, EDIT_SIZE - 1);
}

static void lines_typed_before_come_back(void **state)
{
	(void)state;
	static struct edit_history history;
	struct edit edit;
	edit_remember(&history, "first");
	edit_remember(&history, "second");
	edit_remember(&history, "");
	edit_start(&edit, NULL, &history);
	type(&edit, "new");
	assert_true(edit_key(&edit, KEY_MOVE_UP));
	assert_string_equal(edit.text, "second");
	assert_true(edit_key(&edit, KEY_CTRL('P')));
	assert_string_equal(edit.text, "first");
	assert_int_equal(edit.cursor, 5);
	assert_false(edit_key(&edit, KEY_MOVE_UP));
	press(&edit, KEY_MOVE_DOWN, 2);
	assert_string_equal(edit.text, "new");
	assert_false(edit_key(&edit, KEY_CTRL('N')));

	edit_remember(&history, "first"); /* moves to the end */
	assert_int_equal(history.count, 2);
	assert_string_equal(history.lines[1], "first");
	edit_remember(&history, history.lines[0]); /* a line of its own */
	assert_string_equal(history.lines[1], "second");
	for (int i = 0; i < EDIT_HISTORY + 5; i++) {
		char line[20];
		snprintf(line, sizeof line, "%d", i);
		edit_remember(&history, line);
	}
	assert_int_equal(history.count, EDIT_HISTORY);
	assert_string_equal(history.lines[0], "5");
	assert_string_equal(history.lines[EDIT_HISTORY - 1], "36");
}

static void the_cursor_is_always_in_sight(void **state)
{
	(void)state;
	struct edit edit;
	struct canvas canvas = make_canvas(12, 1);
	edit_start(&edit, "0123日本e\xcc\x81 4567890123456789", NULL);
	for (int cells = 1; cells <= 10; cells++) {
		press(&edit, KEY_FIRST, 1);
		for (size_t before = SIZE_MAX; before != edit.cursor;) {
			before = edit.cursor;
			canvas_clear(&canvas);
			edit_draw(&edit, &canvas, 1, 0, cells, ROLE_FOOTER);
			assert_in_range(canvas.cursor_x, 1, cells);
			assert_int_equal(canvas.cursor_y, 0);
			assert_int_equal(cell_at(&canvas, 0, 0)->character, ' ');
			assert_int_equal(cell_at(&canvas, cells + 1, 0)->character, ' ');
			const uint32_t below = cell_at(&canvas, canvas.cursor_x, 0)->character;
			if (cells >= 4 && edit.cursor < 4)
				assert_int_equal(below, '0' + (int)edit.cursor);
			edit_key(&edit, KEY_MOVE_RIGHT);
		}
	}
	edit_start(&edit, "abcdefghijklmnop", NULL);
	canvas_clear(&canvas);
	edit_draw(&edit, &canvas, 0, 0, 10, ROLE_FOOTER);
	assert_dump(&canvas, "…lmnop\n");
	press(&edit, KEY_FIRST, 1);
	edit_draw(&edit, &canvas, 0, 0, 10, ROLE_FOOTER);
	assert_dump(&canvas, "abcdefghi…\n");
	edit_draw(&edit, &canvas, 0, 0, 0, ROLE_FOOTER);
	edit_draw(&edit, &canvas, 0, 9, 10, ROLE_FOOTER);
	canvas_free(&canvas);
}

/* ---- lists -------------------------------------------------------------------- */

static struct list make_list(int lines)
{
	struct list list = {.title = "Menu"};
	list_add(&list, -1, "Views")->is_heading = true;
	for (int i = 0; i < lines; i++) {
		struct list_line *line = list_add(&list, i, "line %d", i);
		snprintf(line->key, sizeof line->key, "%d", i);
	}
	list_add(&list, -1, "Last heading")->is_heading = true;
	return list;
}

static void a_list_shows_its_lines(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(30, 7);
	struct list list = make_list(2);
	strcpy(list.lines[2].value, "on");
	list_draw(&list, &canvas, (struct box){0, 0, 30, 7});
	assert_dump(&canvas, "    ╭── Menu ────────────╮\n"
			     "    │ Views              │\n"
			     "    │▸ line 0          0 │\n"
			     "    │  line 1  on      1 │\n"
			     "    │ Last heading       │\n"
			     "    ╰────────────────────╯\n\n");
	assert_int_equal(cell_at(&canvas, 5, 2)->look, LOOK_REVERSE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 24, 2)->look, LOOK_REVERSE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 23, 3)->role, ROLE_OVERLAY_KEY);
	assert_int_equal(cell_at(&canvas, 6, 1)->role, ROLE_OVERLAY_HEADING);
	list_free(&list);
	canvas_free(&canvas);
}

static void the_cursor_of_a_list_skips_headings(void **state)
{
	(void)state;
	const struct box area = {0, 0, 40, 8};
	struct list list = make_list(20);
	assert_int_equal(list_selected(&list)->id, 0);
	assert_true(list_act(&list, ACT_UP, area));
	assert_int_equal(list_selected(&list)->id, 0);
	list_act(&list, ACT_DOWN, area);
	assert_int_equal(list_selected(&list)->id, 1);
	list_act(&list, ACT_PAGE_DOWN, area); /* of six lines */
	assert_int_equal(list_selected(&list)->id, 7);
	list_act(&list, ACT_HALF_UP, area);
	assert_int_equal(list_selected(&list)->id, 4);
	list_act(&list, ACT_LAST, area);
	assert_int_equal(list_selected(&list)->id, 19);
	list_act(&list, ACT_DOWN, area);
	assert_int_equal(list_selected(&list)->id, 19);
	list_act(&list, ACT_FIRST, area);
	assert_int_equal(list_selected(&list)->id, 0);
	assert_false(list_act(&list, ACT_QUIT, area));
	list_clear(&list);
	assert_null(list_selected(&list));
	assert_true(list_act(&list, ACT_DOWN, area));
	list_add(&list, 1, "heading")->is_heading = true;
	assert_null(list_selected(&list));
	assert_true(list_act(&list, ACT_LAST, area));
	list_free(&list);
}

static void a_long_list_scrolls(void **state)
{
	(void)state;
	const struct box area = {0, 0, 24, 6};
	struct canvas canvas = make_canvas(24, 6);
	struct list list = make_list(9);
	list_act(&list, ACT_LAST, area);
	list_draw(&list, &canvas, area);
	assert_dump(&canvas, " ╭── Menu ────────────╮\n"
			     " │  line 5          5 │\n"
			     " │  line 6          6 │\n"
			     " │  line 7          7 │\n"
			     " │▸ line 8          8 │\n"
			     " ╰────── 1 more line ─╯\n");
	assert_true(list_point(&list, area, 5, 2));
	assert_int_equal(list_selected(&list)->id, 6);
	assert_false(list_point(&list, area, 0, 2));
	assert_false(list_point(&list, area, 5, 0));
	assert_false(list_point(&list, area, 5, 5));
	list_act(&list, ACT_FIRST, area); /* the heading above comes into sight, too */
	list_draw(&list, &canvas, area);
	assert_false(list_point(&list, area, 5, 1));
	assert_true(list_point(&list, area, 5, 2));
	assert_int_equal(list_selected(&list)->id, 0);
	list_free(&list);
	canvas_free(&canvas);
}

static void long_lines_are_cut(void **state)
{
	(void)state;
	char text[400];
	struct canvas canvas = make_canvas(30, 4);
	struct list list = {0};
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	list_add(&list, 0, "%s", text);
	assert_int_equal(strlen(list.lines[0].text), sizeof list.lines[0].text - 1 - 1);
	for (size_t i = 0; i + 1 < sizeof text; i++)
		text[i] = "\xe6\x97\xa5"[i % 3]; /* 日 */
	struct list_line *line = list_add(&list, 0, "%s", text);
	assert_int_equal(strlen(line->text) % 3, 0);
	snprintf(line->value, sizeof line->value, "a value that is long, too");
	snprintf(line->key, sizeof line->key, "F2");
	list_draw(&list, &canvas, (struct box){0, 0, 30, 4});
	assert_dump(&canvas, "╭────────────────────────────╮\n"
			     "│▸ xxxxxxxxxxxxxxxxxxxx…     │\n"
			     "│  日日日日日 …  a valu…  F2 │\n"
			     "╰────────────────────────────╯\n");
	list_free(&list);
	canvas_free(&canvas);
}

static void lists_fit_into_any_area(void **state)
{
	(void)state;
	struct list list = make_list(5);
	for (int width = 1; width <= 20; width++) {
		for (int height = 1; height <= 9; height++) {
			struct canvas canvas = make_canvas(width + 2, height + 2);
			const struct box area = {1, 1, width, height};
			for (int i = 0; i < 8; i++) {
				list_act(&list, i % 3 ? ACT_DOWN : ACT_PAGE_UP, area);
				list_draw(&list, &canvas, area);
				list_point(&list, area, i, i);
			}
			for (int x = 0; x < width + 2; x++)
				assert_int_equal(cell_at(&canvas, x, 0)->character, ' ');
			for (int y = 0; y < height + 2; y++)
				assert_int_equal(cell_at(&canvas, width + 1, y)->character, ' ');
			canvas_free(&canvas);
		}
	}
	list_draw(&list, &(struct canvas){0}, (struct box){0, 0, 0, 0});
	list_free(&list);
}

/* ---- pages -------------------------------------------------------------------- */

static void text_is_wrapped_at_blanks(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(20, 9);
	struct pager pager = {.title = "Page"};
	pager_add(&pager, ROLE_OVERLAY, "one two  three four five\n\nsix\n");
	pager_add_verbatim(&pager, ROLE_OVERLAY, "verbatim text of 19");
	pager_draw(&pager, &canvas, (struct box){0, 0, 20, 9});
	assert_dump(&canvas, "╭── Page ──────────╮\n"
			     "│ one two  three   │\n"
			     "│ four five        │\n"
			     "│                  │\n"
			     "│ six              │\n"
			     "│ verbatim text of │\n"
			     "│  19              │\n"
			     "╰──────────────────╯\n\n");
	pager_free(&pager);
	canvas_free(&canvas);
}

static void a_plain_page_begins_in_the_first_column(void **state)
{
	(void)state;
	struct canvas canvas = make_canvas(40, 3);
	struct pager pager = {.title = "Names", .is_plain = true};
	pager_add_verbatim(
		&pager, ROLE_OVERLAY, "a/long/path/that/does/not/fit/into/the/line.py:1");
	pager_add_verbatim(&pager, ROLE_OVERLAY, "end");
	pager_draw(&pager, &canvas, (struct box){0, 0, 40, 3});
	assert_dump(&canvas, "Names                     lines 1-2 of 3\n"
			     "a/long/path/that/does/not/fit/into/the/l\n"
			     "ine.py:1\n");
	pager_free(&pager);
	canvas_free(&canvas);
}

static void pages_scroll(void **state)
{
	(void)state;
	const struct box area = {0, 0, 20, 6};
	struct canvas canvas = make_canvas(20, 6);
	struct pager pager = {.title = "Page"};
	for (int i = 0; i < 10; i++)
		pager_add(&pager, ROLE_OVERLAY, (char[]){(char)('a' + i), '\0'});
	assert_true(pager_act(&pager, ACT_UP, area));
	assert_int_equal(pager.scroll, 0);
	pager_act(&pager, ACT_DOWN, area);
	assert_int_equal(pager.scroll, 1);
	pager_act(&pager, ACT_PAGE_DOWN, area);
	assert_int_equal(pager.scroll, 5);
	pager_act(&pager, ACT_HALF_UP, area);
	assert_int_equal(pager.scroll, 3);
	pager_draw(&pager, &canvas, area);
	assert_dump(&canvas, "╭── Page ──────────╮\n"
			     "│ d                │\n"
			     "│ e                │\n"
			     "│ f                │\n"
			     "│ g                │\n"
			     "╰─── 3 more lines ─╯\n");
	pager_act(&pager, ACT_LAST, area);
	assert_int_equal(pager.scroll, 6);
	pager_act(&pager, ACT_FIRST, area);
	assert_int_equal(pager.scroll, 0);
	assert_false(pager_act(&pager, ACT_IN, area));
	pager.scroll = 1000;
	pager_draw(&pager, &canvas, area);
	assert_int_equal(pager.scroll, 6);
	pager_free(&pager);
	canvas_free(&canvas);
}

static void columns_stand_side_by_side_where_there_is_room(void **state)
{
	(void)state;
	struct pager pager = {.title = "Keys"};
	pager_add(&pager, ROLE_OVERLAY, "before");
	pager_add_column(&pager, COLUMN_LEFT, ROLE_OVERLAY_HEADING, "MOVE");
	pager_add_key(&pager, COLUMN_LEFT, 6, "j k", "down and up and on and on and on and on");
	pager_add_column(&pager, COLUMN_RIGHT, ROLE_OVERLAY_HEADING, "ZOOM");
	pager_add_key(&pager, COLUMN_RIGHT, 6, "u", "out");
	pager_add(&pager, ROLE_OVERLAY, "after");

	struct canvas canvas = make_canvas(80, 7);
	pager.widest = 68;
	pager_draw(&pager, &canvas, (struct box){0, 0, 80, 7});
	assert_dump(&canvas,
		"    ╭── Keys ──────────────────────────────────────────────────────────────╮\n"
		"    │ before                                                               │\n"
		"    │ MOVE                               ZOOM                              │\n"
		"    │ j k     down and up and on and on  u       out                       │\n"
		"    │         and on and on                                                │\n"
		"    │ after                                                                │\n"
		"    ╰──────────────────────────────────────────────────────────────────────╯\n");
	assert_int_equal(cell_at(&canvas, 6, 3)->role, ROLE_OVERLAY_KEY);
	assert_int_equal(cell_at(&canvas, 14, 3)->role, ROLE_OVERLAY);
	assert_int_equal(cell_at(&canvas, 41, 3)->role, ROLE_OVERLAY_KEY);
	canvas_resize(&canvas, 30, 9);
	pager_draw(&pager, &canvas, (struct box){0, 0, 30, 9});
	assert_dump(&canvas, "╭── Keys ────────────────────╮\n"
			     "│ before                     │\n"
			     "│ MOVE                       │\n"
			     "│ j k     down and up and on │\n"
			     "│         and on and on and  │\n"
			     "│         on                 │\n"
			     "│ ZOOM                       │\n"
			     "│ u       out                │\n"
			     "╰────────────── 1 more line ─╯\n");
	pager_free(&pager);
	canvas_free(&canvas);
}

static void pages_are_searched(void **state)
{
	(void)state;
	const struct box area = {0, 0, 20, 5};
	struct canvas canvas = make_canvas(20, 5);
	struct pager pager = {.found = -1};
	pager_add(&pager, ROLE_OVERLAY, "Alpha\nbeta\ngamma\nÉté alpha\ndelta\nomega\nlast one");
	assert_true(pager_find(&pager, area, "alpha", 0));
	assert_int_equal(pager.found, 0);
	assert_true(pager_find(&pager, area, "alpha", 1));
	assert_int_equal(pager.found, 3);
	assert_int_equal(pager.scroll, 2);                 /* into the middle */
	assert_true(pager_find(&pager, area, "alpha", 1)); /* from the end to the start */
	assert_int_equal(pager.found, 0);
	assert_true(pager_find(&pager, area, "alpha", -1));
	assert_int_equal(pager.found, 3);
	assert_true(pager_find(&pager, area, "été", 0));   /* upper case is alike */
	assert_false(pager_find(&pager, area, "Beta", 0)); /* an upper case letter wants itself */
	assert_int_equal(pager.found, 3);
	assert_true(pager_find(&pager, area, "Alpha", 1));
	assert_int_equal(pager.found, 0);
	assert_false(pager_find(&pager, area, "nothing", 1));
	assert_false(pager_find(&pager, area, "", 1));

	pager.hit = "a";
	pager_draw(&pager, &canvas, area);
	assert_int_equal(cell_at(&canvas, 2, 1)->look, LOOK_REVERSE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 3, 1)->look, 0);
	assert_int_equal(cell_at(&canvas, 6, 1)->look, LOOK_REVERSE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 5, 2)->look, LOOK_UNDERLINE | LOOK_BOLD);
	pager_free(&pager);
	canvas_free(&canvas);
}

static void hits_are_found_where_lines_are_wrapped(void **state)
{
	(void)state;
	const struct box area = {0, 0, 10, 6};
	struct canvas canvas = make_canvas(40, 6);
	struct pager pager = {.found = -1};
	pager_add(&pager, ROLE_OVERLAY, "one two three four");
	assert_true(pager_find(&pager, area, "two three", 0));
	assert_int_equal(pager.found, 1);
	pager.hit = "two three";
	pager_draw(&pager, &canvas, area);
	/* | one    | two    | three  | four   */
	assert_int_equal(cell_at(&canvas, 2, 1)->look, 0);
	assert_int_equal(cell_at(&canvas, 2, 2)->look, LOOK_REVERSE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 2, 3)->look, LOOK_UNDERLINE | LOOK_BOLD);
	assert_int_equal(cell_at(&canvas, 2, 4)->look, 0);
	pager_draw(&pager, &canvas, (struct box){0, 0, 40, 6}); /* now in one row */
	assert_int_equal(pager.found, 0);
	pager_free(&pager);
	canvas_free(&canvas);
}

static void pages_fit_into_any_area(void **state)
{
	(void)state;
	struct pager pager = {.title = "A title", .hit = "本"};
	pager_add(&pager, ROLE_OVERLAY, "日本語 e\xcc\x81 some words, averylongwordthatiscut");
	pager_add_verbatim(&pager, ROLE_OVERLAY, "日本語日本語");
	pager_add(&pager, ROLE_OVERLAY, "");
	pager_add_key(&pager, COLUMN_LEFT, 16, "h l, Left Right", "left, right frame");
	pager_add_key(&pager, COLUMN_RIGHT, 16, "日本語日本語日本語", "更");
	for (int plain = 0; plain < 2; plain++) {
		pager.is_plain = plain;
		for (int width = 1; width <= 90; width += width < 12 ? 1 : 13) {
			for (int height = 1; height <= 9; height++) {
				struct canvas canvas = make_canvas(width + 2, height + 2);
				const struct box area = {1, 1, width, height};
				for (int i = 0; i < 4; i++) {
					pager_act(&pager, i % 2 ? ACT_LAST : ACT_UP, area);
					pager_find(&pager, area, "本", i - 1);
					pager_draw(&pager, &canvas, area);
				}
				for (int y = 0; y < height + 2; y++)
					assert_int_equal(
						cell_at(&canvas, width + 1, y)->character, ' ');
				canvas_free(&canvas);
			}
		}
	}
	pager_draw(&pager, &(struct canvas){0}, (struct box){0, 0, 0, 0});
	pager_clear(&pager);
	assert_int_equal(pager.found, -1);
	struct canvas canvas = make_canvas(20, 3);
	pager_draw(&pager, &canvas, (struct box){0, 0, 20, 3});
	pager_free(&pager);
	canvas_free(&canvas);
}

/* ---- help --------------------------------------------------------------------- */

static void assert_page_has(const struct canvas *canvas, const char *text)
{
	struct text out = {0};
	canvas_dump(canvas, &out);
	if (!strstr(out.data, text))
		fail_msg("no '%s' in\n%s", text, out.data);
	text_free(&out);
}

/* Every line of the table of keys that is valid in a view is on its page, and the mouse. */
static void help_has_every_key_of_its_view(void **state)
{
	(void)state;
	static const unsigned places[] = {IN_SUMMARY, IN_FLAME, IN_TIMELINE, IN_TOP, IN_CALLERS};
	for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
		for (int width = 100; width >= 60; width -= 40) {
			struct canvas canvas = make_canvas(width, 160);
			struct pager pager = {0};
			help_fill(&pager, "Help", "What it shows.", places[p]);
			pager_draw(&pager, &canvas, (struct box){0, 0, width, 160});
			assert_page_has(&canvas, "What it shows.");
			assert_page_has(&canvas, "double click");
			for (size_t i = 0; i < key_table_size; i++) {
				if (!(key_table[i].where & places[p]) || !key_table[i].label)
					continue;
				assert_page_has(&canvas, key_table[i].group);
				assert_page_has(&canvas, key_table[i].label);
				if (width < 68) /* in one column no line is wrapped */
					assert_page_has(&canvas, key_table[i].text);
			}
			pager_free(&pager);
			canvas_free(&canvas);
		}
	}
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_go_in_at_the_cursor),
		cmocka_unit_test(characters_are_erased_whole),
		cmocka_unit_test(words_and_ends_are_cut),
		cmocka_unit_test(what_a_terminal_would_act_on_never_gets_in),
		cmocka_unit_test(a_long_text_ends_at_a_whole_character),
		cmocka_unit_test(lines_typed_before_come_back),
		cmocka_unit_test(the_cursor_is_always_in_sight),
		cmocka_unit_test(a_list_shows_its_lines),
		cmocka_unit_test(the_cursor_of_a_list_skips_headings),
		cmocka_unit_test(a_long_list_scrolls),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(lists_fit_into_any_area),
		cmocka_unit_test(text_is_wrapped_at_blanks),
		cmocka_unit_test(a_plain_page_begins_in_the_first_column),
		cmocka_unit_test(pages_scroll),
		cmocka_unit_test(columns_stand_side_by_side_where_there_is_room),
		cmocka_unit_test(pages_are_searched),
		cmocka_unit_test(hits_are_found_where_lines_are_wrapped),
		cmocka_unit_test(pages_fit_into_any_area),
		cmocka_unit_test(help_has_every_key_of_its_view),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
