/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_SAMPLE_SET_H
#define VPTOP_QUERY_SAMPLE_SET_H

#include "query/query.h"

/*
 * Samples in whose stack a row stands that was searched for: one bit a sample, so that a bin is
 * looked up in a few steps. Zero-initialise; one pass over the samples makes it.
 */
struct sample_set {
	uint64_t *bits; /* [sample_count / 64 + 1] */
	uint64_t sample_count;
	uint64_t count;    /* samples in it */
	uint8_t *has_node; /* [node_count]: 1: the node or one of its callers is such a row */
};

/* Of the samples of `thread` (-1: all) that no filter drops; `rows`[row_count]: 1: searched for.
 * Free it with sample_set_free. */
struct sample_set sample_set_of_rows(
	const struct calltree *tree, const uint8_t *rows, int32_t thread);
void sample_set_free(struct sample_set *set);

/* The first one of samples [first, last), the last one where `from_end`; `last` where there is
 * none. */
uint64_t sample_set_find(
	const struct sample_set *set, uint64_t first, uint64_t last, bool from_end);

#endif
