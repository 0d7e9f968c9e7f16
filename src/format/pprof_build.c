/* SPDX-License-Identifier: MIT */
/* What a pprof message says, once all of it was read: names, types, frames, stacks, samples. */
#include "format/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/pprof_names.h"

/* ---- strings ----------------------------------------------------------------------------- */

string_id pprof_string_id(struct pprof *pprof, uint64_t index)
{
	if (index == 0)
		return 0;
	if (index < pprof->string_count)
		return pprof->strings[index];
	pprof->problems.unknown_strings++;
	return 0;
}

const char *pprof_string(struct pprof *pprof, uint64_t index, size_t *length)
{
	return strings_get(
		&pprof->builder->profile->strings, pprof_string_id(pprof, index), length);
}

/* A copy that the profile owns; NULL where it is empty. */
static const char *build_text(struct pprof *pprof, uint64_t index)
{
	size_t length;
	const char *text = pprof_string(pprof, index, &length);
	return length > 0 ? builder_text(pprof->builder, text, length) : NULL;
}

static string_id build_file(struct pprof *pprof, uint64_t index)
{
	size_t length;
	const char *file = pprof_string(pprof, index, &length);
	struct text clean = {0};
	if (!pprof_clean_path(file, length, &clean))
		return pprof_string_id(pprof, index);
	string_id id = builder_string(pprof->builder, clean.data, clean.length);
	text_free(&clean);
	return id;
}

/* ---- the head ------------------------------------------------------------------------------ */

/* What lives on, by the names that Go's and gperftools' profiles have. */
static enum value_kind build_kind(const char *name)
{
	bool is_snapshot = strncmp(name, "inuse_", 6) == 0 || strcmp(name, "goroutine") == 0;
	return is_snapshot ? VALUE_SNAPSHOT : VALUE_COUNTER;
}

/* The types, and which one is shown first: the one of that name, else the last. */
static bool build_types(struct pprof *pprof, struct vp_error *err)
{
	struct builder *builder = pprof->builder;
	size_t length, wished_length;
	const char *wished = pprof_string(pprof, pprof->default_type, &wished_length);
	if (pprof->type_count == 0 && pprof->sample_count > 0)
		return error_set(err, ERROR_MALFORMED, -1,
			"no sample types: the file does not say what its values are");
	pprof->named_types = pprof->type_count;
	if (pprof->type_count > MAX_FILE_TYPES) {
		builder_warn(builder, "note",
			"only the first %d of %" PRIu32 " value types are read", MAX_FILE_TYPES,
			pprof->type_count);
		pprof->type_count = MAX_FILE_TYPES;
	}
	bool is_found = false;
	for (unsigned i = 0; i < pprof->type_count; i++) {
		const struct pprof_type *type = &pprof->types[i];
		char spare[24];
		const char *name = pprof_string(pprof, type->name, NULL);
		const char *unit_name = pprof_string(pprof, type->unit, &length);
		size_t plain;
		const unsigned decimals = pprof_unit_decimals(unit_name, length, &plain);
		struct pprof_unit unit =
			pprof_unit(decimals ? builder_text(builder, unit_name, plain) : unit_name);
		if (*name == 0) {
			snprintf(spare, sizeof spare, "type %u", i + 1);
			name = spare;
		}
		builder_type(builder, name, unit.base, build_kind(name), unit.scale);
		builder->own_types[i].decimals = decimals;
		if (!is_found)
			builder->profile->default_type = i;
		is_found |= wished_length > 0 && strcmp(name, wished) == 0;
	}
	return true;
}

/*
 * The period is the distance of two samples only where it is time and the first type counts
 * samples: elsewhere it is one allocation of so many bytes, or one event.
 */
static void build_period(struct pprof *pprof)
{
	const struct builder *builder = pprof->builder;
	builder->profile->period_type = build_text(pprof, pprof->period_type.name);
	builder->profile->period_unit = build_text(pprof, pprof->period_type.unit);
	builder->profile->period = pprof->period;
	struct pprof_unit unit = pprof_unit(pprof_string(pprof, pprof->period_type.unit, NULL));
	int64_t ns;
	if (pprof->period > 0 && strcmp(unit.base, "nanoseconds") == 0 &&
		builder->own_type_count > 0 &&
		strncmp(builder->own_types[0].name, "sample", 6) == 0 &&
		strcmp(builder->own_types[0].unit, "count") == 0 &&
		!__builtin_mul_overflow(pprof->period, unit.scale, &ns))
		builder->profile->period_ns = ns;
}

