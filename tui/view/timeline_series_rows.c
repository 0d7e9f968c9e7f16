/* SPDX-License-Identifier: MIT */
/* The timeline of a series of snapshots: the functions of the one below the cursor. */
#include <stdlib.h>

#include "base/memory.h"
#include "view/table_cursor.h"
#include "view/timeline_series_state.h"

enum { SERIES_WHEEL = 3 };

static uint64_t series_size(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The heaviest first; equals by number of their row. */
static int series_compare(const void *a, const void *b)
{
	const struct series_row *left = a, *right = b;
	const uint64_t x = series_size(left->value), y = series_size(right->value);
	if (x != y)
		return x > y ? -1 : 1;
	return (left->row > right->row) - (left->row < right->row);
}

/* While a mark is made: what changed most comes first. */
static int series_compare_changes(const void *a, const void *b)
{
	const struct series_row *left = a, *right = b;
	const uint64_t x = series_size(left->value - left->before);
	const uint64_t y = series_size(right->value - right->before);
	if (x != y)
		return x > y ? -1 : 1;
	return series_compare(a, b);
}

static void series_add(const struct view_context *context, const struct snapshot_value *snapshot,
	struct series_row *rows, bool is_before)
{
	const struct calltree *tree = context->tree;
	for (uint64_t i = snapshot->first; i < snapshot->last; i++) {
		const uint32_t node = calltree_node_of_sample(tree, i);
		if (node == NODE_DROPPED)
			continue;
		struct series_row *row = &rows[tree->row[node]];
		int64_t *sum = is_before ? &row->before : &row->value;
		bool overflow = false;
		*sum = units_add(
			*sum, profile_value(context->profile, context->query.type, i), &overflow);
	}
}

/* The line of the chosen function, wherever it stands now; without it the table begins anew. */
static void series_place_line(struct series_state *state)
{
	state->has_line = false;
	for (size_t i = 0; state->wanted != 0 && i < state->row_count && !state->has_line; i++) {
		state->has_line = state->rows[i].row == state->wanted;
		state->line = i;
	}
	if (!state->has_line)
		state->line = state->scroll = 0;
}

void series_settle_rows(struct series_state *state, const struct view_context *context)
{
	const size_t before = series_before(state), row_count = context->tree->row_count;
	if (state->has_rows && state->rows_of == state->cursor && state->rows_before == before)
		return;
	free(state->rows);
	state->rows = memory_new(row_count, sizeof *state->rows);
	for (uint32_t i = 0; i < row_count; i++)
		state->rows[i].row = i;
	series_add(context, &state->values[state->cursor], state->rows, false);
	series_add(context, &state->values[before], state->rows, true);
	state->row_count = 0;
	for (size_t i = 1; i < row_count; i++)
		if (state->rows[i].value != 0 || state->rows[i].before != 0)
			state->rows[state->row_count++] = state->rows[i];
	qsort(state->rows, state->row_count, sizeof *state->rows,
		state->is_marking ? series_compare_changes : series_compare);
	series_place_line(state);
	state->has_rows = true;
	state->rows_of = state->cursor;
	state->rows_before = before;
}

void series_find_wanted(struct series_state *state, const struct view_context *context)
{
	const struct calltree *tree = context->tree;
	const uint64_t hash = state->wanted_hash;
	if (state->wanted != 0 && state->wanted < tree->row_count &&
		common_row_hash(tree, state->wanted) == hash)
		return;
	const bool is_wanted = state->wanted != 0;
	state->wanted = 0;
	for (uint32_t row = 1; is_wanted && row < tree->row_count && state->wanted == 0; row++)
		if (common_row_hash(tree, row) == hash)
			state->wanted = row;
}

/* The line becomes the chosen one. */
static void series_choose(
	struct series_state *state, const struct view_context *context, size_t line)
{
	state->line = line;
	state->has_line = true;
	state->wanted = state->rows[line].row;
	state->wanted_hash = common_row_hash(context->tree, state->wanted);
}

void series_settle_scroll(struct series_state *state, int visible)
{
	const size_t shown = visible > 0 ? (size_t)visible : 1;
	const size_t most = state->row_count > shown ? state->row_count - shown : 0;
	if (state->has_line && state->line < state->scroll)
		state->scroll = state->line;
	if (state->has_line && state->line >= state->scroll + shown)
		state->scroll = state->line + 1 - shown;
	if (state->scroll > most)
		state->scroll = most;
}

/* ---- keys ----------------------------------------------------------------------------------- */

bool series_move_row(struct series_state *state, const struct view_context *context,
	struct box area, enum action action)
{
	const struct box rows = series_rows_box(state, area);
	if (rows.height < 1)
		return false;
	series_settle_rows(state, context);
	size_t line = state->line;
	const bool is_first = !state->has_line && action == ACT_DOWN; /* it comes to line 0 */
	if (state->row_count == 0)
		return false;
	if (!table_act_move(&line, &state->scroll, state->row_count, rows.height, action))
		return false;
	series_choose(state, context, is_first ? 0 : line);
	series_settle_scroll(state, rows.height);
	return true;
}

void series_point_row(struct series_state *state, const struct view_context *context,
	struct box rows, const struct pointer *pointer)
{
	const size_t at = state->scroll + (size_t)(pointer->y - rows.y);
	size_t line = state->line;
	series_settle_rows(state, context);
	if (state->row_count == 0)
		return;
	if (pointer->kind == POINTER_PRESS && at < state->row_count)
		series_choose(state, context, at);
	if (pointer->kind != POINTER_WHEEL_UP && pointer->kind != POINTER_WHEEL_DOWN)
		return;
	table_scroll(&line, &state->scroll, state->row_count, rows.height,
		pointer->kind == POINTER_WHEEL_UP ? -SERIES_WHEEL : SERIES_WHEEL);
	if (state->has_line)
		series_choose(state, context, line);
}

/* ---- search --------------------------------------------------------------------------------- */

enum found series_find(struct series_state *state, const struct view_context *context,
	struct box area, enum find where)
{
	const struct search *search = context->search;
	const struct box rows = series_rows_box(state, area);
	series_settle(state, context);
	series_settle_rows(state, context);
	const size_t count = state->row_count, from = state->has_line ? state->line : 0;
	const size_t first = where == FIND_HERE || !state->has_line ? 0 : 1;
	const bool is_back = where == FIND_BACKWARD;
	if (!search || !search->hits || rows.height < 1)
		return FOUND_NOTHING;
	for (size_t i = first; i < count + first; i++) {
		const size_t at = is_back ? (from + 2 * count - i) % count : (from + i) % count;
		if (!search->hits[state->rows[at].row])
			continue;
		const bool is_beyond = is_back ? at > from : at < from;
		const bool is_wrapped = first > 0 && (is_beyond || at == from);
		series_choose(state, context, at);
		series_settle_scroll(state, rows.height);
		return is_wrapped ? FOUND_WRAPPED : FOUND;
	}
	return FOUND_NOTHING;
}

void series_keep(struct series_state *state)
{
	state->kept.wanted = state->wanted;
	state->kept.hash = state->wanted_hash;
	state->kept.scroll = state->scroll;
}

void series_restore(struct series_state *state)
{
	state->wanted = state->kept.wanted;
	state->wanted_hash = state->kept.hash;
	if (state->has_rows)
		series_place_line(state);
	state->scroll = state->kept.scroll;
}
