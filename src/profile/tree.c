/* SPDX-License-Identifier: MIT */
#include "profile/tree.h"

#include <stdlib.h>

#include "base/memory.h"

void tree_preorder(const uint32_t *parent, uint32_t count, uint32_t *new_id, uint32_t *end)
{
	uint32_t *size = memory_new(count, sizeof *size);
	for (uint32_t i = count; i-- > 0;) {
		size[i]++;
		if (i > 0)
			size[parent[i]] += size[i];
	}
	/*
	 * end[] first serves as a cursor: where the next child of a (renumbered) node goes. After
	 * its last child was placed the cursor is one past the node's subtree: the end.
	 */
	new_id[0] = 0;
	end[0] = 1;
	for (uint32_t i = 1; i < count; i++) {
		uint32_t up = new_id[parent[i]];
		new_id[i] = end[up];
		end[up] += size[i];
		end[new_id[i]] = new_id[i] + 1;
	}
	free(size);
}

uint32_t tree_common(const uint32_t *parent, const uint32_t *end, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	while (end[low] <= high)
		low = parent[low];
	return low;
}
