/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "query/exact.h"
#include "query/pattern.h"
#include "query/query.h"

/* ---- self and total of each row ------------------------------------------------------------ */

/*
 * In pre-order a subtree is a range, so a node is the outermost one of its row exactly if it lies
 * beyond the end of the last such: one forward pass counts each stack once, whatever the recursion.
 */
static void functions_add_up(const struct calltree *tree, const int64_t *self, const int64_t *total,
	struct function_row *rows)
{
	uint32_t *covered =
		memory_new(tree->row_count, sizeof *covered); /* end of the last outermost node */
	bool overflow = false;
	for (uint32_t i = 0; i < tree->row_count; i++)
		rows[i].row = i;
	for (uint32_t node = 0; node < tree->node_count; node++) {
		uint32_t row = calltree_row(tree, node);
		if (row == 0)
			continue;
		rows[row].flat = units_add(rows[row].flat, self[node], &overflow);
		if (node < covered[row])
			continue;
		rows[row].cum = units_add(rows[row].cum, total[node], &overflow);
		covered[row] = tree->end[node];
	}
	free(covered);
}

/*
 * Divides rows[count], each a sum, by sums of the first type (numbers.md 3.1 rule 7). Order and
 * cuts are of the sums, as in pprof.
 */
static void functions_take_means(
	const struct calltree *tree, struct function_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i].flat_sum = rows[i].flat;
		rows[i].cum_sum = rows[i].cum;
	}
	if (!tree->self_divisor)
		return;
	struct function_row *divisors = memory_new(tree->row_count, sizeof *divisors);
	functions_add_up(tree, tree->self_divisor, tree->total_divisor, divisors);
	for (size_t i = 0; i < count; i++) {
		const struct function_row *divisor = &divisors[rows[i].row];
		rows[i].flat = calltree_mean(rows[i].flat, divisor->flat);
		rows[i].cum = calltree_mean(rows[i].cum, divisor->cum);
	}
	free(divisors);
}

