/* SPDX-License-Identifier: MIT */
#include "format/pprof_names.h"

#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "profile/profile.h"

struct pprof_unit pprof_unit(const char *unit)
{
	static const struct {
		const char *name, *base;
		int64_t scale;
	} units[] = {
		{"ns", "nanoseconds", 1},
		{"nanosecond", "nanoseconds", 1},
		{"us", "nanoseconds", 1000},
		{"\xc2\xb5s", "nanoseconds", 1000},
		{"microsecond", "nanoseconds", 1000},
		{"ms", "nanoseconds", 1000000},
		{"millisecond", "nanoseconds", 1000000},
		{"s", "nanoseconds", 1000000000},
		{"sec", "nanoseconds", 1000000000},
		{"second", "nanoseconds", 1000000000},
		{"min", "nanoseconds", INT64_C(60000000000)},
		{"minute", "nanoseconds", INT64_C(60000000000)},
		{"hr", "nanoseconds", INT64_C(3600000000000)},
		{"hour", "nanoseconds", INT64_C(3600000000000)},
		{"b", "bytes", 1},
		{"byte", "bytes", 1},
		{"kb", "bytes", 1024},
		{"kbyte", "bytes", 1024},
		{"kilobyte", "bytes", 1024},
		{"mb", "bytes", 1 << 20},
		{"mbyte", "bytes", 1 << 20},
		{"megabyte", "bytes", 1 << 20},
		{"gb", "bytes", 1 << 30},
		{"gbyte", "bytes", 1 << 30},
		{"gigabyte", "bytes", 1 << 30},
		{"count", "count", 1},
		{"", "count", 1},
	};
	size_t length = strlen(unit);
	size_t singular = length > 2 && (unit[length - 1] | 0x20) == 's' ? length - 1 : length;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t known = strlen(units[i].name);
		if ((known == length || known == singular) &&
			strncasecmp(units[i].name, unit, known) == 0)
			return (struct pprof_unit){units[i].base, units[i].scale};
	}
	return (struct pprof_unit){unit, 1};
}

unsigned pprof_unit_decimals(const char *unit, size_t length, size_t *plain)
{
	static const char mark[] = " x 0.";
	const size_t size = sizeof mark - 1;
	unsigned decimals = 1;
	*plain = length;
	if (length < size + 1 || unit[length - 1] != '1')
		return 0;
	size_t i = length - 1;
	for (; i > 0 && unit[i - 1] == '0' && decimals <= MAX_DECIMALS; i--)
		decimals++;
	if (i <= size || memcmp(unit + i - size, mark, size) != 0 || decimals > MAX_DECIMALS)
		return 0;
	*plain = i - size;
	return decimals;
}

/* Where the path begins that is worth showing: Bazel compiles in the folder of its process. */
static size_t names_prefix(const char *path, size_t length)
{
	static const char cwd[] = "/proc/self/cwd/";
	size_t size = sizeof cwd - 1;
	if (length < size || memcmp(path, cwd, size) != 0)
		return 0;
	return length >= size + 2 && memcmp(path + size, "./", 2) == 0 ? size + 2 : size;
}

static bool names_is_clean(const char *path, size_t length)
{
	bool at_start = true; /* of a part */
	for (size_t i = 0; i < length; i++) {
		if (at_start && (path[i] == '.' || (path[i] == '/' && i > 0)))
			return false;
		at_start = path[i] == '/';
	}
	return !at_start || length <= 1;
}

/* Takes the last part of the path off; false where there is none but "..". */
static bool names_go_up(struct text *out, size_t least)
{
	size_t end = out->length;
	while (end > least && out->data[end - 1] != '/')
		end--;
	bool is_up = out->length - end == 2 && memcmp(out->data + end, "..", 2) == 0;
	if (out->length == least || is_up)
		return false;
	out->length = end > least ? end - 1 : least;
	return true;
}

bool pprof_clean_path(const char *path, size_t length, struct text *out)
{
	size_t start = names_prefix(path, length);
	if (length == 0 || (start == 0 && names_is_clean(path, length)))
		return false;
	path += start;
	length -= start;
	text_puts(out, length > 0 && path[0] == '/' ? "/" : "");
	const size_t least = out->length;
	for (size_t i = 0, next; i < length; i = next + 1) {
		const char *slash = memchr(path + i, '/', length - i);
		next = slash ? (size_t)(slash - path) : length;
		size_t size = next - i;
		bool is_up = size == 2 && memcmp(path + i, "..", 2) == 0;
		if (size == 0 || (size == 1 && path[i] == '.'))
			continue;
		if (is_up && (names_go_up(out, least) || least > 0))
			continue;
		text_puts(out, out->length > least ? "/" : "");
		text_add(out, path + i, size);
	}
	text_puts(out, out->length == 0 ? "." : "");
	return true;
}
