/* SPDX-License-Identifier: MIT */
/* The CPU tree of a vmprof-viewer profile: node = [address, count, {meta}, [children]]. */
#include "format/viewer_blobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEY = 1 << 16, NODES_A_TICK = 4096 };

struct viewer_node {
	stack_id stack;
	uint64_t children_left, extra; /* items behind the fourth */
	int64_t count, of_children;
	uint32_t index; /* of its address */
};

struct viewer_tree {
	struct viewer *viewer;
	struct source *source;
	struct builder *target; /* NULL: only look */
	struct viewer_node *open;
	size_t depth, capacity, nodes;
	bool is_inconsistent;
};

static uint32_t viewer_tree_address(struct viewer *viewer, uint64_t address)
{
	uint32_t *slot = hash_map_slot(&viewer->tree_index, address);
	if (*slot == 0) {
		viewer->tree_self = array_grow(viewer->tree_self, &viewer->tree_self_capacity,
			viewer->tree_addresses + 1, sizeof *viewer->tree_self);
		viewer->tree_self[viewer->tree_addresses] = 0;
		*slot = (uint32_t)++viewer->tree_addresses;
	}
	return *slot - 1;
}

static bool viewer_tree_meta(struct viewer_tree *tree, struct vp_error *err)
{
	struct msgpack_item map, item;
	if (!msgpack_next(tree->source, &map, err))
		return false;
	if (map.type != MSGPACK_MAP)
		return msgpack_skip(tree->source, &map, err);
	for (uint64_t i = 0; i < map.count; i++) {
		if (!msgpack_next(tree->source, &item, err))
			return false;
		const char *key = msgpack_bytes(tree->source, &item, MAX_KEY, err);
		if (!key)
			return false;
		if (item.count == 3 && memcmp(key, "jit", 3) == 0)
			tree->viewer->tree_has_jit = true;
		if (!msgpack_next(tree->source, &item, err) ||
			!msgpack_skip(tree->source, &item, err))
			return false;
	}
	return true;
}

/* The counts of a node: int or float, never below 0. */
static bool viewer_tree_count(struct viewer_tree *tree, int64_t *count, struct vp_error *err)
{
	struct msgpack_item item;
	double value;
	if (!msgpack_next(tree->source, &item, err))
		return false;
	if (!msgpack_number(&item, &value) || !(value >= 0 && value < 9e18))
		return error_set(err, ERROR_MALFORMED, (int64_t)source_offset(tree->source),
			"an impossible count in the CPU tree at byte %llu",
			(unsigned long long)source_offset(tree->source));
	*count = item.type == MSGPACK_INT ? (int64_t)item.integer : (int64_t)llround(value);
	return true;
}

/*
 * Siblings have different addresses, so each stack is new: a preview that is only looked at for a
 * moment takes that for granted.
 */
static stack_id viewer_tree_stack(struct viewer_tree *tree, stack_id above, uint64_t address)
{
	frame_id frame =
		builder_frame(tree->target, address, 0, address & 1 ? CODE_NATIVE : CODE_UNKNOWN);
	if (tree->viewer->is_glance)
		return builder_new_child(tree->target, above, frame);
	return builder_child(tree->target, above, frame);
}

