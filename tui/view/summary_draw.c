/* SPDX-License-Identifier: MIT */
/* The summary: what is shown, and its cells. */
#include "view/summary_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	SUMMARY_TWO_COLUMNS = 76,
	SUMMARY_LABEL = 10,
	SUMMARY_PERCENT = 7,
	SUMMARY_TIGHT = 4, /* fewer lines of facts go without heading */
};

/* ---- what is shown --------------------------------------------------------------- */

static void summary_build_table(
	struct summary_table *table, const struct calltree *tree, enum function_sort sort)
{
	size_t count;
	struct function_row *rows = functions_build(tree, sort, &count);
	table->count = 0;
	for (size_t i = 0; i < count && table->count < SUMMARY_MOST_ROWS; i++)
		if (sort != SORT_FLAT || rows[i].flat != 0)
			table->rows[table->count++] = rows[i];
	free(rows);
}

static void summary_build(struct summary_state *state, const struct view_context *context)
{
	const struct calltree *tree = context->tree;
	const struct query *query = &context->query;
	summary_build_table(&state->tables[0], tree, SORT_FLAT);
	summary_build_table(&state->tables[1], tree, SORT_CUM);
	state->has_peak = profile_has_memory(context->profile) && context->pyramid &&
			  context->profile->is_timed &&
			  timeline_bins(context->pyramid, query->first, query->last, query->thread,
				  &state->peak, 1) == 1 &&
			  state->peak.count > 0;
	state->stack = 0;
	state->is_stack_filtered = false;
	if (state->has_peak) {
		state->stack = common_node_of_sample(context, (int64_t)state->peak.max_sample);
		state->is_stack_filtered =
			state->stack == 0 &&
			context->profile->sample_stack[state->peak.max_sample] != 0;
	} else {
		for (uint32_t node = 1; node < tree->node_count; node++)
			if (state->stack == 0 || tree->self[node] > tree->self[state->stack])
				state->stack = node;
	}
	state->generation = context->generation;
	state->query = tree->query;
	state->is_built = true;
	if (state->has_chart)
		chart_free(&state->chart);
	state->has_chart = false;
}

static void summary_settle(struct summary_state *state, const struct view_context *context)
{
	const struct query *query = &context->tree->query;
	if (!state->is_built || state->generation != context->generation ||
		state->query.type != query->type || state->query.first != query->first ||
		state->query.last != query->last || state->query.thread != query->thread)
		summary_build(state, context);
	if (!state->has_cursor) {
		state->section = SUMMARY_SELF;
		state->has_cursor = true;
	}
}

/* Cuts `height` lines off the top of *rest. */
static struct box summary_take(struct box *rest, int height)
{
	if (height > rest->height)
		height = rest->height;
	if (height < 0)
		height = 0;
	struct box box = {rest->x, rest->y, rest->width, height};
	rest->y += height;
	rest->height -= height;
	return box;
}

static struct summary_places summary_divide_wide(const struct summary_state *state,
	const struct view_context *context, struct box area, int fact_count)
{
	struct summary_places places = {0};
	struct box rest = area;
	bool has_warnings = context->profile->warning_count > 0;
	int upper = area.height * 2 / 5;
	if (!state->has_peak && upper > fact_count + 1)
		upper = fact_count + 1;
	struct box first = summary_take(&rest, upper);
	places.facts = first;
	if (state->has_peak) {
		places.facts.width = first.width / 2 - 1;
		places.memory = first;
		places.memory.x += first.width / 2;
		places.memory.width -= first.width / 2;
	}
	if (has_warnings)
		places.warnings = summary_take(&rest, rest.height >= 30 ? 3 : 1);
	int stack = rest.height / 3 + 1;
	struct box tables = summary_take(&rest, rest.height - (rest.height >= 9 ? stack : 0));
	places.self = places.total = tables;
	places.self.width = tables.width / 2 - 1;
	places.total.x += tables.width / 2;
	places.total.width -= tables.width / 2;
	places.stack = rest;
	return places;
}

static struct summary_places summary_divide_narrow(const struct summary_state *state,
	const struct view_context *context, struct box area, int fact_count)
{
	struct summary_places places = {0};
	struct box rest = area;
	int facts = area.height / 3 + 1;
	places.facts = summary_take(&rest, facts < fact_count + 1 ? facts : fact_count + 1);
	if (context->profile->warning_count > 0 && rest.height >= 6)
		places.warnings = summary_take(&rest, 1);
	if (state->has_peak && rest.height >= 14)
		places.memory = summary_take(&rest, rest.height / 3);
	if (rest.height >= 16)
		places.stack = (struct box){rest.x, rest.y + rest.height - 5, rest.width, 5};
	rest.height -= places.stack.height;
	if (rest.height >= 10)
		places.total = (struct box){rest.x, rest.y + rest.height - rest.height / 2,
			rest.width, rest.height / 2};
	rest.height -= places.total.height;
	places.self = rest;
	return places;
}

