/* SPDX-License-Identifier: MIT */
#include "profile/tree.h"

#include <string.h>

void tree_preorder(const uint32_t *parent, uint32_t count, uint32_t *new_id, uint32_t *end)
{
	uint32_t *size = new_id; /* of the subtrees, until the ids take their places */
	memset(size, 0, count * sizeof *size);
	for (uint32_t i = count; i-- > 1;)
		size[parent[i]] += ++size[i];
	/*
	 * end[] first serves as a cursor: where the next child of a (renumbered) node goes. After
	 * its last child was placed the cursor is one past the node's subtree: the end.
	 */
	new_id[0] = 0;
	end[0] = 1;
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t up = new_id[parent[i]], mine = end[up];
		end[up] += size[i];
		new_id[i] = mine;
		end[mine] = mine + 1;
	}
}

uint32_t tree_parents(const uint32_t *end, uint32_t count, uint32_t *parent)
{
	uint32_t depth = 0, deepest = 0;
	parent[0] = 0;
	for (uint32_t i = 1; i < count; i++) {
		uint32_t above = i - 1;
		for (depth++; end[above] <= i; depth--)
			above = parent[above];
		parent[i] = above;
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

uint32_t tree_common(const uint32_t *parent, const uint32_t *end, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	while (end[low] <= high)
		low = parent[low];
	return low;
}
