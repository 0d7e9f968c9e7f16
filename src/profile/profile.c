/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pprof_units.h"
#include "base/units.h"
#include "profile/callgraph.h"

const char *code_kind_name(enum code_kind kind)
{
	static const char *const names[] = {
		[CODE_UNKNOWN] = "unknown",
		[CODE_PYTHON] = "python",
		[CODE_JIT] = "jit",
		[CODE_ASSEMBLER] = "assembler",
		[CODE_NATIVE] = "native",
		[CODE_GC] = "gc",
		[CODE_TRACING] = "tracing",
	};
	return names[kind];
}

static void column_free(struct column *column)
{
	free(column->narrow);
	free(column->wide);
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	arena_free(&profile->arena);
	strings_free(&profile->strings);
	free(profile->functions);
	free(profile->frames);
	free(profile->stack_parent);
	free(profile->stack_frame);
	free(profile->stack_end);
	free(profile->sample_stack);
	free(profile->sample_thread);
	free(profile->base_samples);
	column_free(&profile->weight);
	column_free(&profile->memory);
	for (unsigned i = 0; i < MAX_VALUE_TYPES; i++)
		column_free(&profile->columns[i]);
	free(profile->threads);
	free(profile->labels);
	free(profile->set_parent);
	free(profile->set_label);
	free(profile->sample_labels);
	free(profile->mappings);
	callgraph_free(profile->callgraph);
	free(profile->snapshots);
	free(profile->warnings);
	free(profile);
}

static bool column_is_empty(const struct column *column)
{
	return !column->narrow && !column->wide;
}

static int64_t column_get(const struct column *column, size_t i)
{
	return column->narrow ? column->narrow[i] : column->wide[i];
}

bool profile_has_memory(const struct profile *profile)
{
	return !column_is_empty(&profile->memory);
}

int64_t profile_memory_kib(const struct profile *profile, size_t i)
{
	return column_get(&profile->memory, i);
}

size_t profile_peak(const struct profile *profile)
{
	size_t peak = 0, count = profile->sample_count;
	const uint32_t *kib = profile->memory.narrow;
	uint32_t most = 0;
	if (!kib) {
		for (size_t i = 1; i < count; i++)
			if (profile->memory.wide[i] > profile->memory.wide[peak])
				peak = i;
		return peak;
	}
	/* Two plain loops are several times as fast as one that keeps the place. */
	for (size_t i = 0; i < count; i++)
		most = kib[i] > most ? kib[i] : most;
	while (peak < count && kib[peak] != most)
		peak++;
	return peak;
}

int64_t profile_value(const struct profile *profile, unsigned type, size_t i)
{
	const struct value_type *t = &profile->types[type];
	int64_t value = 1;
	switch (t->source) {
	case VALUE_WEIGHT:
	case VALUE_TIME:
		if (!column_is_empty(&profile->weight))
			value = column_get(&profile->weight, i);
		break;
	case VALUE_COLUMN:
		/* A column that no sample had a value for but 0. */
		value = column_is_empty(&profile->columns[t->column])
				? 0
				: column_get(&profile->columns[t->column], i);
		break;
	case VALUE_MEMORY:
		value = column_get(&profile->memory, i);
		break;
	case VALUE_RISE:
		value = i ? column_get(&profile->memory, i) - column_get(&profile->memory, i - 1)
			  : 0;
		if (value < 0)
			value = 0;
		break;
	}
	int64_t scaled;
	return __builtin_mul_overflow(value, t->scale, &scaled)
		       ? (value < 0 ? INT64_MIN : INT64_MAX)
		       : scaled;
}

bool value_is_weight(const struct value_type *type)
{
	return type->source == VALUE_WEIGHT || type->source == VALUE_TIME;
}

