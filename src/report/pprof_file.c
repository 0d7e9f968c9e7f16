/* SPDX-License-Identifier: MIT */
#include "report/pprof_file.h"

#include <string.h>

#include "source/gzip_writer.h"

/* Bytes that wait before they are packed. */
enum { WRITE_BLOCK = 1 << 18 };

static void pprof_file_flush(struct pprof_file *file)
{
	if (file->bytes.length > 0)
		gzip_writer_add(file->gzip, file->bytes.data, file->bytes.length);
	text_clear(&file->bytes);
}

void pprof_file_open(struct pprof_file *file, struct text *out)
{
	*file = (struct pprof_file){.gzip = gzip_writer_open(out)};
	strings_init(&file->strings);
	/* The empty one comes first of all: readers know the format by it. */
	wire_put_bytes(&file->bytes, PROFILE_STRING, "", 0);
}

void pprof_file_put(struct pprof_file *file, unsigned field)
{
	wire_put_message(&file->bytes, field, &file->message);
	text_clear(&file->message);
	if (file->bytes.length >= WRITE_BLOCK)
		pprof_file_flush(file);
}

uint64_t pprof_file_text(struct pprof_file *file, const char *text)
{
	return text ? strings_add(&file->strings, text, strlen(text)) : 0;
}

void pprof_file_type(struct pprof_file *file, unsigned field, const char *name, const char *unit)
{
	wire_put_number(&file->message, 1, pprof_file_text(file, name));
	wire_put_number(&file->message, 2, pprof_file_text(file, unit));
	pprof_file_put(file, field);
}

void pprof_file_times(struct pprof_file *file, const struct profile *profile)
{
	int64_t duration = profile->duration_ns;
	if (duration == 0 && profile->has_start && profile->has_end)
		duration = profile->end_ns - profile->start_ns;
	wire_put_number(
		&file->bytes, PROFILE_TIME, profile->has_start ? (uint64_t)profile->start_ns : 0);
	wire_put_number(&file->bytes, PROFILE_DURATION, (uint64_t)duration);
	if (profile->period_type || profile->period_unit)
		pprof_file_type(
			file, PROFILE_PERIOD_TYPE, profile->period_type, profile->period_unit);
	else if (profile->period_ns > 0)
		pprof_file_type(file, PROFILE_PERIOD_TYPE, profile->is_realtime ? "wall" : "cpu",
			"nanoseconds");
	wire_put_number(&file->bytes, PROFILE_PERIOD,
		(uint64_t)(profile->period ? profile->period : profile->period_ns));
}

void pprof_file_close(struct pprof_file *file)
{
	for (uint32_t i = 1; i < file->strings.count; i++) {
		size_t length;
		const char *bytes = strings_get(&file->strings, i, &length);
		wire_put_bytes(&file->bytes, PROFILE_STRING, bytes, length);
		if (file->bytes.length >= WRITE_BLOCK)
			pprof_file_flush(file);
	}
	pprof_file_flush(file);
	gzip_writer_close(file->gzip);
	strings_free(&file->strings);
	text_free(&file->bytes);
	text_free(&file->message);
	text_free(&file->inner);
	text_free(&file->packed);
}
