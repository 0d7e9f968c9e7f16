/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_GROWTH_H
#define VPTOP_QUERY_GROWTH_H

#include <stddef.h>
#include <stdint.h>

/*
 * A call tree while nodes are added: in order of creation, a parent before its children; each child
 * of a node is another row. Zero-initialise it.
 */
struct growth {
	uint32_t *parent, *row; /* [count] */
	size_t parent_capacity, row_capacity;
	uint32_t count;
	uint64_t *slots; /* open addressing: high half of the hash, node + 1; 0 = free */
	size_t slot_count;
};

/* The node of `row` below `parent`; the first one made is the root, whose parent is itself. */
uint32_t growth_child(struct growth *growth, uint32_t parent, uint32_t row);
void growth_free_slots(struct growth *growth); /* nothing is added any more */
void growth_free(struct growth *growth);

#endif
