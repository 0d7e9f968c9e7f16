/* SPDX-License-Identifier: MIT */
/* The app without a terminal: what stands around the views, moving between them, help, sizes. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/browse.h"
#include "script.h"
#include "small_profile.h"

struct fixture {
	struct app app;
	struct text dump;
};

static struct report_options plain_options(bool ascii)
{
	return (struct report_options){.series = SERIES_BOTH, .ascii = ascii};
}

static void start(struct fixture *f, const struct report_options *options, const char *view)
{
	struct vp_error err;
	*f = (struct fixture){.dump = {0}};
	app_init(&f->app, options, "worker-7.prof", NULL, view, false);
	assert_true(app_show(&f->app, small_profile(true), false, &err));
}

static void stop(struct fixture *f)
{
	app_free(&f->app);
	text_free(&f->dump);
}

/* The screen after some keys. */
static const char *screen(struct fixture *f, const char *keys, int width, int height)
{
	struct vp_error err;
	assert_true(script_run(&f->app, keys, width, height, &err));
	text_clear(&f->dump);
	canvas_dump(&f->app.canvas, &f->dump);
	return f->dump.data;
}

static void assert_on_screen(struct fixture *f, const char *keys, const char *expected)
{
	const char *text = screen(f, keys, 80, 24);
	if (!strstr(text, expected))
		fail_msg("'%s' is not on the screen:\n%s", expected, text);
}

/* ---- chrome ------------------------------------------------------------------- */

static void title_and_tabs_share_a_row_in_80_columns(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, "flame");
	const char *text = screen(&f, "", 80, 24);
	assert_int_equal(strncmp(text, "worker-7.prof  1 Summary [2 Flame] 3 Time  4 Top ", 48), 0);
	assert_non_null(strstr(text, "!1 samples"));
	stop(&f);
}

static void title_has_the_facts_from_100_columns_on(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	const char *text = screen(&f, "", 120, 30);
	assert_ptr_equal(
		strstr(text, " vptop  worker-7.prof   2 000 samples, 20.0 s of CPU time, peak "),
		text);
	assert_non_null(strstr(text, "! 1 warning   samples   ?: help\n"));
	assert_non_null(strstr(text, "\n [1 Summary]   2 Flame    3 Time    4 Top    5 Callers\n"));
	stop(&f);
}

static void restrictions_are_chips(void **state)
{
	(void)state;
	struct fixture f;
	struct report_options options = plain_options(false);
	options.query.filters[FILTER_FOCUS] = "pa\033rse";
	options.from = "+5s";
	options.to = "+10s";
	start(&f, &options, "top");
	f.app.context.is_absolute = false;
	assert_on_screen(&f, "", "[time ~+5s - ~+10s] [focus pa\\x1brse]");
	stop(&f);
}

static void footer_always_has_help_and_quit(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(true);
	start(&f, &options, NULL);
	for (int width = SMALLEST_WIDTH; width < 130; width++) {
		const char *text = screen(&f, "1", width, 24);
		assert_non_null(strstr(text, "? help  q quit\n"));
	}
	assert_on_screen(&f, "2", "? help  q back\n");
	assert_on_screen(&f, "?", "q close\n");
	stop(&f);
}

static void too_small_is_said_and_keys_go_on(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	assert_string_equal(screen(&f, "", 38, 9),
		" vptop: this window is 38x9;\n it needs 40x10.\n\n"
		" Make it larger, or q to quit.\n (vptop --report=NAME prints text)\n\n\n\n\n");
	assert_on_screen(&f, "2<Resize:80x24>", "[2 Flame]");
	screen(&f, "<Resize:9x3>qq", 9, 3);
	assert_true(f.app.quit);
	stop(&f);
}

/* ---- moving ------------------------------------------------------------------- */

static void digits_and_tab_change_the_view(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	assert_on_screen(&f, "", "[1 Summary]");
	assert_on_screen(&f, "3", "[3 Time]");
	assert_on_screen(&f, "<Tab>", "[4 Top]");
	assert_on_screen(&f, "<Tab>", "[5 Callers]");
	assert_on_screen(&f, "<Tab>", "[1 Summary]");
	assert_on_screen(&f, "<S-Tab><S-Tab><S-Tab><S-Tab>", "[2 Flame]");
	stop(&f);
}

