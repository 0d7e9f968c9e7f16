/* SPDX-License-Identifier: MIT */
#include "query/calltree_map.h"

#include <stdlib.h>
#include <string.h>

#include "profile/tree.h"
#include "query/frame_flags.h"
#include "query/growth.h"
#include "query/rows.h"

/* Whether samples without frames are dropped: these filters ask for a frame (numbers.md 3.3 rule
 * 2).
 */
static bool calltree_wants_frames(const struct query *query)
{
	static const enum filter_kind asking[] = {
		FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW};
	for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
		if (query->filters[asking[i]])
			return true;
	return false;
}

static bool calltree_has_filters(const struct query *query)
{
	return calltree_wants_frames(query) || query->filters[FILTER_SHOW_FROM] ||
	       query->filters[FILTER_PRUNE_FROM];
}

/*
 * The reference tool's root: the first frame of the first sample that has one (numbers.md 3.5 rule
 * 2).
 */
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

/* ---- what was seen in a stack ---------------------------------------------------------------- */

/*
 * What is known of a stack from its frames, made from what was known of its caller's (numbers.md
 * 3.3). A frame that is inlined belongs to the location of the frame above it; filters of pprof
 * work on locations in some places, marked below.
 */
enum {
	SEEN_FOCUS = FRAME_FOCUS,
	SEEN_IGNORE = FRAME_IGNORE,
	SEEN_ORDINARY = 4, /* a location in front of this one that is not to be dropped */
	SEEN_END = 8,      /* what the profile wants dropped, and so is all below */
	/* In this location: */
	HERE_DROP = 16,
	HERE_END = 32,  /* its other lines are dropped, but not what is below it */
	HERE_LINE = 64, /* a line that is shown: those behind it are inlined into it */
	HERE = HERE_DROP | HERE_END | HERE_LINE
};

/* The same for show_from and prune_from, of which there are none as a rule. */
enum {
	MATCH_START = 1,      /* a match of show_from */
	MATCH_START_HERE = 2, /* in this location */
	MATCH_PRUNE_HERE = 4  /* of prune_from */
};

/*
 * drop_frames, rule 7: never before the first ordinary frame; but a match that was inlined is
 * dropped with the lines inside it wherever its location is.
 */
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
	if (frame->is_label)
		return (seen & (uint8_t)~HERE) | (flags & (FRAME_FOCUS | FRAME_IGNORE));
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

/* Which samples these filters keep, from what was seen in their stack (rules 2 to 4). */
static bool calltree_keeps(const struct query *query, uint8_t seen, bool has_frames)
{
	if (query->filters[FILTER_FOCUS] && !(seen & SEEN_FOCUS))
		return false;
	if (seen & SEEN_IGNORE)
		return false;
	return has_frames || !calltree_wants_frames(query);
}

/* ---- stacks to nodes ------------------------------------------------------------------------- */

/* Stacks while they become nodes. */
struct calltree_stacks {
	const struct calltree *tree;
	struct growth *growth;
	const uint8_t *flags; /* of frames */
	uint8_t *seen;        /* of stacks */
	uint8_t *matches;     /* the same; NULL without show_from and prune_from */
	uint32_t *base;       /* the node in front of the location; NULL without show_from */
	/*
	 * Without prune_from NULL: the node of the innermost match, where the stack ends then, or
	 * NODE_DROPPED; and the node without the lines of this location that are inside its last
	 * match, from which the next location goes on.
	 */
	uint32_t *pruned, *outside;
	uint32_t *node;      /* of stacks */
	const uint8_t *used; /* stacks that samples count for, to mark nodes; NULL: no marks */
	uint8_t *marks;      /* of nodes */
	size_t mark_capacity;
};

/*
 * show_from, rule 5: begins at the first frame that matches, and in each location that has a match
 * the lines outside of it are cut, too.
 */
static bool calltree_starts_here(struct calltree_stacks *stacks, stack_id i, uint8_t flags)
{
	if (!(flags & FRAME_START) || stacks->matches[i] & MATCH_START_HERE)
		return false;
	stacks->matches[i] |= MATCH_START | MATCH_START_HERE;
	stacks->seen[i] &= (uint8_t)~HERE_LINE;
	return true;
}

/* What a node's frames were: lines of their own, inlined into the line above, or some of each. */
enum { MARK_OWN = 1, MARK_INLINED = 2 };

