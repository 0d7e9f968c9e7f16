/* SPDX-License-Identifier: MIT */
/* All that is in the profile, sample by sample, in the manner of pprof -raw. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pprof_units.h"
#include "query/labels.h"
#include "report/export.h"

struct raw {
	const struct report_input *input;
	const struct profile *profile;
	struct export export;
	struct text *out;
	struct label_keys keys;
	uint32_t *list; /* labels of a sample, scratch */
	size_t list_capacity;
};

static void raw_open(struct raw *raw, const struct report_input *input, struct text *out)
{
	*raw = (struct raw){.input = input, .profile = input->profile, .out = out};
	export_open(&raw->export, input);
	raw->keys = label_keys_build(input->profile);
}

static void raw_close(struct raw *raw)
{
	export_close(&raw->export);
	label_keys_free(&raw->keys);
	free(raw->list);
}

static void raw_string(const struct raw *raw, string_id id, struct text *out)
{
	size_t length;
	const char *bytes = profile_string(raw->profile, id, &length);
	text_clean(out, bytes, length, raw->input->options->ascii);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void raw_head(struct raw *raw)
{
	const struct profile *profile = raw->profile;
	struct text *out = raw->out;
	char moment[UNIT_SIZE];
	for (const char *line = profile->comments; line;) {
		const char *end = strchr(line, '\n');
		const size_t length = end ? (size_t)(end - line) : strlen(line);
		text_puts(out, "Comment: ");
		text_clean(out, line, length, raw->input->options->ascii);
		text_puts(out, "\n");
		line = end ? end + 1 : NULL;
	}
	if (profile->doc_url) {
		text_puts(out, "Doc: ");
		parts_clean(raw->input, out, profile->doc_url);
		text_puts(out, "\n");
	}
	if (profile->period_type || profile->period_unit) {
		text_puts(out, "PeriodType: ");
		parts_clean(raw->input, out, profile->period_type);
		text_puts(out, " ");
		parts_clean(raw->input, out, profile->period_unit);
		text_puts(out, "\n");
	} else if (profile->period_ns > 0) {
		text_puts(out, "PeriodType: cpu nanoseconds\n");
	}
	text_printf(out, "Period: %" PRId64 "\n",
		profile->period ? profile->period : profile->period_ns);
	if (profile->has_start)
		text_printf(out, "Time: %s\n",
			units_iso8601(moment, profile->start_ns,
				profile->has_offset ? profile->offset_s : 0));
	if (profile->duration_ns > 0)
		text_printf(out, "Duration: %.9g s\n", (double)profile->duration_ns / 1e9);
}

static void raw_types(struct raw *raw)
{
	text_puts(raw->out, "Samples:\n");
	const unsigned shown = export_default_type(&raw->export);
	for (unsigned i = 0; i < raw->export.type_count; i++) {
		const struct value_type *type = &raw->profile->types[raw->export.types[i]];
		text_puts(raw->out, i > 0 ? " " : "");
		parts_clean(raw->input, raw->out, type->name);
		text_puts(raw->out, "/");
		struct text unit = {0};
		export_unit(type, type->unit, &unit);
		parts_clean(raw->input, raw->out, unit.data);
		text_free(&unit);
		text_puts(raw->out, i == shown ? "[dflt]" : "");
	}
	text_puts(raw->out, "\n");
}

/* All values of a key in one pair of brackets, keys as they come; numbers and texts apart. */
static void raw_labels_of(struct raw *raw, uint32_t count, bool are_numbers)
{
	struct text *out = raw->out;
	bool has_any = false;
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &raw->profile->labels[raw->list[i]];
		if ((label->text == 0) != are_numbers)
			continue;
		bool is_known = false;
		for (uint32_t k = 0; k < i && !is_known; k++) {
			const struct label *other = &raw->profile->labels[raw->list[k]];
			is_known = other->key == label->key && (other->text == 0) == are_numbers;
		}
		if (is_known)
			continue;
		text_puts(out, has_any ? " " : "                ");
		has_any = true;
		raw_string(raw, label->key, out);
		text_puts(out, ":[");
		const char *before = "";
		for (uint32_t k = i; k < count; k++) {
			const struct label *other = &raw->profile->labels[raw->list[k]];
			if (other->key != label->key || (other->text == 0) != are_numbers)
				continue;
			text_puts(out, before);
			before = " ";
			if (!are_numbers) {
				raw_string(raw, other->text, out);
				continue;
			}
			text_printf(out, "%" PRId64, other->number);
			text_puts(out, other->unit ? " " : "");
			raw_string(raw, other->unit, out);
		}
		text_puts(out, "]");
	}
	text_puts(out, has_any ? "\n" : "");
}

