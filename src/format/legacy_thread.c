/* SPDX-License-Identifier: MIT */
/*
 * The stacks of all threads as text (formats/pprof.md section 4.4):
 *
 *     --- threadz 1 ---
 *     --- Thread 7f794964e700 (name: main/14748) stack: ---
 *       PC:  0x7f794a32bf7d: function
 *       0x7f794a32414e: function
 *           creator: 0xa45b96 0xa460b4
 *     --- Thread 7f7948978700 (name: thread3/14759) stack: ---
 *       [same as previous thread]
 *     --- Memory map: ---
 *
 * Leaf first; all addresses but the leaf's are where a call returns to. Who created a thread is its
 * root. Names of threads are not read.
 */
#include "format/legacy.h"

#include <string.h>

struct threads {
	struct legacy legacy;
	bool is_inside; /* a thread */
	bool is_same;   /* as the one before */
};

static const char thread_start[] = "--- Thread ";

/* "--- Thread HEX (name: NAME/TID) stack: ---" */
static bool thread_is_start(struct legacy_cursor c)
{
	uint64_t id;
	return legacy_take(&c, thread_start) && legacy_take_hex(&c, &id) &&
	       legacy_take(&c, " (name: ") &&
	       legacy_contains(c.next, (size_t)(c.end - c.next), ") stack: ---");
}

/* "--- threadz N ---" */
static bool thread_is_header(struct legacy_cursor c)
{
	int64_t version;
	return legacy_take(&c, "--- threadz ") && legacy_take_number(&c, &version) &&
	       legacy_take(&c, " ---");
}

static void thread_end(struct threads *threads)
{
	struct legacy *legacy = &threads->legacy;
	const int64_t one = 1;
	if (threads->is_inside && threads->is_same) {
		legacy_drop(legacy);
		if (legacy->sample_count > 0)
			legacy->values[legacy->sample_count - 1]++;
	} else if (threads->is_inside) {
		legacy_sample(legacy, &one);
	}
	threads->is_inside = threads->is_same = false;
}

/* The name behind the only address of a line: ": function". */
static bool thread_name(struct legacy_cursor c, struct legacy_cursor *name)
{
	if (!legacy_take(&c, ":"))
		return false;
	*name = legacy_trim(c);
	return name->next < name->end;
}

static void thread_frame(struct legacy *legacy, uint64_t address, struct legacy_cursor name)
{
	if (legacy->entry_count > legacy->open)
		address--;
	string_id id = 0;
	if (name.next < name.end)
		id = builder_string(legacy->builder, name.next, (size_t)(name.end - name.next));
	uint32_t place = legacy_place(legacy, address, id);
	if (id && legacy->places[place].symbol_count == 0)
		legacy_symbol(legacy, place, id, 0, 0);
	legacy_push(legacy, place);
}

/* The addresses of a line, with a name or without. */
static void thread_line(struct threads *threads, const char *line, size_t length)
{
	struct legacy_cursor c = legacy_cursor(line, length), name = {line, line};
	uint64_t address;
	if (legacy_contains(line, length, "same as previous thread")) {
		threads->is_same = true;
		return;
	}
	while (c.next < c.end) {
		if (!legacy_take_address(&c, &address)) {
			c.next++;
			continue;
		}
		bool has_name = thread_name(c, &name);
		thread_frame(&threads->legacy, address, name);
		if (has_name)
			return;
	}
}

static bool thread_read_all(struct threads *threads)
{
	struct legacy *legacy = &threads->legacy;
	const char *line;
	size_t length;
	bool is_header_seen = false;
	legacy_leave_out(legacy, LEGACY_OTHER);
	legacy_period(legacy, "thread", "count", 1);
	legacy_type(legacy, "thread", "count", VALUE_SNAPSHOT, 1);
	while (legacy_line(legacy, &line, &length)) {
		struct legacy_cursor c = legacy_trim(legacy_cursor(line, length)), mark = c;
		if (legacy_map_begins(line, length)) {
			thread_end(threads);
			legacy_read_map(legacy);
			break;
		}
		if (thread_is_start(c)) {
			thread_end(threads);
			threads->is_inside = true;
		} else if (legacy_take(&mark, "---- no stack trace for")) {
			thread_end(threads);
			legacy_read_rest(legacy);
			break;
		} else if (legacy_take(&mark, "---")) {
			thread_end(threads);
			if (is_header_seen || !thread_is_header(c))
				legacy_bad_line(legacy);
			is_header_seen = true;
		} else if (threads->is_inside) {
			thread_line(threads, line, length);
		}
	}
	/* Half of a stack is another one; none at all, at the very end, is one that was cut off. */
	if (threads->is_inside && !threads->is_same && legacy->entry_count == legacy->open)
		legacy->is_cut = true;
	if (legacy->is_cut)
		legacy_drop(legacy);
	else
		thread_end(threads);
	return legacy_finish(legacy);
}

static bool thread_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct threads threads = {0};
	legacy_init(&threads.legacy, source, builder, format_legacy_thread.name, err);
	bool ok = thread_read_all(&threads);
	legacy_free(&threads.legacy);
	return ok;
}

static int thread_sniff(const uint8_t *bytes, size_t size)
{
	struct legacy_cursor c = legacy_first_line(bytes, size, true);
	return thread_is_header(c) || thread_is_start(c) ? 120 : 0;
}

const struct format format_legacy_thread = {
	.name = "thread-text",
	.description = "stacks of all threads as text (threadz)",
	.sniff = thread_sniff,
	.read = thread_read,
};
