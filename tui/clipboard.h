/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_CLIPBOARD_H
#define VPTOP_TUI_CLIPBOARD_H

#include "base/text.h"

/* Terminals take no more than about 100,000 bytes of base64 (xterm's limit). */
enum { CLIPBOARD_MOST = 74000 };

/*
 * Adds the escape sequence (OSC 52) that puts the bytes into the terminal's clipboard. Inside tmux
 * it comes twice: plain, for its set-clipboard, and wrapped, for its allow-passthrough. False, and
 * nothing is added, where there are more than CLIPBOARD_MOST.
 */
bool clipboard_encode(struct text *out, const char *bytes, size_t length, bool in_tmux);

#endif
