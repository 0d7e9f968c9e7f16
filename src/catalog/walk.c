/* SPDX-License-Identifier: MIT */
/*
 * The way through a folder: a list of folders that wait, and the names of the one that is looked
 * at. Links to folders wait in a list of their own, which comes last, so that what is in a folder
 * is found by its own path first.
 */
#include "catalog/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include "base/hash.h"
#include "base/text.h"
#include "format/viewer_store.h"

enum {
	/* A block of zstd, and what a format wants to see, are in so much of a file. */
	WALK_HEAD = 192 * 1024
};

struct pending {
	char *way; /* in the catalog's folder; "" is this folder itself */
	unsigned depth;
	bool is_hidden;
};

struct pending_list {
	struct pending *items;
	size_t count, capacity, next;
};

struct catalog_walk {
	struct pending_list folders, links;
	struct hash_map seen; /* folders, by device and number */
	/* The folder that is looked at. */
	struct pending now;
	int descriptor; /* -1: none */
	char **names;
	size_t name_count, name_capacity, next;
	size_t folder_count;
	struct text path, way;
	uint8_t *head; /* [WALK_HEAD] */
};

struct catalog_walk *walk_open(void)
{
	struct catalog_walk *walk = memory_new(1, sizeof *walk);
	struct pending_list *list = &walk->folders;
	walk->descriptor = -1;
	walk->head = memory_new(WALK_HEAD, 1);
	list->items = array_grow(NULL, &list->capacity, 1, sizeof *list->items);
	list->items[list->count++] = (struct pending){.way = memory_copy_string("")};
	return walk;
}

static void walk_leave_folder(struct catalog_walk *walk)
{
	if (walk->descriptor >= 0)
		close(walk->descriptor);
	for (size_t i = 0; i < walk->name_count; i++)
		free(walk->names[i]);
	free(walk->now.way);
	walk->now.way = NULL;
	walk->descriptor = -1;
	walk->name_count = walk->next = 0;
}

static void pending_free(struct pending_list *list)
{
	for (size_t i = list->next; i < list->count; i++)
		free(list->items[i].way);
	free(list->items);
}

void walk_free(struct catalog_walk *walk)
{
	if (!walk)
		return;
	walk_leave_folder(walk);
	pending_free(&walk->folders);
	pending_free(&walk->links);
	hash_map_free(&walk->seen);
	free(walk->names);
	free(walk->head);
	text_free(&walk->path);
	text_free(&walk->way);
	free(walk);
}

/* ---- where we are ----------------------------------------------------------------- */

/* Puts together the way to `name` in the folder that is looked at ("": this folder), and its path.
 */
static void walk_point_at(struct catalog *catalog, const char *name)
{
	struct catalog_walk *walk = catalog->walk;
	const char *folder = catalog->folder, *way = walk->now.way;
	text_clear(&walk->way);
	text_puts(&walk->way, way);
	if (*way && *name)
		text_puts(&walk->way, "/");
	text_puts(&walk->way, name);
	text_clear(&walk->path);
	/* "-" would be standard input. */
	const bool is_here =
		strcmp(folder, ".") == 0 && walk->way.length > 0 && walk->way.data[0] != '-';
	text_puts(&walk->path, is_here ? "" : folder);
	if (walk->way.length > 0 && !is_here && folder[strlen(folder) - 1] != '/')
		text_puts(&walk->path, "/");
	text_add(&walk->path, walk->way.data, walk->way.length);
}

static struct found walk_found(const struct catalog_walk *walk, const char *name)
{
	return (struct found){.path = walk->path.data,
		.way = walk->way.data,
		.is_hidden = walk->now.is_hidden || name[0] == '.'};
}

static void walk_set_times(struct found *found, const struct stat *st)
{
	const int64_t mtime = (int64_t)st->st_mtim.tv_sec;
	found->size += (int64_t)st->st_size;
	/* Within what 64 bits of nanoseconds hold, from 1678 to 2262. */
	if (mtime > -INT64_C(9000000000) && mtime < INT64_C(9000000000) &&
		mtime * 1000000000 + st->st_mtim.tv_nsec > found->mtime_ns)
		found->mtime_ns = mtime * 1000000000 + st->st_mtim.tv_nsec;
}

