/* SPDX-License-Identifier: MIT */
#include "app/settings.h"

#include <stdio.h>
#include <string.h>

#include "app/menu.h"
#include "app/places.h"

/* A line of the settings; filters are SETTING_FILTER + enum filter_kind. */
enum setting {
	SETTING_TYPE,
	SETTING_GRANULARITY,
	SETTING_INLINES,
	SETTING_WINDOW,
	SETTING_THREAD,
	SETTING_FILTER,
	SETTING_TAG_ROOT = SETTING_FILTER + FILTER_COUNT,
	SETTING_TAG_LEAF,
	SETTING_CLOCK,
	SETTING_SERIES,
	SETTING_UNIT,
	SETTING_NAMES,
	SETTING_COLOUR,
	SETTING_ORDER,
	SETTING_INVERT,
	SETTING_SORT,
	SETTING_FILES_SORT,
	SETTING_HIDDEN,
	SETTING_GLYPHS,
	SETTING_MOUSE
};

/* Settings that a view keeps: which view, and the action that changes it. */
static const struct {
	enum setting setting;
	const char *view, *text;
	enum action next, previous;
} settings_of_views[] = {
	{SETTING_COLOUR, "flame", "Colours of frames", ACT_COLOUR, ACT_COLOUR},
	{SETTING_ORDER, "flame", "Order of frames", ACT_ORDER, ACT_ORDER},
	{SETTING_INVERT, "flame", "Root of the flame graph", ACT_INVERT, ACT_INVERT},
	{SETTING_SORT, "top", "Order of Top", ACT_SORT_NEXT, ACT_SORT_PREVIOUS},
	{SETTING_FILES_SORT, "browse", "Order of the list", ACT_SORT_NEXT, ACT_SORT_PREVIOUS},
};
enum { SETTINGS_OF_VIEWS = sizeof settings_of_views / sizeof settings_of_views[0] };

/* ---- the list ------------------------------------------------------------------ */

static struct list_line *settings_add(
	struct app *app, int setting, const char *text, const char *value)
{
	struct list_line *line = list_add(&app->list, setting, "%s", text);
	snprintf(line->value, sizeof line->value, "%.159s", value);
	return line;
}

static void settings_add_restriction(
	struct app *app, int setting, const char *text, enum restriction restriction)
{
	struct text value = {0};
	restrict_describe(app, restriction, &value);
	/* "time 11:25 - 11:35": the first word is said by the line already. */
	const char *label = restriction < RESTRICT_WINDOW
				    ? restrict_filter_name((enum filter_kind)restriction)
			    : restriction == RESTRICT_WINDOW   ? "time"
			    : restriction == RESTRICT_TAG_ROOT ? "root"
			    : restriction == RESTRICT_TAG_LEAF ? "leaf"
							       : "thread";
	const bool is_all = restriction == RESTRICT_WINDOW || restriction == RESTRICT_THREAD;
	const char *none = is_all                          ? "all"
			   : restriction < RESTRICT_WINDOW ? "none"
							   : "of the program";
	settings_add(app, setting, text, value.length > 0 ? value.data + strlen(label) + 1 : none);
	text_free(&value);
}

static void settings_add_counted(struct app *app)
{
	const struct view_context *context = &app->context;
	list_add(&app->list, 0, "WHAT IS COUNTED")->is_heading = true;
	settings_add(app, SETTING_TYPE, "Value", context->profile->types[context->query.type].name);
	settings_add(app, SETTING_GRANULARITY, "A row is a",
		restrict_granularity_name(context->query.granularity));
	if (context->profile->is_name_function)
		settings_add(app, SETTING_INLINES, "Inlined frames",
			context->query.no_inlines ? "count as their callers" : "are frames");
	settings_add_restriction(app, SETTING_WINDOW, "Time window", RESTRICT_WINDOW);
	settings_add_restriction(app, SETTING_THREAD, "Thread", RESTRICT_THREAD);
	static const char *const texts[FILTER_COUNT] = {[FILTER_FOCUS] = "Focus: only stacks with",
		[FILTER_IGNORE] = "Ignore: no stacks with",
		[FILTER_HIDE] = "Hide: frames go, time stays",
		[FILTER_SHOW] = "Show: no other frames",
		[FILTER_SHOW_FROM] = "Show from: stacks begin at",
		[FILTER_PRUNE_FROM] = "Prune from: stacks end at",
		[FILTER_TAG_FOCUS] = "Only samples with label",
		[FILTER_TAG_IGNORE] = "No samples with label"};
	for (int i = 0; i < FILTER_COUNT; i++)
		if (filter_is_of_frames((enum filter_kind)i) || context->profile->label_count > 0)
			settings_add_restriction(app, SETTING_FILTER + i, texts[i],
				RESTRICT_FILTER + (enum restriction)i);
	if (context->profile->label_count == 0)
		return;
	settings_add_restriction(app, SETTING_TAG_ROOT, "Outermost frames", RESTRICT_TAG_ROOT);
	settings_add_restriction(app, SETTING_TAG_LEAF, "Innermost frames", RESTRICT_TAG_LEAF);
}

