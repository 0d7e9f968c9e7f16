/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "script.h"
#include "view/view.h"

/*
 * What an option does with its argument: `set` is called; or the index among `words` is stored at
 * `offset` of struct options, or the argument itself, or true where the option takes none.
 */
struct option_spec {
	const char *name;     /* long name */
	char letter;          /* 0: none */
	const char *argument; /* NULL: takes none */
	const char *help;     /* NULL: not in --help; a heading where `name` is NULL */
	size_t offset;
	const char *const *words; /* NULL-ended */
	bool (*set)(struct options *options, const char *argument, struct vp_error *err);
	const char *missing; /* an option that this version knows of but does not have: why */
};

/* ---- arguments -------------------------------------------------------------- */

/* Which of the words `text` is; -1 and an error that lists them. */
static int options_word(
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
	if (report_find(text))
		return true;
	for (int i = 0; report_table[i]; i++)
		text_printf(&list, "%s%s", i > 0 ? ", " : "", report_table[i]->name);
	error_set(err, ERROR_USAGE, -1, "--report=%.60s: there is %s", text, list.data);
	text_free(&list);
	return false;
}

static bool options_set_format(struct options *options, const char *text, struct vp_error *err)
{
	static const char *const words[] = {"text", "json", NULL};
	const int word = options_word(words, "format", text, err);
	options->json = word == 1;
	options->has_format = true;
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
	const int word = options_word(words, "mem", text, err);
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
	options->load.format = text;
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
	options->load.source.max_inflated = bytes;
	return true;
}

static bool options_set_max_depth(struct options *options, const char *text, struct vp_error *err)
{
	long depth;
	if (!options_integer("max-depth", text, 1, 1000000000, &depth, err))
		return false;
	options->load.builder.max_depth = (uint32_t)depth;
	return true;
}

static bool options_set_period(struct options *options, const char *text, struct vp_error *err)
{
	if (units_parse_duration(text, &options->load.period_ns) && options->load.period_ns > 0)
		return true;
	return error_set(err, ERROR_USAGE, -1,
		"--period=%.60s: needs a duration such as 10ms or 999us", text);
}

