/* SPDX-License-Identifier: MIT */
/* The first screen of a profile: cursor and keys. The drawing is in summary_draw.c. */
#include "view/summary_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- keys -------------------------------------------------------------------------- */

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
		if (!summary_is_there(state, places, section) ||
			(are_beside && !one_by_one && was_table && is_table))
			continue;
		if (are_beside && !one_by_one && is_table &&
			summary_is_there(state, places, SUMMARY_SELF))
			section = SUMMARY_SELF;
		state->section = section;
		state->index = direction > 0 || one_by_one ? 0 : summary_lines(state, section) - 1;
		return;
	}
}

static void summary_move_line(
	struct summary_state *state, const struct summary_places *places, int step)
{
	int direction = step < 0 ? -1 : 1;
	for (int i = 0; i < step * direction; i++) {
		int to = state->index + direction;
		if (to >= 0 && to < summary_lines(state, state->section))
			state->index = to;
		else
			summary_move_section(state, places, direction, false);
	}
}

static void summary_move_aside(
	struct summary_state *state, const struct summary_places *places, bool is_left)
{
	enum summary_section to = is_left ? SUMMARY_SELF : SUMMARY_TOTAL;
	if (!summary_is_table(state->section) || !summary_is_there(state, places, to))
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

/* The row and node that the cursor is on; 0 on what is neither. */
static uint32_t summary_node(
	const struct summary_state *state, const struct view_context *context, uint32_t *row)
{
	uint32_t node = 0;
	*row = 0;
	if (state->section == SUMMARY_STACK) {
		node = summary_stack_node(state, context, state->index);
		*row = context->tree->row[node];
	} else if (summary_is_table(state->section) && state->index < summary_table(state)->count) {
		*row = summary_table(state)->rows[state->index].row;
	}
	return node;
}

/* Enter: the view that explains what is selected. */
static struct reaction summary_open_selected(
	struct summary_state *state, const struct view_context *context, bool is_timeline)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (state->section == SUMMARY_WARNINGS) {
		state->is_page = true;
		state->page_first = 0;
		return reaction;
	}
	if (state->section == SUMMARY_MEMORY ||
		(state->section == SUMMARY_STACK && state->has_peak && is_timeline))
		return summary_open_peak(state);
	reaction.node = summary_node(state, context, &reaction.row);
	if (reaction.node == 0 && reaction.row != 0)
		reaction.node = common_largest_node(context->tree, reaction.row);
	if (reaction.node == 0)
		return reaction;
	reaction.want |= WANT_VIEW;
	reaction.view = is_timeline ? "timeline" : "flame";
	if (is_timeline)
		reaction.sample = common_sample_of_node(context, reaction.node);
	return reaction;
}

/* Keys on the page of warnings; false: none of its own. */
static bool summary_act_page(
	struct summary_state *state, const struct view_context *context, enum action action)
{
	size_t last = context->profile->warning_count > 0 ? context->profile->warning_count - 1 : 0;
	switch (action) {
	case ACT_IN:
	case ACT_OUT:
	case ACT_CANCEL:
		state->is_page = false;
		return true;
	case ACT_UP:
	case ACT_HALF_UP:
	case ACT_PAGE_UP:
		if (state->page_first > 0)
			state->page_first--;
		return true;
	case ACT_DOWN:
	case ACT_HALF_DOWN:
	case ACT_PAGE_DOWN:
		if (state->page_first < last)
			state->page_first++;
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		state->page_first = action == ACT_FIRST ? 0 : last;
		return true;
	default:
		return false;
	}
}

