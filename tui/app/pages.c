/* SPDX-License-Identifier: MIT */
#include "app/pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/places.h"
#include "app/reproduce.h"
#include "base/memory.h"
#include "report/catalog.h"
#include "save.h"
#include "view/common.h"

enum { FILE_COLUMNS = 100 };

/* ---- what is selected ----------------------------------------------------------- */

/* The frame that is selected: the view's own, or what ran in the selected sample; 0: none. */
static uint32_t pages_node(const struct app *app, const struct place *place)
{
	const struct calltree *tree = app->context.tree;
	if (place->node != 0 && place->node < tree->node_count)
		return place->node;
	return place->row == 0 ? common_node_of_sample(&app->context, place->sample) : 0;
}

/* The function that is selected: the view's own, or that of the frame; 0: none. */
static uint32_t pages_row(const struct app *app, const struct place *place)
{
	const struct calltree *tree = app->context.tree;
	const uint32_t node = pages_node(app, place);
	if (place->row != 0 && place->row < tree->row_count)
		return place->row;
	return node != 0 ? tree->row[node] : 0;
}

/* "name  file:line", whole. */
static void pages_add_row(const struct app *app, uint32_t row, struct text *out)
{
	const struct view_context *context = &app->context;
	row_name(context->tree, row, context->ascii, out);
	if (row == 0 || context->tree->query.granularity == BY_FILE)
		return;
	text_puts(out, "  ");
	row_location(context->tree, row, true, context->ascii, out);
}

/* The frames from the outermost to `node`, a line each. */
static void pages_add_stack(const struct app *app, uint32_t node, struct text *out)
{
	const struct calltree *tree = app->context.tree;
	uint32_t count = 0;
	for (uint32_t at = node; at != 0; at = tree->parent[at])
		count++;
	uint32_t *path = memory_new(count + 1, sizeof *path);
	for (uint32_t at = node, i = count; at != 0; at = tree->parent[at])
		path[--i] = at;
	for (uint32_t i = 0; i < count; i++) {
		pages_add_row(app, tree->row[path[i]], out);
		text_puts(out, "\n");
	}
	free(path);
}

/* ---- the page ------------------------------------------------------------------- */

static void pages_add_part(struct pager *pager, const char *heading, const char *text)
{
	if (!text || text[0] == '\0')
		return;
	if (pager->count > 0)
		pager_add(pager, ROLE_OVERLAY, "");
	pager_add(pager, ROLE_OVERLAY_HEADING, heading);
	pager_add_verbatim(pager, ROLE_OVERLAY, text);
}

static void pages_add_numbers(
	const struct app *app, const char *what, int64_t total, int64_t self, struct text *out)
{
	const struct calltree *tree = app->context.tree;
	char value[UNIT_SIZE], share[UNIT_SIZE];
	text_printf(out, "%s: total %s, %s", what, common_value(value, tree, total),
		units_percent(share, (double)total, (double)tree->base));
	text_printf(out, "; self %s, %s\n", common_value(value, tree, self),
		units_percent(share, (double)self, (double)tree->base));
}

static void pages_numbers(const struct app *app, uint32_t node, uint32_t row, struct text *out)
{
	const struct calltree *tree = app->context.tree;
	char base[UNIT_SIZE];
	if (row == 0)
		return;
	struct neighbours all = neighbours_build(tree, row);
	pages_add_numbers(app, "the function", all.cum, all.flat, out);
	neighbours_free(&all);
	if (node != 0)
		pages_add_numbers(app, "this call path", tree->total[node], tree->self[node], out);
	text_printf(out, "counted: %s; shares are of %s", common_noun(tree),
		common_value(base, tree, tree->base));
}