/* What a view keeps, of the list of files or of a profile. */
static void settings_add_of_views(struct app *app, bool is_of_folder)
{
	for (size_t i = 0; i < SETTINGS_OF_VIEWS; i++) {
		const unsigned view = place_find_view(settings_of_views[i].view);
		if (view_table[view]->setting && view_table[view]->is_of_folder == is_of_folder)
			settings_add(app, (int)settings_of_views[i].setting,
				settings_of_views[i].text,
				view_table[view]->setting(
					app->state[view], settings_of_views[i].next));
	}
}

static void settings_add_terminal(struct app *app)
{
	const struct view_context *context = &app->context;
	settings_add(app, SETTING_GLYPHS, "Glyphs",
		context->ascii        ? "ASCII"
		: context->no_eighths ? "full blocks"
				      : "blocks in eighths");
	settings_add(app, SETTING_MOUSE, "Mouse", app->has_mouse ? "on" : "off");
}

static void settings_add_files(struct app *app)
{
	list_add(&app->list, 0, "THE LIST OF FILES")->is_heading = true;
	settings_add_of_views(app, true);
	settings_add(app, SETTING_HIDDEN, "Hidden files",
		app->browser.options.hidden ? "are shown" : "are left out");
	settings_add(app, SETTING_NAMES, "Names", app->context.full_names ? "long" : "short");
	settings_add_terminal(app);
}

static void settings_add_looks(struct app *app)
{
	static const char *const series[] = {
		[SERIES_MAX] = "max", [SERIES_MEAN] = "mean", [SERIES_BOTH] = "mean and max"};
	static const char *const units[] = {[UNIT_OF_ALL] = "share of all",
		[UNIT_OF_ZOOM] = "share of the zoom",
		[UNIT_ABSOLUTE] = "absolute"};
	const struct view_context *context = &app->context;
	list_add(&app->list, 0, "HOW IT LOOKS")->is_heading = true;
	settings_add(
		app, SETTING_CLOCK, "Times", context->is_absolute ? "clock" : "since the start");
	settings_add(app, SETTING_SERIES, "Memory in Time", series[context->series]);
	settings_add(app, SETTING_UNIT, "Figures", units[context->unit]);
	settings_add(app, SETTING_NAMES, "Names", context->full_names ? "long" : "short");
	settings_add_of_views(app, false);
	settings_add_terminal(app);
}

void settings_fill(struct app *app)
{
	list_clear(&app->list);
	snprintf(app->list.title, sizeof app->list.title, "Settings");
	if (app_view(app)->is_of_folder) {
		settings_add_files(app);
		return;
	}
	settings_add_counted(app);
	settings_add_looks(app);
}

void settings_open(struct app *app)
{
	if (!app_can_act(app))
		return;
	app->list.cursor = 1;
	app->list.scroll = 0;
	settings_fill(app);
	app->overlay = OVERLAY_LIST;
	app->list_kind = LIST_SETTINGS;
}

/* ---- changes --------------------------------------------------------------------- */

/* The next granularity, or the one before. */
static void settings_turn_granularity(struct app *app, int step)
{
	static const enum granularity order[] = {
		BY_FUNCTION, BY_FILEFUNCTION, BY_FILE, BY_LINE, BY_ADDRESS};
	enum { COUNT = sizeof order / sizeof order[0] };
	struct vp_error err;
	int i = 0;
	while (i < COUNT - 1 && order[i] != app->restrictions.granularity)
		i++;
	i = (i + step + COUNT) % COUNT;
	/* Elsewhere functions of several files are several functions. */
	if (order[i] == BY_FILEFUNCTION && !app->context.profile->is_name_function)
		i = (i + step + COUNT) % COUNT;
	if (!restrict_granularity(app, order[i], &err))
		app_notice(app, "%s", err.message);
}

