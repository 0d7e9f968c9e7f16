/* SPDX-License-Identifier: MIT */
/* Reports: the figures, the keys of their JSON, and text that stays inside its columns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "profile/builder.h"
#include "report/report.h"
#include "report/table.h"

/* ---- profiles ----------------------------------------------------------------- */

enum { MAIN = 0x100, READ = 0x200, PARSE = 0x300, HOSTILE = 0x400 };

static void name(struct builder *builder, uint64_t address, const char *text)
{
	builder_name(builder, address, text, strlen(text), 0);
}

/* One sample of a stack of `depth` addresses, root first, with so many KiB of memory. */
static void sample(struct builder *builder, size_t depth, const uint64_t *addresses, int64_t kib,
	uint64_t thread)
{
	frame_id frames[16];
	for (size_t i = 0; i < depth; i++)
		frames[i] = builder_frame(builder, addresses[i], 0, CODE_PYTHON);
	builder_sample(builder, builder_stack(builder, frames, depth), 1, kib, thread);
}

/*
 * Ten samples, 100 ms apart, of two threads; the sixth is the peak:
 *   4 x main, 3 x main;read, 2 x main;parse;read;parse, 1 x no stack.
 */
static struct profile *small_profile(void)
{
	static const uint64_t stack[] = {MAIN, READ}, deep[] = {MAIN, PARSE, READ, PARSE};
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct builder builder;
	builder_init(&builder, &limits, NULL, NULL);
	name(&builder, MAIN, "py:main:1:/srv/app/main.py");
	name(&builder, READ, "py:read:20:/srv/app/io.py");
	name(&builder, PARSE, "py:parse:30:/srv/app/io.py");
	for (int i = 0; i < 4; i++)
		sample(&builder, 1, stack, 1000 + i, 1);
	sample(&builder, 2, stack, 2000, 1);
	sample(&builder, 4, deep, 9000, 2);
	sample(&builder, 4, deep, 3000, 2);
	sample(&builder, 2, stack, 3001, 1);
	sample(&builder, 2, stack, 3002, 1);
	sample(&builder, 0, stack, 3003, 1);
	builder.profile->format = "vmprof";
	builder.profile->version = 6;
	builder.profile->source = builder_text(&builder, "small.prof", 10);
	builder.profile->is_timed = true;
	builder.profile->period_ns = 100000000;
	builder.profile->has_start = builder.profile->has_offset = true;
	builder.profile->start_ns = INT64_C(1796031005123456000);
	builder.profile->offset_s = 7200;
	return builder_finish(&builder);
}

/* Names that no terminal and no JSON parser should ever see as they are. */
static struct profile *hostile_profile(void)
{
	static const uint64_t stack[] = {MAIN, HOSTILE, READ};
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct builder builder;
	builder_init(&builder, &limits, NULL, NULL);
	name(&builder, MAIN, "py:\x1b[2J\x1b]52;c;evil\x07:1:/srv/\r\n\x9b.py");
	name(&builder, HOSTILE,
		"py:\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e caf\xe9 \xe2\x80\xae\xf0\x9f\x94\xa5:2:\xff/a");
	name(&builder, READ,
		"py:a_name_that_is_longer_than_most_lines_of_a_terminal_are_wide_so_that_"
		"it_has_to_be_cut_somewhere_in_every_report:3:/a/rather/long/path/to/it.py");
	for (int i = 0; i < 50; i++)
		sample(&builder, (size_t)(i % 4), stack, 1 << 20, 0);
	builder.profile->format = "vmprof";
	builder.profile->version = -1;
	builder.profile->source = builder_text(&builder, "\x1b[31m\xe9.prof", 11);
	builder.profile->is_timed = true;
	builder.profile->period_ns = 1000000;
	builder_warn(&builder, "malformed",
		"name \x1b[1m at byte 7 is broken and this sentence is long");
	return builder_finish(&builder);
}

