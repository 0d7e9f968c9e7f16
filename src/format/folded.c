/* SPDX-License-Identifier: MIT */
/*
 * Folded (collapsed) stacks: a line a stack, "frame;frame;frame count", the root first, as written
 * by the stackcollapse scripts of FlameGraph, py-spy, perf, dtrace, async-profiler, difffolded.pl
 * and by our own report `folded` (formats/folded.md section 1; folded_frame.h has what is in a
 * frame), and the text files of austin (folded_austin.c has how they differ).
 *
 * A count is a number behind the last blanks. Fractions are exact up to nine decimals, or as many
 * as leave room for the sum of all: more digits are rounded, with a warning. A count below 0 is
 * kept where differences are what the file has: austin's memory, and behind a comment "# signed";
 * elsewhere its line is left out like one without a count, as FlameGraph does. Two numbers on each
 * line, and no stack twice, are the counts before and after of a difference.
 *
 * The order of lines is no order in time: profile->is_timed is false, for austin's too, whose
 * samples are of different lengths.
 */
#include "format/folded_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/folded_frame.h"
#include "format/format.h"

enum { FOLDED_TICK_LINES = 4096, FOLDED_MAX_DECIMALS = MAX_DECIMALS };

/* ---- value types -------------------------------------------------------------------------- */

static void folded_set_decimals(struct folded *f)
{
	for (unsigned i = 0; i < f->builder->own_type_count; i++)
		f->builder->own_types[i].decimals = (unsigned)f->decimals;
}

/*
 * Whole counts are weights: how often the stack was seen. The first that is not makes the counts a
 * value type of their own.
 */
static void folded_leave_weights(struct folded *f)
{
	struct profile *profile = f->builder->profile;
	struct column column = profile->weight;
	f->has_weights = false;
	builder_type(f->builder, "samples", "count", VALUE_COUNTER, 1);
	if (profile->sample_count == 0)
		return;
	if (!column.narrow && !column.wide) { /* all ones so far */
		column.narrow = array_grow(
			NULL, &column.capacity, profile->sample_count, sizeof *column.narrow);
		for (size_t i = 0; i < profile->sample_count; i++)
			column.narrow[i] = 1;
	}
	profile->weight = (struct column){0};
	profile->columns[0] = column;
	profile->threads[0].samples = (int64_t)profile->sample_count;
	f->builder->own_is_used[0] = true;
}