static struct summary_places summary_divide(const struct summary_state *state,
	const struct view_context *context, struct box area, int fact_count)
{
	if (area.width >= SUMMARY_TWO_COLUMNS && area.height >= 12)
		return summary_divide_wide(state, context, area, fact_count);
	return summary_divide_narrow(state, context, area, fact_count);
}

/* ---- sections ---------------------------------------------------------------------- */

static void summary_heading(
	struct canvas *canvas, struct box area, const char *title, bool is_cursor)
{
	canvas_rule(canvas, area.x, area.y, area.width, title);
	if (!is_cursor)
		return;
	canvas_put(canvas, area.x + 1, area.y, ROLE_ACCENT, 0x25b8);
	canvas_look(canvas,
		(struct box){area.x + 2, area.y, text_width(title, strlen(title)) + 2, 1},
		LOOK_REVERSE | LOOK_BOLD);
}

static void summary_draw_facts(
	struct canvas *canvas, struct box area, const struct summary_facts *facts)
{
	int y = area.y;
	/* In the least room facts go without a heading and without labels. */
	bool is_tight = area.height < SUMMARY_TIGHT;
	if (!is_tight)
		canvas_rule(canvas, area.x, y++, area.width, "profile");
	for (int i = 0; i < facts->count && y < area.y + area.height; i++, y++) {
		const struct summary_fact *fact = &facts->facts[i];
		int label = area.width >= 36 ? SUMMARY_LABEL : 0;
		if (label)
			canvas_text(canvas, area.x + 1, y, label - 1, ROLE_DIM, fact->label);
		common_text(canvas, area.x + 1 + label, y, area.width - 2 - label, fact->role,
			fact->value);
	}
}

static void summary_draw_warnings(struct summary_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct profile *profile = context->profile;
	struct text *scratch = &state->scratch;
	for (int i = 0; i < area.height && (size_t)i < profile->warning_count; i++) {
		const char *message = profile->warnings[i].message;
		size_t hidden = profile->warning_count - (size_t)i - 1;
		text_clear(scratch);
		text_puts(scratch, "! ");
		text_clean(scratch, message, strlen(message), context->ascii);
		int room = area.width - 3;
		char more[40] = "";
		if (i + 1 == area.height && hidden > 0)
			snprintf(more, sizeof more, "  and %zu more", hidden);
		room -= (int)strlen(more);
		canvas_text(canvas, area.x + 2, area.y + i, room, ROLE_WARNING, scratch->data);
		canvas_text(
			canvas, area.x + 2 + room, area.y + i, (int)strlen(more), ROLE_DIM, more);
	}
	if (state->section == SUMMARY_WARNINGS && area.height > 0) {
		canvas_put(canvas, area.x, area.y, ROLE_WARNING, 0x25b8);
		canvas_look(canvas, area, LOOK_REVERSE | LOOK_BOLD);
	}
}

static void summary_settle_chart(
	struct summary_state *state, const struct view_context *context, int width, int height)
{
	if (state->has_chart && state->chart.width == width && state->chart.height == height &&
		state->is_absolute == context->is_absolute && state->series == context->series)
		return;
	if (state->has_chart)
		chart_free(&state->chart);
	const struct query *query = &context->query;
	state->bins =
		array_grow(state->bins, &state->bin_capacity, (size_t)width, sizeof *state->bins);
	state->bin_count = timeline_bins(context->pyramid, query->first, query->last, query->thread,
		state->bins, (size_t)width);
	state->chart = chart_layout(state->bins, state->bin_count, width, height, context->series,
		&context->clock, context->is_absolute, query->first, query->last);
	state->is_absolute = context->is_absolute;
	state->series = context->series;
	state->has_chart = true;
}

static void summary_chart_title(const struct summary_state *state,
	const struct view_context *context, char *title, size_t size, bool is_brief)
{
	char value[UNIT_SIZE];
	char moment[UNIT_SIZE];
	chart_moment(
		moment, &context->clock, state->peak.max_sample, context->is_absolute, 1000000000);
	units_value(value, state->peak.max, "bytes");
	if (is_brief)
		snprintf(title, size, "%s: peak %s at %s",
			context->query.thread >= 0 ? "thread" : "window", value, moment);
	else
		snprintf(title, size, "memory: peak %s at %s%s", value, moment,
			common_scope(context));
}

