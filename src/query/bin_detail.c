/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "profile/tree.h"
#include "query/timeline.h"

/*
 * Two passes over the samples: how often each stack was seen; then, for the stacks that are
 * wanted, their memory. So a long range costs one small number a stack, not a whole record.
 */

enum { BIN_AHEAD = 24 }; /* samples between fetching a counter and using it */

struct bin_counter {
	const struct calltree *tree;
	uint64_t first, last;
	int32_t thread;
	uint32_t *seen;  /* [node_count]: samples; later which tail it is, from 1 on; 0: none */
	uint32_t *nodes; /* different stacks, first seen first */
	size_t count, capacity;
	uint32_t lowest, highest; /* nodes */
	bool begins_empty;
};

static uint32_t bin_node(const struct calltree *tree, uint64_t sample)
{
	return calltree_node_of_sample(tree, sample);
}

static bool bin_is_chosen(const struct bin_counter *counter, uint64_t sample)
{
	const uint32_t *threads = counter->tree->profile->sample_thread;
	return counter->thread < 0 || !threads || threads[sample] == (uint32_t)counter->thread;
}

/* The counter of a sample that comes soon: there are more of them than a cache holds. */
static void bin_fetch(const struct bin_counter *counter, uint64_t sample)
{
	if (sample + BIN_AHEAD >= counter->last)
		return;
	uint32_t node = bin_node(counter->tree, sample + BIN_AHEAD);
	if (node != NODE_DROPPED)
		__builtin_prefetch(&counter->seen[node], 1);
}

static void bin_note_node(struct bin_counter *counter, uint32_t node)
{
	counter->nodes = array_grow(
		counter->nodes, &counter->capacity, counter->count + 1, sizeof *counter->nodes);
	counter->nodes[counter->count++] = node;
	counter->lowest = node < counter->lowest ? node : counter->lowest;
	counter->highest = node > counter->highest ? node : counter->highest;
}

static void bin_count_samples(struct bin_counter *counter, struct bin_detail *detail)
{
	for (uint64_t i = counter->first; i < counter->last; i++) {
		bin_fetch(counter, i);
		if (!bin_is_chosen(counter, i))
			continue;
		uint32_t node = bin_node(counter->tree, i);
		detail->count++;
		if (node != 0 && node != NODE_DROPPED) {
			if (counter->seen[node]++ == 0)
				bin_note_node(counter, node);
			continue;
		}
		detail->empty_count++;
		detail->dropped_count += node == NODE_DROPPED;
		if (detail->count == 1)
			counter->begins_empty = true;
	}
}

static uint32_t bin_count_threads(const struct bin_counter *counter)
{
	const struct profile *profile = counter->tree->profile;
	uint32_t count = 0;
	if (!profile->sample_thread || counter->thread >= 0)
		return 0;
	bool *has_run = memory_new(profile->thread_count, sizeof *has_run);
	for (uint64_t i = counter->first; i < counter->last && count < profile->thread_count; i++) {
		uint32_t thread = profile->sample_thread[i];
		count += !has_run[thread];
		has_run[thread] = true;
	}
	free(has_run);
	return count;
}

/* ---- the most frequent ones -------------------------------------------------------------- */

static int bin_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* Brings the `wanted` largest of keys[count], which are all different, to its start. */
static void bin_select(uint64_t *keys, size_t count, size_t wanted)
{
	size_t low = 0;
	size_t high = count;
	while (high - low > 1 && wanted > low && wanted < high) {
		uint64_t pivot = keys[low + (high - 1 - low) / 2];
		size_t i = low;
		size_t k = high;
		for (;;) { /* Hoare's way: up to k are the keys >= pivot, then those <= pivot */
			while (keys[i] > pivot)
				i++;
			do
				k--;
			while (keys[k] < pivot);
			if (i >= k)
				break;
			uint64_t key = keys[i];
			keys[i++] = keys[k];
			keys[k] = key;
		}
		if (wanted <= k + 1)
			high = k + 1;
		else
			low = k + 1;
	}
}

