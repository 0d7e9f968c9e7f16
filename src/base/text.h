/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_TEXT_H
#define VPTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text that goes out: a growing buffer, and the only way in which names from a file become visible.
 * Zero-initialise a struct text; `data` is NUL-ended once something was added.
 */

struct text {
	char *data;
	size_t length, capacity;
};

void text_free(struct text *text);
void text_clear(struct text *text); /* keeps the memory */
void text_add(struct text *text, const char *bytes, size_t length);
void text_puts(struct text *text, const char *s);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_repeat(struct text *text, const char *s, int times);

/*
 * Adds bytes[length] of a foreign name so that no terminal can be fooled: control characters (C0,
 * DEL, C1), broken UTF-8, bidi and zero-width characters, line separators, tags become \xNN or
 * \u{N}. The result is valid UTF-8 (ASCII, with '?' for the rest, when `ascii`).
 */
void text_clean(struct text *text, const char *bytes, size_t length, bool ascii);

/* Decodes one character of s[length] (length > 0); returns the bytes used, 0 where they are not
 * UTF-8. */
size_t utf8_decode(const char *s, size_t length, uint32_t *character);
size_t utf8_encode(uint32_t character, char out[4]);

/*
 * Terminal cells of one character: 0 (combining), 1 or 2. By wcwidth where the locale knows the
 * character, else by a small table of the wide and combining ranges.
 */
int character_width(uint32_t character);

/* Cells of cleaned text s[length]. */
int text_width(const char *s, size_t length);

/* Bytes of cleaned text that fit into `cells`; *width gets the cells they take. Never half a
 * character. */
size_t text_fit(const char *s, size_t length, int cells, int *width);

/*
 * Adds cleaned s[length] in exactly `cells` cells: padded on the right (left when `right`), or cut
 * with an ellipsis (`~` when `ascii`).
 */
void text_field(struct text *text, const char *s, size_t length, int cells, bool right, bool ascii);

#endif
