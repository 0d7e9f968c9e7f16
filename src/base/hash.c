/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t hash_map_find(const struct hash_map *map, uint64_t key)
{
	size_t mask = map->slot_count - 1, i = hash_u64(key) & mask;
	while (map->values[i] && map->keys[i] != key)
		i = (i + 1) & mask;
	return i;
}

static void hash_map_enlarge(struct hash_map *map)
{
	struct hash_map larger = {
		.slot_count = map->slot_count ? map->slot_count * 2 : 256, .used = map->used};
	larger.keys = memory_new(larger.slot_count, sizeof *larger.keys);
	larger.values = memory_new(larger.slot_count, sizeof *larger.values);
	for (size_t i = 0; i < map->slot_count; i++) {
		if (!map->values[i])
			continue;
		size_t slot = hash_map_find(&larger, map->keys[i]);
		larger.keys[slot] = map->keys[i];
		larger.values[slot] = map->values[i];
	}
	free(map->keys);
	free(map->values);
	*map = larger;
}

uint32_t *hash_map_slot(struct hash_map *map, uint64_t key)
{
	if (map->used * 2 >= map->slot_count)
		hash_map_enlarge(map);
	size_t i = hash_map_find(map, key);
	if (!map->values[i]) {
		map->keys[i] = key;
		map->used++;
	}
	return &map->values[i];
}

uint32_t hash_map_get(const struct hash_map *map, uint64_t key, uint32_t otherwise)
{
	if (!map->slot_count)
		return otherwise;
	size_t i = hash_map_find(map, key);
	return map->values[i] ? map->values[i] - 1 : otherwise;
}

void hash_map_free(struct hash_map *map)
{
	free(map->keys);
	free(map->values);
	*map = (struct hash_map){0};
}
