/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/units.h"

#define S INT64_C(1000000000)

static char out[UNIT_SIZE];

static void test_count(void **state)
{
	(void)state;
	assert_string_equal(units_count(out, 0), "0");
	assert_string_equal(units_count(out, 999), "999");
	assert_string_equal(units_count(out, 1000), "1 000");
	assert_string_equal(units_count(out, 12360), "12 360");
	assert_string_equal(units_count(out, -1234567), "-1 234 567");
	assert_string_equal(units_count(out, INT64_MAX), "9 223 372 036 854 775 807");
	assert_string_equal(units_count(out, INT64_MIN), "-9 223 372 036 854 775 808");
}

static void test_bytes(void **state)
{
	(void)state;
	assert_string_equal(units_value(out, 0, "bytes"), "0 B");
	assert_string_equal(units_value(out, 1023, "bytes"), "1023 B");
	assert_string_equal(units_value(out, 1024, "bytes"), "1.00 KiB");
	assert_string_equal(units_value(out, 320 << 20, "bytes"), "320 MiB");
	assert_string_equal(units_value(out, INT64_C(3072000000), "bytes"), "2.86 GiB");
	/* No "1024 MiB": the next unit begins where it would be printed. */
	assert_string_equal(units_value(out, (INT64_C(1) << 30) - 1, "bytes"), "1.00 GiB");
	assert_string_equal(units_value(out, -1024, "bytes"), "-1.00 KiB");
	assert_string_equal(units_value(out, INT64_MAX, "bytes"), "8.00 EiB");
}

static void test_other_units(void **state)
{
	(void)state;
	assert_string_equal(units_value(out, 12360, "count"), "12 360");
	assert_string_equal(units_value(out, 7, "apples"), "7 apples");
	/* A unit is foreign text of any length. */
	char unit[200];
	memset(unit, 'u', sizeof unit - 1);
	unit[sizeof unit - 1] = 0;
	assert_true(strlen(units_value(out, INT64_MIN, unit)) < UNIT_SIZE);
}

static void test_percent(void **state)
{
	(void)state;
	assert_string_equal(units_percent(out, 0, 0), "0%");
	assert_string_equal(units_percent(out, 1, 0), "0%");
	assert_string_equal(units_percent(out, 0, 5), "0%");
	assert_string_equal(units_percent(out, 5, 5), "100%");
	assert_string_equal(units_percent(out, 123, 1000), "12.3%");
	assert_string_equal(units_percent(out, -123, 1000), "12.3%");
	assert_string_equal(units_percent(out, 1, 2000), "0.05%");
	assert_string_equal(units_percent(out, 1, 1e9), "<0.01%");
	/* Just below and above the borders of its forms: never 1.00% nor 100.0%. */
	assert_string_equal(units_percent(out, 9949, 1000000), "1.0%");
	assert_string_equal(units_percent(out, 99951, 100000), "100%");
	assert_string_equal(units_percent(out, 150, 100), "150.0%");
}

static void test_duration(void **state)
{
	(void)state;
	assert_string_equal(units_duration(out, 0), "0 s");
	assert_string_equal(units_duration(out, 5), "5 ns");
	assert_string_equal(units_duration(out, 12000000), "12.0 ms");
	assert_string_equal(units_duration(out, 93600 * S / 1000), "93.6 s");
	assert_string_equal(units_duration(out, (41 * 60 + 12) * S), "41m12s");
	assert_string_equal(units_duration(out, 3900 * S), "1h05m");
	/* Rounding goes on into the next unit. */
	assert_string_equal(units_duration(out, 999999999), "1.00 s");
	assert_string_equal(units_duration(out, 3600 * S - 1), "1h00m");
	assert_string_equal(units_duration(out, 7199 * S), "2h00m");
	assert_string_equal(units_duration(out, 119 * S + 600000000), "2m00s");
	units_duration(out, INT64_MAX);
	units_duration(out, INT64_MIN);
}

static void test_elapsed(void **state)
{
	(void)state;
	assert_string_equal(units_elapsed(out, 0, S), "+0s");
	assert_string_equal(units_elapsed(out, (25 * 60 + 50) * S, S), "+25m50s");
	assert_string_equal(units_elapsed(out, 3780 * S + 20 * S + S / 2, S / 10), "+1h03m20.5s");
	/* A moment is cut, never rounded up: it is not later than it is. */
	assert_string_equal(units_elapsed(out, 59 * S + 999999999, S), "+59s");
	assert_string_equal(units_elapsed(out, 250 * 1000 * 1000, S / 100), "+0.25s");
	assert_true(strlen(units_elapsed(out, INT64_MAX, 1)) < UNIT_SIZE);
}

