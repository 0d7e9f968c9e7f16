/* SPDX-License-Identifier: MIT */
/* The list of a folder's profiles: its cells. */
#include <stdio.h>
#include <string.h>

#include "view/files_state.h"

enum {
	FILES_KIND = 10, /* cells of the columns, the blank before them included */
	FILES_SHORT_KIND = 8,
	FILES_DATE = 18,
	FILES_SHORT_DATE = 13,
	FILES_NUMBER = 9,
	FILES_TOTAL = 12,
	FILES_NAME = 3, /* where names begin: behind pointer and mark */
	FILES_INDENT = 2,
	FILES_MOST_NAME = 60,
	OPEN_MARK = 0x25be,
	FOLDED_MARK = 0x25b8
};

/* ---- places ---------------------------------------------------------------------------- */

struct table_places files_divide(struct box area)
{
	return table_divide(area, files_detail_height(area));
}

/* What there is no room for goes, in the order of how little it says; the sorted one stays. */
struct files_columns files_choose_columns(const struct files_state *state, int width)
{
	const bool is_by_time = state->sort == FILES_BY_START;
	const bool is_by_size = state->sort == FILES_BY_SIZE;
	struct files_columns columns = {.name_x = FILES_NAME, .has_date = width >= 110};
	columns.kind = width >= 60 ? FILES_KIND : FILES_SHORT_KIND;
	columns.start = columns.has_date                             ? FILES_DATE
			: width >= 66 || (is_by_time && width >= 50) ? FILES_SHORT_DATE
								     : 0;
	columns.length =
		width >= 76 || (width >= 60 && state->sort == FILES_BY_LENGTH) ? FILES_NUMBER : 0;
	columns.samples = width >= 100 ? FILES_NUMBER + 1 : 0;
	columns.total = width >= 48 || (!is_by_time && !is_by_size) ? FILES_TOTAL : 0;
	columns.size = width >= 88 || (is_by_size && (width >= 60 || columns.total == 0))
			       ? FILES_NUMBER + 1
			       : 0;
	if (width < 48 && is_by_time)
		columns.start = FILES_SHORT_DATE;
	const int used = columns.kind + columns.start + columns.length + columns.samples +
			 columns.total + columns.size;
	columns.name = width - 1 - FILES_NAME - used;
	if (columns.name > FILES_MOST_NAME)
		columns.name = FILES_MOST_NAME;
	int x = columns.name_x + columns.name;
	columns.kind_x = x;
	columns.start_x = x += columns.kind;
	columns.length_x = x += columns.start;
	columns.samples_x = x += columns.length;
	columns.total_x = x += columns.samples;
	columns.size_x = x + columns.total;
	return columns;
}

/* ---- words ----------------------------------------------------------------------------- */

void files_add_time(struct text *out, const struct catalog_entry *entry, bool has_year)
{
	char clock[UNIT_SIZE];
	bool is_start;
	const int64_t ns = files_time(entry, &is_start);
	units_clock(clock, ns, is_start && entry->facts.has_offset, entry->facts.offset_s,
		INT64_C(1000000000), CLOCK_DATE_TIME, NULL);
	const size_t length = strlen(clock);
	const size_t year = strcspn(clock, "-") + 1;
	const size_t from = has_year || year >= length ? 0 : year;
	text_add(out, clock + from, length > from + 3 ? length - from - 3 : 0);
}

/* The name of an entry: its node in a job runner's folder. */
static void files_add_name(
	const struct view_context *context, const struct catalog_entry *entry, struct text *out)
{
	const char *name = entry->node && !context->full_names ? entry->node : entry->name;
	text_clean(out, name, strlen(name), context->ascii);
	if (entry->is_folder)
		text_puts(out, "/");
}

static void files_add_group_name(
	const struct view_context *context, uint32_t index, struct text *out)
{
	const struct catalog_group *group = &context->catalog->groups[index];
	const char *name = group->process && !context->full_names ? group->process
			   : *group->path                         ? group->path
								  : ".";
	text_clean(out, name, strlen(name), context->ascii);
	text_puts(out, "/");
}

