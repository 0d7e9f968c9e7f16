/* SPDX-License-Identifier: MIT */
/*
 * What all views share: filters, time window, thread, search, and the ways to change them. Figures
 * are compared with a tree that is built for the same query by hand, or counted from the samples.
 */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/go_to.h"
#include "app/places.h"
#include "script.h"
#include "small_profile.h"

struct fixture {
	struct app app;
	struct text dump;
};

static const struct report_options plain = {.series = SERIES_BOTH};

static int setup(void **state)
{
	struct vp_error err;
	struct fixture *f = calloc(1, sizeof *f);
	app_init(&f->app, &plain, "small", NULL, NULL, false);
	assert_true(app_show(&f->app, small_profile(true), false, &err));
	app_draw(&f->app, 100, 30);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	app_free(&f->app);
	text_free(&f->dump);
	free(f);
	return 0;
}

static const char *screen(struct fixture *f, const char *keys)
{
	struct vp_error err;
	assert_true(script_run(&f->app, keys, 100, 30, &err));
	text_clear(&f->dump);
	canvas_dump(&f->app.canvas, &f->dump);
	return f->dump.data;
}

static void shows(struct fixture *f, const char *keys, const char *expected)
{
	const char *text = screen(f, keys);
	if (!strstr(text, expected))
		fail_msg("after '%s': '%s' is not on the screen:\n%s", keys, expected, text);
}

static void shows_no_more(struct fixture *f, const char *keys, const char *unexpected)
{
	const char *text = screen(f, keys);
	if (strstr(text, unexpected))
		fail_msg("after '%s': '%s' is on the screen:\n%s", keys, unexpected, text);
}

/* Samples in [first, last) of a thread (-1: all) whose stack has a function of that name. */
static int64_t count_with(const struct profile *profile, const char *name, uint64_t first,
	uint64_t last, int32_t thread)
{
	int64_t count = 0;
	for (uint64_t i = first; i < last; i++) {
		bool has = false;
		if (thread >= 0 && profile->sample_thread[i] != (uint32_t)thread)
			continue;
		for (stack_id stack = profile->sample_stack[i]; stack != 0 && !has;
			stack = profile->stack_parent[stack]) {
			const struct frame *frame = &profile->frames[profile->stack_frame[stack]];
			const struct function *function = &profile->functions[frame->function];
			has = strcmp(profile_string(profile, function->name, NULL), name) == 0;
		}
		count += has;
	}
	return count;
}

/* ---- filters ------------------------------------------------------------------- */

static void a_filter_is_typed_shown_and_taken_away(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->app;
	const int64_t all = app->context.tree->total[0];
	const int64_t loads = count_with(app->context.profile, "load", 0, 2000, -1);
	shows(f, "2&^load$", "focus: ^load$");
	assert_int_equal(app->context.tree->total[0], all); /* not before Enter */
	shows(f, "<Enter>", "[focus ^load$]");
	assert_int_equal(app->context.tree->total[0], loads);
	shows(f, "1", "[focus ^load$]"); /* it goes along */
	shows_no_more(f, "<Esc>", "focus");
	assert_int_equal(app->context.tree->total[0], all);
}

static void a_filter_without_a_match_stays_editable(void **state)
{
	struct fixture *f = *state;
	shows(f, "2&nosuch<Enter>", "no sample is left");
	assert_int_equal(f->app.prompt.kind, PROMPT_FILTER);
	shows(f, "<C-u>load<Enter>", "[focus load]");
	assert_int_equal(f->app.prompt.kind, PROMPT_NONE);
}

static void a_bad_pattern_is_said_and_changes_nothing(void **state)
{
	struct fixture *f = *state;
	const int64_t all = f->app.context.tree->total[0];
	screen(f, "2&(<Enter>");
	assert_int_equal(f->app.prompt.kind, PROMPT_FILTER);
	assert_string_not_equal(f->app.prompt.complaint, "");
	screen(f, "<Esc>");
	assert_int_equal(f->app.context.tree->total[0], all);
	assert_null(f->app.context.query.filters[FILTER_FOCUS]);
}

