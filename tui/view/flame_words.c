/* SPDX-License-Identifier: MIT */
/* The flame graph: words about it. */
#include "view/flame_state.h"

#include <stdio.h>
#include <string.h>

enum { STATUS_PATH_CELLS = 42 };

static bool flame_is_count(const struct calltree *tree)
{
	return strcmp(tree->profile->types[tree->query.type].unit, "count") == 0;
}

const char *flame_order_name(enum flame_order order)
{
	static const char *const names[] = {"size", "name", "first seen"};
	return names[order];
}

/* The zoomed frame where its number is of this tree, else the root. */
static uint32_t flame_known_zoom(
	const struct flame_state *state, const struct view_context *context)
{
	return state->generation == context->generation ? flame_zoomed(state) : 0;
}

void flame_say_status(
	const struct flame_state *state, const struct view_context *context, struct text *out)
{
	const struct calltree *tree = context->tree;
	uint32_t zoom = flame_known_zoom(state, context);
	char all[UNIT_SIZE];
	common_value(all, tree, tree->total[0]);
	if (state->is_bottom_up)
		text_puts(out, "leaves first   ");
	if (zoom != 0 && calltree_width(tree, zoom) > 0) {
		text_puts(out, "all \u203a ");
		common_chain(context, 0, zoom, STATUS_PATH_CELLS, out);
		double factor =
			(double)calltree_width(tree, 0) / (double)calltree_width(tree, zoom);
		text_printf(out, "   zoom %.*fx of %s", factor < 99.95 ? 1 : 0, factor, all);
	} else {
		text_printf(out, "colour: %s   all of %s",
			common_is_change(tree) ? "red more, green less"
					       : common_colouring_name(state->colouring),
			all);
	}
	if (flame_is_count(tree))
		text_printf(out, " %s", common_noun(tree));
}

static void flame_explain_boxes(
	const struct flame_state *state, const struct view_context *context, struct text *out)
{
	const struct calltree *tree = context->tree;
	int width = state->width > 0 ? state->width : 80;
	double column = (double)calltree_width(tree, flame_known_zoom(state, context)) / width;
	char value[UNIT_SIZE];
	char share[UNIT_SIZE];
	if (state->is_bottom_up) {
		text_printf(out,
			"Leaves first: a box in the first row below \"all\" is a function, as wide "
			"as its own (self) share of the %s. Below it hang its callers, below them "
			"theirs; a box there is as wide as what reached the function by this very "
			"way. What is free below a box was called from nowhere: the stack "
			"begins there. B: the root first again. %s\n",
			common_noun(tree), common_explanation(tree));
		if (tree->left_out > 0)
			text_printf(out,
				"This tree is cut: %s of the %s have callers that are not "
				"followed.\n",
				units_percent(
					value, (double)tree->left_out, (double)tree->total[0]),
				common_noun(tree));
	} else if (common_is_change(tree)) {
		text_printf(out,
			"A box is a function in one place of the call tree; what it called hangs "
			"below it. Its width is what changed in it and below it, more and less "
			"together; red is as much of it as became more, green as became less, and "
			"what is grey was set off. %s\n",
			common_explanation(tree));
	} else {
		text_printf(out,
			"A box is a function in one place of the call tree; what it called hangs "
			"below it. Its width is its total: the %s while it was on the stack, "
			"itself running or waiting for what it called. What is free below a box, "
			"on the right, is its own (self) share. B puts the leaves first. %s\n",
			common_noun(tree), common_explanation(tree));
	}
	if (calltree_is_estimate(tree))
		text_printf(out, "%s\n", common_estimate_note(tree));
	if (flame_is_count(tree) && column < 10)
		snprintf(value, sizeof value, "%.1f", column);
	else
		common_value(value, tree, (int64_t)(column + 0.5));
	text_printf(out,
		"One column is about %s %s, %s of all. Frames thinner than half a column add up "
		"to \u2591 or \u2592: Enter there zooms in.\n",
		value, common_noun(tree), units_percent(share, column, (double)tree->base));
}

static void flame_explain_marks(
	const struct flame_state *state, const struct view_context *context, struct text *out)
{
	size_t folds = 0;
	for (size_t i = 0; state->has_layout && i < state->flame.row_count; i++)
		folds += state->flame.rows[i].folded > 0;
	text_printf(out,
		"\u22ee stands for a chain: rows that look alike, since every frame in them has one "
		"callee of its own width. Space unfolds and folds one, e and E all of them; %zu "
		"%s folded in this picture.\n",
		folds, folds == 1 ? "is" : "are");
	if (context->search && context->search->row_count > 0)
		text_printf(out,
			"You search for %s: hits are bold and underlined, and keep their colour; "
			"all other frames have none. n and N go from hit to hit, row by row, and "
			"zoom and unfold where that is needed.\n",
			context->search->text ? context->search->text : "");
	else
		text_puts(out,
			"\u2022 marks the other places of the selected function, but not again below "
			"one of them. \"same name\" is what all of them have, a stack with several "
			"counted once.\n");
	if (common_is_change(context->tree))
		return;
	text_printf(out,
		"Colour: %s. The same names have the same colour in every run; grey is native "
		"code and addresses without a name.\n",
		common_colouring_name(state->colouring));
}

void flame_say_explanation(
	const struct flame_state *state, const struct view_context *context, struct text *out)
{
	flame_explain_boxes(state, context, out);
	flame_explain_marks(state, context, out);
	if (profile_has_memory(context->profile))
		text_puts(out,
			"Memory is not drawn here: it was measured for the whole process, so it "
			"belongs to a moment, not to a function, and must not be added up over "
			"stacks. See Time.\n");
}
