/* SPDX-License-Identifier: MIT */
/* What one entry is: what its path says of it, and what loading it does. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "catalog/walk.h"
#include "profile/clock.h"
#include "query/query.h"

static const char *entry_copy_part(struct catalog *catalog, const char *s, size_t length)
{
	char *copy = arena_new(&catalog->arena, length + 1, 1);
	memcpy(copy, s, length);
	return copy;
}

static const char *entry_copy(struct catalog *catalog, const char *s)
{
	return s ? entry_copy_part(catalog, s, strlen(s)) : NULL;
}

/* ---- names ------------------------------------------------------------------------- */

/* The length of a name without what compressing it added. */
static size_t entry_plain_length(const char *name)
{
	static const char *const packed[] = {".gz", ".zst", ".zz"};
	const size_t length = strlen(name);
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		const size_t size = strlen(packed[i]);
		if (length > size && strcmp(name + length - size, packed[i]) == 0)
			return length - size;
	}
	return length;
}

/* The last part of a way. */
static const char *entry_name(const char *way)
{
	const char *slash = strrchr(way, '/');
	return slash ? slash + 1 : way;
}

/* The extension before that, without its dot; *length 0: none. */
static const char *entry_extension(const char *name, size_t *length)
{
	const size_t plain = entry_plain_length(name);
	size_t start = plain;
	while (start > 0 && name[start - 1] != '.')
		start--;
	*length = start > 1 ? plain - start : 0;
	return name + start;
}

bool entry_is_named_profile(const char *way)
{
	static const char *const extensions[] = {"gocpuprof", "goheapprof", "pyprof", "prof",
		"pprof", "pb", "cpuprof", "heapprof", "memprof", "pstats", "cprof", "folded",
		"collapsed", "msgpack", "vmprof"};
	size_t length;
	const char *extension = entry_extension(entry_name(way), &length);
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
		if (strlen(extensions[i]) == length &&
			strncasecmp(extensions[i], extension, length) == 0)
			return true;
	return false;
}

/* ---- groups ------------------------------------------------------------------------- */

static uint32_t entry_group(
	struct catalog *catalog, const char *path, size_t length, const char *process)
{
	uint32_t *slot = hash_map_slot(
		&catalog->group_of_path, hash_bytes(path, length) ^ (process ? 1 : 0));
	const struct catalog_group *known = *slot ? &catalog->groups[*slot - 1] : NULL;
	if (known && !known->process == !process && strlen(known->path) == length &&
		memcmp(known->path, path, length) == 0)
		return *slot - 1;
	*slot = catalog->group_count + 1;
	catalog->groups = array_grow(catalog->groups, &catalog->group_capacity,
		(size_t)catalog->group_count + 1, sizeof *catalog->groups);
	catalog->groups[catalog->group_count] = (struct catalog_group){
		.path = entry_copy_part(catalog, path, length), .process = process};
	return catalog->group_count++;
}

/* Which process and node, in a job runner's folder; which folder elsewhere. */
static void entry_split_job(struct catalog *catalog, struct catalog_entry *entry, const char *way)
{
	static const char data[] = "profiledata";
	const size_t name_at = (size_t)(entry_name(way) - way);
	size_t folder = name_at > 0 ? name_at - 1 : 0; /* length of the way to its folder */
	size_t folder_at = folder;
	while (folder_at > 0 && way[folder_at - 1] != '/')
		folder_at--;
	/* The catalog's own folder may be the data folder, or the process's. */
	const char *real = catalog->real ? catalog->real : "";
	const char *last = strrchr(real, '/');
	const char *own = last ? last + 1 : real;
	const bool is_own_data = folder == 0 && strcmp(own, data) == 0;
	if (!is_own_data && (folder - folder_at != sizeof data - 1 ||
				    memcmp(way + folder_at, data, sizeof data - 1) != 0)) {
		entry->group = entry_group(catalog, way, folder, NULL);
		return;
	}
	const char *process = NULL;
	size_t group = 0;
	if (folder_at > 0) {
		group = folder_at - 1;
		size_t at = group;
		while (at > 0 && way[at - 1] != '/')
			at--;
		process = entry_copy_part(catalog, way + at, group - at);
	} else if (!is_own_data) {
		process = entry_copy(catalog, own);
	} else {
		size_t end = last ? (size_t)(last - real) : 0, at = end;
		while (at > 0 && real[at - 1] != '/')
			at--;
		process = entry_copy_part(catalog, real + at, end - at);
	}
	size_t length;
	const char *extension = entry_extension(entry->name, &length);
	entry->group = entry_group(catalog, way, group, process);
	if (length == 0)
		return;
	entry->kind = entry_copy_part(catalog, extension, length);
	entry->node = entry_copy_part(catalog, entry->name, (size_t)(extension - entry->name) - 1);
}