static void folded_set_types(struct folded *f)
{
	static const char *const difference[] = {"before", "after", "difference"};
	struct profile *profile = f->builder->profile;
	f->has_counts = !f->has_process || !austin_set_types(f);
	if (!f->has_counts)
		return;
	if (!f->is_difference) {
		f->has_weights = true;
		if (f->is_signed)
			folded_leave_weights(f);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		builder_type(f->builder, difference[i], "count", VALUE_COUNTER, 1);
	profile->default_type = 1;
	builder_warn(f->builder, "note",
		"two numbers on each line: read as the counts before and after");
}

/* ---- fractions ------------------------------------------------------------------------------ */

/* value x factor, or where factor < 0 value / -factor, rounded. */
static int64_t folded_times(struct folded *f, int64_t value, int64_t factor)
{
	if (factor > 0)
		return value * factor;
	const int64_t rest = value % -factor;
	f->rounded += rest != 0;
	return value / -factor + (2 * rest >= -factor) - (2 * rest <= factor);
}

/* All values so far, which fit: whoever calls it has looked. */
static void folded_rescale(struct folded *f, int64_t factor)
{
	struct profile *profile = f->builder->profile;
	for (unsigned type = 0; type < f->builder->own_type_count; type++) {
		struct column *column = &profile->columns[type];
		if (!column->narrow && !column->wide)
			continue;
		int64_t *wide = memory_new(column->capacity, sizeof *wide);
		for (size_t i = 0; i < profile->sample_count; i++)
			wide[i] = folded_times(f,
				column->narrow ? (int64_t)column->narrow[i] : column->wide[i],
				factor);
		free(column->narrow);
		free(column->wide);
		column->narrow = NULL;
		column->wide = wide;
	}
	f->size = factor > 0 ? f->size * factor : f->size / -factor;
}

/* Makes room for the decimals of a number, as far as the sum of all stays clear of 64 bits. */
static void folded_more_decimals(struct folded *f, const struct folded_number *number)
{
	int64_t wanted = folded_number_decimals(number);
	wanted = wanted > FOLDED_MAX_DECIMALS ? FOLDED_MAX_DECIMALS : wanted;
	if (wanted > f->most_decimals)
		wanted = f->most_decimals;
	while (wanted > f->decimals &&
		f->size > INT64_MAX / 1024 / units_power((unsigned)(wanted - f->decimals)))
		wanted--;
	if (wanted <= f->decimals)
		return;
	if (f->has_weights)
		folded_leave_weights(f);
	folded_rescale(f, units_power((unsigned)(wanted - f->decimals)));
	f->decimals = (int)wanted;
	folded_set_decimals(f);
}

/* Gives decimals up where this number needs the room: a rounded sum is better than none. */
static void folded_fit(struct folded *f, const struct folded_number *number)
{
	while (f->decimals > 0) {
		bool is_rounded = false, is_saturated = false;
		const int64_t value =
			folded_number_scaled(number, f->decimals, &is_rounded, &is_saturated);
		const int64_t size = value < 0 ? -value : value;
		if (!is_saturated && size < INT64_MAX / 4 && f->size < INT64_MAX / 4)
			return;
		f->decimals--;
		f->most_decimals = f->decimals;
		folded_rescale(f, -10);
		folded_set_decimals(f);
	}
}

static int64_t folded_count(struct folded *f, const struct folded_number *number)
{
	bool is_rounded = false, is_saturated = false, ignored = false;
	if (number->exponent == 0 && f->decimals == 0 && number->digits < INT32_MAX) {
		f->size = units_add(f->size, (int64_t)number->digits, &ignored);
		return number->is_negative ? -(int64_t)number->digits : (int64_t)number->digits;
	}
	const int64_t value = folded_number_scaled(number, f->decimals, &is_rounded, &is_saturated);
	f->rounded += is_rounded;
	f->saturated += is_saturated;
	f->size = units_add(f->size, value < 0 ? -value : value, &ignored);
	return value;
}

/* ---- stacks --------------------------------------------------------------------------------- */

static function_id folded_function(struct folded *f, const struct folded_frame *frame)
{
	const struct folded_slice parts[] = {frame->name, frame->file, frame->module};
	string_id ids[3];
	for (size_t i = 0; i < 3; i++) {
		text_clear(&f->text);
		folded_frame_unescape(parts[i], &f->text);
		ids[i] = builder_string(
			f->builder, f->text.data ? f->text.data : "", f->text.length);
	}
	if (ids[0] == 0)
		ids[0] = builder_string(f->builder, "<empty>", 7);
	return builder_function(f->builder,
		&(struct function){
			.name = ids[0], .file = ids[1], .module = ids[2], .kind = frame->kind});
}

/* The id of a frame's text: each text is taken apart once. */
static frame_id folded_frame_of(struct folded *f, const char *text, size_t length)
{
	const string_id id = strings_add(&f->texts, text, length);
	if (id >= f->frame_capacity) {
		const size_t before = f->frame_capacity;
		f->frame_of = array_grow(
			f->frame_of, &f->frame_capacity, (size_t)id + 1, sizeof *f->frame_of);
		memset(f->frame_of + before, 0, (f->frame_capacity - before) * sizeof *f->frame_of);
	}
	if (f->frame_of[id] != 0)
		return f->frame_of[id];
	const struct folded_frame frame = folded_frame_parse(text, length, f->has_process);
	f->has_lines |= frame.line != 0;
	f->frame_of[id] = builder_function_frame(
		f->builder, &(struct frame){.function = folded_function(f, &frame),
				    .line = frame.line,
				    .kind = frame.kind,
				    .is_inlined = frame.is_inlined});
	return f->frame_of[id];
}

/* Bytes that two texts have in common at their start. */
static size_t folded_common(const char *a, const char *b, size_t size)
{
	size_t i = 0;
	uint64_t x, y;
	for (; i + sizeof x <= size; i += sizeof x) {
		memcpy(&x, a + i, sizeof x);
		memcpy(&y, b + i, sizeof y);
		if (x != y)
			break;
	}
	while (i < size && a[i] == b[i])
		i++;
	return i;
}

/* How many frames of the line before are those of `stack`, too: their texts need no look-up. */
static size_t folded_shared(const struct folded *f, const char *stack, size_t length)
{
	const size_t least = length < f->before_length ? length : f->before_length;
	const size_t common = folded_common(f->before, stack, least);
	if (common == length && common == f->before_length)
		return f->token_count;
	size_t low = 0, high = f->token_count; /* those that end in a ';' before `common` */
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (f->tokens[middle].end < common)
			low = middle + 1;
		else
			high = middle;
	}
	/* austin's line of a frame is a text of its own and changes the frame before. */
	if (f->is_austin && low > 0)
		low--;
	while (f->is_austin && low > 0 && f->tokens[low].is_line)
		low--;
	return low;
}

