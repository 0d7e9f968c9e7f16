/* SPDX-License-Identifier: MIT */
/* The JSON of vmprof-server: its forms, its oddities, and input that is none of them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "format/format.h"

static struct profile *load(const char *json)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(json, strlen(json), &options, &err);
	if (!profile)
		fail_msg("%s: %s", error_class_name(err.code), err.message);
	assert_string_equal(profile->format, "vmprof-server");
	return profile;
}

/* Loads what must not load, as the format itself or (not `forced`) by detection; gives the message.
 */
static const char *refuse_bytes(const char *json, size_t size, bool forced, enum error_class code)
{
	static struct vp_error err;
	err = (struct vp_error){0};
	struct load_options options = load_options_default();
	options.format = forced ? "vmprof-server" : NULL;
	struct profile *profile = profile_load_memory(json, size, &options, &err);
	assert_null(profile);
	if (err.code != code)
		fail_msg("error %s (%s), not %s", error_class_name(err.code), err.message,
			error_class_name(code));
	assert_true(err.message[0] != 0);
	return err.message;
}

static const char *refuse(const char *json, enum error_class code)
{
	return refuse_bytes(json, strlen(json), true, code);
}

/* A stack as "main > work", root first. */
static void stack_text(const struct profile *profile, stack_id stack, struct text *out)
{
	frame_id frames[64];
	size_t depth = 0;
	for (; stack && depth < 64; stack = profile->stack_parent[stack])
		frames[depth++] = profile->stack_frame[stack];
	text_clear(out);
	while (depth > 0) {
		const struct function *f = profile_function(profile, frames[--depth]);
		const char *name = profile_string(profile, f->name, NULL);
		text_puts(out, *name ? name : "?");
		text_puts(out, depth > 0 ? " > " : "");
	}
}

/* Samples as "main 2, main > work 3" in their order. */
static void check_samples(const struct profile *profile, const char *expected)
{
	struct text all = {0}, one = {0};
	text_puts(&all, "");
	text_puts(&one, "");
	for (size_t i = 0; i < profile->sample_count; i++) {
		stack_text(profile, profile->sample_stack[i], &one);
		text_printf(&all, "%s%s %lld", i > 0 ? ", " : "", one.data,
			(long long)profile_value(profile, 0, i));
	}
	assert_string_equal(all.data, expected);
	text_free(&all);
	text_free(&one);
}

static const struct function *find_function(const struct profile *profile, const char *name)
{
	for (function_id i = 0; i < profile->function_count; i++)
		if (strcmp(profile_string(profile, profile->functions[i].name, NULL), name) == 0)
			return &profile->functions[i];
	fail_msg("no function %s", name);
	return NULL;
}

static bool has_warning(const struct profile *profile, const char *class_name)
{
	for (size_t i = 0; i < profile->warning_count; i++)
		if (strcmp(profile->warnings[i].class_name, class_name) == 0)
			return true;
	return false;
}

#define WORK "[\"py:work:9:/srv/a.py\",\"200\",3,{\"jit\":2},[]]"
#define MAIN "[\"py:main:1:/srv/a.py\",\"100\",5,{}, [" WORK "]]"

static void test_flame_graph(void **state)
{
	(void)state;
	struct profile *p = load("{\"data\": {\"VM\": \"pypy\", \"profiles\": " MAIN
				 ", \"argv\": \"pypy run.py\", \"version\": 2},\n"
				 " \"measures\": {\"parsing\": \"12.345ms\"}}\n");
	check_samples(p, "main 2, main > work 3");
	assert_int_equal(p->types[0].total, 5);
	assert_int_equal(p->version, 2);
	assert_string_equal(p->interpreter, "pypy");
	assert_string_equal(p->arguments, "pypy run.py");
	assert_false(p->is_timed);
	assert_false(profile_has_memory(p));
	assert_int_equal(p->warning_count, 0);
	const struct function *work = find_function(p, "work");
	assert_int_equal(work->line, 9);
	assert_string_equal(profile_string(p, work->file, NULL), "/srv/a.py");
	profile_free(p);
}

