/* SPDX-License-Identifier: MIT */
#include "kit/pager.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "base/memory.h"
#include "kit/frame.h"

enum {
	MARGIN = 1,       /* column of the picture that stays visible on each side of a frame */
	WIDE = 60,        /* cells of the area from which on there is one */
	EDGES = 4,        /* cells of the frame and of the blank inside it */
	TWO_COLUMNS = 68, /* cells from which on columns stand side by side */
	COLUMN_GAP = 2,
	KEY_GAP = 2,
	LEAST_TEXT = 8 /* cells that are left of an indented row */
};

/* ---- lines -------------------------------------------------------------------- */

void pager_clear(struct pager *pager)
{
	for (size_t i = 0; i < pager->count; i++)
		free(pager->lines[i].text);
	*pager = (struct pager){.lines = pager->lines,
		.capacity = pager->capacity,
		.rows = pager->rows,
		.row_capacity = pager->row_capacity,
		.found = -1};
}

void pager_free(struct pager *pager)
{
	pager_clear(pager);
	free(pager->lines);
	free(pager->rows);
	*pager = (struct pager){.found = -1};
}

static struct pager_line *pager_add_line(
	struct pager *pager, enum role role, const char *text, size_t length)
{
	pager->lines =
		array_grow(pager->lines, &pager->capacity, pager->count + 1, sizeof *pager->lines);
	struct pager_line *line = &pager->lines[pager->count++];
	*line = (struct pager_line){
		.text = memory_new(length + 1, 1), .length = (uint32_t)length, .role = role};
	memcpy(line->text, text, length);
	return line;
}

static void pager_add_lines(struct pager *pager, const struct pager_line *like, const char *text)
{
	do {
		const size_t length = strcspn(text, "\n");
		struct pager_line *line = pager_add_line(pager, like->role, text, length);
		line->is_verbatim = like->is_verbatim;
		line->column = like->column;
		text += length + (text[length] == '\n');
	} while (*text);
}

void pager_add(struct pager *pager, enum role role, const char *text)
{
	pager_add_lines(pager, &(struct pager_line){.role = role}, text);
}

void pager_add_verbatim(struct pager *pager, enum role role, const char *text)
{
	pager_add_lines(pager, &(struct pager_line){.role = role, .is_verbatim = true}, text);
}

void pager_add_column(
	struct pager *pager, enum pager_column column, enum role role, const char *text)
{
	pager_add_lines(pager, &(struct pager_line){.role = role, .column = column}, text);
}

void pager_add_key(struct pager *pager, enum pager_column column, int key_cells, const char *key,
	const char *text)
{
	struct text whole = {0};
	text_field(&whole, key, strlen(key), key_cells, false, false);
	text_repeat(&whole, " ", KEY_GAP);
	text_puts(&whole, text);
	struct pager_line *line = pager_add_line(pager, ROLE_OVERLAY, whole.data, whole.length);
	line->column = column;
	line->key_cells = key_cells + KEY_GAP;
	text_free(&whole);
}

/* ---- wrapping ----------------------------------------------------------------- */

/* How far the row that begins at byte `from` of the line is indented. */
static int pager_indent(const struct pager_line *line, uint32_t from, int cells)
{
	return from > 0 && line->key_cells + LEAST_TEXT <= cells ? line->key_cells : 0;
}

/* Bytes of text[length] that make a row of `cells`; at least one character. */
static size_t pager_fit(const struct pager_line *line, const char *text, size_t length, int cells)
{
	int width;
	uint32_t c;
	size_t fits = text_fit(text, length, cells, &width);
	if (fits == 0) {
		fits = utf8_decode(text, length, &c);
		return fits > 0 ? fits : 1;
	}
	if (fits == length || line->is_verbatim)
		return fits;
	size_t blank = fits;
	while (blank > 0 && text[blank] != ' ')
		blank--;
	return blank > 0 ? blank : fits;
}

/* The piece of line `index` that begins at `from`; *next is where the next one begins. */
static struct pager_piece pager_piece(
	const struct pager *pager, uint32_t index, uint32_t from, int cells, uint32_t *next)
{
	const struct pager_line *line = &pager->lines[index];
	const size_t length = line->length - from;
	struct pager_piece piece = {.line = index, .from = from};
	if (length > 0)
		piece.length = (uint32_t)pager_fit(
			line, line->text + from, length, cells - pager_indent(line, from, cells));
	*next = from + piece.length;
	while (!line->is_verbatim && line->text[*next] == ' ')
		(*next)++;
	return piece;
}

/* Adds the pieces of a line below each other from row `at` on, into the right column where it is
 * said; returns the row after them. */
