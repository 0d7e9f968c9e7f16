/* SPDX-License-Identifier: MIT */
#include "layout/flame.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * Rows are made from the top: the spans of one row give the cells and the spans of the next. A span
 * is a frame whose callees may still show: every frame that owns a column, and the ones below a
 * cell that are at least an eighth of a cell wide, of which there are at most eight a column. So a
 * row costs its cells and their children, however large the tree is below them.
 */

enum {
	FLAME_CELL = 256,             /* positions are counted in 1/256 of a column */
	FLAME_SHOWN = FLAME_CELL / 8, /* less than this of a cell is not marked */
	FLAME_OFFSET_BITS = 43,       /* offset * 4096 columns * FLAME_CELL stays below 2^63 */
	FLAME_FEW = 24,               /* up to so many children are sorted by insertion */
};

struct flame_span {
	uint32_t node;
	int64_t start, end; /* offsets in the zoomed node */
};

struct flame_child {
	uint64_t key; /* what to sort by, smallest first */
	uint32_t node;
};

struct flame_named {
	const char *name;
	size_t length;
	uint32_t node;
};

/* What the frames below one cell add up to in one column of the row being made. */
struct flame_pile {
	int64_t value, largest;
	uint32_t node, frames;
	int coverage;
};

struct flame_work {
	const struct calltree *tree;
	struct flame *flame;
	enum flame_order order;
	int shift;     /* offsets are cut by so many bits before they are scaled */
	int64_t whole; /* value of the zoomed node, shifted */
	struct flame_span *spans, *next;
	size_t span_count, span_capacity, next_count, next_capacity;
	struct flame_child *children, *scratch;
	size_t child_capacity, scratch_capacity;
	struct flame_named *named;
	size_t named_capacity;
	struct flame_cell *row; /* frames of the row being made */
	size_t row_count, row_capacity;
	struct flame_pile *piles;  /* [width] */
	int pile_first, pile_last; /* columns touched; none where last < first */
};

/*
 * Where an offset lies, in 1/256 of a column, rounded down. It never falls as the offset grows, and
 * (position + 128) / 256 is the edge rounded half up, exactly: rounding down twice is rounding down
 * once.
 */
static int64_t flame_position(const struct flame_work *work, int64_t offset)
{
	return (offset >> work->shift) * work->flame->width * FLAME_CELL / work->whole;
}

static int flame_edge(int64_t position)
{
	return (int)((position + FLAME_CELL / 2) / FLAME_CELL);
}

/* ---- order of siblings --------------------------------------------------- */

static void flame_insertion_sort(struct flame_child *children, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct flame_child child = children[i];
		size_t j = i;
		for (; j > 0 && children[j - 1].key > child.key; j--)
			children[j] = children[j - 1];
		children[j] = child;
	}
}

/*
 * Sorts by key in time proportional to count, a byte of the key at a time, and keeps the order of
 * equals. Bytes that all keys share cost one look.
 */
static void flame_radix_sort(struct flame_work *work, size_t count)
{
	work->scratch =
		array_grow(work->scratch, &work->scratch_capacity, count, sizeof *work->scratch);
	for (int shift = 0; shift < 64; shift += 8) {
		size_t start[257] = {0};
		for (size_t i = 0; i < count; i++)
			start[(work->children[i].key >> shift & 255) + 1]++;
		if (start[(work->children[0].key >> shift & 255) + 1] == count)
			continue;
		for (int byte = 0; byte < 256; byte++)
			start[byte + 1] += start[byte];
		for (size_t i = 0; i < count; i++) {
			const struct flame_child child = work->children[i];
			work->scratch[start[child.key >> shift & 255]++] = child;
		}
		struct flame_child *other = work->children;
		work->children = work->scratch;
		work->scratch = other;
		size_t capacity = work->child_capacity;
		work->child_capacity = work->scratch_capacity;
		work->scratch_capacity = capacity;
	}
}

