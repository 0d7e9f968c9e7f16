/* SPDX-License-Identifier: MIT */
#include "report/bins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint64_t bins_range(const struct report_input *input)
{
	const struct query *query = &input->options->query;
	return query->last > query->first ? query->last - query->first : 0;
}

struct bin *bins_make(const struct report_input *input, size_t *count)
{
	const struct query *query = &input->options->query;
	int bins = input->options->bins;
	uint64_t range = bins_range(input);
	size_t wanted = bins == BINS_VIEWER ? 99 : bins > 0 ? (size_t)bins : (size_t)range;
	if (wanted > range && bins != BINS_VIEWER)
		wanted = (size_t)range;
	struct bin *list = memory_new(wanted + 1, sizeof *list);
	*count = 0;
	if (range == 0)
		return list;
	if (bins == BINS_VIEWER)
		*count = timeline_viewer_bins(
			input->pyramid, (double)query->first, (double)query->last, list);
	else
		*count = timeline_bins(
			input->pyramid, query->first, query->last, query->thread, list, wanted);
	return list;
}

struct bin bins_whole(const struct report_input *input)
{
	const struct query *query = &input->options->query;
	struct bin bin = {0};
	if (bins_range(input) > 0)
		timeline_bins(input->pyramid, query->first, query->last, query->thread, &bin, 1);
	return bin;
}

int64_t bins_step_ns(const struct report_input *input, size_t count)
{
	const struct query *query = &input->options->query;
	int64_t length =
		clock_time(&input->clock, query->last) - clock_time(&input->clock, query->first);
	return length / (int64_t)(count > 0 ? count : 1);
}

static void bins_moment(
	const struct report_input *input, const char *key, uint64_t sample, struct text *out)
{
	if (input->clock.kind == TIME_NONE)
		text_printf(out, ", \"%s\": null", key);
	else
		text_printf(out, ", \"%s\": %" PRId64, key, clock_time(&input->clock, sample));
}

void bins_members(
	const struct report_input *input, const struct bin *bin, bool is_first, struct text *out)
{
	text_printf(out, "\"first\": %" PRIu64 ", \"last\": %" PRIu64, bin->first,
		bin->last > bin->first ? bin->last - 1 : bin->first);
	bins_moment(input, "start_ns", bin->first, out);
	bins_moment(input, "end_ns", bin->last, out);
	text_printf(out, ", \"count\": %" PRIu64, bin->count);
	if (bin->count > 0 && profile_has_memory(input->profile)) {
		text_puts(out, ", \"mean\": ");
		parts_real(out, bin->mean);
		text_printf(out,
			", \"max\": %" PRId64 ", \"min\": %" PRId64 ", \"first_value\": %" PRId64
			", \"last_value\": %" PRId64 ", \"max_sample\": %" PRIu64,
			bin->max, bin->min, bin->value_first, bin->value_last, bin->max_sample);
	} else {
		text_puts(out, ", \"mean\": null, \"max\": null, \"min\": null, "
			       "\"first_value\": null, \"last_value\": null, \"max_sample\": null");
	}
	/* The server names a bin by its left edge, which belongs to the first bin only. */
	if (input->options->bins == BINS_VIEWER)
		text_printf(out, ", \"x\": %" PRIu64, is_first ? bin->first : bin->first - 1);
}

/* ---- chart ----------------------------------------------------------------- */

enum { BINS_GUTTER = 7 }; /* five cells of label, a blank, the axis */

/* Lines of the axes, in UTF-8 and ASCII. */
struct bins_glyphs {
	const char *side, *side_tick, *corner, *floor, *floor_tick, *empty;
};

static struct bins_glyphs bins_glyphs(bool ascii)
{
	if (ascii)
		return (struct bins_glyphs){"|", "+", "+", "-", "+", "."};
	return (struct bins_glyphs){"│", "┤", "└", "─", "┬", "·"};
}

static const char *bins_y_label(const struct chart *chart, int row)
{
	for (int i = 0; i < chart->y_count; i++)
		if (chart->y[i].position == row)
			return chart->y[i].text;
	return NULL;
}

static void bins_gutter(struct text *out, const char *label, const char *axis, bool ascii)
{
	text_field(out, label, strlen(label), BINS_GUTTER - 2, true, ascii);
	text_printf(out, " %s", axis);
}

