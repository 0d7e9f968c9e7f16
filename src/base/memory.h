/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_MEMORY_H
#define VPTOP_BASE_MEMORY_H

#include <stddef.h>

/*
 * Memory. Out of memory ends the program here and nowhere else; so no caller checks. A size that
 * comes from a file must be checked against the bytes that are left before it gets here.
 */

/*
 * Once at the start of the program: large arrays get pages of their own, so that they grow without
 * being copied and go back to the system when they are freed.
 */
void memory_setup(void);

void *memory_new(size_t count, size_t size); /* zeroed; free() it */
/* The same for large tables that are read all over: in huge pages where the system has them. free()
 * it. */
void *memory_new_table(size_t count, size_t size);
void *memory_grow(void *old, size_t size); /* realloc */
char *memory_copy_string(const char *s);   /* strdup; NULL gives NULL */

/*
 * Makes room for `needed` items of `size` bytes in the array `old` of *capacity items, at least
 * doubling it; returns the array, which may have moved. New items are not zeroed.
 */
void *array_grow(void *old, size_t *capacity, size_t needed, size_t size);

/*
 * An arena: many small things freed together. Zero-initialise it. Pieces are aligned to 16 bytes
 * and zeroed, and live until arena_free.
 */
struct arena {
	struct arena_block *last;
	size_t used, size; /* of the last block */
};

void *arena_new(struct arena *arena, size_t count, size_t size);
void arena_free(struct arena *arena);

#endif
