/* SPDX-License-Identifier: MIT */
#include "source/inflate.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

enum { GZIP_TRAILER = 8 };

struct inflater {
	enum compression compression;
	z_stream z;
	ZSTD_DStream *zstd;
	bool between; /* a member or frame has ended, the next has not begun */

	/*
	 * Of a gzip member. Profiles inflate 30:1, so zlib's checksum takes as long as its
	 * decoding: it is switched off there and made by libdeflate, which is three times as fast.
	 */
	uint32_t crc;
	uint64_t made;
	uint8_t tail[GZIP_TRAILER]; /* the last input bytes: the trailer when the member ends */
};

enum compression inflate_detect(const uint8_t *b, size_t size, const char **name)
{
	static const struct {
		uint8_t magic[6];
		size_t length;
		enum compression compression;
		const char *name;
	} known[] = {
		{{0x1f, 0x8b, 0x08}, 3, COMPRESSION_GZIP, "gzip"},
		{{0x28, 0xb5, 0x2f, 0xfd}, 4, COMPRESSION_ZSTD, "zstd"},
		{{'B', 'Z', 'h'}, 3, COMPRESSION_NONE, "bzip2"},
		{{0xfd, '7', 'z', 'X', 'Z', 0}, 6, COMPRESSION_NONE, "xz"},
		{{'P', 'K', 3, 4}, 4, COMPRESSION_NONE, "zip"},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (size >= known[i].length && memcmp(b, known[i].magic, known[i].length) == 0) {
			*name = known[i].name;
			return known[i].compression;
		}
	}
	*name = NULL;
	bool is_zlib = size >= 3 && b[0] == 0x78 &&
		       (b[1] == 0x01 || b[1] == 0x5e || b[1] == 0x9c || b[1] == 0xda);
	if (is_zlib)
		*name = "zlib";
	return is_zlib ? COMPRESSION_ZLIB : COMPRESSION_NONE;
}

struct inflater *inflate_open(enum compression compression)
{
	struct inflater *inflater = memory_new(1, sizeof *inflater);
	inflater->compression = compression;
	bool ok;
	if (compression == COMPRESSION_ZSTD) {
		inflater->zstd = ZSTD_createDStream();
		ok = inflater->zstd && !ZSTD_isError(ZSTD_initDStream(inflater->zstd));
	} else {
		/* 15: any window; + 16: a gzip header is wanted. */
		bool is_gzip = compression == COMPRESSION_GZIP;
		ok = inflateInit2(&inflater->z, is_gzip ? 15 + 16 : 15) == Z_OK;
		ok = ok && (!is_gzip || inflateValidate(&inflater->z, 0) == Z_OK);
	}
	if (ok)
		return inflater;
	inflate_close(inflater);
	return NULL;
}

void inflate_close(struct inflater *inflater)
{
	if (!inflater)
		return;
	if (inflater->compression == COMPRESSION_ZSTD)
		ZSTD_freeDStream(inflater->zstd);
	else
		inflateEnd(&inflater->z);
	free(inflater);
}

void inflate_reset(struct inflater *inflater)
{
	inflater->between = false;
	inflater->crc = 0;
	inflater->made = 0;
	if (inflater->compression == COMPRESSION_ZSTD)
		ZSTD_initDStream(inflater->zstd);
	else
		inflateReset(&inflater->z);
}

/* Whether another member begins; anything else behind a member (padding, rubbish) is left alone. */
static bool inflate_goes_on(const struct inflater *inflater, const uint8_t *in, size_t size)
{
	const char *name;
	return size >= 4 && inflate_detect(in, size, &name) == inflater->compression;
}

static uint32_t inflate_little_endian(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Adds what a step took and made. */
static void inflate_track(struct inflater *inflater, const uint8_t *in, size_t in_size,
	const uint8_t *out, size_t out_size)
{
	size_t kept = in_size < GZIP_TRAILER ? GZIP_TRAILER - in_size : 0;
	memmove(inflater->tail, inflater->tail + GZIP_TRAILER - kept, kept);
	memcpy(inflater->tail + kept, in + in_size - (GZIP_TRAILER - kept), GZIP_TRAILER - kept);
	inflater->crc = libdeflate_crc32(inflater->crc, out, out_size);
	inflater->made += out_size;
}

/* The trailer of a member: checksum and length of what it holds (RFC 1952, section 2.3.1). */
static bool inflate_is_whole(const struct inflater *inflater)
{
	return inflate_little_endian(inflater->tail) == inflater->crc &&
	       inflate_little_endian(inflater->tail + 4) == (uint32_t)inflater->made;
}

static enum inflate_state inflate_zlib(struct inflater *inflater, const uint8_t *in,
	size_t *in_size, uint8_t *out, size_t *out_size)
{
	z_stream *z = &inflater->z;
	union {
		const uint8_t *from;
		Bytef *to; /* zlib's next_in lacks the const */
	} input = {.from = in};
	z->next_in = input.to;
	z->avail_in = (uInt)*in_size;
	z->next_out = out;
	z->avail_out = (uInt)*out_size;
	int status = inflate(z, Z_NO_FLUSH);
	*in_size -= z->avail_in;
	*out_size -= z->avail_out;
	bool is_gzip = inflater->compression == COMPRESSION_GZIP;
	if (is_gzip)
		inflate_track(inflater, in, *in_size, out, *out_size);
	if (status == Z_STREAM_END) {
		if (is_gzip && !inflate_is_whole(inflater))
			return INFLATE_BROKEN;
		inflater->between = true;
		return INFLATE_MORE;
	}
	return status == Z_OK || status == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_BROKEN;
}

static enum inflate_state inflate_zstd(struct inflater *inflater, const uint8_t *in,
	size_t *in_size, uint8_t *out, size_t *out_size)
{
	ZSTD_inBuffer input = {in, *in_size, 0};
	ZSTD_outBuffer output = {out, *out_size, 0};
	size_t status = ZSTD_decompressStream(inflater->zstd, &output, &input);
	*in_size = input.pos;
	*out_size = output.pos;
	if (status == 0)
		inflater->between = true;
	return ZSTD_isError(status) ? INFLATE_BROKEN : INFLATE_MORE;
}

enum inflate_state inflate_run(struct inflater *inflater, const uint8_t *in, size_t *in_size,
	uint8_t *out, size_t *out_size, bool at_end)
{
	if (inflater->between) {
		if (!inflate_goes_on(inflater, in, *in_size)) {
			bool undecided = *in_size < 4 && !at_end;
			*in_size = *out_size = 0;
			return undecided ? INFLATE_MORE : INFLATE_END;
		}
		inflate_reset(inflater);
	}
	if (inflater->compression == COMPRESSION_ZSTD)
		return inflate_zstd(inflater, in, in_size, out, out_size);
	return inflate_zlib(inflater, in, in_size, out, out_size);
}
