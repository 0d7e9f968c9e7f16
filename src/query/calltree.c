/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "profile/tree.h"
#include "query/frame_flags.h"
#include "query/growth.h"
#include "query/rows.h"
#include "query/tags.h"

void query_init(struct query *query, const struct profile *profile)
{
	*query = (struct query){
		.type = profile->default_type, .last = profile->sample_count, .thread = -1};
}

void calltree_free(struct calltree *tree)
{
	if (!tree)
		return;
	if (tree->owns_links) {
		free(tree->parent);
		free(tree->end);
	}
	free(tree->row);
	free(tree->self);
	free(tree->total);
	free(tree->node_of_stack);
	free(tree->set_passes);
	free(tree->width);
	if (!tree->borrows_rows)
		free(tree->rows);
	free(tree->row_of_frame);
	free(tree);
}

/* ---- filters -------------------------------------------------------------------------------- */

const char *filter_name(enum filter_kind filter)
{
	static const char *const names[FILTER_COUNT] = {"focus", "ignore", "hide", "show",
		"show-from", "prune-from", "tagfocus", "tagignore"};
	return names[filter];
}

bool filter_is_of_frames(enum filter_kind filter)
{
	return filter != FILTER_TAG_FOCUS && filter != FILTER_TAG_IGNORE;
}

static bool calltree_has_filters(const struct query *query)
{
	for (int i = 0; i < FILTER_COUNT; i++)
		if (filter_is_of_frames((enum filter_kind)i) && query->filters[i])
			return true;
	return false;
}

/* ---- stacks to nodes --------------------------------------------------------------------- */

/* The reference tool's root: the first frame of the first sample that has one (numbers.md 3.5 rule
 * 2). */
static uint32_t calltree_reference_root(const struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	for (size_t i = 0; i < profile->sample_count; i++) {
		stack_id stack = profile->sample_stack[i];
		if (!stack)
			continue;
		while (profile->stack_parent[stack])
			stack = profile->stack_parent[stack];
		return tree->row_of_frame[profile->stack_frame[stack]];
	}
	return 0;
}

/*
 * What is known of a stack from its frames, made from what was known of its caller's (numbers.md
 * 3.3). A frame that is inlined belongs to the location of the frame above it; filters of pprof
 * work on locations in two places, marked below.
 */
enum {
	SEEN_FOCUS = FRAME_FOCUS,
	SEEN_IGNORE = FRAME_IGNORE,
	SEEN_START = 4,
	SEEN_ORDINARY = 8, /* a location in front of this one that is not to be dropped */
	SEEN_END = 16,     /* what the profile wants dropped, and so is all below */
	/* In this location: */
	HERE_START = 32,
	HERE_DROP = 64,
	HERE_END = 128, /* its other lines are dropped, but not what is below it */
	HERE = HERE_START | HERE_DROP | HERE_END
};

/* drop_frames, rule 7: never before the first ordinary frame; but a match that was inlined is
 * dropped with the lines inside it wherever its location is. */
static uint8_t calltree_drop(uint8_t seen, bool is_inlined)
{
	if (seen & HERE_DROP)
		return seen;
	seen |= HERE_DROP;
	if (seen & SEEN_ORDINARY)
		return seen | SEEN_END;
	return is_inlined ? seen | HERE_END : seen;
}

static uint8_t calltree_see(
	uint8_t seen_above, bool has_above, const struct frame *frame, uint8_t flags)
{
	uint8_t seen = seen_above;
	if (!frame->is_inlined) {
		if (has_above && !(seen & HERE_DROP))
			seen |= SEEN_ORDINARY;
		seen &= (uint8_t)~HERE;
	}
	if (flags & FRAME_DROP)
		seen = calltree_drop(seen, frame->is_inlined);
	if (!(seen & (SEEN_END | HERE_END)))
		seen |= flags & (FRAME_FOCUS | FRAME_IGNORE);
	return seen;
}

/* Which samples the filters keep, from what was seen in their stack (rules 2 to 5). */
static bool calltree_keeps(const struct query *query, uint8_t seen, bool has_frames)
{
	if (query->filters[FILTER_FOCUS] && !(seen & SEEN_FOCUS))
		return false;
	if (seen & SEEN_IGNORE)
		return false;
	if (query->filters[FILTER_SHOW_FROM] && !(seen & SEEN_START))
		return false;
	return has_frames || !calltree_has_filters(query);
}

/* Stacks while they become nodes. */
struct calltree_stacks {
	struct growth *growth;
	const uint8_t *flags; /* of frames */
	uint8_t *seen;        /* of stacks */
	uint32_t *base;       /* the node in front of the location; NULL without show_from */
	bool merges;
};

/*
 * show_from, rule 5: begins at the first frame that matches, and in each location that has a match
 * the lines outside of it are cut, too.
 */
