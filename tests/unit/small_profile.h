/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TESTS_SMALL_PROFILE_H
#define VPTOP_TESTS_SMALL_PROFILE_H

#include <stdio.h>
#include <string.h>

#include "profile/builder.h"

/*
 * A run of 2,000 samples, 10 ms each, with two threads, two peaks of memory and a tree that has
 * wide, thin and deep parts. One name holds what a terminal must never get.
 */
static inline struct profile *small_profile(bool has_memory)
{
	static const char *const names[] = {"main", "load", "parse", "convert", "train", "forward",
		"backward", "empty", "\033]52;c;AAAA\007evil\xff", "日本語の関数",
		"a_function_with_a_long_name"};
	enum { NAMES = sizeof names / sizeof names[0] };
	const struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct builder builder;
	builder_init(&builder, &limits, NULL, NULL);
	frame_id frames[NAMES], stack[64];
	for (uint32_t i = 0; i < NAMES; i++) {
		char name[120];
		snprintf(name, sizeof name, "py:%s:%u:/srv/app/%s.py", names[i], 10 + i,
			i % 3 == 0 ? "io" : "model");
		builder_name(&builder, 100 + i, name, strlen(name), 0);
		frames[i] = builder_frame(&builder, 100 + i, 0, CODE_PYTHON);
	}
	uint32_t seed = 7;
	for (int i = 0; i < 2000; i++) {
		seed = seed * 1664525u + 1013904223u;
		size_t depth = 0;
		stack[depth++] = frames[0];
		stack[depth++] = frames[i < 900 ? 1 : 4];
		for (uint32_t k = seed >> 20; depth < 4 + k % 5 && depth < 12; k /= 3) {
			stack[depth] = frames[2 + (k + depth) % (NAMES - 2)];
			depth++;
		}
		if (i % 400 == 399) /* a recursion deeper than any screen is high */
			while (depth < 64)
				stack[depth++] = frames[2];
		const int64_t kib = 100000 + i * 20 + (i / 10 == 60 ? 300000 : 0) +
				    (i / 10 == 140 ? 500000 : 0);
		builder_sample(&builder, builder_stack(&builder, stack, depth), 1,
			has_memory ? kib : -1, i % 2 ? 7 : 8);
	}
	builder.profile->is_timed = true;
	builder.profile->has_start = true;
	builder.profile->has_offset = true;
	builder.profile->start_ns = INT64_C(1480498205000000000);
	builder.profile->offset_s = 7200;
	builder.profile->period_ns = 10000000;
	builder.profile->format = "vmprof";
	builder.profile->version = 6;
	builder_warn(&builder, "note", "a note");
	return builder_finish(&builder);
}

#endif
