/* SPDX-License-Identifier: MIT */
/* The list of a folder's profiles: which rows there are, in what order, and which is selected. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "view/files_state.h"

/* ---- folds --------------------------------------------------------------------------- */

static uint64_t files_group_hash(const struct catalog *catalog, uint32_t group)
{
	const struct catalog_group *g = &catalog->groups[group];
	return hash_bytes(g->path, strlen(g->path)) ^
	       hash_bytes(catalog->folder, strlen(catalog->folder)) ^ (g->process != NULL);
}

static size_t files_find_fold(const struct files_state *state, uint64_t hash)
{
	size_t i = 0;
	while (i < state->folded_count && state->folded[i] != hash)
		i++;
	return i;
}

bool files_is_folded(const struct files_state *state, const struct catalog *catalog, uint32_t group)
{
	const bool is_other =
		files_find_fold(state, files_group_hash(catalog, group)) < state->folded_count;
	return state->has_groups && is_other != state->is_folded_by_default;
}

void files_fold(struct files_state *state, const struct catalog *catalog, uint32_t group, bool fold)
{
	const uint64_t hash = files_group_hash(catalog, group);
	const size_t at = files_find_fold(state, hash);
	const bool is_other = fold != state->is_folded_by_default;
	if (is_other == (at < state->folded_count))
		return;
	state->is_stale = true;
	if (!is_other) {
		state->folded[at] = state->folded[--state->folded_count];
		return;
	}
	state->folded = array_grow(state->folded, &state->folded_capacity, state->folded_count + 1,
		sizeof *state->folded);
	state->folded[state->folded_count++] = hash;
}

/* ---- what passes --------------------------------------------------------------------- */

bool files_matches(
	const struct pattern *pattern, const struct catalog_entry *entry, struct text *scratch)
{
	const struct catalog_facts *facts = &entry->facts;
	struct vp_error err;
	text_clear(scratch);
	text_puts(scratch, *entry->way ? entry->way : entry->name);
	text_printf(scratch, " %s %s", entry->format, facts->values ? facts->values : "");
	if (facts->project)
		text_printf(scratch, " %s", facts->project);
	if (facts->top_level_function)
		text_printf(scratch, " %s", facts->top_level_function);
	return pattern_matches(pattern, scratch->data, scratch->length, &err) == 1;
}

static bool files_passes(struct files_state *state, const struct view_context *context,
	const struct catalog_entry *entry)
{
	const struct catalog *catalog = context->catalog;
	if (context->catalog_filter && !catalog_passes(catalog, context->catalog_filter, entry))
		return false;
	return !state->filter || files_matches(state->filter, entry, &state->scratch);
}

/* ---- order --------------------------------------------------------------------------- */

int64_t files_time(const struct catalog_entry *entry, bool *is_start)
{
	*is_start = entry->facts.has_start;
	return *is_start ? entry->facts.start_ns : entry->mtime_ns;
}

/* What an entry is sorted by; the largest comes first. */
static int64_t files_key(enum files_sort sort, const struct catalog_entry *entry)
{
	bool is_start;
	switch (sort) {
	case FILES_BY_START:
		return files_time(entry, &is_start);
	case FILES_BY_LENGTH:
		return entry->facts.duration_ns;
	case FILES_BY_TOTAL:
		return entry->facts.peak_bytes >= 0 ? entry->facts.peak_bytes : entry->facts.total;
	case FILES_BY_SIZE:
		return entry->size;
	default:
		return 0;
	}
}

/* An entry on its way into the order. */
struct files_item {
	int64_t key, group_key; /* group_key: of the first one of its group */
	uint32_t entry, group;
	uint32_t group_rank; /* by name */
	const char *name;    /* node, or path */
	const char *kind;
	bool is_reversed;
};

static int files_compare_numbers(int64_t a, int64_t b)
{
	return a > b ? -1 : a < b;
}

/* Within a group: by key, then node and kind. */
static int files_compare_entries(const struct files_item *a, const struct files_item *b)
{
	int order = files_compare_numbers(a->key, b->key);
	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0)
		order = strcmp(a->kind, b->kind);
	if (order == 0)
		order = a->entry > b->entry ? 1 : a->entry < b->entry ? -1 : 0;
	return a->is_reversed ? -order : order;
}

static int files_compare_in_groups(const void *x, const void *y)
{
	const struct files_item *a = x, *b = y;
	if (a->group != b->group)
		return a->group_rank < b->group_rank ? -1 : 1;
	return files_compare_entries(a, b);
}

