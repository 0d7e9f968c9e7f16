/* SPDX-License-Identifier: MIT */
#define ZLIB_CONST /* it reads what it packs, and no more */
#include "source/gzip_writer.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/memory.h"

enum { GZIP_LEVEL = 6, GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8, GZIP_ROOM = 1 << 16 };

struct gzip_writer {
	z_stream stream;
	struct text *out;
	bool is_open;
	unsigned char room[GZIP_ROOM];
};

struct gzip_writer *gzip_writer_open(struct text *out)
{
	struct gzip_writer *writer = memory_new(1, sizeof *writer);
	writer->out = out;
	writer->is_open = deflateInit2(&writer->stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW,
				  GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
	return writer;
}

/* Packs what is at hand; with Z_FINISH up to the end. */
static void gzip_writer_run(struct gzip_writer *writer, int flush)
{
	z_stream *stream = &writer->stream;
	int status = writer->is_open ? Z_OK : Z_STREAM_ERROR;
	do {
		if (status != Z_OK)
			return;
		stream->next_out = writer->room;
		stream->avail_out = GZIP_ROOM;
		status = deflate(stream, flush);
		text_add(writer->out, (const char *)writer->room, GZIP_ROOM - stream->avail_out);
	} while (stream->avail_out == 0 || (flush == Z_FINISH && status == Z_OK));
}

void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size)
{
	const unsigned char *next = bytes;
	while (size > 0) {
		const size_t part = size < INT_MAX ? size : INT_MAX;
		writer->stream.next_in = next;
		writer->stream.avail_in = (uInt)part;
		gzip_writer_run(writer, Z_NO_FLUSH);
		next += part;
		size -= part;
	}
}

void gzip_writer_close(struct gzip_writer *writer)
{
	writer->stream.next_in = NULL;
	writer->stream.avail_in = 0;
	gzip_writer_run(writer, Z_FINISH);
	if (writer->is_open)
		deflateEnd(&writer->stream);
	free(writer);
}
