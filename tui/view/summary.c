/* SPDX-License-Identifier: MIT */
/* The first screen of a profile: cursor and keys. The drawing is in summary_draw.c. */
#include "view/summary_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- keys -------------------------------------------------------------------------- */

static bool summary_is_there(const struct summary_places *places, enum summary_section section)
{
	const struct box *boxes[SUMMARY_SECTIONS] = {
		[SUMMARY_WARNINGS] = &places->warnings,
		[SUMMARY_MEMORY] = &places->memory,
		[SUMMARY_SELF] = &places->self,
		[SUMMARY_TOTAL] = &places->total,
		[SUMMARY_STACK] = &places->stack,
	};
	return boxes[section]->height > (section == SUMMARY_WARNINGS ? 0 : 1);
}

static bool summary_is_table(enum summary_section section)
{
	return section == SUMMARY_SELF || section == SUMMARY_TOTAL;
}

static const struct summary_table *summary_table(const struct summary_state *state)
{
	return &state->tables[state->section == SUMMARY_TOTAL];
}

/* Goes to the next section in a direction; side by side the two tables count as one. */
static void summary_move_section(struct summary_state *state, const struct summary_places *places,
	int direction, bool one_by_one)
{
	bool are_beside = places->self.y == places->total.y && places->total.height > 0;
	bool was_table = summary_is_table(state->section);
	for (int to = (int)state->section + direction; to >= 0 && to < SUMMARY_SECTIONS;
		to += direction) {
		enum summary_section section = (enum summary_section)to;
		bool is_table = summary_is_table(section);
		if (!summary_is_there(places, section) ||
			(are_beside && !one_by_one && was_table && is_table))
			continue;
		if (are_beside && !one_by_one && is_table)
			section = SUMMARY_SELF;
		state->section = section;
		state->index = direction > 0 || one_by_one || !is_table
				       ? 0
				       : summary_table(state)->shown - 1;
		if (state->index < 0)
			state->index = 0;
		return;
	}
}

static void summary_move_line(
	struct summary_state *state, const struct summary_places *places, int step)
{
	int direction = step < 0 ? -1 : 1;
	for (int i = 0; i < step * direction; i++) {
		int to = state->index + direction;
		if (summary_is_table(state->section) && to >= 0 && to < summary_table(state)->shown)
			state->index = to;
		else
			summary_move_section(state, places, direction, false);
	}
}

static void summary_move_aside(
	struct summary_state *state, const struct summary_places *places, bool is_left)
{
	enum summary_section to = is_left ? SUMMARY_SELF : SUMMARY_TOTAL;
	if (!summary_is_table(state->section) || !summary_is_there(places, to))
		return;
	state->section = to;
	int shown = summary_table(state)->shown;
	if (state->index >= shown)
		state->index = shown > 0 ? shown - 1 : 0;
}

static struct reaction summary_open_peak(const struct summary_state *state)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!state->has_peak) {
		reaction.notice = "No memory was recorded, so there is no peak";
		return reaction;
	}
	reaction.want |= WANT_VIEW;
	reaction.view = "timeline";
	reaction.sample = (int64_t)state->peak.max_sample;
	return reaction;
}

/* Enter: the view that explains what is selected. */
static struct reaction summary_open_selected(
	struct summary_state *state, const struct view_context *context, bool is_timeline)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (state->section == SUMMARY_WARNINGS) {
		state->is_page = true;
		return reaction;
	}
	if (state->section == SUMMARY_MEMORY ||
		(state->section == SUMMARY_STACK && state->has_peak))
		return summary_open_peak(state);
	if (state->section == SUMMARY_STACK) {
		reaction.node = state->stack;
	} else {
		const struct summary_table *table = summary_table(state);
		if (state->index >= table->count)
			return reaction;
		reaction.node = common_largest_node(context->tree, table->rows[state->index].row);
	}
	if (reaction.node == 0)
		return reaction;
	reaction.row = context->tree->row[reaction.node];
	reaction.want |= WANT_VIEW;
	reaction.view = is_timeline ? "timeline" : "flame";
	if (is_timeline)
		reaction.sample = common_sample_of_node(context, reaction.node);
	return reaction;
}

