/* SPDX-License-Identifier: MIT */
/* The flame graph: from one hit of the search to the next. */
#include <stdlib.h>

#include "base/memory.h"
#include "view/flame_state.h"

/*
 * The order of the screen: row by row, from left to right, first inside the zoom. The picture of a
 * zoom has the frames in the order that they have in the whole tree's, so the order takes no
 * layout, and frames too thin to be drawn have their place in it, too.
 */
struct flame_hit {
	uint32_t node, depth;
	bool is_outside; /* of the zoom */
};

struct flame_hunt {
	const struct calltree *tree;
	const uint8_t *hits;
	enum flame_order order;
	uint32_t zoom;
	struct flame_hit from;
	bool is_backward, takes_from;
	struct flame_hit next;  /* the nearest one beyond `from`; node 0: there is none */
	struct flame_hit first; /* the first one of all, where next is none */
};

/* < 0: a comes first. */
static int flame_compare_hits(
	const struct flame_hunt *hunt, const struct flame_hit *a, const struct flame_hit *b)
{
	if (a->is_outside != b->is_outside)
		return a->is_outside ? 1 : -1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return flame_compare_frames(hunt->tree, hunt->order, a->node, b->node);
}

static void flame_consider(struct flame_hunt *hunt, const struct flame_hit *hit)
{
	int sign = hunt->is_backward ? -1 : 1;
	int beyond = sign * flame_compare_hits(hunt, hit, &hunt->from);
	if (beyond > 0 || (beyond == 0 && hunt->takes_from)) {
		if (hunt->next.node == 0 || sign * flame_compare_hits(hunt, hit, &hunt->next) < 0)
			hunt->next = *hit;
	} else if (hunt->next.node == 0) {
		if (hunt->first.node == 0 || sign * flame_compare_hits(hunt, hit, &hunt->first) < 0)
			hunt->first = *hit;
	}
}

/* One pass over the tree; frames are compared by their callers only where their rows are equal. */
static void flame_hunt_all(struct flame_hunt *hunt)
{
	const struct calltree *tree = hunt->tree;
	uint32_t *ends = NULL; /* of the callers of a node, outermost first */
	size_t capacity = 0;
	size_t depth = 0;
	uint32_t zoom_end = tree->end[hunt->zoom];
	for (uint32_t node = 0; node < tree->node_count;) {
		if (node != 0 && calltree_width(tree, node) == 0) { /* is in no picture */
			node = tree->end[node];
			continue;
		}
		while (depth > 0 && node >= ends[depth - 1])
			depth--;
		if (node != 0 && hunt->hits[tree->row[node]])
			flame_consider(
				hunt, &(struct flame_hit){.node = node,
					      .depth = (uint32_t)depth,
					      .is_outside = node < hunt->zoom || node >= zoom_end});
		ends = array_grow(ends, &capacity, depth + 1, sizeof *ends);
		ends[depth++] = tree->end[node];
		node++;
	}
	free(ends);
}

/*
 * While a search is typed, hits that can be seen come first: the picture is not to be zoomed to and
 * fro with every letter. False: none can be seen.
 */
static bool flame_find_drawn(struct flame_state *state, const struct view_context *context)
{
	const struct flame *flame = &state->flame;
	size_t start = state->row > 0 ? (size_t)state->row : 0;
	for (size_t i = 0; i < 2 * flame->row_count; i++) {
		size_t row = (start + i) % flame->row_count;
		bool is_first = i == 0 && state->row >= 0;
		const struct flame_cell *cells = flame->cells + flame->rows[row].first;
		for (uint32_t k = 0; k < flame->rows[row].count; k++) {
			const struct flame_cell *cell = &cells[k];
			bool is_before = is_first && cell->column + cell->width <= state->column;
			if (cell->coverage > 0 || flame->rows[row].folded > 0 || is_before ||
				!context->search->hits[context->tree->row[cell->node]])
				continue;
			flame_stand_on(state, row, cell);
			state->wanted = state->column;
			return true;
		}
	}
	return false;
}

enum found flame_find_hit(
	struct flame_state *state, const struct view_context *context, enum find where)
{
	const struct calltree *tree = context->tree;
	if (!context->search || !context->search->hits)
		return FOUND_NOTHING;
	if (where == FIND_HERE && flame_find_drawn(state, context))
		return FOUND;
	/* A zoom that was for the hit before is no wish of the user's. */
	size_t zooms = state->zoom_count;
	while (zooms > 0 && state->zooms[zooms - 1].is_for_hit)
		zooms--;
	uint32_t from = flame_cursor_node(state, tree);
	uint32_t folded = flame_cursor_folded(state);
	for (uint32_t i = folded; i > 1; i--)
		from = tree->parent[from];
	struct flame_hunt hunt = {
		.tree = tree,
		.hits = context->search->hits,
		.order = state->order,
		.zoom = zooms > 0 ? state->zooms[zooms - 1].node : 0,
		.is_backward = where == FIND_BACKWARD,
		/* What is folded comes after the fold. */
		.takes_from = where == FIND_HERE || (folded > 0 && where == FIND_FORWARD),
	};
	hunt.from = (struct flame_hit){.node = from,
		.depth = flame_depth(tree, from),
		.is_outside = from < hunt.zoom || from >= tree->end[hunt.zoom]};
	flame_hunt_all(&hunt);
	uint32_t found = hunt.next.node ? hunt.next.node : hunt.first.node;
	if (found == 0)
		return FOUND_NOTHING;
	state->zoom_count = zooms;
	flame_reveal(state, context, found, true);
	return hunt.next.node ? FOUND : FOUND_WRAPPED;
}
