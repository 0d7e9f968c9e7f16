/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* tm_gmtoff, timegm */
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)

char *units_count(char out[UNIT_SIZE], int64_t value)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%lld", (long long)value);
	int first = digits[0] == '-', n = 0;
	for (int i = 0; i < length; i++) {
		if (i > first && (length - i) % 3 == 0)
			out[n++] = ' ';
		out[n++] = digits[i];
	}
	out[n] = 0;
	return out;
}

/* Three significant digits and no exponent: 1.84, 12.3, 320. */
static void units_scaled(char out[UNIT_SIZE], double value, const char *unit)
{
	double size = fabs(value);
	int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
	snprintf(out, UNIT_SIZE, "%.*f %s", decimals, value, unit);
}

static void units_bytes(char out[UNIT_SIZE], int64_t value)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double scaled = (double)value;
	size_t i = 0;
	/* 1023.5 MiB would print as "1024 MiB": go on to 1.00 GiB. */
	while (fabs(scaled) >= 1023.5 && i < 6) {
		scaled /= 1024;
		i++;
	}
	if (i == 0)
		snprintf(out, UNIT_SIZE, "%lld B", (long long)value);
	else
		units_scaled(out, scaled, names[i]);
}

char *units_value(char out[UNIT_SIZE], int64_t value, const char *unit)
{
	if (strcmp(unit, "bytes") == 0)
		units_bytes(out, value);
	else if (strcmp(unit, "nanoseconds") == 0)
		units_duration(out, value);
	else if (strcmp(unit, "count") == 0)
		units_count(out, value);
	else
		snprintf(out, UNIT_SIZE, "%lld %.20s", (long long)value, unit);
	return out;
}

int64_t units_power(unsigned decimals)
{
	int64_t power = 1;
	while (decimals-- > 0)
		power *= 10;
	return power;
}

char *units_plain(char out[UNIT_SIZE], int64_t value, unsigned decimals)
{
	char digits[32];
	const unsigned long long size =
		value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
	const int length = snprintf(digits, sizeof digits, "%0*llu", (int)decimals + 1, size);
	const int whole = length - (int)decimals;
	snprintf(out, UNIT_SIZE, "%s%.*s%s%s", value < 0 ? "-" : "", whole, digits,
		decimals > 0 ? "." : "", digits + whole);
	return out;
}

char *units_decimal(char out[UNIT_SIZE], int64_t value, unsigned decimals, const char *unit)
{
	char plain[UNIT_SIZE];
	const int64_t power = units_power(decimals);
	const bool is_scaled = strcmp(unit, "bytes") == 0 || strcmp(unit, "nanoseconds") == 0;
	if (decimals == 0 || value % power == 0 || is_scaled)
		return units_value(out, value / power, unit);
	units_count(out, value / power);
	units_plain(plain, value % power, decimals);
	size_t length = strlen(plain);
	while (plain[length - 1] == '0')
		plain[--length] = '\0';
	const char *fraction = strchr(plain, '.');
	if (value < 0 && value > -power) /* the 0 before the point has lost its sign */
		strcpy(out, "-0");
	length = strlen(out);
	snprintf(out + length, UNIT_SIZE - length, "%s", fraction);
	if (strcmp(unit, "count") != 0) {
		length = strlen(out);
		snprintf(out + length, UNIT_SIZE - length, " %.20s", unit);
	}
	return out;
}

char *units_percent(char out[UNIT_SIZE], double value, double total)
{
	double percent = total != 0 ? fabs(value / total) * 100 : 0;
	if (percent >= 99.95 && percent < 100.05)
		snprintf(out, UNIT_SIZE, "100%%");
	else if (percent == 0)
		snprintf(out, UNIT_SIZE, "0%%");
	else if (percent < 0.95)
		snprintf(out, UNIT_SIZE, percent < 0.0095 ? "<0.01%%" : "%.2f%%", percent);
	else
		snprintf(out, UNIT_SIZE, "%.1f%%", percent);
	return out;
}

char *units_duration(char out[UNIT_SIZE], int64_t ns)
{
	const char *sign = ns < 0 ? "-" : "";
	double s = fabs((double)ns) / (double)NS_PER_S;
	int64_t whole = (int64_t)(s + 0.5);
	if (ns == 0)
		snprintf(out, UNIT_SIZE, "0 s");
	else if (s < 0.9995e-6)
		snprintf(out, UNIT_SIZE, "%lld ns", (long long)ns);
	else if (s < 0.9995e-3)
		units_scaled(out, (double)ns / 1e3, "us");
	else if (s < 0.9995)
		units_scaled(out, (double)ns / 1e6, "ms");
	else if (s < 119.5)
		units_scaled(out, (double)ns / 1e9, "s");
	else if (whole < 3600)
		snprintf(out, UNIT_SIZE, "%s%lldm%02llds", sign, (long long)(whole / 60),
			(long long)(whole % 60));
	else
		snprintf(out, UNIT_SIZE, "%s%lldh%02lldm", sign, (long long)((whole + 30) / 3600),
			(long long)((whole + 30) / 60 % 60));
	return out;
}