static void raw_samples(struct raw *raw)
{
	struct export_sample sample;
	const struct profile *profile = raw->profile;
	while (export_next(&raw->export, &sample)) {
		for (unsigned i = 0; i < raw->export.type_count; i++)
			text_printf(raw->out, " %10" PRId64, sample.values[i]);
		text_puts(raw->out, ":");
		for (size_t i = 0; i < sample.depth; i++)
			text_printf(raw->out, " %" PRIu32, sample.path[i]);
		text_puts(raw->out, "\n");
		const uint32_t count = label_list(profile,
			profile_label_set(profile, sample.sample), &raw->list, &raw->list_capacity);
		raw_labels_of(raw, count, false);
		raw_labels_of(raw, count, true);
		if (profile->thread_count > 1 && profile->sample_thread)
			text_printf(raw->out, "                thread:[%" PRIu64 "]\n",
				profile->threads[profile->sample_thread[sample.sample]].id);
	}
}

static void raw_line(struct raw *raw, frame_id frame)
{
	const struct function *function = profile_function(raw->profile, frame);
	struct text *out = raw->out;
	raw_string(raw, function->name, out);
	text_puts(out, " ");
	raw_string(raw, function->file, out);
	text_printf(
		out, ":%" PRIu32 " s=%" PRIu32, raw->profile->frames[frame].line, function->line);
	if (function->system_name != 0) {
		text_puts(out, "(");
		raw_string(raw, function->system_name, out);
		text_puts(out, ")");
	}
	text_puts(out, "\n");
}

static void raw_locations(struct raw *raw)
{
	text_puts(raw->out, "Locations\n");
	for (uint32_t i = 0; i < raw->export.used_count; i++) {
		const struct export_location *locations = raw->export.locations;
		uint32_t at = raw->export.used[i];
		const struct frame *frame = &raw->profile->frames[locations[at].frame];
		text_printf(raw->out, "%6" PRIu32 ": 0x%" PRIx64 " ", i + 1, frame->address);
		if (frame->mapping != 0)
			text_printf(raw->out, "M=%" PRIu32 " ", frame->mapping);
		if (export_is_bare(raw->profile, locations[at].frame)) {
			text_puts(raw->out, "\n");
			continue;
		}
		raw_line(raw, locations[at].frame);
		while ((at = locations[at].outer) != 0) {
			text_puts(raw->out, "             ");
			raw_line(raw, locations[at].frame);
		}
	}
}

static void raw_mappings(struct raw *raw)
{
	text_puts(raw->out, "Mappings\n");
	for (uint32_t i = 1; i < raw->profile->mapping_count; i++) {
		const struct mapping *m = &raw->profile->mappings[i];
		text_printf(raw->out, "%" PRIu32 ": 0x%" PRIx64 "/0x%" PRIx64 "/0x%" PRIx64 " ", i,
			m->start, m->limit, m->offset);
		raw_string(raw, m->file, raw->out);
		text_puts(raw->out, " ");
		raw_string(raw, m->build_id, raw->out);
		text_printf(raw->out, " %s%s%s%s\n", m->has_functions ? "[FN]" : "",
			m->has_filenames ? "[FL]" : "", m->has_line_numbers ? "[LN]" : "",
			m->has_inline_frames ? "[IN]" : "");
	}
}

static bool raw_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct raw raw;
	(void)err;
	raw_open(&raw, input, out);
	raw_head(&raw);
	raw_types(&raw);
	raw_samples(&raw);
	raw_locations(&raw);
	raw_mappings(&raw);
	raw_close(&raw);
	return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool raw_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	const struct profile *profile = input->profile;
	json_t *types = json_array(), *mappings = json_array();
	struct raw raw;
	(void)err;
	raw_open(&raw, input, NULL);
	const unsigned shown = export_default_type(&raw.export);
	for (unsigned i = 0; i < raw.export.type_count; i++) {
		const struct value_type *type = &profile->types[raw.export.types[i]];
		json_array_append_new(types,
			json_pack("{s:o,s:o,s:b,s:i}", "name", parts_string_or_null(type->name),
				"unit", parts_string_or_null(type->unit), "default", i == shown,
				"decimals", (int)type->decimals));
	}
	for (uint32_t i = 1; i < profile->mapping_count; i++) {
		const struct mapping *m = &profile->mappings[i];
		json_array_append_new(
			mappings, json_pack("{s:i,s:I,s:I,s:I,s:o,s:o,s:b,s:b,s:b,s:b}", "id",
					  (int)i, "start", (json_int_t)m->start, "limit",
					  (json_int_t)m->limit, "offset", (json_int_t)m->offset,
					  "file", parts_interned(input, m->file), "build_id",
					  parts_interned(input, m->build_id), "has_functions",
					  m->has_functions, "has_filenames", m->has_filenames,
					  "has_line_numbers", m->has_line_numbers,
					  "has_inline_frames", m->has_inline_frames));
	}
	json_object_set_new(object, "period_type", parts_string_or_null(profile->period_type));
	json_object_set_new(object, "period_unit", parts_string_or_null(profile->period_unit));
	json_object_set_new(object, "period", json_integer(profile->period));
	json_object_set_new(object, "drop_frames", parts_string_or_null(profile->drop_frames));
	json_object_set_new(object, "keep_frames", parts_string_or_null(profile->keep_frames));
	json_object_set_new(object, "comments", parts_string_or_null(profile->comments));
	json_object_set_new(object, "doc_url", parts_string_or_null(profile->doc_url));
	json_object_set_new(object, "types", types);
	json_object_set_new(object, "mappings", mappings);
	raw_close(&raw);
	return true;
}

