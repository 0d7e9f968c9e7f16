/* SPDX-License-Identifier: MIT */
/* The callers view: the next hit of the search, in folded lines, too. */
#include "view/callers_state.h"

#include <stdlib.h>

#include "base/memory.h"

/* Which nodes of a side have a hit below them. */
struct callers_hits {
	struct callers_state *state;
	const uint8_t *hits; /* by row */
	uint8_t *below[SIDES];
	bool is_backward;
};

static uint8_t *callers_mark_hits(const struct calltree *tree, const uint8_t *hits)
{
	uint8_t *below = memory_new(tree->node_count, 1);
	for (uint32_t node = tree->node_count; node-- > AROUND_CENTRE + 1;)
		if (tree->total[node] != 0 && (below[node] || hits[tree->row[node]]))
			below[tree->parent[node]] = 1;
	return below;
}

static bool callers_is_hit(
	const struct callers_hits *hits, int which, const struct callers_line *line)
{
	return line->kind == LINE_FRAME &&
	       hits->hits[hits->state->side[which].tree->row[line->node]];
}

/* Whether a hit is folded away in a line. */
static bool callers_hides_hit(
	const struct callers_hits *hits, int which, const struct callers_line *line)
{
	const struct calltree *tree = hits->state->side[which].tree;
	if (line->kind == LINE_SELF || line->is_open)
		return false;
	if (line->kind == LINE_FRAME)
		return hits->below[which][line->node];
	for (uint32_t child = line->node + 1; child < tree->end[line->node];
		child = tree->end[child])
		if (callers_is_small(hits->state, tree->total[child]) &&
			(hits->below[which][child] || hits->hits[tree->row[child]]))
			return true;
	return false;
}

/*
 * Unfolds from a node with a hit below it down to the first one in the search's direction; returns
 * the key of its line. `is_small`: only the children below 1 % are looked at.
 */
static uint64_t callers_open_way(
	const struct callers_hits *hits, int which, uint32_t node, uint64_t key, bool is_small)
{
	struct callers_state *state = hits->state;
	const struct calltree *tree = state->side[which].tree;
	for (;;) {
		size_t count, small = 0, chosen = SIZE_MAX;
		struct callers_line *children = callers_children(state, tree, node, key, &count);
		for (size_t i = 0; i < count; i++) {
			bool is_wanted = hits->hits[tree->row[children[i].node]] ||
					 hits->below[which][children[i].node];
			small += callers_is_small(state, children[i].value);
			if (is_small && !callers_is_small(state, children[i].value))
				continue;
			if (is_wanted && (chosen == SIZE_MAX || hits->is_backward))
				chosen = i;
		}
		if (chosen == SIZE_MAX) { /* never: there is a hit */
			free(children);
			return key;
		}
		struct callers_line child = children[chosen];
		free(children);
		if (small > 1 && callers_is_small(state, child.value))
			callers_set_fold(state, callers_small_key(key), true);
		bool goes_on = hits->is_backward ? hits->below[which][child.node]
						 : !hits->hits[tree->row[child.node]];
		if (!goes_on)
			return child.key;
		callers_set_fold(state, child.key, true);
		node = child.node;
		key = child.key;
		is_small = false;
	}
}

/* The key of the frame whose small ones a line stands for. */
static uint64_t callers_key_above(const struct callers_state *state, int which, size_t index)
{
	const struct callers_side *side = &state->side[which];
	uint32_t depth = side->lines[index].depth;
	while (index > 0 && side->lines[index].depth >= depth)
		index--;
	return side->lines[index].depth < depth ? side->lines[index].key
						: callers_seed(state, which);
}

static void callers_open_line(struct callers_hits *hits, int which, size_t index)
{
	struct callers_state *state = hits->state;
	struct callers_line line = state->side[which].lines[index];
	bool is_small = line.kind == LINE_SMALL;
	uint64_t key = is_small ? callers_key_above(state, which, index) : line.key;
	callers_set_fold(state, line.key, true);
	key = callers_open_way(hits, which, line.node, key, is_small);
	callers_list(state);
	state->section = which == CALLERS ? SECTION_CALLERS : SECTION_CALLEES;
	state->cursor = callers_find_line(&state->side[which], key);
}

/*
 * Looks from line `from` of a side on for a hit, and stands on it. `is_inside`: what is folded away
 * in that line counts, the line itself does not.
 */
