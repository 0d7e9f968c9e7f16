/* SPDX-License-Identifier: MIT */
#include "profile/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"

enum { TICK_NS = 100 * 1000 * 1000 };

void builder_init(struct builder *builder, const struct builder_limits *limits,
	builder_progress progress, void *context)
{
	*builder = (struct builder){
		.limits = *limits, .progress = progress, .progress_context = context};
	struct profile *profile = memory_new(1, sizeof *profile);
	builder->profile = profile;
	strings_init(&profile->strings);
	profile->version = -1;
	profile->is_timed = true;
	profile->functions =
		array_grow(NULL, &builder->function_capacity, 1, sizeof *profile->functions);
	profile->functions[0] = (struct function){0};
	profile->function_count = 1;
	profile->frames = array_grow(NULL, &builder->frame_capacity, 1, sizeof *profile->frames);
	profile->frames[0] = (struct frame){0};
	profile->frame_count = 1;
	builder->node_key = array_grow(NULL, &builder->node_capacity, 1, sizeof *builder->node_key);
	builder->node_key[0] = 0;
	builder->node_count = 1;
	builder->path = array_grow(NULL, &builder->path_capacity, 1, sizeof *builder->path);
	builder->path_frame = memory_new(builder->path_capacity, sizeof *builder->path_frame);
	builder->path[0] = 0;
}

/* What is needed only while filling. */
static void builder_free_tables(struct builder *builder)
{
	hash_map_free(&builder->frame_slots);
	hash_map_free(&builder->function_slots);
	hash_map_free(&builder->thread_slots);
	hash_map_free(&builder->name_slots);
	hash_map_free(&builder->mapping_slots);
	hash_map_free(&builder->label_slots);
	hash_map_free(&builder->set_slots);
	free(builder->node_key);
	free(builder->node_slots);
	free(builder->path);
	free(builder->path_frame);
	free(builder->names);
}

void builder_abort(struct builder *builder)
{
	if (builder->preview)
		builder_abort(builder->preview);
	free(builder->preview);
	builder_free_tables(builder);
	profile_free(builder->profile);
	*builder = (struct builder){0};
}

/* ---- frames and stacks ------------------------------------------------------------ */

static bool builder_is_frame(const struct frame *a, const struct frame *b)
{
	return a->address == b->address && a->line == b->line && a->kind == b->kind &&
	       a->function == b->function && a->is_inlined == b->is_inlined &&
	       a->is_label == b->is_label && a->mapping == b->mapping;
}

frame_id builder_function_frame(struct builder *builder, const struct frame *wanted)
{
	struct profile *profile = builder->profile;
	uint64_t key = wanted->address ^ hash_u64((uint64_t)wanted->line << 8 | wanted->kind);
	if (wanted->function != 0)
		key ^= hash_u64((uint64_t)wanted->function << 1 | wanted->is_inlined);
	for (;;) {
		uint32_t *slot = hash_map_slot(&builder->frame_slots, key);
		if (*slot == 0) {
			frame_id id = profile->frame_count;
			*slot = id + 1;
			profile->frames = array_grow(profile->frames, &builder->frame_capacity,
				(size_t)id + 1, sizeof *profile->frames);
			profile->frames[id] = *wanted;
			profile->frame_count++;
			return id;
		}
		if (builder_is_frame(&profile->frames[*slot - 1], wanted))
			return *slot - 1;
		key = hash_u64(key + 1); /* another frame with the same key */
	}
}

frame_id builder_frame(
	struct builder *builder, uint64_t address, uint32_t line, enum code_kind kind)
{
	return builder_function_frame(
		builder, &(struct frame){.address = address, .line = line, .kind = (uint8_t)kind});
}

/*
 * A slot holds a part of the hash beside the id, so that a probe touches node_key, far away in
 * memory, only where the key is most likely the one.
 */
static uint64_t builder_slot(uint64_t hash, size_t id)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (uint32_t)id;
}

/*
 * A child that was added right after its parent is found without a table, since their ids are
 * neighbours. Most stacks end in such a chain: what is new in them hangs below one new node.
 */
static bool builder_is_in_chain(const struct builder *builder, size_t id)
{
	return builder->node_key[id] >> 32 == id - 1;
}

static void builder_put_slot(struct builder *builder, uint64_t hash, size_t id)
{
	const size_t mask = builder->node_slot_count - 1;
	size_t slot = hash & mask;
	while (builder->node_slots[slot])
		slot = (slot + 1) & mask;
	builder->node_slots[slot] = builder_slot(hash, id);
}

