/* SPDX-License-Identifier: MIT */
/*
 * Heap and contention profiles of Google's Java agent as text (formats/pprof.md section 4.6):
 *
 *     --- heapz 1 ---            (or "--- contentionz 1 ---")
 *     format = java
 *     resolution = bytes         (microseconds)
 *     VALUE COUNT @ 0xID 0xID ...
 *
 *     0xID Class.method (File.java:12)
 *     0xID function (/path/library.so)
 *     0xID GC
 *
 * Leaf first; the ids are no addresses. Not read: the milliseconds since the start.
 */
#include "format/legacy_java.h"

#include <string.h>

enum { JAVA_HEAP_RATE = 512 * 1024, JAVA_SNIFFED_LINES = 8, JAVA_MAX_UNIT = 40 };

struct java {
	struct legacy legacy;
	bool is_heap, has_types;
	int64_t period;
	char unit[JAVA_MAX_UNIT + 1];
};

/* ---- locations ------------------------------------------------------------------------ */

/* Where the last " (" of a text that ends in ")" begins; NULL where there is none. */
static const char *java_bracket(struct legacy_cursor c)
{
	if (c.next == c.end || c.end[-1] != ')')
		return NULL;
	for (const char *p = c.end - 1; p > c.next; p--)
		if (*p == '(' && p[-1] == ' ')
			return p;
	return NULL;
}

static string_id java_string(struct legacy *legacy, struct legacy_cursor c)
{
	c = legacy_trim(c);
	return builder_string(legacy->builder, c.next, (size_t)(c.end - c.next));
}

/* "File.java:12" or "/path/library.so" */
static string_id java_file(struct legacy *legacy, struct legacy_cursor c, uint32_t *line)
{
	const char *mark = c.end;
	while (mark > c.next && mark[-1] != ':')
		mark--;
	struct legacy_cursor tail = {mark, c.end};
	int64_t number;
	*line = 0;
	if (mark > c.next && legacy_take_number(&tail, &number) && tail.next == tail.end) {
		if (number > 0 && number <= UINT32_MAX)
			*line = (uint32_t)number;
		c.end = mark - 1;
		return java_string(legacy, c);
	}
	for (const char *p = c.next; p < c.end; p++)
		if (*p == '/')
			c.next = p + 1;
	return java_string(legacy, c);
}

static void java_location(struct legacy *legacy, const char *line, size_t length)
{
	struct legacy_cursor c = legacy_trim(legacy_cursor(line, length));
	uint64_t id;
	uint32_t place, number = 0;
	string_id file = 0;
	if (!legacy_take_address(&c, &id) || !legacy_find_place(legacy, id, &place) ||
		legacy->places[place].symbol_count > 0)
		return;
	c = legacy_trim(c);
	const char *bracket = java_bracket(c);
	struct legacy_cursor name = c;
	if (bracket) {
		file = java_file(legacy, (struct legacy_cursor){bracket + 1, c.end - 1}, &number);
		name.end = bracket;
	} else if (legacy_contains(c.next, (size_t)(c.end - c.next), "generated stub/JIT")) {
		name = legacy_cursor("STUB", 4);
	}
	if (!legacy_at_end(name))
		legacy_symbol(legacy, place, java_string(legacy, name), file, number);
}

void legacy_java_locations(struct legacy *legacy, const char *line, size_t length)
{
	if (line)
		java_location(legacy, line, length);
	while (legacy_line(legacy, &line, &length))
		java_location(legacy, line, length);
}

/* ---- the profile ---------------------------------------------------------------------- */

static bool java_is_header(struct legacy_cursor c, bool *is_heap)
{
	*is_heap = legacy_is(c, "--- heapz 1 ---");
	return *is_heap || legacy_is(c, "--- contentionz 1 ---");
}

static bool java_attribute(struct java *java, const char *line, size_t length)
{
	struct legacy_cursor key, value;
	int64_t number;
	if (legacy_contains(line, length, "@") || !legacy_attribute(line, length, &key, &value))
		return false;
	size_t size = (size_t)(value.end - value.next);
	if (legacy_is(key, "resolution") && size <= JAVA_MAX_UNIT) {
		memset(java->unit, 0, sizeof java->unit);
		memcpy(java->unit, value.next, size);
	} else if (legacy_is(key, "sampling period")) {
		if (legacy_take_number(&value, &number) && number >= 0)
			java->period = number;
		else
			legacy_bad_line(&java->legacy);
	} else if (legacy_is(key, "ms since reset")) {
		if (!java->is_heap && legacy_take_number(&value, &number))
			legacy_milliseconds(&java->legacy, number);
	} else if (!legacy_is(key, "format")) {
		legacy_bad_line(&java->legacy);
	}
	return true;
}

