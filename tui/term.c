/* SPDX-License-Identifier: MIT */
#include "config.h"

#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"
#include "guard.h"
#include "kit/theme.h"

enum {
	MAX_PAIRS = 64,    /* what an 8-colour terminal has, pair 0 included */
	ESCAPE_DELAY = 50, /* ms: 25 splits arrow keys on slow lines, 1000 makes Esc feel dead */
	LEFT_EDGE = 0x258f,
	MAX_SILENT_READS = 32 /* reads in a row that give no key although input waits */
};

/* The part of a style that curses wants. */
struct term_style {
	attr_t attributes;
	short pair;
};

static struct {
	bool is_open, no_eighths, has_note;
	SCREEN *screen;
	FILE *input; /* /dev/tty, NULL: standard input */
	int input_fd;
	enum colour_depth depth;
	int pair_count;
	short pairs[MAX_PAIRS][2];
	int no_color_video; /* attributes that do not go together with colours */
	struct term_style styles[ROLE_COUNT][2]; /* [1]: of a frame's left edge */
	struct cell *shown;                      /* what curses was given so far */
	int shown_width, shown_height;
	char restore[256]; /* bytes that give the terminal back after a crash */
	char note[120];
} term;

/* ---- colours ---------------------------------------------------------- */

static short term_pair(int foreground, int background)
{
	if (foreground < 0 && background < 0)
		return 0;
	for (int i = 1; i <= term.pair_count; i++)
		if (term.pairs[i][0] == foreground && term.pairs[i][1] == background)
			return (short)i;
	if (term.pair_count + 1 >= MAX_PAIRS || term.pair_count + 1 >= COLOR_PAIRS)
		return 0;
	const int pair = ++term.pair_count;
	term.pairs[pair][0] = (short)foreground;
	term.pairs[pair][1] = (short)background;
	init_pair((short)pair, (short)foreground, (short)background);
	return (short)pair;
}

static attr_t term_attributes(int look)
{
	attr_t attributes = 0;
	if (look & LOOK_REVERSE)
		attributes |= A_REVERSE;
	if (look & LOOK_BOLD)
		attributes |= A_BOLD;
	if ((look & LOOK_UNDERLINE) && !(term.no_color_video & 2))
		attributes |= A_UNDERLINE;
	if ((look & THEME_DIM) && !(term.no_color_video & 16))
		attributes |= A_DIM;
	return attributes;
}

static void term_make_styles(bool has_default_colours)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		for (int edge = 0; edge < 2; edge++) {
			struct style style =
				theme_style((enum role)role, edge ? LEFT_EDGE : ' ', term.depth);
			if (!has_default_colours && style.foreground < 0 && style.background >= 0)
				style.foreground = COLOR_WHITE;
			if (!has_default_colours && style.background < 0 && style.foreground >= 0)
				style.background = COLOR_BLACK;
			term.styles[role][edge] = (struct term_style){term_attributes(style.look),
				term_pair(style.foreground, style.background)};
		}
	}
}

static bool term_wants_colour(enum colour_choice choice)
{
	const char *no_color = getenv("NO_COLOR");
	if (choice == COLOUR_AUTO)
		return !no_color || !*no_color;
	return choice == COLOUR_ALWAYS;
}

static void term_start_colours(enum colour_choice choice)
{
	bool has_default_colours = true;
	term.depth = DEPTH_MONO;
	term.pair_count = 0;
	term.no_color_video = 0;
	if (term_wants_colour(choice) && has_colors() && start_color() == OK && COLORS >= 8) {
		has_default_colours = use_default_colors() == OK;
		/* Terminals with more colours than that take the number for a mix of red, green,
		 * blue. */
		term.depth = COLORS >= 256 && COLORS <= 512 && COLOR_PAIRS >= MAX_PAIRS ? DEPTH_256
											: DEPTH_8;
		const int ncv = tigetnum("ncv");
		term.no_color_video = ncv > 0 ? ncv : 0;
	}
	term_make_styles(has_default_colours);
}

/* ---- start and end ------------------------------------------------------ */

/* A string of the terminal's description, NULL where it has none. */
static const char *term_capability(const char *name)
{
	const char *value = tigetstr(name);
	return (intptr_t)value == -1 ? NULL : value; /* -1: no such name */
}

