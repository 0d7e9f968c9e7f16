/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "options_table.h"
#include "report/catalog.h"

enum { FIRST_LONG = 256 };

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
		const int word = option_word(spec->words, spec->name, argument, err);
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
	for (int i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
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
	for (int i = 0; i < option_count; i++)
		if (option_table[i].name && option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

/* What getopt did not like about the option before argv[next]. */
static bool options_mistake(int what, const char *typed, struct vp_error *err)
{
	if (what == ':')
		return error_set(err, ERROR_USAGE, -1, "%.60s needs an argument", typed);
	if (optopt >= FIRST_LONG)
		return error_set(err, ERROR_USAGE, -1, "--%s takes no argument",
			option_table[optopt - FIRST_LONG].name);
	if (optopt > 0)
		return error_set(err, ERROR_USAGE, -1,
			"-%c: unknown option (vptop --help lists them)", optopt);
	return error_set(
		err, ERROR_USAGE, -1, "%.60s: unknown option (vptop --help lists them)", typed);
}

static void options_default(struct options *options)
{
	*options = (struct options){.open = {.load = load_options_default()}};
	options->report.query.thread = -1;
	options->report.bins = 100;
	options->report.node_count = -1;
	options->report.node_fraction = options->report.edge_fraction = -1;
}

bool options_parse(struct options *options, int argc, char **argv, struct vp_error *err)
{
	struct option longs[MOST_OPTIONS + 1];
	char shorts[2 * MOST_OPTIONS + 2];
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
				     options, &option_table[what - FIRST_LONG], optarg, sink) &&
			     ok;
		else
			ok = options_store(options, options_by_letter(what), optarg, sink) && ok;
	}
	if (optind < argc)
		options->path = argv[optind];
	options->open.paths = (const char *const *)(argv + optind);
	options->open.path_count = (size_t)(argc - optind);
	options->open.tag_unit = options->report.unit;
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
		"Usage: vptop [OPTION]... [PROFILE... | FOLDER]\n"
		"Shows where a program spent its time and memory. PROFILE is a file, a folder\n"
		"that is one stored profile, or - for standard input. Of another FOLDER, by\n"
		"default this one, it shows which profiles there are. Where standard output is\n"
		"no terminal, and with --report, it prints text and opens no screen.\n");
	for (int i = 0; i < option_count; i++) {
		if (!option_table[i].name)
			text_printf(out, "\n%s:\n", option_table[i].help);
		else if (option_table[i].help)
			options_help_option(out, &option_table[i]);
	}
	text_puts(out, "\nReports:\n");
	for (int i = 0; report_table[i]; i++) {
		snprintf(left, sizeof left, "  %s", report_table[i]->name);
		options_help_line(out, HELP_LIST_INDENT, left, report_table[i]->description);
	}
	options_help_line(out, HELP_LIST_INDENT, "  catalog", report_catalog_description);
	text_puts(out, "\nFormats (recognised by their content):\n");
	for (int i = 0; format_table[i]; i++) {
		snprintf(left, sizeof left, "  %s", format_table[i]->name);
		options_help_line(out, HELP_LIST_INDENT, left, format_table[i]->description);
	}
	text_puts(out,
		"\nKeys: ? on the screen shows them. Manual: man vptop.\n"
		"Exit status: 0 done, 1 the profile cannot be read or written, 2 wrong usage.\n");
}