static void java_types(struct java *java)
{
	struct legacy *legacy = &java->legacy;
	legacy_leave_out(legacy, java->is_heap ? LEGACY_HEAP : LEGACY_LOCKS);
	const enum value_kind kind = java->is_heap ? VALUE_SNAPSHOT : VALUE_COUNTER;
	const char *unit = java->unit[0] ? java->unit : java->is_heap ? "bytes" : "microseconds";
	const bool is_micro = strcmp(unit, "microseconds") == 0;
	if (!java->is_heap && java->period > 0)
		legacy_period(legacy, "contentions", "count", java->period);
	legacy_type(legacy, java->is_heap ? "inuse_objects" : "contentions", "count", kind, 1);
	legacy_type(legacy, java->is_heap ? "inuse_space" : "delay",
		is_micro ? "nanoseconds" : unit, kind, is_micro ? 1000 : 1);
	java->has_types = true;
}

/* False for a line that is no sample. */
static bool java_row(struct java *java, const char *line, size_t length)
{
	struct legacy *legacy = &java->legacy;
	struct legacy_cursor c = legacy_cursor(line, length);
	int64_t value, count;
	legacy_skip_spaces(&c);
	if (!legacy_take_number(&c, &value))
		return false;
	legacy_skip_spaces(&c);
	if (!legacy_take_number(&c, &count))
		return false;
	legacy_skip_spaces(&c);
	if (!legacy_take(&c, "@"))
		return false;
	if (!legacy_take_stack(legacy, &c, 0) || value < 0 || count < 0 ||
		(java->is_heap && count == 0)) {
		legacy_drop(legacy);
		legacy_bad_line(legacy);
		return true;
	}
	if (java->is_heap) {
		legacy->has_block_sizes = true;
		legacy->block_size = legacy_block_size(count, value);
		legacy_unsample(legacy, &count, &value, JAVA_HEAP_RATE);
	} else if (java->period > 0) {
		count = legacy_multiply(legacy, count, java->period);
		value = legacy_multiply(legacy, value, java->period);
	}
	const int64_t values[] = {count, value};
	legacy_sample(legacy, values);
	return true;
}

static bool java_read_all(struct java *java)
{
	struct legacy *legacy = &java->legacy;
	const char *line = NULL;
	size_t length = 0;
	bool has_line;
	while ((has_line = legacy_line(legacy, &line, &length)) && legacy_is_blank(line, length))
		;
	if (!has_line)
		return legacy_finish(legacy);
	if (!java_is_header(legacy_trim(legacy_cursor(line, length)), &java->is_heap))
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)legacy->lines.offset,
			"no line '--- heapz 1 ---' or '--- contentionz 1 ---' at the start");
	while (legacy_line(legacy, &line, &length)) {
		if (legacy_is_blank(line, length) ||
			(!java->has_types && java_attribute(java, line, length)))
			continue;
		if (!java->has_types)
			java_types(java);
		if (java_row(java, line, length))
			continue;
		legacy_java_locations(legacy, line, length);
		break;
	}
	if (!java->has_types)
		java_types(java);
	return legacy_finish(legacy);
}

static bool java_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct java java = {0};
	legacy_init(&java.legacy, source, builder, format_legacy_java.name, err);
	bool ok = java_read_all(&java);
	legacy_free(&java.legacy);
	return ok;
}

/* The first line is that of others, too; "format = java" is in one of the next. */
static int java_sniff(const uint8_t *bytes, size_t size)
{
	bool is_heap;
	struct legacy_cursor line = legacy_first_line(bytes, size, false);
	if (!java_is_header(line, &is_heap))
		return 0;
	const char *end = (const char *)bytes + size;
	for (int i = 0; i < JAVA_SNIFFED_LINES && line.end < end; i++) {
		struct legacy_cursor key, value;
		line = legacy_first_line(
			(const uint8_t *)line.end, (size_t)(end - line.end), false);
		if (line.next < line.end &&
			legacy_attribute(line.next, (size_t)(line.end - line.next), &key, &value) &&
			((legacy_is(key, "format") && legacy_is(value, "java")) ||
				legacy_is(key, "resolution")))
			return 140;
	}
	return is_heap ? 100 : 0;
}

const struct format format_legacy_java = {
	.name = "java-text",
	.description = "heap and contention profiles of Google's Java agent as text",
	.sniff = java_sniff,
	.read = java_read,
};
