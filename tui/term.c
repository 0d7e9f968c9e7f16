/* SPDX-License-Identifier: MIT */
#include "config.h"

#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory.h"
#include "clipboard.h"
#include "guard.h"
#include "input.h"
#include "paint.h"

enum {
	ESCAPE_DELAY = 50,  /* ms: 25 splits arrow keys on slow lines, 1000 makes Esc feel dead */
	PASTE_DELAY = 500,  /* ms without a character: the paste's end got lost */
	REPORT_DELAY = 100, /* ms that the rest of a mouse report may take */
	MAX_SILENT_READS = 32, /* reads in a row that give no key although input waits */
	LARGEST_SIDE = 4096,
	CAPABILITIES = 13
};

/* Buttons and drags (1002), in numbers (1006) where the terminal can; never all movements. */
#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

static struct {
	bool is_open, no_eighths, is_gone;
	bool can_mouse, has_mouse, can_paste;
	bool must_redraw;
	SCREEN *screen;
	FILE *tty; /* /dev/tty, NULL: standard input */
	int input_fd;
	struct input input;
	struct paint_terminal terminal;
	char *capabilities[CAPABILITIES]; /* what `terminal` points at */
	struct painter painter;
	char restore[256]; /* bytes that give the terminal back after a crash */
	char note[120];
} term;

/* ---- bytes ---------------------------------------------------------------- */

