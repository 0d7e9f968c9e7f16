/* SPDX-License-Identifier: MIT */
/* What several profiles have in common: types of values, and what they say of themselves. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "derive/sums.h"

/* ---- types --------------------------------------------------------------------------- */

static bool shared_can_add(const struct value_type *type)
{
	return type->kind != VALUE_GAUGE;
}

/* The type of that name; type_count where there is none. */
static unsigned shared_look(const struct profile *profile, const char *name)
{
	unsigned i = 0;
	while (i < profile->type_count &&
		(strcmp(profile->types[i].name, name) != 0 || !shared_can_add(&profile->types[i])))
		i++;
	return i;
}

static int64_t shared_power(unsigned decimals)
{
	int64_t power = 1;
	while (decimals-- > 0)
		power *= 10;
	return power;
}

/*
 * The finer of two units: scales are 1 us, 1 ms, 1 KiB and such, each a multiple of the smaller
 * ones of its family. Values that are made from others (samples x period) are in the base unit.
 */
static void shared_refine(struct value_type *type, const struct value_type *other)
{
	const int64_t scale = other->source == VALUE_COLUMN ? other->scale : 1;
	if (type->source != VALUE_COLUMN)
		type->scale = 1;
	type->scale = scale < type->scale ? scale : type->scale;
	type->decimals = other->decimals > type->decimals ? other->decimals : type->decimals;
	type->source = VALUE_COLUMN;
}

/* The type of the first profile in all of them; false where one does not have it. */
static bool shared_try(struct shared *shared, const struct value_type *first, bool *fits,
	size_t *bad, struct vp_error *err)
{
	struct shared_type *found = &shared->types[shared->count];
	found->type = *first;
	*fits = true;
	for (size_t p = 0; p < shared->profile_count; p++) {
		const struct profile *profile = shared->profiles[p];
		const unsigned index = shared_look(profile, first->name);
		if (index == profile->type_count)
			return false;
		const struct value_type *type = &profile->types[index];
		found->of[p] = index;
		*bad = p;
		*fits = strcmp(type->unit, first->unit) == 0;
		if (!*fits)
			return error_set(err, ERROR_INCOMPATIBLE, -1,
				"%.60s is counted in %.40s here and in %.40s in the first profile",
				first->name, type->unit, first->unit);
		shared_refine(&found->type, type);
	}
	found->type.column = shared->count;
	return true;
}

/* The names of the types that a profile has. */
static void shared_list(const struct profile *profile, struct text *out)
{
	for (unsigned i = 0; i < profile->type_count && i < 8; i++)
		text_printf(out, "%s%.40s", i > 0 ? ", " : "", profile->types[i].name);
}

static bool shared_refuse(const struct shared *shared, size_t *bad, struct vp_error *err)
{
	struct text first = {0}, other = {0};
	for (size_t p = 1; p < shared->profile_count && *bad == 0; p++) {
		bool has_one = false;
		for (unsigned i = 0; i < shared->profiles[0]->type_count; i++) {
			const struct value_type *type = &shared->profiles[0]->types[i];
			has_one |= shared_can_add(type) &&
				   shared_look(shared->profiles[p], type->name) <
					   shared->profiles[p]->type_count;
		}
		*bad = has_one ? 0 : p;
	}
	shared_list(shared->profiles[0], &first);
	shared_list(shared->profiles[*bad], &other);
	error_set(err, ERROR_INCOMPATIBLE, -1,
		"has no value type in common with the first profile: %.100s there, %.100s here",
		first.data ? first.data : "none", other.data ? other.data : "none");
	text_free(&first);
	text_free(&other);
	return false;
}

/* What a function is differs: a name in some formats, a place in a file in others. */
static bool shared_check_formats(const struct shared *shared, size_t *bad, struct vp_error *err)
{
	const struct profile *first = shared->profiles[0];
	for (size_t p = 1; p < shared->profile_count; p++) {
		const struct profile *profile = shared->profiles[p];
		if (profile->is_name_function == first->is_name_function)
			continue;
		*bad = p;
		return error_set(err, ERROR_INCOMPATIBLE, -1,
			"is a %s profile, and the first one %s: their functions cannot be told to be the same",
			profile->format, first->format);
	}
	return true;
}

static bool shared_check_periods(const struct shared *shared, size_t *bad, struct vp_error *err)
{
	const struct profile *known = NULL;
	for (size_t p = 0; p < shared->profile_count; p++) {
		const struct profile *profile = shared->profiles[p];
		if (!profile->period_type)
			continue;
		if (known && strcmp(known->period_type, profile->period_type) != 0) {
			*bad = p;
			return error_set(err, ERROR_INCOMPATIBLE, -1,
				"is sampled by %.60s, and the first profile by %.60s",
				profile->period_type, known->period_type);
		}
		known = known ? known : profile;
	}
	return true;
}

bool shared_find(struct shared *shared, const struct profile *const *profiles, size_t count,
	size_t *bad, struct vp_error *err)
{
	const struct profile *first = profiles[0];
	*shared = (struct shared){.profiles = profiles, .profile_count = count};
	*bad = 0;
	if (!shared_check_formats(shared, bad, err) || !shared_check_periods(shared, bad, err))
		return false;
	bool has_default = false;
	for (unsigned i = 0; i < first->type_count && shared->count < MAX_FILE_TYPES; i++) {
		struct shared_type *type = &shared->types[shared->count];
		bool fits;
		if (!shared_can_add(&first->types[i]))
			continue;
		if (!type->of)
			type->of = memory_new(count, sizeof *type->of);
		if (shared_try(shared, &first->types[i], &fits, bad, err)) {
			has_default |= i == first->default_type;
			if (!has_default || i == first->default_type)
				shared->default_type = shared->count;
			shared->count++;
		} else if (!fits) {
			return false;
		}
	}
	*bad = 0;
	return shared->count > 0 || shared_refuse(shared, bad, err);
}

