/* SPDX-License-Identifier: MIT */
/*
 * Random keys, clicks, pasted text and sizes, at every moment: nothing may crash, and the canvas
 * stays one that can be shown. VPTOP_RANDOM_KEYS=100000 presses so many (5,000), VPTOP_RANDOM_SEED
 * repeats a run. What failed is printed as text for --keys.
 */

#include <dirent.h>
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

#include "app/app.h"
#include "format/format.h"
#include "script.h"
#include "unit/small_profile.h"

enum { KEYS = 5000, PROFILES = 4, WIDEST = 130, HIGHEST = 50, KEYS_SHOWN = 4000 };

static struct {
	uint32_t seed, first_seed;
	int keys, pressed;
	char folder[64];
	char samples[3][1024];
	char list[1024]; /* a folder of profiles */
	struct text log; /* of this app, as --keys has it */
} run;

static int any(int below)
{
	run.seed = run.seed * 1664525u + 1013904223u;
	return (int)((run.seed >> 8) % (uint32_t)below);
}

/* ---- what was pressed --------------------------------------------------------- */

static void say_keys(void)
{
	const size_t length = run.log.length;
	const size_t skipped = length > KEYS_SHOWN ? length - KEYS_SHOWN : 0;
	fprintf(stderr, "VPTOP_RANDOM_SEED=%u, key %d; the last of them: %s\n", run.first_seed,
		run.pressed, run.log.data ? run.log.data + skipped : "");
}

/* The address sanitizer calls it before it ends the program. */
void __asan_on_error(void);
void __asan_on_error(void)
{
	say_keys();
}

static void check(bool ok, const char *what, int x, int y)
{
	if (ok)
		return;
	say_keys();
	fail_msg("%s at %d,%d", what, x, y);
}

static void log_key(uint32_t key)
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {{KEY_MOVE_UP, "Up"}, {KEY_MOVE_DOWN, "Down"}, {KEY_MOVE_LEFT, "Left"},
		{KEY_MOVE_RIGHT, "Right"}, {KEY_PAGE_UP, "PgUp"}, {KEY_PAGE_DOWN, "PgDn"},
		{KEY_FIRST, "Home"}, {KEY_LAST, "End"}, {KEY_RETURN, "Enter"}, {KEY_ESCAPE, "Esc"},
		{KEY_ERASE, "Backspace"}, {KEY_TAB, "Tab"}, {KEY_TAB_BACK, "S-Tab"},
		{KEY_DELETE, "Del"}, {'<', "lt"}};
	char bytes[4];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (names[i].key == key) {
			text_printf(&run.log, "<%s>", names[i].name);
			return;
		}
	}
	if (key > KEY_FUNCTION && key <= KEY_FUNCTION + 12)
		text_printf(&run.log, "<F%u>", key - KEY_FUNCTION);
	else if (key < ' ')
		text_printf(&run.log, "<C-%c>", (int)key + '`');
	else if (key < KEY_NONE)
		text_add(&run.log, bytes, utf8_encode(key, bytes));
}

/* ---- what there is to press --------------------------------------------------- */

static void press(struct app *app, uint32_t key)
{
	/* The folder that a report is written to is ours. */
	if (key == '/' && app->prompt.kind == PROMPT_WRITE)
		return;
	log_key(key);
	app_key(app, key);
}

static void point(struct app *app)
{
	static const char *const names[] = {"Press", "Double", "Right", "Drag", "Release",
		"WheelUp", "WheelDown", "WheelLeft", "WheelRight"};
	const struct pointer pointer = {
		(enum pointer_kind)any(POINTER_WHEEL_RIGHT + 1), any(WIDEST + 5), any(HIGHEST + 5)};
	text_printf(&run.log, "<%s:%d,%d>", names[pointer.kind], pointer.x, pointer.y);
	app_pointer(app, &pointer);
}

