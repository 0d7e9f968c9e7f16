/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/overlay.h"
#include "app/places.h"
#include "app/tour.h"
#include "base/memory.h"
#include "choose.h"
#include "format/viewer_store.h"
#include "load.h"
#include "options.h"
#include "report/catalog.h"
#include "save.h"
#include "screen.h"
#include "script.h"
#include "session.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- what goes out ------------------------------------------------------------ */

/* One line on standard error: "vptop: FILE: message". Both may hold bytes of a stranger. */
static void main_complain(const struct options *options, const char *path, const char *message)
{
	struct text line = {0};
	text_puts(&line, "vptop: ");
	if (path)
		text_clean(&line, path, strlen(path), options->report.ascii);
	if (path)
		text_puts(&line, ": ");
	text_clean(&line, message, strlen(message), options->report.ascii);
	fprintf(stderr, "%s\n", line.data);
	text_free(&line);
}

static bool main_write(FILE *file, const struct text *text)
{
	fwrite(text->data ? text->data : "", 1, text->length, file);
	return fflush(file) == 0 && !ferror(file);
}

/* Standard output; a reader that has gone away (`| head`) is no error. */
static int main_print(const struct options *options, const struct text *text)
{
	if (main_write(stdout, text) || errno == EPIPE)
		return EXIT_SUCCESS;
	main_complain(options, "standard output", strerror(errno));
	return EXIT_FAILED;
}

static int main_save(const struct options *options, const char *path, const struct text *text)
{
	struct vp_error err;
	if (save_text(path, text, true, &err))
		return EXIT_SUCCESS;
	main_complain(options, path, err.message);
	return EXIT_FAILED;
}

static int main_put(const struct options *options, const struct text *text)
{
	if (!options->output || strcmp(options->output, "-") == 0)
		return main_print(options, text);
	return main_save(options, options->output, text);
}

