/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

void strings_init(struct strings *strings)
{
	*strings = (struct strings){0};
	strings_add(strings, "", 0);
}

void strings_free(struct strings *strings)
{
	free(strings->bytes);
	free(strings->start);
	free(strings->slots);
	*strings = (struct strings){0};
}

const char *strings_get(const struct strings *strings, string_id id, size_t *length)
{
	if (length)
		*length = strings->start[id + 1] - strings->start[id] - 1;
	return strings->bytes + strings->start[id];
}

/* The slot of bytes[length], or the free one where it belongs. */
static size_t strings_find(
	const struct strings *strings, const char *bytes, size_t length, uint64_t hash)
{
	size_t mask = strings->slot_count - 1, i = hash & mask;
	for (; strings->slots[i]; i = (i + 1) & mask) {
		uint64_t slot = strings->slots[i];
		size_t have;
		if ((slot ^ hash) >> 32)
			continue; /* another hash: no need to look at its bytes */
		const char *other = strings_get(strings, (uint32_t)slot - 1, &have);
		if (have == length && memcmp(other, bytes, length) == 0)
			break;
	}
	return i;
}

static uint64_t strings_slot(uint64_t hash, string_id id)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (id + 1);
}

static void strings_rehash(struct strings *strings)
{
	size_t wanted = 256;
	while (wanted <= (size_t)strings->count * 2)
		wanted *= 2;
	free(strings->slots);
	strings->slots = memory_new(wanted, sizeof *strings->slots);
	strings->slot_count = wanted;
	for (string_id id = 0; id < strings->count; id++) {
		size_t length;
		const char *bytes = strings_get(strings, id, &length);
		uint64_t hash = hash_string(bytes, length);
		size_t i = hash & (wanted - 1);
		while (strings->slots[i])
			i = (i + 1) & (wanted - 1);
		strings->slots[i] = strings_slot(hash, id);
	}
}

string_id strings_add(struct strings *strings, const char *bytes, size_t length)
{
	if ((size_t)strings->count * 2 >= strings->slot_count)
		strings_rehash(strings);
	uint64_t hash = hash_string(bytes, length);
	size_t slot = strings_find(strings, bytes, length, hash);
	if (strings->slots[slot])
		return (uint32_t)strings->slots[slot] - 1;

	string_id id = strings->count++;
	strings->start = array_grow(
		strings->start, &strings->start_capacity, (size_t)id + 2, sizeof *strings->start);
	if (id == 0)
		strings->start[0] = 0;
	size_t used = strings->bytes_used;
	/* The bytes may be part of a string that is here already, and move when the array grows. */
	size_t inside = (size_t)((uintptr_t)bytes - (uintptr_t)strings->bytes);
	bool is_inside = strings->bytes && inside < used;
	strings->bytes = array_grow(strings->bytes, &strings->bytes_capacity, used + length + 1, 1);
	if (is_inside)
		bytes = strings->bytes + inside;
	if (length)
		memcpy(strings->bytes + used, bytes, length);
	strings->bytes[used + length] = 0;
	strings->bytes_used = used + length + 1;
	strings->start[id + 1] = strings->bytes_used;
	strings->slots[slot] = strings_slot(hash, id);
	return id;
}

void strings_freeze(struct strings *strings)
{
	free(strings->slots);
	strings->slots = NULL;
	strings->slot_count = 0;
}
