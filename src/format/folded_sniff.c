/* SPDX-License-Identifier: MIT */
/*
 * Detection of folded stacks (detect.md step 3b, tests 12 to 14). Any text whose lines end in
 * numbers could be folded stacks, so what is known to be something else is turned away first.
 */
#include <string.h>

#include "format/folded.h"
#include "format/format.h"

enum {
	SNIFF_LINES = 200,
	SNIFF_NARROW = 8 * 1024, /* characters of UTF-16 that are looked at */
	BITS_AUSTIN = 60,
	BITS_FOLDED = 36,
	BITS_GUESS = 12 /* no ';' anywhere, or no line end in sight */
};

struct sniffed {
	int comments, stacks, junk, austin, deep; /* lines; deep: with a ';' */
	int numbers; /* lines of a word and a number that is whole and not negative */
};

/* What a line of another format begins with. */
static bool sniff_is_other(const char *line, size_t length)
{
	static const char *const heads[] = {"# callgrind format",
		"events:", "fn=", "fl=", "creator: callgrind", "creator: xdebug",
		"desc:", "heap_v2/", "heap profile:", "--- ", "goroutine ",
		"# ========", "# captured on", "<?xml", "<svg", "v8-version,",
		"PeriodType:", "snapshot="};
	static const char count_head[] = " profile: total ";
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		const size_t size = strlen(heads[i]);
		if (length >= size && memcmp(line, heads[i], size) == 0)
			return true;
	}
	const char *colon = memchr(line, ':', length);
	if (!colon || colon - line < 8)
		return false;
	const char *start = colon - 8;
	return (size_t)(line + length - start) >= sizeof count_head - 1 &&
	       memcmp(start, count_head, sizeof count_head - 1) == 0;
}

/* heaptrack's first line: "v 10500 3", hexadecimal. */
static bool sniff_is_heaptrack(const char *line, size_t length)
{
	if (length < 3 || line[0] != 'v' || line[1] != ' ')
		return false;
	for (size_t i = 2; i < length; i++)
		if (!strchr("0123456789abcdef ", line[i]) || line[i] == 0)
			return false;
	return true;
}

/* NUL or many other control characters: not text. */
static bool sniff_is_text(const char *text, size_t size)
{
	size_t odd = 0;
	for (size_t i = 0; i < size; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c == 0)
			return false;
		odd += (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
	}
	return odd * 16 <= size;
}

static void sniff_line(struct sniffed *found, const char *text, size_t length)
{
	const struct folded_line line = folded_line_parse(text, length);
	const struct folded_number *number = &line.numbers[0];
	switch (line.kind) {
	case FOLDED_BLANK:
		break;
	case FOLDED_COMMENT:
		found->comments++;
		found->austin += length > 9 && memcmp(text, "# austin:", 9) == 0;
		break;
	case FOLDED_JUNK:
		found->junk++;
		break;
	case FOLDED_STACK:
		found->stacks++;
		found->austin += line.has_process;
		found->deep += memchr(line.stack, ';', line.length) != NULL;
		found->numbers += line.length > 0 && !number->is_negative && number->exponent == 0;
		break;
	}
}

static int sniff_judge(const struct sniffed *found)
{
	const int lines = found->stacks + found->junk;
	if (found->austin > 0 && found->stacks >= found->junk)
		return BITS_AUSTIN;
	if (found->stacks == 0 || found->stacks < lines - found->stacks)
		return 0;
	if (found->deep > 0)
		return BITS_FOLDED;
	return found->numbers == lines ? BITS_GUESS : 0;
}

/* text[size]; is_all: the input has no more. */
static int sniff_text(const char *text, size_t size, bool is_all)
{
	struct sniffed found = {0};
	bool is_first = true;
	if (!sniff_is_text(text, size))
		return 0;
	for (size_t at = 0; at < size && found.stacks + found.junk < SNIFF_LINES;) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = end ? (size_t)(end - (text + at)) : size - at;
		const size_t next = at + length + 1;
		if (!end && !is_all)
			break;
		length -= length > 0 && text[at + length - 1] == '\r';
		if (sniff_is_other(text + at, length) ||
			(is_first && sniff_is_heaptrack(text + at, length)))
			return 0;
		is_first &= length == 0;
		sniff_line(&found, text + at, length);
		at = next;
	}
	if (is_first && !is_all) /* one line that fills all that we see */
		return memchr(text, ';', size) && text[0] != '{' && text[0] != '[' ? BITS_GUESS : 0;
	return sniff_judge(&found);
}

int folded_sniff(const uint8_t *bytes, size_t size)
{
	char narrow[SNIFF_NARROW];
	size_t mark;
	const bool is_all = size < FORMAT_SNIFF_SIZE;
	const enum text_encoding encoding = text_encoding_of(bytes, size, &mark);
	if (encoding == TEXT_UTF8)
		return sniff_text((const char *)bytes + mark, size - mark, is_all);
	const size_t units = (size - mark) / 2, count = units < SNIFF_NARROW ? units : SNIFF_NARROW;
	const size_t low = encoding == TEXT_UTF16_BE;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *unit = bytes + mark + 2 * i;
		narrow[i] = unit[1 - low] ? 'x' : (char)unit[low];
	}
	return sniff_text(narrow, count, is_all && count == units);
}
