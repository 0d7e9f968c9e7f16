/* SPDX-License-Identifier: MIT */
/* The last step of loading: names become functions, the stack tree is renumbered, value types are
 * listed. */
#include "profile/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "profile/name.h"
#include "profile/tree.h"

/* ---- functions ------------------------------------------------------------------------ */

static bool finish_is_same(const struct function *a, const struct function *b)
{
	return a->name == b->name && a->file == b->file && a->line == b->line && a->kind == b->kind;
}

/* Frames whose address has a name get its function; equal (name, file, line, kind) are one
 * function. */
static void finish_functions(struct builder *builder)
{
	struct profile *profile = builder->profile;
	struct hash_map of_text = {0}, of_function = {0};
	for (frame_id i = 1; i < profile->frame_count; i++) {
		struct frame *frame = &profile->frames[i];
		if (frame->function != 0) /* given by the reader */
			continue;
		uint32_t entry = hash_map_get(&builder->name_slots, frame->address, UINT32_MAX);
		if (entry == UINT32_MAX)
			continue;
		string_id text = builder->names[entry].text;
		uint32_t *known = hash_map_slot(&of_text, text);
		if (*known == 0) {
			struct function function = name_parse(&profile->strings, text);
			uint64_t key = hash_u64((uint64_t)function.name << 32 | function.file) ^
				       hash_u64((uint64_t)function.line << 8 | function.kind);
			uint32_t *slot = hash_map_slot(&of_function, key);
			while (*slot && !finish_is_same(&profile->functions[*slot - 1], &function))
				slot = hash_map_slot(&of_function, key = hash_u64(key + 1));
			if (*slot == 0) {
				profile->functions =
					array_grow(profile->functions, &builder->function_capacity,
						(size_t)profile->function_count + 1,
						sizeof *profile->functions);
				profile->functions[profile->function_count] = function;
				*slot = ++profile->function_count;
			}
			*known = *slot;
		}
		frame->function = *known - 1;
		if (frame->kind == CODE_UNKNOWN || frame->kind == CODE_PYTHON)
			frame->kind = profile->functions[frame->function].kind;
	}
	hash_map_free(&of_text);
	hash_map_free(&of_function);
	strings_freeze(&profile->strings);
}

/* ---- the stack tree --------------------------------------------------------------------- */

/* Takes the keys of the nodes apart; the parents stay in their memory. */
static uint32_t *finish_parents(struct builder *builder, frame_id *frame)
{
	const size_t count = builder->node_count;
	uint64_t *keys = builder->node_key;
	builder->node_key = NULL;
	for (size_t i = 0; i < count; i++) {
		const uint32_t parent = (uint32_t)(keys[i] >> 32);
		frame[i] = (frame_id)keys[i];
		memcpy((char *)keys + i * sizeof parent, &parent, sizeof parent);
	}
	return memory_grow(keys, count * sizeof(uint32_t));
}

/* Samples get the new ids of their stacks. */
static void finish_sample_stacks(struct profile *profile, const uint32_t *new_id)
{
	bool *is_seen = memory_new(profile->stack_count, sizeof *is_seen);
	for (size_t i = 0; i < profile->sample_count; i++) {
		const stack_id stack = new_id[profile->sample_stack[i]];
		profile->sample_stack[i] = stack;
		profile->distinct_stacks += !is_seen[stack];
		is_seen[stack] = true;
	}
	free(is_seen);
}

/* Each array goes as soon as nothing needs it: at most four of them are there at a time. */
static void finish_stacks(struct builder *builder)
{
	struct profile *profile = builder->profile;
	const uint32_t count = (uint32_t)builder->node_count;
	free(builder->node_slots);
	builder->node_slots = NULL;
	frame_id *frame = memory_grow(NULL, count * sizeof *frame);
	uint32_t *parent = finish_parents(builder, frame);
	uint32_t *new_id = memory_grow(NULL, count * sizeof *new_id);
	profile->stack_count = count;
	profile->stack_end = memory_grow(NULL, count * sizeof *profile->stack_end);
	tree_preorder(parent, count, new_id, profile->stack_end);
	profile->stack_frame = parent; /* its memory */
	for (uint32_t i = 0; i < count; i++)
		profile->stack_frame[new_id[i]] = frame[i];
	finish_sample_stacks(profile, new_id);
	free(new_id);
	profile->stack_parent = frame;
	profile->max_depth = tree_parents(profile->stack_end, count, profile->stack_parent);
}

/* ---- value types ------------------------------------------------------------------------- */

