/* SPDX-License-Identifier: MIT */
/* The callers view of two profiles that are compared: what each line was in the old and the new. */
#include "view/callers_state.h"

enum { CHANGE_VALUE = 11 };

void callers_change_build(struct callers_state *state, const struct view_context *context)
{
	if (!context->base)
		return;
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
	return side->old && width >= 76 ? 2 * CHANGE_VALUE : 0;
}

void callers_change_heading(struct canvas *canvas, int x, int y)
{
	canvas_text_right(canvas, x, y, CHANGE_VALUE, ROLE_HEADING, "old");
	canvas_text_right(canvas, x + CHANGE_VALUE, y, CHANGE_VALUE, ROLE_HEADING, "new");
}

void callers_change_figures(const struct callers_side *side, const struct callers_line *line,
	struct canvas *canvas, int x, int y)
{
	char text[UNIT_SIZE];
	/* Which frames are small is a matter of what is counted: what they were is not said. */
	if (line && line->kind == LINE_SMALL)
		return;
	canvas_text_right(canvas, x, y, CHANGE_VALUE, ROLE_NUMBER,
		common_place_value(text, side->old, change_value(side->old, line)));
	canvas_text_right(canvas, x + CHANGE_VALUE, y, CHANGE_VALUE, ROLE_NUMBER,
		common_place_value(text, side->newer, change_value(side->newer, line)));
}
