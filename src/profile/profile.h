/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_PROFILE_H
#define VPTOP_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/strings.h"

/*
 * The one model: what every reader fills (through builder.h) and every query reads. Immutable after
 * load. Ids are indices; id 0 of strings, functions, frames and stacks means "none" (the empty
 * string, an unknown function, no frame, the empty stack).
 */

typedef uint32_t function_id;
typedef uint32_t frame_id;
typedef uint32_t stack_id;

enum code_kind {
	CODE_UNKNOWN,   /* an address without a name */
	CODE_PYTHON,    /* interpreted */
	CODE_JIT,       /* Python code inlined in a JIT frame (vmprof kind 3) */
	CODE_ASSEMBLER, /* the JIT's machine code: an address, no function (vmprof kind 6) */
	CODE_NATIVE,
	CODE_GC,
	CODE_TRACING, /* the JIT at work (vmprof kinds 2 and 4) */
	CODE_KIND_COUNT
};

/* The name of a kind as reports print it: "python", "jit", ... */
const char *code_kind_name(enum code_kind kind);

/* A part of memory that a program or library was mapped to (pprof.md section 2). 0 is none. */
struct mapping {
	uint64_t start, limit, offset; /* limit: first address behind it; offset: in the file */
	string_id file, build_id;
	bool has_functions, has_filenames, has_line_numbers, has_inline_frames;
};

struct function {
	string_id name;        /* without language, file, line */
	string_id system_name; /* as in the binary, mangled; 0: the same */
	string_id file;        /* 0 where unknown */
	string_id module;      /* file of the mapping; 0 where unknown */
	uint32_t line;         /* of the definition; 0 where unknown */
	uint8_t kind;          /* enum code_kind: CODE_PYTHON, CODE_NATIVE or CODE_UNKNOWN */
};

struct frame {
	uint64_t address;     /* as recorded (vmprof: with the low bit of native code) */
	function_id function; /* 0 until the names are known */
	uint32_t line;        /* being executed; 0 where unknown */
	uint8_t kind;         /* enum code_kind */
	bool is_inlined;      /* into its caller */
	bool is_label;        /* no frame of the program but a label (derive/tag_frames.h): what the
				 profile itself wants left out does not concern it */
	uint32_t mapping;     /* index into profile->mappings; 0 where unknown */
};

enum value_kind {
	VALUE_COUNTER,  /* adds over stacks and over time: samples, CPU time, bytes allocated */
	VALUE_SNAPSHOT, /* adds over stacks, not over time: live bytes by allocation site */
	VALUE_GAUGE /* adds over neither: the process's RSS; only min, mean, max, last make sense */
};

enum value_source {
	VALUE_WEIGHT, /* how often the sample was seen: 1 where there is no weight column */
	VALUE_TIME,   /* weight x period */
	VALUE_COLUMN, /* profile->columns[column] x scale: a type of the file's own */
	VALUE_MEMORY, /* profile->memory x scale */
	VALUE_RISE    /* how much memory grew since the sample before; 0 where it fell (numbers.md,
		      own rule 4) */
};

/* In a difference of profiles each type of the files is there three times. */
enum value_part {
	PART_ALL,   /* it is no difference */
	PART_DELTA, /* new minus base; types [0, n) */
	PART_BASE,  /* what the base had; types [n, 2n), by the name "base:NAME" */
	PART_NEW,   /* what the other one had; types [2n, 3n), by the name "new:NAME" */
	PART_COUNT
};

struct value_type {
	const char *name; /* "samples", "time", "memory", "growth" */
	const char *unit; /* base unit: "count", "nanoseconds", "bytes" */
	enum value_kind kind;
	enum value_source source;
	unsigned column;   /* VALUE_COLUMN: which one */
	int64_t scale;     /* of the column, to the base unit: 1024 for KiB */
	int64_t total;     /* over all samples; not for a GAUGE */
	unsigned decimals; /* values count 10^-decimals of the unit; 0 but where a file has
			      fractions */
	enum value_part part;
};

