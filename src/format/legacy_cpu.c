/* SPDX-License-Identifier: MIT */
/*
 * The CPU profile of gperftools, of Go before 1.9 and of Google's Java agent (formats/pprof.md
 * section 4.1). Words of 4 or 8 bytes in either byte order:
 *
 *     0, 3, 0 (1: Java), period in microseconds, 0
 *     count, depth, depth addresses: leaf first, all but the leaf are where a call returns to
 *     ...
 *     0, 1, 0
 *
 * and text behind it: the memory map, for Java what each address is. vmprof's logs have the same
 * five words; the first record decides (formats/detect.md step 3). `pprof --raw` of gperftools puts
 * text in front:
 *
 *     --- symbol
 *     binary=PATH
 *     0xADDRESS function--function it is inlined into
 *     ---
 *     --- profile
 *
 * and neither an end nor a map behind the samples; the period is 1 whatever it was, addresses have
 * been moved back by 1 and the signal handler's taken out already.
 */
#include "format/legacy_java.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CPU_WORDS = 5, CPU_SNIFFED_DEPTH = 4096, CPU_RECORDS_PER_TICK = 4096 };

struct cpu {
	struct legacy legacy;
	size_t word;
	bool is_big_endian, is_java;
	bool has_symbols; /* text in front */
	int64_t period_ns;
};

/* ---- words ---------------------------------------------------------------------------- */

static uint64_t cpu_word(const struct cpu *cpu, const uint8_t *bytes, size_t index)
{
	const uint8_t *p = bytes + index * cpu->word;
	uint64_t value = 0;
	for (size_t i = 0; i < cpu->word; i++)
		value = value << 8 | p[cpu->is_big_endian ? i : cpu->word - 1 - i];
	return value;
}

/* The first five words; false where they are not a profile's. */
static bool cpu_header(struct cpu *cpu, const uint8_t *bytes, size_t size)
{
	static const struct {
		size_t word;
		bool is_big_endian;
	} layouts[] = {{4, false}, {4, true}, {8, false}, {8, true}};
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		cpu->word = layouts[i].word;
		cpu->is_big_endian = layouts[i].is_big_endian;
		if (size < CPU_WORDS * cpu->word)
			continue;
		uint64_t java = cpu_word(cpu, bytes, 2), period = cpu_word(cpu, bytes, 3);
		if (cpu_word(cpu, bytes, 0) != 0 || cpu_word(cpu, bytes, 1) != 3 || java > 1 ||
			period == 0 || period >= UINT64_C(1) << 40 || cpu_word(cpu, bytes, 4) != 0)
			continue;
		cpu->is_java = java == 1;
		cpu->period_ns = (int64_t)period * 1000;
		return true;
	}
	return false;
}

static int cpu_sniff(const uint8_t *bytes, size_t size)
{
	struct cpu cpu = {0};
	if (legacy_has_symbols(bytes, size))
		return 80;
	if (!cpu_header(&cpu, bytes, size))
		return 0;
	const size_t left = size / cpu.word - CPU_WORDS;
	if (left < 3) /* too little to tell; vmprof's own test goes first */
		return 50;
	uint64_t count = cpu_word(&cpu, bytes, CPU_WORDS),
		 depth = cpu_word(&cpu, bytes, CPU_WORDS + 1);
	return count >> (8 * cpu.word - 1) == 0 && depth <= CPU_SNIFFED_DEPTH && depth + 2 <= left
		       ? 150
		       : 20;
}

/* ---- samples -------------------------------------------------------------------------- */

static void cpu_sample(struct cpu *cpu, const uint8_t *bytes, int64_t count, size_t depth)
{
	struct legacy *legacy = &cpu->legacy;
	for (size_t i = 0; i < depth; i++) {
		uint64_t address = cpu_word(cpu, bytes, 2 + i);
		if (i > 0 && !cpu->is_java && !cpu->has_symbols)
			address--;
		legacy_push(legacy, legacy_place(legacy, address, 0));
	}
	const int64_t values[] = {count, legacy_multiply(legacy, count, cpu->period_ns)};
	legacy_sample(legacy, values);
}

enum cpu_step { CPU_NEXT, CPU_END, CPU_CUT, CPU_BROKEN };

static enum cpu_step cpu_record(struct cpu *cpu)
{
	struct source *source = cpu->legacy.source;
	size_t have;
	const uint8_t *bytes = source_peek(source, 2 * cpu->word, &have);
	if (have < 2 * cpu->word)
		return CPU_CUT;
	uint64_t count = cpu_word(cpu, bytes, 0), depth = cpu_word(cpu, bytes, 1);
	if (count >> (8 * cpu->word - 1) || depth > LEGACY_MAX_DEPTH)
		return CPU_BROKEN;
	size_t size = (2 + (size_t)depth) * cpu->word;
	bytes = source_peek(source, size, &have);
	if (have < size)
		return CPU_CUT;
	bool is_end = count == 0 && depth == 1 && cpu_word(cpu, bytes, 2) == 0;
	if (!is_end)
		cpu_sample(cpu, bytes, (int64_t)count, (size_t)depth);
	source_skip(source, size);
	return is_end ? CPU_END : CPU_NEXT;
}

