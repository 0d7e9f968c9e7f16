/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_TREE_H
#define VPTOP_PROFILE_TREE_H

#include <stdint.h>

/*
 * Renumbers a tree of count >= 1 nodes in pre-order; parent[i] < i for i > 0, node 0 is the root.
 * new_id[i] gets the new number of node i, end[j] (by new number) one past the last node below j.
 * Siblings keep their order. Two passes, no recursion, no links.
 */
void tree_preorder(const uint32_t *parent, uint32_t count, uint32_t *new_id, uint32_t *end);

/*
 * The parents of a tree that is in pre-order, from end[count] alone. Returns the depth of its
 * deepest node; that of the root is 0.
 */
uint32_t tree_parents(const uint32_t *end, uint32_t count, uint32_t *parent);

/*
 * The lowest common ancestor of two nodes of a tree in pre-order (parent and end as above). In
 * pre-order all nodes between two are below it, so the smallest and the largest of a set speak for
 * all of them.
 */
uint32_t tree_common(const uint32_t *parent, const uint32_t *end, uint32_t a, uint32_t b);

#endif
