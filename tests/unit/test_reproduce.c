/* SPDX-License-Identifier: MIT */
/* The commands that open and print a view again, and the pages and files that hold them. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/pages.h"
#include "app/reproduce.h"
#include "script.h"
#include "small_profile.h"

static void open_app(struct app *app, const struct report_options *options, const char *keys)
{
	struct vp_error err;
	app_init(app, options, "small.prof.gz", NULL, NULL, false);
	app->path = "runs/small.prof.gz";
	assert_true(app_show(app, small_profile(true), false, &err));
	assert_true(script_run(app, keys, 80, 24, &err));
}

static void assert_command(const struct app *app, bool as_report, const char *expected)
{
	struct text out = {0};
	reproduce_command(app, as_report, &out);
	assert_string_equal(out.data, expected);
	text_free(&out);
}

static void assert_quoted(const char *bytes, bool ascii, const char *expected)
{
	struct text out = {0};
	reproduce_quote(&out, bytes, strlen(bytes), ascii);
	assert_string_equal(out.data, expected);
	text_free(&out);
}

static void any_bytes_become_one_word(void **state)
{
	(void)state;
	assert_quoted("a/b-c_d.py:12", false, "a/b-c_d.py:12");
	assert_quoted("", false, "''");
	assert_quoted("a b", false, "'a b'");
	assert_quoted("#1500", false, "'#1500'");
	assert_quoted("~", false, "'~'");
	assert_quoted("a'b", false, "'a'\\''b'");
	assert_quoted("$(x) `y` \\ \"z\" !", false, "'$(x) `y` \\ \"z\" !'");
	assert_quoted("日本", false, "'日本'");
	assert_quoted("日", true, "$'\\346\\227\\245'");
	assert_quoted("\033[1m1'\\\n", false, "$'\\033[1m1\\'\\\\\\012'");
	assert_quoted("a\xff", false, "$'a\\377'");
	assert_quoted("\xe2\x80\xae", false, "$'\\342\\200\\256'"); /* right to left */
}

static void a_plain_view_is_a_short_command(void **state)
{
	(void)state;
	static const struct report_options options = {
		.series = SERIES_BOTH, .node_count = -1, .node_fraction = -1, .edge_fraction = -1};
	static const char *const views[] = {"summary", "flame", "timeline", "top"};
	for (int i = 0; i < 4; i++) {
		struct app app;
		char expected[200];
		open_app(&app, &options, (char[]){(char)('1' + i), '\0'});
		snprintf(expected, sizeof expected, "vptop --report=%s%s runs/small.prof.gz",
			views[i], i == 2 ? " --mem=both" : "");
		assert_command(&app, true, expected);
		if (i != 2) {
			snprintf(expected, sizeof expected, "vptop --view=%s runs/small.prof.gz",
				views[i]);
			assert_command(&app, false, expected);
		}
		app_free(&app);
	}
}

static void all_that_the_user_chose_is_in_it(void **state)
{
	(void)state;
	static const struct report_options options = {.series = SERIES_BOTH,
		.clock = CLOCK_NOMINAL,
		.sort = SORT_CUM,
		.node_count = 0,
		.node_fraction = 0.25,
		.edge_fraction = -1,
		.query = {.granularity = BY_LINE, .relative_percentages = true}};
	struct app app;
	struct vp_error err;
	open_app(&app, &options, "2V");
	assert_true(restrict_filter(&app, FILTER_FOCUS, "it's|main", &err));
	assert_true(restrict_filter(&app, FILTER_HIDE, "^convert$", &err));
	assert_true(restrict_samples(&app, 100, 1500, &err));
	assert_true(restrict_thread(&app, "7", &err));
	app_flip_clock(&app);
	app_draw(&app, 80, 24);
	const char *type = app.context.profile->types[app.context.query.type].name;
	char expected[400];
	const char *rest = "--granularity=lines --focus='it'\\''s|main' --hide='^convert$' "
			   "--relative-percentages --thread=0x7 --from='#100' --to='#1500' "
			   "--time=relative --clock=nominal";
	snprintf(expected, sizeof expected, "vptop --view=flame --type=%s %s runs/small.prof.gz",
		type, rest);
	assert_command(&app, false, expected);
	snprintf(expected, sizeof expected,
		"vptop --report=flame --type=%s %s --sort=cum --nodecount=0 --nodefraction=0.25 "
		"runs/small.prof.gz",
		type, rest);
	assert_command(&app, true, expected);
	app_free(&app);
}

