/* SPDX-License-Identifier: MIT */
/* The memory samples of a vmprof-viewer profile: [[[address, ...], KiB], ...], root first. */
#include "format/viewer_blobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 64 * 1024 };

enum step { STEP_NEXT, STEP_MORE, STEP_STOP };

/* What is wrong with a sample; viewer_samples adds where. */
static enum step viewer_stop(const char *what, struct vp_error *why)
{
	error_set(why, ERROR_MALFORMED, -1, "%s", what);
	return STEP_STOP;
}

/*
 * In lines mode the negated line follows its frame's address: 0 down to -(2^32 - 1), as 64 bits.
 * Other values with the top bit set are addresses.
 */
static bool viewer_is_line(uint64_t value)
{
	return value + UINT32_MAX <= UINT32_MAX;
}

/* Not 0 where the eight bytes at p and q differ. */
static inline uint64_t viewer_differ(const uint8_t *p, const uint8_t *q)
{
	uint64_t a, b;
	memcpy(&a, p, sizeof a);
	memcpy(&b, q, sizeof b);
	return a ^ b;
}

/* How many bytes in front are equal, of `size`: 32, then 8, then 1 a step. */
static inline size_t viewer_equal(const uint8_t *p, const uint8_t *q, size_t size)
{
	size_t i = 0;
	while (i + 32 <= size &&
		!(viewer_differ(p + i, q + i) | viewer_differ(p + i + 8, q + i + 8) |
			viewer_differ(p + i + 16, q + i + 16) |
			viewer_differ(p + i + 24, q + i + 24)))
		i += 32;
	while (i + 8 <= size && !viewer_differ(p + i, q + i))
		i += 8;
	while (i < size && p[i] == q[i])
		i++;
	return i;
}

/*
 * How many integers in front are, byte for byte, those of the trace before. Successive stacks share
 * most of their frames, so this loop sees most of the bytes of a profile.
 */
static size_t viewer_shared(
	const struct viewer *viewer, const uint8_t *p, const uint8_t *end, size_t count)
{
	size_t shared = count < viewer->address_count ? count : viewer->address_count;
	size_t left = (size_t)(end - p), size = shared ? viewer->raw_end[shared - 1] : 0;
	size_t same = viewer_equal(p, viewer->raw, size < left ? size : left);
	while (shared > 0 && viewer->raw_end[shared - 1] > same)
		shared--;
	return shared;
}

/* One integer at p; the bytes it took, 0 for more, -1 for something else. */
static inline int viewer_integer(const uint8_t *p, const uint8_t *end, uint64_t *value)
{
	struct msgpack_item item;
	if (end - p >= MSGPACK_HEAD_MAX && *p == 0xcf) {
		*value = msgpack_u64(p + 1);
		return MSGPACK_HEAD_MAX;
	}
	int used = msgpack_head(p, (size_t)(end - p), &item);
	*value = item.integer;
	return used > 0 && item.type != MSGPACK_INT ? -1 : used;
}

/*
 * The integers of a trace into viewer->address. *shared gets how many of them in front are those of
 * the sample before, *has_lines whether some are no addresses.
 */
static enum step viewer_trace(struct viewer *viewer, const uint8_t **cursor, const uint8_t *end,
	size_t count, size_t *shared, bool *has_lines, struct vp_error *why)
{
	const uint8_t *start = *cursor;
	size_t same = viewer_shared(viewer, start, end, count);
	size_t kept = same ? viewer->raw_end[same - 1] : 0;
	const uint8_t *p = start + kept;
	viewer->address_count = 0;
	for (size_t i = same; i < count; i++) {
		uint64_t value;
		int used = viewer_integer(p, end, &value);
		if (used == 0)
			return STEP_MORE;
		if (used < 0)
			return viewer_stop("a trace with something else than integers", why);
		p += used;
		*has_lines |= viewer_is_line(value);
		viewer->address[i] = value;
		viewer->raw_end[i] = (uint32_t)(p - start);
	}
	if (p > start + kept)
		memcpy(viewer->raw + kept, start + kept, (size_t)(p - start) - kept);
	*cursor = p;
	*shared = same;
	viewer->address_count = count;
	return STEP_NEXT;
}

static frame_id viewer_frame(struct viewer *viewer, uint64_t address, uint32_t line)
{
	return builder_frame(
		viewer->builder, address, line, address & 1 ? CODE_NATIVE : CODE_UNKNOWN);
}

/* All frames of a trace with lines; it shares none, nor does the next one with it. */
static stack_id viewer_stack_lines(struct viewer *viewer)
{
	size_t count = 0;
	for (size_t i = 0; i < viewer->address_count; i++) {
		if (viewer_is_line(viewer->address[i]))
			continue;
		bool has_line =
			i + 1 < viewer->address_count && viewer_is_line(viewer->address[i + 1]);
		uint32_t line = has_line ? (uint32_t)(0 - viewer->address[i + 1]) : 0;
		viewer->tail[count++] = viewer_frame(viewer, viewer->address[i], line);
	}
	viewer->builder->profile->has_lines = true;
	viewer->address_count = 0;
	return builder_stack(viewer->builder, viewer->tail, count);
}

