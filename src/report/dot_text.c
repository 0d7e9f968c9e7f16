/* SPDX-License-Identifier: MIT */
#include "report/dot_text.h"

#include <ctype.h>
#include <string.h>

void dot_escape(struct text *out, const char *text, size_t length)
{
	size_t plain = 0;
	for (size_t i = 0; i < length; i++) {
		const char c = text[i];
		if (c != '\\' && c != '"' && c != '\n')
			continue;
		text_add(out, text + plain, i - plain);
		text_puts(out, c == '\n' ? "\\n" : c == '"' ? "\\\"" : "\\\\");
		plain = i + 1;
	}
	text_add(out, text + plain, length - plain);
}

const char *dot_base_name(const char *path, size_t length, size_t *base_length)
{
	while (length > 1 && path[length - 1] == '/')
		length--;
	size_t start = length;
	while (start > 0 && path[start - 1] != '/')
		start--;
	*base_length = length - start;
	return path + start;
}

/* ---- short names ----------------------------------------------------------------------------- */

static bool dot_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t dot_word(const char *s, size_t length)
{
	size_t i = 0;
	while (i < length && dot_is_word(s[i]))
		i++;
	return i;
}

static bool dot_begins(const char *s, size_t length, const char *with)
{
	const size_t size = strlen(with);
	return length >= size && memcmp(s, with, size) == 0;
}

/* Where the name without "/v2", a module's version, goes on; 0: it has none. */
static size_t dot_version(const char *s, size_t length, size_t *start)
{
	for (size_t i = 0; i + 2 < length; i++) {
		if (s[i] != '/' || s[i + 1] != 'v')
			continue;
		size_t end = i + 2;
		while (end < length && isdigit((unsigned char)s[end]))
			end++;
		const size_t digits = end - i - 2;
		const bool is_version = digits > 0 && s[i + 2] != '0' &&
					!(digits == 1 && s[i + 2] == '1') && end < length &&
					(s[end] == '.' || s[end] == '/');
		*start = i;
		if (is_version)
			return end;
	}
	return 0;
}

/* "path/to/package.Function": where "package.Function" begins; 0 where it is no such name. */
static size_t dot_go(const char *s, size_t length)
{
	size_t found = 0, component = 0;
	for (size_t i = 0; i < length; i++) {
		if (s[i] == '/' && i == component)
			break;
		if (s[i] == '/') {
			component = i + 1;
			const char *dot = memchr(s + component, '.', length - component);
			if (dot && dot > s + component && dot + 1 < s + length)
				found = component;
		} else if (!dot_is_word(s[i]) && s[i] != '-' && s[i] != '.') {
			break;
		}
	}
	return found;
}

/* "com.example.Class.method(int)": the part "Class.method"; 0 where it is no such name. */
static size_t dot_java(const char *s, size_t length, size_t *start)
{
	size_t i = 0;
	while (i < length && islower((unsigned char)s[i])) {
		const size_t word = dot_word(s + i, length - i);
		if (i + word >= length || s[i + word] != '.')
			return 0;
		i += word + 1;
	}
	*start = i;
	if (i >= length || !isupper((unsigned char)s[i]))
		return 0;
	while (i < length && (dot_is_word(s[i]) || s[i] == '$'))
		i++;
	if (i + 1 >= length || s[i++] != '.')
		return 0;
	if (dot_begins(s + i, length - i, "<init>")) {
		i += strlen("<init>");
	} else if (islower((unsigned char)s[i])) {
		while (i < length && (dot_is_word(s[i]) || s[i] == '$'))
			i++;
	} else {
		return 0;
	}
	return i == length || s[i] == '(' ? i - *start : 0;
}

/* A name of C++ from s on, and where the one behind its "::" begins; 0: it has none behind. */
static size_t dot_scope(const char *s, size_t length)
{
	const size_t word = dot_word(s, length);
	if (word == 0 || isdigit((unsigned char)s[0]) || !dot_begins(s + word, length - word, "::"))
		return 0;
	return word + 2;
}

/* "space::Class::method<T>(int)": the part "Class::method<T>"; 0 where it is no such name. */
static size_t dot_cpp(const char *s, size_t length, size_t *start)
{
	size_t size = 0, at = 0, scope;
	while ((scope = dot_scope(s + at, length - at)) > 0) {
		size_t capital = at, i = at + scope;
		while (s[capital] == '_')
			capital++;
		i += i < length && s[i] == '~';
		const size_t word = dot_word(s + i, length - i);
		if (at > 0 && isupper((unsigned char)s[capital]) && word > 0 &&
			!isdigit((unsigned char)s[i])) {
			*start = at;
			size = i + word - at;
		}
		at += scope;
	}
	if (size > 0 && *start + size < length && s[*start + size] == '<') {
		for (size_t i = length; i > *start + size; i--)
			if (s[i - 1] == '>')
				return i - *start;
	}
	return size;
}

/* Adds the name, a line for each part between dots or colons. */
static void dot_split(struct text *out, const char *s, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (dot_begins(s + i, length - i, "[...]")) {
			text_puts(out, "[\u2026]");
			i += 4;
		} else if (dot_begins(s + i, length - i, "::")) {
			text_puts(out, "\\n");
			i++;
		} else if (s[i] == '.') {
			text_puts(out, "\\n");
		} else {
			dot_escape(out, s + i, 1);
		}
	}
}

void dot_short_name(struct text *out, const char *name, size_t length)
{
	static const char anonymous[] = "(anonymous namespace)::";
	struct text spare = {0};
	size_t start = 0, size, end;
	if (dot_begins(name, length, anonymous)) {
		name += strlen(anonymous);
		length -= strlen(anonymous);
	}
	if ((end = dot_version(name, length, &start)) > 0) {
		text_add(&spare, name, start);
		text_add(&spare, name + end, length - end);
		name = spare.data;
		length = spare.length;
	}
	if ((start = dot_go(name, length)) > 0)
		dot_split(out, name + start, length - start);
	else if ((size = dot_java(name, length, &start)) > 0 ||
		 (size = dot_cpp(name, length, &start)) > 0)
		dot_split(out, name + start, size);
	else
		dot_split(out, name, length);
	text_free(&spare);
}
