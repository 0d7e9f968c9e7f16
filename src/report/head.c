/* SPDX-License-Identifier: MIT */
#include "report/head.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/callgraph.h"
#include "query/tags.h"
#include "report/calls.h"

static const char *const head_granularities[] = {
	[BY_FUNCTION] = "functions",
	[BY_FILEFUNCTION] = "filefunctions",
	[BY_FILE] = "files",
	[BY_LINE] = "lines",
	[BY_ADDRESS] = "addresses",
};

static const char *const head_kinds[] = {
	[VALUE_COUNTER] = "counter",
	[VALUE_SNAPSHOT] = "snapshot",
	[VALUE_GAUGE] = "gauge",
};

static const char *const head_clocks[] = {
	[TIME_NONE] = NULL,
	[TIME_NOMINAL] = "nominal",
	[TIME_STRETCHED] = "stretched",
	[TIME_STAMPED] = "stamped",
};

int64_t head_weight(const struct profile *profile)
{
	const struct column *weight = &profile->weight;
	if (!weight->narrow && !weight->wide)
		return (int64_t)profile->sample_count;
	int64_t sum = 0;
	bool overflow = false;
	for (size_t i = 0; i < profile->sample_count; i++)
		sum = units_add(sum, parts_weight(profile, i), &overflow);
	return sum;
}

static int64_t head_functions(const struct profile *profile)
{
	return profile->function_count > 0 ? (int64_t)profile->function_count - 1 : 0;
}

/* ---- JSON ---------------------------------------------------------------- */

static json_t *head_json_start(const struct profile *profile)
{
	if (!profile->has_start)
		return json_null();
	char text[UNIT_SIZE];
	int32_t offset =
		profile->has_offset ? profile->offset_s : units_local_offset(profile->start_ns);
	return json_string(units_iso8601(text, profile->start_ns, offset));
}

static json_t *head_json_types(const struct profile *profile)
{
	json_t *array = json_array();
	for (unsigned i = 0; i < profile->type_count; i++) {
		const struct value_type *type = &profile->types[i];
		json_t *object = json_object();
		json_object_set_new(object, "name", parts_string_or_null(type->name));
		json_object_set_new(object, "unit", parts_string_or_null(type->unit));
		json_object_set_new(object, "kind", json_string(head_kinds[type->kind]));
		if (type->kind != VALUE_GAUGE)
			json_object_set_new(object, "total", parts_json_typed(type, type->total));
		json_object_set_new(object, "default", json_boolean(i == profile->default_type));
		json_array_append_new(array, object);
	}
	return array;
}

static void head_json_counts(const struct profile *profile, json_t *object)
{
	const struct callgraph *graph = profile->callgraph;
	if (graph)
		calls_set(object, true, graph->calls, graph->primitive);
	if (graph && graph->base) {
		json_object_set_new(object, "base_calls", json_integer(graph->base->calls));
		json_object_set_new(object, "new_calls", json_integer(graph->now->calls));
	}
	json_object_set_new(object, "samples", json_integer(head_weight(profile)));
	json_object_set_new(object, "stacks", json_integer(profile->distinct_stacks));
	json_object_set_new(object, "functions", json_integer(head_functions(profile)));
	json_object_set_new(object, "threads", json_integer(profile->thread_count));
	json_object_set_new(object, "max_depth", json_integer(profile->max_depth));
	json_object_set_new(object, "truncated", json_boolean(profile->is_truncated));
	json_object_set_new(object, "types", head_json_types(profile));
}

