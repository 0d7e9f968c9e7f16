/* SPDX-License-Identifier: MIT */
#include "query/around.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "profile/tree.h"

enum {
	AROUND_SPARE_NODES = 1 << 16,
	AROUND_SPARE_STEPS = 1 << 20,
	AROUND_STEPS_A_NODE = 4,
	AROUND_RUN = 64 /* frames that a chain goes on before others have their turn */
};

#define AROUND_OUTSIDE UINT32_MAX

struct around_node {
	int64_t self;
	uint32_t parent, row;
};

/* The tree while nodes are added: in order of creation, parent before child, unlike in the end. */
struct around_growth {
	const struct calltree *tree;
	struct around_node *nodes;
	size_t capacity;
	uint32_t count;
	uint32_t *place; /* [tree->node_count]: node that an old one went to, or AROUND_OUTSIDE */
	/* Scratch: frames of one row each become one node. */
	uint32_t *count_of_row; /* [tree->row_count], all 0 between two uses */
	uint32_t *rows;         /* rows that were counted, first come first */
	size_t rows_count, rows_capacity;
	bool overflow;
	int64_t left_out;
};

static uint32_t around_add(struct around_growth *growth, uint32_t parent, uint32_t row)
{
	uint32_t node = growth->count++;
	if (node >= growth->capacity)
		growth->nodes = array_grow(
			growth->nodes, &growth->capacity, (size_t)node + 1, sizeof *growth->nodes);
	growth->nodes[node] = (struct around_node){.parent = parent, .row = row};
	return node;
}

static void around_credit(struct around_growth *growth, uint32_t node, int64_t value)
{
	int64_t *self = &growth->nodes[node].self;
	*self = units_add(*self, value, &growth->overflow);
}

static struct around_growth around_start(const struct calltree *tree)
{
	struct around_growth growth = {.tree = tree,
		.place = memory_new(tree->node_count, sizeof *growth.place),
		.count_of_row = memory_new(tree->row_count, sizeof *growth.count_of_row)};
	for (uint32_t i = 0; i < tree->node_count; i++)
		growth.place[i] = AROUND_OUTSIDE;
	around_add(&growth, 0, 0);
	return growth;
}

static void around_count_row(struct around_growth *growth, uint32_t row)
{
	if (growth->count_of_row[row]++ > 0)
		return;
	growth->rows = array_grow(
		growth->rows, &growth->rows_capacity, growth->rows_count + 1, sizeof *growth->rows);
	growth->rows[growth->rows_count++] = row;
}

static void around_forget_rows(struct around_growth *growth)
{
	for (size_t i = 0; i < growth->rows_count; i++)
		growth->count_of_row[growth->rows[i]] = 0;
	growth->rows_count = 0;
}

/* Where the stacks of the old tree's nodes went, by the new numbers. */
static uint32_t *around_map_stacks(const struct around_growth *growth, const uint32_t *new_id)
{
	const struct calltree *tree = growth->tree;
	uint32_t count = tree->profile->stack_count;
	uint32_t *node_of_stack = memory_new(count, sizeof *node_of_stack);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = tree->node_of_stack ? tree->node_of_stack[i] : i;
		uint32_t place = node == NODE_DROPPED ? AROUND_OUTSIDE : growth->place[node];
		node_of_stack[i] = place == AROUND_OUTSIDE ? NODE_DROPPED : new_id[place];
	}
	return node_of_stack;
}

/* Numbers the nodes in pre-order and adds them up; returns their new numbers. */
static uint32_t *around_number(const struct around_growth *growth, struct calltree *tree)
{
	uint32_t count = tree->node_count = growth->count;
	uint32_t *new_id = memory_new(count, sizeof *new_id);
	tree->parent = memory_new(count, sizeof *tree->parent);
	tree->end = memory_new(count, sizeof *tree->end);
	tree->row = memory_new(count, sizeof *tree->row);
	tree->self = memory_new(count, sizeof *tree->self);
	tree->total = memory_new(count, sizeof *tree->total);
	for (uint32_t i = 0; i < count; i++) /* for now: as they were made */
		tree->parent[i] = growth->nodes[i].parent;
	tree_preorder(tree->parent, count, new_id, tree->end);
	for (uint32_t i = 0; i < count; i++) {
		const struct around_node *made = &growth->nodes[i];
		uint32_t node = new_id[i];
		tree->parent[node] = new_id[made->parent];
		tree->row[node] = made->row;
		tree->self[node] = tree->total[node] = made->self;
	}
	for (uint32_t i = count; i-- > 1;) {
		int64_t *above = &tree->total[tree->parent[i]];
		*above = units_add(*above, tree->total[i], &tree->overflow);
	}
	return new_id;
}

