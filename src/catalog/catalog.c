/* SPDX-License-Identifier: MIT */
#include "catalog/catalog.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "catalog/walk.h"
#include "query/pattern.h"

enum { GLANCE_DEPTH = 4, GLANCE_FILES = 4000, GLANCE_FOLDERS = 500 };

struct catalog_options catalog_options_default(void)
{
	return (struct catalog_options){.load = load_options_default(),
		.max_depth = CATALOG_MOST_DEPTH,
		.max_files = CATALOG_MOST_FILES,
		.max_folders = CATALOG_MOST_FOLDERS};
}

struct catalog *catalog_open(const char *folder, const struct catalog_options *options)
{
	struct catalog *catalog = memory_new(1, sizeof *catalog);
	catalog->options = *options;
	if (options->max_depth == 0)
		catalog->options.max_depth = CATALOG_MOST_DEPTH;
	if (options->max_files == 0)
		catalog->options.max_files = CATALOG_MOST_FILES;
	if (options->max_folders == 0)
		catalog->options.max_folders = CATALOG_MOST_FOLDERS;
	catalog->folder = memory_copy_string(*folder ? folder : ".");
	catalog->real = realpath(catalog->folder, NULL);
	catalog->walk = walk_open();
	return catalog;
}

void catalog_free(struct catalog *catalog)
{
	if (!catalog)
		return;
	walk_free(catalog->walk);
	free(catalog->entries);
	free(catalog->groups);
	hash_map_free(&catalog->group_of_path);
	free(catalog->folder);
	free(catalog->real);
	arena_free(&catalog->arena);
	free(catalog);
}

/* ---- steps ---------------------------------------------------------------------------- */

static int64_t catalog_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool catalog_find_more(struct catalog *catalog)
{
	if (catalog->is_found)
		return false;
	if (walk_step(catalog))
		return true;
	walk_free(catalog->walk);
	catalog->walk = NULL;
	catalog->is_found = true;
	catalog->generation++;
	return true;
}

/* Loads the next profile whose facts are not known; false: there is none, or it was stopped. */
static bool catalog_read_more(struct catalog *catalog)
{
	if (catalog->options.no_facts || catalog->read_count >= catalog->count)
		return false;
	for (size_t i = 0; i < catalog->count; i++) {
		const size_t at = (catalog->next + i) % catalog->count;
		if (catalog->entries[at].state != CATALOG_FOUND)
			continue;
		catalog->next = at;
		return entry_read(catalog, &catalog->entries[at]);
	}
	return false;
}

bool catalog_step(struct catalog *catalog, int64_t budget_ns)
{
	const int64_t start = budget_ns < INT64_MAX ? catalog_now() : 0;
	while (catalog_find_more(catalog) || catalog_read_more(catalog))
		if (budget_ns < INT64_MAX && catalog_now() - start >= budget_ns)
			break;
	return !catalog->is_found ||
	       (!catalog->options.no_facts && catalog->read_count < catalog->count);
}

void catalog_want(struct catalog *catalog, size_t entry)
{
	if (entry < catalog->count)
		catalog->next = entry;
}

bool catalog_has_profiles(const char *folder)
{
	struct catalog_options options = catalog_options_default();
	options.max_depth = GLANCE_DEPTH;
	options.max_files = GLANCE_FILES;
	options.max_folders = GLANCE_FOLDERS;
	options.no_facts = true;
	struct catalog *catalog = catalog_open(folder, &options);
	bool has = false;
	while (!has && catalog_find_more(catalog))
		has = catalog->count > 0 && catalog->entries[catalog->count - 1].format[0] != '\0';
	catalog_free(catalog);
	return has;
}

/* ---- which and in what order ------------------------------------------------------------ */

bool catalog_filter_init(
	struct catalog_filter *filter, const char *project, const char *text, struct vp_error *err)
{
	*filter = (struct catalog_filter){.text = text};
	if (project)
		filter->project = pattern_compile(project, err);
	return !project || filter->project;
}

void catalog_filter_free(struct catalog_filter *filter)
{
	pattern_free(filter->project);
	filter->project = NULL;
}

static bool catalog_has_text(const char *where, const char *text)
{
	const size_t length = strlen(text);
	for (; where && *where; where++)
		if (strncasecmp(where, text, length) == 0)
			return true;
	return length == 0;
}

bool catalog_passes(const struct catalog *catalog, const struct catalog_filter *filter,
	const struct catalog_entry *entry)
{
	struct vp_error err;
	const char *process = catalog->groups[entry->group].process;
	const char *project = entry->facts.project ? entry->facts.project : process ? process : "";
	if (filter->project &&
		pattern_matches(filter->project, project, strlen(project), &err) != 1)
		return false;
	return !filter->text || catalog_has_text(entry->path, filter->text) ||
	       catalog_has_text(entry->facts.project, filter->text) ||
	       catalog_has_text(entry->facts.top_level_function, filter->text);
}

struct by_path {
	const char *path;
	uint32_t entry;
};

static int catalog_compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct by_path *)a)->path, ((const struct by_path *)b)->path);
}

uint32_t *catalog_by_path(const struct catalog *catalog)
{
	struct by_path *paths = memory_new(catalog->count + 1, sizeof *paths);
	uint32_t *order = memory_new(catalog->count + 1, sizeof *order);
	for (size_t i = 0; i < catalog->count; i++)
		paths[i] = (struct by_path){catalog->entries[i].path, (uint32_t)i};
	qsort(paths, catalog->count, sizeof *paths, catalog_compare_paths);
	for (size_t i = 0; i < catalog->count; i++)
		order[i] = paths[i].entry;
	free(paths);
	return order;
}

/* ---- folders ------------------------------------------------------------------------------ */

/* `path` without its last part. */
static char *catalog_cut(const char *path)
{
	size_t length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	while (length > 0 && path[length - 1] != '/')
		length--;
	while (length > 1 && path[length - 1] == '/')
		length--;
	char *folder = memory_copy_string(length > 0 ? path : ".");
	if (length > 0)
		folder[length] = '\0';
	return folder;
}

char *catalog_folder_of(const char *path)
{
	return catalog_cut(path);
}

char *catalog_folder_above(const char *folder)
{
	char *real = realpath(folder, NULL), *above = NULL;
	if (real && strcmp(real, "/") != 0)
		above = catalog_cut(real);
	free(real);
	return above;
}