static struct profile *deep_profile(size_t depth)
{
	struct builder_limits limits = {.max_depth = BUILDER_DEFAULT_MAX_DEPTH};
	struct builder builder;
	builder_init(&builder, &limits, NULL, NULL);
	stack_id stack = 0;
	for (size_t i = 0; i < depth; i++)
		stack = builder_child(
			&builder, stack, builder_frame(&builder, 16 * (i + 1), 0, CODE_PYTHON));
	builder_sample(&builder, stack, 1, -1, 0);
	builder.profile->format = "vmprof";
	builder.profile->version = 0;
	return builder_finish(&builder);
}

/* ---- running ------------------------------------------------------------------- */

static struct report_options default_options(const struct profile *profile)
{
	struct report_options options = {.bins = 100,
		.node_count = -1,
		.node_fraction = -1,
		.edge_fraction = -1,
		.columns = 80,
		.function = "main|read|name"};
	query_init(&options.query, profile);
	return options;
}

static struct text run_text(
	const char *report, const struct profile *profile, const struct report_options *options)
{
	struct vp_error err = {0};
	struct text out = {0};
	if (!report_run(report_find(report), profile, options, false, &out, &err))
		fail_msg("%s: %s", report, err.message);
	return out;
}

/* A report on a difference, which these profiles are not. */
static bool needs_a_base(const char *report)
{
	return strcmp(report, "diff") == 0;
}

/* Text for other programs: its lines are as long as they are. */
static bool is_for_programs(const char *report)
{
	static const char *const names[] = {"folded", "raw", "dot", "callgrind"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(report, names[i]) == 0)
			return true;
	return report_find(report)->is_binary;
}

static bool has_json(const struct report *report)
{
	return report->json && !needs_a_base(report->name);
}

static json_t *run_json(
	const char *report, const struct profile *profile, const struct report_options *options)
{
	struct vp_error err = {0};
	struct text out = {0};
	json_error_t problem;
	if (!report_run(report_find(report), profile, options, true, &out, &err))
		fail_msg("%s: %s", report, err.message);
	json_t *json = json_loadb(out.data, out.length, JSON_ALLOW_NUL, &problem);
	if (!json)
		fail_msg("%s: %s: %s", report, problem.text, out.data);
	text_free(&out);
	return json;
}

static void run_error(const char *report, const struct profile *profile,
	const struct report_options *options, const char *hint)
{
	struct vp_error err = {0};
	struct text out = {0};
	assert_false(report_run(report_find(report), profile, options, true, &out, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	if (!strstr(err.message, hint))
		fail_msg("%s: the message lacks '%s': %s", report, hint, err.message);
	text_free(&out);
}

static const char *string_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_int_t integer_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_integer(value))
		fail_msg("%s is no integer", key);
	return json_integer_value(value);
}

/* The element of an array whose "name" is so; fails where there is none. */
static json_t *named(const json_t *array, const char *wanted)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (strcmp(string_of(json_array_get(array, i), "name"), wanted) == 0)
			return json_array_get(array, i);
	fail_msg("no %s", wanted);
	return NULL;
}

/* ---- figures -------------------------------------------------------------------- */

