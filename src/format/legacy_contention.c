/* SPDX-License-Identifier: MIT */
/*
 * Contention profiles as text, of gperftools' servers and of Go's block and mutex profiles with
 * debug=1 (formats/pprof.md section 4.5):
 *
 *     --- contentionz 1 ---      (Go: "--- mutex:", "--- contention:")
 *     cycles/second = 3201000000
 *     sampling period = 100
 *     CYCLES COUNT @ 0xADDRESS 0xADDRESS ...
 *
 * Stacks are leaf first, addresses are where a call returns to; Go's comments name them. Not read:
 * the milliseconds since the start, the number of discarded samples.
 */
#include "format/legacy.h"

#include <string.h>

struct contention {
	struct legacy legacy;
	struct legacy_comments comments;
	int64_t cycles_per_second, period;
	int64_t ms; /* that it is about */
};

static bool contention_is_header(struct legacy_cursor c)
{
	return legacy_take(&c, "--- contentionz ") || legacy_take(&c, "--- mutex:") ||
	       legacy_take(&c, "--- contention:");
}

/* "key = value" in front of the samples. False for a line that is none. */
static bool contention_attribute(struct contention *contention, const char *line, size_t length)
{
	struct legacy_cursor key, value;
	int64_t number;
	if (legacy_contains(line, length, "@") || !legacy_attribute(line, length, &key, &value))
		return false;
	if (!legacy_take_number(&value, &number) || value.next != value.end)
		number = -1;
	int64_t *into = NULL;
	if (legacy_is(key, "cycles/second"))
		into = &contention->cycles_per_second;
	else if (legacy_is(key, "sampling period"))
		into = &contention->period;
	else if (legacy_is(key, "ms since reset"))
		into = &contention->ms;
	else if (!legacy_is(key, "discarded samples"))
		number = -1;
	if (number < 0)
		legacy_bad_line(&contention->legacy);
	else if (into)
		*into = number;
	return true;
}

static void contention_types(struct contention *contention)
{
	struct legacy *legacy = &contention->legacy;
	const bool has_clock = contention->cycles_per_second > 0 && contention->period > 0;
	legacy_period(legacy, "contentions", "count", contention->period);
	legacy_milliseconds(legacy, contention->ms);
	legacy_type(legacy, "contentions", "count", VALUE_COUNTER, 1);
	legacy_type(legacy, "delay", has_clock ? "nanoseconds" : "cycles", VALUE_COUNTER, 1);
	if (!has_clock)
		builder_warn(legacy->builder, "note",
			"the file does not say how many cycles are a second: delays are cycles");
}

static void contention_row(struct contention *contention, const char *line, size_t length)
{
	struct legacy *legacy = &contention->legacy;
	struct legacy_cursor c = legacy_cursor(line, length);
	int64_t delay, count;
	legacy_use_comments(legacy, &contention->comments);
	contention->comments.is_idle = true;
	legacy_skip_spaces(&c);
	bool ok = legacy_take_number(&c, &delay) && delay >= 0;
	legacy_skip_spaces(&c);
	ok = ok && legacy_take_number(&c, &count) && count >= 0;
	legacy_skip_spaces(&c);
	if (!ok || !legacy_take(&c, "@") || !legacy_take_stack(legacy, &c, 1)) {
		legacy_drop(legacy);
		legacy_bad_line(legacy);
		return;
	}
	contention->comments.is_idle = false;
	const int64_t period = contention->period;
	if (period > 0 && contention->cycles_per_second > 0) {
		double cycles_per_ns = (double)contention->cycles_per_second / 1e9;
		delay = legacy_whole(legacy, (double)delay * (double)period / cycles_per_ns);
	}
	if (period > 0)
		count = legacy_multiply(legacy, count, period);
	const int64_t values[] = {count, delay};
	legacy_sample(legacy, values);
}

static bool contention_read_all(struct contention *contention)
{
	struct legacy *legacy = &contention->legacy;
	const char *line = NULL;
	size_t length = 0;
	bool has_line, has_types = false;
	while ((has_line = legacy_line(legacy, &line, &length)) && legacy_is_blank(line, length))
		;
	if (!has_line)
		return legacy_finish(legacy);
	if (!contention_is_header(legacy_trim(legacy_cursor(line, length))))
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)legacy->lines.offset,
			"no line '--- contention' or '--- mutex' at the start");
	legacy_leave_out(legacy, LEGACY_LOCKS);
	while (legacy_line(legacy, &line, &length)) {
		struct legacy_cursor mark = legacy_trim(legacy_cursor(line, length));
		bool has_map = legacy_map_begins(line, length);
		if (has_map || legacy_take(&mark, "---")) {
			legacy_use_comments(legacy, &contention->comments);
			has_map ? legacy_read_map(legacy) : legacy_read_rest(legacy);
			break;
		}
		if (legacy_is_blank(line, length)) {
			legacy_comment(legacy, &contention->comments, line, length);
			continue;
		}
		if (!has_types && contention_attribute(contention, line, length))
			continue;
		if (!has_types)
			contention_types(contention);
		has_types = true;
		contention_row(contention, line, length);
	}
	legacy_use_comments(legacy, &contention->comments);
	if (!has_types)
		contention_types(contention);
	return legacy_finish(legacy);
}

static bool contention_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct contention contention = {.period = 1};
	legacy_init(&contention.legacy, source, builder, format_legacy_contention.name, err);
	bool ok = contention_read_all(&contention);
	legacy_comments_free(&contention.comments);
	legacy_free(&contention.legacy);
	return ok;
}

static int contention_sniff(const uint8_t *bytes, size_t size)
{
	return contention_is_header(legacy_first_line(bytes, size, false)) ? 120 : 0;
}

const struct format format_legacy_contention = {
	.name = "contention-text",
	.description = "waiting for locks as text (gperftools, Go's block and mutex with debug=1)",
	.sniff = contention_sniff,
	.read = contention_read,
};