static void term_write(const char *bytes, size_t length)
{
	while (length > 0 && !term.is_gone) {
		const ssize_t n = write(STDOUT_FILENO, bytes, length);
		struct pollfd wait = {.fd = STDOUT_FILENO, .events = POLLOUT};
		if (n > 0) {
			bytes += n;
			length -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			poll(&wait, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			term.is_gone = true;
		}
	}
}

static void term_puts(const char *bytes)
{
	term_write(bytes, strlen(bytes));
}

/* ---- sizes ----------------------------------------------------------------- */

void term_size(int *width, int *height)
{
	struct winsize size = {0};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	const bool is_known = size.ws_col > 0 && size.ws_row > 0;
	*width = is_known ? size.ws_col : 80;
	*height = is_known ? size.ws_row : 24;
	*width = *width > LARGEST_SIDE ? LARGEST_SIDE : *width;
	*height = *height > LARGEST_SIDE ? LARGEST_SIDE : *height;
}

/* ---- what the terminal can ------------------------------------------------ */

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

static const char *term_expand(const char *capability, int first, int second)
{
	const char *bytes =
		tparm(capability, (long)first, (long)second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
	return bytes ? bytes : "";
}

static bool term_wants_colour(enum colour_choice choice)
{
	const char *no_color = getenv("NO_COLOR");
	if (choice == COLOUR_AUTO)
		return !no_color || !*no_color;
	return choice == COLOUR_ALWAYS;
}

static void term_learn(enum colour_choice colour)
{
	struct paint_terminal *terminal = &term.terminal;
	const struct {
		const char *name;
		const char **where;
	} wanted[CAPABILITIES] = {{"clear", &terminal->clear}, {"cup", &terminal->cursor_address},
		{"cuf", &terminal->cursor_right}, {"el", &terminal->erase_to_end},
		{"ech", &terminal->erase_cells}, {"sgr0", &terminal->normal},
		{"bold", &terminal->bold}, {"dim", &terminal->dim}, {"rev", &terminal->reverse},
		{"smul", &terminal->underline}, {"setaf", &terminal->foreground},
		{"setab", &terminal->background}, {"csr", &terminal->scroll_region}};
	for (size_t i = 0; i < CAPABILITIES; i++) {
		char bytes[256] = "";
		term_add_capability(bytes, sizeof bytes, wanted[i].name);
		free(term.capabilities[i]);
		term.capabilities[i] = bytes[0] ? memory_copy_string(bytes) : NULL;
		*wanted[i].where = term.capabilities[i];
	}
	/* The rest of it leaves a second character set that we never enter. */
	if (terminal->normal && strstr(terminal->normal, "\033[m"))
		terminal->normal = "\033[m";
	terminal->expand = term_expand;
	terminal->erases_in_colour = tigetflag("bce") > 0;
	terminal->wraps_late = tigetflag("am") <= 0 || tigetflag("xenl") > 0;
	terminal->has_default_colours = term_capability("op") != NULL;
	const int ncv = tigetnum("ncv"), colours = tigetnum("colors");
	terminal->no_colour_video = ncv > 0 ? ncv : 0;
	terminal->depth = DEPTH_MONO;
	/* Terminals with more colours take the number for a mix of red, green and blue. */
	if (term_wants_colour(colour) && terminal->foreground && terminal->background &&
		colours >= 8)
		terminal->depth = colours >= 256 && colours <= 512 ? DEPTH_256 : DEPTH_8;
}

/* ---- start and end -------------------------------------------------------- */

static void term_prepare_restore(void)
{
	static const char *const names[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
	snprintf(term.restore, sizeof term.restore, "%s%s", term.can_mouse ? MOUSE_OFF : "",
		term.can_paste ? PASTE_OFF : "");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		term_add_capability(term.restore, sizeof term.restore, names[i]);
	if (!term_capability("rmcup")) {
		const size_t used = strlen(term.restore);
		snprintf(term.restore + used, sizeof term.restore - used, "\r\n");
	}
}

/*
 * Curses needs the height, since it sets the stretch that scrolls. It would take it from these two,
 * were they set by somebody else, and could not bear a terminal of 65535x65535.
 */
static void term_tell_size(void)
{
	char number[16];
	int width, height;
	term_size(&width, &height);
	snprintf(number, sizeof number, "%d", height);
	setenv("LINES", number, 1);
	setenv("COLUMNS", "80", 1);
}

/* newterm, with a name that nearly every machine knows where it may stand in for a newer one. */
static bool term_new(FILE *input, struct vp_error *err)
{
	const char *name = getenv("TERM"), *colorterm = getenv("COLORTERM");
	term.note[0] = '\0';
	if (!name || !*name)
		return error_set(err, ERROR_IO, -1, "TERM is not set");
	term_tell_size();
	term.screen = newterm(name, stdout, input);
	if (!term.screen && strcmp(name, "dumb") != 0 &&
		(strncmp(name, "xterm-", 6) == 0 || (colorterm && *colorterm))) {
		term.screen = newterm("xterm-256color", stdout, input);
		snprintf(term.note, sizeof term.note,
			"Terminal type %.40s is not known here: using xterm-256color", name);
	}
	if (!term.screen)
		return error_set(err, ERROR_IO, -1, "terminal type %.60s is not known here", name);
	if (!term_capability("cup"))
		return error_set(
			err, ERROR_IO, -1, "terminal type %.60s cannot move the cursor", name);
	return true;
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

/* What curses does not send. Also after another program had the terminal. */
static void term_take(void)
{
	refresh();
	curs_set(0);
	if (term.can_paste)
		term_puts(PASTE_ON);
	if (term.has_mouse)
		term_puts(MOUSE_ON);
	paint_forget(&term.painter);
}

static void term_give_back(void)
{
	int width, height;
	if (term.can_mouse)
		term_puts(MOUSE_OFF);
	if (term.can_paste)
		term_puts(PASTE_OFF);
	if (term.terminal.normal)
		term_puts(term.terminal.normal);
	term_size(&width, &height);
	resize_term(height, 80);
	endwin();
	/* Without a screen of our own the picture stays; the shell goes on in its last line. */
	if (!term_capability("rmcup") && term.terminal.erase_to_end)
		term_puts(term.terminal.erase_to_end);
}

static void term_abandon(void)
{
	guard_stop();
	input_close(&term.input);
	if (term.screen)
		delscreen(term.screen);
	term.screen = NULL;
	if (term.tty)
		fclose(term.tty);
	term.tty = NULL;
	paint_free(&term.painter);
	for (size_t i = 0; i < CAPABILITIES; i++) {
		free(term.capabilities[i]);
		term.capabilities[i] = NULL;
	}
}

static bool term_open_input(bool from_tty, struct vp_error *err)
{
	if (from_tty) {
		term.tty = fopen("/dev/tty", "r");
		if (!term.tty)
			return error_set(err, ERROR_IO, -1,
				"/dev/tty cannot be opened for keys: %s", strerror(errno));
	} else if (!isatty(STDIN_FILENO)) {
		return error_set(err, ERROR_IO, -1, "standard input is no terminal");
	}
	term.input_fd = term.tty ? fileno(term.tty) : STDIN_FILENO;
	return true;
}

bool term_open(const struct term_options *options, struct vp_error *err)
{
	if (!term_open_input(options->keys_from_tty, err))
		return false;
	const char *name = getenv("TERM");
	term.no_eighths = !options->all_blocks && name && strncmp(name, "linux", 5) == 0;

	guard_prepare(term.input_fd, STDOUT_FILENO);
	const bool is_new = term_new(term.tty ? term.tty : stdin, err);
	/* Programs that are run from here are to ask for the real size. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	term.can_mouse = is_new && term_capability("kmous") != NULL;
	if (!is_new || !input_open(&term.input, term.can_mouse)) {
		term_abandon();
		return false;
	}
	term_learn(options->colour);
	paint_start(&term.painter, &term.terminal);
	term.can_paste = strncmp(term.terminal.cursor_address, "\033[", 2) == 0;
	term.has_mouse = term.is_gone = false;
	term_prepare_restore();
	guard_start(term.restore);
	term_set_modes();
	term_take();
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
	term_give_back();
	term_abandon();
}

void term_suspend(void)
{
	term_give_back();
	guard_suspend();
	term_take();
}

bool term_run(const char *const argv[])
{
	term_give_back();
	const bool ok = guard_run(argv);
	term_take();
	return ok;
}

const char *term_note(void)
{
	return term.note[0] ? term.note : NULL;
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

void term_show(const struct canvas *canvas, bool redraw_all)
{
	const bool has_cursor = canvas->cursor_x >= 0 && canvas->cursor_y >= 0;
	if (redraw_all || term.must_redraw)
		paint_forget(&term.painter);
	term.must_redraw = false;
	if (!has_cursor)
		curs_set(0);
	const struct text *bytes = paint_show(&term.painter, canvas);
	term_write(bytes->data, bytes->length);
	if (has_cursor)
		curs_set(1);
}

bool term_mouse(bool on)
{
	term.has_mouse = on && term.can_mouse;
	term.input.mouse = (struct mouse){0};
	if (term.can_mouse)
		term_puts(on ? MOUSE_ON : MOUSE_OFF);
	return term.can_mouse;
}

bool term_copy(const char *bytes, size_t length)
{
	const char *name = getenv("TERM"), *tmux = getenv("TMUX");
	const bool in_tmux = tmux && *tmux && name &&
			     (strncmp(name, "tmux", 4) == 0 || strncmp(name, "screen", 6) == 0);
	struct text out = {0};
	/* Terminals with a mouse are those that have a clipboard, but for the console. */
	const bool ok = term.can_mouse && !term.no_eighths &&
			clipboard_encode(&out, bytes, length, in_tmux);
	if (ok)
		term_write(out.data, out.length);
	text_free(&out);
	return ok;
}

/* ---- keys ----------------------------------------------------------------- */

bool term_pointer(struct pointer *out)
{
	const bool had = term.input.has_pointer;
	*out = term.input.pointer;
	term.input.has_pointer = false;
	return had;
}

/* Signals that stand for keys or for the end. */
static uint32_t term_signal_key(void)
{
	if (guard_signal() || term.is_gone)
		return KEY_CLOSED;
	if (guard_take_continue()) {
		/* Whoever ran meanwhile may have left other settings and another size. */
		reset_prog_mode();
		term_take();
		term.must_redraw = true;
		return KEY_RESIZED;
	}
	if (guard_take_resize())
		return KEY_RESIZED;
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
	const bool may_end_paste = term.input.is_pasting && (wait_ms < 0 || wait_ms > PASTE_DELAY);
	guard_block(&before);
	for (int silent = 0; key == KEY_NONE && waited == WAIT_INPUT; silent++) {
		int swallowed = 0;
		key = term_signal_key();
		if (key == KEY_NONE)
			key = input_read(&term.input, &swallowed);
		if (swallowed > 0)
			silent = 0;
		if (key == KEY_NONE && silent >= MAX_SILENT_READS)
			waited = WAIT_GONE;
		else if (key == KEY_NONE)
			waited = term_wait(may_end_paste ? PASTE_DELAY : wait_ms, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (key != KEY_NONE || waited == WAIT_NOTHING) {
		if (key != KEY_NONE || !may_end_paste)
			return key;
		term.input.is_pasting = false;
		return KEY_PASTE_DONE;
	}
	return KEY_CLOSED;
}
