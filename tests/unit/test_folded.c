/* SPDX-License-Identifier: MIT */
/* Folded stacks: numbers, frames, escapes, austin's modes, and lines that are none. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "format/folded.h"
#include "format/folded_frame.h"
#include "format/format.h"
#include "query/query.h"

static struct profile *load_bytes(const char *bytes, size_t size)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(bytes, size, &options, &err);
	if (!profile)
		fail_msg("%s: %s", error_class_name(err.code), err.message);
	assert_string_equal(profile->format, "folded");
	assert_false(profile->is_timed);
	return profile;
}

static struct profile *load(const char *text)
{
	return load_bytes(text, strlen(text));
}

static void refuse(const char *bytes, size_t size, const char *format, enum error_class code)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	options.format = format;
	struct profile *profile = profile_load_memory(bytes, size, &options, &err);
	assert_null(profile);
	if (err.code != code)
		fail_msg("error %s (%s), not %s", error_class_name(err.code), err.message,
			error_class_name(code));
}

static bool has_warning(const struct profile *profile, const char *class_name)
{
	for (size_t i = 0; i < profile->warning_count; i++)
		if (strcmp(profile->warnings[i].class_name, class_name) == 0)
			return true;
	return false;
}

/* "name|file|module|line" of each frame of sample i, root first, with '>' between. */
static void check_stack(const struct profile *profile, size_t i, const char *wanted)
{
	frame_id frames[64];
	size_t depth = 0;
	struct text text = {0};
	text_puts(&text, "");
	for (stack_id s = profile->sample_stack[i]; s && depth < 64; s = profile->stack_parent[s])
		frames[depth++] = profile->stack_frame[s];
	while (depth > 0) {
		const struct frame *frame = &profile->frames[frames[--depth]];
		const struct function *f = &profile->functions[frame->function];
		text_printf(&text, "%s|%s|%s|%u%s", profile_string(profile, f->name, NULL),
			profile_string(profile, f->file, NULL),
			profile_string(profile, f->module, NULL), frame->line,
			depth > 0 ? ">" : "");
		assert_int_equal(f->line, 0);
	}
	assert_string_equal(text.data, wanted);
	text_free(&text);
}