static void odd_paths_stay_paths(void **state)
{
	(void)state;
	static const struct report_options options = {
		.series = SERIES_BOTH, .node_count = -1, .node_fraction = -1, .edge_fraction = -1};
	struct app app;
	open_app(&app, &options, "2");
	app.path = "--report=top";
	assert_command(&app, false, "vptop --view=flame ./--report=top");
	app.path = "-";
	assert_command(&app, false, "vptop --view=flame -");
	app.path = "a\tb\xff";
	assert_command(&app, false, "vptop --view=flame $'a\\011b\\377'");
	app.path = NULL;
	assert_command(&app, false, "vptop --view=flame small.prof.gz");
	app_free(&app);
}

/* '#N' is exact: the window of a command is the window of the screen. */
static void sample_numbers_are_exact(void **state)
{
	(void)state;
	struct profile *profile = small_profile(true);
	const struct clock clock = clock_make(profile, CLOCK_AUTO);
	struct vp_error err;
	for (uint64_t i = 0; i < profile->sample_count; i++) {
		char from[32], to[32];
		uint64_t first, last;
		snprintf(from, sizeof from, "#%u", (unsigned)i);
		snprintf(to, sizeof to, "#%u", (unsigned)i + 1);
		assert_true(clock_window(&clock, profile, from, to, &first, &last, &err));
		assert_int_equal(first, i);
		assert_int_equal(last, i + 1);
	}
	profile_free(profile);
}

/* ---- pages and files ------------------------------------------------------------ */

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

/* The lines of the pager. */
static void page_text(const struct app *app, struct text *out)
{
	text_clear(out);
	for (size_t i = 0; i < app->pager.count; i++)
		text_printf(out, "%s\n", app->pager.lines[i].text);
}

static void the_page_to_copy_has_all(void **state)
{
	(void)state;
	static const struct report_options options = {
		.series = SERIES_BOTH, .node_count = -1, .node_fraction = -1, .edge_fraction = -1};
	struct app app;
	struct text text = {0};
	open_app(&app, &options, "2jj");
	pages_yank(&app);
	page_text(&app, &text);
	assert_true(app.pager.is_plain);
	assert_has(text.data, "Name\ntrain\n");
	assert_has(text.data, "Location\n/srv/app/model.py:14\n");
	assert_has(text.data, "the function: total 1 398, 69.9%; self 217, 10.8%\n"
			      "this call path: total 1 100, 55.0%; self 0, 0%\n"
			      "counted: samples; shares are of 2 000\n");
	assert_has(text.data, "Stack, outermost first\n"
			      "main  /srv/app/io.py:10\ntrain  /srv/app/model.py:14\n");
	assert_has(text.data, "Open this view again\nvptop --view=flame runs/small.prof.gz\n");
	assert_has(text.data, "Print it as text\nvptop --report=flame runs/small.prof.gz\n");
	text_clear(&text);
	pages_copy(&app, &text);
	assert_string_equal(text.data, "main  /srv/app/io.py:10\ntrain  /srv/app/model.py:14\n"
				       "vptop --view=flame runs/small.prof.gz\n");
	app_free(&app);
	text_free(&text);
}

static void a_moment_has_its_memory_and_a_command(void **state)
{
	(void)state;
	static const struct report_options options = {
		.series = SERIES_BOTH, .node_count = -1, .node_fraction = -1, .edge_fraction = -1};
	struct app app;
	struct text text = {0};
	open_app(&app, &options, "3P");
	pages_yank(&app);
	page_text(&app, &text);
	assert_has(text.data, "Moment\nsample 1 40");
	assert_has(text.data, ", memory 6");
	assert_has(text.data, "Print what ran at the selected moment\n"
			      "vptop --report=bin --at='#140");
	app_free(&app);
	text_free(&text);
}

