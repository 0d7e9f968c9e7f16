/* SPDX-License-Identifier: MIT */
#include "view/common.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { COMMON_MOST_FRAMES = 256, COMMON_MOST_NAME = 48 };

/* ---- words ------------------------------------------------------------------- */

void common_mark_line(struct canvas *canvas, struct box line)
{
	canvas_put(canvas, line.x, line.y, ROLE_NORMAL, 0x25b8);
	canvas_role(canvas, line, ROLE_NORMAL);
	canvas_look(canvas, line, LOOK_REVERSE | LOOK_BOLD);
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

int common_draw_name(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, enum role role, uint32_t row, struct text *scratch)
{
	text_clear(scratch);
	flame_name(context->tree, row, cells, context->ascii, scratch);
	return canvas_text(canvas, x, y, cells, role, scratch->data ? scratch->data : "");
}

int common_draw_location(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, uint32_t row, struct text *scratch)
{
	const char *location = common_location(context, row, false, scratch);
	const char *slash = strrchr(location, '/');
	if (text_width(location, strlen(location)) > cells && slash)
		location = slash + 1;
	size_t length = strlen(location);
	if (text_width(location, length) <= cells || cells < 4)
		return common_text(canvas, x, y, cells, ROLE_DIM, location);
	/* The end has the line. */
	while (text_width(location, length) > cells - 1) {
		uint32_t character;
		size_t bytes = utf8_decode(location, length, &character);
		bytes = bytes > 0 ? bytes : 1;
		location += bytes;
		length -= bytes;
	}
	canvas_put(canvas, x, y, ROLE_DIM, 0x2026);
	return 1 + canvas_text(canvas, x + 1, y, cells - 1, ROLE_DIM, location);
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
	common_wrap(canvas,
		(struct box){area.x + left, area.y + (area.height > 2 ? area.height / 3 : 0), room,
			area.height},
		ROLE_NORMAL, why);
	return true;
}

char *common_value(char out[UNIT_SIZE], const struct calltree *tree, int64_t value)
{
	return units_value(out, value, tree->profile->types[tree->query.type].unit);
}

const char *common_noun(const struct calltree *tree)
{
	const struct value_type *type = &tree->profile->types[tree->query.type];
	if (strcmp(type->name, "time") == 0)
		return tree->profile->is_realtime ? "time" : "CPU time";
	return type->name;
}

const char *common_explanation(const struct calltree *tree)
{
	switch (tree->profile->types[tree->query.type].source) {
	case VALUE_RISE:
		return "Growth is how much more memory the process had than one sample before; it is "
		       "credited to the stack of the later sample, and falls do not count.";
	case VALUE_TIME:
		return "Time is samples times the period.";
	case VALUE_WEIGHT:
	case VALUE_COLUMN:
		break;
	}
	return "";
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

/* ---- stacks ------------------------------------------------------------------ */

uint32_t common_path(
	const struct calltree *tree, uint32_t above, uint32_t node, uint32_t *path, uint32_t most)
{
	uint32_t count = 0;
	for (uint32_t at = node; at != above && at != 0; at = tree->parent[at])
		count++;
	uint32_t kept = count < most ? count : most;
	for (uint32_t i = kept; i-- > 0; node = tree->parent[node])
		path[i] = node;
	return count;
}

static const char *common_arrow(const struct view_context *context)
{
	return context->ascii ? " > " : " \u203a ";
}

static const char *common_dots(const struct view_context *context)
{
	return context->ascii ? ".." : "\u2026";
}

/* The frame right below `above` on the way to `node`. */
static uint32_t common_first_below(const struct calltree *tree, uint32_t above, uint32_t node)
{
	while (tree->parent[node] != above && tree->parent[node] != 0)
		node = tree->parent[node];
	return node;
}

/* How many frames at the end of path[count] fit into `cells`, each with an arrow before it. */
static uint32_t common_tail_that_fits(const struct view_context *context, const uint32_t *path,
	uint32_t count, int cells, struct text *scratch)
{
	uint32_t fits = 0;
	size_t start = scratch->length;
	while (fits < count) {
		row_name(context->tree, context->tree->row[path[count - 1 - fits]], context->ascii,
			scratch);
		cells -= 3 + text_width(scratch->data + start, scratch->length - start);
		scratch->length = start;
		scratch->data[start] = '\0';
		if (cells < 0)
			break;
		fits++;
	}
	return fits;
}

void common_chain(const struct view_context *context, uint32_t above, uint32_t node, int cells,
	struct text *out)
{
	const struct calltree *tree = context->tree;
	uint32_t path[COMMON_MOST_FRAMES];
	uint32_t count = common_path(tree, above, node, path, COMMON_MOST_FRAMES);
	uint32_t kept = count < COMMON_MOST_FRAMES ? count : COMMON_MOST_FRAMES;
	if (count == 0 || cells < 1)
		return;
	size_t start = out->length;
	text_puts(out, "");
	uint32_t first = common_first_below(tree, above, node);
	uint32_t shown = common_tail_that_fits(context, path, kept, cells + 3, out);
	if (shown < count) {
		row_name(tree, tree->row[first], context->ascii, out);
		int used = text_width(out->data + start, out->length - start);
		int dots = 3 + text_width(common_dots(context), strlen(common_dots(context)));
		uint32_t room =
			common_tail_that_fits(context, path, kept, cells - used - dots, out);
		if (room == 0) { /* the innermost frame says most */
			out->length = start;
			shown = 1;
			text_puts(out, common_dots(context));
			text_puts(out, common_arrow(context));
		} else {
			shown = room;
			text_puts(out, common_arrow(context));
			text_puts(out, common_dots(context));
			text_puts(out, common_arrow(context));
		}
	}
	for (uint32_t i = kept - shown; i < kept; i++) {
		row_name(tree, tree->row[path[i]], context->ascii, out);
		if (i + 1 < kept)
			text_puts(out, common_arrow(context));
	}
}

int common_stack(const struct view_context *context, struct canvas *canvas, struct box area,
	uint32_t node, enum role role, struct text *scratch)
{
	uint32_t path[COMMON_MOST_FRAMES];
	uint32_t most =
		area.height < COMMON_MOST_FRAMES ? (uint32_t)area.height : COMMON_MOST_FRAMES;
	if (area.height < 1)
		return 0;
	uint32_t count = common_path(context->tree, 0, node, path, most);
	uint32_t shown = count < most ? count : most;
	int lines = 0;
	if (shown < count) {
		shown = most - 1;
		canvas_printf(canvas, area.x, area.y, area.width, ROLE_DIM, "   %s %u more above",
			common_dots(context), count - shown);
		lines = 1;
	}
	uint32_t first = (count < most ? count : most) - shown;
	int name_cells = area.width < 44 ? area.width - 7 : (area.width - 8) * 9 / 20;
	if (name_cells > COMMON_MOST_NAME)
		name_cells = COMMON_MOST_NAME;
	for (uint32_t i = 0; i < shown; i++, lines++) {
		uint32_t row = context->tree->row[path[first + i]];
		int y = area.y + lines;
		canvas_printf(
			canvas, area.x, y, 4, ROLE_DIM, "%4u", (count - shown + i + 1) % 10000);
		canvas_put(canvas, area.x + 5, y, role, context->ascii ? '|' : 0x258c);
		int used = common_draw_name(
			context, canvas, area.x + 7, y, name_cells, role, row, scratch);
		int place = area.x + 7 + (used < name_cells ? name_cells : used) + 1;
		common_draw_location(
			context, canvas, place, y, area.x + area.width - place, row, scratch);
	}
	return lines;
}

/* ---- colours ----------------------------------------------------------------- */

const char *common_colouring_name(enum colouring colouring)
{
	static const char *const names[COLOURING_COUNT] = {"module", "name", "self", "none"};
	return names[colouring];
}

/*
 * What a frame belongs to: its module where it has one, else the last two parts of its file's path,
 * which are the same on every machine.
 */
static uint64_t common_module_hash(const struct calltree *tree, const struct row *row)
{
	size_t length;
	const char *module = profile_string(tree->profile, row->module, &length);
	if (length > 0)
		return hash_bytes(module, length);
	const char *file = profile_string(tree->profile, row->file, &length);
	size_t start = length;
	for (int slashes = 0; start > 0; start--)
		if (file[start - 1] == '/' && ++slashes == 2)
			break;
	return hash_bytes(file + start, length - start);
}

static uint64_t common_name_hash(const struct calltree *tree, const struct row *row)
{
	size_t length;
	const char *name = profile_string(tree->profile, row->name, &length);
	return length > 0 ? hash_bytes(name, length) : hash_u64(row->address);
}

/* Five steps of self time, from cold to hot, as hues of the theme. */
static int common_heat(const struct calltree *tree, uint32_t node)
{
	static const int hues[] = {0, 2, 4, 1, 5};
	double share =
		tree->total[node] > 0 ? (double)tree->self[node] / (double)tree->total[node] : 0;
	int step = share < 0.02 ? 0 : share < 0.2 ? 1 : share < 0.5 ? 2 : share < 0.8 ? 3 : 4;
	return hues[step];
}

enum role common_frame_role(const struct calltree *tree, uint32_t node, enum colouring colouring,
	enum role beside, enum role above)
{
	const struct row *row = &tree->rows[tree->row[node]];
	bool has_no_source = row->kind == CODE_NATIVE || row->kind == CODE_UNKNOWN ||
			     row->kind == CODE_GC || row->kind == CODE_TRACING ||
			     row->kind == CODE_ASSEMBLER;
	if (colouring == COLOUR_BY_NOTHING)
		return ROLE_NORMAL;
	if (has_no_source || tree->row[node] == 0)
		return ROLE_FRAME_GREY;
	uint64_t name = hash_u64(common_name_hash(tree, row));
	int hue = (int)(name % FRAME_HUES);
	if (colouring == COLOUR_BY_MODULE)
		hue = (int)(hash_u64(common_module_hash(tree, row)) % FRAME_HUES);
	else if (colouring == COLOUR_BY_SELF)
		hue = common_heat(tree, node);
	int role = ROLE_FRAME_FIRST + hue * 2 + (int)(name >> 40 & 1);
	int other = ROLE_FRAME_FIRST + ((role - ROLE_FRAME_FIRST) ^ 1); /* its other shade */
	if (role == (int)beside || (role == (int)above && other != (int)beside))
		role = other;
	return (enum role)role;
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
	uint32_t node = context->profile->sample_stack[sample];
	if (tree->node_of_stack)
		node = tree->node_of_stack[node];
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