static void test_head(void **state)
{
	(void)state;
	static const char *const keys[] = {"source", "format", "version", "project",
		"top_level_function", "interpreter", "start", "start_unix_ns", "duration_ns",
		"sampled_ns", "clock", "period_ns", "samples", "stacks", "functions", "threads",
		"max_depth", "truncated", "types"};
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	for (int i = 0; report_table[i]; i++) {
		if (!has_json(report_table[i]))
			continue;
		json_t *json = run_json(report_table[i]->name, profile, &options);
		const json_t *head = json_object_get(json, "profile");
		assert_int_equal(integer_of(json, "vptop"), 1);
		assert_string_equal(string_of(json, "report"), report_table[i]->name);
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			assert_non_null(json_object_get(head, keys[k]));
		assert_string_equal(string_of(head, "start"), "2026-11-30T11:30:05.123456+02:00");
		assert_int_equal(integer_of(head, "start_unix_ns"), INT64_C(1796031005123456000));
		assert_int_equal(integer_of(head, "duration_ns"), 1000000000);
		assert_int_equal(integer_of(head, "samples"), 10);
		assert_int_equal(integer_of(head, "stacks"), 4);
		assert_int_equal(integer_of(head, "functions"), 3);
		assert_int_equal(integer_of(head, "threads"), 2);
		assert_int_equal(integer_of(head, "max_depth"), 4);
		assert_string_equal(string_of(head, "clock"), "nominal");
		assert_true(json_is_null(json_object_get(head, "project")));
		assert_string_equal(
			string_of(json_object_get(json, "query"), "type"), "samples/count");
		assert_true(json_is_array(json_object_get(json, "warnings")));
		json_decref(json);
	}
	profile_free(profile);
}

static void test_top(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	json_t *json = run_json("top", profile, &options);
	const json_t *rows = json_object_get(json, "rows");
	assert_int_equal(integer_of(json, "total"), 10);
	assert_int_equal(json_array_size(rows), 3);
	assert_int_equal(integer_of(named(rows, "main"), "flat"), 4);
	assert_int_equal(integer_of(named(rows, "main"), "cum"), 9);
	assert_int_equal(integer_of(named(rows, "read"), "flat"), 3);
	assert_int_equal(integer_of(named(rows, "read"), "cum"), 5);
	assert_int_equal(integer_of(named(rows, "parse"), "flat"), 2);
	assert_int_equal(integer_of(named(rows, "parse"), "cum"), 2);
	assert_string_equal(string_of(named(rows, "read"), "file"), "/srv/app/io.py");
	assert_int_equal(integer_of(named(rows, "read"), "line"), 20);
	json_decref(json);

	options.node_count = 1;
	json = run_json("top", profile, &options);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 1);
	json_decref(json);
	/* int(9 x 0.5) = 4: parse's 2 are below it (numbers.md 3.3 rule 9). */
	options.node_count = 0;
	options.node_fraction = 0.5;
	json = run_json("top", profile, &options);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 2);
	json_decref(json);
	profile_free(profile);
}

static void test_edges_count_once_a_stack(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	json_t *json = run_json("tree", profile, &options);
	const json_t *rows = json_object_get(json, "rows");
	const json_t *read = named(rows, "read"), *parse = named(rows, "parse");
	assert_int_equal(integer_of(named(json_object_get(read, "callers"), "main"), "value"), 3);
	assert_int_equal(integer_of(named(json_object_get(read, "callers"), "parse"), "value"), 2);
	assert_int_equal(integer_of(named(json_object_get(read, "callees"), "parse"), "value"), 2);
	assert_int_equal(json_array_size(json_object_get(parse, "callers")), 2);
	assert_int_equal(json_array_size(json_object_get(named(rows, "main"), "callers")), 0);
	/* peek answers the same, by another way. */
	options.function = "^read$";
	json_t *peek = run_json("peek", profile, &options);
	assert_true(json_equal(json_array_get(json_object_get(peek, "rows"), 0), read));
	json_t *callers = run_json("callers", profile, &options);
	assert_string_equal(string_of(callers, "function"), "read");
	assert_true(json_equal(json_object_get(callers, "rows"), json_object_get(read, "callers")));
	json_decref(callers);
	json_decref(peek);
	json_decref(json);
	profile_free(profile);
}

