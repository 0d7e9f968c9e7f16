/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "profile/name.h"
#include "profile/tree.h"
#include "unit/make_profile.h"

static void check_preorder(const struct profile *profile)
{
	for (stack_id i = 1; i < profile->stack_count; i++) {
		stack_id parent = profile->stack_parent[i];
		assert_true(parent < i);
		assert_true(profile->stack_end[i] > i);
		assert_true(profile->stack_end[i] <= profile->stack_end[parent]);
	}
	assert_int_equal(profile->stack_end[0], profile->stack_count);
}

/* The common prefix, frame by frame. */
static stack_id slow_common(const struct profile *profile, stack_id a, stack_id b)
{
	while (a != b) {
		if (a > b)
			a = profile->stack_parent[a];
		else
			b = profile->stack_parent[b];
	}
	return a;
}

static void test_equal_stacks_are_one(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	making_add(&making, "main;a;b 1", 10);
	making_add(&making, "main;c 2", 20);
	making_add(&making, "main;a;b 1", 30);
	making_add(&making, "main 1", 40);
	making_add(&making, "main;a;b;d 1", 40);
	making_add(&making, " 1", 40);
	struct profile *profile = making_finish(&making);
	assert_int_equal(profile->stack_count, 6); /* empty, main, a, b, d, c */
	assert_int_equal(profile->sample_count, 7);
	assert_int_equal(profile->sample_stack[0], profile->sample_stack[3]);
	assert_int_equal(profile->sample_stack[6], 0);
	assert_int_equal(profile->max_depth, 4);
	check_preorder(profile);
	profile_free(profile);
}

static void test_common_prefix(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	srand(7);
	for (int i = 0; i < 400; i++) {
		struct text folded = {0};
		int depth = rand() % 9;
		for (int d = 0; d < depth; d++)
			text_printf(&folded, "%sf%d", d ? ";" : "", rand() % 3);
		text_puts(&folded, " 1");
		making_add(&making, folded.data, -1);
		text_free(&folded);
	}
	struct profile *profile = making_finish(&making);
	check_preorder(profile);
	for (int i = 0; i < 2000; i++) {
		stack_id a = (stack_id)rand() % profile->stack_count,
			 b = (stack_id)rand() % profile->stack_count;
		assert_int_equal(tree_common(profile->stack_parent, profile->stack_end, a, b),
			slow_common(profile, a, b));
	}
	profile_free(profile);
}

/* No recursion anywhere: a deep stack is only long. */
static void check_deep(size_t depth)
{
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	frame_id *frames = calloc(depth, sizeof *frames);
	for (size_t i = 0; i < depth; i++)
		frames[i] = builder_frame(builder, 2 * i + 2, 0, CODE_PYTHON);
	builder_sample(builder, builder_stack(builder, frames, depth), 1, -1, 0);
	builder_sample(builder, builder_stack(builder, frames, depth / 2), 1, -1, 0);
	builder_sample(builder, builder_stack(builder, frames, depth), 1, -1, 0);
	free(frames);
	struct profile *profile = making_finish(&making);
	assert_int_equal(profile->stack_count, depth + 1);
	assert_int_equal(profile->max_depth, depth);
	assert_int_equal(profile->sample_stack[0], profile->sample_stack[2]);
	assert_int_equal(tree_common(profile->stack_parent, profile->stack_end,
				 profile->sample_stack[0], profile->sample_stack[1]),
		profile->sample_stack[1]);
	check_preorder(profile);
	profile_free(profile);
}

static void test_stack_without_frames(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	making_add(&making, "main;a 1", -1);
	assert_int_equal(builder_stack(&making.builder, NULL, 0), 0);
	profile_free(making_finish(&making));
}

static void test_deep_stacks(void **state)
{
	(void)state;
	check_deep(1);
	check_deep(500);
	check_deep(20000);
}

