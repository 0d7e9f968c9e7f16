/* SPDX-License-Identifier: MIT */
/* The callers view: which lines its trees have, folded and unfolded. */
#include "view/callers_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	CALLERS_MOST_UNFOLDED = 1000, /* lines of a side that "unfold all" makes */
	CALLERS_FIRST_SHARE = 10      /* percent that a line unfolded at first has at least */
};

/* ---- keys and folds -------------------------------------------------------------------- */

uint64_t callers_seed(const struct callers_state *state, int side)
{
	return hash_u64(state->centre.hash + (uint64_t)side + 1);
}

/* What the line of the function itself, or of the small ones, adds to its frame's key. */
static uint64_t callers_self_key(uint64_t key)
{
	return hash_u64(key ^ 0x73656c66);
}

uint64_t callers_small_key(uint64_t key)
{
	return hash_u64(key ^ 0x736d616c6c);
}

static uint64_t callers_child_key(const struct calltree *tree, uint64_t key, uint32_t row)
{
	uint64_t own = common_row_hash(tree, row);
	if (tree->query.granularity == BY_ADDRESS) /* one name has several */
		own ^= hash_u64(tree->rows[row].address);
	return hash_u64(key * 3 + own);
}

static bool callers_is_open(const struct callers_state *state, uint64_t key)
{
	return hash_map_get(&state->folds, key, 0) == 1;
}

void callers_set_fold(struct callers_state *state, uint64_t key, bool is_open)
{
	*hash_map_slot(&state->folds, key) = 1 + is_open;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* In a difference values may be below 0. */
static double callers_size(int64_t value)
{
	return value < 0 ? -(double)value : (double)value;
}

bool callers_is_small(const struct callers_state *state, int64_t value)
{
	return callers_size(value) * 100 < callers_size(state->cum);
}

static bool callers_has_children(const struct calltree *tree, uint32_t node)
{
	for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child])
		if (tree->total[child] != 0)
			return true;
	return false;
}

static int callers_compare(const void *a, const void *b)
{
	const struct callers_line *x = a, *y = b;
	if (callers_size(x->value) != callers_size(y->value))
		return callers_size(x->value) > callers_size(y->value) ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

struct callers_line *callers_children(const struct callers_state *state,
	const struct calltree *tree, uint32_t node, uint64_t key, size_t *count)
{
	struct callers_line *lines = NULL;
	size_t capacity = 0;
	*count = 0;
	for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child]) {
		if (tree->total[child] == 0 && !state->is_exact)
			continue;
		uint64_t own = callers_child_key(tree, key, tree->row[child]);
		lines = array_grow(lines, &capacity, *count + 1, sizeof *lines);
		lines[(*count)++] = (struct callers_line){.kind = LINE_FRAME,
			.node = child,
			.value = tree->total[child],
			.key = own,
			.can_unfold = callers_has_children(tree, child),
			.is_open = callers_is_open(state, own)};
	}
	if (lines)
		qsort(lines, *count, sizeof *lines, callers_compare);
	return lines;
}

/* Lines still to come, the next one last. */
struct callers_stack {
	struct callers_line *lines;
	size_t count, capacity;
};

static void callers_push(struct callers_stack *stack, struct callers_line line)
{
	stack->lines =
		array_grow(stack->lines, &stack->capacity, stack->count + 1, sizeof *stack->lines);
	stack->lines[stack->count++] = line;
}

static void callers_push_frames(struct callers_stack *stack, const struct callers_line *lines,
	size_t first, size_t end, uint32_t depth)
{
	while (end-- > first) {
		struct callers_line line = lines[end];
		line.depth = depth;
		callers_push(stack, line);
	}
}

/*
 * Pushes what is below a frame, from the last line to the first: the frames from 1 % on, with the
 * frame's own part among them, then the others as one line, then an own part that is smaller still.
 */
