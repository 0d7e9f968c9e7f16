/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "report/bins.h"
#include "report/head.h"
#include "report/series.h"

/* Memory over time: a chart, and the bins as numbers. */

static const char timeline_untimed[] = "none: the samples of this profile carry no order in time";

static const struct table_column timeline_columns[] = {
	{"FROM", COLUMN_NUMBER, 0, 0},
	{"TO", COLUMN_NUMBER, 0, 2},
	{"SAMPLES", COLUMN_NUMBER, 0, 3},
	{"MEAN", COLUMN_NUMBER, 0, 0},
	{"MAX", COLUMN_NUMBER, 0, 0},
	{"MIN", COLUMN_NUMBER, 0, 1},
	{"MAX AT", COLUMN_NUMBER, 0, 4},
};

static const struct table_column timeline_counts[] = {
	{"FROM", COLUMN_NUMBER, 0, 0},
	{"TO", COLUMN_NUMBER, 0, 0},
	{"SAMPLES", COLUMN_NUMBER, 0, 0},
};

static void timeline_bytes(struct table *table, const struct bin *bin, double value)
{
	char text[UNIT_SIZE];
	table_cell(table, bin->count > 0 ? units_value(text, (int64_t)(value + 0.5), "bytes") : "");
}

static void timeline_row(const struct report_input *input, struct table *table,
	const struct bin *bin, int64_t step_ns)
{
	char text[UNIT_SIZE];
	table_cell(table, parts_moment(input, text, bin->first, step_ns));
	table_cell(table, parts_moment(input, text, bin->last, step_ns));
	table_cell(table, units_count(text, (int64_t)bin->count));
	if (!profile_has_memory(input->profile))
		return;
	timeline_bytes(table, bin, bin->mean);
	timeline_bytes(table, bin, (double)bin->max);
	timeline_bytes(table, bin, (double)bin->min);
	table_cell(
		table, bin->count > 0 ? parts_moment(input, text, bin->max_sample, step_ns) : "");
}

static void timeline_table(const struct report_input *input, struct text *out)
{
	bool has_memory = profile_has_memory(input->profile);
	size_t count;
	struct bin *bins = bins_make(input, &count);
	int64_t step_ns =
		bins_step_ns(input, count) / 10; /* ends are told apart by more than rounding */
	struct table table;
	if (has_memory)
		table_init(&table, timeline_columns,
			sizeof timeline_columns / sizeof *timeline_columns);
	else
		table_init(
			&table, timeline_counts, sizeof timeline_counts / sizeof *timeline_counts);
	for (size_t i = 0; i < count; i++)
		timeline_row(input, &table, &bins[i], step_ns);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
	free(bins);
}

static void timeline_clock(const struct report_input *input, struct text *out)
{
	const struct clock *clock = &input->clock;
	const char *text = NULL;
	if (clock->kind == TIME_STRETCHED && clock->is_estimate)
		text = "stretched: samples are spread evenly from start to end (~), since the file "
		       "has no time a sample";
	else if (clock->kind == TIME_STRETCHED)
		text = "stretched: samples are spread evenly from start to end";
	else if (clock->kind == TIME_NOMINAL && clock->is_estimate)
		text = "nominal: samples are one period apart (~), so moments when the program "
		       "slept are left out";
	else if (clock->kind == TIME_NOMINAL)
		text = "nominal: samples are one period apart";
	else if (clock->kind == TIME_NONE)
		text = "none: samples are counted, since the file has no period";
	if (text)
		head_fact(input, out, "Clock", text);
}

static void timeline_memory(const struct report_input *input, struct text *out)
{
	struct bin whole = bins_whole(input);
	char text[UNIT_SIZE];
	if (whole.count == 0)
		return;
	int64_t step_ns = bins_step_ns(input, (size_t)whole.count);
	struct text value = {0};
	text_printf(&value, "peak %s", units_value(text, whole.max, "bytes"));
	text_printf(&value, " at %s", parts_moment(input, text, whole.max_sample, step_ns));
	text_printf(&value, " (sample %s)", units_count(text, (int64_t)whole.max_sample));
	text_printf(&value, ", mean %s", units_value(text, (int64_t)(whole.mean + 0.5), "bytes"));
	text_printf(&value, ", lowest %s", units_value(text, whole.min, "bytes"));
	text_printf(&value, ", first %s", units_value(text, whole.value_first, "bytes"));
	text_printf(&value, ", last %s", units_value(text, whole.value_last, "bytes"));
	head_fact(input, out, "Memory", value.data);
	text_free(&value);
}

static bool timeline_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	const struct report_options *options = input->options;
	if (input->profile->snapshots)
		return series_text(input, out, err);
	head_text(input, out);
	if (!input->profile->is_timed) {
		head_fact(input, out, "Timeline", timeline_untimed);
		return true;
	}
	timeline_clock(input, out);
	if (profile_has_memory(input->profile)) {
		timeline_memory(input, out);
		text_puts(out, "\n");
		bins_chart(input, 16, options->series, out);
	} else {
		head_fact(input, out, "Memory", "not recorded");
	}
	if (options->is_bins_given)
		timeline_table(input, out);
	return true;
}

static bool timeline_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	bool has_memory = profile_has_memory(input->profile);
	const char *unit = has_memory ? "bytes" : "count";
	if (input->profile->snapshots)
		unit = parts_type(input)->unit;
	json_object_set_new(object, "unit", parts_string_or_null(unit));
	return true;
}

/* One bin a sample may be millions of them: they are made and written a few thousand at a time. */
static void timeline_json_samples(const struct report_input *input, struct text *out)
{
	enum { CHUNK = 4096 };
	const struct query *query = &input->options->query;
	struct bin *bins = memory_new(CHUNK, sizeof *bins);
	for (uint64_t from = query->first; from < query->last; from += CHUNK) {
		uint64_t to = query->last - from < CHUNK ? query->last : from + CHUNK;
		size_t count = timeline_bins(
			input->pyramid, from, to, query->thread, bins, (size_t)(to - from));
		for (size_t i = 0; i < count; i++) {
			text_puts(out, from == query->first && i == 0 ? "\n  {" : ",\n  {");
			bins_members(input, &bins[i], false, out);
			text_puts(out, "}");
		}
	}
	free(bins);
}

static void timeline_json_bins(const struct report_input *input, struct text *out)
{
	size_t count;
	struct bin *bins = bins_make(input, &count);
	for (size_t i = 0; i < count; i++) {
		text_puts(out, i == 0 ? "\n  {" : ",\n  {");
		bins_members(input, &bins[i], i == 0, out);
		text_puts(out, "}");
	}
	free(bins);
}

static bool timeline_json_rest(
	const struct report_input *input, struct text *out, struct vp_error *err)
{
	if (input->profile->snapshots)
		return series_json(input, out, err);
	text_puts(out, "\"bins\": [");
	if (input->profile->is_timed && input->options->bins == BINS_EACH_SAMPLE)
		timeline_json_samples(input, out);
	else if (input->profile->is_timed)
		timeline_json_bins(input, out);
	text_puts(out, "]");
	return true;
}

const struct report report_timeline = {
	.name = "timeline",
	.description = "memory over time, as a chart and in bins",
	.needs_timeline = true,
	.text = timeline_text,
	.json = timeline_json,
	.json_rest = timeline_json_rest,
};
