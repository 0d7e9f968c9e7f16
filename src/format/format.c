/* SPDX-License-Identifier: MIT */
#include "format/format.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/units.h"
#include "format/viewer_store.h"

enum { FORMAT_MAX_REST = 1 << 20 }; /* bytes behind a profile that are looked at */

const struct format *const format_table[] = {&format_vmprof, &format_viewer, &format_server_json,
	&format_folded, &format_pprof, &format_legacy_cpu, &format_legacy_heap,
	&format_legacy_count, &format_legacy_thread, &format_legacy_contention, &format_legacy_java,
	&format_pstats, NULL};

struct load_options load_options_default(void)
{
	return (struct load_options){
		.source = {.max_inflated = SOURCE_DEFAULT_MAX_INFLATED},
		.builder = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH},
	};
}

/* ---- which format -------------------------------------------------------------------- */

/* What we can name but not read, so that the message helps (detect.md). */
static const char *format_known_other(const uint8_t *b, size_t size)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *name;
	} known[] = {
		{"PERFILE2", 8, "a perf.data file: run 'perf script'"},
		{"\x7f"
		 "ELF",
			4, "an ELF program"},
		{"\x89PNG", 4, "a PNG picture"},
		{"SQLite format 3", 15, "an SQLite database"},
		{"FLR\0", 4, "a Java flight recording"},
		{"\x80\x02", 2, "a Python pickle"},
		{"\x80\x03", 2, "a Python pickle"},
		{"\x80\x04", 2, "a Python pickle"},
		{"\x80\x05", 2, "a Python pickle"},
		{"goroutine 1 [", 13,
			"a dump of Go's goroutines (debug=2): take the profile (debug=1)"},
		{"{\"/", 3, "a symbol cache of vmprof, not a profile"},
		{"# callgrind format", 18, "callgrind output, which this version does not read"},
		{"<?xml", 5, "XML: perhaps the picture of a flame graph"},
		{"<svg", 4, "the picture of a flame graph"},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (size >= known[i].length && memcmp(b, known[i].bytes, known[i].length) == 0)
			return known[i].name;
	return NULL;
}

static void format_unrecognized(const uint8_t *bytes, size_t size, struct vp_error *err)
{
	const char *other = format_known_other(bytes, size);
	if (other) {
		error_set(err, ERROR_UNRECOGNIZED, 0, "this is %s", other);
		return;
	}
	char shown[64] = "";
	size_t used = 0;
	for (size_t i = 0; i < size && i < 16; i++)
		used += (size_t)snprintf(
			shown + used, sizeof shown - used, "%s%02x", i ? " " : "", bytes[i]);
	error_set(err, ERROR_UNRECOGNIZED, 0,
		"unrecognised profile: first bytes %s; tried vmprof, vmprof-viewer, vmprof-server JSON, folded stacks, pprof and its old formats, pstats",
		shown);
}

const struct format *format_recognize(
	const uint8_t *bytes, size_t size, const char *name, struct vp_error *err)
{
	const struct format *best = NULL;
	int best_bits = 0;
	for (size_t i = 0; format_table[i]; i++) {
		int bits = name ? strcmp(format_table[i]->name, name) == 0
				: format_table[i]->sniff(bytes, size);
		if (bits > best_bits) {
			best = format_table[i];
			best_bits = bits;
		}
	}
	if (!best && name)
		error_set(err, ERROR_USAGE, -1, "there is no input format '%.40s'", name);
	else if (!best)
		format_unrecognized(bytes, size, err);
	return best;
}

/* ---- loading ---------------------------------------------------------------------------- */

static bool format_apply_options(
	struct builder *builder, const struct load_options *options, struct vp_error *err)
{
	struct profile *profile = builder->profile;
	if (profile->period_ns == 0)
		profile->period_ns = options->period_ns;
	if (!options->start || profile->has_start)
		return true;
	profile->has_start = units_parse_iso8601(
		options->start, &profile->start_ns, &profile->has_offset, &profile->offset_s);
	if (!profile->has_start)
		return error_set(err, ERROR_USAGE, -1,
			"--start '%.60s' is no date like 2026-11-29T11:30:05+02:00",
			options->start);
	if (!profile->has_offset)
		profile->start_ns -= (int64_t)units_local_offset(profile->start_ns) * 1000000000;
	return true;
}

/* The last steps, which all ways in share. NULL where `ok` is false or an option does not fit. */
static struct profile *format_finish(struct builder *builder, bool ok, const char *name,
	const struct load_options *options, struct vp_error *err)
{
	if (!ok || !format_apply_options(builder, options, err)) {
		builder_abort(builder);
		return NULL;
	}
	if (builder->profile->sample_count == 0 && !builder->profile->is_truncated &&
		!builder->profile->callgraph)
		builder_warn(builder, "note",
			"no samples: the program was not sampled, or was idle all the time");
	builder->profile->source = builder_text(builder, name, strlen(name));
	return builder_finish(builder);
}

/*
 * What follows a profile is nothing to us; but where the compressed stream ends badly behind it,
 * its checksum is wrong or missing, and so may be what was read.
 */
static void format_check_rest(struct source *source, struct builder *builder)
{
	struct vp_error problem;
	if (builder->profile->is_truncated)
		return; /* the reader met it, and has warned */
	source_skip(source, FORMAT_MAX_REST);
	if (source_problem(source, &problem))
		builder_warn(builder, error_class_name(problem.code),
			"behind the profile: %s; what was read may be damaged", problem.message);
}

static struct profile *format_load_source(struct source *source, const char *name,
	const struct load_options *options, struct vp_error *err)
{
	struct builder builder;
	if (!source)
		return NULL;
	size_t have;
	const uint8_t *bytes = source_peek(source, FORMAT_SNIFF_SIZE, &have);
	builder_init(&builder, &options->builder, options->progress, options->progress_context);
	builder.profile->compression = source_compression(source);
	const struct format *format = NULL;
	if (have > 0)
		format = format_recognize(bytes, have, options->format, err);
	else
		error_set(err, ERROR_EMPTY, 0, "empty file: nothing in the compressed data");
	/* Bytes that are missing, or that no format knows, because the stream broke. */
	if (!format && have < FORMAT_SNIFF_SIZE)
		source_problem(source, err);
	bool ok = format && format->read(source, &builder, err);
	if (ok)
		format_check_rest(source, &builder);
	source_close(source);
	return format_finish(&builder, ok, name, options, err);
}

static struct profile *format_load_folder(
	const char *path, const struct load_options *options, struct vp_error *err)
{
	struct builder builder;
	if (!viewer_store_is(path)) {
		error_set(err, ERROR_IO, -1,
			"is a folder without a stored profile (cpu, mem or addr_name_map .msgpack.gz): name a file in it");
		return NULL;
	}
	builder_init(&builder, &options->builder, options->progress, options->progress_context);
	bool ok = viewer_store_read(path, &options->source, &builder, err);
	return format_finish(&builder, ok, path, options, err);
}

struct profile *profile_load(
	const char *path, const struct load_options *options, struct vp_error *err)
{
	struct stat st;
	if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return format_load_folder(path, options, err);
	return format_load_source(source_open(path, &options->source, err), path, options, err);
}

struct profile *profile_load_memory(
	const void *bytes, size_t size, const struct load_options *options, struct vp_error *err)
{
	return format_load_source(
		source_open_memory(bytes, size, &options->source, err), "memory", options, err);
}
