/* SPDX-License-Identifier: MIT */
/* The callers view in words: context line and help. */
#include "view/callers_state.h"

void callers_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct callers_state *state = opaque;
	if (!context->tree || !callers_has_centre(state) ||
		state->generation != context->generation)
		return;
	text_puts(out, state->is_flames ? "flames   " : "");
	if (state->share == SHARE_OF_CENTRE)
		text_printf(out, "share of %s", state->centre.name);
	else
		text_puts(out, state->share == SHARE_OF_ALL ? "share of all" : "values");
}

static void callers_explain_sides(
	const struct callers_state *state, const struct view_context *context, struct text *out)
{
	char value[UNIT_SIZE];
	const struct calltree *callers = state->side[CALLERS].tree;
	const struct calltree *callees = state->side[CALLEES].tree;
	int64_t below = state->flat - callees->self[AROUND_CENTRE];
	text_puts(out,
		state->is_flames
			? "Frames above it are who led here, the outermost on top; below it is "
			  "what it calls. "
			: "A list's lines next to the centre add up to its total, and what is "
			  "unfolded to the line above it; \"(self)\" is a function's own part, "
			  "\"(no caller)\" what starts the stack. Bars are shares of the "
			  "function's total. ");
	text_puts(out, "The values of one caller or callee are only those of this very chain: its "
		       "own total, over all chains, is in Top.\n");
	if (below != 0)
		text_printf(out,
			"It calls itself, directly or through others (recursion). A stack counts "
			"once, at the outermost of its calls; the inner ones stand among the "
			"callees and have %s of its self.\n",
			common_value(value, context->tree, below));
	if (callers->left_out != 0)
		text_printf(out,
			"There are too many ways here to follow all: the callers of %s are not "
			"followed up to the outermost.\n",
			common_value(value, context->tree, callers->left_out));
}

static void callers_explain_exact(
	const struct callers_state *state, const struct calltree *tree, struct text *out)
{
	const bool is_change = common_is_change(tree);
	char calls[UNIT_SIZE];
	if (is_change)
		text_printf(out, "Its calls changed by %s",
			common_calls(calls, tree, state->calls, state->primitive));
	else
		text_printf(out, "It was called %s times", units_count(calls, state->calls));
	if (!is_change && state->calls != state->primitive)
		text_printf(out, ", %s of them not by itself, directly or over others",
			units_count(calls, state->primitive));
	text_puts(out,
		". A line has the calls of this pair of caller and callee, and how long the callee "
		"took in them with all that it called: the file's own figures, no estimates. Together "
		"they can be more than the total, where functions call themselves or each other in "
		"circles (recursion). Enter makes the line's function the centre; F draws flame "
		"graphs, which are estimates.\n");
	for (size_t i = 0; i < state->exact.caller_count; i++)
		if (state->exact.callers[i].is_estimate) {
			text_puts(out,
				"This file has calls, but no times of pairs: those with ~ are "
				"the callee's time by the share of its calls.\n");
			return;
		}
}

void callers_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct callers_state *state = opaque;
	const struct calltree *tree = context->tree;
	char total[UNIT_SIZE], self[UNIT_SIZE], all[UNIT_SIZE], share[UNIT_SIZE];
	if (!tree || state->generation != context->generation || !callers_has_centre(state))
		return;
	common_value(total, tree, state->cum);
	common_value(self, tree, state->flat);
	common_base(all, tree);
	units_percent(share, (double)state->cum, (double)tree->base);
	text_printf(out,
		"One function, who called it (above) and what it called (below). Total is the %s "
		"while %s was anywhere on the stack, counted once a stack: %s, which is %s of %s%s. "
		"Self is the part in which it ran itself: %s. %s%s\n",
		common_noun(tree), state->centre.name, total, share, all, common_scope(context),
		self, common_explanation(tree), common_filter_note(context));
	static const char *const shares[SHARE_COUNT] = {
		[SHARE_OF_CENTRE] = "Shares are of that total; % changes to shares of all. ",
		[SHARE_OF_ALL] = "Shares are of all; % changes to values alone. ",
		[SHARE_NONE] = "% shows shares of the total. "};
	text_puts(out, shares[state->share]);
	if (state->is_exact) {
		callers_explain_exact(state, tree, out);
		return;
	}
	if (calltree_is_estimate(tree))
		text_printf(out, "%s\n", common_estimate_note(tree));
	callers_explain_sides(state, context, out);
}
