/* SPDX-License-Identifier: MIT */
#include "derive/tag_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/pprof_units.h"
#include "derive/copy.h"
#include "query/labels.h"

enum { TAG_FRAMES_KEYS = 64 };

/* A key that becomes a frame. */
struct tag_key {
	const char *name;
	size_t length;
	string_id id; /* in the old profile; 0: no label has it */
	string_id file;
};

struct tag_frames {
	const struct profile *from;
	struct builder builder;
	struct copier copier;
	struct copy copy;
	struct tag_key keys[TAG_FRAMES_KEYS];
	unsigned count, root_count; /* those of the root come first */
	frame_id *frames;           /* [set_count * count]; 0: not made so far */
	uint32_t *list;             /* labels of a set */
	size_t list_capacity;
	frame_id *path;
	size_t path_capacity;
	struct text text;
	const char *unit; /* of numbers; "auto": the one that fits each */
};

/* ---- keys ----------------------------------------------------------------------------------- */

/* Adds the keys of a list with commas. */
static bool tag_frames_add_keys(struct tag_frames *frames, const char *list, struct vp_error *err)
{
	for (const char *at = list, *end; at && *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ",");
		if (end == at)
			continue;
		if (frames->count == TAG_FRAMES_KEYS)
			return error_set(err, ERROR_USAGE, -1,
				"labels of more than %d keys cannot be frames", TAG_FRAMES_KEYS);
		frames->keys[frames->count++] =
			(struct tag_key){.name = at, .length = (size_t)(end - at)};
	}
	return true;
}

static bool tag_frames_has_name(
	const struct profile *profile, string_id id, const char *name, size_t name_length)
{
	size_t length;
	const char *bytes = profile_string(profile, id, &length);
	return length == name_length && memcmp(bytes, name, length) == 0;
}

static void tag_frames_find_keys(struct tag_frames *frames)
{
	const struct profile *from = frames->from;
	for (unsigned k = 0; k < frames->count; k++) {
		struct tag_key *key = &frames->keys[k];
		for (uint32_t i = 1; i < from->label_count && key->id == 0; i++)
			if (tag_frames_has_name(from, from->labels[i].key, key->name, key->length))
				key->id = from->labels[i].key;
		key->file = builder_string(&frames->builder, key->name, key->length);
		if (key->id == 0)
			builder_warn(&frames->builder, "note", "no sample has a label '%.*s'",
				key->length < 200 ? (int)key->length : 200, key->name);
	}
}

/* ---- frames --------------------------------------------------------------------------------- */

static void tag_frames_separate(struct text *text, bool *is_first)
{
	if (!*is_first)
		text_puts(text, ",");
	*is_first = false;
}

/* The values of a key in list[count], texts first. */
static void tag_frames_values(struct tag_frames *frames, string_id key, uint32_t count)
{
	const struct profile *from = frames->from;
	bool is_first = true;
	text_clear(&frames->text);
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &from->labels[frames->list[i]];
		if (label->key != key || label->text == 0)
			continue;
		size_t length;
		const char *bytes = profile_string(from, label->text, &length);
		tag_frames_separate(&frames->text, &is_first);
		text_add(&frames->text, bytes, length);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &from->labels[frames->list[i]];
		char number[UNIT_SIZE];
		if (label->key != key || label->text != 0)
			continue;
		tag_frames_separate(&frames->text, &is_first);
		text_puts(&frames->text,
			pprof_units_value(number, (double)label->number,
				profile_string(from, label->unit, NULL), frames->unit));
	}
}

static frame_id tag_frames_make(struct tag_frames *frames, unsigned k, uint32_t count)
{
	const struct tag_key *key = &frames->keys[k];
	struct function function = {.file = key->file, .kind = CODE_NATIVE};
	tag_frames_values(frames, key->id, key->id != 0 ? count : 0);
	if (frames->text.length > 0)
		function.name =
			builder_string(&frames->builder, frames->text.data, frames->text.length);
	struct frame frame = {.function = builder_function(&frames->builder, &function),
		.kind = CODE_NATIVE,
		.is_label = true};
	return builder_function_frame(&frames->builder, &frame);
}

/* The frames of a set, one for each key. */
static const frame_id *tag_frames_of_set(struct tag_frames *frames, uint32_t set)
{
	frame_id *made = &frames->frames[(size_t)set * frames->count];
	if (made[0] != 0)
		return made;
	uint32_t count = label_list(frames->from, set, &frames->list, &frames->list_capacity);
	for (unsigned k = 0; k < frames->count; k++)
		made[k] = tag_frames_make(frames, k, count);
	return made;
}

/* ---- samples -------------------------------------------------------------------------------- */

