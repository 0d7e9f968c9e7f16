/* SPDX-License-Identifier: MIT */
/*
 * The profile as pprof reads it: a message of protocol buffers, packed by gzip (pprof.md sections 1
 * and 2). Records go out as they are made; only the table of names and which locations are used are
 * kept up to the end.
 *
 * Where a function is more than its name its name is written as the tables have it, with the file
 * where names are ambiguous: pprof takes functions of one name for one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/rows.h"
#include "report/export.h"
#include "report/pprof_file.h"

struct pprof_writer {
	const struct report_input *input;
	const struct profile *profile;
	struct export export;
	struct pprof_file file;
	string_id *index;         /* of the profile's strings in `strings`; 0: not there so far */
	struct calltree rows;     /* of functions: only its rows are made, for their names */
	uint32_t *function;       /* by row of `rows`, or by function: number; 0: not used */
	uint32_t *function_frame; /* [function_count]: a frame of each */
	size_t function_capacity;
	uint32_t function_count;
	struct hash_map modules; /* file of a module without a mapping -> number of its mapping */
	string_id *module;       /* [module_count] */
	size_t module_capacity;
	uint32_t module_count;
};

static uint64_t writer_string(struct pprof_writer *writer, string_id id)
{
	if (id != 0 && writer->index[id] == 0) {
		size_t length;
		const char *bytes = profile_string(writer->profile, id, &length);
		writer->index[id] = strings_add(&writer->file.strings, bytes, length);
	}
	return writer->index[id];
}

/* ---- types ----------------------------------------------------------------------------------- */

static void writer_types(struct pprof_writer *writer)
{
	const struct export *export = &writer->export;
	for (unsigned i = 0; i < export->type_count; i++) {
		const struct value_type *type = &writer->profile->types[export->types[i]];
		struct text unit = {0};
		export_unit(type, type->unit, &unit);
		pprof_file_type(&writer->file, PROFILE_TYPE, type->name, unit.data);
		text_free(&unit);
	}
}

/* ---- samples --------------------------------------------------------------------------------- */

static void writer_label(
	struct pprof_writer *writer, uint64_t key, uint64_t text, int64_t number, uint64_t unit)
{
	text_clear(&writer->file.inner);
	wire_put_number(&writer->file.inner, LABEL_KEY, key);
	wire_put_number(&writer->file.inner, LABEL_TEXT, text);
	wire_put_number(&writer->file.inner, LABEL_NUMBER, (uint64_t)number);
	wire_put_number(&writer->file.inner, LABEL_UNIT, unit);
	wire_put_message(&writer->file.message, SAMPLE_LABEL, &writer->file.inner);
}

/* Labels of a set, the last one first. Whether one of them marks the base of a difference. */
static bool writer_labels_of_set(struct pprof_writer *writer, uint32_t set)
{
	const struct profile *profile = writer->profile;
	bool is_base = false;
	for (; set != 0; set = profile->set_parent[set]) {
		const struct label *label = &profile->labels[profile->set_label[set]];
		writer_label(writer, writer_string(writer, label->key),
			writer_string(writer, label->text), label->number,
			writer_string(writer, label->unit));
		is_base |= strcmp(profile_string(profile, label->key, NULL), "pprof::base") == 0;
	}
	return is_base;
}

static void writer_labels(struct pprof_writer *writer, uint64_t sample)
{
	const struct profile *profile = writer->profile;
	const bool is_marked = writer_labels_of_set(writer, profile_label_set(profile, sample));
	const bool is_base =
		profile->base_samples && profile->base_samples[sample / 64] >> sample % 64 & 1;
	if (is_base && !is_marked)
		writer_label(writer, pprof_file_text(&writer->file, "pprof::base"),
			pprof_file_text(&writer->file, "true"), 0, 0);
	if (profile->thread_count > 1 && profile->sample_thread)
		writer_label(writer, pprof_file_text(&writer->file, "thread"), 0,
			(int64_t)profile->threads[profile->sample_thread[sample]].id,
			pprof_file_text(&writer->file, "id"));
}

static void writer_samples(struct pprof_writer *writer)
{
	struct export_sample sample;
	while (export_next(&writer->export, &sample)) {
		text_clear(&writer->file.packed);
		for (size_t i = 0; i < sample.depth; i++)
			wire_put_varint(&writer->file.packed, sample.path[i]);
		if (sample.depth > 0)
			wire_put_message(
				&writer->file.message, SAMPLE_LOCATION, &writer->file.packed);
		text_clear(&writer->file.packed);
		for (unsigned i = 0; i < writer->export.type_count; i++)
			wire_put_varint(&writer->file.packed, (uint64_t)sample.values[i]);
		wire_put_message(&writer->file.message, SAMPLE_VALUE, &writer->file.packed);
		writer_labels(writer, sample.sample);
		pprof_file_put(&writer->file, PROFILE_SAMPLE);
	}
}

