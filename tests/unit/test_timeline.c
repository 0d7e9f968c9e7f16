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

#include "query/sample_set.h"
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

/* A run whose sample i has kib[i] of memory, of two stacks in turn. */
static struct profile *make_memory(const int64_t *kib, size_t n)
{
	struct making making;
	making_start(&making);
	for (size_t i = 0; i < n; i++)
		making_add(&making, i % 2 ? "main;odd 1" : "main;even 1", kib[i]);
	return making_finish(&making);
}

/* The first sample of the peak; -1: none. */
static int64_t peak_after(
	const struct pyramid *pyramid, struct bin_grid grid, size_t from, int direction)
{
	struct bin peak;
	if (!timeline_peak(pyramid, &grid, from, direction, &peak))
		return -1;
	return (int64_t)peak.first;
}

static void test_peaks(void **state)
{
	(void)state;
	static const int64_t kib[] = {5, 3, 3, 9, 9, 2, 2, 7, 1, 8};
	struct profile *profile = make_memory(kib, 10);
	struct pyramid *pyramid = pyramid_build(profile);
	const struct bin_grid all = {0, 10, 10};
	assert_int_equal(peak_after(pyramid, all, 0, 1), 3);
	assert_int_equal(peak_after(pyramid, all, 3, 1), 7);
	assert_int_equal(peak_after(pyramid, all, 7, 1), 9); /* the end of the run is lower */
	assert_int_equal(peak_after(pyramid, all, 9, 1), -1);
	assert_int_equal(peak_after(pyramid, all, 9, -1), 7);
	assert_int_equal(peak_after(pyramid, all, 7, -1), 3); /* of equal ones the first */
	assert_int_equal(peak_after(pyramid, all, 3, -1), 0);
	assert_int_equal(peak_after(pyramid, all, 0, -1), -1);
	/* What is shown ends in a rise: that is no peak, the run goes on. */
	const struct bin_grid part = {5, 8, 3};
	assert_int_equal(peak_after(pyramid, part, 0, 1), 7);
	assert_int_equal(peak_after(pyramid, part, 2, 1), 9);
	assert_int_equal(peak_after(pyramid, part, 2, -1), 3);
	/* Bins of two samples: 5 9 9 7 8. */
	const struct bin_grid pairs = {4, 8, 2};
	assert_int_equal(peak_after(pyramid, pairs, 0, 1), 8);
	assert_int_equal(peak_after(pyramid, pairs, 1, -1), 2);
	pyramid_free(pyramid);
	profile_free(profile);
}

/* The same by looking at each bin: the next one with lower neighbours, equal ones taken as one. */
static int64_t plain_peak(const int64_t *kib, int64_t n, int64_t from, int direction)
{
	for (int64_t i = from + direction; i >= 0 && i < n; i += direction) {
		int64_t first = i;
		int64_t last = i;
		while (first > 0 && kib[first - 1] == kib[i])
			first--;
		while (last + 1 < n && kib[last + 1] == kib[i])
			last++;
		bool holds_start = from >= first && from <= last;
		bool is_peak = (first == 0 || kib[first - 1] < kib[i]) &&
			       (last + 1 == n || kib[last + 1] < kib[i]);
		if (is_peak && !holds_start)
			return first;
	}
	return -1;
}

static void test_peaks_in_flat_memory(void **state)
{
	(void)state;
	enum { N = 3000 };
	static int64_t kib[N];
	uint32_t seed = 5;
	for (int i = 0; i < N; i++) { /* long flat stretches, as RSS has them */
		seed = seed * 1664525u + 1013904223u;
		kib[i] = i > 0 && seed >> 24 ? kib[i - 1] : 10 + (seed >> 8) % 9;
	}
	struct profile *profile = make_memory(kib, N);
	struct pyramid *pyramid = pyramid_build(profile);
	for (int64_t from = 0; from < N; from += 7) {
		/* Shown are 80 samples somewhere; the rest of the run is looked at all the same. */
		uint64_t first = (uint64_t)(from < N - 80 ? from : N - 80);
		const struct bin_grid grid = {first, first + 80, 80};
		for (int direction = -1; direction < 2; direction += 2)
			assert_int_equal(peak_after(pyramid, grid, (size_t)(from - (int64_t)first),
						 direction),
				plain_peak(kib, N, from, direction));
	}
	pyramid_free(pyramid);
	profile_free(profile);
}

/* Samples that a filter drops are in no bin; a bin without any is empty. */
static void test_filtered_bins(void **state)
{
	(void)state;
	static const int64_t kib[] = {1, 9, 2, 8, 3, 7};
	struct profile *profile = make_memory(kib, 6);
	struct pyramid *pyramid = pyramid_build(profile);
	struct query query;
	query_init(&query, profile);
	query.filters[FILTER_FOCUS] = "even";
	struct calltree *tree = calltree_build(profile, &query, NULL);
	struct pyramid *passing = pyramid_build_of(profile, tree, -1);
	struct bin bins[6];
	assert_int_equal(timeline_bins(passing, 0, 6, -1, bins, 3), 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(bins[i].count, 1);
		assert_int_equal(bins[i].max, (i + 1) * 1024);
	}
	assert_int_equal(timeline_bins(passing, 0, 6, -1, bins, 6), 6);
	assert_int_equal(bins[1].count, 0);
	assert_int_equal(timeline_bins(pyramid, 0, 6, -1, bins, 3), 3);
	assert_int_equal(bins[0].max, 9 * 1024);
	const struct bin_grid grid = {0, 6, 6};
	assert_int_equal(peak_after(passing, grid, 0, 1), 4);
	assert_int_equal(peak_after(pyramid, grid, 0, 1), 1);
	struct bin_detail detail = bin_detail_most(tree, 0, 6, -1, 10);
	assert_int_equal(detail.count, 6);
	assert_int_equal(detail.dropped_count, 3);
	assert_int_equal(detail.empty_count, 3);
	assert_int_equal(detail.thread_count, 0);
	bin_detail_free(&detail);
	pyramid_free(passing);
	calltree_free(tree);
	pyramid_free(pyramid);
	profile_free(profile);
}