static void test_clock(void **state)
{
	(void)state;
	int32_t shown = -1;
	int64_t moment = INT64_C(1480411805) * S + 123456000; /* 2016-11-29T09:30:05.123456Z */
	assert_string_equal(
		units_clock(out, moment, true, 7200, S, CLOCK_TIME, &shown), "11:30:05");
	assert_int_equal(shown, 7200);
	assert_string_equal(
		units_clock(out, moment, true, 7200, S / 1000, CLOCK_TIME, NULL), "11:30:05.123");
	assert_string_equal(
		units_clock(out, moment, true, 0, S, CLOCK_DATE_TIME, NULL), "2016-11-29 09:30:05");
	assert_string_equal(units_iso8601(out, moment, 7200), "2016-11-29T11:30:05.123456+02:00");
	assert_string_equal(units_iso8601(out, moment, -12600), "2016-11-29T06:00:05.123456-03:30");
	assert_string_equal(units_zone(out, 7200), "UTC+02:00");
	assert_string_equal(units_zone(out, 0), "UTC+00:00");
	assert_string_equal(units_zone(out, -12600), "UTC-03:30");
	/* Before 1970, and midnight. */
	assert_string_equal(units_iso8601(out, -1, 0), "1969-12-31T23:59:59.999999+00:00");
	assert_string_equal(
		units_clock(out, -1, true, 0, S, CLOCK_DATE_TIME, NULL), "1969-12-31 23:59:59");
	assert_true(strlen(units_iso8601(out, INT64_MAX, 86399)) < UNIT_SIZE);
	assert_true(strlen(units_iso8601(out, INT64_MIN, -86399)) < UNIT_SIZE);
}

/* The hour that comes twice: 2021-10-31 in Berlin. */
static void test_local_zone(void **state)
{
	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	int64_t before = INT64_C(1635640200) * S, after = INT64_C(1635643800) * S;
	int32_t a, b;
	assert_string_equal(units_clock(out, before, false, 0, S, CLOCK_TIME, &a), "02:30:00");
	assert_string_equal(units_clock(out, after, false, 0, S, CLOCK_TIME, &b), "02:30:00");
	assert_int_equal(a, 7200);
	assert_int_equal(b, 3600);
	assert_int_equal(units_local_offset(before), 7200);
	setenv("TZ", "UTC", 1);
	tzset();
}

static void check_iso(const char *text, int64_t unix_ns, bool has_offset, int32_t offset_s)
{
	int64_t ns = -1;
	bool has = !has_offset;
	int32_t offset = -1;
	assert_true(units_parse_iso8601(text, &ns, &has, &offset));
	assert_int_equal(ns, unix_ns);
	assert_int_equal(has, has_offset);
	assert_int_equal(offset, offset_s);
}

static void test_parse_iso8601(void **state)
{
	(void)state;
	int64_t second = INT64_C(1473859753) * S; /* 2016-09-14T13:29:13Z */
	check_iso("2016-09-14T13:29:13Z", second, true, 0);
	check_iso("2016-09-14T13:29:13", second, false, 0);
	check_iso("2016-09-14 13:29:13", second, false, 0);
	check_iso("2016-09-14T13:29:13.123456+00:00", second + 123456000, true, 0);
	check_iso("2016-09-14T15:29:13+02:00", second, true, 7200);
	check_iso("2016-09-14T15:29:13+0200", second, true, 7200);
	check_iso("2016-09-14T09:59:13-03:30", second, true, -12600);
	check_iso("2016-09-14T13:29", second - 13 * S, false, 0);
	check_iso("2016-09-14T13:29:13.1234567891234Z", second + 123456789, true, 0);
	check_iso("1969-12-31T23:59:59Z", -S, true, 0);
	static const char *const bad[] = {"", "2016", "2016-09", "2016-13-01T00:00:00",
		"2016-09-14T25:00:00", "2016-09-14T13:29:13+2", "2016-09-14T13:29:13 CET",
		"2016-09-14T13:29:13Zx", "16-09-14T13:29:13", "\xff",
		"2016-09-14T13:", "2016-09-00T00:00:00", "9999-12-31T23:59:59Z"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t ns;
		bool has;
		int32_t offset;
		assert_false(units_parse_iso8601(bad[i], &ns, &has, &offset));
	}
}

static void check_size(const char *text, uint64_t expected)
{
	uint64_t bytes = 1;
	assert_true(units_parse_size(text, &bytes));
	assert_int_equal(bytes, expected);
}

