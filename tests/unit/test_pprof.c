/* SPDX-License-Identifier: MIT */
/* The pprof reader: the wire, words, and the ways in which filters see locations. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "format/format.h"
#include "format/pprof_names.h"
#include "format/pprof_wire.h"
#include "query/query.h"

/* ---- the wire ---------------------------------------------------------------------------------
 */

static struct wire wire_of(const char *bytes, size_t size)
{
	const uint8_t *at = (const uint8_t *)bytes;
	return (struct wire){at, at + size, false};
}

static void test_varint(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
		bool is_there;
		uint64_t value;
	} cases[] = {
		{"\x00", 1, true, 0},
		{"\x7f", 1, true, 127},
		{"\xac\x02", 2, true, 300},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true, UINT64_MAX},
		{"\x80\x00", 2, true, 0},
		{"", 0, false, 0},
		{"\x80", 1, false, 0},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false, 0}, /* 65 bits */
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, false, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wire wire = wire_of(cases[i].bytes, cases[i].size);
		uint64_t value = 0;
		assert_int_equal(wire_varint(&wire, &value), cases[i].is_there);
		assert_true(value == cases[i].value);
		assert_ptr_equal(
			wire.at, cases[i].is_there ? wire.end : (const uint8_t *)cases[i].bytes);
	}
}

static void test_fields(void **state)
{
	(void)state;
	struct wire_field field;
	struct wire wire = wire_of("\x08\x05\x12\x02hi\x1d....\x21........", 20);
	assert_true(wire_next(&wire, &field));
	assert_true(field.number == 1 && field.type == WIRE_VARINT && field.value == 5);
	assert_true(wire_next(&wire, &field));
	assert_true(field.number == 2 && field.bytes.end - field.bytes.at == 2);
	assert_true(wire_next(&wire, &field) && field.type == WIRE_FIXED32);
	assert_true(wire_next(&wire, &field) && field.type == WIRE_FIXED64);
	assert_false(wire_next(&wire, &field));
	assert_false(wire.is_broken);
	static const struct {
		const char *bytes;
		size_t size;
	} broken[] = {{"\x08", 1}, {"\x12\x05hi", 4}, {"\x0b", 1}, {"\x0c", 1}, {"\x0e", 1},
		{"\x00\x00", 2}, {"\x1d...", 4}, {"\x80", 1},
		{"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		wire = wire_of(broken[i].bytes, broken[i].size);
		assert_false(wire_next(&wire, &field));
		assert_true(wire.is_broken);
	}
}

static void test_numbers(void **state)
{
	(void)state;
	struct wire_field field;
	uint64_t value;
	struct wire wire = wire_of("\x0a\x03\x01\xac\x02\x08\x07\x0a\x01\x80", 10);
	assert_true(wire_next(&wire, &field));
	struct wire numbers = wire_numbers(&field);
	assert_true(wire_number(&numbers, &field, &value) && value == 1);
	assert_true(wire_number(&numbers, &field, &value) && value == 300);
	assert_false(wire_number(&numbers, &field, &value));
	assert_false(numbers.is_broken);
	assert_true(wire_next(&wire, &field));
	numbers = wire_numbers(&field);
	assert_true(wire_number(&numbers, &field, &value) && value == 7);
	assert_false(wire_number(&numbers, &field, &value) || numbers.is_broken);
	assert_true(wire_next(&wire, &field));
	numbers = wire_numbers(&field);
	assert_false(wire_number(&numbers, &field, &value));
	assert_true(numbers.is_broken);
}

/* ---- words --------------------------------------------------------------------------------------
 */

static void test_units(void **state)
{
	(void)state;
	static const struct {
		const char *unit, *base;
		int64_t scale;
	} cases[] = {{"nanoseconds", "nanoseconds", 1}, {"ns", "nanoseconds", 1},
		{"Microseconds", "nanoseconds", 1000}, {"us", "nanoseconds", 1000},
		{"ms", "nanoseconds", 1000000}, {"s", "nanoseconds", 1000000000},
		{"SECONDS", "nanoseconds", 1000000000}, {"bytes", "bytes", 1},
		{"kilobytes", "bytes", 1024}, {"KB", "bytes", 1024}, {"mb", "bytes", 1 << 20},
		{"count", "count", 1}, {"", "count", 1}, {"requests", "requests", 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pprof_unit unit = pprof_unit(cases[i].unit);
		assert_string_equal(unit.base, cases[i].base);
		assert_true(unit.scale == cases[i].scale);
	}
}

/* As Go's filepath.Clean has it. */
static void test_paths(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"a//b", "a/b"}, {"./a", "a"}, {"a/./b/", "a/b"},
		{"a/../b", "b"}, {"/../a", "/a"}, {"../a", "../a"}, {"../../a", "../../a"},
		{"a/../../b", "../b"}, {".", "."}, {"a/..", "."}, {"/a/..", "/"}, {"//", "/"},
		{"/.x/y", "/.x/y"}, {"/proc/self/cwd/src/a.cc", "src/a.cc"},
		{"/proc/self/cwd/./a.cc", "a.cc"}};
	static const char *const clean[] = {"", "a", "/", "/a/b.c", "a/b.go", "/usr/lib/x.y/z"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text out = {0};
		assert_true(pprof_clean_path(cases[i][0], strlen(cases[i][0]), &out));
		assert_int_equal(out.length, strlen(cases[i][1]));
		assert_memory_equal(out.data, cases[i][1], out.length);
		text_free(&out);
	}
	for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
		assert_false(pprof_clean_path(clean[i], strlen(clean[i]), NULL));
}

