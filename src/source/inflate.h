/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_SOURCE_INFLATE_H
#define VPTOP_SOURCE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * One decompressor: gzip (several members one after another), zlib or zstd (several frames). Used
 * by source.c only; the only file that knows the compression libraries.
 */

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZLIB, COMPRESSION_ZSTD };

struct inflater;

/*
 * What the first bytes[size] say. Compressions that are known but not read give COMPRESSION_NONE
 * and *name = "bzip2", "xz", "zip"; else *name is the compression's name or NULL.
 */
enum compression inflate_detect(const uint8_t *bytes, size_t size, const char **name);

struct inflater *inflate_open(enum compression compression);
void inflate_close(struct inflater *inflater);

enum inflate_state {
	INFLATE_MORE, /* go on: more input or more room is wanted */
	INFLATE_END,  /* a regular end; what follows in the input is not ours */
	INFLATE_BROKEN
};

/*
 * Inflates from in[*in_size] to out[*out_size]; on return both sizes say what was used. `at_end`:
 * the input has nothing more. INFLATE_MORE with `at_end` and no output made means: cut short.
 */
enum inflate_state inflate_run(struct inflater *inflater, const uint8_t *in, size_t *in_size,
	uint8_t *out, size_t *out_size, bool at_end);

/* Starts again at the beginning. */
void inflate_reset(struct inflater *inflater);

#endif