void entry_add(struct catalog *catalog, const struct found *found, const struct format *format,
	const char *error)
{
	catalog->entries = array_grow(catalog->entries, &catalog->entry_capacity,
		catalog->count + 1, sizeof *catalog->entries);
	struct catalog_entry *entry = &catalog->entries[catalog->count++];
	const char *path = entry_copy(catalog, found->path);
	const size_t before = strlen(path) - strlen(found->way);
	*entry = (struct catalog_entry){.path = path,
		.way = path + before,
		.name = entry_name(path),
		.format = format ? format->name : "",
		.is_folder = found->is_folder,
		.is_hidden = found->is_hidden,
		.size = found->size,
		.mtime_ns = found->mtime_ns,
		.facts = {.duration_ns = -1, .peak_bytes = -1, .samples = -1}};
	entry_split_job(catalog, entry, found->way);
	if (!format) {
		entry->state = CATALOG_FAILED;
		entry->error = entry_copy(catalog, error);
		catalog->read_count++;
	}
	catalog->generation++;
}

/* ---- facts ---------------------------------------------------------------------------- */

static bool entry_has_type(const struct profile *profile, const char *name)
{
	for (unsigned i = 0; i < profile->type_count; i++)
		if (strcmp(profile->types[i].name, name) == 0)
			return true;
	return false;
}

/* What a profile is about, in a word. */
static const char *entry_values(const struct profile *profile)
{
	static const struct {
		const char *type, *word;
	} words[] = {{"inuse_space", "heap"}, {"alloc_space", "heap"}, {"inuse_objects", "heap"},
		{"alloc_objects", "heap"}, {"space", "heap"}, {"goroutine", "goroutines"},
		{"goroutines", "goroutines"}, {"threadcreate", "threads"}, {"thread", "threads"},
		{"contentions", "contention"}, {"delay", "contention"}, {"calls", "calls"},
		{"cpu", "cpu"}};
	if (profile_has_memory(profile))
		return "cpu+mem";
	if (profile->format && strcmp(profile->format, "pstats") == 0)
		return "python";
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (entry_has_type(profile, words[i].type))
			return words[i].word;
	if (profile->format && strncmp(profile->format, "vmprof", 6) == 0)
		return "cpu";
	return profile->callgraph ? "calls" : "stacks";
}

/* The functions with the most self value; none where the profile cannot be counted. */
static void entry_fill_top(
	struct catalog *catalog, struct catalog_facts *facts, const struct profile *profile)
{
	struct query query;
	size_t count = 0;
	query_init(&query, profile);
	query.for_functions = true;
	struct calltree *tree = calltree_build(profile, &query, NULL);
	const struct value_type *type = &profile->types[query.type];
	struct function_row *rows = tree ? functions_build(tree, SORT_FLAT, &count) : NULL;
	for (size_t i = 0; i < count && i < CATALOG_TOP && rows[i].flat != 0; i++) {
		struct catalog_function *function = &facts->top[facts->top_count++];
		struct text name = {0};
		char text[UNIT_SIZE];
		row_name(tree, rows[i].row, false, &name);
		function->name = entry_copy(catalog, name.data);
		units_decimal(text, rows[i].flat, type->decimals, type->unit);
		function->value = entry_copy(catalog, text);
		units_percent(text, (double)rows[i].flat, (double)tree->base);
		function->share = entry_copy(catalog, text);
		text_free(&name);
	}
	free(rows);
	calltree_free(tree);
}

static void entry_fill(
	struct catalog *catalog, struct catalog_entry *entry, const struct profile *profile)
{
	struct catalog_facts *facts = &entry->facts;
	facts->values = entry_values(profile);
	facts->project = entry_copy(catalog, profile->project);
	facts->top_level_function = entry_copy(catalog, profile->top_level_function);
	facts->has_start = profile->has_start;
	facts->has_offset = profile->has_offset;
	facts->start_ns = profile->start_ns;
	facts->offset_s = profile->offset_s;
	facts->duration_ns = clock_duration_ns(profile);
	if (profile_has_memory(profile) && profile->sample_count > 0)
		facts->peak_bytes = profile_memory_kib(profile, profile_peak(profile)) * 1024;
	facts->samples = profile_samples_taken(profile);
	const struct value_type *type = &profile->types[profile->default_type];
	facts->type = entry_copy(catalog, type->name);
	facts->unit = entry_copy(catalog, type->unit);
	facts->total = type->total / units_power(type->decimals);
	facts->is_truncated = profile->is_truncated;
	facts->warning_count = profile->warning_count;
	if (catalog->options.tops)
		entry_fill_top(catalog, facts, profile);
}

bool entry_read(struct catalog *catalog, struct catalog_entry *entry)
{
	struct vp_error err = {.offset = -1};
	struct profile *profile = profile_load(entry->path, &catalog->options.load, &err);
	if (!profile && err.code == ERROR_CANCELLED)
		return false;
	if (profile) {
		entry_fill(catalog, entry, profile);
		entry->state = CATALOG_READ;
		profile_free(profile);
	} else {
		entry->state = CATALOG_FAILED;
		entry->error = entry_copy(catalog, err.message);
	}
	catalog->read_count++;
	catalog->generation++;
	return true;
}
