/* SPDX-License-Identifier: MIT */
/*
 * The samples of a pprof message (pprof.md section 2).
 *
 * Location ids are written leaf first, so that stacks with the same callers end in the same bytes.
 * What a sample shares with the one before is found in the bytes and never decoded: of most stacks
 * only a few ids are.
 *
 * Where the first frame that differs is in the tree is far away in memory. It is asked for, and the
 * stack put there when the next sample was decoded: by then what was asked for has come.
 */
#include "format/pprof.h"

#include <string.h>

static void sample_add_varint(struct pprof *pprof, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		pprof->values[pprof->value_bytes++] = (uint8_t)(value | 0x80);
	pprof->values[pprof->value_bytes++] = (uint8_t)value;
}

static void sample_add_values(struct pprof *pprof, const uint64_t *values, size_t count)
{
	const size_t kept = count < MAX_FILE_TYPES ? count : MAX_FILE_TYPES;
	pprof->values = array_grow(pprof->values, &pprof->value_capacity,
		pprof->value_bytes + (kept + 1) * WIRE_MAX_VARINT, sizeof *pprof->values);
	sample_add_varint(pprof, count);
	for (size_t i = 0; i < kept; i++)
		sample_add_varint(pprof, values[i]);
}

/* ---- stacks ------------------------------------------------------------------------------- */

/* How many bytes, of `most` in front of each end, are the same. */
static size_t sample_common_end(const uint8_t *a_end, const uint8_t *b_end, size_t most)
{
	size_t count = 0;
	for (uint64_t a, b; count + sizeof a <= most; count += sizeof a) {
		memcpy(&a, a_end - count - sizeof a, sizeof a);
		memcpy(&b, b_end - count - sizeof b, sizeof b);
		if (a != b)
			break;
	}
	while (count < most && a_end[-1 - (ptrdiff_t)count] == b_end[-1 - (ptrdiff_t)count])
		count++;
	return count;
}

/* Whether a number begins at bytes[i]: the one in front of it, if there is one, ends. */
static bool sample_begins_at(const uint8_t *bytes, size_t i)
{
	return i == 0 || bytes[i - 1] < 0x80;
}

/*
 * How many of the bytes are of ids that the sample before does not end with; *shared frames are the
 * same as there.
 */
static size_t sample_head(const struct pprof *pprof, const struct wire *ids, size_t *shared)
{
	const struct pprof_last *last = &pprof->last;
	const size_t size = (size_t)(ids->end - ids->at);
	const size_t most = size < last->length ? size : last->length;
	*shared = 0;
	if (most == 0)
		return size;
	const uint8_t *before = last->bytes + last->capacity - last->length;
	size_t common = sample_common_end(ids->end, before + last->length, most);
	while (common > 0 && !(sample_begins_at(ids->at, size - common) &&
				     sample_begins_at(before, last->length - common)))
		common--;
	if (common == 0)
		return size;
	*shared = last->depth;
	for (size_t i = 0; i < last->length - common; i++)
		*shared -= before[i] < 0x80;
	return size - common;
}

/* The ids of this sample are those of the last one now; the first `head` bytes of them differ. */
static void sample_remember(struct pprof *pprof, const struct wire *ids, size_t head, size_t depth)
{
	struct pprof_last *last = &pprof->last;
	const size_t size = (size_t)(ids->end - ids->at);
	last->length = size;
	last->depth = depth;
	if (size > last->capacity) {
		last->bytes = array_grow(last->bytes, &last->capacity, size, 1);
		head = size;
	}
	if (head > 0)
		memcpy(last->bytes + last->capacity - size, ids->at, head);
}

/* Adds the locations of one occurrence of the field, leaf first, to path[*depth]. */
static bool sample_ids(struct pprof *pprof, const struct wire_field *field, size_t *depth)
{
	struct wire numbers = wire_numbers(field);
	uint64_t id;
	size_t most = *depth + (size_t)(numbers.end - numbers.at);
	if (most > pprof->path_capacity)
		pprof->path =
			array_grow(pprof->path, &pprof->path_capacity, most, sizeof *pprof->path);
	while (wire_number(&numbers, field, &id)) {
		if (pprof->location_count >= INT32_MAX)
			return false;
		pprof->path[(*depth)++] = id < pprof->near_capacity && pprof->near_locations[id]
						  ? pprof->near_locations[id]
						  : pprof_location_number(pprof, id);
	}
	return !numbers.is_broken;
}

void pprof_settle_samples(struct pprof *pprof)
{
	struct pprof_waiting *waiting = &pprof->waiting;
	if (!waiting->is_there)
		return;
	pprof->sample_stack[pprof->sample_count - 1] =
		waiting->shared > 0 ? builder_stack_after(&pprof->stacks, waiting->shared,
					      waiting->path, waiting->count)
				    : builder_stack(&pprof->stacks, waiting->path, waiting->count);
	waiting->is_there = false;
}

