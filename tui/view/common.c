/* SPDX-License-Identifier: MIT */
#include "view/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "query/pattern.h"

/* ---- words ------------------------------------------------------------------- */

void common_mark_row(struct canvas *canvas, int left, struct box name)
{
	canvas_put(canvas, left, name.y, ROLE_NORMAL, 0x25b8);
	canvas_look(canvas, (struct box){left, name.y, 1, 1}, LOOK_BOLD);
	canvas_role(canvas, name, ROLE_NORMAL);
	canvas_look(canvas, name, LOOK_REVERSE | LOOK_BOLD);
}

int common_text(struct canvas *canvas, int x, int y, int cells, enum role role, const char *text)
{
	int width;
	size_t length = strlen(text);
	if (text_fit(text, length, cells, &width) == length)
		return canvas_text(canvas, x, y, cells, role, text);
	if (cells < 2)
		return canvas_text(canvas, x, y, cells, role, text);
	int used = canvas_text(canvas, x, y, cells - 1, role, text);
	canvas_put(canvas, x + used, y, role, 0x2026);
	return used + 1;
}

int common_look(const struct view_context *context, uint32_t row)
{
	const struct search *search = context->search;
	bool is_hit = search && search->hits && context->tree && row < context->tree->row_count &&
		      search->hits[row];
	return is_hit ? LOOK_UNDERLINE | LOOK_BOLD : 0;
}

int common_draw_name(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, enum role role, uint32_t row, struct text *scratch)
{
	text_clear(scratch);
	flame_name(context->tree, row, cells, context->ascii, scratch);
	int used = canvas_text(canvas, x, y, cells, role, scratch->data ? scratch->data : "");
	canvas_look(canvas, (struct box){x, y, used, 1}, common_look(context, row));
	return used;
}

int common_text_end(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text)
{
	size_t length = strlen(text);
	if (text_width(text, length) <= cells || cells < 4)
		return common_text(canvas, x, y, cells, role, text);
	while (text_width(text, length) > cells - 1) {
		uint32_t character;
		size_t bytes = utf8_decode(text, length, &character);
		bytes = bytes > 0 ? bytes : 1;
		text += bytes;
		length -= bytes;
	}
	canvas_put(canvas, x, y, role, 0x2026);
	return 1 + canvas_text(canvas, x + 1, y, cells - 1, role, text);
}

int common_draw_location(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, uint32_t row, struct text *scratch)
{
	const char *location = common_location(context, row, false, scratch);
	const char *slash = strrchr(location, '/');
	bool fits = text_width(location, strlen(location)) <= cells;
	if (!fits && slash && !context->full_names)
		location = slash + 1;
	return common_text_end(canvas, x, y, cells, ROLE_DIM, location);
}

int common_wrap(struct canvas *canvas, struct box area, enum role role, const char *text)
{
	int lines = 0;
	while (*text && lines < area.height) {
		int width;
		size_t length = strlen(text);
		size_t fits = text_fit(text, length, area.width, &width);
		if (fits == 0)
			break;
		if (fits < length) {
			size_t blank = fits;
			while (blank > 0 && text[blank] != ' ')
				blank--;
			if (blank > 0)
				fits = blank;
		}
		char line[512];
		size_t shown = fits < sizeof line ? fits : sizeof line - 1;
		memcpy(line, text, shown);
		line[shown] = '\0';
		canvas_text(canvas, area.x, area.y + lines++, area.width, role, line);
		text += fits;
		while (*text == ' ')
			text++;
	}
	return lines;
}

bool common_is_too_small(struct box area)
{
	return area.width < VIEW_LEAST_WIDTH || area.height < VIEW_LEAST_HEIGHT;
}

