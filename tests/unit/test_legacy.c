/* SPDX-License-Identifier: MIT */
/* The old formats of pprof: which is which, what their lines mean, and lines that mean nothing. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "format/format.h"

static struct profile *load_bytes(const void *bytes, size_t size, const char *format)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(bytes, size, &options, &err);
	if (!profile)
		fail_msg("%s: %s", error_class_name(err.code), err.message);
	assert_string_equal(profile->format, format);
	return profile;
}

static struct profile *load(const char *text, const char *format)
{
	return load_bytes(text, strlen(text), format);
}

static void refuse(const void *bytes, size_t size, enum error_class code)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(bytes, size, &options, &err);
	assert_null(profile);
	if (err.code != code)
		fail_msg("error %s (%s), not %s", error_class_name(err.code), err.message,
			error_class_name(code));
}

static int warnings(const struct profile *profile, const char *class_name)
{
	int count = 0;
	for (size_t i = 0; i < profile->warning_count; i++)
		count += strcmp(profile->warnings[i].class_name, class_name) == 0;
	return count;
}

/* Sample i as "root name@address|... = value value", without a name "?". */
static void expect_sample(const struct profile *profile, size_t i, const char *expected)
{
	struct text out = {0};
	frame_id frames[64];
	size_t depth = 0;
	assert_true(i < profile->sample_count);
	for (stack_id s = profile->sample_stack[i]; s && depth < 64; s = profile->stack_parent[s])
		frames[depth++] = profile->stack_frame[s];
	while (depth > 0) {
		const struct frame *frame = &profile->frames[frames[--depth]];
		const struct function *f = &profile->functions[frame->function];
		const char *name = profile_string(profile, f->name, NULL);
		const char *module = profile_string(profile, f->module, NULL);
		text_printf(&out, "%s%s%s%s@%llx|", *name ? name : "?", *module ? " in " : "",
			module, frame->is_inlined ? " inlined" : "",
			(unsigned long long)frame->address);
	}
	text_puts(&out, " =");
	for (unsigned type = 0; type < profile->type_count; type++)
		text_printf(&out, " %lld", (long long)profile_value(profile, type, i));
	assert_string_equal(out.data, expected);
	text_free(&out);
}

/* All types as "name/unit total", those of SNAPSHOT with a "*", and ", " between them. */
static void expect_types(const struct profile *profile, const char *expected)
{
	struct text out = {0};
	for (unsigned i = 0; i < profile->type_count; i++) {
		const struct value_type *type = &profile->types[i];
		text_printf(&out, "%s%s/%s%s %lld", i > 0 ? ", " : "", type->name, type->unit,
			type->kind == VALUE_SNAPSHOT ? "*" : "", (long long)type->total);
	}
	assert_string_equal(out.data, expected);
	text_free(&out);
}

/* ---- words ---------------------------------------------------------------------------- */

struct words {
	uint8_t bytes[4096];
	size_t size, word;
	bool is_big_endian;
};

static void put(struct words *words, uint64_t value)
{
	for (size_t i = 0; i < words->word; i++)
		words->bytes[words->size + (words->is_big_endian ? words->word - 1 - i : i)] =
			(uint8_t)(value >> (8 * i));
	words->size += words->word;
}

static void put_all(struct words *words, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put(words, values[i]);
}

