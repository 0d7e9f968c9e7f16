/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_DERIVE_COPY_H
#define VPTOP_DERIVE_COPY_H

#include "profile/builder.h"

/*
 * Parts of finished profiles go into a builder, so that a new profile is made of them. What is
 * equal in two runs of one program becomes one (numbers.md 3.4): a mapping is known by its size,
 * its offset and its build id or file, and addresses are moved to where the first profile had it.
 * Where a profile has no mappings an address is what a run happened to give: there a frame is its
 * function and line, but in pprof's formats, which have their addresses compared as they are.
 *
 *     struct copier copier;
 *     struct copy copy;
 *     copier_init(&copier, &builder);
 *     for each profile:
 *             copy_init(&copy, &copier, profile);     all mappings, frames and stacks
 *             builder_values(&builder, copy.stacks[profile->sample_stack[i]], values);
 *             builder_sample_labels(&builder, copy_labels(&copy, profile->sample_labels[i]));
 *             copy_free(&copy);
 *     copier_free(&copier);
 */

/* Of one builder: what the profiles before have brought. */
struct copier {
	struct builder *builder;
	struct hash_map mapping_slots; /* what makes a mapping the same -> index + 1 */
	struct hash_map frame_slots;   /* function, line, kind -> frame + 1 */
};

void copier_init(struct copier *copier, struct builder *builder);
void copier_free(struct copier *copier);

/* Of one profile: from its ids to those in the builder. */
struct copy {
	struct copier *copier;
	const struct profile *from;
	string_id *strings;      /* COPY_NONE: not copied so far; use copy_string */
	function_id *functions;  /* likewise; use copy_function */
	uint32_t *mappings;      /* [mapping_count]; NULL where there are none */
	frame_id *frames;        /* [frame_count] */
	stack_id *stacks;        /* [stack_count] */
	uint32_t *sets, *labels; /* COPY_NONE: not copied so far; use copy_labels */
};

enum { COPY_NONE = UINT32_MAX };

/* Copies mappings, frames and stacks at once; strings, functions and labels when they are used. */
void copy_init(struct copy *copy, struct copier *copier, const struct profile *from);
/* The same without the stacks. */
void copy_init_frames(struct copy *copy, struct copier *copier, const struct profile *from);
void copy_free(struct copy *copy);

string_id copy_string(struct copy *copy, string_id id);
function_id copy_function(struct copy *copy, function_id id);
uint32_t copy_label(struct copy *copy, uint32_t label);
/*
 * The set with the same labels, in an order of their own: by key, texts before numbers, and of one
 * key as they were. Two samples with the same labels have the same set then.
 */
uint32_t copy_labels(struct copy *copy, uint32_t set);

/* A copy of a text in the builder's arena; NULL for NULL. */
const char *copy_text(struct builder *builder, const char *text);

/* What a profile says of itself beside its samples: format, times, period, words, flags. */
void copy_head(struct builder *builder, const struct profile *from);

/* Its warnings, with "name: " in front of each where `name` is not NULL. */
void copy_warnings(struct builder *builder, const struct profile *from, const char *name);

#endif
