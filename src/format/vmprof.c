/* SPDX-License-Identifier: MIT */
/*
 * vmprof's binary profile, versions 0 to 6 (formats/vmprof.md has every byte): five words, then
 * records of one marker byte and a payload, until a trailer. No record has a length, so each
 * marker's layout must be known. Written by the vmprof package (CPython) and by PyPy.
 *
 * Not read: big-endian files; the memory map behind the trailer of version 0.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/vmprof_stack.h"

enum marker {
	MARKER_STACK = 1,
	MARKER_NAME = 2,
	MARKER_TRAILER = 3,
	MARKER_INTERPRETER = 4, /* version 0 only */
	MARKER_HEADER = 5,
	MARKER_TIME = 6,
	MARKER_META = 7,
	MARKER_NATIVE_NAME = 8
};

enum mode {
	MODE_MEMORY = 1,
	MODE_LINES = 2,
	MODE_NATIVE = 4,
	MODE_RPYTHON = 8,
	MODE_REALTIME = 16
};

enum {
	WORDS = 5,
	MAX_DEPTH = 65536,
	MAX_TEXT = 1 << 20,
	WINDOW = 64 * 1024,
	RANK_NATIVE_NAME = 1, /* a 0x02 name beats any 0x08 name of the same id (section 5) */
	RANK_NAME = 2
};

enum step {
	STEP_NEXT, /* a record was read */
	STEP_MORE, /* the record is longer than the bytes at hand */
	STEP_END,  /* the trailer */
	STEP_STOP  /* nothing that follows can be read */
};

struct vmprof {
	struct source *source;
	struct builder *builder;
	size_t word, addr; /* sizes in bytes */
	int version, mode;
	bool has_header, is_rpython, has_names;
	struct vmprof_stacks stacks;
	uint64_t base; /* offset of the record at hand */
	size_t memory_missing;
	int64_t last_memory;  /* KiB */
	struct vp_error stop; /* why STEP_STOP */
};

/* ---- bytes ------------------------------------------------------------------------ */

static uint64_t vmprof_unsigned(const uint8_t *p, size_t size)
{
	uint64_t value = 0;
	for (size_t i = size; i-- > 0;)
		value = value << 8 | p[i];
	return value;
}

static int64_t vmprof_signed(const uint8_t *p, size_t size)
{
	uint64_t value = vmprof_unsigned(p, size);
	return size == 4 ? (int32_t)value : (int64_t)value;
}

static bool vmprof_stop(struct vmprof *v, const char *what)
{
	error_set(&v->stop, ERROR_MALFORMED, (int64_t)v->base, "%s at byte %llu", what,
		(unsigned long long)v->base);
	return false;
}

/* ---- the five words ------------------------------------------------------------------ */

struct vmprof_words {
	size_t word, addr;
	bool is_big_endian;
	uint64_t period_us;
};

/* The static header (sections 1 and 2). False: not vmprof's (nor gperftools') five words. */
static bool vmprof_words(const uint8_t *b, size_t size, struct vmprof_words *words)
{
	*words = (struct vmprof_words){0};
	if (size < 20)
		return false;
	if (b[4] == 3)
		words->word = 4;
	else if (b[7] == 3)
		words->word = 4, words->is_big_endian = true;
	else if (b[8] == 3)
		words->word = 8;
	else if (b[15] == 3)
		words->word = 8, words->is_big_endian = true;
	else
		return false;
	uint64_t word[WORDS];
	if (size < WORDS * words->word)
		return false;
	for (size_t i = 0; i < WORDS; i++) {
		uint8_t bytes[8] = {0};
		for (size_t k = 0; k < words->word; k++)
			bytes[k] = b[i * words->word +
				     (words->is_big_endian ? words->word - 1 - k : k)];
		word[i] = vmprof_unsigned(bytes, words->word);
	}
	words->addr = word[4] == 1 ? 8 : words->word;
	words->period_us = word[3];
	return word[0] == 0 && word[1] == 3 && word[2] == 0 && word[4] <= 1 &&
	       word[3] < UINT64_C(1) << 40;
}