static json_t *head_json_profile(const struct report_input *input)
{
	const struct profile *profile = input->profile;
	int64_t duration = clock_duration_ns(profile), sampled = clock_sampled_ns(profile);
	const char *clock = head_clocks[input->clock.kind];
	json_t *o = json_object();
	json_object_set_new(o, "source", parts_string_or_null(profile->source));
	json_object_set_new(o, "base", parts_string_or_null(profile->base_source));
	json_object_set_new(o, "format", parts_string_or_null(profile->format));
	json_object_set_new(
		o, "version", parts_integer_or_null(profile->version, profile->version >= 0));
	json_object_set_new(o, "project", parts_string_or_null(profile->project));
	json_object_set_new(
		o, "top_level_function", parts_string_or_null(profile->top_level_function));
	json_object_set_new(o, "interpreter", parts_string_or_null(profile->interpreter));
	json_object_set_new(o, "start", head_json_start(profile));
	json_object_set_new(
		o, "start_unix_ns", parts_integer_or_null(profile->start_ns, profile->has_start));
	json_object_set_new(o, "duration_ns", parts_integer_or_null(duration, duration >= 0));
	json_object_set_new(o, "sampled_ns", parts_integer_or_null(sampled, sampled >= 0));
	json_object_set_new(o, "clock", parts_string_or_null(clock));
	json_object_set_new(
		o, "period_ns", parts_integer_or_null(profile->period_ns, profile->period_ns > 0));
	head_json_counts(profile, o);
	return o;
}

/* Keys of JSON have no dashes. */
static void head_json_filter(json_t *object, enum filter_kind filter, const char *pattern)
{
	char key[16];
	snprintf(key, sizeof key, "%s", filter_name(filter));
	for (char *c = key; *c; c++)
		*c = *c == '-' ? '_' : *c;
	json_object_set_new(object, key, parts_string_or_null(pattern));
}

static json_t *head_json_query(const struct report_input *input)
{
	const struct report_options *options = input->options;
	const struct query *query = &options->query;
	const struct value_type *type = parts_type(input);
	json_t *o = json_object();
	json_object_set_new(o, "type", json_sprintf("%s/%s", type->name, type->unit));
	json_object_set_new(o, "from", parts_string_or_null(options->from));
	json_object_set_new(o, "to", parts_string_or_null(options->to));
	for (int i = 0; i < FILTER_COUNT; i++)
		head_json_filter(o, (enum filter_kind)i, query->filters[i]);
	if (query->thread >= 0)
		json_object_set_new(o, "thread",
			json_sprintf("0x%" PRIx64, input->profile->threads[query->thread].id));
	else
		json_object_set_new(o, "thread", json_null());
	json_object_set_new(o, "granularity", json_string(head_granularities[query->granularity]));
	json_object_set_new(o, "relative_percentages", json_boolean(query->relative_percentages));
	json_object_set_new(o, "noinlines", json_boolean(query->no_inlines));
	json_object_set_new(o, "all_frames", json_boolean(query->all_frames));
	json_object_set_new(o, "mean", json_boolean(query->mean));
	json_object_set_new(
		o, "divide_by", json_real(options->divide_by > 0 ? options->divide_by : 1));
	json_object_set_new(o, "drop_negative", json_boolean(options->drop_negative));
	return o;
}

/* A warning for people is one line that no terminal can misread; so it is in JSON. */
static void head_json_warning(json_t *array, const char *class_name, const char *message)
{
	struct text clean = {0};
	text_clean(&clean, message, strlen(message), false);
	json_t *object = json_object();
	json_object_set_new(object, "class", parts_string_or_null(class_name));
	json_object_set_new(
		object, "message", parts_string(clean.data ? clean.data : "", clean.length));
	json_array_append_new(array, object);
	text_free(&clean);
}

static const char head_overflow[] =
	"a sum went past 64 bits and stays at the largest number there is";

void head_json(const struct report_input *input, json_t *object)
{
	const struct profile *profile = input->profile;
	json_t *warnings = json_array();
	for (size_t i = 0; i < profile->warning_count; i++)
		head_json_warning(
			warnings, profile->warnings[i].class_name, profile->warnings[i].message);
	if (input->tree && input->tree->overflow)
		head_json_warning(warnings, "overflow", head_overflow);
	json_object_set_new(object, "profile", head_json_profile(input));
	json_object_set_new(object, "query", head_json_query(input));
	json_object_set_new(object, "warnings", warnings);
	if (input->is_estimate)
		json_object_set_new(object, "estimated", json_true());
}

