/* SPDX-License-Identifier: MIT */
/* The timeline: what it says of itself. */
#include "view/timeline_state.h"

/* "ran in 34 of 91 bins": of what is searched for; false: nothing is. */
static bool words_add_hits(
	struct timeline_state *state, const struct view_context *context, struct text *out)
{
	size_t count = 0;
	if (!timeline_settle_hits(state, context))
		return false;
	for (size_t i = 0; i < state->bin_count; i++)
		count += timeline_has_hit(state, &state->bins[i]);
	text_printf(out, "ran in %zu of %zu bins   ", count, state->bin_count);
	return true;
}

static double words_samples_per_bin(const struct timeline_state *state)
{
	return (double)(state->shown.last - state->shown.first) / (double)state->bin_count;
}

void timeline_status(void *opaque, const struct view_context *context, struct text *out)
{
	struct timeline_state *state = opaque;
	static const char *const series[] = {
		[SERIES_MAX] = "max", [SERIES_MEAN] = "mean", [SERIES_BOTH] = "mean and max"};
	const struct clock *clock = &context->clock;
	char length[UNIT_SIZE];
	if (series_is_shown(context))
		series_status(&state->snapshots, context, out);
	if (series_is_shown(context) || !timeline_has_time(context) || state->bin_count == 0)
		return;
	bool has_search = words_add_hits(state, context, out);
	double per_bin = words_samples_per_bin(state);
	if (clock->kind == TIME_NONE)
		text_printf(out, "a bin is %.1f samples   sample numbers", per_bin);
	else
		text_printf(out, "a bin is %s",
			units_duration(length, (int64_t)((double)common_step(clock, 1) * per_bin)));
	if (has_search) /* which needs a chip: there is no room for the rest */
		return;
	if (context->is_absolute) {
		int32_t offset =
			clock->has_offset
				? clock->offset_s
				: units_local_offset(
					  clock->start_ns + clock_time(clock, state->shown.first));
		text_printf(out, "   %s", units_zone(length, offset));
	} else if (clock->kind != TIME_NONE) {
		text_puts(out, "   run time");
	}
	if (profile_has_memory(context->profile))
		text_printf(out, "   %s", series[context->series]);
}

/* ---- the help page ----------------------------------------------------------------- */

static void words_explain_chart(
	const struct timeline_state *state, const struct view_context *context, struct text *out)
{
	char length[UNIT_SIZE];
	double per_bin = words_samples_per_bin(state);
	const char *plural = per_bin > 1 ? "s" : "";
	if (context->clock.kind == TIME_NONE)
		text_printf(out, "A column is one bin: %.1f sample%s. ", per_bin, plural);
	else
		text_printf(out, "A column is one bin: %.1f sample%s, %s. ", per_bin, plural,
			units_duration(length,
				(int64_t)((double)common_step(&context->clock, 1) * per_bin)));
	if (profile_has_memory(context->profile))
		text_puts(out,
			"Solid is the mean of the process's memory (RSS) over the bin, shade goes up to "
			"its highest sample, so no spike is lost at any zoom. RSS is what the whole "
			"process holds at a moment: adding it up over stacks would mean nothing, so "
			"there is no flame graph of it. The stacks below say what ran then, not who "
			"holds the memory; V in Flame counts growth.\n");
	else
		text_puts(out, "No memory was recorded; each column shows the stack of one of its "
			       "samples instead.\n");
	if (context->query.thread >= 0 || state->has_drops)
		text_puts(out, "A blank column with a dot on the axis has no sample of the chosen "
			       "thread, or none that passes the filters: that is not zero.\n");
}

static void words_explain_clock(const struct view_context *context, struct text *out)
{
	const struct clock *clock = &context->clock;
	char a[UNIT_SIZE];
	char b[UNIT_SIZE];
	if (clock->has_date)
		text_printf(out, "Relative time starts at the first sample, %s. ",
			units_clock(a, clock->start_ns, clock->has_offset, clock->offset_s,
				1000000000, CLOCK_DATE_TIME, NULL));
	else
		text_puts(out, "Relative time starts at the first sample. ");
	if (clock->kind == TIME_STRETCHED && clock->is_estimate)
		text_printf(out,
			"Samples count CPU time (%s); they are spread evenly over the %s that passed, "
			"so moments between start and end are estimates (~).\n",
			units_duration(a, clock_sampled_ns(context->profile)),
			units_duration(b, clock->length_ns));
	else if (clock->is_estimate)
		text_puts(out,
			"A moment is the sample's number times the period. The timer counts CPU "
			"time, so clock times are estimates (~): the program also slept.\n");
	else
		text_puts(out, "\n");
}

void timeline_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct timeline_state *state = opaque;
	if (series_is_shown(context)) {
		series_explain(context, out);
		return;
	}
	if (!timeline_has_time(context) || state->bin_count == 0) {
		text_puts(out,
			"This profile is a call tree without samples in time, so there is no "
			"timeline. See Flame and Top.\n");
		return;
	}
	words_explain_chart(state, context, out);
	words_explain_clock(context, out);
	text_puts(out,
		"The chart always has the whole run. v marks a time window, from bin to bin; all other "
		"views then count its samples only. It stands on the axis as [\u2550\u25b2\u2550], what "
		"lies outside is grey, and Esc takes it away. On the axis \u25b2 is the cursor");
	text_puts(out,
		context->search ? ", and \u2022 a bin in which a hit of the search ran.\n" : ".\n");
	text_puts(out, "Below: the frames that all stacks of the bin begin with, then how they go "
		       "on, most frequent first, with the memory while they ran. While you mark, "
		       "they are those of the whole mark.\n");
}
