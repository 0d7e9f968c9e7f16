/* SPDX-License-Identifier: MIT */
/* The timeline's chart: scale, columns, axes (screens.md 3.2). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "layout/chart.h"

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)
#define SECOND INT64_C(1000000000)

enum { WIDTH = 90, HEIGHT = 12 };

/* A run of `samples` samples over `length_ns`, begun at 2026-11-30 11:30:05 UTC+02:00. */
static struct clock make_clock(uint64_t samples, int64_t length_ns)
{
	return (struct clock){
		.kind = TIME_NOMINAL,
		.has_date = true,
		.has_offset = true,
		.start_ns = INT64_C(1796031005) * SECOND,
		.offset_s = 7200,
		.length_ns = length_ns,
		.samples = samples,
	};
}

/* `count` bins of ten samples each, all of the same mean and max. */
static void make_bins(struct bin *bins, size_t count, double mean, int64_t max)
{
	for (size_t i = 0; i < count; i++)
		bins[i] = (struct bin){
			.first = i * 10,
			.last = i * 10 + 10,
			.count = 10,
			.mean = mean,
			.max = max,
			.max_sample = i * 10,
		};
}

static struct chart make_chart(const struct bin *bins, size_t count, enum chart_series series,
	bool is_absolute, int64_t length)
{
	struct clock clock = make_clock(count * 10, length);
	return chart_layout(bins, count, WIDTH, HEIGHT, series, &clock, is_absolute, 0, count * 10);
}

static struct chart_cell cell_at(const struct chart *chart, int column, int row)
{
	return chart->cells[row * chart->width + column];
}

static const char *label_at(const struct chart *chart, int column)
{
	for (int i = 0; i < chart->x_count; i++)
		if (chart->x[i].position == column)
			return chart->x[i].text;
	return "";
}

static bool has_label(const struct chart *chart, const char *text)
{
	for (int i = 0; i < chart->x_count; i++)
		if (strcmp(chart->x[i].text, text) == 0)
			return true;
	return false;
}

static void test_scale(void **state)
{
	(void)state;
	const struct {
		int64_t max, top;
		const char *unit, *second;
		int labels;
	} cases[] = {
		{1884 * MIB, 2 * GIB, "GiB", "0.5", 5},
		{1100 * MIB, GIB + GIB / 4, "GiB", "0.25", 6},
		{900 * MIB, 1000 * MIB, "MiB", "200", 6},
		{2 * GIB, 2 * GIB, "GiB", "0.5", 5},
		{2 * GIB + 1, 2 * GIB + GIB / 2, "GiB", "0.5", 6},
		{7 * GIB, 7 * GIB + GIB / 2, "GiB", "2.5", 4},
		{61 * 1024, 75 * 1024, "KiB", "25", 4},
		{512, 1024 / 2, "KiB", "0.1", 6},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bin bins[WIDTH];
		make_bins(bins, WIDTH, 0, cases[i].max);
		struct chart chart = make_chart(bins, WIDTH, SERIES_BOTH, false, 900 * SECOND);
		assert_int_equal(chart.top, cases[i].top);
		assert_string_equal(chart.y_unit, cases[i].unit);
		assert_string_equal(chart.y[1].text, cases[i].second);
		assert_int_equal(chart.y_count, cases[i].labels);
		assert_string_equal(chart.y[0].text, "0");
		assert_int_equal(chart.y[0].position, HEIGHT);
		assert_int_equal(chart.y[chart.y_count - 1].position, 0);
		chart_free(&chart);
	}
}

static void test_scale_of_any_size(void **state)
{
	(void)state;
	for (int64_t max = 0; max >= 0 && max < INT64_MAX / 3; max = max * 3 / 2 + 1) {
		for (int height = 1; height < 30; height += 3) {
			struct bin bin = {
				.last = 1, .count = 1, .mean = (double)max / 2, .max = max};
			struct clock clock = make_clock(1, SECOND);
			struct chart chart =
				chart_layout(&bin, 1, 1, height, SERIES_BOTH, &clock, true, 0, 1);
			assert_true(chart.top >= max && chart.top > 0);
			assert_true(chart.y_count >= 2 && chart.y_count <= 6);
			assert_true(max < 4096 || chart.top <= max * 2 + 1024 || height < 4);
			for (int i = 1; i < chart.y_count; i++) {
				assert_true(chart.y[i].position < chart.y[i - 1].position);
				assert_true(strlen(chart.y[i].text) < 8);
			}
			chart_free(&chart);
		}
	}
}