/* Memory that was 0 all the time was not recorded (vmprof-viewer-msgpack.md section 1). */
static void finish_memory(struct profile *profile)
{
	if (!profile_has_memory(profile))
		return;
	for (size_t i = 0; i < profile->sample_count; i++)
		if (profile_memory_kib(profile, i) != 0)
			return;
	free(profile->memory.narrow);
	free(profile->memory.wide);
	profile->memory = (struct column){0};
}

static void finish_type(struct builder *builder, struct value_type type)
{
	struct profile *profile = builder->profile;
	bool overflow = false;
	unsigned index = profile->type_count++;
	profile->types[index] = type;
	if (type.kind == VALUE_GAUGE)
		return;
	int64_t total = 0;
	int64_t values[256];
	for (size_t first = 0; first < profile->sample_count; first += 256) {
		size_t left = profile->sample_count - first, count = left < 256 ? left : 256;
		profile_values(profile, index, first, count, values);
		for (size_t i = 0; i < count; i++)
			total = units_add(total, values[i], &overflow);
	}
	if (overflow)
		builder_warn(builder, "overflow", "the total of %s is past 64 bits", type.name);
	profile->types[index].total = total;
}

/*
 * The types that the file itself names. Where the one that it shows first is 0 everywhere, the
 * first that is not takes its place.
 */
static void finish_own_types(struct builder *builder)
{
	struct profile *profile = builder->profile;
	const unsigned count = builder->own_type_count, wished = profile->default_type;
	for (unsigned i = 0; i < count; i++)
		finish_type(builder, builder->own_types[i]);
	if (builder->own_is_used[wished] || builder->own_types[wished].part != PART_ALL)
		return; /* that nothing has changed is worth seeing */
	for (unsigned i = 0; i < count; i++) {
		if (!builder->own_is_used[i])
			continue;
		profile->default_type = i;
		builder_warn(builder, "note", "%s is 0 in all samples: %s is shown first",
			profile->types[wished].name, profile->types[i].name);
		return;
	}
}

static void finish_types(struct builder *builder)
{
	struct profile *profile = builder->profile;
	if (builder->own_type_count > 0) {
		finish_own_types(builder);
		return;
	}
	finish_type(builder, (struct value_type){.name = "samples",
				     .unit = "count",
				     .kind = VALUE_COUNTER,
				     .source = VALUE_WEIGHT,
				     .scale = 1});
	if (profile->period_ns > 0)
		finish_type(builder, (struct value_type){.name = "time",
					     .unit = "nanoseconds",
					     .kind = VALUE_COUNTER,
					     .source = VALUE_TIME,
					     .scale = profile->period_ns});
	if (profile_has_memory(profile)) {
		finish_type(builder, (struct value_type){.name = "memory",
					     .unit = "bytes",
					     .kind = VALUE_GAUGE,
					     .source = VALUE_MEMORY,
					     .scale = 1024});
		if (profile->is_timed)
			finish_type(builder, (struct value_type){.name = "growth",
						     .unit = "bytes",
						     .kind = VALUE_COUNTER,
						     .source = VALUE_RISE,
						     .scale = 1024});
	}
}

struct profile *builder_finish(struct builder *builder)
{
	finish_functions(builder);
	finish_stacks(builder);
	finish_memory(builder->profile);
	finish_types(builder);
	struct profile *profile = builder->profile;
	builder->profile = NULL;
	builder_abort(builder);
	return profile;
}

/* ---- a look in between ------------------------------------------------------------------- */

static void *finish_copy(const void *array, size_t count, size_t size)
{
	if (!array)
		return NULL;
	void *copy = memory_grow(NULL, count * size);
	return memcpy(copy, array, count * size);
}

static struct column finish_copy_column(const struct column *column, size_t count)
{
	return (struct column){.narrow = finish_copy(column->narrow, count, sizeof *column->narrow),
		.wide = finish_copy(column->wide, count, sizeof *column->wide),
		.capacity = count};
}

static struct strings finish_copy_strings(const struct strings *from)
{
	struct strings copy = *from;
	copy.bytes_capacity = from->bytes_used;
	copy.bytes = finish_copy(from->bytes, from->bytes_used, 1);
	copy.start_capacity = (size_t)from->count + 1;
	copy.start = finish_copy(from->start, copy.start_capacity, sizeof *copy.start);
	copy.slots = NULL;
	copy.slot_count = 0;
	return copy;
}