/* ---- text ----------------------------------------------------------------- */

enum { HEAD_LABEL = 11 };

void head_fact(
	const struct report_input *input, struct text *out, const char *label, const char *value)
{
	struct text first = {0};
	text_field(&first, label, strlen(label), HEAD_LABEL, false, input->options->ascii);
	parts_wrap(input, out, first.data, value, strlen(value));
	text_free(&first);
}

void head_format(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	text_puts(out, profile->format);
	if (profile->version >= 0)
		text_printf(out, " %d", profile->version);
	if (profile->interpreter) {
		text_puts(out, ", ");
		parts_clean(input, out, profile->interpreter);
	}
	if (profile->is_truncated)
		text_puts(out, ", truncated");
}

void head_start(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	char clock[UNIT_SIZE], zone[UNIT_SIZE];
	int32_t offset;
	if (!profile->has_start) {
		text_puts(out, "unknown");
		return;
	}
	units_clock(clock, profile->start_ns, profile->has_offset, profile->offset_s, 0,
		CLOCK_DATE_TIME, &offset);
	text_printf(out, "%s %s", clock, units_zone(zone, offset));
	if (!profile->has_offset)
		text_puts(out, " (local time)");
}

void head_duration(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	int64_t duration = clock_duration_ns(profile), sampled = clock_sampled_ns(profile);
	bool is_measured = profile->has_start && profile->has_end && duration >= 0;
	char text[UNIT_SIZE], period[UNIT_SIZE];
	if (is_measured)
		text_printf(out, "%s from start to end", units_duration(text, duration));
	else if (duration < 0)
		text_puts(out, "unknown");
	else if (profile->duration_ns > 0)
		text_printf(out, "%s%s", units_duration(text, duration),
			profile->difference != DIFFERENCE_NONE ? " in both together" : "");
	if (sampled < 0)
		return;
	text_printf(out, "%s%s in samples of %s ", out->length > 0 ? ", " : "",
		units_duration(text, sampled), units_duration(period, profile->period_ns));
	parts_clean(input, out, profile_timer(profile));
}

static void head_counted(struct text *out, const char *before, int64_t count, const char *one)
{
	char text[UNIT_SIZE];
	text_printf(out, "%s%s %s%s", before, units_count(text, count), one, count == 1 ? "" : "s");
}

/* A graph of calls was not sampled, or its samples were counted as calls. */
static void head_calls(const struct profile *profile, struct text *out)
{
	const struct callgraph *graph = profile->callgraph;
	char text[UNIT_SIZE];
	if (graph->base) {
		text_printf(out, "%s before, ", units_count(text, graph->base->calls));
		text_printf(out, "%s now: %s", units_count(text, graph->now->calls),
			graph->calls > 0 ? "+" : "");
	}
	head_counted(out, "", graph->calls, graph->is_sampled ? "sample" : "call");
	if (graph->primitive != graph->calls)
		text_printf(out, " (%s primitive)", units_count(text, graph->primitive));
	head_counted(out, " of ", head_functions(profile), "function");
	head_counted(out, ", ", (int64_t)graph->edge_count, "pair");
	text_puts(
		out, graph->edge_count == 1 ? " of caller and callee" : " of callers and callees");
}

const char *head_samples_label(const struct profile *profile)
{
	return profile->callgraph && !profile->callgraph->is_sampled ? "Calls" : "Samples";
}

void head_samples(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	char text[UNIT_SIZE];
	if (profile->callgraph) {
		head_calls(profile, out);
		return;
	}
	text_puts(out, units_count(text, head_weight(profile)));
	head_counted(out, " in ", profile->distinct_stacks, "different stack");
	text_printf(out, " up to %" PRIu32 " deep", profile->max_depth);
	head_counted(out, ", ", head_functions(profile), "function");
	if (profile->thread_count > 0)
		head_counted(out, ", ", profile->thread_count, "thread");
}

