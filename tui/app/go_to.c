/* SPDX-License-Identifier: MIT */
#include "app/go_to.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/places.h"

static bool go_to_is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* text[length] without blanks around it, NUL-ended. */
static void go_to_trim(struct text *out, const char *text, size_t length)
{
	while (length > 0 && text[0] == ' ') {
		text++;
		length--;
	}
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text_clear(out);
	text_add(out, text, length);
}

/*
 * Two moments with ".." or '-' between them. A date has dashes of its own, so each is tried; either
 * side may be empty, which is the run's end.
 */
static bool go_to_split(
	const struct clock *clock, const char *text, struct text *from, struct text *to)
{
	int64_t ns;
	struct vp_error err;
	for (const char *c = text; *c; c++) {
		const size_t mark = strncmp(c, "..", 2) == 0 ? 2 : *c == '-' ? 1 : 0;
		if (mark == 0)
			continue;
		go_to_trim(from, text, (size_t)(c - text));
		go_to_trim(to, c + mark, strlen(c + mark));
		if ((from->length > 0 || to->length > 0) &&
			(from->length == 0 || clock_parse(clock, from->data, &ns, &err)) &&
			(to->length == 0 || clock_parse(clock, to->data, &ns, &err)))
			return true;
	}
	return false;
}

static bool go_to_window(struct app *app, const char *text, bool *is_window, struct vp_error *err)
{
	struct text from = {0}, to = {0};
	bool ok = true;
	*is_window = go_to_split(&app->context.clock, text, &from, &to);
	if (*is_window)
		ok = restrict_window(
			app, from.length ? from.data : NULL, to.length ? to.data : NULL, err);
	text_free(&from);
	text_free(&to);
	return ok;
}

bool go_to(struct app *app, const char *text, struct vp_error *err)
{
	const struct view *view = app_view(app);
	struct text trimmed = {0};
	bool is_window = false, ok = true;
	int64_t ns;
	if (!app_can_act(app))
		return true;
	go_to_trim(&trimmed, text, strlen(text));
	text = trimmed.length > 0 ? trimmed.data : "";
	if (*text == '\0') {
		/* Nothing typed: nothing asked for. */
	} else if (go_to_is_number(text)) {
		if (view->go_to_line)
			view->go_to_line(
				app->state[app->view], &app->context, strtoull(text, NULL, 10));
		else
			ok = error_set(err, ERROR_USAGE, -1,
				"%s has no lines; #%s is a sample, +%ss a moment", view->tab, text,
				text);
	} else if (!app->context.tree) {
		ok = error_set(
			err, ERROR_USAGE, -1, "%s has lines: a number goes to one", view->tab);
	} else if (clock_parse(&app->context.clock, text, &ns, err)) {
		const struct place place = {
			.sample = (int64_t)clock_sample(&app->context.clock, ns)};
		place_go_to_view(app, place_find_view("timeline"), &place);
	} else {
		struct vp_error own;
		ok = go_to_window(app, text, &is_window, &own);
		if (is_window && !ok)
			*err = own;
		ok = ok && is_window;
	}
	text_free(&trimmed);
	return ok;
}