static void paste(struct app *app)
{
	static const char *const texts[] = {"json", "a|b", "((", "[", ".*", "11:56", "50%", "+25m",
		"", "日本", "e\u0301", "\\", "?", "99999999999999999999", "x{9999}",
		"name with blanks"};
	const char *text = texts[any((int)(sizeof texts / sizeof texts[0]))];
	text_printf(&run.log, "<Paste:%s>", text);
	app_key(app, KEY_PASTE);
	while (*text) {
		uint32_t key;
		text += utf8_decode(text, strlen(text), &key);
		app_key(app, key);
	}
	app_key(app, KEY_PASTE_DONE);
}

/* A key of the table, as a rule one that means something here. */
static uint32_t any_listed_key(const struct app *app)
{
	for (int tries = 0; tries < 50; tries++) {
		const struct key_binding *binding = &key_table[any((int)key_table_size)];
		const uint32_t key = binding->keys[any(4)];
		if (key != 0 && (tries == 49 || (binding->where & app_where(app))))
			return key;
	}
	return 'j';
}

static void do_something(struct app *app)
{
	static const uint32_t odd[] = {0, 1, 0xe9, 0x65e5, 0x301, 0x200b, 0x202e, 0x1f600, 0xd800,
		0x10ffff, KEY_NONE, KEY_RESIZED, KEY_PASTE_DONE, KEY_FUNCTION + 12, 127};
	const int kind = any(100);
	if (kind < 50)
		press(app, any_listed_key(app));
	else if (kind < 65)
		press(app, (uint32_t)(' ' + any(95)));
	else if (kind < 75)
		press(app, any(2) ? KEY_RETURN : KEY_ESCAPE);
	else if (kind < 80)
		press(app, (uint32_t)('1' + any(VIEW_COUNT)));
	else if (kind < 92)
		point(app);
	else if (kind < 95)
		paste(app);
	else if (kind < 98)
		press(app, odd[any((int)(sizeof odd / sizeof odd[0]))]);
	else
		press(app, KEY_FUNCTION + 1 + (uint32_t)any(12));
}

/* ---- what is drawn ------------------------------------------------------------ */

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c > 0x10ffff;
}

static void check_cell(const struct canvas *canvas, int x, int y)
{
	const struct cell *cell = &canvas->cells[y * canvas->width + x];
	const bool has_next = x + 1 < canvas->width;
	check(cell->role < ROLE_COUNT, "a role that there is not", x, y);
	check(cell->mark == 0 || character_width(cell->mark) == 0, "a mark of some width", x, y);
	if (cell->character == 0) {
		check(x > 0 && character_width(cell[-1].character) == 2, "half a character", x, y);
		return;
	}
	check(!is_control(cell->character), "a control character", x, y);
	check(!canvas->ascii || (cell->character < 0x7f && cell->mark == 0), "not ASCII", x, y);
	const int width = canvas->ascii ? 1 : character_width(cell->character);
	const bool is_wide = has_next && cell[1].character == 0;
	check(width == (is_wide ? 2 : 1), "a character of the wrong width", x, y);
}

static void draw(struct app *app, int width, int height)
{
	const struct canvas *canvas = &app->canvas;
	app_draw(app, width, height);
	check(canvas->width == width && canvas->height == height, "another size", width, height);
	check(canvas->cursor_x < width && canvas->cursor_y < height, "the cursor is outside",
		canvas->cursor_x, canvas->cursor_y);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			check_cell(canvas, x, y);
}

/* What the screen's loop would do, but the end. */
static void serve(struct app *app)
{
	/* The folders above are the machine's own. */
	if (app->browser.wish == FOLDER_ABOVE)
		app->browser.wish = FOLDER_STAYS;
	script_serve(app);
	text_clear(&app->request.copy);
	text_clear(&app->request.source);
	app->request.redraw_all = app->request.suspend = app->request.reload = false;
	app->request.flip_mouse = app->quit = app->cancel = false;
}

