/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_WIRE_WRITE_H
#define VPTOP_REPORT_WIRE_WRITE_H

#include "base/text.h"

/* Fields of protocol buffers, as bytes (pprof.md section 1). A number of 0 is the default: left
 * out.
 */
void wire_put_varint(struct text *out, uint64_t value);
void wire_put_number(struct text *out, unsigned field, uint64_t value);
void wire_put_bytes(struct text *out, unsigned field, const char *bytes, size_t length);
/* Another message. */
void wire_put_message(struct text *out, unsigned field, const struct text *message);

#endif
