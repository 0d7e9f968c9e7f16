/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SCRIPT_H
#define VPTOP_TUI_SCRIPT_H

#include "app/app.h"

/*
 * Runs the app without a terminal, for tests: draws it at width x height, then presses the keys of
 * a text one by one, drawing after each. A key is a character, or a name in angle brackets: <Enter>
 * <Esc> <Tab> <S-Tab> <Up> <Down> <Left> <Right> <PgUp> <PgDn> <Home> <End> <Backspace> <Del>
 * <F1>..<F12> <C-d> <lt> (for '<'). <Resize:100x30> and <Paste:text> do what they say. The mouse:
 * <Click:10,5> (pressed and let go), <Press:10,5> <Double:10,5> <Right:10,5> <Drag:10,5>
 * <Release:10,5> <WheelUp:10,5> <WheelDown:10,5> <WheelLeft:10,5> <WheelRight:10,5>: column and
 * line from 0. Stops where the app quits. False and *err (ERROR_USAGE) for a name that is not
 * known.
 */
bool script_run(struct app *app, const char *keys, int width, int height, struct vp_error *err);

/* Does what the last key asked for: opens a profile of the folder, reads the folder to its end. */
void script_serve(struct app *app);

/* Reads "100x30", which is followed by the character `end`. */
bool script_parse_size(const char *text, char end, int *width, int *height);

#endif