/* ---- a profile
 * ----------------------------------------------------------------------------------- */

/*
 * Locations: 1 is `leaf` inlined in `outer`, both of a.c; 2 is main of b.c; 3 has no lines, but a
 * module. Samples: 10 of 1 < 2, 5 of 3 < 2, 1 without a stack.
 */
static const char small[] =
	"\x0a\x04\x08\x01\x10\x02"                                         /* type x/count */
	"\x12\x07\x0a\x02\x01\x02\x12\x01\x0a"                             /* samples */
	"\x12\x07\x0a\x02\x03\x02\x12\x01\x05"                             /* ... */
	"\x12\x02\x10\x01"                                                 /* ... */
	"\x1a\x04\x08\x01\x28\x08"                                         /* mapping /lib/m.so */
	"\x22\x0e\x08\x01\x18\x10\x22\x04\x08\x01\x10\x07\x22\x02\x08\x02" /* location 1 */
	"\x22\x06\x08\x02\x22\x02\x08\x03"                                 /* location 2 */
	"\x22\x06\x08\x03\x10\x01\x18\x30"                                 /* location 3 */
	"\x2a\x06\x08\x01\x10\x03\x20\x06"                                 /* functions */
	"\x2a\x06\x08\x02\x10\x04\x20\x06"                                 /* ... */
	"\x2a\x06\x08\x03\x10\x05\x20\x07"                                 /* ... */
	"\x32\x00\x32\x01x\x32\x05"
	"count\x32\x04leaf\x32\x05outer\x32\x04main\x32\x03"
	"a.c\x32\x03"
	"b.c\x32\x09/lib/m.so";

static struct profile *load_small(void)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(small, sizeof small - 1, &options, &err);
	if (!profile)
		fail_msg("%s", err.message);
	return profile;
}

static void test_load(void **state)
{
	(void)state;
	struct profile *profile = load_small();
	assert_string_equal(profile->format, "pprof");
	assert_int_equal(profile->warning_count, 0);
	assert_int_equal(profile->sample_count, 3);
	assert_int_equal(profile->max_depth, 3);
	assert_string_equal(profile->types[0].name, "x");
	assert_int_equal(profile->types[0].total, 16);
	assert_true(profile->is_name_function && !profile->is_timed);
	stack_id leaf = profile->sample_stack[0];
	const struct frame *frame = &profile->frames[profile->stack_frame[leaf]];
	assert_true(frame->is_inlined && frame->line == 7 && frame->address == 16);
	frame = &profile->frames[profile->stack_frame[profile->stack_parent[leaf]]];
	assert_false(frame->is_inlined);
	assert_int_equal(profile->sample_stack[2], 0);
	profile_free(profile);
}

