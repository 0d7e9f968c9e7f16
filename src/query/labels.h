/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_LABELS_H
#define VPTOP_QUERY_LABELS_H

#include "base/error.h"
#include "base/text.h"
#include "profile/profile.h"

/* The keys of a profile's labels, and values as pprof writes them (pprof.md section 2). */

struct label_key {
	string_id key;
	string_id unit;   /* of its numbers: the first one that any of them has; 0: none has */
	bool has_numbers; /* some of its labels are numbers; a key may have both */
	bool has_texts;
	bool has_other_units; /* numbers with units that are not `unit` */
};

struct label_keys {
	const struct profile *profile;
	struct label_key *keys; /* in the order in which the file has them */
	uint32_t count;
	uint32_t *key_of_label; /* [profile->label_count]: index into keys; of label 0 nothing */
};

/* All keys; free with label_keys_free. Empty where the profile has no labels. */
struct label_keys label_keys_build(const struct profile *profile);
void label_keys_free(struct label_keys *keys);

/*
 * The unit of a key's numbers: its own; where none was given "bytes" for "alignment" and
 * "request", else the name of the key.
 */
const char *label_unit(const struct label_keys *keys, uint32_t key);

/*
 * Adds the value of a label, bytes as they are: its text, or the number in the key's unit, scaled
 * to `wanted` ("auto", a unit).
 */
void label_value(
	const struct label_keys *keys, uint32_t label, const char *wanted, struct text *out);

/*
 * Which keys are shown: those that match `show` and not `hide` (NULL: no pattern; numbers.md 3.3
 * rule 11). [count], free() it; NULL and *err for a bad pattern.
 */
bool *label_keys_shown(
	const struct label_keys *keys, const char *show, const char *hide, struct vp_error *err);

/*
 * The labels of a set in the order in which the file has them, in list[*capacity], which grows;
 * how many there are.
 */
uint32_t label_list(const struct profile *profile, uint32_t set, uint32_t **list, size_t *capacity);

#endif