static void callers_unfold(const struct callers_state *state, const struct calltree *tree,
	uint32_t node, uint64_t key, uint32_t depth, struct callers_stack *stack)
{
	size_t count;
	struct callers_line *lines = callers_children(state, tree, node, key, &count);
	size_t large = 0;
	while (large < count && !callers_is_small(state, lines[large].value))
		large++;
	if (count - large < 2) /* one alone takes no more room than its stand-in */
		large = count;
	struct callers_line self = {.kind = LINE_SELF,
		.node = node,
		.depth = depth,
		.value = tree->self[node],
		.key = callers_self_key(key)};
	struct callers_line small = {.kind = LINE_SMALL,
		.node = node,
		.depth = depth,
		.key = callers_small_key(key),
		.can_unfold = true};
	small.is_open = callers_is_open(state, small.key);
	for (size_t i = large; i < count; i++) {
		small.value += lines[i].value;
		small.count++;
	}
	size_t before = 0; /* frames that are not smaller than the own part */
	while (before < large && lines[before].value >= self.value)
		before++;
	bool is_last = self.value != 0 && callers_is_small(state, self.value);
	if (is_last)
		callers_push(stack, self);
	if (small.count > 0 && small.is_open)
		callers_push_frames(stack, lines, large, count, depth + 1);
	if (small.count > 0)
		callers_push(stack, small);
	if (is_last || self.value == 0) {
		callers_push_frames(stack, lines, 0, large, depth);
	} else {
		callers_push_frames(stack, lines, before, large, depth);
		callers_push(stack, self);
		callers_push_frames(stack, lines, 0, before, depth);
	}
	free(lines);
}

static void callers_list_side(struct callers_state *state, int which)
{
	struct callers_side *side = &state->side[which];
	struct callers_stack stack = {0};
	side->count = 0;
	if (!side->tree || !callers_has_centre(state))
		return;
	callers_unfold(state, side->tree, AROUND_CENTRE, callers_seed(state, which), 0, &stack);
	while (stack.count > 0) {
		struct callers_line line = stack.lines[--stack.count];
		side->lines = array_grow(
			side->lines, &side->capacity, side->count + 1, sizeof *side->lines);
		side->lines[side->count++] = line;
		if (line.kind == LINE_FRAME && line.can_unfold && line.is_open)
			callers_unfold(
				state, side->tree, line.node, line.key, line.depth + 1, &stack);
	}
	free(stack.lines);
}

size_t callers_find_line(const struct callers_side *side, uint64_t key)
{
	size_t i = 0;
	while (i < side->count && side->lines[i].key != key)
		i++;
	return i;
}

struct callers_side *callers_side_at(struct callers_state *state, enum callers_section section)
{
	return section == SECTION_CENTRE ? NULL : &state->side[section == SECTION_CALLEES];
}

const struct callers_line *callers_cursor_line(const struct callers_state *state)
{
	if (state->section == SECTION_CENTRE)
		return NULL;
	const struct callers_side *side = &state->side[state->section == SECTION_CALLEES];
	return state->cursor < side->count ? &side->lines[state->cursor] : NULL;
}

void callers_list(struct callers_state *state)
{
	const struct callers_line *line = callers_cursor_line(state);
	uint64_t key = line ? line->key : 0;
	for (int i = 0; i < SIDES; i++)
		callers_list_side(state, i);
	struct callers_side *side = callers_side_at(state, state->section);
	if (!side || !key)
		return;
	size_t found = callers_find_line(side, key);
	if (found < side->count)
		state->cursor = found;
}

/* ---- unfolding many ----------------------------------------------------------------------- */