static void head_range(const struct report_input *input, struct text *out)
{
	const struct query *query = &input->options->query;
	uint64_t all = input->profile->sample_count;
	if (query->first == 0 && query->last >= all)
		return;
	char from[UNIT_SIZE], to[UNIT_SIZE], first[UNIT_SIZE], last[UNIT_SIZE], share[UNIT_SIZE];
	int64_t step =
		input->clock.samples ? input->clock.length_ns / (int64_t)input->clock.samples : 0;
	struct text value = {0};
	text_printf(&value, "%s to %s, samples %s to %s, %s of all",
		parts_moment(input, from, query->first, step),
		parts_moment(input, to, query->last, step),
		units_count(first, (int64_t)query->first),
		units_count(last, (int64_t)query->last - 1),
		units_percent(share, (double)(query->last - query->first), (double)all));
	head_fact(input, out, "Range", value.data);
	text_free(&value);
}

/* Which snapshot of a series the figures are of. */
static void head_snapshot(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	const struct query *query = &input->options->query;
	const size_t i = profile_snapshot_of(profile, query->first);
	char moment[UNIT_SIZE];
	struct text value = {0};
	text_printf(&value, "%s%zu of %zu", i + 1 == profile->snapshot_count ? "the last, " : "",
		i + 1, profile->snapshot_count);
	if (input->clock.kind != TIME_NONE)
		text_printf(&value, ", at %s",
			parts_moment(input, moment, query->first,
				input->clock.length_ns / (int64_t)profile->snapshot_count));
	text_puts(&value, ": ");
	parts_clean(input, &value, profile->snapshots[i].name);
	head_fact(input, out, "Snapshot", value.data);
	text_free(&value);
}

static void head_selection(const struct report_input *input, struct text *out)
{
	const struct query *query = &input->options->query;
	struct text value = {0};
	if (!input->profile->snapshots)
		head_range(input, out);
	else if (input->tree) /* else it is about all of them */
		head_snapshot(input, out);
	if (query->thread >= 0) {
		text_printf(&value, "0x%" PRIx64 ", number %d of %" PRIu32,
			input->profile->threads[query->thread].id, (int)query->thread + 1,
			input->profile->thread_count);
		head_fact(input, out, "Thread", value.data);
		text_clear(&value);
	}
	for (int i = 0; i < FILTER_COUNT; i++) {
		if (!query->filters[i])
			continue;
		text_puts(&value, value.length > 0 ? "  " : "");
		text_printf(&value, "--%s=", filter_name((enum filter_kind)i));
		parts_clean(input, &value, query->filters[i]);
		if (!filter_is_of_frames((enum filter_kind)i) && tags_is_range(query->filters[i]))
			text_puts(&value, " (a range of numbers)");
	}
	if (value.length > 0)
		head_fact(input, out, "Filters", value.data);
	text_free(&value);
}

/* What the percentages are of, in words. */
static void head_base_words(const struct report_input *input, struct text *value)
{
	const struct calltree *tree = input->tree;
	const struct profile *profile = input->profile;
	const struct query *query = &input->options->query;
	const bool is_part = query->first > 0 || query->last < profile->sample_count;
	const bool is_change = parts_type(input)->part == PART_DELTA;
	char amount[AMOUNT_SIZE];
	text_printf(value, "shares are of %s", parts_amount(input, amount, tree->base));
	if (is_change)
		text_puts(value, profile->difference == DIFFERENCE_OF_BASE
					 ? " in the base"
					 : " more or less, summed up");
	if (query->relative_percentages)
		text_puts(value, " that passed the filters");
	else if (!is_change && (is_part || query->thread >= 0))
		text_printf(value, " in this %s",
			profile->snapshots ? "snapshot"
			: is_part          ? "range"
					   : "thread");
	else if (!is_change)
		text_puts(value, " in all");
	if (is_change)
		text_printf(value, "; the change is %s%s", tree->total[0] > 0 ? "+" : "",
			parts_value(input, amount, tree->total[0]));
	else if (!query->relative_percentages && !query->mean && tree->total[0] != tree->base)
		text_printf(value, ", of which %s passed the filters",
			parts_value(input, amount, tree->total[0]));
}

