/* SPDX-License-Identifier: MIT */
#include "kit/keys.h"

/* Two bindings that share a line of help, such as "j k", stand together; the first has the label.
 */
const struct key_binding key_table[] = {
	/* The flame graph has two directions of its own: along the calls and along the row. */
	{{'j', KEY_MOVE_DOWN}, ACT_DOWN, IN_FLAME, "j k, Down Up", "one row down, up", "MOVE",
		"rows"},
	{{'k', KEY_MOVE_UP}, ACT_UP, IN_FLAME, NULL, NULL, "MOVE", NULL},
	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_FLAME, "h l, Left Right", "left, right frame", "MOVE",
		"frames"},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_FLAME, NULL, NULL, "MOVE", NULL},

	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_TIMELINE, "h l, Left Right", "earlier, later bin",
		"MOVE", "bin"},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_TIMELINE, NULL, NULL, "MOVE", NULL},
	{{'j', KEY_MOVE_DOWN}, ACT_DOWN, IN_TIMELINE, "j k, Down Up", "next, previous tail", "MOVE",
		"tail"},
	{{'k', KEY_MOVE_UP}, ACT_UP, IN_TIMELINE, NULL, NULL, "MOVE", NULL},

	{{'j', KEY_MOVE_DOWN}, ACT_DOWN, IN_TABLES, "j k, Down Up", "next, previous row", "MOVE",
		"rows"},
	{{'k', KEY_MOVE_UP}, ACT_UP, IN_TABLES, NULL, NULL, "MOVE", NULL},
	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_SUMMARY, "h l, Left Right", "left, right table", "MOVE",
		NULL},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_SUMMARY, NULL, NULL, "MOVE", NULL},
	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_TOP, "h l, Left Right", "scroll sideways", "MOVE",
		NULL},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_TOP, NULL, NULL, "MOVE", NULL},
	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_CALLERS, "h l, Left Right", "fold, unfold", "MOVE",
		NULL},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_CALLERS, NULL, NULL, "MOVE", NULL},

	{{'j', KEY_MOVE_DOWN}, ACT_DOWN, IN_LIST, "j k, Down Up", "next, previous line", "MOVE",
		"lines"},
	{{'k', KEY_MOVE_UP}, ACT_UP, IN_LIST, NULL, NULL, "MOVE", NULL},
	{{'h', KEY_MOVE_LEFT}, ACT_LEFT, IN_LIST, "h l, Left Right", "change it", "MOVE", NULL},
	{{'l', KEY_MOVE_RIGHT}, ACT_RIGHT, IN_LIST, NULL, NULL, "MOVE", NULL},
	{{'j', KEY_MOVE_DOWN}, ACT_DOWN, IN_PAGE, "j k, Down Up", "scroll", "MOVE", "scroll"},
	{{'k', KEY_MOVE_UP}, ACT_UP, IN_PAGE, NULL, NULL, "MOVE", NULL},

	{{KEY_CTRL('D')}, ACT_HALF_DOWN, IN_ALL | IN_PAGE | IN_LIST, "Ctrl-D Ctrl-U", "half a page",
		"MOVE", NULL},
	{{KEY_CTRL('U')}, ACT_HALF_UP, IN_ALL | IN_PAGE | IN_LIST, NULL, NULL, "MOVE", NULL},
	{{'f', KEY_PAGE_DOWN}, ACT_PAGE_DOWN, IN_ALL | IN_PAGE | IN_LIST, "f b, PgDn PgUp",
		"a page", "MOVE", NULL},
	{{'b', KEY_PAGE_UP}, ACT_PAGE_UP, IN_ALL | IN_PAGE | IN_LIST, NULL, NULL, "MOVE", NULL},
	{{'g', KEY_FIRST}, ACT_FIRST, IN_FLAME, "g G, Home End", "root, deepest row", "MOVE", NULL},
	{{'G', KEY_LAST}, ACT_LAST, IN_FLAME, NULL, NULL, "MOVE", NULL},
	{{'g', KEY_FIRST}, ACT_FIRST, IN_TIMELINE, "g G, Home End", "start, end of run", "MOVE",
		NULL},
	{{'G', KEY_LAST}, ACT_LAST, IN_TIMELINE, NULL, NULL, "MOVE", NULL},
	{{'g', KEY_FIRST}, ACT_FIRST, IN_TABLES | IN_PAGE | IN_LIST, "g G, Home End",
		"first, last row", "MOVE", NULL},
	{{'G', KEY_LAST}, ACT_LAST, IN_TABLES | IN_PAGE | IN_LIST, NULL, NULL, "MOVE", NULL},
	{{'^'}, ACT_ROW_FIRST, IN_FLAME, "^ $", "ends of this row", "MOVE", NULL},
	{{'$'}, ACT_ROW_LAST, IN_FLAME, NULL, NULL, "MOVE", NULL},
	{{'^'}, ACT_ROW_FIRST, IN_TIMELINE, "^ $", "first, last bin", "MOVE", NULL},
	{{'$'}, ACT_ROW_LAST, IN_TIMELINE, NULL, NULL, "MOVE", NULL},
	{{KEY_CTRL('E')}, ACT_SCROLL_DOWN, IN_FLAME | IN_TOP | IN_CALLERS, "Ctrl-E Ctrl-Y",
		"scroll one row", "MOVE", NULL},
	{{KEY_CTRL('Y')}, ACT_SCROLL_UP, IN_FLAME | IN_TOP | IN_CALLERS, NULL, NULL, "MOVE", NULL},

	{{KEY_RETURN, '+', KEY_FUNCTION + 8}, ACT_IN, IN_FLAME, "Enter, +, F8",
		"zoom into the frame", "ZOOM", "zoom"},
	{{KEY_RETURN, '+', KEY_FUNCTION + 8}, ACT_IN, IN_TIMELINE, "Enter, +, F8", "zoom in here",
		"ZOOM", "zoom"},
	{{'u', '-', KEY_ERASE, KEY_FUNCTION + 7}, ACT_OUT, IN_FLAME | IN_TIMELINE, "u, -, F7, Bksp",
		"zoom out one step", "ZOOM", "out"},
	{{'0'}, ACT_RESET, IN_FLAME | IN_TIMELINE, "0", "all of it", "ZOOM", "all"},
	{{KEY_RETURN, '+', KEY_FUNCTION + 8}, ACT_IN, IN_SUMMARY, "Enter, +, F8",
		"open the selected", "ZOOM", "open"},
	{{KEY_RETURN, '+', KEY_FUNCTION + 8}, ACT_IN, IN_TOP, "Enter, +, F8", "callers and callees",
		"ZOOM", "callers"},
	{{KEY_RETURN, '+', KEY_FUNCTION + 8}, ACT_IN, IN_CALLERS, "Enter, +, F8",
		"make it the centre", "ZOOM", "centre"},
	{{'u', '-', KEY_ERASE, KEY_FUNCTION + 7}, ACT_OUT, IN_CALLERS, "u, -, F7, Bksp",
		"the centre before", "ZOOM", "out"},
	{{' '}, ACT_FOLD, IN_CALLERS, "Space", "fold, unfold", "ZOOM", "unfold"},
	{{' '}, ACT_FOLD, IN_TIMELINE, "Space", "unfold the tail", "ZOOM", "unfold"},
	{{' '}, ACT_FOLD, IN_FLAME, "Space", "unfold the chain", "ZOOM", NULL},
	{{'e'}, ACT_UNFOLD_ALL, IN_CALLERS | IN_FLAME, "e E", "unfold, fold all", "ZOOM", NULL},
	{{'E'}, ACT_FOLD_ALL, IN_CALLERS | IN_FLAME, NULL, NULL, "ZOOM", NULL},
	{{KEY_RETURN, ' '}, ACT_IN, IN_LIST, "Enter, Space", "do it", "ZOOM", "do it"},
	{{'x', KEY_DELETE, KEY_ERASE}, ACT_CLEAR, IN_LIST, "x, Del, Bksp", "take it away", "ZOOM",
		"clear"},

	{{'/', KEY_FUNCTION + 3}, ACT_SEARCH, IN_ALL | IN_PAGE, "/, F3", "search (regex)", "FIND",
		"search"},
	{{'n'}, ACT_HIT_NEXT, IN_ALL | IN_PAGE, "n N", "next, previous hit", "FIND", NULL},
	{{'N'}, ACT_HIT_PREVIOUS, IN_ALL | IN_PAGE, NULL, NULL, "FIND", NULL},
	{{'*'}, ACT_SAME_NAME, IN_ALL, "*", "search this name", "FIND", NULL},
	{{'&', '\\', KEY_FUNCTION + 4}, ACT_FILTER, IN_TOP, "& \\, F4", "filter the rows", "FIND",
		"filter"},
	{{'&', '\\', KEY_FUNCTION + 4}, ACT_FILTER, IN_ALL & ~IN_TOP, "& \\, F4",
		"filter by pattern", "FIND", "filter"},
	{{':'}, ACT_GO_TO, IN_ALL, ":", "go to time or line", "FIND", NULL},

	{{']'}, ACT_PEAK_NEXT, IN_TIMELINE, "[ ]", "previous, next peak", "TIME", "peak"},
	{{'['}, ACT_PEAK_PREVIOUS, IN_TIMELINE, NULL, NULL, "TIME", NULL},
	{{'P'}, ACT_PEAK_HIGHEST, IN_TIMELINE | IN_SUMMARY, "P", "highest peak", "TIME", "highest"},
	{{'v'}, ACT_MARK, IN_TIMELINE, "v", "mark a time window", "TIME", "mark"},
	{{'H'}, ACT_PAN_LEFT, IN_TIMELINE, "H L", "half a screen aside", "TIME", NULL},
	{{'L'}, ACT_PAN_RIGHT, IN_TIMELINE, NULL, NULL, "TIME", NULL},
	{{'a'}, ACT_SERIES, IN_TIMELINE, "a", "max, mean or both", "TIME", "series"},
	{{'T'}, ACT_CLOCK, IN_TIMELINE | IN_SUMMARY, "T", "clock or run time", "TIME", "clock"},

	{{KEY_FUNCTION + 6, '>'}, ACT_SORT_NEXT, IN_TOP, "> <, F6", "sort by column", "TABLE",
		"sort"},
	{{'<'}, ACT_SORT_PREVIOUS, IN_TOP, NULL, NULL, "TABLE", NULL},
	{{'I'}, ACT_REVERSE, IN_TOP, "I", "reverse the order", "TABLE", "reverse"},
	{{'}'}, ACT_NEXT_SECTION, IN_SUMMARY | IN_CALLERS, "{ }", "section up, down", "TABLE",
		"section"},
	{{'{'}, ACT_PREVIOUS_SECTION, IN_SUMMARY | IN_CALLERS, NULL, NULL, "TABLE", NULL},

	{{'c'}, ACT_COLOUR, IN_FLAME, "c", "next colouring", "LOOK", "colour"},
	{{'i'}, ACT_INVERT, IN_FLAME, "i", "turn upside down", "LOOK", NULL},
	{{'B'}, ACT_BOTTOM_UP, IN_FLAME, "B", "leaves first", "LOOK", NULL},
	{{'F'}, ACT_FLAMES, IN_CALLERS, "F", "flame graphs or lists", "LOOK", "flames"},
	{{'O'}, ACT_ORDER, IN_FLAME, "O", "order of frames", "LOOK", NULL},
	{{'V'}, ACT_TYPE, IN_FLAME | IN_TABLES, "V", "next value type", "LOOK", "value"},
	{{'%'}, ACT_UNIT, IN_FLAME | IN_TOP | IN_CALLERS, "%", "share or absolute", "LOOK", NULL},
	{{'w'}, ACT_NAMES, IN_ALL, "w", "long or short names", "LOOK", NULL},

	{{'1'}, ACT_VIEW_1, IN_ALL, "1 2 3 4 5", "open that view", "VIEWS", NULL},
	{{'2'}, ACT_VIEW_2, IN_ALL, NULL, NULL, "VIEWS", NULL},
	{{'3'}, ACT_VIEW_3, IN_ALL, NULL, NULL, "VIEWS", NULL},
	{{'4'}, ACT_VIEW_4, IN_ALL, NULL, NULL, "VIEWS", NULL},
	{{'5'}, ACT_VIEW_5, IN_ALL, NULL, NULL, "VIEWS", NULL},
	{{KEY_TAB}, ACT_VIEW_NEXT, IN_ALL, "Tab Shift-Tab", "next, previous view", "VIEWS", NULL},
	{{KEY_TAB_BACK}, ACT_VIEW_PREVIOUS, IN_ALL, NULL, NULL, "VIEWS", NULL},

	{{'s'}, ACT_TO_CALLERS, IN_ALL & ~IN_CALLERS, "s", "callers and callees", "VIEWS", NULL},
	{{'t'}, ACT_TO_TIMELINE, IN_ALL & ~IN_TIMELINE, "t", "show it in Time", "VIEWS", "time"},

	{{'m', KEY_FUNCTION + 9}, ACT_MENU, IN_ALL, "m, F9", "menu of actions", "OTHER", "menu"},
	{{KEY_FUNCTION + 2}, ACT_SETTINGS, IN_ALL, "F2", "settings", "OTHER", NULL},
	{{'@'}, ACT_THREAD, IN_ALL, "@", "choose a thread", "OTHER", NULL},
	{{'y'}, ACT_YANK, IN_ALL, "y", "names to copy", "OTHER", NULL},
	{{'c'}, ACT_COPY, IN_PAGE, "c", "copy (OSC 52)", "OTHER", "copy"},
	{{'p'}, ACT_WRITE, IN_ALL, "p", "write as text", "OTHER", NULL},
	{{'o'}, ACT_SOURCE, IN_ALL, "o", "open the source", "OTHER", NULL},
	{{'M'}, ACT_MOUSE, IN_ALL, "M", "mouse on, off", "OTHER", NULL},
	{{'R', KEY_FUNCTION + 5}, ACT_RELOAD, IN_ALL, "R, F5", "read the file again", "OTHER",
		NULL},
	{{'?', KEY_FUNCTION + 1}, ACT_HELP, IN_ALL, "?, F1", "help for this view", "OTHER", "help"},
	{{KEY_ESCAPE}, ACT_CANCEL, IN_ALL, "Esc", "undo; never quits", "OTHER", NULL},
	{{'q'}, ACT_BACK, IN_ALL, "q", "back; at last quit", "OTHER", "back"},
	{{'t'}, ACT_TOUR, IN_PAGE, "t", "the tour in six steps", "OTHER", "tour"},
	{{'q', '?', KEY_ESCAPE, KEY_RETURN}, ACT_BACK, IN_PAGE, "q, ?, Esc, Enter", "close",
		"OTHER", "close"},
	{{KEY_FUNCTION + 1}, ACT_BACK, IN_PAGE, NULL, NULL, "OTHER", NULL},
	{{KEY_RETURN, ' ', KEY_MOVE_RIGHT, 'l'}, ACT_TOUR_NEXT, IN_TOUR, "Enter, Space",
		"next page", "OTHER", "next"},
	{{KEY_MOVE_LEFT, KEY_ERASE, 'h'}, ACT_TOUR_BACK, IN_TOUR, "Left", "page before", "OTHER",
		"back"},
	{{'q', KEY_ESCAPE}, ACT_BACK, IN_TOUR, "q, Esc", "end the tour", "OTHER", "end"},
	{{'q', 'm', KEY_ESCAPE}, ACT_BACK, IN_LIST, "q, Esc", "close", "OTHER", "close"},
	{{'Q', KEY_FUNCTION + 10, KEY_CTRL('C')}, ACT_QUIT, IN_ALL | IN_PAGE | IN_LIST | IN_TOUR,
		"Q, F10, Ctrl-C", "quit now", "OTHER", NULL},
	{{KEY_CTRL('L')}, ACT_REDRAW, IN_ALL | IN_PAGE | IN_LIST | IN_TOUR, "Ctrl-L",
		"redraw the screen", "OTHER", NULL},
	{{KEY_CTRL('Z')}, ACT_SUSPEND, IN_ALL | IN_PAGE | IN_LIST | IN_TOUR, "Ctrl-Z", "suspend",
		"OTHER", NULL},
};

const size_t key_table_size = sizeof key_table / sizeof key_table[0];

enum action key_action(uint32_t key, unsigned where)
{
	if (key == 0)
		return ACT_NONE;
	for (size_t i = 0; i < key_table_size; i++) {
		if (!(key_table[i].where & where))
			continue;
		for (size_t k = 0; k < sizeof key_table[i].keys / sizeof key_table[i].keys[0]; k++)
			if (key_table[i].keys[k] == key)
				return key_table[i].action;
	}
	return ACT_NONE;
}
