/* SPDX-License-Identifier: MIT */
#include "profile/name.h"

#include <ctype.h>
#include <string.h>

/* Whether s[i..] begins with ":<digits>:"; *line and *after (index behind it) are set then. */
static bool name_has_line(const char *s, size_t length, size_t i, uint32_t *line, size_t *after)
{
	uint64_t value = 0;
	size_t k = i + 1;
	if (s[i] != ':')
		return false;
	for (; k < length && isdigit((unsigned char)s[k]); k++)
		value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(s[k] - '0');
	if (k == i + 1 || k >= length || s[k] != ':')
		return false;
	*line = value > UINT32_MAX ? 0 : (uint32_t)value;
	*after = k + 1;
	return true;
}

struct function name_parse(struct strings *strings, string_id text)
{
	size_t length;
	/* strings_add may move the bytes: they are fetched anew after each add. */
	const char *s = strings_get(strings, text, &length);
	const char *colon = memchr(s, ':', length);
	struct function function = {.kind = CODE_PYTHON};
	size_t start = colon ? (size_t)(colon - s) + 1 : 0;
	bool is_native = colon && start == 2 && s[0] == 'n';
	if (is_native)
		function.kind = CODE_NATIVE;

	size_t end = length, file = length;
	for (size_t i = start; i < length; i++) {
		uint32_t line;
		size_t after;
		if (!name_has_line(s, length, i, &line, &after))
			continue;
		end = i;
		file = after;
		function.line = line;
		if (!is_native)
			break;
	}
	function.name = strings_add(strings, s + start, end - start);
	s = strings_get(strings, text, NULL);
	function.file = strings_add(strings, s + file, length - file);
	return function;
}
