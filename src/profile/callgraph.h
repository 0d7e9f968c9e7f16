/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_CALLGRAPH_H
#define VPTOP_PROFILE_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Exact figures of functions and of calls between them, of a format that has no stacks (pstats.md
 * sections 3 and 5, numbers.md 3.6). Times are nanoseconds. Immutable after load; owned by the
 * profile.
 */

struct call_node {
	int64_t calls, primitive; /* all calls; those not induced by recursion */
	int64_t self_ns, total_ns;
};

struct call_edge {
	uint32_t caller, callee;   /* function ids of the profile */
	int64_t calls, primitive;  /* of the callee by this caller */
	int64_t self_ns, total_ns; /* of the callee in calls by this caller */
};

struct callgraph {
	struct call_node *nodes; /* [profile->function_count] */
	uint32_t node_count;
	struct call_edge *edges; /* by caller, then by callee */
	size_t edge_count;
	uint32_t *incoming;   /* [edge_count]: indices of edges, by callee, then by caller */
	size_t *first_callee; /* [node_count + 1]: edges of caller i begin at edges[first_callee[i]]
			       */
	size_t *first_caller; /* [node_count + 1]: those to callee i at incoming[first_caller[i]] */
	bool has_edge_times; /* else the edges' times are estimates (`profile` counts calls only) */
	bool is_sampled;     /* calls are samples (Python 3.15) */
	int64_t total_ns;    /* sum of self_ns */
};

/* NULL is fine. */
void callgraph_free(struct callgraph *graph);

#endif
