/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_QUERY_H
#define VPTOP_QUERY_QUERY_H

#include "base/error.h"
#include "base/text.h"
#include "profile/clock.h"
#include "profile/profile.h"

/*
 * What to count, and how. Zero-initialise, then query_init. Results (call tree, functions,
 * neighbours, timeline, bin detail) are pure functions of a profile and a query.
 */

enum granularity {
	BY_FUNCTION,     /* name, file and first line; where profile->is_name_function the name
			    alone (numbers.md, own rule 8) */
	BY_FILEFUNCTION, /* the same; where profile->is_name_function name and file */
	BY_FILE,
	BY_LINE,   /* function and the line being executed */
	BY_ADDRESS /* as recorded */
};

enum filter_kind {
	FILTER_FOCUS,
	FILTER_IGNORE,
	FILTER_HIDE,
	FILTER_SHOW,
	FILTER_SHOW_FROM,
	FILTER_PRUNE_FROM, /* leave out what the innermost matching frame calls */
	FILTER_TAG_FOCUS,  /* these two are on labels: tags.h */
	FILTER_TAG_IGNORE,
	FILTER_COUNT
};

/* As options and JSON call it: "focus", "show-from", "tagfocus", ... */
const char *filter_name(enum filter_kind filter);
/* Whether it is a pattern of frames, not of labels. */
bool filter_is_of_frames(enum filter_kind filter);

struct query {
	unsigned type;        /* index into profile->types */
	uint64_t first, last; /* samples [first, last) */
	int32_t thread;       /* index into profile->threads; -1: all */
	enum granularity granularity;
	bool show_assembler;       /* the JIT's machine code as frames of its own */
	bool reference_tree;       /* the tree as vmprof's Stats.get_tree and filter_top make it
				      (numbers.md 3.5 rule 2) */
	bool relative_percentages; /* shares of what passed the filters, not of all */
	bool no_inlines;           /* inlined frames count as their caller that is not */
	bool all_frames;           /* also what the profile itself wants left out */
	bool mean;                 /* values of rows and edges divided by those of the first type */
	bool for_functions; /* a row may come several times below one node, which saves making
			       a tree: enough for sums of functions and edges */
	/* Of screens; reports have them among their own options. */
	double divide_by;   /* what printed values are divided by; 0: 1 */
	const char *unit;   /* what they are printed in; NULL: the one that fits each */
	bool drop_negative; /* functions_build leaves out rows that became less */
	const char *filters[FILTER_COUNT]; /* PCRE2 patterns, unanchored, on name, file and module;
					      NULL: none */
};

/* Everything of the profile's default type. */
void query_init(struct query *query, const struct profile *profile);

/*
 * A row: what one line of a table or one name in the tree stands for, at the query's granularity.
 * Row 0 is the synthetic root.
 */
struct row {
	string_id name, file, module;
	uint32_t line;    /* of the definition; at BY_LINE of execution; 0 unknown */
	uint64_t address; /* of one of its frames */
	uint8_t kind; /* enum code_kind: CODE_PYTHON, CODE_NATIVE, CODE_UNKNOWN, CODE_ASSEMBLER, ...
		       */
	bool is_ambiguous; /* another row has the same name: the label says where */
	bool needs_path;   /* the last two parts of the path do not tell them apart */
};

/*
 * The call tree in pre-order: node 0 is the root "all"; the nodes below i are i + 1 .. end[i] - 1,
 * so the first child of i is i + 1 (if < end[i]) and the next sibling of i is end[i].
 */
struct calltree {
	const struct profile *profile;
	struct query query; /* as built; filters are not owned */
	uint32_t node_count;
	uint32_t *parent, *end;
	uint32_t *row;           /* index into rows; may be NULL in a tree for_functions: there
				    calltree_row knows it */
	int64_t *self, *total;   /* in the unit of types[query.type] */
	uint32_t *node_of_stack; /* [profile->stack_count], NODE_DROPPED where a filter drops it;
				    NULL: node == stack */
	struct row *rows;
	uint32_t row_count;
	int64_t all;     /* sum of |value| in the time range and thread, before filters */
	int64_t passed;  /* the same of what passed the filters */
	int64_t base;    /* what percentages are of: `all`, or `passed` with relative_percentages;
			    with query.mean its mean */
	int64_t samples; /* samples that passed */
	bool overflow;   /* a sum was saturated */
	uint8_t *set_passes; /* [profile->set_count]: whether the filters on labels keep a sample
				that has them; NULL: all pass */
	int64_t *width; /* in a tree with negative values: sizes of self of all nodes below and of
			   the node itself, as a flame graph draws it; NULL: total */
	/*
	 * With query.mean: what the first type has in each node. Rows and edges are divided by sums
	 * of these; self and total are not, for means do not add up (numbers.md 3.1 rule 7).
	 */
	int64_t *self_divisor, *total_divisor;
	uint8_t *calls;    /* [node_count]: of calltree_mark_inlined; else NULL */
	bool is_counted;   /* self and total are of `query` */
	bool borrows_all;  /* all but self, total and width is another tree's: calltree_recount */
	bool owns_links;   /* parent and end are ours, not the profile's */
	bool borrows_rows; /* rows are those of the tree that this one was made from (around.h) */
	uint32_t *row_of_frame; /* [profile->frame_count]; NULL in a tree made from another one */
	int64_t left_out; /* of total[0]: what around.h did not follow up to the outermost caller */
};

#define NODE_DROPPED UINT32_MAX

/* NULL and *err (ERROR_USAGE) for a bad pattern or a GAUGE type; else free with calltree_free. */
struct calltree *calltree_build(
	const struct profile *profile, const struct query *query, struct vp_error *err);
