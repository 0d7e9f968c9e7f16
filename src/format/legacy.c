/* SPDX-License-Identifier: MIT */
#include "format/legacy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEGACY_SAMPLES_PER_TICK = 4096 };

void legacy_init(struct legacy *legacy, struct source *source, struct builder *builder,
	const char *format, struct vp_error *err)
{
	*legacy = (struct legacy){
		.source = source, .builder = builder, .err = err, .kind = CODE_NATIVE};
	struct profile *profile = builder->profile;
	profile->format = format;
	profile->is_timed = false;
	profile->is_name_function = true;
	profile->has_native = true;
}

void legacy_free(struct legacy *legacy)
{
	text_lines_close(&legacy->lines);
	free(legacy->places);
	hash_map_free(&legacy->place_slots);
	free(legacy->symbols);
	legacy_map_free(&legacy->map);
	free(legacy->frames);
	free(legacy->stack);
	free(legacy->entries);
	free(legacy->samples);
	free(legacy->values);
}

void legacy_type(struct legacy *legacy, const char *name, const char *unit, enum value_kind kind,
	int64_t scale)
{
	builder_type(legacy->builder, name, unit, kind, scale);
	/* The last one is shown first, as in pprof. */
	legacy->builder->profile->default_type = legacy->value_count++;
}

void legacy_period(struct legacy *legacy, const char *type, const char *unit, int64_t period)
{
	struct profile *profile = legacy->builder->profile;
	profile->period_type = builder_text(legacy->builder, type, strlen(type));
	profile->period_unit = builder_text(legacy->builder, unit, strlen(unit));
	profile->period = period;
}

void legacy_milliseconds(struct legacy *legacy, int64_t ms)
{
	int64_t ns;
	if (ms > 0 && !__builtin_mul_overflow(ms, INT64_C(1000000), &ns))
		legacy->builder->profile->duration_ns = ns;
}

/*
 * pprof leaves out what measures and what allocates, in these old profiles only (its
 * legacy_profile.go has the names).
 */
void legacy_leave_out(struct legacy *legacy, enum legacy_family family)
{
	static const char heap[] =
		"calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc"
		"|tcmalloc::.*|tc_(calloc|cfree|malloc|free|memalign|posix_memalign|pvalloc|valloc|realloc)"
		"|tc_(new|delete)(array)?|tc_new(array)?_nothrow|malloc_zone_(malloc|calloc|valloc|realloc|memalign|free)"
		"|runtime\\..*|BaseArena::.*|(::)?do_malloc(_no_errno|_pages)?|DoSampledAllocation"
		"|MallocedMemBlock::MallocedMemBlock|_M_allocate|__builtin_(vec_)?(delete|new)"
		"|__gnu_cxx::new_allocator::allocate|__libc_malloc|__malloc_alloc_template::allocate"
		"|allocate|cpp_alloc|operator new(\\[\\])?|simple_alloc::allocate";
	static const char heap_keep[] =
		"runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*";
	static const char locks[] =
		"RecordLockProfileData|(base::)?(RecordLockProfileData|SubmitMutexProfileData|SubmitSpinLockProfileData).*"
		"|(base::Mutex::|Mutex::)?(AwaitCommon|Unlock|UnlockSlow|ReaderUnlock).*"
		"|(base::MutexLock::|MutexLock::)?~MutexLock.*|(SpinLock::)?(Unlock|SlowUnlock).*"
		"|(SpinLockHolder::)?~SpinLockHolder.*";
	static const char handlers[] =
		"ProfileData::Add|(ProfileData|CpuProfiler)::prof_handler|__pthread_sighandler|__restore";
	struct profile *profile = legacy->builder->profile;
	profile->drop_frames = family == LEGACY_HEAP    ? heap
			       : family == LEGACY_LOCKS ? locks
							: handlers;
	profile->keep_frames = family == LEGACY_HEAP ? heap_keep : NULL;
}

/* ---- places --------------------------------------------------------------------------- */

uint32_t legacy_place(struct legacy *legacy, uint64_t address, string_id variant)
{
	uint64_t key = variant ? address ^ hash_u64(variant) : address;
	uint32_t *slot;
	while (*(slot = hash_map_slot(&legacy->place_slots, key)) != 0) {
		const struct legacy_place *place = &legacy->places[*slot - 1];
		if (place->address == address && place->variant == variant)
			return *slot - 1;
		key = hash_u64(key + 1);
	}
	uint32_t id = (uint32_t)legacy->place_count;
	legacy->places = array_grow(legacy->places, &legacy->place_capacity,
		legacy->place_count + 1, sizeof *legacy->places);
	legacy->places[legacy->place_count++] =
		(struct legacy_place){.address = address, .variant = variant};
	*slot = id + 1;
	return id;
}

bool legacy_find_place(const struct legacy *legacy, uint64_t address, uint32_t *place)
{
	for (uint64_t key = address;; key = hash_u64(key + 1)) {
		*place = hash_map_get(&legacy->place_slots, key, UINT32_MAX);
		if (*place == UINT32_MAX)
			return false;
		if (legacy->places[*place].address == address && !legacy->places[*place].variant)
			return true;
	}
}

