/* SPDX-License-Identifier: MIT */
#include "format/folded_frame.h"

#include <string.h>

#include "format/folded_number.h"

static const struct {
	char letter;
	const char *suffix, *module;
	uint8_t kind;
} frame_suffixes[] = {
	{'k', "_[k]", "[kernel]", CODE_NATIVE},
	{'i', "_[i]", "[inlined]", CODE_UNKNOWN},
	{'j', "_[j]", "[jit]", CODE_JIT},
	{'w', "_[w]", "[waker]", CODE_UNKNOWN},
};

enum { SUFFIX_COUNT = sizeof frame_suffixes / sizeof *frame_suffixes, SUFFIX_LENGTH = 4 };

/* Characters that are written as \xNN in a name. */
static const char frame_escaped[] = " #):;L\\]`";

/* ---- pieces ----------------------------------------------------------------------------- */

static bool frame_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool frame_ends_in(struct folded_slice s, const char *end)
{
	const size_t length = strlen(end);
	return s.length > length && memcmp(s.bytes + s.length - length, end, length) == 0;
}

/* The number text[length] is, or UINT32_MAX where it is none. */
static uint32_t frame_number(const char *text, size_t length)
{
	uint64_t value = 0;
	if (length == 0 || length > 9)
		return UINT32_MAX;
	for (size_t i = 0; i < length; i++) {
		if (!frame_is_digit(text[i]))
			return UINT32_MAX;
		value = value * 10 + (unsigned)(text[i] - '0');
	}
	return (uint32_t)value;
}

/* Cuts ":12" off the end of *s; false where there is none, or nothing else. */
static bool frame_cut_line(struct folded_slice *s, uint32_t *line)
{
	size_t i = s->length;
	while (i > 0 && frame_is_digit(s->bytes[i - 1]))
		i--;
	const uint32_t value = frame_number(s->bytes + i, s->length - i);
	if (value == UINT32_MAX || i < 2 || s->bytes[i - 1] != ':')
		return false;
	*line = value;
	s->length = i - 1;
	return true;
}

static bool frame_is_python(struct folded_slice file)
{
	static const char *const ends[] = {".py", ".pyx", ".pyc", ".pyw", ".pyi"};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (frame_ends_in(file, ends[i]))
			return true;
	/* <string>, <stdin>, <frozen importlib._bootstrap> */
	return file.length > 2 && file.bytes[0] == '<' && file.bytes[file.length - 1] == '>';
}

static bool frame_is_module(struct folded_slice s)
{
	static const char needle[] = ".so.";
	if (frame_ends_in(s, ".so") || frame_ends_in(s, ".dylib") || frame_ends_in(s, ".dll"))
		return true;
	for (size_t i = 1; i + sizeof needle - 1 < s.length; i++)
		if (memcmp(s.bytes + i, needle, sizeof needle - 1) == 0)
			return true;
	return false;
}

/* ---- forms ------------------------------------------------------------------------------ */

static bool frame_parse_suffix(struct folded_slice text, struct folded_frame *frame)
{
	if (text.length <= SUFFIX_LENGTH || text.bytes[text.length - 1] != ']')
		return false;
	for (size_t i = 0; i < SUFFIX_COUNT; i++) {
		if (!frame_ends_in(text, frame_suffixes[i].suffix))
			continue;
		const char *module = frame_suffixes[i].module;
		frame->name = (struct folded_slice){text.bytes, text.length - SUFFIX_LENGTH};
		frame->module = (struct folded_slice){module, strlen(module)};
		frame->kind = frame_suffixes[i].kind;
		frame->is_inlined = frame_suffixes[i].letter == 'i';
		return true;
	}
	return false;
}

/* Where the group begins that the last character, a ')', closes; 0 where it is none. */
static size_t frame_group(struct folded_slice text)
{
	size_t depth = 0;
	for (size_t i = text.length; i-- > 0;) {
		depth += text.bytes[i] == ')';
		if (text.bytes[i] == '(' && --depth == 0)
			return i;
	}
	return 0;
}

/* name (file:12), name (file.py), name (lib.so) */
static bool frame_parse_group(struct folded_slice text, struct folded_frame *frame)
{
	if (text.length < 5 || text.bytes[text.length - 1] != ')')
		return false;
	const size_t open = frame_group(text);
	if (open < 2 || text.bytes[open - 1] != ' ')
		return false;
	struct folded_slice inside = {text.bytes + open + 1, text.length - open - 2};
	uint32_t line = 0;
	const bool has_line = frame_cut_line(&inside, &line);
	const bool is_module = !has_line && frame_is_module(inside);
	if (!has_line && !is_module && !frame_is_python(inside))
		return false;
	frame->name = (struct folded_slice){text.bytes, open - 1};
	*(is_module ? &frame->module : &frame->file) = inside;
	frame->line = line;
	frame->kind = is_module                 ? CODE_NATIVE
		      : frame_is_python(inside) ? CODE_PYTHON
						: CODE_UNKNOWN;
	return true;
}

/* lib.so`name */
static bool frame_parse_module(struct folded_slice text, struct folded_frame *frame)
{
	const char *mark = memchr(text.bytes, '`', text.length);
	const size_t at = mark ? (size_t)(mark - text.bytes) : 0;
	if (at == 0 || at + 1 == text.length || memchr(text.bytes, ' ', at) ||
		memchr(mark + 1, '`', text.length - at - 1))
		return false;
	frame->module = (struct folded_slice){text.bytes, at};
	frame->name = (struct folded_slice){mark + 1, text.length - at - 1};
	frame->kind = CODE_NATIVE;
	return true;
}

