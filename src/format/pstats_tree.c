/* SPDX-License-Identifier: MIT */
/*
 * Stacks for a graph of calls: an estimate, by the proportional rule (pstats.md section 5). A
 * function in one place of the tree has that part of its time that its caller's place has of all
 * its callers' time, and hands it on to its callees in proportion to their edges.
 *
 * Functions that call each other in a circle are one unit there (a component), which is entered at
 * one of them and unfolds into each of its functions once: so no function is below itself, and the
 * way from unit to unit ends.
 *
 * What holds, but for rounding to nanoseconds:
 * - the times of all stacks add up to callgraph->total_ns, those of one function to its own time;
 * - all places of a function together do not have more than its time with callees.
 * Where little time is left a place is not unfolded; what its functions lack then is theirs as
 * stacks of their own at the root.
 */
#include "format/pstats.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "profile/callgraph.h"

enum {
	TREE_MOST_NODES = 1 << 16,
	TREE_MOST_VISITS = 1 << 24, /* of edges */
	TREE_LEAST_SHARE = 1 << 17, /* a place has at least 1 / this of all time */
	TREE_LEAST_NS = 16 /* what a function lacks by rounding goes to its largest place */
};

struct tree_node {
	uint32_t function, parent, depth; /* parent: index of a node; node 0 is the root */
	double self;
};

/* A place where a component is entered. */
struct tree_entry {
	uint32_t function, parent;
	double weight;
};

/* A function of the component that is being unfolded. */
struct tree_member {
	uint32_t function,
		parent; /* parent: index of the member that calls it; the first: itself */
	uint32_t node;  /* 0: it has none */
	double time;    /* of itself and the members below, before scaling */
	double scale;   /* of what is below it */
};

/* A call from a member to a function of the component. */
struct tree_call {
	int64_t ns;
	uint32_t member, callee;
};

struct tree {
	struct builder *builder;
	const struct callgraph *graph;
	uint32_t *component; /* by function */
	uint32_t component_count;
	double *outer_calls; /* by function: calls from other components */
	double *flow;        /* by edge: what it carries; 0 inside a component */
	double *handed;      /* by function: sum of flow to its callees */
	double *spent;       /* by function: what its places have below them so far */
	double *arriving;    /* by component: all flow to it, with what comes from the root */
	struct tree_entry *roots, *entries;
	size_t root_count, root_capacity, entry_count, entry_capacity;
	struct tree_node *nodes;
	size_t node_count, node_capacity;
	struct tree_member *members;
	struct tree_call *calls;
	size_t call_count, call_capacity;
	uint32_t *is_member; /* by function: the place in which it was met last */
	uint32_t places;
	uint64_t visits;
	double least; /* weight of a place */
};

/* ---- what flows ---------------------------------------------------------------------------- */

static double tree_below(const struct tree *tree, uint32_t function)
{
	const struct call_node *node = &tree->graph->nodes[function];
	return node->total_ns > node->self_ns ? (double)node->total_ns - (double)node->self_ns : 0;
}

static bool tree_is_outer(const struct tree *tree, const struct call_edge *edge)
{
	return tree->component[edge->caller] != tree->component[edge->callee];
}

static void tree_count_calls(struct tree *tree)
{
	for (size_t i = 0; i < tree->graph->edge_count; i++) {
		const struct call_edge *edge = &tree->graph->edges[i];
		if (tree_is_outer(tree, edge))
			tree->outer_calls[edge->callee] += (double)edge->calls;
	}
}

/* Where the file has no times of edges: by share of the calls that are no recursion. */
static double tree_edge_time(const struct tree *tree, const struct call_edge *edge)
{
	if (!edge->is_estimate)
		return (double)edge->total_ns;
	const double all = tree->outer_calls[edge->callee];
	const double total = (double)tree->graph->nodes[edge->callee].total_ns;
	return all > 0 ? total * ((double)edge->calls / all) : 0;
}