/* Nothing a terminal would act on: names are hostile. */
static void pages_are_clean(void **state)
{
	(void)state;
	static const struct report_options options = {.series = SERIES_BOTH};
	static const char *const views[] = {"1", "2", "3", "4", "5", "4s"};
	for (size_t v = 0; v < sizeof views / sizeof views[0]; v++) {
		struct app app;
		struct vp_error err;
		struct text text = {0};
		open_app(&app, &options, views[v]);
		for (int step = 0; step < 14; step++) {
			assert_true(script_run(&app, "j", 80, 24, &err));
			pages_yank(&app);
			page_text(&app, &text);
			for (size_t i = 0; i < text.length; i++)
				assert_true(text.data[i] == '\n' || (text.data[i] & 0xe0) != 0);
			assert_null(strchr(text.data, 0x7f));
			app.overlay = OVERLAY_NONE;
		}
		app_free(&app);
		text_free(&text);
	}
}

static void files_are_named_after_profile_and_view(void **state)
{
	(void)state;
	static const struct report_options options = {.series = SERIES_BOTH};
	struct app app;
	struct text text = {0};
	open_app(&app, &options, "2");
	pages_default_name(&app, &text);
	assert_string_equal(text.data, "small-flame.txt");
	app.name = "standard input";
	text_clear(&text);
	pages_default_name(&app, &text);
	assert_string_equal(text.data, "standard-input-flame.txt");
	app.name = ".gz";
	text_clear(&text);
	pages_default_name(&app, &text);
	assert_string_equal(text.data, ".gz-flame.txt");
	app_free(&app);
	text_free(&text);
}

static void read_file(const char *path, struct text *out)
{
	char bytes[4096];
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text_clear(out);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
		text_add(out, bytes, n);
	fclose(file);
}

static void a_view_is_written_once(void **state)
{
	(void)state;
	static const struct report_options options = {.series = SERIES_BOTH,
		.node_count = -1,
		.node_fraction = -1,
		.edge_fraction = -1,
		.bins = 20};
	char folder[] = "/tmp/vptop-pages.XXXXXX", path[100];
	struct text text = {0};
	struct app app;
	struct vp_error err;
	size_t size;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/out.txt", folder);
	open_app(&app, &options, "4");
	assert_true(pages_write(&app, path, false, &size, &err));
	read_file(path, &text);
	assert_has(text.data, "# vptop --report=top runs/small.prof.gz\n\n");
	assert_has(text.data, "LOCATION");
	assert_false(pages_write(&app, path, false, &size, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_true(script_run(&app, "3P", 80, 24, &err));
	assert_true(pages_write(&app, path, true, &size, &err));
	read_file(path, &text);
	assert_has(text.data, "# vptop --report=timeline --mem=both runs/small.prof.gz\n\n");
	assert_has(text.data, "\n# vptop --report=bin --at='#14");
	assert_has(text.data, "Common to all");
	assert_int_equal(unlink(path), 0);

	snprintf(path, sizeof path, "%s/no/such/folder", folder);
	assert_false(pages_write(&app, path, false, &size, &err));
	assert_int_equal(err.code, ERROR_IO);
	assert_false(pages_write(&app, path, true, &size, &err));
	assert_int_equal(err.code, ERROR_IO);
	assert_int_equal(rmdir(folder), 0);
	app_free(&app);
	text_free(&text);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bytes_become_one_word),
		cmocka_unit_test(a_plain_view_is_a_short_command),
		cmocka_unit_test(all_that_the_user_chose_is_in_it),
		cmocka_unit_test(odd_paths_stay_paths),
		cmocka_unit_test(sample_numbers_are_exact),
		cmocka_unit_test(the_page_to_copy_has_all),
		cmocka_unit_test(a_moment_has_its_memory_and_a_command),
		cmocka_unit_test(pages_are_clean),
		cmocka_unit_test(files_are_named_after_profile_and_view),
		cmocka_unit_test(a_view_is_written_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
