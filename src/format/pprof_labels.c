/* SPDX-License-Identifier: MIT */
/*
 * Labels of samples. Names are not known before the end, so labels and the sets of them are numbers
 * until then. A set is a node of a tree, as a stack is. The labels of a sample are put in an order
 * by key, and stay as they are within a key: samples with the same labels have the same set then.
 */
#include "format/pprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Different labels of one key (a key with an own value in each sample leaves room for the others),
 * of all keys, keys, labels of one sample, nodes of the tree of sets.
 */
enum {
	LABELS_OF_KEY = 1 << 20,
	LABELS_MOST = 1 << 21,
	LABELS_KEYS = 1 << 16,
	LABELS_OF_SAMPLE = 1 << 14,
	LABELS_SETS = 1 << 22
};

void pprof_labels_init(struct pprof_labels *labels)
{
	struct builder_limits limits = {.max_depth = LABELS_OF_SAMPLE};
	builder_init(&labels->sets, &limits, NULL, NULL);
}

/* An index of 32 bits; no file has more strings, so that what does not fit is none of them. */
static bool labels_index(const struct wire_field *field, uint32_t *index)
{
	*index = field->value < UINT32_MAX ? (uint32_t)field->value : UINT32_MAX;
	return field->type == WIRE_VARINT;
}

static bool labels_read(struct wire wire, struct pprof_label *label)
{
	struct wire_field field;
	bool ok = true;
	*label = (struct pprof_label){0};
	while (ok && wire_next(&wire, &field)) {
		if (field.number == 1)
			ok = labels_index(&field, &label->key);
		else if (field.number == 2)
			ok = labels_index(&field, &label->text);
		else if (field.number == 4)
			ok = labels_index(&field, &label->unit);
		else if (field.number == 3)
			ok = field.type == WIRE_VARINT;
		if (field.number == 3)
			label->number = (int64_t)field.value;
	}
	if (label->text != 0) { /* then it is no number */
		label->number = 0;
		label->unit = 0;
	}
	return ok && !wire.is_broken;
}

static bool labels_are_equal(const struct pprof_label *a, const struct pprof_label *b)
{
	return a->key == b->key && a->text == b->text && a->unit == b->unit &&
	       a->number == b->number;
}

/* Counts one more label of a key; false where there are too many. */
static bool labels_make_room(struct pprof_labels *labels, uint32_t key)
{
	const uint32_t count = hash_map_get(&labels->key_slots, key, UINT32_MAX) + 1;
	if (labels->count >= LABELS_MOST || count >= LABELS_OF_KEY ||
		(count == 0 && labels->key_count >= LABELS_KEYS))
		return false;
	labels->key_count += count == 0;
	*hash_map_slot(&labels->key_slots, key) = count + 1;
	return true;
}

/* The number of a label, from 1; 0 where there are too many. */
static uint32_t labels_find(struct pprof_labels *labels, const struct pprof_label *label)
{
	uint64_t hash = hash_u64((uint64_t)label->key << 32 | label->text) ^
			hash_u64((uint64_t)label->number + label->unit);
	/* A slot is taken for what is kept only: looking for the others must not fill the table. */
	uint32_t number;
	for (; (number = hash_map_get(&labels->slots, hash, UINT32_MAX)) != UINT32_MAX;
		hash = hash_u64(hash + 1))
		if (labels_are_equal(&labels->list[number], label))
			return number + 1;
	if (!labels_make_room(labels, label->key))
		return 0;
	labels->list = array_grow(
		labels->list, &labels->capacity, labels->count + 1, sizeof *labels->list);
	labels->list[labels->count] = *label;
	*hash_map_slot(&labels->slots, hash) = (uint32_t)++labels->count;
	return (uint32_t)labels->count;
}

void pprof_labels_start(struct pprof_labels *labels)
{
	labels->path_length = 0;
}

bool pprof_label(struct pprof_labels *labels, const struct wire_field *field)
{
	struct pprof_label label;
	if (field->type != WIRE_BYTES || !labels_read(field->bytes, &label))
		return false;
	if (label.text == 0 && label.number == 0 && label.unit == 0)
		return true; /* pprof has no such label either */
	if (labels->path_length >= LABELS_OF_SAMPLE) {
		labels->too_many_of_sample++;
		return true;
	}
	const uint32_t number = labels_find(labels, &label);
	if (number == 0) {
		labels->too_many++;
		return true;
	}
	labels->path = array_grow(labels->path, &labels->path_capacity, labels->path_length + 1,
		sizeof *labels->path);
	labels->path[labels->path_length++] = number;
	return true;
}