void calltree_free(struct calltree *tree);

/* The node of sample i, NODE_DROPPED where a filter drops it. */
static inline uint32_t calltree_node_of_sample(const struct calltree *tree, uint64_t i)
{
	const struct profile *profile = tree->profile;
	const stack_id stack = profile->sample_stack[i];
	if (tree->set_passes && !tree->set_passes[profile_label_set(profile, i)])
		return NODE_DROPPED;
	return tree->node_of_stack ? tree->node_of_stack[stack] : stack;
}

/* The index into rows of a node. */
static inline uint32_t calltree_row(const struct calltree *tree, uint32_t node)
{
	if (tree->row)
		return tree->row[node];
	return node == 0 ? 0 : tree->row_of_frame[tree->profile->stack_frame[node]];
}

/*
 * Counts again for another type, sample range or thread (the other members of `query` must be as
 * built); cheap: no tree is made. False and *err for a GAUGE.
 */
bool calltree_count(struct calltree *tree, const struct query *query, struct vp_error *err);

/*
 * The same tree counted for another type, say of the base of a difference: nodes and rows have the
 * same numbers. It lives no longer than `tree`; calltree_free it. NULL for a GAUGE.
 */
struct calltree *calltree_recount(const struct calltree *tree, unsigned type);

/* Makes tree->width where a node has less than 0 by itself, frees it where none has. Whoever makes
 * self and total calls it. */
void calltree_measure(struct calltree *tree);

/* How wide a flame graph draws a node: what changed below it, whichever way; never below 0. */
static inline int64_t calltree_width(const struct calltree *tree, uint32_t node)
{
	const int64_t value = tree->width ? tree->width[node] : tree->total[node];
	return value > 0 ? value : 0;
}

/*
 * Looks which calls were inlined in all the samples that are counted; calltree_is_inlined says no
 * before. False and *err as calltree_build.
 */
bool calltree_mark_inlined(struct calltree *tree, struct vp_error *err);
bool calltree_is_inlined(const struct calltree *tree, uint32_t node);

/*
 * A profile that is a graph of calls (profile->callgraph) has exact figures of functions, callers
 * and callees, as long as nothing is filtered or put together by file; calltree_is_exact: functions
 * and neighbours of this tree are those. Its stacks are estimates; so is all that is made from
 * them: calltree_is_estimate. Both are false for other profiles.
 */
bool calltree_is_exact(const struct calltree *tree);
bool calltree_is_estimate(const struct calltree *tree);

/* sum / divisor, towards 0; sum where there is nothing to divide by. */
int64_t calltree_mean(int64_t sum, int64_t divisor);

/*
 * Adds the printable label of a row, cleaned: the name, and " file:line" where names are ambiguous.
 * Where profile->is_name_function: what pprof prints at this granularity.
 */
void row_label(const struct calltree *tree, uint32_t row, bool ascii, struct text *out);
/* Adds the name only; "all" for row 0, "<unknown 0x..>" where there is none. */
void row_name(const struct calltree *tree, uint32_t row, bool ascii, struct text *out);
/* Adds "dir/file.py:12", the last two parts of the path (vmprof-viewer-msgpack.md section 4);
 * "[native]" etc. where there is no file. `full`: the whole path. */
void row_location(
	const struct calltree *tree, uint32_t row, bool full, bool ascii, struct text *out);

/* ---- functions ------------------------------------------------------ */

struct function_row {
	uint32_t row;
	int64_t flat, cum;         /* cum: once a stack, however often the function is in it */
	int64_t flat_sum, cum_sum; /* as neighbour.sum */
	int64_t calls, primitive;  /* all calls; those not induced by recursion */
	bool has_calls;            /* the format counts calls, and the tree is exact */
};

/* SORT_DELTA: by the change, which is what is counted in a difference: as SORT_FLAT. */
enum function_sort { SORT_FLAT, SORT_CUM, SORT_NAME, SORT_DELTA, SORT_CALLS };

/*
 * Rows with flat or cum not 0, and all that the file has where they are exact, sorted; *count of
 * them. Order: |value| down, label up, the other value down (numbers.md 3.2 rule 4). free() the
 * result.
 */
struct function_row *functions_build(
	const struct calltree *tree, enum function_sort sort, size_t *count);

/* What drop_negative leaves out: a row that became less. */
bool function_is_negative(const struct function_row *row);

/* ---- callers and callees ---------------------------------------------- */

struct neighbour {
	uint32_t row;  /* row 0 as a caller: called from the root; 0 as a callee: never */
	int64_t value; /* once a stack for each pair; none for self calls (numbers.md 3.1 rule 4) */
	int64_t mean;  /* with query.mean divided by those of the first type; else the same */
	bool is_inlined; /* in all of these stacks */
	/* Where the tree is exact; calls of a function by itself are there, too. */
	int64_t calls, primitive; /* of the callee by the caller */
	bool has_calls;
	bool is_estimate; /* value is one, though the calls are exact */
};

struct neighbours {
	struct neighbour *callers, *callees; /* sorted by |value| down, then label */
	size_t caller_count, callee_count;
	int64_t flat, cum; /* of the function itself */
};

struct neighbours neighbours_build(const struct calltree *tree, uint32_t row);
void neighbours_free(struct neighbours *neighbours);

/* Rows whose name, file or module matches the pattern; *count of them; free() the result. NULL and
 * *err for a bad pattern. */
uint32_t *rows_matching(
	const struct calltree *tree, const char *pattern, size_t *count, struct vp_error *err);

#endif
