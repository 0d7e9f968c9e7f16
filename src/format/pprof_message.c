/* SPDX-License-Identifier: MIT */
/* The sub-messages of a pprof message (pprof.md section 2). */
#include "format/pprof.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_IDS = 1 << 20 }; /* ids below that are looked up in an array */

/* Sub-messages do not nest deeper than a line in a location, so nothing here recurses. */

static bool message_is_varint(const struct wire_field *field, uint64_t *value)
{
	*value = field->value;
	return field->type == WIRE_VARINT;
}

/* Lines beyond 32 bits, and negative ones, are none. */
static uint32_t message_line_number(uint64_t value)
{
	return value <= INT32_MAX ? (uint32_t)value : 0;
}

/* ---- types, mappings, functions ----------------------------------------------------------- */

static bool message_type(struct wire wire, struct pprof_type *type)
{
	struct wire_field field;
	bool ok = true;
	while (ok && wire_next(&wire, &field)) {
		if (field.number == 1)
			ok = message_is_varint(&field, &type->name);
		else if (field.number == 2)
			ok = message_is_varint(&field, &type->unit);
	}
	return ok && !wire.is_broken;
}

static bool message_take_type(struct pprof *pprof, struct wire wire)
{
	struct pprof_type type = {0};
	if (!message_type(wire, &type))
		return false;
	if (pprof->type_count < MAX_FILE_TYPES)
		pprof->types[pprof->type_count] = type;
	if (pprof->type_count < UINT32_MAX)
		pprof->type_count++;
	return true;
}

/* Whether an id is new and not 0: then *slot is to be filled. */
static bool message_is_new(
	struct pprof *pprof, struct hash_map *slots, uint64_t id, uint32_t **slot)
{
	if (id == 0) {
		pprof->problems.reserved_ids++;
		return false;
	}
	*slot = hash_map_slot(slots, id);
	if (**slot != 0)
		pprof->problems.repeated_ids++;
	return **slot == 0;
}

static bool message_flag(const struct wire_field *field, unsigned bit, uint8_t *flags)
{
	if (field->type == WIRE_VARINT && field->value != 0)
		*flags |= (uint8_t)(1U << bit);
	return field->type == WIRE_VARINT;
}

static bool message_take_mapping(struct pprof *pprof, struct wire wire)
{
	struct pprof_mapping mapping = {0};
	uint64_t *const places[] = {NULL, &mapping.id, &mapping.start, &mapping.limit,
		&mapping.offset, &mapping.file, &mapping.build_id};
	struct wire_field field;
	bool ok = true;
	while (ok && wire_next(&wire, &field)) {
		if (field.number < sizeof places / sizeof *places)
			ok = message_is_varint(&field, places[field.number]);
		else if (field.number <= 10)
			ok = message_flag(&field, (unsigned)field.number - 7, &mapping.has);
	}
	if (!ok || wire.is_broken || pprof->mapping_count >= INT32_MAX)
		return false;
	uint32_t *slot;
	if (!message_is_new(pprof, &pprof->mapping_slots, mapping.id, &slot))
		return true;
	pprof->mappings = array_grow(pprof->mappings, &pprof->mapping_capacity,
		pprof->mapping_count + 1, sizeof *pprof->mappings);
	pprof->mappings[pprof->mapping_count] = mapping;
	*slot = (uint32_t)++pprof->mapping_count;
	return true;
}

static bool message_take_function(struct pprof *pprof, struct wire wire)
{
	struct pprof_function function = {0};
	struct wire_field field;
	uint64_t line = 0;
	bool ok = true;
	while (ok && wire_next(&wire, &field)) {
		switch (field.number) {
		case 1:
			ok = message_is_varint(&field, &function.id);
			break;
		case 2:
			ok = message_is_varint(&field, &function.name);
			break;
		case 3:
			ok = message_is_varint(&field, &function.system_name);
			break;
		case 4:
			ok = message_is_varint(&field, &function.file);
			break;
		case 5:
			ok = message_is_varint(&field, &line);
			break;
		default:
			break;
		}
	}
	if (!ok || wire.is_broken || pprof->function_count >= INT32_MAX)
		return false;
	function.line = message_line_number(line);
	uint32_t *slot;
	if (!message_is_new(pprof, &pprof->function_slots, function.id, &slot))
		return true;
	pprof->functions = array_grow(pprof->functions, &pprof->function_capacity,
		pprof->function_count + 1, sizeof *pprof->functions);
	pprof->functions[pprof->function_count] = function;
	*slot = (uint32_t)++pprof->function_count;
	return true;
}

/* ---- locations ------------------------------------------------------------------------------ */

static uint32_t message_add_location(struct pprof *pprof, uint64_t id)
{
	pprof->locations = array_grow(pprof->locations, &pprof->location_capacity,
		pprof->location_count + 1, sizeof *pprof->locations);
	pprof->locations[pprof->location_count] = (struct pprof_location){.id = id};
	return (uint32_t)++pprof->location_count;
}