struct calltree *around_tree(const struct calltree *from)
{
	struct calltree *tree = memory_new(1, sizeof *tree);
	*tree = (struct calltree){.profile = from->profile,
		.query = from->query,
		.rows = from->rows,
		.row_count = from->row_count,
		.all = from->all,
		.base = from->base,
		.samples = from->samples,
		.is_counted = true,
		.owns_links = true,
		.borrows_rows = true};
	return tree;
}

/* Makes the tree of what was added, and frees the rest. */
static struct calltree *around_finish(struct around_growth *growth)
{
	const struct calltree *from = growth->tree;
	struct calltree *tree = around_tree(from);
	tree->overflow = from->overflow || growth->overflow;
	tree->left_out = growth->left_out;
	uint32_t *new_id = around_number(growth, tree);
	calltree_measure(tree);
	tree->node_of_stack = around_map_stacks(growth, new_id);
	if (from->set_passes) {
		size_t count = from->profile->set_count ? from->profile->set_count : 1;
		tree->set_passes = memory_new(count, 1);
		memcpy(tree->set_passes, from->set_passes, count);
	}
	free(new_id);
	free(growth->nodes);
	free(growth->place);
	free(growth->count_of_row);
	free(growth->rows);
	return tree;
}

/* ---- upwards --------------------------------------------------------------------------------
 *
 * A climber is a node of the old tree on its way up to the root; climbers whose ways were the same
 * so far stand together, as one node of the new tree. Each climber is in one crowd at a time, so a
 * crowd is a stretch of one array, and following it one frame further sorts this stretch by row.
 */

struct around_climber {
	uint32_t origin, at; /* at: the frame to take next; AROUND_OUTSIDE: there is none */
};

struct around_crowd {
	uint64_t size; /* |value|: the largest crowd goes on first */
	uint32_t node, depth;
	uint32_t first, count; /* climbers */
};

struct around_climb {
	struct around_growth growth;
	const int64_t *value; /* of a climber, by origin */
	struct around_climber *climbers, *scratch;
	uint32_t climber_count;
	struct around_crowd *heap; /* the one to follow next is heap[0] */
	size_t heap_count, heap_capacity;
	uint64_t steps_left;
	uint32_t most_nodes;
};

/* Whether a goes before b. */
static bool around_is_before(const struct around_crowd *a, const struct around_crowd *b)
{
	if (a->size != b->size)
		return a->size > b->size;
	return a->depth != b->depth ? a->depth < b->depth : a->node < b->node;
}

static void around_push(struct around_climb *climb, struct around_crowd crowd)
{
	climb->heap = array_grow(
		climb->heap, &climb->heap_capacity, climb->heap_count + 1, sizeof *climb->heap);
	size_t i = climb->heap_count++;
	for (; i > 0 && around_is_before(&crowd, &climb->heap[(i - 1) / 2]); i = (i - 1) / 2)
		climb->heap[i] = climb->heap[(i - 1) / 2];
	climb->heap[i] = crowd;
}

static struct around_crowd around_pop(struct around_climb *climb)
{
	struct around_crowd top = climb->heap[0];
	struct around_crowd last = climb->heap[--climb->heap_count];
	size_t i = 0, child;
	for (; (child = 2 * i + 1) < climb->heap_count; i = child) {
		if (child + 1 < climb->heap_count &&
			around_is_before(&climb->heap[child + 1], &climb->heap[child]))
			child++;
		if (!around_is_before(&climb->heap[child], &last))
			break;
		climb->heap[i] = climb->heap[child];
	}
	climb->heap[i] = last;
	return top;
}

/* The frame above a node; the root is one only in a tree that was moved to a function. */
static uint32_t around_above(const struct calltree *tree, uint32_t node)
{
	if (node == 0)
		return AROUND_OUTSIDE;
	uint32_t above = tree->parent[node];
	return above == 0 && tree->row[0] == 0 ? AROUND_OUTSIDE : above;
}

/* The climber stays in this node. */
static void around_settle(
	struct around_climb *climb, const struct around_climber *climber, uint32_t node)
{
	struct around_growth *growth = &climb->growth;
	int64_t value = climb->value[climber->origin];
	growth->place[climber->origin] = node;
	around_credit(growth, node, value);
	if (climber->at != AROUND_OUTSIDE)
		growth->left_out = units_add(growth->left_out, value, &growth->overflow);
}

static void around_stop(struct around_climb *climb, const struct around_crowd *crowd)
{
	for (uint32_t i = crowd->first; i < crowd->first + crowd->count; i++)
		around_settle(climb, &climb->climbers[i], crowd->node);
}

/* Settles those that have arrived and puts the others of the crowd into the order of their next
 * row: growth.rows, each count_of_row of them. */
