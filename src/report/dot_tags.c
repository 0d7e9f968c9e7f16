/* SPDX-License-Identifier: MIT */
#include "report/dot_tags.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pprof_units.h"
#include "query/graph_parts.h"
#include "report/dot_text.h"

enum { TAGS_SHOWN = 4 };

/* One box. */
struct tag_box {
	char *name;
	uint32_t label; /* of its texts */
	int64_t value;  /* of a number */
	int64_t flat, cum, flat_divisor, cum_divisor;
	uint64_t size, second; /* what boxes are sorted by */
};

struct tags_of_node {
	const struct amounts *amounts;
	const struct graph *graph;
	uint32_t node;
	bool is_flat; /* the node calls others: what these have is theirs */
	struct text *out;
};

static int64_t tags_value(const struct tag_box *box, bool is_flat)
{
	return is_flat ? calltree_mean(box->flat, box->flat_divisor)
		       : calltree_mean(box->cum, box->cum_divisor);
}

static int tags_compare(const void *a, const void *b)
{
	const struct tag_box *x = a, *y = b;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void tags_sort(struct tag_box *boxes, size_t count, bool is_flat)
{
	for (size_t i = 0; i < count; i++) {
		boxes[i].size = graph_size(is_flat ? boxes[i].flat : boxes[i].cum);
		boxes[i].second = is_flat ? 0 : graph_size(boxes[i].flat);
	}
	if (count > 0)
		qsort(boxes, count, sizeof *boxes, tags_compare);
}

static void tags_free(struct tag_box *boxes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(boxes[i].name);
	free(boxes);
}

/* The boxes of one kind: of texts (number 0), or of the numbers below a text. */
static struct tag_box *tags_collect(const struct tags_of_node *of, const struct graph_tag *tags,
	size_t count, bool are_numbers, uint32_t label, size_t *found)
{
	struct tag_box *boxes = memory_new(count, sizeof *boxes);
	*found = 0;
	for (size_t i = 0; i < count; i++) {
		const struct graph_tag *tag = &tags[i];
		if ((tag->number != 0) != are_numbers || (are_numbers && tag->label != label))
			continue;
		boxes[(*found)++] = (struct tag_box){
			.name = memory_copy_string(
				graph_label(of->graph, are_numbers ? tag->number : tag->label)),
			.label = tag->label,
			.value = tag->value,
			.flat = tag->flat,
			.cum = tag->cum,
			.flat_divisor = tag->flat_divisor,
			.cum_divisor = tag->cum_divisor};
	}
	tags_sort(boxes, *found, of->is_flat);
	return boxes;
}

/* ---- groups of numbers ----------------------------------------------------------------------- */

/* What a group is called: its number, or the least and the greatest of them. */
static char *tags_range(const struct tags_of_node *of, int64_t least, int64_t most, bool is_one)
{
	char from[UNIT_SIZE], to[UNIT_SIZE], name[2 * UNIT_SIZE + 4];
	const char *unit = of->graph->labels.number_unit;
	pprof_units_value(from, (double)least, unit, "auto");
	pprof_units_value(to, (double)most, unit, "auto");
	snprintf(name, sizeof name, is_one ? "%s" : "%s..%s", from, to);
	return memory_copy_string(name);
}

/* The first few numbers take each of the others to the nearest of them. */
static size_t tags_group(const struct tags_of_node *of, struct tag_box *boxes, size_t count)
{
	int64_t least[TAGS_SHOWN], most[TAGS_SHOWN];
	bool is_one[TAGS_SHOWN], overflow = false;
	if (count <= TAGS_SHOWN)
		return count;
	for (size_t i = 0; i < TAGS_SHOWN; i++) {
		least[i] = most[i] = boxes[i].value;
		is_one[i] = true;
	}
	for (size_t i = TAGS_SHOWN; i < count; i++) {
		size_t nearest = 0;
		double best = 0;
		for (size_t k = 0; k < TAGS_SHOWN; k++) {
			double distance = (double)boxes[i].value - (double)boxes[k].value;
			distance = distance < 0 ? -distance : distance;
			if (k == 0 || distance < best) {
				best = distance;
				nearest = k;
			}
		}
		struct tag_box *into = &boxes[nearest];
		is_one[nearest] = false;
		if (boxes[i].value < least[nearest])
			least[nearest] = boxes[i].value;
		if (boxes[i].value > most[nearest])
			most[nearest] = boxes[i].value;
		into->flat = units_add(into->flat, boxes[i].flat, &overflow);
		into->cum = units_add(into->cum, boxes[i].cum, &overflow);
		into->flat_divisor =
			units_add(into->flat_divisor, boxes[i].flat_divisor, &overflow);
		into->cum_divisor = units_add(into->cum_divisor, boxes[i].cum_divisor, &overflow);
	}
	for (size_t i = 0; i < TAGS_SHOWN; i++) {
		free(boxes[i].name);
		boxes[i].name = tags_range(of, least[i], most[i], is_one[i]);
	}
	for (size_t i = TAGS_SHOWN; i < count; i++) {
		free(boxes[i].name);
		boxes[i].name = NULL;
	}
	tags_sort(boxes, TAGS_SHOWN, of->is_flat);
	return TAGS_SHOWN;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void tags_box(const struct tags_of_node *of, const char *from, const char *to,
	const struct tag_box *box, int64_t value, const char *style)
{
	char amount[UNIT_SIZE];
	struct text name = {0};
	amounts_value(of->amounts, amount, value);
	dot_escape(&name, box->name, strlen(box->name));
	text_printf(of->out,
		"%s [label = \"%s\" id=\"%s\" fontsize=8 shape=box3d tooltip=\"%s\"]\n", to,
		name.data ? name.data : "", to, amount);
	text_printf(of->out,
		"%s -> %s [label=\" %s\" weight=100 tooltip=\"%s\" labeltooltip=\"%s\"%s]\n", from,
		to, amount, amount, amount, style);
	text_free(&name);
}

static bool tags_numbers(const struct tags_of_node *of, const struct graph_tag *tags, size_t count,
	uint32_t label, const char *from)
{
	size_t found;
	bool has_any = false;
	struct tag_box *boxes = tags_collect(of, tags, count, true, label, &found);
	const size_t shown = tags_group(of, boxes, found);
	for (size_t i = 0; i < shown; i++) {
		const bool is_flat =
			of->is_flat || tags_value(&boxes[i], true) == tags_value(&boxes[i], false);
		const int64_t value = tags_value(&boxes[i], is_flat);
		char to[80];
		snprintf(to, sizeof to, "N%s_%zu", from, i);
		if (value != 0)
			tags_box(
				of, from, to, &boxes[i], value, is_flat ? "" : " style=\"dotted\"");
		has_any |= value != 0;
	}
	tags_free(boxes, found);
	return has_any;
}

bool dot_tags(const struct amounts *amounts, const struct graph *graph, uint32_t node,
	const struct graph_tag *tags, size_t count, struct text *out)
{
	struct tags_of_node of = {.amounts = amounts,
		.graph = graph,
		.node = node,
		.is_flat = graph->out.start[node + 1] > graph->out.start[node],
		.out = out};
	char from[24];
	size_t found;
	bool has_any = false;
	if (count == 0)
		return false;
	struct tag_box *boxes = tags_collect(&of, tags, count, false, 0, &found);
	snprintf(from, sizeof from, "N%" PRIu32, node + 1);
	for (size_t i = 0; i < found && i < TAGS_SHOWN; i++) {
		const int64_t value = tags_value(&boxes[i], of.is_flat);
		char to[40];
		if (value == 0)
			continue;
		snprintf(to, sizeof to, "%s_%zu", from, i);
		tags_box(&of, from, to, &boxes[i], value, "");
		tags_numbers(&of, tags, count, boxes[i].label, to);
		has_any = true;
	}
	has_any |= tags_numbers(&of, tags, count, 0, from);
	tags_free(boxes, found);
	return has_any;
}
