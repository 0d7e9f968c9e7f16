/* SPDX-License-Identifier: MIT */
#include "app/reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/places.h"

/* ---- words of a shell --------------------------------------------------------- */

static bool reproduce_is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_-./:=@%+,", c) != NULL);
}

/* In single quotes nothing has a meaning but their end. */
static void reproduce_quote_printable(struct text *out, const char *bytes, size_t length)
{
	text_puts(out, "'");
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\'')
			text_puts(out, "'\\''");
		else
			text_add(out, bytes + i, 1);
	}
	text_puts(out, "'");
}

/* Octal: how many digits of \x belong to it differs from shell to shell. */
static void reproduce_quote_bytes(struct text *out, const char *bytes, size_t length)
{
	text_puts(out, "$'");
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)bytes[i];
		if (c == '\'' || c == '\\')
			text_printf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_add(out, bytes + i, 1);
	}
	text_puts(out, "'");
}

void reproduce_quote(struct text *out, const char *bytes, size_t length, bool ascii)
{
	struct text cleaned = {0};
	size_t plain = 0;
	while (plain < length && reproduce_is_plain((unsigned char)bytes[plain]))
		plain++;
	text_clean(&cleaned, bytes, length, ascii);
	if (plain == length && length > 0)
		text_add(out, bytes, length);
	else if (cleaned.length == length && memcmp(cleaned.data, bytes, length) == 0)
		reproduce_quote_printable(out, bytes, length);
	else
		reproduce_quote_bytes(out, bytes, length);
	text_free(&cleaned);
}

static void reproduce_option(
	const struct app *app, struct text *out, const char *name, const char *value)
{
	text_printf(out, " --%s=", name);
	reproduce_quote(out, value, strlen(value), app->context.ascii);
}

/* A path that begins with '-' would be an option. */
static void reproduce_path(const struct app *app, const char *path, struct text *out)
{
	struct text whole = {0};
	if (path[0] == '-' && path[1] != '\0')
		text_puts(&whole, "./");
	text_puts(&whole, path);
	text_puts(out, " ");
	reproduce_quote(out, whole.data, whole.length, app->context.ascii);
	text_free(&whole);
}

/* What else is merged, subtracted, made a series or made frames, and all paths. */
static void reproduce_paths(const struct app *app, struct text *out)
{
	const struct open_options *open = app->open;
	const struct profile *shown = app->context.profile;
	/* What grew between two snapshots of a series: the difference of their files. */
	const bool is_growth = app->waiting.profile && shown->source && shown->base_source;
	if (is_growth) {
		reproduce_option(app, out, "base", shown->base_source);
		open = NULL;
	}
	for (size_t i = 0; open && i < open->base_count; i++)
		reproduce_option(
			app, out, open->is_diff_base ? "diff-base" : "base", open->bases[i]);
	if (open && open->normalize)
		text_puts(out, " --normalize");
	if (open && open->together != TOGETHER_AUTO)
		text_puts(out, open->together == TOGETHER_MERGED ? " --merge" : " --series");
	if (app->restrictions.tag_root)
		reproduce_option(app, out, "tagroot", app->restrictions.tag_root);
	if (app->restrictions.tag_leaf)
		reproduce_option(app, out, "tagleaf", app->restrictions.tag_leaf);
	reproduce_path(app, is_growth ? shown->source : app->path ? app->path : app->name, out);
	for (size_t i = 1; open && i < open->path_count; i++)
		reproduce_path(app, open->paths[i], out);
}

/* ---- the selected function as a pattern --------------------------------------- */

/*
 * Adds a pattern for a name. What is not UTF-8 cannot be matched: then it is a pattern for what
 * stands before it. False: that is nothing.
 */
static bool reproduce_pattern(struct text *out, const char *name, size_t length)
{
	size_t at = 0;
	text_puts(out, "^");
	while (at < length) {
		uint32_t c;
		const size_t size = utf8_decode(name + at, length - at, &c);
		if (size == 0)
			return at > 0;
		if (c < 0x20 || (c >= 0x7f && c < 0xa0))
			text_printf(out, "\\x%02x", (unsigned)c);
		else if (c < 0x80 && strchr("\\^$.[]|()?*+{}", (int)c))
			text_printf(out, "\\%c", (char)c);
		else
			text_add(out, name + at, size);
		at += size;
	}
	text_puts(out, "$");
	return length > 0;
}

static bool reproduce_function(const struct app *app, struct text *out)
{
	const struct calltree *tree = app->context.tree;
	size_t length;
	if (!tree || !app_view(app)->subject)
		return false;
	const uint32_t row = app_view(app)->subject(app->state[app->view], &app->context);
	if (row == 0 || row >= tree->row_count)
		return false;
	const char *name = profile_string(tree->profile, tree->rows[row].name, &length);
	return reproduce_pattern(out, name, length);
}

/* ---- options ------------------------------------------------------------------ */

static const char *const reproduce_grains[] = {
	"functions", "filefunctions", "files", "lines", "addresses"};

