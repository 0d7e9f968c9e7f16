/* SPDX-License-Identifier: MIT */
#include "report/catalog.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"

const char report_catalog_description[] = "the profiles of a folder, with a summary of each";

/* The entries that pass, by path; *count; free() it. */
static uint32_t *catalog_rows(
	const struct catalog *catalog, const struct catalog_filter *filter, size_t *count)
{
	uint32_t *order = catalog_by_path(catalog);
	*count = 0;
	for (size_t i = 0; i < catalog->count; i++)
		if (catalog_passes(catalog, filter, &catalog->entries[order[i]]))
			order[(*count)++] = order[i];
	return order;
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *catalog_json_start(const struct catalog_facts *facts)
{
	char text[UNIT_SIZE];
	if (!facts->has_start)
		return json_null();
	return json_string(units_iso8601(text, facts->start_ns,
		facts->has_offset ? facts->offset_s : units_local_offset(facts->start_ns)));
}

static json_t *catalog_json_entry(const struct catalog *catalog, const struct catalog_entry *entry)
{
	const struct catalog_facts *facts = &entry->facts;
	const char *process = catalog->groups[entry->group].process;
	json_t *o = json_object();
	json_object_set_new(o, "path", parts_string_or_null(entry->path));
	json_object_set_new(o, "project", parts_string_or_null(facts->project));
	json_object_set_new(
		o, "top_level_function", parts_string_or_null(facts->top_level_function));
	json_object_set_new(
		o, "format", parts_string_or_null(entry->format[0] ? entry->format : NULL));
	json_object_set_new(o, "start", catalog_json_start(facts));
	json_object_set_new(
		o, "start_unix_ns", parts_integer_or_null(facts->start_ns, facts->has_start));
	json_object_set_new(o, "duration_ns",
		parts_integer_or_null(facts->duration_ns, facts->duration_ns >= 0));
	json_object_set_new(
		o, "peak_bytes", parts_integer_or_null(facts->peak_bytes, facts->peak_bytes >= 0));
	json_object_set_new(o, "size", json_integer(entry->size));
	json_object_set_new(o, "error", parts_string_or_null(entry->error));
	json_object_set_new(o, "process", parts_string_or_null(process));
	json_object_set_new(o, "node", parts_string_or_null(entry->node));
	json_object_set_new(o, "kind", parts_string_or_null(entry->kind));
	json_object_set_new(o, "values", parts_string_or_null(facts->values));
	json_object_set_new(
		o, "samples", parts_integer_or_null(facts->samples, facts->samples >= 0));
	json_object_set_new(o, "type", parts_string_or_null(facts->type));
	json_object_set_new(o, "unit", parts_string_or_null(facts->unit));
	json_object_set_new(o, "total", parts_integer_or_null(facts->total, facts->type != NULL));
	json_object_set_new(o, "truncated",
		entry->state == CATALOG_READ ? json_boolean(facts->is_truncated) : json_null());
	json_object_set_new(o, "mtime_unix_ns", json_integer(entry->mtime_ns));
	return o;
}

static void catalog_json(
	const struct catalog *catalog, const struct catalog_filter *filter, struct text *out)
{
	size_t count;
	uint32_t *rows = catalog_rows(catalog, filter, &count);
	json_t *object = json_object(), *profiles = json_array(), *warnings = json_array();
	json_object_set_new(object, "vptop", json_integer(1));
	json_object_set_new(object, "report", json_string("catalog"));
	json_object_set_new(object, "folder", parts_string_or_null(catalog->folder));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(
			profiles, catalog_json_entry(catalog, &catalog->entries[rows[i]]));
	json_object_set_new(object, "profiles", profiles);
	if (catalog->limit)
		json_array_append_new(warnings,
			json_pack("{s:s, s:s}", "class", "limit", "message", catalog->limit));
	json_object_set_new(object, "warnings", warnings);
	report_write_json(object, out);
	json_decref(object);
	free(rows);
}

/* ---- text ------------------------------------------------------------------------ */

enum { CATALOG_PEAK = 7, CATALOG_PROJECT = 9, CATALOG_COLUMNS = 10 };

static const struct table_column catalog_columns[CATALOG_COLUMNS] = {
	{"PROFILE", COLUMN_PLACE, 38, 0},
	{"KIND", COLUMN_TEXT, 7, 0},
	{"FORMAT", COLUMN_TEXT, 6, 6},
	{"STARTED", COLUMN_NUMBER, 0, 4},
	{"LENGTH", COLUMN_NUMBER, 0, 1},
	{"SAMPLES", COLUMN_NUMBER, 0, 5},
	{"TOTAL", COLUMN_NUMBER, 0, 0},
	{"PEAK", COLUMN_NUMBER, 0, 2},
	{"SIZE", COLUMN_NUMBER, 0, 3},
	{"PROJECT", COLUMN_TEXT, 8, 7},
};

/* The cell of a text of the file, or of "-". */
static void catalog_cell(struct table *table, const char *s, bool ascii)
{
	if (s)
		text_clean(&table->pool, s, strlen(s), ascii);
	table_cell(table, s ? "" : "-");
}

static void catalog_cell_value(struct table *table, int64_t value, const char *unit, bool is_known)
{
	char text[UNIT_SIZE];
	table_cell(table, is_known ? units_value(text, value, unit) : "-");
}

/* To the minute: 2026-11-30 09:04. */
static void catalog_cell_start(struct table *table, const struct catalog_facts *facts)
{
	char text[UNIT_SIZE] = "-";
	if (facts->has_start) {
		units_clock(text, facts->start_ns, facts->has_offset, facts->offset_s,
			INT64_C(1000000000), CLOCK_DATE_TIME, NULL);
		text[strlen(text) - strlen(":00")] = '\0';
	}
	table_cell(table, text);
}

/* Those that have something to say. */
static int catalog_choose_columns(
	struct table_column columns[CATALOG_COLUMNS], bool has_peak, bool has_project)
{
	int count = 0;
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		if ((i != CATALOG_PEAK || has_peak) && (i != CATALOG_PROJECT || has_project))
			columns[count++] = catalog_columns[i];
	return count;
}

static void catalog_cells(const struct catalog_entry *entry, struct table *table, bool ascii,
	bool has_peak, bool has_project)
{
	const struct catalog_facts *facts = &entry->facts;
	char text[UNIT_SIZE];
	catalog_cell(table, *entry->way ? entry->way : entry->path, ascii);
	table_cell(table, entry->state == CATALOG_FAILED ? "unread" : facts->values);
	catalog_cell(table, entry->format[0] ? entry->format : NULL, ascii);
	catalog_cell_start(table, facts);
	table_cell(table, facts->duration_ns >= 0 ? units_duration(text, facts->duration_ns) : "-");
	table_cell(table, facts->samples >= 0 ? units_count(text, facts->samples) : "-");
	catalog_cell_value(table, facts->total, facts->unit, facts->type != NULL);
	if (has_peak)
		catalog_cell_value(table, facts->peak_bytes, "bytes", facts->peak_bytes >= 0);
	catalog_cell_value(table, entry->size, "bytes", true);
	if (has_project)
		catalog_cell(table, facts->project, ascii);
}

/* A line of cleaned text; what is said in it is not cut. */
static void catalog_line(struct text *out, const char *path, const char *message, bool ascii)
{
	text_clean(out, path, strlen(path), ascii);
	text_puts(out, ": ");
	text_clean(out, message, strlen(message), ascii);
	text_puts(out, "\n");
}

static void catalog_text(const struct catalog *catalog, const struct catalog_filter *filter,
	const struct report_options *options, struct text *out)
{
	struct report_input input = {.options = options};
	struct text head = {0};
	struct table table;
	char number[UNIT_SIZE];
	size_t count, failed = 0;
	uint32_t *rows = catalog_rows(catalog, filter, &count);
	bool has_peak = false, has_project = false;
	for (size_t i = 0; i < count; i++) {
		has_peak |= catalog->entries[rows[i]].facts.peak_bytes >= 0;
		has_project |= catalog->entries[rows[i]].facts.project != NULL;
	}
	struct table_column columns[CATALOG_COLUMNS];
	const int column_count = catalog_choose_columns(columns, has_peak, has_project);
	table_init(&table, columns, column_count);
	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *entry = &catalog->entries[rows[i]];
		catalog_cells(entry, &table, options->ascii, has_peak, has_project);
		failed += entry->state == CATALOG_FAILED;
	}
	text_printf(&head, "%s profile%s in ", units_count(number, (int64_t)count),
		count == 1 ? "" : "s");
	text_clean(&head, catalog->folder, strlen(catalog->folder), options->ascii);
	if (count < catalog->count)
		text_printf(&head, ", of %s", units_count(number, (int64_t)catalog->count));
	parts_line(&input, out, head.data);
	if (catalog->limit)
		parts_wrap(&input, out, "note: ", catalog->limit, strlen(catalog->limit));
	if (count > 0) {
		text_puts(out, "\n");
		table_write(&table, out, options->columns, options->ascii);
	}
	if (failed > 0)
		text_puts(out, "\nunread:\n");
	for (size_t i = 0; i < count; i++)
		if (catalog->entries[rows[i]].error) {
			text_clear(&head);
			catalog_line(&head, catalog->entries[rows[i]].path,
				catalog->entries[rows[i]].error, options->ascii);
			parts_wrap(&input, out, "  ", head.data, head.length - 1);
		}
	table_free(&table);
	text_free(&head);
	free(rows);
}

void report_catalog(const struct catalog *catalog, const struct catalog_filter *filter,
	const struct report_options *options, bool json, struct text *out)
{
	if (json)
		catalog_json(catalog, filter, out);
	else
		catalog_text(catalog, filter, options, out);
}
