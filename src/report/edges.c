/* SPDX-License-Identifier: MIT */
#include "report/edges.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/exact.h"
#include "query/graph_parts.h"

struct edge {
	uint32_t caller, callee;
	int64_t value, divisor; /* of means; 0: there are none */
	bool is_call;           /* in some stack it was not inlined */
	uint32_t on_path; /* how often it is on the way from the root to where the pass stands */
};

struct edges_pass {
	struct edge *edges;
	size_t count, capacity;
	struct hash_map slots; /* caller and callee -> index */
	struct edges_step {
		uint32_t end; /* first node behind the subtree */
		uint32_t edge;
	} * path;
	size_t depth, path_capacity;
	const bool *kept;   /* by row; NULL: all */
	const bool *seen;   /* by node: samples that are not 0 came through it */
	uint32_t *kept_row; /* of a node, or of the nearest one above it that is kept */
	bool overflow;
};

/* One way to sort edges for a group: the key of the group, then what orders inside it. */
struct edges_order {
	uint32_t group, rank;
	struct neighbour other;
};

static uint32_t edges_find(struct edges_pass *pass, uint32_t caller, uint32_t callee)
{
	uint32_t *slot = hash_map_slot(&pass->slots, (uint64_t)caller << 32 | callee);
	if (*slot == 0) {
		pass->edges = array_grow(
			pass->edges, &pass->capacity, pass->count + 1, sizeof *pass->edges);
		pass->edges[pass->count] = (struct edge){.caller = caller, .callee = callee};
		*slot = (uint32_t)++pass->count;
	}
	return *slot - 1;
}

static void edges_count(
	struct edges_pass *pass, const struct calltree *tree, struct edge *edge, uint32_t node)
{
	edge->value = units_add(edge->value, tree->total[node], &pass->overflow);
	if (tree->total_divisor)
		edge->divisor =
			units_add(edge->divisor, tree->total_divisor[node], &pass->overflow);
	if (!calltree_is_inlined(tree, node))
		edge->is_call = true;
}

/*
 * A pair counts once a stack: where it is on the path already, its outermost place has counted all
 * stacks below.
 */
static void edges_visit(struct edges_pass *pass, const struct calltree *tree, uint32_t node)
{
	while (pass->depth > 0 && pass->path[pass->depth - 1].end <= node)
		pass->edges[pass->path[--pass->depth].edge].on_path--;
	uint32_t caller = calltree_row(tree, tree->parent[node]), callee = calltree_row(tree, node);
	if (pass->kept) {
		caller = pass->kept_row[tree->parent[node]];
		callee = pass->kept_row[node] = pass->kept[callee] ? callee : caller;
	}
	if (caller == callee || !pass->seen[node])
		return;
	uint32_t i = edges_find(pass, caller, callee);
	struct edge *edge = &pass->edges[i];
	if (edge->on_path++ == 0)
		edges_count(pass, tree, edge, node);
	pass->path =
		array_grow(pass->path, &pass->path_capacity, pass->depth + 1, sizeof *pass->path);
	pass->path[pass->depth++] = (struct edges_step){tree->end[node], i};
}