static void test_timeline(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	options.bins = BINS_EACH_SAMPLE;
	json_t *json = run_json("timeline", profile, &options);
	const json_t *bins = json_object_get(json, "bins");
	assert_string_equal(string_of(json, "unit"), "bytes");
	assert_int_equal(json_array_size(bins), 10);
	const json_t *peak = json_array_get(bins, 5);
	assert_int_equal(integer_of(peak, "first"), 5);
	assert_int_equal(integer_of(peak, "last"), 5);
	assert_int_equal(integer_of(peak, "start_ns"), 500000000);
	assert_int_equal(integer_of(peak, "end_ns"), 600000000);
	assert_int_equal(integer_of(peak, "max"), 9000 * 1024);
	assert_true(json_is_real(json_object_get(peak, "mean")));
	json_decref(json);

	options.bins = 2;
	options.from = "#2";
	options.to = "#8";
	json = run_json("timeline", profile, &options);
	bins = json_object_get(json, "bins");
	assert_int_equal(json_array_size(bins), 2);
	assert_int_equal(integer_of(json_array_get(bins, 0), "first"), 2);
	assert_int_equal(integer_of(json_array_get(bins, 1), "last"), 7);
	assert_int_equal(integer_of(json_array_get(bins, 1), "count"), 3);
	json_decref(json);
	profile_free(profile);
}

static void test_bin(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	options.bins = 2;
	json_t *json = run_json("bin", profile, &options);
	assert_int_equal(integer_of(json, "first"), 5); /* the peak's */
	assert_int_equal(integer_of(json, "count"), 5);
	assert_int_equal(integer_of(json, "empty"), 1);
	const json_t *prefix = json_object_get(json, "prefix");
	assert_int_equal(json_array_size(prefix), 1);
	assert_string_equal(json_string_value(json_array_get(prefix, 0)), "main");
	assert_int_equal(json_array_size(json_object_get(json, "remainder")), 3);
	assert_int_equal(integer_of(json, "remainder_count"), 2);
	assert_true(json_real_value(json_object_get(json, "remainder_share")) == 0.4);
	assert_int_equal(json_array_size(json_object_get(json, "tails")), 2);
	json_decref(json);
	options.at = "11:30:05.2";
	json = run_json("bin", profile, &options);
	assert_int_equal(integer_of(json, "first"), 0);
	json_decref(json);
	profile_free(profile);
}

static void test_threads_traces_summary(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	json_t *json = run_json("threads", profile, &options);
	const json_t *row = json_array_get(json_object_get(json, "rows"), 0);
	assert_string_equal(string_of(row, "id"), "0x1");
	assert_int_equal(integer_of(row, "value"), 8);
	json_decref(json);

	json = run_json("traces", profile, &options);
	const json_t *traces = json_object_get(json, "traces");
	assert_int_equal(json_array_size(traces), 4);
	row = json_array_get(traces, 0);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(row, "values"), 0)), 4);
	row = json_array_get(traces, 2);
	assert_int_equal(json_array_size(json_object_get(row, "stack")), 4);
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(row, "stack"), 3)), "main");
	json_decref(json);

	json = run_json("summary", profile, &options);
	const json_t *peak = json_object_get(json, "peak");
	assert_int_equal(integer_of(peak, "value"), 9000 * 1024);
	assert_int_equal(integer_of(peak, "sample"), 5);
	assert_string_equal(string_of(peak, "time"), "2026-11-30T11:30:05.623456+02:00");
	assert_int_equal(json_array_size(json_object_get(peak, "stack")), 4);
	assert_int_equal(json_array_size(json_object_get(json, "hottest")), 3);
	json_decref(json);
	profile_free(profile);
}

static void test_flame(void **state)
{
	(void)state;
	struct profile *profile = small_profile();
	struct report_options options = default_options(profile);
	json_t *json = run_json("flame", profile, &options);
	const json_t *root = json_object_get(json, "root");
	assert_int_equal(integer_of(root, "total"), 10);
	assert_int_equal(integer_of(root, "self"), 1);
	const json_t *main = named(json_object_get(root, "children"), "main");
	const json_t *first = json_array_get(json_object_get(main, "children"), 0);
	assert_string_equal(string_of(first, "name"), "read");
	assert_int_equal(integer_of(first, "total"), 3);
	json_decref(json);
	profile_free(profile);
}

