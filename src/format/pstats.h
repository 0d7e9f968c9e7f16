/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_PSTATS_H
#define VPTOP_FORMAT_PSTATS_H

#include "profile/builder.h"

/*
 * Makes stacks of the builder's graph of calls, which has none: an estimate (pstats_tree.c). The
 * builder has one value type of its own, nanoseconds; what it gets as samples adds up to
 * callgraph->total_ns.
 */
void pstats_tree_build(struct builder *builder);

#endif
