/* SPDX-License-Identifier: MIT */
/* The table of functions: which rows are shown, in what order, and the place of the cursor. */
#include "view/top_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/table_cursor.h"

const struct function_row *top_row(const struct top_state *state, size_t i)
{
	if (state->is_reversed)
		i = state->shown_count - 1 - i;
	return &state->rows[state->passing ? state->passing[i] : i];
}

/* Puts the cursor on the row that the user chose, where it is shown. */
void top_find_wanted(struct top_state *state, const struct calltree *tree)
{
	for (size_t i = 0; i < state->shown_count && state->wanted; i++) {
		uint32_t row = top_row(state, i)->row;
		if (state->wanted_row ? row == state->wanted_row
				      : common_row_hash(tree, row) == state->wanted) {
			state->wanted_row = row;
			state->cursor = i;
			return;
		}
	}
	if (state->passing)
		state->cursor = 0;
}

void top_note(struct top_state *state, const struct calltree *tree)
{
	if (state->cursor >= state->shown_count)
		return;
	state->wanted_row = top_row(state, state->cursor)->row;
	state->wanted = common_row_hash(tree, state->wanted_row);
}

/* Works out which rows are shown. */
void top_pass(struct top_state *state, const struct calltree *tree)
{
	struct vp_error err;
	free(state->passing);
	state->passing = NULL;
	state->shown_count = state->row_count;
	if (state->pattern.length > 0 && !state->matches)
		state->matches = common_match(tree, state->pattern.data, &err);
	if (!state->matches) {
		text_clear(&state->pattern);
		return;
	}
	state->passing = memory_new(state->row_count, sizeof *state->passing);
	state->shown_count = 0;
	for (size_t i = 0; i < state->row_count; i++)
		if (state->matches[state->rows[i].row])
			state->passing[state->shown_count++] = (uint32_t)i;
}

static void top_build(struct top_state *state, const struct view_context *context)
{
	if (!state->is_built || state->generation != context->generation) {
		free(state->matches);
		state->matches = NULL;
		state->wanted_row = 0;
	}
	free(state->rows);
	state->rows = functions_build(context->tree, state->sort, &state->row_count);
	state->generation = context->generation;
	state->query = context->tree->query;
	state->built_sort = state->sort;
	state->is_built = true;
	state->neighbours_of = 0;
	state->most_flat = 0;
	state->has_calls = calltree_is_exact(context->tree);
	for (size_t i = 0; i < state->row_count; i++)
		if (state->rows[i].flat > state->most_flat)
			state->most_flat = state->rows[i].flat;
	top_change_build(state, context);
	top_pass(state, context->tree);
	top_find_wanted(state, context->tree);
}

void top_refresh(struct top_state *state, const struct view_context *context)
{
	const struct query *query = &context->tree->query;
	if (!state->is_built || state->generation != context->generation ||
		state->sort != state->built_sort || state->query.type != query->type ||
		state->query.first != query->first || state->query.last != query->last ||
		state->query.thread != query->thread)
		top_build(state, context);
}

void top_settle(struct top_state *state, const struct view_context *context,
	const struct table_places *places)
{
	top_refresh(state, context);
	table_show_cursor(&state->cursor, &state->scroll, state->shown_count, places->rows.height);
}
