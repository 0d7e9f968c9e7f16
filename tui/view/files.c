/* SPDX-License-Identifier: MIT */
/*
 * The profiles of a folder: cursor and keys. The rows are in files_rows.c, the drawing in
 * files_draw.c, search, filter and mouse in files_find.c. It only shows and chooses: no file is
 * ever changed from here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/files_state.h"
#include "view/table_cursor.h"

struct reaction files_reaction(void)
{
	return (struct reaction){.want = WANT_REDRAW, .handled = true, .sample = -1};
}

/* ---- folds ------------------------------------------------------------------------------- */

/* The group whose name the cursor is on; NULL: it is on a profile. */
static const struct files_row *files_group(const struct files_state *state)
{
	const bool is_group = state->cursor < state->count && state->rows[state->cursor].is_group;
	return is_group ? &state->rows[state->cursor] : NULL;
}

static void files_go_to_group(struct files_state *state)
{
	while (state->cursor > 0 && !state->rows[state->cursor].is_group)
		state->cursor--;
}

/* To the left: from a profile to its group, which is folded then. */
static const char *files_act_left(struct files_state *state, const struct view_context *context)
{
	const struct files_row *group = files_group(state);
	if (!state->has_groups)
		return "u shows the folder above";
	if (!group) {
		files_go_to_group(state);
		return NULL;
	}
	if (files_is_folded(state, context->catalog, group->index))
		return "u shows the folder above";
	files_fold(state, context->catalog, group->index, true);
	return NULL;
}

static void files_fold_all(struct files_state *state, bool fold)
{
	if (fold)
		files_go_to_group(state);
	state->is_folded_by_default = fold;
	state->folded_count = 0;
	state->is_stale = true;
}

/* ---- marks -------------------------------------------------------------------------------- */

static void files_unmark_all(struct files_state *state)
{
	for (size_t i = 0; i < state->marked_count; i++)
		free(state->marked[i]);
	state->marked_count = 0;
}

static const char *files_mark_or_unmark(
	struct files_state *state, const struct catalog_entry *entry)
{
	const size_t mark = files_mark(state, entry);
	if (mark == 0) {
		if (entry->state == CATALOG_FAILED)
			return "It cannot be read";
		state->marked = array_grow(state->marked, &state->marked_capacity,
			state->marked_count + 1, sizeof *state->marked);
		state->marked[state->marked_count++] = memory_copy_string(entry->path);
		return NULL;
	}
	free(state->marked[mark - 1]);
	memmove(&state->marked[mark - 1], &state->marked[mark],
		(state->marked_count - mark) * sizeof *state->marked);
	state->marked_count--;
	return NULL;
}

/* The marked entries that there still are, in the order they were marked; *count. */
static const uint32_t *files_marked_entries(
	struct files_state *state, const struct catalog *catalog, size_t *count)
{
	free(state->list);
	state->list = memory_new(state->marked_count + 1, sizeof *state->list);
	*count = 0;
	for (size_t m = 0; m < state->marked_count; m++)
		for (size_t i = 0; i < catalog->count; i++)
			if (strcmp(catalog->entries[i].path, state->marked[m]) == 0) {
				state->list[(*count)++] = (uint32_t)i;
				break;
			}
	return state->list;
}

/* ---- opening ------------------------------------------------------------------------------ */

static struct reaction files_open(struct files_state *state, const struct view_context *context)
{
	struct reaction reaction = files_reaction();
	const struct files_row *group = files_group(state);
	if (group)
		files_fold(state, context->catalog, group->index,
			!files_is_folded(state, context->catalog, group->index));
	if (group || state->cursor >= state->count)
		return reaction;
	const struct catalog_entry *entry = files_selected(state, context);
	state->files[0] = state->rows[state->cursor].index;
	if (entry->is_folder && !entry->format[0]) {
		reaction.notice = "This folder cannot be read";
		return reaction;
	}
	reaction.want |= WANT_OPEN;
	reaction.files = state->files;
	reaction.file_count = 1;
	return reaction;
}

