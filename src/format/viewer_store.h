/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_VIEWER_STORE_H
#define VPTOP_FORMAT_VIEWER_STORE_H

#include "format/format.h"

/*
 * A folder of a vmprof-viewer server (vmprof-viewer-msgpack.md section 5): cpu, mem and
 * addr_name_map, each `.msgpack.gz` (or gunzipped), with Django's `_AbC123x` before the extension
 * where the name was taken. Period, start and project are not in it.
 */

/* Whether the folder at `path` holds any of the three. */
bool viewer_store_is(const char *path);

/* Whether a file of that name would be one of the three. */
bool viewer_store_is_part(const char *file);

bool viewer_store_read(const char *path, const struct source_limits *limits,
	struct builder *builder, struct vp_error *err);

#endif