static int flame_compare_names(const void *left, const void *right)
{
	const struct flame_named *a = left;
	const struct flame_named *b = right;
	size_t shorter = a->length < b->length ? a->length : b->length;
	int order = shorter ? memcmp(a->name, b->name, shorter) : 0;
	if (order)
		return order;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static struct flame_named flame_named(const struct calltree *tree, uint32_t node)
{
	struct flame_named named = {.node = node};
	named.name = profile_string(tree->profile, tree->rows[tree->row[node]].name, &named.length);
	return named;
}

static void flame_sort_by_name(struct flame_work *work, size_t count)
{
	const struct calltree *tree = work->tree;
	work->named = array_grow(work->named, &work->named_capacity, count, sizeof *work->named);
	for (size_t i = 0; i < count; i++)
		work->named[i] = flame_named(tree, work->children[i].node);
	qsort(work->named, count, sizeof *work->named, flame_compare_names);
	for (size_t i = 0; i < count; i++)
		work->children[i].node = work->named[i].node;
}

static int flame_compare_siblings(
	const struct calltree *tree, enum flame_order order, uint32_t a, uint32_t b)
{
	if (order == ORDER_NAME) {
		struct flame_named names[] = {flame_named(tree, a), flame_named(tree, b)};
		return flame_compare_names(&names[0], &names[1]);
	}
	if (order == ORDER_SIZE && calltree_width(tree, a) != calltree_width(tree, b))
		return calltree_width(tree, a) > calltree_width(tree, b) ? -1 : 1;
	return a < b ? -1 : a > b;
}

int flame_compare_frames(
	const struct calltree *tree, enum flame_order order, uint32_t a, uint32_t b)
{
	while (tree->parent[a] != tree->parent[b]) {
		a = tree->parent[a];
		b = tree->parent[b];
	}
	return flame_compare_siblings(tree, order, a, b);
}

/* Puts the children of a node that weigh something into work->children, in order; their count. */
static size_t flame_gather(struct flame_work *work, uint32_t node)
{
	const struct calltree *tree = work->tree;
	size_t count = 0;
	for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child]) {
		int64_t weight = calltree_width(tree, child);
		if (weight == 0)
			continue;
		if (count == work->child_capacity)
			work->children = array_grow(work->children, &work->child_capacity,
				count + 1, sizeof *work->children);
		work->children[count++] =
			(struct flame_child){.key = ~(uint64_t)weight, .node = child};
	}
	if (count < 2 || work->order == ORDER_FIRST)
		return count;
	if (work->order == ORDER_NAME)
		flame_sort_by_name(work, count);
	else if (count <= FLAME_FEW)
		flame_insertion_sort(work->children, count);
	else
		flame_radix_sort(work, count);
	return count;
}

/* ---- rows ------------------------------------------------------------------ */

static void flame_push(struct flame_work *work, uint32_t node, int64_t start, int64_t end)
{
	if (work->tree->end[node] == node + 1)
		return;
	work->next = array_grow(
		work->next, &work->next_capacity, work->next_count + 1, sizeof *work->next);
	work->next[work->next_count++] = (struct flame_span){node, start, end};
}

static void flame_pile_up(struct flame_work *work, uint32_t node, int64_t low, int64_t high)
{
	int last_column = work->flame->width - 1;
	int64_t value = calltree_width(work->tree, node);
	int from = (int)(low / FLAME_CELL);
	int to = high > low ? (int)((high - 1) / FLAME_CELL) : from;
	for (int column = from; column <= to && column <= last_column; column++) {
		int64_t left = (int64_t)column * FLAME_CELL;
		int64_t right = left + FLAME_CELL;
		int64_t covered = (high < right ? high : right) - (low > left ? low : left);
		struct flame_pile *pile = &work->piles[column];
		pile->coverage += (int)covered;
		pile->frames++;
		pile->value += value;
		if (pile->frames == 1 || value > pile->largest) {
			pile->largest = value;
			pile->node = node;
		}
		if (column < work->pile_first)
			work->pile_first = column;
		if (column > work->pile_last)
			work->pile_last = column;
	}
}

static void flame_place(struct flame_work *work, uint32_t node, int64_t start, int64_t end)
{
	int64_t low = flame_position(work, start);
	int64_t high = flame_position(work, end);
	int column = flame_edge(low);
	int width = flame_edge(high) - column;
	if (width > 0) {
		work->row = array_grow(
			work->row, &work->row_capacity, work->row_count + 1, sizeof *work->row);
		work->row[work->row_count++] = (struct flame_cell){
			.node = node,
			.column = (uint16_t)column,
			.width = (uint16_t)width,
			.value = work->tree->total[node],
		};
		flame_push(work, node, start, end);
		return;
	}
	flame_pile_up(work, node, low, high);
	if (high - low >= FLAME_SHOWN)
		flame_push(work, node, start, end);
}

static void flame_append(struct flame *flame, struct flame_cell cell)
{
	flame->cells = array_grow(
		flame->cells, &flame->cell_capacity, flame->cell_count + 1, sizeof *flame->cells);
	flame->cells[flame->cell_count++] = cell;
}

