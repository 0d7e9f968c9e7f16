/* SPDX-License-Identifier: MIT */
/* The list of a folder's profiles: what is said of the selected one. */
#include <string.h>

#include "view/files_state.h"

enum {
	DETAIL_LINES = 4,             /* the rule included */
	DETAIL_TOP = CATALOG_TOP + 1, /* the hottest functions, with their head */
	DETAIL_WIDE = 120, /* from here on they stand beside the words, else below them */
	DETAIL_WIDE_HEIGHT = 16,
	DETAIL_TALL_HEIGHT = 26,
	DETAIL_SAMPLES = 18, /* cells */
	DETAIL_SHARE = 8,
	DETAIL_VALUE = 12
};

static bool files_is_wide(struct box area)
{
	return area.width >= DETAIL_WIDE && area.height >= DETAIL_WIDE_HEIGHT;
}

int files_detail_height(struct box area)
{
	if (files_is_wide(area))
		return 1 + DETAIL_TOP;
	if (area.height >= DETAIL_TALL_HEIGHT)
		return DETAIL_LINES + DETAIL_TOP;
	return area.height >= DETAIL_WIDE_HEIGHT ? DETAIL_LINES : area.height >= 12 ? 2 : 0;
}

/* ---- words -------------------------------------------------------------------------------- */

/* "cpu, pprof   4.39 s   1.77 s of cpu   started 2026-11-30 09:01" */
static void files_add_facts(const struct catalog_entry *entry, int width, struct text *out)
{
	const struct catalog_facts *facts = &entry->facts;
	char figure[UNIT_SIZE];
	text_puts(out, entry->format[0] ? entry->format : "unknown format");
	if (entry->state == CATALOG_FOUND)
		text_puts(out, "   being read");
	if (facts->type && strcmp(facts->unit, "count") == 0)
		text_printf(out, "   %s %s", units_count(figure, facts->total), facts->type);
	else if (facts->type)
		text_printf(out, "   %s of %s", units_value(figure, facts->total, facts->unit),
			facts->type);
	if (facts->peak_bytes >= 0)
		text_printf(out, "   peak %s", units_value(figure, facts->peak_bytes, "bytes"));
	if (facts->duration_ns >= 0)
		text_printf(out, "   in %s", units_duration(figure, facts->duration_ns));
	text_printf(out, "   %s", facts->has_start ? "started " : "written ");
	files_add_time(out, entry, true);
	text_printf(out, "   %s", units_value(figure, entry->size, "bytes"));
	/* Known from the list, too, where there is no room for it here. */
	const bool is_said = facts->type && strcmp(facts->type, "samples") == 0;
	if (facts->samples < 0 || is_said ||
		text_width(out->data, out->length) + DETAIL_SAMPLES > width)
		return;
	text_printf(out, "   %s sample%s", units_count(figure, facts->samples),
		facts->samples == 1 ? "" : "s");
}

/* What a file says of itself, or what is wrong with it. */
static void files_add_words(
	const struct view_context *context, const struct catalog_entry *entry, struct text *out)
{
	const struct catalog_facts *facts = &entry->facts;
	if (entry->error) {
		text_clean(out, entry->error, strlen(entry->error), context->ascii);
		return;
	}
	if (facts->project)
		text_clean(out, facts->project, strlen(facts->project), context->ascii);
	if (facts->top_level_function) {
		text_puts(out, facts->project ? ", " : "");
		text_clean(out, facts->top_level_function, strlen(facts->top_level_function),
			context->ascii);
	}
	if (out->length > 0)
		text_puts(out, "   ");
	if (facts->is_truncated)
		text_puts(out, "not closed or cut off: what was read is shown   ");
	if (facts->warning_count > 0)
		text_printf(out, "%zu warning%s   ", facts->warning_count,
			facts->warning_count == 1 ? "" : "s");
}

/* The whole path of a group: its name alone may be there twice. */
static void files_add_group_words(
	const struct view_context *context, const struct files_row *row, struct text *out)
{
	const char *folder = context->catalog->folder;
	const char *path = context->catalog->groups[row->index].path;
	text_clean(out, folder, strlen(folder), context->ascii);
	if (*path && out->length > 0 && out->data[out->length - 1] != '/')
		text_puts(out, "/");
	text_clean(out, path, strlen(path), context->ascii);
}

