/* SPDX-License-Identifier: MIT */
/* The timeline: where what is searched for ran. */
#include "view/timeline_state.h"

#include <string.h>

#include "base/hash.h"

/* What the set of hits depends on; never 0. */
static uint64_t find_key(const struct view_context *context)
{
	const struct search *search = context->search;
	uint64_t key = hash_bytes(search->text, strlen(search->text));
	key = hash_u64(key ^ context->generation);
	key = hash_u64(key ^ (uint64_t)(uint32_t)context->query.thread);
	key = hash_u64(key ^ ((uint64_t)search->row_count << 32) ^ (uint64_t)search->total);
	return key | 1;
}

bool timeline_settle_hits(struct timeline_state *state, const struct view_context *context)
{
	if (!context->search || !context->search->hits || !context->tree ||
		!timeline_has_time(context)) {
		sample_set_free(&state->hits);
		state->hits_key = 0;
		return false;
	}
	uint64_t key = find_key(context);
	if (state->hits_key == key)
		return true;
	sample_set_free(&state->hits);
	state->hits =
		sample_set_of_rows(context->tree, context->search->hits, context->query.thread);
	state->hits_key = key;
	return true;
}

bool timeline_has_hit(const struct timeline_state *state, const struct bin *bin)
{
	return sample_set_find(&state->hits, bin->first, bin->last, false) < bin->last;
}

/* The list's cursor goes to the first tail of the bin that has a hit. */
static void find_tail(struct timeline_state *state)
{
	const struct bin_detail *detail = &state->detail;
	for (size_t i = 0; state->has_detail && i < detail->tail_count; i++) {
		if (!state->hits.has_node[detail->tails[i].node])
			continue;
		state->line = i;
		state->has_unfolded = false;
		state->has_walked = true;
		return;
	}
}

/* The sample of the next bin with a hit; the number of samples where there is none. */
static uint64_t find_sample(const struct timeline_state *state, enum find where, enum found *found)
{
	const struct bin *bin = &state->bins[timeline_bin(state)];
	const uint64_t end = state->samples;
	bool is_back = where == FIND_BACKWARD;
	uint64_t from = where == FIND_HERE ? bin->first : bin->last;
	*found = FOUND;
	uint64_t sample = is_back ? sample_set_find(&state->hits, 0, bin->first, true)
				  : sample_set_find(&state->hits, from, end, false);
	if (sample < (is_back ? bin->first : end))
		return sample;
	*found = FOUND_WRAPPED;
	return sample_set_find(&state->hits, 0, end, is_back);
}

enum found timeline_find(
	void *opaque, const struct view_context *context, struct box area, enum find where)
{
	struct timeline_state *state = opaque;
	enum found found;
	if (series_is_shown(context))
		return series_find(&state->snapshots, context, area, where);
	if (!timeline_settle_hits(state, context))
		return FOUND_NOTHING;
	struct timeline_places places = timeline_divide(area);
	timeline_settle(state, context, &places);
	if (state->hits.count == 0 || state->bin_count == 0)
		return FOUND_NOTHING;
	state->cursor = find_sample(state, where, &found);
	state->has_moved = true;
	timeline_follow_cursor(state);
	timeline_settle(state, context, &places);
	find_tail(state);
	return found;
}

void timeline_keep(void *opaque)
{
	struct timeline_state *state = opaque;
	series_keep(&state->snapshots);
	state->kept.has_moved = state->has_moved;
	state->kept.has_walked = state->has_walked;
	state->kept.has_unfolded = state->has_unfolded;
	state->kept.shown = state->shown;
	state->kept.cursor = state->cursor;
	state->kept.line = state->line;
	state->kept.line_scroll = state->line_scroll;
	state->kept.unfolded = state->unfolded;
}

void timeline_restore(void *opaque, const struct view_context *context)
{
	struct timeline_state *state = opaque;
	(void)context;
	series_restore(&state->snapshots);
	state->has_moved = state->kept.has_moved;
	state->shown = state->kept.shown;
	state->cursor = state->kept.cursor;
	/* The list of tails is made anew for that bin. */
	state->is_returning = true;
	state->has_detail = false;
}
