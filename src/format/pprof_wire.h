/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_PPROF_WIRE_H
#define VPTOP_FORMAT_PPROF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Protocol buffers on the wire (pprof.md section 1): fields of a number, a type and a value, in any
 * order. Nothing is copied and nothing allocated; each read is bounded by `end`.
 */

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

enum { WIRE_MAX_VARINT = 10 }; /* bytes */

struct wire {
	const uint8_t *at, *end;
	bool is_broken; /* what follows `at` is no field */
};

struct wire_field {
	uint64_t number; /* from 1 */
	enum wire_type type;
	uint64_t value;    /* WIRE_VARINT */
	struct wire bytes; /* WIRE_BYTES */
};

/* A number of up to ten bytes; false, and at does not move, where there is none before `end`. */
static inline bool wire_varint(struct wire *wire, uint64_t *value)
{
	const uint8_t *at = wire->at;
	uint64_t sum = 0;
	if (at < wire->end && *at < 0x80) { /* nearly all */
		wire->at = at + 1;
		*value = *at;
		return true;
	}
	for (unsigned shift = 0; at < wire->end && shift < 7 * WIRE_MAX_VARINT; shift += 7) {
		uint8_t byte = *at++;
		if (shift == 63 && byte > 1)
			return false; /* past 64 bits */
		sum |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		wire->at = at;
		*value = sum;
		return true;
	}
	return false;
}

/* The next field; false at the end, and where it is broken: groups, unknown types, a length or a
 * number that is not all there. */
bool wire_next(struct wire *wire, struct wire_field *field);

/*
 * The numbers of one occurrence of a repeated field, which may be packed or a single one: start,
 * then take until it is false. wire->is_broken where the field is neither, or a number is cut.
 */
static inline struct wire wire_numbers(const struct wire_field *field)
{
	static const uint8_t one = 0; /* there is one number, and its bytes are gone */
	if (field->type == WIRE_BYTES)
		return field->bytes;
	return (struct wire){&one, &one + 1, field->type != WIRE_VARINT};
}

static inline bool wire_number(
	struct wire *numbers, const struct wire_field *field, uint64_t *value)
{
	if (numbers->at == numbers->end || numbers->is_broken)
		return false;
	if (field->type == WIRE_VARINT) {
		*value = field->value;
		numbers->at = numbers->end;
		return true;
	}
	numbers->is_broken = !wire_varint(numbers, value);
	return !numbers->is_broken;
}

#endif