static void tab_goes_through_the_kinds_of_filters(void **state)
{
	struct fixture *f = *state;
	const int64_t all = f->app.context.tree->total[0];
	const int64_t loads = count_with(f->app.context.profile, "load", 0, 2000, -1);
	shows(f, "2&<Tab>", "ignore:");
	shows(f, "^load$<Enter>", "[ignore ^load$]");
	assert_int_equal(f->app.context.tree->total[0], all - loads);
}

static void the_menu_filters_by_the_selected_function(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->app;
	screen(f, "4");
	const struct place here = app_current(app);
	assert_int_not_equal(here.row, 0);
	struct text name = {0};
	row_name(app->context.tree, here.row, false, &name);
	const int64_t with = count_with(app->context.profile, name.data, 0, 2000, -1);
	shows(f, "m", "Focus: only stacks with it");
	/* Down to that line, whatever stands above it. */
	while (!strstr(list_selected(&app->list)->text, "Focus"))
		screen(f, "j");
	shows(f, "<Enter>", "[focus ^");
	assert_int_equal(app->context.tree->total[0], with);
	text_free(&name);
}

/* ---- time window ------------------------------------------------------------------ */

static void a_window_is_typed(void **state)
{
	struct fixture *f = *state;
	const struct query *query = &f->app.context.query;
	shows(f, "2:+5s..+10s<Enter>", "[time ");
	assert_int_equal(query->first, 500);
	assert_int_equal(query->last, 1000);
	assert_int_equal(f->app.context.tree->total[0], 500);
	assert_int_equal(f->app.view, place_find_view("flame"));
	shows_no_more(f, "<Esc>", "[time ");
	assert_int_equal(query->last, 2000);
}

static void clock_times_make_a_window_too(void **state)
{
	struct fixture *f = *state;
	const struct query *query = &f->app.context.query;
	/* The run starts at 2016-11-30 11:30:05 in its own zone. */
	screen(f, "2:11:30:10-11:30:15<Enter>");
	assert_int_equal(query->first, 500);
	assert_int_equal(query->last, 1000);
	screen(f, ":2016-11-30 11:30:06-2016-11-30 11:30:07<Enter>");
	assert_int_equal(query->first, 100);
	assert_int_equal(query->last, 200);
}

static void a_window_is_marked_on_the_timeline(void **state)
{
	struct fixture *f = *state;
	const struct query *query = &f->app.context.query;
	screen(f, "3gv<Right><Right><Right>v");
	assert_int_equal(query->first, 0);
	assert_true(query->last > 0 && query->last < 2000);
	const int64_t length = (int64_t)query->last;
	shows(f, "2", "[time ");
	assert_int_equal(f->app.context.tree->total[0], length);
}

static void a_moment_opens_the_timeline_there(void **state)
{
	struct fixture *f = *state;
	screen(f, "2:+12s<Enter>");
	assert_int_equal(f->app.view, place_find_view("timeline"));
	const int64_t sample = app_current(&f->app).sample;
	assert_true(sample >= 1200 - 30 && sample <= 1200 + 30); /* in its bin */
}

