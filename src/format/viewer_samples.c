/* SPDX-License-Identifier: MIT */
/* The memory samples of a vmprof-viewer profile: [[[address, ...], KiB], ...], root first. */
#include "format/viewer_blobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 64 * 1024 };

enum step { STEP_NEXT, STEP_MORE, STEP_STOP };

static enum step viewer_stop(size_t at, const char *what, struct vp_error *why)
{
	error_set(why, ERROR_MALFORMED, (int64_t)at, "%s", what);
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

/*
 * The integers of a trace into viewer->address. *shared gets how many of them in front are those of
 * the sample before, *has_lines whether some are no addresses.
 */
static enum step viewer_trace(struct viewer *viewer, const uint8_t **cursor, const uint8_t *end,
	size_t count, size_t *shared, bool *has_lines, struct vp_error *why)
{
	const uint8_t *p = *cursor;
	uint64_t *address = viewer->address;
	size_t same = 0, before = viewer->address_count;
	bool lines = false;
	viewer->address_count = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t value;
		if (end - p < MSGPACK_HEAD_MAX) {
			struct msgpack_item item;
			int used = msgpack_head(p, (size_t)(end - p), &item);
			if (used == 0)
				return STEP_MORE;
			if (used < 0 || item.type != MSGPACK_INT)
				return viewer_stop(
					0, "a trace with something else than integers", why);
			value = item.integer;
			p += used;
		} else if (*p == 0xcf) {
			uint64_t raw;
			memcpy(&raw, p + 1, 8);
			value = __builtin_bswap64(raw);
			p += 9;
		} else {
			struct msgpack_item item;
			int used = msgpack_head(p, MSGPACK_HEAD_MAX, &item);
			if (used < 0 || item.type != MSGPACK_INT)
				return viewer_stop(
					0, "a trace with something else than integers", why);
			value = item.integer;
			p += used;
		}
		lines |= viewer_is_line(value);
		if (i == same && i < before && address[i] == value)
			same++;
		else
			address[i] = value;
	}
	*cursor = p;
	*shared = same;
	*has_lines = lines;
	viewer->address_count = count;
	return STEP_NEXT;
}

static frame_id viewer_frame(struct viewer *viewer, uint64_t address, uint32_t line)
{
	return builder_frame(
		viewer->builder, address, line, address & 1 ? CODE_NATIVE : CODE_UNKNOWN);
}

static size_t viewer_frames_lines(struct viewer *viewer)
{
	size_t count = 0;
	for (size_t i = 0; i < viewer->address_count; i++) {
		if (viewer_is_line(viewer->address[i]))
			continue;
		bool has_line =
			i + 1 < viewer->address_count && viewer_is_line(viewer->address[i + 1]);
		uint32_t line = has_line ? (uint32_t)(0 - viewer->address[i + 1]) : 0;
		viewer->frames[count++] = viewer_frame(viewer, viewer->address[i], line);
	}
	viewer->builder->profile->has_lines = true;
	viewer->address_count = 0; /* nothing for the next one to share */
	return count;
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
	if (used < 0 || (item.type != MSGPACK_NIL && !msgpack_number(&item, &value)))
		return viewer_stop(0, "a sample whose memory is no number", why);
	*cursor += used;
	*kib = item.type == MSGPACK_INT && !item.is_negative && item.integer <= INT64_MAX
		       ? (int64_t)item.integer
	       : value > 0 && value < 9e18 ? (int64_t)llround(value)
					   : 0;
	return STEP_NEXT;
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
		return viewer_stop(0, "a sample that is no pair of trace and memory", why);
	p += head;
	head = msgpack_head(p, (size_t)(end - p), &trace);
	if (head == 0)
		return STEP_MORE;
	if (head < 0 || trace.type != MSGPACK_ARRAY)
		return viewer_stop(0, "a sample whose trace is no array", why);
	if (trace.count > viewer->builder->limits.max_depth)
		return viewer_stop(0, "a trace longer than --max-depth allows", why);
	p += head;

	size_t count = (size_t)trace.count, shared = 0;
	if (count > viewer->address_capacity) {
		viewer->address = array_grow(
			viewer->address, &viewer->address_capacity, count, sizeof *viewer->address);
		viewer->frames = array_grow(
			viewer->frames, &viewer->frame_capacity, count, sizeof *viewer->frames);
	}
	bool has_lines = false;
	int64_t kib = 0;
	enum step step = viewer_trace(viewer, &p, end, count, &shared, &has_lines, why);
	if (step == STEP_NEXT && row.count == 2)
		step = viewer_memory(&p, end, &kib, why);
	if (step != STEP_NEXT) {
		viewer->address_count = 0;
		return step;
	}
	if (has_lines)
		count = viewer_frames_lines(viewer);
	else
		for (size_t i = shared; i < count; i++)
			viewer->frames[i] = viewer_frame(viewer, viewer->address[i], 0);
	builder_sample(
		viewer->builder, builder_stack(viewer->builder, viewer->frames, count), 1, kib, 0);
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
		if (step == STEP_STOP)
			return false;
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
