/* SPDX-License-Identifier: MIT */
#include "options_table.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "script.h"
#include "view/view.h"

/* ---- arguments -------------------------------------------------------------- */

int option_word(
	const char *const *words, const char *option, const char *text, struct vp_error *err)
{
	struct text list = {0};
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], text) == 0) {
			text_free(&list);
			return i;
		}
		text_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
	}
	error_set(err, ERROR_USAGE, -1, "--%s=%.60s: there is %s", option, text, list.data);
	text_free(&list);
	return -1;
}

static bool options_integer(const char *option, const char *text, long least, long most,
	long *value, struct vp_error *err)
{
	char *end;
	errno = 0;
	*value = strtol(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most)
		return true;
	return error_set(err, ERROR_USAGE, -1, "--%s=%.60s: needs a number from %ld on", option,
		text, least);
}

static bool options_fraction(
	const char *option, const char *text, double *value, struct vp_error *err)
{
	char *end;
	*value = strtod(text, &end);
	if (end != text && *end == '\0' && *value >= 0 && *value <= 1)
		return true;
	return error_set(
		err, ERROR_USAGE, -1, "--%s=%.60s: needs a number from 0 to 1", option, text);
}

static bool options_set_report(struct options *options, const char *text, struct vp_error *err)
{
	struct text list = {0};
	options->report_name = text;
	if (report_find(text) || strcmp(text, "catalog") == 0)
		return true;
	for (int i = 0; report_table[i]; i++)
		text_printf(&list, "%s%s", i > 0 ? ", " : "", report_table[i]->name);
	text_puts(&list, ", catalog");
	error_set(err, ERROR_USAGE, -1, "--report=%.60s: there is %s", text, list.data);
	text_free(&list);
	return false;
}

/* text and json are forms of a report; the others are reports of that name. */
static bool options_set_format(struct options *options, const char *text, struct vp_error *err)
{
	static const char *const words[] = {
		"text", "json", "folded", "pprof", "dot", "callgrind", "raw", NULL};
	const int word = option_word(words, "format", text, err);
	options->json = word == 1;
	options->has_format = true;
	if (word > 1)
		options->report_name = words[word];
	return word >= 0;
}

static bool options_set_cum(struct options *options, const char *text, struct vp_error *err)
{
	(void)text;
	(void)err;
	options->report.sort = SORT_CUM;
	return true;
}

static bool options_set_flat(struct options *options, const char *text, struct vp_error *err)
{
	(void)text;
	(void)err;
	options->report.sort = SORT_FLAT;
	return true;
}

static bool options_set_node_count(struct options *options, const char *text, struct vp_error *err)
{
	return options_integer("nodecount", text, 0, 1000000000, &options->report.node_count, err);
}

static bool options_set_node_fraction(
	struct options *options, const char *text, struct vp_error *err)
{
	return options_fraction("nodefraction", text, &options->report.node_fraction, err);
}

static bool options_set_edge_fraction(
	struct options *options, const char *text, struct vp_error *err)
{
	return options_fraction("edgefraction", text, &options->report.edge_fraction, err);
}

static bool options_set_series(struct options *options, const char *text, struct vp_error *err)
{
	static const char *const words[] = {"max", "mean", "both", NULL};
	const int word = option_word(words, "mem", text, err);
	if (word >= 0)
		options->report.series = (enum chart_series)word;
	options->has_series = true;
	return word >= 0;
}

static bool options_set_bins(struct options *options, const char *text, struct vp_error *err)
{
	long bins = -1;
	if (strcmp(text, "viewer") != 0 &&
		!options_integer("bins", text, 0, 100000000, &bins, NULL))
		return error_set(err, ERROR_USAGE, -1,
			"--bins=%.60s: needs a number (0: one bin a sample) or 'viewer'", text);
	options->report.bins = (int)bins;
	options->report.is_bins_given = true;
	return true;
}

static bool options_set_columns(struct options *options, const char *text, struct vp_error *err)
{
	long columns;
	if (!options_integer("columns", text, 1, 100000, &columns, err))
		return false;
	options->report.columns = (int)columns;
	return true;
}

