/* SPDX-License-Identifier: MIT */
#include "unit/make_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void making_start(struct making *making)
{
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	builder_init(&making->builder, &limits, NULL, NULL);
	making->builder.profile->period_ns = 10 * 1000 * 1000;
	making->builder.profile->format = "test";
}

static frame_id making_frame(struct builder *builder, const char *name, size_t length)
{
	uint64_t address = hash_bytes(name, length) << 1; /* even: code */
	struct text text = {0};
	text_puts(&text, "py:");
	text_add(&text, name, length);
	text_puts(&text, ":1:/srv/");
	text_add(&text, name, length);
	text_puts(&text, ".py");
	builder_name(builder, address, text.data, text.length, 1);
	text_free(&text);
	return builder_frame(builder, address, 0, CODE_PYTHON);
}

void making_add(struct making *making, const char *folded, int64_t memory_kib)
{
	frame_id frames[64];
	size_t depth = 0;
	const char *end = strrchr(folded, ' ');
	for (const char *s = folded; s < end && depth < 64;) {
		size_t length = strcspn(s, "; ");
		frames[depth++] = making_frame(&making->builder, s, length);
		s += length + 1;
	}
	stack_id stack = builder_stack(&making->builder, frames, depth);
	for (long n = strtol(end, NULL, 10); n > 0; n--)
		builder_sample(&making->builder, stack, 1, memory_kib, 0);
}

struct profile *making_finish(struct making *making)
{
	return builder_finish(&making->builder);
}
