/* SPDX-License-Identifier: MIT */
#include "query/snapshots.h"

#include "base/units.h"

static void snapshots_add(const struct calltree *tree, struct snapshot_value *value)
{
	const struct profile *profile = tree->profile;
	for (uint64_t i = value->first; i < value->last; i++) {
		if (calltree_node_of_sample(tree, i) == NODE_DROPPED)
			continue;
		value->count++;
		value->value = units_add(value->value, profile_value(profile, tree->query.type, i),
			&value->overflow);
	}
}

struct snapshot_value *snapshots_build(const struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	struct snapshot_value *values = memory_new(profile->snapshot_count, sizeof *values);
	for (size_t i = 0; i < profile->snapshot_count; i++) {
		profile_snapshot_range(profile, i, &values[i].first, &values[i].last);
		snapshots_add(tree, &values[i]);
	}
	return values;
}