static void walk_add_folder(struct catalog *catalog, bool is_link, bool is_hidden)
{
	struct catalog_walk *walk = catalog->walk;
	struct pending_list *list = is_link ? &walk->links : &walk->folders;
	if (walk->now.depth >= catalog->options.max_depth) {
		catalog->limit = "folders that lie deeper are not looked into";
		return;
	}
	if (walk->folder_count >= catalog->options.max_folders) {
		catalog->limit = "there are too many folders: the rest is not looked into";
		return;
	}
	walk->folder_count++;
	list->items =
		array_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
	list->items[list->count++] = (struct pending){.way = memory_copy_string(walk->way.data),
		.depth = walk->now.depth + 1,
		.is_hidden = is_hidden};
}

/* ---- a file ------------------------------------------------------------------------ */

/* The first bytes of a regular file; -1 and *err where it is none or cannot be read. */
static ssize_t walk_read_head(struct catalog_walk *walk, const char *name, struct vp_error *err)
{
	struct stat st;
	size_t have = 0;
	ssize_t n = 1;
	/* What was a file a moment ago may be a pipe now: opening that would wait for ever. */
	const int fd = openat(walk->descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		error_set(err, ERROR_IO, -1, "%s", strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		error_set(err, ERROR_IO, -1, "is no regular file");
		return -1;
	}
	while (have < WALK_HEAD && n > 0) {
		n = read(fd, walk->head + have, WALK_HEAD - have);
		have += n > 0 ? (size_t)n : 0;
	}
	const int why = errno;
	close(fd);
	if (n < 0) {
		error_set(err, ERROR_IO, -1, "%s", strerror(why));
		return -1;
	}
	return (ssize_t)have;
}

/* Which format a file has; NULL and *err where none knows it. */
static const struct format *walk_sniff(
	const struct catalog *catalog, const char *name, struct vp_error *err)
{
	struct catalog_walk *walk = catalog->walk;
	const struct load_options *load = &catalog->options.load;
	size_t have;
	const ssize_t size = walk_read_head(walk, name, err);
	if (size < 0)
		return NULL;
	struct source *source = source_open_memory(walk->head, (size_t)size, &load->source, err);
	if (!source)
		return NULL;
	const uint8_t *bytes = source_peek(source, FORMAT_SNIFF_SIZE, &have);
	const struct format *format = NULL;
	if (have > 0)
		format = format_recognize(bytes, have, load->format, err);
	else if (!source_problem(source, err))
		error_set(err, ERROR_EMPTY, 0, "empty file: nothing in the compressed data");
	source_close(source);
	return format;
}

static void walk_examine(struct catalog *catalog, const char *name, const struct stat *st)
{
	struct vp_error err = {.offset = -1};
	struct found found;
	catalog->file_count++;
	const struct format *format = walk_sniff(catalog, name, &err);
	walk_point_at(catalog, name);
	if (!format && !entry_is_named_profile(catalog->walk->way.data))
		return;
	found = walk_found(catalog->walk, name);
	walk_set_times(&found, st);
	entry_add(catalog, &found, format, err.message);
}

/* What one name of the folder is. */
static void walk_look_at(struct catalog *catalog, const char *name)
{
	struct catalog_walk *walk = catalog->walk;
	struct stat st;
	if (fstatat(walk->descriptor, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return; /* it is gone */
	const bool is_link = S_ISLNK(st.st_mode);
	if (is_link && fstatat(walk->descriptor, name, &st, 0) != 0)
		return; /* a link to nothing */
	if (S_ISDIR(st.st_mode)) {
		walk_point_at(catalog, name);
		walk_add_folder(catalog, is_link, walk->now.is_hidden || name[0] == '.');
	} else if (S_ISREG(st.st_mode) && !viewer_store_is_part(name)) {
		walk_examine(catalog, name, &st);
	}
}

/* ---- a folder ------------------------------------------------------------------------ */

static int walk_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What the system makes up as it is read is no folder of files. */
static bool walk_is_made_up(int descriptor)
{
#ifdef __linux__
	struct statfs fs;
	static const long made_up[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
		CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC, DEVPTS_SUPER_MAGIC,
		EFIVARFS_MAGIC, BPF_FS_MAGIC, PSTOREFS_MAGIC};
	if (fstatfs(descriptor, &fs) != 0)
		return false;
	for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
		if ((long)fs.f_type == made_up[i])
			return true;
#else
	(void)descriptor;
#endif
	return false;
}

static bool walk_was_here(struct catalog_walk *walk, const struct stat *st)
{
	uint32_t *slot = hash_map_slot(
		&walk->seen, hash_u64((uint64_t)st->st_ino) ^ hash_u64(~(uint64_t)st->st_dev));
	if (*slot)
		return true;
	*slot = 1;
	return false;
}

/* The folders above are no part of this one, even where a link leads to them. */
static void walk_pass_above(struct catalog *catalog)
{
	struct stat st;
	char *path = memory_copy_string(catalog->real ? catalog->real : "");
	for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
		slash[slash == path] = '\0';
		if (stat(path, &st) == 0)
			walk_was_here(catalog->walk, &st);
		if (slash == path)
			break;
	}
	free(path);
}

static void walk_read_names(struct catalog *catalog, DIR *folder)
{
	struct catalog_walk *walk = catalog->walk;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
			(name[0] == '.' && !catalog->options.hidden))
			continue;
		if (catalog->file_count + walk->name_count >= catalog->options.max_files) {
			catalog->limit = "there are too many files: the rest is not in the list";
			break;
		}
		walk->names = array_grow(walk->names, &walk->name_capacity, walk->name_count + 1,
			sizeof *walk->names);
		walk->names[walk->name_count++] = memory_copy_string(name);
	}
	if (walk->name_count > 0)
		qsort(walk->names, walk->name_count, sizeof *walk->names, walk_compare_names);
}

