/* SPDX-License-Identifier: MIT */
#include "base/pprof_units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* A unit and the names it goes by; a plural s is taken off before they are compared. */
struct pprof_unit {
	const char *name;
	const char *aliases[4];
	double factor;
};

enum { FAMILY_COUNT = 3, FAMILY_UNITS = 10 };

static const struct pprof_family {
	int own; /* index of the unit that is used where the one that was asked for is no help */
	struct pprof_unit units[FAMILY_UNITS];
} pprof_families[FAMILY_COUNT] = {
	{0, {{"B", {"b", "byte"}, 1}, {"kB", {"kb", "kbyte", "kilobyte"}, 0x1p10},
		    {"MB", {"mb", "mbyte", "megabyte"}, 0x1p20},
		    {"GB", {"gb", "gbyte", "gigabyte"}, 0x1p30},
		    {"TB", {"tb", "tbyte", "terabyte"}, 0x1p40},
		    {"PB", {"pb", "pbyte", "petabyte"}, 0x1p50}}},
	{3, {{"ns", {"ns", "nanosecond"}, 1}, {"us", {"us", "microsecond", "\u03bcs"}, 1e3},
		    {"ms", {"ms", "millisecond"}, 1e6}, {"s", {"s", "sec", "second"}, 1e9},
		    {"hrs", {"hour", "hr"}, 3600e9}}},
	{3, {{"n*GCU", {"nanogcu"}, 1e-9}, {"u*GCU", {"microgcu"}, 1e-6},
		    {"m*GCU", {"milligcu"}, 1e-3}, {"GCU", {"gcu"}, 1}, {"k*GCU", {"kilogcu"}, 1e3},
		    {"M*GCU", {"megagcu"}, 1e6}, {"G*GCU", {"gigagcu"}, 1e9},
		    {"T*GCU", {"teragcu"}, 1e12}, {"P*GCU", {"petagcu"}, 1e15}}},
};

static const struct pprof_unit *pprof_find_unit(
	const struct pprof_family *family, const char *name, size_t length)
{
	if (length > 2 && (name[length - 1] == 's' || name[length - 1] == 'S'))
		length--;
	for (int i = 0; i < FAMILY_UNITS && family->units[i].name; i++) {
		const char *const *aliases = family->units[i].aliases;
		for (int j = 0; j < 4 && aliases[j]; j++)
			if (strlen(aliases[j]) == length &&
				strncasecmp(aliases[j], name, length) == 0)
				return &family->units[i];
	}
	return NULL;
}

/* The largest unit of which `value`, in the smallest one, has at least one. */
static const struct pprof_unit *pprof_fitting_unit(const struct pprof_family *family, double value)
{
	const struct pprof_unit *best = NULL;
	for (int i = 0; i < FAMILY_UNITS && family->units[i].name; i++)
		if (value / family->units[i].factor >= 1)
			best = &family->units[i];
	return best;
}

static bool pprof_is_fitting(const char *wanted)
{
	return strcmp(wanted, "auto") == 0 || strcmp(wanted, "minimum") == 0;
}

double pprof_units_scale(double value, const char *unit, const char *wanted, const char **shown)
{
	const char *ignored;
	if (!shown)
		shown = &ignored;
	for (int i = 0; i < FAMILY_COUNT; i++) {
		const struct pprof_family *family = &pprof_families[i];
		const struct pprof_unit *from = pprof_find_unit(family, unit, strlen(unit));
		if (!from)
			continue;
		const double scaled = fabs(value) * from->factor;
		const struct pprof_unit *to =
			pprof_is_fitting(wanted) ? pprof_fitting_unit(family, scaled)
						 : pprof_find_unit(family, wanted, strlen(wanted));
		if (!to)
			to = &family->units[family->own];
		*shown = to->name;
		return (value < 0 ? -scaled : scaled) / to->factor;
	}
	const bool is_plain = pprof_is_fitting(wanted) || strcmp(wanted, "count") == 0 ||
			      strcmp(wanted, "sample") == 0 || strcmp(wanted, "unit") == 0;
	*shown = is_plain ? "" : wanted;
	return value;
}

/* A foreign unit's name, made fit for any text: as it is, but '?' for what is no plain character.
 */
static void pprof_add_unit(char *out, size_t room, const char *unit)
{
	const size_t size = strlen(unit);
	size_t length = 0;
	for (size_t i = 0; i < size;) {
		uint32_t c;
		size_t taken = utf8_decode(unit + i, size - i, &c);
		struct text clean = {0};
		text_clean(&clean, unit + i, taken ? taken : 1, false);
		const bool is_plain = taken > 0 && clean.length == taken && c != '"' && c != '\\';
		text_free(&clean);
		taken = taken ? taken : 1;
		if (length + taken >= room)
			break;
		if (is_plain)
			memcpy(out + length, unit + i, taken);
		else
			out[length] = '?';
		length += is_plain ? taken : 1;
		i += taken;
	}
	out[length] = '\0';
}

char *pprof_units_value(char out[UNIT_SIZE], double value, const char *unit, const char *wanted)
{
	const char *shown;
	double scaled = pprof_units_scale(value, unit, wanted ? wanted : "auto", &shown);
	int length = snprintf(out, UNIT_SIZE, "%.2f", scaled);
	if (length > 3 && length < UNIT_SIZE && strcmp(out + length - 3, ".00") == 0)
		out[length -= 3] = '\0';
	if (strcmp(out, "0") == 0 || strcmp(out, "-0") == 0)
		return strcpy(out, "0");
	if (length < UNIT_SIZE)
		pprof_add_unit(out + length, (size_t)(UNIT_SIZE - length), shown);
	return out;
}

const char *pprof_units_minimum(double least, double most, const char *unit, bool is_whole)
{
	const char *of_least, *of_most;
	if (least == 0)
		least = most;
	pprof_units_scale(least, unit, "minimum", &of_least);
	pprof_units_scale(most, unit, "minimum", &of_most);
	if (strcmp(of_least, of_most) != 0 && least * 100 < most && !is_whole)
		pprof_units_scale(least * 100, unit, "minimum", &of_least);
	return *of_least ? of_least : unit;
}

char *pprof_units_percent(char out[UNIT_SIZE], double value, double total)
{
	const double percent = total != 0 ? fabs(value / total) * 100 : 0;
	if (percent >= 99.95 && percent <= 100.05)
		snprintf(out, UNIT_SIZE, "  100%%");
	else if (percent >= 1)
		snprintf(out, UNIT_SIZE, "%5.2f%%", percent);
	else
		snprintf(out, UNIT_SIZE, "%5.2g%%", percent);
	return out;
}

int64_t pprof_units_divided(int64_t value, double divide_by)
{
	if (divide_by == 0 || divide_by == 1)
		return value;
	const double divided = (double)value * (1 / divide_by);
	return divided >= 0x1p63 ? INT64_MAX : divided < -0x1p63 ? INT64_MIN : (int64_t)divided;
}

char *pprof_units_printed(char out[UNIT_SIZE], int64_t value, unsigned decimals, const char *unit,
	double divide_by, const char *wanted)
{
	value = pprof_units_divided(value, divide_by);
	if (!wanted)
		return units_decimal(out, value, decimals, unit);
	return pprof_units_value(out, (double)value / (double)units_power(decimals), unit, wanted);
}
