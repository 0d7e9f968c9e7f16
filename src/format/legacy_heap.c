/* SPDX-License-Identifier: MIT */
/*
 * Heap profiles as text, of gperftools and of Go with debug=1 (formats/pprof.md section 4.2):
 *
 *     heap profile: OBJECTS: BYTES [ALLOCATED OBJECTS: BYTES] @ KIND/RATE
 *     OBJECTS: BYTES [ALLOCATED OBJECTS: BYTES] @ 0xADDRESS 0xADDRESS ...
 *
 * Stacks are leaf first, addresses are where a call returns to. Comments of Go name them; what
 * follows MAPPED_LIBRARIES: is the memory map. Where KIND says that one allocation in RATE bytes
 * was recorded, the numbers are raised to what that stands for. Names in front are read, see
 * legacy_symbols.c. Not read: the comments behind a Go profile (runtime.MemStats).
 */
#include "format/legacy.h"

#include <ctype.h>
#include <string.h>

struct heap {
	struct legacy legacy;
	struct legacy_comments comments;
	int64_t rate;
	bool is_sampled;    /* one in `rate` bytes */
	bool has_symbols;   /* in front */
	bool has_allocated; /* the second pair differs from the first */
	int64_t said[4];    /* by the first line */
	int64_t sum[4];     /* of the lines */
	bool is_sum_too_large;
};

static const char heap_mark[] = "heap profile:";

/* "1: 2 [3: 4] @", at the start of the first line and of each row. */
static bool heap_numbers(struct legacy_cursor *c, int64_t numbers[4])
{
	static const char *const marks[] = {":", "[", ":", "]"};
	for (int i = 0; i < 4; i++) {
		legacy_skip_spaces(c);
		if (!legacy_take_number(c, &numbers[i]))
			return false;
		legacy_skip_spaces(c);
		if (!legacy_take(c, marks[i]))
			return false;
	}
	legacy_skip_spaces(c);
	return legacy_take(c, "@");
}

static bool heap_header(struct heap *heap, struct legacy_cursor c)
{
	static const struct {
		const char *name;
		bool is_sampled;
		int divisor; /* Go writes the rate twice over */
	} kinds[] = {{"heapz_v2", true, 1}, {"heap_v2", true, 1}, {"heapprofile", false, 1},
		{"heap", true, 2}, {"growthz", false, 1}, {"growth", false, 1},
		{"fragmentationz", false, 1}, {"fragmentation", false, 1}};
	if (!legacy_take(&c, heap_mark) || !heap_numbers(&c, heap->said))
		return false;
	legacy_skip_spaces(&c);
	struct legacy_cursor kind = c;
	while (c.next < c.end && (isalnum((uint8_t)*c.next) || *c.next == '_'))
		c.next++;
	kind.end = c.next;
	int64_t rate = 0;
	if (legacy_take(&c, "/") && !legacy_take_number(&c, &rate))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!legacy_is(kind, kinds[i].name))
			continue;
		heap->is_sampled = kinds[i].is_sampled;
		heap->rate = rate / kinds[i].divisor;
		const int64_t *said = heap->said;
		heap->has_allocated =
			kind.next[0] == 'h' && ((said[2] != said[0] && said[2] != 0) ||
						       (said[3] != said[1] && said[3] != 0));
		return true;
	}
	return false;
}

static void heap_types(struct heap *heap, bool is_growth)
{
	struct legacy *legacy = &heap->legacy;
	legacy_period(legacy, "space", "bytes", heap->is_sampled ? heap->rate : 1);
	if (!heap->has_allocated) {
		enum value_kind kind = is_growth ? VALUE_COUNTER : VALUE_SNAPSHOT;
		legacy_type(legacy, "objects", "count", kind, 1);
		legacy_type(legacy, "space", "bytes", kind, 1);
		return;
	}
	legacy_type(legacy, "alloc_objects", "count", VALUE_COUNTER, 1);
	legacy_type(legacy, "alloc_space", "bytes", VALUE_COUNTER, 1);
	legacy_type(legacy, "inuse_objects", "count", VALUE_SNAPSHOT, 1);
	legacy_type(legacy, "inuse_space", "bytes", VALUE_SNAPSHOT, 1);
}

/* One pair of numbers as values; false where they contradict each other. */
static bool heap_values(struct heap *heap, int64_t count, int64_t bytes, int64_t *values)
{
	if (count == 0 && bytes != 0)
		return false;
	if (count != 0)
		heap->legacy.block_size = legacy_block_size(count, bytes);
	if (heap->is_sampled)
		legacy_unsample(&heap->legacy, &count, &bytes, heap->rate);
	values[0] = count;
	values[1] = bytes;
	return true;
}

