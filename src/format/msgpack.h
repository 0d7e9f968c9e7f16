/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_MSGPACK_H
#define VPTOP_FORMAT_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/source.h"

/*
 * A pull parser for MessagePack (the specification of msgpack.org, "Formats"): one item head at a
 * time, bounds-checked, no tree of objects, no recursion. str and bin are both MSGPACK_BYTES, since
 * old writers had one type for both.
 *
 * Why not msgpack-c: its object API nests 32 deep at most, a CPU tree two levels a frame; its
 * unpack_template.h costs 1.4 times this. The tests compare the two.
 */

enum msgpack_type {
	MSGPACK_NIL,
	MSGPACK_BOOL,
	MSGPACK_INT,   /* `integer`: two's complement of a signed, or an unsigned 64-bit number */
	MSGPACK_FLOAT, /* `real` */
	MSGPACK_BYTES, /* `count` bytes follow */
	MSGPACK_ARRAY, /* `count` items follow */
	MSGPACK_MAP,   /* `count` pairs follow */
	MSGPACK_EXT    /* `count` bytes follow (the type byte included) */
};

struct msgpack_item {
	enum msgpack_type type;
	bool is_negative; /* MSGPACK_INT */
	uint64_t integer;
	double real;
	uint64_t count;
};

/* Eight bytes, the first the most significant; written out so that it becomes one instruction. */
static inline uint64_t msgpack_u64(const uint8_t *p)
{
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | p[7];
}

/* No head is longer. */
enum { MSGPACK_HEAD_MAX = 9 };

/*
 * Decodes the head at p[size]; the bytes it took, 0 when more are needed, -1 for the one byte
 * (0xc1) that is no head. The payload of MSGPACK_BYTES and MSGPACK_EXT comes behind it.
 */
int msgpack_head(const uint8_t *p, size_t size, struct msgpack_item *item);

/*
 * The next head of a source; steps over it. False and *err: the end (ERROR_TRUNCATED, or the
 * source's problem) or no head (ERROR_MALFORMED).
 */
bool msgpack_next(struct source *source, struct msgpack_item *item, struct vp_error *err);

/* Steps over what follows the head `item`: payload, items, however deeply nested. */
bool msgpack_skip(struct source *source, const struct msgpack_item *item, struct vp_error *err);

/* The next bytes of a MSGPACK_BYTES item of at most `max` bytes; valid until the source is used
 * again; steps over them. */
const char *msgpack_bytes(
	struct source *source, const struct msgpack_item *item, size_t max, struct vp_error *err);

/* Any number as a double; false for other types. */
bool msgpack_number(const struct msgpack_item *item, double *value);

#endif
