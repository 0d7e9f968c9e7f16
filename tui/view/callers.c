/* SPDX-License-Identifier: MIT */
/* One function between its callers and its callees: keys and mouse. */
#include "view/callers_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void *callers_open(void)
{
	struct callers_state *state = memory_new(1, sizeof *state);
	state->section = SECTION_CENTRE;
	return state;
}

static void callers_close(void *opaque)
{
	struct callers_state *state = opaque;
	callers_forget(state);
	hash_map_free(&state->folds);
	free(state->before);
	text_free(&state->scratch);
	free(state);
}

/* The function below the cursor; *node of *tree, a side's tree, is its place there. */
static uint32_t callers_cursor_row(
	const struct callers_state *state, const struct calltree **tree, uint32_t *node)
{
	*tree = state->side[CALLEES].tree;
	*node = AROUND_CENTRE;
	if (state->is_flames) {
		*tree = callers_flames_frame(state, node);
	} else if (state->section != SECTION_CENTRE) {
		const struct callers_line *line = callers_cursor_line(state);
		*tree = state->side[state->section == SECTION_CALLEES].tree;
		*node = line ? line->node : AROUND_CENTRE;
	}
	return (*tree)->row[*node];
}

/* ---- moving ------------------------------------------------------------------------------- */

/* Steps through both lists and the centre between them as if they were one. */
static void callers_move(struct callers_state *state, int64_t step)
{
	int64_t above = (int64_t)state->side[CALLERS].count;
	int64_t last = above + (int64_t)state->side[CALLEES].count;
	int64_t at = above;
	if (state->section == SECTION_CALLERS)
		at = (int64_t)state->cursor;
	else if (state->section == SECTION_CALLEES)
		at = above + 1 + (int64_t)state->cursor;
	at += step;
	at = at < 0 ? 0 : at > last ? last : at;
	state->section = at < above    ? SECTION_CALLERS
			 : at == above ? SECTION_CENTRE
				       : SECTION_CALLEES;
	state->cursor = (size_t)(at < above ? at : at == above ? 0 : at - above - 1);
}

/* A page is what the cursor's list shows of itself. */
static int64_t callers_page(const struct callers_state *state, const struct callers_places *places)
{
	int which = state->section == SECTION_CALLERS ? CALLERS : CALLEES;
	int height = places->list[which].height;
	return height > 2 ? height - 1 : 1;
}

static const char *callers_to_section(struct callers_state *state, bool is_next)
{
	if (is_next && state->section == SECTION_CALLEES)
		return "The callees are the last section";
	if (!is_next && state->section == SECTION_CALLERS)
		return "The callers are the first section";
	state->section = (enum callers_section)((int)state->section + (is_next ? 1 : -1));
	state->cursor = 0;
	return NULL;
}

/* The cursor stays on the screen. */
static const char *callers_scroll(
	struct callers_state *state, const struct callers_places *places, int which, int64_t step)
{
	struct callers_side *side = &state->side[which];
	size_t height = places->list[which].height > 0 ? (size_t)places->list[which].height : 1;
	int64_t most = side->count > height ? (int64_t)(side->count - height) : 0;
	int64_t to = (int64_t)side->scroll + step;
	if (most == 0)
		return "There is nothing to scroll: this list is on the screen";
	side->scroll = (size_t)(to < 0 ? 0 : to > most ? most : to);
	if (callers_side_at(state, state->section) != side)
		return NULL;
	if (state->cursor < side->scroll)
		state->cursor = side->scroll;
	if (state->cursor >= side->scroll + height)
		state->cursor = side->scroll + height - 1;
	return NULL;
}

/* False: not a key that moves. */
static bool callers_walk(struct callers_state *state, const struct callers_places *places,
	enum action action, const char **notice)
{
	int64_t page = callers_page(state, places);
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		callers_move(state, action == ACT_UP ? -1 : 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		callers_move(state, action == ACT_PAGE_UP ? -page : page);
		return true;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		page = (page + 1) / 2;
		callers_move(state, action == ACT_HALF_UP ? -page : page);
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		callers_move(state, action == ACT_FIRST ? INT32_MIN : INT32_MAX);
		return true;
	case ACT_NEXT_SECTION:
	case ACT_PREVIOUS_SECTION:
		*notice = callers_to_section(state, action == ACT_NEXT_SECTION);
		return true;
	case ACT_SCROLL_UP:
	case ACT_SCROLL_DOWN:
		callers_scroll(state, places, state->section == SECTION_CALLERS ? CALLERS : CALLEES,
			action == ACT_SCROLL_UP ? -1 : 1);
		return true;
	default:
		return false;
	}
}

/* ---- folding ------------------------------------------------------------------------------ */

static const char *callers_fold(struct callers_state *state, bool is_open)
{
	const struct callers_line *line = callers_cursor_line(state);
	if (!line)
		return "The centre has nothing to fold: its lists are above and below";
	if (!line->can_unfold)
		return line->kind == LINE_SELF             ? "There is nothing below it"
		       : state->section == SECTION_CALLERS ? "Nobody called it: a stack starts here"
							   : "It called nothing";
	callers_set_fold(state, line->key, is_open);
	callers_list(state);
	return NULL;
}