static bool builder_is_full(const struct builder *builder, size_t slot_count)
{
	return builder->far_count * 4 >= slot_count * 3;
}

static void builder_rehash_nodes(struct builder *builder)
{
	size_t wanted = builder->node_slot_count ? builder->node_slot_count : 2048;
	do
		wanted *= 2;
	while (builder_is_full(builder, wanted));
	free(builder->node_slots);
	builder->node_slots = memory_new_table(wanted, sizeof *builder->node_slots);
	builder->node_slot_count = wanted;
	for (size_t i = 1; i < builder->node_count; i++)
		if (!builder_is_in_chain(builder, i))
			builder_put_slot(builder, hash_u64(builder->node_key[i]), i);
}

static size_t builder_add_node(struct builder *builder, uint64_t key)
{
	size_t id = builder->node_count++;
	if (id >= builder->node_capacity)
		builder->node_key = array_grow(builder->node_key, &builder->node_capacity, id + 1,
			sizeof *builder->node_key);
	builder->node_key[id] = key;
	builder->far_count += !builder_is_in_chain(builder, id);
	return id;
}

stack_id builder_new_child(struct builder *builder, stack_id parent, frame_id frame)
{
	return (stack_id)builder_add_node(builder, (uint64_t)parent << 32 | frame);
}

/* A child that is not in a chain. */
static stack_id builder_far_child(struct builder *builder, uint64_t key)
{
	if (builder_is_full(builder, builder->node_slot_count))
		builder_rehash_nodes(builder);
	const uint64_t hash = hash_u64(key);
	size_t mask = builder->node_slot_count - 1, slot = hash & mask;
	for (; builder->node_slots[slot]; slot = (slot + 1) & mask) {
		uint64_t found = builder->node_slots[slot];
		if ((found ^ hash) >> 32 == 0 && builder->node_key[(uint32_t)found] == key)
			return (stack_id)found;
	}
	size_t id = builder_add_node(builder, key);
	builder->node_slots[slot] = builder_slot(hash, id);
	return (stack_id)id;
}

stack_id builder_child(struct builder *builder, stack_id parent, frame_id frame)
{
	const uint64_t key = (uint64_t)parent << 32 | frame;
	const size_t next = (size_t)parent + 1;
	if (next == builder->node_count) /* the newest node has no children yet */
		return (stack_id)builder_add_node(builder, key);
	return builder->node_key[next] == key ? (stack_id)next : builder_far_child(builder, key);
}

void builder_fetch_child(const struct builder *builder, size_t shared, frame_id frame)
{
	const stack_id parent = builder->path[shared];
	const uint64_t key = (uint64_t)parent << 32 | frame;
	__builtin_prefetch(&builder->node_key[parent + 1]);
	if (builder->node_slot_count > 0)
		__builtin_prefetch(
			&builder->node_slots[hash_u64(key) & (builder->node_slot_count - 1)], 1);
}

void builder_take_stacks(struct builder *builder, uint64_t *keys, size_t count)
{
	free(builder->node_key);
	builder->node_key = keys;
	builder->node_count = builder->node_capacity = count;
	builder->far_count = 0;
	for (size_t i = 1; i < count; i++)
		builder->far_count += !builder_is_in_chain(builder, i);
}

stack_id builder_stack_after(
	struct builder *builder, size_t shared, const frame_id *tail, size_t count)
{
	size_t depth = shared + count;
	if (depth + 1 > builder->path_capacity) {
		builder->path = array_grow(
			builder->path, &builder->path_capacity, depth + 1, sizeof *builder->path);
		builder->path_frame = memory_grow(
			builder->path_frame, builder->path_capacity * sizeof *builder->path_frame);
	}
	for (size_t i = 0; i < count; i++) {
		builder->path_frame[shared + i] = tail[i];
		builder->path[shared + i + 1] =
			builder_child(builder, builder->path[shared + i], tail[i]);
	}
	/* What lies beyond `depth` of a longer stack before stays valid if nothing in front
	 * changed. */
	if (count > 0)
		builder->path_length = depth;
	return builder->path[depth];
}

stack_id builder_stack(struct builder *builder, const frame_id *frames, size_t depth)
{
	if (depth > builder->limits.max_depth) {
		if (!(builder->warned & BUILDER_WARNED_DEPTH))
			builder_warn(builder, "truncated",
				"stacks deeper than %u frames are cut at the root (--max-depth)",
				builder->limits.max_depth);
		builder->warned |= BUILDER_WARNED_DEPTH;
		frames += depth - builder->limits.max_depth;
		depth = builder->limits.max_depth;
	}
	if (!depth) /* and `frames` may be NULL */
		return builder_stack_after(builder, 0, NULL, 0);
	size_t shared = 0, least = depth < builder->path_length ? depth : builder->path_length;
	while (shared < least && builder->path_frame[shared] == frames[shared])
		shared++;
	return builder_stack_after(builder, shared, frames + shared, depth - shared);
}

