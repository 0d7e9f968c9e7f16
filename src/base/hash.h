/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_HASH_H
#define VPTOP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Mixes 64 bits so that each bit of the input moves half of the output: two rounds of xor, shift,
 * multiply. */
static inline uint64_t hash_u64(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* FNV-1a (Fowler, Noll, Vo), 64 bits: stable over runs and machines, so colours may depend on it.
 */
static inline uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)bytes[i]) * 0x100000001b3u;
	return h;
}

/*
 * A table from u64 keys to u32 values. Zero-initialise it; at most half full. `keys` may be any
 * number.
 */
struct hash_map {
	uint64_t *keys;
	uint32_t *values; /* value + 1, 0 = free */
	size_t slot_count, used;
};

/* The place of the value of `key` (0 where it is new: store value + 1 there before the next call).
 */
uint32_t *hash_map_slot(struct hash_map *map, uint64_t key);
/* The value of `key`, or `otherwise`. */
uint32_t hash_map_get(const struct hash_map *map, uint64_t key, uint32_t otherwise);
void hash_map_free(struct hash_map *map);

#endif