static enum cpu_step cpu_records(struct cpu *cpu)
{
	struct legacy *legacy = &cpu->legacy;
	uint64_t done, total;
	enum cpu_step step = CPU_NEXT;
	for (size_t i = 0; step == CPU_NEXT; i++) {
		if (i % CPU_RECORDS_PER_TICK == 0) {
			source_progress(legacy->source, &done, &total);
			legacy->is_cancelled = !builder_tick(legacy->builder, done, total);
			if (legacy->is_cancelled)
				break;
		}
		step = cpu_record(cpu);
	}
	return step;
}

/*
 * Where nearly all samples have the same frame behind the leaf it is the signal handler's, as in
 * pprof: up to two of them are taken out.
 */
static void cpu_drop_handler(struct legacy *legacy)
{
	const size_t samples = legacy->sample_count, least = samples - samples / 32;
	uint32_t *seen = memory_new(legacy->place_count + 1, sizeof *seen);
	for (int pass = 0; pass < 2; pass++) {
		uint32_t most = 0;
		memset(seen, 0, legacy->place_count * sizeof *seen);
		for (size_t i = 0; i < samples; i++) {
			const struct legacy_sample *sample = &legacy->samples[i];
			if (sample->depth < 2)
				continue;
			uint32_t place = legacy->entries[sample->first + 1];
			if (++seen[place] > seen[most])
				most = place;
		}
		if (samples == 0 || seen[most] < least)
			break;
		for (size_t i = 0; i < samples; i++)
			if (legacy->samples[i].depth > 1 &&
				legacy->entries[legacy->samples[i].first + 1] == most)
				legacy_drop_caller(legacy, i);
		builder_warn(legacy->builder, "note",
			"0x%llx called the leaf of %u of %zu samples: taken for the signal handler and left out, as pprof does",
			(unsigned long long)legacy->places[most].address, seen[most], samples);
	}
	free(seen);
}

/* What the end of the records means. False with an error where there is nothing in front of it. */
static bool cpu_judge(struct cpu *cpu, enum cpu_step step)
{
	struct legacy *legacy = &cpu->legacy;
	const unsigned long long samples = legacy->sample_count,
				 offset = source_offset(legacy->source);
	size_t left;
	struct vp_error problem;
	if (step == CPU_END || legacy->is_cancelled || source_problem(legacy->source, &problem))
		return true; /* nothing to say, or legacy_finish says it */
	source_peek(legacy->source, 1, &left);
	if (samples == 0 && step == CPU_CUT && left > 0)
		return error_set(legacy->err, ERROR_TRUNCATED, (int64_t)offset,
			"cut short inside the first sample at byte %llu", offset);
	if (samples == 0 && step == CPU_BROKEN)
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)offset,
			"an impossible count or depth in the first sample, at byte %llu", offset);
	if (cpu->has_symbols && step == CPU_CUT && left == 0)
		return true;
	legacy->builder->profile->is_truncated = true;
	if (step == CPU_BROKEN)
		builder_warn(legacy->builder, "malformed",
			"an impossible count or depth at byte %llu: stopped there, %llu samples kept",
			offset, samples);
	else
		builder_warn(legacy->builder, "truncated",
			left > 0 ? "cut short inside a sample at byte %llu: %llu samples kept"
				 : "the profile was not closed at byte %llu: %llu samples kept",
			offset, samples);
	return true;
}

static bool cpu_read_all(struct cpu *cpu)
{
	struct legacy *legacy = &cpu->legacy;
	size_t have;
	const uint8_t *bytes = source_peek(legacy->source, LEGACY_SYMBOL_MARK, &have);
	bool is_heap = false;
	cpu->has_symbols = legacy_has_symbols(bytes, have);
	if (cpu->has_symbols && !legacy_read_symbols(legacy, &is_heap))
		return false;
	if (is_heap)
		return legacy_heap_read_on(legacy);
	bytes = source_peek(legacy->source, CPU_WORDS * 8, &have);
	if (!cpu_header(cpu, bytes, have))
		return error_set(legacy->err,
			have < CPU_WORDS * 8 ? ERROR_TRUNCATED : ERROR_MALFORMED,
			(int64_t)source_offset(legacy->source),
			"no CPU profile header at byte %llu",
			(unsigned long long)source_offset(legacy->source));
	source_skip(legacy->source, CPU_WORDS * cpu->word);
	legacy_leave_out(legacy, LEGACY_OTHER);
	legacy_type(legacy, "samples", "count", VALUE_COUNTER, 1);
	if (!cpu->has_symbols || cpu->period_ns > 1000) {
		legacy_type(legacy, "cpu", "nanoseconds", VALUE_COUNTER, 1);
		legacy->builder->profile->period_ns = cpu->period_ns;
	}
	enum cpu_step step = cpu_records(cpu);
	if (!cpu_judge(cpu, step))
		return false;
	if (cpu->is_java && step == CPU_END)
		legacy_java_locations(legacy, NULL, 0);
	else if (step == CPU_END)
		legacy_read_map(legacy);
	if (!cpu->is_java && !cpu->has_symbols) {
		cpu_drop_handler(legacy);
		legacy_drop_double_leaves(legacy);
	}
	return legacy_finish(legacy);
}

static bool cpu_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct cpu cpu = {0};
	legacy_init(&cpu.legacy, source, builder, format_legacy_cpu.name, err);
	bool ok = cpu_read_all(&cpu);
	legacy_free(&cpu.legacy);
	return ok;
}

const struct format format_legacy_cpu = {
	.name = "cpu-binary",
	.description = "CPU profile of gperftools, old Go and Google's Java agent",
	.sniff = cpu_sniff,
	.read = cpu_read,
};
