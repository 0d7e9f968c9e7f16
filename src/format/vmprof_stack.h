/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_VMPROF_STACK_H
#define VPTOP_FORMAT_VMPROF_STACK_H

#include "profile/builder.h"

/* The entries of vmprof's stack records as frames (formats/vmprof.md sections 4 and 7). */

enum vmprof_layout {
	LAYOUT_OLD,      /* version 0, CPython: tagged ids among native addresses */
	LAYOUT_OLD_PYPY, /* version 0, PyPy: the same with marks around inlined functions */
	LAYOUT_PLAIN,    /* an address a frame */
	LAYOUT_LINES,    /* line and address */
	LAYOUT_PAIRS     /* kind and address (PyPy) */
};

/* Zero-initialise, then set the first three. */
struct vmprof_stacks {
	struct builder *builder;
	size_t addr; /* bytes of an entry: 4 or 8 */
	enum vmprof_layout layout;

	uint64_t *entries; /* of the stack at hand, root first: on disk they are leaf first */
	frame_id *frames;  /* the same as frames */
	size_t entry_count, entry_capacity, frame_capacity;
	size_t native_dropped; /* entries of version 0 that are native and have no names */
};

/* The stack whose entries are at p[depth * addr]. */
stack_id vmprof_stack(struct vmprof_stacks *stacks, const uint8_t *p, size_t depth);
void vmprof_stacks_free(struct vmprof_stacks *stacks);

#endif