static bool calltree_starts_here(struct calltree_stacks *stacks, stack_id i, uint8_t flags)
{
	uint8_t *seen = &stacks->seen[i];
	if (!(flags & FRAME_START) || *seen & HERE_START)
		return false;
	*seen |= SEEN_START | HERE_START;
	return true;
}

static uint32_t calltree_grow_stack(
	const struct calltree *tree, struct calltree_stacks *stacks, stack_id i)
{
	const struct profile *profile = tree->profile;
	stack_id parent = profile->stack_parent[i];
	frame_id id = profile->stack_frame[i];
	const struct frame *frame = &profile->frames[id];
	uint8_t flags = stacks->flags[id];
	uint32_t row = tree->row_of_frame[id], above = tree->node_of_stack[parent];
	stacks->seen[i] = calltree_see(stacks->seen[parent], parent != 0, frame, flags);
	if (stacks->base)
		stacks->base[i] = frame->is_inlined ? stacks->base[parent] : above;
	if (stacks->seen[i] & (SEEN_END | HERE_END) || flags & FRAME_HIDDEN)
		return above;
	if (stacks->base && calltree_starts_here(stacks, i, flags))
		above = stacks->base[i];
	bool is_before = stacks->base && !(stacks->seen[i] & SEEN_START);
	if (is_before || (stacks->merges && stacks->growth->row[above] == row))
		return above;
	return growth_child(stacks->growth, above, row);
}

static void calltree_grow(struct calltree *tree, struct growth *growth, const uint8_t *flags)
{
	const struct query *query = &tree->query;
	uint32_t count = tree->profile->stack_count, *node = tree->node_of_stack;
	struct calltree_stacks stacks = {.growth = growth,
		.flags = flags,
		.seen = memory_new(count, sizeof *stacks.seen),
		.merges = query->reference_tree};
	if (query->filters[FILTER_SHOW_FROM])
		stacks.base = memory_new(count, sizeof *stacks.base);
	growth_child(growth, 0, stacks.merges ? calltree_reference_root(tree) : 0);
	for (stack_id i = 1; i < count; i++)
		node[i] = calltree_grow_stack(tree, &stacks, i);
	/* Only now: a dropped stack may have kept ones below it. */
	for (stack_id i = 0; i < count; i++)
		if (!calltree_keeps(query, stacks.seen[i], node[i] != 0))
			node[i] = NODE_DROPPED;
	free(stacks.seen);
	free(stacks.base);
}

/* Pre-order at last: everything that walks subtrees relies on it. */
static void calltree_renumber(struct calltree *tree, const struct growth *growth)
{
	uint32_t count = growth->count;
	uint32_t *new_id = memory_new(count, sizeof *new_id);
	tree->node_count = count;
	tree->owns_links = true;
	tree->parent = memory_new(count, sizeof *tree->parent);
	tree->end = memory_new(count, sizeof *tree->end);
	tree->row = memory_new(count, sizeof *tree->row);
	tree_preorder(growth->parent, count, new_id, tree->end);
	for (uint32_t i = 0; i < count; i++) {
		tree->parent[new_id[i]] = new_id[growth->parent[i]];
		tree->row[new_id[i]] = growth->row[i];
	}
	for (stack_id i = 0; i < tree->profile->stack_count; i++)
		if (tree->node_of_stack[i] != NODE_DROPPED)
			tree->node_of_stack[i] = new_id[tree->node_of_stack[i]];
	free(new_id);
}

static void calltree_map_stacks(struct calltree *tree, const uint8_t *flags)
{
	struct growth growth = {0};
	tree->node_of_stack = memory_new(tree->profile->stack_count, sizeof *tree->node_of_stack);
	calltree_grow(tree, &growth, flags);
	growth_free_slots(&growth);
	calltree_renumber(tree, &growth);
	growth_free(&growth);
}

/* Where each row is one frame and nothing is hidden, the stack tree is the call tree. */
static bool calltree_is_stack_tree(const struct calltree *tree, const uint8_t *flags)
{
	if (tree->query.reference_tree || calltree_has_filters(&tree->query) ||
		!rows_are_frames(tree))
		return false;
	for (frame_id i = 1; i < tree->profile->frame_count; i++)
		if (flags[i] & (FRAME_HIDDEN | FRAME_DROP))
			return false;
	return true;
}

static void calltree_use_stacks(struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	tree->node_count = profile->stack_count;
	tree->parent = profile->stack_parent;
	tree->end = profile->stack_end;
	tree->row = memory_new(tree->node_count, sizeof *tree->row);
	for (uint32_t i = 1; i < tree->node_count; i++)
		tree->row[i] = tree->row_of_frame[profile->stack_frame[i]];
}