/* ---- locations ------------------------------------------------------------------------------- */

/* The number of the function of a frame. */
static uint32_t writer_function(struct pprof_writer *writer, frame_id frame)
{
	const uint32_t key = writer->rows.row_of_frame ? writer->rows.row_of_frame[frame]
						       : writer->profile->frames[frame].function;
	if (writer->function[key] == 0) {
		writer->function_frame =
			array_grow(writer->function_frame, &writer->function_capacity,
				(size_t)writer->function_count + 1, sizeof *writer->function_frame);
		writer->function_frame[writer->function_count] = frame;
		writer->function[key] = ++writer->function_count;
	}
	return writer->function[key];
}

/* The mapping of a frame: one of the profile, or one that is made of the name of its module. */
static uint32_t writer_mapping(struct pprof_writer *writer, const struct frame *frame)
{
	const string_id module = writer->profile->functions[frame->function].module;
	if (frame->mapping != 0 || module == 0)
		return frame->mapping;
	uint32_t *slot = hash_map_slot(&writer->modules, module);
	if (*slot == 0) {
		writer->module = array_grow(writer->module, &writer->module_capacity,
			(size_t)writer->module_count + 1, sizeof *writer->module);
		writer->module[writer->module_count] = module;
		*slot = ++writer->module_count;
	}
	const uint32_t of_profile =
		writer->profile->mapping_count > 0 ? writer->profile->mapping_count - 1 : 0;
	return of_profile + *slot;
}

static void writer_location(struct pprof_writer *writer, uint32_t location)
{
	const struct export_location *locations = writer->export.locations;
	const struct export_location *it = &locations[location];
	const struct frame *frame = &writer->profile->frames[it->frame];
	wire_put_number(&writer->file.message, LOCATION_ID, it->id);
	wire_put_number(&writer->file.message, LOCATION_MAPPING, writer_mapping(writer, frame));
	wire_put_number(&writer->file.message, LOCATION_ADDRESS, frame->address);
	for (uint32_t i = location; i != 0; i = locations[i].outer) {
		const frame_id id = locations[i].frame;
		if (export_is_bare(writer->profile, id))
			continue;
		text_clear(&writer->file.inner);
		wire_put_number(&writer->file.inner, LINE_FUNCTION, writer_function(writer, id));
		wire_put_number(&writer->file.inner, LINE_LINE, writer->profile->frames[id].line);
		wire_put_message(&writer->file.message, LOCATION_LINE, &writer->file.inner);
	}
	pprof_file_put(&writer->file, PROFILE_LOCATION);
}

static void writer_functions(struct pprof_writer *writer)
{
	for (uint32_t i = 0; i < writer->function_count; i++) {
		const frame_id frame = writer->function_frame[i];
		const struct function *function = profile_function(writer->profile, frame);
		uint64_t name = writer_string(writer, function->name);
		uint64_t system_name = writer_string(
			writer, function->system_name ? function->system_name : function->name);
		if (writer->rows.row_of_frame) {
			text_clear(&writer->file.inner);
			row_label(&writer->rows, writer->rows.row_of_frame[frame], false,
				&writer->file.inner);
			name = strings_add(&writer->file.strings, writer->file.inner.data,
				writer->file.inner.length);
			system_name = system_name ? system_name : name;
		}
		wire_put_number(&writer->file.message, FUNCTION_ID, i + 1u);
		wire_put_number(&writer->file.message, FUNCTION_NAME, name);
		wire_put_number(&writer->file.message, FUNCTION_SYSTEM_NAME, system_name);
		wire_put_number(&writer->file.message, FUNCTION_FILE,
			writer_string(writer, function->file));
		wire_put_number(&writer->file.message, FUNCTION_LINE, function->line);
		pprof_file_put(&writer->file, PROFILE_FUNCTION);
	}
}

