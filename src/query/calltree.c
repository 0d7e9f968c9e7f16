/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/units.h"
#include "profile/tree.h"
#include "query/pattern.h"
#include "query/rows.h"

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
	if (!tree->borrows_rows)
		free(tree->rows);
	free(tree->row_of_frame);
	free(tree);
}

/* ---- what the filters say of a frame ------------------------------------------------------ */

enum { FRAME_FOCUS = 1, FRAME_IGNORE = 2, FRAME_HIDDEN = 4, FRAME_START = 8 };

/* Sets or clears a bit in flags[row] by a pattern; `sets` is what a match does. */
static bool calltree_mark(struct calltree *tree, enum filter_kind filter, uint8_t bit,
	bool on_match, uint8_t *flags, struct vp_error *err)
{
	if (!tree->query.filters[filter])
		return true;
	struct pattern *pattern = pattern_compile(tree->query.filters[filter], err);
	bool ok = pattern != NULL;
	for (uint32_t row = 1; ok && row < tree->row_count; row++) {
		int matches = pattern_matches_row(pattern, tree, row, err);
		ok = matches >= 0;
		if ((matches == 1) == on_match)
			flags[row] |= bit;
	}
	pattern_free(pattern);
	return ok;
}

/* Flags of each row, NULL and *err for a bad pattern. */
static uint8_t *calltree_flags(struct calltree *tree, struct vp_error *err)
{
	uint8_t *flags = memory_new(tree->row_count, 1);
	bool ok = calltree_mark(tree, FILTER_FOCUS, FRAME_FOCUS, true, flags, err) &&
		  calltree_mark(tree, FILTER_IGNORE, FRAME_IGNORE, true, flags, err) &&
		  calltree_mark(tree, FILTER_HIDE, FRAME_HIDDEN, true, flags, err) &&
		  calltree_mark(tree, FILTER_SHOW, FRAME_HIDDEN, false, flags, err) &&
		  calltree_mark(tree, FILTER_SHOW_FROM, FRAME_START, true, flags, err);
	bool shows_assembler = tree->query.show_assembler && !tree->query.reference_tree;
	for (frame_id i = 1; ok && !shows_assembler && i < tree->profile->frame_count; i++)
		if (tree->profile->frames[i].kind == CODE_ASSEMBLER)
			flags[tree->row_of_frame[i]] |= FRAME_HIDDEN;
	if (ok)
		return flags;
	free(flags);
	return NULL;
}

static bool calltree_has_filters(const struct query *query)
{
	for (int i = 0; i < FILTER_COUNT; i++)
		if (query->filters[i])
			return true;
	return false;
}

/* ---- stacks to nodes --------------------------------------------------------------------- */

/* The tree while nodes are added: in order of creation, parent before child. */
struct calltree_growth {
	struct calltree *tree;
	uint32_t *parent, *row;
	size_t parent_capacity, row_capacity;
	uint32_t count;
	struct hash_map slots; /* parent, row -> node */
};

static uint32_t calltree_child(struct calltree_growth *growth, uint32_t parent, uint32_t row)
{
	uint32_t *slot = hash_map_slot(&growth->slots, (uint64_t)parent << 32 | row);
	if (*slot)
		return *slot - 1;
	uint32_t node = growth->count++;
	*slot = node + 1;
	growth->parent = array_grow(
		growth->parent, &growth->parent_capacity, (size_t)node + 1, sizeof *growth->parent);
	growth->row = array_grow(
		growth->row, &growth->row_capacity, (size_t)node + 1, sizeof *growth->row);
	growth->parent[node] = parent;
	growth->row[node] = row;
	return node;
}

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
 * Which samples the filters keep, from what the frames of their stack say: one flag set a stack,
 * made from its parent's (numbers.md 3.3 rules 2 to 5).
 */
