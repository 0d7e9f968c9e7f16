/* SPDX-License-Identifier: MIT */
#include "app/menu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/exports.h"
#include "app/overlay.h"
#include "app/places.h"
#include "view/common.h"

/* What a line of the menu does: an action of the key table, or one of these. */
enum {
	MENU_FILTER = ACT_COUNT,                 /* + enum filter_kind: by the selected function */
	MENU_PROMPT = MENU_FILTER + FILTER_COUNT /* + enum filter_kind: typed */
};

/* ---- a filter by name --------------------------------------------------------- */

/*
 * A pattern for just this name. Characters with a meaning in patterns are quoted, and so are those
 * that no terminal must get.
 */
static void menu_add_quoted(struct text *out, const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)name[i];
		if (c < 0x20 || c == 0x7f)
			text_printf(out, "\\x%02x", c);
		else if (strchr("\\^$.|?*+()[]{}", c))
			text_printf(out, "\\%c", c);
		else
			text_add(out, name + i, 1);
	}
}

static bool menu_can_filter(const struct app *app, uint32_t row)
{
	return row != 0 && app->context.tree && app->context.tree->rows[row].name != 0;
}

/* Ignoring or hiding one more adds to what is left out already; the other kinds start anew. */
static void menu_filter(struct app *app, enum filter_kind kind, uint32_t row)
{
	const struct calltree *tree = app->context.tree;
	const char *before = app->restrictions.filters[kind];
	struct text pattern = {0};
	struct vp_error err;
	size_t length;
	if (!menu_can_filter(app, row)) {
		app_notice(app, "No function with a name is selected");
		return;
	}
	const char *name = profile_string(tree->profile, tree->rows[row].name, &length);
	if (before && (kind == FILTER_IGNORE || kind == FILTER_HIDE))
		text_printf(&pattern, "%s|", before);
	text_puts(&pattern, "^");
	menu_add_quoted(&pattern, name, length);
	text_puts(&pattern, "$");
	if (!restrict_filter(app, kind, pattern.data, &err))
		app_notice(app, "%s", err.message);
	text_free(&pattern);
}

/* ---- the menu ------------------------------------------------------------------- */

static void menu_add_action(struct app *app, enum action action, const char *text)
{
	const unsigned where = app_view_where(app);
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_binding *binding = &key_table[i];
		if (binding->action != action || !(binding->where & where))
			continue;
		struct list_line *line = list_add(&app->list, (int)action, "%s", text);
		if (binding->label)
			snprintf(line->key, sizeof line->key, "%.*s",
				(int)strcspn(binding->label, " ,"), binding->label);
		return;
	}
}

static void menu_add_heading(struct app *app, const char *text)
{
	list_add(&app->list, 0, "%s", text)->is_heading = true;
}

static void menu_add_selected(struct app *app, uint32_t row)
{
	struct text name = {0};
	row_name(app->context.tree, row, app->context.ascii, &name);
	menu_add_heading(app, name.data);
	text_free(&name);
	menu_add_action(app, ACT_VIEW_2, "Show it in Flame");
	menu_add_action(app, ACT_TO_TIMELINE, "Show it in Time");
	menu_add_action(app, ACT_VIEW_4, "Show it in Top");
	menu_add_action(app, ACT_TO_CALLERS, "Its callers and callees");
	menu_add_action(app, ACT_SAME_NAME, "Search for it");
	if (menu_can_filter(app, row)) {
		list_add(&app->list, MENU_FILTER + FILTER_FOCUS, "Focus: only stacks with it");
		list_add(&app->list, MENU_FILTER + FILTER_IGNORE, "Ignore: no stacks with it");
		list_add(
			&app->list, MENU_FILTER + FILTER_HIDE, "Hide: its frames go, not its time");
		list_add(&app->list, MENU_FILTER + FILTER_SHOW, "Show: no other frames");
		list_add(&app->list, MENU_FILTER + FILTER_SHOW_FROM,
			"Show from: stacks begin at it");
		list_add(&app->list, MENU_FILTER + FILTER_PRUNE_FROM,
			"Prune from: stacks end at it");
	}
	menu_add_action(app, ACT_YANK, "Names to copy");
	menu_add_action(app, ACT_SOURCE, "Open its source");
}

static void menu_add_files(struct app *app)
{
	menu_add_heading(app, "The selected profile");
	menu_add_action(app, ACT_IN, "Open it");
	menu_add_action(app, ACT_FOLD, "Mark it");
	menu_add_action(app, ACT_DIFF, "What changed from the marked one to it");
	menu_add_action(app, ACT_MERGE, "Open all marked ones together");
	menu_add_action(app, ACT_YANK, "Its path, and commands to copy");
	menu_add_heading(app, "The list");
	menu_add_action(app, ACT_SEARCH, "Search");
	menu_add_action(app, ACT_FILTER, "Filter");
	menu_add_action(app, ACT_SORT_NEXT, "Sort by the next column");
	menu_add_action(app, ACT_HIDDEN, "With or without hidden files");
	menu_add_action(app, ACT_SETTINGS, "Settings");
	menu_add_action(app, ACT_WRITE, "Write it as text to a file");
	menu_add_action(app, ACT_OUT, "The folder above");
	menu_add_action(app, ACT_RELOAD, "Read the folder again");
	menu_add_action(app, ACT_HELP, "Help");
}