static void raw_dump(struct text *out, json_t *value)
{
	char *bytes = json_dumps(value, JSON_ENCODE_ANY);
	text_puts(out, bytes ? bytes : "null");
	free(bytes);
	json_decref(value);
}

static void raw_json_labels(struct raw *raw, uint64_t sample)
{
	const struct profile *profile = raw->profile;
	const uint32_t count = label_list(
		profile, profile_label_set(profile, sample), &raw->list, &raw->list_capacity);
	text_puts(raw->out, "], \"labels\": [");
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &profile->labels[raw->list[i]];
		json_t *it = json_object();
		json_object_set_new(it, "key", parts_interned(raw->input, label->key));
		if (label->text != 0)
			json_object_set_new(it, "text", parts_interned(raw->input, label->text));
		else
			json_object_set_new(it, "number", json_integer(label->number));
		if (label->text == 0)
			json_object_set_new(it, "unit", parts_interned(raw->input, label->unit));
		text_puts(raw->out, i > 0 ? ", " : "");
		raw_dump(raw->out, it);
	}
	text_puts(raw->out, "]");
}

static void raw_json_samples(struct raw *raw)
{
	struct export_sample sample;
	const char *before = "\n  ";
	text_puts(raw->out, "\"samples\": [");
	while (export_next(&raw->export, &sample)) {
		text_printf(raw->out, "%s{\"values\": [", before);
		before = ",\n  ";
		for (unsigned i = 0; i < raw->export.type_count; i++)
			text_printf(raw->out, "%s%" PRId64, i > 0 ? ", " : "", sample.values[i]);
		text_puts(raw->out, "], \"locations\": [");
		for (size_t i = 0; i < sample.depth; i++)
			text_printf(raw->out, "%s%" PRIu32, i > 0 ? ", " : "", sample.path[i]);
		raw_json_labels(raw, sample.sample);
		if (raw->profile->sample_thread)
			text_printf(raw->out, ", \"thread\": %" PRIu64,
				raw->profile->threads[raw->profile->sample_thread[sample.sample]]
					.id);
		text_puts(raw->out, "}");
	}
	text_puts(raw->out, "]");
}

static json_t *raw_json_line(const struct raw *raw, frame_id frame)
{
	const struct function *function = profile_function(raw->profile, frame);
	return json_pack("{s:o,s:o,s:o,s:I,s:I}", "name",
		parts_interned(raw->input, function->name), "system_name",
		parts_interned(
			raw->input, function->system_name ? function->system_name : function->name),
		"file", parts_interned(raw->input, function->file), "start_line",
		(json_int_t)function->line, "line", (json_int_t)raw->profile->frames[frame].line);
}

static void raw_json_locations(struct raw *raw)
{
	text_puts(raw->out, ",\n \"locations\": [");
	for (uint32_t i = 0; i < raw->export.used_count; i++) {
		const struct export_location *locations = raw->export.locations;
		uint32_t at = raw->export.used[i];
		const struct frame *frame = &raw->profile->frames[locations[at].frame];
		text_printf(raw->out,
			"%s{\"id\": %" PRIu32 ", \"address\": \"0x%" PRIx64
			"\", \"mapping\": %" PRIu32 ", \"lines\": [",
			i > 0 ? ",\n  " : "\n  ", i + 1, frame->address, frame->mapping);
		const bool is_bare = export_is_bare(raw->profile, locations[at].frame);
		for (const char *before = ""; at != 0 && !is_bare; at = locations[at].outer) {
			text_puts(raw->out, before);
			raw_dump(raw->out, raw_json_line(raw, locations[at].frame));
			before = ", ";
		}
		text_puts(raw->out, "]}");
	}
	text_puts(raw->out, "]");
}

static bool raw_json_rest(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct raw raw;
	(void)err;
	raw_open(&raw, input, out);
	raw_json_samples(&raw);
	raw_json_locations(&raw);
	raw_close(&raw);
	return true;
}

const struct report report_raw = {
	.name = "raw",
	.description = "all that is in the profile: samples, locations, mappings",
	.needs_tree = true,
	.prepare = export_prepare,
	.text = raw_text,
	.json = raw_json,
	.json_rest = raw_json_rest,
};
