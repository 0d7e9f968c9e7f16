/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_GO_TO_H
#define VPTOP_TUI_GO_TO_H

#include <stdbool.h>

#include "base/error.h"

struct app;

/*
 * What `:` takes: a moment (as clock_parse reads it: 11:30, +20m, 50%, #1500) opens the timeline
 * there; two of them (11:25-11:35, +20m..+25m) are the time window; a number is a line of a table.
 * False and *err (ERROR_USAGE) for anything else.
 */
bool go_to(struct app *app, const char *text, struct vp_error *err);

#endif
