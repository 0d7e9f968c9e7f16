/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_SOURCE_GZIP_WRITER_H
#define VPTOP_SOURCE_GZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Packs bytes into a gzip member as they come; no more than a window of them is kept. */
struct gzip_writer;

/* What it packs is added to `out`, which lives longer. */
struct gzip_writer *gzip_writer_open(struct text *out);
void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size);
/* Ends the member and frees the writer. */
void gzip_writer_close(struct gzip_writer *writer);

#endif
