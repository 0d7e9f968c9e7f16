/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_ERROR_H
#define VPTOP_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How a function that can fail says why. It returns false (or NULL) and fills the struct that it
 * was given as its last argument. The message is for the user: what, where, and what to do; one
 * line, no file name (the caller knows it). Messages may quote bytes of the input: clean them when
 * printing.
 */

enum error_class {
	ERROR_NONE,
	ERROR_EMPTY,        /* no bytes at all, or no sample in them */
	ERROR_TRUNCATED,    /* cut short before anything usable */
	ERROR_MALFORMED,    /* the right format, broken content */
	ERROR_UNRECOGNIZED, /* no format that we know */
	ERROR_COMPRESSION,  /* a compression that we do not read */
	ERROR_ENCODING,     /* a byte order or text encoding that we do not read */
	ERROR_VERSION,      /* a version of a format that we do not read */
	ERROR_INCOMPATIBLE, /* profiles that cannot be compared or added */
	ERROR_OVERFLOW,     /* a sum past 64 bits */
	ERROR_LIMIT,        /* a limit on hostile input was reached */
	ERROR_IO,           /* the system said no */
	ERROR_USAGE,        /* the user's own words are off */
	ERROR_CANCELLED     /* the user stopped the loading */
};

struct vp_error {
	enum error_class code;
	int64_t offset; /* byte of the (inflated) input, -1 where it has no meaning */
	char message[320];
};

/* Fills *err (which may be NULL) and returns false, so that `return error_set(...)` ends a
 * function. */
bool error_set(struct vp_error *err, enum error_class code, int64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The name of a class in JSON: "empty", "truncated", ... (contract: --help, man page). */
const char *error_class_name(enum error_class code);

#endif