static void test_columns(void **state)
{
	(void)state;
	struct bin bins[4];
	make_bins(bins, 4, 0, 0);
	bins[0].max = 15 * GIB;
	bins[0].mean = 15.0 * GIB;
	bins[1].max = 5 * GIB;
	bins[1].mean = 2.0 * GIB;
	bins[2].count = 0;
	bins[3].max = 1;
	bins[3].mean = 1;
	struct clock clock = make_clock(40, 40 * SECOND);
	struct chart chart =
		chart_layout(bins, 4, 4, 15, SERIES_BOTH, &clock, false, 0, 40); /* a row: 1 GiB */
	assert_int_equal(chart.top, 15 * GIB);
	for (int row = 0; row < 15; row++) {
		assert_int_equal(cell_at(&chart, 0, row).ink, INK_MEAN);
		assert_int_equal(cell_at(&chart, 0, row).eighth, 8);
	}
	assert_int_equal(cell_at(&chart, 1, 13).ink, INK_MEAN);
	for (int row = 10; row < 13; row++)
		assert_int_equal(cell_at(&chart, 1, row).ink, INK_MAX);
	assert_int_equal(cell_at(&chart, 1, 9).ink, INK_NONE);
	for (int row = 0; row < 15; row++)
		assert_int_equal(cell_at(&chart, 2, row).ink, INK_NONE);
	/* Something is not nothing. */
	assert_int_equal(cell_at(&chart, 3, 14).ink, INK_MEAN);
	assert_int_equal(cell_at(&chart, 3, 14).eighth, 1);
	chart_free(&chart);
}

static void test_top_of_the_mean_below_the_max(void **state)
{
	(void)state;
	struct bin bin = {.last = 1, .count = 1, .mean = 2.5 * GIB, .max = 2 * GIB + GIB * 3 / 4};
	struct clock clock = make_clock(1, SECOND);
	struct chart chart = chart_layout(&bin, 1, 1, 3, SERIES_BOTH, &clock, false, 0, 1);
	assert_int_equal(chart.top, 5 * GIB); /* three rows of 5/3 GiB */
	struct chart_cell cell = cell_at(&chart, 0, 1);
	assert_int_equal(cell.ink, INK_MEAN_ON_MAX);
	assert_int_equal(cell.eighth, 4);
	assert_int_equal(chart_glyph(cell, false, false), 0x2584);
	assert_int_equal(cell_at(&chart, 0, 0).ink, INK_NONE);
	chart_free(&chart);
}

static void test_spike_shows_in_every_mode(void **state)
{
	(void)state;
	struct bin bins[WIDTH];
	make_bins(bins, WIDTH, 0.5 * GIB, GIB / 2);
	bins[57].max = 1950 * MIB;
	int64_t top = 0;
	for (int series = SERIES_MAX; series <= SERIES_BOTH; series++) {
		struct chart chart =
			make_chart(bins, WIDTH, (enum chart_series)series, false, 900 * SECOND);
		assert_true(top == 0 || chart.top == top); /* toggling does not jump */
		top = chart.top;
		int ink = cell_at(&chart, 57, 0).ink;
		assert_int_equal(ink, series == SERIES_MEAN  ? INK_NONE
				      : series == SERIES_MAX ? INK_MEAN
							     : INK_MAX);
		assert_int_equal(cell_at(&chart, 56, 0).ink, INK_NONE);
		chart_free(&chart);
	}
}

static void test_glyphs(void **state)
{
	(void)state;
	struct chart_cell none = {INK_NONE, 0};
	struct chart_cell low = {INK_MEAN, 2};
	struct chart_cell low_on_max = {INK_MEAN_ON_MAX, 3};
	struct chart_cell high = {INK_MEAN, 4};
	struct chart_cell max = {INK_MAX, 8};
	assert_int_equal(chart_glyph(none, false, false), ' ');
	assert_int_equal(chart_glyph(low, false, false), 0x2582);
	assert_int_equal(chart_glyph(high, false, true), 0x2588);
	assert_int_equal(chart_glyph(low, false, true), ' ');
	assert_int_equal(chart_glyph(low_on_max, false, true), 0x2591);
	assert_int_equal(chart_glyph(max, false, false), 0x2591);
	assert_int_equal(chart_glyph(high, true, false), '#');
	assert_int_equal(chart_glyph(low_on_max, true, false), ':');
	assert_int_equal(chart_glyph(max, true, false), ':');
}

