/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_BUILDER_H
#define VPTOP_PROFILE_BUILDER_H

#include "base/error.h"
#include "base/hash.h"
#include "profile/profile.h"

/*
 * How a reader fills a profile. Call sequence, in any order that the format has:
 *
 *     builder_frame()      an address (and line, and kind) becomes a frame id
 *     builder_stack()      root-first frames become a stack id; shares the prefix of the call
 * before builder_sample()     a stack was seen builder_name()       an address has a name; may come
 * before, between or after the samples builder->profile.x = what the file says of itself
 *     builder_warn()
 *
 * builder_finish() then resolves names, renumbers the stack tree in pre-order and gives the
 * profile.
 */

struct builder;

/*
 * Called a few times a second while the profile is consistent; may call builder_snapshot. Returning
 * false cancels the loading: builder_tick then returns false and the reader gives up.
 */
typedef bool (*builder_progress)(
	void *context, struct builder *builder, uint64_t done, uint64_t total);

struct builder_limits {
	uint32_t
		max_depth; /* frames of one stack; deeper ones are cut at the root with a warning */
};

enum { BUILDER_DEFAULT_MAX_DEPTH = 1 << 20 };

struct builder {
	struct profile *profile; /* being filled */
	struct builder_limits limits;

	struct hash_map frame_slots;    /* all of a frame -> frame id */
	struct hash_map function_slots; /* all of a function -> function id */
	uint64_t *node_key;             /* parent << 32 | frame, in order of creation */
	size_t node_count, node_capacity;
	size_t far_count;     /* nodes that are not right behind their parent */
	uint64_t *node_slots; /* these by key; open addressing: high half of the key's hash, node
				 id; 0 = free */
	size_t node_slot_count;

	stack_id *path; /* path[i]: the node of the first i frames of the stack before */
	frame_id *path_frame;
	size_t path_length, path_capacity;

	size_t frame_capacity, sample_capacity, thread_capacity, function_capacity;
	struct hash_map thread_slots, mapping_slots, label_slots, set_slots;
	size_t mapping_capacity, label_capacity, set_capacity, set_parent_capacity;

	struct builder_name_entry {
		string_id text;
		int rank;
	} * names;
	size_t name_count, name_capacity;
	struct hash_map name_slots; /* address -> index into names */

	builder_progress progress;
	void *progress_context;
	int64_t last_tick_ns;
	uint64_t done, total; /* bytes, at the last tick */
	uint32_t warned;      /* BUILDER_WARNED_ bits: warnings that were given once */
	uint32_t last_thread; /* index of the thread of the sample before */

	struct value_type own_types[MAX_VALUE_TYPES]; /* that the file itself names */
	unsigned own_type_count;
	bool own_is_used[MAX_VALUE_TYPES]; /* a sample has a value other than 0 */

	/* What to show until the samples are read: the CPU tree of an envelope. Owned. */
	struct builder *preview;
	bool preview_is_whole;  /* it can be shown, or was */
	bool preview_can_leave; /* it can be read again: a snapshot takes it away instead of copying
				   it */
};

enum { BUILDER_WARNED_DEPTH = 1 };

void builder_init(struct builder *builder, const struct builder_limits *limits,
	builder_progress progress, void *context);

/* Frees everything, the unfinished profile too. */
void builder_abort(struct builder *builder);

frame_id builder_frame(
	struct builder *builder, uint64_t address, uint32_t line, enum code_kind kind);

/* frames[depth], root first. depth 0 is the empty stack. */
stack_id builder_stack(struct builder *builder, const frame_id *frames, size_t depth);

/*
 * The first `shared` frames of the call before (it had as many), then tail[count]. Together at most
 * limits.max_depth.
 */
stack_id builder_stack_after(
	struct builder *builder, size_t shared, const frame_id *tail, size_t count);

/* Asks for the memory that builder_stack_after(shared, tail), tail[0] = frame, will look at. */
void builder_fetch_child(const struct builder *builder, size_t shared, frame_id frame);

/* The stack of `parent` with `frame` called by it. */
stack_id builder_child(struct builder *builder, stack_id parent, frame_id frame);