static void q_goes_back_and_then_quits(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	screen(&f, "2424242434", 80, 24); /* each view is in the history once */
	assert_on_screen(&f, "?q", "[4 Top]");
	assert_on_screen(&f, "q", "[3 Time]");
	assert_on_screen(&f, "q", "[2 Flame]");
	assert_on_screen(&f, "q", "[1 Summary]");
	assert_false(f.app.quit);
	screen(&f, "q", 80, 24);
	assert_true(f.app.quit);
	stop(&f);
}

static void escape_never_quits(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	assert_on_screen(&f, "<Esc><Esc>2<Esc><Esc>?<Esc><Esc>", "[2 Flame]");
	assert_false(f.app.quit || f.app.cancel);
	stop(&f);
}

static void q_f10_and_control_c_quit_at_once(void **state)
{
	(void)state;
	static const char *const keys[] = {"2?Q", "3<F10>", "4<C-c>"};
	const struct report_options options = plain_options(false);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct fixture f;
		start(&f, &options, NULL);
		screen(&f, keys[i], 80, 24);
		assert_true(f.app.quit);
		stop(&f);
	}
}

static void a_notice_stays_until_the_next_key(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, "flame");
	assert_on_screen(&f, "V", "counting time: 20.0 s in all");
	assert_on_screen(&f, "<Esc>", "? help");
	stop(&f);
}

/* What the view on the screen has selected. */
static struct place selected(const struct app *app)
{
	struct place place = {.sample = -1};
	view_table[app->view]->selected(
		app->state[app->view], &app->context, &place.node, &place.row, &place.sample);
	return place;
}

static void the_selection_goes_along(void **state)
{
	(void)state;
	struct fixture f;
	const struct report_options options = plain_options(false);
	start(&f, &options, NULL);
	screen(&f, "4jjj", 80, 24);
	const struct place in_top = selected(&f.app);
	assert_int_not_equal(in_top.row, 0);
	screen(&f, "2", 80, 24);
	const struct place in_flame = selected(&f.app);
	assert_int_equal(in_flame.row, in_top.row);
	/* A look at another view changes nothing. */
	screen(&f, "34", 80, 24);
	assert_int_equal(selected(&f.app).row, in_top.row);
	screen(&f, "2", 80, 24);
	assert_int_equal(selected(&f.app).node, in_flame.node);
	screen(&f, "kk4", 80, 24);
	assert_int_not_equal(selected(&f.app).row, in_top.row);
	/* A moment chosen in the timeline stays. */
	screen(&f, "3hhh", 80, 24);
	const struct place in_time = selected(&f.app);
	screen(&f, "4jj3", 80, 24);
	assert_int_equal(selected(&f.app).sample, in_time.sample);
	stop(&f);
}

/* ---- help --------------------------------------------------------------------- */

static void help_shows_every_key_of_its_view(void **state)
{
	(void)state;
	static const int sizes[][2] = {{80, 24}, {40, 10}, {120, 40}, {200, 60}};
	const struct report_options options = plain_options(false);
	for (unsigned view = 0; view < VIEW_COUNT; view++) {
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			const int width = sizes[s][0], height = sizes[s][1];
			struct fixture f;
			struct text all = {0};
			start(&f, &options, view_table[view]->name);
			text_puts(&all, screen(&f, "?", width, height));
			assert_non_null(strstr(all.data, "Help: "));
			for (int i = 0; i < 30; i++)
				text_puts(&all, screen(&f, "<PgDn>", width, height));
			for (size_t i = 0; i < key_table_size; i++)
				if ((key_table[i].where & view_table[view]->where) &&
					key_table[i].label)
					assert_non_null(strstr(all.data, key_table[i].label));
			assert_null(strstr(screen(&f, "", width, height), "more line"));
			assert_string_equal(
				screen(&f, "g", width, height), screen(&f, "kkk", width, height));
			text_free(&all);
			stop(&f);
		}
	}
}

/* ---- loading ------------------------------------------------------------------ */

