/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_GROWTH_H
#define VPTOP_QUERY_GROWTH_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * A call tree while nodes are added: in order of creation, a parent before its children; each child
 * of a node is another row. Zero-initialise it.
 */
struct growth {
	uint32_t *parent, *row; /* [count] */
	uint32_t count;

	/* For finding a child: the first few of a node are a list, the others in a table. */
	struct growth_links {
		uint32_t newest,
			before; /* newest child; the sibling that was added before; 0: none */
		uint32_t children;
	} * links;
	struct hash_map others; /* parent << 32 | row -> node */
	size_t parent_capacity, row_capacity, links_capacity;
};

/* The node of `row` below `parent`; the first one made is the root, whose parent is itself. */
uint32_t growth_child(struct growth *growth, uint32_t parent, uint32_t row);
void growth_free_links(struct growth *growth); /* nothing is added any more */
void growth_free(struct growth *growth);

#endif