/* What a row is sorted by, gathered first: qsort has no context. */
struct functions_key {
	uint64_t first, second; /* |value|, descending */
	const char *name, *file;
	uint32_t line, row;
	size_t index; /* of what is sorted */
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

static struct functions_key functions_key(const struct calltree *tree,
	const struct function_row *row, enum function_sort sort, size_t index)
{
	const struct row *r = &tree->rows[row->row];
	struct functions_key key = {.name = profile_string(tree->profile, r->name, NULL),
		.file = profile_string(tree->profile, r->file, NULL),
		.line = r->line,
		.row = row->row,
		.index = index};
	uint64_t flat = functions_size(row->flat), cum = functions_size(row->cum);
	key.first = sort == SORT_CUM     ? cum
		    : sort == SORT_NAME  ? 0
		    : sort == SORT_CALLS ? functions_size(row->calls)
					 : flat;
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

/* Keys of rows[count] in order; free() them. */
static struct functions_key *functions_order(const struct calltree *tree,
	const struct function_row *rows, size_t count, enum function_sort sort)
{
	struct functions_key *keys = memory_new(count + 1, sizeof *keys);
	for (size_t i = 0; i < count; i++)
		keys[i] = functions_key(tree, &rows[i], sort, i);
	char *labels =
		tree->profile->is_name_function ? functions_use_labels(tree, keys, count) : NULL;
	qsort(keys, count, sizeof *keys, functions_compare);
	free(labels);
	return keys;
}

/* Sorts rows[count] in place. */
static void functions_sort(const struct calltree *tree, struct function_row *rows, size_t count,
	enum function_sort sort)
{
	struct functions_key *keys = functions_order(tree, rows, count, sort);
	struct function_row *sorted = memory_new(count + 1, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = rows[keys[i].index];
	memcpy(rows, sorted, count * sizeof *rows);
	free(sorted);
	free(keys);
}

bool function_is_negative(const struct function_row *row)
{
	return row->flat_sum < 0 || (row->flat_sum == 0 && row->cum_sum < 0);
}

static size_t functions_drop_negative(struct function_row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!function_is_negative(&rows[i]))
			rows[kept++] = rows[i];
	return kept;
}

struct function_row *functions_build(
	const struct calltree *tree, enum function_sort sort, size_t *count)
{
	struct function_row *rows = memory_new(tree->row_count, sizeof *rows);
	if (calltree_is_exact(tree))
		exact_add_up(tree, rows);
	else
		functions_add_up(tree, tree->self, tree->total, rows);
	size_t kept = 0;
	for (uint32_t i = 1; i < tree->row_count; i++)
		if (rows[i].flat != 0 || rows[i].cum != 0 || rows[i].has_calls)
			rows[kept++] = rows[i];
	functions_sort(tree, rows, kept, sort);
	functions_take_means(tree, rows, kept);
	*count = tree->query.drop_negative ? functions_drop_negative(rows, kept) : kept;
	return rows;
}

/* ---- callers and callees ----------------------------------------------------------------- */

/* Adds up one side: value[row] of the neighbour `other` of `node`, once a stack. */
struct neighbours_side {
	struct function_row *value; /* by row; cum is the sum, flat what means are divided by */
	uint32_t *covered;
	uint8_t *calls; /* by row: IS_CALL and IS_INLINE */
};

enum { IS_CALL = 1, IS_INLINE = 2 };

static void neighbours_add(
	struct neighbours_side *side, const struct calltree *tree, uint32_t node, uint32_t other)
{
	bool overflow = false;
	struct function_row *value = &side->value[other];
	if (node < side->covered[other])
		return;
	value->cum = units_add(value->cum, tree->total[node], &overflow);
	if (tree->total_divisor)
		value->flat = units_add(value->flat, tree->total_divisor[node], &overflow);
	side->calls[other] |= calltree_is_inlined(tree, node) ? IS_INLINE : IS_CALL;
	side->covered[other] = tree->end[node];
}

static struct neighbours_side neighbours_open(const struct calltree *tree)
{
	struct neighbours_side side = {.value = memory_new(tree->row_count, sizeof *side.value),
		.covered = memory_new(tree->row_count, sizeof *side.covered),
		.calls = memory_new(tree->row_count, sizeof *side.calls)};
	for (uint32_t i = 0; i < tree->row_count; i++)
		side.value[i].row = i;
	return side;
}

static struct neighbour *neighbours_close(
	struct neighbours_side *side, const struct calltree *tree, size_t *count)
{
	size_t kept = 0;
	for (uint32_t i = 0; i < tree->row_count; i++) {
		struct function_row *value = &side->value[i];
		if (value->cum == 0)
			continue;
		side->value[kept++] = *value;
	}
	functions_sort(tree, side->value, kept, SORT_CUM);
	struct neighbour *list = memory_new(kept, sizeof *list);
	for (size_t i = 0; i < kept; i++) {
		const struct function_row *value = &side->value[i];
		list[i] = (struct neighbour){.row = value->row,
			.value = value->cum,
			.mean = calltree_mean(value->cum, value->flat),
			.is_inlined = side->calls[value->row] == IS_INLINE};
	}
	free(side->value);
	free(side->covered);
	free(side->calls);
	*count = kept;
	return list;
}

/* flat and cum of one row: sums of self and total, or of what means are divided by. */
static struct function_row neighbours_sum(
	const struct calltree *tree, const int64_t *self, const int64_t *total, uint32_t row)
{
	struct function_row sum = {.row = row};
	uint32_t covered = 0;
	bool overflow = false;
	for (uint32_t node = 1; node < tree->node_count; node++) {
		if (calltree_row(tree, node) != row)
			continue;
		sum.flat = units_add(sum.flat, self[node], &overflow);
		if (node < covered)
			continue;
		sum.cum = units_add(sum.cum, total[node], &overflow);
		covered = tree->end[node];
	}
	return sum;
}

/* As neighbours_close sorts. */
static void neighbours_sort(const struct calltree *tree, struct neighbour *list, size_t count)
{
	struct function_row *rows = memory_new(count + 1, sizeof *rows);
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct function_row){
			.row = list[i].row, .flat = list[i].calls, .cum = list[i].value};
	struct functions_key *keys = functions_order(tree, rows, count, SORT_CUM);
	struct neighbour *sorted = memory_new(count + 1, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = list[keys[i].index];
	memcpy(list, sorted, count * sizeof *list);
	free(sorted);
	free(keys);
	free(rows);
}

struct neighbours neighbours_build(const struct calltree *tree, uint32_t row)
{
	if (calltree_is_exact(tree)) {
		struct neighbours exact = exact_neighbours(tree, row);
		neighbours_sort(tree, exact.callers, exact.caller_count);
		neighbours_sort(tree, exact.callees, exact.callee_count);
		return exact;
	}
	struct neighbours_side callers = neighbours_open(tree), callees = neighbours_open(tree);
	for (uint32_t node = 1; node < tree->node_count; node++) {
		uint32_t mine = calltree_row(tree, node),
			 above = calltree_row(tree, tree->parent[node]);
		if (mine == row && above != row)
			neighbours_add(&callers, tree, node, above);
		else if (above == row && mine != row)
			neighbours_add(&callees, tree, node, mine);
	}
	struct function_row sum = neighbours_sum(tree, tree->self, tree->total, row);
	if (tree->self_divisor) {
		struct function_row divisor =
			neighbours_sum(tree, tree->self_divisor, tree->total_divisor, row);
		sum.flat = calltree_mean(sum.flat, divisor.flat);
		sum.cum = calltree_mean(sum.cum, divisor.cum);
	}
	struct neighbours result = {.flat = sum.flat, .cum = sum.cum};
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