static void head_base(const struct report_input *input, struct text *out)
{
	const struct calltree *tree = input->tree;
	const struct query *query = &input->options->query;
	struct text value = {0};
	head_base_words(input, &value);
	if (query->mean)
		text_printf(&value, "; values are %s divided by %s", parts_type(input)->name,
			input->profile->types[0].name);
	if (input->options->divide_by > 0 && input->options->divide_by != 1)
		text_printf(&value, "; values are divided by %g", input->options->divide_by);
	if (query->granularity != BY_FUNCTION)
		text_printf(&value, "; rows are %s", head_granularities[query->granularity]);
	head_fact(input, out, "Counted", value.data);
	if (tree->overflow)
		head_fact(input, out, "Note", head_overflow);
	text_free(&value);
}

/* Label and text, unless there is no text. Empties the text. */
static void head_flush(
	const struct report_input *input, struct text *out, const char *label, struct text *value)
{
	if (value->length > 0)
		head_fact(input, out, label, value->data);
	text_clear(value);
}

void head_program(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	struct text value = {0};
	parts_clean(input, &value, profile->project);
	if (profile->top_level_function) {
		text_puts(&value, value.length > 0 ? ", " : "");
		parts_clean(input, &value, profile->top_level_function);
	}
	if (value.length == 0)
		parts_clean(input, &value, profile->arguments);
	head_flush(input, out, "Program", &value);
	text_free(&value);
}

void head_text(const struct report_input *input, struct text *out)
{
	struct text value = {0};
	parts_clean(input, &value, input->profile->source);
	text_puts(&value, value.length > 0 ? "  (" : "(");
	head_format(input, &value);
	text_puts(&value, ")");
	head_flush(input, out, "File", &value);
	parts_clean(input, &value, input->profile->base_source);
	head_flush(input, out, "Base", &value);
	head_program(input, out);
	if (input->profile->has_start)
		head_start(input, &value);
	head_flush(input, out, "Started", &value);
	if (!input->profile->callgraph)
		head_duration(input, &value);
	head_flush(input, out, "Duration", &value);
	head_samples(input, &value);
	head_flush(input, out, head_samples_label(input->profile), &value);
	text_free(&value);
	head_selection(input, out);
	if (input->tree)
		head_base(input, out);
	if (input->is_estimate)
		head_fact(input, out, "Estimated",
			"values with ~ are made from figures of functions and their callers: the file has no stacks");
}

void head_shown(const struct report_input *input, const struct shown *shown, struct text *out)
{
	char value[AMOUNT_SIZE], share[UNIT_SIZE], total[AMOUNT_SIZE], number[UNIT_SIZE];
	struct text line = {0};
	text_printf(&line, "%s of %s rows, which account for %s, %s of %s",
		units_count(number, (int64_t)shown->count), units_count(total, (int64_t)shown->all),
		parts_value(input, value, shown->flat),
		units_percent(share, (double)shown->flat, (double)input->tree->base),
		"what is counted");
	if (shown->all > shown->passed)
		text_printf(&line, "; %s dropped (total below %s)",
			units_count(number, (int64_t)(shown->all - shown->passed)),
			parts_value(input, value, shown->cut));
	head_fact(input, out, "Shown", line.data);
	text_free(&line);
}

void head_warnings(const struct report_input *input, struct text *out, int most)
{
	const struct profile *profile = input->profile;
	for (size_t i = 0; i < profile->warning_count && (int)i < most; i++) {
		struct text value = {0};
		parts_clean(input, &value, profile->warnings[i].message);
		head_fact(input, out, i == 0 ? "Warnings" : "", value.data ? value.data : "");
		text_free(&value);
	}
	if (profile->warning_count > (size_t)most)
		parts_more(input, out, profile->warning_count - (size_t)most,
			" warnings: --report=info");
}