/* Types that one file may name; a difference has three times as many. */
enum { MAX_FILE_TYPES = 32, MAX_VALUE_TYPES = 3 * MAX_FILE_TYPES };
enum { MAX_DECIMALS = 9 };

/* One number a sample, as narrow as the numbers allow. At most one of the two is not NULL. */
struct column {
	uint32_t *narrow;
	int64_t *wide;
	size_t capacity;
};

struct thread {
	uint64_t id; /* as recorded */
	int64_t samples;
};

/* What a file says of a sample: a key and a text, or a number with a unit. Label 0 is none. */
struct label {
	string_id key;
	string_id text; /* 0: it is a number */
	string_id unit; /* of the number; 0: none was given */
	int64_t number;
};

/* One of the profiles that were taken of a process one after the other; see series.h. */
struct snapshot {
	int64_t time_ns;  /* unix; 0: unknown */
	size_t first;     /* its samples are [first, first of the next one) */
	const char *name; /* of its file */
};

enum clock_kind {
	TIME_NONE,      /* samples have no order in time, or no known distance */
	TIME_NOMINAL,   /* sample i at i x period */
	TIME_STRETCHED, /* sample i at i x (end - start) / N */
	TIME_STAMPED    /* each sample has its own time */
};

struct warning {
	const char *
		class_name; /* "truncated", "malformed", "bad-time", "missing-names", "note", ... */
	char *message;      /* one line; may quote the input: clean when printing */
};

struct profile {
	struct arena arena;
	struct strings strings;

	struct function *functions; /* [function_count], 0 is the unknown one */
	uint32_t function_count;
	struct frame *frames; /* [frame_count], 0 is none */
	uint32_t frame_count;

	/*
	 * The stack tree in pre-order: node 0 is the empty stack, node i > 0 is the stack of
	 * stack_parent[i] with stack_frame[i] called by it. stack_parent[i] < i, and the stacks
	 * below i are exactly i + 1 .. stack_end[i] - 1.
	 */
	uint32_t stack_count;
	stack_id *stack_parent;
	frame_id *stack_frame;
	stack_id *stack_end;
	uint32_t max_depth;       /* frames of the deepest stack */
	uint32_t distinct_stacks; /* that samples have; stack_count has the ways to them, too */

	/* Samples, in the order of the file, which is the order of time. */
	size_t sample_count;
	stack_id *sample_stack;
	uint32_t *sample_thread; /* index into threads; NULL where there is one thread */
	struct column weight;    /* empty: all ones */
	struct column memory;    /* KiB; empty: not recorded */
	uint64_t *base_samples;  /* bits: those of the base of a difference, of which shares are;
				    NULL: it is none */
	struct column columns[MAX_VALUE_TYPES]; /* of the types that the file itself names */
	struct thread *threads;
	uint32_t thread_count;

	/*
	 * Labels. A set of them is a node of a tree, as a stack is: set 0 is empty, set i has the
	 * labels of set_parent[i] < i, then set_label[i].
	 */
	struct label *labels; /* [label_count]; NULL where the file has none, as all of these */
	uint32_t label_count;
	uint32_t *set_parent, *set_label; /* [set_count] */
	uint32_t set_count;
	uint32_t *sample_labels; /* [sample_count]: the set of each sample; NULL: all are empty */

	struct mapping *mappings; /* [mapping_count]; NULL where the file has none */
	uint32_t mapping_count;

	/*
	 * Exact figures of functions and of who called whom, in a format that has no stacks: those
	 * here are estimated then (numbers.md 3.6). NULL elsewhere.
	 */
	struct callgraph *callgraph;
	bool has_estimated_stacks; /* made of a graph of calls, also where that is gone: in a
				      difference */

	struct snapshot *snapshots; /* NULL: it is no series */
	size_t snapshot_count;

	struct value_type types[MAX_VALUE_TYPES];
	unsigned type_count;
	unsigned default_type; /* index into types; always one that a flame graph can add up */
	enum difference {
		DIFFERENCE_NONE,
		DIFFERENCE_CANCELS, /* --base: equal stacks cancel, shares are of the sizes of what
				       is left */
		DIFFERENCE_OF_BASE  /* --diff-base: shares are of the base */
	} difference;