static void press_keys(struct profile *profile, bool is_ascii, bool no_eighths)
{
	const struct report_options options = {.series = SERIES_BOTH, .ascii = is_ascii};
	struct vp_error err;
	struct app app;
	int width = 80, height = 24;
	text_clear(&run.log);
	app_init(&app, &options, "random", NULL, NULL, no_eighths);
	browse_set_folder(&app, run.list);
	assert_true(app_show(&app, profile, false, &err));
	draw(&app, width, height);
	for (int i = 0; i < run.keys / PROFILES / 2; i++, run.pressed++) {
		if (any(25) == 0) {
			const bool is_any = any(4) == 0; /* most are sizes that all is drawn at */
			width = is_any ? 1 + any(WIDEST)
				       : SMALLEST_WIDTH + any(WIDEST - SMALLEST_WIDTH + 1);
			height = is_any ? 1 + any(HIGHEST)
					: SMALLEST_HEIGHT + any(HIGHEST - SMALLEST_HEIGHT + 1);
			text_printf(&run.log, "<Resize:%dx%d>", width, height);
		} else {
			do_something(&app);
			serve(&app);
		}
		/* Keys that come fast are drawn once. */
		if (any(4))
			draw(&app, width, height);
	}
	app_free(&app);
}

static void press_keys_on(const char *path)
{
	for (int i = 0; i < 2; i++) {
		const struct load_options options = load_options_default();
		struct vp_error err;
		struct profile *profile =
			path ? profile_load(path, &options, &err) : small_profile(i == 0);
		if (!profile)
			fail_msg("%s: %s", path, err.message);
		press_keys(profile, i == 1, any(2));
	}
}

static void memory_survives(void **state)
{
	(void)state;
	press_keys_on(run.samples[0]);
}

static void cpu_survives(void **state)
{
	(void)state;
	press_keys_on(run.samples[1]);
}

static void vmprof_survives(void **state)
{
	(void)state;
	press_keys_on(run.samples[2]);
}

static void hostile_names_survive(void **state)
{
	(void)state;
	press_keys_on(NULL);
}

/* ---- start -------------------------------------------------------------------- */

/* Reports that were written, and the folders of the state of vptop. */
static void clean_up(const char *folder)
{
	char path[1400];
	DIR *directory = opendir(folder);
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (unlink(path) != 0 && strcmp(entry->d_name, "vptop") == 0)
			clean_up(path);
	}
	if (directory)
		closedir(directory);
	rmdir(folder);
}

static void prepare(void)
{
	static const char *const names[] = {"etl-memory.msgpack.gz", "etl-cpu.prof.gz", "etl.prof"};
	const char *keys = getenv("VPTOP_RANDOM_KEYS"), *seed = getenv("VPTOP_RANDOM_SEED");
	const char *top = getenv("top_srcdir"), *temporary = getenv("TMPDIR");
	char *here = realpath(top ? top : ".", NULL);
	run.keys = keys && *keys ? atoi(keys) : KEYS;
	run.seed = run.first_seed = seed && *seed ? (uint32_t)strtoul(seed, NULL, 10) : 1;
	for (int i = 0; i < 3; i++)
		snprintf(run.samples[i], sizeof run.samples[i], "%s/data/samples/%s", here,
			names[i]);
	snprintf(run.list, sizeof run.list, "%s/tests/golden/data/output", here);
	free(here);
	snprintf(run.folder, sizeof run.folder, "%.40s/vptop-keys.XXXXXX",
		temporary ? temporary : "/tmp");
	if (!mkdtemp(run.folder) || chdir(run.folder) != 0)
		exit(1);
	setenv("HOME", run.folder, 1);
	setenv("XDG_STATE_HOME", run.folder, 1);
	setenv("XDG_CONFIG_HOME", run.folder, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_survives),
		cmocka_unit_test(cpu_survives),
		cmocka_unit_test(vmprof_survives),
		cmocka_unit_test(hostile_names_survive),
	};
	setlocale(LC_ALL, "C.UTF-8");
	prepare();
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	clean_up(run.folder);
	text_free(&run.log);
	return failed;
}