static void test_clock_labels(void **state)
{
	(void)state;
	struct bin bins[WIDTH];
	make_bins(bins, WIDTH, 1, 1);
	struct chart chart = make_chart(bins, WIDTH, SERIES_BOTH, true, 2472 * SECOND);
	assert_int_equal(chart.x_step, 300 * SECOND);
	assert_string_equal(chart.x[0].text, "11:35");
	/* 11:35:00 is 295 s after the start: bin 10 of 90. */
	assert_int_equal(chart.x[0].position, 10);
	assert_true(has_label(&chart, "12:10"));
	chart_free(&chart);
	/* A minute: seconds show. */
	chart = make_chart(bins, WIDTH, SERIES_BOTH, true, 60 * SECOND);
	assert_true(has_label(&chart, "11:30:20"));
	chart_free(&chart);
	/* A day and a half: midnight is named after its day. */
	chart = make_chart(bins, WIDTH, SERIES_BOTH, true, 36 * 3600 * SECOND);
	assert_true(has_label(&chart, "Tue 1"));
	assert_true(has_label(&chart, "12:00"));
	assert_false(has_label(&chart, "00:00"));
	chart_free(&chart);
	/* Ten days. */
	chart = make_chart(bins, WIDTH, SERIES_BOTH, true, 10 * 86400 * SECOND);
	assert_true(has_label(&chart, "Wed 2"));
	chart_free(&chart);
}

/* All labels of the x axis, one blank between them; free() it. */
static char *all_labels(const struct chart *chart)
{
	char *all = calloc(MAX_CHART_TICKS, CHART_LABEL_SIZE + 1);
	for (int i = 0; i < chart->x_count; i++) {
		strcat(all, i > 0 ? " " : "");
		strcat(all, chart->x[i].text);
	}
	return all;
}

/* The labels of a run in local time: from `start_s` on, over `hours`. */
static void check_local(int64_t start_s, double hours, const char *expected)
{
	static struct bin bins[WIDTH];
	make_bins(bins, WIDTH, 1, 1);
	struct clock clock = make_clock(WIDTH * 10, (int64_t)(hours * 3600) * SECOND);
	clock.has_offset = false;
	clock.start_ns = start_s * SECOND;
	struct chart chart =
		chart_layout(bins, WIDTH, WIDTH, HEIGHT, SERIES_BOTH, &clock, true, 0, WIDTH * 10);
	char *labels = all_labels(&chart);
	assert_string_equal(labels, expected);
	for (int i = 1; i < chart.x_count; i++)
		assert_true(chart.x[i].position > chart.x[i - 1].position);
	free(labels);
	chart_free(&chart);
}

static void test_clock_changes(void **state)
{
	(void)state;
	const char *old = getenv("TZ");
	char *kept = old ? strdup(old) : NULL;
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	if (units_local_offset(INT64_C(1774760400) * SECOND) != 7200) {
		free(kept);
		skip(); /* no table of time zones here */
	}
	const int64_t spring = 1774746000; /* Sunday 2026-03-29, 02:00 CET = 03:00 CEST */
	const int64_t autumn = 1792890000; /* Sunday 2026-10-25, 03:00 CEST = 02:00 CET */
	/* Hours step in UTC: one is not there in spring, one is there twice in autumn. */
	check_local(spring - 3 * 3600, 6.5, "23:00 Sun 29 01:00 03:00 04:00 05:00 06:00");
	check_local(autumn - 3 * 3600, 6.5, "Sun 25 01:00 02:00 02:00 03:00 04:00 05:00");
	/* Longer steps stay at round times of the clock, so a day is called by its own name. */
	check_local(
		spring - 14 * 3600, 48, "12:00 18:00 Sun 29 06:00 12:00 18:00 Mon 30 06:00 12:00");
	check_local(autumn - 15 * 3600, 48, "12:00 18:00 Sun 25 06:00 12:00 18:00 Mon 26 06:00");
	check_local(spring - 40 * 3600, 6 * 24, "Sat 28 Sun 29 Mon 30 Tue 31 Wed 1 Thu 2");
	check_local(autumn - 40 * 3600, 6 * 24, "Sat 24 Sun 25 Mon 26 Tue 27 Wed 28 Thu 29");
	/* Every third hour. */
	check_local(spring - 3 * 3600, 13, "Sun 29 03:00 06:00 09:00 12:00");
	if (kept)
		setenv("TZ", kept, 1);
	else
		unsetenv("TZ");
	tzset();
	free(kept);
}