/* ---- form ------------------------------------------------------------------------ */

static void test_deep_stack(void **state)
{
	(void)state;
	enum { DEPTH = 20000 };
	struct profile *profile = deep_profile(DEPTH);
	struct report_options options = default_options(profile);
	struct vp_error err = {0};
	for (int i = 0; report_table[i]; i++) {
		const struct report *report = report_table[i];
		struct text out = {0};
		if (strcmp(report->name, "bin") == 0 || needs_a_base(report->name))
			continue; /* not timed */
		options.function = "0x10>";
		bool ok = !report->json || report_run(report, profile, &options, true, &out, &err);
		text_clear(&out);
		ok = ok && report_run(report, profile, &options, false, &out, &err);
		if (!ok)
			assert_non_null(strstr(err.message, "matches"));
		text_free(&out);
	}
	struct text out = {0};
	assert_true(report_run(report_find("flame"), profile, &options, true, &out, &err));
	int depth = 0, deepest = 0;
	for (size_t i = 0; i < out.length; i++) {
		depth += (out.data[i] == '{') - (out.data[i] == '}');
		if (depth > deepest)
			deepest = depth;
	}
	assert_int_equal(depth, 0);
	assert_int_equal(deepest, DEPTH + 2); /* the document, the root */
	text_free(&out);
	profile_free(profile);
}

static void check_lines(const char *report, const struct text *out, int columns, bool ascii)
{
	if (out->length == 0 && strcmp(report, "comments") == 0)
		return; /* there are none */
	const char *line = out->data, *end = out->data + out->length;
	assert_true(out->length > 0 && end[-1] == '\n');
	while (line < end) {
		size_t length = strcspn(line, "\n");
		int width = text_width(line, length);
		/* A folded line is for programs and whole. */
		if (width > columns && !is_for_programs(report))
			fail_msg("%s: %d cells in %d columns: %.*s", report, width, columns,
				(int)length, line);
		for (size_t i = 0; i < length;) {
			uint32_t c = 0;
			size_t size = utf8_decode(line + i, length - i, &c);
			if (size == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x202e ||
				(ascii && c > 0x7e))
				fail_msg("%s: U+%04X in: %.*s", report, (unsigned)c, (int)length,
					line);
			i += size;
		}
		line += length + 1;
	}
}

static void test_lines_stay_inside(void **state)
{
	(void)state;
	static const int columns[] = {1, 7, 20, 40, 59, 60, 80, 160, 400};
	struct profile *profiles[] = {small_profile(), hostile_profile()};
	for (size_t p = 0; p < 2; p++) {
		struct report_options options = default_options(profiles[p]);
		options.is_bins_given = true;
		for (size_t c = 0; c < 2 * sizeof columns / sizeof *columns; c++) {
			options.columns = columns[c / 2];
			options.ascii = c % 2;
			for (int i = 0; report_table[i]; i++) {
				const char *report = report_table[i]->name;
				if (needs_a_base(report) || report_find(report)->is_binary)
					continue;
				struct text out = run_text(report, profiles[p], &options);
				check_lines(report, &out, options.columns, options.ascii);
				text_free(&out);
			}
		}
		profile_free(profiles[p]);
	}
}

static void test_broken_names_in_json(void **state)
{
	(void)state;
	struct profile *profile = hostile_profile();
	struct report_options options = default_options(profile);
	for (int i = 0; report_table[i]; i++)
		if (has_json(report_table[i]))
			json_decref(run_json(report_table[i]->name, profile, &options));
	json_t *json = run_json("top", profile, &options);
	const json_t *rows = json_object_get(json, "rows");
	/* The bytes that were valid stay as they are; the label is what a terminal may show. */
	const json_t *row = named(rows, "\x1b[2J\x1b]52;c;evil\x07");
	assert_null(strchr(string_of(row, "label"), '\x1b'));
	named(rows, "\u65e5\u672c\u8a9e caf\ufffd \u202e\U0001f525");
	const json_t *warning = json_array_get(json_object_get(json, "warnings"), 0);
	assert_string_equal(string_of(warning, "class"), "malformed");
	assert_null(strchr(string_of(warning, "message"), '\x1b'));
	json_decref(json);
	profile_free(profile);
}

