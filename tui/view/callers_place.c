/* SPDX-License-Identifier: MIT */
/* The callers view: the centre and its trees, and where things are. */
#include "view/callers_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/exact.h"

/* ---- the centre ---------------------------------------------------------------------------- */

void callers_forget(struct callers_state *state)
{
	for (int i = 0; i < SIDES; i++) {
		struct callers_side *side = &state->side[i];
		callers_change_free(side);
		calltree_free(side->tree);
		free(side->lines);
		flame_free(&side->flame);
		*side = (struct callers_side){0};
	}
	neighbours_free(&state->exact);
	state->flat = state->cum = state->calls = state->primitive = 0;
	state->is_exact = false;
	state->largest_row = 0;
	state->is_built = false;
}

bool callers_has_centre(const struct callers_state *state)
{
	return state->is_built && state->centre.row != 0 &&
	       (state->cum != 0 || state->is_exact || state->side[CALLEES].old);
}

static void callers_name_centre(
	struct callers_state *state, const struct view_context *context, uint32_t row)
{
	struct callers_centre *centre = &state->centre;
	int width;
	const char *name = common_name(context, row, &state->scratch);
	size_t length = text_fit(name, strlen(name), CALLERS_NAME_SIZE - 1, &width);
	while (length >= CALLERS_NAME_SIZE) /* characters of more than one byte */
		length = text_fit(name, length, --width, &width);
	*centre = (struct callers_centre){
		.row = row, .hash = common_row_hash(context->tree, row), .section = SECTION_CENTRE};
	memcpy(centre->name, name, length);
}

void callers_set_centre(
	struct callers_state *state, const struct view_context *context, uint32_t row)
{
	callers_note(state);
	if (state->centre.hash != 0) {
		if (state->before_count == CALLERS_MOST_CENTRES)
			memmove(state->before, state->before + 1,
				--state->before_count * sizeof *state->before);
		state->before = array_grow(state->before, &state->before_capacity,
			state->before_count + 1, sizeof *state->before);
		state->before[state->before_count++] = state->centre;
	}
	callers_name_centre(state, context, row);
	callers_forget(state);
	state->is_chosen = true;
	state->generation = context->generation;
}

static uint32_t callers_row_of_hash(const struct calltree *tree, uint64_t hash)
{
	for (uint32_t row = 1; row < tree->row_count; row++)
		if (common_row_hash(tree, row) == hash)
			return row;
	return 0;
}

bool callers_go_back(struct callers_state *state, const struct view_context *context)
{
	if (state->before_count == 0)
		return false;
	state->centre = state->before[--state->before_count];
	state->centre.row = callers_row_of_hash(context->tree, state->centre.hash);
	callers_forget(state);
	state->generation = context->generation;
	return true;
}

void callers_note(struct callers_state *state)
{
	const struct callers_line *line = callers_cursor_line(state);
	if (!callers_has_centre(state))
		return;
	state->centre.section = state->section;
	state->centre.key = line ? line->key : 0;
}

/* ---- its trees ------------------------------------------------------------------------------- */

static void callers_choose_default(struct callers_state *state, const struct view_context *context)
{
	size_t count;
	/* In a graph of calls the one from which the others are reached. */
	const enum function_sort sort = calltree_is_exact(context->tree) ? SORT_CUM : SORT_FLAT;
	struct function_row *functions = functions_build(context->tree, sort, &count);
	struct callers_centre old = state->centre;
	if (count > 0)
		callers_name_centre(state, context, functions[0].row);
	if (old.hash == state->centre.hash) {
		state->centre.section = old.section;
		state->centre.key = old.key;
	}
	free(functions);
}

void callers_restore(struct callers_state *state)
{
	state->section = state->centre.section;
	state->cursor = 0;
	state->level = 0;
	state->column = state->wanted = 0;
	const struct callers_side *side = callers_side_at(state, state->section);
	if (!side)
		return;
	size_t found = callers_find_line(side, state->centre.key);
	if (found < side->count)
		state->cursor = found;
	else
		state->section = SECTION_CENTRE;
}

/* The edges of a call graph in place of trees. */
static void callers_build_exact(struct callers_state *state, const struct calltree *tree)
{
	const uint32_t row = state->centre.row;
	const struct call_node *node = exact_node(tree, row);
	struct neighbours *exact = &state->exact;
	*exact = neighbours_build(tree, row);
	state->side[CALLERS].tree = exact_around(tree, row, exact->callers, exact->caller_count, 0);
	state->side[CALLEES].tree =
		exact_around(tree, row, exact->callees, exact->callee_count, exact->flat);
	state->flat = exact->flat;
	state->cum = exact->cum;
	state->calls = node->calls;
	state->primitive = node->primitive;
	state->is_exact = true;
}

