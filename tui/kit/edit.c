/* SPDX-License-Identifier: MIT */
#include "kit/edit.h"

#include <stdio.h>
#include <string.h>

enum { ELLIPSIS = 0x2026, BACKSPACE = 8, RUBOUT = 0x7f };

/* ---- characters --------------------------------------------------------------- */

/* Whether a terminal shows it as it is. */
static bool edit_is_text(uint32_t key)
{
	struct text cleaned = {0};
	char bytes[4];
	if (key < 0x20 || key > 0x10ffff || (key >= 0xd800 && key < 0xe000))
		return false;
	const size_t size = utf8_encode(key, bytes);
	text_clean(&cleaned, bytes, size, false);
	const bool is_text = cleaned.length == size && memcmp(cleaned.data, bytes, size) == 0;
	text_free(&cleaned);
	return is_text;
}

/* Bytes of the character at `at`; 0 at the end. */
static size_t edit_character(const struct edit *edit, size_t at, uint32_t *character)
{
	*character = 0;
	if (at >= edit->length)
		return 0;
	const size_t size = utf8_decode(edit->text + at, edit->length - at, character);
	return size > 0 ? size : 1;
}

static bool edit_is_combining(const struct edit *edit, size_t at)
{
	uint32_t c;
	return edit_character(edit, at, &c) > 0 && character_width(c) == 0;
}

/* The start of the character that follows the one at `at`, combining ones belong to it. */
static size_t edit_after(const struct edit *edit, size_t at)
{
	uint32_t c;
	at += edit_character(edit, at, &c);
	while (edit_is_combining(edit, at))
		at += edit_character(edit, at, &c);
	return at;
}

/* The start of the character before `at`. */
static size_t edit_before(const struct edit *edit, size_t at)
{
	while (at > 0) {
		at--;
		const bool is_start = ((unsigned char)edit->text[at] & 0xc0) != 0x80;
		if (is_start && !edit_is_combining(edit, at))
			break;
	}
	return at;
}

/* The start of the word before `at`: blanks, then what is no blank. */
static size_t edit_word_before(const struct edit *edit, size_t at)
{
	while (at > 0 && edit->text[at - 1] == ' ')
		at--;
	while (at > 0 && edit->text[at - 1] != ' ')
		at--;
	return at;
}

/* ---- changes ------------------------------------------------------------------ */

static bool edit_insert(struct edit *edit, uint32_t key)
{
	char bytes[4];
	if (!edit_is_text(key))
		return false;
	const size_t size = utf8_encode(key, bytes);
	if (edit->length + size >= EDIT_SIZE)
		return false;
	memmove(edit->text + edit->cursor + size, edit->text + edit->cursor,
		edit->length - edit->cursor + 1);
	memcpy(edit->text + edit->cursor, bytes, size);
	edit->length += size;
	edit->cursor += size;
	return true;
}

/* Takes out the bytes [from, to) and puts the cursor there. */
static bool edit_cut(struct edit *edit, size_t from, size_t to)
{
	memmove(edit->text + from, edit->text + to, edit->length - to + 1);
	edit->length -= to - from;
	edit->cursor = from;
	return to > from;
}

static void edit_set(struct edit *edit, const char *text)
{
	edit->length = edit->cursor = 0;
	edit->text[0] = '\0';
	for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
		uint32_t c = 0;
		size = utf8_decode(text, left, &c);
		if (size > 0 && edit_is_text(c) && !edit_insert(edit, c))
			break;
		if (size == 0)
			size = 1;
	}
}

void edit_start(struct edit *edit, const char *text, struct edit_history *history)
{
	*edit = (struct edit){.history = history, .recalled = history ? history->count : 0};
	edit_set(edit, text ? text : "");
}

/* ---- lines typed before ------------------------------------------------------- */

/* Shows an older (-1) or newer (1) line; the newest is what was being typed. */
static bool edit_recall(struct edit *edit, int step)
{
	const struct edit_history *history = edit->history;
	if (!history || (step < 0 && edit->recalled == 0) ||
		(step > 0 && edit->recalled >= history->count))
		return false;
	if (edit->recalled >= history->count)
		memcpy(edit->typed, edit->text, sizeof edit->typed);
	edit->recalled = step < 0 ? edit->recalled - 1 : edit->recalled + 1;
	edit_set(edit,
		edit->recalled < history->count ? history->lines[edit->recalled] : edit->typed);
	return true;
}

