/* SPDX-License-Identifier: MIT */
/* What a difference of profiles needs beside a call tree: widths, and its parts. */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "query/query.h"

static int64_t recount_size(int64_t value)
{
	return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
}

static bool recount_has_falls(const struct calltree *tree)
{
	for (uint32_t i = 0; i < tree->node_count; i++)
		if (tree->self[i] < 0)
			return true;
	return false;
}

void calltree_measure(struct calltree *tree)
{
	if (!recount_has_falls(tree)) {
		free(tree->width);
		tree->width = NULL;
		return;
	}
	if (!tree->width)
		tree->width = memory_new(tree->node_count, sizeof *tree->width);
	for (uint32_t i = 0; i < tree->node_count; i++)
		tree->width[i] = recount_size(tree->self[i]);
	for (uint32_t i = tree->node_count; i-- > 1;) {
		int64_t *above = &tree->width[tree->parent[i]];
		*above = units_add(*above, tree->width[i], &tree->overflow);
	}
}

struct calltree *calltree_recount(const struct calltree *tree, unsigned type)
{
	struct calltree *other = memory_new(1, sizeof *other);
	struct vp_error err;
	*other = *tree;
	other->borrows_all = true;
	other->is_counted = false;
	other->width = NULL;
	other->self_divisor = other->total_divisor = NULL;
	other->self = memory_new(tree->node_count, sizeof *other->self);
	other->total = memory_new(tree->node_count, sizeof *other->total);
	struct query query = tree->query;
	query.type = type;
	if (calltree_count(other, &query, &err))
		return other;
	calltree_free(other);
	return NULL;
}
