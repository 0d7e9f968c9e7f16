/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_CATALOG_CATALOG_H
#define VPTOP_CATALOG_CATALOG_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "format/format.h"

/*
 * The profiles of a folder and of the folders in it: where they are, what format each has, and a
 * summary of each. All of it is found step by step, so that a screen can be drawn in between: first
 * names and formats, which need the first bytes of a file only, then the facts for which a profile
 * is loaded, one file after another.
 *
 * Content decides what a file is; its name only where it stands. Files that are no profiles are not
 * in the catalog, unless their name says that they were meant to be one: those have an error. Only
 * regular files are opened, each folder is entered once, whatever links there are to it.
 */

enum {
	CATALOG_MOST_DEPTH = 32,     /* folders below the first one */
	CATALOG_MOST_FILES = 100000, /* files that are looked at */
	CATALOG_MOST_FOLDERS = 20000
};

struct catalog_options {
	struct load_options load; /* for the facts; its `format` is for all of them */
	unsigned max_depth;       /* 0: the limits above */
	size_t max_files, max_folders;
	bool hidden;   /* also files and folders whose name begins with '.' */
	bool no_facts; /* formats only: no profile is loaded */
	bool tops;     /* facts have the functions with the most self value, too */
};

enum { CATALOG_TOP = 5 };

/* A function with much self value; texts are of the file. */
struct catalog_function {
	const char *name;
	const char *value; /* of the type that the profile is shown by first, with its unit */
	const char *share; /* of all: "12.5%" */
};

/* What loading a profile says of it. Texts are of the file: clean when printing; NULL: none. */
struct catalog_facts {
	const char *values; /* what is in it: "cpu", "heap", "cpu+mem", ...; constant text */
	const char *project, *top_level_function;
	bool has_start, has_offset;
	int64_t start_ns; /* unix */
	int32_t offset_s;
	int64_t duration_ns;                      /* -1: unknown */
	int64_t peak_bytes;                       /* highest memory of the run; -1: it has none */
	int64_t samples;                          /* -1: unknown */
	const char *type, *unit;                  /* the value that it is shown by first */
	int64_t total;                            /* of that value */
	struct catalog_function top[CATALOG_TOP]; /* [top_count], the largest first */
	unsigned top_count;
	bool is_truncated;
	size_t warning_count;
};

enum catalog_state {
	CATALOG_FOUND, /* the facts are not known so far */
	CATALOG_READ,  /* facts are filled in */
	CATALOG_FAILED /* `error` says why; the facts are empty */
};

struct catalog_entry {
	const char *path; /* the folder as named, '/' and the way in it: what profile_open takes */
	const char *way;  /* in the folder: the end of the path; "" is the folder itself */
	const char *name; /* the last part of the path */
	uint32_t group;
	/* A job runner's files, output/PROCESS/profiledata/NODE.EXT; NULL elsewhere. */
	const char *node, *kind;
	const char *format; /* name of the format, "" where no format knows it */
	bool is_folder;     /* three blobs of a vmprof-viewer server, or a folder that failed */
	bool is_hidden;     /* it, or a folder on the way to it */
	int64_t size, mtime_ns;
	enum catalog_state state;
	const char *error; /* what cannot be read, and why; NULL: nothing */
	struct catalog_facts facts;
};

/* Entries that stand together: those of a process, or of a folder. */
struct catalog_group {
	const char *path;    /* in the catalog's folder; "" is this folder itself */
	const char *process; /* NULL: it is a folder */
};

struct catalog {
	char *folder; /* as it was named */
	char *real;   /* its path without links; NULL where there is none */
	struct catalog_options options;
	struct catalog_entry *entries; /* [count], in the order they were found */
	size_t count;
	struct catalog_group *groups; /* [group_count] */
	uint32_t group_count;
	size_t file_count;   /* looked at, profiles or not */
	size_t read_count;   /* entries that are not CATALOG_FOUND any more */
	const char *limit;   /* the limit that left something out, in words; NULL: none did */
	const char *error;   /* the folder itself cannot be read; NULL: it can */
	bool is_found;       /* every file was looked at */
	unsigned generation; /* changes whenever an entry does or a new one comes */

	struct catalog_walk *walk; /* of catalog.c; NULL when is_found */
	struct arena arena;
	struct hash_map group_of_path;
	size_t entry_capacity, group_capacity, next;
};

/* Options with the defaults filled in. */
struct catalog_options catalog_options_default(void);

/* Begins; nothing is read so far. `folder` is copied. catalog_free it. */
struct catalog *catalog_open(const char *folder, const struct catalog_options *options);
void catalog_free(struct catalog *catalog); /* NULL is fine */

/*
 * Goes on for about `budget_ns` (at least one step; a profile that is being loaded is loaded to its
 * end, unless options.load.progress stops it: then it is tried again later). INT64_MAX: to the end.
 * False when there is nothing more to do.
 */
bool catalog_step(struct catalog *catalog, int64_t budget_ns);

/* The facts of this entry are read next, then those of the ones behind it. */
void catalog_want(struct catalog *catalog, size_t entry);

/* Whether a folder holds a profile, hidden ones aside; looks no further than its first thousands of
 * files. */
bool catalog_has_profiles(const char *folder);

/*
 * Entries for people: --project is a pattern (of the project, of the process where there is none),
 * --filter a text that is in path, project or function, in any case. NULL: all of them.
 */
struct catalog_filter {
	struct pattern *project;
	const char *text;
};
bool catalog_filter_init(
	struct catalog_filter *filter, const char *project, const char *text, struct vp_error *err);
void catalog_filter_free(struct catalog_filter *filter);
bool catalog_passes(const struct catalog *catalog, const struct catalog_filter *filter,
	const struct catalog_entry *entry);

/* The entries by path; free() it. */
uint32_t *catalog_by_path(const struct catalog *catalog);

/* The folder above, free() it; NULL for the topmost one. */
char *catalog_folder_above(const char *folder);
/* The folder that a file lies in; free() it. */
char *catalog_folder_of(const char *path);

#endif
