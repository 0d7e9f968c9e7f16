/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_HASH_H
#define VPTOP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* For tables of strings: eight bytes a step. Not the same on machines of another byte order. */
static inline uint64_t hash_string(const char *bytes, size_t length)
{
	uint64_t h = length, word;
	for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
		memcpy(&word, bytes, sizeof word);
		h = hash_u64(h ^ word);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return hash_u64(h ^ word);
}

/*
 * A table from u64 keys to u32 values. Zero-initialise it; at most half full. `keys` may be any
 * number.
 */
struct hash_map {
	struct hash_slot {
		uint64_t key;
		uint32_t value; /* value + 1, 0 = free */
	} * slots;
	size_t slot_count, used;
};

/* The place of the value of `key` (0 where it is new: store value + 1 there before the next call).
 */
uint32_t *hash_map_slot(struct hash_map *map, uint64_t key);
/* The value of `key`, or `otherwise`. */
uint32_t hash_map_get(const struct hash_map *map, uint64_t key, uint32_t otherwise);
void hash_map_free(struct hash_map *map);

#endif
