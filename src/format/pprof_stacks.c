/* SPDX-License-Identifier: MIT */
/* Stacks of locations, which a pprof message has, to stacks of frames; and the samples. */
#include "format/pprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * One location of many lines costs its bytes once, and its frames in each stack. More frames than
 * that come from no profiler: each node of the stacks took at least a byte of the file.
 */
enum { STACKS_SPARE_FRAMES = 4 << 20, STACKS_FRAMES_A_BYTE = 8 };

struct pprof_stacks {
	const struct pprof_frames *frames;
	uint64_t *keys; /* of the stacks of locations: parent << 32 | index of location + 1 */
	size_t count, capacity;
	stack_id *stack; /* what each becomes; NULL: it keeps its number */
	uint32_t *depth; /* in frames; only where one is deeper than the limit */
	frame_id *path;  /* of such a one */
	uint64_t steps_left;
};

static uint32_t stacks_parent(const struct pprof_stacks *stacks, size_t node)
{
	return (uint32_t)(stacks->keys[node] >> 32);
}

/* The frames of the innermost location of a stack: start[0] up to start[1]. */
static const uint32_t *stacks_frames(const struct pprof_stacks *stacks, size_t node)
{
	return &stacks->frames->start[(uint32_t)stacks->keys[node] - 1];
}

static bool stacks_step(struct pprof_stacks *stacks, uint64_t steps, struct vp_error *err)
{
	if (steps > stacks->steps_left)
		return error_set(err, ERROR_LIMIT, -1,
			"locations of many lines make far more frames than a file of this size can hold");
	stacks->steps_left -= steps;
	return true;
}

/* ---- each stack is another one -------------------------------------------------------------- */

/*
 * Whether the outermost frames of all locations differ, as they do where each has an address of its
 * own. Then stacks that differ in locations differ from that frame on, and each of their frames is
 * a new node: nothing needs to be looked up.
 */
static bool stacks_are_distinct(const struct pprof *pprof, const struct pprof_frames *frames)
{
	bool *is_used = memory_new(pprof->builder->profile->frame_count, sizeof *is_used);
	bool are_distinct = true;
	for (size_t i = 0; are_distinct && i < pprof->location_count; i++) {
		frame_id outermost = frames->frames[frames->start[i]];
		are_distinct = !is_used[outermost];
		is_used[outermost] = true;
	}
	free(is_used);
	return are_distinct;
}

/* Whether each location is one frame, as nothing was inlined. */
static bool stacks_are_frames(const struct pprof *pprof, const struct pprof_frames *frames)
{
	return frames->start[pprof->location_count] == pprof->location_count;
}

/* Each location of a stack becomes its frame. */
static void stacks_rename(struct builder *builder, struct pprof_stacks *stacks)
{
	for (size_t i = 1; i < stacks->count; i++) {
		const frame_id frame = stacks->frames->frames[*stacks_frames(stacks, i)];
		stacks->keys[i] = (uint64_t)stacks_parent(stacks, i) << 32 | frame;
	}
	builder_take_stacks(builder, stacks->keys, stacks->count);
	stacks->keys = NULL;
}

/* The keys of the frames of one stack, of which the last is node `last`. */
static void stacks_expand_one(struct pprof_stacks *stacks, size_t node)
{
	const uint32_t *start = stacks_frames(stacks, node);
	const frame_id *frames = stacks->frames->frames;
	const uint64_t above = stacks->stack[stacks_parent(stacks, node)];
	const uint64_t last = stacks->stack[node], first = last - (start[1] - start[0]) + 1;
	for (uint64_t id = last; id > first; id--)
		stacks->keys[id] = (id - 1) << 32 | frames[start[0] + (id - first)];
	stacks->keys[first] = above << 32 | frames[start[0]];
}

/*
 * Keys of locations become keys of frames where they are: a stack has at least as many frames, so
 * that from the end on none is written over before it was read.
 */
static bool stacks_expand(
	struct builder *builder, struct pprof_stacks *stacks, struct vp_error *err)
{
	uint64_t last = 0;
	for (size_t i = 1; i < stacks->count; i++) {
		const uint32_t *start = stacks_frames(stacks, i);
		if (!stacks_step(stacks, start[1] - start[0], err))
			return false;
		last += start[1] - start[0];
		stacks->stack[i] = (stack_id)last;
	}
	stacks->keys =
		array_grow(stacks->keys, &stacks->capacity, (size_t)last + 1, sizeof *stacks->keys);
	for (size_t i = stacks->count; i-- > 1;)
		stacks_expand_one(stacks, i);
	builder_take_stacks(builder, stacks->keys, (size_t)last + 1);
	stacks->keys = NULL;
	return true;
}

/* ---- stacks that become one, or are cut ------------------------------------------------------ */

/* Fills stack[] with depths, for now; the greatest of them. */
static uint32_t stacks_depths(struct pprof_stacks *stacks)
{
	uint32_t most = 0, *depth = stacks->stack;
	for (size_t i = 1; i < stacks->count; i++) {
		const uint32_t *start = stacks_frames(stacks, i);
		uint64_t sum = (uint64_t)depth[stacks_parent(stacks, i)] + start[1] - start[0];
		depth[i] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
		most = depth[i] > most ? depth[i] : most;
	}
	return most;
}

