/* SPDX-License-Identifier: MIT */
#include "format/viewer_store.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/viewer_blobs.h"

enum { PARTS = 3 };

static const char *const store_names[PARTS] = {
	"cpu", "addr_name_map", "mem"}; /* in the order of reading */

/* "mem.msgpack.gz", "mem.msgpack", "mem_AbC123x.msgpack.gz" */
static bool store_matches(const char *file, const char *part)
{
	size_t length = strlen(part);
	if (strncmp(file, part, length) != 0)
		return false;
	const char *s = file + length;
	if (*s == '_') {
		size_t suffix = 0;
		for (s++; isalnum((unsigned char)s[suffix]); suffix++)
			;
		if (suffix != 7)
			return false;
		s += suffix;
	}
	return strcmp(s, ".msgpack.gz") == 0 || strcmp(s, ".msgpack") == 0;
}

bool viewer_store_is_part(const char *file)
{
	for (int i = 0; i < PARTS; i++)
		if (store_matches(file, store_names[i]))
			return true;
	return false;
}

/* The file of each part, NULL where there is none; of several the shortest name, then the first.
 * free() them. */
static bool store_find(const char *path, char *files[PARTS])
{
	DIR *folder = opendir(path);
	bool found = false;
	if (!folder)
		return false;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		for (int i = 0; i < PARTS; i++) {
			if (!store_matches(entry->d_name, store_names[i]))
				continue;
			size_t have = files[i] ? strlen(files[i]) : SIZE_MAX,
			       length = strlen(entry->d_name);
			if (length > have ||
				(length == have && strcmp(entry->d_name, files[i]) >= 0))
				continue;
			free(files[i]);
			files[i] = memory_copy_string(entry->d_name);
			found = true;
		}
	}
	closedir(folder);
	return found;
}

bool viewer_store_is(const char *path)
{
	char *files[PARTS] = {NULL};
	bool found = store_find(path, files);
	for (int i = 0; i < PARTS; i++)
		free(files[i]);
	return found;
}

static bool store_read_part(struct viewer *viewer, const char *path, int part,
	const struct source_limits *limits, struct vp_error *err)
{
	static bool (*const readers[PARTS])(struct viewer *, struct source *,
		const struct msgpack_item *,
		struct vp_error *) = {viewer_read_tree, viewer_read_names, viewer_read_samples};
	struct vp_error why = {0};
	struct msgpack_item first;
	struct source *source = source_open(path, limits, &why);
	bool ok = source && msgpack_next(source, &first, &why);
	if (ok) {
		ok = readers[part](viewer, source, &first, err);
	} else {
		/* One broken part does not make the others worthless. */
		builder_warn(viewer->builder,
			why.code == ERROR_TRUNCATED ? "truncated" : "malformed", "%s: %s: left out",
			store_names[part], why.message);
		ok = true;
	}
	source_close(source);
	return ok;
}

bool viewer_store_read(const char *path, const struct source_limits *limits,
	struct builder *builder, struct vp_error *err)
{
	char *files[PARTS] = {NULL};
	struct viewer viewer;
	bool ok = true;
	store_find(path, files);
	viewer_init(&viewer, builder);
	viewer.wants_preview = true;
	for (int i = 0; i < PARTS; i++) {
		struct text full = {0};
		if (files[i] && ok) {
			text_printf(&full, "%s/%s", path, files[i]);
			ok = store_read_part(&viewer, full.data, i, limits, err);
			builder->preview_is_whole =
				builder->preview && viewer.has_tree && viewer.has_names;
			if (ok && !builder_tick_now(builder))
				ok = error_set(err, ERROR_CANCELLED, -1, "loading was stopped");
		}
		text_free(&full);
		free(files[i]);
	}
	ok = ok && viewer_finish(&viewer, err);
	viewer_free(&viewer);
	return ok;
}
