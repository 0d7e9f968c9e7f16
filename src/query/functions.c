/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "query/pattern.h"
#include "query/query.h"

/* ---- self and total of each row ------------------------------------------------------------ */

/*
 * In pre-order a subtree is a range, so a node is the outermost one of its row exactly if it lies
 * beyond the end of the last such: one forward pass counts each stack once, whatever the recursion.
 */
static void functions_add_up(const struct calltree *tree, struct function_row *rows)
{
	uint32_t *covered =
		memory_new(tree->row_count, sizeof *covered); /* end of the last outermost node */
	bool overflow = false;
	for (uint32_t i = 0; i < tree->row_count; i++)
		rows[i].row = i;
	for (uint32_t node = 0; node < tree->node_count; node++) {
		uint32_t row = tree->row[node];
		if (row == 0)
			continue;
		rows[row].flat = units_add(rows[row].flat, tree->self[node], &overflow);
		if (node < covered[row])
			continue;
		rows[row].cum = units_add(rows[row].cum, tree->total[node], &overflow);
		covered[row] = tree->end[node];
	}
	free(covered);
}

/* What a row is sorted by, gathered first: qsort has no context. */
struct functions_key {
	uint64_t first, second; /* |value|, descending */
	const char *name, *file;
	uint32_t line, row;
	int64_t flat, cum;
};