/* The stack of the first `shared` frames of the sample before and path[count], leaf first, waits.
 * False where the tree, which has ids of 32 bits, is full. */
static bool sample_wait(struct pprof *pprof, size_t shared, size_t count)
{
	frame_id *path = pprof->path;
	pprof_settle_samples(pprof);
	if (count > UINT32_MAX - 1 - pprof->stacks.node_count)
		return false;
	for (size_t i = 0; i < count / 2; i++) { /* root first */
		frame_id other = path[i];
		path[i] = path[count - 1 - i];
		path[count - 1 - i] = other;
	}
	const size_t capacity = pprof->path_capacity;
	pprof->path = pprof->waiting.path;
	pprof->path_capacity = pprof->waiting.capacity;
	pprof->waiting = (struct pprof_waiting){path, capacity, shared, count, true};
	if (count > 0)
		builder_fetch_child(&pprof->stacks, shared, path[0]);
	return true;
}

/* A sample whose ids are all in one packed field, as they nearly always are. */
static bool sample_take_packed(struct pprof *pprof, const struct wire_field *field)
{
	const struct wire *ids = &field->bytes;
	const size_t limit = pprof->stacks.limits.max_depth;
	size_t shared, count = 0;
	size_t head = sample_head(pprof, ids, &shared);
	if (shared + head > limit) { /* it may be too deep, and be cut then */
		head = (size_t)(ids->end - ids->at);
		shared = 0;
	}
	struct wire_field different = *field;
	different.bytes.end = ids->at + head;
	if (!sample_ids(pprof, &different, &count) || !sample_wait(pprof, shared, count))
		return false;
	pprof->last.length = 0;
	if (shared + count <= limit)
		sample_remember(pprof, ids, head, shared + count);
	return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* A sample while its fields are seen. */
struct sample {
	struct wire_field ids; /* the only field of ids so far */
	size_t id_fields;
	size_t depth; /* of pprof->path, where there are several */
	uint64_t values[MAX_FILE_TYPES];
	size_t value_count;
};

/* Ids in several fields are put together in pprof->path. */
static bool sample_add_ids(
	struct pprof *pprof, struct sample *sample, const struct wire_field *field)
{
	if (sample->id_fields++ == 0) {
		sample->ids = *field;
		return field->type == WIRE_BYTES || field->type == WIRE_VARINT;
	}
	return (sample->id_fields > 2 || sample_ids(pprof, &sample->ids, &sample->depth)) &&
	       sample_ids(pprof, field, &sample->depth);
}

static bool sample_values(struct sample *sample, const struct wire_field *field)
{
	struct wire numbers = wire_numbers(field);
	uint64_t value;
	for (; wire_number(&numbers, field, &value); sample->value_count++)
		if (sample->value_count < MAX_FILE_TYPES)
			sample->values[sample->value_count] = value;
	return !numbers.is_broken;
}

static bool sample_fields(struct pprof *pprof, struct sample *sample, struct wire wire)
{
	struct wire_field field;
	bool ok = true;
	while (ok && wire_next(&wire, &field)) {
		if (field.number == 1)
			ok = sample_add_ids(pprof, sample, &field);
		else if (field.number == 2)
			ok = sample_values(sample, &field);
		else if (field.number == 3)
			ok = pprof_label(&pprof->labels, &field);
	}
	return ok && !wire.is_broken;
}

static bool sample_take_stack(struct pprof *pprof, struct sample *sample)
{
	if (sample->id_fields == 1 && sample->ids.type == WIRE_BYTES)
		return sample_take_packed(pprof, &sample->ids);
	if (sample->id_fields == 1 && !sample_ids(pprof, &sample->ids, &sample->depth))
		return false;
	pprof->last.length = 0;
	return sample_wait(pprof, 0, sample->depth);
}

bool pprof_take_sample(struct pprof *pprof, struct wire wire)
{
	struct sample sample;
	sample.id_fields = sample.depth = sample.value_count = 0;
	pprof_labels_start(&pprof->labels);
	if (!sample_fields(pprof, &sample, wire) || !sample_take_stack(pprof, &sample))
		return false;
	pprof->sample_stack = array_grow(pprof->sample_stack, &pprof->sample_capacity,
		pprof->sample_count + 1, sizeof *pprof->sample_stack);
	pprof_labels_end(&pprof->labels, pprof->sample_count);
	pprof->sample_count++;
	sample_add_values(pprof, sample.values, sample.value_count);
	return true;
}