static size_t pager_wrap_line(
	struct pager *pager, uint32_t index, size_t at, int cells, bool is_right)
{
	static const struct pager_piece none = {.line = PAGER_NO_LINE};
	uint32_t from = 0;
	do {
		if (at == pager->row_count) {
			pager->rows = array_grow(pager->rows, &pager->row_capacity,
				pager->row_count + 1, sizeof *pager->rows);
			pager->rows[pager->row_count++] = (struct pager_row){none, none};
		}
		struct pager_piece *piece =
			is_right ? &pager->rows[at].right : &pager->rows[at].left;
		*piece = pager_piece(pager, index, from, cells, &from);
		at++;
	} while (from < pager->lines[index].length);
	return at;
}

static int pager_left_cells(int cells)
{
	return (cells - COLUMN_GAP) / 2;
}

static void pager_wrap_all(struct pager *pager, int cells)
{
	const bool is_side_by_side = cells >= TWO_COLUMNS;
	const int left = pager_left_cells(cells), right = cells - left - COLUMN_GAP;
	size_t left_row = 0, right_row = 0;
	enum pager_column before = COLUMN_BOTH;
	pager->row_count = 0;
	for (uint32_t i = 0; i < pager->count; i++) {
		const enum pager_column column =
			is_side_by_side ? pager->lines[i].column : COLUMN_BOTH;
		if (before == COLUMN_BOTH || (before == COLUMN_RIGHT && column == COLUMN_LEFT))
			left_row = right_row = pager->row_count;
		if (column == COLUMN_LEFT)
			left_row = pager_wrap_line(pager, i, left_row, left, false);
		else if (column == COLUMN_RIGHT)
			right_row = pager_wrap_line(pager, i, right_row, right, true);
		else
			pager_wrap_line(pager, i, pager->row_count, cells, false);
		before = column;
	}
}

/* The first row that shows line `line` or one after it. */
static size_t pager_row_of(const struct pager *pager, uint32_t line)
{
	size_t row = 0;
	while (row < pager->row_count &&
		!(pager->rows[row].left.line != PAGER_NO_LINE &&
			pager->rows[row].left.line >= line) &&
		pager->rows[row].right.line != line)
		row++;
	return row < pager->row_count ? row : 0;
}

/* The line that a row begins with. */
static uint32_t pager_line_of(const struct pager *pager, int row)
{
	if (row < 0 || (size_t)row >= pager->row_count)
		return 0;
	const struct pager_row *shown = &pager->rows[row];
	return shown->left.line != PAGER_NO_LINE ? shown->left.line : shown->right.line;
}

/* Wraps for rows of `cells` where that was not done already; what was shown stays in sight. */
static void pager_wrap(struct pager *pager, int cells)
{
	if (cells < 1)
		cells = 1;
	if (pager->wrapped_cells == cells && pager->wrapped_lines == pager->count)
		return;
	const bool is_other_width = pager->wrapped_cells != 0 && pager->wrapped_cells != cells;
	const uint32_t top = pager_line_of(pager, pager->scroll);
	const uint32_t hit = pager_line_of(pager, pager->found);
	pager_wrap_all(pager, cells);
	pager->wrapped_cells = cells;
	pager->wrapped_lines = pager->count;
	if (is_other_width && pager->scroll > 0)
		pager->scroll = (int)pager_row_of(pager, top);
	if (is_other_width && pager->found >= 0)
		pager->found = (int)pager_row_of(pager, hit);
}

/* ---- the area ----------------------------------------------------------------- */

/* Cells of a row. */
static int pager_cells(const struct pager *pager, struct box area)
{
	if (pager->is_plain)
		return area.width;
	const int cells = area.width - EDGES - (area.width > WIDE ? 2 * MARGIN : 0);
	return pager->widest > 0 && cells > pager->widest ? pager->widest : cells;
}

/* Rows that are in sight at once, of as many as there may be. */
static int pager_room(const struct pager *pager, struct box area)
{
	const int taken = pager->is_plain ? pager->title[0] != '\0' : 2;
	return area.height > taken ? area.height - taken : 0;
}

struct box pager_box(struct pager *pager, struct box area)
{
	const int cells = pager_cells(pager, area), room = pager_room(pager, area);
	if (pager->is_plain)
		return area;
	pager_wrap(pager, cells);
	const int rows = pager->row_count < (size_t)room ? (int)pager->row_count : room;
	return frame_middle(area, cells + EDGES, rows + 2);
}

/* The largest number of rows that can be scrolled out of sight. */
static int pager_most(const struct pager *pager, struct box area)
{
	const int room = pager_room(pager, area), rows = (int)pager->row_count;
	return rows > room ? rows - room : 0;
}

