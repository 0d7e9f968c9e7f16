/* SPDX-License-Identifier: MIT */
/*
 * Labels of samples. Of these only "pprof::base" = "true" is used: it marks the samples of the base
 * in a difference that pprof wrote, of which all shares are (numbers.md 3.2 rule 2). Names are not
 * known before the end, so each sample keeps the set of its labels as a number. A set is a node of
 * a tree, as a stack is; of a key that has a value of its own in each sample the first ones will
 * do.
 */
#include "format/pprof.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS_VALUES = 1024, LABELS_KEYS = 1024 };

static bool labels_read(struct wire wire, struct pprof_label *label)
{
	struct wire_field field;
	bool ok = true;
	*label = (struct pprof_label){0};
	while (ok && wire_next(&wire, &field)) {
		if (field.number <= 4)
			ok = field.type == WIRE_VARINT;
		if (field.number == 1)
			label->key = field.value;
		else if (field.number == 2)
			label->text = field.value;
	}
	return ok && !wire.is_broken;
}

/* The number of a label, from 1; 0 where there are too many of its kind. */
static uint32_t labels_find(struct pprof_labels *labels, const struct pprof_label *label)
{
	uint32_t *slot = hash_map_slot(&labels->slots, label->key << 32 | label->text);
	if (*slot != 0)
		return *slot;
	uint32_t *values = hash_map_slot(&labels->key_slots, label->key);
	bool is_new_key = *values == 0;
	if (*values >= LABELS_VALUES || (is_new_key && labels->key_count >= LABELS_KEYS))
		return 0;
	labels->key_count += is_new_key;
	++*values;
	labels->list = array_grow(
		labels->list, &labels->capacity, labels->count + 1, sizeof *labels->list);
	labels->list[labels->count] = *label;
	*slot = (uint32_t)++labels->count;
	return *slot;
}

bool pprof_label(struct pprof_labels *labels, const struct wire_field *field, uint32_t *set)
{
	struct pprof_label label;
	if (field->type != WIRE_BYTES || !labels_read(field->bytes, &label))
		return false;
	/* Numbers are no text; nor are indices that no file of this world has. */
	if (label.text == 0 || label.key > UINT32_MAX || label.text > UINT32_MAX)
		return true;
	uint32_t number = labels_find(labels, &label);
	if (number != 0 && labels->sets.node_count < UINT32_MAX)
		*set = builder_child(&labels->sets, *set, number);
	return true;
}

void pprof_label_sample(struct pprof_labels *labels, size_t sample, uint32_t set)
{
	if (set == 0 && !labels->sample_set)
		return;
	size_t before = labels->sample_capacity;
	labels->sample_set = array_grow(labels->sample_set, &labels->sample_capacity, sample + 1,
		sizeof *labels->sample_set);
	if (labels->sample_capacity > before) /* those in front of the first that has any */
		memset(labels->sample_set + before, 0,
			(labels->sample_capacity - before) * sizeof *labels->sample_set);
	labels->sample_set[sample] = set;
}

static bool labels_is(struct pprof *pprof, uint64_t index, const char *text)
{
	return index < pprof->string_count && strcmp(pprof_string(pprof, index, NULL), text) == 0;
}

void pprof_build_base(struct pprof *pprof)
{
	struct pprof_labels *labels = &pprof->labels;
	uint32_t base = 0;
	for (size_t i = 0; i < labels->count && base == 0; i++)
		if (labels_is(pprof, labels->list[i].key, "pprof::base") &&
			labels_is(pprof, labels->list[i].text, "true"))
			base = (uint32_t)i + 1;
	if (base == 0)
		return;
	size_t count = labels->sets.node_count;
	bool *has_base = memory_new(count, sizeof *has_base);
	for (size_t i = 1; i < count; i++) {
		uint64_t key = labels->sets.node_key[i];
		has_base[i] = has_base[key >> 32] || (uint32_t)key == base;
	}
	uint64_t *bits = memory_new(pprof->sample_count / 64 + 1, sizeof *bits);
	for (size_t i = 0; i < pprof->sample_count && i < labels->sample_capacity; i++)
		if (has_base[labels->sample_set[i]])
			bits[i / 64] |= UINT64_C(1) << i % 64;
	pprof->builder->profile->base_samples = bits;
	free(has_base);
}

void pprof_labels_free(struct pprof_labels *labels)
{
	builder_abort(&labels->sets);
	hash_map_free(&labels->slots);
	hash_map_free(&labels->key_slots);
	free(labels->list);
	free(labels->sample_set);
}
