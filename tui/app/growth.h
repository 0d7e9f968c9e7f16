/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_GROWTH_H
#define VPTOP_TUI_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What grew between two snapshots of a series is shown in place of the series, which waits until
 * the user comes back to it.
 */

struct app;
struct reaction;

/* Shows what grew from snapshot reaction->first to snapshot reaction->last as a flame graph. */
void growth_open(struct app *app, const struct reaction *reaction);
/* Back to the series; false: it is not growth that is shown, or there are views to go back to. */
bool growth_close(struct app *app);
/* Another profile is shown, or none: the series does not come back. */
void growth_forget(struct app *app);

#endif
