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
	uint8_t *counts;      /* samples of each block that are in it; NULL: all */
	/* Which samples are in it. */
	const uint32_t *threads; /* NULL: those of any thread */
	uint32_t thread;
	const struct calltree *tree; /* whose filters drop some; NULL: none does */
};

static bool pyramid_has(const struct pyramid *pyramid, uint64_t i)
{
	if (pyramid->threads && pyramid->threads[i] != pyramid->thread)
		return false;
	return !pyramid->tree || calltree_node_of_sample(pyramid->tree, i) != NODE_DROPPED;
}

static void pyramid_add(struct pyramid *pyramid, uint64_t i, unsigned count_before)
{
	struct block *block = &pyramid->blocks[i / BLOCK];
	int64_t kib = profile_memory_kib(pyramid->profile, i);
	if (count_before == 0)
		block->max = block->min = kib;
	block->sum += kib;
	block->max = kib > block->max ? kib : block->max;
	block->min = kib < block->min ? kib : block->min;
}

struct pyramid *pyramid_build(const struct profile *profile)
{
	return pyramid_build_of(profile, NULL, -1);
}

struct pyramid *pyramid_build_of(
	const struct profile *profile, const struct calltree *tree, int32_t thread)
{
	struct pyramid *pyramid = memory_new(1, sizeof *pyramid);
	size_t count = profile->sample_count / BLOCK + 1;
	bool has_memory = profile_has_memory(profile);
	pyramid->profile = profile;
	pyramid->threads = thread >= 0 ? profile->sample_thread : NULL;
	pyramid->thread = (uint32_t)thread;
	pyramid->tree = tree && (tree->node_of_stack || tree->set_passes) ? tree : NULL;
	bool is_all = !pyramid->threads && !pyramid->tree;
	if (has_memory)
		pyramid->blocks = memory_new(count, sizeof *pyramid->blocks);
	if (!is_all)
		pyramid->counts = memory_new(count, sizeof *pyramid->counts);
	for (size_t i = 0; i < profile->sample_count && (has_memory || !is_all); i++) {
		if (!pyramid_has(pyramid, i))
			continue;
		if (has_memory)
			pyramid_add(pyramid, i, is_all ? i % BLOCK : pyramid->counts[i / BLOCK]);
		if (!is_all)
			pyramid->counts[i / BLOCK]++;
	}
	return pyramid;
}

void pyramid_free(struct pyramid *pyramid)
{
	if (!pyramid)
		return;
	free(pyramid->blocks);
	free(pyramid->counts);
	free(pyramid);
}

/* ---- one bin, while it is added up; KiB -------------------------------------------------- */

struct tally {
	__int128 sum;
	int64_t max, min;
	uint64_t count;
	/* Samples, or the start of the block that has them. */
	uint64_t first, last, max_at;
	bool first_in_block, last_in_block, max_in_block;
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
	if (tally->count == 0) {
		tally->first = at;
		tally->first_in_block = in_block;
	}
	tally->last = at;
	tally->last_in_block = in_block;
}

static void tally_sample(struct tally *tally, const struct pyramid *pyramid, uint64_t i)
{
	const struct profile *profile = pyramid->profile;
	int64_t kib = pyramid->blocks ? profile_memory_kib(profile, i) : 0;
	tally_extreme(tally, kib, kib, i, false);
	tally->sum += kib;
	tally->count++;
}

static void tally_block(struct tally *tally, const struct pyramid *pyramid, uint64_t first)
{
	static const struct block no_memory;
	const struct block *block = pyramid->blocks ? &pyramid->blocks[first / BLOCK] : &no_memory;
	unsigned count = pyramid->counts ? pyramid->counts[first / BLOCK] : BLOCK;
	if (count == 0)
		return;
	tally_extreme(tally, block->max, block->min, first, true);
	tally->sum += block->sum;
	tally->count += count;
}

/* Blocks become the samples that were meant. */
static void tally_resolve(struct tally *tally, const struct pyramid *pyramid)
{
	while (tally->first_in_block && !pyramid_has(pyramid, tally->first))
		tally->first++;
	if (tally->last_in_block)
		tally->last += BLOCK - 1;
	while (tally->last_in_block && !pyramid_has(pyramid, tally->last))
		tally->last--;
	while (tally->max_in_block && pyramid->blocks &&
		(!pyramid_has(pyramid, tally->max_at) ||
			profile_memory_kib(pyramid->profile, tally->max_at) != tally->max))
		tally->max_at++;
}