static void settings_turn_inlines(struct app *app)
{
	struct vp_error err;
	if (!restrict_inlines(app, !app->restrictions.no_inlines, &err))
		app_notice(app, "%s", err.message);
}

static void settings_turn_glyphs(struct app *app)
{
	struct view_context *context = &app->context;
	const bool was_ascii = context->ascii, had_no_eighths = context->no_eighths;
	/* Eighths, full blocks, ASCII. */
	context->ascii = !was_ascii && had_no_eighths;
	context->no_eighths = !was_ascii && !had_no_eighths;
	app->canvas.ascii = app->options.ascii = context->ascii;
	app->canvas.no_eighths = context->no_eighths;
	search_refresh(app);
	app->request.redraw_all = true;
}

static void settings_turn_of_view(struct app *app, int setting, int step)
{
	for (size_t i = 0; i < SETTINGS_OF_VIEWS; i++) {
		if ((int)settings_of_views[i].setting != setting)
			continue;
		const unsigned view = place_find_view(settings_of_views[i].view);
		view_table[view]->act(app->state[view], &app->context,
			step > 0 ? settings_of_views[i].next : settings_of_views[i].previous,
			app_body(app));
	}
}

static void settings_turn(struct app *app, int setting, int step)
{
	switch (setting) {
	case SETTING_TYPE:
		app_next_type(app, step);
		break;
	case SETTING_GRANULARITY:
		settings_turn_granularity(app, step);
		break;
	case SETTING_INLINES:
		settings_turn_inlines(app);
		break;
	case SETTING_CLOCK:
		app_flip_clock(app);
		break;
	case SETTING_SERIES:
		app_next_series(app);
		break;
	case SETTING_UNIT:
		app_next_unit(app);
		break;
	case SETTING_NAMES:
		app->context.full_names = !app->context.full_names;
		break;
	case SETTING_HIDDEN:
		browse_act(app, ACT_HIDDEN);
		break;
	case SETTING_GLYPHS:
		settings_turn_glyphs(app);
		break;
	case SETTING_MOUSE:
		app->request.flip_mouse = true;
		app->has_mouse = !app->has_mouse;
		break;
	default:
		settings_turn_of_view(app, setting, step);
		break;
	}
}

/* What has to be typed or chosen from a list of its own. */
static bool settings_ask(struct app *app, int setting)
{
	if (setting == SETTING_WINDOW)
		prompt_open(app, PROMPT_GO_TO);
	else if (setting == SETTING_THREAD)
		menu_open_threads(app);
	else if (setting >= SETTING_FILTER && setting < SETTING_FILTER + FILTER_COUNT)
		prompt_open_filter(app, (enum filter_kind)(setting - SETTING_FILTER));
	else if (setting == SETTING_TAG_ROOT || setting == SETTING_TAG_LEAF)
		app_notice(app, "r and L in Labels (8) choose a key; x here takes it away");
	else
		return false;
	return true;
}

static void settings_clear(struct app *app, int setting)
{
	if (setting == SETTING_WINDOW)
		restrict_remove(app, RESTRICT_WINDOW);
	else if (setting == SETTING_THREAD)
		restrict_remove(app, RESTRICT_THREAD);
	else if (setting == SETTING_TAG_ROOT || setting == SETTING_TAG_LEAF)
		restrict_remove(
			app, setting == SETTING_TAG_ROOT ? RESTRICT_TAG_ROOT : RESTRICT_TAG_LEAF);
	else if (setting >= SETTING_FILTER && setting < SETTING_FILTER + FILTER_COUNT)
		restrict_remove(app, (enum restriction)(setting - SETTING_FILTER));
	else
		app_notice(app, "This can be changed, not taken away");
}

void settings_act(struct app *app, enum action action)
{
	const struct list_line *line = list_selected(&app->list);
	if (list_act(&app->list, action, app_body(app)) || !line)
		return;
	const int setting = line->id;
	const bool is_change = action == ACT_IN || action == ACT_RIGHT || action == ACT_LEFT;
	if (is_change && settings_ask(app, setting))
		return;
	if (is_change)
		settings_turn(app, setting, action == ACT_LEFT ? -1 : 1);
	else if (action == ACT_CLEAR)
		settings_clear(app, setting);
}
