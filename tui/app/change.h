/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_CHANGE_H
#define VPTOP_TUI_CHANGE_H

/* A difference of two profiles on the screen: base, new and the change between them. */

struct app;

/* The context's tree is another one, or was counted again: makes its three parts anew. */
void change_refresh(struct app *app);
void change_forget(struct app *app);

/* Counts what comes next of change, base and new, of the same value type. */
void change_next_part(struct app *app);

#endif