/* To the right: unfolds a group, goes into one that is, opens a profile. */
static struct reaction files_act_right(
	struct files_state *state, const struct view_context *context)
{
	const struct files_row *group = files_group(state);
	if (!group || files_is_folded(state, context->catalog, group->index))
		return files_open(state, context);
	table_step(&state->cursor, state->count, 1);
	return files_reaction();
}

/* What became of the marked profile until the other one: the second that is marked, else the
 * selected one. */
static struct reaction files_diff(struct files_state *state, const struct view_context *context)
{
	struct reaction reaction = files_reaction();
	size_t count;
	const struct catalog_entry *entry = files_selected(state, context);
	const uint32_t *marked = files_marked_entries(state, context->catalog, &count);
	if (count == 1 && entry && files_mark(state, entry) == 0) {
		state->files[0] = marked[0];
		state->files[1] = state->rows[state->cursor].index;
	} else if (count == 2) {
		state->files[0] = marked[0];
		state->files[1] = marked[1];
	} else {
		reaction.notice =
			count > 2 ? "Three or more are marked: a change is between two"
				  : "Mark the earlier profile with Space, then d on the later one";
		return reaction;
	}
	reaction.want |= WANT_DIFF;
	reaction.files = state->files;
	reaction.file_count = 2;
	return reaction;
}

static struct reaction files_merge(struct files_state *state, const struct view_context *context)
{
	struct reaction reaction = files_reaction();
	reaction.files = files_marked_entries(state, context->catalog, &reaction.file_count);
	if (reaction.file_count < 2) {
		reaction.files = NULL;
		reaction.file_count = 0;
		reaction.notice = "Mark two profiles or more with Space";
		return reaction;
	}
	reaction.want |= WANT_OPEN;
	return reaction;
}

/* ---- order and filter --------------------------------------------------------------------- */

void files_sort_by(struct files_state *state, enum files_sort sort)
{
	state->is_reversed = state->sort == sort ? !state->is_reversed : false;
	state->sort = sort;
	state->is_stale = true;
}

static const char *files_sort_next(struct files_state *state, bool is_next)
{
	static const char *const notices[] = {[FILES_BY_NAME] = "Sorted by name",
		[FILES_BY_START] = "Sorted by start, the latest first",
		[FILES_BY_LENGTH] = "Sorted by length, the longest first",
		[FILES_BY_TOTAL] = "Sorted by total, or peak of memory",
		[FILES_BY_SIZE] = "Sorted by size of the file"};
	const int step = is_next ? 1 : FILES_SORT_COUNT - 1;
	state->sort = (enum files_sort)(((int)state->sort + step) % FILES_SORT_COUNT);
	state->is_reversed = false;
	state->is_stale = true;
	return notices[state->sort];
}

