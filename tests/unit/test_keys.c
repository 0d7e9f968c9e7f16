/* SPDX-License-Identifier: MIT */
/* The table of keys: no key has two meanings in one view, and none does nothing where it is listed.
 */

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
#include "base/hash.h"
#include "script.h"
#include "small_profile.h"

enum { KEYS_A_BINDING = 4 };

static const unsigned places[] = {
	IN_SUMMARY, IN_FLAME, IN_TIMELINE, IN_TOP, IN_CALLERS, IN_FILES, IN_PAGE, IN_LIST, IN_TOUR};
enum { PLACES = sizeof places / sizeof places[0] };

static void no_key_is_listed_twice_in_a_view(void **state)
{
	(void)state;
	for (size_t a = 0; a < key_table_size; a++) {
		for (size_t b = 0; b <= a; b++) {
			if (!(key_table[a].where & key_table[b].where))
				continue;
			for (int i = 0; i < KEYS_A_BINDING; i++)
				for (int k = 0; k < (a == b ? i : KEYS_A_BINDING); k++)
					assert_true(key_table[a].keys[i] == 0 ||
						    key_table[a].keys[i] != key_table[b].keys[k]);
		}
	}
}

static void every_binding_is_in_help_or_shares_a_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < key_table_size; i++) {
		const struct key_binding *binding = &key_table[i];
		assert_true(binding->keys[0] != 0 && binding->where != 0);
		assert_true(binding->action > ACT_NONE && binding->action < ACT_COUNT);
		if (binding->label) {
			assert_non_null(binding->text);
			assert_true(strlen(binding->label) <= 16); /* the width of its column */
			continue;
		}
		/* A line of the same group above it must be about this key, too. */
		assert_null(binding->footer);
		size_t line = i;
		while (line > 0 && !key_table[line].label)
			line--;
		assert_non_null(key_table[line].label);
		assert_string_equal(key_table[line].group, binding->group);
		assert_int_equal(key_table[line].where & binding->where, binding->where);
	}
}

static void keys_are_found_by_view(void **state)
{
	(void)state;
	assert_int_equal(key_action('j', IN_FLAME), ACT_DOWN);
	assert_int_equal(key_action(KEY_MOVE_DOWN, IN_TOP), ACT_DOWN);
	assert_int_equal(key_action('i', IN_FLAME), ACT_INVERT);
	assert_int_equal(key_action('i', IN_TOP), ACT_NONE);
	assert_int_equal(key_action('q', IN_PAGE), ACT_BACK);
	assert_int_equal(key_action(KEY_CTRL('C'), IN_PAGE), ACT_QUIT);
	assert_int_equal(key_action(0, IN_ALL), ACT_NONE);
	assert_int_equal(key_action(KEY_NONE, IN_ALL), ACT_NONE);
}

/* ---- every key does something ------------------------------------------------- */

/* All that a key can change: the picture with its colours, and what the loop is told. */
static uint64_t fingerprint(struct app *app)
{
	const struct canvas *canvas = &app->canvas;
	uint64_t hash = hash_u64(
		(uint64_t)app->quit | (uint64_t)app->cancel << 1 |
		(uint64_t)app->request.redraw_all << 2 | (uint64_t)app->request.suspend << 3 |
		(uint64_t)app->view << 4 | (uint64_t)app->request.reload << 8 |
		(uint64_t)app->request.copy.length << 9 | (uint64_t)app->browser.wish << 40 |
		(uint64_t)(app->browser.asked != NULL) << 48);
	for (int i = 0; i < canvas->width * canvas->height; i++) {
		const struct cell *cell = &canvas->cells[i];
		hash = hash_u64(hash ^ cell->character ^ (uint64_t)cell->role << 32 ^
				(uint64_t)cell->look << 48);
	}
	return hash;
}

static const char *files_folder(void)
{
	static char folder[1000];
	const char *top = getenv("top_srcdir");
	snprintf(folder, sizeof folder, "%s/tests/golden/data/output", top ? top : ".");
	return folder;
}

static bool changes_something(unsigned place, const char *before, uint32_t key, int height)
{
	static const char *const opening[] = {"1", "2", "3", "4", "5", "6", "2?", "2<F2>", "2?t"};
	static const struct report_options options = {.series = SERIES_BOTH};
	struct vp_error err;
	const bool place_is_files = places[place] == IN_FILES;
	struct app app;
	char keys[64];
	app_init(&app, &options, "small", NULL, NULL, false);
	if (place_is_files)
		browse_set_folder(&app, files_folder());
	assert_true(app_show(&app, small_profile(true), false, &err));
	snprintf(keys, sizeof keys, "%s%s", opening[place], before);
	assert_true(script_run(&app, keys, 80, height, &err));
	/* Esc has something to undo while a profile is being read. */
	app.is_loading = key == KEY_ESCAPE && !place_is_files;
	app_draw(&app, 80, height);
	const uint64_t was = fingerprint(&app);
	app_key(&app, key);
	app_draw(&app, 80, height);
	const bool changed = fingerprint(&app) != was;
	app_free(&app);
	return changed;
}

/* Somewhere in each view that lists it, a key changes something. */
static void every_key_does_something(void **state)
{
	(void)state;
	static const char *const situations[] = {"", "1", "2", "jjj", "G", "jj$", "jjll",
		"G<C-y><C-y>", "}", "l", "jj<Enter>", "<Enter><Enter>", "P", "P<Enter>[",
		"llllllllllj", "<PgDn><PgDn>", "/load<Enter>", "/load<Enter>n", "qy", "/l<Enter>",
		"/e<Enter>nn", "jjjh", " j", "  ", "/pyprof<Enter>"};
	for (size_t i = 0; i < key_table_size; i++) {
		for (unsigned place = 0; place < PLACES; place++) {
			if (!(key_table[i].where & places[place]))
				continue;
			for (int k = 0; k < KEYS_A_BINDING && key_table[i].keys[k]; k++) {
				bool changed = false;
				for (size_t s = 0;
					s < sizeof situations / sizeof situations[0] && !changed;
					s++)
					changed = changes_something(place, situations[s],
							  key_table[i].keys[k], 24) ||
						  changes_something(place, situations[s],
							  key_table[i].keys[k], 12);
				if (!changed)
					fail_msg("key %x (%s, %s) does nothing in view %u",
						key_table[i].keys[k],
						key_table[i].label ? key_table[i].label : "-",
						key_table[i].text ? key_table[i].text : "-",
						place + 1);
			}
		}
	}
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_is_listed_twice_in_a_view),
		cmocka_unit_test(every_binding_is_in_help_or_shares_a_line),
		cmocka_unit_test(keys_are_found_by_view),
		cmocka_unit_test(every_key_does_something),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
