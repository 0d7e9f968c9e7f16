/* SPDX-License-Identifier: MIT */
/* Labels of samples in a graph of calls (numbers.md 3.3 rules 11 and 14). */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pprof_units.h"
#include "base/units.h"
#include "query/graph_parts.h"
#include "query/labels.h"
#include "query/pattern.h"

/* What a set of labels says of a sample: all its texts as one name, and its numbers of bytes. */
struct tags_set {
	bool is_known;
	uint32_t label;      /* name */
	size_t first, count; /* in tags->numbers */
};

struct tags {
	struct graph *graph;
	struct label_keys keys;
	bool *is_shown;   /* by key */
	const char *unit; /* of numbers, as asked for */
	struct tags_set *sets;
	struct tags_number {
		uint32_t name;
		int64_t value;
	} * numbers;
	size_t number_count, number_capacity;
	struct hash_map names; /* hash of a name -> its number */
	struct hash_map pair_slots, tag_slots;
	struct tags_pair { /* samples of one place and one set */
		uint32_t place, set;
		int64_t value, divisor;
	} * pairs;
	size_t pair_count, pair_capacity, tag_capacity;
	uint32_t *node;  /* by row or place: index + 1 */
	uint32_t *stamp; /* by node: the last pair that was counted there */
	uint32_t *list;
	size_t list_capacity;
	bool overflow;
};

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t tags_name(struct tags *tags, const char *bytes, size_t length)
{
	struct graph_labels *labels = &tags->graph->labels;
	uint64_t hash = hash_string(bytes, length);
	uint32_t *slot;
	for (; *(slot = hash_map_slot(&tags->names, hash)) != 0; hash = hash_u64(hash + 1)) {
		const char *other = labels->pool.data + labels->name[*slot - 1];
		if (strlen(other) == length && memcmp(other, bytes, length) == 0)
			return *slot - 1;
	}
	labels->name = array_grow(
		labels->name, &labels->capacity, (size_t)labels->count + 1, sizeof *labels->name);
	labels->name[labels->count] = labels->pool.length;
	text_add(&labels->pool, bytes, length);
	text_add(&labels->pool, "", 1);
	*slot = ++labels->count;
	return *slot - 1;
}

static int tags_compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "key:value" of each label, cleaned: in the order of the alphabet, a line each. */
static uint32_t tags_join(struct tags *tags, const uint32_t *list, uint32_t count)
{
	const struct profile *profile = tags->graph->tree->profile;
	char **texts = memory_new(count, sizeof *texts);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &profile->labels[list[i]];
		size_t key_length, length;
		const char *key = profile_string(profile, label->key, &key_length);
		const char *text = profile_string(profile, label->text, &length);
		if (label->text == 0 || !tags->is_shown[tags->keys.key_of_label[list[i]]])
			continue;
		struct text one = {0};
		text_clean(&one, key, key_length, false);
		text_puts(&one, ":");
		text_clean(&one, text, length, false);
		texts[kept++] = one.data;
	}
	qsort(texts, kept, sizeof *texts, tags_compare_texts);
	struct text all = {0};
	for (uint32_t i = 0; i < kept; i++) {
		text_printf(&all, "%s%s", i > 0 ? "\n" : "", texts[i]);
		free(texts[i]);
	}
	const uint32_t name = tags_name(tags, all.data ? all.data : "", all.length);
	text_free(&all);
	free(texts);
	return name;
}

static void tags_add_numbers(
	struct tags *tags, struct tags_set *set, const uint32_t *list, uint32_t count)
{
	const struct profile *profile = tags->graph->tree->profile;
	set->first = tags->number_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &profile->labels[list[i]];
		const uint32_t key = tags->keys.key_of_label[list[i]];
		char text[UNIT_SIZE];
		if (label->text != 0 || !tags->is_shown[key] ||
			strcmp(profile_string(profile, label->key, NULL), "bytes") != 0)
			continue;
		tags->graph->labels.number_unit = label_unit(&tags->keys, key);
		pprof_units_value(
			text, (double)label->number, label_unit(&tags->keys, key), tags->unit);
		tags->numbers = array_grow(tags->numbers, &tags->number_capacity,
			tags->number_count + 1, sizeof *tags->numbers);
		tags->numbers[tags->number_count++] =
			(struct tags_number){tags_name(tags, text, strlen(text)), label->number};
	}
	set->count = tags->number_count - set->first;
}

