/* SPDX-License-Identifier: MIT */
/* The timeline: cursor, zoom, keys. The drawing is in timeline_draw.c and timeline_pane.c. */
#include "view/timeline_state.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- keys ------------------------------------------------------------------------ */

/* The sample in the middle of a bin. */
static uint64_t timeline_middle(const struct bin *bin)
{
	return bin->first + (bin->last - bin->first) / 2;
}

/* Moves by bins; past an end of the window the window goes along. */
static void timeline_step(
	struct timeline_state *state, const struct view_context *context, int64_t step)
{
	int64_t target = (int64_t)timeline_bin(state) + step;
	if (target >= 0 && target < (int64_t)state->bin_count) {
		state->cursor = timeline_middle(&state->bins[target]);
		return;
	}
	int64_t size = (int64_t)((state->last - state->first) / state->bin_count);
	int64_t lowest = (int64_t)context->query.first;
	int64_t highest = (int64_t)context->query.last - 1;
	int64_t cursor = (int64_t)state->cursor + step * (size > 0 ? size : 1);
	cursor = cursor < lowest ? lowest : cursor > highest ? highest : cursor;
	state->cursor = (uint64_t)cursor;
	timeline_follow_cursor(state, context);
}

static const char *timeline_zoom(
	struct timeline_state *state, const struct view_context *context, bool is_in)
{
	uint64_t whole = context->query.last - context->query.first;
	uint64_t length = state->last - state->first;
	uint64_t least =
		(uint64_t)state->chart_width < whole ? (uint64_t)state->chart_width : whole;
	if (is_in && length <= least)
		return "Each column is one sample already";
	if (!is_in && length == whole)
		return "This is the whole run";
	uint64_t wanted = is_in ? length / 2 : length * 2;
	if (wanted < least)
		wanted = least;
	if (wanted > whole)
		wanted = whole;
	/* The cursor's moment keeps its place on the screen as far as the ends allow. */
	double before = (double)(state->cursor - state->first) / (double)length;
	uint64_t left = (uint64_t)(before * (double)wanted);
	timeline_show(state, context, state->cursor > left ? state->cursor - left : 0, wanted);
	return NULL;
}

static const char *timeline_to_peak(
	struct timeline_state *state, const struct view_context *context, enum action action)
{
	if (!profile_has_memory(context->profile))
		return "No memory was recorded, so there are no peaks";
	if (action == ACT_PEAK_HIGHEST) {
		state->cursor = timeline_highest(context);
		timeline_follow_cursor(state, context);
		return NULL;
	}
	size_t from = timeline_bin(state);
	size_t to = timeline_peak(
		state->bins, state->bin_count, from, action == ACT_PEAK_NEXT ? 1 : -1);
	if (to == from)
		return action == ACT_PEAK_NEXT ? "No later peak here" : "No earlier peak here";
	state->cursor = state->bins[to].max_sample;
	return NULL;
}

static bool timeline_move(
	struct timeline_state *state, const struct view_context *context, enum action action)
{
	int64_t count = (int64_t)state->bin_count;
	size_t tails = timeline_tails(state);
	switch (action) {
	case ACT_LEFT:
	case ACT_RIGHT:
		timeline_step(state, context, action == ACT_LEFT ? -1 : 1);
		return true;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		timeline_step(state, context, (action == ACT_HALF_UP ? -1 : 1) * (count / 10 + 1));
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		timeline_step(state, context, (action == ACT_PAGE_UP ? -1 : 1) * (count / 4 + 1));
		return true;
	case ACT_ROW_FIRST:
		state->cursor = state->first;
		return true;
	case ACT_ROW_LAST:
		state->cursor = state->last - 1;
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		state->cursor =
			action == ACT_FIRST ? context->query.first : context->query.last - 1;
		timeline_follow_cursor(state, context);
		return true;
	case ACT_UP:
		state->tail -= state->tail > 0;
		return true;
	case ACT_DOWN:
		state->tail += state->tail + 1 < tails;
		return true;
	default:
		return false;
	}
}

static struct reaction timeline_act(
	void *opaque, const struct view_context *context, enum action action, struct box area)
{
	struct timeline_state *state = opaque;
	struct reaction reaction = {.want = WANT_REDRAW, .handled = true, .sample = -1};
	if (action == ACT_CLOCK)
		reaction.want |= WANT_CLOCK;
	else if (action == ACT_SERIES)
		reaction.want |= WANT_SERIES;
	else if (action == ACT_NAMES)
		reaction.want |= WANT_NAMES;
	if (reaction.want != WANT_REDRAW)
		return reaction;
	if (!timeline_has_time(context) || !context->tree ||
		context->query.first >= context->query.last)
		return (struct reaction){.sample = -1};
	struct timeline_places places = timeline_divide(area);
	timeline_settle(state, context, &places);
	if (action == ACT_IN || action == ACT_OUT)
		reaction.notice = timeline_zoom(state, context, action == ACT_IN);
	else if (action == ACT_RESET)
		timeline_show(state, context, context->query.first,
			context->query.last - context->query.first);
	else if (action == ACT_PEAK_NEXT || action == ACT_PEAK_PREVIOUS ||
		 action == ACT_PEAK_HIGHEST)
		reaction.notice = timeline_to_peak(state, context, action);
	else if (!timeline_move(state, context, action))
		return (struct reaction){.sample = -1};
	state->has_moved = true;
	timeline_settle(state, context, &places);
	return reaction;
}