/* What is in a profile, or as long as it was not read, what it is. */
static const char *files_kind(const struct catalog_entry *entry)
{
	if (entry->state == CATALOG_FAILED)
		return "unread";
	return entry->facts.values ? entry->facts.values : entry->format;
}

/* ---- head ------------------------------------------------------------------------------ */

static void files_draw_heading(const struct files_state *state, struct canvas *canvas,
	struct box box, const char *word, enum files_sort sort, bool is_right)
{
	table_draw_heading(canvas, box, word, state->sort == sort,
		state->is_reversed != (sort == FILES_BY_NAME), is_right);
}

static void files_draw_head(const struct files_state *state, struct canvas *canvas,
	const struct files_columns *columns, struct box area)
{
	const int y = area.y;
	files_draw_heading(state, canvas,
		(struct box){area.x + columns->name_x, y, columns->name, 1}, "NAME", FILES_BY_NAME,
		false);
	canvas_text(canvas, area.x + columns->kind_x + 1, y, columns->kind - 1, ROLE_DIM, "KIND");
	files_draw_heading(state, canvas,
		(struct box){area.x + columns->start_x, y, columns->start, 1}, "STARTED",
		FILES_BY_START, true);
	files_draw_heading(state, canvas,
		(struct box){area.x + columns->length_x, y, columns->length, 1}, "LENGTH",
		FILES_BY_LENGTH, true);
	canvas_text_right(
		canvas, area.x + columns->samples_x, y, columns->samples, ROLE_DIM, "SAMPLES");
	files_draw_heading(state, canvas,
		(struct box){area.x + columns->total_x, y, columns->total, 1}, "TOTAL",
		FILES_BY_TOTAL, true);
	files_draw_heading(state, canvas,
		(struct box){area.x + columns->size_x, y, columns->size, 1}, "SIZE", FILES_BY_SIZE,
		true);
	if (area.height >= 2)
		canvas_rule(canvas, area.x, y + 1, area.width, NULL);
}

/* ---- rows ------------------------------------------------------------------------------ */

static void files_draw_number(
	struct canvas *canvas, int x, int y, int width, const char *figure, bool is_known)
{
	/* A blank at least stays between two columns. */
	if (width > 1)
		canvas_text_right(canvas, x + 1, y, width - 1, is_known ? ROLE_NUMBER : ROLE_DIM,
			is_known ? figure : "-");
}

static void files_draw_figures(const struct files_state *state, struct canvas *canvas,
	const struct files_columns *columns, const struct catalog_entry *entry, struct box line)
{
	const struct catalog_facts *facts = &entry->facts;
	struct text time = {0};
	char figure[UNIT_SIZE];
	const int y = line.y;
	const bool is_read = entry->state == CATALOG_READ;
	(void)state;
	if (columns->start > 0) {
		files_add_time(&time, entry, columns->has_date);
		canvas_text_right(canvas, line.x + columns->start_x, y, columns->start,
			facts->has_start ? ROLE_NORMAL : ROLE_DIM, time.data);
	}
	files_draw_number(canvas, line.x + columns->length_x, y, columns->length,
		units_duration(figure, facts->duration_ns), facts->duration_ns >= 0);
	files_draw_number(canvas, line.x + columns->samples_x, y, columns->samples,
		units_count(figure, facts->samples), facts->samples >= 0);
	if (facts->peak_bytes >= 0)
		units_value(figure, facts->peak_bytes, "bytes");
	else if (is_read)
		units_value(figure, facts->total, facts->unit);
	files_draw_number(canvas, line.x + columns->total_x, y, columns->total, figure, is_read);
	files_draw_number(canvas, line.x + columns->size_x, y, columns->size,
		units_value(figure, entry->size, "bytes"), true);
	text_free(&time);
}

