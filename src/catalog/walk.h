/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_CATALOG_WALK_H
#define VPTOP_CATALOG_WALK_H

#include "catalog/catalog.h"

/* How a catalog finds its files; catalog.c's own. */

struct catalog_walk *walk_open(void);
void walk_free(struct catalog_walk *walk);

/* Looks at one more file or into one more folder; false when all was seen. */
bool walk_step(struct catalog *catalog);

/* ---- entries (entry.c) -------------------------------------------------- */

/* A file or folder as it was found. */
struct found {
	const char *path; /* of the catalog's folder, '/' and `way` */
	const char *way;  /* in that folder */
	bool is_folder, is_hidden;
	int64_t size, mtime_ns;
};

/*
 * Adds an entry. `format`: what it is, NULL: unknown, then `error` says why. Text is copied.
 */
void entry_add(struct catalog *catalog, const struct found *found, const struct format *format,
	const char *error);

/* Whether a name says that the file is meant to be a profile. */
bool entry_is_named_profile(const char *way);

/* Fills the facts in, or the error. False where the loading was stopped: it is to be done again. */
bool entry_read(struct catalog *catalog, struct catalog_entry *entry);

#endif
