/* SPDX-License-Identifier: MIT */
/*
 * What is particular to austin's text files (formats/folded.md, "Austin"): lines "# key: value"
 * before and behind the samples, P<pid>;T<interpreter>:<tid> as the first two frames,
 * file:function:line as the others, and a metric instead of a count. The mode says what the metric
 * is:
 *
 *     wall, cpu    microseconds since the sample of the thread before
 *     memory       bytes by which the process grew or shrank
 *     full         "microseconds,is idle,bytes"
 *
 * Without "# mode" the metric could be anything: it is shown as counts.
 *
 * Version 1 wrote "Thread 7f00;name (file);L12;name (file);L34 metric" and no header: the L's are
 * the lines of the frames before them, the metric is shown as counts.
 */
#include <string.h>

#include "format/folded_reader.h"

enum { AUSTIN_US = 1000 };

/* ---- header ------------------------------------------------------------------------------- */

/* The value of "# key: value", cut to its words; NULL where the line has another key. */
static const char *austin_value(const char *text, size_t length, const char *key, size_t *size)
{
	const size_t key_length = strlen(key);
	size_t at = 1;
	while (at < length && text[at] == ' ')
		at++;
	if (length - at <= key_length || memcmp(text + at, key, key_length) != 0 ||
		text[at + key_length] != ':')
		return NULL;
	at += key_length + 1;
	while (at < length && text[at] == ' ')
		at++;
	while (length > at && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	*size = length - at;
	return text + at;
}

static void austin_set_mode(struct folded *f, const char *value, size_t size)
{
	static const struct {
		const char *name;
		enum austin_mode mode;
	} modes[] = {{"wall", AUSTIN_WALL}, {"cpu", AUSTIN_CPU}, {"memory", AUSTIN_MEMORY},
		{"full", AUSTIN_FULL}};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (strlen(modes[i].name) == size && memcmp(modes[i].name, value, size) == 0)
			f->header.mode = modes[i].mode;
}

void austin_comment(struct folded *f, const char *text, size_t length)
{
	size_t size;
	const char *value;
	if (length == 0 || text[0] != '#')
		return;
	if ((value = austin_value(text, length, "mode", &size)) != NULL) {
		austin_set_mode(f, value, size);
	} else if ((value = austin_value(text, length, "python", &size)) != NULL && size < 64) {
		text_clear(&f->text);
		text_puts(&f->text, "python ");
		text_add(&f->text, value, size);
		f->builder->profile->interpreter =
			builder_text(f->builder, f->text.data, f->text.length);
	} else if ((value = austin_value(text, length, "errors", &size)) != NULL && size < 64 &&
		   size > 0 && value[0] != '0') {
		builder_warn(f->builder, "note", "austin counted errors in %.*s of its samples",
			(int)size, value);
	}
}

/* ---- values -------------------------------------------------------------------------------- */

static void austin_time_type(struct folded *f, const char *name)
{
	builder_type(f->builder, name, "nanoseconds", VALUE_COUNTER, AUSTIN_US);
}

bool austin_set_types(struct folded *f)
{
	if (f->header.is_full)
		f->header.mode = AUSTIN_FULL;
	f->builder->profile->is_realtime = f->header.mode != AUSTIN_CPU;
	switch (f->header.mode) {
	case AUSTIN_UNKNOWN:
		builder_warn(f->builder, "note",
			"there is no line '# mode:' before the samples: the numbers are shown as counts");
		return false;
	case AUSTIN_WALL:
		austin_time_type(f, "time");
		break;
	case AUSTIN_CPU:
		austin_time_type(f, "cpu");
		break;
	case AUSTIN_FULL:
		austin_time_type(f, "time");
		austin_time_type(f, "cpu");
		/* fall through */
	case AUSTIN_MEMORY:
		builder_type(f->builder, "memory", "bytes", VALUE_COUNTER, 1);
	}
	return true;
}

static int64_t austin_number(struct folded *f, const struct folded_number *number, int64_t scale)
{
	bool is_rounded = false, is_saturated = false;
	int64_t value = folded_number_scaled(number, 0, &is_rounded, &is_saturated);
	const int64_t most = INT64_MAX / scale;
	if (value > most || value < -most) {
		is_saturated = true;
		value = value < 0 ? -most : most;
	}
	f->rounded += is_rounded;
	f->saturated += is_saturated;
	return value;
}

bool austin_values(struct folded *f, const struct folded_line *line, int64_t *values)
{
	const bool is_full = f->header.mode == AUSTIN_FULL;
	if (line->number_count != (is_full ? 3 : 1))
		return false;
	if (!is_full) {
		values[0] = austin_number(
			f, &line->numbers[0], f->header.mode == AUSTIN_MEMORY ? 1 : AUSTIN_US);
		return true;
	}
	const bool is_idle = line->numbers[1].digits != 0;
	values[0] = austin_number(f, &line->numbers[0], AUSTIN_US);
	values[1] = is_idle ? 0 : values[0];
	values[2] = austin_number(f, &line->numbers[2], 1);
	return true;
}
