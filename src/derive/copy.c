/* SPDX-License-Identifier: MIT */
#include "derive/copy.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_PAGE = 4096 }; /* sizes of mappings are compared in whole pages */

void copier_init(struct copier *copier, struct builder *builder)
{
	*copier = (struct copier){.builder = builder};
}

void copier_free(struct copier *copier)
{
	hash_map_free(&copier->mapping_slots);
	hash_map_free(&copier->frame_slots);
}

/* `count` ids, none of them known but 0, which is 0. */
static uint32_t *copy_unknown(size_t count)
{
	uint32_t *ids = memory_grow(NULL, (count + 1) * sizeof *ids);
	memset(ids, 0xff, (count + 1) * sizeof *ids);
	ids[0] = 0;
	return ids;
}

string_id copy_string(struct copy *copy, string_id id)
{
	if (copy->strings[id] == COPY_NONE) {
		size_t length;
		const char *bytes = profile_string(copy->from, id, &length);
		copy->strings[id] = builder_string(copy->copier->builder, bytes, length);
	}
	return copy->strings[id];
}

/* ---- functions ----------------------------------------------------------------------- */

/* The function, in the module of a mapping of the builder where its own is that of `from_mapping`.
 */
static struct function copy_make_function(struct copy *copy, const struct function *from)
{
	struct function function = *from;
	function.name = copy_string(copy, from->name);
	function.system_name = copy_string(copy, from->system_name);
	function.file = copy_string(copy, from->file);
	function.module = copy_string(copy, from->module);
	return function;
}

function_id copy_function(struct copy *copy, function_id id)
{
	if (copy->functions[id] == COPY_NONE) {
		struct function function = copy_make_function(copy, &copy->from->functions[id]);
		copy->functions[id] = builder_function(copy->copier->builder, &function);
	}
	return copy->functions[id];
}

/*
 * The function of a frame. A program that was run under two paths has one build id: its functions
 * are those of the first path.
 */
static function_id copy_frame_function(struct copy *copy, const struct frame *frame)
{
	const struct profile *from = copy->from;
	struct builder *builder = copy->copier->builder;
	if (frame->function == 0)
		return 0;
	function_id id = copy_function(copy, frame->function);
	if (frame->mapping == 0)
		return id;
	const struct mapping *old = &from->mappings[frame->mapping];
	const struct mapping *now = &builder->profile->mappings[copy->mappings[frame->mapping]];
	struct function function = builder->profile->functions[id];
	if (from->functions[frame->function].module != old->file || function.module == now->file)
		return id;
	function.module = now->file;
	return builder_function(builder, &function);
}

/* ---- mappings and frames ------------------------------------------------------------- */

static string_id copy_mapping_name(const struct mapping *mapping)
{
	return mapping->build_id != 0 ? mapping->build_id : mapping->file;
}

static uint64_t copy_mapping_pages(const struct mapping *mapping)
{
	/* As unsigned numbers do, also where a limit is missing. */
	return (mapping->limit - mapping->start + COPY_PAGE - 1) / COPY_PAGE;
}

static bool copy_is_same_mapping(const struct mapping *a, const struct mapping *b)
{
	return copy_mapping_pages(a) == copy_mapping_pages(b) && a->offset == b->offset &&
	       copy_mapping_name(a) == copy_mapping_name(b);
}

static uint32_t copy_mapping(struct copy *copy, const struct mapping *from)
{
	struct copier *copier = copy->copier;
	struct mapping mapping = *from;
	mapping.file = copy_string(copy, from->file);
	mapping.build_id = copy_string(copy, from->build_id);
	uint64_t key = hash_u64(copy_mapping_pages(&mapping)) ^ hash_u64(mapping.offset + 1) ^
		       hash_u64((uint64_t)copy_mapping_name(&mapping) << 32);
	for (;; key = hash_u64(key + 1)) {
		uint32_t *slot = hash_map_slot(&copier->mapping_slots, key);
		if (*slot == 0) {
			const uint32_t id = builder_mapping(copier->builder, &mapping);
			*slot = id + 1;
			return id;
		}
		if (copy_is_same_mapping(&copier->builder->profile->mappings[*slot - 1], &mapping))
			return *slot - 1;
	}
}

static void copy_mappings(struct copy *copy)
{
	const struct profile *from = copy->from;
	if (from->mapping_count == 0)
		return;
	copy->mappings = copy_unknown(from->mapping_count);
	for (uint32_t i = 1; i < from->mapping_count; i++)
		copy->mappings[i] = copy_mapping(copy, &from->mappings[i]);
}

/* The first frame of that function and line, whatever its address was. */
static frame_id copy_frame_by_line(struct copier *copier, const struct frame *frame)
{
	uint64_t key = hash_u64((uint64_t)frame->function << 32 | frame->line) ^
		       hash_u64((uint64_t)frame->kind << 1 | frame->is_inlined);
	for (;; key = hash_u64(key + 1)) {
		uint32_t *slot = hash_map_slot(&copier->frame_slots, key);
		if (*slot == 0) {
			const frame_id id = builder_function_frame(copier->builder, frame);
			*slot = id + 1;
			return id;
		}
		const struct frame *other = &copier->builder->profile->frames[*slot - 1];
		if (other->function == frame->function && other->line == frame->line &&
			other->kind == frame->kind && other->is_inlined == frame->is_inlined)
			return *slot - 1;
	}
}

static frame_id copy_frame(struct copy *copy, const struct frame *from)
{
	struct builder *builder = copy->copier->builder;
	struct frame frame = *from;
	frame.function = copy_frame_function(copy, from);
	if (from->mapping != 0) {
		frame.mapping = copy->mappings[from->mapping];
		frame.address += builder->profile->mappings[frame.mapping].start -
				 copy->from->mappings[from->mapping].start;
	} else if (frame.function != 0 && !copy->from->is_name_function) {
		return copy_frame_by_line(copy->copier, &frame);
	}
	return builder_function_frame(builder, &frame);
}