/* ---- the view -------------------------------------------------------------------- */

static void *timeline_open(void)
{
	return memory_new(1, sizeof(struct timeline_state));
}

static void timeline_close(void *opaque)
{
	struct timeline_state *state = opaque;
	if (state->has_chart)
		chart_free(&state->chart);
	bin_detail_free(&state->detail);
	free(state->bins);
	free(state->lanes);
	text_free(&state->scratch);
	free(state);
}

static void timeline_select(void *opaque, const struct view_context *context, uint32_t node,
	uint32_t row, int64_t sample)
{
	struct timeline_state *state = opaque;
	(void)node;
	(void)row;
	if (sample < 0 || !timeline_has_time(context) || (uint64_t)sample < context->query.first ||
		(uint64_t)sample >= context->query.last)
		return;
	timeline_settle_window(state, context);
	state->cursor = (uint64_t)sample;
	state->has_moved = true;
	timeline_follow_cursor(state, context);
}

/* The marked tail once the user has walked to it, else what all stacks of the bin begin with. */
static void timeline_selected(void *opaque, const struct view_context *context, uint32_t *node,
	uint32_t *row, int64_t *sample)
{
	const struct timeline_state *state = opaque;
	if (!state->is_settled || !state->has_moved || state->generation != context->generation)
		return;
	*sample = (int64_t)state->cursor;
	if (!state->has_detail)
		return;
	*node = state->tail > 0 && state->tail < state->detail.tail_count
			? state->detail.tails[state->tail].node
			: state->detail.prefix;
	*row = context->tree->row[*node];
}

static void timeline_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct timeline_state *state = opaque;
	static const char *const series[] = {
		[SERIES_MAX] = "max", [SERIES_MEAN] = "mean", [SERIES_BOTH] = "mean and max"};
	const struct clock *clock = &context->clock;
	char length[UNIT_SIZE];
	if (!timeline_has_time(context) || state->bin_count == 0)
		return;
	double per_bin = (double)(state->last - state->first) / (double)state->bin_count;
	if (clock->kind == TIME_NONE)
		text_printf(out, "a bin is %.1f samples   sample numbers", per_bin);
	else
		text_printf(out, "a bin is %s",
			units_duration(length, (int64_t)((double)common_step(clock, 1) * per_bin)));
	if (context->is_absolute) {
		int32_t offset =
			clock->has_offset ? clock->offset_s : units_local_offset(clock->start_ns);
		text_printf(out, "   %s", units_zone(length, offset));
	} else if (clock->kind != TIME_NONE) {
		text_puts(out, "   run time");
	}
	if (profile_has_memory(context->profile))
		text_printf(out, "   %s", series[context->series]);
}

static void timeline_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct timeline_state *state = opaque;
	const struct clock *clock = &context->clock;
	char a[UNIT_SIZE];
	char b[UNIT_SIZE];
	if (!timeline_has_time(context) || state->bin_count == 0) {
		text_puts(out,
			"This profile is a call tree without samples in time, so there is no "
			"timeline. See Flame and Top.\n");
		return;
	}
	text_printf(out, "A column is one bin: %.1f samples, %s. ",
		(double)(state->last - state->first) / (double)state->bin_count,
		units_duration(a, common_step(clock, state->last - state->first) /
					  (int64_t)state->bin_count));
	if (profile_has_memory(context->profile))
		text_puts(out,
			"Solid is the mean of the process's memory (RSS) over the bin, shade goes up to "
			"its highest sample, so no spike is lost at any zoom. Memory is that of the "
			"whole process: the stacks below say what ran then, not who holds it.\n");
	else
		text_puts(out, "No memory was recorded; each column shows the stack of one of its "
			       "samples instead.\n");
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
	text_puts(out, "Below: the frames that all stacks of the bin begin with, then how they go "
		       "on, most frequent first, with the memory while they ran.\n");
}

const struct view view_timeline = {
	.name = "timeline",
	.tab = "Time",
	.where = IN_TIMELINE,
	.open = timeline_open,
	.close = timeline_close,
	.draw = timeline_draw,
	.act = timeline_act,
	.select = timeline_select,
	.status = timeline_status,
	.explain = timeline_explain,
	.selected = timeline_selected,
};
