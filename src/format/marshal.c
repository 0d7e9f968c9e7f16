/* SPDX-License-Identifier: MIT */
#include "format/marshal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	MARSHAL_FLAG = 0x80,    /* of a type byte: others may refer to the object */
	MARSHAL_DIGIT_BITS = 15 /* of a long */
};

void marshal_init(struct marshal *marshal, struct source *source)
{
	*marshal = (struct marshal){.source = source};
	strings_init(&marshal->texts);
}

void marshal_free(struct marshal *marshal)
{
	strings_free(&marshal->texts);
	free(marshal->values);
	free(marshal->items);
	free(marshal->pending);
	free(marshal->references);
	free(marshal->interned);
	*marshal = (struct marshal){0};
}

/* ---- bytes ------------------------------------------------------------------------------ */

static bool marshal_ends(struct marshal *marshal, struct vp_error *err)
{
	const uint64_t offset = source_offset(marshal->source);
	if (source_problem(marshal->source, err))
		return false;
	return error_set(err, ERROR_TRUNCATED, (int64_t)offset,
		"the profile is cut short at byte %llu", (unsigned long long)offset);
}

static bool marshal_broken(
	const struct marshal *marshal, uint64_t before, const char *what, struct vp_error *err)
{
	const uint64_t offset = source_offset(marshal->source) - before;
	return error_set(err, ERROR_MALFORMED, (int64_t)offset, "bad marshal data at byte %llu: %s",
		(unsigned long long)offset, what);
}

/* The next `length` bytes, stepped over; NULL and *err at the end. */
static const uint8_t *marshal_bytes(struct marshal *marshal, size_t length, struct vp_error *err)
{
	size_t have;
	const uint8_t *bytes = source_peek(marshal->source, length, &have);
	if (have < length) {
		source_skip(marshal->source, have);
		marshal_ends(marshal, err);
		return NULL;
	}
	source_skip(marshal->source, length);
	return bytes;
}

static uint32_t marshal_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t marshal_u64(const uint8_t *p)
{
	return marshal_u32(p) | (uint64_t)marshal_u32(p + 4) << 32;
}

/* A length of four bytes, or of one where `is_short`. */
static bool marshal_length(
	struct marshal *marshal, bool is_short, uint32_t *length, struct vp_error *err)
{
	const uint8_t *bytes = marshal_bytes(marshal, is_short ? 1 : 4, err);
	if (!bytes)
		return false;
	*length = is_short ? bytes[0] : marshal_u32(bytes);
	return *length <= INT32_MAX || marshal_broken(marshal, 4, "a length below 0", err);
}

/* ---- values ------------------------------------------------------------------------------- */

static void marshal_refer(struct marshal *marshal, uint32_t value)
{
	marshal->references = array_grow(marshal->references, &marshal->reference_capacity,
		marshal->reference_count + 1, sizeof *marshal->references);
	marshal->references[marshal->reference_count++] = value;
}

static uint32_t marshal_add(struct marshal *marshal, struct marshal_value value)
{
	marshal->values = array_grow(marshal->values, &marshal->value_capacity,
		marshal->value_count + 1, sizeof *marshal->values);
	marshal->values[marshal->value_count] = value;
	return (uint32_t)marshal->value_count++;
}

/* The container opened last gets its items, and is an object like another. */
static uint32_t marshal_close(struct marshal *marshal)
{
	const struct marshal_open *open = &marshal->open[--marshal->depth];
	const size_t count = marshal->pending_count - open->base;
	const uint32_t value = marshal_add(marshal, (struct marshal_value){.type = open->type,
							    .count = (uint32_t)count,
							    .first = marshal->item_count});
	if (count > 0) {
		marshal->items = array_grow(marshal->items, &marshal->item_capacity,
			marshal->item_count + count, sizeof *marshal->items);
		memcpy(marshal->items + marshal->item_count, marshal->pending + open->base,
			count * sizeof *marshal->items);
		marshal->item_count += count;
		marshal->pending_count = open->base;
	}
	if (open->reference != MARSHAL_UNFINISHED)
		marshal->references[open->reference] = value;
	return value;
}