/* ---- samples ------------------------------------------------------------------------ */

static void column_widen(struct column *column, size_t count)
{
	column->wide = memory_new(column->capacity, sizeof *column->wide);
	for (size_t i = 0; i < count; i++)
		column->wide[i] = column->narrow[i];
	free(column->narrow);
	column->narrow = NULL;
}

/* Sets item i; a column that begins late has `before` in the items in front. */
static void column_set(struct column *column, size_t i, int64_t value, uint32_t before)
{
	if (!column->narrow && !column->wide) {
		column->narrow = array_grow(NULL, &column->capacity, i + 1, sizeof *column->narrow);
		for (size_t k = 0; k < i; k++)
			column->narrow[k] = before;
	}
	if (column->narrow && (value < 0 || value > UINT32_MAX))
		column_widen(column, i);
	if (column->narrow) {
		column->narrow = array_grow(
			column->narrow, &column->capacity, i + 1, sizeof *column->narrow);
		column->narrow[i] = (uint32_t)value;
	} else {
		column->wide =
			array_grow(column->wide, &column->capacity, i + 1, sizeof *column->wide);
		column->wide[i] = value;
	}
}

static bool column_is_used(const struct column *column)
{
	return column->narrow || column->wide;
}

static uint32_t builder_thread(struct builder *builder, uint64_t id)
{
	struct profile *profile = builder->profile;
	uint32_t *slot = hash_map_slot(&builder->thread_slots, id);
	if (*slot == 0) {
		profile->threads = array_grow(profile->threads, &builder->thread_capacity,
			(size_t)profile->thread_count + 1, sizeof *profile->threads);
		profile->threads[profile->thread_count] = (struct thread){.id = id};
		*slot = ++profile->thread_count;
	}
	return *slot - 1;
}

void builder_sample(struct builder *builder, stack_id stack, int64_t weight, int64_t memory_kib,
	uint64_t thread_id)
{
	struct profile *profile = builder->profile;
	size_t i = profile->sample_count++;
	if (i >= builder->sample_capacity) {
		profile->sample_stack = array_grow(profile->sample_stack, &builder->sample_capacity,
			i + 1, sizeof *profile->sample_stack);
		if (profile->sample_thread)
			profile->sample_thread = memory_grow(profile->sample_thread,
				builder->sample_capacity * sizeof *profile->sample_thread);
		if (profile->sample_labels)
			profile->sample_labels = memory_grow(profile->sample_labels,
				builder->sample_capacity * sizeof *profile->sample_labels);
	}
	profile->sample_stack[i] = stack;
	if (profile->sample_labels)
		profile->sample_labels[i] = 0;

	uint32_t thread = builder->last_thread;
	if (thread >= profile->thread_count || profile->threads[thread].id != thread_id)
		thread = builder->last_thread = builder_thread(builder, thread_id);
	bool overflow = false; /* the total's warning says it */
	profile->threads[thread].samples =
		units_add(profile->threads[thread].samples, weight, &overflow);
	if (thread > 0 && !profile->sample_thread)
		profile->sample_thread =
			memory_new(builder->sample_capacity, sizeof *profile->sample_thread);
	if (profile->sample_thread)
		profile->sample_thread[i] = thread;

	if (weight != 1 || column_is_used(&profile->weight))
		column_set(&profile->weight, i, weight, 1);
	if (memory_kib >= 0 || column_is_used(&profile->memory))
		column_set(&profile->memory, i, memory_kib < 0 ? 0 : memory_kib, 0);
}

/* ---- values of the file's own --------------------------------------------- */

void builder_values(struct builder *builder, stack_id stack, const int64_t *values)
{
	struct profile *profile = builder->profile;
	const size_t i = profile->sample_count;
	builder_sample(builder, stack, 1, -1, 0);
	for (unsigned type = 0; type < builder->own_type_count; type++) {
		struct column *column = &profile->columns[type];
		builder->own_is_used[type] |= values[type] != 0;
		if (values[type] != 0 || column_is_used(column))
			column_set(column, i, values[type], 0);
	}
}

/* ---- words ---------------------------------------------------------------------------- */