#define PUT(words, ...)                                                                            \
	put_all(words, (const uint64_t[]){__VA_ARGS__},                                            \
		sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void put_text(struct words *words, const char *text)
{
	memcpy(words->bytes + words->size, text, strlen(text));
	words->size += strlen(text);
}

static const char map_lines[] = "00400000-00500000 r-xp 00000000 08:01 77 /bin/a b (deleted)\n"
				"00600000-00700000 rw-p 00000000 08:01 77 /bin/data\n";

static void test_cpu_layouts(void **state)
{
	(void)state;
	for (int layout = 0; layout < 4; layout++) {
		struct words w = {.word = layout & 1 ? 8 : 4, .is_big_endian = layout & 2};
		PUT(&w, 0, 3, 0, 10000, 0);
		PUT(&w, 3, 3, 0x400100, 0x400201, 0x600001);
		PUT(&w, 2, 2, 0x400100, 0x400301);
		PUT(&w, 0, 1, 0);
		put_text(&w, map_lines);
		struct profile *p = load_bytes(w.bytes, w.size, "cpu-binary");
		assert_int_equal(p->period_ns, 10000000);
		assert_false(p->is_timed);
		assert_int_equal(p->sample_count, 2);
		expect_types(p, "samples/count 5, cpu/nanoseconds 50000000");
		assert_int_equal(p->default_type, 1);
		/* All but the leaf are moved back by one; memory without code is nobody's. */
		expect_sample(
			p, 0, "?@600000|? in /bin/a b@400200|? in /bin/a b@400100| = 3 30000000");
		expect_sample(p, 1, "? in /bin/a b@400300|? in /bin/a b@400100| = 2 20000000");
		assert_int_equal(p->warning_count, 0);
		profile_free(p);
	}
}

static void test_cpu_handler_and_double_leaf(void **state)
{
	(void)state;
	struct words w = {.word = 8};
	PUT(&w, 0, 3, 0, 1000, 0);
	PUT(&w, 1, 4, 0x10, 0x99, 0x11, 0x20); /* handler, then the leaf again */
	PUT(&w, 1, 4, 0x12, 0x99, 0x31, 0x20);
	PUT(&w, 0, 1, 0);
	struct profile *p = load_bytes(w.bytes, w.size, "cpu-binary");
	expect_sample(p, 0, "?@1f|?@10|?@10| = 1 1000000");
	expect_sample(p, 1, "?@1f|?@30|?@12| = 1 1000000");
	assert_int_equal(warnings(p, "note"), 1);
	profile_free(p);

	w.size = 5 * 8;
	PUT(&w, 1, 3, 0x10, 0x10, 0x20); /* 0x10 - 1 + 1: the leaf twice */
	PUT(&w, 1, 2, 0x50, 0x60);
	PUT(&w, 1, 2, 0x51, 0x61, 0, 1, 0);
	p = load_bytes(w.bytes, w.size, "cpu-binary");
	expect_sample(p, 0, "?@1f|?@10| = 1 1000000");
	assert_int_equal(warnings(p, "note"), 0);
	profile_free(p);
}

static void test_cpu_or_vmprof(void **state)
{
	(void)state;
	struct words w = {.word = 8};
	PUT(&w, 0, 3, 0, 10000, 0);
	/* The bare head is ambiguous: vmprof's (detect.md, ambiguity 1). */
	struct profile *p = load_bytes(w.bytes, w.size, "vmprof");
	profile_free(p);
	/* Counts of 5 and 4 look like vmprof's markers. */
	PUT(&w, 5, 1, 0x400100, 4, 1, 0x400200, 0, 1, 0);
	p = load_bytes(w.bytes, w.size, "cpu-binary");
	expect_types(p, "samples/count 9, cpu/nanoseconds 90000000");
	profile_free(p);
	w.size = 5 * 8;
	PUT(&w, 4, 1, 0x400200, 0, 1, 0);
	p = load_bytes(w.bytes, w.size, "cpu-binary");
	profile_free(p);
	w.size = 5 * 8;
	put_text(&w, "\x05");
	memcpy(w.bytes + w.size, "\0\6\0\7cpython\3", 12);
	w.size += 12;
	p = load_bytes(w.bytes, w.size, "vmprof");
	profile_free(p);
}

static void test_cpu_cut(void **state)
{
	(void)state;
	struct words w = {.word = 4};
	PUT(&w, 0, 3, 0, 10000, 0, 7, 2, 0x100, 0x201);
	struct profile *p = load_bytes(w.bytes, w.size, "cpu-binary");
	assert_true(p->is_truncated);
	assert_int_equal(warnings(p, "truncated"), 1);
	expect_types(p, "samples/count 7, cpu/nanoseconds 70000000");
	profile_free(p);
	/* A depth that lies. */
	PUT(&w, 1, 0x7fffffff, 1);
	p = load_bytes(w.bytes, w.size, "cpu-binary");
	assert_int_equal(warnings(p, "malformed"), 1);
	expect_types(p, "samples/count 7, cpu/nanoseconds 70000000");
	profile_free(p);
	w.size = 5 * 4;
	PUT(&w, 1, 4000, 1);
	refuse(w.bytes, w.size, ERROR_TRUNCATED);
	w.size = 5 * 4;
	PUT(&w, 1, 0x7fffffff, 1);
	refuse(w.bytes, w.size, ERROR_MALFORMED);
	/* A count whose time is past 64 bits. */
	struct words wide = {.word = 8};
	PUT(&wide, 0, 3, 0, 10000, 0, INT64_MAX, 1, 0x100, 0, 1, 0);
	p = load_bytes(wide.bytes, wide.size, "cpu-binary");
	assert_true(warnings(p, "overflow") >= 1);
	profile_free(p);
}

static void test_cpu_java(void **state)
{
	(void)state;
	struct words w = {.word = 4};
	PUT(&w, 0, 3, 1, 10000, 0, 2, 3, 4, 5, 6, 1, 1, 7, 0, 1, 0);
	put_text(&w, "\n 0x4 a.B.run(x) (B.java:12)\n 0x5 read (/lib/x/libc.so)\n"
		     " 0x00000006 [generated stub/JIT]\n 0x7 GC\n 0x99 nobody\n");
	struct profile *p = load_bytes(w.bytes, w.size, "cpu-binary");
	expect_sample(p, 0, "STUB@6|read@5|a.B.run(x)@4| = 2 20000000");
	expect_sample(p, 1, "GC@7| = 1 10000000");
	for (frame_id i = 1; i < p->frame_count; i++) {
		const struct function *f = profile_function(p, i);
		const char *file = profile_string(p, f->file, NULL);
		if (p->frames[i].address == 4) {
			assert_string_equal(file, "B.java");
			assert_int_equal(p->frames[i].line, 12);
		}
		if (p->frames[i].address == 5)
			assert_string_equal(file, "libc.so");
	}
	profile_free(p);
}

static void test_cpu_with_symbols(void **state)
{
	(void)state;
	struct words w = {.word = 8};
	put_text(&w, "--- symbol\nbinary=/bin/a\n0x100 leaf<0000000000000100>--its caller\n"
		     "0x200 operator<\n---\n--- profile\n");
	PUT(&w, 0, 3, 0, 1, 0, 3, 2, 0x100, 0x200);
	struct profile *p = load_bytes(w.bytes, w.size, "cpu-binary");
	assert_int_equal(p->type_count, 1);
	expect_sample(p, 0, "operator<@200|leaf@100|its caller inlined@100| = 3");
	assert_int_equal(p->period_ns, 0);
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
}

/* ---- heap ----------------------------------------------------------------------------- */

static void test_heap_kinds(void **state)
{
	(void)state;
	struct profile *p = load("heap profile: 3: 30 [ 5: 50 ] @ heapprofile\n"
				 " 3: 30 [ 5: 50] @ 0x11 0x21\n\nMAPPED_LIBRARIES:\nbuild=/srv/x\n"
				 "I0101 file.cc:12] 10-30 r-xp $build/y\n",
		"heap-text");
	expect_types(p,
		"alloc_objects/count 5, alloc_space/bytes 50, inuse_objects/count* 3, inuse_space/bytes* 30");
	assert_int_equal(p->default_type, 3);
	expect_sample(p, 0, "? in /srv/x/y@20|? in /srv/x/y@10| = 5 50 3 30");
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
	p = load("heap profile: 1: 8 [1: 8] @ growthz\n1: 8 [1: 8] @ 0x11\n", "heap-text");
	expect_types(p, "objects/count 1, space/bytes 8");
	profile_free(p);
	/* 1 - exp(-1) of samples of 1000 bytes are seen at one in 1000 bytes; Go writes 2000. */
	p = load("heap profile: 1: 1000 [0: 0] @ heap/2000\n1: 1000 [0: 0] @ 0x11\n", "heap-text");
	expect_types(p, "objects/count* 1, space/bytes* 1581");
	profile_free(p);
	p = load("heap profile: 1: 1000 [0: 0] @ heap_v2/1\n1: 1000 [0: 0] @ 0x11\n", "heap-text");
	expect_types(p, "objects/count* 1, space/bytes* 1000");
	profile_free(p);
	static const char unknown[] = "heap profile: 1: 1 [1: 1] @ pile\n1: 1 [1: 1] @ 0x1\n";
	refuse(unknown, sizeof unknown - 1, ERROR_MALFORMED);
}

static void test_heap_lines(void **state)
{
	(void)state;
	/* No object but bytes, a number past 64 bits, junk: left out, and the sum says so, too. */
	struct profile *p = load("heap profile: 4: 8 [4: 8] @ heapprofile\r\n"
				 "0: 4 [0: 0] @ 0x11\r\n"
				 "99999999999999999999: 1 [1: 1] @ 0x11\r\n"
				 "1: 1 [1: 1] @ 0x11111111111111111\r\n"
				 "1: 1 [1: 1] @ 0x11,0x12\r\n"
				 "some words\r\n"
				 "4: 8 [4: 8] @ \r\n"
				 "-2: -6 [0: 0] @ 0x31\r\n",
		"heap-text");
	assert_int_equal(p->sample_count, 2);
	expect_sample(p, 0, " = 4 8");
	expect_sample(p, 1, "?@30| = -2 -6");
	assert_int_equal(warnings(p, "malformed"), 2);
	profile_free(p);
	/* The last line may be half of one. */
	p = load("heap profile: 2: 2 [2: 2] @ heapprofile\n1: 1 [1: 1] @ 0x11\n1: 1 [1: 1] @ 0x4",
		"heap-text");
	assert_int_equal(p->sample_count, 1);
	assert_true(p->is_truncated);
	assert_int_equal(warnings(p, "truncated"), 1);
	profile_free(p);
	static const char cut[] = "heap profile: 2: 2 [2: 2] @ heapprofile\n1: 1 [1:";
	refuse(cut, sizeof cut - 1, ERROR_TRUNCATED);
}

/* ---- Go ------------------------------------------------------------------------------- */

static void test_go_comments(void **state)
{
	(void)state;
	struct profile *p = load("goroutine profile: total 6\n"
				 "1 @ 0x11 0x21 0x31 0x31 0x41\n"
				 "# labels: {\"a\":\"b\"}\n"
				 "#\t0x20\tmain.small+0x4\t/srv/a.go:7\n"
				 "#\t0x20\tmain.big+0x8\t/srv/b.go:9\n"
				 "#\t0x30\tmain.again+0x1\t/srv/c.go:3\n"
				 "#\t0x30\tmain.again+0x1\t/srv/c.go:3\n"
				 "\n"
				 "3 @ 0x21 0x41\n"
				 "2 @\n"
				 "#\t0x0\n",
		"count-text");
	expect_types(p, "goroutine/count* 6");
	expect_sample(p, 0,
		"runtime.goexit@40|main.again@30|main.again@30|main.big@20|main.small inlined@20"
		"|runtime.<unnamed>@10| = 1");
	expect_sample(p, 1, "runtime.goexit@40|main.big@20|main.small inlined@20| = 3");
	expect_sample(p, 2, " = 2");
	assert_int_equal(p->warning_count, 0);
	for (frame_id i = 1; i < p->frame_count; i++)
		if (p->frames[i].is_inlined)
			assert_int_equal(p->frames[i].line, 7);
	profile_free(p);
	p = load("# a comment\nmy.own/set profile: total 3\n1 @ 0x11\nx @ 0x1\n", "count-text");
	assert_int_equal(warnings(p, "malformed"), 2); /* the line, and the sum */
	profile_free(p);
}

/* The comments of a line that is left out name nothing in the one before. */
static void test_go_comments_of_bad_lines(void **state)
{
	(void)state;
	struct profile *p = load("goroutine profile: total 1\n"
				 "1 @ 0x11 0x21 0x31\n"
				 "#\t0x20\tmain.f+0x4\t/srv/a.go:7\n"
				 "1 @ 0x11 zz\n"
				 "#\t0x10\twrong+0x4\t/srv/a.go:7\n",
		"count-text");
	expect_sample(p, 0, "runtime.goexit@30|main.f@20|runtime.<unnamed>@10| = 1");
	profile_free(p);
	p = load("heap profile: 1: 1 [1: 1] @ heap/1\n"
		 "1: 1 [1: 1] @ 0x11\n"
		 "0: 1 [1: 1] @ 0x11\n"
		 "#\t0x10\twrong+0x4\t/srv/a.go:7\n",
		"heap-text");
	expect_sample(p, 0, "?@10| = 1 1");
	profile_free(p);
}

static void test_contention(void **state)
{
	(void)state;
	struct profile *p = load("--- mutex:\ncycles/second=2000000000\nsampling period=5\n"
				 "4000 3 @ 0x11 0x21\n#\t0x10\tsync.Unlock+0x28\t/go/mutex.go:223\n"
				 "#\t0x20\tmain.main+0x1\t/srv/a=b@c.go:1\n",
		"contention-text");
	expect_types(p, "contentions/count 15, delay/nanoseconds 10000");
	expect_sample(p, 0, "main.main@20|sync.Unlock@10| = 15 10000");
	profile_free(p);
	p = load("--- contentionz 1 ---\nsampling period = 2\n10 1 @ 0x11\nno row\n"
		 "--- Memory map: ---\n  10-20: /bin/x\n",
		"contention-text");
	expect_types(p, "contentions/count 2, delay/cycles 10");
	expect_sample(p, 0, "? in /bin/x@10| = 2 10");
	assert_int_equal(warnings(p, "malformed"), 1);
	profile_free(p);
}

/* ---- threads and Java ------------------------------------------------------------------ */

static void test_threads(void **state)
{
	(void)state;
	struct profile *p = load("--- threadz 1 ---\n\n"
				 "--- Thread 7f01 (name: main/1) stack: ---\n"
				 "  PC:  0x0010: helper(arg *)\n  0x0021: main\n"
				 "--- Thread 7f02 (name: two/2) stack: ---\n"
				 "  [same as previous thread]\n"
				 "--- Thread 7f03 (name: three/3) stack: ---\n"
				 "  PC: 0x10 0x31\n      creator: 0x41\n"
				 "--- Thread 7f04 (name: four/4) stack: ---\n"
				 "  PC: 0x12: std::f(0x99)\n"
				 "---- no stack trace for 1 thread\n"
				 "--- Memory map: ---\n  00000000-00000040: /bin/x\n",
		"thread-text");
	assert_int_equal(p->sample_count, 3);
	expect_sample(p, 0, "main in /bin/x@20|helper(arg *) in /bin/x@10| = 2");
	expect_sample(p, 1, "?@40|? in /bin/x@30|? in /bin/x@10| = 1");
	expect_sample(p, 2, "std::f(0x99) in /bin/x@12| = 1");
	expect_types(p, "thread/count* 4");
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
	/* Cut inside a stack: not that thread. */
	p = load("--- Thread 7f01 (name: main/1) stack: ---\n 0x10\n"
		 "--- Thread 7f02 (name: b/2) stack: ---\n 0x20\n 0x3",
		"thread-text");
	assert_int_equal(p->sample_count, 1);
	assert_true(p->is_truncated);
	profile_free(p);
}

static void test_java_text(void **state)
{
	(void)state;
	struct profile *p = load("--- contentionz 1 ---\nformat = java\nresolution = microseconds\n"
				 "sampling period = 100\nms since reset = 6019923\n"
				 "  14     2 @ 0x0000000d 0x0000000e\n\n\n"
				 " 0x000000d com.example.f (source.java:-1)\n"
				 " 0x000000e Compile\n",
		"java-text");
	expect_types(p, "contentions/count 200, delay/nanoseconds 1400000");
	expect_sample(p, 0, "Compile@e|com.example.f@d| = 200 1400000");
	profile_free(p);
	p = load("--- heapz 1 ---\nformat = java\nresolution = bytes\n"
		 "  5 0 @ 0x3\n  524288  1 @ 0x3\n",
		"java-text");
	assert_int_equal(warnings(p, "malformed"), 1);
	expect_types(p, "inuse_objects/count* 1, inuse_space/bytes* 829411");
	profile_free(p);
}

/* ---- cut at every byte ------------------------------------------------------------------ */

static uint8_t *read_file(const char *name, size_t *size)
{
	char path[1024];
	const char *top = getenv("top_srcdir");
	snprintf(path, sizeof path, "%s/tests/golden/data/legacy/%s", top ? top : ".", name);
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	uint8_t *bytes = malloc(1 << 20);
	assert_non_null(bytes);
	*size = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	return bytes;
}

/* What a file of `size` bytes has must be in the whole, and half a line must be told. */
static void check_prefix(const uint8_t *bytes, size_t size, const struct profile *whole)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	options.format = whole->format;
	uint8_t *copy = malloc(size ? size : 1); /* so that reading past the end is seen */
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	struct profile *part = profile_load_memory(copy, size, &options, &err);
	free(copy);
	if (!part) {
		assert_true(err.code == ERROR_TRUNCATED || err.code == ERROR_MALFORMED ||
			    err.code == ERROR_EMPTY);
		return;
	}
	assert_true(part->sample_count <= whole->sample_count);
	if (strcmp(whole->format, "cpu-binary") != 0 && bytes[size - 1] != '\n')
		assert_true(part->is_truncated);
	if (part->sample_count < whole->sample_count && strcmp(whole->format, "cpu-binary") == 0)
		assert_true(part->is_truncated);
	/* The types of contention and Java profiles depend on the lines in front of the samples. */
	for (unsigned i = 0; i < part->type_count && part->sample_count > 0; i++)
		assert_true(part->types[i].total <= whole->types[i].total);
	profile_free(part);
}

