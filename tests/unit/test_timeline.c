/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/timeline.h"
#include "unit/make_profile.h"

/* n samples of one stack, memory i + 1 KiB, but for a spike. */
static struct profile *ramp(size_t n, size_t spike)
{
	struct making making;
	making_start(&making);
	for (size_t i = 0; i < n; i++)
		making_add(&making, "main;work 1", i == spike ? 1000000 : (int64_t)i + 1);
	return making_finish(&making);
}

/* Every sample is in one bin, and each bin says what a plain scan says. */
static void check_bins(const struct profile *profile, uint64_t first, uint64_t last, size_t wanted)
{
	struct pyramid *pyramid = pyramid_build(profile);
	struct bin *bins = calloc(wanted + 1, sizeof *bins);
	size_t count = timeline_bins(pyramid, first, last, -1, bins, wanted);
	uint64_t length = last > first ? last - first : 0, next = first;
	assert_int_equal(count, wanted < length ? wanted : length);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(bins[i].first, next);
		assert_true(bins[i].last > bins[i].first);
		assert_int_equal(bins[i].count, bins[i].last - bins[i].first);
		next = bins[i].last;
		int64_t sum = 0, max = INT64_MIN, min = INT64_MAX;
		uint64_t at = 0;
		for (uint64_t k = bins[i].first; k < bins[i].last; k++) {
			int64_t bytes = profile_memory_kib(profile, k) * 1024;
			sum += bytes;
			at = bytes > max ? k : at;
			max = bytes > max ? bytes : max;
			min = bytes < min ? bytes : min;
		}
		assert_int_equal(bins[i].max, max);
		assert_int_equal(bins[i].min, min);
		assert_int_equal(bins[i].max_sample, at);
		assert_true(fabs(bins[i].mean - (double)sum / (double)bins[i].count) < 1e-3);
		assert_int_equal(
			bins[i].value_first, profile_memory_kib(profile, bins[i].first) * 1024);
		assert_int_equal(
			bins[i].value_last, profile_memory_kib(profile, bins[i].last - 1) * 1024);
	}
	if (count > 0)
		assert_int_equal(next, last);
	free(bins);
	pyramid_free(pyramid);
}

static void test_bins(void **state)
{
	(void)state;
	static const size_t sizes[] = {1, 2, 3, 63, 64, 65, 128, 1000, 5003};
	static const size_t wanted[] = {1, 2, 7, 80, 200, 6000};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct profile *profile = ramp(sizes[s], sizes[s] / 2);
		for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
			check_bins(profile, 0, sizes[s], wanted[w]);
			check_bins(profile, sizes[s] / 3, sizes[s], wanted[w]);
			check_bins(profile, sizes[s] / 3, sizes[s] / 3, wanted[w]);
		}
		profile_free(profile);
	}
}

static void test_no_samples(void **state)
{
	(void)state;
	struct profile *profile = ramp(0, 0);
	struct pyramid *pyramid = pyramid_build(profile);
	struct bin bins[99];
	assert_int_equal(timeline_bins(pyramid, 0, 0, -1, bins, 10), 0);
	assert_int_equal(timeline_viewer_bins(pyramid, 0, INFINITY, bins), 0);
	pyramid_free(pyramid);
	profile_free(profile);
}

/* vmprof-viewer-msgpack.md section 7, "[ran] facts". */
static void check_viewer(
	size_t n, double x0, double x1, size_t count, uint64_t first_size, uint64_t second_x)
{
	struct profile *profile = ramp(n, n);
	struct pyramid *pyramid = pyramid_build(profile);
	struct bin bins[99];
	assert_int_equal(timeline_viewer_bins(pyramid, x0, x1, bins), count);
	if (count > 0)
		assert_int_equal(bins[0].count, first_size);
	if (count > 1)
		assert_int_equal(bins[1].first - 1, second_x); /* the left edge is not in it */
	pyramid_free(pyramid);
	profile_free(profile);
}

static void test_viewer_bins(void **state)
{
	(void)state;
	check_viewer(1, 0, INFINITY, 0, 0, 0);
	check_viewer(2, 0, INFINITY, 1, 2, 0);
	check_viewer(5, 0, INFINITY, 4, 2, 1);
	check_viewer(250, 0, INFINITY, 99, 3, 2);
	check_viewer(10000, 0, INFINITY, 99, 102, 101);
	check_viewer(10, 3, 6, 2, 2, 4);
	check_viewer(10, 5, 5, 0, 0, 0);
	check_viewer(10, 7, 3, 0, 0, 0);
	check_viewer(10, -4, 1.9, 0, 0, 0);
	check_viewer(10, (double)NAN, 5, 0, 0, 0);
}

static void check_detail(const char *const *stacks, size_t n, bool as_viewer, const char *prefix,
	const char *leaf, uint64_t count, size_t tails)
{
	struct making making;
	making_start(&making);
	for (size_t i = 0; i < n; i++)
		making_add(&making, stacks[i], 10);
	struct profile *profile = making_finish(&making);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	struct bin_detail detail = bin_detail_build(tree, 0, profile->sample_count, -1, as_viewer);
	const struct row *last = &tree->rows[tree->row[detail.prefix]];
	assert_string_equal(profile_string(profile, last->name, NULL), prefix);
	assert_int_equal(detail.tail_count, tails);
	if (tails > 0) {
		last = &tree->rows[tree->row[detail.tails[0].node]];
		assert_string_equal(profile_string(profile, last->name, NULL), leaf);
		assert_int_equal(detail.tails[0].count, count);
		assert_int_equal(detail.tails[0].max, 10240);
	}
	bin_detail_free(&detail);
	calltree_free(tree);
	profile_free(profile);
}