static stack_id viewer_stack(struct viewer *viewer, size_t shared)
{
	size_t count = viewer->address_count - shared;
	for (size_t i = 0; i < count; i++)
		viewer->tail[i] = viewer_frame(viewer, viewer->address[shared + i], 0);
	return builder_stack_after(viewer->builder, shared, viewer->tail, count);
}

/* Memory in KiB: an integer, a float, nil, or not there at all. */
static enum step viewer_memory(
	const uint8_t **cursor, const uint8_t *end, int64_t *kib, struct vp_error *why)
{
	struct msgpack_item item;
	double value = 0;
	int used = msgpack_head(*cursor, (size_t)(end - *cursor), &item);
	if (used == 0)
		return STEP_MORE;
	if (used < 0)
		return viewer_stop("a sample whose memory is no number", why);
	*cursor += used;
	*kib = 0;
	if (item.type == MSGPACK_INT && item.integer <= INT64_MAX)
		*kib = item.is_negative ? 0 : (int64_t)item.integer;
	else if (msgpack_number(&item, &value))
		*kib = value > 0 && value < 9e18 ? (int64_t)llround(value) : 0;
	else if (item.type != MSGPACK_NIL)
		return viewer_stop("a sample whose memory is no number", why);
	return STEP_NEXT;
}

/* Room for a trace of `count` integers. */
static void viewer_reserve(struct viewer *viewer, size_t count)
{
	if (count <= viewer->address_capacity)
		return;
	viewer->address = array_grow(
		viewer->address, &viewer->address_capacity, count, sizeof *viewer->address);
	size_t room = viewer->address_capacity;
	viewer->tail = memory_grow(viewer->tail, room * sizeof *viewer->tail);
	viewer->raw = memory_grow(viewer->raw, room * MSGPACK_HEAD_MAX);
	viewer->raw_end = memory_grow(viewer->raw_end, room * sizeof *viewer->raw_end);
}

static enum step viewer_sample(struct viewer *viewer, const uint8_t *start, size_t have,
	size_t *used, struct vp_error *why)
{
	const uint8_t *p = start, *end = start + have;
	struct msgpack_item row, trace;
	int head = msgpack_head(p, have, &row);
	if (head == 0)
		return STEP_MORE;
	if (head < 0 || row.type != MSGPACK_ARRAY || row.count < 1 || row.count > 2)
		return viewer_stop("a sample that is no pair of trace and memory", why);
	p += head;
	head = msgpack_head(p, (size_t)(end - p), &trace);
	if (head == 0)
		return STEP_MORE;
	if (head < 0 || trace.type != MSGPACK_ARRAY)
		return viewer_stop("a sample whose trace is no array", why);
	if (trace.count > viewer->builder->limits.max_depth)
		return viewer_stop("a trace longer than --max-depth allows", why);
	p += head;

	size_t count = (size_t)trace.count, shared = 0;
	viewer_reserve(viewer, count);
	bool has_lines = false;
	int64_t kib = 0;
	enum step step = viewer_trace(viewer, &p, end, count, &shared, &has_lines, why);
	if (step == STEP_NEXT && row.count == 2)
		step = viewer_memory(&p, end, &kib, why);
	if (step != STEP_NEXT) {
		viewer->address_count = 0;
		return step;
	}
	stack_id stack = has_lines ? viewer_stack_lines(viewer) : viewer_stack(viewer, shared);
	builder_sample(viewer->builder, stack, 1, kib, 0);
	*used = (size_t)(p - start);
	return STEP_NEXT;
}

/* `count` samples; a window at a time, and a larger one where a sample is longer. */
static bool viewer_samples(
	struct viewer *viewer, struct source *source, uint64_t count, struct vp_error *why)
{
	size_t wanted = WINDOW;
	while (count > 0) {
		size_t have, at = 0, used = 0;
		const uint8_t *p = source_peek(source, wanted, &have);
		enum step step = STEP_NEXT;
		while (count > 0 && (step = viewer_sample(viewer, p + at, have - at, &used, why)) ==
					    STEP_NEXT) {
			at += used;
			count--;
		}
		source_skip(source, at);
		if (step == STEP_STOP) {
			struct vp_error what = *why;
			return error_set(why, what.code, (int64_t)source_offset(source),
				"%s at byte %llu", what.message,
				(unsigned long long)source_offset(source));
		}
		if (step == STEP_MORE && have < wanted) {
			if (!source_problem(source, why))
				error_set(why, ERROR_TRUNCATED, (int64_t)source_offset(source),
					"cut short at byte %llu",
					(unsigned long long)source_offset(source));
			return false;
		}
		if (at == 0)
			wanted *= 2;
		uint64_t done, total;
		source_progress(source, &done, &total);
		if (!builder_tick(viewer->builder, done, total))
			return error_set(why, ERROR_CANCELLED, -1, "loading was stopped");
	}
	return true;
}

bool viewer_read_samples(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err)
{
	struct vp_error why = {0};
	if (first->type != MSGPACK_ARRAY)
		return error_set(err, ERROR_MALFORMED, -1, "the memory samples are no array");
	viewer->has_samples = true;
	if (viewer_samples(viewer, source, first->count, &why))
		return true;
	char part[64];
	snprintf(part, sizeof part, "memory samples: %zu of %llu read",
		viewer->builder->profile->sample_count, (unsigned long long)first->count);
	return viewer_cut(viewer, part, &why, err);
}
