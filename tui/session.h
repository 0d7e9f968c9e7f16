/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SESSION_H
#define VPTOP_TUI_SESSION_H

#include "app/app.h"
#include "derive/open.h"
#include "term.h"

/* What goes on while the screen is on: keys, and between them what they asked for. */

/* Before the app looks into a folder: loading a profile of it stops for keys. */
void session_prepare(struct app *app);

/* Until the user quits, or the terminal is gone. The screen is on. */
void session_run(struct app *app, const struct term_options *terminal);

/* Whether one of the files is standard input, which cannot be read twice. */
bool session_reads_stdin(const struct open_options *open);

#endif