/* Edges out of each function, together at most what it has below itself. */
static void tree_set_flow(struct tree *tree)
{
	const struct callgraph *graph = tree->graph;
	for (uint32_t caller = 0; caller < graph->node_count; caller++) {
		const size_t first = graph->first_callee[caller];
		const size_t end = graph->first_callee[caller + 1];
		double sum = 0;
		for (size_t i = first; i < end; i++) {
			const struct call_edge *edge = &graph->edges[i];
			if (tree_is_outer(tree, edge))
				sum += tree->flow[i] = tree_edge_time(tree, edge);
		}
		const double below = tree_below(tree, caller);
		const double scale = sum > below ? below / sum : 1;
		for (size_t i = first; i < end; i++) {
			tree->flow[i] *= scale;
			tree->handed[caller] += tree->flow[i];
			tree->arriving[tree->component[graph->edges[i].callee]] += tree->flow[i];
		}
	}
}

/* How much of a function's time no caller of another component accounts for. */
static double tree_unexplained(const struct tree *tree, uint32_t function)
{
	const struct callgraph *graph = tree->graph;
	double left = (double)graph->nodes[function].total_ns;
	for (size_t i = graph->first_caller[function]; i < graph->first_caller[function + 1]; i++)
		left -= tree->flow[graph->incoming[i]];
	return left;
}

/*
 * Components that need more than arrives are called from outside of what was profiled, too: their
 * function that lacks most is called by the root.
 */
static void tree_set_roots(struct tree *tree)
{
	const uint32_t count = tree->graph->node_count;
	double *needed = memory_new(tree->component_count, sizeof *needed);
	double *most = memory_new(tree->component_count, sizeof *most);
	uint32_t *entry = memory_new(tree->component_count, sizeof *entry);
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t component = tree->component[i];
		const double lacks = tree_unexplained(tree, i);
		needed[component] += (double)tree->graph->nodes[i].self_ns + tree->handed[i];
		if (entry[component] == 0 || lacks > most[component]) {
			entry[component] = i;
			most[component] = lacks;
		}
	}
	for (uint32_t i = 0; i < tree->component_count; i++) {
		const double lacks = needed[i] - tree->arriving[i];
		if (entry[i] == 0 || lacks <= 0)
			continue;
		tree->roots = array_grow(tree->roots, &tree->root_capacity, tree->root_count + 1,
			sizeof *tree->roots);
		tree->roots[tree->root_count++] =
			(struct tree_entry){.function = entry[i], .weight = lacks};
		tree->arriving[i] = needed[i];
	}
	free(needed);
	free(most);
	free(entry);
}

/* ---- a place ----------------------------------------------------------------------------------
 */

static void tree_enter(struct tree *tree, uint32_t function, uint32_t parent, double weight)
{
	if (weight < tree->least || tree->nodes[parent].depth >= tree->builder->limits.max_depth)
		return;
	tree->entries = array_grow(
		tree->entries, &tree->entry_capacity, tree->entry_count + 1, sizeof *tree->entries);
	tree->entries[tree->entry_count++] = (struct tree_entry){function, parent, weight};
}

static uint32_t tree_add_node(struct tree *tree, uint32_t function, uint32_t parent)
{
	tree->nodes = array_grow(
		tree->nodes, &tree->node_capacity, tree->node_count + 1, sizeof *tree->nodes);
	tree->nodes[tree->node_count] = (struct tree_node){
		.function = function, .parent = parent, .depth = tree->nodes[parent].depth + 1};
	return (uint32_t)tree->node_count++;
}

/* Calls inside a component that can be followed next, the largest on top (a binary heap). */
static void tree_push_call(struct tree *tree, struct tree_call call)
{
	tree->calls = array_grow(
		tree->calls, &tree->call_capacity, tree->call_count + 1, sizeof *tree->calls);
	size_t i = tree->call_count++;
	for (; i > 0 && tree->calls[(i - 1) / 2].ns < call.ns; i = (i - 1) / 2)
		tree->calls[i] = tree->calls[(i - 1) / 2];
	tree->calls[i] = call;
}

static struct tree_call tree_pop_call(struct tree *tree)
{
	const struct tree_call top = tree->calls[0], last = tree->calls[--tree->call_count];
	size_t i = 0;
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= tree->call_count)
			break;
		if (child + 1 < tree->call_count &&
			tree->calls[child + 1].ns > tree->calls[child].ns)
			child++;
		if (tree->calls[child].ns <= last.ns)
			break;
		tree->calls[i] = tree->calls[child];
		i = child;
	}
	tree->calls[i] = last;
	return top;
}