void profile_values(const struct profile *profile, unsigned type, uint64_t first, uint64_t count,
	int64_t *values)
{
	const struct value_type *t = &profile->types[type];
	const uint32_t *kib = profile->memory.narrow;
	if (value_is_weight(t) && column_is_empty(&profile->weight)) {
		for (uint64_t i = 0; i < count; i++)
			values[i] = t->scale;
	} else if (t->source == VALUE_RISE && kib && first > 0) {
		for (uint64_t i = first; i < first + count; i++) {
			int64_t rise = (int64_t)kib[i] - (int64_t)kib[i - 1];
			values[i - first] = (rise > 0 ? rise : 0) * t->scale;
		}
	} else {
		for (uint64_t i = 0; i < count; i++)
			values[i] = profile_value(profile, type, first + i);
	}
}

const char *profile_timer(const struct profile *profile)
{
	static const struct {
		const char *type, *words;
	} known[] = {{"cpu", "CPU time"}, {"wall", "wall time"}, {"wall_time", "wall time"},
		{"real", "wall time"}, {"time", "time"}};
	const char *type = profile->period_type;
	if (!type || !*type)
		return profile->is_realtime ? "wall time" : "CPU time";
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].type, type) == 0)
			return known[i].words;
	return type;
}

int64_t profile_samples_taken(const struct profile *profile)
{
	if (profile->difference != DIFFERENCE_NONE)
		return -1; /* two numbers, or a change of them */
	if (profile->type_count > 0 && profile->types[0].source == VALUE_WEIGHT)
		return profile->types[0].total;
	for (unsigned i = 0; i < profile->type_count; i++)
		if (strcmp(profile->types[i].name, "samples") == 0 &&
			strcmp(profile->types[i].unit, "count") == 0)
			return profile->types[i].total / units_power(profile->types[i].decimals);
	return -1;
}

/* Whether it is the type's unit, or one of its family: the file may have had kilobytes. */
static bool profile_is_unit(const struct value_type *type, const char *unit)
{
	const char *converted, *own;
	if (strcmp(unit, type->unit) == 0)
		return true;
	pprof_units_scale(1, unit, type->unit, &converted);
	pprof_units_scale(1, type->unit, type->unit, &own);
	return strcmp(own, type->unit) != 0 && *own && strcmp(converted, own) == 0;
}

/* "name", "name/unit"; and pprof's old names: "inuse_space" is also "space" (numbers.md 3.4 rule
 * 1).
 */
static bool profile_is_type(const struct value_type *type, const char *text)
{
	static const char inuse[] = "inuse_";
	const size_t length = strlen(type->name);
	if (strncmp(text, type->name, length) == 0 &&
		(text[length] == '\0' ||
			(text[length] == '/' && profile_is_unit(type, text + length + 1))))
		return true;
	return strncmp(text, inuse, sizeof inuse - 1) == 0 &&
	       strcmp(text + sizeof inuse - 1, type->name) == 0;
}

void profile_snapshot_range(
	const struct profile *profile, size_t i, uint64_t *first, uint64_t *last)
{
	const bool is_last = i + 1 >= profile->snapshot_count;
	*first = profile->snapshots[i].first;
	*last = is_last ? profile->sample_count : profile->snapshots[i + 1].first;
}

size_t profile_snapshot_of(const struct profile *profile, uint64_t sample)
{
	size_t low = 0, high = profile->snapshot_count; /* the first that begins behind it */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (profile->snapshots[middle].first <= sample)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

bool profile_find_type(const struct profile *profile, const char *text, unsigned *type)
{
	char *end;
	errno = 0;
	unsigned long index = strtoul(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == 0) {
		*type = (unsigned)index;
		return errno == 0 && index < profile->type_count;
	}
	for (unsigned i = 0; i < profile->type_count; i++) {
		if (profile_is_type(&profile->types[i], text)) {
			*type = i;
			return true;
		}
	}
	return false;
}

unsigned profile_type_of_part(const struct profile *profile, unsigned type, enum value_part part)
{
	if (profile->difference == DIFFERENCE_NONE)
		return type;
	const unsigned count = profile->type_count / 3;
	return type % count + (unsigned)(part - PART_DELTA) * count;
}

const struct function *profile_function(const struct profile *profile, frame_id frame)
{
	return &profile->functions[profile->frames[frame].function];
}

const char *profile_string(const struct profile *profile, string_id id, size_t *length)
{
	return strings_get(&profile->strings, id, length);
}