/* The memory chart with a mark at its peak. */
static void summary_draw_memory(struct summary_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	int width = area.width - CHART_LEFT - 1;
	int height = area.height - 1 - CHART_BOTTOM;
	if (width < 8 || height < 1)
		return;
	char title[40 + 2 * UNIT_SIZE];
	summary_chart_title(state, context, title, sizeof title, false);
	if (*common_scope(context) && text_width(title, strlen(title)) > area.width - 6)
		summary_chart_title(state, context, title, sizeof title, true);
	summary_heading(canvas, area, title, state->section == SUMMARY_MEMORY);
	summary_settle_chart(state, context, width, height);
	struct box chart = {area.x, area.y + 1, area.width, area.height - 1};
	common_chart(context, canvas, chart, &state->chart, state->bins, state->bin_count, true);
	size_t peak = 0;
	while (peak + 1 < state->bin_count && state->bins[peak].last <= state->peak.max_sample)
		peak++;
	int x = chart.x + CHART_LEFT + (int)peak;
	canvas_put(canvas, x, chart.y + height, ROLE_ACCENT, 0x25b2);
	if (state->section == SUMMARY_MEMORY)
		canvas_look(canvas, (struct box){x, chart.y, 1, height}, LOOK_REVERSE);
	canvas_text_right(canvas, chart.x, chart.y + height + 1, CHART_LEFT - 2, ROLE_DIM,
		state->chart.y_unit);
}

static void summary_draw_table(struct summary_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area, int which)
{
	const struct calltree *tree = context->tree;
	struct summary_table *table = &state->tables[which];
	enum summary_section section = which == 0 ? SUMMARY_SELF : SUMMARY_TOTAL;
	char title[120];
	char value[UNIT_SIZE];
	if (area.height < 2) {
		table->shown = 0;
		return;
	}
	snprintf(title, sizeof title, "top %s, %s%s", which == 0 ? "self" : "total",
		common_noun(tree), common_scope(context));
	canvas_rule(canvas, area.x, area.y, area.width, title);
	table->shown = table->count < area.height - 1 ? table->count : area.height - 1;
	int bar = area.width >= 60 ? 10 : 0;
	int name_x = area.x + 1 + SUMMARY_PERCENT + 1 + bar + (bar > 0);
	int room = area.x + area.width - 1 - name_x;
	int location = room >= 26 ? room * 9 / 20 : 0;
	int name = room - location - (location > 0);
	for (int i = 0; i < table->shown; i++) {
		const struct function_row *row = &table->rows[i];
		int64_t amount = which == 0 ? row->flat : row->cum;
		int y = area.y + 1 + i;
		canvas_text_right(canvas, area.x + 1, y, SUMMARY_PERCENT, ROLE_NUMBER,
			common_share(value, tree, amount));
		if (bar && tree->base)
			canvas_bar(canvas, area.x + 1 + SUMMARY_PERCENT + 1, y, bar,
				(double)amount / (double)tree->base, ROLE_BAR);
		int used = common_draw_name(
			context, canvas, name_x, y, name, ROLE_NORMAL, row->row, &state->scratch);
		if (location)
			common_draw_location(context, canvas, name_x + name + 1, y, location,
				row->row, &state->scratch);
		if (state->section == section && state->index == i)
			common_mark_row(canvas, area.x, (struct box){name_x, y, used, 1});
	}
}

uint32_t summary_stack_node(
	const struct summary_state *state, const struct view_context *context, int i)
{
	if (i < 0 || i >= state->stack_shown)
		return 0;
	uint32_t node = state->stack;
	for (int left = state->stack_shown - 1 - i; left > 0; left--)
		node = context->tree->parent[node];
	return node;
}

static void summary_draw_stack(struct summary_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	char title[120];
	char value[UNIT_SIZE];
	if (area.height < 2)
		return;
	if (state->has_peak) {
		snprintf(title, sizeof title, "what ran at the peak of %s%s",
			units_value(value, state->peak.max, "bytes"), common_scope(context));
	} else {
		const char *scope = common_scope(context);
		common_place_share(value, context->tree,
			state->stack ? context->tree->self[state->stack] : 0, context->tree->base);
		snprintf(title, sizeof title, "the heaviest stack, %s%s", value,
			*scope ? scope : " of all");
	}
	canvas_rule(canvas, area.x, area.y, area.width, title);
	struct box lines = {area.x, area.y + 1, area.width, area.height - 1};
	uint32_t marked = state->section == SUMMARY_STACK
				  ? summary_stack_node(state, context, state->index)
				  : 0;
	if (state->stack == 0)
		canvas_text(canvas, lines.x + 2, lines.y, lines.width - 2, ROLE_DIM,
			state->is_stack_filtered ? "(the filters leave it out)"
						 : "(no stack was recorded then)");
	else
		common_stack_marked(
			context, canvas, lines, state->stack, marked, ROLE_PREFIX, &state->scratch);
}

