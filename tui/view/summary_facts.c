/* SPDX-License-Identifier: MIT */
#include "view/summary_facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "profile/callgraph.h"

static struct summary_fact *summary_new(struct summary_facts *facts, const char *label)
{
	/* There are fewer kinds of facts than places. */
	struct summary_fact *fact =
		&facts->facts[facts->count < SUMMARY_MOST_FACTS - 1 ? facts->count++
								    : SUMMARY_MOST_FACTS - 1];
	*fact = (struct summary_fact){.label = label, .role = ROLE_NORMAL};
	return fact;
}

__attribute__((format(printf, 2, 3))) static void summary_add(
	struct summary_fact *fact, const char *format, ...)
{
	size_t used = strlen(fact->value);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(fact->value + used, sizeof fact->value - used, format, arguments);
	va_end(arguments);
}

/* Adds bytes from the profile, made harmless. */
static void summary_add_foreign(
	struct summary_fact *fact, const struct view_context *context, const char *bytes)
{
	struct text clean = {0};
	int width;
	text_clean(&clean, bytes, strlen(bytes), context->ascii);
	size_t room = sizeof fact->value - 1 - strlen(fact->value);
	size_t length = text_fit(clean.data ? clean.data : "", clean.length, (int)room / 4, &width);
	summary_add(fact, "%.*s", (int)length, clean.data ? clean.data : "");
	text_free(&clean);
}

static bool summary_says(const char *text)
{
	return text && *text;
}

static void summary_program(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	if (summary_says(profile->project))
		summary_add_foreign(summary_new(out, "project"), context, profile->project);
	if (summary_says(profile->arguments))
		summary_add_foreign(summary_new(out, "program"), context, profile->arguments);
	if (summary_says(profile->top_level_function))
		summary_add_foreign(
			summary_new(out, "function"), context, profile->top_level_function);
}

/* "vmprof 6, lines, native; pypy, linux" */
static void summary_format(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	struct summary_fact *fact = summary_new(out, "format");
	summary_add(fact, "%s", profile->format ? profile->format : "unknown");
	if (profile->version >= 0)
		summary_add(fact, " %d", profile->version);
	if (profile->has_lines)
		summary_add(fact, ", lines");
	if (profile->has_native)
		summary_add(fact, ", native");
	if (profile_has_memory(profile))
		summary_add(fact, ", memory");
	if (summary_says(profile->interpreter)) {
		summary_add(fact, "; ");
		summary_add_foreign(fact, context, profile->interpreter);
		if (summary_says(profile->platform)) {
			summary_add(fact, " on ");
			summary_add_foreign(fact, context, profile->platform);
		}
	}
}

static void summary_start(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	char value[UNIT_SIZE];
	char zone[UNIT_SIZE];
	if (profile->has_start) {
		int32_t offset;
		units_clock(value, profile->start_ns, profile->has_offset, profile->offset_s,
			1000000000, CLOCK_DATE_TIME, &offset);
		summary_add(summary_new(out, "started"), "%s %s", value, units_zone(zone, offset));
	}
}

static void summary_length(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	char value[UNIT_SIZE];
	int64_t duration = clock_duration_ns(profile);
	int64_t sampled = clock_sampled_ns(profile);
	bool has_end = profile->has_start && profile->has_end && duration >= 0;
	if (!has_end && sampled < 0)
		return;
	const char *what = profile->period_type        ? profile_timer(profile)
			   : !profile->is_realtime     ? "CPU time"
			   : profile->thread_count > 1 ? "thread time"
						       : "run time";
	struct summary_fact *fact = summary_new(out, has_end ? "ran" : "sampled");
	if (has_end)
		summary_add(fact, "%s", units_duration(value, duration));
	if (sampled < 0)
		return;
	summary_add(fact, "%s%s of ", has_end ? "; sampled " : "", units_duration(value, sampled));
	summary_add_foreign(fact, context, what);
}

/* What was counted in place of samples (pstats.md section 3). */
static void summary_calls(const struct callgraph *graph, struct summary_facts *out)
{
	char value[UNIT_SIZE];
	struct summary_fact *fact = summary_new(out, graph->is_sampled ? "samples" : "calls");
	if (graph->base) {
		summary_add(fact, "%s before", units_count(value, graph->base->calls));
		summary_add(fact, ", %s now", units_count(value, graph->now->calls));
		return;
	}
	summary_add(fact, "%s", units_count(value, graph->calls));
	if (graph->primitive != graph->calls)
		summary_add(
			fact, ", %s of them no recursion", units_count(value, graph->primitive));
}