static void menu_add_label(struct app *app)
{
	menu_add_heading(app, "The selected label");
	menu_add_action(app, ACT_IN, "Only samples with it");
	menu_add_action(app, ACT_LABEL_IGNORE, "No samples with it");
	menu_add_action(app, ACT_LABEL_ROOT, "Its key as the root of all stacks");
	menu_add_action(app, ACT_LABEL_LEAF, "Its key as the leaf of all stacks");
}

static void menu_add_everything(struct app *app)
{
	menu_add_heading(app, "The whole picture");
	menu_add_action(app, ACT_MARK, "Mark a time window");
	menu_add_action(app, ACT_GO_TO, "Go to a time or line; 11:25-11:35 is a window");
	menu_add_action(app, ACT_SEARCH, "Search");
	menu_add_action(app, ACT_FILTER, "Filter");
	for (int i = 0; i < FILTER_COUNT; i++)
		if (app->restrictions.filters[i])
			list_add(&app->list, MENU_PROMPT + i, "Change the filter: %s",
				restrict_filter_name((enum filter_kind)i));
	menu_add_action(app, ACT_THREAD, "Choose a thread");
	menu_add_action(app, ACT_SETTINGS, "Settings");
	menu_add_action(app, ACT_WRITE, "Write it as text to a file");
	menu_add_action(app, ACT_EXPORT, "Save it as pprof, folded, callgrind, dot, JSON");
	menu_add_action(app, ACT_RELOAD, "Read the file again");
	menu_add_action(app, ACT_HELP, "Help");
}

void menu_open(struct app *app)
{
	const struct place here = app_current(app);
	list_clear(&app->list);
	app->list.cursor = app->list.scroll = 0;
	snprintf(app->list.title, sizeof app->list.title, "Menu");
	const bool is_of_folder = app_view(app)->is_of_folder;
	if (is_of_folder)
		menu_add_files(app);
	if (app_view(app)->where == IN_LABELS)
		menu_add_label(app);
	else if (!is_of_folder && app->context.tree && here.row != 0)
		menu_add_selected(app, here.row);
	if (!is_of_folder)
		menu_add_everything(app);
	app->overlay = OVERLAY_LIST;
	app->list_kind = LIST_MENU;
}

/* ---- threads -------------------------------------------------------------------- */

void menu_open_threads(struct app *app)
{
	const struct profile *profile = app->context.profile;
	char count[UNIT_SIZE], share[UNIT_SIZE];
	if (!profile || profile->thread_count < 2) {
		app_notice(app, "This profile has one thread");
		return;
	}
	list_clear(&app->list);
	snprintf(app->list.title, sizeof app->list.title, "Threads");
	struct list_line *line = list_add(&app->list, -1, "all threads");
	snprintf(line->value, sizeof line->value, "%s samples",
		units_count(count, (int64_t)profile->sample_count));
	app->list.cursor = 0;
	for (uint32_t i = 0; i < profile->thread_count; i++) {
		const struct thread *thread = &profile->threads[i];
		line = list_add(&app->list, (int)i, "thread 0x%" PRIx64, thread->id);
		units_percent(share, (double)thread->samples, (double)profile->sample_count);
		snprintf(line->value, sizeof line->value, "%s samples  %6s",
			units_count(count, thread->samples), share);
		if ((int32_t)i == app->context.query.thread)
			app->list.cursor = i + 1;
	}
	app->overlay = OVERLAY_LIST;
	app->list_kind = LIST_THREADS;
}

static void menu_choose_thread(struct app *app, int index)
{
	const struct profile *profile = app->context.profile;
	char id[24] = "";
	struct vp_error err;
	if (index >= 0)
		snprintf(id, sizeof id, "0x%" PRIx64, profile->threads[index].id);
	if (!restrict_thread(app, id, &err))
		app_notice(app, "%s", err.message);
}

/* ---- keys --------------------------------------------------------------------------- */

static void menu_do(struct app *app, int id)
{
	if (id >= MENU_PROMPT)
		prompt_open_filter(app, (enum filter_kind)(id - MENU_PROMPT));
	else if (id >= MENU_FILTER)
		menu_filter(app, (enum filter_kind)(id - MENU_FILTER), app_current(app).row);
	else
		app_act(app, (enum action)id);
}

void menu_act(struct app *app, enum action action)
{
	const struct list_line *line = list_selected(&app->list);
	if (list_act(&app->list, action, app_body(app)))
		return;
	if (action != ACT_IN || !line)
		return;
	const int id = line->id;
	overlay_close(app);
	if (app->list_kind == LIST_THREADS)
		menu_choose_thread(app, id);
	else if (app->list_kind == LIST_EXPORTS)
		prompt_open_export(app, exports_find(id));
	else
		menu_do(app, id);
}
