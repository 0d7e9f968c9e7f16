/* SPDX-License-Identifier: MIT */
/*
 * Go's count profiles as text, debug=1: goroutine, threadcreate and a program's own
 * (formats/pprof.md section 4.3):
 *
 *     NAME profile: total N
 *     COUNT @ 0xADDRESS 0xADDRESS ...
 *     #	0xADDRESS	function+0xOFFSET	file:line
 *
 * Stacks are leaf first and may be empty. Labels (# labels: {...}) are not read.
 */
#include "format/legacy.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX_NAME = 200 };

/* ---- comments ------------------------------------------------------------------------- */

void legacy_comments_free(struct legacy_comments *comments)
{
	free(comments->items);
	*comments = (struct legacy_comments){0};
}

static struct legacy_cursor comment_cell(struct legacy_cursor *c)
{
	legacy_skip_spaces(c);
	struct legacy_cursor cell = {c->next, c->next};
	while (c->next < c->end && *c->next != '\t')
		c->next++;
	cell.end = c->next;
	return legacy_trim(cell);
}

static string_id comment_string(struct legacy *legacy, struct legacy_cursor c)
{
	return builder_string(legacy->builder, c.next, (size_t)(c.end - c.next));
}

/* Cuts "<mark>DIGITS" off the end. False where it is not there. */
static bool comment_cut(struct legacy_cursor *c, const char *mark, bool is_hex, uint64_t *number)
{
	const char *at = c->end;
	const size_t length = strlen(mark);
	while (at > c->next && *--at != mark[0])
		;
	struct legacy_cursor tail = {at, c->end};
	int64_t decimal = 0;
	if (!legacy_take(&tail, mark) || (size_t)(c->end - at) <= length)
		return false;
	bool ok = is_hex ? legacy_take_hex(&tail, number) : legacy_take_number(&tail, &decimal);
	if (!ok || tail.next != tail.end || decimal < 0)
		return false;
	if (!is_hex)
		*number = (uint64_t)decimal;
	c->end = at;
	return true;
}

void legacy_comment(
	struct legacy *legacy, struct legacy_comments *comments, const char *line, size_t length)
{
	struct legacy_cursor c = legacy_cursor(line, length);
	struct legacy_comment comment = {0};
	uint64_t offset, number = 0;
	if (comments->is_idle || !legacy_take(&c, "#\t") ||
		!legacy_take_address(&c, &comment.address))
		return;
	struct legacy_cursor name = comment_cell(&c), file = comment_cell(&c);
	comment_cut(&name, "+0x", true, &offset);
	if (comment_cut(&file, ":", false, &number))
		comment.line = number <= UINT32_MAX ? (uint32_t)number : 0;
	comment.name = comment_string(legacy, name);
	comment.file = comment_string(legacy, file);
	comments->items = array_grow(
		comments->items, &comments->capacity, comments->count + 1, sizeof *comments->items);
	comments->items[comments->count++] = comment;
}

/*
 * What Go leaves out of comments (runtime/pprof, printStackRecord): the function where all
 * goroutines end, which is the root, and functions of the runtime in front of the first other one.
 */
static void comments_guess(struct legacy *legacy, const struct legacy_comments *comments)
{
	static const char exit[] = "runtime.goexit", other[] = "runtime.<unnamed>";
	const struct legacy_sample *sample = &legacy->samples[legacy->sample_count - 1];
	const uint32_t *stack = &legacy->entries[sample->first];
	const uint64_t first = comments->items[0].address;
	uint32_t named = 0;
	while (named < sample->depth && legacy->places[stack[named]].address != first)
		named++;
	for (uint32_t i = 0; i < named && named < sample->depth; i++)
		legacy->places[stack[i]].guess =
			builder_string(legacy->builder, other, sizeof other - 1);
	const uint64_t last = comments->items[comments->count - 1].address;
	struct legacy_place *root = &legacy->places[stack[sample->depth - 1]];
	if (root->address != last && sample->depth > 1 &&
		legacy->places[stack[sample->depth - 2]].address == last)
		root->guess = builder_string(legacy->builder, exit, sizeof exit - 1);
}

/* Notes in the places of a stack how often each comes in its first run. */
static void comments_count_runs(struct legacy *legacy, const struct legacy_sample *sample)
{
	const uint32_t *stack = &legacy->entries[sample->first];
	for (uint32_t i = 0, next; i < sample->depth; i = next) {
		struct legacy_place *place = &legacy->places[stack[i]];
		for (next = i + 1; next < sample->depth && stack[next] == stack[i]; next++)
			;
		if (place->seen_sample == legacy->sample_count)
			continue;
		place->seen_sample = legacy->sample_count;
		place->run = next - i;
	}
}