void legacy_symbol(
	struct legacy *legacy, uint32_t place_id, string_id name, string_id file, uint32_t line)
{
	struct legacy_place *place = &legacy->places[place_id];
	if (place->symbol_count == LEGACY_MAX_INLINED)
		return;
	legacy->builder->profile->has_lines |= line > 0;
	legacy->symbols = array_grow(legacy->symbols, &legacy->symbol_capacity,
		legacy->symbol_count + 1, sizeof *legacy->symbols);
	legacy->symbols[legacy->symbol_count++] =
		(struct legacy_symbol){.name = name, .file = file, .line = line};
	uint32_t id = (uint32_t)legacy->symbol_count; /* index + 1 */
	if (place->symbol_count++ == 0)
		place->first = id;
	else
		legacy->symbols[place->last - 1].next = id;
	place->last = id;
}

/* ---- samples -------------------------------------------------------------------------- */

void legacy_push(struct legacy *legacy, uint32_t place)
{
	if (legacy->entry_count - legacy->open == LEGACY_MAX_DEPTH) {
		legacy->is_too_deep = true;
		return;
	}
	legacy->entries = array_grow(legacy->entries, &legacy->entry_capacity,
		legacy->entry_count + 1, sizeof *legacy->entries);
	legacy->entries[legacy->entry_count++] = place;
}

void legacy_drop(struct legacy *legacy)
{
	legacy->entry_count = legacy->open;
}

void legacy_sample(struct legacy *legacy, const int64_t *values)
{
	const size_t i = legacy->sample_count++;
	legacy->samples = array_grow(
		legacy->samples, &legacy->sample_capacity, i + 1, sizeof *legacy->samples);
	legacy->samples[i] = (struct legacy_sample){.first = legacy->open,
		.depth = (uint32_t)(legacy->entry_count - legacy->open),
		.block_size = legacy->block_size};
	legacy->open = legacy->entry_count;
	legacy->values = array_grow(legacy->values, &legacy->value_capacity,
		(i + 1) * legacy->value_count, sizeof *legacy->values);
	for (unsigned k = 0; k < legacy->value_count; k++)
		legacy->values[i * legacy->value_count + k] = values[k];
}

void legacy_drop_caller(struct legacy *legacy, size_t i)
{
	struct legacy_sample *sample = &legacy->samples[i];
	legacy->entries[sample->first + 1] = legacy->entries[sample->first];
	sample->first++;
	sample->depth--;
}

void legacy_drop_double_leaves(struct legacy *legacy)
{
	for (size_t i = 0; i < legacy->sample_count; i++) {
		if (legacy->samples[i].depth < 2)
			continue;
		const uint32_t *stack = &legacy->entries[legacy->samples[i].first];
		if (legacy->places[stack[0]].address == legacy->places[stack[1]].address + 1)
			legacy_drop_caller(legacy, i);
	}
}