static const struct tags_set *tags_set(struct tags *tags, uint32_t id)
{
	struct tags_set *set = &tags->sets[id];
	if (set->is_known)
		return set;
	const uint32_t count =
		label_list(tags->graph->tree->profile, id, &tags->list, &tags->list_capacity);
	set->is_known = true;
	set->label = tags_join(tags, tags->list, count);
	tags_add_numbers(tags, set, tags->list, count);
	return set;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void tags_add_pair(
	struct tags *tags, uint32_t place, uint32_t set, int64_t value, int64_t divisor)
{
	uint32_t *slot = hash_map_slot(&tags->pair_slots, (uint64_t)place << 32 | set);
	if (*slot == 0) {
		tags->pairs = array_grow(tags->pairs, &tags->pair_capacity, tags->pair_count + 1,
			sizeof *tags->pairs);
		tags->pairs[tags->pair_count] = (struct tags_pair){place, set, 0, 0};
		*slot = (uint32_t)++tags->pair_count;
	}
	struct tags_pair *pair = &tags->pairs[*slot - 1];
	pair->value = units_add(pair->value, value, &tags->overflow);
	pair->divisor = units_add(pair->divisor, divisor, &tags->overflow);
}

static void tags_add_samples(struct tags *tags)
{
	const struct calltree *tree = tags->graph->tree;
	const struct profile *profile = tree->profile;
	const struct query *query = &tree->query;
	for (uint64_t i = query->first; i < query->last; i++) {
		const uint32_t set = profile_label_set(profile, i);
		const uint32_t place = calltree_node_of_sample(tree, i);
		if (set == 0 || place == NODE_DROPPED || place == 0)
			continue;
		if (query->thread >= 0 && profile->sample_thread &&
			profile->sample_thread[i] != (uint32_t)query->thread)
			continue;
		const int64_t value = profile_value(profile, query->type, i);
		const int64_t divisor = query->mean ? profile_value(profile, 0, i) : 0;
		if (value != 0 || divisor != 0)
			tags_add_pair(tags, place, set, value, divisor);
	}
}

static struct graph_tag *tags_find(
	struct tags *tags, uint32_t node, uint32_t label, const struct tags_number *number)
{
	struct graph *graph = tags->graph;
	const uint32_t name = number ? number->name : 0;
	uint64_t key = hash_u64((uint64_t)node << 32 | label) + name;
	uint32_t *slot;
	for (; *(slot = hash_map_slot(&tags->tag_slots, key)) != 0; key = hash_u64(key + 1)) {
		struct graph_tag *tag = &graph->tags[*slot - 1];
		if (tag->node == node && tag->label == label && tag->number == name)
			return tag;
	}
	graph->tags = array_grow(
		graph->tags, &tags->tag_capacity, graph->tag_count + 1, sizeof *graph->tags);
	graph->tags[graph->tag_count] = (struct graph_tag){
		.node = node, .label = label, .number = name, .value = number ? number->value : 0};
	*slot = (uint32_t)++graph->tag_count;
	return &graph->tags[*slot - 1];
}

static void tags_count_one(
	struct tags *tags, struct graph_tag *tag, const struct tags_pair *pair, bool is_flat)
{
	int64_t *value = is_flat ? &tag->flat : &tag->cum;
	int64_t *divisor = is_flat ? &tag->flat_divisor : &tag->cum_divisor;
	*value = units_add(*value, pair->value, &tags->overflow);
	*divisor = units_add(*divisor, pair->divisor, &tags->overflow);
}

/* At a node: its texts, and its numbers. */
static void tags_count(struct tags *tags, uint32_t node, const struct tags_pair *pair, bool is_flat)
{
	const struct tags_set *set = tags_set(tags, pair->set);
	if (set->label != 0)
		tags_count_one(tags, tags_find(tags, node, set->label, NULL), pair, is_flat);
	for (size_t i = 0; i < set->count; i++)
		tags_count_one(tags,
			tags_find(tags, node, set->label, &tags->numbers[set->first + i]), pair,
			is_flat);
}

/* At each node of the stack once. */
static void tags_count_pair(struct tags *tags, uint32_t number)
{
	const struct calltree *tree = tags->graph->tree;
	const struct tags_pair *pair = &tags->pairs[number];
	const bool is_tree = tags->graph->node_count > 0 && tags->graph->nodes[0].place != 0;
	for (uint32_t place = pair->place; place != 0; place = tree->parent[place]) {
		const uint32_t node = tags->node[is_tree ? place : tree->row[place]];
		if (node == 0)
			continue;
		if (place == pair->place)
			tags_count(tags, node - 1, pair, true);
		if (tags->stamp[node - 1] == number + 1)
			continue;
		tags->stamp[node - 1] = number + 1;
		tags_count(tags, node - 1, pair, false);
	}
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* As tagshow and taghide say. */
static bool tags_choose_keys(
	struct tags *tags, const struct graph_options *options, struct vp_error *err)
{
	const struct profile *profile = tags->graph->tree->profile;
	const char *const texts[] = {options->tag_show, options->tag_hide};
	for (uint32_t i = 0; i < tags->keys.count; i++)
		tags->is_shown[i] = strcmp(profile_string(profile, tags->keys.keys[i].key, NULL),
					    "pprof::base") != 0;
	bool ok = true;
	for (int k = 0; k < 2 && ok; k++) {
		struct pattern *pattern = texts[k] ? pattern_compile(texts[k], err) : NULL;
		ok = pattern || !texts[k];
		for (uint32_t i = 0; i < tags->keys.count && pattern && ok; i++) {
			size_t length;
			const char *key = profile_string(profile, tags->keys.keys[i].key, &length);
			const int matches = pattern_matches(pattern, key, length, err);
			ok = matches >= 0;
			tags->is_shown[i] &= (matches == 1) == (k == 0);
		}
		pattern_free(pattern);
	}
	return ok;
}

static int tags_compare(const void *a, const void *b)
{
	const struct graph_tag *x = a, *y = b;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void tags_clear(struct graph *graph)
{
	free(graph->tags);
	free(graph->labels.name);
	text_free(&graph->labels.pool);
	graph->tags = NULL;
	graph->tag_count = 0;
	graph->labels = (struct graph_labels){0};
}

static void tags_free(struct tags *tags)
{
	label_keys_free(&tags->keys);
	free(tags->is_shown);
	free(tags->sets);
	free(tags->numbers);
	free(tags->pairs);
	free(tags->node);
	free(tags->stamp);
	free(tags->list);
	hash_map_free(&tags->names);
	hash_map_free(&tags->pair_slots);
	hash_map_free(&tags->tag_slots);
}

bool graph_fill_tags(struct graph *graph, const struct graph_options *options, struct vp_error *err)
{
	const struct calltree *tree = graph->tree;
	const struct profile *profile = tree->profile;
	tags_clear(graph);
	if (!profile->sample_labels)
		return true;
	struct tags tags = {
		.graph = graph, .keys = label_keys_build(profile), .unit = options->unit};
	tags.is_shown = memory_new((size_t)tags.keys.count + 1, sizeof *tags.is_shown);
	tags.sets = memory_new(profile->set_count, sizeof *tags.sets);
	tags.node = memory_new((size_t)tree->row_count + (options->is_tree ? tree->node_count : 0),
		sizeof *tags.node);
	tags.stamp = memory_new(graph->node_count, sizeof *tags.stamp);
	tags_name(&tags, "", 0);
	for (uint32_t i = 0; i < graph->node_count; i++)
		if (graph->nodes[i].is_listed)
			tags.node[options->is_tree ? graph->nodes[i].place : graph->nodes[i].row] =
				i + 1;
	const bool ok = tags_choose_keys(&tags, options, err);
	if (ok)
		tags_add_samples(&tags);
	for (size_t i = 0; ok && i < tags.pair_count; i++)
		tags_count_pair(&tags, (uint32_t)i);
	if (graph->tag_count > 0)
		qsort(graph->tags, graph->tag_count, sizeof *graph->tags, tags_compare);
	tags_free(&tags);
	return ok;
}

void graph_cut_tags(struct graph *graph, int64_t least)
{
	size_t kept = 0;
	for (size_t i = 0; i < graph->tag_count; i++) {
		const struct graph_tag *tag = &graph->tags[i];
		if (graph_size(tag->flat) >= (uint64_t)least ||
			graph_size(tag->cum) >= (uint64_t)least)
			graph->tags[kept++] = *tag;
	}
	graph->tag_count = kept;
}
