/* SPDX-License-Identifier: MIT */
#include "profile/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_S)

int64_t clock_sampled_ns(const struct profile *profile)
{
	int64_t ns;
	if (profile->period_ns <= 0)
		return -1;
	/* Tree-only profiles have a weight a row: their samples are the total of the first type. */
	int64_t samples =
		profile->is_timed ? (int64_t)profile->sample_count : profile->types[0].total;
	return __builtin_mul_overflow(samples, profile->period_ns, &ns) ? -1 : ns;
}

int64_t clock_duration_ns(const struct profile *profile)
{
	if (profile->has_start && profile->has_end && profile->end_ns >= profile->start_ns)
		return profile->end_ns - profile->start_ns;
	if (profile->duration_ns > 0) /* of several profiles together */
		return profile->duration_ns;
	/* A vmprof file that writes its end, but was not closed: how long the run was is not known.
	 */
	if (profile->is_truncated)
		return -1;
	return clock_sampled_ns(profile);
}

/* The ends of the run are known and make sense. */
static bool clock_can_stretch(const struct profile *profile)
{
	return profile->is_timed && profile->has_start && profile->has_end &&
	       profile->end_ns > profile->start_ns && profile->sample_count > 0;
}

/* Moments of snapshots; without a clock where one has no time, or they go backwards. */
static struct clock clock_of_series(const struct profile *profile)
{
	struct clock clock = {.kind = TIME_STAMPED,
		.samples = profile->sample_count,
		.has_date = true,
		.has_offset = profile->has_offset,
		.start_ns = profile->snapshots[0].time_ns,
		.offset_s = profile->offset_s,
		.snapshots = profile->snapshots,
		.snapshot_count = profile->snapshot_count};
	int64_t before = 1;
	for (size_t i = 0; i < profile->snapshot_count; i++) {
		const int64_t now = profile->snapshots[i].time_ns;
		if (now < before)
			clock.kind = TIME_NONE;
		before = now;
	}
	clock.length_ns = before - clock.start_ns;
	if (clock.kind == TIME_NONE) {
		clock.length_ns = (int64_t)profile->sample_count;
		clock.has_date = false;
	}
	return clock;
}

struct clock clock_make(const struct profile *profile, enum clock_choice choice)
{
	struct clock clock = {.kind = TIME_NONE, .samples = profile->sample_count};
	if (profile->snapshots)
		return clock_of_series(profile);
	clock.length_ns = (int64_t)profile->sample_count;
	int64_t nominal = clock_sampled_ns(profile);
	bool can_stretch = clock_can_stretch(profile);
	/* With one thread the wall clock's timer fires once a period: then the nominal clock is the
	 * true one. */
	bool prefers_nominal = profile->is_realtime && profile->thread_count <= 1;
	bool stretches = can_stretch &&
			 (choice == CLOCK_STRETCHED || (choice == CLOCK_AUTO && !prefers_nominal));
	if (!profile->is_timed)
		return clock;
	if (stretches) {
		clock.kind = TIME_STRETCHED;
		clock.length_ns = profile->end_ns - profile->start_ns;
		/* The wall clock's timer takes a sample of each thread a period. */
		int64_t threads = profile->is_realtime && profile->thread_count > 1
					  ? profile->thread_count
					  : 1;
		double ratio = nominal > 0
				       ? (double)clock.length_ns / (double)nominal * (double)threads
				       : 2;
		clock.is_estimate = ratio > 1.1 || ratio < 1 / 1.1;
	} else if (nominal >= 0) {
		clock.kind = TIME_NOMINAL;
		clock.length_ns = nominal;
		clock.is_estimate = !prefers_nominal;
	} else {
		return clock;
	}
	clock.has_date = profile->has_start;
	clock.has_offset = profile->has_offset;
	clock.start_ns = profile->start_ns;
	clock.offset_s = profile->offset_s;
	return clock;
}

/* a * b / c without overflow; c > 0. */
static int64_t clock_scale(uint64_t a, uint64_t b, uint64_t c)
{
	return (int64_t)((unsigned __int128)a * b / c);
}