/*
 * The same for a stack that was not there yet, without looking for it. For a profile of which the
 * reader knows that each stack comes once; wrong where one comes again: it would be two.
 */
stack_id builder_new_child(struct builder *builder, stack_id parent, frame_id frame);

/*
 * All stacks at once, in place of builder_stack: keys[count] are parent << 32 | frame, each once, a
 * parent in front of its children, keys[0] = 0 the empty stack. The builder owns keys then.
 */
void builder_take_stacks(struct builder *builder, uint64_t *keys, size_t count);

/*
 * One sample of `stack`, seen `weight` times. memory_kib < 0: not recorded. `thread` as recorded.
 * Samples of one profile all have memory or none has (a missing one among others counts as 0).
 */
void builder_sample(struct builder *builder, stack_id stack, int64_t weight, int64_t memory_kib,
	uint64_t thread);

/*
 * `address` is called text[length] = "lang:function:line:file" (vmprof.md section 5). A name of
 * higher `rank` wins over one of lower; among equals the last one does.
 */
void builder_name(
	struct builder *builder, uint64_t address, const char *text, size_t length, int rank);

/* ---- for formats that have functions and value types of their own (own.c) ---- */

/* The id of bytes[length] in the profile's strings; 0 for none. */
string_id builder_string(struct builder *builder, const char *bytes, size_t length);

/* The function that is equal to `function` in all members. */
function_id builder_function(struct builder *builder, const struct function *function);

/*
 * A frame of a function (0: unknown; it has an address, or a line at least). Two frames are one
 * where all of it is equal.
 */
frame_id builder_function_frame(struct builder *builder, const struct frame *frame);

/*
 * A value type that the file itself names, in the order of builder_values. Names are bytes of the
 * file; `unit` is a base unit of units_value, or any other; scale x value is in it. At most
 * MAX_VALUE_TYPES; false beyond. Its `decimals` and `part` may be set in builder->own_types.
 * A profile that has one has no others ("samples", "time", ...); the
 * one that is shown first is builder->profile->default_type.
 */
bool builder_type(struct builder *builder, const char *name, const char *unit, enum value_kind kind,
	int64_t scale);

/* One sample with a value of each type, in the unit that the file has. */
void builder_values(struct builder *builder, stack_id stack, const int64_t *values);

/* The index of the mapping that is equal to `mapping` in all members. */
uint32_t builder_mapping(struct builder *builder, const struct mapping *mapping);

/* The number of the label that is equal to `label` in all members. */
uint32_t builder_label(struct builder *builder, const struct label *label);
/* The set of the labels of `set` (0: empty) and one more, behind them. */
uint32_t builder_label_set(struct builder *builder, uint32_t set, uint32_t label);
/* The sample that was added last has the labels of a set. */
void builder_sample_labels(struct builder *builder, uint32_t set);
/* The same for sample i, one of those that were added. */
void builder_labels_of_sample(struct builder *builder, size_t i, uint32_t set);

bool builder_has_name(const struct builder *builder, uint64_t address);

/* A warning of a class of the command line contract; one line. */
void builder_warn(struct builder *builder, const char *class_name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A copy of text[length] in the profile's arena, NUL-ended. */
const char *builder_text(struct builder *builder, const char *text, size_t length);

/* Lets the application have a look; false when the user cancelled. Cheap: call it once a few
 * thousand records. */
bool builder_tick(struct builder *builder, uint64_t done, uint64_t total);

/* The same, whenever the last one was: at a point where the picture changes. */
bool builder_tick_now(struct builder *builder);

/*
 * A finished profile of what is there so far, independent of the builder; profile_free it. NULL
 * where there is nothing to see yet.
 */
struct profile *builder_snapshot(struct builder *builder);

/* Frees the preview; the builder goes on without. */
void builder_drop_preview(struct builder *builder);

/* The stacks and samples of the preview become the builder's own, in place of what it had. */
void builder_adopt_preview(struct builder *builder);

/* The finished profile; the builder is empty afterwards. */
struct profile *builder_finish(struct builder *builder);

#endif
