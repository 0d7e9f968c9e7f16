/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_FORMAT_H
#define VPTOP_FORMAT_FORMAT_H

#include "base/error.h"
#include "profile/builder.h"
#include "source/source.h"

/*
 * A format is a constant struct in a file of its own, and one line in the table of format.c.
 * Content decides, never the file's name.
 */

struct format {
	const char *name;        /* as --input-format takes it and JSON prints it */
	const char *description; /* one line, for --help and the man page */
	/*
	 * How many bits of the first bytes[size] (unwrapped; all of the input if it is that short)
	 * speak for this format: 0 not mine; the highest wins.
	 */
	int (*sniff)(const uint8_t *bytes, size_t size);
	/*
	 * Streams the source into the builder and calls nothing else. Where a usable part was read
	 * before the input broke, returns true and has warned ("truncated", "malformed") with the
	 * offset.
	 */
	bool (*read)(struct source *source, struct builder *builder, struct vp_error *err);
};

/* How many of the first bytes a sniff gets to see. */
enum { FORMAT_SNIFF_SIZE = 64 * 1024 };

extern const struct format format_vmprof, format_viewer, format_server_json;
extern const struct format format_folded;
extern const struct format format_legacy_cpu, format_legacy_heap, format_legacy_count,
	format_legacy_thread, format_legacy_contention, format_legacy_java;
extern const struct format format_pprof;
extern const struct format format_pstats;

/* All formats, NULL-ended. */
extern const struct format *const format_table[];

/*
 * The format of the first bytes[size] of an input, unwrapped; `name`: the one that the user says it
 * has, NULL: by content. NULL and *err, which says what it may be, where it is no profile.
 */
const struct format *format_recognize(
	const uint8_t *bytes, size_t size, const char *name, struct vp_error *err);

struct load_options {
	struct source_limits source;
	struct builder_limits builder;
	const char *format;        /* name of the format, NULL: by content */
	int64_t period_ns;         /* --period: where the file has none; 0: not given */
	const char *start;         /* --start: ISO 8601, where the file has none; NULL: not given */
	builder_progress progress; /* may be NULL */
	void *progress_context;
};

/* Options with the defaults filled in. */
struct load_options load_options_default(void);

/*
 * Loads one profile: a file, "-", or a folder that is one stored profile (three blobs of a
 * vmprof-viewer server). NULL and *err on failure.
 */
struct profile *profile_load(
	const char *path, const struct load_options *options, struct vp_error *err);

/* The same for bytes in memory (tests, fuzzing). */
struct profile *profile_load_memory(
	const void *bytes, size_t size, const struct load_options *options, struct vp_error *err);

#endif
