/* SPDX-License-Identifier: MIT */
#include "query/sample_set.h"

#include <stdlib.h>

struct sample_set sample_set_of_rows(
	const struct calltree *tree, const uint8_t *rows, int32_t thread)
{
	const struct profile *profile = tree->profile;
	struct sample_set set = {.sample_count = profile->sample_count};
	set.bits = memory_new(profile->sample_count / 64 + 1, sizeof *set.bits);
	set.has_node = memory_new(tree->node_count, sizeof *set.has_node);
	/* Callers come before what they call. */
	for (uint32_t node = 1; node < tree->node_count; node++)
		set.has_node[node] = rows[tree->row[node]] | set.has_node[tree->parent[node]];
	const uint32_t *threads = thread >= 0 ? profile->sample_thread : NULL;
	for (uint64_t i = 0; i < set.sample_count; i++) {
		if (threads && threads[i] != (uint32_t)thread)
			continue;
		const uint32_t node = calltree_node_of_sample(tree, i);
		uint64_t bit = node == NODE_DROPPED ? 0 : set.has_node[node];
		set.bits[i / 64] |= bit << i % 64;
		set.count += bit;
	}
	return set;
}

void sample_set_free(struct sample_set *set)
{
	free(set->bits);
	free(set->has_node);
	*set = (struct sample_set){0};
}

/* The bits of samples [first, last) among the 64 of word `word`. */
static uint64_t sample_set_word(
	const struct sample_set *set, uint64_t word, uint64_t first, uint64_t last)
{
	uint64_t bits = set->bits[word];
	if (first > word * 64)
		bits &= UINT64_MAX << first % 64;
	if (last < word * 64 + 64)
		bits &= ~(UINT64_MAX << last % 64);
	return bits;
}

uint64_t sample_set_find(const struct sample_set *set, uint64_t first, uint64_t last, bool from_end)
{
	uint64_t end = last < set->sample_count ? last : set->sample_count;
	if (!set->bits || first >= end)
		return last;
	uint64_t low = first / 64;
	uint64_t count = (end - 1) / 64 - low + 1;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t word = from_end ? low + count - 1 - i : low + i;
		uint64_t bits = sample_set_word(set, word, first, end);
		if (bits != 0)
			return word * 64 + (uint64_t)(from_end ? 63 - __builtin_clzll(bits)
							       : __builtin_ctzll(bits));
	}
	return last;
}
