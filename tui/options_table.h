/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_OPTIONS_TABLE_H
#define VPTOP_TUI_OPTIONS_TABLE_H

#include "options.h"

/*
 * What an option does with its argument: `set` is called; or the index among `words` is stored at
 * `offset` of struct options, or the argument itself, or true where the option takes none.
 */
struct option_spec {
	const char *name;     /* long name */
	char letter;          /* 0: none */
	const char *argument; /* NULL: takes none */
	const char *help;     /* NULL: not in --help; a heading where `name` is NULL */
	size_t offset;
	const char *const *words; /* NULL-ended */
	bool (*set)(struct options *options, const char *argument, struct vp_error *err);
	const char *missing; /* an option that this version knows of but does not have: why */
};

extern const struct option_spec option_table[];
extern const int option_count;
enum { MOST_OPTIONS = 128 };

/* Which of the words `text` is; -1 and an error that lists them. */
int option_word(
	const char *const *words, const char *option, const char *text, struct vp_error *err);

#endif
