/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_FOLDED_H
#define VPTOP_FORMAT_FOLDED_H

#include "format/folded_number.h"
#include "format/text_lines.h"

/* What a line of folded stacks is, for detection and for reading (folded.md section 1). */

enum folded_line_kind {
	FOLDED_BLANK,
	FOLDED_COMMENT, /* begins with '#', or with "//" and has no count */
	FOLDED_STACK,
	FOLDED_JUNK /* no number at its end */
};

enum { FOLDED_MAX_NUMBERS = 3 };

struct folded_line {
	enum folded_line_kind kind;
	const char *stack; /* frames with ';' between; length 0: no frames */
	size_t length;
	struct folded_number numbers[FOLDED_MAX_NUMBERS];
	int number_count; /* more than 1: "time,idle,memory", only in austin's lines */
	bool is_austin;   /* begins with P123;T, or "Thread " and a hexadecimal number */
	bool has_process; /* begins with P123;T */
};

struct folded_line folded_line_parse(const char *line, size_t length);

/*
 * A line of difffolded.pl, "stack before after": moves the first number out of `line->stack` into
 * numbers[0]. False, and nothing is changed, where it is none.
 */
bool folded_line_split(struct folded_line *line);

/*
 * Whether each stack of the source comes once and has two numbers, which is how differences of two
 * profiles look. Reads it to the end at most, and does not rewind it.
 */
bool folded_is_difference(struct source *source);

int folded_sniff(const uint8_t *bytes, size_t size);

#endif
