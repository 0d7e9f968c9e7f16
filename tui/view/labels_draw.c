/* SPDX-License-Identifier: MIT */
#include "view/labels_state.h"

#include <stdio.h>
#include <string.h>

enum {
	LABELS_SHARE = 7, /* cells of the columns */
	LABELS_AMOUNT = 11,
	LABELS_OF_KEY = 8,
	LABELS_NARROW = 56, /* from here on there is room for OF KEY */
	LABELS_BARS = 64,   /* ... for bars */
	LABELS_WIDE = 120   /* ... for long ones */
};

/* Where the columns begin; bar, of_key: cells, 0: not there. */
struct labels_columns {
	int bar, amount, of_key, label_x;
};

static struct labels_columns labels_choose_columns(const struct calltree *tree, int width)
{
	struct labels_columns columns = {.bar = width >= LABELS_WIDE   ? 24
						: width >= LABELS_BARS ? 12
								       : 0,
		.amount = common_value_width(tree, LABELS_AMOUNT),
		.of_key = width >= LABELS_NARROW ? LABELS_OF_KEY : 0};
	columns.label_x = 2 + LABELS_SHARE + (columns.bar ? columns.bar + 1 : 0) + columns.amount +
			  columns.of_key + 2;
	return columns;
}

struct table_places labels_divide(struct box area)
{
	struct table_places places = {.rows = area};
	if (area.height >= 5) {
		places.head = (struct box){area.x, area.y, area.width, area.height >= 7 ? 2 : 1};
		places.rows.y += places.head.height;
		places.rows.height -= places.head.height;
	}
	if (area.height >= 7) {
		places.rows.height -= 2;
		places.detail =
			(struct box){area.x, places.rows.y + places.rows.height, area.width, 2};
	}
	return places;
}

static void labels_draw_head(
	const struct labels_columns *columns, struct canvas *canvas, struct box area)
{
	int x = area.x + 2;
	canvas_text_right(canvas, x, area.y, LABELS_SHARE - 1, ROLE_HEADING, "OF ALL");
	x += LABELS_SHARE + (columns->bar ? columns->bar + 1 : 0);
	canvas_text_right(canvas, x, area.y, columns->amount - 1, ROLE_HEADING, "AMOUNT");
	x += columns->amount;
	if (columns->of_key)
		canvas_text_right(canvas, x, area.y, columns->of_key - 1, ROLE_DIM, "OF KEY");
	canvas_text(canvas, area.x + columns->label_x, area.y, area.width - columns->label_x - 1,
		ROLE_HEADING, "LABEL");
	if (area.height >= 2)
		canvas_rule(canvas, area.x, area.y + 1, area.width, NULL);
}

static const char *labels_clean(const struct view_context *context,
	const struct labels_state *state, const struct labels_line *line, struct text *scratch)
{
	size_t length;
	const char *name = labels_name(state, line, &length);
	text_clean(scratch, name, length, context->ascii);
	return scratch->data ? scratch->data : "";
}

static void labels_draw_row(struct labels_state *state, const struct view_context *context,
	struct canvas *canvas, const struct labels_columns *columns, size_t i, struct box area)
{
	const struct labels_line *line = &state->lines[i];
	const struct calltree *tree = context->tree;
	const struct tag_key *key = labels_key(state, line);
	const struct tag_value *value = labels_value(state, line);
	const int64_t amount = value ? value->value : key->value;
	const enum role role = value ? ROLE_NUMBER : ROLE_DIM;
	char figure[UNIT_SIZE];
	int x = area.x + 2;
	canvas_text_right(canvas, x, area.y, LABELS_SHARE - 1, role,
		units_percent(figure, (double)amount, (double)tree->base));
	x += LABELS_SHARE;
	if (columns->bar && value)
		canvas_bar(canvas, x, area.y, columns->bar,
			tree->base ? (double)amount / (double)tree->base : 0, ROLE_BAR);
	x += columns->bar ? columns->bar + 1 : 0;
	canvas_text_right(
		canvas, x, area.y, columns->amount - 1, role, common_value(figure, tree, amount));
	x += columns->amount;
	if (columns->of_key && value)
		canvas_text_right(canvas, x, area.y, columns->of_key - 1, ROLE_NUMBER,
			units_percent(figure, (double)amount, (double)key->value));
	struct box name = {area.x + columns->label_x, area.y, area.width - columns->label_x - 1, 1};
	text_clear(&state->scratch);
	if (value) {
		name.x += 2;
		name.width -= 2;
	} else {
		const bool is_folded = state->folded[key->key] && !state->compiled;
		text_puts(&state->scratch, context->ascii ? is_folded ? "+ " : "- "
					   : is_folded    ? "\u25b8 "
							  : "\u25be ");
	}
	labels_clean(context, state, line, &state->scratch);
	if (!value && state->folded[key->key] && !state->compiled)
		text_printf(&state->scratch, "  (%s)", units_count(figure, key->count));
	name.width = common_text(canvas, name.x, name.y, name.width,
		value ? ROLE_NORMAL : ROLE_ACCENT, state->scratch.data);
	if (i == state->cursor)
		common_mark_row(canvas, area.x, name);
}

