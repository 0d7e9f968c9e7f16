/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_FOLDED_READER_H
#define VPTOP_FORMAT_FOLDED_READER_H

#include "base/text.h"
#include "format/folded.h"
#include "profile/builder.h"

/* The reader of folded stacks while it reads: what folded.c and folded_austin.c share. */

/* One text between two ';' of the line before. */
struct folded_token {
	size_t end;   /* its last byte + 1: that of the ';', or the length of the stack */
	size_t depth; /* frames up to and with it */
	bool is_line; /* austin's "L12": the line of the frame before, no frame */
};

enum austin_mode { AUSTIN_UNKNOWN, AUSTIN_WALL, AUSTIN_CPU, AUSTIN_MEMORY, AUSTIN_FULL };

struct folded {
	struct text_lines lines;
	struct builder *builder;

	bool is_started; /* the first stack was seen, and types are set */
	bool is_difference;
	bool is_signed;   /* counts below 0 are meant */
	bool is_austin;   /* "L12" is the line of the frame before */
	bool has_process; /* austin's lines of today: P123;T0:456;file:function:12 */
	bool has_counts;  /* values are counts: types as folded.c makes them, not folded_austin.c's
			   */
	bool has_weights; /* values are how often a stack was seen, no value type of their own */
	bool has_deep, has_lines;
	struct {
		enum austin_mode mode;
		bool is_full; /* the first metric has commas */
	} header;

	struct strings texts; /* of frames */
	frame_id *frame_of;   /* [texts.count] */
	size_t frame_capacity;
	struct text text; /* scratch */

	char *before; /* the stack of the line before */
	size_t before_length, before_capacity;
	struct folded_token *tokens;
	size_t token_count, token_capacity;
	frame_id *frames; /* of the line at hand, root first */
	size_t depth_capacity;

	int decimals;      /* values are counts x 10^decimals */
	int most_decimals; /* that leave room for the sum of all */
	int64_t size;      /* sum of the sizes of all values */
	uint64_t skipped, first_skipped, negative, rounded, saturated;
};

/* The types of the mode that the header says; false where it says none. */
bool austin_set_types(struct folded *f);

/* The values of one line; false where it has not the numbers of the mode. */
bool austin_values(struct folded *f, const struct folded_line *line, int64_t *values);

/* A line that begins with '#'. */
void austin_comment(struct folded *f, const char *text, size_t length);

#endif
