/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_TIMELINE_H
#define VPTOP_QUERY_TIMELINE_H

#include "query/query.h"

/*
 * The timeline: samples in order of time, cut into bins. Default bins are half-open with the edges
 * floor(i * N / B) over the samples shown, so every sample is in exactly one (numbers.md, own rule
 * 1).
 */

struct bin {
	uint64_t first, last; /* samples [first, last) */
	uint64_t count;   /* samples of the chosen thread in it; 0: an empty bin, the rest has no
			     meaning */
	double mean;      /* bytes; exact sum, rounded once */
	int64_t max, min; /* bytes */
	int64_t value_first, value_last; /* bytes, of its first and last sample */
	uint64_t max_sample;             /* the first sample with that max */
};

/*
 * Sums, maxima and minima over blocks of 64 samples, so that any zoom is re-binned in under a
 * millisecond. Built once a profile. A profile without memory has a pyramid without values.
 */
struct pyramid;
struct pyramid *pyramid_build(const struct profile *profile);
/* The same of a part of the samples: those of `thread` (-1: all) that the filters of `tree` (NULL:
 * none) let through. The tree must outlive it. */
struct pyramid *pyramid_build_of(
	const struct profile *profile, const struct calltree *tree, int32_t thread);
void pyramid_free(struct pyramid *pyramid);

/*
 * Fills bins[wanted] over samples [first, last) of `thread` (-1: all) and returns how many were
 * made: fewer than wanted where there are fewer samples (one sample a bin then). Values are 0 where
 * the profile has no memory; counts are right all the same.
 */
size_t timeline_bins(const struct pyramid *pyramid, uint64_t first, uint64_t last, int32_t thread,
	struct bin *bins, size_t wanted);

/*
 * The bins of the vmprof-viewer server over x0..x1 (sample index, as its request has them): at most
 * 99, right-closed, the first one a sample longer (vmprof-viewer-msgpack.md section 7). bins[99].
 * first..last of a bin are its samples as a half-open range.
 */
size_t timeline_viewer_bins(
	const struct pyramid *pyramid, double x0, double x1, struct bin bins[99]);

/* ---- what ran in a bin ---------------------------------------------------- */

struct tail {
	uint32_t node;  /* of the call tree: the whole stack */
	uint64_t count; /* samples */
	double mean;    /* bytes of memory over them; 0 without memory */
	int64_t max;
};

struct bin_detail {
	uint64_t count; /* all samples of the range and thread, empty and dropped stacks included */
	uint64_t empty_count;   /* of them: without a frame (or dropped by a filter) */
	uint64_t dropped_count; /* of these: dropped by a filter */
	bool begins_empty;      /* the first sample is one of the empty ones */
	uint32_t thread_count;  /* threads with a sample in it; 0: one thread was chosen, or the
				   profile has but one */
	uint32_t prefix; /* node: the longest prefix common to all stacks that are not empty; 0:
			    none */
	struct tail
		*tails; /* different whole stacks, most frequent first; equals: first seen first */
	size_t tail_count;
	size_t rest_count; /* less frequent ones that are not in `tails` (bin_detail_most) */
};

/*
 * What ran in samples [first, last) of `thread` (-1: all), in the nodes of `tree` (made with any
 * range). `as_viewer`: the reference server's rule, where a first sample with an empty stack
 * empties the prefix (numbers.md 3.5 rule 8).
 */
struct bin_detail bin_detail_build(
	const struct calltree *tree, uint64_t first, uint64_t last, int32_t thread, bool as_viewer);
/* The same with the `most` most frequent tails only, which is faster over millions of samples. */
struct bin_detail bin_detail_most(
	const struct calltree *tree, uint64_t first, uint64_t last, int32_t thread, size_t most);
void bin_detail_free(struct bin_detail *detail);

/* ---- peaks ---------------------------------------------------------------- */

/* Samples [first, last) cut into `count` > 0 bins. */
struct bin_grid {
	uint64_t first, last;
	size_t count;
};

/*
 * The next (direction +1) or previous (-1) local maximum of bins[i].max after bin `from` of the
 * grid, which goes on over the whole run with bins of the same size. Of a stretch of equal maxima
 * it is the first bin in time; an end of the run counts as lower. False where there is none, or no
 * memory.
 */
bool timeline_peak(const struct pyramid *pyramid, const struct bin_grid *grid, size_t from,
	int direction, struct bin *peak);

#endif
