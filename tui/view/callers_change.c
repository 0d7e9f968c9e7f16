/* SPDX-License-Identifier: MIT */
/* The callers view of two profiles that are compared: what each line was in the old and the new. */
#include "view/callers_state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "query/exact.h"

enum { CHANGE_VALUE = 11 };

/* The lines of an exact side with what another part has of them. */
static struct calltree *change_exact(const struct callers_state *state, const struct calltree *part,
	const struct neighbours *exact, int i)
{
	const bool is_callers = i == CALLERS;
	const struct neighbour *from = is_callers ? exact->callers : exact->callees;
	const size_t from_count = is_callers ? exact->caller_count : exact->callee_count;
	const size_t count = is_callers ? state->exact.caller_count : state->exact.callee_count;
	size_t *index = memory_new(part->row_count, sizeof *index); /* by row, + 1 */
	struct neighbour *list = memory_new(count + 1, sizeof *list);
	for (size_t k = 0; k < from_count; k++)
		index[from[k].row] = k + 1;
	for (size_t k = 0; k < count; k++) {
		list[k] = (is_callers ? state->exact.callers : state->exact.callees)[k];
		list[k].value = index[list[k].row] ? from[index[list[k].row] - 1].value : 0;
	}
	struct calltree *tree =
		exact_around(part, state->centre.row, list, count, is_callers ? 0 : exact->flat);
	free(index);
	free(list);
	return tree;
}

static void change_build_exact(struct callers_state *state, const struct view_context *context)
{
	struct neighbours old = neighbours_build(context->base, state->centre.row);
	struct neighbours newer = neighbours_build(context->newer, state->centre.row);
	for (int i = 0; i < SIDES; i++) {
		state->side[i].old = change_exact(state, context->base, &old, i);
		state->side[i].newer = change_exact(state, context->newer, &newer, i);
	}
	neighbours_free(&old);
	neighbours_free(&newer);
}

void callers_change_build(struct callers_state *state, const struct view_context *context)
{
	if (!context->base)
		return;
	if (state->is_exact) {
		change_build_exact(state, context);
		return;
	}
	for (int i = 0; i < SIDES; i++) {
		struct callers_side *side = &state->side[i];
		const unsigned type = context->query.type;
		side->old = calltree_recount(
			side->tree, profile_type_of_part(context->profile, type, PART_BASE));
		side->newer = calltree_recount(
			side->tree, profile_type_of_part(context->profile, type, PART_NEW));
	}
}

void callers_change_free(struct callers_side *side)
{
	calltree_free(side->old);
	calltree_free(side->newer);
	side->old = side->newer = NULL;
}

/* What the centre has itself, also where it is called again further down. */
static int64_t change_self(const struct calltree *tree)
{
	int64_t self = 0;
	for (uint32_t node = AROUND_CENTRE; node < tree->node_count; node++)
		if (tree->row[node] == tree->row[AROUND_CENTRE])
			self += tree->self[node];
	return self;
}

static int64_t change_value(const struct calltree *tree, const struct callers_line *line)
{
	if (!line)
		return change_self(tree);
	return line->kind == LINE_SELF ? tree->self[line->node] : tree->total[line->node];
}

int callers_change_width(const struct callers_side *side, int width)
{
	if (!side->old || width < 76)
		return 0;
	const int old = common_value_width(side->old, CHANGE_VALUE);
	const int newer = common_value_width(side->newer, CHANGE_VALUE);
	return 2 * (old > newer ? old : newer);
}

void callers_change_heading(struct canvas *canvas, struct box box)
{
	const int cells = box.width / 2;
	canvas_text_right(canvas, box.x, box.y, cells, ROLE_HEADING, "old");
	canvas_text_right(canvas, box.x + cells, box.y, cells, ROLE_HEADING, "new");
}

void callers_change_figures(const struct callers_side *side, const struct callers_line *line,
	bool is_estimate, struct canvas *canvas, struct box box)
{
	const int cells = box.width / 2;
	char text[UNIT_SIZE];
	/* Which frames are small is a matter of what is counted: what they were is not said. */
	if (line && line->kind == LINE_SMALL)
		return;
	canvas_text_right(canvas, box.x, box.y, cells, ROLE_NUMBER,
		common_estimate(text, side->old, change_value(side->old, line), is_estimate));
	canvas_text_right(canvas, box.x + cells, box.y, cells, ROLE_NUMBER,
		common_estimate(text, side->newer, change_value(side->newer, line), is_estimate));
}