/* When the selected sample was, and how much memory there was. */
static void pages_moment(const struct app *app, int64_t sample, struct text *out)
{
	const struct view_context *context = &app->context;
	const struct clock *clock = &context->clock;
	char number[UNIT_SIZE], moment[UNIT_SIZE];
	if (sample < 0 || (uint64_t)sample >= context->profile->sample_count)
		return;
	text_printf(out, "sample %s", units_count(number, sample));
	if (clock->kind != TIME_NONE) {
		const int64_t ns = clock_time(clock, (uint64_t)sample);
		const int64_t step = common_step(clock, 1);
		text_printf(out, " at %s%s", clock->is_estimate ? "~" : "",
			context->is_absolute
				? units_clock(moment, clock->start_ns + ns, clock->has_offset,
					  clock->offset_s, step, CLOCK_DATE_TIME, NULL)
				: units_elapsed(moment, ns, step));
	}
	if (profile_has_memory(context->profile))
		text_printf(out, ", memory %s",
			units_value(moment,
				profile_memory_kib(context->profile, (size_t)sample) * 1024,
				"bytes"));
}

static void pages_add_commands(const struct app *app, struct pager *pager)
{
	struct text command = {0};
	reproduce_command(app, false, &command);
	pages_add_part(pager, "Open this view again", command.data);
	text_clear(&command);
	reproduce_command(app, true, &command);
	pages_add_part(pager, "Print it as text", command.data);
	text_clear(&command);
	if (strcmp(app_view(app)->name, "timeline") == 0 && reproduce_moment(app, &command))
		pages_add_part(pager, "Print what ran at the selected moment", command.data);
	text_free(&command);
}

/* The path that is selected in the list of files; NULL: none. */
static const char *pages_path(const struct app *app)
{
	const struct view *view = app_view(app);
	return view->path ? view->path(app->state[app->view], &app->context) : NULL;
}

/* The page of the list of files. */
static void pages_yank_file(const struct app *app, struct pager *pager)
{
	const char *path = pages_path(app), *folder = app->browser.folder;
	struct text part = {0};
	if (path) {
		char *real = realpath(path, NULL);
		const char *shown = real ? real : path;
		text_clean(&part, shown, strlen(shown), app->context.ascii);
		pages_add_part(pager, "Path", part.data);
		text_clear(&part);
		reproduce_file(app, path, false, &part);
		pages_add_part(pager, "Open it", part.data);
		text_clear(&part);
		reproduce_file(app, path, true, &part);
		pages_add_part(pager, "Print its summary", part.data);
		text_clear(&part);
		free(real);
	}
	if (folder) {
		text_clean(&part, folder, strlen(folder), app->context.ascii);
		pages_add_part(pager, "Folder", part.data);
		text_clear(&part);
		reproduce_list(app, &part);
		pages_add_part(pager, "Print the list", part.data);
	}
	text_free(&part);
}

void pages_yank(struct app *app)
{
	struct pager *pager = &app->pager;
	struct text part = {0};
	pager_clear(pager);
	snprintf(pager->title, sizeof pager->title, "To select and copy");
	pager->is_plain = true;
	if (app_view(app)->is_of_folder) {
		pages_yank_file(app, pager);
		return;
	}
	if (!app->context.tree)
		return;
	const struct place place = app_current(app);
	const uint32_t node = pages_node(app, &place), row = pages_row(app, &place);
	if (row != 0) {
		row_name(app->context.tree, row, app->context.ascii, &part);
		pages_add_part(pager, "Name", part.data);
		pages_add_part(pager, "Location", common_location(&app->context, row, true, &part));
	}
	text_clear(&part);
	pages_numbers(app, node, row, &part);
	pages_add_part(pager, "Numbers", part.data);
	text_clear(&part);
	pages_moment(app, place.sample, &part);
	pages_add_part(pager, "Moment", part.data);
	text_clear(&part);
	/* The stack comes last, since it has no bounds. */
	pages_add_commands(app, pager);
	pages_add_stack(app, node, &part);
	pages_add_part(pager, "Stack, outermost first", part.data);
	text_free(&part);
}

void pages_copy(const struct app *app, struct text *out)
{
	if (app_view(app)->is_of_folder) {
		const char *path = pages_path(app);
		text_puts(out, path ? path : app->browser.folder ? app->browser.folder : "");
		return;
	}
	if (!app->context.tree)
		return;
	const struct place place = app_current(app);
	const uint32_t node = pages_node(app, &place), row = pages_row(app, &place);
	if (node != 0)
		pages_add_stack(app, node, out);
	else if (row != 0)
		pages_add_row(app, row, out);
	if (node == 0 && row != 0)
		text_puts(out, "\n");
	reproduce_command(app, false, out);
	text_puts(out, "\n");
}