static bool callers_find_in_side(struct callers_hits *hits, int which, int64_t from, bool is_inside)
{
	struct callers_state *state = hits->state;
	const struct callers_side *side = &state->side[which];
	int step = hits->is_backward ? -1 : 1;
	for (int64_t i = from; i >= 0 && i < (int64_t)side->count; i += step) {
		const struct callers_line *line = &side->lines[i];
		bool is_first = i == from && is_inside;
		bool is_hit = callers_is_hit(hits, which, line) && !is_first;
		bool hides = callers_hides_hit(hits, which, line);
		/* What is folded away comes after its line. */
		if (hides && (hits->is_backward ? !is_first : !is_hit)) {
			callers_open_line(hits, which, (size_t)i);
			return true;
		}
		if (!is_hit)
			continue;
		state->section = which == CALLERS ? SECTION_CALLERS : SECTION_CALLEES;
		state->cursor = (size_t)i;
		return true;
	}
	return false;
}

/* The sections in the order of the screen, ours first and last: its other end comes at the end. */
static enum found callers_find_from(struct callers_hits *hits, bool is_here)
{
	struct callers_state *state = hits->state;
	int step = hits->is_backward ? -1 : 1;
	int own = (int)state->section;
	bool has_wrapped = false;
	for (int i = 0; i <= 3; i++) {
		int section = (own + i * step + 6) % 3;
		if (i > 0 && section == (hits->is_backward ? SECTION_CALLEES : SECTION_CALLERS))
			has_wrapped = true;
		bool is_own = i == 0;
		if (section == SECTION_CENTRE) {
			if ((!is_own || is_here) && hits->hits[state->centre.row]) {
				state->section = SECTION_CENTRE;
				return has_wrapped ? FOUND_WRAPPED : FOUND;
			}
			continue;
		}
		int which = section == SECTION_CALLERS ? CALLERS : CALLEES;
		int64_t last = (int64_t)state->side[which].count - 1;
		int64_t from = is_own ? (int64_t)state->cursor : step > 0 ? 0 : last;
		if (callers_find_in_side(hits, which, from, is_own && !is_here))
			return has_wrapped ? FOUND_WRAPPED : FOUND;
	}
	return FOUND_NOTHING;
}

enum found callers_find(
	void *opaque, const struct view_context *context, struct box area, enum find where)
{
	struct callers_state *state = opaque;
	if (!context->tree || !context->search || !context->search->hits)
		return FOUND_NOTHING;
	callers_settle(state, context, area);
	if (!callers_has_centre(state))
		return FOUND_NOTHING;
	enum found found;
	if (state->is_flames) {
		found = callers_flames_find(state, context, where);
	} else {
		struct callers_hits hits = {.state = state,
			.hits = context->search->hits,
			.is_backward = where == FIND_BACKWARD};
		for (int i = 0; i < SIDES; i++)
			hits.below[i] = callers_mark_hits(state->side[i].tree, hits.hits);
		found = callers_find_from(&hits, where == FIND_HERE);
		for (int i = 0; i < SIDES; i++)
			free(hits.below[i]);
	}
	callers_settle(state, context, area);
	callers_note(state);
	return found;
}

void callers_keep(void *opaque)
{
	struct callers_state *state = opaque;
	const struct callers_line *line = callers_cursor_line(state);
	state->kept.section = state->section;
	state->kept.key = line ? line->key : 0;
	for (int i = 0; i < SIDES; i++) {
		state->kept.scroll[i] = state->side[i].scroll;
		state->kept.flame_scroll[i] = state->side[i].flame_scroll;
	}
	state->kept.level = state->level;
	state->kept.column = state->column;
	state->kept.wanted = state->wanted;
}

/* What the search unfolded stays so; the cursor's line is found again by its key. */
void callers_return(void *opaque, const struct view_context *context)
{
	struct callers_state *state = opaque;
	(void)context;
	state->centre.section = state->kept.section;
	state->centre.key = state->kept.key;
	callers_restore(state);
	for (int i = 0; i < SIDES; i++) {
		state->side[i].scroll = state->kept.scroll[i];
		state->side[i].flame_scroll = state->kept.flame_scroll[i];
	}
	state->level = state->kept.level;
	state->column = state->kept.column;
	state->wanted = state->kept.wanted;
}