static void loading_shows_progress_and_can_be_stopped(void **state)
{
	(void)state;
	struct fixture f;
	struct vp_error err;
	struct report_options options = plain_options(false);
	options.query.filters[FILTER_FOCUS] = "nothing has this name";
	f = (struct fixture){.dump = {0}};
	app_init(&f.app, &options, "big.prof", NULL, NULL, false);
	f.app.is_loading = true;
	f.app.done = 43;
	f.app.total = 100;
	assert_on_screen(&f, "2", "Reading big.prof");
	assert_on_screen(&f, "", " 43%");
	/* A part may lack what was asked for. */
	f.app.type = "no such type";
	assert_true(app_show(&f.app, small_profile(false), true, &err));
	f.app.samples_read = 1234567;
	assert_on_screen(&f, "", "1 234 567 samples");
	assert_on_screen(&f, "", "q stops, Esc shows what is there");
	assert_on_screen(&f, "", "[2 Flame]");
	screen(&f, "<Esc>", 80, 24);
	assert_true(f.app.cancel);
	assert_false(f.app.quit);
	/* The whole has to have it; what was there stays. */
	assert_false(app_show(&f.app, small_profile(true), false, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	f.app.type = NULL;
	assert_true(app_show(&f.app, small_profile(true), false, &err));
	assert_on_screen(&f, "", "[2 Flame]");
	stop(&f);
}

static void a_pattern_that_is_none_is_a_usage_error(void **state)
{
	(void)state;
	struct app app;
	struct vp_error err;
	struct report_options options = plain_options(false);
	options.query.filters[FILTER_HIDE] = "(";
	app_init(&app, &options, "x", NULL, NULL, false);
	assert_false(app_show(&app, small_profile(false), false, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	app_draw(&app, 80, 24);
	app_free(&app);
}

/* ---- sizes -------------------------------------------------------------------- */

static void every_view_draws_at_every_size(void **state)
{
	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct report_options options = plain_options(ascii);
		struct fixture f;
		start(&f, &options, NULL);
		for (int i = 0; i < 130 * 50; i += 7) {
			const int width = 1 + i % 130, height = 1 + i / 130;
			static const char *const keys[] = {
				"1j", "2jjl", "3l", "4jG", "?", "q", "2G<Enter>", "3+", "2u"};
			screen(&f, keys[(i / 7) % 9], width, height);
			if (f.app.quit)
				f.app.quit = false;
			for (int c = 0; c < width * height; c++) {
				const uint32_t character = f.app.canvas.cells[c].character;
				assert_true(character == 0 ||
					    (character >= 0x20 && character != 0x7f &&
						    !(character > 0x7f && character < 0xa0)));
				assert_true(!ascii || (character && character < 0x7f));
			}
		}
		stop(&f);
	}
}

static void assert_named(
	const char *const *paths, size_t path_count, const char *base, const char *name)
{
	struct open_options open = {.paths = paths, .path_count = path_count};
	struct text out = {0};
	if (base)
		open.bases[open.base_count++] = base;
	browse_add_name(&open, false, &out);
	assert_string_equal(out.data, name);
	text_free(&out);
}

static void files_of_one_name_are_told_apart_by_folders(void **unused)
{
	static const char *const one[] = {"run/x.prof"}, *const here[] = {"x.prof"},
				 *const root[] = {"/x.prof/"}, *const deep[] = {"b/data/x.prof"},
				 *const three[] = {"a/x", "b/x", "y"}, *const same[] = {"x", "x"};
	(void)unused;
	assert_named(one, 1, NULL, "x.prof");
	assert_named(one, 1, "run/y.prof", "x.prof against y.prof");
	assert_named(one, 1, "ran/x.prof", "x.prof (run) against x.prof (ran)");
	assert_named(deep, 1, "a/data/x.prof", "x.prof (b) against x.prof (a)");
	assert_named(here, 1, "old/x.prof", "x.prof against x.prof (old)");
	assert_named(root, 1, "/old/x.prof", "x.prof against x.prof (old)");
	assert_named(three, 3, NULL, "3 profiles: x (a), x (b), y");
	assert_named(same, 2, NULL, "2 profiles: x, x");
	assert_named(here, 1, "-", "x.prof against standard input");
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(title_and_tabs_share_a_row_in_80_columns),
		cmocka_unit_test(title_has_the_facts_from_100_columns_on),
		cmocka_unit_test(restrictions_are_chips),
		cmocka_unit_test(footer_always_has_help_and_quit),
		cmocka_unit_test(too_small_is_said_and_keys_go_on),
		cmocka_unit_test(digits_and_tab_change_the_view),
		cmocka_unit_test(q_goes_back_and_then_quits),
		cmocka_unit_test(escape_never_quits),
		cmocka_unit_test(q_f10_and_control_c_quit_at_once),
		cmocka_unit_test(a_notice_stays_until_the_next_key),
		cmocka_unit_test(the_selection_goes_along),
		cmocka_unit_test(help_shows_every_key_of_its_view),
		cmocka_unit_test(loading_shows_progress_and_can_be_stopped),
		cmocka_unit_test(a_pattern_that_is_none_is_a_usage_error),
		cmocka_unit_test(every_view_draws_at_every_size),
		cmocka_unit_test(files_of_one_name_are_told_apart_by_folders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
