/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_CLOCK_H
#define VPTOP_PROFILE_CLOCK_H

#include "base/error.h"
#include "profile/profile.h"

/*
 * When a sample was taken. vmprof writes no time a sample, and its timer counts CPU time, so the
 * clock is a choice (numbers.md, own rule 2): stretched between start and end where both are known,
 * else nominal. All times are ns relative to the first sample.
 */

enum clock_choice { CLOCK_AUTO, CLOCK_STRETCHED, CLOCK_NOMINAL };

struct clock {
	enum clock_kind kind;
	bool is_estimate; /* times after the start carry `~` */
	bool has_date;    /* absolute time can be shown: start_ns is known */
	bool has_offset;  /* offset_s is the file's zone; else show local time */
	int64_t start_ns; /* unix */
	int32_t offset_s;
	int64_t length_ns; /* from the first sample to the end of the last; for TIME_NONE the number
			      of samples */
	uint64_t samples;  /* N */
	const struct snapshot *snapshots; /* the profile's, in a series; else NULL */
	size_t snapshot_count;
};

struct clock clock_make(const struct profile *profile, enum clock_choice choice);

/* Start of sample i (0..N; N gives the end), ns after the first. With TIME_NONE: i itself. */
int64_t clock_time(const struct clock *clock, uint64_t i);

/* The sample whose span holds `ns`: 0..N-1, clamped; 0 where there is none. */
uint64_t clock_sample(const struct clock *clock, int64_t ns);

/* end - start where both are known, else samples x period, -1 where neither is (or the end was cut
 * off). */
int64_t clock_duration_ns(const struct profile *profile);
/* samples x period, -1 where the period is unknown. */
int64_t clock_sampled_ns(const struct profile *profile);

/*
 * Parses a moment as a user types it: 11:30, 11:30:05.25, 2026-11-29T11:30:05+02:00, 2026-11-29
 * 11:30, +20m, +1h3m20s, #1500 (sample), 50% (of the run). A clock time without a date is the first
 * one at or after the start. `ns` is relative to the first sample, clamped to the run where it lies
 * outside; #1500 gives the start of that sample.
 */
bool clock_parse(const struct clock *clock, const char *text, int64_t *ns, struct vp_error *err);

/*
 * The samples [*first, *last) from the moment `from` up to but not including the moment `to`, as
 * typed; NULL: the start, the end. False and *err (ERROR_USAGE) where nothing lies between, or
 * where the samples have no order in time.
 */
bool clock_window(const struct clock *clock, const struct profile *profile, const char *from,
	const char *to, uint64_t *first, uint64_t *last, struct vp_error *err);

/*
 * In a series: which of its snapshots [*first, *last) lie in that window. What lives is not added
 * up over time, so clock_window gives the samples of the last one of these.
 */
bool clock_snapshots(const struct clock *clock, const char *from, const char *to, size_t *first,
	size_t *last, struct vp_error *err);

#endif
