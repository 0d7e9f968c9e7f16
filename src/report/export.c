/* SPDX-License-Identifier: MIT */
#include "report/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

const char export_estimate[] = "stacks are estimated from a graph of calls";

void export_prepare(const struct profile *profile, struct report_options *options)
{
	options->query.granularity = BY_ADDRESS;
	options->query.relative_percentages = options->query.mean = false;
	/* A level has no call tree; all that matters here is which samples there are. */
	if (profile->types[options->query.type].kind == VALUE_GAUGE)
		options->query.type = profile->default_type;
}

static void export_choose_types(struct export *export)
{
	const struct profile *profile = export->profile;
	for (unsigned i = 0; i < profile->type_count; i++) {
		const struct value_type *type = &profile->types[i];
		if (type->kind == VALUE_GAUGE)
			export->leaves_out_levels = true;
		else if (export->type_count < MAX_FILE_TYPES &&
			 (type->part == PART_ALL || type->part == PART_DELTA))
			export->types[export->type_count++] = i;
	}
}

unsigned export_default_type(const struct export *export)
{
	for (unsigned i = 0; i < export->type_count; i++)
		if (export->types[i] == export->profile->default_type)
			return i;
	return 0;
}

void export_unit(const struct value_type *type, const char *unit, struct text *out)
{
	text_puts(out, type->decimals > 0 ? type->unit : unit);
	if (type->decimals > 0)
		text_printf(out, " x 0.%0*d", (int)type->decimals, 1);
}

bool export_is_bare(const struct profile *profile, frame_id frame)
{
	const struct function *function = profile_function(profile, frame);
	return profile->is_name_function && function->name == 0 && function->file == 0;
}

/* ---- which samples --------------------------------------------------------------------------- */

static bool export_is_dropped(const struct export *export, uint64_t i)
{
	const struct calltree *tree = export->input->tree;
	const int32_t thread = tree->query.thread;
	if (thread >= 0 && export->profile->sample_thread &&
		export->profile->sample_thread[i] != (uint32_t)thread)
		return true;
	return calltree_node_of_sample(tree, i) == NODE_DROPPED;
}

static uint32_t export_thread(const struct export *export, uint64_t i)
{
	return export->profile->sample_thread ? export->profile->sample_thread[i] : 0;
}

/* Adds up samples of one stack and thread. */
static void export_add_up(struct export *export)
{
	const struct profile *profile = export->profile;
	const struct query *query = &export->input->tree->query;
	const unsigned types = export->type_count;
	struct hash_map slots = {0};
	size_t first_capacity = 0, sum_capacity = 0;
	bool overflow = false;
	export->first = memory_new(1, sizeof *export->first);
	for (uint64_t i = query->first; i < query->last; i++) {
		if (export_is_dropped(export, i))
			continue;
		const uint64_t key =
			(uint64_t)export_thread(export, i) << 32 | profile->sample_stack[i];
		uint32_t *slot = hash_map_slot(&slots, key);
		if (*slot == 0) {
			const size_t count = export->sum_count;
			export->first = array_grow(
				export->first, &first_capacity, count + 1, sizeof *export->first);
			export->sums = array_grow(export->sums, &sum_capacity,
				(count + 1) * types + 1, sizeof *export->sums);
			export->first[count] = i;
			memset(export->sums + count * types, 0, types * sizeof *export->sums);
			*slot = (uint32_t)++ export->sum_count;
		}
		int64_t *sums = export->sums + (size_t)(*slot - 1) * types;
		for (unsigned k = 0; k < types; k++)
			sums[k] = units_add(
				sums[k], profile_value(profile, export->types[k], i), &overflow);
	}
	hash_map_free(&slots);
}

/* ---- locations ------------------------------------------------------------------------------- */

static uint32_t export_new_location(struct export *export, uint32_t outer, frame_id frame)
{
	export->locations = array_grow(export->locations, &export->location_capacity,
		(size_t) export->location_count + 1, sizeof *export->locations);
	export->locations[export->location_count] =
		(struct export_location){.outer = outer, .frame = frame};
	return export->location_count++;
}

/* The location of the frames of `outer` and one more, inlined into them. */
static uint32_t export_location(struct export *export, uint32_t outer, frame_id frame)
{
	uint32_t *slot = outer == 0 ? &export->location_of_frame[frame]
				    : hash_map_slot(&export->slots, (uint64_t)outer << 32 | frame);
	if (*slot == 0) {
		const uint32_t location = export_new_location(export, outer, frame);
		*slot = outer == 0 ? location : location + 1;
	}
	return outer == 0 ? *slot : *slot - 1;
}