void builder_name(
	struct builder *builder, uint64_t address, const char *text, size_t length, int rank)
{
	uint32_t *slot = hash_map_slot(&builder->name_slots, address);
	if (*slot == 0) {
		builder->names = array_grow(builder->names, &builder->name_capacity,
			builder->name_count + 1, sizeof *builder->names);
		builder->names[builder->name_count] =
			(struct builder_name_entry){.rank = INT32_MIN};
		*slot = (uint32_t)++builder->name_count;
	}
	struct builder_name_entry *entry = &builder->names[*slot - 1];
	if (rank < entry->rank)
		return;
	entry->rank = rank;
	entry->text = strings_add(&builder->profile->strings, text, length);
}

bool builder_has_name(const struct builder *builder, uint64_t address)
{
	return hash_map_get(&builder->name_slots, address, UINT32_MAX) != UINT32_MAX;
}

const char *builder_text(struct builder *builder, const char *text, size_t length)
{
	char *copy = arena_new(&builder->profile->arena, length + 1, 1);
	if (length)
		memcpy(copy, text, length);
	return copy;
}

void builder_warn(struct builder *builder, const char *class_name, const char *format, ...)
{
	struct profile *profile = builder->profile;
	char message[512];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	for (size_t i = 0; i < profile->warning_count; i++)
		if (strcmp(profile->warnings[i].message, message) == 0)
			return; /* a part that was read twice */
	profile->warnings = array_grow(profile->warnings, &profile->warning_capacity,
		profile->warning_count + 1, sizeof *profile->warnings);
	char *copy = arena_new(&profile->arena, strlen(message) + 1, 1);
	memcpy(copy, message, strlen(message));
	profile->warnings[profile->warning_count++] = (struct warning){class_name, copy};
}

bool builder_tick(struct builder *builder, uint64_t done, uint64_t total)
{
	if (!builder->progress)
		return true;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	if (builder->last_tick_ns && ns - builder->last_tick_ns < TICK_NS)
		return true;
	builder->last_tick_ns = ns;
	builder->done = done;
	builder->total = total;
	return builder->progress(builder->progress_context, builder, done, total);
}

bool builder_tick_now(struct builder *builder)
{
	builder->last_tick_ns = 0;
	return builder_tick(builder, builder->done, builder->total);
}

void builder_adopt_preview(struct builder *builder)
{
	struct builder *preview = builder->preview;
	struct profile *mine = builder->profile, *theirs = preview->profile;
	struct builder old = *builder;
	struct profile old_profile = *mine;

	builder->frame_slots = preview->frame_slots;
	builder->node_key = preview->node_key;
	builder->node_count = preview->node_count;
	builder->node_capacity = preview->node_capacity;
	builder->node_slots = preview->node_slots;
	builder->node_slot_count = preview->node_slot_count;
	builder->far_count = preview->far_count;
	builder->path = preview->path;
	builder->path_frame = preview->path_frame;
	builder->path_length = preview->path_length;
	builder->path_capacity = preview->path_capacity;
	builder->frame_capacity = preview->frame_capacity;
	builder->sample_capacity = preview->sample_capacity;
	builder->thread_capacity = preview->thread_capacity;
	builder->thread_slots = preview->thread_slots;
	builder->last_thread = preview->last_thread;
	mine->frames = theirs->frames;
	mine->frame_count = theirs->frame_count;
	mine->sample_count = theirs->sample_count;
	mine->sample_stack = theirs->sample_stack;
	mine->sample_thread = theirs->sample_thread;
	mine->weight = theirs->weight;
	mine->memory = theirs->memory;
	mine->threads = theirs->threads;
	mine->thread_count = theirs->thread_count;
	mine->is_timed = theirs->is_timed;

	/* What the builder had goes where builder_abort(preview) frees it. */
	preview->frame_slots = old.frame_slots;
	preview->node_key = old.node_key;
	preview->node_slots = old.node_slots;
	preview->path = old.path;
	preview->path_frame = old.path_frame;
	preview->thread_slots = old.thread_slots;
	theirs->frames = old_profile.frames;
	theirs->sample_stack = old_profile.sample_stack;
	theirs->sample_thread = old_profile.sample_thread;
	theirs->weight = old_profile.weight;
	theirs->memory = old_profile.memory;
	theirs->threads = old_profile.threads;
	builder_drop_preview(builder);
}

void builder_drop_preview(struct builder *builder)
{
	if (!builder->preview)
		return;
	builder_abort(builder->preview);
	free(builder->preview);
	builder->preview = NULL;
	builder->preview_is_whole = false;
}
