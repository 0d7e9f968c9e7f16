/* SPDX-License-Identifier: MIT */
/* Python's marshal, byte by byte; a pstats profile's call graph and the stacks made from it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "derive/difference.h"
#include "format/format.h"
#include "format/marshal.h"
#include "profile/callgraph.h"
#include "query/query.h"

#define BYTES(literal) (literal), (sizeof(literal) - 1)

/* ---- marshal --------------------------------------------------------------------------------- */

struct decoded {
	struct source *source;
	struct marshal marshal;
	struct vp_error err;
	bool ok;
};

static struct decoded *decode(const char *bytes, size_t size)
{
	static const struct source_limits limits = {.max_inflated = 1 << 24};
	struct decoded *decoded = memory_new(1, sizeof *decoded);
	decoded->source = source_open_memory(bytes, size, &limits, &decoded->err);
	assert_non_null(decoded->source);
	marshal_init(&decoded->marshal, decoded->source);
	do {
		decoded->ok = marshal_read(&decoded->marshal, 3, &decoded->err);
	} while (decoded->ok && !decoded->marshal.is_done);
	return decoded;
}

static void decoded_free(struct decoded *decoded)
{
	marshal_free(&decoded->marshal);
	source_close(decoded->source);
	free(decoded);
}

static const struct marshal_value *root_of(const struct decoded *decoded)
{
	assert_true(decoded->ok);
	return &decoded->marshal.values[decoded->marshal.root];
}

static void assert_int(const char *bytes, size_t size, int64_t wanted, bool is_clamped)
{
	struct decoded *decoded = decode(bytes, size);
	const struct marshal_value *root = root_of(decoded);
	assert_int_equal(root->type, MARSHAL_INT);
	assert_true(root->integer == wanted);
	assert_int_equal(root->is_clamped, is_clamped);
	decoded_free(decoded);
}

static void test_integers(void **state)
{
	(void)state;
	assert_int(BYTES("i\x05\0\0\0"), 5, false);
	assert_int(BYTES("\xe9\xff\xff\xff\xff"), -1, false);
	assert_int(BYTES("I\0\0\0\0\0\1\0\0"), INT64_C(1) << 40, false);
	assert_int(BYTES("I\xff\xff\xff\xff\xff\xff\xff\xff"), -1, false);
	assert_int(BYTES("l\0\0\0\0"), 0, false);
	assert_int(BYTES("l\3\0\0\0\0\0\0\0\1\0"), INT64_C(1) << 30, false);
	assert_int(BYTES("l\xfe\xff\xff\xff\1\0\1\0"), -32769, false);
	/* 2^63 - 1, 2^63, -2^63 - 1, and zeros in front of them */
	assert_int(BYTES("l\5\0\0\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\7\0"), INT64_MAX, false);
	assert_int(BYTES("l\5\0\0\0\0\0\0\0\0\0\0\0\x08\0"), INT64_MAX, true);
	assert_int(BYTES("l\xfb\xff\xff\xff\1\0\0\0\0\0\0\0\x08\0"), INT64_MIN, true);
	assert_int(BYTES("l\7\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0"), 2, false);
	assert_int(BYTES("l\7\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\1\0"), INT64_MAX, true);
}

static void assert_real(const char *bytes, size_t size, double wanted)
{
	struct decoded *decoded = decode(bytes, size);
	const struct marshal_value *root = root_of(decoded);
	assert_int_equal(root->type, MARSHAL_REAL);
	assert_true(root->real == wanted);
	decoded_free(decoded);
}

static void test_reals(void **state)
{
	(void)state;
	assert_real(BYTES("g\0\0\0\0\0\0\xf8\x3f"), 1.5);
	assert_real(BYTES("\xe7\0\0\0\0\0\0\xf8\xbf"), -1.5);
	assert_real(BYTES("f\0031.5"), 1.5);
	assert_real(BYTES("f\0052.e-3"), 0.002);
	assert_real(BYTES("f\1\x37"), 7);
}

