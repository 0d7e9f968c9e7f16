/* SPDX-License-Identifier: MIT */
/* Labels: which samples a filter keeps, sums by label, traces, labels as frames. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "derive/tag_frames.h"
#include "profile/builder.h"
#include "query/tag_sums.h"
#include "query/tags.h"
#include "query/traces.h"

/* ---- a small profile -------------------------------------------------------------------------
 */

static string_id string(struct builder *builder, const char *s)
{
	return builder_string(builder, s, strlen(s));
}

static uint32_t add_text(struct builder *builder, uint32_t set, const char *key, const char *text)
{
	struct label label = {.key = string(builder, key), .text = string(builder, text)};
	return builder_label_set(builder, set, builder_label(builder, &label));
}

static uint32_t add_number(
	struct builder *builder, uint32_t set, const char *key, int64_t number, const char *unit)
{
	struct label label = {
		.key = string(builder, key), .unit = string(builder, unit), .number = number};
	return builder_label_set(builder, set, builder_label(builder, &label));
}

static frame_id frame(struct builder *builder, const char *name)
{
	struct function function = {.name = string(builder, name), .kind = CODE_NATIVE};
	struct frame f = {.function = builder_function(builder, &function), .kind = CODE_NATIVE};
	return builder_function_frame(builder, &f);
}

static void start(struct builder *builder)
{
	struct builder_limits limits = {.max_depth = 100};
	builder_init(builder, &limits, NULL, NULL);
	builder->profile->format = "pprof";
	builder->profile->is_name_function = true;
	builder_type(builder, "cpu", "nanoseconds", VALUE_COUNTER, 1);
}

static void add_sample(struct builder *builder, int64_t value, uint32_t set)
{
	stack_id stack = builder_child(builder, 0, frame(builder, "main"));
	builder_values(builder, builder_child(builder, stack, frame(builder, "work")), &value);
	builder_sample_labels(builder, set);
}

/* Values are bits, so that a sum says which samples are in it. */
static struct profile *make_profile(void)
{
	struct builder builder;
	start(&builder);
	uint32_t x = add_text(&builder, 0, "k", "x");
	add_sample(&builder, 1,
		add_number(&builder, add_text(&builder, x, "t", "u"), "bytes", 1024, ""));
	add_sample(&builder, 2, add_text(&builder, 0, "k", "y"));
	add_sample(&builder, 4, add_number(&builder, x, "bytes", 4096, ""));
	add_sample(&builder, 8, 0);
	add_sample(&builder, 16, add_number(&builder, 0, "wait", 5, "milliseconds"));
	add_sample(&builder, 32, add_number(&builder, 0, "request", -3, ""));
	add_sample(&builder, 64,
		add_number(&builder, add_number(&builder, 0, "id", 7, ""), "id", 9, ""));
	add_sample(&builder, 128, add_text(&builder, add_text(&builder, 0, "k", "x"), "k", "y"));
	return builder_finish(&builder);
}

static int64_t passing(struct profile *profile, const char *focus, const char *ignore)
{
	struct vp_error err;
	struct query query;
	query_init(&query, profile);
	query.filters[FILTER_TAG_FOCUS] = focus;
	query.filters[FILTER_TAG_IGNORE] = ignore;
	struct calltree *tree = calltree_build(profile, &query, &err);
	if (!tree)
		return -1;
	int64_t passed = tree->passed;
	calltree_free(tree);
	return passed;
}

/* ---- filters ----------------------------------------------------------------------------------
 */

static void test_filters(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t passed;
	} cases[] = {
		/* without a key: all patterns match some "key:value" */
		{"x", 1 | 4 | 128},
		{"x,u", 1},
		{"k:x,k:y", 128},
		{"k:", 1 | 2 | 4 | 128},
		{"^t:u$", 1},
		{"nothing", 0},
		{"=x", 1 | 4 | 128},
		/* with a key: any pattern matches any of its values */
		{"k=x,y", 1 | 2 | 4 | 128},
		{"k=^y$", 2 | 128},
		{"k=u", 0},
		{"k=", 1 | 2 | 4 | 128},
		{"none=x", 0},
		{"bytes=.*", 0}, /* patterns are for texts */
		/* ranges, ends included */
		{"1kb", 1},
		{"1kb:", 1 | 4 | 64}, /* as pprof: 7 of an unknown unit is 7 of any unit */
		{":1kb", 1 | 32},     /* "request" counts bytes */
		{"1kb:4kb", 1 | 4},
		{"1025b:4096b", 4},
		{"bytes=4kb", 4},
		{"k=4kb", 0},
		{"5ms", 16},
		{"5000us", 16},
		{"4ms:1s", 16 | 64},
		{"+5ms", 16},
		{"request=-3b", 32},
		{"-5b:0b", 32},
		{"7", 64}, /* a unit that is none: the key's own name */
		{"id=8:", 64},
		{"id=10:", 0},
		{"id=8", 0},
		/* no ranges but patterns */
		{"4ms:1kb", 0},
		{"1kb:2kb:3kb", 0},
		{"1.5kb", 0},
	};
	struct profile *profile = make_profile();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(passing(profile, cases[i].text, NULL), cases[i].passed);
		assert_int_equal(passing(profile, NULL, cases[i].text), 255 & ~cases[i].passed);
		assert_int_equal(passing(profile, cases[i].text, cases[i].text), 0);
	}
	assert_int_equal(passing(profile, "x", "t:u"), 4 | 128);
	assert_int_equal(passing(profile, "", ""), 255);
	profile_free(profile);
}