/* "LABEL FLAT CUM; ..." of the rows, with a filter. */
static void expect_rows(
	enum granularity granularity, int filter, const char *pattern, const char *expected)
{
	struct profile *profile = load_small();
	struct query query;
	query_init(&query, profile);
	query.granularity = granularity;
	if (pattern)
		query.filters[filter] = pattern;
	struct vp_error err = {0};
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_non_null(tree);
	assert_int_equal(tree->base, 16);
	size_t count;
	struct function_row *rows = functions_build(tree, SORT_FLAT, &count);
	struct text text = {0};
	text_puts(&text, "");
	for (size_t i = 0; i < count; i++) {
		text_puts(&text, i > 0 ? "; " : "");
		row_label(tree, rows[i].row, false, &text);
		text_printf(&text, " %d %d", (int)rows[i].flat, (int)rows[i].cum);
	}
	assert_string_equal(text.data, expected);
	text_free(&text);
	free(rows);
	calltree_free(tree);
	profile_free(profile);
}

static void test_rows(void **state)
{
	(void)state;
	expect_rows(BY_FUNCTION, 0, NULL, "leaf 10 10; [m.so] 5 5; main 0 15; outer 0 10");
	expect_rows(BY_FILEFUNCTION, 0, NULL,
		"leaf a.c 10 10; [m.so] 5 5; main b.c 0 15; outer a.c 0 10");
	expect_rows(BY_FILE, 0, NULL, "a.c 10 10; [m.so] 5 5; b.c 0 15");
	expect_rows(
		BY_LINE, 0, NULL, "leaf a.c:7 10 10; [m.so] 5 5; main b.c 0 15; outer a.c 0 10");
	expect_rows(BY_ADDRESS, 0, NULL,
		"0000000000000010 leaf a.c:7 10 10; 0000000000000030 [m.so] 5 5; "
		"0000000000000010 outer a.c 0 10; main b.c 0 15");
}

static void test_filters(void **state)
{
	(void)state;
	expect_rows(BY_FUNCTION, FILTER_FOCUS, "a\\.c", "leaf 10 10; main 0 10; outer 0 10");
	expect_rows(BY_FUNCTION, FILTER_FOCUS, "m\\.so", "[m.so] 5 5; main 0 5");
	expect_rows(BY_FUNCTION, FILTER_FOCUS, "unknown", "");
	expect_rows(BY_FUNCTION, FILTER_IGNORE, "a\\.c", "[m.so] 5 5; main 0 5");
	expect_rows(BY_FUNCTION, FILTER_HIDE, "leaf", "outer 10 10; [m.so] 5 5; main 0 15");
	expect_rows(BY_FUNCTION, FILTER_HIDE, "m\\.so", "leaf 10 10; main 5 15; outer 0 10");
	expect_rows(BY_FUNCTION, FILTER_SHOW, "main|m\\.so", "main 15 15");
	expect_rows(BY_FUNCTION, FILTER_SHOW_FROM, "outer", "leaf 10 10; outer 0 10");
	/* The line outside of a match in its location goes, too. */
	expect_rows(BY_FUNCTION, FILTER_SHOW_FROM, "leaf", "leaf 10 10");
	expect_rows(
		BY_FUNCTION, FILTER_SHOW_FROM, "main|leaf", "leaf 10 10; [m.so] 5 5; main 0 15");
	expect_rows(BY_FILE, FILTER_HIDE, "outer", "a.c 10 10; [m.so] 5 5; b.c 0 15");
}

/* Each beginning of a file is read or refused, in words. */
static void test_cut(void **state)
{
	(void)state;
	struct load_options options = load_options_default();
	options.format = "pprof";
	for (size_t size = 0; size < sizeof small - 1; size++) {
		struct vp_error err = {0};
		char *copy = malloc(size + 1);
		memcpy(copy, small, size);
		struct profile *profile = profile_load_memory(copy, size, &options, &err);
		assert_true(profile || err.message[0] != 0);
		profile_free(profile);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varint),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