static void heap_row(struct heap *heap, const char *line, size_t length)
{
	struct legacy *legacy = &heap->legacy;
	struct legacy_cursor c = legacy_cursor(line, length);
	int64_t numbers[4], values[4];
	int64_t *in_use = heap->has_allocated ? values + 2 : values;
	legacy_use_comments(legacy, &heap->comments);
	legacy->block_size = 0;
	heap->comments.is_idle = true;
	if (!heap_numbers(&c, numbers) ||
		(heap->has_allocated && !heap_values(heap, numbers[2], numbers[3], values)) ||
		!heap_values(heap, numbers[0], numbers[1], in_use) ||
		!legacy_take_stack(legacy, &c, 1)) {
		legacy_drop(legacy);
		legacy_bad_line(legacy);
		return;
	}
	for (int i = 0; i < 4; i++)
		heap->is_sum_too_large |=
			__builtin_add_overflow(heap->sum[i], numbers[i], &heap->sum[i]);
	heap->comments.is_idle = false;
	legacy_sample(legacy, values);
}

/* Lines that are missing at the end are seen by the first line only. */
static void heap_compare_sums(struct heap *heap)
{
	const int64_t *said = heap->said, *sum = heap->sum;
	if (heap->is_sum_too_large || memcmp(said, sum, sizeof heap->said) == 0)
		return;
	builder_warn(heap->legacy.builder, "malformed",
		"the first line says %lld: %lld [%lld: %lld], the lines behind it have %lld: %lld [%lld: %lld]: some may be missing",
		(long long)said[0], (long long)said[1], (long long)said[2], (long long)said[3],
		(long long)sum[0], (long long)sum[1], (long long)sum[2], (long long)sum[3]);
}

/*
 * The symbols in front name what was recorded at the leaf, and the call elsewhere; here all are
 * calls, so the leaf is found one behind.
 */
static void heap_name_leaves(struct legacy *legacy)
{
	for (size_t i = 0; i < legacy->place_count; i++) {
		struct legacy_place *place = &legacy->places[i];
		uint32_t behind;
		if (place->symbol_count > 0 || place->address == UINT64_MAX ||
			!legacy_find_place(legacy, place->address + 1, &behind))
			continue;
		place->first = legacy->places[behind].first;
		place->last = legacy->places[behind].last;
		place->symbol_count = legacy->places[behind].symbol_count;
	}
}

static bool heap_read_all(struct heap *heap)
{
	struct legacy *legacy = &heap->legacy;
	const char *line = NULL;
	size_t length = 0;
	struct legacy_cursor first;
	bool has_line;
	while ((has_line = legacy_line(legacy, &line, &length)) && legacy_is_blank(line, length))
		;
	if (!has_line)
		return legacy_finish(legacy);
	first = legacy_trim(legacy_cursor(line, length));
	if (!heap_header(heap, first))
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)legacy->lines.offset,
			"a heap profile of an unknown kind: its first line is not understood");
	legacy_leave_out(legacy, LEGACY_HEAP);
	legacy->has_block_sizes = true;
	heap_types(heap, legacy_contains(line, length, "growth"));
	while (legacy_line(legacy, &line, &length)) {
		if (legacy_map_begins(line, length)) {
			legacy_use_comments(legacy, &heap->comments);
			legacy_read_map(legacy);
			break;
		}
		if (legacy_is_blank(line, length))
			legacy_comment(legacy, &heap->comments, line, length);
		else
			heap_row(heap, line, length);
	}
	legacy_use_comments(legacy, &heap->comments);
	if (heap->has_symbols)
		heap_name_leaves(legacy);
	if (!legacy_finish(legacy))
		return false;
	heap_compare_sums(heap);
	return true;
}

static bool heap_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct heap heap = {0};
	legacy_init(&heap.legacy, source, builder, format_legacy_heap.name, err);
	bool ok = heap_read_all(&heap);
	legacy_comments_free(&heap.comments);
	legacy_free(&heap.legacy);
	return ok;
}

bool legacy_heap_read_on(struct legacy *legacy)
{
	struct heap heap = {.legacy = *legacy, .has_symbols = true};
	legacy->builder->profile->format = format_legacy_heap.name;
	bool ok = heap_read_all(&heap);
	legacy_comments_free(&heap.comments);
	*legacy = heap.legacy;
	return ok;
}

static int heap_sniff(const uint8_t *bytes, size_t size)
{
	struct legacy_cursor c = legacy_first_line(bytes, size, true);
	return legacy_take(&c, heap_mark) && legacy_contains(c.next, (size_t)(c.end - c.next), "@")
		       ? 120
		       : 0;
}

const struct format format_legacy_heap = {
	.name = "heap-text",
	.description = "heap profile as text (gperftools, Go with debug=1)",
	.sniff = heap_sniff,
	.read = heap_read,
};
