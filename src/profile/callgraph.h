/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_CALLGRAPH_H
#define VPTOP_PROFILE_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Exact figures of functions and of calls between them, of a format that has no stacks (pstats.md
 * sections 3 and 5, numbers.md 3.6). Times are nanoseconds. What changed between two such profiles
 * is one, too: only there figures may be below 0. Immutable after load; owned by the profile.
 */

struct call_node {
	int64_t calls, primitive; /* all calls; those not induced by recursion */
	int64_t self_ns, total_ns;
	bool has_entry; /* false: only others name it as their caller, and all is 0; in a part of a
			   difference also where only the other part has it */
};

struct call_edge {
	uint32_t caller, callee;   /* function ids of the profile */
	int64_t calls, primitive;  /* of the callee by this caller */
	int64_t self_ns, total_ns; /* of the callee in calls by this caller */
	bool is_estimate; /* the file has the calls only: the times are the callee's by share of
			     calls (numbers.md 3.6 rule 4), primitive is calls */
	bool is_absent;   /* in a part of a difference: only the other part has this pair */
};

struct callgraph {
	struct call_node *nodes; /* [node_count], by function id; 0 is nobody */
	uint32_t node_count;     /* profile->function_count */
	struct call_edge *edges; /* by caller, then by callee: each pair once */
	size_t edge_count;
	uint32_t *incoming;   /* [edge_count]: indices of edges, by callee, then by caller */
	size_t *first_callee; /* [node_count + 1]: edges of caller i begin at edges[first_callee[i]]
			       */
	size_t *first_caller; /* [node_count + 1]: those to callee i at incoming[first_caller[i]] */
	bool has_edge_times;  /* no edge is_estimate (`profile` counts calls only) */
	bool is_sampled;      /* calls are samples (Python 3.15) */
	int64_t total_ns;     /* sum of self_ns */
	int64_t calls, primitive; /* sums over all functions */
	bool overflow;            /* a sum was saturated */
	/*
	 * Of a difference, the change of which this is then: what the old and the new profile have,
	 * with the same nodes and edges. NULL elsewhere.
	 */
	struct callgraph *base, *now;
};

/*
 * A graph of nodes[node_count] and edges[edge_count], both malloc'ed and its own from now on: puts
 * the edges in order, adds up those of one pair, and fills in the sums. Ends of edges must be <
 * node_count.
 */
struct callgraph *callgraph_new(
	struct call_node *nodes, uint32_t node_count, struct call_edge *edges, size_t edge_count);

/* Fills in the times of edges that are estimates, from what their callees have. */
void callgraph_estimate(struct callgraph *graph);

/* NULL is fine. */
void callgraph_free(struct callgraph *graph);

/*
 * Functions that can call each other, over others or not, have one number in component[node_count],
 * all others one of their own; a callee's number is not greater than its caller's. Returns how many
 * numbers there are.
 */
uint32_t callgraph_components(const struct callgraph *graph, uint32_t *component);

#endif