static void build_time(struct pprof *pprof)
{
	struct profile *profile = pprof->builder->profile;
	if (pprof->time_ns < 0 || pprof->duration_ns < 0)
		builder_warn(pprof->builder, "bad-time",
			"the file's time or duration is below 0, and taken as unknown");
	profile->duration_ns = pprof->duration_ns > 0 ? pprof->duration_ns : 0;
	profile->has_start = pprof->time_ns > 0;
	profile->start_ns = profile->has_start ? pprof->time_ns : 0;
	profile->has_end =
		profile->has_start && pprof->duration_ns > 0 &&
		!__builtin_add_overflow(profile->start_ns, pprof->duration_ns, &profile->end_ns);
	if (!profile->has_end)
		profile->end_ns = 0;
}

static void build_words(struct pprof *pprof)
{
	struct profile *profile = pprof->builder->profile;
	struct text comments = {0};
	for (size_t i = 0; i < pprof->comment_count; i++) {
		size_t length;
		const char *comment = pprof_string(pprof, pprof->comments[i], &length);
		text_puts(&comments, i > 0 ? "\n" : "");
		text_add(&comments, comment, length);
	}
	if (comments.length > 0)
		profile->comments = builder_text(pprof->builder, comments.data, comments.length);
	text_free(&comments);
	profile->doc_url = build_text(pprof, pprof->doc_url);
	profile->drop_frames = build_text(pprof, pprof->drop_frames);
	profile->keep_frames = build_text(pprof, pprof->keep_frames);
	/* The first mapping is the program. */
	if (pprof->mapping_count > 0)
		profile->arguments = build_text(pprof, pprof->mappings[0].file);
}

/* ---- locations to frames --------------------------------------------------------------------- */

struct build_frames {
	struct pprof_frames of; /* locations */
	uint32_t *mappings;     /* what each mapping of the file is in the profile */
	string_id *files;       /* of each function */
};

static uint32_t build_mapping(struct pprof *pprof, const struct pprof_mapping *from)
{
	struct mapping mapping = {.start = from->start,
		.limit = from->limit,
		.offset = from->offset,
		.file = pprof_string_id(pprof, from->file),
		.build_id = pprof_string_id(pprof, from->build_id),
		.has_functions = from->has & 1,
		.has_filenames = from->has >> 1 & 1,
		.has_line_numbers = from->has >> 2 & 1,
		.has_inline_frames = from->has >> 3 & 1};
	return builder_mapping(pprof->builder, &mapping);
}

/* Mapping 0, and one that is not there, are none: nothing is wrong with that. */
static uint32_t build_mapping_of(
	const struct pprof *pprof, const struct build_frames *frames, uint64_t id)
{
	uint32_t index = hash_map_get(&pprof->mapping_slots, id, UINT32_MAX);
	return index == UINT32_MAX ? 0 : frames->mappings[index];
}

static string_id build_module(const struct pprof *pprof, uint32_t mapping)
{
	return mapping == 0 ? 0 : pprof->builder->profile->mappings[mapping].file;
}

/* "<what id>": a name for what has none. */
static string_id build_numbered(struct pprof *pprof, const char *what, uint64_t id)
{
	char name[64];
	int length = snprintf(name, sizeof name, "<%s %" PRIu64 ">", what, id);
	return builder_string(pprof->builder, name, (size_t)length);
}

static function_id build_function(
	struct pprof *pprof, const struct build_frames *frames, uint32_t index, string_id module)
{
	const struct pprof_function *from = &pprof->functions[index];
	struct function function = {.module = module, .line = from->line, .kind = CODE_NATIVE};
	function.name = pprof_string_id(pprof, from->name);
	if (function.name == 0)
		function.name = pprof_string_id(pprof, from->system_name);
	if (function.name == 0 && from->name >= pprof->string_count)
		function.name = build_numbered(pprof, "function", from->id);
	function.system_name = pprof_string_id(pprof, from->system_name);
	if (function.system_name == function.name)
		function.system_name = 0;
	function.file = frames->files[index];
	return builder_function(pprof->builder, &function);
}

/* A location that has no lines is one frame without a name, in its module. */
static frame_id build_bare_frame(
	struct pprof *pprof, const struct pprof_location *location, uint32_t mapping)
{
	struct function function = {.module = build_module(pprof, mapping), .kind = CODE_UNKNOWN};
	if (!location->is_defined) {
		function.name = build_numbered(pprof, "unknown location", location->id);
		pprof->problems.unknown_locations++;
	}
	struct frame frame = {.address = location->address,
		.function = builder_function(pprof->builder, &function),
		.kind = CODE_UNKNOWN,
		.mapping = mapping};
	return builder_function_frame(pprof->builder, &frame);
}

