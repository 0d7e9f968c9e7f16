/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SAVE_H
#define VPTOP_TUI_SAVE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Writes a file, whole or not at all: what was there before stays as it is where that fails. What
 * is no regular file, as /dev/null or a pipe, is written to and stays what it is. False and *err:
 * ERROR_USAGE where there is such a file and `overwrite` is not set, else ERROR_IO with the
 * system's words.
 */
bool save_text(const char *path, const struct text *text, bool overwrite, struct vp_error *err);

#endif
