/* SPDX-License-Identifier: MIT */
#include "query/timeline.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 64, VIEWER_EDGES = 100 };

struct block {
	__int128 sum;
	int64_t max, min;
};

struct pyramid {
	const struct profile *profile;
	struct block *blocks; /* NULL without memory */
};

struct pyramid *pyramid_build(const struct profile *profile)
{
	struct pyramid *pyramid = memory_new(1, sizeof *pyramid);
	pyramid->profile = profile;
	if (!profile_has_memory(profile))
		return pyramid;
	pyramid->blocks = memory_new(profile->sample_count / BLOCK + 1, sizeof *pyramid->blocks);
	for (size_t i = 0; i < profile->sample_count; i++) {
		struct block *block = &pyramid->blocks[i / BLOCK];
		int64_t kib = profile_memory_kib(profile, i);
		if (i % BLOCK == 0)
			block->max = block->min = kib;
		block->sum += kib;
		block->max = kib > block->max ? kib : block->max;
		block->min = kib < block->min ? kib : block->min;
	}
	return pyramid;
}

void pyramid_free(struct pyramid *pyramid)
{
	if (!pyramid)
		return;
	free(pyramid->blocks);
	free(pyramid);
}

/* ---- one bin, while it is added up; KiB -------------------------------------------------- */

struct tally {
	__int128 sum;
	int64_t max, min;
	uint64_t count, first, last; /* samples */
	uint64_t max_at; /* the sample, or the first one of the block that has the max */
	bool max_in_block;
};

static void tally_extreme(struct tally *tally, int64_t max, int64_t min, uint64_t at, bool in_block)
{
	if (tally->count == 0 || max > tally->max) {
		tally->max = max;
		tally->max_at = at;
		tally->max_in_block = in_block;
	}
	if (tally->count == 0 || min < tally->min)
		tally->min = min;
}

static void tally_sample(
	struct tally *tally, const struct profile *profile, uint64_t i, int32_t thread)
{
	if (thread >= 0 && profile->sample_thread && profile->sample_thread[i] != (uint32_t)thread)
		return;
	int64_t kib = profile_has_memory(profile) ? profile_memory_kib(profile, i) : 0;
	tally_extreme(tally, kib, kib, i, false);
	if (tally->count == 0)
		tally->first = i;
	tally->last = i;
	tally->sum += kib;
	tally->count++;
}

static void tally_block(struct tally *tally, const struct block *block, uint64_t first)
{
	tally_extreme(tally, block->max, block->min, first, true);
	if (tally->count == 0)
		tally->first = first;
	tally->last = first + BLOCK - 1;
	tally->sum += block->sum;
	tally->count += BLOCK;
}

static struct tally tally_range(
	const struct pyramid *pyramid, uint64_t first, uint64_t last, int32_t thread)
{
	const struct profile *profile = pyramid->profile;
	struct tally tally = {0};
	bool by_block = pyramid->blocks && (thread < 0 || !profile->sample_thread);
	for (uint64_t i = first; i < last;) {
		if (by_block && i % BLOCK == 0 && i + BLOCK <= last) {
			tally_block(&tally, &pyramid->blocks[i / BLOCK], i);
			i += BLOCK;
		} else {
			tally_sample(&tally, profile, i++, thread);
		}
	}
	while (tally.max_in_block && profile_memory_kib(profile, tally.max_at) != tally.max)
		tally.max_at++;
	return tally;
}

static int64_t timeline_bytes(int64_t kib)
{
	int64_t bytes;
	return __builtin_mul_overflow(kib, INT64_C(1024), &bytes) ? INT64_MAX : bytes;
}

static struct bin timeline_make_bin(
	const struct pyramid *pyramid, uint64_t first, uint64_t last, int32_t thread)
{
	const struct profile *profile = pyramid->profile;
	struct tally tally = tally_range(pyramid, first, last, thread);
	struct bin bin = {.first = first, .last = last, .count = tally.count};
	if (tally.count == 0 || !profile_has_memory(profile))
		return bin;
	bin.mean = (double)((long double)tally.sum * 1024 / (long double)tally.count);
	bin.max = timeline_bytes(tally.max);
	bin.min = timeline_bytes(tally.min);
	bin.max_sample = tally.max_at;
	bin.value_first = timeline_bytes(profile_memory_kib(profile, tally.first));
	bin.value_last = timeline_bytes(profile_memory_kib(profile, tally.last));
	return bin;
}

size_t timeline_bins(const struct pyramid *pyramid, uint64_t first, uint64_t last, int32_t thread,
	struct bin *bins, size_t wanted)
{
	uint64_t samples = pyramid->profile->sample_count;
	last = last < samples ? last : samples;
	if (first >= last)
		return 0;
	uint64_t length = last - first;
	size_t count = wanted < length ? wanted : (size_t)length;
	for (size_t i = 0; i < count; i++) {
		uint64_t from = first + (uint64_t)((unsigned __int128)i * length / count);
		uint64_t to = first + (uint64_t)((unsigned __int128)(i + 1) * length / count);
		bins[i] = timeline_make_bin(pyramid, from, to, thread);
	}
	return count;
}

size_t timeline_viewer_bins(
	const struct pyramid *pyramid, double x0, double x1, struct bin bins[99])
{
	double samples = (double)pyramid->profile->sample_count;
	if (isnan(x0) || isnan(x1))
		return 0;
	double start = trunc(x0 > 0 ? x0 : 0), end = trunc(x1 < samples ? x1 : samples);
	if (!(end - start >= 2))
		return 0; /* one edge or none: the server shows nothing, or fails */
	size_t edges = end - start < VIEWER_EDGES ? (size_t)(end - start) : VIEWER_EDGES;
	/* In doubles and in this order, as the server's numpy does: the rounding decides some
	 * edges. */
	double step = (end - start) / (double)(edges - 1);
	for (size_t i = 0; i + 1 < edges; i++) {
		double left = floor((double)i * step + start);
		double right = i + 2 == edges ? end : floor((double)(i + 1) * step + start);
		uint64_t first = (uint64_t)left + (i > 0), last = (uint64_t)right + 1;
		last = last < pyramid->profile->sample_count ? last
							     : pyramid->profile->sample_count;
		bins[i] = timeline_make_bin(pyramid, first, last, -1);
	}
	return edges - 1;
}

/* ---- peaks ------------------------------------------------------------------------------- */

/* The first bin of a stretch of equal maxima with lower ones, or the end, on both sides. */
static bool timeline_is_peak(const struct bin *bins, size_t count, size_t i)
{
	size_t before = i, after = i;
	while (before > 0 && bins[before - 1].count == 0)
		before--;
	if (bins[i].count == 0 || (before > 0 && bins[before - 1].max >= bins[i].max))
		return false;
	while (after + 1 < count &&
		(bins[after + 1].count == 0 || bins[after + 1].max == bins[i].max))
		after++;
	return after + 1 == count || bins[after + 1].max < bins[i].max;
}

size_t timeline_peak(const struct bin *bins, size_t count, size_t from, int direction)
{
	for (size_t i = from; direction > 0 ? i + 1 < count : i > 0;) {
		i = direction > 0 ? i + 1 : i - 1;
		if (timeline_is_peak(bins, count, i))
			return i;
	}
	return from;
}