static bool options_set_start(struct options *options, const char *text, struct vp_error *err)
{
	int64_t ns;
	int32_t offset;
	bool has_offset;
	options->load.start = text;
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

/* ---- the table -------------------------------------------------------------- */

static const char *const options_grains[] = {
	"functions", "filefunctions", "files", "lines", "addresses", NULL};
static const char *const options_sorts[] = {"flat", "cum", "name", NULL};
static const char *const options_axes[] = {"auto", "absolute", "relative", NULL};
static const char *const options_clocks[] = {"auto", "stretched", "nominal", NULL};
static const char *const options_colours[] = {"auto", "always", "never", NULL};
static const char *const options_glyphs[] = {"auto", "ascii", "blocks", NULL};

#define AT(member) .offset = offsetof(struct options, member)

static const struct option_spec options_table[] = {
	{.help = "What is printed"},
	{"report", 'r', "NAME", "print a report and open no screen (names below)",
		.set = options_set_report},
	{"format", 'f', "NAME", "text (default) or json", .set = options_set_format},
	{"output", 'o', "FILE", "write it there; - is standard output", AT(output)},
	{"function", 'F', "RE", "the functions of peek, callers and callees", AT(report.function)},
	{"sort", 0, "ORDER", "flat (default), cum or name", AT(report.sort), options_sorts},
	{"cum", 0, NULL, "the same as --sort=cum", .set = options_set_cum},
	{"flat", 0, NULL, "the same as --sort=flat", .set = options_set_flat},
	{"nodecount", 'n', "N", "at most N rows; 0: all", .set = options_set_node_count},
	{"nodefraction", 0, "F", "no rows below this share of the total",
		.set = options_set_node_fraction},
	{"edgefraction", 0, "F", "no callers and callees below this share",
		.set = options_set_edge_fraction},
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
	{"at", 0, "T", "the moment of the report bin; default: the peak", AT(report.at)},
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
	{"view", 0, "NAME", "the first view: summary (default), flame, timeline, top, callers",
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

	{"noinlines", 0, NULL, .missing = "not in this version: inlined frames are shown"},
	{"all-frames", 0, NULL,
		.missing = "not in this version: what a profile says to drop is dropped"},
	{"prune-from", 0, "RE",
		.missing =
			"not in this version; there is --focus, --ignore, --hide, --show, --show-from"},
	{"tagfocus", 0, "RE", .missing = "labels are not read in this version"},
	{"tagignore", 0, "RE", .missing = "labels are not read in this version"},
	{"tagshow", 0, "RE", .missing = "labels are not read in this version"},
	{"taghide", 0, "RE", .missing = "labels are not read in this version"},
	{"tagroot", 0, "KEYS", .missing = "labels are not read in this version"},
	{"tagleaf", 0, "KEYS", .missing = "labels are not read in this version"},
	{"mean", 0, NULL, .missing = "not in this version: values are printed as they are"},
	{"divide-by", 0, "N", .missing = "not in this version: values are printed as they are"},
	{"unit", 0, "UNIT", .missing = "not in this version: each value has the unit that fits it"},
	{"trim", 0, "BOOL",
		.missing = "not in this version; --nodecount=0 --nodefraction=0 trims nothing"},
	{"drop-negative", 0, NULL, .missing = "this version cannot compare profiles"},
	{"base", 0, "FILE", .missing = "this version cannot compare profiles"},
	{"diff-base", 0, "FILE", .missing = "this version cannot compare profiles"},
	{"normalize", 0, NULL, .missing = "this version cannot compare profiles"},
	{"series", 0, NULL, .missing = "this version opens one profile at a time"},
	{"merge", 0, NULL, .missing = "this version opens one profile at a time"},
	{"project", 0, "RE", .missing = "this version has no browser of profiles"},
	{"filter", 0, "TEXT", .missing = "this version has no browser of profiles"},
	{"theme", 0, "NAME", .missing = "this version has one theme"},
};

enum { OPTION_COUNT = sizeof options_table / sizeof options_table[0], FIRST_LONG = 256 };

/* ---- parsing ---------------------------------------------------------------- */

static bool options_store(struct options *options, const struct option_spec *spec,
	const char *argument, struct vp_error *err)
{
	char *member = (char *)options + spec->offset;
	if (spec->missing)
		return error_set(err, ERROR_USAGE, -1, "--%s: %s", spec->name, spec->missing);
	if (spec->set)
		return spec->set(options, argument, err);
	if (spec->words) {
		/* Enums are as large as int, and words are listed in the order of their enum. */
		const int word = options_word(spec->words, spec->name, argument, err);
		if (word >= 0)
			memcpy(member, &word, sizeof word);
		return word >= 0;
	}
	if (spec->argument)
		memcpy(member, &argument, sizeof argument);
	else
		memcpy(member, &(bool){true}, sizeof(bool));
	return true;
}

static void options_make_getopt(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_spec *spec = &options_table[i];
		if (!spec->name)
			continue;
		*longs++ = (struct option){.name = spec->name,
			.has_arg = spec->argument ? required_argument : no_argument,
			.val = FIRST_LONG + i};
		if (spec->letter)
			*shorts++ = spec->letter;
		if (spec->letter && spec->argument)
			*shorts++ = ':';
	}
	*shorts = '\0';
	*longs = (struct option){.name = NULL};
}

static const struct option_spec *options_by_letter(int letter)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (options_table[i].name && options_table[i].letter == letter)
			return &options_table[i];
	return NULL;
}

/* What getopt did not like about the option before argv[next]. */
static bool options_mistake(int what, const char *typed, struct vp_error *err)
{
	if (what == ':')
		return error_set(err, ERROR_USAGE, -1, "%.60s needs an argument", typed);
	if (optopt >= FIRST_LONG)
		return error_set(err, ERROR_USAGE, -1, "--%s takes no argument",
			options_table[optopt - FIRST_LONG].name);
	if (optopt > 0)
		return error_set(err, ERROR_USAGE, -1,
			"-%c: unknown option (vptop --help lists them)", optopt);
	return error_set(
		err, ERROR_USAGE, -1, "%.60s: unknown option (vptop --help lists them)", typed);
}

