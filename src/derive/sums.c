/* SPDX-License-Identifier: MIT */
#include "derive/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

void sums_init(struct sums *sums, unsigned width)
{
	*sums = (struct sums){.width = width};
}

void sums_free(struct sums *sums)
{
	hash_map_free(&sums->slots);
	free(sums->keys);
	free(sums->values);
	*sums = (struct sums){0};
}

int64_t *sums_of(struct sums *sums, stack_id stack, uint32_t set)
{
	const uint64_t key = (uint64_t)stack << 32 | set;
	uint32_t *slot = hash_map_slot(&sums->slots, key);
	if (*slot == 0) {
		const size_t i = sums->count++;
		sums->keys = array_grow(sums->keys, &sums->key_capacity, i + 1, sizeof *sums->keys);
		sums->values = array_grow(sums->values, &sums->value_capacity,
			(i + 1) * sums->width, sizeof *sums->values);
		sums->keys[i] = key;
		memset(&sums->values[i * sums->width], 0, sums->width * sizeof *sums->values);
		*slot = (uint32_t)sums->count;
	}
	return &sums->values[(size_t)(*slot - 1) * sums->width];
}

void sums_add(struct sums *sums, int64_t *sum, int64_t value)
{
	*sum = units_add(*sum, value, &sums->overflow);
}

int64_t sums_scaled(int64_t value, double scale)
{
	if (scale == 1)
		return value;
	const double scaled = round((double)value * scale);
	if (scaled >= 0x1p63)
		return INT64_MAX;
	return scaled < -0x1p63 ? INT64_MIN : (int64_t)scaled;
}

static bool sums_is_zero(const struct sums *sums, const int64_t *values)
{
	for (unsigned i = 0; i < sums->width; i++)
		if (values[i] != 0)
			return false;
	return true;
}

void sums_build(struct sums *sums, struct builder *builder)
{
	for (size_t i = 0; i < sums->count; i++) {
		const int64_t *values = &sums->values[i * sums->width];
		if (sums_is_zero(sums, values))
			continue;
		builder_values(builder, (stack_id)(sums->keys[i] >> 32), values);
		builder_sample_labels(builder, (uint32_t)sums->keys[i]);
	}
	if (sums->overflow)
		builder_warn(builder, "overflow",
			"samples were added past 64 bits: they stay at the largest number there is");
}
