/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_VIEWER_BLOBS_H
#define VPTOP_FORMAT_VIEWER_BLOBS_H

#include "base/hash.h"
#include "format/msgpack.h"
#include "profile/builder.h"

/*
 * The three parts of a vmprof-viewer profile, each a MessagePack value in a blob of its own
 * (formats/vmprof-viewer-msgpack.md sections 2 to 4): the CPU tree, the memory samples, the names.
 * They come inside an envelope, as files of a server's folder, or alone.
 */

struct viewer {
	struct builder *builder;
	bool has_tree, has_samples, has_names;
	bool wants_preview; /* the CPU tree is to become builder->preview */
	bool is_glance; /* the tree is for a first picture only: it is read again if it is needed */

	/* The trace at hand, whose prefix the next one shares. */
	uint64_t *address;
	uint8_t *raw;      /* its bytes */
	uint32_t *raw_end; /* raw_end[i]: where those of address[i] end */
	size_t address_capacity, address_count;
	frame_id *tail; /* its frames behind those that it shares */

	/* The tree: its addresses, and the samples that end in each of them. */
	struct hash_map tree_index;
	int64_t *tree_self;
	size_t tree_self_capacity, tree_addresses;
	int64_t tree_total;
	bool tree_has_jit, names_say_pypy;
};

void viewer_init(struct viewer *viewer, struct builder *builder);
void viewer_free(struct viewer *viewer);

/*
 * Each reads one part, whose first head is `first`, from `source`. They keep what was read before
 * the part broke (a warning says so) and return false only where nothing can be made of it, or when
 * the loading was cancelled.
 */
bool viewer_read_tree(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err);
bool viewer_read_samples(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err);
bool viewer_read_names(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err);

/* For the readers of parts: an address as the writers wrote it, and how a part that broke ends. */
bool viewer_address(struct source *source, const struct msgpack_item *item, uint64_t *address,
	struct vp_error *err);
bool viewer_cut(
	struct viewer *viewer, const char *part, const struct vp_error *why, struct vp_error *err);
void viewer_start_preview(struct viewer *viewer);

/* Forgets what viewer_read_tree counted, so that the tree can be read again. */
void viewer_forget_tree(struct viewer *viewer);

/*
 * When all parts are read: uses the tree where there are no samples, checks it against them where
 * there are, and finds the JIT's addresses. False and *err where nothing was read that can be
 * shown.
 */
bool viewer_finish(struct viewer *viewer, struct vp_error *err);

#endif