static void test_parse_size(void **state)
{
	(void)state;
	check_size("512", 512);
	check_size("64k", 64 << 10);
	check_size("4M", 4 << 20);
	check_size("8G", UINT64_C(8) << 30);
	check_size("8GiB", UINT64_C(8) << 30);
	check_size("8gb", UINT64_C(8) << 30);
	check_size("100B", 100);
	check_size("1.5k", 1536);
	static const char *const bad[] = {
		"", "k", "-1", "8X", "8GiBs", "1e30", "99999999T", "8 G", "inf"};
	uint64_t bytes;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(units_parse_size(bad[i], &bytes));
}

static void check_duration(const char *text, int64_t expected)
{
	int64_t ns = -1;
	assert_true(units_parse_duration(text, &ns));
	assert_int_equal(ns, expected);
}

static void test_parse_duration(void **state)
{
	(void)state;
	check_duration("90", 90 * S);
	check_duration("1.5s", 3 * S / 2);
	check_duration("20m", 1200 * S);
	check_duration("1h3m", 3780 * S);
	check_duration("1h3m20s", 3800 * S);
	check_duration("250ms", S / 4);
	check_duration("10us", 10000);
	check_duration("5ns", 5);
	check_duration("0", 0);
	static const char *const bad[] = {
		"", "h", "1x", "-5s", "1h-3m", "9999999999999999h", "1 h", "."};
	int64_t ns;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(units_parse_duration(bad[i], &ns));
}

static void test_add_saturates(void **state)
{
	(void)state;
	bool overflow = false;
	assert_int_equal(units_add(2, 3, &overflow), 5);
	assert_int_equal(units_add(INT64_MAX, -1, &overflow), INT64_MAX - 1);
	assert_false(overflow);
	assert_int_equal(units_add(INT64_MAX, 1, &overflow), INT64_MAX);
	assert_true(overflow);
	assert_int_equal(units_add(1, 1, &overflow), 2);
	assert_true(overflow); /* stays */
	assert_int_equal(units_add(INT64_MIN, -1, &overflow), INT64_MIN);
}

static void test_error(void **state)
{
	(void)state;
	struct vp_error err = {0};
	assert_false(error_set(&err, ERROR_LIMIT, 42, "at %d", 42));
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_int_equal(err.offset, 42);
	assert_string_equal(err.message, "at 42");
	assert_false(error_set(NULL, ERROR_LIMIT, 42, "nobody listens"));
	char text[2000];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = 0;
	assert_false(error_set(&err, ERROR_IO, -1, "%s", text));
	assert_true(strlen(err.message) < sizeof err.message);
	static const struct {
		enum error_class code;
		const char *name;
	} names[] = {{ERROR_EMPTY, "empty"}, {ERROR_TRUNCATED, "truncated"},
		{ERROR_MALFORMED, "malformed"}, {ERROR_UNRECOGNIZED, "unrecognized"},
		{ERROR_COMPRESSION, "unsupported-compression"},
		{ERROR_ENCODING, "unsupported-encoding"}, {ERROR_VERSION, "unsupported-version"},
		{ERROR_INCOMPATIBLE, "incompatible"}, {ERROR_OVERFLOW, "overflow"},
		{ERROR_LIMIT, "limit"}, {ERROR_IO, "io"}, {ERROR_USAGE, "usage"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(error_class_name(names[i].code), names[i].name);
}

/* Values that count tenths, hundredths, ... of their unit. */
static void test_decimals(void **state)
{
	(void)state;
	assert_string_equal(units_decimal(out, 125, 1, "count"), "12.5");
	assert_string_equal(units_decimal(out, -5, 1, "count"), "-0.5");
	assert_string_equal(units_decimal(out, 120, 1, "count"), "12");
	assert_string_equal(units_decimal(out, 12360250, 3, "count"), "12 360.25");
	assert_string_equal(units_decimal(out, INT64_MIN, 9, "count"), "-9 223 372 036.854775808");
	assert_string_equal(units_decimal(out, 5, 1, "widgets"), "0.5 widgets");
	assert_string_equal(units_decimal(out, 10240, 1, "bytes"), "1.00 KiB");
	assert_string_equal(units_decimal(out, 7, 0, "count"), "7");
	assert_string_equal(units_plain(out, 125, 2), "1.25");
	assert_string_equal(units_plain(out, -5, 3), "-0.005");
	assert_string_equal(units_plain(out, -5, 0), "-5");
	assert_string_equal(units_plain(out, INT64_MIN, 2), "-92233720368547758.08");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimals),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_other_units),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_elapsed),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_local_zone),
		cmocka_unit_test(test_parse_iso8601),
		cmocka_unit_test(test_parse_size),
		cmocka_unit_test(test_parse_duration),
		cmocka_unit_test(test_add_saturates),
		cmocka_unit_test(test_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