/* Decimals of seconds that tell moments `step_ns` apart from each other. */
static int units_decimals(int64_t step_ns)
{
	int decimals = 0;
	for (int64_t unit = NS_PER_S; step_ns > 0 && step_ns < unit && decimals < 6; unit /= 10)
		decimals++;
	return decimals;
}

static int64_t units_round(int64_t ns, int decimals)
{
	int64_t unit = NS_PER_S;
	for (int i = 0; i < decimals; i++)
		unit /= 10;
	int64_t rest = ns % unit;
	return rest < 0 ? ns - rest - unit : ns - rest;
}

/* ".25" of a second, or nothing; ns in [0, 1e9) */
static void units_fraction(char out[16], int64_t ns, int decimals)
{
	out[0] = 0;
	if (decimals == 0)
		return;
	char digits[16];
	snprintf(digits, sizeof digits, "%09d", (int)ns);
	snprintf(out, 16, ".%.*s", decimals, digits);
}

char *units_elapsed(char out[UNIT_SIZE], int64_t ns, int64_t step_ns)
{
	int decimals = units_decimals(step_ns);
	ns = units_round(ns < 0 ? 0 : ns, decimals);
	int64_t s = ns / NS_PER_S;
	char fraction[16], seconds[40];
	units_fraction(fraction, ns % NS_PER_S, decimals);
	snprintf(seconds, sizeof seconds, s >= 60 ? "%02d%s" : "%d%s", (int)(s % 60), fraction);
	if (s >= 3600)
		snprintf(out, UNIT_SIZE, "+%lldh%02dm%ss", (long long)(s / 3600),
			(int)(s / 60 % 60), seconds);
	else if (s >= 60)
		snprintf(out, UNIT_SIZE, "+%dm%ss", (int)(s / 60), seconds);
	else
		snprintf(out, UNIT_SIZE, "+%ss", seconds);
	return out;
}

/* Seconds since 1970, rounded down, so that times before it work too. */
static int64_t units_seconds(int64_t ns, int64_t *rest)
{
	int64_t s = ns / NS_PER_S, r = ns % NS_PER_S;
	if (r < 0) {
		s--;
		r += NS_PER_S;
	}
	*rest = r;
	return s;
}

