/* SPDX-License-Identifier: MIT */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "query/calltree_map.h"
#include "query/exact.h"
#include "query/frame_flags.h"
#include "query/rows.h"
#include "query/tags.h"

void query_init(struct query *query, const struct profile *profile)
{
	*query = (struct query){
		.type = profile->default_type, .last = profile->sample_count, .thread = -1};
	/* What lives is not added up over time: the last snapshot is how it is now. */
	if (profile->snapshots)
		profile_snapshot_range(
			profile, profile->snapshot_count - 1, &query->first, &query->last);
}

void calltree_free(struct calltree *tree)
{
	if (!tree)
		return;
	free(tree->self);
	free(tree->total);
	free(tree->width);
	free(tree->self_divisor);
	free(tree->total_divisor);
	if (tree->borrows_all) {
		free(tree);
		return;
	}
	if (tree->owns_links) {
		free(tree->parent);
		free(tree->end);
	}
	free(tree->row);
	free(tree->node_of_stack);
	free(tree->set_passes);
	free(tree->calls);
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

/* ---- what nodes say of themselves -------------------------------------------------------- */

int64_t calltree_mean(int64_t sum, int64_t divisor)
{
	if (divisor == 0)
		return sum;
	return divisor == -1 ? (sum == INT64_MIN ? INT64_MAX : -sum) : sum / divisor;
}

static void calltree_use_stacks(struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	tree->node_count = profile->stack_count;
	tree->parent = profile->stack_parent;
	tree->end = profile->stack_end;
	if (tree->query.for_functions && !profile->callgraph)
		return; /* each is looked at once: calltree_row will do */
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
		if (node == NODE_DROPPED || (passes && !passes[profile_label_set(profile, i)]))
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

unsigned calltree_first_type(const struct calltree *tree)
{
	const struct value_type *type = &tree->profile->types[tree->query.type];
	return type->part == PART_ALL ? 0 : profile_type_of_part(tree->profile, 0, type->part);
}

/* Whether a sample counts for what percentages are of. */
static bool calltree_is_in_base(const struct calltree *tree, uint64_t i, bool of_base)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	if (of_base && !(profile->base_samples[i / 64] >> i % 64 & 1))
		return false;
	if (query->thread >= 0 && profile->sample_thread &&
		profile->sample_thread[i] != (uint32_t)query->thread)
		return false;
	return !query->relative_percentages || calltree_node_of_sample(tree, i) != NODE_DROPPED;
}

/* What the first type, or the part of it in a difference, has in these samples. */
static int64_t calltree_base_divisor(struct calltree *tree, bool of_base)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	const unsigned first = calltree_first_type(tree);
	int64_t sum = 0;
	for (uint64_t i = query->first; i < query->last; i++)
		if (calltree_is_in_base(tree, i, of_base))
			sum = units_add(sum, profile_value(profile, first, i), &tree->overflow);
	return sum;
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
	for (uint64_t i = query->first; profile->base_samples && i < query->last; i++)
		if (calltree_is_in_base(tree, i, true))
			sum = units_add(sum, calltree_size(profile_value(profile, query->type, i)),
				&tree->overflow);
	const bool of_base = sum > 0;
	if (!of_base)
		sum = query->relative_percentages ? tree->passed : tree->all;
	return query->mean ? calltree_mean(sum, calltree_base_divisor(tree, of_base)) : sum;
}

static void calltree_sum_up(struct calltree *tree, const int64_t *self, int64_t *total)
{
	memcpy(total, self, tree->node_count * sizeof *total);
	for (uint32_t i = tree->node_count; i-- > 1;) {
		int64_t *above = &total[tree->parent[i]];
		*above = units_add(*above, total[i], &tree->overflow);
	}
}

/* What means are divided by, in each node. */
static void calltree_count_divisors(struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	const unsigned first = calltree_first_type(tree);
	if (!tree->self_divisor) {
		tree->self_divisor = memory_new(tree->node_count, sizeof *tree->self_divisor);
		tree->total_divisor = memory_new(tree->node_count, sizeof *tree->total_divisor);
	}
	memset(tree->self_divisor, 0, tree->node_count * sizeof *tree->self_divisor);
	for (uint64_t i = query->first; i < query->last; i++) {
		uint32_t node = calltree_node_of_sample(tree, i);
		bool is_other = query->thread >= 0 && profile->sample_thread &&
				profile->sample_thread[i] != (uint32_t)query->thread;
		if (node == NODE_DROPPED || is_other)
			continue;
		int64_t *sum = &tree->self_divisor[node];
		*sum = units_add(*sum, profile_value(profile, first, i), &tree->overflow);
	}
	calltree_sum_up(tree, tree->self_divisor, tree->total_divisor);
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
	if (!tree->is_counted || !are_weights || now->mean || query->mean ||
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
	calltree_sum_up(tree, tree->self, tree->total);
	if (query->mean)
		calltree_count_divisors(tree);
	calltree_measure(tree);
	/* What functions gained and lost is known, what stacks did is not. */
	if (tree->profile->difference != DIFFERENCE_NONE && calltree_is_exact(tree))
		tree->all = tree->passed = exact_changes(tree);
	tree->base = calltree_base(tree);
	tree->is_counted = true;
	return true;
}

/* ---- the reference tool's habit of moving the root --------------------------------------- */

static bool calltree_is_module(const struct calltree *tree, uint32_t node)
{
	static const char module[] = "<module>", own[] = "vmprof/__main__.py";
	const struct row *row = &tree->rows[calltree_row(tree, node)];
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
