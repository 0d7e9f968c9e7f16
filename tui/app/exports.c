/* SPDX-License-Identifier: MIT */
#include "app/exports.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/pages.h"
#include "app/reproduce.h"
#include "save.h"

struct export_form {
	const struct report *report; /* NULL: that of the view on the screen, as JSON */
	const char *name;
	const char *before, *after; /* what stands around the profile's name in the file's */
};

static const struct export_form export_forms[] = {
	{&report_pprof, "pprof", "", ".pb.gz"},
	{&report_folded, "folded", "", ".folded"},
	{&report_callgrind, "callgrind", "callgrind.out.", ""},
	{&report_dot, "dot", "", ".dot"},
	{&report_raw, "raw", "", ".raw.txt"},
	{NULL, "JSON", "", ".json"},
};
enum { EXPORT_FORMS = sizeof export_forms / sizeof export_forms[0], EXPORT_TEXT = EXPORT_FORMS };

void exports_open(struct app *app)
{
	struct list *list = &app->list;
	if (!app->context.tree)
		return;
	list_clear(list);
	list->cursor = list->scroll = 0;
	snprintf(list->title, sizeof list->title, "Save what is counted now");
	for (int i = 0; i < EXPORT_FORMS; i++) {
		const struct export_form *form = &export_forms[i];
		struct list_line *line = list_add(list, i, "%s", form->name);
		snprintf(line->value, sizeof line->value, "%s",
			form->report ? form->report->description : "this view, for programs");
	}
	struct list_line *line = list_add(list, EXPORT_TEXT, "text");
	snprintf(line->value, sizeof line->value, "this view, for people");
	snprintf(line->key, sizeof line->key, "p");
	app->overlay = OVERLAY_LIST;
	app->list_kind = LIST_EXPORTS;
}

const struct export_form *exports_find(int id)
{
	return id >= 0 && id < EXPORT_FORMS ? &export_forms[id] : NULL;
}

const char *exports_name(const struct export_form *form)
{
	return form->name;
}

void exports_default_name(const struct app *app, const struct export_form *form, struct text *out)
{
	const size_t start = out->length;
	text_puts(out, form->before);
	pages_stem_name(app, out);
	if (!form->report)
		text_printf(out, "-%s", app_view(app)->name);
	text_puts(out, form->after);
	/* Not the name of the very file that is looked at. */
	if (strcmp(out->data + start, app->name) != 0)
		return;
	out->length -= strlen(form->after);
	text_printf(out, "-saved%s", form->after);
}

bool exports_write(const struct app *app, const struct export_form *form, const char *path,
	bool overwrite, size_t *size, struct vp_error *err)
{
	struct report_options options;
	struct reproduced texts = {0};
	struct text out = {0};
	if (!app->context.tree || app->is_loading)
		return error_set(err, ERROR_IO, -1, "the profile is still being read");
	const struct report *report = reproduce_report(app, false, &options, &texts);
	bool ok = report_run(form->report ? form->report : report, app->context.profile, &options,
		!form->report, &out, err);
	ok = ok && save_text(path, &out, overwrite, err);
	*size = out.length;
	text_free(&texts.function);
	text_free(&out);
	return ok;
}