/* The first snapshot whose samples (or time, where `by_time`) begin behind `at`. */
static size_t clock_behind(const struct clock *clock, int64_t at, bool by_time)
{
	size_t low = 0, high = clock->snapshot_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct snapshot *snapshot = &clock->snapshots[middle];
		const int64_t place =
			by_time ? snapshot->time_ns - clock->start_ns : (int64_t)snapshot->first;
		if (place <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t clock_time(const struct clock *clock, uint64_t i)
{
	if (clock->kind == TIME_NONE || clock->samples == 0)
		return (int64_t)i;
	if (clock->snapshots) {
		const size_t behind = clock_behind(clock, (int64_t)i, false);
		return behind > 0 ? clock->snapshots[behind - 1].time_ns - clock->start_ns : 0;
	}
	return clock_scale(i, (uint64_t)clock->length_ns, clock->samples);
}

uint64_t clock_sample(const struct clock *clock, int64_t ns)
{
	if (ns <= 0 || clock->samples == 0)
		return 0;
	if (ns >= clock->length_ns)
		return clock->samples - 1;
	if (clock->kind == TIME_STAMPED) {
		const size_t behind = clock_behind(clock, ns, true);
		const uint64_t i = behind > 0 ? clock->snapshots[behind - 1].first : 0;
		return i < clock->samples ? i : clock->samples - 1;
	}
	uint64_t i =
		(uint64_t)clock_scale((uint64_t)ns, clock->samples, (uint64_t)clock->length_ns);
	/* Both divisions round down: go to the sample that starts at or before ns, the last such.
	 */
	while (i + 1 < clock->samples && clock_time(clock, i + 1) <= ns)
		i++;
	return i;
}

/* ---- moments as people type them ------------------------------------------------- */

static bool clock_fail(const char *text, const char *why, struct vp_error *err)
{
	return error_set(err, ERROR_USAGE, -1, "'%.60s': %s", text, why);
}

/* "11:30", "11:30:05.25": ns since midnight; false where it is no time of day. */
static bool clock_parse_of_day(const char *text, int64_t *ns)
{
	char *end;
	long hours = strtol(text, &end, 10);
	if (end == text || *end != ':' || hours < 0 || hours > 24)
		return false;
	const char *s = end + 1;
	long minutes = strtol(s, &end, 10);
	if (end == s || minutes < 0 || minutes > 59)
		return false;
	double seconds = 0;
	if (*end == ':') {
		s = end + 1;
		seconds = strtod(s, &end);
		if (end == s || !(seconds >= 0 && seconds < 61))
			return false;
	}
	*ns = (hours * 3600 + minutes * 60) * NS_PER_S + (int64_t)(seconds * 1e9 + 0.5);
	return *end == 0;
}

static int32_t clock_offset(const struct clock *clock, int64_t unix_ns)
{
	return clock->has_offset ? clock->offset_s : units_local_offset(unix_ns);
}

/* The first moment at or after the start at which clocks show `of_day`. */
static int64_t clock_after_start(const struct clock *clock, int64_t of_day)
{
	int64_t start_local = clock->start_ns + clock_offset(clock, clock->start_ns) * NS_PER_S;
	int64_t day = start_local / NS_PER_DAY * NS_PER_DAY;
	int64_t local = day + of_day;
	if (local < start_local && local + NS_PER_DAY < start_local + clock->length_ns + NS_PER_DAY)
		local += NS_PER_DAY;
	/* The zone may have changed by then: take the offset in force at that moment. */
	int64_t guess = local - clock_offset(clock, clock->start_ns) * NS_PER_S;
	return local - clock_offset(clock, guess) * NS_PER_S - clock->start_ns;
}

static bool clock_parse_absolute(
	const struct clock *clock, const char *text, int64_t *ns, struct vp_error *err)
{
	int64_t of_day, unix_ns;
	int32_t offset;
	bool has_offset, is_of_day = clock_parse_of_day(text, &of_day);
	if (!is_of_day && !units_parse_iso8601(text, &unix_ns, &has_offset, &offset))
		return clock_fail(text,
			"is no time: 11:30, 2026-11-29T11:30:05+02:00, +20m, #1500 or 50%", err);
	if (!clock->has_date)
		return clock_fail(text,
			"the profile has no start date: say +20m (since the start) or #1500 (sample)",
			err);
	if (is_of_day) {
		*ns = clock_after_start(clock, of_day);
		return true;
	}
	if (!has_offset)
		unix_ns -= clock_offset(clock, unix_ns) * NS_PER_S;
	return !__builtin_sub_overflow(unix_ns, clock->start_ns, ns) ||
	       clock_fail(text, "is out of range", err);
}

bool clock_parse(const struct clock *clock, const char *text, int64_t *ns, struct vp_error *err)
{
	char *end;
	size_t length = strlen(text);
	if (*text == '#') {
		long long sample = strtoll(text + 1, &end, 10);
		if (end == text + 1 || *end)
			return clock_fail(text, "is no sample number", err);
		uint64_t i = sample < 0 ? 0 : (uint64_t)sample;
		*ns = clock_time(clock, i > clock->samples ? clock->samples : i);
		return true;
	}
	if (length > 1 && text[length - 1] == '%') {
		double percent = strtod(text, &end);
		if (end != text + length - 1 || !(percent >= 0 && percent <= 100))
			return clock_fail(text, "is no percentage of the run", err);
		*ns = (int64_t)((double)clock->length_ns * percent / 100);
		return true;
	}
	if (clock->kind == TIME_NONE)
		return clock_fail(text, "the profile has no time: say #1500 (sample) or 50%", err);
	if (*text == '+') {
		if (!units_parse_duration(text + 1, ns))
			return clock_fail(
				text, "is no time since the start: +90s, +20m, +1h3m", err);
	} else if (!clock_parse_absolute(clock, text, ns, err)) {
		return false;
	}
	if (*ns < 0)
		*ns = 0;
	if (*ns > clock->length_ns)
		*ns = clock->length_ns;
	return true;
}

/* The sample that a moment stands for, or the first one behind it. */
static bool clock_place(
	const struct clock *clock, const char *text, uint64_t *sample, struct vp_error *err)
{
	int64_t ns;
	if (!clock_parse(clock, text, &ns, err))
		return false;
	if (*text == '#') { /* which may be one of several of the same time */
		const unsigned long long i = strtoull(text + 1, NULL, 10);
		*sample = text[1] == '-' ? 0 : i < clock->samples ? i : clock->samples;
		return true;
	}
	if (clock->kind == TIME_NONE) {
		*sample = (uint64_t)ns;
		return true;
	}
	const size_t behind = clock_behind(clock, ns - 1, true);
	*sample = behind < clock->snapshot_count ? clock->snapshots[behind].first : clock->samples;
	return true;
}

bool clock_snapshots(const struct clock *clock, const char *from, const char *to, size_t *first,
	size_t *last, struct vp_error *err)
{
	uint64_t start = 0, end = clock->samples;
	int64_t ns;
	if ((from && !clock_place(clock, from, &start, err)) ||
		(to && (!clock_place(clock, to, &end, err) || !clock_parse(clock, to, &ns, err))))
		return false;
	/* The end of the series is the last snapshot's moment. */
	if (to && *to != '#' && ns >= clock->length_ns)
		end = clock->samples;
	*first = from ? clock_behind(clock, (int64_t)start, false) : 1;
	*first = *first > 0 ? *first - 1 : 0;
	*last = end == clock->samples ? clock->snapshot_count
				      : clock_behind(clock, (int64_t)end - 1, false);
	return *first < *last || error_set(err, ERROR_USAGE, -1,
					 "no snapshot lies between --from=%.100s and --to=%.100s",
					 from ? from : "", to ? to : "");
}

bool clock_window(const struct clock *clock, const struct profile *profile, const char *from,
	const char *to, uint64_t *first, uint64_t *last, struct vp_error *err)
{
	int64_t ns;
	*first = 0;
	*last = profile->sample_count;
	if (clock->snapshots) {
		size_t begin, end;
		if (!clock_snapshots(clock, from, to, &begin, &end, err))
			return false;
		profile_snapshot_range(profile, end - 1, first, last);
		return true;
	}
	if (!from && !to)
		return true;
	if (!profile->is_timed)
		return error_set(err, ERROR_USAGE, -1,
			"this profile has no times, so --from and --to cannot choose among its samples");
	if (from) {
		if (!clock_parse(clock, from, &ns, err))
			return false;
		*first = ns < clock->length_ns ? clock_sample(clock, ns) : clock->samples;
	}
	if (to) {
		if (!clock_parse(clock, to, &ns, err))
			return false;
		*last = clock_sample(clock, ns);
		*last += clock_time(clock, *last) < ns;
	}
	return *first < *last || error_set(err, ERROR_USAGE, -1,
					 "no sample lies between --from=%.100s and --to=%.100s",
					 from ? from : "", to ? to : "");
}