/* Reads a node up to its children and opens it. */
static bool viewer_tree_open(
	struct viewer_tree *tree, const struct msgpack_item *head, struct vp_error *err)
{
	struct msgpack_item item;
	struct viewer_node node = {0};
	uint64_t address;
	if (head->type != MSGPACK_ARRAY || head->count < 2)
		return error_set(err, ERROR_MALFORMED, (int64_t)source_offset(tree->source),
			"no node of a CPU tree at byte %llu",
			(unsigned long long)source_offset(tree->source));
	if (tree->depth >= tree->viewer->builder->limits.max_depth)
		return error_set(err, ERROR_LIMIT, (int64_t)source_offset(tree->source),
			"the CPU tree is deeper than %u frames (--max-depth)",
			tree->viewer->builder->limits.max_depth);
	if (!msgpack_next(tree->source, &item, err) ||
		!viewer_address(tree->source, &item, &address, err) ||
		!viewer_tree_count(tree, &node.count, err))
		return false;
	if (head->count > 2 && !viewer_tree_meta(tree, err))
		return false;
	if (head->count > 3) {
		if (!msgpack_next(tree->source, &item, err))
			return false;
		node.children_left = item.type == MSGPACK_ARRAY ? item.count : 0;
		node.extra = head->count - 4;
		if (item.type != MSGPACK_ARRAY && !msgpack_skip(tree->source, &item, err))
			return false;
	}
	node.index = viewer_tree_address(tree->viewer, address);
	stack_id above = tree->depth ? tree->open[tree->depth - 1].stack : 0;
	if (tree->depth)
		tree->open[tree->depth - 1].of_children += node.count;
	else
		tree->viewer->tree_total = node.count;
	if (tree->target)
		node.stack = viewer_tree_stack(tree, above, address);
	tree->open = array_grow(tree->open, &tree->capacity, tree->depth + 1, sizeof *tree->open);
	tree->open[tree->depth++] = node;
	return true;
}

/* Closes the innermost node: what its children do not account for is its own. */
static bool viewer_tree_close(struct viewer_tree *tree, struct vp_error *err)
{
	struct viewer_node *node = &tree->open[--tree->depth];
	int64_t self = node->count - node->of_children;
	tree->is_inconsistent = tree->is_inconsistent || self < 0;
	self = self < 0 ? 0 : self;
	tree->viewer->tree_self[node->index] += self;
	if (tree->target && self > 0)
		builder_sample(tree->target, node->stack, self, -1, 0);
	for (; node->extra > 0; node->extra--) {
		struct msgpack_item item;
		if (!msgpack_next(tree->source, &item, err) ||
			!msgpack_skip(tree->source, &item, err))
			return false;
	}
	return true;
}

static bool viewer_tree_tick(struct viewer_tree *tree, struct vp_error *err)
{
	uint64_t done, total;
	source_progress(tree->source, &done, &total);
	return builder_tick(tree->viewer->builder, done, total) ||
	       error_set(err, ERROR_CANCELLED, -1, "loading was stopped");
}

static bool viewer_tree_nodes(
	struct viewer_tree *tree, const struct msgpack_item *first, struct vp_error *err)
{
	if (!viewer_tree_open(tree, first, err))
		return false;
	while (tree->depth > 0) {
		struct viewer_node *node = &tree->open[tree->depth - 1];
		struct msgpack_item item;
		if (node->children_left == 0) {
			if (!viewer_tree_close(tree, err))
				return false;
			continue;
		}
		node->children_left--;
		if (++tree->nodes % NODES_A_TICK == 0 && !viewer_tree_tick(tree, err))
			return false;
		if (!msgpack_next(tree->source, &item, err) || !viewer_tree_open(tree, &item, err))
			return false;
	}
	return true;
}

void viewer_forget_tree(struct viewer *viewer)
{
	hash_map_free(&viewer->tree_index);
	viewer->tree_addresses = 0;
}

bool viewer_read_tree(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err)
{
	struct vp_error why = {0};
	if (viewer->wants_preview && !viewer->builder->preview)
		viewer_start_preview(viewer);
	struct viewer_tree tree = {
		.viewer = viewer, .source = source, .target = viewer->builder->preview};
	bool ok = viewer_tree_nodes(&tree, first, &why);
	/* Cut short: what the open nodes have beyond their children is unknown, so it counts as
	 * theirs. */
	while (!ok && tree.depth > 0) {
		tree.open[tree.depth - 1].extra = 0;
		viewer_tree_close(&tree, err);
	}
	free(tree.open);
	viewer->has_tree = true;
	if (tree.is_inconsistent)
		builder_warn(viewer->builder, "malformed",
			"the CPU tree has nodes whose children count more than they do themselves");
	return ok || viewer_cut(viewer, "CPU tree", &why, err);
}
