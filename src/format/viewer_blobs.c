/* SPDX-License-Identifier: MIT */
#include "format/viewer_blobs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {

	MAX_TEXT = 16 << 20, /* Python 3 wrote address n as n NUL bytes */
	RANK_NAME = 1
};

void viewer_init(struct viewer *viewer, struct builder *builder)
{
	*viewer = (struct viewer){.builder = builder};
	builder->profile->format = "vmprof-viewer";
}

void viewer_free(struct viewer *viewer)
{
	free(viewer->address);
	free(viewer->tail);
	free(viewer->raw);
	free(viewer->raw_end);
	free(viewer->tree_self);
	hash_map_free(&viewer->tree_index);
}

/* Warns that a part ended early, unless the user stopped it; what was read stays. */
bool viewer_cut(
	struct viewer *viewer, const char *part, const struct vp_error *why, struct vp_error *err)
{
	if (why->code == ERROR_CANCELLED || why->code == ERROR_LIMIT) {
		*err = *why;
		return false;
	}
	viewer->builder->profile->is_truncated = true;
	builder_warn(viewer->builder, why->code == ERROR_TRUNCATED ? "truncated" : "malformed",
		"%s: %s; what came before is kept", part, why->message);
	return true;
}

void viewer_start_preview(struct viewer *viewer)
{
	struct builder *preview = memory_new(1, sizeof *preview);
	builder_init(preview, &viewer->builder->limits, NULL, NULL);
	preview->profile->is_timed = false;
	viewer->builder->preview = preview;
}

/* ---- addresses -------------------------------------------------------------------------- */

/*
 * "140353149861936", "-5", n NUL bytes (address n, as Python 3's bytes(n) gives), or an integer.
 */
bool viewer_address(struct source *source, const struct msgpack_item *item, uint64_t *address,
	struct vp_error *err)
{
	if (item->type == MSGPACK_INT) {
		*address = item->integer;
		return true;
	}
	const char *s = msgpack_bytes(source, item, MAX_TEXT, err);
	if (!s)
		return false;
	size_t length = (size_t)item->count, i = 0;
	if (length > 0 && s[0] == 0) {
		while (i < length && s[i] == 0)
			i++;
		*address = length;
		return i == length ||
		       error_set(err, ERROR_MALFORMED, -1, "an address of NUL bytes and others");
	}
	bool is_negative = length > 0 && s[0] == '-';
	uint64_t value = 0;
	for (i = is_negative; i < length && isdigit((unsigned char)s[i]); i++)
		value = value * 10 + (uint64_t)(s[i] - '0');
	*address = is_negative ? 0 - value : value;
	return (i == length && i > (size_t)is_negative) ||
	       error_set(err, ERROR_MALFORMED, (int64_t)source_offset(source),
		       "an address that is no number");
}

/* ---- the names: {address: "py:function:line:file"} --------------------------------------- */

static bool viewer_contains(const char *s, size_t length, const char *word)
{
	size_t n = strlen(word);
	for (size_t i = 0; i + n <= length; i++)
		if (memcmp(s + i, word, n) == 0)
			return true;
	return false;
}

static bool viewer_names(
	struct viewer *viewer, struct source *source, uint64_t count, struct vp_error *why)
{
	for (uint64_t i = 0; i < count; i++) {
		struct msgpack_item item;
		uint64_t address;
		if (!msgpack_next(source, &item, why) ||
			!viewer_address(source, &item, &address, why) ||
			!msgpack_next(source, &item, why))
			return false;
		const char *name = msgpack_bytes(source, &item, MAX_TEXT, why);
		if (!name)
			return false;
		size_t length = (size_t)item.count;
		viewer->names_say_pypy =
			viewer->names_say_pypy || viewer_contains(name, length, ":<builtin>/");
		builder_name(viewer->builder, address, name, length, RANK_NAME);
		if (viewer->builder->preview)
			builder_name(viewer->builder->preview, address, name, length, RANK_NAME);
	}
	return true;
}