/* What the line below the cursor is, and what Enter does. */
static void labels_draw_detail(struct labels_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct labels_line *line = &state->lines[state->cursor];
	const struct tag_value *value = labels_value(state, line);
	const struct labels_line key_line = {line->key, LABELS_KEY};
	const char *does = value ? "Enter: only samples with it" : "r: root of all stacks, L: leaf";
	int right = text_width(does, strlen(does)) + 2;
	char count[UNIT_SIZE];
	if (right > area.width / 2)
		right = 0;
	text_clear(&state->scratch);
	labels_clean(context, state, &key_line, &state->scratch);
	if (value) {
		text_puts(&state->scratch, " = ");
		labels_clean(context, state, line, &state->scratch);
		if (value->has_number && value->least != value->most)
			text_printf(&state->scratch, "  (%lld to %lld)", (long long)value->least,
				(long long)value->most);
	} else {
		const uint32_t values = labels_key(state, line)->count;
		text_printf(&state->scratch, ": %s value%s", units_count(count, values),
			values == 1 ? "" : "s");
	}
	const int used = common_text(canvas, area.x + 1, area.y, area.width - 2 - right,
		ROLE_NORMAL, state->scratch.data);
	canvas_look(canvas, (struct box){area.x + 1, area.y, used, 1}, LOOK_BOLD);
	if (right > 0)
		canvas_text_right(
			canvas, area.x + area.width - right, area.y, right - 1, ROLE_DIM, does);
}

static void labels_draw_nothing(struct labels_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct text *words = &state->scratch;
	text_clear(words);
	if (context->profile->label_count == 0) {
		text_puts(words, "The samples of this profile have no labels. Go programs set them "
				 "with pprof.Do; heap profiles have one with the size of blocks.");
	} else if (state->compiled) {
		text_puts(words, "No label matches /");
		text_clean(words, state->pattern.data, state->pattern.length, context->ascii);
		text_puts(words, "/. & changes the pattern, Esc shows all labels again.");
	} else {
		text_puts(words,
			"No sample that is counted has a label: the filters above leave out "
			"those that do.");
	}
	common_wrap(canvas,
		(struct box){area.x + 2, area.y + (area.height > 4 ? 1 : 0), area.width - 4,
			area.height},
		ROLE_NORMAL, words->data);
}

void labels_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct labels_state *state = opaque;
	if (common_is_too_small(area) || common_empty(context, canvas, area))
		return;
	const struct table_places places = labels_divide(area);
	const struct labels_columns columns = labels_choose_columns(context->tree, area.width);
	labels_settle(state, context, &places);
	if (state->line_count == 0) {
		labels_draw_nothing(state, context, canvas, area);
		return;
	}
	if (places.head.height > 0)
		labels_draw_head(&columns, canvas, places.head);
	for (int y = 0; y < places.rows.height; y++) {
		const size_t i = state->scroll + (size_t)y;
		if (i < state->line_count)
			labels_draw_row(state, context, canvas, &columns, i,
				(struct box){area.x, places.rows.y + y, area.width, 1});
	}
	table_draw_edge(canvas, &places, state->scroll, state->line_count);
	if (places.detail.height > 1)
		labels_draw_detail(state, context, canvas,
			(struct box){area.x, places.detail.y + 1, area.width, 1});
}

/* ---- words ---------------------------------------------------------------------------------- */

void labels_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct labels_state *state = opaque;
	char count[UNIT_SIZE];
	if (!context->tree || !state->is_built)
		return;
	if (state->compiled) {
		text_puts(out, "filter: ");
		text_clean(out, state->pattern.data,
			state->pattern.length < 24 ? state->pattern.length : 24, context->ascii);
		text_puts(out, "   ");
	}
	text_printf(out, "sort: %s%s   %s value%s of %u key%s",
		state->is_by_name ? "name" : "amount", state->is_reversed ? ", reversed" : "",
		units_count(count, state->sums.value_count),
		state->sums.value_count == 1 ? "" : "s", state->sums.count,
		state->sums.count == 1 ? "" : "s");
}

void labels_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct labels_state *state = opaque;
	const struct calltree *tree = context->tree;
	char all[UNIT_SIZE];
	if (!tree)
		return;
	text_printf(out,
		"The program marked its samples with labels: a key and a value. The amount of a "
		"value is the %s of the samples that have it. OF ALL is its share of %s %s%s, of all "
		"samples, with a label or without; OF KEY is its share of the samples that have this "
		"key. Numbers that are written alike are one line.%s\n",
		common_noun(tree), common_base(all, tree), common_noun(tree), common_scope(context),
		common_filter_note(context));
	text_puts(out,
		"A sample that has a key several times counts for each of its values, so that "
		"the values of a key can be more than 100%.\n");
	text_puts(out, "Enter on a value shows only its samples in all views, x leaves them out; r "
		       "makes the values of a key the outermost frames of all stacks, L the "
		       "innermost. A chip in the second line says so; Esc or u takes it away.\n");
	if (state->compiled)
		text_puts(out,
			"Only labels that match the pattern are shown; Esc shows all again.\n");
}
