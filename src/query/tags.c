/* SPDX-License-Identifier: MIT */
/*
 * tagfocus and tagignore (numbers.md 3.3 rule 10): "[KEY=]VALUE", where the value is
 *
 *     32kb  32kb:  :32kb  32kb:2mb    numbers in a range, ends included, in units of one family
 *     anything else                   patterns with commas: without a key all of them have to match
 *                                     the text "key:value" of some label, with a key one of them a
 *                                     value of it
 *
 * What labels match is found once for each label, then once for each set from the set above it.
 */
#include "query/tags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pprof_units.h"
#include "query/labels.h"
#include "query/pattern.h"

enum { TAGS_PATTERNS = 64, TAGS_UNIT = 32 };

struct tag_filter {
	char *text;      /* a copy, in pieces */
	const char *key; /* NULL: any */
	bool is_range, has_low, has_high;
	double low, high;
	const char *unit; /* of both */
	char units[2][TAGS_UNIT];
	struct pattern *patterns[TAGS_PATTERNS];
	unsigned count;
};

/* ---- ranges --------------------------------------------------------------------------------- */

/* A number in a text: where it is, what it says, its unit. */
struct tag_number {
	const char *start, *end;
	const char *unit; /* up to `end` */
};

static bool tag_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool tag_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The first number in s: digits, a sign in front of them, letters behind. */
static bool tag_find_number(const char *s, struct tag_number *number)
{
	const char *digits = s;
	while (*digits && !tag_is_digit(*digits))
		digits++;
	if (!*digits)
		return false;
	bool has_sign = digits > s && (digits[-1] == '+' || digits[-1] == '-');
	number->start = has_sign ? digits - 1 : digits;
	while (tag_is_digit(*digits))
		digits++;
	number->unit = digits;
	while (tag_is_letter(*digits))
		digits++;
	number->end = digits;
	return true;
}

/* The value of a number, in the unit `wanted`, or its own for NULL; *shown is what it is in. */
static bool tag_scale(const struct tag_number *number, char unit[TAGS_UNIT], const char *wanted,
	double *value, const char **shown, struct vp_error *err)
{
	size_t length = (size_t)(number->end - number->unit);
	errno = 0;
	long long whole = strtoll(number->start, NULL, 10);
	if (errno == ERANGE || length >= TAGS_UNIT)
		return error_set(err, ERROR_USAGE, -1, "'%.40s' is too much for a label's number",
			number->start);
	memcpy(unit, number->unit, length);
	unit[length] = '\0';
	*value = pprof_units_scale((double)whole, unit, wanted ? wanted : unit, shown);
	return true;
}

static bool tag_is(const char *start, const char *end, const char *text)
{
	return *end == '\0' && start == text;
}

/* Whether the value is a range; false in *ok for a number that is too large. */
static bool tag_parse_range(
	struct tag_filter *filter, const char *value, bool *ok, struct vp_error *err)
{
	struct tag_number first, second;
	const char *unit;
	if (!tag_find_number(value, &first))
		return false;
	const bool has_second = tag_find_number(first.end, &second);
	const bool is_one = tag_is(first.start, first.end, value),
		   is_from = first.start == value && strcmp(first.end, ":") == 0,
		   is_to = *value == ':' && tag_is(first.start, first.end, value + 1),
		   is_both = has_second && first.start == value && *first.end == ':' &&
			     tag_is(second.start, second.end, first.end + 1);
	if (!is_one && !is_from && !is_to && !is_both)
		return false;
	*ok = tag_scale(&first, filter->units[0], NULL, &filter->low, &filter->unit, err);
	if (!*ok)
		return true;
	filter->high = filter->low;
	if (is_both) {
		*ok = tag_scale(&second, filter->units[1], filter->unit, &filter->high, &unit, err);
		if (*ok && strcmp(unit, filter->unit) != 0)
			return false; /* bytes to seconds: a pattern, if anything */
	}
	filter->has_low = !is_to;
	filter->has_high = !is_from;
	filter->is_range = true;
	return true;
}

/* ---- what was typed ------------------------------------------------------------------------- */

static void tag_filter_free(struct tag_filter *filter)
{
	for (unsigned i = 0; i < filter->count; i++)
		pattern_free(filter->patterns[i]);
	free(filter->text);
}

static bool tag_parse_patterns(struct tag_filter *filter, char *value, struct vp_error *err)
{
	for (char *next = value; next; value = next) {
		next = strchr(value, ',');
		if (next)
			*next++ = '\0';
		if (filter->count == TAGS_PATTERNS)
			return error_set(err, ERROR_USAGE, -1,
				"more than %d patterns of labels in one filter", TAGS_PATTERNS);
		filter->patterns[filter->count] = pattern_compile(value, err);
		if (!filter->patterns[filter->count])
			return false;
		filter->count++;
	}
	return true;
}