static void pager_settle(struct pager *pager, struct box area)
{
	const int most = pager_most(pager, area);
	if (pager->scroll > most)
		pager->scroll = most;
	if (pager->scroll < 0)
		pager->scroll = 0;
}

bool pager_act(struct pager *pager, enum action action, struct box area)
{
	pager_wrap(pager, pager_cells(pager, area));
	pager_settle(pager, area);
	const int room = pager_room(pager, area), page = room > 1 ? room : 1;
	const int half = page > 1 ? page / 2 : 1;
	switch (action) {
	case ACT_UP:
	case ACT_SCROLL_UP:
		pager->scroll--;
		break;
	case ACT_DOWN:
	case ACT_SCROLL_DOWN:
		pager->scroll++;
		break;
	case ACT_HALF_UP:
		pager->scroll -= half;
		break;
	case ACT_HALF_DOWN:
		pager->scroll += half;
		break;
	case ACT_PAGE_UP:
		pager->scroll -= page;
		break;
	case ACT_PAGE_DOWN:
		pager->scroll += page;
		break;
	case ACT_FIRST:
		pager->scroll = 0;
		break;
	case ACT_LAST:
		pager->scroll = pager_most(pager, area);
		break;
	default:
		return false;
	}
	pager_settle(pager, area);
	return true;
}

/* ---- search ------------------------------------------------------------------- */

/* Whether upper and lower case are alike: there is no upper case letter in it. */
static bool pager_is_folded(const char *wanted)
{
	for (size_t left = strlen(wanted), size; left > 0; wanted += size, left -= size) {
		uint32_t c = 0;
		size = utf8_decode(wanted, left, &c);
		if (size > 0 && iswupper((wint_t)c))
			return false;
		size = size > 0 ? size : 1;
	}
	return true;
}

/* Bytes at the start of text[length] that are `wanted`; 0: they are not. */
static size_t pager_match(const char *text, size_t length, const char *wanted, bool is_folded)
{
	size_t at = 0, left = strlen(wanted);
	while (left > 0) {
		uint32_t a = 0, b = 0;
		if (at >= length)
			return 0;
		const size_t a_size = utf8_decode(text + at, length - at, &a);
		const size_t b_size = utf8_decode(wanted, left, &b);
		const bool is_same = a == b || (is_folded && towlower((wint_t)a) == (wint_t)b);
		if (a_size == 0 || b_size == 0 || !is_same)
			return 0;
		at += a_size;
		wanted += b_size;
		left -= b_size;
	}
	return at;
}

/* The first place at or after byte `at` and before `end` where `wanted` begins; `end`: there is
 * none. *size gets the bytes that it has there. */
static uint32_t pager_next_match(const struct pager_line *line, uint32_t at, uint32_t end,
	const char *wanted, bool is_folded, uint32_t *size)
{
	for (; at < end; at++) {
		*size = (uint32_t)pager_match(
			line->text + at, line->length - at, wanted, is_folded);
		if (*size > 0)
			return at;
	}
	return end;
}

static bool pager_piece_has(const struct pager *pager, const struct pager_piece *piece,
	const char *wanted, bool is_folded)
{
	uint32_t size;
	if (piece->line == PAGER_NO_LINE)
		return false;
	const uint32_t end = piece->from + piece->length;
	return pager_next_match(&pager->lines[piece->line], piece->from, end, wanted, is_folded,
		       &size) < end;
}

/* Brings a row into sight: into the middle where it is not. */
static void pager_show(struct pager *pager, struct box area, int row)
{
	const int room = pager_room(pager, area);
	if (row < pager->scroll || row >= pager->scroll + room)
		pager->scroll = row - room / 2;
	pager_settle(pager, area);
}

bool pager_find(struct pager *pager, struct box area, const char *text, int step)
{
	const bool is_folded = pager_is_folded(text);
	pager_wrap(pager, pager_cells(pager, area));
	pager_settle(pager, area);
	const int count = (int)pager->row_count, direction = step < 0 ? -1 : 1;
	int row = pager->scroll;
	if (step != 0 && pager->found >= 0 && pager->found < count)
		row = pager->found + direction;
	else if (step < 0)
		row--;
	for (int i = 0; i < count; i++, row += direction) {
		row = (row + count) % count;
		const struct pager_row *at = &pager->rows[row];
		if (!pager_piece_has(pager, &at->left, text, is_folded) &&
			!pager_piece_has(pager, &at->right, text, is_folded))
			continue;
		pager->found = row;
		pager_show(pager, area, row);
		return true;
	}
	return false;
}

/* ---- drawing ------------------------------------------------------------------ */