static bool options_set_input_format(
	struct options *options, const char *text, struct vp_error *err)
{
	struct text list = {0};
	options->open.load.format = text;
	for (int i = 0; format_table[i]; i++) {
		if (strcmp(format_table[i]->name, text) == 0) {
			text_free(&list);
			return true;
		}
		text_printf(&list, "%s%s", i > 0 ? ", " : "", format_table[i]->name);
	}
	error_set(err, ERROR_USAGE, -1, "--input-format=%.60s: there is %s", text, list.data);
	text_free(&list);
	return false;
}

static bool options_set_max_inflated(
	struct options *options, const char *text, struct vp_error *err)
{
	uint64_t bytes;
	if (!units_parse_size(text, &bytes) || bytes == 0)
		return error_set(err, ERROR_USAGE, -1,
			"--max-inflated=%.60s: needs a size such as 512M or 64G", text);
	options->open.load.source.max_inflated = bytes;
	return true;
}

static bool options_set_max_depth(struct options *options, const char *text, struct vp_error *err)
{
	long depth;
	if (!options_integer("max-depth", text, 1, 1000000000, &depth, err))
		return false;
	options->open.load.builder.max_depth = (uint32_t)depth;
	return true;
}

static bool options_set_period(struct options *options, const char *text, struct vp_error *err)
{
	if (units_parse_duration(text, &options->open.load.period_ns) &&
		options->open.load.period_ns > 0)
		return true;
	return error_set(err, ERROR_USAGE, -1,
		"--period=%.60s: needs a duration such as 10ms or 999us", text);
}

static bool options_set_start(struct options *options, const char *text, struct vp_error *err)
{
	int64_t ns;
	int32_t offset;
	bool has_offset;
	options->open.load.start = text;
	if (units_parse_iso8601(text, &ns, &has_offset, &offset))
		return true;
	return error_set(err, ERROR_USAGE, -1,
		"--start=%.60s: needs a date such as 2026-11-29T11:30:05+02:00", text);
}

static bool options_set_view(struct options *options, const char *text, struct vp_error *err)
{
	struct text list = {0};
	options->view = text;
	for (int i = 0; view_table[i]; i++) {
		if (strcmp(view_table[i]->name, text) == 0) {
			text_free(&list);
			return true;
		}
		text_printf(&list, "%s%s", i > 0 ? ", " : "", view_table[i]->name);
	}
	error_set(err, ERROR_USAGE, -1, "--view=%.60s: there is %s", text, list.data);
	text_free(&list);
	return false;
}

static bool options_set_ascii(struct options *options, const char *text, struct vp_error *err)
{
	(void)text;
	(void)err;
	options->glyphs = GLYPHS_ASCII;
	return true;
}

static bool options_set_dump(struct options *options, const char *text, struct vp_error *err)
{
	if (script_parse_size(text, '\0', &options->dump_width, &options->dump_height))
		return true;
	return error_set(err, ERROR_USAGE, -1, "--dump-screen=%.60s: needs WIDTHxHEIGHT", text);
}

static bool options_set_trim(struct options *options, const char *text, struct vp_error *err)
{
	static const char *const words[] = {"true", "false", "yes", "no", "1", "0", NULL};
	const int word = option_word(words, "trim", text, err);
	options->report.no_trim = word % 2 == 1;
	return word >= 0;
}

static bool options_set_divide_by(struct options *options, const char *text, struct vp_error *err)
{
	char *end;
	options->report.divide_by = strtod(text, &end);
	if (end != text && *end == '\0' && options->report.divide_by > 0 &&
		options->report.divide_by < 1e300)
		return true;
	return error_set(err, ERROR_USAGE, -1, "--divide-by=%.60s: needs a number above 0", text);
}

static bool options_add_base(
	struct options *options, const char *path, bool is_diff, struct vp_error *err)
{
	struct open_options *open = &options->open;
	if (open->base_count > 0 && open->is_diff_base != is_diff)
		return error_set(err, ERROR_USAGE, -1, "there is --base or --diff-base, not both");
	if (open->base_count == OPEN_MOST_BASES)
		return error_set(
			err, ERROR_USAGE, -1, "more than %d profiles as the base", OPEN_MOST_BASES);
	open->is_diff_base = is_diff;
	open->bases[open->base_count++] = path;
	return true;
}

static bool options_set_base(struct options *options, const char *text, struct vp_error *err)
{
	return options_add_base(options, text, false, err);
}

static bool options_set_diff_base(struct options *options, const char *text, struct vp_error *err)
{
	return options_add_base(options, text, true, err);
}

