/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdlib.h>

#include "base/memory.h"

static struct hash_slot *hash_map_find(const struct hash_map *map, uint64_t key)
{
	size_t mask = map->slot_count - 1, i = hash_u64(key) & mask;
	while (map->slots[i].value && map->slots[i].key != key)
		i = (i + 1) & mask;
	return &map->slots[i];
}

static void hash_map_enlarge(struct hash_map *map)
{
	struct hash_map larger = {
		.slot_count = map->slot_count ? map->slot_count * 2 : 256, .used = map->used};
	larger.slots = memory_new(larger.slot_count, sizeof *larger.slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].value)
			*hash_map_find(&larger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = larger;
}

uint32_t *hash_map_slot(struct hash_map *map, uint64_t key)
{
	if (map->used * 2 >= map->slot_count)
		hash_map_enlarge(map);
	struct hash_slot *slot = hash_map_find(map, key);
	if (!slot->value) {
		slot->key = key;
		map->used++;
	}
	return &slot->value;
}

uint32_t hash_map_get(const struct hash_map *map, uint64_t key, uint32_t otherwise)
{
	if (!map->slot_count)
		return otherwise;
	const struct hash_slot *slot = hash_map_find(map, key);
	return slot->value ? slot->value - 1 : otherwise;
}

void hash_map_free(struct hash_map *map)
{
	free(map->slots);
	*map = (struct hash_map){0};
}