static bool vmprof_is_text(const uint8_t *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!isprint(b[i]))
			return false;
	return size > 0;
}

/* gperftools' CPU profiles have the same five words: the first record decides (detect.md step 3).
 */
static int vmprof_sniff(const uint8_t *b, size_t size)
{
	struct vmprof_words words;
	if (!vmprof_words(b, size, &words))
		return 0;
	size_t at = WORDS * words.word;
	const uint8_t *r = b + at;
	size_t left = size - at;
	if (left == 0 || words.is_big_endian)
		return 100;
	if (r[0] == MARKER_HEADER) {
		if (left < 4)
			return 100;
		size_t length_at = r[2] >= 4 ? 4 : 3;
		if (r[1] != 0 || left <= length_at)
			return left <= length_at ? 100 : 0;
		size_t length = r[length_at], shown = left - length_at - 1;
		return length > 0 && vmprof_is_text(
					     r + length_at + 1, length < shown ? length : shown)
			       ? 200
			       : 100;
	}
	if (r[0] == MARKER_INTERPRETER && left >= 3)
		return vmprof_is_text(r + 2, r[1] < left - 2 ? r[1] : left - 2) ? 180 : 0;
	return 0;
}

/* ---- stacks --------------------------------------------------------------------------- */

static bool vmprof_is_marker(uint8_t byte)
{
	return byte >= MARKER_STACK && byte <= MARKER_NATIVE_NAME;
}

/*
 * The memory word is left out where the process's RSS could not be read. Then the byte behind the
 * record is no marker, but the one a word earlier is (section 4).
 */
static bool vmprof_lacks_memory(const struct vmprof *v, const uint8_t *p, size_t size, size_t have)
{
	return have > size && !vmprof_is_marker(p[size]) && vmprof_is_marker(p[size - v->addr]);
}

static enum step vmprof_sample(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	size_t head = 1 + 2 * v->word;
	if (have < head)
		return STEP_MORE;
	int64_t count = vmprof_signed(p + 1, v->word),
		depth = vmprof_signed(p + 1 + v->word, v->word);
	if (count < 1 || count > INT64_C(1) << 31)
		return vmprof_stop(v, "a stack with an impossible count"), STEP_STOP;
	if (depth < 0 || depth > MAX_DEPTH)
		return vmprof_stop(v, "a stack with an impossible depth"), STEP_STOP;
	bool has_thread = v->version >= 1, has_memory = v->mode & MODE_MEMORY;
	size_t entries = (size_t)depth * v->addr;
	size_t size = head + entries + (has_thread ? v->addr : 0) + (has_memory ? v->addr : 0);
	if (have < size)
		return STEP_MORE;
	uint64_t thread = has_thread ? vmprof_unsigned(p + head + entries, v->addr) : 0;
	int64_t memory = -1;
	if (has_memory && vmprof_lacks_memory(v, p, size, have)) {
		size -= v->addr;
		memory = v->last_memory; /* 0 would be a lie on the timeline; a warning says so */
		v->memory_missing++;
	} else if (has_memory) {
		memory = vmprof_signed(p + size - v->addr, v->addr);
		memory = v->last_memory = memory < 0 ? 0 : memory;
	}
	stack_id stack = vmprof_stack(&v->stacks, p + head, (size_t)depth);
	builder_sample(v->builder, stack, count, memory, thread);
	*used = size;
	return STEP_NEXT;
}

/* ---- the other records -------------------------------------------------------------------- */

/* A word with a length and as many bytes at p[at]; the length, or -1 for STEP_MORE, -2 for
 * STEP_STOP. */