static void reproduce_filter_options(const struct app *app, struct text *out)
{
	const struct query *query = &app->context.query;
	if (query->granularity != BY_FUNCTION)
		reproduce_option(app, out, "granularity", reproduce_grains[query->granularity]);
	for (int i = 0; i < FILTER_COUNT; i++)
		if (query->filters[i])
			reproduce_option(
				app, out, filter_name((enum filter_kind)i), query->filters[i]);
	if (query->no_inlines)
		text_puts(out, " --noinlines");
	if (query->all_frames)
		text_puts(out, " --all-frames");
	if (query->relative_percentages)
		text_puts(out, " --relative-percentages");
	if (query->show_assembler)
		text_puts(out, " --show-assembler");
	if (query->reference_tree)
		text_puts(out, " --reference-tree");
	if (query->unit)
		reproduce_option(app, out, "unit", query->unit);
	if (query->divide_by > 0)
		text_printf(out, " --divide-by=%.17g", query->divide_by);
	if (query->drop_negative)
		text_puts(out, " --drop-negative");
}

/* A moment that no rounding can move: "#1500". */
static const char *reproduce_number(char number[MOMENT_SIZE], uint64_t sample)
{
	snprintf(number, MOMENT_SIZE, "#%" PRIu64, sample);
	return number;
}

/* The window as options; NULL: as it is without them, such as the last snapshot of a series. */
static void reproduce_window(
	const struct app *app, struct reproduced *texts, const char **from, const char **to)
{
	const struct profile *profile = app->context.profile;
	const struct query *query = &app->context.query;
	struct query usual;
	query_init(&usual, profile);
	*from = *to = NULL;
	if (query->first == usual.first && query->last == usual.last)
		return;
	if (query->first > 0)
		*from = reproduce_number(texts->from, query->first);
	if (query->last < profile->sample_count)
		*to = reproduce_number(texts->to, query->last);
}

static void reproduce_sample(
	const struct app *app, struct text *out, const char *option, uint64_t sample)
{
	char number[MOMENT_SIZE];
	reproduce_option(app, out, option, reproduce_number(number, sample));
}

/* What is counted: value type, filters, thread, window (NULL: all of it). */
static void reproduce_query_options(
	const struct app *app, const char *from, const char *to, struct text *out)
{
	const struct profile *profile = app->context.profile;
	const struct query *query = &app->context.query;
	if (query->type != profile->default_type)
		reproduce_option(app, out, "type", profile->types[query->type].name);
	reproduce_filter_options(app, out);
	if (query->thread >= 0)
		text_printf(out, " --thread=0x%" PRIx64, profile->threads[query->thread].id);
	if (from)
		reproduce_option(app, out, "from", from);
	if (to)
		reproduce_option(app, out, "to", to);
}

/* How the file is read, where that is not as usual. */
static void reproduce_load_options(const struct app *app, struct text *out)
{
	const struct load_options usual = load_options_default(), *load = app->load;
	if (!load)
		return;
	if (load->format)
		reproduce_option(app, out, "input-format", load->format);
	if (load->period_ns > 0)
		text_printf(out, " --period=%" PRId64 "ns", load->period_ns);
	if (load->start)
		reproduce_option(app, out, "start", load->start);
	if (load->source.max_inflated != usual.source.max_inflated)
		text_printf(out, " --max-inflated=%" PRIu64, load->source.max_inflated);
	if (load->builder.max_depth != usual.builder.max_depth)
		text_printf(out, " --max-depth=%" PRIu32, load->builder.max_depth);
}

static void reproduce_time_options(const struct app *app, struct text *out)
{
	static const char *const clocks[] = {"auto", "stretched", "nominal"};
	const struct view_context *context = &app->context;
	if (context->clock.has_date && !context->is_absolute)
		reproduce_option(app, out, "time", "relative");
	if (app->options.clock != CLOCK_AUTO)
		reproduce_option(app, out, "clock", clocks[app->options.clock]);
}

/* Screens and reports have different defaults. */
static void reproduce_series_option(
	const struct app *app, enum chart_series usual, struct text *out)
{
	static const char *const names[] = {"max", "mean", "both"};
	if (app->context.series != usual)
		reproduce_option(app, out, "mem", names[app->context.series]);
}

/* ---- reports ------------------------------------------------------------------ */

static bool reproduce_is_view(const struct app *app, const char *name)
{
	return strcmp(app_view(app)->name, name) == 0;
}

static int64_t reproduce_selected_sample(const struct app *app)
{
	const struct profile *profile = app->context.profile;
	const struct place place = app_current(app);
	const bool is_there = profile && profile->is_timed &&
			      place.sample >= (int64_t)app->context.query.first &&
			      place.sample < (int64_t)app->context.query.last;
	return is_there ? place.sample : -1;
}