static void around_sort(struct around_climb *climb, struct around_crowd *crowd)
{
	struct around_growth *growth = &climb->growth;
	const uint32_t *row = growth->tree->row;
	struct around_climber *climbers = climb->climbers + crowd->first;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < crowd->count; i++) {
		struct around_climber climber = climbers[i];
		if (climber.at == AROUND_OUTSIDE) {
			around_settle(climb, &climber, crowd->node);
			continue;
		}
		climbers[kept++] = climber;
		around_count_row(growth, row[climber.at]);
	}
	crowd->count = kept;
	if (growth->rows_count < 2)
		return;
	uint32_t start = 0;
	for (size_t i = 0; i < growth->rows_count; i++) {
		uint32_t count = growth->count_of_row[growth->rows[i]];
		growth->count_of_row[growth->rows[i]] = start;
		start += count;
	}
	for (uint32_t i = 0; i < kept; i++)
		climb->scratch[growth->count_of_row[row[climbers[i].at]]++] = climbers[i];
	for (uint32_t i = 0; i < kept; i++)
		climbers[i] = climb->scratch[i];
	/* Ends of the stretches are counts again. */
	start = 0;
	for (size_t i = 0; i < growth->rows_count; i++) {
		uint32_t *count = &growth->count_of_row[growth->rows[i]];
		uint32_t end = *count;
		*count = end - start;
		start = end;
	}
}