	/* Time. A sample has none of its own in the formats read so far: see clock.h. */
	bool is_timed;    /* the order of samples is an order in time */
	bool is_realtime; /* sampled by the wall clock, not by CPU time */
	bool has_start, has_end, has_offset;
	int64_t start_ns, end_ns;              /* unix */
	int32_t offset_s;                      /* the file's zone, seconds east of UTC */
	int64_t period_ns;                     /* 0 where unknown */
	int64_t duration_ns;                   /* as the file says it; 0: it does not */
	const char *period_type, *period_unit; /* pprof: what the period is counted in; or NULL */
	int64_t period;                        /* in that unit; 0 where unknown */

	/* What the file says of itself; NULL or 0 where it does not. */
	const char *format; /* "vmprof", "vmprof-viewer", "vmprof-server" */
	int version;        /* -1: none */
	const char *source, *project, *top_level_function, *interpreter, *platform, *arguments;
	const char *base_source;               /* of a difference: where its base came from */
	const char *comments, *doc_url;        /* lines; a link */
	const char *drop_frames, *keep_frames; /* patterns of functions that are left out with all
						  that they call (numbers.md 3.3 rule 7) */
	const char *compression; /* "gzip", "zstd", "zlib" or NULL: what the file was wrapped in */
	bool has_lines, has_native;
	bool is_name_function; /* functions of one name are one, whatever their file (numbers.md,
				  own rule 8: pprof) */
	bool is_truncated;     /* the file was not closed, or was cut */

	struct warning *warnings;
	size_t warning_count;
	size_t warning_capacity;
};

void profile_free(struct profile *profile); /* NULL is fine */

/* The value of sample i < sample_count in the base unit of types[type]. */
int64_t profile_value(const struct profile *profile, unsigned type, size_t i);

/* The same for samples first .. first + count - 1 at once. */
void profile_values(const struct profile *profile, unsigned type, uint64_t first, uint64_t count,
	int64_t *values);

/* Whether the type is how often a sample was seen, or a multiple of that. */
bool value_is_weight(const struct value_type *type);

/* Memory of sample i in KiB; only where profile_has_memory. */
int64_t profile_memory_kib(const struct profile *profile, size_t i);
bool profile_has_memory(const struct profile *profile);

/* Index of the first sample with the most memory; only where profile_has_memory and sample_count >
 * 0. */
size_t profile_peak(const struct profile *profile);

/* What the samples are a period apart in, in words: "CPU time", "wall time", or the file's own. */
const char *profile_timer(const struct profile *profile);

/*
 * How many samples were taken: the sum of the weights; in a format whose records are sums of
 * samples the total of its own type "samples", -1 where it has none, and in a difference.
 */
int64_t profile_samples_taken(const struct profile *profile);

/* In a series: the samples [*first, *last) of snapshot i; and the snapshot that sample i is of. */
void profile_snapshot_range(
	const struct profile *profile, size_t i, uint64_t *first, uint64_t *last);
size_t profile_snapshot_of(const struct profile *profile, uint64_t sample);

/*
 * The type that the user named: an index, a name or "name/unit", the first one of that name; of
 * "inuse_space" also "space" (numbers.md 3.4 rule 1). Returns false where there is none.
 */
bool profile_find_type(const struct profile *profile, const char *text, unsigned *type);

/*
 * The type that stands for the same thing in another part of a difference; the type itself where
 * the profile is none.
 */
unsigned profile_type_of_part(const struct profile *profile, unsigned type, enum value_part part);

/* The set of labels of sample i: an index into set_parent; 0 where it has none. */
static inline uint32_t profile_label_set(const struct profile *profile, size_t i)
{
	return profile->sample_labels ? profile->sample_labels[i] : 0;
}

/* The function of a frame, never NULL (functions[0] where it is unknown). */
const struct function *profile_function(const struct profile *profile, frame_id frame);

/* Bytes of a string; *length may be NULL. */
const char *profile_string(const struct profile *profile, string_id id, size_t *length);

#endif