static void files_draw_entry(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, const struct files_columns *columns, size_t i, struct box line)
{
	const struct catalog_entry *entry = &context->catalog->entries[state->rows[i].index];
	const int indent = state->has_groups ? FILES_INDENT : 0;
	const bool is_open = files_is_open(context, entry);
	struct box name = {line.x + columns->name_x + indent, line.y, columns->name - indent, 1};
	enum role role = entry->state == CATALOG_FAILED ? ROLE_WARNING : ROLE_NORMAL;
	text_clear(&state->scratch);
	files_add_name(context, entry, &state->scratch);
	name.width = common_text(canvas, name.x, name.y, name.width,
		entry->is_hidden ? ROLE_DIM : ROLE_NORMAL, state->scratch.data);
	if (is_open)
		canvas_look(canvas, name, LOOK_BOLD);
	if (state->finder && files_matches(state->finder, entry, &state->scratch))
		canvas_look(canvas, name, LOOK_UNDERLINE | LOOK_BOLD);
	if (entry->state == CATALOG_FOUND)
		role = ROLE_DIM;
	common_text(canvas, line.x + columns->kind_x + 1, line.y, columns->kind - 1, role,
		files_kind(entry));
	files_draw_figures(state, canvas, columns, entry, line);
	if (files_mark(state, entry) > 0)
		canvas_put(canvas, line.x + 1, line.y, ROLE_ACCENT, '*');
	if (i == state->cursor)
		common_mark_row(canvas, line.x, name);
}

static void files_draw_group(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, const struct files_columns *columns, size_t i, struct box line)
{
	const struct files_row *row = &state->rows[i];
	const bool is_folded = files_is_folded(state, context->catalog, row->index);
	struct box name = {line.x + columns->name_x, line.y, columns->name, 1};
	char count[UNIT_SIZE];
	canvas_put(canvas, line.x + 1, line.y, ROLE_NORMAL, is_folded ? FOLDED_MARK : OPEN_MARK);
	text_clear(&state->scratch);
	files_add_group_name(context, row->index, &state->scratch);
	name.width =
		common_text(canvas, name.x, name.y, name.width, ROLE_HEADING, state->scratch.data);
	const int room = line.width - 1 - columns->kind_x - 1;
	canvas_printf(canvas, line.x + columns->kind_x + 1, line.y, room, ROLE_DIM, "%s profile%s",
		units_count(count, row->within), row->within == 1 ? "" : "s");
	if (i == state->cursor)
		common_mark_row(canvas, line.x, name);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void files_draw_nothing(const struct files_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct catalog *catalog = context->catalog;
	struct text words = {0};
	const char *why = "No profile here. u shows the folder above, . hidden files.";
	if (!context->folder)
		why = "The profile has no folder: it came from standard input.";
	else if (catalog && catalog->error)
		why = catalog->error;
	else if (!catalog || !catalog->is_found)
		why = "Reading the folder.";
	else if (state->pattern.length == 0 && catalog->count > 0)
		why = "No profile passes --filter and --project of the command line.";
	else if (state->pattern.length > 0)
		why = "No profile passes the filter. & changes it, Esc shows all of them.";
	text_clean(&words, why, strlen(why), context->ascii);
	const int above = area.height > 4 ? 1 : 0;
	common_wrap(canvas,
		(struct box){area.x + 2, area.y + above, area.width - 4, area.height - above},
		ROLE_NORMAL, words.data);
	text_free(&words);
}

void files_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area)
{
	struct files_state *state = opaque;
	if (common_is_too_small(area))
		return;
	const struct table_places places = files_divide(area);
	files_settle(state, context, &places);
	if (state->count == 0) {
		files_draw_nothing(state, context, canvas, area);
		return;
	}
	const struct files_columns columns = files_choose_columns(state, area.width);
	if (places.head.height > 0)
		files_draw_head(state, canvas, &columns, places.head);
	for (int line = 0; line < places.rows.height; line++) {
		const size_t i = state->scroll + (size_t)line;
		const struct box box = {places.rows.x, places.rows.y + line, places.rows.width, 1};
		if (i >= state->count)
			break;
		if (state->rows[i].is_group)
			files_draw_group(state, context, canvas, &columns, i, box);
		else
			files_draw_entry(state, context, canvas, &columns, i, box);
	}
	table_draw_edge(canvas, &places, state->scroll, state->count);
	if (places.detail.height > 1)
		files_draw_detail(state, context, canvas,
			(struct box){
				area.x, places.detail.y + 1, area.width, places.detail.height - 1});
}
