/* SPDX-License-Identifier: MIT */
#include "report/wire_write.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void wire_put_varint(struct text *out, uint64_t value)
{
	char bytes[10];
	size_t count = 0;
	for (; value >= 0x80; value >>= 7)
		bytes[count++] = (char)(uint8_t)(value | 0x80);
	bytes[count++] = (char)value;
	text_add(out, bytes, count);
}

void wire_put_number(struct text *out, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	wire_put_varint(out, (uint64_t)field << 3 | WIRE_VARINT);
	wire_put_varint(out, value);
}

void wire_put_bytes(struct text *out, unsigned field, const char *bytes, size_t length)
{
	wire_put_varint(out, (uint64_t)field << 3 | WIRE_BYTES);
	wire_put_varint(out, length);
	text_add(out, bytes, length);
}

void wire_put_message(struct text *out, unsigned field, const struct text *message)
{
	wire_put_bytes(out, field, message->data ? message->data : "", message->length);
}
