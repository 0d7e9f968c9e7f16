/* SPDX-License-Identifier: MIT */
/* The labels of samples: keys, their values, and how much the samples with each amount to. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/labels_state.h"
#include "view/table_cursor.h"

enum { LABELS_WHEEL = 3 };

/* ---- folding, order ------------------------------------------------------------------------- */

static const struct labels_line *labels_line(const struct labels_state *state)
{
	return state->cursor < state->line_count ? &state->lines[state->cursor] : NULL;
}

/* Folds or unfolds the key of the line below the cursor, which goes to the key's own line. */
static void labels_fold(struct labels_state *state, bool is_folded)
{
	const struct labels_line *line = labels_line(state);
	if (!line)
		return;
	state->folded[labels_key(state, line)->key] = is_folded;
	if (is_folded)
		while (state->cursor > 0 && state->lines[state->cursor].value != LABELS_KEY)
			state->cursor--;
	labels_note(state);
	labels_list(state);
}

static bool labels_is_folded(const struct labels_state *state)
{
	const struct labels_line *line = labels_line(state);
	return line && state->folded[labels_key(state, line)->key];
}

static void labels_fold_all(struct labels_state *state, bool is_folded)
{
	const struct labels_line *line = labels_line(state);
	if (line && is_folded)
		while (state->cursor > 0 && state->lines[state->cursor].value != LABELS_KEY)
			state->cursor--;
	labels_note(state);
	memset(state->folded, is_folded, state->sums.keys.count);
	labels_list(state);
}

static bool labels_clear_pattern(struct labels_state *state)
{
	if (!state->compiled)
		return false;
	pattern_free(state->compiled);
	state->compiled = NULL;
	text_clear(&state->pattern);
	labels_list(state);
	return true;
}

/* ---- what is done with a label -------------------------------------------------------------- */

static struct reaction labels_filter(struct labels_state *state, enum filter_kind kind)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	const struct labels_line *line = labels_line(state);
	const struct tag_value *value = line ? labels_value(state, line) : NULL;
	if (!value) {
		reaction.notice = "Choose a value of this key";
		return reaction;
	}
	text_clear(&state->filter);
	if (!tag_sums_filter(&state->sums, labels_key(state, line), value, &state->filter)) {
		reaction.notice = "No filter can say this label";
		return reaction;
	}
	reaction.want |= WANT_FILTER;
	reaction.filter = kind;
	reaction.text = state->filter.data;
	return reaction;
}

static struct reaction labels_frames(struct labels_state *state, unsigned want)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	const struct labels_line *line = labels_line(state);
	size_t length;
	if (!line)
		return reaction;
	const struct labels_line key = {line->key, LABELS_KEY};
	const char *name = labels_name(state, &key, &length);
	if (length == 0 || memchr(name, ',', length) || memchr(name, '\0', length)) {
		reaction.notice = "The name of this key cannot be given";
		return reaction;
	}
	text_clear(&state->filter);
	text_add(&state->filter, name, length);
	reaction.want |= want;
	reaction.text = state->filter.data;
	return reaction;
}

static struct reaction labels_enter(struct labels_state *state)
{
	const struct labels_line *line = labels_line(state);
	if (!line || labels_value(state, line))
		return labels_filter(state, FILTER_TAG_FOCUS);
	labels_fold(state, !labels_is_folded(state));
	return (struct reaction){.want = WANT_REDRAW, .handled = true, .sample = -1};
}

static struct reaction labels_act_on_line(
	struct labels_state *state, enum action action, bool *is_done)
{
	*is_done = true;
	switch (action) {
	case ACT_IN:
		return labels_enter(state);
	case ACT_OUT:
		return (struct reaction){
			.want = WANT_REDRAW | WANT_UNDO, .handled = true, .sample = -1};
	case ACT_LABEL_IGNORE:
		return labels_filter(state, FILTER_TAG_IGNORE);
	case ACT_LABEL_ROOT:
		return labels_frames(state, WANT_TAG_ROOT);
	case ACT_LABEL_LEAF:
		return labels_frames(state, WANT_TAG_LEAF);
	default:
		*is_done = false;
		return (struct reaction){.sample = -1};
	}
}

/* Folds and orders; false: it is none of them. */
static bool labels_act_look(struct labels_state *state, enum action action, const char **notice)
{
	switch (action) {
	case ACT_LEFT:
	case ACT_RIGHT:
		labels_fold(state, action == ACT_LEFT);
		return true;
	case ACT_FOLD:
		labels_fold(state, !labels_is_folded(state));
		return true;
	case ACT_FOLD_ALL:
	case ACT_UNFOLD_ALL:
		labels_fold_all(state, action == ACT_FOLD_ALL);
		return true;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREVIOUS:
		state->is_by_name = !state->is_by_name;
		*notice = state->is_by_name ? "Values by name" : "Values by amount";
		labels_list(state);
		return true;
	case ACT_REVERSE:
		state->is_reversed = !state->is_reversed;
		*notice = state->is_reversed ? "Order reversed" : "Order as usual";
		labels_list(state);
		return true;
	default:
		return false;
	}
}

static struct reaction labels_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct labels_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	bool is_done;
	if (!context->tree)
		return (struct reaction){.sample = -1};
	const struct table_places places = labels_divide(area);
	labels_settle(state, context, &places);
	if (action == ACT_CANCEL && !labels_clear_pattern(state))
		return (struct reaction){.sample = -1};
	if (action == ACT_CANCEL) {
		reaction.notice = "All labels are shown again";
		return reaction;
	}
	const struct reaction done = labels_act_on_line(state, action, &is_done);
	if (is_done)
		return done;
	if (labels_act_look(state, action, &reaction.notice)) {
		labels_settle(state, context, &places);
		return reaction;
	}
	if (!table_act_move(
		    &state->cursor, &state->scroll, state->line_count, places.rows.height, action))
		return (struct reaction){.sample = -1};
	labels_note(state);
	labels_settle(state, context, &places);
	return reaction;
}