static uint32_t export_number(struct export *export, uint32_t location)
{
	struct export_location *it = &export->locations[location];
	if (it->id == 0) {
		export->used = array_grow(export->used, &export->used_capacity,
			(size_t) export->used_count + 1, sizeof *export->used);
		export->used[export->used_count] = location;
		it->id = ++export->used_count;
	}
	return it->id;
}

static bool export_is_inlined(const struct export *export, frame_id caller, frame_id frame)
{
	const struct frame *outer = &export->profile->frames[caller];
	const struct frame *inner = &export->profile->frames[frame];
	return inner->is_inlined && inner->address == outer->address &&
	       inner->mapping == outer->mapping;
}

/*
 * The frames of a stack that its node of the call tree stands for, leaf first, in export->frames:
 * those whose rows are on the way from the node to the root. How many.
 */
static size_t export_frames(struct export *export, uint64_t sample)
{
	const struct calltree *tree = export->input->tree;
	const struct profile *profile = export->profile;
	uint32_t node = calltree_node_of_sample(tree, sample);
	size_t count = 0;
	for (stack_id stack = profile->sample_stack[sample]; stack != 0 && node != 0;
		stack = profile->stack_parent[stack]) {
		const frame_id frame = profile->stack_frame[stack];
		const bool is_left_out =
			tree->query.no_inlines && profile->frames[frame].is_inlined;
		if (is_left_out || tree->row_of_frame[frame] != tree->row[node])
			continue;
		export->frames = array_grow(
			export->frames, &export->frame_capacity, count + 1, sizeof *export->frames);
		export->frames[count++] = frame;
		node = tree->parent[node];
	}
	return count;
}

/* Makes export->path of the frames: locations, leaf first. How many. */
static size_t export_path(struct export *export, size_t frame_count)
{
	size_t depth = 0;
	export->path = array_grow(
		export->path, &export->path_capacity, frame_count + 1, sizeof *export->path);
	for (size_t i = frame_count; i-- > 0;) {
		const frame_id frame = export->frames[i];
		const bool is_inlined = i + 1 < frame_count &&
					export_is_inlined(export, export->frames[i + 1], frame);
		if (is_inlined)
			export->path[depth - 1] =
				export_location(export, export->path[depth - 1], frame);
		else
			export->path[depth++] = export_location(export, 0, frame);
	}
	for (size_t i = 0; i < depth; i++)
		export->path[i] = export_number(export, export->path[i]);
	for (size_t i = 0; i < depth / 2; i++) {
		const uint32_t spare = export->path[i];
		export->path[i] = export->path[depth - 1 - i];
		export->path[depth - 1 - i] = spare;
	}
	return depth;
}

/* ---- all of it ------------------------------------------------------------------------------- */

void export_open(struct export *export, const struct report_input *input)
{
	const struct profile *profile = input->profile;
	*export = (struct export){.input = input, .profile = profile};
	export->next = input->tree->query.first;
	export->location_of_frame =
		memory_new(profile->frame_count, sizeof *export->location_of_frame);
	export_new_location(export, 0, 0);
	export_choose_types(export);
	if (profile->type_count > 0 && profile->types[0].source != VALUE_COLUMN) {
		export_add_up(export);
		export->next = 0;
	}
}

void export_close(struct export *export)
{
	free(export->locations);
	free(export->used);
	free(export->location_of_frame);
	hash_map_free(&export->slots);
	free(export->first);
	free(export->sums);
	free(export->frames);
	free(export->path);
}

bool export_next(struct export *export, struct export_sample *sample)
{
	const uint64_t last = export->first ? export->sum_count : export->input->tree->query.last;
	while (!export->first && export->next < last && export_is_dropped(export, export->next))
		export->next++;
	if (export->next >= last)
		return false;
	const uint64_t i = export->next++;
	sample->sample = export->first ? export->first[i] : i;
	for (unsigned k = 0; k < export->type_count; k++)
		sample->values[k] = export->first
					    ? export->sums[i * export->type_count + k]
					    : profile_value(export->profile, export->types[k], i);
	sample->depth = export_path(export, export_frames(export, sample->sample));
	sample->path = export->path;
	return true;
}