/* ---- the file ------------------------------------------------------------------- */

/* How much of a file's name is not its ending: "worker-7" of "worker-7.prof.gz". */
static size_t pages_stem(const char *name)
{
	static const char *const endings[] = {".gz", ".zst", ".z", ".prof", ".vmprof", ".log",
		".msgpack", ".json", ".data", ".pb", ".pprof", ".pstats", ".folded", NULL};
	size_t length = strlen(name);
	for (int i = 0; endings[i]; i++) {
		const size_t size = strlen(endings[i]);
		if (length > size && memcmp(name + length - size, endings[i], size) == 0)
			length -= size;
	}
	return length;
}

void pages_stem_name(const struct app *app, struct text *out)
{
	const size_t length = pages_stem(app->name);
	for (size_t i = 0; i < length; i++) {
		const char c = app->name[i];
		text_add(out, c == ' ' || c == '/' || c == '\\' ? "-" : &c, 1);
	}
}

/* The last part of the folder's path; "profiles" where that says nothing. */
static void pages_folder_name(const struct app *app, struct text *out)
{
	const char *folder = app->browser.folder ? app->browser.folder : "";
	size_t end = strlen(folder);
	while (end > 0 && folder[end - 1] == '/')
		end--;
	size_t start = end;
	while (start > 0 && folder[start - 1] != '/')
		start--;
	if (end > start && folder[start] != '.')
		text_clean(out, folder + start, end - start, false);
	else
		text_puts(out, "profiles");
	text_puts(out, ".txt");
}

void pages_default_name(const struct app *app, struct text *out)
{
	if (app_view(app)->is_of_folder) {
		pages_folder_name(app, out);
		return;
	}
	pages_stem_name(app, out);
	text_printf(out, "-%s.txt", app_view(app)->name);
}

/* Adds a report, below the command that prints it. */
static bool pages_add_report(
	const struct app *app, bool is_moment, struct text *out, struct vp_error *err)
{
	struct report_options options;
	struct reproduced texts = {0};
	const struct report *report = reproduce_report(app, is_moment, &options, &texts);
	options.columns = FILE_COLUMNS;
	options.ascii = app->context.ascii;
	text_puts(out, out->length > 0 ? "\n\n# " : "# ");
	if (is_moment)
		reproduce_moment(app, out);
	else
		reproduce_command(app, true, out);
	text_puts(out, "\n\n");
	const bool ok = report_run(report, app->context.profile, &options, false, out, err);
	text_free(&texts.function);
	return ok;
}

/* The list of files, below the command that prints it. */
static bool pages_add_list(const struct app *app, struct text *out, struct vp_error *err)
{
	const struct catalog *catalog = app->browser.catalog;
	struct report_options options = app->options;
	if (!catalog || !catalog->is_found || catalog->read_count < catalog->count)
		return error_set(err, ERROR_IO, -1, "the folder is still being read");
	options.columns = FILE_COLUMNS;
	options.ascii = app->context.ascii;
	text_puts(out, "# ");
	reproduce_list(app, out);
	text_puts(out, "\n\n");
	report_catalog(catalog, &app->browser.filter, &options, false, out);
	return true;
}

static bool pages_add_view(const struct app *app, struct text *out, struct vp_error *err)
{
	if (app_view(app)->is_of_folder)
		return pages_add_list(app, out, err);
	if (!app->context.tree)
		return error_set(err, ERROR_IO, -1, "there is nothing to write yet");
	if (!pages_add_report(app, false, out, err))
		return false;
	return strcmp(app_view(app)->name, "timeline") != 0 || app_current(app).sample < 0 ||
	       pages_add_report(app, true, out, err);
}

bool pages_write(
	const struct app *app, const char *path, bool overwrite, size_t *size, struct vp_error *err)
{
	struct text text = {0};
	const bool ok = pages_add_view(app, &text, err) && save_text(path, &text, overwrite, err);
	*size = text.length;
	text_free(&text);
	return ok;
}