/* ---- search, filter, mouse ------------------------------------------------------------------ */

static struct pattern *labels_compile(const char *pattern, struct vp_error *err)
{
	char *text = common_smart_case(pattern);
	struct pattern *compiled = pattern_compile(text, err);
	free(text);
	return compiled;
}

static enum found labels_find(void *opaque, const struct view_context *context, struct box area,
	const char *pattern, enum find where, struct vp_error *err)
{
	struct labels_state *state = opaque;
	if (!context->tree || !*pattern)
		return FOUND_NOTHING;
	const struct table_places places = labels_divide(area);
	labels_settle(state, context, &places);
	struct pattern *compiled = labels_compile(pattern, err);
	const size_t count = state->line_count, first = where == FIND_HERE ? 0 : 1;
	enum found found = FOUND_NOTHING;
	for (size_t i = first; compiled && found == FOUND_NOTHING && i < count + first; i++) {
		const bool is_back = where == FIND_BACKWARD;
		const size_t at = (state->cursor + (is_back ? count - i : i)) % count;
		if (!labels_matches(state, &state->lines[at], compiled))
			continue;
		const bool is_beyond = is_back ? at >= state->cursor : at < state->cursor;
		const bool is_same = at == state->cursor && where == FIND_FORWARD;
		state->cursor = at;
		labels_note(state);
		labels_settle(state, context, &places);
		found = is_beyond || is_same ? FOUND_WRAPPED : FOUND;
	}
	pattern_free(compiled);
	return found;
}

static bool labels_narrow(
	void *opaque, const struct view_context *context, const char *pattern, struct vp_error *err)
{
	struct labels_state *state = opaque;
	if (!context->tree)
		return true;
	if (!*pattern) {
		labels_clear_pattern(state);
		return true;
	}
	struct pattern *compiled = labels_compile(pattern, err);
	if (!compiled)
		return false;
	pattern_free(state->compiled);
	state->compiled = compiled;
	text_clear(&state->pattern);
	text_puts(&state->pattern, pattern);
	labels_list(state);
	return true;
}

static void labels_go_to_line(void *opaque, const struct view_context *context, uint64_t line)
{
	struct labels_state *state = opaque;
	if (!context->tree)
		return;
	if (line > state->line_count)
		line = state->line_count;
	state->cursor = line > 0 ? (size_t)line - 1 : 0;
	labels_note(state);
}

static struct reaction labels_point(void *opaque, const struct view_context *context,
	struct box area, const struct pointer *pointer)
{
	struct labels_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree || common_is_too_small(area))
		return (struct reaction){.sample = -1};
	const struct table_places places = labels_divide(area);
	labels_settle(state, context, &places);
	const int line = pointer->y - places.rows.y;
	if (pointer->kind == POINTER_WHEEL_UP || pointer->kind == POINTER_WHEEL_DOWN) {
		table_scroll(&state->cursor, &state->scroll, state->line_count, places.rows.height,
			pointer->kind == POINTER_WHEEL_UP ? -LABELS_WHEEL : LABELS_WHEEL);
	} else if (pointer->kind == POINTER_PRESS && line >= 0 && line < places.rows.height &&
		   state->scroll + (size_t)line < state->line_count) {
		state->cursor = state->scroll + (size_t)line;
	} else {
		return (struct reaction){.sample = -1};
	}
	labels_note(state);
	return reaction;
}

/* ---- the view ------------------------------------------------------------------------------- */

static void *labels_open(void)
{
	return memory_new(1, sizeof(struct labels_state));
}

static void labels_close(void *opaque)
{
	struct labels_state *state = opaque;
	if (state->has_sums)
		tag_sums_free(&state->sums);
	pattern_free(state->compiled);
	free(state->lines);
	free(state->folded);
	text_free(&state->pattern);
	text_free(&state->scratch);
	text_free(&state->filter);
	free(state);
}

/* Its rows are no functions. */
static void labels_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	(void)opaque;
	(void)context;
	(void)node;
	(void)row;
	(void)sample;
}

static bool labels_is_useful(const struct view_context *context)
{
	return context->profile && context->profile->label_count > 0;
}

static void labels_keep(void *opaque)
{
	struct labels_state *state = opaque;
	state->kept.cursor = state->cursor;
	state->kept.scroll = state->scroll;
	state->kept.wanted = state->wanted;
}

static void labels_restore(void *opaque, const struct view_context *context)
{
	struct labels_state *state = opaque;
	(void)context;
	state->cursor = state->kept.cursor;
	state->scroll = state->kept.scroll;
	state->wanted = state->kept.wanted;
}

const struct view view_labels = {
	.name = "labels",
	.tab = "Labels",
	.digit = 8,
	.where = IN_LABELS,
	.is_useful = labels_is_useful,
	.open = labels_open,
	.close = labels_close,
	.draw = labels_draw,
	.act = labels_act,
	.select = labels_select,
	.status = labels_status,
	.explain = labels_explain,
	.find_text = labels_find,
	.keep = labels_keep,
	.restore = labels_restore,
	.point = labels_point,
	.narrow = labels_narrow,
	.go_to_line = labels_go_to_line,
};
