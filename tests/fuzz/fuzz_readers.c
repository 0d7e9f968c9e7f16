/* SPDX-License-Identifier: MIT */

/*
 * The fuzz target over all readers and queries. With libFuzzer:
 *
 *     ../configure CC=clang --enable-fuzz --enable-sanitizers && make tests/fuzz/fuzz_readers
 *     mkdir corpus && tests/fuzz/fuzz_readers -max_len=65536 corpus ../tests/cases/data
 * ../data/samples
 *
 * The first folder receives what is found. Built with -DFUZZ_REPLAY it is a program that runs its
 * files once each.
 */

#include <stdio.h>
#include <stdlib.h>

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	exercise(bytes, size, true);
	return 0;
}

#ifdef FUZZ_REPLAY
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		if (!file || fseek(file, 0, SEEK_END) != 0) {
			perror(argv[i]);
			return 2;
		}
		long size = ftell(file);
		rewind(file);
		uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
		size_t length = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
		fclose(file);
		printf("%s: %s\n", argv[i], exercise(bytes, length, true) ? "read" : "refused");
		free(bytes);
	}
	return 0;
}
#endif
