/* SPDX-License-Identifier: MIT */
#include "query/growth.h"

#include <stdlib.h>

#include "base/memory.h"

/*
 * Nearly all nodes have few children, and these were added a moment ago: looking through a short
 * list touches memory that is near, a table of all nodes never does.
 */
enum { GROWTH_LISTED = 12 };

static uint32_t growth_add(struct growth *growth, uint32_t parent, uint32_t row)
{
	const uint32_t node = growth->count++;
	growth->parent = array_grow(
		growth->parent, &growth->parent_capacity, growth->count, sizeof *growth->parent);
	growth->row =
		array_grow(growth->row, &growth->row_capacity, growth->count, sizeof *growth->row);
	growth->links = array_grow(
		growth->links, &growth->links_capacity, growth->count, sizeof *growth->links);
	growth->parent[node] = parent;
	growth->row[node] = row;
	growth->links[node] = (struct growth_links){0};
	return node;
}

uint32_t growth_child(struct growth *growth, uint32_t parent, uint32_t row)
{
	if (growth->count == 0)
		return growth_add(growth, 0, row);
	if (parent == 0 && row == growth->row[0])
		return 0;
	for (uint32_t i = growth->links[parent].newest; i != 0; i = growth->links[i].before)
		if (growth->row[i] == row)
			return i;
	const uint64_t key = (uint64_t)parent << 32 | row;
	if (growth->links[parent].children >= GROWTH_LISTED) {
		uint32_t *slot = hash_map_slot(&growth->others, key);
		if (*slot == 0)
			*slot = growth_add(growth, parent, row) + 1;
		return *slot - 1;
	}
	const uint32_t node = growth_add(growth, parent, row);
	struct growth_links *links = &growth->links[parent];
	growth->links[node].before = links->newest;
	links->newest = node;
	links->children++;
	return node;
}

void growth_free_links(struct growth *growth)
{
	hash_map_free(&growth->others);
	free(growth->links);
	growth->links = NULL;
}

void growth_free(struct growth *growth)
{
	growth_free_links(growth);
	free(growth->parent);
	free(growth->row);
}