static struct reaction summary_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct summary_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	struct summary_facts facts;
	if (!context->tree)
		return (struct reaction){.sample = -1};
	struct summary_places places = summary_prepare(state, context, area, &facts);
	if (state->is_page && (action == ACT_IN || action == ACT_OUT || action == ACT_CANCEL)) {
		state->is_page = false;
		return reaction;
	}
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		summary_move_line(state, &places, action == ACT_UP ? -1 : 1);
		break;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		summary_move_line(
			state, &places, action == ACT_HALF_UP || action == ACT_PAGE_UP ? -5 : 5);
		break;
	case ACT_FIRST:
	case ACT_LAST:
		for (int i = 0; i < SUMMARY_SECTIONS; i++)
			summary_move_section(state, &places, action == ACT_FIRST ? -1 : 1, true);
		break;
	case ACT_PREVIOUS_SECTION:
	case ACT_NEXT_SECTION:
		summary_move_section(state, &places, action == ACT_PREVIOUS_SECTION ? -1 : 1, true);
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
		summary_move_aside(state, &places, action == ACT_LEFT);
		break;
	case ACT_PEAK_HIGHEST:
		return summary_open_peak(state);
	case ACT_IN:
	case ACT_TO_TIMELINE:
		return summary_open_selected(state, context, action == ACT_TO_TIMELINE);
	default:
		return (struct reaction){.sample = -1};
	}
	state->has_moved = true;
	return reaction;
}

/* ---- the view ---------------------------------------------------------------------- */

static void *summary_open(void)
{
	return memory_new(1, sizeof(struct summary_state));
}

static void summary_close(void *opaque)
{
	struct summary_state *state = opaque;
	if (state->has_chart)
		chart_free(&state->chart);
	free(state->bins);
	text_free(&state->scratch);
	free(state);
}

static void summary_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct summary_state *state = opaque;
	(void)node;
	(void)sample;
	if (!state->is_built || state->generation != context->generation || row == 0 ||
		!summary_is_table(state->section))
		return;
	/* The function that another view has selected, where it is among these. */
	const struct summary_table *table = summary_table(state);
	for (int i = 0; i < table->shown; i++)
		if (table->rows[i].row == row)
			state->index = i;
}

static void summary_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct summary_state *state = opaque;
	*node = 0;
	if (!state->is_built || !state->has_moved || state->generation != context->generation)
		return;
	if (summary_is_table(state->section) && state->index < summary_table(state)->count)
		*row = summary_table(state)->rows[state->index].row;
	else if (state->section == SUMMARY_MEMORY && state->has_peak)
		*sample = (int64_t)state->peak.max_sample;
}

static void summary_status(void *opaque, const struct view_context *context, struct text *out)
{
	(void)opaque;
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	if (!tree)
		return;
	text_printf(out, "%% of %s %s", common_value(value, tree, tree->base), common_noun(tree));
}

static void summary_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct summary_state *state = opaque;
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	if (!tree)
		return;
	common_value(value, tree, tree->base);
	text_printf(out,
		"Percentages are of %s %s. Self: the function itself ran. Total: it or what it called "
		"ran, counted once a sample. %s\n",
		value, common_noun(tree), common_explanation(tree));
	if (state->has_peak)
		text_printf(out,
			"The chart is the memory (RSS) of the whole process; its highest sample, %s, is "
			"marked. RSS belongs to a moment, not to a function: it is never added up into "
			"a flame graph.\n",
			units_value(value, state->peak.max, "bytes"));
	int64_t sampled = clock_sampled_ns(context->profile);
	int64_t duration = clock_duration_ns(context->profile);
	if (sampled > 0 && duration > 0 && context->profile->has_end &&
		!context->profile->is_realtime) {
		char length[UNIT_SIZE];
		units_duration(length, duration);
		text_printf(out,
			"The timer counts CPU time: %s of it in the %s that the program ran; the rest "
			"it slept or waited.\n",
			units_duration(value, sampled), length);
	}
	text_puts(out, "Enter on a function opens it in the flame graph, on the chart or the stack "
		       "the timeline at the peak.\n");
}

const struct view view_summary = {
	.name = "summary",
	.tab = "Summary",
	.where = IN_SUMMARY,
	.open = summary_open,
	.close = summary_close,
	.draw = summary_draw,
	.act = summary_act,
	.select = summary_select,
	.status = summary_status,
	.explain = summary_explain,
	.selected = summary_selected,
};
