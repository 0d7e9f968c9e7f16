/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SOURCE_FILE_H
#define VPTOP_TUI_SOURCE_FILE_H

#include <stdint.h>

struct app;

/*
 * Asks the screen's loop to show the source file of a row, if it is here: a regular file at the
 * path that the profile has. Says in a notice where it is not.
 */
void source_file_open(struct app *app, uint32_t row);

#endif
