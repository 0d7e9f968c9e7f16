/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "profile/tree.h"
#include "query/timeline.h"

/* A tail while samples are counted. */
struct bin_tally {
	uint32_t node;
	uint32_t order; /* of the first sample with it */
	uint64_t count;
	__int128 sum; /* KiB */
	int64_t max;
};

static int bin_compare(const void *a, const void *b)
{
	const struct bin_tally *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

struct bin_counter {
	const struct calltree *tree;
	uint32_t *slot; /* [node_count]: index into tallies + 1 */
	struct bin_tally *tallies;
	size_t count, capacity;
	uint32_t lowest, highest; /* nodes */
};

static void bin_add(struct bin_counter *counter, uint32_t node, size_t sample)
{
	const struct profile *profile = counter->tree->profile;
	if (counter->slot[node] == 0) {
		counter->tallies = array_grow(counter->tallies, &counter->capacity,
			counter->count + 1, sizeof *counter->tallies);
		counter->tallies[counter->count] =
			(struct bin_tally){.node = node, .order = (uint32_t)counter->count};
		counter->slot[node] = (uint32_t)++counter->count;
		counter->lowest = node < counter->lowest ? node : counter->lowest;
		counter->highest = node > counter->highest ? node : counter->highest;
	}
	struct bin_tally *tally = &counter->tallies[counter->slot[node] - 1];
	tally->count++;
	if (!profile_has_memory(profile))
		return;
	int64_t kib = profile_memory_kib(profile, sample);
	tally->sum += kib;
	tally->max = kib > tally->max ? kib : tally->max;
}

struct bin_detail bin_detail_build(
	const struct calltree *tree, uint64_t first, uint64_t last, int32_t thread, bool as_viewer)
{
	const struct profile *profile = tree->profile;
	struct bin_detail detail = {0};
	struct bin_counter counter = {.tree = tree, .lowest = UINT32_MAX};
	bool begins_empty = false;
	counter.slot = memory_new(tree->node_count, sizeof *counter.slot);
	last = last < profile->sample_count ? last : profile->sample_count;
	for (uint64_t i = first; i < last; i++) {
		if (thread >= 0 && profile->sample_thread &&
			profile->sample_thread[i] != (uint32_t)thread)
			continue;
		stack_id stack = profile->sample_stack[i];
		uint32_t node = tree->node_of_stack ? tree->node_of_stack[stack] : stack;
		detail.count++;
		if (node != 0 && node != NODE_DROPPED)
			bin_add(&counter, node, i);
		else
			detail.empty_count++;
		begins_empty = begins_empty || (detail.count == 1 && detail.empty_count == 1);
	}
	free(counter.slot);
	if (counter.count > 0 && !(as_viewer && begins_empty))
		detail.prefix =
			tree_common(tree->parent, tree->end, counter.lowest, counter.highest);

	if (counter.count > 1)
		qsort(counter.tallies, counter.count, sizeof *counter.tallies, bin_compare);
	detail.tail_count = counter.count;
	detail.tails = memory_new(counter.count, sizeof *detail.tails);
	for (size_t i = 0; i < counter.count; i++) {
		const struct bin_tally *tally = &counter.tallies[i];
		int64_t max;
		if (__builtin_mul_overflow(tally->max, INT64_C(1024), &max))
			max = INT64_MAX;
		detail.tails[i] = (struct tail){.node = tally->node,
			.count = tally->count,
			.mean = (double)((long double)tally->sum * 1024 /
					 (long double)tally->count),
			.max = max};
	}
	free(counter.tallies);
	return detail;
}

void bin_detail_free(struct bin_detail *detail)
{
	free(detail->tails);
	*detail = (struct bin_detail){0};
}