int64_t legacy_multiply(struct legacy *legacy, int64_t a, int64_t b)
{
	int64_t product;
	if (!__builtin_mul_overflow(a, b, &product))
		return product;
	legacy->has_overflow = true;
	return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

int64_t legacy_whole(struct legacy *legacy, double value)
{
	if (value > -9223372036854775808.0 && value < 9223372036854775808.0)
		return (int64_t)value;
	legacy->has_overflow = true;
	return value < 0 ? INT64_MIN : INT64_MAX;
}

void legacy_unsample(struct legacy *legacy, int64_t *count, int64_t *bytes, int64_t rate)
{
	if (*count == 0 || *bytes == 0) {
		*count = *bytes = 0;
		return;
	}
	if (rate <= 1) /* all were sampled, or who knows */
		return;
	double size = (double)*bytes / (double)*count;
	double scale = 1 / (1 - exp(-size / (double)rate));
	*count = legacy_whole(legacy, (double)*count * scale);
	*bytes = legacy_whole(legacy, (double)*bytes * scale);
}

/* ---- to the builder ------------------------------------------------------------------- */

static void legacy_add_frame(struct legacy *legacy, const struct frame *frame)
{
	legacy->frames = array_grow(legacy->frames, &legacy->frame_capacity,
		legacy->frame_count + 1, sizeof *legacy->frames);
	legacy->frames[legacy->frame_count++] = builder_function_frame(legacy->builder, frame);
}

/*
 * The frames of a place. One without a name has a function without a name, one for each file of the
 * map, so that it is known where it is from.
 */
static void legacy_make_frames(struct legacy *legacy, uint32_t id)
{
	struct legacy_place *place = &legacy->places[id];
	const uint32_t mapping = legacy_map_find(&legacy->map, legacy->builder, place->address);
	const string_id module = mapping ? legacy->builder->profile->mappings[mapping].file : 0;
	if (place->symbol_count == 0 && place->guess)
		legacy_symbol(legacy, id, place->guess, 0, 0);
	place->frames = (uint32_t)legacy->frame_count + 1;
	for (uint32_t next = place->first; next != 0;) {
		const struct legacy_symbol *symbol = &legacy->symbols[next - 1];
		next = symbol->next;
		const struct function function = {.name = symbol->name,
			.file = symbol->file,
			.module = module,
			.kind = (uint8_t)legacy->kind};
		legacy_add_frame(
			legacy, &(struct frame){.address = place->address,
					.function = builder_function(legacy->builder, &function),
					.line = symbol->line,
					.kind = (uint8_t)legacy->kind,
					.is_inlined = symbol->next != 0,
					.mapping = mapping});
	}
	if (place->symbol_count > 0)
		return;
	struct frame frame = {.address = place->address, .kind = CODE_UNKNOWN, .mapping = mapping};
	if (module)
		frame.function = builder_function(legacy->builder,
			&(struct function){.module = module, .kind = CODE_UNKNOWN});
	legacy_add_frame(legacy, &frame);
	place->symbol_count = 1;
}

static stack_id legacy_make_stack(struct legacy *legacy, const struct legacy_sample *sample)
{
	size_t depth = 0;
	for (uint32_t i = sample->depth; i-- > 0;) {
		const uint32_t id = legacy->entries[sample->first + i];
		const struct legacy_place *place = &legacy->places[id];
		if (place->frames == 0)
			legacy_make_frames(legacy, id);
		legacy->stack = array_grow(legacy->stack, &legacy->stack_capacity,
			depth + place->symbol_count, sizeof *legacy->stack);
		for (uint32_t k = place->symbol_count; k-- > 0;)
			legacy->stack[depth++] = legacy->frames[place->frames - 1 + k];
	}
	return builder_stack(legacy->builder, legacy->stack, depth);
}

/* pprof gives the last sample this label, also where it is 0. */
static void legacy_label(struct legacy *legacy, int64_t block_size)
{
	struct label label = {
		.key = builder_string(legacy->builder, "bytes", 5), .number = block_size};
	uint32_t number = builder_label(legacy->builder, &label);
	builder_sample_labels(legacy->builder, builder_label_set(legacy->builder, 0, number));
}

static bool legacy_emit(struct legacy *legacy)
{
	uint64_t done, total;
	for (size_t i = 0; i < legacy->sample_count; i++) {
		if (i % LEGACY_SAMPLES_PER_TICK == 0) {
			source_progress(legacy->source, &done, &total);
			if (!builder_tick(legacy->builder, done, total))
				return false;
		}
		builder_values(legacy->builder, legacy_make_stack(legacy, &legacy->samples[i]),
			&legacy->values[i * legacy->value_count]);
		if (legacy->has_block_sizes)
			legacy_label(legacy, legacy->samples[i].block_size);
	}
	return true;
}

/* Whether anything was read, and what is wrong with it. */
static bool legacy_judge(struct legacy *legacy)
{
	struct builder *builder = legacy->builder;
	struct vp_error problem;
	const unsigned long long samples = legacy->sample_count,
				 offset = source_offset(legacy->source);
	const bool is_broken = source_problem(legacy->source, &problem);
	if (is_broken || legacy->is_cut)
		builder->profile->is_truncated = true;
	if (samples == 0 && is_broken)
		return error_set(legacy->err, problem.code, (int64_t)offset,
			"%s at byte %llu: no sample was read", problem.message, offset);
	if (samples == 0 && legacy->bad_lines > 0)
		return error_set(legacy->err, ERROR_MALFORMED, (int64_t)legacy->bad_offset,
			"no sample: the line at byte %llu is not understood",
			(unsigned long long)legacy->bad_offset);
	if (samples == 0 && legacy->is_cut)
		return error_set(legacy->err, ERROR_TRUNCATED, (int64_t)offset,
			"cut short at byte %llu, before the first sample", offset);
	if (is_broken)
		builder_warn(builder, error_class_name(problem.code),
			"%s at byte %llu: %llu samples kept", problem.message, offset, samples);
	else if (legacy->is_cut)
		builder_warn(builder, "truncated",
			"cut short: the line at byte %llu has no end and is left out",
			(unsigned long long)legacy->lines.offset);
	if (legacy->is_too_deep)
		builder_warn(builder, "truncated",
			"stacks deeper than %d frames are cut at the root", LEGACY_MAX_DEPTH);
	if (legacy->lines.too_long > 0)
		builder_warn(builder, "malformed", "%llu lines are too long and left out",
			(unsigned long long)legacy->lines.too_long);
	if (legacy->bad_lines > 0)
		builder_warn(builder, "malformed",
			"%llu lines are not understood and left out, the first at byte %llu",
			(unsigned long long)legacy->bad_lines,
			(unsigned long long)legacy->bad_offset);
	if (legacy->has_overflow)
		builder_warn(builder, "overflow",
			"a value is past 64 bits: the largest number stands for it");
	return true;
}

bool legacy_finish(struct legacy *legacy)
{
	legacy_drop(legacy);
	if (legacy->is_cancelled)
		return error_set(legacy->err, ERROR_CANCELLED, -1, "loading was stopped");
	if (!legacy_judge(legacy))
		return false;
	if (!legacy_emit(legacy))
		return error_set(legacy->err, ERROR_CANCELLED, -1, "loading was stopped");
	return true;
}