static uint64_t around_size(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The climbers of one row, on their next frame. */
static struct around_crowd around_next_crowd(
	struct around_climb *climb, const struct around_crowd *below, uint32_t row, uint32_t first)
{
	struct around_growth *growth = &climb->growth;
	struct around_crowd crowd = {.node = around_add(growth, below->node, row),
		.depth = below->depth + 1,
		.first = first,
		.count = growth->count_of_row[row]};
	int64_t value = 0;
	for (uint32_t i = first; i < first + crowd.count; i++) {
		struct around_climber *climber = &climb->climbers[i];
		climber->at = around_above(growth->tree, climber->at);
		value = units_add(value, climb->value[climber->origin], &growth->overflow);
	}
	crowd.size = around_size(value);
	return crowd;
}

/*
 * Follows a crowd one frame further. True where all of it went the same way, and *crowd is what it
 * is now.
 */
static bool around_follow(struct around_climb *climb, struct around_crowd *crowd)
{
	struct around_growth *growth = &climb->growth;
	if (crowd->count > climb->steps_left) {
		around_stop(climb, crowd);
		return false;
	}
	climb->steps_left -= crowd->count;
	around_sort(climb, crowd);
	bool has_room = growth->rows_count <= climb->most_nodes - growth->count;
	if (!has_room)
		around_stop(climb, crowd);
	bool is_one = has_room && growth->rows_count == 1;
	uint32_t first = crowd->first;
	for (size_t i = 0; has_room && i < growth->rows_count; i++) {
		struct around_crowd next = around_next_crowd(climb, crowd, growth->rows[i], first);
		first += next.count;
		if (is_one)
			*crowd = next;
		else
			around_push(climb, next);
	}
	around_forget_rows(growth);
	return is_one;
}

static struct around_climb around_open_climb(const struct calltree *tree, const int64_t *value)
{
	uint64_t nodes = (uint64_t)tree->node_count * 2 + AROUND_SPARE_NODES;
	return (struct around_climb){.growth = around_start(tree),
		.value = value,
		.climbers = memory_new(tree->node_count, sizeof(struct around_climber)),
		.scratch = memory_new(tree->node_count, sizeof(struct around_climber)),
		.most_nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX,
		.steps_left =
			(uint64_t)tree->node_count * AROUND_STEPS_A_NODE + AROUND_SPARE_STEPS};
}

static void around_add_climber(struct around_climb *climb, uint32_t node)
{
	uint32_t at = node == 0 && climb->growth.tree->row[0] == 0 ? AROUND_OUTSIDE : node;
	climb->climbers[climb->climber_count++] = (struct around_climber){node, at};
}

/* Sends all climbers up, and makes the tree of their ways. */
static void around_climb_up(struct around_climb *climb)
{
	around_push(climb, (struct around_crowd){.count = climb->climber_count});
	while (climb->heap_count > 0) {
		struct around_crowd crowd = around_pop(climb);
		int run = AROUND_RUN;
		bool goes_on = true;
		while (goes_on && run-- > 0)
			goes_on = around_follow(climb, &crowd);
		if (goes_on)
			around_push(climb, crowd);
	}
	free(climb->climbers);
	free(climb->scratch);
	free(climb->heap);
}

struct calltree *calltree_bottom_up(const struct calltree *tree)
{
	struct around_climb climb = around_open_climb(tree, tree->self);
	for (uint32_t node = 0; node < tree->node_count; node++)
		if (tree->self[node] != 0)
			around_add_climber(&climb, node);
	around_climb_up(&climb);
	return around_finish(&climb.growth);
}

/* The first outermost node of a row from `node` on; tree->node_count: there is none. */
static uint32_t around_next_outermost(const struct calltree *tree, uint32_t node, uint32_t row)
{
	while (node < tree->node_count && tree->row[node] != row)
		node++;
	return node;
}

struct calltree *calltree_callers(const struct calltree *tree, uint32_t row)
{
	struct around_climb climb = around_open_climb(tree, tree->total);
	uint32_t node = around_next_outermost(tree, 0, row);
	for (; node < tree->node_count; node = around_next_outermost(tree, tree->end[node], row))
		around_add_climber(&climb, node);
	uint32_t *place = climb.growth.place;
	around_climb_up(&climb);
	if (climb.growth.count == AROUND_CENTRE) /* it is in no stack */
		around_add(&climb.growth, 0, row);
	/* What is below an occurrence goes where it went. */
	node = around_next_outermost(tree, 0, row);
	for (; node < tree->node_count; node = around_next_outermost(tree, tree->end[node], row))
		for (uint32_t i = node + 1; i < tree->end[node]; i++)
			place[i] = place[node];
	return around_finish(&climb.growth);
}

/* ---- downwards ------------------------------------------------------------------------------ */

/* Old nodes that become one new node, `members` in the order of the new nodes. */
struct around_merge {
	struct around_growth growth;
	uint32_t *members;
	uint32_t member_count;
	uint32_t *start; /* of a node's members; they end where the next node's start */
	size_t start_capacity;
};

static void around_start_members(struct around_merge *merge, uint32_t node)
{
	if (node >= merge->start_capacity)
		merge->start = array_grow(merge->start, &merge->start_capacity, (size_t)node + 1,
			sizeof *merge->start);
	merge->start[node] = merge->member_count;
}

/* Gives each row among the children of a node's members a node, and its members. */
static void around_merge_children(struct around_merge *merge, uint32_t node, uint32_t end)
{
	struct around_growth *growth = &merge->growth;
	const struct calltree *tree = growth->tree;
	for (uint32_t i = merge->start[node]; i < end; i++) {
		uint32_t above = merge->members[i];
		for (uint32_t child = above + 1; child < tree->end[above]; child = tree->end[child])
			around_count_row(growth, tree->row[child]);
	}
	for (size_t i = 0; i < growth->rows_count; i++) {
		uint32_t row = growth->rows[i];
		uint32_t count = growth->count_of_row[row];
		around_start_members(merge, around_add(growth, node, row));
		growth->count_of_row[row] = merge->member_count;
		merge->member_count += count;
	}
	for (uint32_t i = merge->start[node]; i < end; i++) {
		uint32_t above = merge->members[i];
		for (uint32_t child = above + 1; child < tree->end[above]; child = tree->end[child])
			merge->members[growth->count_of_row[tree->row[child]]++] = child;
	}
	around_forget_rows(growth);
}

/* A node of one member: what is below that is merged already. */
static void around_copy_below(struct around_merge *merge, uint32_t node, uint32_t top)
{
	struct around_growth *growth = &merge->growth;
	const struct calltree *tree = growth->tree;
	growth->place[top] = node;
	around_credit(growth, node, tree->self[top]);
	for (uint32_t i = top + 1; i < tree->end[top]; i++) {
		growth->place[i] = around_add(growth, growth->place[tree->parent[i]], tree->row[i]);
		around_credit(growth, growth->place[i], tree->self[i]);
		around_start_members(merge, growth->place[i]); /* none: it is done */
	}
}

static void around_merge_below(struct around_merge *merge)
{
	struct around_growth *growth = &merge->growth;
	for (uint32_t node = AROUND_CENTRE; node < growth->count; node++) {
		/* Known before the children add their members. */
		uint32_t end =
			node + 1 < growth->count ? merge->start[node + 1] : merge->member_count;
		uint32_t first = merge->start[node];
		if (end - first == 1) {
			around_copy_below(merge, node, merge->members[first]);
			continue;
		}
		for (uint32_t i = first; i < end; i++) {
			growth->place[merge->members[i]] = node;
			around_credit(growth, node, growth->tree->self[merge->members[i]]);
		}
		around_merge_children(merge, node, end);
	}
}

struct calltree *calltree_callees(const struct calltree *tree, uint32_t row)
{
	struct around_merge merge = {.growth = around_start(tree),
		.members = memory_new(tree->node_count, sizeof *merge.members)};
	struct around_growth *growth = &merge.growth;
	around_start_members(&merge, 0);
	around_start_members(&merge, around_add(growth, 0, row));
	uint32_t node = around_next_outermost(tree, 0, row);
	for (; node < tree->node_count; node = around_next_outermost(tree, tree->end[node], row))
		merge.members[merge.member_count++] = node;
	around_merge_below(&merge);
	free(merge.members);
	free(merge.start);
	return around_finish(growth);
}