static void test_bin_detail(void **state)
{
	(void)state;
	check_detail((const char *[]){"m;a;b 3", "m;a;c 2", "m;a 1"}, 3, false, "a", "b", 3, 3);
	check_detail((const char *[]){"m;a;b 1"}, 1, false, "b", "b", 1, 1);
	check_detail((const char *[]){"x 1", "y 1"}, 2, false, "", "x", 1,
		2); /* a tie: the first one met */
	check_detail((const char *[]){"y 1", "x 1"}, 2, false, "", "y", 1, 2);
	/* A leading empty stack empties the reference's prefix for good; ours leaves it out. */
	check_detail((const char *[]){" 1", "m;a 2"}, 2, true, "", "a", 2, 1);
	check_detail((const char *[]){" 1", "m;a 2"}, 2, false, "a", "a", 2, 1);
	check_detail((const char *[]){"m;a 2", " 1"}, 2, true, "a", "a", 2, 1);
	check_detail((const char *[]){" 3"}, 1, false, "", "", 0, 0);
}

static void test_peaks(void **state)
{
	(void)state;
	static const int64_t max[] = {5, 3, 3, 9, 9, 2, 0, 7, 1, 8};
	struct bin bins[10] = {{0}};
	for (size_t i = 0; i < 10; i++) {
		bins[i].max = max[i];
		bins[i].count = i != 6;
	}
	assert_int_equal(timeline_peak(bins, 10, 0, 1), 3);
	assert_int_equal(timeline_peak(bins, 10, 3, 1), 7);
	assert_int_equal(timeline_peak(bins, 10, 7, 1), 9);
	assert_int_equal(timeline_peak(bins, 10, 9, 1), 9);
	assert_int_equal(timeline_peak(bins, 10, 9, -1), 7);
	assert_int_equal(timeline_peak(bins, 10, 3, -1), 0);
}

static void test_clock(void **state)
{
	(void)state;
	struct profile *profile = ramp(1000, 1000);
	profile->has_start = profile->has_end = profile->has_offset = true;
	profile->start_ns = INT64_C(1480000000) * 1000000000; /* 2016-11-24T15:06:40Z */
	profile->end_ns = profile->start_ns + INT64_C(100) * 1000000000;
	profile->offset_s = 7200;
	struct clock clock = clock_make(profile, CLOCK_AUTO);
	assert_int_equal(clock.kind, TIME_STRETCHED);
	assert_true(clock.is_estimate); /* 100 s of run, 10 s sampled */
	assert_int_equal(clock_time(&clock, 0), 0);
	assert_int_equal(clock_time(&clock, 1000), INT64_C(100000000000));
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(clock_sample(&clock, clock_time(&clock, i)), i);
	assert_int_equal(clock_duration_ns(profile), INT64_C(100000000000));
	assert_int_equal(clock_sampled_ns(profile), INT64_C(10000000000));
	clock = clock_make(profile, CLOCK_NOMINAL);
	assert_int_equal(clock.kind, TIME_NOMINAL);
	assert_int_equal(clock.length_ns, INT64_C(10000000000));
	profile->is_realtime = true; /* one thread, wall clock: nominal is the truth */
	clock = clock_make(profile, CLOCK_AUTO);
	assert_int_equal(clock.kind, TIME_NOMINAL);
	assert_false(clock.is_estimate);
	profile->is_realtime = false;

	clock = clock_make(profile, CLOCK_AUTO);
	static const struct {
		const char *text;
		int64_t ns;
	} moments[] = {{"+20s", INT64_C(20000000000)}, {"+1m30s", INT64_C(90000000000)},
		{"#500", INT64_C(50000000000)}, {"50%", INT64_C(50000000000)},
		{"17:07:00", INT64_C(20000000000)}, {"17:07", INT64_C(20000000000)},
		{"2016-11-24T15:07:00Z", INT64_C(20000000000)},
		{"2016-11-24 17:07", INT64_C(20000000000)}, {"+5h", INT64_C(100000000000)},
		{"2010-01-01T00:00:00Z", 0}};
	for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
		int64_t ns = -1;
		assert_true(clock_parse(&clock, moments[i].text, &ns, NULL));
		assert_int_equal(ns, moments[i].ns);
	}
	static const char *const wrong[] = {
		"", "yesterday", "25:99", "+", "#x", "101%", "+5parsecs"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		int64_t ns;
		struct vp_error err = {0};
		assert_false(clock_parse(&clock, wrong[i], &ns, &err));
		assert_int_equal(err.code, ERROR_USAGE);
	}
	profile->is_truncated = true; /* cut off: nobody knows how long it ran */
	profile->has_end = false;
	assert_int_equal(clock_duration_ns(profile), -1);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_no_samples),
		cmocka_unit_test(test_viewer_bins),
		cmocka_unit_test(test_bin_detail),
		cmocka_unit_test(test_peaks),
		cmocka_unit_test(test_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
