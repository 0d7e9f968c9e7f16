/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_EXPORT_H
#define VPTOP_REPORT_EXPORT_H

#include "base/hash.h"
#include "report/parts.h"

/*
 * A profile as pprof's file format sees it: samples with a value of each type and a stack of
 * locations; locations are frames of one address, the others inlined into the outermost one. What
 * the filters of the query leave is there; the granularity is that of addresses.
 *
 * Records of a file of sums are samples as they are. Where each record is one sample of a time,
 * those of the same stack and thread are added up.
 */

/* What a file says whose values come from stacks that nobody recorded (calltree_is_estimate). */
extern const char export_estimate[];

/* A frame and those that are inlined into it, innermost last; location 0 is none. */
struct export_location {
	uint32_t outer; /* the location without the innermost frame; 0: it has one frame */
	frame_id frame; /* innermost */
	uint32_t id;    /* number in the order of first use; 0: no sample has it as a whole */
};

struct export
{
	const struct report_input *input;
	const struct profile *profile;
	unsigned types[MAX_FILE_TYPES]; /* indices of the types that can be added up */
	unsigned type_count;
	bool leaves_out_levels; /* a type was left out: it cannot be added up */

	struct export_location *locations;
	uint32_t location_count;
	uint32_t *used; /* [used_count]: locations by their number - 1 */
	uint32_t used_count;
	uint32_t *location_of_frame; /* of one frame */
	struct hash_map slots;       /* outer << 32 | frame -> location */
	size_t location_capacity, used_capacity;

	/* Samples that were added up; NULL: they are as they are. */
	uint64_t *first; /* [sum_count]: index of the first sample of each */
	int64_t *sums;   /* [sum_count x type_count] */
	size_t sum_count;
	uint64_t next; /* sample or sum */

	frame_id *frames; /* of a stack, scratch */
	size_t frame_capacity;
	uint32_t *path; /* locations of a stack */
	size_t path_capacity;
};

struct export_sample {
	int64_t values[MAX_FILE_TYPES]; /* [type_count] */
	const uint32_t *path;           /* numbers of locations, leaf first */
	size_t depth;
	uint64_t sample; /* index of the (first) sample: its labels and its thread */
};

/* input->tree is at the granularity of addresses. Free with export_close. */
void export_open(struct export *export, const struct report_input *input);
void export_close(struct export *export);

/* The next sample; false behind the last one. path lives until the next call. */
bool export_next(struct export *export, struct export_sample *sample);

/* Makes the options those of an export: report->prepare. */
void export_prepare(const struct profile *profile, struct report_options *options);

/* The type that is shown first, in the order of types; the first one where it is not among them. */
unsigned export_default_type(const struct export *export);

/* Adds the unit of values as whole numbers: "bytes"; "count x 0.01" where they have fractions. */
void export_unit(const struct value_type *type, const char *unit, struct text *out);

/* Whether a frame is an address alone, in a profile of functions that are their names. */
bool export_is_bare(const struct profile *profile, frame_id frame);

#endif