static bool calltree_keeps(const struct query *query, uint8_t seen, bool has_frames)
{
	if (query->filters[FILTER_FOCUS] && !(seen & FRAME_FOCUS))
		return false;
	if (seen & FRAME_IGNORE)
		return false;
	if (query->filters[FILTER_SHOW_FROM] && !(seen & FRAME_START))
		return false;
	return has_frames || !calltree_has_filters(query);
}

static void calltree_grow(struct calltree_growth *growth, const uint8_t *flags)
{
	struct calltree *tree = growth->tree;
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	uint32_t *node = tree->node_of_stack;
	uint8_t *seen = memory_new(profile->stack_count, 1);
	bool merges = query->reference_tree, waits = query->filters[FILTER_SHOW_FROM] != NULL;
	uint32_t root_row = merges ? calltree_reference_root(tree) : 0;
	calltree_child(growth, 0, root_row);
	for (stack_id i = 1; i < profile->stack_count; i++) {
		uint32_t row = tree->row_of_frame[profile->stack_frame[i]];
		uint32_t above = node[profile->stack_parent[i]];
		seen[i] = seen[profile->stack_parent[i]] | flags[row];
		bool is_same = merges && growth->row[above] == row;
		bool is_before = waits && !(seen[i] & FRAME_START);
		node[i] = flags[row] & FRAME_HIDDEN || is_same || is_before
				  ? above
				  : calltree_child(growth, above, row);
	}
	/* Only now: a dropped stack may have kept ones below it. */
	for (stack_id i = 0; i < profile->stack_count; i++)
		if (!calltree_keeps(query, seen[i], node[i] != 0))
			node[i] = NODE_DROPPED;
	free(seen);
}

/* Pre-order at last: everything that walks subtrees relies on it. */
static void calltree_renumber(struct calltree *tree, const struct calltree_growth *growth)
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
	struct calltree_growth growth = {.tree = tree};
	tree->node_of_stack = memory_new(tree->profile->stack_count, sizeof *tree->node_of_stack);
	calltree_grow(&growth, flags);
	hash_map_free(&growth.slots);
	calltree_renumber(tree, &growth);
	free(growth.parent);
	free(growth.row);
}

/* Where each row is one frame and nothing is hidden, the stack tree is the call tree. */
static bool calltree_is_stack_tree(const struct calltree *tree, const uint8_t *flags)
{
	if (tree->query.reference_tree || calltree_has_filters(&tree->query) ||
		!rows_are_frames(tree))
		return false;
	for (uint32_t row = 1; row < tree->row_count; row++)
		if (flags[row] & FRAME_HIDDEN)
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

static void calltree_add_block(
	struct calltree *tree, uint64_t first, uint64_t count, const int64_t *values)
{
	const struct profile *profile = tree->profile;
	const uint32_t *node_of_stack = tree->node_of_stack;
	const uint32_t *threads = tree->query.thread < 0 ? NULL : profile->sample_thread;
	int64_t all = tree->all, *self = tree->self;
	uint64_t passed = 0;
	bool overflow = tree->overflow;
	for (uint64_t i = first; i < first + count; i++) {
		calltree_fetch_ahead(tree, i);
		if (threads && threads[i] != (uint32_t)tree->query.thread)
			continue;
		int64_t value = values[i - first];
		all = units_add(all, value, &overflow);
		uint32_t node = profile->sample_stack[i];
		if (node_of_stack)
			node = node_of_stack[node];
		if (node == NODE_DROPPED)
			continue;
		passed++;
		self[node] = units_add(self[node], value, &overflow);
	}
	tree->all = all;
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
	tree->all = tree->samples = 0;
	tree->overflow = false;
	memset(tree->self, 0, tree->node_count * sizeof *tree->self);
	calltree_add_samples(tree);
	calltree_sum_up(tree);
	tree->base = query->relative_percentages ? tree->total[0] : tree->all;
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
	uint8_t *flags = calltree_flags(tree, err);
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
