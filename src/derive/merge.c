/* SPDX-License-Identifier: MIT */
#include "derive/merge.h"

#include "derive/graphs.h"
#include "derive/sums.h"

/* Adds the samples of profile p. */
static void merge_add(struct sums *sums, struct graphs *graphs, struct copier *copier,
	const struct shared *shared, size_t p)
{
	const struct profile *from = shared->profiles[p];
	struct copy copy;
	copy_init(&copy, copier, from);
	for (size_t i = 0; i < from->sample_count; i++) {
		const uint32_t set = from->sample_labels ? from->sample_labels[i] : 0;
		int64_t *sum =
			sums_of(sums, copy.stacks[from->sample_stack[i]], copy_labels(&copy, set));
		for (unsigned type = 0; type < shared->count; type++)
			sums_add(sums, &sum[type], shared_value(shared, type, p, i));
	}
	graphs_add(graphs, &copy, (struct graphs_share){1, 1});
	copy_free(&copy);
}

struct profile *profile_merge(const struct profile *const *profiles, const char *const *names,
	size_t count, size_t *bad, struct vp_error *err)
{
	const struct builder_limits limits = {BUILDER_DEFAULT_MAX_DEPTH};
	struct shared shared;
	if (!shared_find(&shared, profiles, count, bad, err)) {
		shared_free(&shared);
		return NULL;
	}
	struct builder builder;
	struct copier copier;
	struct sums sums;
	struct graphs graphs = {0};
	builder_init(&builder, &limits, NULL, NULL);
	copier_init(&copier, &builder);
	sums_init(&sums, shared.count);
	shared_head(&builder, profiles, count);
	for (unsigned i = 0; i < shared.count; i++)
		shared_add_type(&builder, &shared.types[i].type, NULL, PART_ALL);
	builder.profile->default_type = shared.default_type;
	for (size_t p = 0; p < count; p++) {
		copy_warnings(&builder, profiles[p], names ? names[p] : NULL);
		merge_add(&sums, &graphs, &copier, &shared, p);
	}
	sums_build(&sums, &builder);
	graphs_build(&graphs, &builder, count);
	sums_free(&sums);
	copier_free(&copier);
	shared_free(&shared);
	return builder_finish(&builder);
}
