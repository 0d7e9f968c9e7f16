/* SPDX-License-Identifier: MIT */
/*
 * The names that pprof and jeprof of gperftools write in front of a profile (formats/pprof.md
 * section 4): a line an address, functions inlined into each other in one line.
 *
 *     --- symbol
 *     binary=/usr/bin/program
 *     0x0000000000401665 inner--outer
 *     ---
 *     --- profile          or  --- heap
 */
#include <ctype.h>
#include <string.h>

#include "format/legacy.h"

static const char symbols_mark[] = "--- symbol";

bool legacy_has_symbols(const uint8_t *bytes, size_t size)
{
	struct legacy_cursor c = legacy_cursor((const char *)bytes, size);
	return legacy_take(&c, symbols_mark) && c.next < c.end && isspace((uint8_t)*c.next);
}

/* "function<0123456789abcdef>": the number tells functions of one name apart; not a name. */
static struct legacy_cursor symbols_function_name(struct legacy_cursor c)
{
	const char *end = c.end;
	if (end - c.next < 3 || end[-1] != '>')
		return c;
	const char *start = end - 1;
	while (start > c.next && isxdigit((uint8_t)start[-1]))
		start--;
	if (end - 1 - start >= 8 && start - c.next >= 2 && start[-1] == '<')
		c.end = start - 1;
	return c;
}

/* The functions of one place, the innermost last, "--" between them. */
static void symbols_line(struct legacy *legacy, struct legacy_cursor c)
{
	uint64_t address;
	uint32_t known;
	if (!legacy_take_address(&c, &address) || legacy_find_place(legacy, address, &known))
		return;
	uint32_t place = legacy_place(legacy, address, 0);
	for (c = legacy_trim(c); c.next < c.end;) {
		const char *start = c.end;
		while (start > c.next &&
			!(start - c.next >= 2 && start[-1] == '-' && start[-2] == '-'))
			start--;
		struct legacy_cursor name =
			symbols_function_name((struct legacy_cursor){start, c.end});
		if (name.next < name.end)
			legacy_symbol(legacy, place,
				builder_string(
					legacy->builder, name.next, (size_t)(name.end - name.next)),
				0, 0);
		c.end = start > c.next ? start - 2 : c.next;
	}
}

bool legacy_read_symbols(struct legacy *legacy, bool *is_heap)
{
	const char *line;
	size_t length;
	while (legacy_line(legacy, &line, &length)) {
		struct legacy_cursor c = legacy_trim(legacy_cursor(line, length));
		*is_heap = legacy_is(c, "--- heap");
		if (*is_heap)
			return true;
		if (legacy_is(c, "--- profile")) {
			legacy_end_lines(legacy);
			return true;
		}
		symbols_line(legacy, c);
	}
	if (legacy->is_cancelled)
		return error_set(legacy->err, ERROR_CANCELLED, -1, "loading was stopped");
	return error_set(legacy->err, ERROR_TRUNCATED, (int64_t)source_offset(legacy->source),
		"cut short in the symbols: there is no '--- profile' behind them");
}
