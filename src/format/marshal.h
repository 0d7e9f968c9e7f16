/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_MARSHAL_H
#define VPTOP_FORMAT_MARSHAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strings.h"
#include "source/source.h"

/*
 * Python's marshal, versions 0 to 5, of CPython and PyPy (pstats.md section 2): one object becomes
 * an array of values of 16 bytes, in which containers name their items by number. What is referred
 * to several times is there once, so the memory is at most some 40 times the input. No recursion; a
 * length of the file allocates nothing. Code objects and the like are refused.
 */

enum marshal_type {
	MARSHAL_NONE,
	MARSHAL_BOOL,  /* `integer`: 0 or 1 */
	MARSHAL_INT,   /* `integer`; past 64 bits its nearest end, and `is_clamped` */
	MARSHAL_REAL,  /* `real`, never NaN or infinite */
	MARSHAL_TEXT,  /* `text`: bytes or characters (UTF-8, perhaps broken) */
	MARSHAL_TUPLE, /* `count` items from `first` */
	MARSHAL_LIST,
	MARSHAL_SET,
	MARSHAL_DICT,   /* likewise: key, value, key, value, ... */
	MARSHAL_COMPLEX /* its value is not kept */
};

struct marshal_value {
	uint8_t type; /* enum marshal_type */
	bool is_clamped;
	uint32_t count;
	union {
		int64_t integer;
		double real;
		string_id text; /* in marshal->texts */
		size_t first;   /* index into marshal->items */
	};
};

/* Containers inside one another; a profile has 5. */
enum { MARSHAL_MAX_DEPTH = 64, MARSHAL_MAX_TEXT = 16 << 20 };

/* A container whose items are being read. */
struct marshal_open {
	uint8_t type;
	uint32_t missing;   /* items; not of a dict */
	uint32_t reference; /* index into references; UINT32_MAX: nothing may refer to it */
	size_t base;        /* its items are pending[base...] */
};

struct marshal {
	struct source *source;
	struct strings texts;
	struct marshal_value *values;
	size_t value_count, value_capacity;
	uint32_t *items; /* indices of values */
	size_t item_count, item_capacity;
	uint32_t *pending; /* items of containers that are not closed */
	size_t pending_count, pending_capacity;
	uint32_t *references; /* what 'r' counts: indices of values, MARSHAL_UNFINISHED */
	size_t reference_count, reference_capacity;
	string_id *interned; /* what 'R' counts */
	size_t interned_count, interned_capacity;
	struct marshal_open open[MARSHAL_MAX_DEPTH];
	unsigned depth;
	uint32_t root; /* index of a value, once it is there */
	bool is_done;
};

#define MARSHAL_UNFINISHED UINT32_MAX

void marshal_init(struct marshal *marshal, struct source *source);
void marshal_free(struct marshal *marshal);

/*
 * Reads on for at most `steps` objects; call it until marshal->is_done. False and *err, with the
 * offset: the input ends (ERROR_TRUNCATED, or the source's problem), or is broken
 * (ERROR_MALFORMED); marshal_salvage then says what is there.
 */
bool marshal_read(struct marshal *marshal, size_t steps, struct vp_error *err);

/*
 * After a failure: the outermost dict with the pairs that are complete becomes the root. False
 * where there is none.
 */
bool marshal_salvage(struct marshal *marshal);

/* Item i < value->count of a container. */
static inline const struct marshal_value *marshal_item(
	const struct marshal *marshal, const struct marshal_value *value, uint32_t i)
{
	return &marshal->values[marshal->items[value->first + i]];
}

static inline bool marshal_is_number(const struct marshal_value *value)
{
	return value->type == MARSHAL_INT || value->type == MARSHAL_BOOL ||
	       value->type == MARSHAL_REAL;
}

#endif
