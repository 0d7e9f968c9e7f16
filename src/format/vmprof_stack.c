/* SPDX-License-Identifier: MIT */
#include "format/vmprof_stack.h"

#include <stdlib.h>

static enum code_kind vmprof_rpython_kind(uint64_t kind)
{
	switch (kind) {
	case 1:
		return CODE_PYTHON;
	case 2: /* blackhole: the interpreter that leaves a trace */
	case 4:
		return CODE_TRACING;
	case 3:
		return CODE_JIT;
	case 5:
		return CODE_GC;
	case 6:
		return CODE_ASSEMBLER;
	case 7:
		return CODE_NATIVE;
	default:
		return CODE_UNKNOWN;
	}
}

/*
 * In each of the following, entries[] are root first, so an address comes before its kind or line,
 * and the first `shared` ones are those of the stack before, whose frames are still in frames[].
 * They return the number of frames.
 */
static size_t vmprof_frames_rpython(
	struct vmprof_stacks *v, const uint64_t *entries, size_t count, size_t shared)
{
	for (size_t i = shared / 2; i < count / 2; i++)
		v->frames[i] = builder_frame(
			v->builder, entries[2 * i], 0, vmprof_rpython_kind(entries[2 * i + 1]));
	return count / 2;
}

static enum code_kind vmprof_code_kind(uint64_t address)
{
	return address & 1 && (int64_t)address > 0 ? CODE_NATIVE : CODE_PYTHON;
}

static size_t vmprof_frames_lines(
	struct vmprof_stacks *v, const uint64_t *entries, size_t count, size_t shared)
{
	for (size_t i = shared / 2; i < count / 2; i++) {
		/* Line -1 ("no line", CPython 3.11) trips the reference reader: any line <= 0 is
		 * unknown. */
		int64_t line = (int64_t)entries[2 * i + 1];
		uint64_t address = entries[2 * i];
		v->frames[i] = builder_frame(v->builder, address,
			line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0,
			vmprof_code_kind(address));
	}
	return count / 2;
}

static size_t vmprof_frames_plain(
	struct vmprof_stacks *v, const uint64_t *entries, size_t count, size_t shared)
{
	for (size_t i = shared; i < count; i++)
		v->frames[i] =
			builder_frame(v->builder, entries[i], 0, vmprof_code_kind(entries[i]));
	return count;
}

/*
 * Version 0 (section 7): ids of Python code carry a tag in the top byte; the rest are native return
 * addresses without names, zeros, and PyPy's marks 2 and 3 around functions inlined in a JIT frame:
 * root first 3, outer, .., inner, 2. The interpreter's frame in front of such a group is the
 * group's outermost function once more.
 */
static size_t vmprof_frames_old(struct vmprof_stacks *v, const uint64_t *entries, size_t count)
{
	size_t frames = 0;
	bool is_pypy = v->layout == LAYOUT_OLD_PYPY, in_jit = false, begins_jit = false;
	uint64_t last = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t value = entries[i];
		unsigned tag = (unsigned)(value >> 56);
		if (is_pypy && (value == 2 || value == 3))
			in_jit = begins_jit = value == 3;
		if (tag != 0x70 && tag != 0x77) {
			v->native_dropped += value > 7;
			continue;
		}
		if (is_pypy)
			value &= ~UINT64_C(3);
		bool is_again = begins_jit && frames > 0 && value == last;
		frame_id frame =
			builder_frame(v->builder, value, 0, in_jit ? CODE_JIT : CODE_PYTHON);
		if (is_again)
			v->frames[frames - 1] = frame;
		else
			v->frames[frames++] = frame;
		begins_jit = false;
		last = value;
	}
	return frames;
}

static inline uint64_t vmprof_load(const uint8_t *p, size_t size)
{
	uint32_t low = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	if (size == 4)
		return (uint64_t)(int64_t)(int32_t)low;
	uint32_t high = p[4] | (uint32_t)p[5] << 8 | (uint32_t)p[6] << 16 | (uint32_t)p[7] << 24;
	return (uint64_t)high << 32 | low;
}

/* Reverses depth entries that end at `end`; the first *shared (of at most `before`) did not change.
 */
static inline void vmprof_reverse(uint64_t *entries, const uint8_t *end, size_t depth,
	size_t before, size_t size, size_t *shared)
{
	size_t same = 0, least = depth < before ? depth : before;
	while (same < least && entries[same] == vmprof_load(end - (same + 1) * size, size))
		same++;
	for (size_t i = same; i < depth; i++)
		entries[i] = vmprof_load(end - (i + 1) * size, size);
	*shared = same;
}

/* Reverses the entries at p[depth] into v->entries; returns how many in front did not change. */
static size_t vmprof_entries(struct vmprof_stacks *v, const uint8_t *p, size_t depth)
{
	size_t shared = 0;
	v->entries = array_grow(v->entries, &v->entry_capacity, depth + 1, sizeof *v->entries);
	v->frames = array_grow(v->frames, &v->frame_capacity, depth + 1, sizeof *v->frames);
	if (v->addr == 8) /* the usual size, as a constant */
		vmprof_reverse(v->entries, p + depth * 8, depth, v->entry_count, 8, &shared);
	else
		vmprof_reverse(v->entries, p + depth * 4, depth, v->entry_count, 4, &shared);
	v->entry_count = depth;
	return shared;
}

stack_id vmprof_stack(struct vmprof_stacks *v, const uint8_t *p, size_t depth)
{
	bool is_pairs = v->layout == LAYOUT_PAIRS || v->layout == LAYOUT_LINES;
	if (is_pairs)
		depth &= ~(size_t)1; /* half a pair at the root end says nothing */
	size_t shared = vmprof_entries(v, p, depth), frames = 0;
	switch (v->layout) {
	case LAYOUT_OLD:
	case LAYOUT_OLD_PYPY:
		frames = vmprof_frames_old(v, v->entries, depth);
		return builder_stack(v->builder, v->frames, frames);
	case LAYOUT_PLAIN:
		frames = vmprof_frames_plain(v, v->entries, depth, shared);
		break;
	case LAYOUT_LINES:
		frames = vmprof_frames_lines(v, v->entries, depth, shared);
		break;
	case LAYOUT_PAIRS:
		frames = vmprof_frames_rpython(v, v->entries, depth, shared);
		break;
	}
	if (frames > v->builder->limits.max_depth)
		return builder_stack(v->builder, v->frames, frames); /* cut there */
	shared = is_pairs ? shared / 2 : shared;
	return builder_stack_after(v->builder, shared, v->frames + shared, frames - shared);
}

void vmprof_stacks_free(struct vmprof_stacks *v)
{
	free(v->entries);
	free(v->frames);
}
