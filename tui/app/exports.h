/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_EXPORTS_H
#define VPTOP_TUI_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/*
 * What is counted now - value type, filters, time window, thread - saved in the forms that other
 * tools read: byte for byte what the report of that name prints with the options that `y` tells.
 */

struct app;
struct export_form;

/* The list of forms. */
void exports_open(struct app *app);
/* The form of a line of it (list_line.id); NULL: the view as text, as `p` writes it. */
const struct export_form *exports_find(int id);

/* "pprof", "JSON" */
const char *exports_name(const struct export_form *form);
/* Adds a name for the file: "worker-7.folded". */
void exports_default_name(const struct app *app, const struct export_form *form, struct text *out);

/* Writes the file and says how large it is. False and *err as save_text, or as the report fails. */
bool exports_write(const struct app *app, const struct export_form *form, const char *path,
	bool overwrite, size_t *size, struct vp_error *err);

#endif
