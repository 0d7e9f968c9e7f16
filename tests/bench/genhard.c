/* SPDX-License-Identifier: MIT */
/*
 * Profiles that are made to be slow to load: vmprof binary logs (version 6, with memory) in which
 * nothing that a reader could hope for holds.
 *
 *   genhard KIND N > FILE
 *
 * KIND  scattered  N samples of 30 frames, none shares a frame with the one before it
 *       deep       16 samples, each N frames deep, all frames different ones
 *       wide       one function with N different callees, a sample each
 *       names      N functions with long names, one sample for each
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Little-endian, whatever the host. */
static void hard_put(uint64_t value)
{
	for (int i = 0; i < 8; i++)
		putchar((int)(value >> 8 * i & 255));
}

static uint64_t hard_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t hard_address(uint64_t function)
{
	return 0x7f0000000000u + function * 64;
}

static void hard_begin_sample(uint64_t depth)
{
	putchar(1);
	hard_put(1);
	hard_put(depth);
}

static void hard_end_sample(uint64_t i)
{
	hard_put(0x7f0000001000u);
	hard_put(100000 + hard_mix(i) % 400000);
}

/* Each returns how many functions it used. */
static uint64_t hard_scattered(uint64_t n)
{
	enum { DEPTH = 30, FUNCTIONS = 5000 };
	for (uint64_t i = 0; i < n; i++) {
		hard_begin_sample(DEPTH);
		for (uint64_t d = 0; d < DEPTH; d++)
			hard_put(hard_address(hard_mix((i % 1000) << 8 | d) % FUNCTIONS));
		hard_end_sample(i);
	}
	return FUNCTIONS;
}

static uint64_t hard_deep(uint64_t n)
{
	for (uint64_t i = 0; i < 16; i++) {
		hard_begin_sample(n);
		for (uint64_t d = n; d-- > 0;)
			hard_put(hard_address(d));
		hard_end_sample(i);
	}
	return n;
}

static uint64_t hard_wide(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		hard_begin_sample(2);
		hard_put(hard_address(1 + hard_mix(i) % n));
		hard_put(hard_address(0));
		hard_end_sample(i);
	}
	return n + 1;
}

static uint64_t hard_names(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		hard_begin_sample(1);
		hard_put(hard_address(i));
		hard_end_sample(i);
	}
	return n;
}

static void hard_write_names(uint64_t functions)
{
	char name[256];
	for (uint64_t f = 0; f < functions; f++) {
		const int length = snprintf(name, sizeof name,
			"py:a_rather_long_name_%" PRIu64 ":%" PRIu64
			":/srv/app/package/module%" PRIu64 ".py",
			f, f % 500 + 1, f / 25);
		putchar(2);
		hard_put(hard_address(f));
		hard_put((uint64_t)length);
		fwrite(name, 1, (size_t)length, stdout);
	}
}

static void hard_write_time(int marker, uint64_t seconds)
{
	putchar(marker);
	hard_put(seconds);
	hard_put(0);
	hard_put(0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t (*write)(uint64_t n);
	} kinds[] = {
		{"scattered", hard_scattered},
		{"deep", hard_deep},
		{"wide", hard_wide},
		{"names", hard_names},
	};
	static const uint64_t head[5] = {0, 3, 0, 10000, 0};
	static const uint64_t start = 1700000000;

	for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		const uint64_t n = strtoull(argv[2], NULL, 10);
		for (int word = 0; word < 5; word++)
			hard_put(head[word]);
		fwrite("\5\0\6\1\7cpython", 1, 12, stdout);
		hard_write_time(6, start);
		hard_write_names(kinds[i].write(n));
		hard_write_time(3, start + n / 100 + 1);
		return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
	}
	fprintf(stderr, "usage: genhard scattered|deep|wide|names N > FILE\n");
	return 2;
}