/* ---- counting ---------------------------------------------------------------------------- */

/*
 * Samples hit the tree's nodes all over the place: the nodes of samples to come are fetched ahead,
 * or each of millions of samples would wait for memory.
 */
enum { VALUE_BLOCK = 256, FETCH_STACK = 64, FETCH_NODE = 32 };

static inline void calltree_fetch_ahead(const struct calltree *tree, uint64_t i)
{
	const stack_id *stacks = tree->profile->sample_stack;
	if (i + FETCH_STACK >= tree->query.last)
		return;
	if (!tree->node_of_stack) {
		__builtin_prefetch(&tree->self[stacks[i + FETCH_NODE]], 1);
		return;
	}
	__builtin_prefetch(&tree->node_of_stack[stacks[i + FETCH_STACK]]);
	uint32_t node = tree->node_of_stack[stacks[i + FETCH_NODE]];
	if (node != NODE_DROPPED)
		__builtin_prefetch(&tree->self[node], 1);
}

/* Totals add up sizes, so that shares of a difference make sense (numbers.md 3.2 rule 1). */
static inline int64_t calltree_size(int64_t value)
{
	if (value >= 0)
		return value;
	return value == INT64_MIN ? INT64_MAX : -value;
}

static void calltree_add_block(
	struct calltree *tree, uint64_t first, uint64_t count, const int64_t *values)
{
	const struct profile *profile = tree->profile;
	const uint32_t *node_of_stack = tree->node_of_stack;
	const uint8_t *passes = tree->set_passes;
	const uint32_t *threads = tree->query.thread < 0 ? NULL : profile->sample_thread;
	int64_t all = tree->all, passed_all = tree->passed, *self = tree->self;
	uint64_t passed = 0;
	bool overflow = tree->overflow;
	for (uint64_t i = first; i < first + count; i++) {
		calltree_fetch_ahead(tree, i);
		if (threads && threads[i] != (uint32_t)tree->query.thread)
			continue;
		int64_t value = values[i - first];
		int64_t size = calltree_size(value);
		all = units_add(all, size, &overflow);
		uint32_t node = profile->sample_stack[i];
		if (node_of_stack)
			node = node_of_stack[node];
		if (node == NODE_DROPPED || (passes && !passes[profile->sample_labels[i]]))
			continue;
		passed++;
		passed_all = units_add(passed_all, size, &overflow);
		self[node] = units_add(self[node], value, &overflow);
	}
	tree->all = all;
	tree->passed = passed_all;
	tree->samples += (int64_t)passed;
	tree->overflow = overflow;
}

static void calltree_add_samples(struct calltree *tree)
{
	int64_t values[VALUE_BLOCK];
	for (uint64_t first = tree->query.first; first < tree->query.last; first += VALUE_BLOCK) {
		uint64_t left = tree->query.last - first,
			 count = left < VALUE_BLOCK ? left : VALUE_BLOCK;
		profile_values(tree->profile, tree->query.type, first, count, values);
		calltree_add_block(tree, first, count, values);
	}
}

/*
 * What percentages are of. In a difference that is the base of it, if it is not 0 (numbers.md 3.2
 * rule 2).
 */
static int64_t calltree_base(struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	int64_t sum = 0;
	for (uint64_t i = query->first; profile->base_samples && i < query->last; i++) {
		bool is_base = profile->base_samples[i / 64] >> i % 64 & 1;
		bool is_other = query->thread >= 0 && profile->sample_thread &&
				profile->sample_thread[i] != (uint32_t)query->thread;
		bool is_dropped = query->relative_percentages &&
				  calltree_node_of_sample(tree, i) == NODE_DROPPED;
		if (is_base && !is_other && !is_dropped)
			sum = units_add(sum, calltree_size(profile_value(profile, query->type, i)),
				&tree->overflow);
	}
	if (sum > 0)
		return sum;
	return query->relative_percentages ? tree->passed : tree->all;
}

static void calltree_sum_up(struct calltree *tree)
{
	memcpy(tree->total, tree->self, tree->node_count * sizeof *tree->total);
	for (uint32_t i = tree->node_count; i-- > 1;) {
		int64_t *above = &tree->total[tree->parent[i]];
		*above = units_add(*above, tree->total[i], &tree->overflow);
	}
}

static bool calltree_check_type(const struct profile *profile, unsigned type, struct vp_error *err)
{
	const struct value_type *t = &profile->types[type];
	return t->kind != VALUE_GAUGE ||
	       error_set(err, ERROR_USAGE, -1,
		       "%s is a level, not an amount: it cannot be added up over stacks (see it on the timeline; "
		       "-t growth counts its rises)",
		       t->name);
}

