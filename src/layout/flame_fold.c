/* SPDX-License-Identifier: MIT */
/* Chains of a flame graph: rows that look alike because nothing branches off. */
#include "layout/flame.h"

/* Whether the rows are of frames only, and of the same columns. */
static bool flame_looks_alike(const struct flame *flame, size_t a, size_t b)
{
	const struct flame_row *rows = flame->rows;
	const struct flame_cell *left = flame->cells + rows[a].first;
	const struct flame_cell *right = flame->cells + rows[b].first;
	if (rows[a].count != rows[b].count)
		return false;
	for (uint32_t i = 0; i < rows[a].count; i++)
		if (left[i].coverage > 0 || right[i].coverage > 0 ||
			left[i].column != right[i].column || left[i].width != right[i].width)
			return false;
	return true;
}

static bool flame_is_folded(const struct flame_folding *folding, uint32_t head)
{
	for (size_t i = 0; i < folding->head_count; i++)
		if (folding->heads[i] == head)
			return folding->is_off;
	return !folding->is_off;
}

static uint32_t flame_leftmost(const struct flame *flame, size_t row)
{
	return flame->cells[flame->rows[row].first].node;
}

void flame_fold(struct flame *flame, const struct flame_folding *folding)
{
	struct flame_row *rows = flame->rows;
	size_t kept = 1; /* the zoomed frame's row is in no chain */
	for (size_t first = 1, last; first < flame->row_count; first = last + 1) {
		last = first;
		while (last + 1 < flame->row_count && flame_looks_alike(flame, last, last + 1))
			last++;
		if (last - first >= FLAME_CHAIN &&
			flame_is_folded(folding, flame_leftmost(flame, first))) {
			rows[kept] = rows[last];
			rows[kept++].folded = (uint32_t)(last - first + 1);
			continue;
		}
		for (size_t row = first; row <= last; row++)
			rows[kept++] = rows[row];
	}
	flame->row_count = kept;
}

uint32_t flame_chain(const struct flame *flame, const struct calltree *tree, size_t row)
{
	if (row == 0 || row >= flame->row_count)
		return 0;
	if (flame->rows[row].folded > 0) {
		uint32_t head = flame_leftmost(flame, row);
		for (uint32_t i = 1; i < flame->rows[row].folded; i++)
			head = tree->parent[head];
		return head;
	}
	size_t first = row;
	size_t last = row;
	while (first > 1 && flame_looks_alike(flame, first - 1, row))
		first--;
	while (last + 1 < flame->row_count && flame_looks_alike(flame, last + 1, row))
		last++;
	return last - first >= FLAME_CHAIN ? flame_leftmost(flame, first) : 0;
}

size_t flame_row_at(const struct flame *flame, uint32_t depth)
{
	size_t low = 0;
	size_t high = flame->row_count;
	while (low < high) { /* the first row that ends at this depth or below it */
		size_t middle = low + (high - low) / 2;
		if (flame->rows[middle].depth < depth)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