int32_t units_local_offset(int64_t unix_ns)
{
	int64_t rest;
	time_t t = (time_t)units_seconds(unix_ns, &rest);
	struct tm tm;
	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

static struct tm units_calendar(int64_t unix_ns, int32_t offset_s, int64_t *rest)
{
	time_t t = (time_t)(units_seconds(unix_ns, rest) + offset_s);
	struct tm tm = {0};
	gmtime_r(&t, &tm);
	return tm;
}

char *units_clock(char out[UNIT_SIZE], int64_t unix_ns, bool has_offset, int32_t offset_s,
	int64_t step_ns, enum clock_format format, int32_t *shown_offset_s)
{
	int decimals = units_decimals(step_ns);
	unix_ns = units_round(unix_ns, decimals);
	if (!has_offset)
		offset_s = units_local_offset(unix_ns);
	if (shown_offset_s)
		*shown_offset_s = offset_s;
	int64_t rest;
	struct tm tm = units_calendar(unix_ns, offset_s, &rest);
	char date[32] = "", fraction[16];
	if (format == CLOCK_DATE_TIME)
		strftime(date, sizeof date, "%Y-%m-%d ", &tm);
	units_fraction(fraction, rest, decimals);
	snprintf(out, UNIT_SIZE, "%s%02d:%02d:%02d%s", date, tm.tm_hour, tm.tm_min, tm.tm_sec,
		fraction);
	return out;
}

/* "+02:00" */
static void units_offset(char out[16], int32_t offset_s)
{
	int32_t minutes = abs(offset_s) / 60;
	snprintf(out, 16, "%c%02d:%02d", offset_s < 0 ? '-' : '+', (int)(minutes / 60 % 100),
		(int)(minutes % 60));
}

char *units_iso8601(char out[UNIT_SIZE], int64_t unix_ns, int32_t offset_s)
{
	int64_t rest;
	struct tm tm = units_calendar(unix_ns, offset_s, &rest);
	char date[32], zone[16];
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
	units_offset(zone, offset_s);
	snprintf(out, UNIT_SIZE, "%s.%06d%s", date, (int)(rest / 1000), zone);
	return out;
}

char *units_zone(char out[UNIT_SIZE], int32_t offset_s)
{
	char zone[16];
	units_offset(zone, offset_s);
	snprintf(out, UNIT_SIZE, "UTC%s", zone);
	return out;
}

/* ---- parsing --------------------------------------------------------- */

/* Exactly `count` digits at *s as a number, -1 where they are not there. */
static int units_digits(const char **s, int count)
{
	int value = 0;
	for (int i = 0; i < count; i++) {
		if (!isdigit((unsigned char)(*s)[i]))
			return -1;
		value = value * 10 + ((*s)[i] - '0');
	}
	*s += count;
	return value;
}

/* ".123" at *s in ns; 0 where there is none. */
static int64_t units_parse_fraction(const char **s)
{
	if (**s != '.' && **s != ',')
		return 0;
	++*s;
	int64_t ns = 0, unit = NS_PER_S / 10;
	for (; isdigit((unsigned char)**s); ++*s, unit /= 10)
		ns += (**s - '0') * unit;
	return ns;
}

/* Z, +HH:MM, +HHMM, +HH or nothing. */
static bool units_parse_zone(const char *s, bool *has_offset, int32_t *offset_s)
{
	*has_offset = *s != 0;
	*offset_s = 0;
	if (*s == 0 || ((*s == 'Z' || *s == 'z') && s[1] == 0))
		return true;
	if (*s != '+' && *s != '-')
		return false;
	int sign = *s++ == '-' ? -1 : 1;
	int hours = units_digits(&s, 2);
	if (*s == ':')
		s++;
	int minutes = *s ? units_digits(&s, 2) : 0;
	if (hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
		return false;
	if (*s == ':') { /* Python writes seconds of an offset, too */
		s++;
		if (units_digits(&s, 2) < 0)
			return false;
	}
	*offset_s = sign * (hours * 3600 + minutes * 60);
	return *s == 0;
}

bool units_parse_iso8601(const char *s, int64_t *unix_ns, bool *has_offset, int32_t *offset_s)
{
	struct tm tm = {0};
	tm.tm_year = units_digits(&s, 4) - 1900;
	bool ok = tm.tm_year >= -1900 && *s++ == '-';
	ok = ok && (tm.tm_mon = units_digits(&s, 2) - 1) >= 0 && tm.tm_mon < 12 && *s++ == '-';
	ok = ok && (tm.tm_mday = units_digits(&s, 2)) >= 1 && tm.tm_mday <= 31;
	if (!ok)
		return false;
	int64_t fraction = 0;
	if (*s == 'T' || *s == 't' || *s == ' ') {
		s++;
		tm.tm_hour = units_digits(&s, 2);
		if (tm.tm_hour < 0 || tm.tm_hour > 24 || *s++ != ':')
			return false;
		tm.tm_min = units_digits(&s, 2);
		if (tm.tm_min < 0 || tm.tm_min > 59)
			return false;
		if (*s == ':') {
			s++;
			tm.tm_sec = units_digits(&s, 2);
			if (tm.tm_sec < 0 || tm.tm_sec > 60)
				return false;
			fraction = units_parse_fraction(&s);
		}
	}
	if (!units_parse_zone(s, has_offset, offset_s))
		return false;
	int64_t seconds = (int64_t)timegm(&tm) - *offset_s;
	if (seconds > INT64_MAX / NS_PER_S - 1 || seconds < INT64_MIN / NS_PER_S + 1)
		return false;
	*unix_ns = seconds * NS_PER_S + fraction;
	return true;
}

bool units_parse_size(const char *s, uint64_t *bytes)
{
	char *end;
	if (!isdigit((unsigned char)*s))
		return false;
	double value = strtod(s, &end);
	static const char letters[] = "bkmgtp";
	const char *letter = *end ? strchr(letters, tolower((unsigned char)*end)) : letters;
	if (!letter)
		return false;
	if (*end)
		end++;
	if (*letter != 'b' && (*end == 'i' || *end == 'I'))
		end++;
	if (*letter != 'b' && (*end == 'b' || *end == 'B'))
		end++;
	value = ldexp(value, 10 * (int)(letter - letters));
	if (*end || value >= 0x1p63)
		return false;
	*bytes = (uint64_t)value;
	return true;
}

/* Nanoseconds of a unit at *s, and steps over it; 0 where it is none. */
static double units_time_unit(const char **s)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"min", 60e9}, {"m", 60e9}, {"s", 1e9},
		{"h", 3600e9}, {"d", 86400e9}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t length = strlen(units[i].name);
		if (strncmp(*s, units[i].name, length) == 0) {
			*s += length;
			return units[i].ns;
		}
	}
	return 0;
}

bool units_parse_duration(const char *s, int64_t *ns)
{
	double sum = 0;
	if (!*s)
		return false;
	while (*s) {
		char *end;
		if (!isdigit((unsigned char)*s) && *s != '.')
			return false;
		double value = strtod(s, &end);
		if (end == s)
			return false;
		s = end;
		double unit = *s ? units_time_unit(&s) : 1e9;
		if (unit == 0)
			return false;
		sum += value * unit;
	}
	if (!(sum < 9.2e18))
		return false;
	*ns = (int64_t)(sum + 0.5);
	return true;
}