/* h: folds, and from a folded line goes to the one that it is below. */
static const char *callers_leave(struct callers_state *state)
{
	const struct callers_line *line = callers_cursor_line(state);
	if (!line)
		return "The centre has nothing to fold: its lists are above and below";
	if (line->can_unfold && line->is_open)
		return callers_fold(state, false);
	uint32_t depth = line->depth;
	const struct callers_side *side = callers_side_at(state, state->section);
	if (depth == 0) {
		state->section = SECTION_CENTRE;
		state->cursor = 0;
		return NULL;
	}
	while (state->cursor > 0 && side->lines[state->cursor].depth >= depth)
		state->cursor--;
	return NULL;
}

/* l: unfolds, and from an unfolded line goes to the first one below it. */
static const char *callers_enter(struct callers_state *state)
{
	const struct callers_line *line = callers_cursor_line(state);
	if (!line || !line->can_unfold || !line->is_open)
		return callers_fold(state, true);
	callers_move(state, 1);
	return NULL;
}

static const char *callers_fold_key(struct callers_state *state, enum action action)
{
	const struct callers_line *line = callers_cursor_line(state);
	switch (action) {
	case ACT_LEFT:
		return callers_leave(state);
	case ACT_RIGHT:
		return callers_enter(state);
	case ACT_FOLD:
		return callers_fold(state, !line || !line->is_open);
	case ACT_UNFOLD_ALL:
		return callers_unfold_all(state);
	default:
		callers_fold_all(state);
		return NULL;
	}
}

/* ---- the centre --------------------------------------------------------------------------- */

static const char *callers_make_centre(
	struct callers_state *state, const struct view_context *context)
{
	const struct calltree *tree;
	uint32_t node;
	const struct callers_line *line = callers_cursor_line(state);
	if (!state->is_flames && line && line->kind == LINE_SMALL)
		return callers_fold(state, !line->is_open);
	uint32_t row = callers_cursor_row(state, &tree, &node);
	if (row == state->centre.row)
		return node == AROUND_CENTRE ? "It is the centre already"
					     : "It is the centre itself, called again: recursion";
	callers_set_centre(state, context, row);
	return NULL;
}

static const char *callers_next_share(struct callers_state *state)
{
	static const char *const notices[SHARE_COUNT] = {
		[SHARE_OF_CENTRE] = "Shares of the function's total",
		[SHARE_OF_ALL] = "Shares of all",
		[SHARE_NONE] = "Values without shares"};
	state->share = (enum callers_share)((state->share + 1) % SHARE_COUNT);
	return notices[state->share];
}

static const char *callers_flip_flames(struct callers_state *state)
{
	if (calltree_is_estimate(state->side[CALLERS].tree))
		callers_forget(state); /* flame graphs have estimated stacks */
	state->is_flames = !state->is_flames;
	state->level = 0;
	state->column = state->wanted = 0;
	return state->is_flames ? "Flame graphs: callers grow upwards; F: lists" : "Lists";
}

static struct reaction callers_to_timeline(
	const struct callers_state *state, const struct view_context *context)
{
	struct reaction reaction = {.handled = true, .want = WANT_VIEW, .view = "timeline"};
	const struct calltree *tree;
	/* The samples of this very chain, which the side's tree knows. */
	struct view_context inner = *context;
	uint32_t node;
	reaction.row = callers_cursor_row(state, &tree, &node);
	struct calltree chain = *tree;
	inner.tree = &chain;
	reaction.node = common_largest_node(context->tree, reaction.row);
	reaction.sample = common_sample_of_node(&inner, node);
	return reaction;
}

static const char *callers_act_on_centre(
	struct callers_state *state, const struct view_context *context, enum action action)
{
	if (action == ACT_IN)
		return callers_make_centre(state, context);
	if (action == ACT_UNIT)
		return callers_next_share(state);
	return callers_flip_flames(state);
}

/* What can be done where the centre has nothing to show. */
static struct reaction callers_act_without(
	struct callers_state *state, const struct view_context *context, enum action action)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	switch (action) {
	case ACT_OUT:
		if (!callers_go_back(state, context))
			reaction.notice = "There was no centre before";
		return reaction;
	case ACT_UNIT:
		reaction.notice = callers_next_share(state);
		return reaction;
	case ACT_IN:
	case ACT_FOLD:
	case ACT_UNFOLD_ALL:
	case ACT_FOLD_ALL:
	case ACT_FLAMES:
	case ACT_TO_TIMELINE:
		reaction.notice = "There is no function here to do that with";
		return reaction;
	default:
		return (struct reaction){.sample = -1};
	}
}

