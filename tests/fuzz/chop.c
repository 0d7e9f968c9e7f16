/* SPDX-License-Identifier: MIT */

/*
 * Runs every reader and query on damaged copies of files: cut at CHOP_CUTS places, and with bytes
 * changed CHOP_FLIPS times; each file as it is and with its compression taken off.
 *
 *     chop [-v] FILE...
 *
 * Prints one line a file. The changes come from a fixed seed; -v names each before it is tried, so
 * that the last line tells which one a crash was about.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "exercise.h"
#include "source/source.h"

enum {
	CHOP_CUTS = 200,
	CHOP_FLIPS = 200,
	CHOP_EVERY = 20,   /* copies of which one gets every query */
	CHOP_MAX_MS = 5000 /* for one copy */
};

struct chop {
	const char *name;
	bool is_verbose;
	uint64_t seed;
	uint64_t read, refused;
	int64_t slowest_ms;
};

static uint32_t chop_random(struct chop *chop, uint32_t below)
{
	chop->seed = chop->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((chop->seed >> 32) * below >> 32);
}

static int64_t chop_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The bytes are copied to a block of just their size, so that a sanitizer sees a read behind them.
 */
static void chop_try(
	struct chop *chop, const char *what, uint32_t which, const uint8_t *bytes, size_t size)
{
	if (chop->is_verbose) {
		printf("# %s: %s %" PRIu32 "\n", chop->name, what, which);
		fflush(stdout);
	}
	uint8_t *copy = memory_new(size, 1);
	memcpy(copy, bytes, size);
	int64_t start = chop_now_ms();
	if (exercise(copy, size, (chop->read + chop->refused) % CHOP_EVERY == 0))
		chop->read++;
	else
		chop->refused++;
	int64_t ms = chop_now_ms() - start;
	if (ms > chop->slowest_ms)
		chop->slowest_ms = ms;
	free(copy);
}

static void chop_bytes(struct chop *chop, const uint8_t *bytes, size_t size)
{
	if (size == 0 || size > UINT32_MAX / 2)
		return;
	for (uint32_t i = 0; i < CHOP_CUTS; i++) {
		/* The first 64 lengths each, then evenly with some chance. */
		size_t cut = i < 64 ? i : size * i / CHOP_CUTS + chop_random(chop, 8);
		if (cut < size)
			chop_try(chop, "cut", (uint32_t)cut, bytes, cut);
	}
	uint8_t *damaged = memory_new(size, 1);
	for (uint32_t i = 0; i < CHOP_FLIPS; i++) {
		memcpy(damaged, bytes, size);
		uint32_t flips = i % 10 == 0 ? 200 : 1 + chop_random(chop, 4);
		/* Half of them near the front, where the headers are. */
		uint32_t range = i % 2 && size > 512 ? 512 : (uint32_t)size;
		for (uint32_t k = 0; k < flips; k++) {
			uint32_t at = chop_random(chop, range);
			damaged[at] =
				i % 3 == 0   ? (uint8_t)(damaged[at] ^ (1u << chop_random(chop, 8)))
				: i % 3 == 1 ? (uint8_t)chop_random(chop, 256)
					     : (uint8_t)(chop_random(chop, 2) ? 0xff : 0);
		}
		chop_try(chop, "flip", i, damaged, size);
	}
	free(damaged);
}

static uint8_t *chop_read(FILE *file, size_t *size)
{
	uint8_t *bytes = NULL;
	size_t capacity = 0;
	*size = 0;
	for (size_t got = 1; got > 0; *size += got) {
		bytes = array_grow(bytes, &capacity, *size + 65536, 1);
		got = fread(bytes + *size, 1, 65536, file);
	}
	return bytes;
}

/* The file without its compression; NULL where it has none. */
static uint8_t *chop_unwrap(const uint8_t *bytes, size_t size, size_t *inner_size)
{
	struct source_limits limits = {.max_inflated = 32 << 20};
	struct vp_error err;
	struct source *source = source_open_memory(bytes, size, &limits, &err);
	uint8_t *inner = NULL;
	size_t capacity = 0;
	*inner_size = 0;
	while (source && source_compression(source)) {
		size_t available;
		const uint8_t *piece = source_peek(source, 65536, &available);
		if (available == 0)
			break;
		inner = array_grow(inner, &capacity, *inner_size + available, 1);
		memcpy(inner + *inner_size, piece, available);
		*inner_size += available;
		source_skip(source, available);
	}
	source_close(source);
	return inner;
}

static bool chop_file(const char *path, bool is_verbose)
{
	const char *slash = strrchr(path, '/');
	struct chop chop = {
		.name = slash ? slash + 1 : path, .is_verbose = is_verbose, .seed = 2016};
	FILE *file = fopen(path, "rb");
	if (!file) {
		printf("not ok - chop %s: cannot open it\n", chop.name);
		return false;
	}
	size_t size, inner_size;
	uint8_t *bytes = chop_read(file, &size);
	fclose(file);
	chop_bytes(&chop, bytes, size);
	uint8_t *inner = chop_unwrap(bytes, size, &inner_size);
	chop_bytes(&chop, inner, inner_size);
	free(inner);
	free(bytes);
	bool is_fast = chop.slowest_ms <= CHOP_MAX_MS;
	printf("%s - chop %s: %" PRIu64 " damaged copies, %" PRIu64 " of them read%s\n",
		is_fast ? "ok" : "not ok", chop.name, chop.read + chop.refused, chop.read,
		is_fast ? "" : ", one of them too slowly");
	fflush(stdout);
	return is_fast;
}

int main(int argc, char **argv)
{
	bool is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0, is_good = true;
	for (int i = 1 + is_verbose; i < argc; i++)
		is_good = chop_file(argv[i], is_verbose) && is_good;
	return is_good ? 0 : 1;
}