static void test_too_deep_is_cut_at_the_root(void **state)
{
	(void)state;
	struct builder builder;
	struct builder_limits limits = {.max_depth = 10};
	builder_init(&builder, &limits, NULL, NULL);
	frame_id frames[12];
	for (size_t i = 0; i < 12; i++)
		frames[i] = builder_frame(&builder, 2 * i + 2, 0, CODE_PYTHON);
	builder_sample(&builder, builder_stack(&builder, frames, 12), 1, -1, 0);
	struct profile *profile = builder_finish(&builder);
	assert_int_equal(profile->max_depth, 10);
	assert_int_equal(profile->warning_count, 1);
	stack_id leaf = profile->sample_stack[0];
	assert_int_equal(profile->frames[profile->stack_frame[leaf]].address, 24);
	profile_free(profile);
}

static void test_memory_widens(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	making_add(&making, "main 1", 5);
	making_add(&making, "main 1", INT64_C(1) << 40);
	making_add(&making, "main 1", 7);
	struct profile *profile = making_finish(&making);
	assert_non_null(profile->memory.wide);
	assert_int_equal(profile_memory_kib(profile, 0), 5);
	assert_int_equal(profile_memory_kib(profile, 1), INT64_C(1) << 40);
	assert_int_equal(profile_peak(profile), 1);
	unsigned growth;
	assert_true(profile_find_type(profile, "growth/bytes", &growth));
	assert_int_equal(profile_value(profile, growth, 1), ((INT64_C(1) << 40) - 5) * 1024);
	assert_int_equal(profile_value(profile, growth, 2), 0);
	profile_free(profile);
}

static void test_weights_and_threads(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	frame_id frame = builder_frame(builder, 2, 0, CODE_PYTHON);
	stack_id stack = builder_stack(builder, &frame, 1);
	builder_sample(builder, stack, 1, -1, 77);
	builder_sample(builder, stack, 5, -1, 78);
	builder_sample(builder, stack, INT64_MAX, -1, 77);
	struct profile *profile = making_finish(&making);
	assert_int_equal(profile->thread_count, 2);
	assert_int_equal(profile->sample_thread[1], 1);
	assert_int_equal(profile_value(profile, 0, 1), 5);
	/* Saturated and said, never wrapped. */
	assert_int_equal(profile->types[0].total, INT64_MAX);
	assert_string_equal(profile->warnings[0].class_name, "overflow");
	profile_free(profile);
}

static void check_name(
	const char *text, const char *name, const char *file, uint32_t line, enum code_kind kind)
{
	struct strings strings;
	strings_init(&strings);
	struct function function = name_parse(&strings, strings_add(&strings, text, strlen(text)));
	assert_string_equal(strings_get(&strings, function.name, NULL), name);
	assert_string_equal(strings_get(&strings, function.file, NULL), file);
	assert_int_equal(function.line, line);
	assert_int_equal(function.kind, kind);
	strings_free(&strings);
}

static void test_names(void **state)
{
	(void)state;
	check_name("py:work:12:/srv/a.py", "work", "/srv/a.py", 12, CODE_PYTHON);
	check_name("py:<listcomp>:12:C:\\proj\\run me.py", "<listcomp>", "C:\\proj\\run me.py", 12,
		CODE_PYTHON);
	check_name("n:std::sort<int*>:42:C:\\src\\a:b.cpp", "std::sort<int*>", "C:\\src\\a:b.cpp",
		42, CODE_NATIVE);
	check_name("n:operator::new:0:-", "operator::new", "-", 0, CODE_NATIVE);
	check_name("n:a:1:b:2:lib.so", "a:1:b", "lib.so", 2, CODE_NATIVE);
	check_name("py:f:3:x:4:y.py", "f", "x:4:y.py", 3, CODE_PYTHON);
	check_name("py:a_name_that_was_cut_before_its_line", "a_name_that_was_cut_before_its_line",
		"", 0, CODE_PYTHON);
	check_name("", "", "", 0, CODE_PYTHON);
	check_name("py:", "", "", 0, CODE_PYTHON);
	check_name("py:f:99999999999:x", "f", "x", 0, CODE_PYTHON);
}

