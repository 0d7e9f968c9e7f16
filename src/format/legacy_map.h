/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_LEGACY_MAP_H
#define VPTOP_FORMAT_LEGACY_MAP_H

#include "profile/builder.h"

/*
 * The memory map of a process, in the form of /proc/PID/maps or of gperftools' servers
 * (formats/pprof.md section 4): which file the code at an address is from. Zero-initialise it.
 */
struct legacy_map {
	struct legacy_mapping {
		uint64_t start, limit, offset;
		string_id file;
		uint32_t id; /* in the profile; 0: not there so far */
	} * mappings;
	size_t count, capacity;
	struct legacy_variable {
		char *name, *value;
	} variables[8]; /* "name=path", used as $name in later lines */
	size_t variable_count;
	bool is_sorted;
};

void legacy_map_free(struct legacy_map *map);

/* Whether a line is the one in front of a memory map. */
bool legacy_map_begins(const char *line, size_t length);

/* One line of a map; lines that are none, and those of memory without code, are passed over. */
void legacy_map_line(
	struct legacy_map *map, struct builder *builder, const char *line, size_t length);

/* The mapping that `address` is in, as the builder's profile has it; 0 where the map does not say.
 */
uint32_t legacy_map_find(struct legacy_map *map, struct builder *builder, uint64_t address);

#endif
