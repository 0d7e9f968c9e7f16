/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

struct arena_block {
	struct arena_block *before;
	_Alignas(16) unsigned char bytes[];
};

enum { ARENA_BLOCK = 64 * 1024, ARENA_ALIGN = 16, HUGE_PAGE = 2 * 1024 * 1024, LARGE = 512 * 1024 };

void memory_setup(void)
{
#ifdef M_MMAP_THRESHOLD
	/* A fixed threshold: glibc's own one rises with the first large array that is freed. */
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

static void memory_exhausted(void)
{
	fputs("vptop: out of memory\n", stderr);
	abort();
}

void *memory_new(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		memory_exhausted();
	return p;
}

void *memory_new_table(size_t count, size_t size)
{
	size_t bytes = count * size;
	void *table = NULL;
	if (bytes < HUGE_PAGE || bytes / size != count)
		return memory_new(count, size);
	if (posix_memalign(&table, HUGE_PAGE, bytes) != 0)
		memory_exhausted();
#ifdef MADV_HUGEPAGE
	madvise(table, bytes, MADV_HUGEPAGE);
#endif
	return memset(table, 0, bytes);
}

void *memory_grow(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		memory_exhausted();
	return p;
}

char *memory_copy_string(const char *s)
{
	if (!s)
		return NULL;
	size_t size = strlen(s) + 1;
	return memcpy(memory_grow(NULL, size), s, size);
}

void *array_grow(void *old, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return old;
	size_t wanted = *capacity ? *capacity : 16;
	while (wanted < needed) {
		if (wanted > SIZE_MAX / 2 / size)
			memory_exhausted();
		wanted *= 2;
	}
	*capacity = wanted;
	return memory_grow(old, wanted * size);
}

void *arena_new(struct arena *arena, size_t count, size_t size)
{
	if (size && count > (SIZE_MAX - ARENA_ALIGN) / 2 / size)
		memory_exhausted();
	size_t needed = (count * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	if (!arena->last || arena->size - arena->used < needed) {
		size_t block = needed > ARENA_BLOCK ? needed : ARENA_BLOCK;
		struct arena_block *fresh = memory_new(1, sizeof *fresh + block);
		fresh->before = arena->last;
		arena->last = fresh;
		arena->used = 0;
		arena->size = block;
	}
	void *piece = arena->last->bytes + arena->used;
	arena->used += needed;
	return piece;
}

void arena_free(struct arena *arena)
{
	while (arena->last) {
		struct arena_block *before = arena->last->before;
		free(arena->last);
		arena->last = before;
	}
	arena->used = arena->size = 0;
}
