/* SPDX-License-Identifier: MIT */
#include "format/pprof_wire.h"

bool wire_next(struct wire *wire, struct wire_field *field)
{
	uint64_t tag, length = 0;
	if (wire->at == wire->end)
		return false;
	wire->is_broken = true; /* until all of it is there */
	if (!wire_varint(wire, &tag) || tag >> 3 == 0)
		return false;
	*field = (struct wire_field){.number = tag >> 3, .type = (enum wire_type)(tag & 7)};
	switch (field->type) {
	case WIRE_VARINT:
		if (!wire_varint(wire, &field->value))
			return false;
		break;
	case WIRE_BYTES:
		if (!wire_varint(wire, &length))
			return false;
		break;
	case WIRE_FIXED64:
		length = 8;
		break;
	case WIRE_FIXED32:
		length = 4;
		break;
	default:
		return false; /* groups, which no profile has, and types that there are not */
	}
	if (length > (uint64_t)(wire->end - wire->at))
		return false;
	field->bytes = (struct wire){wire->at, wire->at + length, false};
	wire->at += length;
	wire->is_broken = false;
	return true;
}