/* The smallest thing there is to undo; false: nothing of this view. */
static bool files_cancel(struct files_state *state, struct reaction *reaction)
{
	if (state->pattern.length > 0) {
		files_clear_filter(state);
		reaction->notice = "All profiles are shown again";
	} else if (state->finder) {
		pattern_free(state->finder);
		state->finder = NULL;
	} else if (state->marked_count > 0) {
		files_unmark_all(state);
		reaction->notice = "No profile is marked any more";
	} else {
		return false;
	}
	return true;
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Actions on what is selected; false: not one of them. */
static bool files_act_on_selected(struct files_state *state, const struct view_context *context,
	enum action action, struct reaction *reaction)
{
	const struct catalog_entry *entry = files_selected(state, context);
	switch (action) {
	case ACT_LEFT:
		reaction->notice = files_act_left(state, context);
		return true;
	case ACT_RIGHT:
		*reaction = files_act_right(state, context);
		return true;
	case ACT_IN:
		*reaction = files_open(state, context);
		return true;
	case ACT_FOLD:
		if (!entry) {
			*reaction = files_open(state, context);
			return true;
		}
		reaction->notice = files_mark_or_unmark(state, entry);
		table_step(&state->cursor, state->count, 1);
		return true;
	case ACT_DIFF:
		*reaction = files_diff(state, context);
		return true;
	case ACT_MERGE:
		*reaction = files_merge(state, context);
		return true;
	default:
		return false;
	}
}

static bool files_act_on_list(
	struct files_state *state, enum action action, struct reaction *reaction)
{
	switch (action) {
	case ACT_OUT:
		reaction->want |= WANT_FOLDER;
		return true;
	case ACT_FOLD_ALL:
	case ACT_UNFOLD_ALL:
		files_fold_all(state, action == ACT_FOLD_ALL);
		return true;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREVIOUS:
		reaction->notice = files_sort_next(state, action == ACT_SORT_NEXT);
		return true;
	case ACT_REVERSE:
		files_sort_by(state, state->sort);
		reaction->notice = state->is_reversed ? "Order reversed" : "Order as usual";
		return true;
	default:
		return false;
	}
}

static struct reaction files_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct files_state *state = opaque;
	struct reaction reaction = files_reaction();
	const struct table_places places = files_divide(area);
	if (!context->catalog)
		return (struct reaction){.sample = -1};
	files_settle(state, context, &places);
	if (action == ACT_CANCEL) {
		if (!files_cancel(state, &reaction))
			return (struct reaction){.sample = -1};
		files_settle(state, context, &places);
		return reaction;
	}
	if (files_act_on_selected(state, context, action, &reaction) ||
		table_act_move(
			&state->cursor, &state->scroll, state->count, places.rows.height, action))
		files_note(state, context);
	else if (!files_act_on_list(state, action, &reaction))
		return (struct reaction){.sample = -1};
	files_settle(state, context, &places);
	if (reaction.file_count == 0 && files_selected(state, context)) {
		state->files[0] = state->rows[state->cursor].index;
		reaction.files = state->files;
		reaction.file_count = 1;
	}
	return reaction;
}

/* ---- the view ---------------------------------------------------------------------------- */

static void *files_open_state(void)
{
	return memory_new(1, sizeof(struct files_state));
}

static void files_close(void *opaque)
{
	struct files_state *state = opaque;
	files_unmark_all(state);
	pattern_free(state->filter);
	pattern_free(state->finder);
	text_free(&state->wanted);
	text_free(&state->pattern);
	text_free(&state->scratch);
	free(state->rows);
	free(state->folded);
	free(state->marked);
	free(state->list);
	free(state);
}

/* What is selected in other views is nothing here. */
static void files_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	(void)opaque;
	(void)context;
	(void)node;
	(void)row;
	(void)sample;
}

static const char *files_path(const void *opaque, const struct view_context *context)
{
	const struct catalog_entry *entry = files_selected(opaque, context);
	return entry ? entry->path : NULL;
}

static const char *files_setting(void *opaque, enum action action)
{
	return action == ACT_SORT_NEXT ? files_sort_name(opaque) : NULL;
}

static void files_keep(void *opaque)
{
	struct files_state *state = opaque;
	state->kept.cursor = state->cursor;
	state->kept.scroll = state->scroll;
}

static void files_restore(void *opaque, const struct view_context *context)
{
	struct files_state *state = opaque;
	state->cursor = state->kept.cursor;
	state->scroll = state->kept.scroll;
	files_note(state, context);
}

const struct view view_files = {
	.name = "browse",
	.tab = "Files",
	.digit = 6,
	.where = IN_FILES,
	.is_of_folder = true,
	.open = files_open_state,
	.close = files_close,
	.draw = files_draw,
	.act = files_act,
	.select = files_select,
	.status = files_status,
	.explain = files_explain,
	.find_text = files_find,
	.keep = files_keep,
	.restore = files_restore,
	.point = files_point,
	.narrow = files_narrow,
	.setting = files_setting,
	.go_to_line = files_go_to_line,
	.path = files_path,
};
