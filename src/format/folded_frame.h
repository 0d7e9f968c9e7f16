/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_FOLDED_FRAME_H
#define VPTOP_FORMAT_FOLDED_FRAME_H

#include "base/text.h"
#include "profile/profile.h"

/*
 * What the text of one frame of a folded line says (folded.md section 1):
 *
 *     name (dir/file.py:12)   function, file, line being executed        py-spy and others
 *     name (file.py)          the same without a line; (lib.so) is a module
 *     lib.so`name             module, function                            dtrace
 *     name_[k]                kernel; _[i] inlined, _[j] compiled by a JIT, _[w] waker
 *     file:name:12            only in austin's files
 *
 * The suffixes leave the name and become a module of that name ("[kernel]", "[inlined]", "[jit]",
 * "[waker]"), so that name_[k] and name stay two functions. Anything else is a name as it is.
 *
 * In a name, \x and two hexadecimal digits stand for a character that would mean something else
 * here:
 *
 *     20 blank   23 #   29 )   3a :   3b ;   4c L   5c \   5d ]   60 `
 *
 * folded_frame_write makes use of that, so that what it writes is read as the name that it was.
 */

struct folded_slice {
	const char *bytes;
	size_t length;
};

struct folded_frame {
	struct folded_slice name, file, module; /* as written: folded_frame_unescape them */
	uint32_t line;                          /* being executed; 0 unknown */
	uint8_t kind;                           /* enum code_kind */
	bool is_inlined;
	bool is_plain; /* the name is all of the text */
};

/* Takes text[length] apart; the slices are parts of it, or constant. */
struct folded_frame folded_frame_parse(const char *text, size_t length, bool is_austin);

/* Adds slice with its escapes undone. */
void folded_frame_unescape(struct folded_slice slice, struct text *out);

/*
 * Adds name[length] such that a reader of folded lines takes all of it for a name, wherever in a
 * line it stands. `suffix` (may be NULL) is put behind: folded_frame_suffix. `module` (may be
 * NULL), cleaned like the name, is put in front.
 */
void folded_frame_write(
	struct text *out, const char *name, size_t length, const char *module, const char *suffix);

/* "_[k]" for the module "[kernel]" and so on; NULL for other modules. */
const char *folded_frame_suffix(const char *module);

/* "L12", austin's line of the frame before: its number, or 0 where it is no such text. */
uint32_t folded_frame_line(const char *text, size_t length);

#endif