static bool options_set_merge(struct options *options, const char *text, struct vp_error *err)
{
	(void)text;
	(void)err;
	options->open.together = TOGETHER_MERGED;
	return true;
}

static bool options_set_series_of_files(
	struct options *options, const char *text, struct vp_error *err)
{
	(void)text;
	(void)err;
	options->open.together = TOGETHER_SERIES;
	return true;
}

/* ---- the table -------------------------------------------------------------- */

static const char *const options_grains[] = {
	"functions", "filefunctions", "files", "lines", "addresses", NULL};
static const char *const options_sorts[] = {"flat", "cum", "name", "delta", "calls", NULL};
static const char *const options_axes[] = {"auto", "absolute", "relative", NULL};
static const char *const options_clocks[] = {"auto", "stretched", "nominal", NULL};
static const char *const options_colours[] = {"auto", "always", "never", NULL};
static const char *const options_glyphs[] = {"auto", "ascii", "blocks", NULL};

#define AT(member) .offset = offsetof(struct options, member)

const struct option_spec option_table[] = {
	{.help = "What is printed"},
	{"report", 'r', "NAME", "print a report and open no screen (names below)",
		.set = options_set_report},
	{"format", 'f', "NAME",
		"text (default), json, or an export: folded, pprof, dot, callgrind, raw",
		.set = options_set_format},
	{"output", 'o', "FILE", "write it there; - is standard output", AT(output)},
	{"function", 'F', "RE", "the functions of peek, callers and callees", AT(report.function)},
	{"sort", 0, "ORDER", "flat (default), cum, name, delta or calls", AT(report.sort),
		options_sorts},
	{"cum", 0, NULL, "the same as --sort=cum", .set = options_set_cum},
	{"flat", 0, NULL, "the same as --sort=flat", .set = options_set_flat},
	{"nodecount", 'n', "N", "at most N rows; 0: all", .set = options_set_node_count},
	{"nodefraction", 0, "F", "no rows below this share of the total",
		.set = options_set_node_fraction},
	{"edgefraction", 0, "F", "no callers and callees below this share",
		.set = options_set_edge_fraction},
	{"trim", 0, "BOOL", "false: print every row and edge", .set = options_set_trim},
	{"unit", 0, "UNIT", "of values: auto, minimum, ms, kB, ...", AT(report.unit)},
	{"divide-by", 0, "N", "divide all values by N", .set = options_set_divide_by},
	{"mean", 0, NULL, "values for each of the first type: bytes an allocation",
		AT(report.query.mean)},
	{"call-tree", 0, NULL, "a row is a place in the call tree, not a function",
		AT(report.call_tree)},
	{"columns", 0, "N", "width of text; default: the terminal, $COLUMNS, 80",
		.set = options_set_columns},

	{.help = "What is counted"},
	{"type", 't', "NAME", "value type by name, name/unit or number", AT(type)},
	{"sample-index", 0, "NAME", NULL, AT(type)},
	{"granularity", 'g', "WHAT",
		"a row is one of functions (default), filefunctions, files, "
		"lines, addresses",
		AT(report.query.granularity), options_grains},
	{"focus", 0, "RE", "only stacks with a matching frame",
		AT(report.query.filters[FILTER_FOCUS])},
	{"ignore", 0, "RE", "no stacks with a matching frame",
		AT(report.query.filters[FILTER_IGNORE])},
	{"hide", 0, "RE", "leave matching frames out", AT(report.query.filters[FILTER_HIDE])},
	{"show", 0, "RE", "leave all other frames out", AT(report.query.filters[FILTER_SHOW])},
	{"show-from", 0, "RE", "leave out what is above the first matching frame",
		AT(report.query.filters[FILTER_SHOW_FROM])},
	{"prune-from", 0, "RE", "leave out what the innermost matching frame calls",
		AT(report.query.filters[FILTER_PRUNE_FROM])},
	{"noinlines", 0, NULL, "count inlined frames as the caller they were inlined into",
		AT(report.query.no_inlines)},
	{"all-frames", 0, NULL, "also the frames that the profile itself leaves out",
		AT(report.query.all_frames)},
	{"tagfocus", 0, "[KEY=]RE", "only samples with such a label; 64kb:1mb is a range",
		AT(report.query.filters[FILTER_TAG_FOCUS])},
	{"tagignore", 0, "[KEY=]RE", "no samples with such a label",
		AT(report.query.filters[FILTER_TAG_IGNORE])},
	{"tagshow", 0, "RE", "print only labels whose key matches", AT(report.tag_show)},
	{"taghide", 0, "RE", "print no labels whose key matches", AT(report.tag_hide)},
	{"tagroot", 0, "KEYS", "values of these labels as frames at the root", AT(open.tag_root)},
	{"tagleaf", 0, "KEYS", "values of these labels as frames at the leaf", AT(open.tag_leaf)},
	{"relative-percentages", 0, NULL, "shares of what the filters leave, not of all",
		AT(report.query.relative_percentages)},
	{"thread", 0, "ID", "only that thread", AT(thread)},
	{"show-assembler", 0, NULL, "machine code of the JIT as frames of its own",
		AT(report.query.show_assembler)},
	{"reference-tree", 0, NULL, "the call tree as the vmprof tools make it",
		AT(report.query.reference_tree)},

	{.help = "Time"},
	{"from", 0, "T", "only samples from then on: 11:30, +20m, #1500, 50%, a date",
		AT(report.from)},
	{"to", 0, "T", "only samples before", AT(report.to)},
	{"at", 0, "T", "the moment of the report bin; default: the peak, the last snapshot",
		AT(report.at)},
	{"time", 0, "AXIS", "absolute, relative (to the first sample) or auto", AT(report.time),
		options_axes},
	{"clock", 0, "CLOCK", "how samples are laid on the clock: stretched, nominal, auto",
		AT(report.clock), options_clocks},
	{"mem", 0, "SERIES", "max (default of reports), mean or both (default of the screen)",
		.set = options_set_series},
	{"bins", 0, "N",
		"bins of the timeline; default 100; 0: one a sample; viewer: those of "
		"vmprof-viewer",
		.set = options_set_bins},

	{.help = "Folders"},
	{"project", 0, "RE", "only profiles of such a project or process", AT(project)},
	{"filter", 0, "TEXT", "only profiles with that text in path, project or function",
		AT(filter)},

	{.help = "Several profiles"},
	{"base", 0, "FILE", "show the change from that profile; shares are of the changes",
		.set = options_set_base},
	{"diff-base", 0, "FILE", "show the change from that profile; shares are of it",
		.set = options_set_diff_base},
	{"normalize", 0, NULL, "scale the profile to the total of the base", AT(open.normalize)},
	{"drop-negative", 0, NULL, "leave out rows that became less", AT(report.drop_negative)},
	{"merge", 0, NULL, "add several profiles up", .set = options_set_merge},
	{"series", 0, NULL, "take several profiles as one process at different times",
		.set = options_set_series_of_files},

	{.help = "The profile"},
	{"input-format", 0, "NAME", "do not guess the format (names below)",
		.set = options_set_input_format},
	{"period", 0, "TIME", "sampling period where the file has none", .set = options_set_period},
	{"start", 0, "DATE", "start of the run where the file has none", .set = options_set_start},
	{"max-inflated", 0, "SIZE", "refuse to unpack more than that; default 16G",
		.set = options_set_max_inflated},
	{"max-depth", 0, "N", "cut stacks that are deeper; default 1048576",
		.set = options_set_max_depth},

	{.help = "The screen"},
	{"view", 0, "NAME",
		"the first view: summary (default; callers for pstats), flame, timeline, top, "
		"callers, labels, browse",
		.set = options_set_view},
	{"color", 0, "WHEN", "auto (default; NO_COLOR is honoured), always or never", AT(colour),
		options_colours},
	{"glyphs", 0, "WHICH", "auto, ascii or blocks", AT(glyphs), options_glyphs},
	{"ascii", 0, NULL, "the same as --glyphs=ascii", .set = options_set_ascii},

	{.help = "Other"},
	{"quiet", 'q', NULL, "no warnings on standard error", AT(quiet)},
	{"help", 'h', NULL, "this text", AT(help)},
	{"version", 'V', NULL, "the version", AT(version)},

	{"keys", 0, "TEXT", NULL, AT(keys)},
	{"dump-screen", 0, "SIZE", NULL, .set = options_set_dump},

	{"theme", 0, "NAME", .missing = "this version has one theme"},
};

const int option_count = sizeof option_table / sizeof option_table[0];
