/* SPDX-License-Identifier: MIT */
/* The table of functions, self and total: cursor and keys. The rows are in top_rows.c, the drawing
 * in top_draw.c. */
#include "view/table_cursor.h"
#include "view/top_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TOP_WHEEL = 3, TOP_SHIFT = 8, TOP_MOST_SHIFT = 1000 };

/* ---- keys ------------------------------------------------------------------------ */

static void top_shift(struct top_state *state, int step)
{
	int shift = state->shift + step;
	state->shift = shift < 0 ? 0 : shift > TOP_MOST_SHIFT ? TOP_MOST_SHIFT : shift;
}

/* Another order: the same function stays below the cursor. */
static const char *top_sort_by(
	struct top_state *state, const struct view_context *context, enum function_sort sort)
{
	static const char *const notices[] = {[SORT_FLAT] = "Sorted by self",
		[SORT_CUM] = "Sorted by total",
		[SORT_NAME] = "Sorted by name",
		[SORT_DELTA] = "Sorted by change",
		[SORT_CALLS] = "Sorted by calls"};
	top_note(state, context->tree);
	state->sort = sort;
	state->is_reversed = false;
	top_refresh(state, context);
	return notices[sort];
}

/* The next order of the columns that are there, from the left to the right and round. */
static enum function_sort top_next_sort(const struct top_state *state, bool is_back)
{
	static const enum function_sort orders[] = {SORT_FLAT, SORT_CUM, SORT_NAME, SORT_CALLS};
	const size_t count = state->has_calls ? 4 : 3;
	size_t i = 0;
	while (i + 1 < count && orders[i] != state->sort)
		i++;
	return orders[(i + (is_back ? count - 1 : 1)) % count];
}

static const char *top_reverse(struct top_state *state, const struct view_context *context)
{
	top_note(state, context->tree);
	state->is_reversed = !state->is_reversed;
	top_find_wanted(state, context->tree);
	return state->is_reversed ? "Order reversed" : "Order as usual";
}

/* False: there was no filter. */
static bool top_clear_filter(struct top_state *state, const struct view_context *context)
{
	if (state->pattern.length == 0)
		return false;
	text_clear(&state->pattern);
	free(state->matches);
	state->matches = NULL;
	top_pass(state, context->tree);
	top_find_wanted(state, context->tree);
	return true;
}

static struct reaction top_open_other(
	const struct top_state *state, const struct view_context *context, enum action action)
{
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (state->shown_count == 0)
		return reaction;
	reaction.want |= WANT_VIEW;
	reaction.row = top_row(state, state->cursor)->row;
	reaction.node = common_largest_node(context->tree, reaction.row);
	reaction.view = "callers";
	if (action == ACT_TO_TIMELINE) {
		reaction.view = "timeline";
		reaction.sample = common_sample_of_node(context, reaction.node);
	}
	return reaction;
}

static struct reaction top_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct top_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree)
		return (struct reaction){.sample = -1};
	struct table_places places = top_divide(area);
	top_settle(state, context, &places);
	switch (action) {
	case ACT_LEFT:
	case ACT_RIGHT:
		top_shift(state, action == ACT_LEFT ? -TOP_SHIFT : TOP_SHIFT);
		break;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREVIOUS:
		reaction.notice = top_sort_by(
			state, context, top_next_sort(state, action == ACT_SORT_PREVIOUS));
		break;
	case ACT_REVERSE:
		reaction.notice = top_reverse(state, context);
		break;
	case ACT_CANCEL:
		if (!top_clear_filter(state, context))
			return (struct reaction){.sample = -1};
		reaction.notice = "All functions are shown again";
		break;
	case ACT_IN:
	case ACT_TO_TIMELINE:
		return top_open_other(state, context, action);
	default:
		if (!table_act_move(&state->cursor, &state->scroll, state->shown_count,
			    places.rows.height, action))
			return (struct reaction){.sample = -1};
		top_note(state, context->tree);
		break;
	}
	top_settle(state, context, &places);
	return reaction;
}

/* ---- search, filter, mouse --------------------------------------------------------- */

static enum found top_find(
	void *opaque, const struct view_context *context, struct box area, enum find where)
{
	struct top_state *state = opaque;
	if (!context->tree || !context->search)
		return FOUND_NOTHING;
	struct table_places places = top_divide(area);
	top_settle(state, context, &places);
	size_t count = state->shown_count;
	/* Once around, so that the last one that is looked at is the cursor's own. */
	size_t first = where == FIND_HERE ? 0 : 1;
	for (size_t i = first; i < count + first; i++) {
		bool is_back = where == FIND_BACKWARD;
		size_t at = (state->cursor + (is_back ? count - i : i)) % count;
		if (!context->search->hits[top_row(state, at)->row])
			continue;
		bool is_beyond = is_back ? at >= state->cursor : at < state->cursor;
		bool is_same = at == state->cursor && where == FIND_FORWARD;
		state->cursor = at;
		top_settle(state, context, &places);
		top_note(state, context->tree);
		return is_beyond || is_same ? FOUND_WRAPPED : FOUND;
	}
	return FOUND_NOTHING;
}