/* A folder that is one profile, in three files. */
static void walk_add_store(struct catalog *catalog)
{
	struct catalog_walk *walk = catalog->walk;
	struct stat st;
	bool is_store = false;
	walk_point_at(catalog, "");
	struct found found = walk_found(walk, "");
	for (size_t i = 0; i < walk->name_count; i++) {
		if (!viewer_store_is_part(walk->names[i]) ||
			fstatat(walk->descriptor, walk->names[i], &st, 0) != 0 ||
			!S_ISREG(st.st_mode))
			continue;
		walk_set_times(&found, &st);
		is_store = true;
	}
	found.is_folder = true;
	if (is_store)
		entry_add(catalog, &found, &format_viewer, NULL);
}

static void walk_fail_folder(struct catalog *catalog)
{
	struct text why = {0};
	text_printf(&why, "the folder cannot be read: %s", strerror(errno));
	walk_point_at(catalog, "");
	struct found found = walk_found(catalog->walk, "");
	found.is_folder = true;
	if (catalog->walk->way.length > 0) {
		entry_add(catalog, &found, NULL, why.data);
	} else {
		char *kept = arena_new(&catalog->arena, why.length + 1, 1);
		memcpy(kept, why.data, why.length);
		catalog->error = kept;
	}
	text_free(&why);
}

static void walk_enter_folder(struct catalog *catalog, struct pending_list *list)
{
	struct catalog_walk *walk = catalog->walk;
	struct stat st;
	walk->now = list->items[list->next++];
	walk_point_at(catalog, "");
	const int fd = open(walk->path.data, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(dup(fd));
	walk->descriptor = fd;
	if (!folder || fstat(fd, &st) != 0) {
		walk_fail_folder(catalog);
	} else if (!walk_was_here(walk, &st) && !walk_is_made_up(fd)) {
		if (walk->now.depth == 0)
			walk_pass_above(catalog);
		walk_read_names(catalog, folder);
		walk_add_store(catalog);
	}
	if (folder)
		closedir(folder);
}

bool walk_step(struct catalog *catalog)
{
	struct catalog_walk *walk = catalog->walk;
	if (catalog->file_count >= catalog->options.max_files && walk->next < walk->name_count) {
		catalog->limit = "there are too many files: the rest is not in the list";
		return false;
	}
	if (walk->next < walk->name_count) {
		walk_look_at(catalog, walk->names[walk->next++]);
		return true;
	}
	walk_leave_folder(walk);
	if (walk->folders.next < walk->folders.count)
		walk_enter_folder(catalog, &walk->folders);
	else if (walk->links.next < walk->links.count)
		walk_enter_folder(catalog, &walk->links);
	else
		return false;
	return true;
}