static void files_draw_words(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct catalog_entry *entry = files_selected(state, context);
	struct text *words = &state->scratch;
	const int width = area.width - 2;
	text_clear(words);
	if (!entry) {
		files_add_group_words(context, &state->rows[state->cursor], words);
		common_text_end(canvas, area.x + 1, area.y, width, ROLE_NORMAL, words->data);
		return;
	}
	const bool is_short = area.height < 2;
	if (is_short && entry->error)
		text_clean(words, entry->error, strlen(entry->error), context->ascii);
	else
		text_clean(words, entry->path, strlen(entry->path), context->ascii);
	if (is_short && entry->error)
		common_text(canvas, area.x + 1, area.y, width, ROLE_WARNING, words->data);
	else
		common_text_end(canvas, area.x + 1, area.y, width, ROLE_NORMAL, words->data);
	if (is_short)
		return;
	text_clear(words);
	files_add_facts(entry, area.height >= DETAIL_LINES ? 2 * width : width, words);
	int lines = 1;
	if (area.height >= DETAIL_LINES)
		lines = common_wrap(canvas, (struct box){area.x + 1, area.y + 1, width, 2},
			ROLE_DIM, words->data);
	else
		common_text(canvas, area.x + 1, area.y + 1, width, ROLE_DIM, words->data);
	text_clear(words);
	files_add_words(context, entry, words);
	if (words->length > 0)
		common_text(canvas, area.x + 1, area.y + 1 + lines, width,
			entry->error ? ROLE_WARNING : ROLE_NORMAL, words->data);
}

/* ---- the hottest functions ------------------------------------------------------------------ */

static void files_draw_top(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area, const struct catalog_entry *entry)
{
	const struct catalog_facts *facts = &entry->facts;
	const int value_x = area.x + DETAIL_SHARE + 1, name_x = value_x + DETAIL_VALUE + 2;
	const int cells = area.x + area.width - 1 - name_x;
	if (entry->state == CATALOG_FOUND)
		canvas_text(canvas, area.x + 1, area.y, area.width - 1, ROLE_DIM, "being read");
	if (facts->top_count == 0)
		return;
	canvas_text_right(canvas, area.x, area.y, DETAIL_SHARE, ROLE_HEADING, "SELF%");
	canvas_text_right(canvas, value_x, area.y, DETAIL_VALUE, ROLE_HEADING, "SELF");
	canvas_text(canvas, name_x, area.y, cells, ROLE_HEADING, "FUNCTION");
	for (unsigned i = 0; i < facts->top_count && (int)i + 1 < area.height; i++) {
		const struct catalog_function *function = &facts->top[i];
		const int y = area.y + 1 + (int)i;
		canvas_text_right(canvas, area.x, y, DETAIL_SHARE, ROLE_NUMBER, function->share);
		canvas_text_right(canvas, value_x, y, DETAIL_VALUE, ROLE_NUMBER, function->value);
		text_clear(&state->scratch);
		text_clean(&state->scratch, function->name, strlen(function->name), context->ascii);
		common_text(canvas, name_x, y, cells, ROLE_NORMAL, state->scratch.data);
	}
}

void files_draw_detail(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	const struct catalog_entry *entry = files_selected(state, context);
	const bool is_beside = area.height == DETAIL_TOP && area.width >= DETAIL_WIDE;
	struct box words = area, top = area;
	if (is_beside) {
		words.width = area.width / 2;
		top.x += words.width;
		top.width -= words.width;
	} else {
		words.height = area.height < DETAIL_LINES ? area.height : DETAIL_LINES - 1;
		top.y += DETAIL_LINES - 1;
		top.height -= DETAIL_LINES - 1;
	}
	files_draw_words(state, context, canvas, words);
	if (entry && top.height >= DETAIL_TOP)
		files_draw_top(state, context, canvas, top, entry);
}
