/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_SOURCE_SOURCE_H
#define VPTOP_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Where bytes come from: a file, standard input, memory, or a stretch of another source; gzip
 * (several members), zlib and zstd layers are taken off on the way, up to four of them. A source is
 * read once, front to back, through a window: peek, then skip. It never holds the whole input.
 */

struct source_limits {
	uint64_t max_inflated; /* bytes out of any one layer; also more than 1000:1 beyond 64 MiB is
				  refused */
};

#define SOURCE_DEFAULT_MAX_INFLATED ((uint64_t)16 << 30)

/* The window of a source: the first member of struct source, whose other members are source.c's. */
struct source_window {
	const uint8_t *next, *end; /* the bytes that wait */
	uint64_t end_offset;       /* inflated offset of `end` */
};

struct source;

/* Opens a file; "-" is standard input. NULL and *err on failure; an empty input is ERROR_EMPTY. */
struct source *source_open(
	const char *path, const struct source_limits *limits, struct vp_error *err);

/* Reads bytes[size], which must outlive the source. */
struct source *source_open_memory(
	const void *bytes, size_t size, const struct source_limits *limits, struct vp_error *err);

/*
 * The next `length` bytes of `outer` as a source of its own, unwrapped likewise. Until it is closed
 * only it may be read; source_close skips what was left of the stretch, so that `outer` goes on
 * behind it.
 */
struct source *source_open_part(struct source *outer, uint64_t length, struct vp_error *err);

void source_close(struct source *source); /* NULL is fine */

/*
 * At least `wanted` bytes in one piece, or as many as there are left; *available says how many.
 * Valid until the next call. Fewer than wanted: the end, regular or not (source_problem).
 */
const uint8_t *source_peek_more(struct source *source, size_t wanted, size_t *available);

static inline const uint8_t *source_peek(struct source *source, size_t wanted, size_t *available)
{
	const struct source_window *window = (const struct source_window *)(void *)source;
	*available = (size_t)(window->end - window->next);
	return *available >= wanted ? window->next : source_peek_more(source, wanted, available);
}

/* Goes on by `count` bytes, which may be more than were peeked; false when the end comes first. */
bool source_skip_more(struct source *source, uint64_t count);

static inline bool source_skip(struct source *source, uint64_t count)
{
	struct source_window *window = (struct source_window *)(void *)source;
	if (count > (uint64_t)(window->end - window->next))
		return source_skip_more(source, count);
	window->next += count;
	return true;
}

/* Inflated bytes consumed so far. */
static inline uint64_t source_offset(const struct source *source)
{
	const struct source_window *window = (const struct source_window *)(const void *)source;
	return window->end_offset - (uint64_t)(window->end - window->next);
}

/*
 * Why the bytes ended: false for a regular end. Else *err is ERROR_TRUNCATED (a cut compressed
 * stream), ERROR_MALFORMED (a broken one), ERROR_LIMIT, ERROR_IO.
 */
bool source_problem(const struct source *source, struct vp_error *err);

/* Outermost bytes read so far and in all (0: unknown), for progress. */
void source_progress(const struct source *source, uint64_t *done, uint64_t *total);

/* Starts again at the first byte; false where the input cannot (standard input, pipes). */
bool source_rewind(struct source *source);
bool source_can_rewind(const struct source *source);

/* Whether a layer was taken off, and which: "gzip", "zstd", "zlib" or NULL (the outermost one). */
const char *source_compression(const struct source *source);

#endif