/* Writes the row's frames and, between them, the piles that show; false when there was neither. */
static bool flame_end_row(struct flame_work *work)
{
	struct flame *flame = work->flame;
	size_t first = flame->cell_count;
	size_t i = 0;
	for (int column = work->pile_first; column <= work->pile_last; column++) {
		while (i < work->row_count && work->row[i].column <= column)
			flame_append(flame, work->row[i++]);
		bool is_owned = i > 0 && work->row[i - 1].column + work->row[i - 1].width > column;
		struct flame_pile *pile = &work->piles[column];
		if (!is_owned && pile->coverage >= FLAME_SHOWN)
			flame_append(flame, (struct flame_cell){
						    .node = pile->node,
						    .column = (uint16_t)column,
						    .width = 1,
						    .coverage = (uint16_t)pile->coverage,
						    .frames = pile->frames,
						    .value = pile->value,
					    });
		*pile = (struct flame_pile){0};
	}
	while (i < work->row_count)
		flame_append(flame, work->row[i++]);
	work->row_count = 0;
	work->pile_first = flame->width;
	work->pile_last = -1;
	if (flame->cell_count == first)
		return false;
	flame->rows = array_grow(
		flame->rows, &flame->row_capacity, flame->row_count + 1, sizeof *flame->rows);
	flame->rows[flame->row_count] = (struct flame_row){
		.first = (uint32_t)first,
		.count = (uint32_t)(flame->cell_count - first),
		.depth = (uint32_t)flame->row_count,
	};
	flame->row_count++;
	return true;
}

/* Makes the row below the spans of work->spans; false when nothing of it would show. */
static bool flame_next_row(struct flame_work *work)
{
	struct flame_span *spans = work->next;
	work->next = work->spans;
	work->spans = spans;
	size_t capacity = work->next_capacity;
	work->next_capacity = work->span_capacity;
	work->span_capacity = capacity;
	work->span_count = work->next_count;
	work->next_count = 0;
	for (size_t i = 0; i < work->span_count; i++) {
		struct flame_span span = work->spans[i];
		size_t count = flame_gather(work, span.node);
		int64_t start = span.start;
		for (size_t c = 0; c < count; c++) {
			uint32_t child = work->children[c].node;
			int64_t weight = calltree_width(work->tree, child);
			/* Sums that saturated must not push children out of their parent. */
			int64_t end = weight < span.end - start ? start + weight : span.end;
			if (end > start)
				flame_place(work, child, start, end);
			start = end;
		}
	}
	return flame_end_row(work);
}

struct flame flame_layout(
	const struct calltree *tree, uint32_t zoom, int width, enum flame_order order)
{
	struct flame flame = {.width = width < 1 ? 1 : width > 4096 ? 4096 : width, .zoom = zoom};
	int64_t total = calltree_width(tree, zoom);
	struct flame_work work = {.tree = tree,
		.flame = &flame,
		.order = order,
		.pile_first = flame.width,
		.pile_last = -1};
	while (total >> work.shift >> FLAME_OFFSET_BITS)
		work.shift++;
	work.whole = total >> work.shift;
	work.piles = memory_new((size_t)flame.width, sizeof *work.piles);

	flame_append(&flame,
		(struct flame_cell){
			.node = zoom, .width = (uint16_t)flame.width, .value = tree->total[zoom]});
	flame.rows = array_grow(NULL, &flame.row_capacity, 1, sizeof *flame.rows);
	flame.rows[flame.row_count++] = (struct flame_row){.first = 0, .count = 1};
	if (total > 0)
		flame_push(&work, zoom, 0, total);
	while (work.next_count && flame_next_row(&work))
		;

	free(work.spans);
	free(work.next);
	free(work.children);
	free(work.scratch);
	free(work.named);
	free(work.row);
	free(work.piles);
	return flame;
}

void flame_free(struct flame *flame)
{
	free(flame->cells);
	free(flame->rows);
	*flame = (struct flame){0};
}

const struct flame_cell *flame_at(const struct flame *flame, size_t row, int column)
{
	if (row >= flame->row_count)
		return NULL;
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	size_t low = 0;
	size_t high = flame->rows[row].count;
	while (low < high) { /* the first cell that ends behind the column */
		size_t middle = low + (high - low) / 2;
		if (cells[middle].column + cells[middle].width <= column)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == flame->rows[row].count || cells[low].column > column)
		return NULL;
	return &cells[low];
}