static bool top_narrow(
	void *opaque, const struct view_context *context, const char *pattern, struct vp_error *err)
{
	struct top_state *state = opaque;
	if (!context->tree)
		return true;
	top_refresh(state, context);
	if (*pattern == '\0') {
		top_clear_filter(state, context);
		return true;
	}
	uint8_t *matches = common_match(context->tree, pattern, err);
	if (!matches)
		return false;
	free(state->matches);
	state->matches = matches;
	text_clear(&state->pattern);
	text_puts(&state->pattern, pattern);
	top_pass(state, context->tree);
	top_find_wanted(state, context->tree);
	return true;
}

static void top_go_to_line(void *opaque, const struct view_context *context, uint64_t line)
{
	struct top_state *state = opaque;
	if (!context->tree)
		return;
	top_refresh(state, context);
	if (line > state->shown_count)
		line = state->shown_count;
	state->cursor = line > 0 ? (size_t)line - 1 : 0;
	top_note(state, context->tree);
}

/* What a press on the head sorts by, again: reverses. */
static const char *top_press_head(struct top_state *state, const struct view_context *context,
	const struct top_columns *columns, int column)
{
	enum function_sort sort = column >= columns->name_x    ? SORT_NAME
				  : column >= columns->total_x ? SORT_CUM
				  : column >= columns->self_x  ? SORT_FLAT
							       : SORT_CALLS;
	if (sort == SORT_CALLS && columns->calls == 0)
		sort = SORT_FLAT;
	if (sort == state->sort)
		return top_reverse(state, context);
	return top_sort_by(state, context, sort);
}

static struct reaction top_point(void *opaque, const struct view_context *context, struct box area,
	const struct pointer *pointer)
{
	struct top_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (!context->tree || common_is_too_small(area))
		return (struct reaction){.sample = -1};
	struct table_places places = top_divide(area);
	top_settle(state, context, &places);
	int line = pointer->y - places.rows.y;
	switch (pointer->kind) {
	case POINTER_WHEEL_UP:
	case POINTER_WHEEL_DOWN:
		table_scroll(&state->cursor, &state->scroll, state->shown_count, places.rows.height,
			pointer->kind == POINTER_WHEEL_UP ? -TOP_WHEEL : TOP_WHEEL);
		break;
	case POINTER_WHEEL_LEFT:
	case POINTER_WHEEL_RIGHT:
		top_shift(state, pointer->kind == POINTER_WHEEL_LEFT ? -TOP_SHIFT : TOP_SHIFT);
		return reaction;
	case POINTER_PRESS:
		if (places.head.height > 0 && pointer->y == places.head.y) {
			struct top_columns columns = top_choose_columns(state, context, area.width);
			reaction.notice =
				top_press_head(state, context, &columns, pointer->x - area.x);
			return reaction;
		}
		if (line < 0 || line >= places.rows.height ||
			state->scroll + (size_t)line >= state->shown_count)
			return (struct reaction){.sample = -1};
		state->cursor = state->scroll + (size_t)line;
		break;
	default:
		return (struct reaction){.sample = -1};
	}
	top_note(state, context->tree);
	return reaction;
}

/* ---- the view -------------------------------------------------------------------- */

static void *top_open(void)
{
	return memory_new(1, sizeof(struct top_state));
}

static void top_close(void *opaque)
{
	struct top_state *state = opaque;
	free(state->rows);
	top_change_free(state);
	free(state->matches);
	free(state->passing);
	text_free(&state->pattern);
	text_free(&state->scratch);
	free(state);
}

static void top_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct top_state *state = opaque;
	(void)sample;
	if (!context->tree)
		return;
	if (row == 0 && node != 0 && node < context->tree->node_count)
		row = context->tree->row[node];
	if (row == 0 || row >= context->tree->row_count)
		return;
	state->wanted = common_row_hash(context->tree, row);
	state->wanted_row = row;
	if (state->is_built && state->generation == context->generation)
		top_find_wanted(state, context->tree);
}

static void top_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct top_state *state = opaque;
	*node = 0;
	*sample = -1;
	if (state->is_built && state->generation == context->generation &&
		state->cursor < state->shown_count)
		*row = top_row(state, state->cursor)->row;
}