static void test_filters_refused(void **state)
{
	(void)state;
	struct profile *profile = make_profile();
	assert_int_equal(passing(profile, "k=(", NULL), -1);
	assert_int_equal(passing(profile, NULL, "a,["), -1);
	assert_int_equal(passing(profile, "99999999999999999999", NULL), -1);
	char many[300] = "k=";
	for (int i = 0; i < 64; i++)
		strcat(many, "a,");
	assert_int_equal(passing(profile, many, NULL), -1);
	many[2 + 2 * 63 + 1] = '\0'; /* 64 of them */
	assert_int_equal(passing(profile, many, NULL), 0);
	profile_free(profile);
}

static void test_no_labels(void **state)
{
	(void)state;
	struct builder builder;
	start(&builder);
	add_sample(&builder, 3, 0);
	struct profile *profile = builder_finish(&builder);
	assert_int_equal(passing(profile, "x", NULL), 0);
	assert_int_equal(passing(profile, NULL, "x"), 3);
	profile_free(profile);
}

/* ---- a filter and its opposite part the total, whatever the labels are ---------------------- */

static uint32_t roll(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}

static struct profile *make_random(uint64_t *seed)
{
	static const char *const keys[] = {"a", "b", "bytes", "c"};
	static const char *const texts[] = {"x", "y", "xy", "1kb"};
	static const char *const units[] = {"", "kb", "ms", "foo"};
	struct builder builder;
	start(&builder);
	for (int i = 0; i < 60; i++) {
		uint32_t set = 0;
		for (uint32_t n = roll(seed, 4); n > 0; n--)
			set = roll(seed, 2) ? add_text(&builder, set, keys[roll(seed, 4)],
						      texts[roll(seed, 4)])
					    : add_number(&builder, set, keys[roll(seed, 4)],
						      (int64_t)roll(seed, 5000) - 100,
						      units[roll(seed, 4)]);
		add_sample(&builder, 1 + roll(seed, 100), set);
	}
	return builder_finish(&builder);
}

static void test_partition(void **state)
{
	(void)state;
	static const char *const filters[] = {"x", "x,y", "a=x,y", "a:x", "1kb:", ":3",
		"bytes=1kb:4mb", "c=5", "2ms", "b=", ",", "bytes=x"};
	uint64_t seed = 7;
	for (int round = 0; round < 40; round++) {
		struct profile *profile = make_random(&seed);
		for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
			int64_t in = passing(profile, filters[i], NULL);
			int64_t out = passing(profile, NULL, filters[i]);
			assert_true(in >= 0 && out >= 0);
			assert_int_equal(in + out, profile->types[0].total);
		}
		profile_free(profile);
	}
}

/* ---- sums -------------------------------------------------------------------------------------
 */

static void find_sum(const struct tag_sums *sums, const char *key, const char *value,
	const struct tag_key **found_key, const struct tag_value **found)
{
	*found = NULL;
	for (uint32_t i = 0; i < sums->count; i++) {
		const struct tag_key *k = &sums->list[i];
		const char *name =
			profile_string(sums->keys.profile, sums->keys.keys[k->key].key, NULL);
		if (strcmp(name, key) != 0)
			continue;
		*found_key = k;
		for (uint32_t v = k->first; v < k->first + k->count; v++)
			if (sums->values[v].length == strlen(value) &&
				memcmp(sums->text.data + sums->values[v].text, value,
					strlen(value)) == 0)
				*found = &sums->values[v];
	}
}