static void test_without_wrapper_and_bare(void **state)
{
	(void)state;
	struct profile *p = load("\xef\xbb\xbf {\"VM\":\"cpython\",\"argv\":\"\",\"profiles\":" MAIN
				 ",\"version\":1}");
	check_samples(p, "main 2, main > work 3");
	assert_int_equal(p->version, 1);
	assert_null(p->arguments);
	profile_free(p);
	p = load(MAIN);
	check_samples(p, "main 2, main > work 3");
	assert_int_equal(p->version, -1);
	profile_free(p);
	p = load("\n\t [ \"py:a\\\"b,:1:x.py\" , 7, 1 ]");
	check_samples(p, "a\"b, 1");
	profile_free(p);
}

static void test_short_and_odd_nodes(void **state)
{
	(void)state;
	/* No children, meta null, address a number, count a float. */
	struct profile *p =
		load("{\"profiles\":[\"py:a:1:x\",1,10.0,null,[[\"py:b:2:x\",2,3.6],"
		     "[\"n:c:0:-\",\"3\",1,null,null],[\"<unknown code>\",\"255\",2,{},[]]]]}");
	check_samples(p, "a 3, a > b 4, a > c 1, a > ? 2");
	assert_int_equal(find_function(p, "c")->kind, CODE_NATIVE);
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
}

static void test_counts_that_do_not_add_up(void **state)
{
	(void)state;
	struct profile *p =
		load("{\"profiles\":[\"py:a:1:x\",\"1\",2,{},[[\"py:b:2:x\",\"2\",3,{},[]],"
		     "[\"py:c:3:x\",\"3\",-4,{},[]],[\"py:d:3:x\",\"4\",\"five\",{},[]],"
		     "17,null,{},[]]]}");
	check_samples(p, "a > b 3");
	assert_true(has_warning(p, "malformed"));
	profile_free(p);
	/* Children of a broken node go to its parent. */
	p = load(
		"{\"profiles\":[\"py:a:1:x\",\"1\",4,{},[[null,\"2\",4,{},[[\"py:b:2:x\",\"3\",4]]]]]}");
	check_samples(p, "a > b 4");
	assert_true(has_warning(p, "malformed"));
	profile_free(p);
}

static void test_sums_past_64_bits(void **state)
{
	(void)state;
	struct profile *p = load("{\"profiles\":[\"py:a:1:x\",\"1\",1,{},["
				 "[\"py:b:2:x\",\"2\",9223372036854775807],"
				 "[\"py:c:2:x\",\"3\",9223372036854775807]]]}");
	assert_int_equal(p->types[0].total, INT64_MAX);
	assert_true(has_warning(p, "overflow"));
	profile_free(p);
	refuse("{\"profiles\":[\"py:a:1:x\",\"1\",9223372036854775808]}", ERROR_OVERFLOW);
	refuse("{\"profiles\":[\"py:a:1:x\",\"1\",1e999]}", ERROR_OVERFLOW);
	p = load("{\"profiles\":[\"py:a:1:x\",\"1\",1e300,{},[[\"py:b:2:x\",\"2\",1]]]}");
	check_samples(p, "a > b 1");
	profile_free(p);
}

static void test_one_address_two_names(void **state)
{
	(void)state;
	struct profile *p = load("{\"profiles\":[\"py:a:1:x\",\"0\",3,{},[[\"py:b:2:x\",\"0\",1],"
				 "[\"py:c:3:x\",\"\",1],[\"py:a:1:x\",\"0\",1]]]}");
	check_samples(p, "a > b 1, a > c 1, a > a 1");
	profile_free(p);
}

