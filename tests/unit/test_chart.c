/* SPDX-License-Identifier: MIT */
/* The timeline's chart: scale, columns, axes (screens.md 3.2). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
		cmocka_unit_test(test_elapsed_labels),
		cmocka_unit_test(test_labels_keep_their_distance),
		cmocka_unit_test(test_samples_without_time),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
