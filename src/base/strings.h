/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_STRINGS_H
#define VPTOP_BASE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The intern table: equal byte strings have equal ids, each is stored once. Id 0 is "". Bytes are
 * kept as they came (they may hold NUL, escapes, broken UTF-8) and are cleaned only when they are
 * shown.
 */

typedef uint32_t string_id;

struct strings {
	char *bytes; /* all strings one after another, each ended by a NUL that is not part of it */
	size_t bytes_used, bytes_capacity;
	size_t *start; /* start[count + 1] */
	size_t start_capacity;
	uint32_t count;
	uint64_t *slots; /* open addressing: high half of the hash, id + 1; 0 = free */
	size_t slot_count;
};

void strings_init(struct strings *strings);
void strings_free(struct strings *strings);

/* The id of bytes[length]. */
string_id strings_add(struct strings *strings, const char *bytes, size_t length);

/* The bytes of a string, NUL-ended; *length (may be NULL) without the NUL. Valid until the next
 * add. */
const char *strings_get(const struct strings *strings, string_id id, size_t *length);

/* Frees the hash slots when nothing is added any more; strings_add works on, at the price of a
 * rebuild. */
void strings_freeze(struct strings *strings);

#endif