/* Says what went wrong; on standard output as well where a program reads it. */
static int main_fail(const struct options *options, const char *path, const struct vp_error *err)
{
	main_complain(options, path, err->message);
	if (options->json) {
		struct text text = {0};
		report_json_error(err, &text);
		main_print(options, &text);
		text_free(&text);
	}
	return err->code == ERROR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

/* The file that messages are about; NULL where there are several: each names its own. */
static const char *main_file(const struct options *options)
{
	const bool is_one = options->open.path_count + options->open.base_count == 1;
	return is_one ? options->path : NULL;
}

static void main_warn(const struct options *options, const struct profile *profile)
{
	for (size_t i = 0; i < profile->warning_count && !options->quiet; i++)
		main_complain(options, main_file(options), profile->warnings[i].message);
}

/* ---- reports ------------------------------------------------------------------ */

/* Bytes that are no text would only confuse a terminal. */
static bool main_can_print(
	const struct options *options, const struct report *report, struct vp_error *err)
{
	const bool is_printed = !options->output || strcmp(options->output, "-") == 0;
	if (!report->is_binary || !is_printed || !isatty(STDOUT_FILENO))
		return true;
	return error_set(err, ERROR_USAGE, -1,
		"the report %s is no text for a terminal: give a file with -o FILE, or a pipe",
		report->name);
}

static int main_report_profile(const struct options *options, const struct profile *profile)
{
	const char *name = options->report_name ? options->report_name : "summary";
	struct report_options own = options->report;
	struct text text = {0};
	struct vp_error err = {.offset = -1};
	int status;
	main_warn(options, profile);
	if (main_can_print(options, report_find(name), &err) &&
		choose_query(&options->report.query, options->type, options->thread, profile,
			&own.query, &err) &&
		report_run(report_find(name), profile, &own, options->json, &text, &err))
		status = main_put(options, &text);
	else
		status = main_fail(options, main_file(options), &err);
	text_free(&text);
	return status;
}

static int main_report(const struct options *options)
{
	struct vp_error err = {.offset = -1};
	struct profile *profile = profile_open(&options->open, &err);
	if (!profile)
		return main_fail(options, main_file(options), &err);
	const int status = main_report_profile(options, profile);
	profile_free(profile);
	return status;
}

/* ---- folders ------------------------------------------------------------------ */

static bool main_is_folder(const char *path)
{
	struct stat st;
	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder whose profiles are to be shown; NULL: it is one profile, or several. */
static const char *main_folder(const struct options *options)
{
	const bool is_catalog =
		options->report_name && strcmp(options->report_name, "catalog") == 0;
	if (options->report_name && !is_catalog)
		return NULL;
	if (!options->path)
		return is_catalog || catalog_has_profiles(".") ? "." : NULL;
	if (is_catalog)
		return options->path;
	return options->open.path_count == 1 && main_is_folder(options->path) &&
			       !viewer_store_is(options->path)
		       ? options->path
		       : NULL;
}

static int main_report_folder(const struct options *options, const char *folder)
{
	struct vp_error err = {.offset = -1};
	struct catalog_options catalog_options = catalog_options_default();
	struct catalog_filter filter;
	struct text text = {0};
	int status;
	catalog_options.load = options->open.load;
	if (!catalog_filter_init(&filter, options->project, options->filter, &err))
		return main_fail(options, NULL, &err);
	struct catalog *catalog = catalog_open(folder, &catalog_options);
	while (catalog_step(catalog, INT64_MAX))
		;
	if (catalog->error) {
		error_set(&err, ERROR_IO, -1, "%s", catalog->error);
		status = main_fail(options, folder, &err);
	} else {
		report_catalog(catalog, &filter, &options->report, options->json, &text);
		status = main_put(options, &text);
	}
	catalog_free(catalog);
	catalog_filter_free(&filter);
	text_free(&text);
	return status;
}

/* ---- screens ------------------------------------------------------------------ */

/* The folder that the list of files is of: the one that was named, or that the profile lies in. */
static bool main_start_browser(
	struct app *app, const struct options *options, const char *folder, struct vp_error *err)
{
	struct browser *browser = &app->browser;
	browser->options = catalog_options_default();
	browser->options.load = options->open.load;
	browser->options.tops = true;
	if (folder) {
		browse_set_folder(app, folder);
		app->view = place_find_view("browse");
	} else if (!session_reads_stdin(&options->open)) {
		char *own = catalog_folder_of(options->path);
		browse_set_folder(app, own);
		free(own);
	}
	browser->project = options->project;
	return catalog_filter_init(&browser->filter, options->project, options->filter, err);
}

static void main_start_app(
	struct app *app, const struct options *options, const char *folder, const char *name)
{
	struct report_options own = options->report;
	if (!options->has_series)
		own.series = SERIES_BOTH;
	own.query.unit = own.unit;
	own.query.divide_by = own.divide_by;
	own.query.drop_negative = own.drop_negative;
	app_init(app, &own, name, options->thread, options->view, false);
	app->path = app->context.path = folder ? NULL : options->path;
	app->load = &options->open.load;
	app->open = &options->open;
	app->type = options->type;
}

/* --function opens its callers and callees, --at the timeline there. */
static bool main_go_to(struct app *app, const struct options *options, struct vp_error *err)
{
	const char *function = options->report.function, *at = options->report.at;
	int64_t ns;
	if (app->quit)
		return true;
	if (function && !place_open_function(app, function, options->view != NULL, err))
		return false;
	if (!at)
		return true;
	if (!clock_parse(&app->context.clock, at, &ns, err))
		return false;
	place_open_at(app, (int64_t)clock_sample(&app->context.clock, ns));
	return true;
}

/* Prints the screen as it is after some keys (tests). */
static int main_dump(const struct options *options, const char *folder, struct app *app)
{
	struct vp_error err = {.offset = -1};
	struct profile *profile = folder ? NULL : profile_open(&options->open, &err);
	struct text text = {0};
	if ((!folder && (!profile || !app_show(app, profile, false, &err) ||
				!main_go_to(app, options, &err))) ||
		!script_run(app, options->keys ? options->keys : "", options->dump_width,
			options->dump_height, &err))
		return main_fail(options, main_file(options), &err);
	canvas_dump(&app->canvas, &text);
	const int status = main_print(options, &text);
	text_free(&text);
	return status;
}

static int main_screens(const struct options *options, const char *folder, struct app *app)
{
	const struct term_options terminal = {.colour = options->colour,
		.keys_from_tty = session_reads_stdin(&options->open),
		.all_blocks = options->glyphs == GLYPHS_BLOCKS};
	struct vp_error err = {.offset = -1};
	session_prepare(app);
	bool ok = folder || (load_profile(app, &options->open, &terminal, &err) &&
				    main_go_to(app, options, &err));
	if (!ok) {
		term_close();
		return main_fail(options, main_file(options), &err);
	}
	if (!term_is_open() && !app->quit && !screen_open(app, &terminal, &err)) {
		struct text why = {0};
		text_printf(&why, "%s: this is the %s in place of a screen", err.message,
			folder ? "catalog" : "summary");
		main_complain(options, NULL, why.data);
		text_free(&why);
		return folder ? main_report_folder(options, folder)
			      : main_report_profile(options, app->context.profile);
	}
	if (!folder && tour_is_new())
		overlay_open_page(app, PAGE_TOUR);
	else if (folder && tour_is_new())
		app_notice(app, "Enter opens a profile; ? explains this list, t there is a tour");
	if (!app->quit)
		screen_draw(app);
	session_run(app, &terminal);
	term_close();
	return EXIT_SUCCESS;
}

/* What would be wrong on a screen. */
static bool main_is_for_screens(const struct options *options, struct vp_error *err)
{
	const struct report_options *report = &options->report;
	if (report->query.mean)
		return error_set(err, ERROR_USAGE, -1,
			"--mean is for reports: means do not add up to the width of a frame that calls "
			"others; add --report=top, or another one");
	if (report->unit && strcmp(report->unit, "minimum") == 0)
		return error_set(err, ERROR_USAGE, -1,
			"--unit=minimum is for reports: it depends on the rows that are printed; add "
			"--report=top, or name a unit");
	return true;
}

static int main_interactive(const struct options *options, const char *folder)
{
	struct app app;
	struct text name = {0};
	struct vp_error err = {.offset = -1};
	int status;
	if (!main_is_for_screens(options, &err))
		return main_fail(options, NULL, &err);
	if (folder)
		text_clean(&name, folder, strlen(folder), options->report.ascii);
	else
		browse_add_name(&options->open, options->report.ascii, &name);
	/* Labels as frames are the app's own affair: the user may take them away. */
	struct options own = *options;
	own.open.tag_root = own.open.tag_leaf = NULL;
	main_start_app(&app, &own, folder, name.data);
	restrict_init_labels(&app.restrictions, options->open.tag_root, options->open.tag_leaf);
	options = &own;
	if (!main_start_browser(&app, options, folder, &err))
		status = main_fail(options, NULL, &err);
	else if (options->dump_width > 0)
		status = main_dump(options, folder, &app);
	else
		status = main_screens(options, folder, &app);
	app_free(&app);
	text_free(&name);
	return status;
}

/* ---- start -------------------------------------------------------------------- */

/* Width of text: the terminal's where it goes to one, else $COLUMNS, else 80. */
static int main_columns(const struct options *options)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	const bool is_terminal = !options->output && isatty(STDOUT_FILENO);
	if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	const long wanted = columns ? strtol(columns, NULL, 10) : 0;
	return wanted > 0 && wanted < 100000 ? (int)wanted : 80;
}

static void main_suit_surroundings(struct options *options)
{
	const bool is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	options->report.ascii =
		options->glyphs == GLYPHS_ASCII || (!is_utf8 && options->glyphs == GLYPHS_AUTO);
	if (options->report.columns == 0)
		options->report.columns = main_columns(options);
}

static int main_run(struct options *options)
{
	const char *folder = options->help || options->version ? NULL : main_folder(options);
	const bool wants_text =
		options->report_name || options->has_format || options->output || options->keys;
	struct text text = {0};
	if (options->version)
		text_puts(&text, PACKAGE_STRING "\n");
	else
		options_help(&text);
	int status = EXIT_USAGE;
	if (options->help || options->version)
		status = main_print(options, &text);
	else if (!options->path && !folder)
		fputs(text.data, stderr);
	else if (options->dump_width > 0 || (isatty(STDOUT_FILENO) && !wants_text))
		status = main_interactive(options, folder);
	else if (folder)
		status = main_report_folder(options, folder);
	else
		status = main_report(options);
	text_free(&text);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct vp_error err = {.offset = -1};
	memory_setup();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* numbers in files and on the command line have a point */
	signal(SIGPIPE, SIG_IGN);
	const bool ok = options_parse(&options, argc, argv, &err);
	main_suit_surroundings(&options);
	const int status = ok ? main_run(&options) : main_fail(&options, NULL, &err);
	/* Whoever started us sees that it was a signal. */
	if (term_signal()) {
		signal(term_signal(), SIG_DFL);
		raise(term_signal());
	}
	return status;
}