static void check_labels(
	int64_t length, bool is_absolute, uint64_t first, uint64_t last, const char *expected)
{
	struct bin bins[WIDTH];
	struct clock clock = make_clock(900000, length);
	for (size_t i = 0; i < WIDTH; i++)
		bins[i] = (struct bin){.first = first + (last - first) * i / WIDTH,
			.last = first + (last - first) * (i + 1) / WIDTH,
			.count = 1};
	struct chart chart = chart_layout(
		bins, WIDTH, WIDTH, HEIGHT, SERIES_BOTH, &clock, is_absolute, first, last);
	char *labels = all_labels(&chart);
	assert_string_equal(labels, expected);
	free(labels);
	chart_free(&chart);
}

static void test_labels_of_long_and_short_stretches(void **state)
{
	(void)state;
	const int64_t day = 86400 * SECOND;
	/* Three days from Monday 11:30 on: midnight is where the next day begins. */
	check_labels(3 * day, true, 0, 900000, "12:00 Tue 1 12:00 Wed 2 12:00 Thu 3");
	/* Twenty minutes of them around midnight. */
	check_labels(3 * day, true, 153000, 158000, "23:45 23:50 23:55 Tue 1 00:05");
	/* Half a minute. */
	check_labels(
		3 * day, true, 1000, 1100, "11:34:55 11:35:00 11:35:05 11:35:10 11:35:15 11:35:20");
	/* A run of 0.9 s, by the clock and since its start. */
	check_labels(SECOND * 9 / 10, true, 0, 900000,
		"11:30:05.0 11:30:05.2 11:30:05.4 11:30:05.6 11:30:05.8");
	check_labels(SECOND * 9 / 10, false, 0, 900000,
		"0 +0.1s +0.2s +0.3s +0.4s +0.5s +0.6s +0.7s +0.8s");
	check_labels(3 * day, false, 0, 900000, "0 +12h +1d +1d12h +2d +2d12h");
	check_labels(9000 * SECOND, false, 0, 900000,
		"0 +15m +30m +45m +1h00 +1h15 +1h30 +1h45 +2h00 +2h15");
}

static void test_elapsed_labels(void **state)
{
	(void)state;
	struct bin bins[WIDTH];
	make_bins(bins, WIDTH, 1, 1);
	struct chart chart = make_chart(bins, WIDTH, SERIES_BOTH, false, 3 * 3600 * SECOND);
	assert_string_equal(chart.x[0].text, "0");
	assert_int_equal(chart.x[0].position, 0);
	assert_string_equal(label_at(&chart, 30), "+1h00");
	assert_true(has_label(&chart, "+1h30"));
	chart_free(&chart);
	chart = make_chart(bins, WIDTH, SERIES_BOTH, false, 40 * 60 * SECOND);
	assert_true(has_label(&chart, "+20m"));
	chart_free(&chart);
	chart = make_chart(bins, WIDTH, SERIES_BOTH, false, 100 * SECOND);
	assert_true(has_label(&chart, "+30s"));
	assert_true(has_label(&chart, "+1m30"));
	chart_free(&chart);
	chart = make_chart(bins, WIDTH, SERIES_BOTH, false, SECOND / 10);
	assert_true(has_label(&chart, "+0.05s"));
	chart_free(&chart);
}