static bool tag_parse(struct tag_filter *filter, const char *text, struct vp_error *err)
{
	bool ok = true;
	filter->text = memory_copy_string(text);
	char *value = filter->text, *equals = strchr(filter->text, '=');
	if (equals) {
		*equals = '\0';
		filter->key = equals == value ? NULL : value;
		value = equals + 1;
	}
	return tag_parse_range(filter, value, &ok, err) ? ok
							: tag_parse_patterns(filter, value, err);
}

/* ---- labels --------------------------------------------------------------------------------- */

static bool tag_is_in_range(
	const struct tag_filter *filter, const struct label_keys *keys, uint32_t label)
{
	const char *shown, *unit = label_unit(keys, keys->key_of_label[label]);
	double value = pprof_units_scale(
		(double)keys->profile->labels[label].number, unit, filter->unit, &shown);
	return strcmp(shown, filter->unit) == 0 && (!filter->has_low || value >= filter->low) &&
	       (!filter->has_high || value <= filter->high);
}

/* A bit for each pattern that the text of a label matches; false where it takes too long. */
static bool tag_match_text(const struct tag_filter *filter, const struct profile *profile,
	const struct label *label, struct text *scratch, uint64_t *matched, struct vp_error *err)
{
	size_t length;
	const char *bytes = profile_string(profile, label->text, &length);
	if (!filter->key) {
		size_t key_length;
		const char *key = profile_string(profile, label->key, &key_length);
		text_clear(scratch);
		text_add(scratch, key, key_length);
		text_puts(scratch, ":");
		text_add(scratch, bytes, length);
		bytes = scratch->data;
		length = scratch->length;
	}
	for (unsigned i = 0; i < filter->count; i++) {
		int matches = pattern_matches(filter->patterns[i], bytes, length, err);
		if (matches < 0)
			return false;
		*matched |= (uint64_t)matches << i;
	}
	return true;
}

/* matched[label]: bits of the patterns that it matches; bit 0 for a range. */
static bool tag_match_labels(const struct tag_filter *filter, const struct label_keys *keys,
	uint64_t *matched, struct vp_error *err)
{
	const struct profile *profile = keys->profile;
	struct text scratch = {0};
	bool ok = true;
	for (uint32_t i = 1; ok && i < profile->label_count; i++) {
		const struct label *label = &profile->labels[i];
		if (filter->key && strcmp(profile_string(profile, label->key, NULL), filter->key))
			continue;
		if (filter->is_range)
			matched[i] = label->text == 0 && tag_is_in_range(filter, keys, i);
		else if (label->text != 0)
			ok = tag_match_text(filter, profile, label, &scratch, &matched[i], err);
	}
	text_free(&scratch);
	return ok;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static size_t tag_set_count(const struct profile *profile)
{
	return profile->set_count ? profile->set_count : 1;
}

/* matches[set]: whether a sample with these labels is what the filter says. */
static bool tag_match_sets(
	const struct label_keys *keys, const char *text, uint8_t *matches, struct vp_error *err)
{
	const struct profile *profile = keys->profile;
	const size_t count = tag_set_count(profile);
	struct tag_filter filter = {0};
	uint64_t *of_label = memory_new((size_t)profile->label_count + 1, sizeof *of_label);
	uint64_t *of_set = memory_new(count, sizeof *of_set);
	bool ok = tag_parse(&filter, text, err) && tag_match_labels(&filter, keys, of_label, err);
	const uint64_t all = filter.count ? UINT64_MAX >> (TAGS_PATTERNS - filter.count) : 1;
	const bool is_any = filter.is_range || filter.key != NULL;
	for (size_t i = 1; ok && i < count; i++) {
		of_set[i] = of_set[profile->set_parent[i]] | of_label[profile->set_label[i]];
		matches[i] = is_any ? of_set[i] != 0 : of_set[i] == all;
	}
	free(of_set);
	free(of_label);
	tag_filter_free(&filter);
	return ok;
}

bool tags_is_range(const char *filter)
{
	struct tag_filter parsed = {0};
	struct vp_error err;
	const char *equals = strchr(filter, '=');
	bool ok;
	return tag_parse_range(&parsed, equals ? equals + 1 : filter, &ok, &err);
}

bool tags_passing(const struct profile *profile, const struct query *query, uint8_t **passes,
	struct vp_error *err)
{
	const char *focus = query->filters[FILTER_TAG_FOCUS],
		   *ignore = query->filters[FILTER_TAG_IGNORE];
	const size_t count = tag_set_count(profile);
	*passes = NULL;
	if (focus && !*focus)
		focus = NULL;
	if (ignore && !*ignore)
		ignore = NULL;
	if (!focus && !ignore)
		return true;
	struct label_keys keys = label_keys_build(profile);
	uint8_t *focused = memory_new(count, 1), *ignored = memory_new(count, 1);
	bool ok = (!focus || tag_match_sets(&keys, focus, focused, err)) &&
		  (!ignore || tag_match_sets(&keys, ignore, ignored, err));
	for (size_t i = 0; ok && i < count; i++)
		focused[i] = (focused[i] || !focus) && !ignored[i];
	label_keys_free(&keys);
	free(ignored);
	if (ok)
		*passes = focused;
	else
		free(focused);
	return ok;
}
