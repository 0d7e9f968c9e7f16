/* SPDX-License-Identifier: MIT */
#include "app/source_file.h"

#include <string.h>
#include <sys/stat.h>

#include "app/app.h"

void source_file_open(struct app *app, uint32_t row)
{
	const struct row *r = &app->context.tree->rows[row];
	struct stat status;
	size_t length;
	const char *path = profile_string(app->context.profile, r->file, &length);
	struct text shown = {0};
	if (length == 0 || strlen(path) != length) {
		app_notice(app, "The profile has no source file for it");
		return;
	}
	text_clean(&shown, path, length, app->context.ascii);
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
		app_notice(app, "Not on this machine: %s", shown.data);
	} else {
		text_clear(&app->request.source);
		/* No option of the program that shows it, whatever the name begins with. */
		if (path[0] != '/')
			text_puts(&app->request.source, "./");
		text_add(&app->request.source, path, length);
		app->request.source_line = r->line;
	}
	text_free(&shown);
}