/* The groups by the first of their entries. */
static int files_compare_all(const void *x, const void *y)
{
	const struct files_item *a = x, *b = y;
	if (a->group != b->group) {
		const int order = files_compare_numbers(a->group_key, b->group_key);
		if (order != 0)
			return a->is_reversed ? -order : order;
		const int rank = a->group_rank < b->group_rank ? -1 : 1;
		return a->is_reversed ? -rank : rank;
	}
	return files_compare_entries(a, b);
}

struct files_group_name {
	const char *process, *path;
	uint32_t group;
};

/* Processes before folders, each by name; the folder itself is the last one. */
static int files_compare_groups(const void *x, const void *y)
{
	const struct files_group_name *a = x, *b = y;
	if (!a->process != !b->process)
		return a->process ? -1 : 1;
	if (!*a->path != !*b->path)
		return *a->path ? -1 : 1;
	return strcmp(a->path, b->path);
}

static uint32_t *files_rank_groups(const struct catalog *catalog)
{
	struct files_group_name *names = memory_new(catalog->group_count + 1, sizeof *names);
	uint32_t *ranks = memory_new((size_t)catalog->group_count + 1, sizeof *ranks);
	for (uint32_t i = 0; i < catalog->group_count; i++)
		names[i] = (struct files_group_name){
			catalog->groups[i].process, catalog->groups[i].path, i};
	qsort(names, catalog->group_count, sizeof *names, files_compare_groups);
	for (uint32_t i = 0; i < catalog->group_count; i++)
		ranks[names[i].group] = i;
	free(names);
	return ranks;
}

/* The entries that pass, in order; *count; free() it. */
static struct files_item *files_order(
	struct files_state *state, const struct view_context *context, size_t *count)
{
	const struct catalog *catalog = context->catalog;
	struct files_item *items = memory_new(catalog->count + 1, sizeof *items);
	uint32_t *ranks = files_rank_groups(catalog);
	*count = 0;
	for (size_t i = 0; i < catalog->count; i++) {
		const struct catalog_entry *entry = &catalog->entries[i];
		if (!files_passes(state, context, entry))
			continue;
		items[(*count)++] = (struct files_item){.key = files_key(state->sort, entry),
			.entry = (uint32_t)i,
			.group = entry->group,
			.group_rank = ranks[entry->group],
			.name = entry->node ? entry->node : entry->name,
			.kind = entry->kind ? entry->kind : "",
			.is_reversed = state->is_reversed};
	}
	free(ranks);
	qsort(items, *count, sizeof *items, files_compare_in_groups);
	for (size_t i = 0; i < *count; i++)
		items[i].group_key = i > 0 && items[i - 1].group == items[i].group
					     ? items[i - 1].group_key
					     : items[i].key;
	qsort(items, *count, sizeof *items, files_compare_all);
	return items;
}

/* ---- rows ----------------------------------------------------------------------------- */

static void files_add_row(struct files_state *state, bool is_group, uint32_t index, uint32_t within)
{
	state->rows =
		array_grow(state->rows, &state->capacity, state->count + 1, sizeof *state->rows);
	state->rows[state->count++] = (struct files_row){is_group, index, within};
}

/* One folder alone needs no name above it, unless it is another one than this. */
static bool files_need_groups(
	const struct catalog *catalog, const struct files_item *items, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (items[i].group != items[0].group)
			return true;
	return count > 0 && catalog->groups[items[0].group].path[0] != '\0';
}

static void files_make_rows(struct files_state *state, const struct view_context *context)
{
	const struct catalog *catalog = context->catalog;
	size_t count;
	struct files_item *items = files_order(state, context, &count);
	state->count = 0;
	state->profile_count = count;
	state->has_groups = files_need_groups(catalog, items, count);
	for (size_t i = 0; i < count;) {
		const uint32_t group = items[i].group;
		size_t end = i;
		while (end < count && items[end].group == group)
			end++;
		if (state->has_groups)
			files_add_row(state, true, group, (uint32_t)(end - i));
		const bool is_folded = files_is_folded(state, catalog, group);
		for (; i < end; i++)
			if (!is_folded)
				files_add_row(state, false, items[i].entry, 0);
	}
	free(items);
}

/* ---- what is selected --------------------------------------------------------------- */

static void files_add_row_path(const struct files_state *state, const struct catalog *catalog,
	size_t row, struct text *out)
{
	const struct files_row *at = &state->rows[row];
	if (!at->is_group) {
		text_puts(out, catalog->entries[at->index].path);
		return;
	}
	text_printf(out, "%s/%s/%s", catalog->folder, catalog->groups[at->index].path,
		catalog->groups[at->index].process ? "/" : "");
}

