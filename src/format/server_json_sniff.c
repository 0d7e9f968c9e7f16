/* SPDX-License-Identifier: MIT */
/* Which JSON is vmprof-server's: by the keys in the first bytes, without a parser. */
#include "format/server_json.h"

#include <ctype.h>
#include <string.h>

static bool server_json_is_one_of(uint8_t byte, const char *set)
{
	return byte && strchr(set, byte);
}

static size_t server_json_blank(const uint8_t *bytes, size_t size, size_t i)
{
	while (i < size && server_json_is_one_of(bytes[i], " \t\r\n"))
		i++;
	return i;
}

/*
 * Whether `pattern` begins at bytes[i]; there may be blanks around its brackets, colons and commas.
 * `~` in it is the first character of a number or a string.
 */
static bool server_json_matches(const uint8_t *bytes, size_t size, size_t i, const char *pattern)
{
	static const char around[] = "[{:,~";
	bool may_be_blank = false;
	for (; *pattern; pattern++) {
		bool is_mark = strchr(around, *pattern) != NULL;
		if (is_mark || may_be_blank)
			i = server_json_blank(bytes, size, i);
		may_be_blank = is_mark;
		if (i >= size)
			return false;
		if (*pattern == '~' ? !server_json_is_one_of(bytes[i], "\"-0123456789")
				    : bytes[i] != (uint8_t)*pattern)
			return false;
		i++;
	}
	return true;
}

static bool server_json_has(const uint8_t *bytes, size_t size, const char *pattern)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == (uint8_t)pattern[0] && server_json_matches(bytes, size, i, pattern))
			return true;
	}
	return false;
}

/* The index behind the string or number at i, or `size`. */
static size_t server_json_scalar(const uint8_t *bytes, size_t size, size_t i)
{
	i = server_json_blank(bytes, size, i);
	if (i >= size || bytes[i] != '"') {
		while (i < size && server_json_is_one_of(bytes[i], "-+.eE0123456789"))
			i++;
		return i;
	}
	for (i++; i < size && bytes[i] != '"'; i++)
		i += bytes[i] == '\\';
	return i < size ? i + 1 : size;
}

/* A bare node: [name, address, count. They must be within the bytes. */
static bool server_json_is_node(const uint8_t *bytes, size_t size, size_t i)
{
	if (!server_json_matches(bytes, size, i, "[\""))
		return false;
	i = server_json_scalar(bytes, size, i + 1);
	if (!server_json_matches(bytes, size, i, ",~"))
		return false;
	i = server_json_scalar(bytes, size, server_json_blank(bytes, size, i) + 1);
	return server_json_matches(bytes, size, i, ",~") &&
	       !server_json_matches(bytes, size, i, ",\"");
}

int server_json_sniff(const uint8_t *bytes, size_t size)
{
	static const struct {
		const char *pattern;
		int bits;
	} keys[] = {
		{"\"profiles\":[\"", 88},
		{"\"profiles\":[[", 80},
		{"\"mem_profile\":{", 112},
		{"\"addr_name_map\":{", 120},
		{"\"addresses\":{", 88},
		{"\"data\":{\"VM\":", 72},
		{"\"data\":{\"profiles\":", 72},
		{"\"data\":\"{\\\"addresses\\\"", 72},
		{"\"data\":\"{\\\"profiles\\\"", 72},
	};
	size_t start = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	start = server_json_blank(bytes, size, start);
	if (start >= size || (bytes[start] != '{' && bytes[start] != '['))
		return 0;
	if (server_json_is_node(bytes, size, start))
		return 40;
	if (bytes[start] == '[')
		return 0;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (server_json_has(bytes, size, keys[i].pattern))
			return keys[i].bits;
	}
	return server_json_matches(bytes, size, start, "{\"error\":\"") ? 64 : 0;
}