bool viewer_read_names(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err)
{
	struct vp_error why = {0};
	if (first->type != MSGPACK_MAP)
		return error_set(err, ERROR_MALFORMED, -1, "the names are no map");
	viewer->has_names = true;
	if (viewer->wants_preview && !viewer->builder->preview)
		viewer_start_preview(viewer);
	return viewer_names(viewer, source, first->count, &why) ||
	       viewer_cut(viewer, "names", &why, err);
}

/* ---- when all is read -------------------------------------------------------------------- */

/*
 * The kinds of PyPy's frames are lost in an envelope: an address without a name that never occurs
 * in the CPU tree, which leaves assembler out, is the JIT's machine code (numbers.md, own rule 9).
 */
static void viewer_find_assembler(struct viewer *viewer)
{
	struct profile *profile = viewer->builder->profile;
	if (!viewer->tree_has_jit && !viewer->names_say_pypy)
		return;
	profile->interpreter = "pypy";
	for (frame_id i = 1; i < profile->frame_count; i++) {
		struct frame *frame = &profile->frames[i];
		if (!builder_has_name(viewer->builder, frame->address) &&
			hash_map_get(&viewer->tree_index, frame->address, UINT32_MAX) == UINT32_MAX)
			frame->kind = CODE_ASSEMBLER;
	}
}

/* Samples of each address of the tree, counted from the samples: the leaf-most frame that the tree
 * knows. */
static int64_t *viewer_count_leaves(struct viewer *viewer)
{
	struct builder *builder = viewer->builder;
	struct profile *profile = builder->profile;
	int64_t *leaves = memory_new(viewer->tree_addresses, sizeof *leaves);
	uint32_t *of_stack = memory_new(builder->node_count, sizeof *of_stack);
	for (size_t i = 0; i < profile->sample_count; i++)
		of_stack[profile->sample_stack[i]]++;
	for (size_t s = 1; s < builder->node_count; s++) {
		uint64_t node = s;
		uint32_t index = UINT32_MAX;
		for (; of_stack[s] && node && index == UINT32_MAX;
			node = builder->node_key[node] >> 32)
			index = hash_map_get(&viewer->tree_index,
				profile->frames[(frame_id)builder->node_key[node]].address,
				UINT32_MAX);
		if (index != UINT32_MAX)
			leaves[index] += of_stack[s];
	}
	free(of_stack);
	return leaves;
}

/* The client's tree leaves samples out that lie outside its root; where it did not, the two must
 * agree. */
static void viewer_check_tree(struct viewer *viewer)
{
	struct profile *profile = viewer->builder->profile;
	long long samples = (long long)profile->sample_count, total = viewer->tree_total;
	if (profile->is_truncated)
		return;
	if (total != samples) {
		builder_warn(viewer->builder, "note",
			"the CPU tree in the file counts %lld samples, the memory samples are %lld: the samples are shown",
			total, samples);
		return;
	}
	int64_t *leaves = viewer_count_leaves(viewer), differ = 0;
	for (size_t i = 0; i < viewer->tree_addresses; i++)
		differ += leaves[i] > viewer->tree_self[i] ? leaves[i] - viewer->tree_self[i] : 0;
	free(leaves);
	if (differ > 0)
		builder_warn(viewer->builder, "note",
			"the CPU tree in the file disagrees with %lld of %lld samples: the samples are shown",
			(long long)differ, samples);
}

bool viewer_finish(struct viewer *viewer, struct vp_error *err)
{
	struct builder *builder = viewer->builder;
	if (!viewer->has_samples && !viewer->has_tree)
		return error_set(err, ERROR_MALFORMED, -1,
			"not a vmprof-viewer profile: neither a CPU tree nor samples in it");
	bool uses_tree =
		viewer->has_tree && builder->profile->sample_count == 0 && builder->preview;
	if (uses_tree) {
		builder_adopt_preview(builder);
		builder_warn(builder, "note",
			"no samples, only the CPU tree: no timeline, and direct recursion was merged by the client");
	}
	builder_drop_preview(builder);
	viewer_find_assembler(viewer);
	if (viewer->has_tree && viewer->has_samples && !uses_tree)
		viewer_check_tree(viewer);
	if (!viewer->has_names && builder->profile->sample_count > 0)
		builder_warn(builder, "missing-names",
			"no names in the profile: functions show as addresses");
	return true;
}
