/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_PPROF_FILE_H
#define VPTOP_REPORT_PPROF_FILE_H

#include "profile/profile.h"
#include "report/wire_write.h"

/*
 * A file in pprof's format while it is written: a message of protocol buffers, packed by gzip
 * (pprof.md sections 1 and 2). Records go out as they are made; only the table of names is kept up
 * to the end.
 *
 *     pprof_file_open(&file, out);
 *     for each record:
 *             wire_put_number(&file.message, ...)     fields of it
 *             pprof_file_put(&file, PROFILE_SAMPLE);
 *     pprof_file_close(&file);
 */

/* Numbers of fields (pprof.md section 2). */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_DROP_FRAMES,
	PROFILE_KEEP_FRAMES,
	PROFILE_TIME,
	PROFILE_DURATION,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT,
	PROFILE_DEFAULT_TYPE,
	PROFILE_DOC_URL
};
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER, LABEL_UNIT };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES,
	MAPPING_HAS_LINES,
	MAPPING_HAS_INLINED
};

struct gzip_writer;

struct pprof_file {
	struct gzip_writer *gzip;
	struct text bytes;                  /* records that wait to be packed */
	struct text message, inner, packed; /* scratch: a record, a record in it, packed numbers */
	struct strings strings;
};

/* What is written is added to `out`, which lives longer. */
void pprof_file_open(struct pprof_file *file, struct text *out);
/* Writes the names, ends the file and frees what `file` has. */
void pprof_file_close(struct pprof_file *file);

/* file->message goes out as a field of the profile, and is empty then. */
void pprof_file_put(struct pprof_file *file, unsigned field);

/* The number of a text in the table of names; 0 for NULL. */
uint64_t pprof_file_text(struct pprof_file *file, const char *text);

/* A type of values: PROFILE_TYPE or PROFILE_PERIOD_TYPE. */
void pprof_file_type(struct pprof_file *file, unsigned field, const char *name, const char *unit);

/* When the profile was taken, how long, and how far its samples are apart. */
void pprof_file_times(struct pprof_file *file, const struct profile *profile);

#endif