/* Words in the old arena, copied into the new one. */
static void finish_copy_words(struct builder *copy)
{
	struct profile *profile = copy->profile;
	profile->arena = (struct arena){0};
	const char **words[] = {&profile->source, &profile->project, &profile->top_level_function,
		&profile->interpreter, &profile->platform, &profile->arguments, &profile->comments,
		&profile->base_source, &profile->doc_url, &profile->drop_frames,
		&profile->keep_frames, &profile->period_type, &profile->period_unit};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (*words[i])
			*words[i] = builder_text(copy, *words[i], strlen(*words[i]));
	for (unsigned i = 0; i < copy->own_type_count; i++) {
		struct value_type *type = &copy->own_types[i];
		type->name = builder_text(copy, type->name, strlen(type->name));
		type->unit = builder_text(copy, type->unit, strlen(type->unit));
	}
	const struct warning *warnings = profile->warnings;
	size_t count = profile->warning_count;
	profile->warnings = NULL;
	profile->warning_count = profile->warning_capacity = 0;
	for (size_t i = 0; i < count; i++)
		builder_warn(copy, warnings[i].class_name, "%s", warnings[i].message);
}

/* Mappings and labels. A graph of calls and a series are made last: a part has none. */
static void finish_copy_own(struct builder *copy, const struct profile *old)
{
	struct profile *profile = copy->profile;
	profile->mappings = finish_copy(old->mappings, old->mapping_count, sizeof *old->mappings);
	profile->labels = finish_copy(old->labels, old->label_count, sizeof *old->labels);
	profile->set_label = finish_copy(old->set_label, old->set_count, sizeof *old->set_label);
	profile->set_parent = finish_copy(old->set_parent, old->set_count, sizeof *old->set_parent);
	profile->sample_labels =
		finish_copy(old->sample_labels, old->sample_count, sizeof *old->sample_labels);
	profile->callgraph = NULL;
	profile->snapshots = NULL;
	profile->snapshot_count = 0;
}

static struct builder finish_copy_builder(const struct builder *from)
{
	const struct profile *old = from->profile;
	struct builder copy = {.limits = from->limits};
	struct profile *profile = finish_copy(old, 1, sizeof *old);
	copy.profile = profile;
	profile->strings = finish_copy_strings(&old->strings);
	profile->functions =
		finish_copy(old->functions, old->function_count, sizeof *old->functions);
	copy.function_capacity = old->function_count;
	profile->frames = finish_copy(old->frames, old->frame_count, sizeof *old->frames);
	profile->sample_stack =
		finish_copy(old->sample_stack, old->sample_count, sizeof *old->sample_stack);
	profile->sample_thread =
		finish_copy(old->sample_thread, old->sample_count, sizeof *old->sample_thread);
	profile->weight = finish_copy_column(&old->weight, old->sample_count);
	profile->memory = finish_copy_column(&old->memory, old->sample_count);
	for (unsigned i = 0; i < MAX_VALUE_TYPES; i++)
		profile->columns[i] = finish_copy_column(&old->columns[i], old->sample_count);
	profile->threads = finish_copy(old->threads, old->thread_count, sizeof *old->threads);
	finish_copy_own(&copy, old);
	copy.node_count = from->node_count;
	copy.node_key = finish_copy(from->node_key, from->node_count, sizeof *from->node_key);
	memcpy(copy.own_types, from->own_types, sizeof copy.own_types);
	memcpy(copy.own_is_used, from->own_is_used, sizeof copy.own_is_used);
	copy.own_type_count = from->own_type_count;
	copy.names = finish_copy(from->names, from->name_count, sizeof *from->names);
	copy.name_slots = from->name_slots;
	copy.name_slots.slots = finish_copy(
		from->name_slots.slots, from->name_slots.slot_count, sizeof *copy.name_slots.slots);
	finish_copy_words(&copy);
	return copy;
}

/* What the file has said of itself so far, in the preview's own arena. */
static void finish_tell_preview(const struct builder *builder)
{
	struct builder *preview = builder->preview;
	const struct profile *from = builder->profile;
	struct profile *to = preview->profile;
	to->format = from->format;
	to->version = from->version;
	to->period_ns = from->period_ns;
	if (from->project)
		to->project = builder_text(preview, from->project, strlen(from->project));
	if (from->top_level_function)
		to->top_level_function = builder_text(
			preview, from->top_level_function, strlen(from->top_level_function));
}

static struct profile *finish_take_preview(struct builder *builder)
{
	struct builder *preview = builder->preview;
	finish_tell_preview(builder);
	if (!builder->preview_can_leave) {
		struct builder copy = finish_copy_builder(preview);
		return builder_finish(&copy);
	}
	struct profile *profile = builder_finish(preview);
	free(preview);
	builder->preview = NULL;
	return profile;
}

struct profile *builder_snapshot(struct builder *builder)
{
	if (builder->preview && builder->preview_is_whole &&
		builder->preview->profile->sample_count > 0)
		return finish_take_preview(builder);
	if (builder->profile->sample_count == 0)
		return NULL;
	struct builder copy = finish_copy_builder(builder);
	return builder_finish(&copy);
}