static void callers_unfold_side(struct callers_state *state, int which, size_t room)
{
	struct callers_side *side = &state->side[which];
	callers_list_side(state, which);
	for (;;) {
		const struct callers_line *largest = NULL;
		for (size_t i = 0; i < side->count; i++) {
			const struct callers_line *line = &side->lines[i];
			const double size = callers_size(line->value);
			if (line->kind == LINE_FRAME && line->can_unfold && !line->is_open &&
				size * 100 >= callers_size(state->cum) * CALLERS_FIRST_SHARE &&
				(!largest || size > callers_size(largest->value)))
				largest = line;
		}
		if (!largest)
			return;
		uint64_t key = largest->key;
		callers_set_fold(state, key, true);
		callers_list_side(state, which);
		if (side->count <= room)
			continue;
		callers_set_fold(state, key, false);
		callers_list_side(state, which);
		return;
	}
}

void callers_unfold_largest(struct callers_state *state, size_t room)
{
	/* Half of the room each, and what the other side leaves. */
	callers_unfold_side(state, CALLEES, room / 2);
	size_t used = state->side[CALLEES].count;
	callers_unfold_side(state, CALLERS, room > used ? room - used : 1);
	used = state->side[CALLERS].count;
	callers_unfold_side(state, CALLEES, room > used ? room - used : 1);
}

/* Frames whose children are still to be unfolded, the largest levels first. */
struct callers_queue {
	struct callers_line *lines;
	size_t first, count, capacity;
};

static void callers_enqueue(struct callers_queue *queue, struct callers_line line)
{
	queue->lines =
		array_grow(queue->lines, &queue->capacity, queue->count + 1, sizeof *queue->lines);
	queue->lines[queue->count++] = line;
}

/* Level by level; true where something changed. *is_cut: the limit was reached. */
static bool callers_unfold_levels(
	struct callers_state *state, int which, bool with_small, bool *is_cut)
{
	const struct calltree *tree = state->side[which].tree;
	struct callers_queue queue = {0};
	size_t shown = 0;
	bool has_changed = false;
	callers_enqueue(&queue,
		(struct callers_line){
			.node = AROUND_CENTRE, .key = callers_seed(state, which), .is_open = true});
	while (queue.first < queue.count) {
		struct callers_line line = queue.lines[queue.first++];
		size_t count;
		if (shown >= CALLERS_MOST_UNFOLDED) {
			*is_cut = true;
			break;
		}
		struct callers_line *children =
			callers_children(state, tree, line.node, line.key, &count);
		size_t small = 0;
		for (size_t i = 0; i < count; i++) {
			bool is_small = callers_is_small(state, children[i].value);
			small += is_small;
			shown += !is_small || with_small;
			if (children[i].can_unfold && (!is_small || with_small))
				callers_enqueue(&queue, children[i]);
		}
		free(children);
		uint64_t key = callers_small_key(line.key);
		if (with_small && small > 1 && !callers_is_open(state, key)) {
			callers_set_fold(state, key, true);
			has_changed = true;
		}
		if (!line.is_open) {
			callers_set_fold(state, line.key, true);
			has_changed = true;
		}
	}
	free(queue.lines);
	return has_changed;
}

const char *callers_unfold_all(struct callers_state *state)
{
	bool is_cut = false, has_changed = false;
	for (int pass = 0; pass < 2 && !has_changed; pass++) {
		is_cut = false;
		for (int i = 0; i < SIDES; i++)
			if (state->side[i].tree)
				has_changed |= callers_unfold_levels(state, i, pass > 0, &is_cut);
	}
	callers_list(state);
	if (is_cut)
		return "Unfolded down to about 1 000 lines a side; the rest is one by one";
	return has_changed ? "Unfolded; e again: what is below 1 %, too" : "All is unfolded";
}

void callers_fold_all(struct callers_state *state)
{
	struct callers_side *side = callers_side_at(state, state->section);
	while (side && state->cursor > 0 && state->cursor < side->count &&
		side->lines[state->cursor].depth > 0)
		state->cursor--;
	/* Those of centres before go with them. */
	hash_map_free(&state->folds);
	for (int i = 0; i < SIDES; i++)
		callers_set_fold(state, callers_seed(state, i), true);
	callers_list(state);
}