/* An object is complete: it is an item of what is open, which may be complete then, too. */
static void marshal_complete(struct marshal *marshal, uint32_t value)
{
	while (marshal->depth > 0) {
		struct marshal_open *open = &marshal->open[marshal->depth - 1];
		marshal->pending = array_grow(marshal->pending, &marshal->pending_capacity,
			marshal->pending_count + 1, sizeof *marshal->pending);
		marshal->pending[marshal->pending_count++] = value;
		if (open->type == MARSHAL_DICT || --open->missing > 0)
			return;
		value = marshal_close(marshal);
	}
	marshal->root = value;
	marshal->is_done = true;
}

static bool marshal_open(struct marshal *marshal, enum marshal_type type, uint32_t count,
	bool is_flagged, struct vp_error *err)
{
	if (marshal->depth == MARSHAL_MAX_DEPTH)
		return marshal_broken(marshal, 1, "nested too deep", err);
	marshal->open[marshal->depth++] = (struct marshal_open){.type = (uint8_t)type,
		.missing = count,
		.reference = is_flagged ? (uint32_t)marshal->reference_count : MARSHAL_UNFINISHED,
		.base = marshal->pending_count};
	if (is_flagged) /* its number comes before those of its items */
		marshal_refer(marshal, MARSHAL_UNFINISHED);
	if (count == 0 && type != MARSHAL_DICT)
		marshal_complete(marshal, marshal_close(marshal));
	return true;
}

static bool marshal_leaf(struct marshal *marshal, struct marshal_value value, bool is_flagged)
{
	const uint32_t index = marshal_add(marshal, value);
	if (is_flagged)
		marshal_refer(marshal, index);
	marshal_complete(marshal, index);
	return true;
}

/* ---- types --------------------------------------------------------------------------------- */

/* A long: digits of 15 bits, the lowest first; the sign of their number is its sign. */
static bool marshal_long(struct marshal *marshal, bool is_flagged, struct vp_error *err)
{
	const uint8_t *bytes = marshal_bytes(marshal, 4, err);
	if (!bytes)
		return false;
	const int64_t count = (int32_t)marshal_u32(bytes);
	uint64_t size = 0;
	bool is_past = false;
	for (int64_t i = 0; i < (count < 0 ? -count : count); i++) {
		bytes = marshal_bytes(marshal, 2, err);
		if (!bytes)
			return false;
		const uint64_t digit = bytes[0] | (uint64_t)bytes[1] << 8;
		if (digit >> MARSHAL_DIGIT_BITS)
			return marshal_broken(marshal, 2, "a digit past 15 bits", err);
		const int64_t shift = i * MARSHAL_DIGIT_BITS;
		is_past |= digit != 0 && (shift >= 63 || digit >> (63 - shift) != 0);
		if (shift < 63)
			size |= digit << shift;
	}
	struct marshal_value value = {.type = MARSHAL_INT, .is_clamped = is_past};
	if (count < 0)
		value.integer = is_past ? INT64_MIN : -(int64_t)size;
	else
		value.integer = is_past ? INT64_MAX : (int64_t)size;
	return marshal_leaf(marshal, value, is_flagged);
}

static bool marshal_real(struct marshal *marshal, double real, uint64_t before, bool is_flagged,
	struct vp_error *err)
{
	if (!isfinite(real))
		return marshal_broken(marshal, before, "a number that is not finite", err);
	return marshal_leaf(
		marshal, (struct marshal_value){.type = MARSHAL_REAL, .real = real}, is_flagged);
}

