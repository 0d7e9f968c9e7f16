/* SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 2000 };

static const struct {
	const char *name;
	uint32_t key;
} script_names[] = {{"Enter", KEY_RETURN}, {"Esc", KEY_ESCAPE}, {"Tab", KEY_TAB},
	{"S-Tab", KEY_TAB_BACK}, {"Up", KEY_MOVE_UP}, {"Down", KEY_MOVE_DOWN},
	{"Left", KEY_MOVE_LEFT}, {"Right", KEY_MOVE_RIGHT}, {"PgUp", KEY_PAGE_UP},
	{"PgDn", KEY_PAGE_DOWN}, {"Home", KEY_FIRST}, {"End", KEY_LAST}, {"Backspace", KEY_ERASE},
	{"Del", KEY_DELETE}, {"lt", '<'}};

/* The key that name[length] stands for, KEY_NONE where there is none. */
static uint32_t script_key(const char *name, size_t length)
{
	char word[16] = "", *end;
	if (length >= sizeof word)
		return KEY_NONE;
	memcpy(word, name, length);
	for (size_t i = 0; i < sizeof script_names / sizeof script_names[0]; i++)
		if (strcmp(script_names[i].name, word) == 0)
			return script_names[i].key;
	const long number = word[0] == 'F' ? strtol(word + 1, &end, 10) : 0;
	if (number >= 1 && number <= 12 && *end == '\0')
		return KEY_FUNCTION + (uint32_t)number;
	if (length == 3 && word[0] == 'C' && word[1] == '-')
		return (uint32_t)KEY_CTRL(word[2]);
	return KEY_NONE;
}

bool script_parse_size(const char *text, char end, int *width, int *height)
{
	char *next;
	const long wide = strtol(text, &next, 10);
	if (next == text || *next != 'x')
		return false;
	const char *rest = next + 1;
	const long high = strtol(rest, &next, 10);
	if (next == rest || *next != end || wide < 1 || high < 1 || wide > LARGEST_SIDE ||
		high > LARGEST_SIDE)
		return false;
	*width = (int)wide;
	*height = (int)high;
	return true;
}

/* What follows "word:" in `name`, NULL where it does not begin so. */
static const char *script_after(const char *name, const char *word)
{
	const size_t length = strlen(word);
	return strncmp(name, word, length) == 0 && name[length] == ':' ? name + length + 1 : NULL;
}

/* "10,5>" */
static bool script_parse_cell(const char *text, struct pointer *pointer)
{
	char *next, *end;
	const long x = strtol(text, &next, 10);
	if (next == text || *next != ',')
		return false;
	const long y = strtol(next + 1, &end, 10);
	if (end == next + 1 || *end != '>' || x < 0 || y < 0 || x > LARGEST_SIDE ||
		y > LARGEST_SIDE)
		return false;
	pointer->x = (int)x;
	pointer->y = (int)y;
	return true;
}

/* Does what the mouse does in `name`; false: it is not about the mouse. */
static bool script_point(struct app *app, const char *name)
{
	static const struct {
		const char *name;
		enum pointer_kind kind;
	} words[] = {{"Click", POINTER_PRESS}, {"Press", POINTER_PRESS}, {"Double", POINTER_DOUBLE},
		{"Right", POINTER_RIGHT}, {"Drag", POINTER_DRAG}, {"Release", POINTER_RELEASE},
		{"WheelUp", POINTER_WHEEL_UP}, {"WheelDown", POINTER_WHEEL_DOWN},
		{"WheelLeft", POINTER_WHEEL_LEFT}, {"WheelRight", POINTER_WHEEL_RIGHT}};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		struct pointer pointer = {.kind = words[i].kind};
		const char *cell = script_after(name, words[i].name);
		if (!cell || !script_parse_cell(cell, &pointer))
			continue;
		app_pointer(app, &pointer);
		pointer.kind = POINTER_RELEASE;
		if (i == 0)
			app_pointer(app, &pointer);
		return true;
	}
	return false;
}

/* Types characters up to `end`, or one where that is NULL; how many bytes they are. */
static size_t script_type(struct app *app, const char *keys, const char *end)
{
	uint32_t key;
	size_t used = 0;
	while (used == 0 || (end && keys + used < end)) {
		const size_t n = utf8_decode(keys + used, strlen(keys + used), &key);
		app_key(app, n ? key : (unsigned char)keys[used]);
		used += n ? n : 1;
	}
	return used;
}

static void script_paste(struct app *app, const char *text, const char *end)
{
	app_key(app, KEY_PASTE);
	if (text < end)
		script_type(app, text, end);
	app_key(app, KEY_PASTE_DONE);
}

/* What a name in brackets stands for. */
static bool script_do(struct app *app, const char *name, const char *end, int *width, int *height)
{
	const char *paste = script_after(name, "Paste"), *size = script_after(name, "Resize");
	const uint32_t key = script_key(name, (size_t)(end - name));
	if (key != KEY_NONE)
		app_key(app, key);
	else if (paste)
		script_paste(app, paste, end);
	else if (size && script_parse_size(size, '>', width, height))
		app_key(app, KEY_RESIZED);
	else
		return script_point(app, name);
	return true;
}

static bool script_load(
	struct app *app, const struct open_options *options, void *context, struct vp_error *err)
{
	(void)context;
	struct profile *profile = profile_open(options, err);
	return profile && app_show(app, profile, false, err);
}

/* What a key asked for is done before the next one. */
void script_serve(struct app *app)
{
	browse_open(app, script_load, NULL);
	while (browse_step(app, INT64_MAX))
		;
}

bool script_run(struct app *app, const char *keys, int width, int height, struct vp_error *err)
{
	script_serve(app);
	app_draw(app, width, height);
	while (*keys && !app->quit) {
		const char *end = *keys == '<' ? strchr(keys, '>') : NULL;
		if (!end)
			keys += script_type(app, keys, NULL);
		else if (!script_do(app, keys + 1, end, &width, &height))
			return error_set(err, ERROR_USAGE, -1, "unknown key %.20s", keys);
		else
			keys = end + 1;
		script_serve(app);
		app_draw(app, width, height);
	}
	return true;
}
