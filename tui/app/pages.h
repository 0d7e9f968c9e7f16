/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_PAGES_H
#define VPTOP_TUI_PAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

struct app;

/*
 * The selected thing and the view as plain text: the page of `y`, which a terminal can select from,
 * what `c` there copies, and what `p` writes to a file.
 */

/* Fills app->pager (plain, verbatim lines): name, place, numbers, moment, the commands that open
 * this view again and print it, and the stack. */
void pages_yank(struct app *app);

/* Adds what `c` on that page copies. */
void pages_copy(const struct app *app, struct text *out);

/* Adds a name for the file that the view can be written to: "worker-7-flame.txt". */
void pages_default_name(const struct app *app, struct text *out);
/* Adds what names of files begin with: "worker-7". */
void pages_stem_name(const struct app *app, struct text *out);

/* Writes the view as text and says how large it is. False and *err as save_text. */
bool pages_write(const struct app *app, const char *path, bool overwrite, size_t *size,
	struct vp_error *err);

#endif