static int64_t vmprof_text_length(struct vmprof *v, const uint8_t *p, size_t have, size_t at)
{
	if (have < at + v->word)
		return -1;
	int64_t length = vmprof_signed(p + at, v->word);
	if (length < 0 || length > MAX_TEXT) {
		vmprof_stop(v, "a text with an impossible length");
		return -2;
	}
	return have < at + v->word + (size_t)length ? -1 : length;
}

/*
 * CPython's writer gives every address that it saw a native name first, Python code and lines
 * included; such a placeholder says nothing (section 5, "Duplicate ids").
 */
static bool vmprof_is_placeholder(
	const struct vmprof *v, uint64_t id, const char *text, size_t length)
{
	static const char prefix[] = "n:<native symbol 0x";
	bool is_code = !(id & 1) && !v->is_rpython;
	return (int64_t)id <= 0 || (is_code && length >= sizeof prefix - 1 &&
					   memcmp(text, prefix, sizeof prefix - 1) == 0);
}

static enum step vmprof_name(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	size_t at = 1 + v->addr;
	int64_t length = vmprof_text_length(v, p, have, at);
	if (length < 0)
		return length == -1 ? STEP_MORE : STEP_STOP;
	uint64_t id = v->addr == 8 ? vmprof_unsigned(p + 1, 8) : (uint64_t)vmprof_signed(p + 1, 4);
	const char *text = (const char *)p + at + v->word;
	if (!v->has_header && v->is_rpython)
		id &= ~UINT64_C(3);
	bool is_native = p[0] == MARKER_NATIVE_NAME;
	if (!is_native || !vmprof_is_placeholder(v, id, text, (size_t)length))
		builder_name(v->builder, id, text, (size_t)length,
			is_native ? RANK_NATIVE_NAME : RANK_NAME);
	v->has_names = true;
	*used = at + v->word + (size_t)length;
	return STEP_NEXT;
}

static enum vmprof_layout vmprof_layout(const struct vmprof *v)
{
	if (!v->has_header)
		return v->is_rpython ? LAYOUT_OLD_PYPY : LAYOUT_OLD;
	if (v->is_rpython)
		return LAYOUT_PAIRS;
	return v->mode & MODE_LINES ? LAYOUT_LINES : LAYOUT_PLAIN;
}

static void vmprof_set_interpreter(struct vmprof *v, const uint8_t *name, size_t length)
{
	struct profile *profile = v->builder->profile;
	profile->interpreter = builder_text(v->builder, (const char *)name, length);
	v->is_rpython = v->mode & MODE_RPYTHON || strcmp(profile->interpreter, "pypy") == 0;
	profile->has_lines = v->mode & MODE_LINES && !v->is_rpython;
	profile->has_native = v->mode & MODE_NATIVE;
	profile->is_realtime = v->mode & MODE_REALTIME;
	v->stacks.entry_count = 0; /* entries mean something else from here on */
	v->stacks.layout = vmprof_layout(v);
}

static enum step vmprof_interpreter(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	if (have < 2 || have < 2 + (size_t)p[1])
		return STEP_MORE;
	*used = 2 + (size_t)p[1];
	if (v->has_header)
		return STEP_NEXT; /* it has said so already */
	v->builder->profile->version = 0;
	vmprof_set_interpreter(v, p + 2, p[1]);
	return STEP_NEXT;
}

static enum step vmprof_header(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	if (have < 5)
		return STEP_MORE;
	int version = p[1] << 8 | p[2]; /* the one big-endian number */
	size_t length_at = version >= 4 ? 4 : 3;
	size_t length = p[length_at];
	if (have < length_at + 1 + length)
		return STEP_MORE;
	*used = length_at + 1 + length;
	if (v->has_header) {
		builder_warn(v->builder, "malformed", "a second header at byte %llu is left out",
			(unsigned long long)v->base);
		return STEP_NEXT;
	}
	if (version > 6)
		builder_warn(v->builder, "malformed",
			"version %d is newer than any known: read as version 6", version);
	v->has_header = true;
	v->version = version;
	v->mode = version >= 4 ? p[3] : version == 3 ? MODE_MEMORY : 0;
	v->builder->profile->version = version;
	vmprof_set_interpreter(v, p + length_at + 1, length);
	return STEP_NEXT;
}