static struct reaction callers_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct callers_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	callers_settle(state, context, area);
	if (!callers_has_centre(state))
		return callers_act_without(state, context, action);
	struct callers_places places = callers_divide(state, area);
	switch (action) {
	case ACT_IN:
	case ACT_UNIT:
	case ACT_FLAMES:
		reaction.notice = callers_act_on_centre(state, context, action);
		break;
	case ACT_OUT:
		callers_note(state);
		if (!callers_go_back(state, context))
			reaction.notice = "There was no centre before";
		break;
	case ACT_TO_TIMELINE:
		return callers_to_timeline(state, context);
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_FOLD:
	case ACT_UNFOLD_ALL:
	case ACT_FOLD_ALL:
		if (!state->is_flames)
			reaction.notice = callers_fold_key(state, action);
		else if (!callers_flames_move(state, action, area))
			reaction.notice = "Flame graphs have nothing to fold; F: lists";
		break;
	default:
		if (state->is_flames ? !callers_flames_move(state, action, area)
				     : !callers_walk(state, &places, action, &reaction.notice))
			return (struct reaction){.sample = -1};
	}
	state->is_chosen |= !context->is_loading; /* what is looked at stays the centre */
	callers_settle(state, context, area);
	callers_note(state);
	return reaction;
}

/* ---- the mouse ---------------------------------------------------------------------------- */

static bool callers_is_in(struct box box, int x, int y)
{
	return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

static void callers_press(
	struct callers_state *state, const struct callers_places *places, int x, int y)
{
	if (callers_is_in(places->bar, x, y)) {
		state->section = SECTION_CENTRE;
		state->cursor = 0;
	}
	for (int i = 0; i < SIDES; i++) {
		struct box list = places->list[i];
		struct callers_side *side = &state->side[i];
		size_t index = side->scroll + (size_t)(y - list.y);
		if (!callers_is_in(list, x, y) || index >= side->count)
			continue;
		state->section = i == CALLERS ? SECTION_CALLERS : SECTION_CALLEES;
		state->cursor = index;
		/* On the mark, or on the blanks before it. */
		const struct callers_line *line = &side->lines[index];
		if (line->can_unfold && x - list.x <= 2 + 2 * (int64_t)line->depth &&
			x - list.x < list.width / 4)
			callers_fold(state, !line->is_open);
		return;
	}
}

static struct reaction callers_point(void *opaque, const struct view_context *context,
	struct box area, const struct pointer *pointer)
{
	struct callers_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	callers_settle(state, context, area);
	if (!callers_has_centre(state))
		return (struct reaction){.sample = -1};
	struct callers_places places = callers_divide(state, area);
	int step = pointer->kind == POINTER_WHEEL_UP ? -3 : 3;
	switch (pointer->kind) {
	case POINTER_PRESS:
		if (state->is_flames)
			callers_flames_press(state, area, pointer->x, pointer->y);
		else
			callers_press(state, &places, pointer->x, pointer->y);
		break;
	case POINTER_WHEEL_UP:
	case POINTER_WHEEL_DOWN:
		if (state->is_flames)
			callers_flames_scroll(state, area, pointer->y, step);
		else
			callers_scroll(state, &places,
				pointer->y < places.bar.y ? CALLERS : CALLEES, step);
		break;
	default:
		return (struct reaction){.sample = -1};
	}
	state->is_chosen |= !context->is_loading;
	callers_settle(state, context, area);
	callers_note(state);
	return reaction;
}

/* ---- for the app -------------------------------------------------------------------------- */

static void callers_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct callers_state *state = opaque;
	const struct calltree *tree = context->tree;
	if (!tree)
		return;
	if (row == 0 && node == 0)
		node = common_node_of_sample(context, sample);
	if (row == 0 && node < tree->node_count)
		row = tree->row[node];
	if (row == 0 || row >= tree->row_count)
		return;
	bool is_same = state->generation == context->generation && state->centre.row == row;
	if (is_same || common_row_hash(tree, row) == state->centre.hash) {
		state->is_chosen = true;
		state->section = state->centre.section = SECTION_CENTRE;
		state->cursor = 0;
		state->level = 0;
		return;
	}
	callers_set_centre(state, context, row);
}

static void callers_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	struct callers_state *state = opaque;
	const struct calltree *tree;
	uint32_t own;
	*sample = -1;
	if (!context->tree || state->generation != context->generation)
		return;
	*row = callers_has_centre(state) ? callers_cursor_row(state, &tree, &own)
					 : state->centre.row;
	if (*row == 0)
		return;
	if (state->largest_row != *row) {
		state->largest_row = *row;
		state->largest_node = common_largest_node(context->tree, *row);
	}
	*node = state->largest_node;
}

static uint32_t callers_subject(void *opaque, const struct view_context *context)
{
	const struct callers_state *state = opaque;
	return state->generation == context->generation ? state->centre.row : 0;
}

const struct view view_callers = {
	.name = "callers",
	.tab = "Callers",
	.digit = 5,
	.where = IN_CALLERS,
	.open = callers_open,
	.close = callers_close,
	.draw = callers_draw,
	.act = callers_act,
	.select = callers_select,
	.status = callers_status,
	.explain = callers_explain,
	.selected = callers_selected,
	.find = callers_find,
	.keep = callers_keep,
	.restore = callers_return,
	.point = callers_point,
	.subject = callers_subject,
};