static void test_texts(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
	} cases[] = {{BYTES("s\2\0\0\0ab")}, {BYTES("t\2\0\0\0ab")}, {BYTES("u\2\0\0\0ab")},
		{BYTES("a\2\0\0\0ab")}, {BYTES("A\2\0\0\0ab")}, {BYTES("z\2ab")}, {BYTES("Z\2ab")},
		{BYTES("\xfa\2ab")}, {BYTES("\xda\2ab")}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct decoded *decoded = decode(cases[i].bytes, cases[i].size);
		const struct marshal_value *root = root_of(decoded);
		assert_int_equal(root->type, MARSHAL_TEXT);
		assert_string_equal(strings_get(&decoded->marshal.texts, root->text, NULL), "ab");
		decoded_free(decoded);
	}
}

static void assert_container(const char *bytes, size_t size, enum marshal_type type, uint32_t count)
{
	struct decoded *decoded = decode(bytes, size);
	const struct marshal_value *root = root_of(decoded);
	assert_int_equal(root->type, type);
	assert_int_equal(root->count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_true(marshal_item(&decoded->marshal, root, i)->type <= MARSHAL_COMPLEX);
	decoded_free(decoded);
}

static void test_containers(void **state)
{
	(void)state;
	assert_container(BYTES("(\0\0\0\0"), MARSHAL_TUPLE, 0);
	assert_container(BYTES("(\2\0\0\0NT"), MARSHAL_TUPLE, 2);
	assert_container(BYTES(")\1F"), MARSHAL_TUPLE, 1);
	assert_container(BYTES("\xa9\2)\0)\1N"), MARSHAL_TUPLE, 2);
	assert_container(BYTES("[\1\0\0\0N"), MARSHAL_LIST, 1);
	assert_container(BYTES("<\1\0\0\0N"), MARSHAL_SET, 1);
	assert_container(BYTES(">\1\0\0\0N"), MARSHAL_SET, 1);
	assert_container(BYTES("{0"), MARSHAL_DICT, 0);
	assert_container(BYTES("{NTNF0"), MARSHAL_DICT, 4);
	assert_container(BYTES(":NNN"), MARSHAL_LIST, 3);
	assert_container(
		BYTES("[\2\0\0\0x\0011\0012y\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), MARSHAL_LIST, 2);
}

/* References count objects in the order of their first byte: a container before its items. */
static void test_references(void **state)
{
	(void)state;
	struct decoded *decoded =
		decode(BYTES("\xa8\4\0\0\0\xfa\1a\xe9\7\0\0\0r\2\0\0\0r\1\0\0\0"));
	const struct marshal_value *root = root_of(decoded);
	assert_int_equal(root->count, 4);
	assert_int_equal(marshal_item(&decoded->marshal, root, 2)->integer, 7);
	assert_ptr_equal(
		marshal_item(&decoded->marshal, root, 3), marshal_item(&decoded->marshal, root, 0));
	decoded_free(decoded);
	/* To a container, once it is complete; None, True and False have no number. */
	decoded = decode(BYTES("(\3\0\0\0\xce\xa9\1Nr\0\0\0\0"));
	root = root_of(decoded);
	assert_ptr_equal(
		marshal_item(&decoded->marshal, root, 1), marshal_item(&decoded->marshal, root, 2));
	decoded_free(decoded);
	/* Python 2: only interned texts have numbers, of their own. */
	decoded = decode(BYTES("(\4\0\0\0s\1\0\0\0at\1\0\0\0bR\0\0\0\0N"));
	root = root_of(decoded);
	assert_string_equal(strings_get(&decoded->marshal.texts,
				    marshal_item(&decoded->marshal, root, 2)->text, NULL),
		"b");
	decoded_free(decoded);
}

static void assert_refused(const char *bytes, size_t size, enum error_class code, int64_t offset)
{
	struct decoded *decoded = decode(bytes, size);
	assert_false(decoded->ok);
	assert_int_equal(decoded->err.code, code);
	assert_int_equal(decoded->err.offset, offset);
	decoded_free(decoded);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused(BYTES("(\1\0\0\0r\0\0\0\0"), ERROR_MALFORMED, 6);
	assert_refused(BYTES("\xa8\1\0\0\0r\0\0\0\0"), ERROR_MALFORMED, 6); /* a cycle */
	assert_refused(BYTES("r\xff\xff\xff\xff"), ERROR_MALFORMED, 1);
	assert_refused(BYTES("R\0\0\0\0"), ERROR_MALFORMED, 1);
	assert_refused(BYTES("(\xff\xff\xff\xff"), ERROR_MALFORMED, 1);
	assert_refused(BYTES("s\xff\xff\xff\xff"), ERROR_MALFORMED, 1);
	assert_refused(BYTES("s\xff\xff\xff\x7f"), ERROR_MALFORMED, 1);
	assert_refused(BYTES("(\xff\xff\xff\x7fN"), ERROR_TRUNCATED, 6);
	assert_refused(BYTES("l\xff\xff\xff\x7f\1\0"), ERROR_TRUNCATED, 7);
	assert_refused(BYTES("l\1\0\0\0\0\x80"), ERROR_MALFORMED, 5);
	assert_refused(BYTES("0"), ERROR_MALFORMED, 0);
	assert_refused(BYTES("(\1\0\0\x30\x30"), ERROR_MALFORMED, 5);
	assert_refused(BYTES("{N0"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("c"), ERROR_MALFORMED, 0);
	assert_refused(BYTES("S"), ERROR_MALFORMED, 0);
	assert_refused(BYTES("."), ERROR_MALFORMED, 0);
	assert_refused(BYTES("\xff"), ERROR_MALFORMED, 0);
	assert_refused(BYTES("g\0\0\0\0\0\0\xf0\x7f"), ERROR_MALFORMED, 1); /* infinite */
	assert_refused(BYTES("g\0\0\0\0\0\0\xf8\xff"), ERROR_MALFORMED, 1); /* NaN */
	assert_refused(BYTES("f\003nan"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("f\0051e999"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("f\0021x"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("f\002 1"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("f\0040x10"), ERROR_MALFORMED, 2);
	assert_refused(BYTES("f\0"), ERROR_MALFORMED, 2);
}

static void test_depth(void **state)
{
	(void)state;
	char bytes[2 * (MARSHAL_MAX_DEPTH + 1) + 1];
	for (int depth = MARSHAL_MAX_DEPTH; depth <= MARSHAL_MAX_DEPTH + 1; depth++) {
		for (int i = 0; i < depth; i++)
			memcpy(bytes + 2 * i, ")\1", 2);
		bytes[2 * depth] = 'N';
		struct decoded *decoded = decode(bytes, (size_t)(2 * depth + 1));
		assert_int_equal(decoded->ok, depth == MARSHAL_MAX_DEPTH);
		decoded_free(decoded);
	}
}

/* Each object has the one before twice: 2^60 of them for who would follow all. */
static void test_bomb(void **state)
{
	(void)state;
	struct text bytes = {0};
	text_add(&bytes, BYTES("[\x3d\0\0\0\xa9\0"));
	for (char i = 0; i < 60; i++) {
		const char next[] = {'\xa9', 2, 'r', i, 0, 0, 0, 'r', i, 0, 0, 0};
		text_add(&bytes, next, sizeof next);
	}
	struct decoded *decoded = decode(bytes.data, bytes.length);
	assert_int_equal(root_of(decoded)->count, 61);
	assert_true(decoded->marshal.value_count < 100);
	decoded_free(decoded);
	text_free(&bytes);
}

/* ---- profiles -------------------------------------------------------------------------------- */

static void put_int(struct text *out, int64_t n)
{
	char bytes[9] = {'I'};
	for (int i = 0; i < 8; i++)
		bytes[i + 1] = (char)((uint64_t)n >> 8 * i);
	text_add(out, bytes, sizeof bytes);
}

static void put_real(struct text *out, double value)
{
	uint64_t bits;
	char bytes[9] = {'g'};
	memcpy(&bits, &value, sizeof bits);
	for (int i = 0; i < 8; i++)
		bytes[i + 1] = (char)(bits >> 8 * i);
	text_add(out, bytes, sizeof bytes);
}

static void put_key(struct text *out, const char *name)
{
	text_add(out, BYTES(")\3z\4a.py"));
	put_int(out, 1);
	text_puts(out, "z");
	const char length = (char)strlen(name);
	text_add(out, &length, 1);
	text_puts(out, name);
}

static void put_figures(struct text *out, int64_t calls, double own, double total)
{
	put_int(out, calls);
	put_int(out, calls);
	put_real(out, own);
	put_real(out, total);
}

static void put_entry(struct text *out, const char *name, double own, double total)
{
	put_key(out, name);
	text_add(out, BYTES(")\5"));
	put_figures(out, 1, own, total);
	text_puts(out, "{");
}

static void put_caller(struct text *out, const char *name, double total)
{
	put_key(out, name);
	text_add(out, BYTES(")\4"));
	put_figures(out, 1, 0, total);
}

static struct profile *load(const struct text *bytes, struct vp_error *err)
{
	struct load_options options = load_options_default();
	options.format = "pstats";
	return profile_load_memory(bytes->data, bytes->length, &options, err);
}

static const char *warning_of(const struct profile *profile, const char *class_name)
{
	for (size_t i = 0; i < profile->warning_count; i++)
		if (strcmp(profile->warnings[i].class_name, class_name) == 0)
			return profile->warnings[i].message;
	return NULL;
}

/* A function that is called once, and how long by whom. */
struct called {
	const char *name;
	double own, total;
	struct {
		const char *name;
		double total;
	} callers[3];
};

static struct text make_graph(const struct called *functions, size_t count)
{
	struct text out = {0};
	text_puts(&out, "{");
	for (size_t i = 0; i < count; i++) {
		const struct called *it = &functions[i];
		put_entry(&out, it->name, it->own, it->total);
		for (int k = 0; k < 3 && it->callers[k].name; k++)
			put_caller(&out, it->callers[k].name, it->callers[k].total);
		text_puts(&out, "0");
	}
	text_puts(&out, "0");
	return out;
}

/* main calls morning and evening, which both call shared, which calls read and itself. */
static const struct called shop[] = {{"main", 0, 10, {{0}}}, {"morning", 0.5, 5.5, {{"main", 5.5}}},
	{"evening", 0.5, 4.5, {{"main", 4.5}}},
	{"shared", 4, 9, {{"morning", 5}, {"evening", 4}, {"shared", 3}}},
	{"read", 5, 5, {{"shared", 5}}}};

static struct text make_shop(void)
{
	return make_graph(shop, sizeof shop / sizeof *shop);
}

static int64_t places_of(const struct calltree *tree, const char *name, bool is_self)
{
	int64_t sum = 0;
	uint32_t covered = 0;
	for (uint32_t node = 1; node < tree->node_count; node++) {
		const string_id id = tree->rows[tree->row[node]].name;
		if (strcmp(profile_string(tree->profile, id, NULL), name) != 0)
			continue;
		if (is_self)
			sum += tree->self[node];
		else if (node >= covered)
			sum += tree->total[node];
		if (node >= covered)
			covered = tree->end[node];
	}
	return sum;
}

#define SECOND INT64_C(1000000000)

static void test_stacks(void **state)
{
	(void)state;
	struct text bytes = make_shop();
	struct profile *profile = load(&bytes, NULL);
	assert_non_null(profile);
	assert_non_null(warning_of(profile, "estimate"));
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	static const struct {
		const char *name;
		int64_t self, total; /* in half seconds */
	} cases[] = {{"main", 0, 20}, {"morning", 1, 11}, {"evening", 1, 9}, {"shared", 8, 18},
		{"read", 10, 10}};
	assert_true(tree->total[0] == 10 * SECOND);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(places_of(tree, cases[i].name, true) == cases[i].self * SECOND / 2);
		assert_true(places_of(tree, cases[i].name, false) == cases[i].total * SECOND / 2);
	}
	assert_true(calltree_is_exact(tree) && calltree_is_estimate(tree));
	query.filters[FILTER_FOCUS] = "read";
	struct calltree *part = calltree_build(profile, &query, NULL);
	assert_true(!calltree_is_exact(part) && calltree_is_estimate(part));
	calltree_free(part);
	calltree_free(tree);
	profile_free(profile);
	text_free(&bytes);
}

static void test_exact(void **state)
{
	(void)state;
	struct text bytes = make_shop();
	struct profile *profile = load(&bytes, NULL);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	size_t count;
	struct function_row *rows = functions_build(tree, SORT_CUM, &count);
	assert_int_equal(count, 5);
	assert_true(rows[0].cum == 10 * SECOND && rows[0].has_calls && rows[0].calls == 1);
	assert_true(rows[1].cum == 9 * SECOND && rows[1].flat == 4 * SECOND);
	struct neighbours neighbours = neighbours_build(tree, rows[1].row);
	assert_int_equal(neighbours.caller_count, 3); /* itself, too */
	assert_true(neighbours.callers[0].value == 5 * SECOND);
	assert_true(neighbours.callers[2].row == rows[1].row &&
		    neighbours.callers[2].value == 3 * SECOND);
	assert_int_equal(neighbours.callee_count, 2);
	neighbours_free(&neighbours);
	free(rows);
	assert_int_equal(profile->callgraph->edge_count, 6);
	calltree_free(tree);
	profile_free(profile);
	text_free(&bytes);
}

/* The shop after a change: shared is faster, read is gone, and evening calls late. */
static const struct called later[] = {{"main", 0, 9, {{0}}}, {"morning", 0.5, 4.5, {{"main", 4.5}}},
	{"evening", 0.5, 4.5, {{"main", 4.5}, {"evening", 1}}},
	{"shared", 6, 6, {{"morning", 4}, {"evening", 2}}}, {"late", 2, 2, {{"evening", 2}}}};

static struct profile *make_difference(void)
{
	struct text old = make_shop(), new = make_graph(later, sizeof later / sizeof *later);
	struct profile *base = load(&old, NULL), *now = load(&new, NULL);
	struct profile *profile =
		profile_difference(&(struct difference_options){.now = difference_all(now),
					   .base = difference_all(base),
					   .kind = DIFFERENCE_CANCELS},
			NULL);
	profile_free(base);
	profile_free(now);
	text_free(&old);
	text_free(&new);
	return profile;
}

/* The pair of caller and callee, all 0 where there is none. */
static struct neighbour pair_of(
	const struct calltree *tree, const char *caller, const char *callee, bool *has)
{
	struct neighbour found = {0};
	size_t count, callers;
	uint32_t *row = rows_matching(tree, callee, &count, NULL);
	uint32_t *wanted = rows_matching(tree, caller, &callers, NULL);
	struct neighbours list = neighbours_build(tree, row[0]);
	*has = false;
	for (size_t i = 0; i < list.caller_count; i++) {
		if (list.callers[i].row != wanted[0])
			continue;
		*has = true;
		found = list.callers[i];
	}
	neighbours_free(&list);
	free(row);
	free(wanted);
	return found;
}

static void test_difference(void **state)
{
	(void)state;
	struct profile *profile = make_difference();
	struct query query;
	query_init(&query, profile);
	struct calltree *change = calltree_build(profile, &query, NULL);
	struct calltree *old =
		calltree_recount(change, profile_type_of_part(profile, query.type, PART_BASE));
	struct calltree *new =
		calltree_recount(change, profile_type_of_part(profile, query.type, PART_NEW));
	static const struct {
		const char *name, *caller;
		int64_t flat, cum, old_time, new_time; /* in half seconds */
		bool is_old, is_new;                   /* the pair */
	} cases[] = {{"^morning$", "^main$", 0, -2, 11, 9, true, true},
		{"^shared$", "^evening$", 4, -6, 8, 4, true, true},
		{"^shared$", "^shared$", 4, -6, 6, 0, true, false},
		{"^read$", "^shared$", -10, -10, 10, 0, true, false},
		{"^late$", "^evening$", 4, 4, 0, 4, false, true},
		{"^evening$", "^evening$", 0, 0, 0, 2, false, true}};
	assert_true(calltree_is_exact(change) && calltree_is_exact(old) && calltree_is_exact(new));
	/* Shares are of what functions gained and lost: 2, 5 and 2 seconds. */
	assert_true(change->base == 9 * SECOND);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t count;
		bool has;
		uint32_t *row = rows_matching(change, cases[i].name, &count, NULL);
		struct neighbours list = neighbours_build(change, row[0]);
		assert_true(list.flat == cases[i].flat * SECOND / 2);
		assert_true(list.cum == cases[i].cum * SECOND / 2);
		neighbours_free(&list);
		free(row);
		struct neighbour pair = pair_of(old, cases[i].caller, cases[i].name, &has);
		assert_int_equal(has, cases[i].is_old);
		assert_true(pair.value == cases[i].old_time * SECOND / 2);
		pair = pair_of(new, cases[i].caller, cases[i].name, &has);
		assert_int_equal(has, cases[i].is_new);
		assert_true(pair.value == cases[i].new_time * SECOND / 2);
		pair = pair_of(change, cases[i].caller, cases[i].name, &has);
		assert_true(has);
		assert_int_equal(pair.calls, cases[i].is_new - cases[i].is_old);
		assert_true(pair.value == (cases[i].new_time - cases[i].old_time) * SECOND / 2);
	}
	calltree_free(old);
	calltree_free(new);
	calltree_free(change);
	profile_free(profile);
}

/* Cut anywhere: what is complete is there, or the error says where. */
static void test_truncated(void **state)
{
	(void)state;
	struct text bytes = make_shop();
	uint32_t most = 0;
	for (size_t length = 1; length < bytes.length; length++) {
		struct text cut = {.data = bytes.data, .length = length};
		struct vp_error err = {0};
		struct profile *profile = load(&cut, &err);
		if (!profile) {
			assert_int_equal(err.code, ERROR_TRUNCATED);
			assert_int_equal(err.offset, length);
			assert_int_equal(most, 0);
			continue;
		}
		assert_non_null(warning_of(profile, "truncated"));
		assert_true(profile->is_truncated && profile->function_count >= most);
		most = profile->function_count;
		profile_free(profile);
	}
	assert_int_equal(most, 6);
	text_free(&bytes);
}

/* A circle of three with a way in at two of them, and a chain that nobody calls from outside. */
static void test_circles(void **state)
{
	(void)state;
	static const struct called circles[] = {{"main", 1, 7, {{0}}},
		{"a", 1, 6, {{"main", 4}, {"c", 3}}}, {"b", 2, 5, {{"a", 4}}},
		{"c", 3, 5, {{"main", 2}, {"b", 3}}}, {"x", 1, 3, {{"y", 1}}},
		{"y", 2, 3, {{"x", 2}}}};
	struct text out = make_graph(circles, sizeof circles / sizeof *circles);
	struct profile *profile = load(&out, NULL);
	struct query query;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, NULL);
	static const struct {
		const char *name;
		int64_t self, most;
	} cases[] = {
		{"main", 1, 7}, {"a", 1, 6}, {"b", 2, 5}, {"c", 3, 5}, {"x", 1, 3}, {"y", 2, 3}};
	assert_true(tree->total[0] == 10 * SECOND);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(places_of(tree, cases[i].name, true) == cases[i].self * SECOND);
		assert_true(places_of(tree, cases[i].name, false) <= cases[i].most * SECOND + 16);
	}
	uint32_t *component = memory_new(profile->callgraph->node_count, sizeof *component);
	assert_int_equal(callgraph_components(profile->callgraph, component), 4);
	free(component);
	calltree_free(tree);
	profile_free(profile);
	text_free(&out);
}

/* One dict of callers for many functions: work that the file did not pay for. */
static void test_shared_callers(void **state)
{
	(void)state;
	struct text out = {0};
	text_puts(&out, "{");
	put_key(&out, "first");
	text_add(&out, BYTES(")\5"));
	put_figures(&out, 1, 1, 1);
	text_add(&out, BYTES("\xfb"));
	for (int i = 0; i < 2000; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%d", i);
		put_key(&out, name);
		text_add(&out, BYTES("i\1\0\0\0"));
	}
	text_puts(&out, "0");
	for (int i = 0; i < 2000; i++) {
		char name[16];
		snprintf(name, sizeof name, "g%d", i);
		put_key(&out, name);
		text_add(&out, BYTES(")\5"));
		put_figures(&out, 1, 1, 1);
		text_add(&out, BYTES("r\0\0\0\0"));
	}
	text_puts(&out, "0");
	struct vp_error err = {0};
	assert_null(load(&out, &err));
	assert_int_equal(err.code, ERROR_LIMIT);
	text_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_reals),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_circles),
		cmocka_unit_test(test_shared_callers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