bool common_empty(const struct view_context *context, struct canvas *canvas, struct box area)
{
	const char *why = NULL;
	const struct profile *profile = context->profile;
	if (!profile || !context->tree)
		why = context->is_loading ? "Reading: there is nothing to show yet."
					  : "There is nothing to show.";
	else if (context->query.first >= context->query.last && profile->sample_count > 0)
		why = "No sample lies in this time window.";
	else if (context->tree->samples == 0 && profile->sample_count > 0)
		why = "No sample passes the filters.";
	else if (profile->sample_count == 0)
		why = "This profile has no samples: the program ran for less than one period, or "
		      "was never sampled.";
	if (!why)
		return false;
	int room = area.width > 60 ? 60 : area.width;
	int length = text_width(why, strlen(why));
	int left = length < room ? (area.width - length) / 2 : (area.width - room) / 2;
	int above = area.height > 2 ? area.height / 3 : 0;
	common_wrap(canvas, (struct box){area.x + left, area.y + above, room, area.height - above},
		ROLE_NORMAL, why);
	return true;
}

char *common_smart_case(const char *text)
{
	bool has_upper = false;
	for (const char *c = text; *c; c++) {
		if (*c == '\\' && c[1])
			c++; /* \W and \S are no letters of a name */
		else if (*c >= 'A' && *c <= 'Z')
			has_upper = true;
	}
	struct text pattern = {0};
	text_puts(&pattern, has_upper ? "" : "(?i)");
	text_puts(&pattern, text);
	return pattern.data;
}

uint8_t *common_match(const struct calltree *tree, const char *pattern, struct vp_error *err)
{
	size_t count;
	char *smart = common_smart_case(pattern);
	uint32_t *rows = rows_matching(tree, smart, &count, err);
	free(smart);
	if (!rows) {
		/* The message is to speak of what was typed. */
		pattern_free(pattern_compile(pattern, err));
		return NULL;
	}
	uint8_t *matches = memory_new(tree->row_count, sizeof *matches);
	for (size_t i = 0; i < count; i++)
		matches[rows[i]] = 1;
	free(rows);
	return matches;
}

const char *common_name(const struct view_context *context, uint32_t row, struct text *scratch)
{
	text_clear(scratch);
	row_name(context->tree, row, context->ascii, scratch);
	return scratch->data ? scratch->data : "";
}

const char *common_location(
	const struct view_context *context, uint32_t row, bool full, struct text *scratch)
{
	text_clear(scratch);
	/* At this granularity the name is the file. */
	if (row != 0 && context->tree->query.granularity != BY_FILE)
		row_location(
			context->tree, row, full || context->full_names, context->ascii, scratch);
	return scratch->data ? scratch->data : "";
}

int64_t common_step(const struct clock *clock, uint64_t samples)
{
	if (clock->samples == 0 || clock->kind == TIME_NONE)
		return 1;
	double step = (double)clock->length_ns / (double)clock->samples * (double)samples;
	return step < 1 ? 1 : step > 9e18 ? INT64_MAX : (int64_t)step;
}

uint64_t common_name_hash(const struct calltree *tree, const struct row *row)
{
	size_t length;
	const char *name = profile_string(tree->profile, row->name, &length);
	return length > 0 ? hash_bytes(name, length) : hash_u64(row->address);
}

enum role common_role_at(const struct canvas *canvas, int x, int y)
{
	if (x < 0 || x >= canvas->width || y < 0 || y >= canvas->height)
		return ROLE_NORMAL;
	return (enum role)canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x].role;
}

/* ---- finding things ---------------------------------------------------------- */

uint64_t common_row_hash(const struct calltree *tree, uint32_t row)
{
	const struct row *r = &tree->rows[row];
	size_t length;
	const char *file = profile_string(tree->profile, r->file, &length);
	return hash_u64(common_name_hash(tree, r)) ^ hash_u64(hash_bytes(file, length) + r->line);
}

uint32_t common_largest_node(const struct calltree *tree, uint32_t row)
{
	uint32_t best = 0;
	for (uint32_t node = 1; node < tree->node_count; node++)
		if (tree->row[node] == row && (best == 0 || tree->total[node] > tree->total[best]))
			best = node;
	return best;
}

