/* SPDX-License-Identifier: MIT */
/* The tour: it is new once, and its pages are whole. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/tour.h"

/* A folder that a test may fill; removed by remove_tree. */
static char *make_folder(void)
{
	static char folder[] = "/tmp/vptop-tour.XXXXXX";
	strcpy(folder, "/tmp/vptop-tour.XXXXXX");
	assert_non_null(mkdtemp(folder));
	return folder;
}

static void remove_path(const char *folder, const char *const *names)
{
	char path[200];
	for (; *names; names++) {
		snprintf(path, sizeof path, "%s%s", folder, *names);
		assert_int_equal(remove(path), 0);
	}
}

static int mode_of(const char *folder, const char *name)
{
	struct stat status;
	char path[200];
	snprintf(path, sizeof path, "%s%s", folder, name);
	assert_int_equal(stat(path, &status), 0);
	return (int)(status.st_mode & 0777);
}

static void it_is_remembered_in_the_home_folder(void **state)
{
	(void)state;
	static const char *const made[] = {"/.local/state/vptop/tour-seen", "/.local/state/vptop",
		"/.local/state", "/.local", "", NULL};
	const char *home = make_folder();
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	assert_true(tour_is_new());
	assert_true(tour_is_new());
	tour_remember();
	assert_false(tour_is_new());
	tour_remember();
	assert_int_equal(mode_of(home, "/.local"), 0700);
	assert_int_equal(mode_of(home, "/.local/state/vptop/tour-seen"), 0600);
	remove_path(home, made);
}

static void the_state_folder_comes_first(void **state)
{
	(void)state;
	static const char *const made[] = {"/a/vptop/tour-seen", "/a/vptop", "/a", "", NULL};
	const char *folder = make_folder();
	char path[200];
	snprintf(path, sizeof path, "%s/a", folder);
	setenv("HOME", "/nonexistent", 1);
	setenv("XDG_STATE_HOME", path, 1);
	assert_true(tour_is_new());
	tour_remember();
	assert_false(tour_is_new());
	setenv("XDG_STATE_HOME", "relative", 1); /* not a place */
	assert_int_equal(access("relative", F_OK), -1);
	remove_path(folder, made);
}

static void where_it_cannot_be_remembered_it_is_not_new(void **state)
{
	(void)state;
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_false(tour_is_new());
	tour_remember();
	setenv("HOME", "", 1);
	assert_false(tour_is_new());
	setenv("HOME", "/dev/null", 1); /* no folder */
	assert_false(tour_is_new());
	tour_remember();
	setenv("HOME", "/proc/self", 1); /* nobody can make a file there */
	tour_remember();
	if (getuid() != 0)
		assert_false(tour_is_new());
}

static void its_pages_fit_into_the_smallest_screen(void **state)
{
	(void)state;
	static const struct box areas[] = {
		{0, 2, 40, 7}, {0, 2, 80, 20}, {0, 2, 200, 56}, {0, 0, 1, 1}};
	for (int step = -1; step <= TOUR_STEPS; step++) {
		struct pager pager = {0};
		char number[20];
		tour_fill(&pager, step);
		if (step < 0 || step == TOUR_STEPS) {
			assert_int_equal(pager.count, 0);
			continue;
		}
		snprintf(number, sizeof number, ", %d of %d", step + 1, TOUR_STEPS);
		assert_non_null(strstr(pager.title, number));
		for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
			struct canvas canvas = {0};
			struct text out = {0};
			canvas_resize(&canvas, areas[i].width, areas[i].height + 2);
			pager_draw(&pager, &canvas, areas[i]);
			canvas_dump(&canvas, &out);
			if (getenv("SHOW"))
				puts(out.data);
			/* Nothing is cut in a usual terminal, and all of it is in sight. */
			assert_true(areas[i].height < 20 || strstr(out.data, " the tour"));
			assert_true(areas[i].height < 20 || !strstr(out.data, " more line"));
			text_free(&out);
			canvas_free(&canvas);
		}
		pager_free(&pager);
	}
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_remembered_in_the_home_folder),
		cmocka_unit_test(the_state_folder_comes_first),
		cmocka_unit_test(where_it_cannot_be_remembered_it_is_not_new),
		cmocka_unit_test(its_pages_fit_into_the_smallest_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
