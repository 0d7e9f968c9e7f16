/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_DOT_TEXT_H
#define VPTOP_REPORT_DOT_TEXT_H

#include "base/text.h"

/* Names as graphviz reads them. */

/* Adds text[length] as it stands inside of quotes: backslash, quote and line ends are escaped. */
void dot_escape(struct text *out, const char *text, size_t length);

/*
 * Adds a function's name, escaped and short, over several lines: without the path of a Go package,
 * the namespaces of C++, the package and the arguments of Java; a line for each part.
 */
void dot_short_name(struct text *out, const char *name, size_t length);

/* The part of a path behind its last slash. */
const char *dot_base_name(const char *path, size_t length, size_t *base_length);

#endif