static void bins_chart_row(const struct chart *chart, int row, bool ascii, struct text *out)
{
	struct bins_glyphs glyphs = bins_glyphs(ascii);
	const char *label = bins_y_label(chart, row);
	bins_gutter(out, label ? label : "", label ? glyphs.side_tick : glyphs.side, ascii);
	int used = 0;
	for (int column = 0; column < chart->width; column++) {
		struct chart_cell cell = chart->cells[(size_t)row * (size_t)chart->width + column];
		uint32_t glyph = chart_glyph(cell, ascii, false);
		if (glyph == ' ')
			continue;
		char bytes[4];
		text_repeat(out, " ", column - used);
		text_add(out, bytes, utf8_encode(glyph, bytes));
		used = column + 1;
	}
	text_puts(out, "\n");
}

static void bins_x_axis(const struct chart *chart, const struct bin *bins, size_t count, bool ascii,
	struct text *out)
{
	struct bins_glyphs glyphs = bins_glyphs(ascii);
	const char *label = bins_y_label(chart, chart->height);
	bins_gutter(out, label ? label : "0", glyphs.corner, ascii);
	int tick = 0;
	for (int column = 0; column < chart->width && column < (int)count; column++) {
		bool is_tick = tick < chart->x_count && chart->x[tick].position == column;
		while (tick < chart->x_count && chart->x[tick].position <= column)
			tick++;
		text_puts(out, is_tick                  ? glyphs.floor_tick
			       : bins[column].count > 0 ? glyphs.floor
							: glyphs.empty);
	}
	text_puts(out, "\n");
	if (chart->x_count == 0)
		return;
	int used = -BINS_GUTTER;
	for (int i = 0; i < chart->x_count; i++) {
		int column = chart_label_column(chart, i);
		text_repeat(out, " ", column - used);
		text_puts(out, chart->x[i].text);
		used = column + text_width(chart->x[i].text, strlen(chart->x[i].text));
	}
	text_puts(out, "\n");
}

/* "  GiB   █ mean  ░ max        11:30:05 to 12:11:17, UTC+02:00" */
static void bins_legend(const struct report_input *input, const struct chart *chart,
	enum chart_series series, struct text *out)
{
	const struct query *query = &input->options->query;
	const struct clock *clock = &input->clock;
	bool ascii = input->options->ascii;
	const char *solid = ascii ? "#" : "█", *shade = ascii ? ":" : "░";
	char from[UNIT_SIZE], to[UNIT_SIZE], zone[UNIT_SIZE];
	struct text line = {0};
	text_field(&line, chart->y_unit, strlen(chart->y_unit), BINS_GUTTER - 2, true, ascii);
	if (series == SERIES_BOTH)
		text_printf(&line, "   %s mean  %s max   ", solid, shade);
	else
		text_printf(&line, "   %s %s   ", solid, series == SERIES_MAX ? "max" : "mean");
	int64_t step = bins_step_ns(input, (size_t)chart->width);
	text_printf(&line, "%s to %s", parts_moment(input, from, query->first, step),
		parts_moment(input, to, query->last, step));
	if (input->is_absolute) {
		int64_t start = clock->start_ns + clock_time(clock, query->first);
		int32_t offset = clock->has_offset ? clock->offset_s : units_local_offset(start);
		text_printf(&line, ", %s", units_zone(zone, offset));
	}
	parts_line(input, out, line.data);
	text_free(&line);
}

void bins_chart(
	const struct report_input *input, int height, enum chart_series series, struct text *out)
{
	const struct query *query = &input->options->query;
	int width = input->options->columns - BINS_GUTTER;
	if (width > 1000)
		width = 1000;
	if (width < 8 || bins_range(input) == 0)
		return;
	struct bin *bins = memory_new((size_t)width, sizeof *bins);
	size_t count = timeline_bins(
		input->pyramid, query->first, query->last, query->thread, bins, (size_t)width);
	struct chart chart = chart_layout(bins, count, width, height, series, &input->clock,
		input->is_absolute, query->first, query->last);
	bins_legend(input, &chart, series, out);
	for (int row = 0; row < chart.height; row++)
		bins_chart_row(&chart, row, input->options->ascii, out);
	bins_x_axis(&chart, bins, count, input->options->ascii, out);
	chart_free(&chart);
	free(bins);
}