static void test_sums(void **state)
{
	(void)state;
	static const struct {
		const char *key, *value, *filter;
		int64_t sum, key_sum;
	} cases[] = {
		{"k", "x", "k=^x$", 1 + 4 + 128, 1 + 2 + 4 + 128 + 128},
		{"k", "y", "k=^y$", 2 + 128, 1 + 2 + 4 + 128 + 128},
		{"bytes", "1kB", "bytes=1024bytes", 1, 5},
		{"wait", "5ms", "wait=5milliseconds", 16, 16},
		{"request", "-3B", "request=-3bytes", 32, 32},
		{"id", "9", "id=9", 64, 128},
	};
	struct profile *profile = make_profile();
	struct query query;
	struct vp_error err;
	struct tag_sums sums;
	struct text filter = {0};
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_true(tag_sums_build(&sums, tree, &(struct tag_options){0}, &err));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tag_key *key = NULL;
		const struct tag_value *value;
		find_sum(&sums, cases[i].key, cases[i].value, &key, &value);
		assert_non_null(value);
		assert_int_equal(value->value, cases[i].sum);
		assert_int_equal(key->value, cases[i].key_sum);
		/* The filter that is made for it keeps just its samples. */
		text_clear(&filter);
		assert_true(tag_sums_filter(&sums, key, value, &filter));
		assert_string_equal(filter.data, cases[i].filter);
		assert_int_equal(passing(profile, filter.data, NULL), cases[i].sum);
	}
	text_free(&filter);
	tag_sums_free(&sums);
	assert_true(tag_sums_build(
		&sums, tree, &(struct tag_options){.show = "^k", .hide = "t"}, &err));
	assert_int_equal(sums.count, 1);
	tag_sums_free(&sums);
	assert_false(tag_sums_build(&sums, tree, &(struct tag_options){.show = "("}, &err));
	calltree_free(tree);
	profile_free(profile);
}

/* ---- traces ------------------------------------------------------------------------------------
 */

static void test_traces(void **state)
{
	(void)state;
	struct profile *profile = make_profile();
	struct query query;
	struct vp_error err;
	struct traces traces;
	uint32_t *list = NULL;
	size_t capacity = 0;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_true(traces_build(&traces, tree, NULL, NULL, &err));
	assert_int_equal(traces.count, 8); /* one stack, eight sets of labels */
	assert_int_equal(traces.list[0].value, 128);
	assert_int_equal(traces_labels(&traces, traces.list[0].set, &list, &capacity), 2);
	traces_free(&traces);
	/* What is hidden does not tell traces apart. */
	assert_true(traces_build(&traces, tree, NULL, ".", &err));
	assert_int_equal(traces.count, 1);
	assert_int_equal(traces.list[0].value, 255);
	traces_free(&traces);
	free(list);
	calltree_free(tree);
	profile_free(profile);
}

/* ---- labels as frames --------------------------------------------------------------------------
 */

static int64_t total_of(const struct profile *profile, const char *name)
{
	struct query query;
	struct vp_error err;
	size_t count;
	int64_t found = 0;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, &err);
	struct function_row *rows = functions_build(tree, SORT_CUM, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(profile_string(profile, tree->rows[rows[i].row].name, NULL), name) == 0)
			found += rows[i].cum;
	free(rows);
	calltree_free(tree);
	return found;
}

static void test_frames(void **state)
{
	(void)state;
	struct vp_error err;
	struct profile *profile = make_profile();
	profile->drop_frames = "work"; /* frames that are labels are no frames of the program */
	struct profile *made = profile_with_tags(profile, "k,t", "id", NULL, &err);
	assert_non_null(made);
	assert_int_equal(made->sample_count, profile->sample_count);
	assert_int_equal(made->types[0].total, 255);
	assert_int_equal(total_of(made, "x"), 1 + 4);
	assert_int_equal(total_of(made, "x,y"), 128);
	assert_int_equal(total_of(made, "u"), 1);
	assert_int_equal(total_of(made, "7,9"), 64);
	assert_int_equal(total_of(made, "main"), 255);
	assert_int_equal(total_of(made, "work"), 0);
	assert_int_equal(passing(made, "k=x", NULL), 1 + 4 + 128); /* labels are kept */
	profile_free(made);
	made = profile_with_tags(profile, NULL, "none", NULL, &err);
	assert_non_null(made);
	assert_int_equal(made->warning_count, 1);
	profile_free(made);
	assert_null(profile_with_tags(profile, ",", "", NULL, &err));
	profile->drop_frames = NULL;
	profile_free(profile);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_filters_refused),
		cmocka_unit_test(test_no_labels),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_traces),
		cmocka_unit_test(test_frames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