/* Adds a capability to `bytes` without its padding marks, "$<5>". */
static void term_add_capability(char *bytes, size_t size, const char *name)
{
	const char *value = term_capability(name);
	size_t used = strlen(bytes);
	if (!value)
		return;
	while (*value && used + 1 < size) {
		const char *end = value[0] == '$' && value[1] == '<' ? strchr(value, '>') : NULL;
		if (end)
			value = end + 1;
		else
			bytes[used++] = *value++;
	}
	bytes[used] = '\0';
}

static void term_prepare_restore(void)
{
	static const char *const names[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
	term.restore[0] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		term_add_capability(term.restore, sizeof term.restore, names[i]);
	if (!term_capability("rmcup")) {
		const size_t used = strlen(term.restore);
		snprintf(term.restore + used, sizeof term.restore - used, "\r\n");
	}
}

/* newterm, with a name that nearly every machine knows where it may stand in for a newer one. */
static bool term_new(FILE *input, struct vp_error *err)
{
	const char *name = getenv("TERM"), *colorterm = getenv("COLORTERM");
	if (!name || !*name)
		return error_set(err, ERROR_IO, -1, "TERM is not set");
	term.screen = newterm(name, stdout, input);
	if (!term.screen && strcmp(name, "dumb") != 0 &&
		(strncmp(name, "xterm-", 6) == 0 || (colorterm && *colorterm))) {
		term.screen = newterm("xterm-256color", stdout, input);
		if (term.screen) {
			term.has_note = true;
			snprintf(term.note, sizeof term.note,
				"terminal type %.40s is not known here: using xterm-256color",
				name);
		}
	}
	if (!term.screen)
		return error_set(err, ERROR_IO, -1, "terminal type %.60s is not known here", name);
	if (!term_capability("cup"))
		return error_set(
			err, ERROR_IO, -1, "terminal type %.60s cannot move the cursor", name);
	return true;
}

/* Keys that terminfo entries often lack or have in their other form. */
static void term_define_keys(void)
{
	static const struct {
		const char *bytes;
		int key;
	} known[] = {{"\033[A", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT}, {"\033OA", KEY_UP}, {"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT}, {"\033[H", KEY_HOME},
		{"\033[F", KEY_END}, {"\033OH", KEY_HOME}, {"\033OF", KEY_END},
		{"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[7~", KEY_HOME},
		{"\033[8~", KEY_END}, {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
		{"\033[Z", KEY_BTAB}, {"\033OM", KEY_ENTER}, {"\033OP", KEY_F(1)},
		{"\033OQ", KEY_F(2)}, {"\033OR", KEY_F(3)}, {"\033OS", KEY_F(4)},
		{"\033[11~", KEY_F(1)}, {"\033[12~", KEY_F(2)}, {"\033[13~", KEY_F(3)},
		{"\033[14~", KEY_F(4)}, {"\033[15~", KEY_F(5)}, {"\033[17~", KEY_F(6)},
		{"\033[18~", KEY_F(7)}, {"\033[19~", KEY_F(8)}, {"\033[20~", KEY_F(9)},
		{"\033[21~", KEY_F(10)}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (key_defined(known[i].bytes) == 0)
			define_key(known[i].bytes, known[i].key);
}

/*
 * Every key comes as a character, but Ctrl-C: as a signal it also reaches us while a profile is
 * being read from a pipe that gives nothing.
 */
static void term_set_modes(void)
{
	struct termios settings;
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	if (!getenv("ESCDELAY"))
		set_escdelay(ESCAPE_DELAY);
	curs_set(0);
	if (tcgetattr(term.input_fd, &settings) == 0) {
		const cc_t none = (cc_t)fpathconf(term.input_fd, _PC_VDISABLE);
		settings.c_lflag |= ISIG;
		settings.c_cc[VQUIT] = none;
		settings.c_cc[VSUSP] = none;
		tcsetattr(term.input_fd, TCSADRAIN, &settings);
		def_prog_mode();
	}
}

static void term_abandon(void)
{
	guard_stop();
	if (term.screen)
		delscreen(term.screen);
	term.screen = NULL;
	if (term.input)
		fclose(term.input);
	term.input = NULL;
}

bool term_open(const struct term_options *options, struct vp_error *err)
{
	if (options->keys_from_tty) {
		term.input = fopen("/dev/tty", "r");
		if (!term.input)
			return error_set(err, ERROR_IO, -1,
				"/dev/tty cannot be opened for keys: %s", strerror(errno));
	} else if (!isatty(STDIN_FILENO)) {
		return error_set(err, ERROR_IO, -1, "standard input is no terminal");
	}
	term.input_fd = term.input ? fileno(term.input) : STDIN_FILENO;
	/* A resize would be lost against these two (screens.md 4). */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	const char *name = getenv("TERM");
	term.no_eighths = !options->all_blocks && name && strncmp(name, "linux", 5) == 0;

	guard_prepare(term.input_fd, STDOUT_FILENO);
	if (!term_new(term.input ? term.input : stdin, err)) {
		term_abandon();
		return false;
	}
	term_prepare_restore();
	guard_start(term.restore);
	term_set_modes();
	term_define_keys();
	term_start_colours(options->colour);
	term.is_open = true;
	static bool is_registered;
	if (!is_registered)
		atexit(term_close);
	is_registered = true;
	return true;
}

bool term_is_open(void)
{
	return term.is_open;
}

void term_close(void)
{
	if (!term.is_open)
		return;
	term.is_open = false;
	endwin();
	free(term.shown);
	term.shown = NULL;
	term.shown_width = term.shown_height = 0;
	term_abandon();
}

const char *term_note(void)
{
	return term.has_note ? term.note : NULL;
}

bool term_no_eighths(void)
{
	return term.no_eighths;
}

int term_signal(void)
{
	return guard_signal();
}

/* ---- the picture ---------------------------------------------------------- */

void term_size(int *width, int *height)
{
	*width = COLS;
	*height = LINES;
}

static void term_show_cell(int x, int y, const struct cell *cell)
{
	const struct term_style *style = &term.styles[cell->role][cell->character == LEFT_EDGE];
	wchar_t text[3] = {(wchar_t)cell->character, (wchar_t)cell->mark, 0};
	cchar_t out;
	attr_t attributes = style->attributes;
	/* A cursor on a line that is reversed already has to differ from it. */
	if (cell->look & LOOK_REVERSE)
		attributes ^= A_REVERSE;
	attributes |= term_attributes(cell->look & ~LOOK_REVERSE);
	setcchar(&out, text, attributes, style->pair, NULL);
	mvadd_wch(y, x, &out);
}

static void term_show_row(const struct canvas *canvas, int y)
{
	const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
	for (int x = 0; x < canvas->width && x < COLS; x++)
		if (row[x].character != 0)
			term_show_cell(x, y, &row[x]);
}

void term_show(const struct canvas *canvas, bool redraw_all)
{
	const size_t row_size = (size_t)canvas->width * sizeof *canvas->cells;
	const bool is_new = redraw_all || !term.shown || term.shown_width != canvas->width ||
			    term.shown_height != canvas->height;
	if (is_new) {
		term.shown = memory_grow(term.shown, row_size * (size_t)canvas->height);
		term.shown_width = canvas->width;
		term.shown_height = canvas->height;
		erase();
	}
	for (int y = 0; y < canvas->height && y < LINES; y++) {
		struct cell *before = &term.shown[(size_t)y * (size_t)canvas->width];
		const struct cell *now = &canvas->cells[(size_t)y * (size_t)canvas->width];
		if (!is_new && memcmp(before, now, row_size) == 0)
			continue;
		memcpy(before, now, row_size);
		term_show_row(canvas, y);
	}
	if (redraw_all)
		clearok(curscr, TRUE);
	curs_set(canvas->cursor_x >= 0 && canvas->cursor_y >= 0);
	if (canvas->cursor_x >= 0 && canvas->cursor_y >= 0)
		move(canvas->cursor_y, canvas->cursor_x);
	wnoutrefresh(stdscr);
	doupdate();
}

/* ---- keys ------------------------------------------------------------------- */

static uint32_t term_special_key(wint_t code)
{
	static const struct {
		wint_t code;
		uint32_t key;
	} known[] = {{KEY_UP, KEY_MOVE_UP}, {KEY_DOWN, KEY_MOVE_DOWN}, {KEY_LEFT, KEY_MOVE_LEFT},
		{KEY_RIGHT, KEY_MOVE_RIGHT}, {KEY_PPAGE, KEY_PAGE_UP}, {KEY_NPAGE, KEY_PAGE_DOWN},
		{KEY_HOME, KEY_FIRST}, {KEY_END, KEY_LAST}, {KEY_FIND, KEY_FIRST},
		{KEY_SELECT, KEY_LAST}, {KEY_A1, KEY_FIRST}, {KEY_A3, KEY_PAGE_UP},
		{KEY_C1, KEY_LAST}, {KEY_C3, KEY_PAGE_DOWN}, {KEY_ENTER, KEY_RETURN},
		{KEY_BACKSPACE, KEY_ERASE}, {KEY_BTAB, KEY_TAB_BACK}, {KEY_RESIZE, KEY_RESIZED}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (known[i].code == code)
			return known[i].key;
	if (code > KEY_F0 && code <= KEY_F(12))
		return KEY_FUNCTION + (uint32_t)(code - KEY_F0);
	return KEY_NONE;
}

static uint32_t term_character_key(wint_t c)
{
	switch (c) {
	case '\r':
	case '\n':
		return KEY_RETURN;
	case '\t':
		return KEY_TAB;
	case 27:
		return KEY_ESCAPE;
	case 8:
	case 127:
		return KEY_ERASE;
	default:
		return (uint32_t)c;
	}
}

/*
 * A key that is there now; KEY_NONE where there is none. Keys that we have no name for are
 * swallowed
 * (*count of them).
 */
static uint32_t term_read_key(int *count)
{
	wint_t c;
	for (*count = 0;; ++*count) {
		const int kind = get_wch(&c);
		if (kind == ERR)
			return KEY_NONE;
		const uint32_t key =
			kind == KEY_CODE_YES ? term_special_key(c) : term_character_key(c);
		if (key != KEY_NONE)
			return key;
	}
}

/* Signals that stand for keys or for the end. */
static uint32_t term_signal_key(void)
{
	if (guard_signal())
		return KEY_CLOSED;
	if (guard_take_continue()) {
		/* Whoever ran meanwhile may have left other settings and another size. */
		reset_prog_mode();
		raise(SIGWINCH);
		return KEY_CTRL('L');
	}
	return guard_take_stop() ? KEY_CTRL('Z') : KEY_NONE;
}

enum waited { WAIT_INPUT, WAIT_NOTHING, WAIT_GONE };

/* Waits until there is input, or a signal came (WAIT_INPUT, too: the caller looks for both). */
static enum waited term_wait(int wait_ms, const sigset_t *mask)
{
	const struct timespec limit = {wait_ms / 1000, wait_ms % 1000 * 1000000L};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(term.input_fd, &set);
	const int ready =
		pselect(term.input_fd + 1, &set, NULL, NULL, wait_ms < 0 ? NULL : &limit, mask);
	if (ready == 0)
		return WAIT_NOTHING;
	if (ready < 0)
		return errno == EINTR ? WAIT_INPUT : WAIT_GONE;
	/* A terminal that is gone can always be read, and gives nothing: without this we would
	 * spin. */
	int waiting = 0;
	if (ioctl(term.input_fd, FIONREAD, &waiting) < 0 || waiting == 0)
		return WAIT_GONE;
	return WAIT_INPUT;
}

uint32_t term_key(int wait_ms)
{
	sigset_t before;
	uint32_t key = KEY_NONE;
	enum waited waited = WAIT_INPUT;
	guard_block(&before);
	for (int silent = 0; key == KEY_NONE && waited == WAIT_INPUT; silent++) {
		int swallowed = 0;
		key = term_signal_key();
		if (key == KEY_NONE)
			key = term_read_key(&swallowed);
		if (swallowed > 0)
			silent = 0;
		if (key == KEY_NONE)
			waited =
				silent < MAX_SILENT_READS ? term_wait(wait_ms, &before) : WAIT_GONE;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return key == KEY_NONE && waited == WAIT_GONE ? (uint32_t)KEY_CLOSED : key;
}

void term_suspend(void)
{
	endwin();
	guard_suspend();
	reset_prog_mode();
	raise(SIGWINCH); /* the size may be another one now */
	clearok(curscr, TRUE);
}
