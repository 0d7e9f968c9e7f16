/* SPDX-License-Identifier: MIT */
/*
 * pprof's profile.proto, which Go, the pprof exporters of most languages and many servers write.
 *
 * One protocol buffers message, mostly in gzip, of fields in any order (pprof.md sections 1, 2):
 *
 *     1 sample types     name and unit of each value
 *     2 samples          location ids, leaf first; a value of each type; labels
 *     3 mappings         the program and its libraries
 *     4 locations        id, mapping, address, lines: several where functions were inlined
 *     5 functions        id, name, file, first line
 *     6 strings          all names, by index; Go writes them last
 *     7 to 15            frames to leave out, time, duration, period, comments, default type
 *
 * Each record is decoded in the window of the source. Not read: columns, build ids. The older
 * formats that pprof also reads are none of this one.
 */
#include "format/pprof.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PPROF_MAX_RECORD = 1 << 28, /* bytes of one sample, location, string */
	PPROF_FIRST_PIECE = 1 << 16,
	PPROF_TICK = 4096, /* records from one look at the clock to the next */
	PPROF_SNIFF_FIELDS = 8,
	PPROF_MAX_FIELD = 100 /* of a field that is not known, while the format is guessed */
};

/* The type of each field; comments may be packed. */
static bool pprof_is_type(uint64_t field, enum wire_type type)
{
	switch (field) {
	case PPROF_COMMENT:
		return type == WIRE_VARINT || type == WIRE_BYTES;
	case PPROF_SAMPLE_TYPE:
	case PPROF_SAMPLE:
	case PPROF_MAPPING:
	case PPROF_LOCATION:
	case PPROF_FUNCTION:
	case PPROF_STRING:
	case PPROF_PERIOD_TYPE:
		return type == WIRE_BYTES;
	default:
		return field >= PPROF_FIELD_COUNT || type == WIRE_VARINT;
	}
}

/* ---- is it one ----------------------------------------------------------------------------- */

struct pprof_look {
	int fields;      /* whole ones, of the right type */
	bool is_wrong;   /* there is one that a profile does not have */
	bool has_record; /* a sample, a type, a string */
	bool has_strings;
	bool has_bad_first; /* the first of them is not "", as it ought to be */
};

/* Behind so many fields of the right type, one that is not is damage. */
static bool pprof_is_wrong(const struct pprof_look *look, uint64_t field, enum wire_type type)
{
	return look->fields < PPROF_SNIFF_FIELDS &&
	       (field == 0 || field > PPROF_MAX_FIELD || !pprof_is_type(field, type));
}

static struct pprof_look pprof_look(const uint8_t *bytes, size_t size)
{
	struct pprof_look look = {0};
	struct wire wire = {bytes, bytes + size, false}, before = wire;
	struct wire_field field;
	for (; !look.is_wrong && wire_next(&wire, &field); before = wire) {
		look.is_wrong = pprof_is_wrong(&look, field.number, field.type);
		look.fields++;
		look.has_record |= field.number == PPROF_SAMPLE_TYPE ||
				   field.number == PPROF_SAMPLE || field.number == PPROF_STRING;
		if (field.number != PPROF_STRING || look.has_strings)
			continue;
		look.has_bad_first = field.bytes.at != field.bytes.end;
		look.has_strings = true;
	}
	/* What broke the last field may be the end of what there is to see; its number may not. */
	uint64_t tag;
	if (wire.is_broken && wire_varint(&before, &tag))
		look.is_wrong |= pprof_is_wrong(&look, tag >> 3, (enum wire_type)(tag & 7));
	return look;
}

static bool pprof_has_control(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < 4096; i++)
		if (bytes[i] < 0x20 && (bytes[i] < '\t' || bytes[i] > '\r') && bytes[i] != 0x1b)
			return true;
	return false;
}