static void calltree_mark(struct calltree_stacks *stacks, uint32_t node, uint8_t mark)
{
	const size_t old = stacks->mark_capacity;
	stacks->marks = array_grow(stacks->marks, &stacks->mark_capacity, (size_t)node + 1, 1);
	if (stacks->mark_capacity > old)
		memset(stacks->marks + old, 0, stacks->mark_capacity - old);
	stacks->marks[node] |= mark;
}

static uint32_t calltree_add_line(
	struct calltree_stacks *stacks, stack_id i, uint32_t above, uint32_t row)
{
	const struct query *query = &stacks->tree->query;
	uint8_t *seen = &stacks->seen[i];
	const bool is_inlined = *seen & HERE_LINE;
	if (is_inlined && query->no_inlines)
		return above;
	*seen |= HERE_LINE;
	if (query->reference_tree && stacks->growth->row[above] == row)
		return above;
	const uint32_t node = growth_child(stacks->growth, above, row);
	if (stacks->used && stacks->used[i])
		calltree_mark(stacks, node, is_inlined ? MARK_INLINED : MARK_OWN);
	return node;
}

/* Whether the innermost frame of a stack is neither hidden nor dropped. */
static bool calltree_is_there(const struct calltree_stacks *stacks, stack_id i)
{
	const struct profile *profile = stacks->tree->profile;
	const frame_id id = profile->stack_frame[i];
	const bool is_dropped = stacks->seen[i] & (SEEN_END | HERE_END);
	return !(stacks->flags[id] & FRAME_HIDDEN) && (!is_dropped || profile->frames[id].is_label);
}

static void calltree_see_stack(struct calltree_stacks *stacks, stack_id i)
{
	const struct profile *profile = stacks->tree->profile;
	const stack_id parent = profile->stack_parent[i];
	const frame_id id = profile->stack_frame[i];
	const bool has_above =
		parent != 0 && !profile->frames[profile->stack_frame[parent]].is_label;
	stacks->seen[i] = calltree_see(
		stacks->seen[parent], has_above, &profile->frames[id], stacks->flags[id]);
}

/* The node of a stack, unless prune_from ends it earlier. */
static uint32_t calltree_grow_stack(struct calltree_stacks *stacks, stack_id i, uint32_t above)
{
	const struct calltree *tree = stacks->tree;
	const struct profile *profile = tree->profile;
	stack_id parent = profile->stack_parent[i];
	frame_id id = profile->stack_frame[i];
	const struct frame *frame = &profile->frames[id];
	uint8_t flags = stacks->flags[id];
	uint32_t row = tree->row_of_frame[id];
	calltree_see_stack(stacks, i);
	if (stacks->matches) {
		uint8_t matches = stacks->matches[parent];
		stacks->matches[i] = frame->is_inlined ? matches : matches & MATCH_START;
	}
	if (stacks->base)
		stacks->base[i] = frame->is_inlined ? stacks->base[parent] : above;
	if (!calltree_is_there(stacks, i))
		return above;
	if (stacks->base && calltree_starts_here(stacks, i, flags))
		above = stacks->base[i];
	if (stacks->base && !(stacks->matches[i] & MATCH_START))
		return above;
	return calltree_add_line(stacks, i, above, row);
}

/* The stack in front of the location of the innermost frame. */
static stack_id calltree_front(const struct profile *profile, stack_id i)
{
	while (i && profile->frames[profile->stack_frame[i]].is_inlined)
		i = profile->stack_parent[i];
	return profile->stack_parent[i];
}

/*
 * The same with prune_from, rule 6: a stack ends at its innermost match; and in each location that
 * has a match the lines inside of the last one are cut, wherever the stack ends.
 */
static uint32_t calltree_prune_stack(struct calltree_stacks *stacks, stack_id i)
{
	const struct profile *profile = stacks->tree->profile;
	stack_id parent = profile->stack_parent[i];
	frame_id id = profile->stack_frame[i];
	const uint32_t *node = stacks->node;
	bool is_inlined = profile->frames[id].is_inlined;
	uint32_t above = is_inlined ? node[parent] : stacks->outside[parent];
	uint32_t mine = calltree_grow_stack(stacks, i, above);
	uint8_t *matches = &stacks->matches[i];
	bool is_shown = calltree_is_there(stacks, i) && (!stacks->base || *matches & MATCH_START);
	stacks->pruned[i] = stacks->pruned[parent];
	if (is_inlined && *matches & ~stacks->matches[parent] & MATCH_START_HERE) {
		/* show_from cuts the lines in front of this one: so it does their matches. */
		stacks->pruned[i] = stacks->pruned[calltree_front(profile, i)];
		*matches &= (uint8_t)~MATCH_PRUNE_HERE;
	}
	if (is_shown && stacks->flags[id] & FRAME_PRUNE) {
		*matches |= MATCH_PRUNE_HERE;
		stacks->pruned[i] = mine;
		stacks->outside[i] = mine;
	} else {
		bool is_inside = is_inlined && *matches & MATCH_PRUNE_HERE;
		stacks->outside[i] = is_inside ? stacks->outside[parent] : mine;
	}
	return mine;
}

