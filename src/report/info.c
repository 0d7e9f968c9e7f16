/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/head.h"

/* What the file says of itself, and what reading it found. */

/*
 * Phases of a run: what kind of code was running, by the leaf of each stack. The JIT's machine code
 * and the Python code inlined into it are one phase.
 */
enum info_phase {
	PHASE_INTERPRETED,
	PHASE_JIT,
	PHASE_NATIVE,
	PHASE_GC,
	PHASE_TRACING,
	PHASE_UNKNOWN,
	PHASE_EMPTY,
	PHASE_COUNT
};

static const char *const info_phase_names[PHASE_COUNT] = {
	"interpreted", "jit", "native", "gc", "tracing", "unknown", "empty"};

static const enum info_phase info_phase_of_kind[CODE_KIND_COUNT] = {
	[CODE_UNKNOWN] = PHASE_UNKNOWN,
	[CODE_PYTHON] = PHASE_INTERPRETED,
	[CODE_JIT] = PHASE_JIT,
	[CODE_ASSEMBLER] = PHASE_JIT,
	[CODE_NATIVE] = PHASE_NATIVE,
	[CODE_GC] = PHASE_GC,
	[CODE_TRACING] = PHASE_TRACING,
};

struct info_phases {
	int64_t samples[PHASE_COUNT], all;
};

static struct info_phases info_phases(const struct report_input *input)
{
	const struct profile *profile = input->profile;
	const struct query *query = &input->options->query;
	struct info_phases phases = {{0}, 0};
	bool overflow = false;
	for (size_t i = (size_t)query->first; i < query->last && i < profile->sample_count; i++) {
		uint32_t thread = profile->sample_thread ? profile->sample_thread[i] : 0;
		if (query->thread >= 0 && thread != (uint32_t)query->thread)
			continue;
		stack_id stack = profile->sample_stack[i];
		uint8_t kind = profile->frames[profile->stack_frame[stack]].kind;
		enum info_phase phase = stack == 0 || kind >= CODE_KIND_COUNT
						? PHASE_EMPTY
						: info_phase_of_kind[kind];
		int64_t weight = parts_weight(profile, i);
		phases.samples[phase] = units_add(phases.samples[phase], weight, &overflow);
		phases.all = units_add(phases.all, weight, &overflow);
	}
	return phases;
}

/* ---- text --------------------------------------------------------------------- */

static void info_fact(
	const struct report_input *input, struct text *out, const char *label, const char *s)
{
	struct text value = {0};
	parts_clean(input, &value, s);
	if (value.length > 0)
		head_fact(input, out, label, value.data);
	text_free(&value);
}

static void info_text_times(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	char clock[UNIT_SIZE], zone[UNIT_SIZE];
	struct text value = {0};
	head_start(input, &value);
	head_fact(input, out, "Started", value.data);
	text_clear(&value);
	if (profile->has_end) {
		int32_t offset;
		units_clock(clock, profile->end_ns, profile->has_offset, profile->offset_s, 0,
			CLOCK_DATE_TIME, &offset);
		text_printf(&value, "%s %s", clock, units_zone(zone, offset));
		head_fact(input, out, "Ended", value.data);
		text_clear(&value);
	}
	head_duration(input, &value);
	head_fact(input, out, "Duration", value.data);
	text_clear(&value);
	head_samples(input, &value);
	head_fact(input, out, head_samples_label(profile), value.data);
	text_free(&value);
}

/* What whoever made the profile wrote; as pprof, without lines that are for programs. */
static void info_text_comments(const struct report_input *input, struct text *out)
{
	const char *label = "Comments", *line = input->profile->comments;
	struct text value = {0};
	while (line && *line) {
		const size_t length = strcspn(line, "\n");
		text_clear(&value);
		text_clean(&value, line, length, input->options->ascii);
		if (length > 0 && line[0] != '#') {
			head_fact(input, out, label, value.data);
			label = "";
		}
		line += length + (line[length] == '\n');
	}
	text_free(&value);
	info_fact(input, out, "More at", input->profile->doc_url);
}