static bool files_is_row(struct files_state *state, const struct catalog *catalog, size_t row,
	const struct text *path)
{
	text_clear(&state->scratch);
	files_add_row_path(state, catalog, row, &state->scratch);
	return state->scratch.length == path->length &&
	       memcmp(state->scratch.data, path->data, path->length) == 0;
}

void files_note(struct files_state *state, const struct view_context *context)
{
	text_clear(&state->wanted);
	state->is_chosen = true;
	if (context->catalog && state->cursor < state->count)
		files_add_row_path(state, context->catalog, state->cursor, &state->wanted);
}

/* The row that was selected, where it is now; one that is folded away is its group. */
static void files_find_wanted(struct files_state *state, const struct view_context *context)
{
	const struct catalog *catalog = context->catalog;
	if (state->wanted.length == 0)
		return;
	if (state->cursor < state->count &&
		files_is_row(state, catalog, state->cursor, &state->wanted))
		return;
	for (size_t i = 0; i < state->count; i++) {
		if (!files_is_row(state, catalog, i, &state->wanted))
			continue;
		state->cursor = i;
		return;
	}
	for (size_t i = 0; i < state->count; i++) {
		const struct files_row *row = &state->rows[i];
		text_clear(&state->scratch);
		files_add_row_path(state, catalog, i, &state->scratch);
		size_t length = state->scratch.length;
		while (length > 0 && state->scratch.data[length - 1] == '/')
			length--;
		if (row->is_group && length < state->wanted.length &&
			files_is_folded(state, catalog, row->index) &&
			memcmp(state->scratch.data, state->wanted.data, length) == 0 &&
			state->wanted.data[length] == '/')
			state->cursor = i;
	}
}

static const char *files_plain_path(const char *path)
{
	return path[0] == '.' && path[1] == '/' ? path + 2 : path;
}

bool files_is_open(const struct view_context *context, const struct catalog_entry *entry)
{
	return context->path &&
	       strcmp(files_plain_path(entry->path), files_plain_path(context->path)) == 0;
}

/* Without a choice of the user's the cursor is on the first profile, or on the one that is open. */
static void files_place_cursor(struct files_state *state, const struct view_context *context)
{
	const struct catalog *catalog = context->catalog;
	if (state->is_chosen) {
		files_find_wanted(state, context);
		return;
	}
	state->cursor = 0;
	for (size_t i = state->count; i > 0; i--) {
		const struct files_row *row = &state->rows[i - 1];
		if (row->is_group)
			continue;
		state->cursor = i - 1;
		if (files_is_open(context, &catalog->entries[row->index]))
			return;
	}
}

void files_refresh(struct files_state *state, const struct view_context *context)
{
	const struct catalog *catalog = context->catalog;
	if (!catalog) {
		state->count = state->profile_count = 0;
		state->catalog = NULL;
		return;
	}
	if (state->catalog == catalog && state->generation == catalog->generation &&
		!state->is_stale)
		return;
	state->catalog = catalog;
	state->generation = catalog->generation;
	state->is_stale = false;
	files_make_rows(state, context);
	files_place_cursor(state, context);
}

void files_settle(struct files_state *state, const struct view_context *context,
	const struct table_places *places)
{
	const size_t visible = places->rows.height > 0 ? (size_t)places->rows.height : 1;
	files_refresh(state, context);
	if (state->cursor >= state->count)
		state->cursor = state->count > 0 ? state->count - 1 : 0;
	if (state->cursor < state->scroll)
		state->scroll = state->cursor;
	/* The name of the group that the cursor's row is first of stays in sight. */
	if (state->scroll > 0 && state->cursor == state->scroll && visible > 1 &&
		state->rows[state->scroll - 1].is_group && state->cursor == 1)
		state->scroll--;
	if (state->cursor >= state->scroll + visible)
		state->scroll = state->cursor - visible + 1;
	if (state->scroll + visible > state->count)
		state->scroll = state->count > visible ? state->count - visible : 0;
}

const struct catalog_entry *files_selected(
	const struct files_state *state, const struct view_context *context)
{
	if (!context->catalog || state->cursor >= state->count ||
		state->rows[state->cursor].is_group)
		return NULL;
	return &context->catalog->entries[state->rows[state->cursor].index];
}

size_t files_mark(const struct files_state *state, const struct catalog_entry *entry)
{
	for (size_t i = 0; i < state->marked_count; i++)
		if (strcmp(state->marked[i], entry->path) == 0)
			return i + 1;
	return 0;
}
