/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_LEGACY_H
#define VPTOP_FORMAT_LEGACY_H

#include "base/hash.h"
#include "format/format.h"
#include "format/legacy_map.h"
#include "format/text_lines.h"

/*
 * What the old formats of pprof share (formats/pprof.md section 4): stacks of addresses, leaf
 * first, and behind them the memory map or the names that say what the addresses are. So samples
 * are kept here, 4 bytes a frame, and go to the builder when all of the file was read.
 *
 * Call sequence: legacy_init, legacy_place and legacy_push for each frame of a stack,
 * legacy_sample; legacy_symbol and the map whenever they come; legacy_finish.
 */

enum {
	LEGACY_MAX_DEPTH = 1 << 20, /* frames of one stack; more are cut at the root */
	LEGACY_MAX_INLINED = 32,    /* functions at one place; more are left out */
};

/* One function at a place; where code was inlined there are several, innermost first. */
struct legacy_symbol {
	string_id name, file;
	uint32_t line;
	uint32_t next; /* index + 1; 0: the last */
};

/* An address, and a variant of it where one address has several names. */
struct legacy_place {
	uint64_t address;
	string_id variant;
	string_id guess;      /* its name if nothing else names it */
	uint32_t first, last; /* symbols, index + 1; 0: none */
	uint32_t symbol_count;
	uint32_t frames;    /* index + 1 in struct legacy's; 0: not made yet */
	uint32_t run;       /* how often it comes one after another in the sample ... */
	size_t seen_sample; /* ... of this index + 1 */
};

struct legacy_sample {
	size_t first; /* in entries */
	uint32_t depth;
	int64_t block_size;
};

struct legacy {
	struct source *source;
	struct builder *builder;
	struct vp_error *err;
	unsigned value_count;
	enum code_kind kind; /* of named functions */

	struct legacy_place *places;
	size_t place_count, place_capacity;
	struct hash_map place_slots;
	struct legacy_symbol *symbols;
	size_t symbol_count, symbol_capacity;
	struct legacy_map map;
	frame_id *frames; /* of places, innermost first */
	size_t frame_count, frame_capacity;
	frame_id *stack; /* being made, root first */
	size_t stack_capacity;

	uint32_t *entries; /* places of all stacks, leaf first */
	size_t entry_count, entry_capacity;
	size_t open; /* first entry of the stack that is being read */
	struct legacy_sample *samples;
	int64_t *values; /* [sample_count * value_count] */
	size_t sample_count, sample_capacity, value_capacity;

	struct text_lines lines;
	uint64_t ticks;
	bool has_block_sizes; /* samples get a label with the mean size of their blocks */
	int64_t block_size;   /* of the sample that is added next */
	bool is_cut;          /* the last line has no end */
	bool is_too_deep;     /* a stack was cut */
	bool is_cancelled;
	bool has_overflow;
	uint64_t bad_lines, bad_offset; /* not understood: how many, and where the first one is */
};

void legacy_init(struct legacy *legacy, struct source *source, struct builder *builder,
	const char *format, struct vp_error *err);
void legacy_free(struct legacy *legacy);

/* A value type of the file; one more of value_count. */
void legacy_type(struct legacy *legacy, const char *name, const char *unit, enum value_kind kind,
	int64_t scale);

/* How far the samples are apart, in what; what pprof says of such a file. */
void legacy_period(struct legacy *legacy, const char *type, const char *unit, int64_t period);

/* "ms since reset": how long the file is about. */
void legacy_milliseconds(struct legacy *legacy, int64_t ms);

/* What is left out unless the user wants all (profile->drop_frames). */
enum legacy_family { LEGACY_OTHER, LEGACY_HEAP, LEGACY_LOCKS };
void legacy_leave_out(struct legacy *legacy, enum legacy_family family);

/* ---- lines (legacy_lines.c) ---- */

/*
 * The next line without its end, valid until the next call; false at the end of the input, when the
 * user cancelled, and for a last line that has no end (is_cut): what it says may be half of a
 * number.
 */
bool legacy_line(struct legacy *legacy, const char **line, size_t *length);

/* Goes on behind the line at hand, with what is no text. */
void legacy_end_lines(struct legacy *legacy);

/* The line at hand is not what it should be. */
void legacy_bad_line(struct legacy *legacy);

/* Reads lines up to the start of a memory map, and the map. */
void legacy_read_rest(struct legacy *legacy);

/* Reads a memory map up to the end. */
void legacy_read_map(struct legacy *legacy);

/* ---- stacks ---- */

/* The place of an address; `variant` tells places of one address apart, 0 where there is one. */
uint32_t legacy_place(struct legacy *legacy, uint64_t address, string_id variant);

/* The place of `address` if there is one. */
bool legacy_find_place(const struct legacy *legacy, uint64_t address, uint32_t *place);

/* `place` is in a function that the ones before were inlined into. 0 for what is unknown. */
void legacy_symbol(
	struct legacy *legacy, uint32_t place, string_id name, string_id file, uint32_t line);

