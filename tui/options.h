/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_OPTIONS_H
#define VPTOP_TUI_OPTIONS_H

#include "derive/open.h"
#include "report/report.h"
#include "term.h"

/* The command line. Parsing and --help are made from one table of options. */

enum glyph_choice { GLYPHS_AUTO, GLYPHS_ASCII, GLYPHS_BLOCKS };

struct options {
	struct report_options report; /* its query: only what needs no profile, see choose.h */
	struct open_options open;
	const char *path;        /* the first profile; "-": standard input; NULL: none was named */
	const char *report_name; /* NULL: not asked for a report */
	const char *output;      /* NULL: standard output */
	const char *type, *thread;    /* as typed, NULL: not given */
	const char *view;             /* name of the first view, NULL: the first one */
	const char *project, *filter; /* of the catalog: which profiles; NULL: all */
	enum colour_choice colour;
	enum glyph_choice glyphs;
	bool json, has_format, has_series, quiet, help, version;
	const char *keys;            /* tests: keys to press, see script.h */
	int dump_width, dump_height; /* tests: print the screen at this size; 0: no */
};

/*
 * Fills *options, pointing into argv. On a wrong command line returns false and *err (ERROR_USAGE)
 * for the first mistake, but goes on to see whether JSON was asked for.
 */
bool options_parse(struct options *options, int argc, char **argv, struct vp_error *err);

/* The text of --help. */
void options_help(struct text *out);

#endif