static void test_names_are_bytes(void **state)
{
	(void)state;
	struct profile *p = load("{\"profiles\":[\"py:a\\u0000b\\u001b[2J:1:x\",\"1\",1]}");
	size_t length;
	const char *name = profile_string(p, profile_function(p, 1)->name, &length);
	assert_int_equal(length, 7);
	assert_memory_equal(name, "a\0b\x1b[2J", 7);
	profile_free(p);
	assert_non_null(strstr(
		refuse("{\"profiles\":[\"py:caf\xe9:1:x\",\"1\",1]}", ERROR_ENCODING), "UTF-8"));
}

static void test_memory_graph(void **state)
{
	(void)state;
	struct profile *p = load(
		"{\"mem_profile\":{\"x\":[0,10,20],\"mean\":[90,150,7],\"max\":[100,200.0,8],\"trace\":"
		"[[11,[1],6,[2]],[10,[1,2,-35],10,[]],[[],[]]]},"
		"\"addr_name_map\":{\"1\":\"py:main:1:/srv/a.py\",\"2\":\"py:work:9:/srv/a.py\"},"
		"\"measures\":{}}");
	check_samples(p, "main > work 1, main > work 1,  1");
	assert_true(profile_has_memory(p));
	assert_int_equal(profile_memory_kib(p, 0), 100);
	assert_int_equal(profile_memory_kib(p, 1), 200);
	assert_int_equal(profile_memory_kib(p, 2), 8);
	assert_int_equal(profile_peak(p), 1);
	assert_int_equal(p->period_ns, 0);
	assert_true(has_warning(p, "estimate"));
	assert_false(has_warning(p, "malformed"));
	profile_free(p);
	/* The arrays must be equally long; nothing is invented where they are not. */
	p = load(
		"{\"addr_name_map\":{},\"mem_profile\":{\"max\":[5,null],\"trace\":[[1,[7],1,[]]]}}");
	assert_int_equal(p->sample_count, 2);
	assert_int_equal(profile_memory_kib(p, 1), 0);
	assert_true(has_warning(p, "malformed"));
	profile_free(p);
	p = load(
		"{\"mem_profile\":{\"x\":[],\"mean\":[],\"max\":[],\"trace\":[]},\"addr_name_map\":{}}");
	assert_int_equal(p->sample_count, 0);
	profile_free(p);
}

#define LEGACY                                                                                     \
	"{\"addresses\":{\"10\":\"py:x.py:main:1\",\"20\":\"py:C:\\\\x.py:work:18\"},"             \
	"\"profiles\":[[[10,20],3],[[10],1],[[10,99],2]]}"

static void test_oldest_upload(void **state)
{
	(void)state;
	struct profile *p = load(LEGACY);
	check_samples(p, "main > work 3, main 1, main > ? 2");
	const struct function *work = find_function(p, "work");
	assert_int_equal(work->line, 18);
	assert_string_equal(profile_string(p, work->file, NULL), "C:\\x.py");
	assert_string_equal(profile_string(p, find_function(p, "main")->file, NULL), "x.py");
	profile_free(p);
	/* Text in a string. */
	p = load("{\"data\": \"{\\\"addresses\\\":{\\\"10\\\":\\\"py:x.py:main:1\\\"},"
		 "\\\"profiles\\\":[[[10],3]]}\"}");
	check_samples(p, "main 3");
	profile_free(p);
	/* Names in another order than it should have. */
	p = load(
		"{\"addresses\":{\"1\":\"py:main:1:x.py\",\"2\":\"work\",\"3\":\":\",\"4\":\"5\",\"5\":\"a:5\"},"
		"\"profiles\":[[[1,2,3,4,5],1]]}");
	assert_int_equal(p->sample_count, 1);
	find_function(p, "main");
	profile_free(p);
}

static void test_the_servers_own_error(void **state)
{
	(void)state;
	const char *json = "{\"error\": \"could not find runtime 42\"}";
	const char *message = refuse_bytes(json, strlen(json), false, ERROR_MALFORMED);
	assert_non_null(strstr(message, "could not find runtime 42"));
}

