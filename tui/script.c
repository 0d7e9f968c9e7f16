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
	{"lt", '<'}};

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

static bool script_resize(const char *name, int *width, int *height)
{
	static const char word[] = "Resize:";
	return strncmp(name, word, sizeof word - 1) == 0 &&
	       script_parse_size(name + sizeof word - 1, '>', width, height);
}

bool script_run(struct app *app, const char *keys, int width, int height, struct vp_error *err)
{
	app_draw(app, width, height);
	while (*keys && !app->quit) {
		uint32_t key;
		size_t used = utf8_decode(keys, strlen(keys), &key);
		if (used == 0) {
			key = (unsigned char)*keys;
			used = 1;
		}
		const char *end = *keys == '<' ? strchr(keys, '>') : NULL;
		if (end && script_resize(keys + 1, &width, &height))
			key = KEY_RESIZED;
		else if (end)
			key = script_key(keys + 1, (size_t)(end - keys - 1));
		if (key == KEY_NONE)
			return error_set(err, ERROR_USAGE, -1, "unknown key %.20s", keys);
		keys += end ? (size_t)(end - keys) + 1 : used;
		app_key(app, key);
		app_draw(app, width, height);
	}
	return true;
}