static void nonsense_is_refused_in_words(void **state)
{
	struct fixture *f = *state;
	struct vp_error err;
	assert_false(go_to(&f->app, "yesterday", &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_false(go_to(&f->app, "+10s..+5s", &err));
	assert_true(go_to(&f->app, "  ", &err));
	assert_int_equal(f->app.context.query.last, 2000);
	screen(f, "2:soon<Enter>");
	assert_int_equal(f->app.prompt.kind, PROMPT_GO_TO);
}

/* ---- threads ------------------------------------------------------------------------ */

static void a_thread_is_chosen_from_a_list(void **state)
{
	struct fixture *f = *state;
	shows(f, "2@", "all threads");
	shows(f, "j<Enter>", "[thread ");
	assert_int_equal(f->app.context.tree->total[0], 1000);
	shows_no_more(f, "<Esc>", "[thread ");
	assert_int_equal(f->app.context.tree->total[0], 2000);
}

static void esc_takes_the_last_restriction_first(void **state)
{
	struct fixture *f = *state;
	screen(f, "2:+5s..+10s<Enter>&load<Enter>@j<Enter>/e<Enter>");
	shows(f, "", "[/e ");
	shows_no_more(f, "<Esc>", "[/e ");
	shows(f, "", "[thread ");
	shows_no_more(f, "<Esc>", "[thread ");
	shows(f, "", "[focus load]");
	shows_no_more(f, "<Esc>", "[focus load]");
	shows(f, "", "[time ");
	shows_no_more(f, "<Esc>", "[time ");
	shows(f, "<Esc>", "Nothing to undo");
	assert_false(f->app.quit);
}

static void a_press_on_a_chip_takes_it_away(void **state)
{
	struct fixture *f = *state;
	screen(f, "2&load<Enter>");
	const struct spot *chip = NULL;
	for (size_t i = 0; i < f->app.spot_count; i++)
		if (f->app.spots[i].kind == SPOT_CHIP)
			chip = &f->app.spots[i];
	assert_non_null(chip);
	app_pointer(&f->app, &(struct pointer){POINTER_PRESS, chip->x + 1, chip->y});
	assert_null(f->app.context.query.filters[FILTER_FOCUS]);
}

/* ---- search --------------------------------------------------------------------------- */

static void a_search_counts_overlapping_hits_once(void **state)
{
	struct fixture *f = *state;
	const struct profile *profile = f->app.context.profile;
	/* Both functions, often in the same stack. */
	int64_t either = 0;
	for (uint64_t i = 0; i < 2000; i++)
		either += count_with(profile, "parse", i, i + 1, -1) ||
			  count_with(profile, "convert", i, i + 1, -1);
	screen(f, "2/^(parse|convert)$<Enter>");
	assert_non_null(f->app.context.search);
	assert_int_equal(f->app.context.search->row_count, 2);
	assert_int_equal(f->app.context.search->total, either);
	shows(f, "", "2 functions, ");
}

static void a_search_ignores_case_unless_it_has_some(void **state)
{
	struct fixture *f = *state;
	struct vp_error err;
	assert_true(search_set(&f->app, "^TRAIN$", false, &err));
	assert_int_equal(f->app.context.search->row_count, 0);
	assert_true(search_set(&f->app, "^tr\\Sin$", false, &err));
	assert_int_equal(f->app.context.search->row_count, 1);
	/* By file: half of the functions are in model.py. */
	assert_true(search_set(&f->app, "MODEL\\.py", false, &err));
	assert_int_equal(f->app.context.search->row_count, 0);
	assert_true(search_set(&f->app, "model\\.py", false, &err));
	assert_true(f->app.context.search->row_count > 3);
}

static void a_cancelled_search_leaves_all_as_it_was(void **state)
{
	struct fixture *f = *state;
	screen(f, "2jj");
	const struct place before = app_current(&f->app);
	screen(f, "/backward");
	assert_non_null(f->app.context.search);
	screen(f, "<Esc>");
	assert_null(f->app.context.search);
	const struct place after = app_current(&f->app);
	assert_int_equal(after.node, before.node);
}

/* The picture without the last line, which may have a notice. */
static char *picture(struct fixture *f)
{
	char *text = strdup(screen(f, ""));
	text[strlen(text) - 1] = '\0';
	*strrchr(text, '\n') = '\0';
	return text;
}

/* In each view, also where the search went to what could not be seen. */
static void a_cancelled_search_leaves_every_picture(void **state)
{
	struct fixture *f = *state;
	static const char *const places[] = {"1jj", "2jjj", "2jjj<Enter>j", "2Bjj", "2Gi", "3hh",
		"3hhjj ", "3+++h", "4jjj", "4>G", "5jj", "5j<Enter>}", "5Fj"};
	static const char *const searches[] = {"/empty", "/a_func", "/backw", "/main"};
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		screen(f, places[i]);
		char *before = picture(f);
		for (size_t k = 0; k < sizeof searches / sizeof searches[0]; k++) {
			screen(f, searches[k]);
			assert_non_null(f->app.context.search);
			screen(f, "<Esc>");
			char *after = picture(f);
			/* What Callers unfolded on the way stays. */
			if (places[i][0] != '5' && strcmp(after, before) != 0)
				fail_msg("%s, %s<Esc>:\n%s\nwas\n%s", places[i], searches[k], after,
					before);
			free(after);
		}
		free(before);
		screen(f, "0");
	}
}

static void the_name_below_the_cursor_is_searched(void **state)
{
	struct fixture *f = *state;
	screen(f, "4jj");
	const uint32_t row = app_current(&f->app).row;
	screen(f, "*");
	assert_non_null(f->app.context.search);
	assert_int_equal(f->app.context.search->hits[row], 1);
	assert_int_equal(f->app.context.search->row_count, 1);
}

static void the_search_follows_another_tree(void **state)
{
	struct fixture *f = *state;
	screen(f, "2/^load$<Enter>:+5s..+10s<Enter>");
	assert_int_equal(f->app.context.search->total,
		count_with(f->app.context.profile, "load", 500, 1000, -1));
	screen(f, "&main<Enter>");
	assert_int_equal(f->app.context.search->total,
		count_with(f->app.context.profile, "load", 500, 1000, -1));
}

/* ---- settings and paste ------------------------------------------------------------------ */

static void settings_change_what_they_say(void **state)
{
	struct fixture *f = *state;
	shows(f, "2<F2>", "WHAT IS COUNTED");
	const unsigned type = f->app.context.query.type;
	screen(f, "<Right>");
	assert_int_not_equal(f->app.context.query.type, type);
	screen(f, "<Left>");
	assert_int_equal(f->app.context.query.type, type);
	shows(f, "j<Right>", "by file");
	assert_int_equal(f->app.context.query.granularity, BY_FILE);
	shows(f, "<Left>", "function");
	screen(f, "G<Enter>"); /* the mouse */
	assert_true(f->app.request.flip_mouse);
}

static void pasted_text_is_no_keys(void **state)
{
	struct fixture *f = *state;
	screen(f, "2");
	app_key(&f->app, KEY_PASTE);
	app_key(&f->app, 'Q');
	app_key(&f->app, KEY_RETURN);
	app_key(&f->app, KEY_PASTE_DONE);
	assert_false(f->app.quit);
	screen(f, "/");
	app_key(&f->app, KEY_PASTE);
	app_key(&f->app, 'l');
	app_key(&f->app, KEY_RETURN);
	app_key(&f->app, 'o');
	app_key(&f->app, KEY_PASTE_DONE);
	assert_string_equal(f->app.prompt.edit.text, "lo");
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_filter_is_typed_shown_and_taken_away),
		CASE(a_filter_without_a_match_stays_editable),
		CASE(a_bad_pattern_is_said_and_changes_nothing),
		CASE(tab_goes_through_the_kinds_of_filters),
		CASE(the_menu_filters_by_the_selected_function),
		CASE(a_window_is_typed),
		CASE(clock_times_make_a_window_too),
		CASE(a_window_is_marked_on_the_timeline),
		CASE(a_moment_opens_the_timeline_there),
		CASE(nonsense_is_refused_in_words),
		CASE(a_thread_is_chosen_from_a_list),
		CASE(esc_takes_the_last_restriction_first),
		CASE(a_press_on_a_chip_takes_it_away),
		CASE(a_search_counts_overlapping_hits_once),
		CASE(a_search_ignores_case_unless_it_has_some),
		CASE(a_cancelled_search_leaves_all_as_it_was),
		CASE(a_cancelled_search_leaves_every_picture),
		CASE(the_name_below_the_cursor_is_searched),
		CASE(the_search_follows_another_tree),
		CASE(settings_change_what_they_say),
		CASE(pasted_text_is_no_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
