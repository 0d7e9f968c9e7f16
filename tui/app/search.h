/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_SEARCH_H
#define VPTOP_TUI_SEARCH_H

#include "view/view.h"

/*
 * The search: a pattern (smart case: one without an upper case letter matches both), or the very
 * name of a function. Its hits are functions whose name, file or module match; views mark them and
 * go from one to the next.
 */

struct app;

struct finder {
	char *text;        /* as typed, or a function's name as shown; NULL: no search */
	char *view_text;   /* what was searched for in views that search by themselves */
	bool is_name;      /* the very name */
	struct text shown; /* the text, cleaned */
	uint8_t *hits;
	struct search search; /* what views read */
};

/* But for view_text, which stays. */
void finder_free(struct finder *finder);

/* Searches for a pattern (or a very name). False and *err for a bad one; then the one before stays.
 */
bool search_set(struct app *app, const char *text, bool is_name, struct vp_error *err);
void search_clear(struct app *app);
/* Works hits and total out again: the tree or its counts are others. */
void search_refresh(struct app *app);
/* The same in a view that searches by itself (see find_text), and a notice of what came of it;
 * `text` NULL: what was searched for before. */
bool search_text(struct app *app, const char *text, enum find where, struct vp_error *err);
/* Goes to a hit in the view on the screen, and says in a notice what came of it. */
void search_go(struct app *app, enum find where);
/* "5 functions, 22.4%" */
void search_describe(const struct app *app, struct text *out);
#endif
