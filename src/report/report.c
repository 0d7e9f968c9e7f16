/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/head.h"

const struct report *const report_table[] = {&report_summary, &report_top, &report_tree,
	&report_peek, &report_traces, &report_flame, &report_timeline, &report_bin, &report_threads,
	&report_callers, &report_callees, &report_info, &report_folded, &report_raw, &report_pprof,
	&report_topproto, &report_dot, &report_callgrind, &report_comments, &report_tags,
	&report_diff, NULL};

const struct report *report_find(const char *name)
{
	for (int i = 0; report_table[i]; i++)
		if (strcmp(report_table[i]->name, name) == 0)
			return report_table[i];
	return NULL;
}

/* The range of samples that was asked for; without --from and --to the query's own, if it has one.
 */
static bool report_range(
	const struct report_input *input, struct report_options *options, struct vp_error *err)
{
	struct query *query = &options->query;
	if (options->from || options->to)
		return clock_window(&input->clock, input->profile, options->from, options->to,
			&query->first, &query->last, err);
	if (options->at && input->profile->snapshots) {
		int64_t ns;
		if (!clock_parse(&input->clock, options->at, &ns, err))
			return false;
		profile_snapshot_range(input->profile,
			profile_snapshot_of(input->profile, clock_sample(&input->clock, ns)),
			&query->first, &query->last);
		return true;
	}
	if (query->last == 0)
		query->last = input->profile->sample_count;
	return true;
}

static bool report_time_axis(struct report_input *input, enum time_axis axis, struct vp_error *err)
{
	if (axis == TIME_ABSOLUTE && !input->clock.has_date)
		return error_set(err, ERROR_USAGE, -1,
			"--time=absolute needs a start date, and this file has none (--start=DATE gives one)");
	input->is_absolute = axis != TIME_RELATIVE && input->clock.has_date;
	return true;
}

static bool report_build(
	const struct report *report, struct report_input *input, struct vp_error *err)
{
	if (report->needs_tree) {
		input->tree = calltree_build(input->profile, &input->options->query, err);
		if (!input->tree ||
			(report->shows_inlined && !calltree_mark_inlined(input->tree, err)))
			return false;
		input->is_estimate = calltree_is_estimate(input->tree) &&
				     (report->shows_stacks || !calltree_is_exact(input->tree));
	}
	if (report->needs_timeline)
		input->pyramid = pyramid_build(input->profile);
	return true;
}

/* ---- JSON as text --------------------------------------------------------- */

/* As many digits as a double surely has: 0.9 is not to be 0.90000000000000002. */
enum { REPORT_JSON = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) };

static void report_dump(const json_t *value, struct text *out)
{
	size_t size = json_dumpb(value, NULL, 0, REPORT_JSON);
	char *bytes = memory_new(size + 1, 1);
	json_dumpb(value, bytes, size, REPORT_JSON);
	text_add(out, bytes, size);
	free(bytes);
}

/* Rows of an array get a line each, so that people and line tools can read them, too. */
static void report_dump_member(const json_t *value, struct text *out)
{
	size_t count = json_array_size(value);
	if (count == 0 || !json_is_object(json_array_get(value, 0))) {
		report_dump(value, out);
		return;
	}
	text_puts(out, "[");
	for (size_t i = 0; i < count; i++) {
		text_puts(out, i > 0 ? ",\n  " : "\n  ");
		report_dump(json_array_get(value, i), out);
	}
	text_puts(out, "]");
}

static void report_dump_object(json_t *object, struct text *out)
{
	const char *key;
	json_t *value;
	const char *before = "{";
	json_object_foreach(object, key, value)
	{
		text_printf(out, "%s\"%s\": ", before, key);
		report_dump_member(value, out);
		before = strcmp(key, "vptop") == 0 ? ", " : ",\n ";
	}
}

/*
 * JSON may hold DEL and the control characters of C1 as they are; a terminal that shows it may not.
 * They occur only in strings, so from `start` on each becomes an escape.
 */
static void report_escape_controls(struct text *out, size_t start)
{
	struct text rest = {0};
	size_t plain = start;
	for (size_t i = start; i < out->length; i++) {
		unsigned c = (uint8_t)out->data[i];
		bool is_c1 = c == 0xc2 && (uint8_t)out->data[i + 1] < 0xa0;
		if (c != 0x7f && !is_c1)
			continue;
		text_add(&rest, out->data + plain, i - plain);
		i += is_c1;
		text_printf(&rest, "\\u%04x", (uint8_t)out->data[i]);
		plain = i + 1;
	}
	if (rest.data) {
		text_add(&rest, out->data + plain, out->length - plain);
		out->length = start;
		text_add(out, rest.data, rest.length);
	}
	text_free(&rest);
}

static bool report_json(const struct report *report, const struct report_input *input,
	struct text *out, struct vp_error *err)
{
	size_t start = out->length;
	json_t *object = json_object();
	json_object_set_new(object, "vptop", json_integer(1));
	json_object_set_new(object, "report", json_string(report->name));
	head_json(input, object);
	bool ok = report->json(input, object, err);
	if (ok) {
		report_dump_object(object, out);
		if (report->json_rest) {
			text_puts(out, ",\n ");
			ok = report->json_rest(input, out, err);
		}
		text_puts(out, "}\n");
		report_escape_controls(out, start);
	}
	json_decref(object);
	return ok;
}

static bool report_adapt(const struct report *report, const struct profile *profile,
	struct report_options *options, struct vp_error *err)
{
	if (options->columns < 1)
		options->columns = 80;
	if (options->no_trim) {
		options->node_count = 0;
		options->node_fraction = options->edge_fraction = 0;
	}
	if (options->query.mean && report->needs_tree && !report->shows_means)
		return error_set(err, ERROR_USAGE, -1,
			"--mean: means do not add up, so there is no %s of them (top, tree, peek and traces can show them)",
			report->name);
	if (report->prepare)
		report->prepare(profile, options);
	return true;
}

bool report_run(const struct report *report, const struct profile *profile,
	const struct report_options *options, bool json, struct text *out, struct vp_error *err)
{
	if (json && !report->json)
		return error_set(
			err, ERROR_USAGE, -1, "the report %s has no JSON form", report->name);
	struct report_options own = *options;
	struct report_input input = {.profile = profile, .options = &own};
	input.clock = clock_make(profile, own.clock);
	if (!report_time_axis(&input, own.time, err) || !report_range(&input, &own, err) ||
		!report_adapt(report, profile, &own, err))
		return false;
	bool ok = report_build(report, &input, err);
	if (ok)
		ok = json ? report_json(report, &input, out, err) : report->text(&input, out, err);
	if (input.tree)
		calltree_free(input.tree);
	if (input.pyramid)
		pyramid_free(input.pyramid);
	return ok;
}

void report_write_json(json_t *object, struct text *out)
{
	const size_t start = out->length;
	report_dump_object(object, out);
	text_puts(out, "}\n");
	report_escape_controls(out, start);
}

void report_json_error(const struct vp_error *error, struct text *out)
{
	json_t *object = json_object(), *inner = json_object();
	json_object_set_new(inner, "code", json_string(error_class_name(error->code)));
	json_object_set_new(inner, "message", parts_string_or_null(error->message));
	json_object_set_new(
		inner, "offset", parts_integer_or_null(error->offset, error->offset >= 0));
	json_object_set_new(object, "vptop", json_integer(1));
	json_object_set_new(object, "error", inner);
	size_t start = out->length;
	report_dump(object, out);
	text_puts(out, "\n");
	report_escape_controls(out, start);
	json_decref(object);
}