const struct report *reproduce_report(const struct app *app, bool is_moment,
	struct report_options *options, struct reproduced *texts)
{
	const struct view_context *context = &app->context;
	const int64_t sample = reproduce_selected_sample(app);
	*options = app->options;
	options->query = context->query;
	options->from = options->to = options->at = options->function = NULL;
	/* The bars of a series are all of its snapshots, whichever of them is chosen. */
	if (app_view_where(app) != IN_SERIES || is_moment)
		reproduce_window(app, texts, &options->from, &options->to);
	options->series = context->series;
	options->time = context->is_absolute ? TIME_ABSOLUTE : TIME_RELATIVE;
	if (is_moment) {
		options->at = reproduce_number(texts->at, sample < 0 ? 0 : (uint64_t)sample);
		return &report_bin;
	}
	if (reproduce_is_view(app, "callers")) {
		if (!reproduce_function(app, &texts->function))
			return &report_tree;
		options->function = texts->function.data;
		return &report_peek;
	}
	if (reproduce_is_view(app, "labels"))
		return &report_tags;
	const struct report *report = report_find(app_view(app)->name);
	return report ? report : &report_summary;
}

/* Options of reports alone: how much is printed. */
static void reproduce_report_options(
	const struct app *app, const struct report_options *options, struct text *out)
{
	static const char *const sorts[] = {"flat", "cum", "name", "delta", "calls"};
	if (options->sort != SORT_FLAT)
		reproduce_option(app, out, "sort", sorts[options->sort]);
	if (options->node_count >= 0)
		text_printf(out, " --nodecount=%ld", options->node_count);
	if (options->node_fraction >= 0)
		text_printf(out, " --nodefraction=%g", options->node_fraction);
	if (options->edge_fraction >= 0)
		text_printf(out, " --edgefraction=%g", options->edge_fraction);
	if (options->no_trim)
		text_puts(out, " --trim=false");
	if (options->call_tree)
		text_puts(out, " --call-tree");
	if (options->tag_show)
		reproduce_option(app, out, "tagshow", options->tag_show);
	if (options->tag_hide)
		reproduce_option(app, out, "taghide", options->tag_hide);
	if (options->is_bins_given && options->bins == BINS_VIEWER)
		text_puts(out, " --bins=viewer");
	else if (options->is_bins_given)
		text_printf(out, " --bins=%d", options->bins);
}

static void reproduce_print(const struct app *app, bool is_moment, struct text *out)
{
	struct report_options options;
	struct reproduced texts = {0};
	const struct report *report = reproduce_report(app, is_moment, &options, &texts);
	text_printf(out, "vptop --report=%s", report->name);
	if (options.at)
		reproduce_option(app, out, "at", options.at);
	if (options.function)
		reproduce_option(app, out, "function", options.function);
	reproduce_query_options(app, options.from, options.to, out);
	reproduce_time_options(app, out);
	if (report == &report_timeline)
		reproduce_series_option(app, SERIES_MAX, out);
	reproduce_report_options(app, &options, out);
	reproduce_load_options(app, out);
	reproduce_paths(app, out);
	text_free(&texts.function);
}

bool reproduce_moment(const struct app *app, struct text *out)
{
	if (reproduce_selected_sample(app) < 0)
		return false;
	reproduce_print(app, true, out);
	return true;
}

static void reproduce_open(const struct app *app, struct text *out)
{
	struct text function = {0};
	struct reproduced texts = {0};
	const char *from, *to;
	const int64_t sample = reproduce_selected_sample(app);
	reproduce_window(app, &texts, &from, &to);
	text_printf(out, "vptop --view=%s", app_view(app)->name);
	reproduce_query_options(app, from, to, out);
	reproduce_time_options(app, out);
	reproduce_series_option(app, SERIES_BOTH, out);
	if (reproduce_is_view(app, "timeline") && sample >= 0)
		reproduce_sample(app, out, "at", (uint64_t)sample);
	if (reproduce_is_view(app, "callers") && reproduce_function(app, &function))
		reproduce_option(app, out, "function", function.data);
	reproduce_load_options(app, out);
	reproduce_paths(app, out);
	text_free(&function);
}

void reproduce_command(const struct app *app, bool as_report, struct text *out)
{
	if (!app->context.tree)
		return;
	if (as_report)
		reproduce_print(app, false, out);
	else
		reproduce_open(app, out);
}

/* ---- the list of files ---------------------------------------------------------- */

void reproduce_file(const struct app *app, const char *path, bool as_report, struct text *out)
{
	text_puts(out, as_report ? "vptop --report=summary" : "vptop");
	reproduce_load_options(app, out);
	reproduce_path(app, path, out);
}

void reproduce_list(const struct app *app, struct text *out)
{
	const struct browser *browser = &app->browser;
	text_puts(out, "vptop --report=catalog");
	if (browser->project)
		reproduce_option(app, out, "project", browser->project);
	if (browser->filter.text)
		reproduce_option(app, out, "filter", browser->filter.text);
	reproduce_load_options(app, out);
	reproduce_path(app, browser->folder, out);
}
