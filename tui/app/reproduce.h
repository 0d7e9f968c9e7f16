/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_REPRODUCE_H
#define VPTOP_TUI_REPRODUCE_H

#include <stdbool.h>

#include "app/app.h"

/* The view on the screen as a command line, and as a report. */

/*
 * Adds the shell command that opens this view again; `as_report`: that prints the same numbers. It
 * is printable text without line ends, whatever the names and patterns in it are.
 */
void reproduce_command(const struct app *app, bool as_report, struct text *out);

/* Adds the command that prints what ran at the selected moment; false: no sample is selected. */
bool reproduce_moment(const struct app *app, struct text *out);

/* What options point at. Zero-initialise; text_free(&function). */
enum { MOMENT_SIZE = 32 };
struct reproduced {
	struct text function;
	char at[MOMENT_SIZE], from[MOMENT_SIZE], to[MOMENT_SIZE];
};

/*
 * The report that such a command asks for and its options. *options points into the app and into
 * *texts, which must outlive it.
 */
const struct report *reproduce_report(const struct app *app, bool is_moment,
	struct report_options *options, struct reproduced *texts);

/*
 * The same of the list of files: that opens a path of it, or prints its summary; that prints the
 * list.
 */
void reproduce_file(const struct app *app, const char *path, bool as_report, struct text *out);
void reproduce_list(const struct app *app, struct text *out);

/*
 * Adds bytes as one word of a POSIX shell's command line: as they are, in single quotes, or, with
 * bytes that no terminal should get, as $'...'. `ascii`: so with all that are not ASCII.
 */
void reproduce_quote(struct text *out, const char *bytes, size_t length, bool ascii);

#endif