/* A float as text, of versions 0 and 1. */
static bool marshal_real_text(struct marshal *marshal, bool is_flagged, struct vp_error *err)
{
	uint32_t length;
	char text[256], *end;
	if (!marshal_length(marshal, true, &length, err))
		return false;
	const uint8_t *bytes = marshal_bytes(marshal, length, err);
	if (!bytes)
		return false;
	memcpy(text, bytes, length);
	text[length] = '\0';
	const double real = strtod(text, &end);
	/* "nan" and "inf" are numbers for strtod; blanks and hex digits are for nobody else. */
	if (length == 0 || end != text + length || strpbrk(text, " \t\n\v\f\rxX"))
		return marshal_broken(marshal, length, "a text that is no number", err);
	return marshal_real(marshal, real, length, is_flagged, err);
}

static bool marshal_real_bytes(struct marshal *marshal, bool is_flagged, struct vp_error *err)
{
	double real;
	const uint8_t *bytes = marshal_bytes(marshal, sizeof real, err);
	if (!bytes)
		return false;
	const uint64_t bits = marshal_u64(bytes);
	memcpy(&real, &bits, sizeof real);
	return marshal_real(marshal, real, sizeof real, is_flagged, err);
}

static bool marshal_complex(
	struct marshal *marshal, bool is_text, bool is_flagged, struct vp_error *err)
{
	uint32_t length = 8;
	for (int part = 0; part < 2; part++)
		if ((is_text && !marshal_length(marshal, true, &length, err)) ||
			!marshal_bytes(marshal, length, err))
			return false;
	return marshal_leaf(marshal, (struct marshal_value){.type = MARSHAL_COMPLEX}, is_flagged);
}

static bool marshal_integer(
	struct marshal *marshal, bool is_wide, bool is_flagged, struct vp_error *err)
{
	const uint8_t *bytes = marshal_bytes(marshal, is_wide ? 8 : 4, err);
	if (!bytes)
		return false;
	return marshal_leaf(marshal,
		(struct marshal_value){.type = MARSHAL_INT,
			.integer = is_wide ? (int64_t)marshal_u64(bytes)
					   : (int64_t)(int32_t)marshal_u32(bytes)},
		is_flagged);
}

static bool marshal_text(struct marshal *marshal, bool is_short, bool is_interned, bool is_flagged,
	struct vp_error *err)
{
	uint32_t length;
	if (!marshal_length(marshal, is_short, &length, err))
		return false;
	if (length > MARSHAL_MAX_TEXT)
		return marshal_broken(marshal, 4, "a text of more than 16 MiB", err);
	const uint8_t *bytes = marshal_bytes(marshal, length, err);
	if (!bytes)
		return false;
	const string_id text = strings_add(&marshal->texts, (const char *)bytes, length);
	if (is_interned) {
		marshal->interned = array_grow(marshal->interned, &marshal->interned_capacity,
			marshal->interned_count + 1, sizeof *marshal->interned);
		marshal->interned[marshal->interned_count++] = text;
	}
	return marshal_leaf(
		marshal, (struct marshal_value){.type = MARSHAL_TEXT, .text = text}, is_flagged);
}

/* Python 2: the index-th text of those that were interned. */
static bool marshal_interned(struct marshal *marshal, struct vp_error *err)
{
	uint32_t index;
	if (!marshal_length(marshal, false, &index, err))
		return false;
	if (index >= marshal->interned_count)
		return marshal_broken(marshal, 4, "a reference to a text that is not there", err);
	return marshal_leaf(marshal,
		(struct marshal_value){.type = MARSHAL_TEXT, .text = marshal->interned[index]},
		false);
}

static bool marshal_reference(struct marshal *marshal, struct vp_error *err)
{
	uint32_t index;
	if (!marshal_length(marshal, false, &index, err))
		return false;
	if (index >= marshal->reference_count)
		return marshal_broken(
			marshal, 4, "a reference to an object that is not there", err);
	if (marshal->references[index] == MARSHAL_UNFINISHED)
		return marshal_broken(marshal, 4, "a reference to an object that contains it", err);
	marshal_complete(marshal, marshal->references[index]);
	return true;
}