static void check_type(const struct profile *profile, unsigned i, const char *name,
	const char *unit, int64_t total)
{
	assert_true(i < profile->type_count);
	assert_string_equal(profile->types[i].name, name);
	assert_string_equal(profile->types[i].unit, unit);
	assert_int_equal(profile->types[i].kind, VALUE_COUNTER);
	assert_true(profile->types[i].total == total);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void check_number(
	const char *text, int decimals, int64_t wanted, bool rounded, bool saturated)
{
	struct folded_number number;
	bool is_rounded = false, is_saturated = false;
	if (!folded_number_parse(text, strlen(text), &number))
		fail_msg("'%s' is no number", text);
	const int64_t value = folded_number_scaled(&number, decimals, &is_rounded, &is_saturated);
	if (value != wanted || is_rounded != rounded || is_saturated != saturated)
		fail_msg("'%s' is %lld, %d, %d", text, (long long)value, is_rounded, is_saturated);
}

static void test_numbers(void **state)
{
	(void)state;
	static const char *const none[] = {"", "-", "+", ".", ".5", "1x", "x1", "1e", "1e+", "1.5.",
		"0x10", "1,2", "--1", "1 ", "inf", "nan"};
	struct folded_number number;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(folded_number_parse(none[i], strlen(none[i]), &number));
	check_number("0", 0, 0, false, false);
	check_number("-0", 0, 0, false, false);
	check_number("+17", 0, 17, false, false);
	check_number("34.", 0, 34, false, false);
	check_number("1.500", 1, 15, false, false);
	check_number("-103.7652", 4, -1037652, false, false);
	check_number("1e3", 0, 1000, false, false);
	check_number("2.5E+1", 0, 25, false, false);
	check_number("25e-1", 1, 25, false, false);
	check_number("0.5", 0, 1, true, false);
	check_number("0.4", 0, 0, true, false);
	check_number("1e-300", 9, 0, true, false);
	check_number("1e300", 0, INT64_MAX, false, true);
	check_number("-1e99999999999", 0, -INT64_MAX, false, true);
	check_number("0e300", 0, 0, false, false);
	check_number("9223372036854775807", 0, INT64_MAX, false, false);
	check_number("9223372036854775808", 0, INT64_MAX, false, true);
	check_number("-9223372036854775807", 0, -INT64_MAX, false, false);
	check_number("18446744073709551616", 0, INT64_MAX, false, true);
	check_number("00000000000000000000000000000000007", 0, 7, false, false);
	check_number("1.00000000000000000000000000000", 0, 1, false, false);
	check_number("0.333333333333333333333333333333", 3, 333, true, false);
}

/* ---- frames --------------------------------------------------------------------------------- */

static void check_slice(struct folded_slice slice, const char *wanted)
{
	assert_int_equal(slice.length, strlen(wanted));
	if (slice.length > 0)
		assert_memory_equal(slice.bytes, wanted, slice.length);
}

static void check_frame(const char *text, bool is_austin, const char *name, const char *file,
	const char *module, uint32_t line, enum code_kind kind)
{
	const struct folded_frame frame = folded_frame_parse(text, strlen(text), is_austin);
	check_slice(frame.name, name);
	check_slice(frame.file, file);
	check_slice(frame.module, module);
	assert_int_equal(frame.line, line);
	assert_int_equal(frame.kind, kind);
	assert_int_equal(frame.is_plain, strcmp(text, name) == 0);
}

static void test_frames(void **state)
{
	(void)state;
	static const char *const plain[] = {"", "main", "f(int)", "f (int)", "a (b:)", "(x:1)",
		" (x:1)", "operator() (foo)", "f (x:1) ", "std::f(int, char):3", "[unknown]",
		"_[k]", "[k]", "`", "`f", "lib`", "a b`c", "a`b`c", "f ()", "f (.part.0)",
		"thread (0x7f)", "x_[z]", "java/lang/Foo:::bar", "a:b:3", ")", "f )", "x:)",
		"f (a.so", "P1", "-"};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		check_frame(plain[i], false, plain[i], "", "", 0, CODE_UNKNOWN);
	check_frame("run (a/b.py:12)", false, "run", "a/b.py", "", 12, CODE_PYTHON);
	check_frame("<module> (<frozen x._y>:9)", false, "<module>", "<frozen x._y>", "", 9,
		CODE_PYTHON);
	check_frame("run (b.py)", false, "run", "b.py", "", 0, CODE_PYTHON);
	check_frame("f (C:\\Program Files (x86)\\a.py:3)", false, "f",
		"C:\\Program Files (x86)\\a.py", "", 3, CODE_PYTHON);
	check_frame(
		"T<a, b> f(int) (x.cc:3)", false, "T<a, b> f(int)", "x.cc", "", 3, CODE_UNKNOWN);
	check_frame("malloc (libc.so.6)", false, "malloc", "", "libc.so.6", 0, CODE_NATIVE);
	check_frame("libc.so.1`malloc", false, "malloc", "", "libc.so.1", 0, CODE_NATIVE);
	check_frame("read_[k]", false, "read", "", "[kernel]", 0, CODE_NATIVE);
	check_frame("f (a.py:3)_[i]", false, "f (a.py:3)", "", "[inlined]", 0, CODE_UNKNOWN);
	check_frame("Foo.bar_[j]", false, "Foo.bar", "", "[jit]", 0, CODE_JIT);
	check_frame("wake_[w]", false, "wake", "", "[waker]", 0, CODE_UNKNOWN);
	check_frame("a.py:f:3", true, "f", "a.py", "", 3, CODE_PYTHON);
	check_frame("C:\\x y.py:f:3", true, "f", "C:\\x y.py", "", 3, CODE_PYTHON);
	check_frame("<frozen importlib._bootstrap>:<module>:1546", true, "<module>",
		"<frozen importlib._bootstrap>", "", 1546, CODE_PYTHON);
	check_frame(":GC:", true, ":GC:", "", "", 0, CODE_GC);
	check_frame(":INVALID:", true, ":INVALID:", "", "", 0, CODE_UNKNOWN);
	check_frame("T0:245906", true, "T0:245906", "", "", 0, CODE_UNKNOWN);
	check_frame("P1", true, "P1", "", "", 0, CODE_UNKNOWN);
	check_frame("a.py:f:12345678901", true, "a.py:f:12345678901", "", "", 0, CODE_UNKNOWN);
	assert_true(folded_frame_parse("f_[i]", 5, false).is_inlined);
	assert_int_equal(folded_frame_line("L12", 3), 12);
	assert_int_equal(folded_frame_line("L", 1), 0);
	assert_int_equal(folded_frame_line("L1x", 3), 0);
	assert_int_equal(folded_frame_line("L9999999999", 11), 0);
}

/* What is written is read as the name that it was, in whichever place. */
static void test_escapes(void **state)
{
	(void)state;
	static const char *const names[] = {"main", "a;b", ";", "#x", "  # y", "worker 12",
		"x 1.5e3", "end ", "  ", "a  7", "\\x3b", "\\x3", "\\", "\\x5cx3b", "f (a.py:3)",
		"f (b.py)", "read_[k]", "a:b:3", ":GC:", "lib`f", "L12", "L", "f (x:1)_[j]",
		"f (libc.so.6)", "P1", "T1", "12", "caf\xe9", "a`b c`d", "x 12 34", "L\\x4c"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct text text = {0}, back = {0};
		folded_frame_write(&text, names[i], strlen(names[i]), NULL, NULL);
		const struct folded_frame frame = folded_frame_parse(text.data, text.length, true);
		assert_null(memchr(text.data, ';', text.length));
		if (!frame.is_plain)
			fail_msg("%s is not plain", text.data);
		assert_int_equal(folded_frame_line(text.data, text.length), 0);
		folded_frame_unescape(frame.name, &back);
		assert_int_equal(back.length, strlen(names[i]));
		assert_memory_equal(back.data, names[i], back.length);
		text_puts(&text, " 5");
		struct folded_line line = folded_line_parse(text.data, text.length);
		assert_int_equal(line.kind, FOLDED_STACK);
		assert_int_equal(line.length, text.length - 2);
		assert_false(folded_line_split(&line));
		text_free(&text);
		text_free(&back);
	}
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void test_lines(void **state)
{
	(void)state;
	struct profile *p =
		load("\xef\xbb\xbf# head 5\r\n// other\n\n  \na;b c 1\r\na;b c\t 2\n 4\n"
		     "a;;b 8\n;a 16\nno count\n// counted 32\n  # not 7\na;b c 64");
	check_type(p, 0, "samples", "count", 127);
	assert_int_equal(p->type_count, 1);
	assert_int_equal(p->sample_count, 7);
	check_stack(p, 0, "a|||0>b c|||0");
	check_stack(p, 1, "a|||0>b c|||0");
	assert_int_equal(p->sample_stack[0], p->sample_stack[6]);
	check_stack(p, 2, "");
	check_stack(p, 3, "a|||0><empty>|||0>b|||0");
	check_stack(p, 4, "<empty>|||0>a|||0");
	check_stack(p, 5, "// counted|||0");
	assert_int_equal(p->warning_count, 1);
	assert_string_equal(p->warnings[0].class_name, "skipped-lines");
	assert_non_null(strstr(p->warnings[0].message, "1 lines"));
	assert_non_null(strstr(p->warnings[0].message, "line 10"));
	profile_free(p);
}

static void test_shared_prefixes(void **state)
{
	(void)state;
	struct profile *p =
		load("a;bc;d 1\na;bc 1\na;bcd;d 1\na;b 1\na;bc;d;e 1\na;bc;d 1\na 1\na; 1\n"
		     "a;;; 1\na;;b 1\na;bc;d 1\n");
	static const char *const wanted[] = {"a|||0>bc|||0>d|||0", "a|||0>bc|||0",
		"a|||0>bcd|||0>d|||0", "a|||0>b|||0", "a|||0>bc|||0>d|||0>e|||0",
		"a|||0>bc|||0>d|||0", "a|||0", "a|||0><empty>|||0",
		"a|||0><empty>|||0><empty>|||0><empty>|||0", "a|||0><empty>|||0>b|||0",
		"a|||0>bc|||0>d|||0"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		check_stack(p, i, wanted[i]);
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
}

static void test_utf16(void **state)
{
	(void)state;
	static const char little[] = "\xff\xfe"
				     "a\0;\0\xe9\0 \0"
				     "1\0\r\0\n\0a\0 \0"
				     "2\0;\0 \0"
				     "3";
	struct profile *p = load_bytes(little, sizeof little); /* with the NUL: "3\0" */
	check_type(p, 0, "samples", "count", 4);
	check_stack(p, 0, "a|||0>\xc3\xa9|||0");
	check_stack(p, 1, "a 2|||0><empty>|||0");
	profile_free(p);
	static const char big[] = "\xfe\xff\0a\0;\xd8\x3d\xde\0\xd8\x3d\0 \0"
				  "7\0\n";
	p = load_bytes(big, sizeof big - 1);
	check_type(p, 0, "samples", "count", 7);
	check_stack(p, 0, "a|||0>\xf0\x9f\x98\x80\xef\xbf\xbd|||0");
	profile_free(p);
}

/* Fractions are exact, whatever comes first. */
static void test_fractions(void **state)
{
	(void)state;
	struct profile *p = load("a;b 3\na;b 0.9\na;c 0.05\na;c 34.\nx -2\nx -0.5\n");
	check_type(p, 0, "samples", "count", 3795);
	assert_int_equal(p->types[0].decimals, 2);
	assert_int_equal(profile_value(p, 0, 0), 300);
	assert_int_equal(profile_value(p, 0, 1), 90);
	assert_int_equal(profile_value(p, 0, 2), 5);
	assert_int_equal(profile_value(p, 0, 3), 3400);
	assert_non_null(strstr(p->warnings[0].message, "2 lines"));
	profile_free(p);
	p = load("a;b 1\na;b 1\na;b 0.1234567891\n"); /* a tenth decimal, and weights of 1 */
	check_type(p, 0, "samples", "count", 2123456789);
	assert_int_equal(p->types[0].decimals, 9);
	assert_true(has_warning(p, "estimate"));
	profile_free(p);
	p = load(
		"a;b 9000000000000000000\na;c 0.5\n"); /* no room for decimals: rounded, and said */
	check_type(p, 0, "samples", "count", INT64_C(9000000000000000001));
	assert_true(has_warning(p, "estimate"));
	profile_free(p);
	/* Decimals that there was room for are given up where a number needs it. */
	p = load("a;b 0.125\na;b 0.25\na;c 2000000000000000000\na;d 0.5\n");
	check_type(p, 0, "samples", "count", INT64_C(2000000000000000001));
	assert_int_equal(p->types[0].decimals, 0);
	assert_true(has_warning(p, "estimate"));
	profile_free(p);
	p = load("a;b 0.125\na;b 0.25\na;c 40000000000000000\n");
	check_type(p, 0, "samples", "count", INT64_C(400000000000000004));
	assert_int_equal(p->types[0].decimals, 1);
	assert_true(has_warning(p, "estimate"));
	profile_free(p);
}

static void test_huge(void **state)
{
	(void)state;
	struct profile *p = load("a;b 9223372036854775807\na;c 99999999999999999999\n");
	check_type(p, 0, "samples", "count", INT64_MAX);
	assert_true(has_warning(p, "overflow"));
	profile_free(p);
}

static void test_signed(void **state)
{
	(void)state;
	struct profile *p = load("a;b 5\n# signed\na;c -7\n");
	check_type(p, 0, "samples", "count", -2);
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
}

static void test_differences(void **state)
{
	(void)state;
	struct profile *p = load("# made by difffolded\na;b 1 2\na;c 3 0\n");
	assert_int_equal(p->type_count, 3);
	check_type(p, 0, "before", "count", 4);
	check_type(p, 1, "after", "count", 2);
	check_type(p, 2, "difference", "count", -2);
	assert_int_equal(p->default_type, 1);
	check_stack(p, 0, "a|||0>b|||0");
	profile_free(p);
	/* The same stack twice, a line with one number, a single line: the number is of the name.
	 */
	static const char *const names[] = {
		"a;b 1 2\na;b 2 2\n", "a;b 1 2\na;c 3\n", "a;b 1 2\n", "1 2;a 3\n2 3;a 4\n"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		p = load(names[i]);
		assert_int_equal(p->type_count, 1);
		assert_string_equal(p->types[0].name, "samples");
		profile_free(p);
	}
}

/* ---- austin --------------------------------------------------------------------------------- */

#define AUSTIN_HEAD "# austin: 3.7.0\n# interval: 100\n"
#define AUSTIN_TAIL "\n# duration: 5000\n# python: 3.12.7\n"

static void test_austin(void **state)
{
	(void)state;
	struct profile *p = load(AUSTIN_HEAD "# mode: wall\n\nP1;T0:2 5\n"
					     "P1;T0:2;a.py:f:3;b.py:g:4 10\nP1;T0:2;a.py:f:5 20\n"
					     "P1;T0:2;a.py:f:5;:GC: 7" AUSTIN_TAIL);
	check_type(p, 0, "time", "nanoseconds", 42000);
	assert_int_equal(p->type_count, 1);
	assert_true(p->is_realtime && p->has_lines);
	assert_string_equal(p->interpreter, "python 3.12.7");
	check_stack(p, 0, "P1|||0>T0:2|||0");
	check_stack(p, 1, "P1|||0>T0:2|||0>f|a.py||3>g|b.py||4");
	check_stack(p, 2, "P1|||0>T0:2|||0>f|a.py||5");
	check_stack(p, 3, "P1|||0>T0:2|||0>f|a.py||5>:GC:|||0");
	assert_int_equal(p->warning_count, 0);
	profile_free(p);
	p = load(AUSTIN_HEAD "# mode: cpu\nP1;T0:2;a.py:f:3 10\n");
	check_type(p, 0, "cpu", "nanoseconds", 10000);
	assert_false(p->is_realtime);
	profile_free(p);
	p = load(AUSTIN_HEAD "# mode: memory\nP1;T0:2;a.py:f:3 4096\nP1;T0:2;a.py:f:3 -8192\n");
	check_type(p, 0, "memory", "bytes", -4096);
	profile_free(p);
	p = load("P1;T0:2;a.py:f:3 4096\nP1;T0:2;a.py:f:3 -8192\n"); /* who knows of what */
	check_type(p, 0, "samples", "count", -4096);
	assert_true(has_warning(p, "note"));
	profile_free(p);
	p = load(AUSTIN_HEAD "# mode: wall\n");
	assert_int_equal(p->sample_count, 0);
	profile_free(p);
	p = load(AUSTIN_HEAD "# mode: wall\nP1;T0:2;a.py:f:3 9223372036854775807\n");
	check_type(p, 0, "time", "nanoseconds", INT64_MAX / 1000 * 1000);
	assert_true(has_warning(p, "overflow"));
	profile_free(p);
}

static void test_austin_full(void **state)
{
	(void)state;
	static const char lines[] = "P1;T0:2;a.py:f:3 10,0,4096\nP1;T0:2;a.py:g:3 30,1,-100\n"
				    "P1;T0:2;a.py:g:3 5\nP1;T0:2;a.py:g:3 1,2\n";
	static const char *const heads[] = {"", AUSTIN_HEAD "# mode: full\n", "# mode: wall\n"};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct text text = {0};
		text_puts(&text, heads[i]);
		text_puts(&text, lines);
		struct profile *p = load(text.data);
		assert_int_equal(p->type_count, 3);
		check_type(p, 0, "time", "nanoseconds", 40000);
		check_type(p, 1, "cpu", "nanoseconds", 10000);
		check_type(p, 2, "memory", "bytes", 3996);
		assert_non_null(strstr(p->warnings[0].message, "2 lines"));
		profile_free(p);
		text_free(&text);
	}
}

/* Version 1: the line of a frame follows as a frame of its own. */
static void test_austin_1(void **state)
{
	(void)state;
	struct profile *p =
		load("Thread 7f0a;f (a.py);L12;g (b.py);L3 5\n"
		     "Thread 7f0a;f (a.py);L12;g (b.py);L4 5\n"
		     "Thread 7f0a;f (a.py);L12 5\nThread 7f0a;f (a.py);L1;g (b.py);L4 5\n"
		     "Thread 7f0a;f (a.py) 5\nThread 7f0a;L1;L2 5\n");
	static const char *const wanted[] = {"Thread 7f0a|||0>f|a.py||12>g|b.py||3",
		"Thread 7f0a|||0>f|a.py||12>g|b.py||4", "Thread 7f0a|||0>f|a.py||12",
		"Thread 7f0a|||0>f|a.py||1>g|b.py||4", "Thread 7f0a|||0>f|a.py||0",
		"Thread 7f0a|||1>L2|||0"};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		check_stack(p, i, wanted[i]);
	check_type(p, 0, "samples", "count", 30);
	profile_free(p);
}

/* ---- detection ------------------------------------------------------------------------------ */

static int sniff(const char *text)
{
	return folded_sniff((const uint8_t *)text, strlen(text));
}

static void test_detection(void **state)
{
	(void)state;
	static const char *const others[] = {"", "\n\n", "Hello, world.\n", "a;b\nc;d\n",
		"# callgrind format\nevents: Ir\nfn=(1) f\n1 200\n",
		"version: 1\nevents: Ir\nfn=f\n1 2\n",
		"desc: x\ncmd: y\ntime_unit: i\nsnapshot=0\n", "v 10500 3\nX a;b\nt 1 0\nt 2 1\n",
		"heap_v2/524288\n t*: 1: 2 [0: 0]\n", "heap profile: 1: 2 [3: 4] @ heap/1\n",
		"goroutine profile: total 5\n5 @ 0x1 0x2\n", "--- contentionz 1 ---\na;b 5\n",
		"{\"a\": 1,\n\"b\": 2\n}\n", "t 20 892.5: 2000 cpu-clock:ppp: \n\t7f0 f (x)\n",
		"<?xml version=\"1\"?>\n", "   ncalls  tottime\n 1 0.0 f.py:3(g)\n", "x -1\ny -2\n",
		"x 1.5\n"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (sniff(others[i]) != 0)
			fail_msg("%s", others[i]);
	assert_int_equal(folded_sniff((const uint8_t *)"a;b\0 5\n", 7), 0);
	assert_true(sniff("P1;T0:1 5\n") > sniff("a;b 5\n"));
	assert_true(sniff("# austin: 3.7.0\n") > sniff("a;b 5\n"));
	assert_true(sniff("a;b 5\n") > sniff("main 5\n"));
	assert_true(sniff("main 5\n") > 0);
	assert_true(sniff("[unknown];{} 5\n") > 0);
	assert_true(sniff("a;b 0.5\njunk\n") > 0);
	assert_int_equal(sniff("a;b 5\njunk\njunk\n"), 0);
	struct profile *p = load("main 5\nidle 3\n");
	assert_true(has_warning(p, "note")); /* a guess */
	profile_free(p);
}

static void test_nothing(void **state)
{
	(void)state;
	refuse("no stack\nno count\n", 18, "folded", ERROR_MALFORMED);
	refuse("a;b -5\n", 7, "folded", ERROR_MALFORMED);
	refuse("\0\0\0\0", 4, "folded", ERROR_MALFORMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_shared_prefixes),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_signed),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_austin),
		cmocka_unit_test(test_austin_full),
		cmocka_unit_test(test_austin_1),
		cmocka_unit_test(test_detection),
		cmocka_unit_test(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