/* file:name:12, from the right, since a file may hold colons */
static bool frame_parse_austin(struct folded_slice text, struct folded_frame *frame)
{
	if (text.length > 0 && text.bytes[0] == ':') {
		frame->kind = text.length == 4 && memcmp(text.bytes, ":GC:", 4) == 0 ? CODE_GC
										     : CODE_UNKNOWN;
		return false;
	}
	struct folded_slice rest = text;
	uint32_t line;
	if (!frame_cut_line(&rest, &line))
		return false;
	size_t at = rest.length;
	while (at > 0 && rest.bytes[at - 1] != ':')
		at--;
	if (at < 2 || at == rest.length)
		return false;
	frame->file = (struct folded_slice){rest.bytes, at - 1};
	frame->name = (struct folded_slice){rest.bytes + at, rest.length - at};
	frame->line = line;
	frame->kind = CODE_PYTHON;
	return true;
}

struct folded_frame folded_frame_parse(const char *bytes, size_t length, bool is_austin)
{
	const struct folded_slice text = {bytes, length};
	const struct folded_slice none = {"", 0};
	struct folded_frame frame = {
		.name = text, .file = none, .module = none, .kind = CODE_UNKNOWN};
	if (!frame_parse_suffix(text, &frame) && !frame_parse_group(text, &frame) &&
		!(is_austin && frame_parse_austin(text, &frame)) &&
		!frame_parse_module(text, &frame))
		frame.is_plain = true;
	return frame;
}

uint32_t folded_frame_line(const char *text, size_t length)
{
	if (length < 2 || text[0] != 'L')
		return 0;
	const uint32_t line = frame_number(text + 1, length - 1);
	return line == UINT32_MAX ? 0 : line;
}

/* ---- escapes ---------------------------------------------------------------------------- */

static int frame_hex(char c)
{
	return frame_is_digit(c) ? c - '0' : (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}

/* The character that s[length] begins with as \xNN, or 0. */
static char frame_escape_at(const char *s, size_t length)
{
	if (length < 4 || s[0] != '\\' || s[1] != 'x' || frame_hex(s[2]) < 0 || frame_hex(s[3]) < 0)
		return 0;
	const int c = frame_hex(s[2]) * 16 + frame_hex(s[3]);
	return c > 0 && strchr(frame_escaped, c) ? (char)c : 0;
}

void folded_frame_unescape(struct folded_slice slice, struct text *out)
{
	size_t plain = 0;
	for (size_t i = 0; i < slice.length;) {
		const char c = frame_escape_at(slice.bytes + i, slice.length - i);
		if (c == 0) {
			i++;
			continue;
		}
		text_add(out, slice.bytes + plain, i - plain);
		text_add(out, &c, 1);
		i += 4;
		plain = i;
	}
	text_add(out, slice.bytes + plain, slice.length - plain);
}

/* The blank at i ends the name, or only a number follows: a reader would take that for the count.
 */
static bool frame_is_trap(const char *name, size_t length, size_t i)
{
	struct folded_number number;
	return i + 1 == length || folded_number_parse(name + i + 1, length - i - 1, &number);
}

static bool frame_needs_escape(const char *name, size_t length, size_t i, bool is_start)
{
	switch (name[i]) {
	case ';':
		return true;
	case '\\':
		return frame_escape_at(name + i, length - i) != 0;
	case '#':
		return is_start;
	case ' ':
		return frame_is_trap(name, length, i);
	default:
		return false;
	}
}

static void frame_add_escaped(struct text *out, const char *name, size_t length)
{
	bool is_start = true;
	for (size_t i = 0; i < length; i++) {
		if (frame_needs_escape(name, length, i, is_start))
			text_printf(out, "\\x%02x", (unsigned char)name[i]);
		else
			text_add(out, name + i, 1);
		is_start &= name[i] == ' ';
	}
}

/* The last `c` in out[start..] becomes \xNN. */
static void frame_escape_last(struct text *out, size_t start, char c)
{
	size_t i = out->length;
	while (i > start && out->data[i - 1] != c)
		i--;
	if (i == start)
		return;
	struct text rest = {0};
	text_add(&rest, out->data + i, out->length - i);
	out->length = i - 1;
	text_printf(out, "\\x%02x", (unsigned char)c);
	text_add(out, rest.data ? rest.data : "", rest.length);
	text_free(&rest);
}

/* Breaks whatever form a reader would see in out[start..]. */
static void frame_make_plain(struct text *out, size_t start)
{
	static const char breaking[] = "]):`";
	if (folded_frame_line(out->data + start, out->length - start) != 0)
		frame_escape_last(out, start, 'L');
	for (size_t i = 0; breaking[i]; i++) {
		const struct folded_frame frame =
			folded_frame_parse(out->data + start, out->length - start, true);
		if (frame.is_plain)
			return;
		frame_escape_last(out, start, breaking[i]);
	}
}

/* A module has no blank and no second mark. */
static void frame_add_module(struct text *out, const char *module)
{
	for (; *module; module++) {
		if (strchr(" `;#", *module) || frame_escape_at(module, strlen(module)) != 0)
			text_printf(out, "\\x%02x", (unsigned char)*module);
		else
			text_add(out, module, 1);
	}
	text_puts(out, "`");
}

void folded_frame_write(
	struct text *out, const char *name, size_t length, const char *module, const char *suffix)
{
	if (module)
		frame_add_module(out, module);
	const size_t start = out->length;
	frame_add_escaped(out, name, length);
	if (out->length > start)
		frame_make_plain(out, start);
	if (suffix)
		text_puts(out, suffix);
}

const char *folded_frame_suffix(const char *module)
{
	for (size_t i = 0; i < SUFFIX_COUNT; i++)
		if (strcmp(module, frame_suffixes[i].module) == 0)
			return frame_suffixes[i].suffix;
	return NULL;
}