static uint32_t tag_frames_depth(const struct profile *profile, stack_id stack)
{
	uint32_t depth = 0;
	for (; stack != 0; stack = profile->stack_parent[stack])
		depth++;
	return depth;
}

static stack_id tag_frames_stack(struct tag_frames *frames, stack_id stack, uint32_t set)
{
	const struct profile *from = frames->from;
	const frame_id *made = tag_frames_of_set(frames, set);
	const size_t own = tag_frames_depth(from, stack), depth = own + frames->count;
	const size_t leaf_count = frames->count - frames->root_count;
	if (depth > frames->path_capacity)
		frames->path = array_grow(
			frames->path, &frames->path_capacity, depth, sizeof *frames->path);
	memcpy(frames->path, made, frames->root_count * sizeof *made);
	for (size_t i = frames->root_count + own; stack != 0; stack = from->stack_parent[stack])
		frames->path[--i] = frames->copy.frames[from->stack_frame[stack]];
	memcpy(frames->path + depth - leaf_count, made + frames->root_count,
		leaf_count * sizeof *made);
	return builder_stack(&frames->builder, frames->path, depth);
}

static void tag_frames_samples(struct tag_frames *frames)
{
	const struct profile *from = frames->from;
	int64_t values[MAX_VALUE_TYPES];
	for (size_t i = 0; i < from->sample_count; i++) {
		const uint32_t set = profile_label_set(from, i);
		for (unsigned type = 0; type < from->type_count; type++)
			values[type] = profile_value(from, type, i);
		builder_values(&frames->builder,
			tag_frames_stack(frames, from->sample_stack[i], set), values);
		builder_sample_labels(&frames->builder, copy_labels(&frames->copy, set));
	}
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void tag_frames_types(struct builder *builder, const struct profile *from)
{
	for (unsigned i = 0; i < from->type_count; i++) {
		const struct value_type *type = &from->types[i];
		builder_type(builder, type->name, type->unit, type->kind, 1);
		builder->own_types[i].decimals = type->decimals;
		builder->own_types[i].part = type->part;
	}
	builder->profile->default_type = from->default_type;
	builder->profile->difference = from->difference;
}

/* What belongs to samples by their number, which is the same. */
static void tag_frames_marks(struct builder *builder, const struct profile *from)
{
	struct profile *to = builder->profile;
	if (from->base_samples) {
		const size_t words = from->sample_count / 64 + 1;
		to->base_samples = memory_new(words, sizeof *to->base_samples);
		memcpy(to->base_samples, from->base_samples, words * sizeof *to->base_samples);
	}
	if (from->snapshots) {
		to->snapshots = memory_new(from->snapshot_count, sizeof *to->snapshots);
		to->snapshot_count = from->snapshot_count;
		for (size_t i = 0; i < from->snapshot_count; i++) {
			to->snapshots[i] = from->snapshots[i];
			to->snapshots[i].name = copy_text(builder, from->snapshots[i].name);
		}
	}
}

static struct profile *tag_frames_build(struct tag_frames *frames)
{
	const struct profile *from = frames->from;
	const struct builder_limits limits = {BUILDER_DEFAULT_MAX_DEPTH};
	const size_t sets = from->set_count ? from->set_count : 1;
	struct builder *builder = &frames->builder;
	builder_init(builder, &limits, NULL, NULL);
	copier_init(&frames->copier, builder);
	copy_init_frames(&frames->copy, &frames->copier, from);
	frames->frames = memory_new(sets * frames->count, sizeof *frames->frames);
	copy_head(builder, from);
	copy_warnings(builder, from, NULL);
	tag_frames_types(builder, from);
	tag_frames_find_keys(frames);
	tag_frames_samples(frames);
	tag_frames_marks(builder, from);
	copy_free(&frames->copy);
	copier_free(&frames->copier);
	free(frames->frames);
	free(frames->list);
	free(frames->path);
	text_free(&frames->text);
	return builder_finish(builder);
}

struct profile *profile_with_tags(const struct profile *profile, const char *root, const char *leaf,
	const char *unit, struct vp_error *err)
{
	struct tag_frames frames = {.from = profile, .unit = unit ? unit : "auto"};
	if (!tag_frames_add_keys(&frames, root, err))
		return NULL;
	frames.root_count = frames.count;
	if (!tag_frames_add_keys(&frames, leaf, err))
		return NULL;
	if (frames.count == 0) {
		error_set(err, ERROR_USAGE, -1, "no key of labels was given");
		return NULL;
	}
	for (unsigned i = 0; i < profile->type_count; i++)
		if (profile->types[i].source != VALUE_COLUMN) {
			error_set(err, ERROR_USAGE, -1,
				"samples of this format have no labels that could be frames");
			return NULL;
		}
	return tag_frames_build(&frames);
}