/* A pyramid of one thread says what the pyramid of all says when it is asked for that thread. */
static void test_pyramid_of_a_thread(void **state)
{
	(void)state;
	for (int has_memory = 0; has_memory < 2; has_memory++) {
		struct making making;
		making_start(&making);
		frame_id frame = builder_frame(&making.builder, 77, 0, CODE_PYTHON);
		stack_id stack = builder_child(&making.builder, 0, frame);
		uint32_t seed = 1;
		for (int i = 0; i < 1000; i++) {
			seed = seed * 1664525u + 1013904223u;
			uint64_t thread = i > 300 && i < 500 ? 7 : (seed >> 20) % 3;
			builder_sample(&making.builder, stack, 1,
				has_memory ? (int64_t)(seed >> 16) % 50 : -1, thread);
		}
		struct profile *profile = making_finish(&making);
		struct pyramid *all = pyramid_build(profile);
		for (int32_t thread = 0; thread < (int32_t)profile->thread_count; thread++) {
			struct pyramid *part = pyramid_build_of(profile, NULL, thread);
			for (size_t wanted = 1; wanted < 60; wanted += 3) {
				struct bin a[60] = {{0}};
				struct bin b[60] = {{0}};
				assert_int_equal(timeline_bins(all, 13, 990, thread, a, wanted),
					timeline_bins(part, 13, 990, -1, b, wanted));
				for (size_t i = 0; i < wanted; i++) {
					assert_int_equal(a[i].count, b[i].count);
					assert_int_equal(a[i].max, b[i].max);
					assert_int_equal(a[i].min, b[i].min);
					assert_int_equal(a[i].max_sample, b[i].max_sample);
					assert_int_equal(a[i].value_first, b[i].value_first);
					assert_int_equal(a[i].value_last, b[i].value_last);
					assert_true(a[i].mean == b[i].mean);
				}
			}
			pyramid_free(part);
		}
		pyramid_free(all);
		profile_free(profile);
	}
}

/* The most frequent ones are the first of all of them, whatever their order. */
static void test_most_frequent(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	uint32_t seed = 3;
	for (int i = 0; i < 3000; i++) {
		char folded[40];
		seed = seed * 1664525u + 1013904223u;
		snprintf(folded, sizeof folded, "main;f%u 1",
			(seed >> 8) % (1 + (seed >> 20) % 400));
		making_add(&making, folded, (int64_t)(seed >> 12));
	}
	struct profile *profile = making_finish(&making);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	struct bin_detail all = bin_detail_build(tree, 10, 2900, -1, false);
	assert_int_equal(all.rest_count, 0);
	for (size_t most = 1; most <= all.tail_count; most += most < 5 ? 1 : 37) {
		struct bin_detail some = bin_detail_most(tree, 10, 2900, -1, most);
		assert_int_equal(some.tail_count, most);
		assert_int_equal(some.rest_count, all.tail_count - most);
		assert_int_equal(some.prefix, all.prefix);
		assert_memory_equal(some.tails, all.tails, most * sizeof *some.tails);
		bin_detail_free(&some);
	}
	for (size_t i = 1; i < all.tail_count; i++)
		assert_true(all.tails[i - 1].count >= all.tails[i].count);
	bin_detail_free(&all);
	calltree_free(tree);
	profile_free(profile);
}

static void test_sample_set(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	for (int i = 0; i < 300; i++)
		making_add(&making, i % 67 == 3 ? "main;rare;leaf 1" : "main;common 1", -1);
	struct profile *profile = making_finish(&making);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	size_t count;
	uint32_t *rows = rows_matching(tree, "rare", &count, NULL);
	uint8_t *hits = calloc(tree->row_count, 1);
	for (size_t i = 0; i < count; i++)
		hits[rows[i]] = 1;
	struct sample_set set = sample_set_of_rows(tree, hits, -1);
	assert_int_equal(
		set.count, 5); /* 3, 70, 137, 204, 271: the leaf counts, its caller matches */
	assert_int_equal(sample_set_find(&set, 0, 300, false), 3);
	assert_int_equal(sample_set_find(&set, 4, 300, false), 70);
	assert_int_equal(sample_set_find(&set, 4, 70, false), 70); /* none: the end */
	assert_int_equal(sample_set_find(&set, 0, 300, true), 271);
	assert_int_equal(sample_set_find(&set, 0, 271, true), 204);
	assert_int_equal(sample_set_find(&set, 0, 3, true), 3);
	assert_int_equal(sample_set_find(&set, 272, 1000, true), 1000);
	for (uint64_t first = 0; first < 300; first++) {
		for (uint64_t last = first; last <= 300; last += 13) {
			uint64_t expected = first;
			while (expected < last && expected % 67 != 3)
				expected++;
			assert_int_equal(sample_set_find(&set, first, last, false),
				expected < last ? expected : last);
		}
	}
	sample_set_free(&set);
	free(hits);
	free(rows);
	calltree_free(tree);
	profile_free(profile);
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
		cmocka_unit_test(test_peaks_in_flat_memory),
		cmocka_unit_test(test_filtered_bins),
		cmocka_unit_test(test_pyramid_of_a_thread),
		cmocka_unit_test(test_most_frequent),
		cmocka_unit_test(test_sample_set),
		cmocka_unit_test(test_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