/* NULL: the end of a dict, after a value. */
static bool marshal_null(struct marshal *marshal, struct vp_error *err)
{
	const struct marshal_open *open =
		marshal->depth ? &marshal->open[marshal->depth - 1] : NULL;
	if (!open || open->type != MARSHAL_DICT)
		return marshal_broken(marshal, 1, "an end where no dict is open", err);
	if ((marshal->pending_count - open->base) % 2 != 0)
		return marshal_broken(marshal, 1, "a key without a value", err);
	marshal_complete(marshal, marshal_close(marshal));
	return true;
}

static bool marshal_container(struct marshal *marshal, enum marshal_type type, bool is_short,
	bool is_flagged, struct vp_error *err)
{
	uint32_t count;
	return marshal_length(marshal, is_short, &count, err) &&
	       marshal_open(marshal, type, count, is_flagged, err);
}

static bool marshal_object(struct marshal *marshal, uint8_t byte, struct vp_error *err)
{
	const bool flag = (byte & MARSHAL_FLAG) != 0;
	const uint8_t code = byte & (uint8_t)~MARSHAL_FLAG;
	switch (code) {
	case '0':
		return marshal_null(marshal, err);
	case 'N': /* these three are never in the list of references */
		return marshal_leaf(marshal, (struct marshal_value){.type = MARSHAL_NONE}, false);
	case 'T':
	case 'F':
		return marshal_leaf(marshal,
			(struct marshal_value){.type = MARSHAL_BOOL, .integer = code == 'T'},
			false);
	case 'i':
	case 'I':
		return marshal_integer(marshal, code == 'I', flag, err);
	case 'l':
		return marshal_long(marshal, flag, err);
	case 'f':
		return marshal_real_text(marshal, flag, err);
	case 'g':
		return marshal_real_bytes(marshal, flag, err);
	case 'x':
	case 'y':
		return marshal_complex(marshal, code == 'x', flag, err);
	case 's':
	case 'u':
	case 'a':
	case 'A':
	case 't':
		return marshal_text(marshal, false, code == 't', flag, err);
	case 'z':
	case 'Z':
		return marshal_text(marshal, true, false, flag, err);
	case 'R':
		return marshal_interned(marshal, err);
	case 'r':
		return marshal_reference(marshal, err);
	case '(':
	case ')':
		return marshal_container(marshal, MARSHAL_TUPLE, code == ')', flag, err);
	case '[':
		return marshal_container(marshal, MARSHAL_LIST, false, flag, err);
	case '<':
	case '>':
		return marshal_container(marshal, MARSHAL_SET, false, flag, err);
	case '{':
		return marshal_open(marshal, MARSHAL_DICT, 0, flag, err);
	case ':': /* a slice: start, stop, step */
		return marshal_open(marshal, MARSHAL_LIST, 3, flag, err);
	default:
		return marshal_broken(marshal, 1, "a type that no profile has", err);
	}
}

bool marshal_read(struct marshal *marshal, size_t steps, struct vp_error *err)
{
	for (; steps > 0 && !marshal->is_done; steps--) {
		const uint8_t *byte = marshal_bytes(marshal, 1, err);
		if (!byte || !marshal_object(marshal, *byte, err))
			return false;
		if (marshal->value_count >= MARSHAL_UNFINISHED - 1 ||
			marshal->pending_count >= MARSHAL_UNFINISHED - 1)
			return error_set(err, ERROR_LIMIT, (int64_t)source_offset(marshal->source),
				"more than 4 billion objects");
	}
	return true;
}

bool marshal_salvage(struct marshal *marshal)
{
	if (marshal->depth == 0 || marshal->open[0].type != MARSHAL_DICT)
		return false;
	if (marshal->depth > 1) /* what is not complete */
		marshal->pending_count = marshal->open[1].base;
	marshal->pending_count -= (marshal->pending_count - marshal->open[0].base) % 2;
	marshal->depth = 1;
	marshal->root = marshal_close(marshal);
	return true;
}