void edit_remember(struct edit_history *history, const char *text)
{
	unsigned kept = 0;
	if (text[0] == '\0')
		return;
	/* `text` may be one of the lines that move. */
	struct edit newest;
	edit_start(&newest, text, NULL);
	for (unsigned i = 0; i < history->count; i++) {
		if (strcmp(history->lines[i], newest.text) == 0)
			continue;
		if (kept != i)
			memcpy(history->lines[kept], history->lines[i], EDIT_SIZE);
		kept++;
	}
	if (kept == EDIT_HISTORY) {
		memmove(history->lines[0], history->lines[1],
			(EDIT_HISTORY - 1) * sizeof history->lines[0]);
		kept--;
	}
	memcpy(history->lines[kept], newest.text, EDIT_SIZE);
	history->count = kept + 1;
}

/* ---- keys --------------------------------------------------------------------- */

static bool edit_move(struct edit *edit, size_t cursor)
{
	edit->cursor = cursor;
	return false;
}

bool edit_key(struct edit *edit, uint32_t key)
{
	switch (key) {
	case KEY_MOVE_LEFT:
	case KEY_CTRL('B'):
		return edit_move(edit, edit_before(edit, edit->cursor));
	case KEY_MOVE_RIGHT:
	case KEY_CTRL('F'):
		return edit_move(edit, edit_after(edit, edit->cursor));
	case KEY_FIRST:
	case KEY_CTRL('A'):
		return edit_move(edit, 0);
	case KEY_LAST:
	case KEY_CTRL('E'):
		return edit_move(edit, edit->length);
	case KEY_ERASE:
	case BACKSPACE:
	case RUBOUT:
		return edit_cut(edit, edit_before(edit, edit->cursor), edit->cursor);
	case KEY_DELETE:
	case KEY_CTRL('D'):
		return edit_cut(edit, edit->cursor, edit_after(edit, edit->cursor));
	case KEY_CTRL('W'):
		return edit_cut(edit, edit_word_before(edit, edit->cursor), edit->cursor);
	case KEY_CTRL('U'):
		return edit_cut(edit, 0, edit->cursor);
	case KEY_CTRL('K'):
		return edit_cut(edit, edit->cursor, edit->length);
	case KEY_MOVE_UP:
	case KEY_CTRL('P'):
		return edit_recall(edit, -1);
	case KEY_MOVE_DOWN:
	case KEY_CTRL('N'):
		return edit_recall(edit, 1);
	default:
		return edit_insert(edit, key);
	}
}

/* ---- drawing ------------------------------------------------------------------ */

/*
 * Cells that are scrolled out on the left so that the cursor, `before` cells from the start, is in
 * sight. By half a field at a time: most moves of the cursor leave the text where it is.
 */
static int edit_scroll(int before, int cells)
{
	const int room = cells - 2, half = cells / 2;
	if (cells < 4)
		return before > cells - 1 ? before - cells + 1 : 0;
	if (before <= room)
		return 0;
	return (before - room + half - 1) / half * half;
}

void edit_draw(
	const struct edit *edit, struct canvas *canvas, int x, int y, int cells, enum role role)
{
	int skipped;
	if (cells < 1)
		return;
	const int before = text_width(edit->text, edit->cursor);
	const int scroll = edit_scroll(before, cells);
	const size_t from = text_fit(edit->text, edit->length, scroll, &skipped);
	const int rest = text_width(edit->text + from, edit->length - from);

	canvas_fill(canvas, (struct box){x, y, cells, 1}, role, ' ');
	canvas_text(canvas, x, y, cells, role, edit->text + from);
	if (cells >= 4 && from > 0)
		canvas_put(canvas, x, y, role, ELLIPSIS);
	if (cells >= 4 && rest > cells)
		canvas_put(canvas, x + cells - 1, y, role, ELLIPSIS);
	canvas->cursor_x = x + before - skipped;
	canvas->cursor_y = y;
	if (canvas->cursor_x > x + cells - 1)
		canvas->cursor_x = x + cells - 1;
}
