/* SPDX-License-Identifier: MIT */
#include "format/folded.h"

#include <string.h>

#include "base/hash.h"

static bool line_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool line_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Where the last word of text[length] begins; `length` where it ends in a blank or is empty. */
static size_t line_last_word(const char *text, size_t length)
{
	while (length > 0 && !line_is_blank(text[length - 1]))
		length--;
	return length;
}

static size_t line_trim(const char *text, size_t length)
{
	while (length > 0 && line_is_blank(text[length - 1]))
		length--;
	return length;
}

/* P123;T, with which austin's samples begin. */
static bool line_has_process(const char *s, size_t length)
{
	size_t i = 1;
	while (i < length && line_is_digit(s[i]))
		i++;
	return length > 0 && s[0] == 'P' && i > 1 && i + 1 < length && s[i] == ';' &&
	       s[i + 1] == 'T';
}

/* "Thread 7f00", with which those of its first versions do. */
static bool line_has_thread(const char *s, size_t length)
{
	static const char word[] = "Thread ";
	size_t i = sizeof word - 1;
	if (length <= i || memcmp(s, word, i) != 0)
		return false;
	while (i < length && (line_is_digit(s[i]) || (s[i] >= 'a' && s[i] <= 'f')))
		i++;
	return i > sizeof word - 1 && (i == length || s[i] == ';');
}

/* "time,idle,memory" */
static bool line_parse_metrics(const char *text, size_t length, struct folded_line *line)
{
	size_t start = 0;
	for (int n = 0; n < FOLDED_MAX_NUMBERS; n++) {
		const char *comma = memchr(text + start, ',', length - start);
		const size_t end = comma ? (size_t)(comma - text) : length;
		if ((n + 1 < FOLDED_MAX_NUMBERS) != (comma != NULL) ||
			!folded_number_parse(text + start, end - start, &line->numbers[n]))
			return false;
		start = end + 1;
	}
	line->number_count = FOLDED_MAX_NUMBERS;
	return true;
}

static enum folded_line_kind line_without_count(const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && line_is_blank(line[i]))
		i++;
	if (i == length)
		return FOLDED_BLANK;
	return i + 1 < length && line[i] == '/' && line[i + 1] == '/' ? FOLDED_COMMENT
								      : FOLDED_JUNK;
}

struct folded_line folded_line_parse(const char *text, size_t length)
{
	struct folded_line line = {.stack = text};
	size_t i = 0;
	while (i < length && line_is_blank(text[i]))
		i++;
	if (i < length && text[i] == '#') {
		line.kind = FOLDED_COMMENT;
		return line;
	}
	length = line_trim(text, length);
	const size_t word = line_last_word(text, length);
	line.kind = FOLDED_STACK;
	line.number_count = 1;
	line.length = line_trim(text, word);
	line.has_process = line_has_process(text, line.length);
	line.is_austin = line.has_process || line_has_thread(text, line.length);
	if (word == 0 || (!folded_number_parse(text + word, length - word, line.numbers) &&
				 !(line.has_process &&
					 line_parse_metrics(text + word, length - word, &line))))
		line.kind = line_without_count(text, length);
	return line;
}

bool folded_line_split(struct folded_line *line)
{
	const size_t word = line_last_word(line->stack, line->length);
	const size_t stack = line_trim(line->stack, word);
	struct folded_number before;
	if (line->kind != FOLDED_STACK || line->is_austin || stack == 0 ||
		!folded_number_parse(line->stack + word, line->length - word, &before) ||
		before.is_negative || line->numbers[0].is_negative)
		return false;
	line->numbers[1] = line->numbers[0];
	line->numbers[0] = before;
	line->number_count = 2;
	line->length = stack;
	return true;
}

bool folded_is_difference(struct source *source)
{
	struct text_lines lines;
	struct hash_map seen = {0};
	const char *text;
	size_t length, count = 0;
	bool is_difference = true;
	text_lines_open(&lines, source);
	while (is_difference && text_lines_next(&lines, &text, &length)) {
		struct folded_line line = folded_line_parse(text, length);
		if (line.kind == FOLDED_BLANK || line.kind == FOLDED_COMMENT)
			continue;
		is_difference = folded_line_split(&line);
		if (!is_difference)
			break;
		uint32_t *slot = hash_map_slot(&seen, hash_string(line.stack, line.length));
		is_difference = *slot == 0;
		*slot = 1;
		count++;
	}
	text_lines_close(&lines);
	hash_map_free(&seen);
	return is_difference && count > 1;
}