static void options_default(struct options *options)
{
	*options = (struct options){.load = load_options_default()};
	options->report.query.thread = -1;
	options->report.bins = 100;
	options->report.node_count = -1;
	options->report.node_fraction = options->report.edge_fraction = -1;
}

bool options_parse(struct options *options, int argc, char **argv, struct vp_error *err)
{
	struct option longs[OPTION_COUNT + 1];
	char shorts[2 * OPTION_COUNT + 2];
	struct vp_error later;
	bool ok = true;
	options_default(options);
	options_make_getopt(longs, shorts);
	opterr = 0;
	for (int what; (what = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		struct vp_error *sink = ok ? err : &later;
		if (what == '?' || what == ':')
			ok = options_mistake(what, argv[optind - 1], sink) && ok;
		else if (what >= FIRST_LONG)
			ok = options_store(
				     options, &options_table[what - FIRST_LONG], optarg, sink) &&
			     ok;
		else
			ok = options_store(options, options_by_letter(what), optarg, sink) && ok;
	}
	if (optind < argc)
		options->path = argv[optind];
	if (ok && argc - optind > 1)
		return error_set(err, ERROR_USAGE, -1,
			"%d profiles are named: this version opens one at a time", argc - optind);
	return ok;
}

/* ---- help ------------------------------------------------------------------- */

enum { HELP_INDENT = 30, HELP_LIST_INDENT = 18, HELP_WIDTH = 79 };

/* Adds a line of two columns; the right one begins at `indent` and is broken at blanks. */
static void options_help_line(struct text *out, int indent, const char *left, const char *right)
{
	text_printf(out, "%-*s", indent, left);
	int column = indent;
	while (*right) {
		const size_t word = strcspn(right, " ");
		if (column > indent && column + 1 + (int)word > HELP_WIDTH) {
			text_puts(out, "\n");
			text_repeat(out, " ", indent);
			column = indent;
		} else if (column > indent) {
			text_puts(out, " ");
			column++;
		}
		text_add(out, right, word);
		column += (int)word;
		right += word + (right[word] == ' ');
	}
	text_puts(out, "\n");
}

static void options_help_option(struct text *out, const struct option_spec *spec)
{
	char left[80], letter[8] = "    ";
	if (spec->letter)
		snprintf(letter, sizeof letter, "-%c, ", spec->letter);
	snprintf(left, sizeof left, "  %s--%s%s%s", letter, spec->name, spec->argument ? "=" : "",
		spec->argument ? spec->argument : "");
	options_help_line(out, HELP_INDENT, left, spec->help);
}

void options_help(struct text *out)
{
	char left[80];
	text_puts(out,
		"Usage: vptop [OPTION]... PROFILE\n"
		"Shows where a program spent its time and memory. PROFILE is a file, a folder\n"
		"that is one stored profile, or - for standard input. Where standard output is\n"
		"no terminal, and with --report, it prints text and opens no screen.\n");
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (!options_table[i].name)
			text_printf(out, "\n%s:\n", options_table[i].help);
		else if (options_table[i].help)
			options_help_option(out, &options_table[i]);
	}
	text_puts(out, "\nReports:\n");
	for (int i = 0; report_table[i]; i++) {
		snprintf(left, sizeof left, "  %s", report_table[i]->name);
		options_help_line(out, HELP_LIST_INDENT, left, report_table[i]->description);
	}
	text_puts(out, "\nFormats (recognised by their content):\n");
	for (int i = 0; format_table[i]; i++) {
		snprintf(left, sizeof left, "  %s", format_table[i]->name);
		options_help_line(out, HELP_LIST_INDENT, left, format_table[i]->description);
	}
	text_puts(out,
		"\nKeys: ? on the screen shows them. Manual: man vptop.\n"
		"Exit status: 0 done, 1 the profile cannot be read or written, 2 wrong usage.\n");
}