static void calltree_grow(struct calltree_stacks *stacks)
{
	const struct profile *profile = stacks->tree->profile;
	const struct query *query = &stacks->tree->query;
	const uint32_t count = profile->stack_count;
	uint32_t *node = stacks->node;
	if (stacks->pruned)
		stacks->pruned[0] = NODE_DROPPED;
	growth_child(stacks->growth, 0,
		query->reference_tree ? calltree_reference_root(stacks->tree) : 0);
	for (stack_id i = 1; i < count; i++)
		node[i] = stacks->pruned
				  ? calltree_prune_stack(stacks, i)
				  : calltree_grow_stack(stacks, i, node[profile->stack_parent[i]]);
	/* Only now: a dropped or pruned stack may have others below it. */
	for (stack_id i = 0; i < count; i++) {
		bool is_before = stacks->base && !(stacks->matches[i] & MATCH_START);
		if (stacks->pruned && stacks->pruned[i] != NODE_DROPPED)
			node[i] = stacks->pruned[i];
		if (is_before || !calltree_keeps(query, stacks->seen[i], node[i] != 0))
			node[i] = NODE_DROPPED;
	}
}

/* Grows the nodes of all stacks; stacks->node and marks are the caller's. */
static void calltree_map(struct calltree_stacks *stacks)
{
	const uint32_t count = stacks->tree->profile->stack_count;
	const struct query *query = &stacks->tree->query;
	stacks->seen = memory_new(count, sizeof *stacks->seen);
	stacks->node = memory_new(count, sizeof *stacks->node);
	if (query->filters[FILTER_SHOW_FROM])
		stacks->base = memory_new(count, sizeof *stacks->base);
	if (query->filters[FILTER_PRUNE_FROM]) {
		stacks->pruned = memory_new(count, sizeof *stacks->pruned);
		stacks->outside = memory_new(count, sizeof *stacks->outside);
	}
	if (stacks->base || stacks->pruned)
		stacks->matches = memory_new(count, sizeof *stacks->matches);
	calltree_grow(stacks);
	free(stacks->seen);
	free(stacks->matches);
	free(stacks->base);
	free(stacks->pruned);
	free(stacks->outside);
	growth_free_links(stacks->growth);
}

/* ---- nodes in order -------------------------------------------------------------------------- */

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

void calltree_map_stacks(struct calltree *tree, const uint8_t *flags)
{
	struct growth growth = {0};
	struct calltree_stacks stacks = {.tree = tree, .growth = &growth, .flags = flags};
	calltree_map(&stacks);
	tree->node_of_stack = stacks.node;
	calltree_renumber(tree, &growth);
	growth_free(&growth);
}

static bool calltree_has_inlined_frames(const struct profile *profile)
{
	for (frame_id i = 1; i < profile->frame_count; i++)
		if (profile->frames[i].is_inlined)
			return true;
	return false;
}

bool calltree_is_stack_tree(const struct calltree *tree, const uint8_t *flags)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	if (query->reference_tree || calltree_has_filters(query) ||
		!(query->for_functions || rows_are_frames(tree)) ||
		(query->no_inlines && calltree_has_inlined_frames(profile)))
		return false;
	for (frame_id i = 1; i < profile->frame_count; i++)
		if (flags[i] & (FRAME_HIDDEN | FRAME_DROP))
			return false;
	return true;
}

/* ---- which calls were inlined ---------------------------------------------------------------- */