/* detect.md step 6: only a text has no control bytes, and none of the formats of text begins so. */
static int pprof_sniff(const uint8_t *bytes, size_t size)
{
	struct pprof_look look = pprof_look(bytes, size);
	if (look.is_wrong || !look.has_record || !pprof_has_control(bytes, size))
		return 0;
	if (!look.has_strings && look.fields < 2)
		return 0;
	if (look.has_bad_first && look.fields < PPROF_SNIFF_FIELDS - 2)
		return 0;
	return 8 + 4 * (look.fields < PPROF_SNIFF_FIELDS ? look.fields : PPROF_SNIFF_FIELDS);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Why the reading ended before the end. */
enum pprof_end { PPROF_GOES_ON, PPROF_WHOLE, PPROF_CUT, PPROF_BROKEN, PPROF_REFUSED };

static void pprof_comment(struct pprof *pprof, const struct wire_field *field)
{
	struct wire numbers = wire_numbers(field);
	uint64_t index;
	while (wire_number(&numbers, field, &index)) {
		pprof->comments = array_grow(pprof->comments, &pprof->comment_capacity,
			pprof->comment_count + 1, sizeof *pprof->comments);
		pprof->comments[pprof->comment_count++] = index;
	}
}

/* A profile has one time: a second one is that of another profile, whose ids mean other things. */
static bool pprof_set_time(struct pprof *pprof, int64_t time, struct vp_error *err)
{
	int64_t offset = (int64_t)source_offset(pprof->source);
	if (pprof->time_ns != 0 && time != 0)
		return error_set(err, ERROR_MALFORMED, offset,
			"two profiles in one file, the second one before byte %" PRId64
			": take them apart, or merge them with pprof -proto",
			offset);
	if (time != 0)
		pprof->time_ns = time;
	return true;
}

static bool pprof_scalar(struct pprof *pprof, const struct wire_field *field, struct vp_error *err)
{
	switch (field->number) {
	case PPROF_DROP_FRAMES:
		pprof->drop_frames = field->value;
		break;
	case PPROF_KEEP_FRAMES:
		pprof->keep_frames = field->value;
		break;
	case PPROF_TIME:
		return pprof_set_time(pprof, (int64_t)field->value, err);
	case PPROF_DURATION:
		pprof->duration_ns = (int64_t)field->value;
		break;
	case PPROF_PERIOD:
		pprof->period = (int64_t)field->value;
		break;
	case PPROF_COMMENT:
		pprof_comment(pprof, field);
		break;
	case PPROF_DEFAULT_TYPE:
		pprof->default_type = field->value;
		break;
	case PPROF_DOC_URL:
		pprof->doc_url = field->value;
		break;
	default:
		break;
	}
	return true;
}

/*
 * `length` bytes of a record, in one piece; NULL where the input ends before. What is not there is
 * not made room for, whatever the length says.
 */
static const uint8_t *pprof_piece(struct source *source, size_t length)
{
	size_t piece = PPROF_FIRST_PIECE, have;
	while (piece < length) {
		source_peek(source, piece, &have);
		if (have < piece)
			return NULL;
		piece *= 2;
	}
	const uint8_t *bytes = source_peek(source, length, &have);
	return have < length ? NULL : bytes;
}

/* The record of a length, which the source stands in front of. */
static enum pprof_end pprof_record(struct pprof *pprof, struct wire_field *field, uint64_t length)
{
	struct source *source = pprof->source;
	int64_t offset = (int64_t)source_offset(source);
	if (field->number >= PPROF_FIELD_COUNT)
		return source_skip(source, length) ? PPROF_GOES_ON : PPROF_CUT;
	if (length > PPROF_MAX_RECORD)
		return PPROF_BROKEN;
	const uint8_t *bytes = pprof_piece(source, (size_t)length);
	if (!bytes)
		return PPROF_CUT;
	field->bytes = (struct wire){bytes, bytes + length, false};
	if (field->number == PPROF_COMMENT)
		pprof_comment(pprof, field);
	else
		pprof_take(pprof, (enum pprof_field)field->number, &field->bytes, offset);
	source_skip(source, length);
	return PPROF_GOES_ON;
}

/* Why a number cannot be read: the file ends in it, or it is too long to be one. */
static enum pprof_end pprof_fault(const struct wire *wire, const uint8_t *number)
{
	return wire->end - number < WIRE_MAX_VARINT ? PPROF_CUT : PPROF_BROKEN;
}

/* One field of the message. PPROF_REFUSED: *err says why. */
static enum pprof_end pprof_field(struct pprof *pprof, struct vp_error *err)
{
	struct source *source = pprof->source;
	size_t have;
	const uint8_t *bytes = source_peek(source, (size_t)2 * WIRE_MAX_VARINT, &have);
	struct wire wire = {bytes, bytes + have, false};
	uint64_t tag, value = 0;
	if (have == 0)
		return PPROF_WHOLE;
	if (!wire_varint(&wire, &tag))
		return pprof_fault(&wire, bytes);
	struct wire_field field = {.number = tag >> 3, .type = (enum wire_type)(tag & 7)};
	if (field.number == 0 || !pprof_is_type(field.number, field.type))
		return PPROF_BROKEN;
	if (field.type == WIRE_FIXED64 || field.type == WIRE_FIXED32) {
		source_skip(source, (uint64_t)(wire.at - bytes));
		bool is_there = source_skip(source, field.type == WIRE_FIXED64 ? 8 : 4);
		return is_there ? PPROF_GOES_ON : PPROF_CUT;
	}
	if (field.type != WIRE_VARINT && field.type != WIRE_BYTES)
		return PPROF_BROKEN; /* a group */
	const uint8_t *number = wire.at;
	if (!wire_varint(&wire, &value))
		return pprof_fault(&wire, number);
	source_skip(source, (uint64_t)(wire.at - bytes));
	if (field.type == WIRE_BYTES)
		return pprof_record(pprof, &field, value);
	field.value = value;
	return pprof_scalar(pprof, &field, err) ? PPROF_GOES_ON : PPROF_REFUSED;
}

static bool pprof_tick(struct pprof *pprof, uint64_t records, struct vp_error *err)
{
	uint64_t done, total;
	if (records % PPROF_TICK != 0)
		return true;
	source_progress(pprof->source, &done, &total);
	return builder_tick(pprof->builder, done, total) ||
	       error_set(err, ERROR_CANCELLED, -1, "loading was stopped");
}

/*
 * The message ended early: what was read is kept, if it has names. Go writes them last, so that a
 * cut file of Go's is a heap of numbers. Where it is damaged, not cut, nobody knows what else is.
 */
static bool pprof_accept_end(struct pprof *pprof, enum pprof_end end, struct vp_error *err)
{
	struct vp_error problem = {.code = ERROR_NONE};
	const int64_t offset = (int64_t)source_offset(pprof->source);
	bool has_problem = source_problem(pprof->source, &problem);
	if (end == PPROF_WHOLE && !has_problem)
		return true;
	const char *why = has_problem        ? problem.message
			  : end == PPROF_CUT ? "the file ends in a record"
					     : "no field of a profile begins here";
	enum error_class code = has_problem        ? problem.code
				: end == PPROF_CUT ? ERROR_TRUNCATED
						   : ERROR_MALFORMED;
	if (end == PPROF_BROKEN)
		return error_set(err, code, offset, "at byte %" PRId64 ": %s", offset, why);
	if (pprof->sample_count == 0 || pprof->string_count == 0)
		return error_set(err, code, offset, "at byte %" PRId64 ": %s; %s", offset, why,
			pprof->sample_count == 0 ? "no sample was read"
						 : "the names, which come last, are lost");
	builder_warn(pprof->builder, error_class_name(code),
		"at byte %" PRId64 ": %s; what was read before is shown", offset, why);
	pprof->builder->profile->is_truncated = true;
	return true;
}

static bool pprof_read_fields(struct pprof *pprof, struct vp_error *err)
{
	enum pprof_end end = PPROF_GOES_ON;
	for (uint64_t records = 0; end == PPROF_GOES_ON; records++) {
		if (!pprof_tick(pprof, records, err))
			return false;
		end = pprof_field(pprof, err);
	}
	return end != PPROF_REFUSED && pprof_accept_end(pprof, end, err);
}

static void pprof_free(struct pprof *pprof)
{
	builder_abort(&pprof->stacks);
	pprof_labels_free(&pprof->labels);
	hash_map_free(&pprof->location_slots);
	hash_map_free(&pprof->function_slots);
	hash_map_free(&pprof->mapping_slots);
	free(pprof->strings);
	free(pprof->comments);
	free(pprof->locations);
	free(pprof->near_locations);
	free(pprof->lines);
	free(pprof->functions);
	free(pprof->mappings);
	free(pprof->sample_stack);
	free(pprof->values);
	free(pprof->path);
	free(pprof->last.bytes);
	free(pprof->waiting.path);
}

static bool pprof_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct pprof pprof = {.source = source, .builder = builder};
	builder_init(&pprof.stacks, &builder->limits, NULL, NULL);
	pprof_labels_init(&pprof.labels);
	bool ok = pprof_read_fields(&pprof, err);
	pprof_settle_samples(&pprof);
	ok = ok && pprof_build(&pprof, err);
	pprof_free(&pprof);
	return ok;
}

const struct format format_pprof = {
	.name = "pprof",
	.description = "pprof profiles of Go and others (profile.proto)",
	.sniff = pprof_sniff,
	.read = pprof_read,
};
