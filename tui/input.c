/* SPDX-License-Identifier: MIT */
#include "config.h"

#define NCURSES_WIDECHAR 1
#include "input.h"

#include <curses.h>
#include <time.h>

enum {
	REPORT_DELAY = 100, /* ms that the rest of a mouse report may take */
	REPORT_SIZE = 32,
	/* Keys of our own; curses' end at KEY_MAX, and those of terminfo's extensions follow. */
	CODE_MOUSE = 0x2000, /* reports that are text (1006) */
	CODE_OLD_MOUSE,      /* three bytes */
	CODE_PASTE,
	CODE_PASTE_DONE
};

/* ---- start and end -------------------------------------------------------- */

/* Keys that terminfo entries often lack or have in their other form, and what is no key. */
static void input_define_keys(bool has_mouse)
{
	static const struct {
		const char *bytes;
		int key;
	} known[] = {{"\033[A", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT}, {"\033OA", KEY_UP}, {"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT}, {"\033[H", KEY_HOME},
		{"\033[F", KEY_END}, {"\033OH", KEY_HOME}, {"\033OF", KEY_END},
		{"\033[1~", KEY_HOME}, {"\033[3~", KEY_DC}, {"\033[4~", KEY_END},
		{"\033[7~", KEY_HOME}, {"\033[8~", KEY_END}, {"\033[5~", KEY_PPAGE},
		{"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB}, {"\033OM", KEY_ENTER},
		{"\033OP", KEY_F(1)}, {"\033OQ", KEY_F(2)}, {"\033OR", KEY_F(3)},
		{"\033OS", KEY_F(4)}, {"\033[11~", KEY_F(1)}, {"\033[12~", KEY_F(2)},
		{"\033[13~", KEY_F(3)}, {"\033[14~", KEY_F(4)}, {"\033[15~", KEY_F(5)},
		{"\033[17~", KEY_F(6)}, {"\033[18~", KEY_F(7)}, {"\033[19~", KEY_F(8)},
		{"\033[20~", KEY_F(9)}, {"\033[21~", KEY_F(10)}, {"\033[200~", CODE_PASTE},
		{"\033[201~", CODE_PASTE_DONE}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const int code = key_defined(known[i].bytes);
		if (code == 0 || code > KEY_MAX) /* the entry's extensions have other names */
			define_key(known[i].bytes, known[i].key);
	}
	define_key(NULL, KEY_MOUSE); /* whose decoding knows neither drags nor sideways wheels */
	if (has_mouse) {
		define_key("\033[<", CODE_MOUSE);
		define_key("\033[M", CODE_OLD_MOUSE);
	}
}

bool input_open(struct input *input, bool has_mouse)
{
	/* Reading from a window would paint it, from a pad not. */
	*input = (struct input){.window = newpad(1, 1)};
	if (!input->window)
		return false;
	keypad(input->window, TRUE);
	nodelay(input->window, TRUE);
	input_define_keys(has_mouse);
	return true;
}

void input_close(struct input *input)
{
	if (input->window)
		delwin(input->window);
	input->window = NULL;
}

/* ---- keys ----------------------------------------------------------------- */

static int64_t input_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The next byte of a sequence whose start was read; ERR where none comes. */
static int input_next_byte(struct input *input, int wait_ms)
{
	wtimeout(input->window, wait_ms);
	const int byte = wgetch(input->window);
	nodelay(input->window, TRUE);
	return byte;
}

static uint32_t input_mouse_key(struct input *input)
{
	char report[REPORT_SIZE];
	size_t length = 0;
	for (bool is_done = false; !is_done && length + 1 < sizeof report; length++) {
		const int byte = input_next_byte(input, REPORT_DELAY);
		if (byte < ' ' || byte > '~')
			return KEY_NONE;
		report[length] = (char)byte;
		is_done = byte >= '@';
	}
	report[length] = '\0';
	input->has_pointer = mouse_report_text(&input->mouse, report, input_now(), &input->pointer);
	return input->has_pointer ? KEY_POINTER : KEY_NONE;
}

static uint32_t input_old_mouse_key(struct input *input)
{
	int numbers[3];
	for (int i = 0; i < 3; i++) {
		numbers[i] = input_next_byte(input, REPORT_DELAY);
		if (numbers[i] < ' ' || numbers[i] > 255)
			return KEY_NONE;
	}
	input->has_pointer = mouse_report(&input->mouse, numbers[0] - 32, numbers[1] - 33,
		numbers[2] - 33, false, input_now(), &input->pointer);
	return input->has_pointer ? KEY_POINTER : KEY_NONE;
}

static uint32_t input_special_key(struct input *input, wint_t code)
{
	static const struct {
		wint_t code;
		uint32_t key;
	} known[] = {{KEY_UP, KEY_MOVE_UP}, {KEY_DOWN, KEY_MOVE_DOWN}, {KEY_LEFT, KEY_MOVE_LEFT},
		{KEY_RIGHT, KEY_MOVE_RIGHT}, {KEY_PPAGE, KEY_PAGE_UP}, {KEY_NPAGE, KEY_PAGE_DOWN},
		{KEY_HOME, KEY_FIRST}, {KEY_END, KEY_LAST}, {KEY_FIND, KEY_FIRST},
		{KEY_SELECT, KEY_LAST}, {KEY_A1, KEY_FIRST}, {KEY_A3, KEY_PAGE_UP},
		{KEY_C1, KEY_LAST}, {KEY_C3, KEY_PAGE_DOWN}, {KEY_ENTER, KEY_RETURN},
		{KEY_BACKSPACE, KEY_ERASE}, {KEY_DC, KEY_DELETE}, {KEY_BTAB, KEY_TAB_BACK},
		{CODE_PASTE, KEY_PASTE}, {CODE_PASTE_DONE, KEY_PASTE_DONE}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (known[i].code == code)
			return known[i].key;
	if (code > KEY_F0 && code <= KEY_F(12))
		return KEY_FUNCTION + (uint32_t)(code - KEY_F0);
	if (code == CODE_MOUSE)
		return input_mouse_key(input);
	return code == CODE_OLD_MOUSE ? input_old_mouse_key(input) : (uint32_t)KEY_NONE;
}

/* Esc, or a sequence that nobody knows ("\033[27;5;9~"): it is swallowed, since its characters are
 * no keys that somebody pressed. */
static uint32_t input_escape(struct input *input)
{
	int byte = input_next_byte(input, 0);
	if (byte != '[') {
		if (byte != ERR)
			ungetch(byte);
		return KEY_ESCAPE;
	}
	byte = input_next_byte(input, 0);
	if (byte < ' ' || byte > '~') { /* somebody was quick: these are two keys */
		if (byte != ERR)
			ungetch(byte);
		ungetch('[');
		return KEY_ESCAPE;
	}
	for (int i = 0; i < REPORT_SIZE && byte >= ' ' && byte < '@'; i++)
		byte = input_next_byte(input, 0);
	return KEY_NONE;
}

static uint32_t input_character_key(struct input *input, wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return KEY_RETURN;
	case '\t':
		return KEY_TAB;
	case 27:
		return input_escape(input);
	case 8:
	case 127:
		return KEY_ERASE;
	default:
		return (uint32_t)c;
	}
}

/* In pasted text nothing is a key. */
static uint32_t input_pasted(bool is_code, wint_t c)
{
	if (is_code)
		return c == CODE_PASTE_DONE ? KEY_PASTE_DONE : KEY_NONE;
	if (c == '\r' || c == '\n' || c == '\t')
		return ' ';
	return c >= ' ' && c != 127 ? (uint32_t)c : (uint32_t)KEY_NONE;
}

uint32_t input_read(struct input *input, int *count)
{
	wint_t c;
	for (*count = 0;; ++*count) {
		const int kind = wget_wch(input->window, &c);
		if (kind == ERR)
			return KEY_NONE;
		const bool is_code = kind == KEY_CODE_YES;
		const uint32_t key = input->is_pasting ? input_pasted(is_code, c)
				     : is_code         ? input_special_key(input, c)
						       : input_character_key(input, c);
		if (key == KEY_PASTE || key == KEY_PASTE_DONE)
			input->is_pasting = key == KEY_PASTE;
		if (key != KEY_NONE)
			return key;
	}
}