static void test_usage_errors(void **state)
{
	(void)state;
	struct profile *profile = small_profile(), *untimed = deep_profile(3);
	struct report_options options = default_options(profile);
	options.function = NULL;
	run_error("peek", profile, &options, "-F");
	options.function = "nothing_like_it";
	run_error("callers", profile, &options, "nothing_like_it");
	options.function = "(";
	run_error("callees", profile, &options, "");
	options.from = "+800ms";
	options.to = "+100ms";
	run_error("top", profile, &options, "--from");
	options.from = "whenever";
	run_error("top", profile, &options, "whenever");
	options = default_options(profile);
	assert_true(profile_find_type(profile, "memory", &options.query.type));
	run_error("flame", profile, &options, "memory");
	options.from = "+100ms";
	json_decref(run_json("timeline", profile, &options));
	json_decref(run_json("bin", profile, &options));
	options = default_options(untimed);
	run_error("bin", untimed, &options, "no");
	options.time = TIME_ABSOLUTE;
	run_error("top", untimed, &options, "--start");
	profile_free(profile);
	profile_free(untimed);
}

static void test_error_object(void **state)
{
	(void)state;
	struct vp_error error = {ERROR_TRUNCATED, 17, "ends \xff early"};
	struct text out = {0};
	report_json_error(&error, &out);
	assert_string_equal(out.data, "{\"vptop\": 1, \"error\": {\"code\": \"truncated\", "
				      "\"message\": \"ends \ufffd early\", \"offset\": 17}}\n");
	text_clear(&out);
	error = (struct vp_error){ERROR_USAGE, -1, "no"};
	report_json_error(&error, &out);
	assert_non_null(strstr(out.data, "\"offset\": null"));
	text_free(&out);
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(report_find("top"), &report_top);
	assert_null(report_find("nothing"));
}

static void test_table_gives_way(void **state)
{
	(void)state;
	static const struct table_column columns[] = {
		{"N", COLUMN_NUMBER, 0, 0},
		{"NAME", COLUMN_TEXT, 4, 0},
		{"PLACE", COLUMN_PLACE, 6, 1},
	};
	static const struct {
		int width;
		const char *expected;
	} cases[] = {
		{40, " N  NAME      PLACE\n-------------------------\n 7  parse_it  /srv/a.py:7\n"},
		{22, " N  NAME      PLACE\n----------------------\n 7  parse_it  ~/a.py:7\n"},
		{16, " N  NAME  PLACE\n----------------\n 7  par~  ~.py:7\n"},
		{12, " N  NAME\n------------\n 7  parse_it\n"},
		{5, " N  ~\n-----\n 7  ~\n"},
	};
	struct table table;
	table_init(&table, columns, 3);
	table_cell(&table, " 7");
	table_cell(&table, "parse_it");
	table_cell(&table, "/srv/a.py:7");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text out = {0};
		table_write(&table, &out, cases[i].width, true);
		assert_string_equal(out.data, cases[i].expected);
		text_free(&out);
	}
	table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_top),
		cmocka_unit_test(test_edges_count_once_a_stack),
		cmocka_unit_test(test_timeline),
		cmocka_unit_test(test_bin),
		cmocka_unit_test(test_threads_traces_summary),
		cmocka_unit_test(test_flame),
		cmocka_unit_test(test_deep_stack),
		cmocka_unit_test(test_lines_stay_inside),
		cmocka_unit_test(test_broken_names_in_json),
		cmocka_unit_test(test_usage_errors),
		cmocka_unit_test(test_error_object),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_table_gives_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
