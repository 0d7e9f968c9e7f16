/* SPDX-License-Identifier: MIT */
/* The profiles of a folder: search, filter, mouse. */
#include <stdlib.h>
#include <string.h>

#include "view/files_state.h"
#include "view/table_cursor.h"

enum { FILES_WHEEL = 3 };

void files_clear_filter(struct files_state *state)
{
	text_clear(&state->pattern);
	pattern_free(state->filter);
	state->filter = NULL;
	state->is_stale = true;
}

bool files_narrow(
	void *opaque, const struct view_context *context, const char *pattern, struct vp_error *err)
{
	struct files_state *state = opaque;
	if (*pattern == '\0') {
		files_clear_filter(state);
		files_refresh(state, context);
		return true;
	}
	char *smart = common_smart_case(pattern);
	struct pattern *filter = pattern_compile(smart, err);
	free(smart);
	if (!filter)
		return false;
	files_clear_filter(state);
	state->filter = filter;
	text_puts(&state->pattern, pattern);
	files_refresh(state, context);
	return true;
}

/* Takes over what is searched for; false and *err for a bad pattern. */
static bool files_set_search(struct files_state *state, const char *text, struct vp_error *err)
{
	char *smart = common_smart_case(text);
	struct pattern *finder = *text ? pattern_compile(smart, err) : NULL;
	free(smart);
	if (*text && !finder)
		return false;
	pattern_free(state->finder);
	state->finder = finder;
	return true;
}

enum found files_find(void *opaque, const struct view_context *context, struct box area,
	const char *text, enum find where, struct vp_error *err)
{
	struct files_state *state = opaque;
	const struct table_places places = files_divide(area);
	if (!files_set_search(state, text, err) || !context->catalog)
		return FOUND_NOTHING;
	files_settle(state, context, &places);
	const size_t count = state->count, first = where == FIND_HERE ? 0 : 1;
	const bool is_back = where == FIND_BACKWARD;
	for (size_t i = first; i < count + first && state->finder; i++) {
		const size_t at = (state->cursor + (is_back ? count - i : i)) % count;
		const struct files_row *row = &state->rows[at];
		if (row->is_group ||
			!files_matches(state->finder, &context->catalog->entries[row->index],
				&state->scratch))
			continue;
		const bool is_beyond = is_back ? at >= state->cursor : at < state->cursor;
		const bool is_same = at == state->cursor && where == FIND_FORWARD;
		state->cursor = at;
		files_note(state, context);
		files_settle(state, context, &places);
		return is_beyond || is_same ? FOUND_WRAPPED : FOUND;
	}
	return FOUND_NOTHING;
}

void files_go_to_line(void *opaque, const struct view_context *context, uint64_t line)
{
	struct files_state *state = opaque;
	files_refresh(state, context);
	if (line > state->count)
		line = state->count;
	state->cursor = line > 0 ? (size_t)line - 1 : 0;
	files_note(state, context);
}

/* A press on a heading sorts by it, again reverses. */
static bool files_press_head(struct files_state *state, const struct files_columns *columns, int x)
{
	const struct {
		int x, width;
		enum files_sort sort;
	} headings[] = {{columns->name_x, columns->name, FILES_BY_NAME},
		{columns->start_x, columns->start, FILES_BY_START},
		{columns->length_x, columns->length, FILES_BY_LENGTH},
		{columns->total_x, columns->total, FILES_BY_TOTAL},
		{columns->size_x, columns->size, FILES_BY_SIZE}};
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
		if (x < headings[i].x || x >= headings[i].x + headings[i].width)
			continue;
		files_sort_by(state, headings[i].sort);
		return true;
	}
	return false;
}

struct reaction files_point(void *opaque, const struct view_context *context, struct box area,
	const struct pointer *pointer)
{
	struct files_state *state = opaque;
	const struct reaction nothing = {.sample = -1};
	if (!context->catalog || common_is_too_small(area))
		return nothing;
	const struct table_places places = files_divide(area);
	files_settle(state, context, &places);
	const int line = pointer->y - places.rows.y;
	switch (pointer->kind) {
	case POINTER_WHEEL_UP:
	case POINTER_WHEEL_DOWN:
		table_scroll(&state->cursor, &state->scroll, state->count, places.rows.height,
			pointer->kind == POINTER_WHEEL_UP ? -FILES_WHEEL : FILES_WHEEL);
		break;
	case POINTER_PRESS:
		if (places.head.height > 0 && pointer->y == places.head.y) {
			const struct files_columns columns =
				files_choose_columns(state, area.width);
			if (!files_press_head(state, &columns, pointer->x - area.x))
				return nothing;
			files_settle(state, context, &places);
			return files_reaction();
		}
		if (line < 0 || line >= places.rows.height ||
			state->scroll + (size_t)line >= state->count)
			return nothing;
		state->cursor = state->scroll + (size_t)line;
		break;
	default:
		return nothing;
	}
	files_note(state, context);
	return files_reaction();
}