/* Marks what of the hits of a line is in this piece; they may begin in the row above. */
static void pager_mark(const struct pager *pager, const struct pager_piece *piece,
	struct canvas *canvas, int x, int y, int look)
{
	const struct pager_line *line = &pager->lines[piece->line];
	const uint32_t from = piece->from, end = from + piece->length;
	const bool is_folded = pager_is_folded(pager->hit);
	const uint32_t reach = (uint32_t)strlen(pager->hit) * 4;
	uint32_t size = 0, at = from > reach ? from - reach : 0;
	while ((at = pager_next_match(line, at, end, pager->hit, is_folded, &size)) < end) {
		const uint32_t first = at > from ? at : from;
		const uint32_t last = at + size < end ? at + size : end;
		if (first < last) {
			const int left = text_width(line->text + from, first - from);
			const int width = text_width(line->text + first, last - first);
			canvas_look(canvas, (struct box){x + left, y, width, 1}, look);
		}
		at += size;
	}
}

static void pager_draw_piece(const struct pager *pager, const struct pager_piece *piece,
	struct canvas *canvas, int x, int y, int cells, bool is_found, struct text *scratch)
{
	if (piece->line == PAGER_NO_LINE)
		return;
	const struct pager_line *line = &pager->lines[piece->line];
	const int indent = pager_indent(line, piece->from, cells);
	text_clear(scratch);
	text_add(scratch, line->text + piece->from, piece->length);
	const int used =
		canvas_text(canvas, x + indent, y, cells - indent, line->role, scratch->data);
	if (piece->from == 0 && line->key_cells > 0) {
		const int key = line->key_cells < used ? line->key_cells : used;
		canvas_role(canvas, (struct box){x, y, key, 1}, ROLE_OVERLAY_KEY);
	}
	if (pager->hit && pager->hit[0])
		pager_mark(pager, piece, canvas, x + indent, y,
			LOOK_BOLD | (is_found ? LOOK_REVERSE : LOOK_UNDERLINE));
}

/* The rows that are in sight, into `inside`. */
static void pager_draw_rows(const struct pager *pager, struct canvas *canvas, struct box inside)
{
	const bool is_side_by_side = inside.width >= TWO_COLUMNS;
	const int left = pager_left_cells(inside.width), right = left + COLUMN_GAP;
	struct text scratch = {0};
	for (int i = 0; i < inside.height; i++) {
		const int row = pager->scroll + i, y = inside.y + i;
		if ((size_t)row >= pager->row_count)
			break;
		const struct pager_row *shown = &pager->rows[row];
		const bool is_found = row == pager->found;
		const bool is_half = is_side_by_side && shown->left.line != PAGER_NO_LINE &&
				     pager->lines[shown->left.line].column == COLUMN_LEFT;
		pager_draw_piece(pager, &shown->left, canvas, inside.x, y,
			is_half ? left : inside.width, is_found, &scratch);
		pager_draw_piece(pager, &shown->right, canvas, inside.x + right, y,
			inside.width - right, is_found, &scratch);
	}
	text_free(&scratch);
}

static void pager_draw_plain(const struct pager *pager, struct canvas *canvas, struct box area)
{
	struct box inside = area;
	canvas_fill(canvas, area, ROLE_OVERLAY, ' ');
	if (pager->title[0]) {
		const int used = canvas_text(
			canvas, area.x, area.y, area.width, ROLE_OVERLAY_HEADING, pager->title);
		char place[60];
		const int room = pager_room(pager, area), rows = (int)pager->row_count;
		const int last = pager->scroll + room < rows ? pager->scroll + room : rows;
		snprintf(place, sizeof place, "lines %d-%d of %d", pager->scroll + 1, last, rows);
		if (rows > room && used + 2 + (int)strlen(place) <= area.width)
			canvas_text_right(canvas, area.x + used, area.y, area.width - used,
				ROLE_OVERLAY_HEADING, place);
		inside.y++;
		inside.height--;
	}
	pager_draw_rows(pager, canvas, inside);
}

void pager_draw(struct pager *pager, struct canvas *canvas, struct box area)
{
	pager_wrap(pager, pager_cells(pager, area));
	pager_settle(pager, area);
	if (pager->is_plain) {
		pager_draw_plain(pager, canvas, area);
		return;
	}
	const struct box frame = pager_box(pager, area);
	const struct box inside = {frame.x + 2, frame.y + 1, frame.width - EDGES, frame.height - 2};
	const size_t end = (size_t)pager->scroll + (size_t)pager_room(pager, area);
	canvas_frame(canvas, frame, pager->title[0] ? pager->title : NULL);
	pager_draw_rows(pager, canvas, inside);
	frame_more(canvas, frame, (size_t)pager->scroll,
		end < pager->row_count ? pager->row_count - end : 0);
}
