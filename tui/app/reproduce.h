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

/*
 * The report that such a command asks for and its options. *options points into the app and into
 * `text`, which must outlive it.
 */
const struct report *reproduce_report(
	const struct app *app, bool is_moment, struct report_options *options, struct text *text);

/*
 * Adds bytes as one word of a POSIX shell's command line: as they are, in single quotes, or, with
 * bytes that no terminal should get, as $'...'. `ascii`: so with all that are not ASCII.
 */
void reproduce_quote(struct text *out, const char *bytes, size_t length, bool ascii);

#endif