/* Adds the frames of a location at frames[count]; returns how many there are then. */
static uint32_t build_location(struct pprof *pprof, struct build_frames *frames,
	const struct pprof_location *location, uint32_t count)
{
	const uint32_t mapping = build_mapping_of(pprof, frames, location->mapping);
	const string_id module = build_module(pprof, mapping);
	const uint32_t first = count;
	for (uint32_t i = location->line_count; i-- > 0;) {
		const struct pprof_line *line = &pprof->lines[location->first_line + i];
		uint32_t index = hash_map_get(&pprof->function_slots, line->function, UINT32_MAX);
		if (index == UINT32_MAX) {
			pprof->problems.unknown_functions++;
			continue;
		}
		struct frame frame = {.address = location->address,
			.function = build_function(pprof, frames, index, module),
			.line = line->line,
			.kind = CODE_NATIVE,
			.is_inlined = count > first,
			.mapping = mapping};
		frames->of.frames[count++] = builder_function_frame(pprof->builder, &frame);
	}
	if (count == first)
		frames->of.frames[count++] = build_bare_frame(pprof, location, mapping);
	return count;
}

static void build_locations(struct pprof *pprof, struct build_frames *frames)
{
	frames->mappings = memory_new(pprof->mapping_count + 1, sizeof *frames->mappings);
	for (size_t i = 0; i < pprof->mapping_count; i++)
		frames->mappings[i] = build_mapping(pprof, &pprof->mappings[i]);
	frames->files = memory_new(pprof->function_count + 1, sizeof *frames->files);
	for (size_t i = 0; i < pprof->function_count; i++)
		frames->files[i] = build_file(pprof, pprof->functions[i].file);
	size_t most = pprof->line_count + pprof->location_count;
	frames->of.frames = memory_new(most + 1, sizeof *frames->of.frames);
	frames->of.start = memory_new(pprof->location_count + 1, sizeof *frames->of.start);
	uint32_t count = 0;
	for (size_t i = 0; i < pprof->location_count; i++) {
		count = build_location(pprof, frames, &pprof->locations[i], count);
		frames->of.start[i + 1] = count;
	}
}

static void build_free_frames(struct build_frames *frames)
{
	free(frames->of.frames);
	free(frames->of.start);
	free(frames->mappings);
	free(frames->files);
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

static void build_warn(struct builder *builder, const char *class_name, uint64_t count,
	const char *one, const char *many)
{
	if (count > 0)
		builder_warn(builder, class_name, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

/*
 * What would make a figure or a name a guess is an error, as it is to pprof: a record that is
 * broken, two with one id, a sample with other values than the types, a name that is not there.
 */
static bool build_check(const struct pprof *pprof, struct vp_error *err)
{
	const struct pprof_problems *problems = &pprof->problems;
	if (problems->broken > 0)
		return error_set(err, ERROR_MALFORMED, problems->first_broken,
			"%" PRIu64 " of the file's records are broken, the first at byte %" PRId64,
			problems->broken, problems->first_broken);
	if (problems->repeated_ids > 0)
		return error_set(err, ERROR_MALFORMED, -1,
			"%" PRIu64
			" mappings, functions or locations have the id of another: which one samples mean is not known",
			problems->repeated_ids);
	if (problems->few_values > 0 || problems->many_values > 0)
		return error_set(err, ERROR_MALFORMED, -1,
			"%" PRIu64
			" samples have more or fewer values than there are types (%" PRIu32 ")",
			problems->few_values + problems->many_values, pprof->named_types);
	if (problems->unknown_strings > 0)
		return error_set(err, ERROR_MALFORMED, -1,
			"%" PRIu64 " names are not in the string table", problems->unknown_strings);
	return true;
}

static void build_warnings(struct pprof *pprof)
{
	struct builder *builder = pprof->builder;
	const struct pprof_problems *problems = &pprof->problems;
	if (pprof->string_count > 0 && pprof->strings[0] != 0)
		builder_warn(builder, "malformed", "the string table does not begin with \"\"");
	build_warn(builder, "malformed", problems->reserved_ids,
		"mapping, function or location has the id 0 and is left out",
		"mappings, functions or locations have the id 0 and are left out");
	build_warn(builder, "malformed", problems->unknown_locations,
		"location that samples name is not in the file",
		"locations that samples name are not in the file");
	build_warn(builder, "malformed", problems->unknown_functions,
		"line of a location names a function that is not in the file, and is left out",
		"lines of locations name functions that are not in the file, and are left out");
}

bool pprof_build(struct pprof *pprof, struct vp_error *err)
{
	struct profile *profile = pprof->builder->profile;
	struct build_frames frames = {0};
	profile->format = "pprof";
	profile->is_timed = false;
	profile->is_name_function = true;
	if (!build_types(pprof, err))
		return false;
	build_period(pprof);
	build_time(pprof);
	build_words(pprof);
	build_locations(pprof, &frames);
	bool ok = pprof_build_samples(pprof, &frames.of, err);
	build_free_frames(&frames);
	if (ok) {
		pprof_build_labels(pprof);
		build_warnings(pprof);
		ok = build_check(pprof, err);
	}
	return ok;
}
