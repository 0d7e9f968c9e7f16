/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_TAG_SUMS_H
#define VPTOP_QUERY_TAG_SUMS_H

#include "query/labels.h"
#include "query/query.h"

/*
 * How much the samples with each label amount to (numbers.md 3.2 rule 8): keys by name, values by
 * amount. Values are told apart by what they are written as, as pprof does; a sample that has a
 * value twice counts twice.
 */

struct tag_value {
	uint32_t text; /* where it is in sums.text, cleaned of nothing: bytes of the file */
	uint32_t length;
	int64_t value;       /* of the samples that have it, in the unit of the query's type */
	bool has_number;     /* it stands for numbers between these: */
	int64_t least, most; /* in the unit of the key */
	bool has_text;       /* it stands for a text */
};

struct tag_key {
	uint32_t key;   /* index into sums.keys.keys */
	uint32_t first; /* its values are sums.values[first .. first + count - 1] */
	uint32_t count;
	int64_t value; /* sum of those of its values */
};

struct tag_sums {
	struct label_keys keys;
	struct tag_key *list;
	uint32_t count;
	struct tag_value *values;
	uint32_t value_count;
	struct text text;
	bool overflow;
};

struct tag_options {
	const char *show, *hide; /* patterns of keys; NULL: all, none */
	const char *unit;        /* that numbers are written in; NULL: the one that fits each */
};

/*
 * Of the samples that the tree's query and filters let through. False and *err (ERROR_USAGE) for a
 * bad pattern; else free with tag_sums_free.
 */
bool tag_sums_build(struct tag_sums *sums, const struct calltree *tree,
	const struct tag_options *options, struct vp_error *err);
void tag_sums_free(struct tag_sums *sums);

/*
 * Adds the text of a filter (tags.h) that has the samples with this value, and no others:
 * "key=^a$", "bytes=512bytes". False where there is none: a key with "=" in it.
 */
bool tag_sums_filter(const struct tag_sums *sums, const struct tag_key *key,
	const struct tag_value *value, struct text *out);

#endif