static void tree_push_calls(struct tree *tree, uint32_t member)
{
	const struct callgraph *graph = tree->graph;
	const uint32_t caller = tree->members[member].function;
	const size_t end = graph->first_callee[caller + 1];
	tree->visits += end - graph->first_callee[caller];
	for (size_t i = graph->first_callee[caller]; i < end; i++) {
		const struct call_edge *edge = &graph->edges[i];
		if (!tree_is_outer(tree, edge) && tree->is_member[edge->callee] != tree->places)
			tree_push_call(
				tree, (struct tree_call){edge->total_ns, member, edge->callee});
	}
}

/*
 * The functions of the component, each behind the one that calls it: of the calls that lead on from
 * those already there the one that took longest is followed first.
 */
static uint32_t tree_gather(struct tree *tree, uint32_t function)
{
	uint32_t count = 1;
	tree->places++;
	tree->members[0] = (struct tree_member){.function = function};
	tree->is_member[function] = tree->places;
	tree_push_calls(tree, 0);
	while (tree->call_count > 0) {
		const struct tree_call call = tree_pop_call(tree);
		if (tree->is_member[call.callee] == tree->places)
			continue;
		tree->is_member[call.callee] = tree->places;
		tree->members[count] =
			(struct tree_member){.function = call.callee, .parent = call.member};
		tree_push_calls(tree, count++);
	}
	return count;
}

/* A function gets its own time and what is below it, as far as all its places may have that. */
static void tree_place_member(
	struct tree *tree, uint32_t i, const struct tree_entry *entry, double part)
{
	const struct callgraph *graph = tree->graph;
	struct tree_member *member = &tree->members[i];
	const struct tree_member *above = &tree->members[member->parent];
	const uint32_t function = member->function;
	const double scale = i > 0 ? above->scale : 1;
	if (i > 0 && (above->node == 0 || scale * member->time < tree->least ||
			     tree->nodes[above->node].depth >= tree->builder->limits.max_depth))
		return;
	member->node = tree_add_node(tree, function, i > 0 ? above->node : entry->parent);
	const double own = part * (double)graph->nodes[function].self_ns;
	const double below = scale * (member->time - own);
	const double left = tree_below(tree, function) - tree->spent[function];
	member->scale = below <= left ? scale : left > 0 ? scale * (left / below) : 0;
	tree->spent[function] += below <= left ? below : left > 0 ? left : 0;
	tree->nodes[member->node].self = scale * own;
	for (size_t edge = graph->first_callee[function]; edge < graph->first_callee[function + 1];
		edge++)
		if (tree->flow[edge] > 0)
			tree_enter(tree, graph->edges[edge].callee, member->node,
				member->scale * part * tree->flow[edge]);
}

static void tree_unfold(struct tree *tree, const struct tree_entry *entry)
{
	const double arriving = tree->arriving[tree->component[entry->function]];
	const double part = entry->weight < arriving ? entry->weight / arriving : 1;
	const uint32_t count = tree_gather(tree, entry->function);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t function = tree->members[i].function;
		tree->members[i].time = part * ((double)tree->graph->nodes[function].self_ns +
						       tree->handed[function]);
	}
	for (uint32_t i = count; i-- > 1;)
		tree->members[tree->members[i].parent].time += tree->members[i].time;
	for (uint32_t i = 0; i < count; i++)
		tree_place_member(tree, i, entry, part);
}

/* False where it became too large. */
static bool tree_grow(struct tree *tree)
{
	tree->node_count = tree->entry_count = 0;
	tree->visits = 0;
	tree->nodes = array_grow(tree->nodes, &tree->node_capacity, 1, sizeof *tree->nodes);
	tree->nodes[tree->node_count++] = (struct tree_node){0};
	for (uint32_t i = 0; i < tree->graph->node_count; i++)
		tree->spent[i] = 0;
	for (size_t i = 0; i < tree->root_count; i++)
		tree_enter(tree, tree->roots[i].function, 0, tree->roots[i].weight);
	while (tree->entry_count > 0) {
		const struct tree_entry entry = tree->entries[--tree->entry_count];
		tree_unfold(tree, &entry);
		if (tree->node_count > TREE_MOST_NODES || tree->visits > TREE_MOST_VISITS)
			return false;
	}
	return true;
}