static int edges_compare(const void *a, const void *b)
{
	const struct edges_order *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	double p = (double)x->other.value, q = (double)y->other.value;
	p = p < 0 ? -p : p;
	q = q < 0 ? -q : q;
	if (p != q)
		return p > q ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static struct neighbour *edges_group(
	struct edges_order *order, size_t count, uint32_t row_count, size_t **start)
{
	qsort(order, count, sizeof *order, edges_compare);
	struct neighbour *list = memory_new(count + 1, sizeof *list);
	*start = memory_new((size_t)row_count + 1, sizeof **start);
	for (size_t i = 0; i < count; i++) {
		list[i] = order[i].other;
		(*start)[order[i].group + 1]++;
	}
	for (uint32_t row = 0; row < row_count; row++)
		(*start)[row + 1] += (*start)[row];
	return list;
}

/* What orders rows where there are edges to some that no table lists. */
struct edges_label {
	const char *label;
	uint32_t row;
};

static int edges_compare_labels(const void *a, const void *b)
{
	const struct edges_label *x = a, *y = b;
	const int order = strcmp(x->label, y->label);
	return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

static uint32_t *edges_ranks_of_all(const struct calltree *tree)
{
	uint32_t *rank = memory_new((size_t)tree->row_count + 1, sizeof *rank);
	struct edges_label *labels = memory_new(tree->row_count, sizeof *labels);
	size_t *start = memory_new(tree->row_count, sizeof *start);
	struct text pool = {0};
	for (uint32_t i = 0; i < tree->row_count; i++) {
		start[i] = pool.length;
		row_label(tree, i, false, &pool);
		text_add(&pool, "", 1);
	}
	for (uint32_t i = 0; i < tree->row_count; i++)
		labels[i] = (struct edges_label){pool.data + start[i], i};
	qsort(labels, tree->row_count, sizeof *labels, edges_compare_labels);
	for (uint32_t i = 0; i < tree->row_count; i++)
		rank[labels[i].row] = i + 1;
	text_free(&pool);
	free(start);
	free(labels);
	return rank;
}

/* The place of each row in the order of names. */
static uint32_t *edges_ranks(const struct calltree *tree)
{
	uint32_t *rank = memory_new((size_t)tree->row_count + 1, sizeof *rank);
	size_t count;
	struct function_row *rows = functions_build(tree, SORT_NAME, &count);
	for (size_t i = 0; i < count; i++)
		rank[rows[i].row] = (uint32_t)i + 1;
	free(rows);
	return rank;
}

/* Two orders of the same edges: by who is called, by who calls. */
struct edges_lists {
	struct edges_order *up, *down;
	size_t count;
	const uint32_t *rank;
	const bool *listed; /* by row: a table has it; NULL: all */
	int64_t cut;
};

/* Edges below the cut-off are left out; pprof looks only at those into functions that it lists. */
static void edges_list(
	struct edges_lists *lists, uint32_t caller, uint32_t callee, struct neighbour of)
{
	struct neighbour other = of;
	const bool is_small = of.value < lists->cut && of.value > -lists->cut;
	if (is_small && (!lists->listed || lists->listed[callee]))
		return;
	other.row = caller;
	lists->up[lists->count] = (struct edges_order){callee, lists->rank[caller], other};
	other.row = callee;
	lists->down[lists->count++] = (struct edges_order){caller, lists->rank[callee], other};
}

static struct edges edges_finish(const struct calltree *tree, struct edges_lists *lists)
{
	struct edges edges = {0};
	edges.callers = edges_group(lists->up, lists->count, tree->row_count, &edges.caller_start);
	edges.callees =
		edges_group(lists->down, lists->count, tree->row_count, &edges.callee_start);
	free(lists->up);
	free(lists->down);
	return edges;
}

static struct edges_lists edges_open(size_t count, int64_t cut, const uint32_t *rank)
{
	return (struct edges_lists){.up = memory_new(count + 1, sizeof(struct edges_order)),
		.down = memory_new(count + 1, sizeof(struct edges_order)),
		.rank = rank,
		.cut = cut};
}

/* Those that the file has itself. */
static struct edges edges_exact(const struct calltree *tree, int64_t cut)
{
	const struct callgraph *graph = exact_graph(tree);
	uint32_t *rank = edges_ranks(tree), *row = exact_rows_of_functions(tree);
	struct edges_lists lists = edges_open(graph->edge_count, cut, rank);
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct call_edge *edge = &graph->edges[i];
		if (edge->is_absent)
			continue;
		edges_list(&lists, row[edge->caller], row[edge->callee], exact_neighbour(edge, 0));
	}
	free(rank);
	free(row);
	return edges_finish(tree, &lists);
}

/* Of what adds up to 0 there are edges in pprof's profiles, as there; the root has none. */
static bool edges_has(const struct calltree *tree, const struct edge *edge)
{
	return edge->value != 0 || (edge->caller != 0 && tree->profile->is_name_function);
}

/* listed[row]; NULL: all. */
static struct edges edges_sort(
	const struct calltree *tree, const struct edges_pass *pass, const bool *listed, int64_t cut)
{
	bool is_all_listed = true;
	for (size_t i = 0; listed && i < pass->count && is_all_listed; i++)
		is_all_listed = listed[pass->edges[i].callee] &&
				(listed[pass->edges[i].caller] || pass->edges[i].caller == 0);
	uint32_t *rank = is_all_listed ? edges_ranks(tree) : edges_ranks_of_all(tree);
	struct edges_lists lists = edges_open(pass->count, cut, rank);
	lists.listed = listed;
	for (size_t i = 0; i < pass->count; i++) {
		const struct edge *e = &pass->edges[i];
		if (edges_has(tree, e))
			edges_list(&lists, e->caller, e->callee,
				(struct neighbour){.value = e->value,
					.mean = calltree_mean(e->value, e->divisor),
					.is_inlined = !e->is_call});
	}
	free(rank);
	return edges_finish(tree, &lists);
}

struct edges edges_build(const struct calltree *tree, const struct shown *shown)
{
	if (!shown->kept && calltree_is_exact(tree))
		return edges_exact(tree, shown->edge_cut);
	bool *seen = graph_seen(tree), *listed = NULL;
	struct edges_pass pass = {.kept = shown->kept, .seen = seen};
	if (pass.kept)
		pass.kept_row = memory_new(tree->node_count, sizeof *pass.kept_row);
	for (uint32_t node = 1; node < tree->node_count; node++)
		edges_visit(&pass, tree, node);
	if (tree->profile->is_name_function)
		listed = memory_new(tree->row_count, sizeof *listed);
	for (size_t i = 0; listed && i < shown->count; i++)
		listed[shown->rows[i].row] = true;
	struct edges edges = edges_sort(tree, &pass, listed, shown->edge_cut);
	free(seen);
	free(listed);
	free(pass.edges);
	free(pass.path);
	free(pass.kept_row);
	hash_map_free(&pass.slots);
	return edges;
}

void edges_free(struct edges *edges)
{
	free(edges->callers);
	free(edges->callees);
	free(edges->caller_start);
	free(edges->callee_start);
	*edges = (struct edges){0};
}

struct neighbours edges_of(const struct edges *edges, uint32_t row)
{
	size_t up = edges->caller_start[row], down = edges->callee_start[row];
	return (struct neighbours){
		.callers = edges->callers + up,
		.caller_count = edges->caller_start[row + 1] - up,
		.callees = edges->callees + down,
		.callee_count = edges->callee_start[row + 1] - down,
	};
}
