/* SPDX-License-Identifier: MIT */
#include "format/msgpack.h"

#include <string.h>

/* The number of `size` <= 8 bytes at p, of which `have` can be read. */
static uint64_t msgpack_big_endian(const uint8_t *p, size_t size, size_t have)
{
	uint64_t value = 0;
	if (have >= sizeof value && size > 0)
		return msgpack_u64(p) >> (64 - 8 * size);
	for (size_t i = 0; i < size; i++)
		value = value << 8 | p[i];
	return value;
}

static double msgpack_float(uint64_t bits, size_t size)
{
	if (size == 4) {
		uint32_t half = (uint32_t)bits;
		float value;
		memcpy(&value, &half, sizeof value);
		return (double)value;
	}
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Heads 0xc0..0xdf: what they are and how many bytes their number has. */
static const struct {
	uint8_t type, size;
	uint8_t is_signed;
	uint8_t extra; /* bytes of payload that the head itself implies */
} msgpack_heads[32] = {
	[0x00] = {MSGPACK_NIL, 0, 0, 0},
	[0x02] = {MSGPACK_BOOL, 0, 0, 0},
	[0x03] = {MSGPACK_BOOL, 0, 0, 0},
	[0x04] = {MSGPACK_BYTES, 1, 0, 0},
	[0x05] = {MSGPACK_BYTES, 2, 0, 0},
	[0x06] = {MSGPACK_BYTES, 4, 0, 0},
	[0x07] = {MSGPACK_EXT, 1, 0, 1},
	[0x08] = {MSGPACK_EXT, 2, 0, 1},
	[0x09] = {MSGPACK_EXT, 4, 0, 1},
	[0x0a] = {MSGPACK_FLOAT, 4, 0, 0},
	[0x0b] = {MSGPACK_FLOAT, 8, 0, 0},
	[0x0c] = {MSGPACK_INT, 1, 0, 0},
	[0x0d] = {MSGPACK_INT, 2, 0, 0},
	[0x0e] = {MSGPACK_INT, 4, 0, 0},
	[0x0f] = {MSGPACK_INT, 8, 0, 0},
	[0x10] = {MSGPACK_INT, 1, 1, 0},
	[0x11] = {MSGPACK_INT, 2, 1, 0},
	[0x12] = {MSGPACK_INT, 4, 1, 0},
	[0x13] = {MSGPACK_INT, 8, 1, 0},
	[0x14] = {MSGPACK_EXT, 0, 0, 2},
	[0x15] = {MSGPACK_EXT, 0, 0, 3},
	[0x16] = {MSGPACK_EXT, 0, 0, 5},
	[0x17] = {MSGPACK_EXT, 0, 0, 9},
	[0x18] = {MSGPACK_EXT, 0, 0, 17},
	[0x19] = {MSGPACK_BYTES, 1, 0, 0},
	[0x1a] = {MSGPACK_BYTES, 2, 0, 0},
	[0x1b] = {MSGPACK_BYTES, 4, 0, 0},
	[0x1c] = {MSGPACK_ARRAY, 2, 0, 0},
	[0x1d] = {MSGPACK_ARRAY, 4, 0, 0},
	[0x1e] = {MSGPACK_MAP, 2, 0, 0},
	[0x1f] = {MSGPACK_MAP, 4, 0, 0},
};

static int msgpack_long_head(const uint8_t *p, size_t size, struct msgpack_item *item)
{
	unsigned index = p[0] & 0x1f;
	size_t number = msgpack_heads[index].size;
	if (p[0] == 0xc1)
		return -1;
	if (size < 1 + number)
		return 0;
	uint64_t value = msgpack_big_endian(p + 1, number, size - 1);
	item->type = msgpack_heads[index].type;
	item->count = value + msgpack_heads[index].extra;
	item->integer = item->type == MSGPACK_BOOL ? p[0] & 1 : value;
	if (item->type == MSGPACK_FLOAT)
		item->real = msgpack_float(value, number);
	if (msgpack_heads[index].is_signed && number > 0) {
		unsigned shift = (unsigned)(64 - 8 * number);
		item->integer = (uint64_t)((int64_t)(value << shift) >> shift);
		item->is_negative = (int64_t)item->integer < 0;
	}
	return (int)(1 + number);
}

int msgpack_head(const uint8_t *p, size_t size, struct msgpack_item *item)
{
	if (size == 0)
		return 0;
	uint8_t byte = p[0];
	*item = (struct msgpack_item){.type = MSGPACK_INT};
	if (byte < 0x80) {
		item->integer = byte;
	} else if (byte >= 0xe0) {
		item->integer = (uint64_t)(int64_t)(int8_t)byte;
		item->is_negative = true;
	} else if (byte < 0x90) {
		item->type = MSGPACK_MAP;
		item->count = byte & 0x0f;
	} else if (byte < 0xa0) {
		item->type = MSGPACK_ARRAY;
		item->count = byte & 0x0f;
	} else if (byte < 0xc0) {
		item->type = MSGPACK_BYTES;
		item->count = byte & 0x1f;
	} else {
		return msgpack_long_head(p, size, item);
	}
	return 1;
}

static bool msgpack_ends(struct source *source, struct vp_error *err)
{
	if (source_problem(source, err))
		return false;
	return error_set(err, ERROR_TRUNCATED, (int64_t)source_offset(source),
		"cut short at byte %llu", (unsigned long long)source_offset(source));
}

bool msgpack_next(struct source *source, struct msgpack_item *item, struct vp_error *err)
{
	size_t have;
	const uint8_t *p = source_peek(source, MSGPACK_HEAD_MAX, &have);
	int used = msgpack_head(p, have, item);
	if (used == 0)
		return msgpack_ends(source, err);
	if (used < 0)
		return error_set(err, ERROR_MALFORMED, (int64_t)source_offset(source),
			"0xc1 at byte %llu is no MessagePack",
			(unsigned long long)source_offset(source));
	source_skip(source, (uint64_t)used);
	return true;
}

/* Items that follow a head. */
static uint64_t msgpack_items(const struct msgpack_item *item)
{
	return item->type == MSGPACK_ARRAY ? item->count
	       : item->type == MSGPACK_MAP ? 2 * item->count
					   : 0;
}

static bool msgpack_skip_payload(
	struct source *source, const struct msgpack_item *item, struct vp_error *err)
{
	if (item->type != MSGPACK_BYTES && item->type != MSGPACK_EXT)
		return true;
	return source_skip(source, item->count) || msgpack_ends(source, err);
}

bool msgpack_skip(struct source *source, const struct msgpack_item *item, struct vp_error *err)
{
	if (!msgpack_skip_payload(source, item, err))
		return false;
	for (uint64_t left = msgpack_items(item); left > 0; left--) {
		struct msgpack_item next;
		if (!msgpack_next(source, &next, err) || !msgpack_skip_payload(source, &next, err))
			return false;
		uint64_t more = msgpack_items(&next);
		left = left > UINT64_MAX - more ? UINT64_MAX : left + more;
	}
	return true;
}

const char *msgpack_bytes(
	struct source *source, const struct msgpack_item *item, size_t max, struct vp_error *err)
{
	if (item->type != MSGPACK_BYTES || item->count > max) {
		error_set(err, ERROR_MALFORMED, (int64_t)source_offset(source),
			"a text was expected at byte %llu",
			(unsigned long long)source_offset(source));
		return NULL;
	}
	size_t have, length = (size_t)item->count;
	const uint8_t *p = source_peek(source, length, &have);
	if (have < length) {
		msgpack_ends(source, err);
		return NULL;
	}
	source_skip(source, length);
	return (const char *)p;
}

bool msgpack_number(const struct msgpack_item *item, double *value)
{
	if (item->type == MSGPACK_FLOAT)
		*value = item->real;
	else if (item->type == MSGPACK_INT)
		*value = item->is_negative ? (double)(int64_t)item->integer : (double)item->integer;
	return item->type == MSGPACK_FLOAT || item->type == MSGPACK_INT;
}