/* A 0x02 name beats a 0x08 one whatever comes first; of equals the last one stays. */
static void test_name_rank(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	frame_id frame = builder_frame(builder, 2, 0, CODE_PYTHON);
	builder_name(builder, 2, "py:first:1:f", 12, 2);
	builder_name(builder, 2, "n:native:0:-", 12, 1);
	builder_name(builder, 2, "py:again:1:f", 12, 2);
	builder_sample(builder, builder_stack(builder, &frame, 1), 1, -1, 0);
	struct profile *profile = making_finish(&making);
	const struct function *function = profile_function(profile, profile->stack_frame[1]);
	assert_string_equal(profile_string(profile, function->name, NULL), "again");
	profile_free(profile);
}

static void test_snapshot_is_independent(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	assert_null(builder_snapshot(&making.builder));
	making_add(&making, "main;a 3", 10);
	making.builder.profile->project = builder_text(&making.builder, "shop", 4);
	struct profile *before = builder_snapshot(&making.builder);
	making_add(&making, "main;b 2", 20);
	struct profile *after = making_finish(&making);
	assert_int_equal(before->sample_count, 3);
	assert_int_equal(after->sample_count, 5);
	assert_string_equal(before->project, "shop");
	profile_free(after);
	assert_string_equal(before->project, "shop");
	check_preorder(before);
	profile_free(before);
}

/* Types and functions that a file names itself: several values a sample, negative ones too. */
static void test_own_types(void **state)
{
	(void)state;
	struct making making;
	making_start(&making);
	struct builder *builder = &making.builder;
	assert_true(builder_type(builder, "empty", "count", VALUE_COUNTER, 1));
	assert_true(builder_type(builder, "space", "bytes", VALUE_SNAPSHOT, 1024));
	const struct function function = {.name = builder_string(builder, "f", 1),
		.file = builder_string(builder, "a.go", 4),
		.line = 7};
	const function_id id = builder_function(builder, &function);
	assert_int_equal(builder_function(builder, &function), id);
	frame_id frames[3];
	for (uint32_t i = 0; i < 3; i++)
		frames[i] = builder_function_frame(builder,
			&(struct frame){
				.address = 5, .line = i / 2, .function = id, .is_inlined = i == 1});
	assert_int_not_equal(frames[0], frames[1]);
	assert_int_not_equal(frames[1], frames[2]);
	const int64_t values[][2] = {{0, 3}, {0, -5}, {0, INT64_C(5000000000)}};
	for (int i = 0; i < 3; i++)
		builder_values(builder, builder_stack(builder, frames, 3), values[i]);
	struct profile *copy = builder_snapshot(builder);
	struct profile *profile = making_finish(&making);
	for (int k = 0; k < 2; k++) {
		const struct profile *p = k ? copy : profile;
		assert_int_equal(p->type_count, 2);
		assert_string_equal(p->types[1].name, "space");
		assert_int_equal(p->types[1].total, (3 - 5 + INT64_C(5000000000)) * 1024);
		assert_int_equal(profile_value(p, 1, 1), -5 * 1024);
		assert_int_equal(profile_value(p, 0, 1), 0);
		assert_int_equal(p->default_type, 1); /* the first one is 0 everywhere */
		assert_int_equal(p->frames[frames[1]].function, id);
	}
	profile_free(copy);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_stacks_are_one),
		cmocka_unit_test(test_common_prefix),
		cmocka_unit_test(test_stack_without_frames),
		cmocka_unit_test(test_deep_stacks),
		cmocka_unit_test(test_too_deep_is_cut_at_the_root),
		cmocka_unit_test(test_memory_widens),
		cmocka_unit_test(test_weights_and_threads),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_name_rank),
		cmocka_unit_test(test_snapshot_is_independent),
		cmocka_unit_test(test_own_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
