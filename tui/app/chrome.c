/* SPDX-License-Identifier: MIT */
#include "app/chrome.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "view/common.h"

enum {
	LONG_WIDTH = 100,  /* from here on title and tabs have a row each */
	LONG_HEIGHT = 16,  /* unless the screen is too low for that */
	SMALLEST_NAME = 8, /* cells of the profile's name that tabs leave */
	LARGEST_NAME = 28,
	LARGEST_GAUGE = 20,
	SMALLEST_GAUGE = 5
};

void chrome_add_spot(struct app *app, int kind, int x, int y, int width, uint32_t value)
{
	if (app->spot_count < MOST_SPOTS && width > 0)
		app->spots[app->spot_count++] = (struct spot){kind, x, y, width, value};
}

static bool chrome_is_long(int width, int height)
{
	return width >= LONG_WIDTH && height >= LONG_HEIGHT;
}

struct box chrome_body(int width, int height)
{
	const int top = chrome_is_long(width, height) ? 3 : 2;
	return (struct box){0, top, width, height > top + 1 ? height - top - 1 : 0};
}

/* ---- title ------------------------------------------------------------------ */

static void chrome_add_type(const struct app *app, struct text *out)
{
	const struct view_context *context = &app->context;
	if (context->profile && context->query.type < context->profile->type_count)
		text_puts(out, context->profile->types[context->query.type].name);
}

/* What stands at the right end of the title, less and less of it: 0 is the long form. */
static void chrome_add_marks(const struct app *app, int brevity, struct text *out)
{
	const struct profile *profile = app->context.profile;
	const size_t warnings = profile ? profile->warning_count : 0;
	if (warnings > 0 && brevity == 0)
		text_printf(out, "! %zu warning%s   ", warnings, warnings == 1 ? "" : "s");
	else if (warnings > 0)
		text_printf(out, "!%zu ", warnings);
	if (brevity < 2)
		chrome_add_type(app, out);
	if (brevity == 0)
		text_puts(out, "   ?: help");
	text_puts(out, " ");
}

/* "12 360 samples in 41m12s, peak 1.84 GiB, 4 threads" */
static void chrome_add_facts(const struct app *app, struct text *out)
{
	const struct profile *profile = app->context.profile;
	char unit[UNIT_SIZE];
	const int64_t samples = profile_samples_taken(profile);
	if (profile->callgraph)
		text_printf(out, "%s functions",
			units_count(unit, (int64_t)profile->function_count - 1));
	else if (samples >= 0)
		text_printf(out, "%s samples", units_count(unit, samples));
	else
		text_printf(out, "%s stacks", units_count(unit, profile->distinct_stacks));
	/* Of a difference it would be that of both files together. */
	const bool is_one = profile->difference == DIFFERENCE_NONE;
	const int64_t duration = is_one ? clock_duration_ns(profile) : -1;
	/* Without an end all that is known is how many samples the timer took, and it counts CPU
	 * time. */
	const bool is_span = profile->is_realtime || profile->duration_ns > 0 ||
			     (profile->has_start && profile->has_end);
	if (duration >= 0 && is_span)
		text_printf(out, " in %s", units_duration(unit, duration));
	else if (duration >= 0)
		text_printf(out, ", %s of CPU time", units_duration(unit, duration));
	if (app->peak_kib >= 0)
		text_printf(out, ", peak %s", units_value(unit, app->peak_kib * 1024, "bytes"));
	if (profile->thread_count > 1)
		text_printf(out, ", %s threads", units_count(unit, profile->thread_count));
}