/* What was mapped; the first one is the program. */
static void info_text_mappings(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	char count[UNIT_SIZE];
	struct text value = {0};
	if (profile->mapping_count < 2)
		return;
	const struct mapping *first = &profile->mappings[1];
	parts_clean(input, &value, profile_string(profile, first->file, NULL));
	if (first->build_id) {
		text_puts(&value, value.length > 0 ? ", build id " : "build id ");
		parts_clean(input, &value, profile_string(profile, first->build_id, NULL));
	}
	if (profile->mapping_count > 2)
		text_printf(&value, "%s%s more", value.length > 0 ? "; " : "",
			units_count(count, (int64_t)profile->mapping_count - 2));
	if (value.length > 0)
		head_fact(input, out, "Mapped", value.data);
	text_free(&value);
}

struct info_labels {
	int64_t keys, values, samples; /* samples: that have any */
};

static struct info_labels info_labels(const struct profile *profile)
{
	struct info_labels labels = {0};
	bool *seen = memory_new(profile->strings.count, sizeof *seen);
	for (uint32_t i = 1; i < profile->label_count; i++) {
		labels.values++;
		labels.keys += !seen[profile->labels[i].key];
		seen[profile->labels[i].key] = true;
	}
	for (size_t i = 0; profile->sample_labels && i < profile->sample_count; i++)
		labels.samples += profile->sample_labels[i] != 0;
	free(seen);
	return labels;
}

static void info_text_labels(const struct report_input *input, struct text *out)
{
	const struct info_labels labels = info_labels(input->profile);
	char keys[UNIT_SIZE], values[UNIT_SIZE], samples[UNIT_SIZE], all[UNIT_SIZE];
	struct text value = {0};
	if (labels.keys == 0)
		return;
	text_printf(&value, "%s key%s with %s value%s, at %s of %s samples",
		units_count(keys, labels.keys), labels.keys == 1 ? "" : "s",
		units_count(values, labels.values), labels.values == 1 ? "" : "s",
		units_count(samples, labels.samples),
		units_count(all, (int64_t)input->profile->sample_count));
	head_fact(input, out, "Labels", value.data);
	text_free(&value);
}

static void info_text_recorded(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	struct text value = {0};
	text_puts(&value, profile->callgraph ? "functions, callers and callees" : "stacks");
	if (profile_has_memory(profile))
		text_puts(&value, ", memory");
	if (profile->has_lines)
		text_puts(&value, ", lines");
	if (profile->has_native)
		text_puts(&value, ", native code");
	head_fact(input, out, "Recorded", value.data);
	text_free(&value);
}

static const struct table_column info_types[] = {
	{"TYPE", COLUMN_TEXT, 8, 0},
	{"UNIT", COLUMN_TEXT, 5, 1},
	{"KIND", COLUMN_TEXT, 8, 0},
	{"TOTAL", COLUMN_NUMBER, 0, 0},
};

static void info_text_types(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	static const char *const kinds[] = {"adds up", "adds up over stacks", "does not add up"};
	char total[UNIT_SIZE];
	struct table table;
	table_init(&table, info_types, sizeof info_types / sizeof *info_types);
	for (unsigned i = 0; i < profile->type_count; i++) {
		const struct value_type *type = &profile->types[i];
		text_puts(&table.pool, type->name);
		table_cell(&table, i == profile->default_type ? " (default)" : "");
		table_cell(&table, type->unit);
		table_cell(&table, kinds[type->kind]);
		table_cell(&table, type->kind == VALUE_GAUGE ? ""
							     : units_decimal(total, type->total,
								       type->decimals, type->unit));
	}
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
}