static void writer_mappings(struct pprof_writer *writer)
{
	uint32_t id = 0;
	for (uint32_t i = 1; i < writer->profile->mapping_count; i++) {
		const struct mapping *mapping = &writer->profile->mappings[i];
		struct text *message = &writer->file.message;
		wire_put_number(message, MAPPING_ID, ++id);
		wire_put_number(message, MAPPING_START, mapping->start);
		wire_put_number(message, MAPPING_LIMIT, mapping->limit);
		wire_put_number(message, MAPPING_OFFSET, mapping->offset);
		wire_put_number(message, MAPPING_FILE, writer_string(writer, mapping->file));
		wire_put_number(
			message, MAPPING_BUILD_ID, writer_string(writer, mapping->build_id));
		wire_put_number(message, MAPPING_HAS_FUNCTIONS, mapping->has_functions);
		wire_put_number(message, MAPPING_HAS_FILES, mapping->has_filenames);
		wire_put_number(message, MAPPING_HAS_LINES, mapping->has_line_numbers);
		wire_put_number(message, MAPPING_HAS_INLINED, mapping->has_inline_frames);
		pprof_file_put(&writer->file, PROFILE_MAPPING);
	}
	/* Their names are all there is to know: nobody needs to look for more. */
	for (uint32_t i = 0; i < writer->module_count; i++) {
		wire_put_number(&writer->file.message, MAPPING_ID, ++id);
		wire_put_number(&writer->file.message, MAPPING_FILE,
			writer_string(writer, writer->module[i]));
		wire_put_number(&writer->file.message, MAPPING_HAS_FUNCTIONS, 1);
		pprof_file_put(&writer->file, PROFILE_MAPPING);
	}
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void writer_comments(struct pprof_writer *writer)
{
	const char *line = writer->profile->comments;
	text_clear(&writer->file.packed);
	while (line) {
		const char *end = strchr(line, '\n');
		const size_t length = end ? (size_t)(end - line) : strlen(line);
		wire_put_varint(
			&writer->file.packed, strings_add(&writer->file.strings, line, length));
		line = end ? end + 1 : NULL;
	}
	if (writer->profile->has_estimated_stacks)
		wire_put_varint(
			&writer->file.packed, pprof_file_text(&writer->file, export_estimate));
	if (writer->export.leaves_out_levels)
		wire_put_varint(&writer->file.packed,
			pprof_file_text(&writer->file,
				"memory is left out: a level cannot be added up over stacks"));
	if (writer->file.packed.length > 0)
		wire_put_message(&writer->file.bytes, PROFILE_COMMENT, &writer->file.packed);
}

static void writer_head(struct pprof_writer *writer)
{
	const struct profile *profile = writer->profile;
	const struct export *export = &writer->export;
	wire_put_number(&writer->file.bytes, PROFILE_DROP_FRAMES,
		pprof_file_text(&writer->file, profile->drop_frames));
	wire_put_number(&writer->file.bytes, PROFILE_KEEP_FRAMES,
		pprof_file_text(&writer->file, profile->keep_frames));
	pprof_file_times(&writer->file, profile);
	writer_comments(writer);
	if (export->type_count > 0)
		wire_put_number(&writer->file.bytes, PROFILE_DEFAULT_TYPE,
			pprof_file_text(&writer->file,
				profile->types[export->types[export_default_type(export)]].name));
	wire_put_number(&writer->file.bytes, PROFILE_DOC_URL,
		pprof_file_text(&writer->file, profile->doc_url));
}

static void writer_free(struct pprof_writer *writer)
{
	export_close(&writer->export);
	free(writer->index);
	free(writer->rows.rows);
	free(writer->rows.row_of_frame);
	free(writer->function);
	free(writer->function_frame);
	free(writer->module);
	hash_map_free(&writer->modules);
}

static bool pprof_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	const struct profile *profile = input->profile;
	struct pprof_writer writer = {.input = input, .profile = profile};
	(void)err;
	pprof_file_open(&writer.file, out);
	export_open(&writer.export, input);
	writer.index = memory_new(profile->strings.count, sizeof *writer.index);
	writer.rows.profile = profile;
	if (!profile->is_name_function)
		rows_build(&writer.rows);
	writer.function = memory_new(
		(size_t)profile->function_count + writer.rows.row_count, sizeof *writer.function);
	writer_types(&writer);
	writer_samples(&writer);
	for (uint32_t i = 0; i < writer.export.used_count; i++)
		writer_location(&writer, writer.export.used[i]);
	writer_functions(&writer);
	writer_mappings(&writer);
	writer_head(&writer);
	pprof_file_close(&writer.file);
	writer_free(&writer);
	return true;
}

const struct report report_pprof = {
	.name = "pprof",
	.description = "the profile in pprof's own format, packed by gzip",
	.needs_tree = true,
	.is_binary = true,
	.prepare = export_prepare,
	.text = pprof_text,
};
