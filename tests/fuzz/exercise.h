/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FUZZ_EXERCISE_H
#define VPTOP_FUZZ_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Loads bytes[size] as a profile of any format and runs queries on it: the timeline and a call
 * tree, or `every` one with each granularity, filter and type. Aborts where something is not as the
 * headers promise: an error without a message, a tree out of order, sums that do not add up, a
 * control character in a label. Returns whether it was a profile.
 */
bool exercise(const uint8_t *bytes, size_t size, bool every);

#endif