static uint64_t functions_size(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int functions_compare(const void *a, const void *b)
{
	const struct functions_key *x = a, *y = b;
	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	int order = strcmp(x->name, y->name);
	if (order == 0)
		order = strcmp(x->file, y->file);
	if (order == 0 && x->line != y->line)
		order = x->line < y->line ? -1 : 1;
	if (order == 0 && x->second != y->second)
		order = x->second > y->second ? -1 : 1;
	return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

static struct functions_key functions_key(
	const struct calltree *tree, const struct function_row *row, enum function_sort sort)
{
	const struct row *r = &tree->rows[row->row];
	struct functions_key key = {.name = profile_string(tree->profile, r->name, NULL),
		.file = profile_string(tree->profile, r->file, NULL),
		.line = r->line,
		.row = row->row,
		.flat = row->flat,
		.cum = row->cum};
	uint64_t flat = functions_size(row->flat), cum = functions_size(row->cum);
	key.first = sort == SORT_FLAT ? flat : sort == SORT_CUM ? cum : 0;
	key.second = sort == SORT_CUM ? flat : cum;
	return key;
}

/* Where functions are names the order is that of what pprof prints. Returns what keys point into.
 */
static char *functions_use_labels(
	const struct calltree *tree, struct functions_key *keys, size_t count)
{
	struct text pool = {0};
	size_t *start = memory_new(count, sizeof *start);
	for (size_t i = 0; i < count; i++) {
		start[i] = pool.length;
		row_label(tree, keys[i].row, false, &pool);
		text_add(&pool, "", 1); /* the NUL */
	}
	for (size_t i = 0; i < count; i++) {
		keys[i].name = pool.data + start[i];
		keys[i].file = "";
		keys[i].line = 0;
	}
	free(start);
	return pool.data;
}

/* Sorts rows[count] in place. */
static void functions_sort(const struct calltree *tree, struct function_row *rows, size_t count,
	enum function_sort sort)
{
	struct functions_key *keys = memory_new(count, sizeof *keys);
	for (size_t i = 0; i < count; i++)
		keys[i] = functions_key(tree, &rows[i], sort);
	char *labels =
		tree->profile->is_name_function ? functions_use_labels(tree, keys, count) : NULL;
	qsort(keys, count, sizeof *keys, functions_compare);
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct function_row){keys[i].row, keys[i].flat, keys[i].cum};
	free(labels);
	free(keys);
}

struct function_row *functions_build(
	const struct calltree *tree, enum function_sort sort, size_t *count)
{
	struct function_row *rows = memory_new(tree->row_count, sizeof *rows);
	functions_add_up(tree, rows);
	size_t kept = 0;
	for (uint32_t i = 1; i < tree->row_count; i++)
		if (rows[i].flat != 0 || rows[i].cum != 0)
			rows[kept++] = rows[i];
	functions_sort(tree, rows, kept, sort);
	*count = kept;
	return rows;
}

/* ---- callers and callees ----------------------------------------------------------------- */

/* Adds up one side: value[row] of the neighbour `other` of `node`, once a stack. */
struct neighbours_side {
	struct function_row *value; /* by row; only cum is used */
	uint32_t *covered;
};

static void neighbours_add(
	struct neighbours_side *side, const struct calltree *tree, uint32_t node, uint32_t other)
{
	bool overflow = false;
	if (node < side->covered[other])
		return;
	side->value[other].cum = units_add(side->value[other].cum, tree->total[node], &overflow);
	side->covered[other] = tree->end[node];
}

static struct neighbours_side neighbours_open(const struct calltree *tree)
{
	struct neighbours_side side = {.value = memory_new(tree->row_count, sizeof *side.value),
		.covered = memory_new(tree->row_count, sizeof *side.covered)};
	for (uint32_t i = 0; i < tree->row_count; i++)
		side.value[i].row = i;
	return side;
}

static struct neighbour *neighbours_close(
	struct neighbours_side *side, const struct calltree *tree, size_t *count)
{
	size_t kept = 0;
	for (uint32_t i = 0; i < tree->row_count; i++)
		if (side->value[i].cum != 0)
			side->value[kept++] = side->value[i];
	functions_sort(tree, side->value, kept, SORT_CUM);
	struct neighbour *list = memory_new(kept, sizeof *list);
	for (size_t i = 0; i < kept; i++)
		list[i] = (struct neighbour){side->value[i].row, side->value[i].cum};
	free(side->value);
	free(side->covered);
	*count = kept;
	return list;
}

struct neighbours neighbours_build(const struct calltree *tree, uint32_t row)
{
	struct neighbours result = {0};
	struct neighbours_side callers = neighbours_open(tree), callees = neighbours_open(tree);
	uint32_t covered = 0;
	bool overflow = false;
	for (uint32_t node = 1; node < tree->node_count; node++) {
		uint32_t mine = tree->row[node], above = tree->row[tree->parent[node]];
		if (mine == row) {
			result.flat = units_add(result.flat, tree->self[node], &overflow);
			if (node >= covered) {
				result.cum = units_add(result.cum, tree->total[node], &overflow);
				covered = tree->end[node];
			}
			if (above != row)
				neighbours_add(&callers, tree, node, above);
		} else if (above == row) {
			neighbours_add(&callees, tree, node, mine);
		}
	}
	result.callers = neighbours_close(&callers, tree, &result.caller_count);
	result.callees = neighbours_close(&callees, tree, &result.callee_count);
	return result;
}

void neighbours_free(struct neighbours *neighbours)
{
	free(neighbours->callers);
	free(neighbours->callees);
	*neighbours = (struct neighbours){0};
}

/* ---- by name; by weight ------------------------------------------------------------------ */

/* Many rows share a file or a module: each of these is matched once. */
enum { IS_UNKNOWN, IS_OTHER, IS_MATCH };

static int rows_match_shared(const struct pattern *pattern, const struct calltree *tree,
	string_id id, uint8_t *known, struct vp_error *err)
{
	if (id == 0)
		return 0;
	if (known[id] == IS_UNKNOWN) {
		size_t length;
		const char *bytes = profile_string(tree->profile, id, &length);
		int matches = pattern_matches(pattern, bytes, length, err);
		if (matches < 0)
			return matches;
		known[id] = matches ? IS_MATCH : IS_OTHER;
	}
	return known[id] == IS_MATCH;
}

/* As pattern_matches_row. */
static int rows_match(const struct pattern *pattern, const struct calltree *tree, uint32_t row,
	uint8_t *known, struct vp_error *err)
{
	const struct row *r = &tree->rows[row];
	if (r->name == 0) /* it is called by its address */
		return pattern_matches_row(pattern, tree, row, err);
	int matches = rows_match_shared(pattern, tree, r->name, known, err);
	if (matches == 0)
		matches = rows_match_shared(pattern, tree, r->file, known, err);
	return matches ? matches : rows_match_shared(pattern, tree, r->module, known, err);
}

uint32_t *rows_matching(
	const struct calltree *tree, const char *text, size_t *count, struct vp_error *err)
{
	struct pattern *pattern = pattern_compile(text, err);
	if (!pattern)
		return NULL;
	uint32_t *rows = memory_new(tree->row_count, sizeof *rows);
	uint8_t *known = memory_new(tree->profile->strings.count, sizeof *known);
	*count = 0;
	int matches = 0;
	for (uint32_t row = 1; row < tree->row_count && matches >= 0; row++) {
		matches = rows_match(pattern, tree, row, known, err);
		if (matches > 0)
			rows[(*count)++] = row;
	}
	pattern_free(pattern);
	free(known);
	if (matches >= 0)
		return rows;
	free(rows);
	return NULL;
}

struct stacks_key {
	uint64_t size;
	uint32_t node;
};

static int stacks_compare(const void *a, const void *b)
{
	const struct stacks_key *x = a, *y = b;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

uint32_t *heaviest_stacks(const struct calltree *tree, size_t *count)
{
	size_t kept = 0;
	struct stacks_key *keys = memory_new(tree->node_count, sizeof *keys);
	for (uint32_t node = 0; node < tree->node_count; node++)
		if (tree->self[node] != 0)
			keys[kept++] = (struct stacks_key){functions_size(tree->self[node]), node};
	qsort(keys, kept, sizeof *keys, stacks_compare);
	uint32_t *nodes = memory_new(kept, sizeof *nodes);
	for (size_t i = 0; i < kept; i++)
		nodes[i] = keys[i].node;
	free(keys);
	*count = kept;
	return nodes;
}
