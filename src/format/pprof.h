/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_PPROF_H
#define VPTOP_FORMAT_PPROF_H

#include "base/hash.h"
#include "format/format.h"
#include "format/pprof_wire.h"

/*
 * A pprof message while it is read (pprof.md section 2): pprof.c takes it apart, pprof_message.c
 * and pprof_sample.c decode what is in it, pprof_build.c and pprof_stacks.c make the profile when
 * all of it was seen. Fields come in any order and the strings mostly last, so names are indices
 * into the string table until then.
 */

enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING = 6,
	PPROF_DROP_FRAMES = 7,
	PPROF_KEEP_FRAMES = 8,
	PPROF_TIME = 9,
	PPROF_DURATION = 10,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_TYPE = 14,
	PPROF_DOC_URL = 15,
	PPROF_FIELD_COUNT
};

/* Id 0 is reserved; all others are the file's own, in no order. */
struct pprof_location {
	uint64_t id, mapping, address;
	uint32_t first_line, line_count; /* innermost first */
	bool is_defined;                 /* else a sample named it, and nothing else has so far */
};

struct pprof_line {
	uint64_t function;
	uint32_t line;
};

struct pprof_function {
	uint64_t id, name, system_name, file;
	uint32_t line;
};

struct pprof_mapping {
	uint64_t id, file, build_id, start, limit, offset;
	uint8_t has; /* bits: functions, file names, line numbers, inlined frames */
};

struct pprof_type {
	uint64_t name, unit;
};

/* All by index into the strings; a text, or a number with a unit. See pprof_labels.c. */
struct pprof_label {
	uint32_t key, text, unit;
	int64_t number;
};

struct pprof_labels {
	struct pprof_label *list;
	size_t count, capacity;
	struct hash_map slots, key_slots; /* all of a label -> number; key -> how many labels */
	size_t key_count;
	uint32_t *path; /* of the sample that is being read: numbers of labels, from 1 */
	size_t path_length, path_capacity;
	uint64_t *order; /* scratch */
	uint32_t *sorted;
	size_t order_capacity, sorted_capacity;
	struct builder sets;  /* frames are numbers of labels */
	uint32_t *sample_set; /* NULL: no sample has any */
	size_t sample_capacity;
	uint64_t too_many, too_many_of_sample; /* labels that were left out */
};

/*
 * The stack of the sample before, as the bytes of its packed location ids: they end where `bytes`
 * ends. The path of the builder of stacks is of the same stack. length 0: of none.
 */
struct pprof_last {
	uint8_t *bytes;
	size_t capacity, length, depth;
};

/* The stack of the last sample, while it is not in the tree yet: see pprof_sample.c. */
struct pprof_waiting {
	frame_id *path; /* root first, behind the first `shared` frames of the stack before */
	size_t capacity, shared, count;
	bool is_there;
};

/* What is wrong with a file and was put right, each counted. */
struct pprof_problems {
	uint64_t reserved_ids, repeated_ids, unknown_locations, unknown_functions, unknown_strings,
		few_values, many_values, broken;
	int64_t first_broken; /* offset */
};

struct pprof {
	struct source *source;
	struct builder *builder;

	string_id *strings; /* by index in the file */
	size_t string_count, string_capacity;

	struct pprof_type types[MAX_FILE_TYPES];
	uint32_t type_count;  /* also those beyond MAX_FILE_TYPES, until they are built */
	uint32_t named_types; /* those too */
	struct pprof_type period_type;
	int64_t period, time_ns, duration_ns;
	uint64_t drop_frames, keep_frames, default_type, doc_url;
	uint64_t *comments;
	size_t comment_count, comment_capacity;

	struct pprof_location *locations;
	size_t location_count, location_capacity;
	struct hash_map location_slots;
	uint32_t *near_locations; /* the same for small ids: id -> index + 1, 0 unknown */
	size_t near_capacity;
	struct pprof_line *lines;
	size_t line_count, line_capacity;
	struct pprof_function *functions;
	size_t function_count, function_capacity;
	struct hash_map function_slots;
	struct pprof_mapping *mappings;
	size_t mapping_count, mapping_capacity;
	struct hash_map mapping_slots;

	/*
	 * Samples wait for the locations: stacks are nodes of a builder of their own, whose frames
	 * are indices into locations (plus 1), and values are varints, counted in front.
	 */
	struct builder stacks;
	stack_id *sample_stack;
	size_t sample_count, sample_capacity;
	uint8_t *values;
	size_t value_bytes, value_capacity;
	frame_id *path; /* of one sample */
	size_t path_capacity;
	struct pprof_last last;
	struct pprof_waiting waiting;
	struct pprof_labels labels;

	struct pprof_problems problems;
};

/* Decodes one sub-message. A broken one is left out and counted, `offset` says where it is. */
void pprof_take(
	struct pprof *pprof, enum pprof_field field, const struct wire *message, int64_t offset);

/* The same for a sample; false where it is broken. */
bool pprof_take_sample(struct pprof *pprof, struct wire wire);

/* After the last sample. */
void pprof_settle_samples(struct pprof *pprof);

/* The index, plus 1, of a location by its id: a new one where it was not seen before. */
uint32_t pprof_location_number(struct pprof *pprof, uint64_t id);

void pprof_labels_init(struct pprof_labels *labels);
void pprof_labels_free(struct pprof_labels *labels);
/* Before the first label of a sample. */
void pprof_labels_start(struct pprof_labels *labels);
/* One more; false where it is broken. */
bool pprof_label(struct pprof_labels *labels, const struct wire_field *field);
/* They are all of the sample of that index. */
void pprof_labels_end(struct pprof_labels *labels, size_t sample);
/* Gives the profile its labels, and marks the samples of the base of a difference. */
void pprof_build_labels(struct pprof *pprof);

/* Frames of each location, outermost first: frames[start[i]] up to start[i + 1]; at least one. */
struct pprof_frames {
	frame_id *frames;
	uint32_t *start;
};

/* Gives the profile its stacks and samples; those of locations are gone then. */
bool pprof_build_samples(
	struct pprof *pprof, const struct pprof_frames *frames, struct vp_error *err);

/* Makes the builder's profile of all that was taken. */
bool pprof_build(struct pprof *pprof, struct vp_error *err);

/* A string of the file; 0 where there is no such string, which is counted unless the index is 0. */
string_id pprof_string_id(struct pprof *pprof, uint64_t index);

/* The bytes of a string of the file, NUL-ended; "" where there is no such string, which is counted
 * unless the index is 0. */
const char *pprof_string(struct pprof *pprof, uint64_t index, size_t *length);

#endif