/* Stacks of samples that count; free() it. */
static uint8_t *calltree_used_stacks(const struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	uint8_t *used = memory_new(profile->stack_count, 1);
	for (uint64_t i = query->first; i < query->last; i++) {
		const bool is_other = query->thread >= 0 && profile->sample_thread &&
				      profile->sample_thread[i] != (uint32_t)query->thread;
		if (is_other || calltree_node_of_sample(tree, i) == NODE_DROPPED)
			continue;
		if (profile_value(profile, query->type, i) != 0 ||
			(query->mean && profile_value(profile, calltree_first_type(tree), i) != 0))
			used[profile->sample_stack[i]] = 1;
	}
	return used;
}

/* Stacks whose frame is one that show_from begins with, and is there; free() it. */
static bool *calltree_starts(struct calltree_stacks *stacks)
{
	const struct profile *profile = stacks->tree->profile;
	bool *starts = memory_new(profile->stack_count, sizeof *starts);
	stacks->seen = memory_new(profile->stack_count, sizeof *stacks->seen);
	for (stack_id i = 1; i < profile->stack_count; i++) {
		calltree_see_stack(stacks, i);
		starts[i] = stacks->flags[profile->stack_frame[i]] & FRAME_START &&
			    calltree_is_there(stacks, i);
	}
	free(stacks->seen);
	stacks->seen = NULL;
	return starts;
}

/*
 * The stack above one whose frame show_from begins with: the one in front of the location, unless a
 * line further out has begun it.
 */
static stack_id calltree_above_start(const struct profile *profile, const bool *starts, stack_id i)
{
	for (stack_id line = i; line; line = profile->stack_parent[line]) {
		if (line != i && starts[line])
			break;
		if (!profile->frames[profile->stack_frame[line]].is_inlined)
			return profile->stack_parent[line];
	}
	return profile->stack_parent[i];
}

/* And the stacks on the way to them, without lines that show_from cuts. */
static void calltree_use_ways(const struct profile *profile, const bool *starts, uint8_t *used)
{
	for (stack_id i = profile->stack_count; i-- > 1;) {
		if (!used[i])
			continue;
		const bool is_start = starts && starts[i];
		used[is_start ? calltree_above_start(profile, starts, i)
			      : profile->stack_parent[i]] = 1;
	}
}

static uint8_t *calltree_marks_of_stacks(const struct calltree *tree, uint8_t *used)
{
	const struct profile *profile = tree->profile;
	uint8_t *marks = memory_new(tree->node_count, 1);
	calltree_use_ways(profile, NULL, used);
	for (stack_id i = 1; i < profile->stack_count; i++)
		if (used[i])
			marks[i] = profile->frames[profile->stack_frame[i]].is_inlined
					   ? MARK_INLINED
					   : MARK_OWN;
	return marks;
}

/* The same where nodes are not stacks: they are grown again, which gives the same ones. */
static uint8_t *calltree_marks_of_nodes(
	const struct calltree *tree, uint8_t *used, struct vp_error *err)
{
	struct growth growth = {0};
	struct calltree_stacks stacks = {.tree = tree, .growth = &growth, .used = used};
	uint8_t *flags = frame_flags_build(tree, err);
	if (!flags)
		return NULL;
	stacks.flags = flags;
	bool *starts = calltree_starts(&stacks);
	calltree_use_ways(tree->profile, starts, used);
	free(starts);
	calltree_map(&stacks);
	uint32_t *new_id = memory_new(growth.count, sizeof *new_id);
	uint32_t *end = memory_new(growth.count, sizeof *end);
	uint8_t *marks = memory_new(growth.count, 1);
	tree_preorder(growth.parent, growth.count, new_id, end);
	for (uint32_t i = 0; i < growth.count && i < stacks.mark_capacity; i++)
		marks[new_id[i]] = stacks.marks[i];
	free(new_id);
	free(end);
	free(flags);
	free(stacks.node);
	free(stacks.marks);
	growth_free(&growth);
	return marks;
}

bool calltree_mark_inlined(struct calltree *tree, struct vp_error *err)
{
	const struct query *query = &tree->query;
	if (query->no_inlines || query->reference_tree ||
		!calltree_has_inlined_frames(tree->profile))
		return true;
	uint8_t *used = calltree_used_stacks(tree);
	free(tree->calls);
	tree->calls = tree->node_of_stack ? calltree_marks_of_nodes(tree, used, err)
					  : calltree_marks_of_stacks(tree, used);
	free(used);
	return tree->calls != NULL;
}

bool calltree_is_inlined(const struct calltree *tree, uint32_t node)
{
	return tree->calls && !(tree->calls[node] & MARK_OWN);
}