/* `threads`: another choice than the pyramid's own, or NULL. */
static struct tally tally_range(const struct pyramid *pyramid, uint64_t first, uint64_t last,
	const uint32_t *threads, uint32_t thread)
{
	struct tally tally = {0};
	for (uint64_t i = first; i < last;) {
		if (!threads && i % BLOCK == 0 && i + BLOCK <= last) {
			tally_block(&tally, pyramid, i);
			i += BLOCK;
			continue;
		}
		if (pyramid_has(pyramid, i) && (!threads || threads[i] == thread))
			tally_sample(&tally, pyramid, i);
		i++;
	}
	if (tally.count > 0)
		tally_resolve(&tally, pyramid);
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
	struct tally tally = tally_range(pyramid, first, last,
		thread >= 0 ? profile->sample_thread : NULL, (uint32_t)thread);
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

/* Bins of the same size as those shown, over the whole run; shown is 0 .. grid->count - 1. */
static uint64_t peak_edge(const struct bin_grid *grid, int64_t i, uint64_t samples)
{
	__int128 offset = (__int128)i * (int64_t)(grid->last - grid->first);
	__int128 count = (int64_t)grid->count;
	__int128 edge = (__int128)grid->first + offset / count - (offset % count < 0);
	return edge < 0 ? 0 : edge > (__int128)samples ? samples : (uint64_t)edge;
}

static bool peak_bin(
	const struct pyramid *pyramid, const struct bin_grid *grid, int64_t i, struct bin *bin)
{
	uint64_t samples = pyramid->profile->sample_count;
	uint64_t first = peak_edge(grid, i, samples);
	uint64_t last = peak_edge(grid, i + 1, samples);
	if (first >= last)
		return false;
	*bin = timeline_make_bin(pyramid, first, last, -1);
	return true;
}

/*
 * Memory often stays the same for long: where bins are smaller than blocks, the last one before the
 * end of a block all of whose samples have this value.
 */
static int64_t peak_skip(const struct pyramid *pyramid, const struct bin_grid *grid, int64_t i,
	const struct bin *bin, int direction)
{
	const struct block *block = &pyramid->blocks[bin->first / BLOCK];
	uint64_t length = grid->last - grid->first;
	uint64_t left = direction > 0 ? BLOCK - bin->first % BLOCK : bin->first % BLOCK;
	bool is_flat = grid->count * BLOCK / length > 2 && block->max == block->min &&
		       timeline_bytes(block->max) == bin->max;
	if (!is_flat)
		return i;
	int64_t steps = (int64_t)(left * grid->count / length) - 2;
	return steps > 0 ? i + direction * steps : i;
}

bool timeline_peak(const struct pyramid *pyramid, const struct bin_grid *grid, size_t from,
	int direction, struct bin *peak)
{
	struct bin bin;
	bool has_before = false;
	bool has_risen = false;
	int64_t before = 0;
	if (!pyramid->blocks || grid->count == 0 || grid->first >= grid->last)
		return false;
	/* What the first step is compared with: `from`, or the nearest bin behind that is not
	 * empty. */
	for (int64_t i = (int64_t)from; !has_before && peak_bin(pyramid, grid, i, &bin);
		i -= direction) {
		has_before = bin.count > 0;
		before = bin.max;
	}
	for (int64_t i = (int64_t)from + direction; peak_bin(pyramid, grid, i, &bin);
		i += direction) {
		if (bin.count == 0)
			continue;
		if (has_risen && bin.max < before)
			return true;
		/* Of equal ones the first in time is the peak. */
		if (!has_before || bin.max > before ||
			(has_risen && bin.max == before && direction < 0)) {
			*peak = bin;
			has_risen = true;
		} else if (bin.max < before) {
			has_risen = false;
		}
		has_before = true;
		before = bin.max;
		i = peak_skip(pyramid, grid, i, &bin, direction);
	}
	return has_risen;
}
