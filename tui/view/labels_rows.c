/* SPDX-License-Identifier: MIT */
/* The table of labels: which lines are shown, in what order, and the place of the cursor. */
#include "view/labels_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "view/table_cursor.h"

/* ---- one line ------------------------------------------------------------------------------- */

const struct tag_key *labels_key(const struct labels_state *state, const struct labels_line *line)
{
	return &state->sums.list[line->key];
}

const struct tag_value *labels_value(
	const struct labels_state *state, const struct labels_line *line)
{
	return line->value == LABELS_KEY ? NULL : &state->sums.values[line->value];
}

const char *labels_name(
	const struct labels_state *state, const struct labels_line *line, size_t *length)
{
	const struct tag_value *value = labels_value(state, line);
	if (value) {
		*length = value->length;
		return state->sums.text.data + value->text;
	}
	const struct label_key *key = &state->sums.keys.keys[labels_key(state, line)->key];
	return profile_string(state->sums.keys.profile, key->key, length);
}

bool labels_matches(const struct labels_state *state, const struct labels_line *line,
	const struct pattern *pattern)
{
	struct vp_error err;
	size_t length;
	const char *name = labels_name(state, line, &length);
	return pattern_matches(pattern, name, length, &err) == 1;
}

static uint64_t labels_hash(const struct labels_state *state, const struct labels_line *line)
{
	const struct labels_line key = {line->key, LABELS_KEY};
	size_t length;
	const char *name = labels_name(state, &key, &length);
	uint64_t hash = hash_bytes(name, length);
	if (line->value != LABELS_KEY) {
		name = labels_name(state, line, &length);
		hash = hash_u64(hash + 1) ^ hash_bytes(name, length);
	}
	return hash ? hash : 1;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void labels_add(struct labels_state *state, uint32_t key, uint32_t value)
{
	state->lines = array_grow(
		state->lines, &state->line_capacity, state->line_count + 1, sizeof *state->lines);
	state->lines[state->line_count++] = (struct labels_line){key, value};
	state->value_count += value != LABELS_KEY;
}

struct labels_named {
	const char *text;
	uint32_t length, value;
};

static int labels_compare(const void *a, const void *b)
{
	const struct labels_named *x = a, *y = b;
	const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* The values of a key in the order that is wished. */
static uint32_t *labels_order(const struct labels_state *state, const struct tag_key *key)
{
	uint32_t *order = memory_new((size_t)key->count + 1, sizeof *order);
	struct labels_named *named = NULL;
	if (state->is_by_name) {
		named = memory_new((size_t)key->count + 1, sizeof *named);
		for (uint32_t i = 0; i < key->count; i++) {
			const struct tag_value *value = &state->sums.values[key->first + i];
			named[i] = (struct labels_named){
				state->sums.text.data + value->text, value->length, key->first + i};
		}
		qsort(named, key->count, sizeof *named, labels_compare);
	}
	for (uint32_t i = 0; i < key->count; i++) {
		const uint32_t at = state->is_reversed ? key->count - 1 - i : i;
		order[i] = named ? named[at].value : key->first + at;
	}
	free(named);
	return order;
}

/* A key and its values; those of a key that matches itself are all shown. */
static void labels_list_key(struct labels_state *state, uint32_t number)
{
	const struct tag_key *key = &state->sums.list[number];
	const struct labels_line line = {number, LABELS_KEY};
	const size_t before = state->line_count;
	bool is_all = !state->compiled || labels_matches(state, &line, state->compiled);
	labels_add(state, number, LABELS_KEY);
	if (state->folded[key->key] && !state->compiled)
		return;
	uint32_t *order = labels_order(state, key);
	for (uint32_t i = 0; i < key->count; i++) {
		const struct labels_line own = {number, order[i]};
		if (is_all || labels_matches(state, &own, state->compiled))
			labels_add(state, number, order[i]);
	}
	free(order);
	if (!is_all && state->line_count == before + 1)
		state->line_count = before; /* no value of it matches */
}

static void labels_find_wanted(struct labels_state *state)
{
	for (size_t i = 0; i < state->line_count && state->wanted; i++)
		if (labels_hash(state, &state->lines[i]) == state->wanted) {
			state->cursor = i;
			return;
		}
}

void labels_list(struct labels_state *state)
{
	state->line_count = state->value_count = 0;
	for (uint32_t i = 0; i < state->sums.count; i++)
		labels_list_key(state, i);
	labels_find_wanted(state);
}

void labels_note(struct labels_state *state)
{
	if (state->cursor < state->line_count)
		state->wanted = labels_hash(state, &state->lines[state->cursor]);
}

/* ---- up to date ----------------------------------------------------------------------------- */

static void labels_build(struct labels_state *state, const struct view_context *context)
{
	struct vp_error err;
	const struct tag_options options = {.unit = context->tree->query.unit};
	const uint32_t keys_before = state->has_sums ? state->sums.keys.count : 0;
	if (state->has_sums)
		tag_sums_free(&state->sums);
	state->has_sums = tag_sums_build(&state->sums, context->tree, &options, &err);
	if (state->sums.keys.count != keys_before || !state->folded) {
		free(state->folded);
		state->folded = memory_new((size_t)state->sums.keys.count + 1, 1);
	}
	state->generation = context->generation;
	state->query = context->tree->query;
	state->is_built = true;
	labels_list(state);
}

void labels_settle(struct labels_state *state, const struct view_context *context,
	const struct table_places *places)
{
	const struct query *query = &context->tree->query;
	if (!state->is_built || state->generation != context->generation ||
		state->query.type != query->type || state->query.first != query->first ||
		state->query.last != query->last || state->query.thread != query->thread)
		labels_build(state, context);
	table_show_cursor(&state->cursor, &state->scroll, state->line_count, places->rows.height);
}