/* One more frame, towards the root, of the stack that is being read. */
void legacy_push(struct legacy *legacy, uint32_t place);

/* Ends the stack: a sample with values[value_count]. */
void legacy_sample(struct legacy *legacy, const int64_t *values);

/* The stack that is being read is none after all. */
void legacy_drop(struct legacy *legacy);

/* Takes the frame that called the leaf out of a sample of at least two frames. */
void legacy_drop_caller(struct legacy *legacy, size_t sample);

/*
 * The signal handler may have recorded the leaf twice, from the context and from the stack; the
 * second one was moved back by 1. Takes it out.
 */
void legacy_drop_double_leaves(struct legacy *legacy);

/* a x b, or the nearest number and a note of it. */
int64_t legacy_multiply(struct legacy *legacy, int64_t a, int64_t b);

/* The whole part of `value`, or the nearest number and a note of it. */
int64_t legacy_whole(struct legacy *legacy, double value);

/*
 * A sample of the heap of `count` objects and `bytes`, taken once in `rate` bytes: how much there
 * is (section 4.2, "Unsampling").
 */
void legacy_unsample(struct legacy *legacy, int64_t *count, int64_t *bytes, int64_t rate);

/* Bytes of one of `count` objects (not 0), as they were written. */
static inline int64_t legacy_block_size(int64_t count, int64_t bytes)
{
	return count == -1 && bytes == INT64_MIN ? INT64_MAX : bytes / count;
}

/* Gives all to the builder and says what was wrong. False with *err where nothing was usable. */
bool legacy_finish(struct legacy *legacy);

/* ---- words of a line ---- */

struct legacy_cursor {
	const char *next, *end;
};

struct legacy_cursor legacy_cursor(const char *line, size_t length);
void legacy_skip_spaces(struct legacy_cursor *c);
/* Takes `text` if it is next. */
bool legacy_take(struct legacy_cursor *c, const char *text);
/* Takes a decimal number that fits, with its sign. */
bool legacy_take_number(struct legacy_cursor *c, int64_t *number);
/* Takes a hexadecimal number of at most 64 bits, with or without 0x in front. */
bool legacy_take_hex(struct legacy_cursor *c, uint64_t *number);
/* Takes "0x" and a hexadecimal number of at most 64 bits. */
bool legacy_take_address(struct legacy_cursor *c, uint64_t *number);
/* Whether nothing but spaces is left. */
bool legacy_at_end(struct legacy_cursor c);
/* Cuts spaces off both ends. */
struct legacy_cursor legacy_trim(struct legacy_cursor c);
bool legacy_is(struct legacy_cursor c, const char *text);
bool legacy_contains(const char *line, size_t length, const char *text);
/* Whether a line is blank or a comment. */
bool legacy_is_blank(const char *line, size_t length);
/* "key = value" */
bool legacy_attribute(
	const char *line, size_t length, struct legacy_cursor *key, struct legacy_cursor *value);

/*
 * Pushes the addresses up to the end of the line, moved back by `back` (what is recorded is where a
 * call returns to). False where something else is between them: legacy_drop it.
 */
bool legacy_take_stack(struct legacy *legacy, struct legacy_cursor *c, uint64_t back);

/* The first line of the first bytes of a file that is neither blank nor (with_comments) a comment.
 */
struct legacy_cursor legacy_first_line(const uint8_t *bytes, size_t size, bool with_comments);

/* ---- names in front (legacy_symbols.c) ---- */

enum { LEGACY_SYMBOL_MARK = 16 }; /* bytes that legacy_has_symbols needs */
bool legacy_has_symbols(const uint8_t *bytes, size_t size);
/*
 * Reads them up to the profile: its words, or (*is_heap) the lines of a heap profile. False with an
 * error where there is none.
 */
bool legacy_read_symbols(struct legacy *legacy, bool *is_heap);

/* Goes on with the lines of a heap profile whose symbols were read (legacy_heap.c). */
bool legacy_heap_read_on(struct legacy *legacy);

/* ---- Go's comments (legacy_count.c) ---- */

/*
 * Go writes a comment for each function of a stack, behind the stack:
 *
 *     #	0xADDRESS	function+0xOFFSET	file:line
 *
 * where ADDRESS was moved back by 1 already; functions inlined into each other have the same one.
 * Functions of the runtime may be left out.
 */
struct legacy_comments {
	struct legacy_comment {
		uint64_t address;
		string_id name, file;
		uint32_t line;
	} * items;
	size_t count, capacity;
	bool is_idle; /* they belong to a line that was left out */
};

/* A comment line: keeps it if it is one of these. */
void legacy_comment(
	struct legacy *legacy, struct legacy_comments *comments, const char *line, size_t length);
/* Names the places of the sample before; call it in front of each new one and at the end. */
void legacy_use_comments(struct legacy *legacy, struct legacy_comments *comments);
void legacy_comments_free(struct legacy_comments *comments);

#endif