static const struct table_column info_phase_columns[] = {
	{"PHASE", COLUMN_TEXT, 8, 0},
	{"SAMPLES", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
};

static void info_text_phases(const struct report_input *input, struct text *out)
{
	struct info_phases phases = info_phases(input);
	char count[UNIT_SIZE];
	struct table table;
	if (phases.all == 0)
		return;
	table_init(
		&table, info_phase_columns, sizeof info_phase_columns / sizeof *info_phase_columns);
	for (int i = 0; i < PHASE_COUNT; i++) {
		if (phases.samples[i] == 0)
			continue;
		table_cell(&table, i == PHASE_EMPTY ? "no stack" : info_phase_names[i]);
		table_cell(&table, units_count(count, phases.samples[i]));
		parts_cell_percent(&table, (double)phases.samples[i], (double)phases.all);
	}
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
}

static bool info_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	const struct profile *profile = input->profile;
	struct text format = {0};
	info_fact(input, out, "File", profile->source);
	head_format(input, &format);
	head_fact(input, out, "Format", format.data);
	text_free(&format);
	info_fact(input, out, "Project", profile->project);
	info_fact(input, out, "Function", profile->top_level_function);
	info_fact(input, out, "Platform", profile->platform);
	info_fact(input, out, "Wrapped in", profile->compression);
	info_fact(input, out, "Arguments", profile->arguments);
	info_text_times(input, out);
	info_text_recorded(input, out);
	info_text_mappings(input, out);
	info_text_labels(input, out);
	info_text_comments(input, out);
	head_warnings(input, out, 1000);
	info_text_types(input, out);
	if (!profile->is_name_function) /* there all is compiled code, as far as is known */
		info_text_phases(input, out);
	return true;
}

/* ---- JSON ---------------------------------------------------------------------- */

static json_t *info_json_comments(const struct profile *profile)
{
	json_t *comments = json_array();
	for (const char *line = profile->comments; line && *line;) {
		const size_t length = strcspn(line, "\n");
		json_array_append_new(comments, parts_string(line, length));
		line += length + (line[length] == '\n');
	}
	return comments;
}

static json_t *info_json_mappings(const struct report_input *input)
{
	const struct profile *profile = input->profile;
	json_t *mappings = json_array();
	for (uint32_t i = 1; i < profile->mapping_count; i++) {
		const struct mapping *mapping = &profile->mappings[i];
		json_t *object = json_object();
		json_object_set_new(object, "file", parts_interned(input, mapping->file));
		json_object_set_new(object, "build_id", parts_interned(input, mapping->build_id));
		json_object_set_new(object, "start", json_sprintf("0x%" PRIx64, mapping->start));
		json_object_set_new(object, "limit", json_sprintf("0x%" PRIx64, mapping->limit));
		json_array_append_new(mappings, object);
	}
	return mappings;
}

static json_t *info_json_labels(const struct profile *profile)
{
	const struct info_labels labels = info_labels(profile);
	return json_pack("{s:I, s:I, s:I}", "keys", (json_int_t)labels.keys, "values",
		(json_int_t)labels.values, "samples", (json_int_t)labels.samples);
}

static bool info_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	const struct profile *profile = input->profile;
	struct info_phases phases = info_phases(input);
	json_t *shares = json_object();
	for (int i = 0; i < PHASE_COUNT; i++)
		json_object_set_new(shares, info_phase_names[i], json_integer(phases.samples[i]));
	json_object_set_new(object, "platform", parts_string_or_null(profile->platform));
	json_object_set_new(object, "compression", parts_string_or_null(profile->compression));
	json_object_set_new(object, "arguments", parts_string_or_null(profile->arguments));
	json_object_set_new(
		object, "end_unix_ns", parts_integer_or_null(profile->end_ns, profile->has_end));
	json_object_set_new(object, "is_realtime", json_boolean(profile->is_realtime));
	json_object_set_new(object, "has_memory", json_boolean(profile_has_memory(profile)));
	json_object_set_new(object, "has_lines", json_boolean(profile->has_lines));
	json_object_set_new(object, "has_native", json_boolean(profile->has_native));
	json_object_set_new(object, "timer", parts_string_or_null(profile_timer(profile)));
	json_object_set_new(object, "comments", info_json_comments(profile));
	json_object_set_new(object, "doc_url", parts_string_or_null(profile->doc_url));
	json_object_set_new(object, "mappings", info_json_mappings(input));
	json_object_set_new(object, "labels", info_json_labels(profile));
	json_object_set_new(object, "phases", shares);
	return true;
}

const struct report report_info = {
	.name = "info",
	.description = "what the file says of itself, and its warnings",
	.text = info_text,
	.json = info_json,
};