static void summary_move_to_end(
	struct summary_state *state, const struct summary_places *places, bool is_first)
{
	for (int i = 0; i < SUMMARY_SECTIONS; i++)
		summary_move_section(state, places, is_first ? -1 : 1, true);
	int lines = summary_lines(state, state->section);
	state->index = is_first || lines == 0 ? 0 : lines - 1;
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
	if (state->is_page && summary_act_page(state, context, action))
		return reaction;
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
		summary_move_to_end(state, &places, action == ACT_FIRST);
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

/* ---- search, mouse ----------------------------------------------------------------- */

/* What a search goes through, in the order of the screen: the lines of both tables and of the
 * stack. */
static const enum summary_section summary_listed[] = {SUMMARY_SELF, SUMMARY_TOTAL, SUMMARY_STACK};
enum { SUMMARY_LISTED = sizeof summary_listed / sizeof summary_listed[0] };

/* Puts the cursor on line `at` of all of these. */
static void summary_go_to(struct summary_state *state, int64_t at)
{
	for (int i = 0; i < SUMMARY_LISTED; i++) {
		int lines = summary_lines(state, summary_listed[i]);
		if (at < lines) {
			state->section = summary_listed[i];
			state->index = (int)at;
			return;
		}
		at -= lines;
	}
}

static enum found summary_find(
	void *opaque, const struct view_context *context, struct box area, enum find where)
{
	struct summary_state *state = opaque;
	struct summary_facts facts;
	if (!context->tree || !context->search)
		return FOUND_NOTHING;
	summary_prepare(state, context, area, &facts);
	int64_t count = 0;
	int64_t here = -1; /* before all of them */
	for (int i = 0; i < SUMMARY_LISTED; i++) {
		if (state->section == summary_listed[i])
			here = count + state->index;
		count += summary_lines(state, summary_listed[i]);
	}
	const enum summary_section section = state->section;
	const int index = state->index;
	int64_t first = where == FIND_HERE ? (here < 0 ? 0 : here) : here + 1;
	for (int64_t i = 0; i < count; i++) {
		int64_t at = where == FIND_BACKWARD ? here - 1 - i : first + i;
		bool is_beyond = at < 0 || at >= count;
		uint32_t row;
		summary_go_to(state, (at + 2 * count) % count);
		summary_node(state, context, &row);
		if (row == 0 || !context->search->hits[row])
			continue;
		state->has_moved = true;
		return is_beyond ? FOUND_WRAPPED : FOUND;
	}
	state->section = section;
	state->index = index;
	return FOUND_NOTHING;
}

static void summary_keep(void *opaque)
{
	struct summary_state *state = opaque;
	state->kept.has_moved = state->has_moved;
	state->kept.has_cursor = state->has_cursor;
	state->kept.section = state->section;
	state->kept.index = state->index;
}

static void summary_restore(void *opaque, const struct view_context *context)
{
	struct summary_state *state = opaque;
	(void)context;
	state->has_moved = state->kept.has_moved;
	state->has_cursor = state->kept.has_cursor;
	state->section = state->kept.section;
	state->index = state->kept.index;
}

static bool summary_is_in(struct box box, const struct pointer *pointer)
{
	return pointer->x >= box.x && pointer->x < box.x + box.width && pointer->y >= box.y &&
	       pointer->y < box.y + box.height;
}

/* Selects what is drawn below the pointer; false: nothing that can be. */
static bool summary_press(struct summary_state *state, const struct view_context *context,
	const struct summary_places *places, const struct pointer *pointer)
{
	const struct box *boxes[SUMMARY_SECTIONS] = {
		&places->warnings, &places->memory, &places->self, &places->total, &places->stack};
	for (int i = 0; i < SUMMARY_SECTIONS; i++) {
		enum summary_section section = (enum summary_section)i;
		if (!summary_is_in(*boxes[i], pointer) || !summary_is_there(state, places, section))
			continue;
		int line = pointer->y - boxes[i]->y - 1; /* below the heading */
		int skipped = 0;
		if (section == SUMMARY_STACK)
			common_stack_frames(
				context->tree, state->stack, boxes[i]->height - 1, &skipped);
		if (section == SUMMARY_WARNINGS || section == SUMMARY_MEMORY)
			line = 0;
		line -= skipped;
		if (line < 0 || line >= summary_lines(state, section))
			return false;
		state->section = section;
		state->index = line;
		return true;
	}
	return false;
}

static struct reaction summary_point(void *opaque, const struct view_context *context,
	struct box area, const struct pointer *pointer)
{
	struct summary_state *state = opaque;
	struct summary_facts facts;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree || common_is_too_small(area))
		return (struct reaction){.sample = -1};
	struct summary_places places = summary_prepare(state, context, area, &facts);
	bool is_up = pointer->kind == POINTER_WHEEL_UP;
	if (is_up || pointer->kind == POINTER_WHEEL_DOWN) {
		if (state->is_page)
			summary_act_page(state, context, is_up ? ACT_UP : ACT_DOWN);
		else
			summary_move_line(state, &places, is_up ? -1 : 1);
	} else if (state->is_page || pointer->kind != POINTER_PRESS ||
		   !summary_press(state, context, &places, pointer)) {
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
	*node = summary_node(state, context, row);
	bool is_peak = state->section == SUMMARY_MEMORY || state->section == SUMMARY_STACK;
	if (is_peak && state->has_peak)
		*sample = (int64_t)state->peak.max_sample;
}

static void summary_status(void *opaque, const struct view_context *context, struct text *out)
{
	(void)opaque;
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	if (!tree)
		return;
	text_printf(out, "%% of %s %s%s", common_base(value, tree), common_noun(tree),
		common_scope(context));
}

static void summary_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct summary_state *state = opaque;
	const struct calltree *tree = context->tree;
	char value[UNIT_SIZE];
	if (!tree)
		return;
	common_base(value, tree);
	text_printf(out,
		"Percentages are of %s %s%s.%s Self: the function itself ran. Total: it or what it "
		"called ran, counted once a sample. %s\n",
		value, common_noun(tree), common_scope(context), common_filter_note(context),
		common_explanation(tree));
	if (!common_is_whole(context))
		text_puts(out, "Tables, chart and stack are of the part of the run that the line "
			       "above names; the facts of the profile are of all of it.\n");
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
	text_puts(out,
		"Enter on a function or a frame of the stack opens it in the flame graph, on "
		"the chart the timeline at the peak, on a warning all warnings.\n");
	if (context->search)
		text_puts(out, "Underlined names are hits of the search; n goes through the tables "
			       "and the stack.\n");
}

const struct view view_summary = {
	.name = "summary",
	.tab = "Summary",
	.digit = 1,
	.where = IN_SUMMARY,
	.open = summary_open,
	.close = summary_close,
	.draw = summary_draw,
	.act = summary_act,
	.select = summary_select,
	.status = summary_status,
	.explain = summary_explain,
	.selected = summary_selected,
	.find = summary_find,
	.keep = summary_keep,
	.restore = summary_restore,
	.point = summary_point,
};
