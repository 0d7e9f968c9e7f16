/* SPDX-License-Identifier: MIT */
#include "clipboard.h"

static void clipboard_add_base64(struct text *out, const char *bytes, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < length; i += 3) {
		const size_t left = length - i;
		const unsigned a = (unsigned char)bytes[i],
			       b = left > 1 ? (unsigned char)bytes[i + 1] : 0,
			       c = left > 2 ? (unsigned char)bytes[i + 2] : 0;
		const char group[4] = {digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
			left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=',
			left > 2 ? digits[c & 63] : '='};
		text_add(out, group, sizeof group);
	}
}

bool clipboard_encode(struct text *out, const char *bytes, size_t length, bool in_tmux)
{
	if (length > CLIPBOARD_MOST)
		return false;
	text_puts(out, "\033]52;c;");
	clipboard_add_base64(out, bytes, length);
	text_puts(out, "\a");
	if (!in_tmux)
		return true;
	text_puts(out, "\033Ptmux;\033\033]52;c;");
	clipboard_add_base64(out, bytes, length);
	text_puts(out, "\a\033\\");
	return true;
}