static void message_grow_near(struct pprof *pprof, uint64_t id)
{
	size_t before = pprof->near_capacity;
	pprof->near_locations = array_grow(pprof->near_locations, &pprof->near_capacity,
		(size_t)id + 1, sizeof *pprof->near_locations);
	memset(pprof->near_locations + before, 0,
		(pprof->near_capacity - before) * sizeof *pprof->near_locations);
}

uint32_t pprof_location_number(struct pprof *pprof, uint64_t id)
{
	uint32_t *slot;
	if (id < NEAR_IDS) {
		if (id >= pprof->near_capacity)
			message_grow_near(pprof, id);
		slot = &pprof->near_locations[id];
	} else {
		slot = hash_map_slot(&pprof->location_slots, id);
	}
	if (*slot == 0)
		*slot = message_add_location(pprof, id);
	return *slot;
}

static bool message_line(struct wire wire, struct pprof_line *line)
{
	struct wire_field field;
	uint64_t number = 0;
	bool ok = true;
	*line = (struct pprof_line){0};
	while (ok && wire_next(&wire, &field)) {
		if (field.number == 1)
			ok = message_is_varint(&field, &line->function);
		else if (field.number == 2)
			ok = message_is_varint(&field, &number);
		else if (field.number == 3)
			ok = field.type == WIRE_VARINT; /* the column */
	}
	line->line = message_line_number(number);
	return ok && !wire.is_broken;
}

static bool message_add_line(struct pprof *pprof, const struct wire_field *field)
{
	struct pprof_line line;
	if (field->type != WIRE_BYTES || !message_line(field->bytes, &line) ||
		pprof->line_count >= INT32_MAX)
		return false;
	if (line.function == 0) {
		pprof->problems.unknown_functions++;
		return true;
	}
	pprof->lines = array_grow(
		pprof->lines, &pprof->line_capacity, pprof->line_count + 1, sizeof *pprof->lines);
	pprof->lines[pprof->line_count++] = line;
	return true;
}

static bool message_take_location(struct pprof *pprof, struct wire wire)
{
	struct pprof_location location = {.first_line = (uint32_t)pprof->line_count};
	struct wire_field field;
	bool ok = true;
	while (ok && wire_next(&wire, &field)) {
		if (field.number == 1)
			ok = message_is_varint(&field, &location.id);
		else if (field.number == 2)
			ok = message_is_varint(&field, &location.mapping);
		else if (field.number == 3)
			ok = message_is_varint(&field, &location.address);
		else if (field.number == 4)
			ok = message_add_line(pprof, &field);
		else if (field.number == 5)
			ok = field.type == WIRE_VARINT;
	}
	ok = ok && !wire.is_broken && pprof->location_count < INT32_MAX;
	struct pprof_location *place = NULL;
	if (ok && location.id == 0) {
		pprof->problems.reserved_ids++;
	} else if (ok) {
		uint32_t index = pprof_location_number(pprof, location.id) - 1;
		place = &pprof->locations[index];
	}
	if (place && place->is_defined)
		pprof->problems.repeated_ids++;
	if (!place || place->is_defined) {
		pprof->line_count = location.first_line; /* its lines go, too */
		return ok;
	}
	location.line_count = (uint32_t)pprof->line_count - location.first_line;
	location.is_defined = true;
	*place = location;
	return true;
}

/* ---- strings ------------------------------------------------------------------------------------
 */

static bool message_take_string(struct pprof *pprof, const struct wire *wire)
{
	if (pprof->string_count >= INT32_MAX)
		return false;
	pprof->strings = array_grow(pprof->strings, &pprof->string_capacity,
		pprof->string_count + 1, sizeof *pprof->strings);
	pprof->strings[pprof->string_count++] = builder_string(
		pprof->builder, (const char *)wire->at, (size_t)(wire->end - wire->at));
	return true;
}

void pprof_take(
	struct pprof *pprof, enum pprof_field field, const struct wire *message, int64_t offset)
{
	bool ok = true;
	switch (field) {
	case PPROF_SAMPLE_TYPE:
		ok = message_take_type(pprof, *message);
		break;
	case PPROF_SAMPLE:
		ok = pprof_take_sample(pprof, *message);
		break;
	case PPROF_MAPPING:
		ok = message_take_mapping(pprof, *message);
		break;
	case PPROF_LOCATION:
		ok = message_take_location(pprof, *message);
		break;
	case PPROF_FUNCTION:
		ok = message_take_function(pprof, *message);
		break;
	case PPROF_STRING:
		ok = message_take_string(pprof, message);
		break;
	case PPROF_PERIOD_TYPE:
		pprof->period_type = (struct pprof_type){0};
		ok = message_type(*message, &pprof->period_type);
		break;
	default:
		break;
	}
	if (ok)
		return;
	if (pprof->problems.broken++ == 0)
		pprof->problems.first_broken = offset;
}