/* All warnings, from page_first on. */
static void summary_draw_page(struct summary_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct profile *profile = context->profile;
	char title[80] = "warnings";
	int y = area.y + 1;
	if (state->page_first >= profile->warning_count)
		state->page_first = profile->warning_count > 0 ? profile->warning_count - 1 : 0;
	if (state->page_first > 0)
		snprintf(title, sizeof title, "warnings, from number %zu of %zu on",
			state->page_first + 1, profile->warning_count);
	canvas_rule(canvas, area.x, area.y, area.width, title);
	for (size_t i = state->page_first; i < profile->warning_count && y < area.y + area.height;
		i++) {
		const char *message = profile->warnings[i].message;
		text_clear(&state->scratch);
		text_printf(&state->scratch, "%s: ", profile->warnings[i].class_name);
		text_clean(&state->scratch, message, strlen(message), context->ascii);
		y += common_wrap(canvas,
			(struct box){area.x + 1, y, area.width - 2, area.y + area.height - y},
			ROLE_NORMAL, state->scratch.data);
	}
}

bool summary_is_there(const struct summary_state *state, const struct summary_places *places,
	enum summary_section section)
{
	switch (section) {
	case SUMMARY_WARNINGS:
		return places->warnings.height > 0;
	case SUMMARY_MEMORY:
		return places->memory.height > 1;
	case SUMMARY_SELF:
	case SUMMARY_TOTAL:
	case SUMMARY_STACK:
	case SUMMARY_SECTIONS:
		break;
	}
	return summary_lines(state, section) > 0;
}

int summary_lines(const struct summary_state *state, enum summary_section section)
{
	if (section == SUMMARY_SELF || section == SUMMARY_TOTAL)
		return state->tables[section == SUMMARY_TOTAL].shown;
	return section == SUMMARY_STACK ? state->stack_shown : 1;
}

/* On a smaller screen what the cursor stood on may not be there. */
static void summary_settle_cursor(struct summary_state *state, const struct summary_places *places)
{
	if (!summary_is_there(state, places, state->section))
		state->section = SUMMARY_SELF;
	int lines = summary_lines(state, state->section);
	if (state->index >= lines)
		state->index = lines > 0 ? lines - 1 : 0;
}

struct summary_places summary_prepare(struct summary_state *state,
	const struct view_context *context, struct box area, struct summary_facts *facts)
{
	summary_settle(state, context);
	summary_collect(context, NULL, false, facts);
	struct summary_places places = summary_divide(state, context, area, facts->count);
	/* Without the chart its peak is a fact; without room only the facts of the run are. */
	if (places.memory.height == 0 || places.facts.height < SUMMARY_TIGHT)
		summary_collect(context,
			state->has_peak && places.memory.height == 0 ? &state->peak : NULL,
			places.facts.height < SUMMARY_TIGHT, facts);
	int heights[2] = {places.self.height, places.total.height};
	for (int i = 0; i < 2; i++) {
		int room = heights[i] > 0 ? heights[i] - 1 : 0;
		struct summary_table *table = &state->tables[i];
		table->shown = table->count < room ? table->count : room;
	}
	int skipped;
	state->stack_shown = state->stack == 0 || places.stack.height < 2
				     ? 0
				     : common_stack_frames(context->tree, state->stack,
					       places.stack.height - 1, &skipped);
	summary_settle_cursor(state, &places);
	return places;
}

void summary_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct summary_state *state = opaque;
	struct summary_facts facts;
	if (common_is_too_small(area))
		return;
	if (!context->profile || !context->tree) {
		common_empty(context, canvas, area);
		return;
	}
	struct summary_places places = summary_prepare(state, context, area, &facts);
	if (state->is_page) {
		summary_draw_page(state, context, canvas, area);
		return;
	}
	summary_draw_facts(canvas, places.facts, &facts);
	summary_draw_warnings(state, context, canvas, places.warnings);
	if (places.memory.height > 0)
		summary_draw_memory(state, context, canvas, places.memory);
	if (context->tree->samples == 0) {
		common_empty(context, canvas, places.self);
		return;
	}
	summary_draw_table(state, context, canvas, places.self, 0);
	summary_draw_table(state, context, canvas, places.total, 1);
	summary_draw_stack(state, context, canvas, places.stack);
}
