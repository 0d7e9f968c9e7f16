/* SPDX-License-Identifier: MIT */
/* What a file names itself: functions, value types, mappings, labels. */
#include <string.h>

#include "profile/builder.h"

string_id builder_string(struct builder *builder, const char *bytes, size_t length)
{
	return strings_add(&builder->profile->strings, bytes, length);
}

function_id builder_function(struct builder *builder, const struct function *function)
{
	struct profile *profile = builder->profile;
	uint64_t key = hash_u64((uint64_t)function->name << 32 | function->file) ^
		       hash_u64((uint64_t)function->module << 32 | function->line) ^ function->kind;
	uint32_t *slot;
	for (; *(slot = hash_map_slot(&builder->function_slots, key)) != 0;
		key = hash_u64(key + 1)) {
		const struct function *other = &profile->functions[*slot - 1];
		if (other->name == function->name && other->file == function->file &&
			other->module == function->module && other->line == function->line &&
			other->kind == function->kind &&
			other->system_name == function->system_name)
			return *slot - 1;
	}
	profile->functions = array_grow(profile->functions, &builder->function_capacity,
		(size_t)profile->function_count + 1, sizeof *profile->functions);
	profile->functions[profile->function_count] = *function;
	*slot = ++profile->function_count;
	return *slot - 1;
}

bool builder_type(struct builder *builder, const char *name, const char *unit, enum value_kind kind,
	int64_t scale)
{
	const unsigned i = builder->own_type_count;
	if (i >= MAX_VALUE_TYPES)
		return false;
	builder->own_types[i] =
		(struct value_type){.name = builder_text(builder, name, strlen(name)),
			.unit = builder_text(builder, unit, strlen(unit)),
			.kind = kind,
			.source = VALUE_COLUMN,
			.column = i,
			.scale = scale};
	builder->own_type_count++;
	return true;
}

uint32_t builder_mapping(struct builder *builder, const struct mapping *mapping)
{
	struct profile *profile = builder->profile;
	uint64_t key = hash_u64(mapping->start) ^ hash_u64(mapping->limit + 1) ^
		       hash_u64((uint64_t)mapping->file << 32 | mapping->build_id);
	if (profile->mapping_count == 0) {
		profile->mappings =
			array_grow(NULL, &builder->mapping_capacity, 1, sizeof *profile->mappings);
		profile->mappings[profile->mapping_count++] = (struct mapping){0};
	}
	uint32_t *slot;
	for (; *(slot = hash_map_slot(&builder->mapping_slots, key)) != 0;
		key = hash_u64(key + 1)) {
		const struct mapping *other = &profile->mappings[*slot - 1];
		if (other->start == mapping->start && other->limit == mapping->limit &&
			other->offset == mapping->offset && other->file == mapping->file &&
			other->build_id == mapping->build_id &&
			other->has_functions == mapping->has_functions &&
			other->has_filenames == mapping->has_filenames &&
			other->has_line_numbers == mapping->has_line_numbers &&
			other->has_inline_frames == mapping->has_inline_frames)
			return *slot - 1;
	}
	profile->mappings = array_grow(profile->mappings, &builder->mapping_capacity,
		(size_t)profile->mapping_count + 1, sizeof *profile->mappings);
	profile->mappings[profile->mapping_count] = *mapping;
	*slot = ++profile->mapping_count;
	return *slot - 1;
}

/* ---- labels --------------------------------------------------------------------------- */

/* Label 0 and set 0 are there as soon as there is anything. */
static void own_start_labels(struct builder *builder)
{
	struct profile *profile = builder->profile;
	if (profile->label_count > 0)
		return;
	profile->labels = array_grow(NULL, &builder->label_capacity, 1, sizeof *profile->labels);
	profile->labels[profile->label_count++] = (struct label){0};
	profile->set_label =
		array_grow(NULL, &builder->set_capacity, 1, sizeof *profile->set_label);
	profile->set_parent =
		array_grow(NULL, &builder->set_parent_capacity, 1, sizeof *profile->set_parent);
	profile->set_label[0] = profile->set_parent[0] = 0;
	profile->set_count = 1;
}

uint32_t builder_label(struct builder *builder, const struct label *label)
{
	struct profile *profile = builder->profile;
	uint64_t key = hash_u64((uint64_t)label->key << 32 | label->text) ^
		       hash_u64((uint64_t)label->number ^ (uint64_t)label->unit << 32);
	uint32_t *slot;
	own_start_labels(builder);
	for (; *(slot = hash_map_slot(&builder->label_slots, key)) != 0; key = hash_u64(key + 1)) {
		const struct label *other = &profile->labels[*slot - 1];
		if (other->key == label->key && other->text == label->text &&
			other->unit == label->unit && other->number == label->number)
			return *slot - 1;
	}
	profile->labels = array_grow(profile->labels, &builder->label_capacity,
		(size_t)profile->label_count + 1, sizeof *profile->labels);
	profile->labels[profile->label_count] = *label;
	*slot = ++profile->label_count;
	return *slot - 1;
}

uint32_t builder_label_set(struct builder *builder, uint32_t set, uint32_t label)
{
	struct profile *profile = builder->profile;
	uint32_t *slot = hash_map_slot(&builder->set_slots, (uint64_t)set << 32 | label);
	if (*slot != 0)
		return *slot - 1;
	const uint32_t id = profile->set_count++;
	profile->set_label = array_grow(profile->set_label, &builder->set_capacity, (size_t)id + 1,
		sizeof *profile->set_label);
	profile->set_parent = array_grow(profile->set_parent, &builder->set_parent_capacity,
		(size_t)id + 1, sizeof *profile->set_parent);
	profile->set_label[id] = label;
	profile->set_parent[id] = set;
	*slot = id + 1;
	return id;
}

void builder_labels_of_sample(struct builder *builder, size_t i, uint32_t set)
{
	struct profile *profile = builder->profile;
	if (set == 0 && !profile->sample_labels)
		return;
	if (!profile->sample_labels)
		profile->sample_labels =
			memory_new(builder->sample_capacity, sizeof *profile->sample_labels);
	profile->sample_labels[i] = set;
}

void builder_sample_labels(struct builder *builder, uint32_t set)
{
	builder_labels_of_sample(builder, builder->profile->sample_count - 1, set);
}