/* All stacks that are not too deep: callers come before what they call. */
static bool stacks_map(struct builder *builder, struct pprof_stacks *stacks, struct vp_error *err)
{
	for (size_t i = 1; i < stacks->count; i++) {
		if (stacks->depth && stacks->depth[i] > builder->limits.max_depth) {
			stacks->stack[i] = 0;
			continue;
		}
		const uint32_t *start = stacks_frames(stacks, i);
		stack_id stack = stacks->stack[stacks_parent(stacks, i)];
		if (!stacks_step(stacks, start[1] - start[0], err))
			return false;
		for (uint32_t k = start[0]; k < start[1]; k++)
			stack = builder_child(builder, stack, stacks->frames->frames[k]);
		stacks->stack[i] = stack;
	}
	return true;
}

/* A stack that is too deep: its innermost frames, as builder_stack cuts it. */
static bool stacks_cut(
	struct builder *builder, struct pprof_stacks *stacks, size_t node, struct vp_error *err)
{
	size_t room = builder->limits.max_depth;
	if (!stacks_step(stacks, room, err))
		return false;
	if (!stacks->path)
		stacks->path = memory_new(room, sizeof *stacks->path);
	for (size_t i = node; i > 0 && room > 0; i = stacks_parent(stacks, i)) {
		const uint32_t *start = stacks_frames(stacks, i);
		for (uint32_t k = start[1]; k > start[0] && room > 0; k--)
			stacks->path[--room] = stacks->frames->frames[k - 1];
	}
	stacks->stack[node] = builder_stack(
		builder, stacks->path + room, (size_t)builder->limits.max_depth - room);
	return true;
}

/* What each stack becomes; but those that are too deep, which is found when a sample has one. */
static bool stacks_build(struct pprof *pprof, struct pprof_stacks *stacks, struct vp_error *err)
{
	struct builder *builder = pprof->builder;
	const bool are_distinct = stacks_are_distinct(pprof, stacks->frames);
	const bool are_frames = are_distinct && stacks_are_frames(pprof, stacks->frames);
	if (!are_frames)
		stacks->stack = memory_new(stacks->count, sizeof *stacks->stack);
	const bool is_deep = !are_frames && stacks_depths(stacks) > builder->limits.max_depth;
	if (is_deep || pprof->stacks.warned & BUILDER_WARNED_DEPTH)
		builder_warn(builder, "truncated",
			"stacks deeper than %" PRIu32 " frames are cut at the root (--max-depth)",
			builder->limits.max_depth);
	if (are_frames) {
		stacks_rename(builder, stacks);
		return true;
	}
	if (!is_deep && are_distinct)
		return stacks_expand(builder, stacks, err);
	if (is_deep) {
		stacks->depth = memory_new(stacks->count, sizeof *stacks->depth);
		memcpy(stacks->depth, stacks->stack, stacks->count * sizeof *stacks->depth);
	}
	return stacks_map(builder, stacks, err);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* One value of each type; those that a sample does not have are 0. */
static void stacks_values(struct pprof *pprof, struct wire *wire, int64_t values[MAX_FILE_TYPES])
{
	uint64_t count = 0, value = 0;
	wire_varint(wire, &count);
	pprof->problems.few_values += count < pprof->named_types;
	pprof->problems.many_values += count > pprof->named_types;
	memset(values, 0, pprof->type_count * sizeof *values);
	for (uint64_t i = 0; i < count && i < MAX_FILE_TYPES; i++) {
		wire_varint(wire, &value);
		if (i < pprof->type_count)
			values[i] = (int64_t)value;
	}
}

static bool stacks_samples(struct pprof *pprof, struct pprof_stacks *stacks, struct vp_error *err)
{
	struct builder *builder = pprof->builder;
	struct wire wire = {NULL, NULL, false};
	if (pprof->sample_count > 0) /* else there is no array */
		wire = (struct wire){pprof->values, pprof->values + pprof->value_bytes, false};
	int64_t values[MAX_FILE_TYPES];
	for (size_t i = 0; i < pprof->sample_count; i++) {
		const uint32_t node = pprof->sample_stack[i];
		const bool is_cut =
			stacks->depth && stacks->depth[node] > builder->limits.max_depth;
		if (is_cut && stacks->stack[node] == 0 && !stacks_cut(builder, stacks, node, err))
			return false;
		stacks_values(pprof, &wire, values);
		builder_values(builder, stacks->stack ? stacks->stack[node] : node, values);
	}
	return true;
}

bool pprof_build_samples(
	struct pprof *pprof, const struct pprof_frames *frames, struct vp_error *err)
{
	const uint64_t bytes = source_offset(pprof->source);
	struct builder *from = &pprof->stacks;
	struct pprof_stacks stacks = {.frames = frames,
		.keys = from->node_key,
		.count = from->node_count,
		.capacity = from->node_capacity,
		.steps_left = bytes < UINT32_MAX / 16
				      ? STACKS_SPARE_FRAMES + bytes * STACKS_FRAMES_A_BYTE
				      : UINT32_MAX / 2};
	from->node_key = NULL;
	free(from->node_slots); /* nothing is looked up there any more */
	from->node_slots = NULL;
	bool ok = stacks_build(pprof, &stacks, err) && stacks_samples(pprof, &stacks, err);
	free(stacks.keys);
	free(stacks.stack);
	free(stacks.depth);
	free(stacks.path);
	return ok;
}
