/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_BASE_UNITS_H
#define VPTOP_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Numbers, times and sizes as people write and read them. All functions return their `out`. */

enum { UNIT_SIZE = 64 };

/*
 * A value in a base unit ("bytes", "nanoseconds", "count", any other) for people: 1.84 GiB, 320
 * MiB, 1.25 s, 41m12s, 12 360. Binary steps of 1024 for bytes; unknown units keep their name.
 */
char *units_value(char out[UNIT_SIZE], int64_t value, const char *unit);

/*
 * The same for a value that counts 10^-decimals of the unit (decimals <= 9): 125 with one decimal
 * is "12.5".
 */
char *units_decimal(char out[UNIT_SIZE], int64_t value, unsigned decimals, const char *unit);

/* Writes such a value as a plain number: "-0.125", "12.50"; all decimals. */
char *units_plain(char out[UNIT_SIZE], int64_t value, unsigned decimals);

/* 10^decimals; decimals <= 18 */
int64_t units_power(unsigned decimals);

/* "12 360": digits in groups of three. */
char *units_count(char out[UNIT_SIZE], int64_t value);

/* |value / total| as "12.3%", "100%", "0.05%"; "0%" when total is 0 (numbers.md 3.2 rule 3, one
 * decimal less). */
char *units_percent(char out[UNIT_SIZE], double value, double total);

/* Elapsed time, at most two units and at least one: 93.6 s, 41m12s, 1h05m, 12.0 ms. */
char *units_duration(char out[UNIT_SIZE], int64_t ns);

/* A moment of the run: "+0s", "+25m50s", "+1h03m20.5s"; `step_ns` says how fine (decimals of
 * seconds). */
char *units_elapsed(char out[UNIT_SIZE], int64_t ns, int64_t step_ns);

enum clock_format {
	CLOCK_TIME,     /* 11:30:05, with decimals where step_ns < 1 s */
	CLOCK_DATE_TIME /* 2026-11-29 11:30:05 */
};

/*
 * A moment as a clock shows it. unix_ns: nanoseconds since 1970 UTC. has_offset: show it in the
 * zone offset_s seconds east of UTC; else in the local zone. *shown_offset_s (may be NULL): the
 * offset used.
 */
char *units_clock(char out[UNIT_SIZE], int64_t unix_ns, bool has_offset, int32_t offset_s,
	int64_t step_ns, enum clock_format format, int32_t *shown_offset_s);

/* ISO 8601 with microseconds and offset: 2026-11-29T11:30:05.123456+02:00. */
char *units_iso8601(char out[UNIT_SIZE], int64_t unix_ns, int32_t offset_s);

/* "UTC+02:00" */
char *units_zone(char out[UNIT_SIZE], int32_t offset_s);

/* The local zone's offset from UTC, in seconds, at a moment. */
int32_t units_local_offset(int64_t unix_ns);

/*
 * Parses ISO 8601: 2016-09-14T13:29:13[.123456][Z|+HH:MM|+HHMM], a space for the T, seconds
 * optional. *has_offset is false where no zone was written (unix_ns is then as if UTC).
 */
bool units_parse_iso8601(const char *s, int64_t *unix_ns, bool *has_offset, int32_t *offset_s);

/* Parses 512, 64k, 4M, 8G, 8GiB (steps of 1024) into bytes. */
bool units_parse_size(const char *s, uint64_t *bytes);

/* Parses 90, 1.5s, 20m, 1h3m, 1h3m20s, 250ms, 10us, 5ns into ns (a bare number is seconds). */
bool units_parse_duration(const char *s, int64_t *ns);

/* Adds and saturates at the ends of int64; *overflow is set then, never cleared. */
static inline int64_t units_add(int64_t a, int64_t b, bool *overflow)
{
	int64_t sum;
	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	*overflow = true;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

#endif