static void callers_build_trees(struct callers_state *state, const struct calltree *tree)
{
	const uint32_t row = state->centre.row;
	state->side[CALLERS].tree = calltree_callers(tree, row);
	struct calltree *callees = state->side[CALLEES].tree = calltree_callees(tree, row);
	state->cum = callees->total[AROUND_CENTRE];
	for (uint32_t node = AROUND_CENTRE; node < callees->node_count; node++)
		if (callees->row[node] == row)
			state->flat += callees->self[node];
}

static void callers_build(
	struct callers_state *state, const struct view_context *context, struct box area)
{
	if (calltree_is_exact(context->tree) && !state->is_flames)
		callers_build_exact(state, context->tree);
	else
		callers_build_trees(state, context->tree);
	callers_change_build(state, context);
	if (!callers_has_centre(state))
		return;
	uint64_t key = callers_seed(state, CALLERS);
	bool is_new = hash_map_get(&state->folds, key, 0) == 0;
	if (is_new) {
		struct callers_places places = callers_divide(state, area);
		int room = places.list[CALLERS].height + places.list[CALLEES].height;
		callers_set_fold(state, key, true);
		callers_unfold_largest(state, room > 0 ? (size_t)room : 0);
	}
	callers_list(state);
}

static bool callers_is_current(
	const struct callers_state *state, const struct view_context *context)
{
	const struct query *own = &state->query, *now = &context->tree->query;
	return state->is_built && state->generation == context->generation &&
	       own->type == now->type && own->first == now->first && own->last == now->last &&
	       own->thread == now->thread && state->base == context->tree->base &&
	       state->total == context->tree->total[0];
}

void callers_settle(
	struct callers_state *state, const struct view_context *context, struct box area)
{
	if (!callers_is_current(state, context)) {
		callers_note(state);
		bool is_other = state->generation != context->generation;
		callers_forget(state);
		if (!state->is_chosen)
			callers_choose_default(state, context);
		else if (is_other)
			state->centre.row = callers_row_of_hash(context->tree, state->centre.hash);
		state->generation = context->generation;
		state->query = context->tree->query;
		state->base = context->tree->base;
		state->total = context->tree->total[0];
		state->is_built = true;
		if (state->centre.row != 0)
			callers_build(state, context, area);
		if (callers_has_centre(state))
			callers_restore(state);
	}
	if (!callers_has_centre(state))
		return;
	struct callers_places places = callers_divide(state, area);
	callers_follow(state, &places);
	if (state->is_flames)
		callers_flames_settle(state, context, area);
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Lines for the callers; the callees get the others. */
static int callers_share_room(const struct callers_state *state, int room)
{
	size_t above = state->side[CALLERS].count, below = state->side[CALLEES].count;
	int most = above < (size_t)room ? (int)above : room;
	if (room < 2) /* one list at a time */
		return state->section == SECTION_CALLERS ? room : 0;
	if (most == room)
		most = room - 1;
	int half = room / 2;
	if (below < (size_t)(room - half))
		half = room - (int)below;
	return most < half ? most : half;
}

struct callers_places callers_divide(const struct callers_state *state, struct box area)
{
	int head = area.height >= 10, heading = area.height >= 8, detail = area.height >= 14;
	int bar = area.height >= 16 ? 3 : 1;
	int room = area.height - head - 2 * heading - detail - bar;
	if (room < 0)
		room = 0;
	int above = callers_share_room(state, room);
	struct box line = {area.x, area.y, area.width, head};
	struct callers_places places = {.head = line};
	line.y += line.height;
	line.height = heading;
	places.heading[CALLERS] = line;
	line.y += line.height;
	line.height = above;
	places.list[CALLERS] = line;
	line.y += line.height;
	line.height = bar;
	places.bar = line;
	line.y += line.height;
	line.height = heading;
	places.heading[CALLEES] = line;
	line.y += line.height;
	line.height = room - above;
	places.list[CALLEES] = line;
	line.y += line.height;
	line.height = detail;
	places.detail = line;
	return places;
}

void callers_follow(struct callers_state *state, const struct callers_places *places)
{
	for (int i = 0; i < SIDES; i++) {
		struct callers_side *side = &state->side[i];
		size_t height = places->list[i].height > 0 ? (size_t)places->list[i].height : 1;
		bool has_cursor = callers_side_at(state, state->section) == side;
		if (has_cursor && side->count == 0) {
			state->section = SECTION_CENTRE;
			has_cursor = false;
		}
		if (has_cursor && state->cursor >= side->count)
			state->cursor = side->count - 1;
		if (has_cursor && state->cursor < side->scroll)
			side->scroll = state->cursor;
		if (has_cursor && state->cursor >= side->scroll + height)
			side->scroll = state->cursor - height + 1;
		if (side->scroll + height > side->count)
			side->scroll = side->count > height ? side->count - height : 0;
	}
}
