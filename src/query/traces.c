/* SPDX-License-Identifier: MIT */
#include "query/traces.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/units.h"

struct traces_making {
	struct traces *traces;
	const struct calltree *tree;
	uint32_t *shown;       /* set of the profile -> set of what is shown; NULL: no labels */
	struct hash_map slots; /* node << 32 | shown set -> index */
	uint32_t *of_node;     /* without labels: node -> index + 1 */
	size_t capacity, value_capacity;
};

/* The sets of the labels that are shown. */
static bool traces_make_sets(
	struct traces_making *making, const char *show, const char *hide, struct vp_error *err)
{
	const struct profile *profile = making->tree->profile;
	struct traces *traces = making->traces;
	growth_child(&traces->sets, 0, 0);
	bool *is_shown = label_keys_shown(&traces->keys, show, hide, err);
	if (!is_shown)
		return false;
	if (profile->sample_labels)
		making->shown = memory_new((size_t)profile->set_count + 1, sizeof *making->shown);
	for (uint32_t i = 1; making->shown && i < profile->set_count; i++) {
		const uint32_t label = profile->set_label[i];
		const uint32_t above = making->shown[profile->set_parent[i]];
		making->shown[i] = is_shown[traces->keys.key_of_label[label]]
					   ? growth_child(&traces->sets, above, label)
					   : above;
	}
	growth_free_links(&traces->sets);
	free(is_shown);
	return true;
}

static struct trace *traces_find(struct traces_making *making, uint32_t node, uint32_t set)
{
	struct traces *traces = making->traces;
	const unsigned types = making->tree->profile->type_count;
	uint32_t *slot = making->shown ? hash_map_slot(&making->slots, (uint64_t)node << 32 | set)
				       : &making->of_node[node];
	if (*slot != 0)
		return &traces->list[*slot - 1];
	const size_t i = traces->count++;
	traces->list = array_grow(traces->list, &making->capacity, i + 1, sizeof *traces->list);
	traces->values = array_grow(traces->values, &making->value_capacity, (i + 1) * types + 1,
		sizeof *traces->values);
	memset(traces->values + i * types, 0, types * sizeof *traces->values);
	traces->list[i] = (struct trace){.node = node, .set = set, .values = i * types};
	*slot = (uint32_t)i + 1;
	return &traces->list[i];
}

/* A GAUGE adds up to nothing: the largest value that was seen with the stack stands for it. */
static int64_t traces_join(enum value_kind kind, int64_t old, int64_t value)
{
	bool overflow = false; /* the tree says it */
	if (kind == VALUE_GAUGE)
		return value > old ? value : old;
	return units_add(old, value, &overflow);
}

static void traces_add_samples(struct traces_making *making)
{
	const struct calltree *tree = making->tree;
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	const uint32_t *threads = query->thread < 0 ? NULL : profile->sample_thread;
	for (size_t i = (size_t)query->first; i < query->last && i < profile->sample_count; i++) {
		const uint32_t node = calltree_node_of_sample(tree, i);
		if (node == NODE_DROPPED || (threads && threads[i] != (uint32_t)query->thread))
			continue;
		const uint32_t set =
			making->shown ? making->shown[profile_label_set(profile, i)] : 0;
		const size_t at = traces_find(making, node, set)->values;
		int64_t *values = making->traces->values + at;
		for (unsigned type = 0; type < profile->type_count; type++)
			values[type] = traces_join(profile->types[type].kind, values[type],
				profile_value(profile, type, i));
	}
}

/* Whether a trace is one for the report: pprof has all stacks in it, whatever they have. */
static bool traces_is_wanted(const struct profile *profile, const struct trace *trace)
{
	return trace->value != 0 || (profile->is_name_function && trace->node != 0);
}

static uint64_t traces_size(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static int traces_compare(const void *a, const void *b)
{
	const struct trace *x = a, *y = b;
	if (x->value != y->value && traces_size(x->value) != traces_size(y->value))
		return traces_size(x->value) > traces_size(y->value) ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->set < y->set ? -1 : x->set > y->set;
}

/* What is counted of each trace; those that are not wanted go, the others are put in order. */
static void traces_sort(struct traces *traces, const struct calltree *tree)
{
	const struct query *query = &tree->query;
	size_t kept = 0;
	for (size_t i = 0; i < traces->count; i++) {
		struct trace *trace = &traces->list[i];
		const int64_t *values = traces->values + trace->values;
		trace->value = values[query->type];
		if (!traces_is_wanted(tree->profile, trace))
			continue;
		if (query->mean)
			trace->value = calltree_mean(trace->value, values[0]);
		traces->list[kept++] = *trace;
	}
	traces->count = kept;
	if (kept > 0)
		qsort(traces->list, kept, sizeof *traces->list, traces_compare);
}

bool traces_build(struct traces *traces, const struct calltree *tree, const char *show,
	const char *hide, struct vp_error *err)
{
	struct traces_making making = {.traces = traces, .tree = tree};
	*traces = (struct traces){.keys = label_keys_build(tree->profile)};
	if (!traces_make_sets(&making, show, hide, err)) {
		traces_free(traces);
		return false;
	}
	if (!making.shown)
		making.of_node = memory_new(tree->node_count, sizeof *making.of_node);
	traces_add_samples(&making);
	hash_map_free(&making.slots);
	free(making.of_node);
	free(making.shown);
	traces_sort(traces, tree);
	return true;
}

void traces_free(struct traces *traces)
{
	label_keys_free(&traces->keys);
	growth_free(&traces->sets);
	free(traces->list);
	free(traces->values);
	*traces = (struct traces){0};
}

/* By key, texts before numbers; else as they were. */
struct traces_place {
	uint32_t key, label, order;
	bool is_number;
};

static int traces_compare_places(const void *a, const void *b)
{
	const struct traces_place *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->is_number != y->is_number)
		return x->is_number - y->is_number;
	return x->order < y->order ? -1 : x->order > y->order;
}

uint32_t traces_labels(const struct traces *traces, uint32_t set, uint32_t **list, size_t *capacity)
{
	uint32_t count = 0, i = 0;
	for (uint32_t at = set; at != 0; at = traces->sets.parent[at])
		count++;
	if (count == 0)
		return 0;
	if (count > *capacity)
		*list = array_grow(*list, capacity, count, sizeof **list);
	struct traces_place *places = memory_new(count, sizeof *places);
	for (uint32_t at = set; at != 0; at = traces->sets.parent[at]) {
		const uint32_t label = traces->sets.row[at], order = count - ++i;
		places[order] = (struct traces_place){traces->keys.key_of_label[label], label,
			order, traces->keys.profile->labels[label].text == 0};
	}
	qsort(places, count, sizeof *places, traces_compare_places);
	for (i = 0; i < count; i++)
		(*list)[i] = places[i].label;
	free(places);
	return count;
}