static void chrome_draw_title(struct app *app)
{
	struct canvas *canvas = &app->canvas;
	struct text line = {0};
	const int width = canvas->width;
	canvas_fill(canvas, (struct box){0, 0, width, 1}, ROLE_TITLE, ' ');
	chrome_add_marks(app, 0, &line);
	const int marks = text_width(line.data, line.length);
	canvas_text_right(canvas, width - marks, 0, marks, ROLE_TITLE, line.data);
	int x = canvas_text(canvas, 1, 0, width - marks, ROLE_TITLE, "vptop") + 3;
	const int room = width - marks - 2 - x;
	text_clear(&line);
	if (text_width(app->name, strlen(app->name)) > room)
		text_field(&line, app->name, strlen(app->name), room, false, canvas->ascii);
	else
		text_puts(&line, app->name);
	x += canvas_text(canvas, x, 0, room, ROLE_TITLE, line.data) + 3;
	text_clear(&line);
	if (app->context.profile) {
		chrome_add_facts(app, &line);
		canvas_text(canvas, x, 0, width - marks - 1 - x, ROLE_TAB, line.data);
	}
	text_free(&line);
}

/* ---- tabs ------------------------------------------------------------------- */

enum tab_form { TABS_WIDE, TABS_NORMAL, TABS_TIGHT, TABS_SHORT };

/* One tab as it is drawn; in the short form only the active one has its name. */
static void chrome_add_tab(const struct app *app, unsigned i, enum tab_form form, struct text *out)
{
	const bool is_active = i == app->view;
	if (form == TABS_SHORT && !is_active)
		text_printf(out, " %u ", view_table[i]->digit);
	else if (form == TABS_TIGHT && !is_active)
		text_printf(out, " %u %s", view_table[i]->digit, view_table[i]->tab);
	else
		text_printf(out, is_active ? "[%u %s]" : " %u %s ", view_table[i]->digit,
			view_table[i]->tab);
	if (form == TABS_WIDE)
		text_puts(out, "  ");
}

static int chrome_draw_tabs(struct app *app, int x, int y, enum tab_form form, bool is_drawn)
{
	struct text tab = {0};
	int used = 0;
	for (unsigned i = 0; i < VIEW_COUNT && view_table[i]; i++) {
		const bool can_show = browse_can_show(app, view_table[i]);
		const bool is_optional = view_table[i]->is_of_folder || view_table[i]->is_useful;
		if (is_optional && !can_show && i != app->view)
			continue;
		text_clear(&tab);
		chrome_add_tab(app, i, form, &tab);
		const int width = text_width(tab.data, tab.length);
		if (is_drawn)
			chrome_add_spot(app, SPOT_TAB, x + used, y, width, i);
		if (is_drawn && i == app->view) {
			/* The blanks around it are no part of the active tab. */
			const int blanks = form == TABS_WIDE ? 2 : 0;
			canvas_text(&app->canvas, x + used, y, width - blanks, ROLE_TAB_ACTIVE,
				tab.data);
		} else if (is_drawn) {
			canvas_text(&app->canvas, x + used, y, width,
				can_show ? ROLE_TAB : ROLE_DIM, tab.data);
		}
		used += width;
	}
	text_free(&tab);
	return used;
}

static void chrome_draw_tab_row(struct app *app)
{
	canvas_fill(&app->canvas, (struct box){0, 1, app->canvas.width, 1}, ROLE_TAB, ' ');
	chrome_draw_tabs(app, 1, 1, TABS_WIDE, true);
}