/* Samples and time differ by a factor only: a change between them needs no look at the samples. */
static bool calltree_rescale(struct calltree *tree, const struct query *query)
{
	const struct query *now = &tree->query;
	const struct value_type *from = &tree->profile->types[now->type];
	const struct value_type *to = &tree->profile->types[query->type];
	bool are_weights = value_is_weight(from) && value_is_weight(to);
	if (!tree->is_counted || !are_weights ||
		now->relative_percentages != query->relative_percentages ||
		now->first != query->first || now->last != query->last ||
		now->thread != query->thread || tree->overflow ||
		tree->all / from->scale > INT64_MAX / to->scale)
		return false;
	tree->all = tree->all / from->scale * to->scale;
	tree->passed = tree->passed / from->scale * to->scale;
	tree->base = tree->base / from->scale * to->scale;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		tree->self[i] = tree->self[i] / from->scale * to->scale;
		tree->total[i] = tree->total[i] / from->scale * to->scale;
	}
	tree->query = *query;
	return true;
}

bool calltree_count(struct calltree *tree, const struct query *query, struct vp_error *err)
{
	if (!calltree_check_type(tree->profile, query->type, err))
		return false;
	if (calltree_rescale(tree, query))
		return true;
	tree->query = *query;
	if (tree->query.last > tree->profile->sample_count)
		tree->query.last = tree->profile->sample_count;
	tree->all = tree->passed = tree->samples = 0;
	tree->overflow = false;
	memset(tree->self, 0, tree->node_count * sizeof *tree->self);
	calltree_add_samples(tree);
	calltree_sum_up(tree);
	tree->base = calltree_base(tree);
	tree->is_counted = true;
	return true;
}

/* ---- the reference tool's habit of moving the root --------------------------------------- */

static bool calltree_is_module(const struct calltree *tree, uint32_t node)
{
	static const char module[] = "<module>", own[] = "vmprof/__main__.py";
	const struct row *row = &tree->rows[tree->row[node]];
	size_t length;
	const char *name = profile_string(tree->profile, row->name, &length);
	if (row->kind != CODE_PYTHON || length < sizeof module - 1 ||
		memcmp(name, module, sizeof module - 1) != 0)
		return false;
	const char *file = profile_string(tree->profile, row->file, &length);
	return strstr(file, own) == NULL;
}

/*
 * Down from the root to the first `<module>` outside vmprof itself, by the biggest child; 0 where
 * there is none (filter_top, numbers.md 3.5 rule 2).
 */
static uint32_t calltree_find_top(const struct calltree *tree)
{
	for (uint32_t node = 0;;) {
		if (calltree_is_module(tree, node))
			return node;
		uint32_t biggest = 0;
		for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child])
			if (!biggest || tree->total[child] > tree->total[biggest])
				biggest = child;
		if (!biggest)
			return 0;
		node = biggest;
	}
}

/* Makes the subtree of `top` the whole tree; what is outside it is dropped. */
static void calltree_cut(struct calltree *tree, uint32_t top)
{
	uint32_t count = tree->end[top] - top;
	for (stack_id i = 0; i < tree->profile->stack_count; i++) {
		uint32_t *node = &tree->node_of_stack[i];
		*node = *node >= top && *node < top + count ? *node - top : NODE_DROPPED;
	}
	for (uint32_t i = 0; i < count; i++) {
		tree->parent[i] = i ? tree->parent[top + i] - top : 0;
		tree->end[i] = tree->end[top + i] - top;
		tree->row[i] = tree->row[top + i];
	}
	tree->node_count = count;
}

struct calltree *calltree_build(
	const struct profile *profile, const struct query *query, struct vp_error *err)
{
	if (!calltree_check_type(profile, query->type, err))
		return NULL;
	struct calltree *tree = memory_new(1, sizeof *tree);
	tree->profile = profile;
	tree->query = *query;
	if (query->reference_tree)
		tree->query.granularity = BY_ADDRESS;
	rows_build(tree);
	uint8_t *flags = NULL;
	if (tags_passing(profile, &tree->query, &tree->set_passes, err))
		flags = frame_flags_build(tree, err);
	if (!flags) {
		calltree_free(tree);
		return NULL;
	}
	if (calltree_is_stack_tree(tree, flags))
		calltree_use_stacks(tree);
	else
		calltree_map_stacks(tree, flags);
	free(flags);
	tree->self = memory_new(tree->node_count, sizeof *tree->self);
	tree->total = memory_new(tree->node_count, sizeof *tree->total);
	struct query counted = tree->query;
	calltree_count(tree, &counted, err);
	if (query->reference_tree) {
		uint32_t top = calltree_find_top(tree);
		if (top > 0) {
			calltree_cut(tree, top);
			tree->is_counted = false;
			calltree_count(tree, &counted, err);
		}
	}
	return tree;
}