/* Seconds and microseconds since 1970 UTC, 8 bytes of zone. False where they make no time. */
static bool vmprof_time(struct vmprof *v, const uint8_t *p, int64_t *ns)
{
	int64_t s = vmprof_signed(p, 8), us = vmprof_signed(p + 8, 8);
	if (__builtin_mul_overflow(s, INT64_C(1000000000), ns) || us < -INT64_C(1000000000000) ||
		us > INT64_C(1000000000000) || __builtin_add_overflow(*ns, us * 1000, ns)) {
		builder_warn(v->builder, "bad-time",
			"the time at byte %llu is impossible and left out",
			(unsigned long long)v->base);
		return false;
	}
	if (memcmp(p + 16, "UTC", 4) == 0 || memcmp(p + 16, "GMT", 4) == 0)
		v->builder->profile->has_offset = true; /* of 0 s */
	return true;
}

enum { TIME_SIZE = 24 };

static enum step vmprof_start(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	struct profile *profile = v->builder->profile;
	if (have < 1 + TIME_SIZE)
		return STEP_MORE;
	profile->has_start = vmprof_time(v, p + 1, &profile->start_ns);
	*used = 1 + TIME_SIZE;
	return STEP_NEXT;
}

static enum step vmprof_trailer(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	struct profile *profile = v->builder->profile;
	*used = v->version >= 5 ? 1 + TIME_SIZE : 1;
	if (have < *used)
		return STEP_MORE;
	if (v->version >= 5)
		profile->has_end = vmprof_time(v, p + 1, &profile->end_ns);
	if (profile->has_start && profile->has_end && profile->end_ns < profile->start_ns) {
		builder_warn(v->builder, "bad-time",
			"the end lies before the start: the end is left out");
		profile->has_end = false;
	}
	return STEP_END;
}

static enum step vmprof_meta(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	int64_t key_length = vmprof_text_length(v, p, have, 1);
	if (key_length < 0)
		return key_length == -1 ? STEP_MORE : STEP_STOP;
	size_t at = 1 + v->word + (size_t)key_length;
	int64_t length = vmprof_text_length(v, p, have, at);
	if (length < 0)
		return length == -1 ? STEP_MORE : STEP_STOP;
	struct profile *profile = v->builder->profile;
	const char *key = (const char *)p + 1 + v->word;
	const char *value = (const char *)p + at + v->word;
	if (key_length == 2 && memcmp(key, "os", 2) == 0 && !profile->platform)
		profile->platform = builder_text(v->builder, value, (size_t)length);
	if (key_length == 4 && memcmp(key, "argv", 4) == 0 && !profile->arguments)
		profile->arguments = builder_text(v->builder, value, (size_t)length);
	*used = at + v->word + (size_t)length;
	return STEP_NEXT;
}

static enum step vmprof_record(struct vmprof *v, const uint8_t *p, size_t have, size_t *used)
{
	if (have == 0)
		return STEP_MORE;
	switch (p[0]) {
	case MARKER_STACK:
		return vmprof_sample(v, p, have, used);
	case MARKER_NAME:
	case MARKER_NATIVE_NAME:
		return vmprof_name(v, p, have, used);
	case MARKER_TRAILER:
		return vmprof_trailer(v, p, have, used);
	case MARKER_INTERPRETER:
		return vmprof_interpreter(v, p, have, used);
	case MARKER_HEADER:
		return vmprof_header(v, p, have, used);
	case MARKER_TIME:
		return vmprof_start(v, p, have, used);
	case MARKER_META:
		return vmprof_meta(v, p, have, used);
	}
	error_set(&v->stop, ERROR_MALFORMED, (int64_t)v->base, "unknown marker 0x%02x at byte %llu",
		p[0], (unsigned long long)v->base);
	return STEP_STOP;
}

