/* SPDX-License-Identifier: MIT */
/* The command line: what is understood, what is refused and how, --help and the man page. */

#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

enum { MOST_ARGUMENTS = 40 };

/* Parses words that are split at blanks. */
static bool parse(struct options *options, const char *line, struct vp_error *err)
{
	static char words[400];
	char *argv[MOST_ARGUMENTS] = {0};
	int argc = 0;
	snprintf(words, sizeof words, "%s", line);
	for (char *word = strtok(words, " "); word && argc < MOST_ARGUMENTS - 1;
		word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0; /* getopt starts afresh */
	return options_parse(options, argc, argv, err);
}

static void every_kind_of_option_is_stored(void **state)
{
	(void)state;
	struct options o;
	struct vp_error err;
	assert_true(parse(&o,
		"vptop -r top --format=json -o out --sample-index time -g lines -F run --ignore=x "
		"--relative-percentages a.prof -qn7 --bins=viewer --mem=mean",
		&err));
	assert_string_equal(o.report_name, "top");
	assert_true(o.json && o.quiet && o.has_series);
	assert_string_equal(o.output, "out");
	assert_string_equal(o.type, "time");
	assert_string_equal(o.path, "a.prof");
	assert_string_equal(o.report.function, "run");
	assert_string_equal(o.report.query.filters[FILTER_IGNORE], "x");
	assert_int_equal(o.report.query.granularity, BY_LINE);
	assert_true(o.report.query.relative_percentages);
	assert_int_equal(o.report.node_count, 7);
	assert_int_equal(o.report.bins, -1);
	assert_int_equal(o.report.series, SERIES_MEAN);
	assert_true(parse(&o,
		"vptop --max-inflated=512M --period 10ms --start=2026-11-29T11:30:05+02:00 --cum "
		"--max-depth=99 --clock=nominal --time=relative --input-format vmprof --view flame -",
		&err));
	assert_int_equal(o.open.load.source.max_inflated, 512 << 20);
	assert_int_equal(o.open.load.period_ns, 10000000);
	assert_int_equal(o.open.load.builder.max_depth, 99);
	assert_int_equal(o.report.clock, CLOCK_NOMINAL);
	assert_int_equal(o.report.time, TIME_RELATIVE);
	assert_int_equal(o.report.sort, SORT_CUM);
	assert_string_equal(o.path, "-");
}

static void defaults_are_those_of_the_manual(void **state)
{
	(void)state;
	struct options o;
	struct vp_error err;
	assert_true(parse(&o, "vptop", &err));
	assert_null(o.path);
	assert_null(o.report_name);
	assert_int_equal(o.report.bins, 100);
	assert_int_equal(o.report.series, SERIES_MAX);
	assert_int_equal(o.report.sort, SORT_FLAT);
	assert_int_equal(o.report.node_count, -1);
	assert_int_equal(o.report.query.granularity, BY_FUNCTION);
	assert_int_equal(o.open.load.source.max_inflated, SOURCE_DEFAULT_MAX_INFLATED);
	assert_int_equal(o.open.load.builder.max_depth, BUILDER_DEFAULT_MAX_DEPTH);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{"vptop --nonsense", "--nonsense: unknown option"},
		{"vptop -X", "-X: unknown option"},
		{"vptop --from", "--from needs an argument"},
		{"vptop --quiet=3 x", "--quiet takes no argument"},
		{"vptop --base b --diff-base c a", "there is --base or --diff-base, not both"},
		{"vptop -r nope a", "--report=nope: there is summary, top, "},
		{"vptop -f csv a", "--format=csv: there is text, json"},
		{"vptop -g what a", "--granularity=what: there is functions, "},
		{"vptop -n -3 a", "--nodecount=-3: needs a number"},
		{"vptop --nodefraction=2 a", "--nodefraction=2: needs a number from 0 to 1"},
		{"vptop --max-inflated=lots a", "--max-inflated=lots: needs a size"},
		{"vptop --period=0 a", "--period=0: needs a duration"},
		{"vptop --start=soon a", "--start=soon: needs a date"},
		{"vptop --bins=x a", "--bins=x: needs a number"},
		{"vptop --columns=0 a", "--columns=0: needs a number"},
		{"vptop --input-format=x a", "--input-format=x: there is vmprof"},
		{"vptop --view=x a", "--view=x: there is summary, flame, timeline, top"},
	};
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct options o;
		struct vp_error err;
		assert_false(parse(&o, lines[i][0], &err));
		assert_int_equal(err.code, ERROR_USAGE);
		if (strncmp(err.message, lines[i][1], strlen(lines[i][1])) != 0)
			fail_msg("%s: %s", lines[i][0], err.message);
	}
}