static const char *top_setting(void *opaque, enum action action)
{
	static const char *const orders[][2] = {[SORT_FLAT] = {"self", "self, reversed"},
		[SORT_CUM] = {"total", "total, reversed"},
		[SORT_NAME] = {"name", "name, reversed"},
		[SORT_DELTA] = {"change", "change, reversed"},
		[SORT_CALLS] = {"calls", "calls, reversed"}};
	const struct top_state *state = opaque;
	return action == ACT_SORT_NEXT ? orders[state->sort][state->is_reversed] : NULL;
}

/* The filter as typed, but harmless and short. */
static void top_add_pattern(
	const struct top_state *state, const struct view_context *context, struct text *out)
{
	enum { MOST = 24 };
	struct text clean = {0};
	int width;
	text_clean(&clean, state->pattern.data, state->pattern.length, context->ascii);
	size_t fits = text_fit(clean.data, clean.length, MOST, &width);
	text_add(out, clean.data, fits);
	if (fits < clean.length)
		text_puts(out, context->ascii ? "~" : "\u2026");
	text_free(&clean);
}

static void top_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct top_state *state = opaque;
	char count[UNIT_SIZE];
	char shown[UNIT_SIZE];
	if (!context->tree)
		return;
	units_count(count, (int64_t)state->row_count);
	if (state->pattern.length > 0) {
		text_puts(out, "filter: ");
		top_add_pattern(state, context, out);
		text_printf(
			out, "   %s of %s", units_count(shown, (int64_t)state->shown_count), count);
	}
	text_printf(out, "%ssort: %s", state->pattern.length > 0 ? "   " : "",
		top_setting(opaque, ACT_SORT_NEXT));
	if (state->pattern.length == 0)
		text_printf(out, "   %s function%s", count, state->row_count == 1 ? "" : "s");
}

static void top_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct top_state *state = opaque;
	const struct calltree *tree = context->tree;
	char all[UNIT_SIZE];
	char count[UNIT_SIZE];
	if (!tree)
		return;
	const char *explanation = common_explanation(tree);
	if (state->has_calls)
		text_puts(out,
			"Calls are all calls of a function; 100/20: 20 of 100 did not come from the "
			"function itself, over others or not. EACH is self divided by calls, total by "
			"those that are no recursion. These figures are the file's own.\n");
	else if (common_rows_are_estimates(tree))
		text_printf(out, "%s\n", common_estimate_note(tree));
	text_printf(out,
		"Self is the %s while the function itself ran, total the %s while it was anywhere on "
		"the stack: counted once a sample, however often it is on it (recursion). %s%s"
		"Percentages are of %s %s%s.%s\n",
		common_noun(tree), common_noun(tree), explanation, *explanation ? " " : "",
		common_base(all, tree), common_noun(tree), common_scope(context),
		common_filter_note(context));
	text_puts(
		out, tree->profile->is_name_function
			     ? "A function is a name: where it is in two files it is one row; F2 "
			       "changes what a row is.\n"
			     : "A function is a name, a file and a first line: two that are called "
			       "alike in different files are two rows.\n");
	if (state->pattern.length > 0) {
		text_printf(out, "Only %s of %s functions are shown, those that match /",
			units_count(all, (int64_t)state->shown_count),
			units_count(count, (int64_t)state->row_count));
		top_add_pattern(state, context, out);
		text_puts(out, "/ by name, file or module; their figures are the same as without "
			       "this filter. Esc shows all again.\n");
	}
	if (context->search)
		text_puts(out, "Underlined names are hits of the search.\n");
	int scale = top_bar_scale(state, tree);
	if (scale > 1 && state->has_bars)
		text_printf(out, "Self bars are stretched %d times, total bars are not.\n", scale);
}

static void top_keep(void *opaque)
{
	struct top_state *state = opaque;
	state->kept.cursor = state->cursor;
	state->kept.scroll = state->scroll;
	state->kept.wanted = state->wanted;
	state->kept.wanted_row = state->wanted_row;
}

static void top_restore(void *opaque, const struct view_context *context)
{
	struct top_state *state = opaque;
	(void)context;
	state->cursor = state->kept.cursor;
	state->scroll = state->kept.scroll;
	state->wanted = state->kept.wanted;
	state->wanted_row = state->kept.wanted_row;
}

const struct view view_top = {
	.name = "top",
	.tab = "Top",
	.digit = 4,
	.where = IN_TOP,
	.open = top_open,
	.close = top_close,
	.draw = top_draw,
	.act = top_act,
	.select = top_select,
	.status = top_status,
	.explain = top_explain,
	.selected = top_selected,
	.find = top_find,
	.keep = top_keep,
	.restore = top_restore,
	.point = top_point,
	.narrow = top_narrow,
	.setting = top_setting,
	.go_to_line = top_go_to_line,
};