/* The tails in order, without memory; counter->seen says from now on which tail a node is. */
static void bin_make_tails(struct bin_counter *counter, size_t most, struct bin_detail *detail)
{
	uint64_t *keys = memory_new(counter->count, sizeof *keys);
	for (size_t i = 0; i < counter->count; i++) {
		keys[i] = (uint64_t)counter->seen[counter->nodes[i]] << 32 |
			  (UINT32_MAX - (uint32_t)i);
		counter->seen[counter->nodes[i]] = 0;
	}
	size_t kept = counter->count < most ? counter->count : most;
	bin_select(keys, counter->count, kept);
	if (kept > 1)
		qsort(keys, kept, sizeof *keys, bin_compare);
	detail->tails = memory_new(kept, sizeof *detail->tails);
	detail->tail_count = kept;
	detail->rest_count = counter->count - kept;
	for (size_t i = 0; i < kept; i++) {
		struct tail *tail = &detail->tails[i];
		tail->node = counter->nodes[UINT32_MAX - (uint32_t)keys[i]];
		tail->count = keys[i] >> 32;
		counter->seen[tail->node] = (uint32_t)i + 1;
	}
	free(keys);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void bin_add_memory(const struct bin_counter *counter, struct bin_detail *detail)
{
	const struct profile *profile = counter->tree->profile;
	struct {
		__int128 sum; /* KiB */
		int64_t max;
	} *tallies = memory_new(detail->tail_count, sizeof *tallies);
	/* A bit a node fits into a cache where seen[] does not. */
	uint64_t *is_tail = memory_new(counter->tree->node_count / 64 + 1, sizeof *is_tail);
	for (size_t i = 0; i < detail->tail_count; i++)
		is_tail[detail->tails[i].node / 64] |= UINT64_C(1) << detail->tails[i].node % 64;
	for (uint64_t i = counter->first; i < counter->last; i++) {
		uint32_t node = bin_node(counter->tree, i);
		if (node == NODE_DROPPED || !(is_tail[node / 64] >> node % 64 & 1) ||
			!bin_is_chosen(counter, i))
			continue;
		int64_t kib = profile_memory_kib(profile, i);
		tallies[counter->seen[node] - 1].sum += kib;
		if (kib > tallies[counter->seen[node] - 1].max)
			tallies[counter->seen[node] - 1].max = kib;
	}
	for (size_t i = 0; i < detail->tail_count; i++) {
		struct tail *tail = &detail->tails[i];
		if (__builtin_mul_overflow(tallies[i].max, INT64_C(1024), &tail->max))
			tail->max = INT64_MAX;
		tail->mean =
			(double)((long double)tallies[i].sum * 1024 / (long double)tail->count);
	}
	free(tallies);
	free(is_tail);
}

struct bin_detail bin_detail_most(
	const struct calltree *tree, uint64_t first, uint64_t last, int32_t thread, size_t most)
{
	const struct profile *profile = tree->profile;
	struct bin_detail detail = {0};
	struct bin_counter counter = {.tree = tree,
		.first = first,
		.last = last < profile->sample_count ? last : profile->sample_count,
		.thread = thread,
		.lowest = UINT32_MAX};
	bool is_long = counter.last > first && counter.last - first > tree->node_count / 8;
	counter.seen = is_long ? memory_new_table(tree->node_count, sizeof *counter.seen)
			       : memory_new(tree->node_count, sizeof *counter.seen);
	bin_count_samples(&counter, &detail);
	detail.thread_count = bin_count_threads(&counter);
	detail.begins_empty = counter.begins_empty;
	if (counter.count > 0)
		detail.prefix =
			tree_common(tree->parent, tree->end, counter.lowest, counter.highest);
	bin_make_tails(&counter, most, &detail);
	if (profile_has_memory(profile) && detail.tail_count > 0)
		bin_add_memory(&counter, &detail);
	free(counter.seen);
	free(counter.nodes);
	return detail;
}

struct bin_detail bin_detail_build(
	const struct calltree *tree, uint64_t first, uint64_t last, int32_t thread, bool as_viewer)
{
	struct bin_detail detail = bin_detail_most(tree, first, last, thread, SIZE_MAX);
	if (as_viewer && detail.begins_empty)
		detail.prefix = 0;
	return detail;
}

void bin_detail_free(struct bin_detail *detail)
{
	free(detail->tails);
	*detail = (struct bin_detail){0};
}
