/* SPDX-License-Identifier: MIT */
#include "app/tour.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what was seen ------------------------------------------------------------ */

/* The file's path; false where there is no home for it. */
static bool tour_path(struct text *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state && state[0] == '/') /* the standard wants others ignored */
		text_printf(path, "%s/vptop/tour-seen", state);
	else if (home && home[0] == '/')
		text_printf(path, "%s/.local/state/vptop/tour-seen", home);
	return path->length > 0;
}

/* Whether a file could be made there: what exists of its folders can be written to. */
static bool tour_can_make(const char *path)
{
	struct text folder = {0};
	bool can = false;
	text_puts(&folder, path);
	for (char *slash; (slash = strrchr(folder.data, '/')) != NULL;) {
		slash[slash == folder.data] = '\0';
		can = access(folder.data, W_OK | X_OK) == 0;
		if (can || errno != ENOENT || folder.data[1] == '\0')
			break;
	}
	text_free(&folder);
	return can;
}

bool tour_is_new(void)
{
	struct text path = {0};
	const bool is_new = tour_path(&path) && access(path.data, F_OK) != 0 && errno == ENOENT &&
			    tour_can_make(path.data);
	text_free(&path);
	return is_new;
}

void tour_remember(void)
{
	struct text path = {0};
	if (!tour_path(&path)) {
		text_free(&path);
		return;
	}
	for (char *slash = strchr(path.data + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path.data, 0700); /* where it is there already: all the better */
		*slash = '/';
	}
	const int file = open(path.data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (file >= 0)
		close(file);
	text_free(&path);
}

/* ---- the pages ---------------------------------------------------------------- */

enum { KEYS_A_STEP = 5, KEY_CELLS = 11 };

static const struct {
	const char *title, *text;
	struct {
		const char *key, *text;
	} keys[KEYS_A_STEP];
} tour_steps[TOUR_STEPS] = {
	{"Summary",
		"vptop shows what a program did while it was sampled. The first screen answers "
		"most questions: which functions ran most, and when memory was highest. There are "
		"five views of the same run; the line of tabs has their names.",
		{{"1 to 5, Tab", "open another view"}, {"j k h l", "move; the arrows do, too"},
			{"Enter", "opens what is selected in the view that explains it"}}},
	{"Flame",
		"A box is a function in one place of the call tree; what it called hangs below it. "
		"The wider it is, the more samples it has. A high tower is only a deep stack.",
		{{"Enter", "zooms into a box"}, {"u", "takes one step out, 0 all of them"},
			{"c", "colours by module, name or self share"},
			{"V", "counts another value, such as the growth of memory"}}},
	{"Time",
		"Memory over the run, and what ran at the selected moment. Mark a stretch of time, "
		"and all views count the samples in it only.",
		{{"P", "goes to the highest peak, [ and ] to others"}, {"Enter", "zooms in, u out"},
			{"v", "begins a mark; move, then v again ends it"},
			{"Esc", "takes the window away"}}},
	{"Search and filters",
		"A search marks and finds functions, a filter leaves the rest out. What is left "
		"out stands in the line below the tabs, whichever view is open.",
		{{"/", "searches (regex), n and N go to the next hit"},
			{"*", "searches the name that is selected"},
			{"&", "counts only stacks that match"}, {"@", "counts one thread only"},
			{"Esc", "undoes the last of these; it never quits"}}},
	{"Callers",
		"Who called a function, and what it called in turn, wherever in the tree that was.",
		{{"s", "opens it for the selected function, in any view"},
			{"Enter", "puts another function into the middle"},
			{"u", "goes back to the one before"}, {"Space", "unfolds a line"}}},
	{"Files",
		"The profiles of a folder and of the folders in it: the one that this profile lies in, "
		"or another one that the command line names.",
		{{"6", "opens the list from any view"}, {"Enter", "opens a profile of it"},
			{"Space, d", "marks one; d on another shows what changed"},
			{"u", "shows the folder above"},
			{"p, S", "write what any view shows to a file"}}},
	{"Help and leaving",
		"No key needs to be known by heart: the last line shows the most useful ones.",
		{{"?", "help for the view; t there shows this tour again"},
			{"m", "a menu of all that can be done"},
			{"y", "names and the command for this view, to copy"},
			{"q", "goes back, and from the first view it quits"},
			{"Q", "quits at once"}}},
};

void tour_fill(struct pager *pager, int step)
{
	pager_clear(pager);
	if (step < 0 || step >= TOUR_STEPS)
		return;
	snprintf(pager->title, sizeof pager->title, "Tour: %s, %d of %d", tour_steps[step].title,
		step + 1, TOUR_STEPS);
	pager->widest = 64;
	pager_add(pager, ROLE_OVERLAY, tour_steps[step].text);
	pager_add(pager, ROLE_OVERLAY, "");
	for (int i = 0; i < KEYS_A_STEP && tour_steps[step].keys[i].key; i++)
		pager_add_key(pager, COLUMN_BOTH, KEY_CELLS, tour_steps[step].keys[i].key,
			tour_steps[step].keys[i].text);
	pager_add(pager, ROLE_OVERLAY, "");
	pager_add(pager, ROLE_OVERLAY_HEADING,
		step + 1 < TOUR_STEPS ? "Enter next, Left back, Esc ends the tour"
				      : "Enter ends the tour, Left back");
}