/* Adds the frame text[length] that ends at byte `end` of the stack. */
static void folded_add_frame(
	struct folded *f, const char *text, size_t length, size_t end, size_t *depth)
{
	const uint32_t line = f->is_austin ? folded_frame_line(text, length) : 0;
	const bool is_line = line != 0 && *depth > 0 && f->token_count > 0 &&
			     !f->tokens[f->token_count - 1].is_line;
	f->tokens =
		array_grow(f->tokens, &f->token_capacity, f->token_count + 1, sizeof *f->tokens);
	if (is_line) {
		struct frame frame = f->builder->profile->frames[f->frames[*depth - 1]];
		frame.line = line;
		f->has_lines = true;
		f->frames[*depth - 1] = builder_function_frame(f->builder, &frame);
	} else {
		f->frames =
			array_grow(f->frames, &f->depth_capacity, *depth + 1, sizeof *f->frames);
		f->frames[(*depth)++] = folded_frame_of(f, text, length);
	}
	f->tokens[f->token_count++] =
		(struct folded_token){.end = end, .depth = *depth, .is_line = is_line};
}

static stack_id folded_stack(struct folded *f, const char *stack, size_t length)
{
	const size_t shared = folded_shared(f, stack, length);
	size_t at = shared > 0 ? f->tokens[shared - 1].end + 1 : 0;
	size_t depth = shared > 0 ? f->tokens[shared - 1].depth : 0;
	f->token_count = shared;
	if (length > f->before_capacity)
		f->before = array_grow(f->before, &f->before_capacity, length, 1);
	if (at < length)
		memcpy(f->before + at, stack + at, length - at);
	f->before_length = length;
	while (length > 0 && at <= length) {
		const char *mark = at < length ? memchr(stack + at, ';', length - at) : NULL;
		const size_t end = mark ? (size_t)(mark - stack) : length;
		folded_add_frame(f, stack + at, end - at, end, &depth);
		f->has_deep |= mark != NULL;
		at = end + 1;
	}
	return builder_stack(f->builder, f->frames, depth);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void folded_skip_line(struct folded *f)
{
	if (f->skipped++ == 0)
		f->first_skipped = f->lines.number;
}

static void folded_start(struct folded *f, const struct folded_line *line)
{
	f->is_started = true;
	f->is_austin = line->is_austin;
	f->has_process = line->has_process;
	f->is_signed |= line->is_austin;
	f->header.is_full |= line->number_count > 1;
	folded_set_types(f);
}

/* The counts of a line; false where it has not those that the file has. */
static bool folded_values(struct folded *f, struct folded_line *line, int64_t *values)
{
	const bool is_negative = line->numbers[0].is_negative && line->numbers[0].digits > 0;
	if (is_negative && !f->is_signed) {
		f->negative++;
		return false;
	}
	if (f->is_difference ? !folded_line_split(line) : line->number_count != 1)
		return false;
	for (int i = 0; i < line->number_count; i++)
		if (folded_number_decimals(&line->numbers[i]) > f->decimals)
			folded_more_decimals(f, &line->numbers[i]);
	for (int i = 0; i < line->number_count; i++)
		folded_fit(f, &line->numbers[i]);
	for (int i = 0; i < line->number_count; i++)
		values[i] = folded_count(f, &line->numbers[i]);
	if (f->is_difference)
		values[2] = values[1] - values[0];
	return true;
}

static void folded_stack_line(struct folded *f, struct folded_line *line)
{
	int64_t values[FOLDED_MAX_NUMBERS] = {0};
	if (!f->is_started)
		folded_start(f, line);
	if (!(f->has_counts ? folded_values(f, line, values) : austin_values(f, line, values))) {
		folded_skip_line(f);
		return;
	}
	const stack_id stack = folded_stack(f, line->stack, line->length);
	if (f->has_weights)
		builder_sample(f->builder, stack, values[0], -1, 0);
	else
		builder_values(f->builder, stack, values);
}

static void folded_line(struct folded *f, const char *text, size_t length)
{
	static const char word[] = "# signed";
	struct folded_line line = folded_line_parse(text, length);
	switch (line.kind) {
	case FOLDED_BLANK:
		break;
	case FOLDED_COMMENT:
		f->is_signed |=
			length >= sizeof word - 1 && memcmp(text, word, sizeof word - 1) == 0;
		if (f->is_signed && f->has_weights)
			folded_leave_weights(f);
		austin_comment(f, text, length);
		break;
	case FOLDED_JUNK:
		folded_skip_line(f);
		break;
	case FOLDED_STACK:
		folded_stack_line(f, &line);
		break;
	}
}

static bool folded_lines(struct folded *f, struct vp_error *err)
{
	const char *text;
	size_t length;
	while (text_lines_next(&f->lines, &text, &length)) {
		/* The last line of a stream that broke: its number may be cut. */
		if (!f->lines.is_ended && source_problem(f->lines.source, NULL))
			break;
		folded_line(f, text, length);
		if (f->lines.number % FOLDED_TICK_LINES != 0)
			continue;
		uint64_t done, total;
		source_progress(f->lines.source, &done, &total);
		if (!builder_tick(f->builder, done, total))
			return error_set(err, ERROR_CANCELLED, (int64_t)f->lines.offset,
				"loading was stopped");
	}
	return true;
}

/* ---- the whole file ---------------------------------------------------------------------------
 */

static void folded_judge_values(struct folded *f)
{
	struct builder *builder = f->builder;
	if (f->rounded > 0)
		builder_warn(builder, "estimate",
			"%llu numbers have more digits than are kept: rounded",
			(unsigned long long)f->rounded);
	if (f->saturated > 0)
		builder_warn(builder, "overflow",
			"%llu numbers are past 64 bits: the largest possible stands for them",
			(unsigned long long)f->saturated);
	if (f->is_started && !f->has_deep && !f->is_austin)
		builder_warn(builder, "note",
			"no line has a ';': taken for folded stacks since all lines end in a number");
}

/* Says what was left out; false where there is nothing that could be shown. */
static bool folded_judge(struct folded *f, struct vp_error *err)
{
	struct builder *builder = f->builder;
	struct vp_error problem;
	const unsigned long long skipped = f->skipped + f->lines.too_long;
	if (source_problem(f->lines.source, &problem)) {
		if (builder->profile->sample_count == 0) {
			*err = problem;
			return false;
		}
		builder->profile->is_truncated = true;
		builder_warn(builder, error_class_name(problem.code),
			"%s at byte %llu: %zu lines kept", problem.message,
			(unsigned long long)f->lines.offset, builder->profile->sample_count);
	}
	if (builder->profile->sample_count == 0 && skipped > 0)
		return error_set(err, ERROR_MALFORMED, 0,
			"no stack with a count: none of %llu lines ends in a blank and a number",
			skipped);
	if (f->skipped > 0)
		builder_warn(builder, "skipped-lines",
			"%llu lines without a valid count are left out, the first is line %llu%s",
			(unsigned long long)f->skipped, (unsigned long long)f->first_skipped,
			f->negative > 0 ? " (counts below 0 need a first line '# signed')" : "");
	if (f->lines.too_long > 0)
		builder_warn(builder, "skipped-lines",
			"%llu lines of more than %d MiB are left out",
			(unsigned long long)f->lines.too_long, TEXT_MAX_LINE >> 20);
	folded_judge_values(f);
	return true;
}

static void folded_free(struct folded *f)
{
	text_lines_close(&f->lines);
	strings_free(&f->texts);
	text_free(&f->text);
	free(f->frame_of);
	free(f->tokens);
	free(f->frames);
	free(f->before);
}

/*
 * Whether the file is a difference is known only at its end. Most files show in their first lines
 * that they are not; for the others it is read twice, or where it cannot be (standard input), its
 * first bytes decide.
 */
static bool folded_look_for_difference(struct source *source, struct builder *builder)
{
	struct source_limits limits = {.max_inflated = SOURCE_DEFAULT_MAX_INFLATED};
	size_t have;
	const uint8_t *bytes = source_peek(source, FORMAT_SNIFF_SIZE, &have);
	const bool is_all = have < FORMAT_SNIFF_SIZE;
	size_t whole = have; /* up to the last line end */
	while (!is_all && whole > 0 && bytes[whole - 1] != '\n')
		whole--;
	struct source *head = whole > 0 ? source_open_memory(bytes, whole, &limits, NULL) : NULL;
	bool is_difference = head && folded_is_difference(head);
	source_close(head);
	if (!is_difference || is_all)
		return is_difference;
	if (!source_can_rewind(source)) {
		builder_warn(builder, "note",
			"whether this is a difference was decided by its first %zu bytes", whole);
		return true;
	}
	is_difference = folded_is_difference(source);
	return source_rewind(source) && is_difference;
}

static bool folded_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct folded f = {.builder = builder, .most_decimals = FOLDED_MAX_DECIMALS};
	f.is_difference = folded_look_for_difference(source, builder);
	strings_init(&f.texts);
	text_lines_open(&f.lines, source);
	builder->profile->format = format_folded.name;
	builder->profile->is_timed = false;
	bool ok = folded_lines(&f, err) && folded_judge(&f, err);
	if (ok && !f.is_started) /* comments only */
		folded_set_types(&f);
	builder->profile->has_lines = f.has_lines;
	folded_free(&f);
	return ok;
}

const struct format format_folded = {
	.name = "folded",
	.description = "folded stacks: text, 'a;b;c 12' a line (FlameGraph, py-spy, austin, ...)",
	.sniff = folded_sniff,
	.read = folded_read,
};
