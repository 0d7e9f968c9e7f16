/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_TEXT_LINES_H
#define VPTOP_FORMAT_TEXT_LINES_H

#include "source/source.h"

/*
 * The lines of a text, for formats that are text (folded.md, the rules at its top): a byte order
 * mark is taken off, UTF-16 that has one becomes UTF-8, a line ends in LF or CR LF, the last one
 * may lack its end. Other bytes are left as they are. No line is copied but those of UTF-16.
 */

enum text_encoding { TEXT_UTF8, TEXT_UTF16_LE, TEXT_UTF16_BE };

enum { TEXT_MAX_LINE = 128 << 20 }; /* bytes; longer lines are left out */

struct text_lines {
	struct source *source;
	enum text_encoding encoding;
	uint64_t number;   /* of the line at hand, from 1 */
	uint64_t offset;   /* of its first byte in the source */
	bool is_ended;     /* it has a line end; false for the last line of a file that lacks it */
	uint64_t too_long; /* lines that were left out */
	size_t used;       /* bytes of the line at hand, to be skipped */
	char *buffer;      /* a line of UTF-16 as UTF-8 */
	size_t capacity;
};

/* What the first bytes[size] say; *mark gets the length of the byte order mark, or 0. */
enum text_encoding text_encoding_of(const uint8_t *bytes, size_t size, size_t *mark);

/* From where the source is. Skips a byte order mark. */
void text_lines_open(struct text_lines *lines, struct source *source);
void text_lines_close(struct text_lines *lines);

/*
 * The next line without its end, valid until the next call; false behind the last one
 * (source_problem says whether the end is a regular one).
 */
bool text_lines_next(struct text_lines *lines, const char **line, size_t *length);

#endif
