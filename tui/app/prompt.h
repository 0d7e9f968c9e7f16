/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_PROMPT_H
#define VPTOP_TUI_PROMPT_H

#include "kit/edit.h"
#include "query/query.h"

/* The line at the bottom in which the user types, and what becomes of it. */

struct app;

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_SEARCH,      /* in the view; follows while it is typed */
	PROMPT_SEARCH_PAGE, /* in the page over it */
	PROMPT_NARROW,      /* rows of a table; follows while it is typed */
	PROMPT_FILTER,      /* stacks, of prompt.filter's kind */
	PROMPT_GO_TO,
	PROMPT_WRITE, /* the name of a file, of prompt.form */
	PROMPT_KIND_COUNT
};

struct export_form;

struct prompt {
	enum prompt_kind kind;
	enum filter_kind filter;
	const struct export_form *form; /* NULL: the view as text */
	struct edit edit;
	struct edit_history histories[PROMPT_KIND_COUNT];
	char *before; /* the search or row filter there was, for Esc */
	bool before_is_name;
	bool is_confirmed;   /* PROMPT_WRITE: the file exists, Enter again overwrites */
	char complaint[160]; /* what is wrong with the text; "": nothing */
};

void prompt_free(struct prompt *prompt);
void prompt_open(struct app *app, enum prompt_kind kind);
void prompt_open_filter(struct app *app, enum filter_kind kind);
/* The name of a file for a form of exports.h; NULL: text. */
void prompt_open_export(struct app *app, const struct export_form *form);
/* One key; the prompt may be closed by it. */
void prompt_key(struct app *app, uint32_t key);
void prompt_draw(struct app *app, int y);

#endif