/* ---- the whole file ---------------------------------------------------------------------- */

/* Records until the end, regular or not: *left gets the bytes of a record that was cut short. */
static enum step vmprof_records(struct vmprof *v, size_t *left, struct vp_error *err)
{
	for (size_t wanted = WINDOW;;) {
		size_t have, at = 0, used = 0;
		const uint8_t *p = source_peek(v->source, wanted, &have);
		enum step step;
		v->base = source_offset(v->source);
		while ((step = vmprof_record(v, p + at, have - at, &used)) == STEP_NEXT) {
			at += used;
			v->base += used;
		}
		source_skip(v->source, at);
		*left = have - at;
		if (step != STEP_MORE || have < wanted)
			return step;
		if (at == 0)
			wanted *= 2;
		uint64_t done, total;
		source_progress(v->source, &done, &total);
		if (!builder_tick(v->builder, done, total)) {
			error_set(err, ERROR_CANCELLED, (int64_t)v->base, "loading was stopped");
			return STEP_STOP;
		}
	}
}

/* Says what the end of the file means for what was read (section 8). */
static void vmprof_judge_end(struct vmprof *v, enum step step, size_t left)
{
	struct builder *builder = v->builder;
	struct profile *profile = builder->profile;
	unsigned long long samples = profile->sample_count, at = v->base;
	struct vp_error problem;
	if (step == STEP_END)
		return;
	profile->is_truncated = true;
	if (step == STEP_STOP)
		builder_warn(builder, "malformed", "%s: stopped there, %llu samples kept",
			v->stop.message, samples);
	else if (source_problem(v->source, &problem))
		builder_warn(builder, error_class_name(problem.code),
			"%s at byte %llu: %llu samples kept", problem.message, at, samples);
	else if (left > 0)
		builder_warn(builder, "truncated",
			"cut short inside a record at byte %llu: %llu samples kept, the end time is missing",
			at, samples);
	else
		builder_warn(builder, "truncated",
			"the profile was not closed (no trailer at byte %llu): %llu samples kept, the end time is missing",
			at, samples);
	if (samples > 0 && !v->has_names)
		builder_warn(builder, "missing-names",
			"no names: CPython writes them when it closes the profile, so functions show as addresses");
}

static bool vmprof_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	size_t have, left = 0;
	const uint8_t *p = source_peek(source, WORDS * 8, &have);
	struct vmprof_words words;
	if (!vmprof_words(p, have, &words))
		return error_set(err, have < WORDS * 8 ? ERROR_TRUNCATED : ERROR_MALFORMED, 0,
			"no vmprof header in the first %zu bytes", have);
	if (words.is_big_endian)
		return error_set(
			err, ERROR_ENCODING, 0, "big-endian vmprof profiles are not supported");
	source_skip(source, WORDS * words.word);
	builder->profile->format = format_vmprof.name;
	builder->profile->period_ns = (int64_t)words.period_us * 1000;

	struct vmprof v = {.source = source,
		.builder = builder,
		.word = words.word,
		.addr = words.addr,
		.stacks = {.builder = builder, .addr = words.addr}};
	struct vp_error cancelled = {0};
	enum step step = vmprof_records(&v, &left, &cancelled);
	vmprof_stacks_free(&v.stacks);
	if (cancelled.code != ERROR_NONE) {
		*err = cancelled;
		return false;
	}
	vmprof_judge_end(&v, step, left);
	if (v.memory_missing > 0)
		builder_warn(builder, "estimate",
			"%zu samples have no memory: that of the sample before is shown for them",
			v.memory_missing);
	if (v.stacks.native_dropped > 0)
		builder_warn(builder, "note",
			"native frames of this old version have no names and are left out");
	return true;
}

const struct format format_vmprof = {
	.name = "vmprof",
	.description = "vmprof binary profile, versions 0 to 6 (CPython, PyPy)",
	.sniff = vmprof_sniff,
	.read = vmprof_read,
};