static void test_labels_keep_their_distance(void **state)
{
	(void)state;
	static struct bin bins[200];
	make_bins(bins, 200, 1, 1);
	for (int width = 8; width <= 200; width += 3) {
		for (int64_t length = SECOND / 100; length < 400 * 86400 * SECOND;
			length = length * 5 / 3) {
			for (int mode = 0; mode < 2; mode++) {
				struct clock clock = make_clock((uint64_t)width * 10, length);
				struct chart chart = chart_layout(bins, (size_t)width, width, 5,
					SERIES_BOTH, &clock, mode == 1, 0, (uint64_t)width * 10);
				int edge = -3;
				for (int i = 0; i < chart.x_count; i++) {
					int column = chart_label_column(&chart, i);
					assert_true(column >= edge + 3);
					edge = column + (int)strlen(chart.x[i].text);
					assert_true(edge <= width);
					assert_true(chart.x[i].position >= 0 &&
						    chart.x[i].position < width);
				}
				if (width >= 40)
					assert_true(chart.x_count >= 1);
				chart_free(&chart);
			}
		}
	}
}

/* Three samples of a second each in thirty columns each: ticks stand where their moment is. */
static void test_bins_of_several_columns(void **state)
{
	(void)state;
	struct bin bins[WIDTH];
	for (uint64_t i = 0; i < WIDTH; i++)
		bins[i] = (struct bin){.first = i / 30, .last = i / 30 + 1, .count = 1, .max = 1};
	struct clock clock = make_clock(3, 3 * SECOND);
	struct chart chart =
		chart_layout(bins, WIDTH, WIDTH, HEIGHT, SERIES_MAX, &clock, false, 0, 3);
	assert_int_equal(chart.x_step, SECOND / 2);
	assert_string_equal(label_at(&chart, 0), "0");
	assert_string_equal(label_at(&chart, 15), "+0.5s");
	assert_string_equal(label_at(&chart, 30), "+1.0s");
	assert_string_equal(label_at(&chart, 75), "+2.5s");
	chart_free(&chart);
}

static void test_samples_without_time(void **state)
{
	(void)state;
	struct bin bins[WIDTH];
	make_bins(bins, WIDTH, 1, 1);
	struct clock clock = {.kind = TIME_NONE, .samples = 900, .length_ns = 900};
	struct chart chart = chart_layout(bins, WIDTH, WIDTH, 5, SERIES_MAX, &clock, true, 0, 900);
	assert_string_equal(chart.x[0].text, "#0");
	assert_string_equal(label_at(&chart, 50), "#500");
	chart_free(&chart);
}

static void test_moments(void **state)
{
	(void)state;
	char out[UNIT_SIZE];
	struct clock clock = make_clock(1000, 1000 * SECOND);
	assert_string_equal(chart_moment(out, &clock, 90, true, SECOND), "11:31:35");
	assert_string_equal(chart_moment(out, &clock, 90, false, SECOND), "+1m30s");
	clock.is_estimate = true;
	assert_string_equal(chart_moment(out, &clock, 0, true, SECOND), "11:30:05");
	assert_string_equal(chart_moment(out, &clock, 90, true, SECOND), "~11:31:35");
	clock.length_ns = 1000 * 60 * SECOND;
	assert_string_equal(chart_moment(out, &clock, 900, true, SECOND), "~Tue 1 02:30:05");
	clock.kind = TIME_STRETCHED;
	assert_string_equal(chart_moment(out, &clock, 1000, false, SECOND), "+16h40m00s");
	clock.kind = TIME_NONE;
	assert_string_equal(chart_moment(out, &clock, 90, true, SECOND), "#90");
}

static void test_nothing(void **state)
{
	(void)state;
	struct clock clock = {.kind = TIME_NONE};
	struct chart chart = chart_layout(NULL, 0, 80, 10, SERIES_BOTH, &clock, true, 0, 0);
	assert_int_equal(chart.x_count, 0);
	assert_true(chart.top > 0);
	chart_free(&chart);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_scale_of_any_size),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_top_of_the_mean_below_the_max),
		cmocka_unit_test(test_spike_shows_in_every_mode),
		cmocka_unit_test(test_glyphs),
		cmocka_unit_test(test_clock_labels),
		cmocka_unit_test(test_clock_changes),
		cmocka_unit_test(test_labels_of_long_and_short_stretches),
		cmocka_unit_test(test_elapsed_labels),
		cmocka_unit_test(test_labels_keep_their_distance),
		cmocka_unit_test(test_bins_of_several_columns),
		cmocka_unit_test(test_samples_without_time),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