/* Title and tabs in one row: the name, the tabs, and what room is left for marks. */
static void chrome_draw_short(struct app *app)
{
	struct canvas *canvas = &app->canvas;
	const int width = canvas->width;
	canvas_fill(canvas, (struct box){0, 0, width, 1}, ROLE_TAB, ' ');

	enum tab_form form = TABS_NORMAL;
	int tabs = chrome_draw_tabs(app, 0, 0, form, false);
	while (form < TABS_SHORT && tabs + SMALLEST_NAME + 12 > width) {
		form++;
		tabs = chrome_draw_tabs(app, 0, 0, form, false);
	}
	struct text marks = {0};
	for (int brevity = 1; brevity < 3; brevity++) {
		text_clear(&marks);
		chrome_add_marks(app, brevity, &marks);
		if (tabs + SMALLEST_NAME + 2 + (int)marks.length <= width)
			break;
	}
	const int right = (int)marks.length;
	int name = text_width(app->name, strlen(app->name));
	if (name > width - tabs - right - 3)
		name = width - tabs - right - 3;
	if (name > LARGEST_NAME)
		name = LARGEST_NAME;
	struct text field = {0};
	if (name > 0) {
		text_field(&field, app->name, strlen(app->name), name, false, canvas->ascii);
		canvas_text(canvas, 0, 0, name, ROLE_TITLE, field.data);
	} else {
		name = 0;
	}
	chrome_draw_tabs(app, name + 1, 0, form, true);
	canvas_text_right(canvas, width - right, 0, right, ROLE_TAB, marks.data);
	text_free(&field);
	text_free(&marks);
}

/* ---- loading ---------------------------------------------------------------- */

/* "43%", or nothing while the size of the input is not known. */
static void chrome_add_progress(const struct app *app, struct text *out)
{
	char unit[UNIT_SIZE];
	if (app->total > 0)
		text_printf(out, "%3.0f%%  ", 100.0 * (double)app->done / (double)app->total);
	else if (app->done > 0)
		text_printf(out, "%s  ", units_value(unit, (int64_t)app->done, "bytes"));
	if (app->samples_read > 0)
		text_printf(out, "%s samples  ", units_count(unit, (int64_t)app->samples_read));
}

/* "reading ████····  43%  1 234 567 samples          q stops, Esc shows what is there" */
static void chrome_draw_loading(struct app *app, int y)
{
	struct canvas *canvas = &app->canvas;
	struct text line = {0};
	const char *hint = app->context.profile ? "q stops, Esc shows what is there" : "q stops";
	const int right = canvas->width - 1;
	int x = 1 + canvas_text(canvas, 1, y, 8, ROLE_ACCENT, "reading ");
	chrome_add_progress(app, &line);
	const int words = (int)line.length;
	int gauge = right - x - words - (int)strlen(hint) - 2;
	if (gauge > LARGEST_GAUGE)
		gauge = LARGEST_GAUGE;
	if (app->total > 0 && gauge >= SMALLEST_GAUGE) {
		canvas_fill(canvas, (struct box){x, y, gauge, 1}, ROLE_DIM, 0xb7);
		canvas_bar(canvas, x, y, gauge, (double)app->done / (double)app->total, ROLE_BAR);
		x += gauge + 1;
	}
	if (words > 0)
		canvas_text(canvas, x, y, right - x, ROLE_CONTEXT, line.data);
	x += words;
	canvas_text_right(canvas, x, y, right - x, ROLE_DIM, hint);
	text_free(&line);
}

void chrome_draw_waiting(struct app *app, struct box body)
{
	struct canvas *canvas = &app->canvas;
	struct text line = {0};
	const int y = body.y + body.height / 2 - 1;
	text_printf(&line, app->is_loading ? "Reading %s" : "%s", app->name);
	int width = text_width(line.data, line.length);
	if (width > body.width - 2)
		width = body.width - 2;
	canvas_text(canvas, body.x + (body.width - width) / 2, y, width, ROLE_ACCENT, line.data);
	text_free(&line);
}

/* ---- footer ----------------------------------------------------------------- */

/* The keys of a binding as the footer prints them: its label up to the first comma. */
static int chrome_key_length(const struct key_binding *binding)
{
	return (int)strcspn(binding->label, ",");
}

static const char *chrome_word(const struct app *app, const struct key_binding *binding)
{
	if (binding->action != ACT_BACK || app->overlay != OVERLAY_NONE || app->history_count > 0)
		return binding->footer;
	return app->is_loading ? "stop" : "quit";
}