static void copy_frames(struct copy *copy)
{
	const struct profile *from = copy->from;
	copy->frames = copy_unknown(from->frame_count);
	for (frame_id i = 1; i < from->frame_count; i++)
		copy->frames[i] = copy_frame(copy, &from->frames[i]);
}

static void copy_stacks(struct copy *copy)
{
	const struct profile *from = copy->from;
	copy->stacks = copy_unknown(from->stack_count);
	for (stack_id i = 1; i < from->stack_count; i++)
		copy->stacks[i] = builder_child(copy->copier->builder,
			copy->stacks[from->stack_parent[i]], copy->frames[from->stack_frame[i]]);
}

void copy_init_frames(struct copy *copy, struct copier *copier, const struct profile *from)
{
	*copy = (struct copy){.copier = copier, .from = from};
	copy->strings = copy_unknown(from->strings.count);
	copy->functions = copy_unknown(from->function_count);
	copy_mappings(copy);
	copy_frames(copy);
	copy->sets = copy_unknown(from->set_count);
	copy->labels = copy_unknown(from->label_count);
}

void copy_init(struct copy *copy, struct copier *copier, const struct profile *from)
{
	copy_init_frames(copy, copier, from);
	copy_stacks(copy);
}

void copy_free(struct copy *copy)
{
	free(copy->strings);
	free(copy->functions);
	free(copy->mappings);
	free(copy->frames);
	free(copy->stacks);
	free(copy->sets);
	free(copy->labels);
	*copy = (struct copy){0};
}

/* ---- labels ---------------------------------------------------------------------------- */

uint32_t copy_label(struct copy *copy, uint32_t id)
{
	if (copy->labels[id] == COPY_NONE) {
		struct label label = copy->from->labels[id];
		label.key = copy_string(copy, label.key);
		label.text = copy_string(copy, label.text);
		label.unit = copy_string(copy, label.unit);
		copy->labels[id] = builder_label(copy->copier->builder, &label);
	}
	return copy->labels[id];
}

/* A label of a set and where it stood in it. */
struct copy_place {
	const char *key;
	uint32_t label, order;
	bool is_number;
};

static int copy_compare_places(const void *a, const void *b)
{
	const struct copy_place *left = a, *right = b;
	const int keys = strcmp(left->key, right->key);
	if (left->is_number != right->is_number)
		return left->is_number - right->is_number;
	if (keys != 0)
		return keys;
	return (left->order > right->order) - (left->order < right->order);
}

uint32_t copy_labels(struct copy *copy, uint32_t set)
{
	const struct profile *from = copy->from;
	struct builder *builder = copy->copier->builder;
	uint32_t count = 0, made = 0;
	if (copy->sets[set] != COPY_NONE)
		return copy->sets[set];
	for (uint32_t i = set; i != 0; i = from->set_parent[i])
		count++;
	struct copy_place *places = memory_new(count, sizeof *places);
	for (uint32_t i = set, k = count; i != 0; i = from->set_parent[i]) {
		const struct label *label = &from->labels[from->set_label[i]];
		k--;
		places[k] = (struct copy_place){.key = profile_string(from, label->key, NULL),
			.label = from->set_label[i],
			.order = k,
			.is_number = label->text == 0};
	}
	qsort(places, count, sizeof *places, copy_compare_places);
	for (uint32_t i = 0; i < count; i++)
		made = builder_label_set(builder, made, copy_label(copy, places[i].label));
	free(places);
	return copy->sets[set] = made;
}

/* ---- words ------------------------------------------------------------------------------ */

const char *copy_text(struct builder *builder, const char *text)
{
	return text ? builder_text(builder, text, strlen(text)) : NULL;
}

void copy_head(struct builder *builder, const struct profile *from)
{
	struct profile *to = builder->profile;
	to->is_timed = from->is_timed;
	to->is_realtime = from->is_realtime;
	to->has_start = from->has_start;
	to->has_end = from->has_end;
	to->has_offset = from->has_offset;
	to->start_ns = from->start_ns;
	to->end_ns = from->end_ns;
	to->offset_s = from->offset_s;
	to->period_ns = from->period_ns;
	to->duration_ns = from->duration_ns;
	to->period_type = copy_text(builder, from->period_type);
	to->period_unit = copy_text(builder, from->period_unit);
	to->period = from->period;
	to->format = from->format;
	to->version = from->version;
	to->source = copy_text(builder, from->source);
	to->base_source = copy_text(builder, from->base_source);
	to->project = copy_text(builder, from->project);
	to->top_level_function = copy_text(builder, from->top_level_function);
	to->interpreter = copy_text(builder, from->interpreter);
	to->platform = copy_text(builder, from->platform);
	to->arguments = copy_text(builder, from->arguments);
	to->comments = copy_text(builder, from->comments);
	to->doc_url = copy_text(builder, from->doc_url);
	to->drop_frames = copy_text(builder, from->drop_frames);
	to->keep_frames = copy_text(builder, from->keep_frames);
	to->compression = from->compression;
	to->has_lines = from->has_lines;
	to->has_native = from->has_native;
	to->is_name_function = from->is_name_function;
	to->has_estimated_stacks = from->has_estimated_stacks;
	to->is_truncated = from->is_truncated;
}

void copy_warnings(struct builder *builder, const struct profile *from, const char *name)
{
	for (size_t i = 0; i < from->warning_count; i++)
		builder_warn(builder, from->warnings[i].class_name, "%s%s%s", name ? name : "",
			name ? ": " : "", from->warnings[i].message);
}
