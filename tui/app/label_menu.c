/* SPDX-License-Identifier: MIT */
#include "app/label_menu.h"

#include <string.h>

#include "app/app.h"

/*
 * What is left out already and one more value: "key=^a$" and "key=^b$" are "key=^a$,^b$", where any
 * of them will do (tags.h). Filters of other keys, and of numbers, cannot be put together.
 */
static void label_menu_join(const char *before, const char *text, struct text *out)
{
	const char *equals = strchr(text, '=');
	const size_t length = equals ? (size_t)(equals - text) + 1 : 0;
	if (before && length > 0 && strncmp(before, text, length) == 0 && before[length] == '^' &&
		text[length] == '^')
		text_printf(out, "%s,%s", before, text + length);
	else
		text_puts(out, text);
}

static void label_menu_filter(struct app *app, enum filter_kind kind, const char *text)
{
	const char *before = app->restrictions.filters[kind];
	struct text joined = {0}, words = {0};
	struct vp_error err;
	label_menu_join(kind == FILTER_TAG_IGNORE ? before : NULL, text, &joined);
	const bool is_lost = before && strncmp(joined.data, before, strlen(before)) != 0;
	if (!restrict_filter(app, kind, joined.data, &err)) {
		app_notice(app, "%s", err.message);
	} else {
		restrict_describe(app, RESTRICT_FILTER + (enum restriction)kind, &words);
		app_notice(app, "All views: %s%s; Esc takes it away", words.data ? words.data : "",
			is_lost ? ", in place of the one before" : "");
	}
	text_free(&joined);
	text_free(&words);
}

static void label_menu_frames(struct app *app, enum restriction which, const char *key)
{
	struct vp_error err;
	if (!restrict_labels(app, which, key, &err))
		app_notice(app, "%s", err.message);
	else
		app_notice(app,
			"The values of %s are the %s frames of all stacks; Esc takes them away",
			key, which == RESTRICT_TAG_ROOT ? "outermost" : "innermost");
}

void label_menu_react(struct app *app, const struct reaction *reaction)
{
	struct text text = {0};
	if (reaction->text) /* another tree or profile: the view's own may go */
		text_puts(&text, reaction->text);
	if (reaction->want & WANT_FILTER)
		label_menu_filter(app, reaction->filter, text.data);
	if (reaction->want & WANT_TAG_ROOT)
		label_menu_frames(app, RESTRICT_TAG_ROOT, text.data);
	if (reaction->want & WANT_TAG_LEAF)
		label_menu_frames(app, RESTRICT_TAG_LEAF, text.data);
	if (reaction->want & WANT_UNDO && !restrict_remove_last(app))
		app_notice(app, "Nothing to undo");
	text_free(&text);
}
