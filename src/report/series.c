/* SPDX-License-Identifier: MIT */
#include "report/series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/snapshots.h"
#include "report/head.h"

enum { SERIES_BAR = 24 };

static const struct table_column series_columns[] = {
	{"TIME", COLUMN_NUMBER, 0, 1},
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"CHANGE", COLUMN_NUMBER, 0, 2},
	{"", COLUMN_TEXT, SERIES_BAR, 4},
	{"FILE", COLUMN_PLACE, 12, 3},
};

/* What the filters leave of the snapshots [first, last) that were asked for. */
struct series {
	struct calltree *tree;
	struct snapshot_value *values; /* of all snapshots */
	size_t first, last;
};

static bool series_open(
	const struct report_input *input, struct series *series, struct vp_error *err)
{
	const struct report_options *options = input->options;
	struct query query = options->query;
	*series = (struct series){.last = input->profile->snapshot_count};
	if (!clock_snapshots(
		    &input->clock, options->from, options->to, &series->first, &series->last, err))
		return false;
	query.first = 0;
	query.last = input->profile->sample_count;
	series->tree = calltree_build(input->profile, &query, err);
	if (!series->tree)
		return false;
	series->values = snapshots_build(series->tree);
	return true;
}

static void series_close(struct series *series)
{
	if (series->tree)
		calltree_free(series->tree);
	free(series->values);
}

/* ---- text ---------------------------------------------------------------------- */

static void series_bar(
	const struct report_input *input, struct table *table, int64_t value, int64_t most)
{
	const double share = most > 0 && value > 0 ? (double)value / (double)most : 0;
	struct text bar = {0};
	text_repeat(&bar, input->options->ascii ? "#" : "█", (int)(share * SERIES_BAR + 0.5));
	table_cell(table, bar.data ? bar.data : "");
	text_free(&bar);
}

static void series_change(const struct report_input *input, struct table *table, int64_t change)
{
	char text[UNIT_SIZE + 1] = "+";
	parts_value(input, text + (change > 0), change);
	table_cell(table, text);
}

static void series_row(const struct report_input *input, struct table *table,
	const struct series *series, size_t i)
{
	const int64_t step_ns = input->clock.length_ns / 1000 + 1;
	const struct snapshot *snapshot = &input->profile->snapshots[i];
	char moment[UNIT_SIZE];
	int64_t most = 0, change = 0;
	for (size_t k = series->first; k < series->last; k++)
		most = series->values[k].value > most ? series->values[k].value : most;
	if (i > series->first && __builtin_sub_overflow(series->values[i].value,
					 series->values[i - 1].value, &change))
		change = INT64_MAX;
	table_cell(table, input->clock.kind == TIME_NONE
				  ? ""
				  : parts_moment(input, moment, snapshot->first, step_ns));
	parts_cell_value(input, table, series->values[i].value);
	if (i > series->first)
		series_change(input, table, change);
	else
		table_cell(table, "");
	series_bar(input, table, series->values[i].value, most);
	parts_clean(input, &table->pool, snapshot->name);
	table_cell(table, "");
}

bool series_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct series series;
	if (!series_open(input, &series, err)) {
		series_close(&series);
		return false;
	}
	struct table table;
	table_init(&table, series_columns, sizeof series_columns / sizeof *series_columns);
	for (size_t i = series.first; i < series.last; i++)
		series_row(input, &table, &series, i);
	head_text(input, out);
	head_fact(input, out, "Timeline", "one line a snapshot, each as it was at that moment");
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
	series_close(&series);
	return true;
}

/* ---- JSON ----------------------------------------------------------------------- */

static void series_moment(
	const struct report_input *input, const char *key, size_t i, struct text *out)
{
	const struct profile *profile = input->profile;
	const size_t last = profile->snapshot_count - 1;
	if (input->clock.kind == TIME_NONE)
		text_printf(out, ", \"%s\": null", key);
	else
		text_printf(out, ", \"%s\": %" PRId64, key,
			profile->snapshots[i < last ? i : last].time_ns - input->clock.start_ns);
}

static void series_members(
	const struct report_input *input, const struct series *series, size_t i, struct text *out)
{
	static const char *const keys[] = {"mean", "max", "min", "first_value", "last_value"};
	const struct snapshot_value *value = &series->values[i];
	const char *name = input->profile->snapshots[i].name;
	text_printf(out, "\"first\": %" PRIu64 ", \"last\": %" PRIu64, value->first,
		value->last > value->first ? value->last - 1 : value->first);
	series_moment(input, "start_ns", i, out);
	series_moment(input, "end_ns", i + 1, out);
	text_printf(out, ", \"count\": %" PRIu64, value->count);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		text_printf(out, ", \"%s\": ", keys[k]);
		parts_write_value(input, &input->profile->types[input->options->query.type],
			value->value, out);
	}
	text_printf(out, ", \"max_sample\": %" PRIu64 ", \"source\": ", value->first);
	json_t *string = parts_string(name, strlen(name));
	char *source = json_dumps(string, JSON_ENCODE_ANY);
	text_puts(out, source ? source : "null");
	free(source);
	json_decref(string);
}

bool series_json(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct series series;
	const bool ok = series_open(input, &series, err);
	text_puts(out, "\"bins\": [");
	for (size_t i = series.first; ok && i < series.last; i++) {
		text_puts(out, i == series.first ? "\n  {" : ",\n  {");
		series_members(input, &series, i, out);
		text_puts(out, "}");
	}
	text_puts(out, "]");
	series_close(&series);
	return ok;
}