static void summary_samples(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	char value[UNIT_SIZE];
	const int64_t samples = profile_samples_taken(profile);
	if (profile->callgraph)
		summary_calls(profile->callgraph, out);
	if (samples < 0)
		return;
	struct summary_fact *fact = summary_new(out, "samples");
	summary_add(fact, "%s", units_count(value, samples));
	if (profile->period_ns > 0)
		summary_add(fact, ", one every %s", units_duration(value, profile->period_ns));
	if (profile->thread_count > 1)
		summary_add(fact, ", in %u threads", profile->thread_count);
}

static void summary_memory(
	const struct view_context *context, const struct bin *peak, struct summary_facts *out)
{
	char value[UNIT_SIZE];
	char moment[UNIT_SIZE];
	if (!profile_has_memory(context->profile)) {
		summary_add(summary_new(out, "memory"), "not recorded");
		return;
	}
	if (!peak)
		return;
	chart_moment(moment, &context->clock, peak->max_sample, context->is_absolute, 1000000000);
	summary_add(summary_new(out, "memory"), "peak %s at %s%s",
		units_value(value, peak->max, "bytes"), moment, common_scope(context));
}

/* Where a time window, a thread or filters leave samples out: what is left. */
static void summary_part(const struct view_context *context, struct summary_facts *out)
{
	const struct calltree *tree = context->tree;
	char part[UNIT_SIZE];
	char all[UNIT_SIZE];
	char share[UNIT_SIZE];
	if (context->profile->snapshots) {
		const size_t i = profile_snapshot_of(context->profile, context->query.first);
		struct summary_fact *snapshot = summary_new(out, "shown");
		snapshot->role = ROLE_ACCENT;
		summary_add(
			snapshot, "snapshot %zu of %zu, ", i + 1, context->profile->snapshot_count);
		summary_add_foreign(snapshot, context, context->profile->snapshots[i].name);
		return;
	}
	if (common_is_whole(context))
		return;
	int64_t count = (int64_t)context->profile->sample_count;
	struct summary_fact *fact = summary_new(out, "shown");
	fact->role = ROLE_ACCENT;
	summary_add(fact, "%s, %s of %s samples",
		units_percent(share, (double)tree->samples, (double)count),
		units_count(part, tree->samples), units_count(all, count));
}

static void summary_code(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	char value[UNIT_SIZE];
	struct summary_fact *fact = summary_new(out, "code");
	summary_add(fact, "%s functions",
		units_count(value, profile->function_count > 0 ? profile->function_count - 1 : 0));
	/* Those of a graph of calls are ours, not the file's. */
	if (profile->callgraph)
		return;
	summary_add(fact, ", %s stacks", units_count(value, profile->distinct_stacks));
	summary_add(fact, ", depth %u", profile->max_depth);
}

static void summary_state(const struct view_context *context, struct summary_facts *out)
{
	const struct profile *profile = context->profile;
	if (profile->is_truncated) {
		struct summary_fact *fact = summary_new(out, "file");
		fact->role = ROLE_WARNING;
		summary_add(fact, "cut off: what was written before is shown");
	}
	if (context->clock.kind == TIME_STRETCHED && context->clock.is_estimate)
		summary_add(summary_new(out, "clock"), "spread over the run: moments are ~");
	else if (context->clock.kind == TIME_NOMINAL && context->clock.is_estimate)
		summary_add(summary_new(out, "clock"), "counts CPU time: moments are ~");
}

void summary_collect(const struct view_context *context, const struct bin *peak, bool is_brief,
	struct summary_facts *out)
{
	out->count = 0;
	summary_part(context, out);
	if (!is_brief) {
		summary_program(context, out);
		summary_start(context, out);
	}
	summary_length(context, out);
	summary_samples(context, out);
	summary_memory(context, peak, out);
	if (!is_brief)
		summary_code(context, out);
	summary_state(context, out);
	summary_format(context, out);
}