static int labels_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* By key; labels of one key stay in their order. */
static void labels_sort(struct pprof_labels *labels)
{
	const size_t count = labels->path_length;
	bool is_sorted = true;
	for (size_t i = 1; i < count && is_sorted; i++)
		is_sorted = labels->list[labels->path[i - 1] - 1].key <=
			    labels->list[labels->path[i] - 1].key;
	if (is_sorted)
		return;
	labels->order =
		array_grow(labels->order, &labels->order_capacity, count, sizeof *labels->order);
	labels->sorted =
		array_grow(labels->sorted, &labels->sorted_capacity, count, sizeof *labels->sorted);
	for (size_t i = 0; i < count; i++)
		labels->order[i] = (uint64_t)labels->list[labels->path[i] - 1].key << 32 | i;
	qsort(labels->order, count, sizeof *labels->order, labels_compare);
	for (size_t i = 0; i < count; i++)
		labels->sorted[i] = labels->path[(uint32_t)labels->order[i]];
	memcpy(labels->path, labels->sorted, count * sizeof *labels->path);
}

void pprof_labels_end(struct pprof_labels *labels, size_t sample)
{
	const size_t count = labels->path_length;
	if (count == 0 && !labels->sample_set)
		return;
	size_t before = labels->sample_capacity;
	labels->sample_set = array_grow(labels->sample_set, &labels->sample_capacity, sample + 1,
		sizeof *labels->sample_set);
	if (labels->sample_capacity > before) /* those in front of the first that has any */
		memset(labels->sample_set + before, 0,
			(labels->sample_capacity - before) * sizeof *labels->sample_set);
	if (labels->sets.node_count + count > LABELS_SETS) {
		labels->too_many += count;
		return;
	}
	labels_sort(labels);
	labels->sample_set[sample] = builder_stack(&labels->sets, labels->path, count);
}

/* ---- what they say ------------------------------------------------------------------------- */

/* The label in the profile; 0 where its names are not in the file. */
static uint32_t labels_build_one(struct pprof *pprof, const struct pprof_label *from)
{
	struct label label = {.key = pprof_string_id(pprof, from->key),
		.text = pprof_string_id(pprof, from->text),
		.unit = pprof_string_id(pprof, from->unit),
		.number = from->number};
	if ((from->text != 0 && label.text == 0) || (from->key != 0 && label.key == 0))
		return 0;
	return builder_label(pprof->builder, &label);
}

/* The set in the profile of each set of numbers; free() it. */
static uint32_t *labels_build_sets(struct pprof *pprof)
{
	struct pprof_labels *labels = &pprof->labels;
	const size_t count = labels->sets.node_count;
	uint32_t *of_label = memory_new(labels->count + 1, sizeof *of_label),
		 *of_set = memory_new(count, sizeof *of_set);
	for (size_t i = 0; i < labels->count; i++)
		of_label[i + 1] = labels_build_one(pprof, &labels->list[i]);
	for (size_t i = 1; i < count; i++) {
		const uint64_t key = labels->sets.node_key[i];
		const uint32_t above = of_set[key >> 32], label = of_label[(uint32_t)key];
		of_set[i] = label ? builder_label_set(pprof->builder, above, label) : above;
	}
	free(of_label);
	return of_set;
}

static void labels_warn(struct pprof *pprof)
{
	const struct pprof_labels *labels = &pprof->labels;
	if (labels->too_many > 0)
		builder_warn(pprof->builder, "truncated",
			"%" PRIu64
			" labels of samples are left out: the file has more than %d different ones of a key, %d in all, %d keys or %d sets of labels",
			labels->too_many, LABELS_OF_KEY, LABELS_MOST, LABELS_KEYS, LABELS_SETS);
	if (labels->too_many_of_sample > 0)
		builder_warn(pprof->builder, "truncated",
			"%" PRIu64
			" labels are left out: there are samples with more than %d of them",
			labels->too_many_of_sample, LABELS_OF_SAMPLE);
}

void pprof_build_labels(struct pprof *pprof)
{
	struct pprof_labels *labels = &pprof->labels;
	struct builder *builder = pprof->builder;
	labels_warn(pprof);
	if (!labels->sample_set)
		return;
	/* Nothing is looked up there any more. */
	hash_map_free(&labels->slots);
	free(labels->sets.node_slots);
	labels->sets.node_slots = NULL;
	uint32_t *of_set = labels_build_sets(pprof);
	for (size_t i = 0; i < pprof->sample_count && i < labels->sample_capacity; i++)
		builder_labels_of_sample(builder, i, of_set[labels->sample_set[i]]);
	free(of_set);
}

void pprof_labels_free(struct pprof_labels *labels)
{
	builder_abort(&labels->sets);
	hash_map_free(&labels->slots);
	hash_map_free(&labels->key_slots);
	free(labels->list);
	free(labels->path);
	free(labels->order);
	free(labels->sorted);
	free(labels->sample_set);
}
