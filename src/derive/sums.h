/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_SUMS_H
#define VPTOP_DERIVE_SUMS_H

#include "derive/copy.h"

/*
 * Samples of one stack and one set of labels are added: merging and subtracting are that. Each has
 * `width` numbers. Past 64 bits a sum stays at the end, and the builder has a warning.
 */
struct sums {
	struct hash_map slots; /* stack and set -> index + 1 */
	uint64_t *keys;        /* stack << 32 | set, in the order in which they came */
	int64_t *values;       /* [count * width] */
	size_t count, key_capacity, value_capacity;
	unsigned width;
	bool overflow;
};

void sums_init(struct sums *sums, unsigned width);
void sums_free(struct sums *sums);

/* The numbers of a stack and a set, zeros where they are new; valid until the next call. */
int64_t *sums_of(struct sums *sums, stack_id stack, uint32_t set);
void sums_add(struct sums *sums, int64_t *sum, int64_t value);
/* The nearest whole number, halves away from zero; exact where `scale` is 1. */
int64_t sums_scaled(int64_t value, double scale);

/*
 * Samples with a value for each type of the builder, which has `width` of them; those that are 0 in
 * all are left out. Warns where a sum was too large.
 */
void sums_build(struct sums *sums, struct builder *builder);

/* ---- the types that several profiles have in common ---------------------------------- */

/* A type of the result, and which one it is in each profile. */
struct shared_type {
	struct value_type type;
	unsigned *of; /* [profile_count] */
};

struct shared {
	struct shared_type types[MAX_FILE_TYPES];
	unsigned count, default_type;
	const struct profile *const *profiles;
	size_t profile_count;
};

/*
 * Types by the order of the first profile, in the finest unit of each. False and *err
 * (ERROR_INCOMPATIBLE) where there is none, or where units or periods do not fit together;
 * *bad is then the number of the profile that does not go with the first.
 */
bool shared_find(struct shared *shared, const struct profile *const *profiles, size_t count,
	size_t *bad, struct vp_error *err);
void shared_free(struct shared *shared);

/* Adds a type to the builder's own, as a column; `prefix` (NULL: none) goes in front of its name.
 */
void shared_add_type(struct builder *builder, const struct value_type *type, const char *prefix,
	enum value_part part);

/* The value of sample i of profile p, in the column's unit. */
int64_t shared_value(const struct shared *shared, unsigned type, size_t p, size_t i);

/* ---- what a profile made of several ones says of itself ------------------------------ */

/* As pprof: start of the first one, durations added, the longest period, all comments. */
void shared_head(struct builder *builder, const struct profile *const *profiles, size_t count);

#endif