/* Some keys of lists and pages mean something in one of them only. */
static bool chrome_is_of_use(const struct app *app, enum action action)
{
	if (action == ACT_CLEAR)
		return app->list_kind == LIST_SETTINGS;
	if (action == ACT_TOUR)
		return app->page == PAGE_HELP;
	if (action == ACT_COPY)
		return app->page == PAGE_YANK;
	return true;
}

static bool chrome_is_in_footer(
	const struct app *app, const struct key_binding *binding, unsigned where)
{
	return (binding->where & where) && binding->label && binding->footer &&
	       chrome_is_of_use(app, binding->action);
}

/* Help and quit are never left out. */
static bool chrome_is_essential(const struct key_binding *binding)
{
	return binding->action == ACT_HELP || binding->action == ACT_BACK;
}

static int chrome_footer_width(const struct app *app, const struct key_binding *binding)
{
	return chrome_key_length(binding) + 1 + (int)strlen(chrome_word(app, binding)) + 2;
}

static void chrome_draw_footer(struct app *app, int y)
{
	struct canvas *canvas = &app->canvas;
	const unsigned where = app_where(app);
	int room = canvas->width - 1;
	canvas_fill(canvas, (struct box){0, y, canvas->width, 1}, ROLE_FOOTER, ' ');
	for (size_t i = 0; i < key_table_size; i++)
		if (chrome_is_in_footer(app, &key_table[i], where) &&
			chrome_is_essential(&key_table[i]))
			room -= chrome_footer_width(app, &key_table[i]);
	int x = 1;
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_binding *binding = &key_table[i];
		if (!chrome_is_in_footer(app, binding, where))
			continue;
		const int width = chrome_footer_width(app, binding);
		if (!chrome_is_essential(binding)) {
			if (width > room)
				continue;
			room -= width;
		}
		const int key = chrome_key_length(binding);
		canvas_printf(canvas, x, y, key, ROLE_FOOTER_KEY, "%.*s", key, binding->label);
		canvas_text(canvas, x + key + 1, y, width, ROLE_FOOTER, chrome_word(app, binding));
		chrome_add_spot(app, SPOT_KEY, x, y, width - 1, binding->keys[0]);
		x += width;
	}
}

static void chrome_draw_notice(struct app *app, int y)
{
	canvas_fill(&app->canvas, (struct box){0, y, app->canvas.width, 1}, ROLE_FOOTER, ' ');
	canvas_text(&app->canvas, 1, y, app->canvas.width - 2, ROLE_FOOTER_KEY, app->notice);
}

/* ---- all of it -------------------------------------------------------------- */

void chrome_draw(struct app *app)
{
	const struct canvas *canvas = &app->canvas;
	const struct box body = chrome_body(canvas->width, canvas->height);
	if (chrome_is_long(canvas->width, canvas->height)) {
		chrome_draw_title(app);
		chrome_draw_tab_row(app);
	} else {
		chrome_draw_short(app);
	}
	if (app->is_loading)
		chrome_draw_loading(app, body.y - 1);
	else if (app_can_act(app))
		chrome_draw_context(app, body.y - 1);
	if (app->prompt.kind != PROMPT_NONE)
		prompt_draw(app, canvas->height - 1);
	else if (app->notice[0])
		chrome_draw_notice(app, canvas->height - 1);
	else
		chrome_draw_footer(app, canvas->height - 1);
}

void chrome_draw_too_small(struct canvas *canvas)
{
	const int width = canvas->width - 1;
	canvas_printf(canvas, 1, 0, width, ROLE_NORMAL, "vptop: this window is %dx%d;",
		canvas->width, canvas->height);
	canvas_printf(canvas, 1, 1, width, ROLE_NORMAL, "it needs %dx%d.", SMALLEST_WIDTH,
		SMALLEST_HEIGHT);
	canvas_text(canvas, 1, 3, width, ROLE_NORMAL, "Make it larger, or q to quit.");
	canvas_text(canvas, 1, 4, width, ROLE_DIM, "(vptop --report=NAME prints text)");
}
