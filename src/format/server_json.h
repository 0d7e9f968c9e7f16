/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_SERVER_JSON_H
#define VPTOP_FORMAT_SERVER_JSON_H

#include "format/format.h"

/* The sniff of format_server_json (see struct format). */
int server_json_sniff(const uint8_t *bytes, size_t size);

#endif