void legacy_use_comments(struct legacy *legacy, struct legacy_comments *comments)
{
	if (comments->count == 0 || legacy->sample_count == 0) {
		comments->count = 0;
		return;
	}
	if (legacy->samples[legacy->sample_count - 1].depth == 0) {
		comments->count = 0;
		return;
	}
	comments_count_runs(legacy, &legacy->samples[legacy->sample_count - 1]);
	for (size_t i = 0, next; i < comments->count; i = next) {
		const struct legacy_comment *first = &comments->items[i];
		uint32_t id;
		for (next = i + 1;
			next < comments->count && comments->items[next].address == first->address;)
			next++;
		if (first->name == 0 || !legacy_find_place(legacy, first->address, &id) ||
			legacy->places[id].symbol_count > 0 ||
			legacy->places[id].seen_sample != legacy->sample_count)
			continue;
		/* A function that calls itself has as many lines as frames; more than that are
		 * inlined. */
		size_t count = (next - i) / legacy->places[id].run;
		for (size_t k = 0; k < (count ? count : 1); k++)
			legacy_symbol(legacy, id, first[k].name, first[k].file, first[k].line);
	}
	comments_guess(legacy, comments);
	comments->count = 0;
}

/* ---- the profile ---------------------------------------------------------------------- */

/* "NAME profile: total N" */
static bool count_header(struct legacy_cursor c, struct legacy_cursor *name, int64_t *total)
{
	*name = c;
	while (c.next < c.end && *c.next != ' ')
		c.next++;
	name->end = c.next;
	return name->next < name->end && name->end - name->next <= COUNT_MAX_NAME &&
	       legacy_take(&c, " profile: total ") && legacy_take_number(&c, total) &&
	       c.next == c.end && *total >= 0;
}

static bool count_row(struct legacy *legacy, const char *line, size_t length, int64_t *count)
{
	struct legacy_cursor c = legacy_cursor(line, length);
	legacy_skip_spaces(&c);
	if (legacy_take_number(&c, count) && *count >= 0) {
		legacy_skip_spaces(&c);
		if (legacy_take(&c, "@") && legacy_take_stack(legacy, &c, 1))
			return true;
	}
	legacy_drop(legacy);
	legacy_bad_line(legacy);
	return false;
}

static void count_rows(struct legacy *legacy, struct legacy_comments *comments, int64_t said)
{
	const char *line;
	size_t length;
	int64_t count, sum = 0;
	bool has_overflow = false, has_map = false;
	while (!has_map && legacy_line(legacy, &line, &length)) {
		struct legacy_cursor c = legacy_cursor(line, length);
		has_map = legacy_map_begins(line, length);
		if (has_map || legacy_take(&c, "---"))
			break;
		if (legacy_is_blank(line, length)) {
			legacy_comment(legacy, comments, line, length);
			continue;
		}
		legacy_use_comments(legacy, comments);
		comments->is_idle = !count_row(legacy, line, length, &count);
		if (comments->is_idle)
			continue;
		legacy_sample(legacy, &count);
		has_overflow |= __builtin_add_overflow(sum, count, &sum);
	}
	legacy_use_comments(legacy, comments);
	if (has_map)
		legacy_read_map(legacy);
	else
		legacy_read_rest(legacy);
	if (!has_overflow && sum != said)
		builder_warn(legacy->builder, "malformed",
			"the first line says %lld, the lines behind it have %lld: some may be missing",
			(long long)said, (long long)sum);
}

static bool count_read_all(struct legacy *legacy, struct legacy_comments *comments)
{
	const char *line = NULL;
	size_t length = 0;
	bool has_line;
	int64_t total;
	struct legacy_cursor name;
	while ((has_line = legacy_line(legacy, &line, &length)) && legacy_is_blank(line, length))
		;
	if (!has_line)
		return legacy_finish(legacy);
	if (!count_header(legacy_trim(legacy_cursor(line, length)), &name, &total))
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)legacy->lines.offset,
			"no line 'NAME profile: total N' at the start");
	char text[COUNT_MAX_NAME + 1] = "";
	memcpy(text, name.next, (size_t)(name.end - name.next));
	legacy_period(legacy, text, "count", 1);
	legacy_type(legacy, text, "count", VALUE_SNAPSHOT, 1);
	legacy_leave_out(legacy, LEGACY_OTHER);
	count_rows(legacy, comments, total);
	return legacy_finish(legacy);
}

static bool count_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct legacy legacy;
	struct legacy_comments comments = {0};
	legacy_init(&legacy, source, builder, format_legacy_count.name, err);
	bool ok = count_read_all(&legacy, &comments);
	legacy_comments_free(&comments);
	legacy_free(&legacy);
	return ok;
}

static int count_sniff(const uint8_t *bytes, size_t size)
{
	struct legacy_cursor name;
	int64_t total;
	return count_header(legacy_first_line(bytes, size, true), &name, &total) ? 120 : 0;
}

const struct format format_legacy_count = {
	.name = "count-text",
	.description = "Go's goroutine, threadcreate and own profiles as text (debug=1)",
	.sniff = count_sniff,
	.read = count_read,
};