/* ---- stacks -------------------------------------------------------------------------------------
 */

static frame_id tree_frame(struct tree *tree, uint32_t function)
{
	const uint8_t kind = tree->builder->profile->functions[function].kind;
	return builder_function_frame(
		tree->builder, &(struct frame){.function = function, .kind = kind});
}

/* Whole nanoseconds; what the parts of one function lose or win by rounding evens out. */
static void tree_round(const struct tree *tree, int64_t *ns, int64_t *given, uint32_t *largest)
{
	double *sum = memory_new(tree->graph->node_count, sizeof *sum);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const uint32_t function = tree->nodes[i].function;
		const int64_t self_ns = tree->graph->nodes[function].self_ns;
		sum[function] += tree->nodes[i].self;
		const int64_t upto =
			sum[function] < (double)self_ns ? (int64_t)llround(sum[function]) : self_ns;
		ns[i] = upto > given[function] ? upto - given[function] : 0;
		given[function] += ns[i];
		if (largest[function] == 0 || ns[i] > ns[largest[function]])
			largest[function] = i;
	}
	free(sum);
}

/* What a function lacks: a stack of its own; a rounding's worth of it goes to its largest place. */
static void tree_complete(
	struct tree *tree, int64_t *ns, const int64_t *given, const uint32_t *largest)
{
	for (uint32_t i = 1; i < tree->graph->node_count; i++) {
		const int64_t self_ns = tree->graph->nodes[i].self_ns;
		const int64_t lacks = self_ns - given[i];
		if (lacks <= 0)
			continue;
		if (largest[i] != 0 && (lacks <= TREE_LEAST_NS || lacks <= self_ns >> 20))
			ns[largest[i]] += lacks;
		else
			builder_values(tree->builder,
				builder_child(tree->builder, 0, tree_frame(tree, i)), &lacks);
	}
}

static void tree_emit(struct tree *tree)
{
	const size_t count = tree->graph->node_count;
	int64_t *ns = memory_new(tree->node_count, sizeof *ns);
	int64_t *given = memory_new(count, sizeof *given);
	uint32_t *largest = memory_new(count, sizeof *largest);
	stack_id *stack = memory_new(tree->node_count, sizeof *stack);
	tree_round(tree, ns, given, largest);
	tree_complete(tree, ns, given, largest);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct tree_node *node = &tree->nodes[i];
		stack[i] = builder_child(
			tree->builder, stack[node->parent], tree_frame(tree, node->function));
		if (ns[i] > 0)
			builder_values(tree->builder, stack[i], &ns[i]);
	}
	free(ns);
	free(given);
	free(largest);
	free(stack);
}

void pstats_tree_build(struct builder *builder)
{
	const struct callgraph *graph = builder->profile->callgraph;
	const size_t count = graph->node_count;
	struct tree tree = {.builder = builder,
		.graph = graph,
		.component = memory_new(count, sizeof *tree.component),
		.outer_calls = memory_new(count, sizeof *tree.outer_calls),
		.flow = memory_new(graph->edge_count + 1, sizeof *tree.flow),
		.handed = memory_new(count, sizeof *tree.handed),
		.spent = memory_new(count, sizeof *tree.spent),
		.members = memory_new(count, sizeof *tree.members),
		.is_member = memory_new(count, sizeof *tree.is_member)};
	tree.component_count = callgraph_components(graph, tree.component);
	tree.arriving = memory_new(tree.component_count, sizeof *tree.arriving);
	tree_count_calls(&tree);
	tree_set_flow(&tree);
	tree_set_roots(&tree);
	tree.least = (double)graph->total_ns / TREE_LEAST_SHARE;
	if (tree.least < 1)
		tree.least = 1;
	while (!tree_grow(&tree))
		tree.least *= 4;
	tree_emit(&tree);
	free(tree.component);
	free(tree.outer_calls);
	free(tree.flow);
	free(tree.handed);
	free(tree.spent);
	free(tree.members);
	free(tree.calls);
	free(tree.is_member);
	free(tree.arriving);
	free(tree.roots);
	free(tree.entries);
	free(tree.nodes);
}