uint32_t common_node_of_sample(const struct view_context *context, int64_t sample)
{
	const struct calltree *tree = context->tree;
	if (sample < 0 || (uint64_t)sample >= context->profile->sample_count)
		return 0;
	const uint32_t node = calltree_node_of_sample(tree, (uint64_t)sample);
	return node == NODE_DROPPED ? 0 : node;
}

int64_t common_sample_of_node(const struct view_context *context, uint32_t node)
{
	const struct calltree *tree = context->tree;
	const struct profile *profile = context->profile;
	bool has_memory = profile_has_memory(profile);
	int64_t best = -1;
	int64_t most = 0;
	for (uint64_t i = context->query.first; i < context->query.last; i++) {
		uint32_t at = common_node_of_sample(context, (int64_t)i);
		bool is_there = at >= node && at < tree->end[node];
		bool is_chosen = context->query.thread < 0 || !profile->sample_thread ||
				 profile->sample_thread[i] == (uint32_t)context->query.thread;
		if (!is_there || !is_chosen)
			continue;
		if (!has_memory)
			return (int64_t)i;
		int64_t memory = profile_memory_kib(profile, (size_t)i);
		if (best < 0 || memory > most) {
			best = (int64_t)i;
			most = memory;
		}
	}
	return best;
}

/* ---- charts ------------------------------------------------------------------ */

static void common_chart_cells(const struct view_context *context, struct canvas *canvas,
	struct box area, const struct chart *chart)
{
	static const enum role roles[] = {
		[INK_NONE] = ROLE_NORMAL,
		[INK_MEAN] = ROLE_MEAN,
		[INK_MAX] = ROLE_MAX,
		[INK_MEAN_ON_MAX] = ROLE_MEAN_ON_MAX,
	};
	for (int y = 0; y < chart->height; y++) {
		for (int x = 0; x < chart->width; x++) {
			struct chart_cell cell = chart->cells[y * chart->width + x];
			if (cell.ink != INK_NONE)
				canvas_put(canvas, area.x + CHART_LEFT + x, area.y + y,
					roles[cell.ink],
					chart_glyph(cell, context->ascii, context->no_eighths));
		}
	}
}

static void common_y_axis(
	struct canvas *canvas, struct box area, const struct chart *chart, int left)
{
	for (int y = 0; y < chart->height; y++)
		canvas_put(canvas, left, area.y + y, ROLE_RULE, 0x2502);
	for (int i = 0; i < chart->y_count; i++) {
		int y = area.y + chart->y[i].position;
		canvas_text_right(canvas, area.x, y, CHART_LEFT - 2, ROLE_DIM, chart->y[i].text);
		if (chart->y[i].position < chart->height)
			canvas_put(canvas, left, y, ROLE_RULE, 0x2524);
	}
}

void common_chart(const struct view_context *context, struct canvas *canvas, struct box area,
	const struct chart *chart, const struct bin *bins, size_t count, bool has_values)
{
	int axis = area.y + chart->height;
	int left = area.x + CHART_LEFT - 1;
	if (has_values) {
		common_chart_cells(context, canvas, area, chart);
		common_y_axis(canvas, area, chart, left);
	}
	canvas_put(canvas, left, axis, ROLE_RULE, 0x2514);
	canvas_fill(canvas, (struct box){left + 1, axis, chart->width, 1}, ROLE_RULE, 0x2500);
	for (size_t i = 0; i < count; i++)
		if (bins[i].count == 0)
			canvas_put(canvas, left + 1 + (int)i, axis, ROLE_RULE, 0xb7);
	for (int i = 0; i < chart->x_count; i++) {
		canvas_put(canvas, left + 1 + chart->x[i].position, axis, ROLE_RULE, 0x252c);
		int column = chart_label_column(chart, i);
		canvas_text(canvas, left + 1 + column, axis + 1, chart->width - column, ROLE_DIM,
			chart->x[i].text);
	}
	if (context->clock.is_estimate && chart->x_count > 0)
		canvas_put(canvas, left - 1, axis + 1, ROLE_DIM, '~');
}