static void test_every_prefix(void **state)
{
	(void)state;
	static const char *const names[] = {"cppbench.contention", "cppbench.heap",
		"cppbench.thread", "cppbench.thread.none", "go.crc32.cpu", "go.godoc.thread",
		"gobench.heap", "java.contention", "java.cpu", "java.heap", "block.debug1.txt",
		"goroutine.debug1.txt", "mutex.debug1.txt"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t size = 0;
		struct load_options options = load_options_default();
		struct vp_error err = {0};
		uint8_t *bytes = read_file(names[i], &size);
		if (!bytes)
			skip();
		struct profile *whole = profile_load_memory(bytes, size, &options, &err);
		assert_non_null(whole);
		for (size_t length = 1; length < size; length++)
			check_prefix(bytes, length, whole);
		profile_free(whole);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu_layouts),
		cmocka_unit_test(test_cpu_handler_and_double_leaf),
		cmocka_unit_test(test_cpu_or_vmprof),
		cmocka_unit_test(test_cpu_cut),
		cmocka_unit_test(test_cpu_java),
		cmocka_unit_test(test_cpu_with_symbols),
		cmocka_unit_test(test_heap_kinds),
		cmocka_unit_test(test_heap_lines),
		cmocka_unit_test(test_go_comments),
		cmocka_unit_test(test_go_comments_of_bad_lines),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_java_text),
		cmocka_unit_test(test_every_prefix),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