static void test_cut_short(void **state)
{
	(void)state;
	char json[] = "{\"data\":{\"VM\":\"pypy\",\"profiles\":" MAIN "}}";
	for (size_t size = 1; size < sizeof json - 1; size++)
		refuse_bytes(json, size, true, ERROR_TRUNCATED);
	refuse("{\"profiles\":[\"py:a:1:x\",\"1\",1]} trailing", ERROR_MALFORMED);
}

static void test_other_json(void **state)
{
	(void)state;
	refuse("{}", ERROR_UNRECOGNIZED);
	refuse("[]", ERROR_UNRECOGNIZED);
	refuse("[1,2,3]", ERROR_UNRECOGNIZED);
	refuse("{\"profiles\":17}", ERROR_UNRECOGNIZED);
	refuse("{\"profiles\":[{\"type\":\"sampled\"}]}", ERROR_UNRECOGNIZED);
	refuse("{\"mem_profile\":[]}", ERROR_UNRECOGNIZED);
	refuse("{\"data\":\"no JSON\"}", ERROR_MALFORMED);
	refuse("{\"a\":}", ERROR_MALFORMED);
	/* Others' formats are not taken. */
	static const char *const others[] = {
		("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		 "\"shared\":{\"frames\":[{\"name\":\"a\"}]},\"profiles\":[{\"type\":\"sampled\"}]}"),
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"samples\":[1],\"timeDeltas\":[0]}",
		"{\"traceEvents\":[]}", "[{\"ph\":\"X\",\"ts\":1}]", "[]", "{}", "[1,2]",
		"{\"version\":0,\"functions\":[],\"events\":[]}", "[\"a\",\"b\",\"c\"]"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		refuse_bytes(others[i], strlen(others[i]), false, ERROR_UNRECOGNIZED);
}

/* A chain of `depth` frames. */
static struct text chain(size_t depth)
{
	struct text json = {0};
	text_puts(&json, "{\"profiles\":");
	for (size_t i = 0; i < depth; i++)
		text_printf(&json, "[\"py:f%zu:1:x\",\"%zu\",1,{},[", i, i + 1);
	for (size_t i = 0; i < depth; i++)
		text_puts(&json, "]]");
	text_puts(&json, "}");
	return json;
}

static void test_depth(void **state)
{
	(void)state;
	static const size_t depths[] = {500, 1019, 1020};
	for (size_t i = 0; i < 3; i++) {
		struct text json = chain(depths[i]);
		struct profile *p = load(json.data);
		assert_int_equal(p->sample_count, 1);
		assert_int_equal(p->max_depth, depths[i]);
		profile_free(p);
		text_free(&json);
	}
	static const size_t too_deep[] = {1030, 20000, 300000};
	for (size_t i = 0; i < 3; i++) {
		struct text json = chain(too_deep[i]);
		refuse_bytes(json.data, json.length, false, ERROR_LIMIT);
		text_free(&json);
	}
	struct text brackets = {0};
	text_repeat(&brackets, "[", 1000000);
	refuse_bytes(brackets.data, brackets.length, true, ERROR_LIMIT);
	text_free(&brackets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flame_graph),
		cmocka_unit_test(test_without_wrapper_and_bare),
		cmocka_unit_test(test_short_and_odd_nodes),
		cmocka_unit_test(test_counts_that_do_not_add_up),
		cmocka_unit_test(test_sums_past_64_bits),
		cmocka_unit_test(test_one_address_two_names),
		cmocka_unit_test(test_names_are_bytes),
		cmocka_unit_test(test_memory_graph),
		cmocka_unit_test(test_oldest_upload),
		cmocka_unit_test(test_the_servers_own_error),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_other_json),
		cmocka_unit_test(test_depth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
