/* SPDX-License-Identifier: MIT */
#include "query/growth.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum { GROWTH_FIRST_SLOTS = 1024 };

static uint64_t growth_hash(uint32_t parent, uint32_t row)
{
	return hash_u64((uint64_t)parent << 32 | row);
}

/* A part of the hash beside the node, so that a wrong probe does not touch the node, far away. */
static uint64_t growth_slot(uint64_t hash, uint32_t node)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (node + 1);
}

static void growth_rehash(struct growth *growth)
{
	size_t wanted = growth->slot_count ? growth->slot_count * 2 : GROWTH_FIRST_SLOTS;
	free(growth->slots);
	growth->slots = memory_new_table(wanted, sizeof *growth->slots);
	growth->slot_count = wanted;
	for (uint32_t node = 0; node < growth->count; node++) {
		uint64_t hash = growth_hash(growth->parent[node], growth->row[node]);
		size_t slot = hash & (wanted - 1);
		while (growth->slots[slot])
			slot = (slot + 1) & (wanted - 1);
		growth->slots[slot] = growth_slot(hash, node);
	}
}

static uint32_t growth_add(struct growth *growth, uint32_t parent, uint32_t row)
{
	uint32_t node = growth->count++;
	growth->parent = array_grow(
		growth->parent, &growth->parent_capacity, (size_t)node + 1, sizeof *growth->parent);
	growth->row = array_grow(
		growth->row, &growth->row_capacity, (size_t)node + 1, sizeof *growth->row);
	growth->parent[node] = parent;
	growth->row[node] = row;
	return node;
}

uint32_t growth_child(struct growth *growth, uint32_t parent, uint32_t row)
{
	if ((uint64_t)growth->count * 4 >= (uint64_t)growth->slot_count * 3)
		growth_rehash(growth);
	uint64_t hash = growth_hash(parent, row);
	size_t mask = growth->slot_count - 1, slot = hash & mask;
	for (; growth->slots[slot]; slot = (slot + 1) & mask) {
		uint64_t found = growth->slots[slot];
		uint32_t node = (uint32_t)found - 1;
		if ((found ^ hash) >> 32 == 0 && growth->parent[node] == parent &&
			growth->row[node] == row)
			return node;
	}
	uint32_t node = growth_add(growth, parent, row);
	growth->slots[slot] = growth_slot(hash, node);
	return node;
}

void growth_free_slots(struct growth *growth)
{
	free(growth->slots);
	growth->slots = NULL;
	growth->slot_count = 0;
}

void growth_free(struct growth *growth)
{
	growth_free_slots(growth);
	free(growth->parent);
	free(growth->row);
}
