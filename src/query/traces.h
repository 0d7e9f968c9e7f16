/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_QUERY_TRACES_H
#define VPTOP_QUERY_TRACES_H

#include "query/growth.h"
#include "query/labels.h"
#include "query/query.h"

/* Different stacks, each with the labels of its samples: the same stack with other labels is
 * another trace. */

struct trace {
	uint32_t node; /* of the call tree */
	uint32_t set;  /* of traces.sets */
	int64_t value; /* what is counted; a mean where the query wants it */
	size_t values; /* where its values of all types are in traces.values */
};

struct traces {
	struct trace *list; /* in order of |value| down */
	size_t count;
	int64_t *values;
	struct label_keys keys;
	/* Sets of the labels that are shown: node 0 has none, node i those of its parent, then row
	 * i of the growth, which is a label of the profile. */
	struct growth sets;
};

/*
 * The traces of the samples that the tree's query and filters let through; where functions are
 * names, as in pprof, also stacks of which nothing is counted. `show`, `hide`: patterns of keys
 * (labels.h). False and *err for a bad one; else free with traces_free.
 */
bool traces_build(struct traces *traces, const struct calltree *tree, const char *show,
	const char *hide, struct vp_error *err);
void traces_free(struct traces *traces);

/*
 * The labels of a set of traces.sets in list[*capacity], which grows: those of a key together,
 * texts before numbers; how many there are.
 */
uint32_t traces_labels(
	const struct traces *traces, uint32_t set, uint32_t **list, size_t *capacity);

#endif
