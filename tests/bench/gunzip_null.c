/* SPDX-License-Identifier: MIT */
/*
 * The limit that loading is measured against: zlib alone, in chunks, to nowhere.
 *
 *   gunzip_null FILE.gz...
 */
#include <stdio.h>
#include <zlib.h>

static unsigned char input[128 << 10], output[256 << 10];

static int gunzip_null(FILE *file)
{
	z_stream z = {0};
	int status = inflateInit2(&z, 31);
	while (status == Z_OK && (z.avail_in = (uInt)fread(input, 1, sizeof input, file)) > 0) {
		z.next_in = input;
		do {
			z.next_out = output;
			z.avail_out = sizeof output;
			status = inflate(&z, Z_NO_FLUSH);
		} while (status == Z_OK && z.avail_out == 0);
		if (status == Z_BUF_ERROR)
			status = Z_OK;
	}
	inflateEnd(&z);
	return status == Z_STREAM_END ? 0 : 1;
}

int main(int argc, char **argv)
{
	int failures = 0;
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		failures += file == NULL || gunzip_null(file);
		if (file != NULL)
			fclose(file);
	}
	return failures > 0;
}
