/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_FOLDED_NUMBER_H
#define VPTOP_FORMAT_FOLDED_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number at the end of a folded line, exact: digits x 10^exponent (folded.md section 1). */
struct folded_number {
	uint64_t digits;  /* without zeros at the end where exponent < 0 */
	int64_t exponent; /* 0 for a whole number */
	bool is_negative;
	bool is_rounded; /* it has more digits than can be kept */
};

/* Parses all of text[length] as [+-]?\d+(\.\d*)?([eE][+-]?\d+)?; false where it is none. */
bool folded_number_parse(const char *text, size_t length, struct folded_number *number);

/* How many decimals the number needs; 0 for a whole one. */
int64_t folded_number_decimals(const struct folded_number *number);

/*
 * The number x 10^decimals, rounded to the nearest (*is_rounded is set then), at most INT64_MAX in
 * size (*is_saturated).
 */
int64_t folded_number_scaled(
	const struct folded_number *number, int decimals, bool *is_rounded, bool *is_saturated);

#endif