void shared_free(struct shared *shared)
{
	for (unsigned i = 0; i < MAX_FILE_TYPES; i++)
		free(shared->types[i].of);
	*shared = (struct shared){0};
}

void shared_add_type(struct builder *builder, const struct value_type *type, const char *prefix,
	enum value_part part)
{
	const unsigned i = builder->own_type_count;
	struct text name = {0};
	text_printf(&name, "%s%s", prefix ? prefix : "", type->name);
	if (builder_type(builder, name.data, type->unit, type->kind, type->scale)) {
		builder->own_types[i].decimals = type->decimals;
		builder->own_types[i].part = part;
	}
	text_free(&name);
}

int64_t shared_value(const struct shared *shared, unsigned type, size_t p, size_t i)
{
	const struct shared_type *wanted = &shared->types[type];
	const struct profile *profile = shared->profiles[p];
	const unsigned index = wanted->of[p];
	int64_t value = profile_value(profile, index, i) / wanted->type.scale, scaled;
	const int64_t power = shared_power(wanted->type.decimals - profile->types[index].decimals);
	if (!__builtin_mul_overflow(value, power, &scaled))
		return scaled;
	return value < 0 ? INT64_MIN : INT64_MAX;
}

/* ---- what they say of themselves ----------------------------------------------------- */

static bool shared_has_line(const struct text *lines, const char *line, size_t length)
{
	for (size_t at = 0; at < lines->length;) {
		const char *end = memchr(lines->data + at, '\n', lines->length - at);
		const size_t size = end ? (size_t)(end - lines->data) - at : lines->length - at;
		if (size == length && memcmp(lines->data + at, line, length) == 0)
			return true;
		at += size + 1;
	}
	return false;
}

/* Lines of all, each once; a file of very many lines is taken as it is. */
static void shared_comments(
	struct builder *builder, const struct profile *const *profiles, size_t count)
{
	enum { MOST = 64 * 1024 };
	struct text lines = {0};
	for (size_t p = 0; p < count; p++) {
		const char *next = profiles[p]->comments;
		while (next && lines.length < MOST) {
			const char *end = strchr(next, '\n');
			const size_t length = end ? (size_t)(end - next) : strlen(next);
			if (!shared_has_line(&lines, next, length)) {
				text_puts(&lines, lines.length > 0 ? "\n" : "");
				text_add(&lines, next, length);
			}
			next = end ? end + 1 : NULL;
		}
	}
	builder->profile->comments =
		lines.length > 0 ? builder_text(builder, lines.data, lines.length) : NULL;
	text_free(&lines);
}

static void shared_times(struct profile *to, const struct profile *const *profiles, size_t count)
{
	bool overflow = false;
	to->has_start = to->has_end = false;
	to->start_ns = to->end_ns = to->duration_ns = 0;
	for (size_t p = 0; p < count; p++) {
		const struct profile *from = profiles[p];
		int64_t duration = from->duration_ns;
		if (duration == 0 && from->has_start && from->has_end)
			duration = from->end_ns - from->start_ns;
		if (duration > 0)
			to->duration_ns = units_add(to->duration_ns, duration, &overflow);
		if (!from->has_start || (to->has_start && to->start_ns <= from->start_ns))
			continue;
		to->has_start = true;
		to->start_ns = from->start_ns;
		to->has_offset = from->has_offset;
		to->offset_s = from->offset_s;
	}
}

static const char *shared_word(const char *const a, const char *const b)
{
	return a ? a : b;
}

static void shared_words(struct builder *builder, const struct profile *from)
{
	struct profile *to = builder->profile;
	to->project = shared_word(to->project, copy_text(builder, from->project));
	to->top_level_function =
		shared_word(to->top_level_function, copy_text(builder, from->top_level_function));
	to->interpreter = shared_word(to->interpreter, copy_text(builder, from->interpreter));
	to->platform = shared_word(to->platform, copy_text(builder, from->platform));
	to->arguments = shared_word(to->arguments, copy_text(builder, from->arguments));
	to->doc_url = shared_word(to->doc_url, copy_text(builder, from->doc_url));
	if (!to->period_type) {
		to->period_type = copy_text(builder, from->period_type);
		to->period_unit = copy_text(builder, from->period_unit);
	}
}

void shared_head(struct builder *builder, const struct profile *const *profiles, size_t count)
{
	enum { MOST_NAMES = 6 };
	struct profile *to = builder->profile;
	copy_head(builder, profiles[0]);
	to->is_timed = false;
	struct text source = {0};
	for (size_t p = 0; p < count; p++) {
		const struct profile *from = profiles[p];
		shared_words(builder, from);
		to->is_realtime &= from->is_realtime;
		to->is_name_function &= from->is_name_function;
		to->has_estimated_stacks |= from->has_estimated_stacks;
		to->is_truncated |= from->is_truncated;
		to->has_lines |= from->has_lines;
		to->has_native |= from->has_native;
		to->period = from->period > to->period ? from->period : to->period;
		/* How long the samples are together is known only where all have one period. */
		if (from->period_ns != to->period_ns)
			to->period_ns = 0;
		if (p < MOST_NAMES)
			text_printf(&source, "%s%s", p > 0 ? ", " : "", from->source);
	}
	if (count > MOST_NAMES)
		text_printf(&source, " and %zu more", count - MOST_NAMES);
	to->source = builder_text(builder, source.data, source.length);
	text_free(&source);
	shared_times(to, profiles, count);
	shared_comments(builder, profiles, count);
}