static void a_mistake_does_not_hide_that_json_was_asked_for(void **state)
{
	(void)state;
	struct options o;
	struct vp_error err;
	assert_false(parse(&o, "vptop --nonsense x --format=json", &err));
	assert_true(o.json);
}

static void help_fits_and_names_every_report_and_format(void **state)
{
	(void)state;
	struct text help = {0};
	char wanted[80];
	options_help(&help);
	for (const char *line = help.data; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 79);
	for (int i = 0; report_table[i]; i++) {
		snprintf(wanted, sizeof wanted, "\n  %s ", report_table[i]->name);
		assert_non_null(strstr(help.data, wanted));
	}
	for (int i = 0; format_table[i]; i++) {
		snprintf(wanted, sizeof wanted, "\n  %s ", format_table[i]->name);
		assert_non_null(strstr(help.data, wanted));
	}
	assert_null(strstr(help.data, "dump-screen"));
	text_free(&help);
}

/* The man page, NULL where the tests run without the sources. */
static char *man_page(void)
{
	char path[1000];
	const char *top = getenv("top_srcdir");
	snprintf(path, sizeof path, "%s/data/man/vptop.1", top ? top : ".");
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	char *page = calloc(1, 100000);
	assert_true(fread(page, 1, 99999, file) > 0);
	fclose(file);
	return page;
}

static void the_man_page_has_every_option_and_report(void **state)
{
	(void)state;
	struct text help = {0};
	char wanted[80];
	char *page = man_page();
	if (!page)
		skip();
	options_help(&help);
	for (const char *at = help.data; (at = strstr(at, "--")); at += 2) {
		const int length = (int)strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
		snprintf(wanted, sizeof wanted, "Fl -%.*s", length, at + 2);
		if (!strstr(page, wanted) &&
			(snprintf(wanted, sizeof wanted, ", -%.*s", length, at + 2),
				!strstr(page, wanted)))
			fail_msg("--%.*s is not in the man page", length, at + 2);
	}
	for (int i = 0; report_table[i]; i++)
		assert_non_null(strstr(page, report_table[i]->name));
	text_free(&help);
	free(page);
}

/* Each key of the table by the name that its help line gives it. */
static void the_man_page_has_every_key(void **state)
{
	(void)state;
	char *page = man_page();
	if (!page)
		skip();
	const char *keys = strstr(page, ".Sh KEYS");
	assert_non_null(keys);
	for (size_t i = 0; i < key_table_size; i++) {
		char label[40], *word, *rest;
		if (!key_table[i].label)
			continue;
		snprintf(label, sizeof label, "%s", key_table[i].label);
		for (word = strtok_r(label, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest))
			if (!strstr(keys, strcmp(word, "Bksp") == 0 ? "Backspace" : word))
				fail_msg("key %s is not in the man page", word);
	}
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_option_is_stored),
		cmocka_unit_test(defaults_are_those_of_the_manual),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(a_mistake_does_not_hide_that_json_was_asked_for),
		cmocka_unit_test(help_fits_and_names_every_report_and_format),
		cmocka_unit_test(the_man_page_has_every_option_and_report),
		cmocka_unit_test(the_man_page_has_every_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
