/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "layout/flame.h"
#include "report/head.h"

/* The call tree drawn as a flame graph, the root on top, or nested as JSON. */

enum { FLAME_MOST_ROWS = 60 };

/* ---- text ------------------------------------------------------------------- */

/* What stands for an aggregate: shaded by how much of the cell its frames cover. */
static const char *flame_shade(const struct flame_cell *cell, bool ascii)
{
	if (cell->coverage >= 128)
		return ascii ? ":" : "▒";
	return ascii ? "." : "░";
}

static void flame_blanks(struct text *out, int *used, int column)
{
	text_repeat(out, " ", column - *used);
	*used = column;
}

static void flame_frame(
	const struct report_input *input, const struct flame_cell *cell, struct text *out)
{
	bool ascii = input->options->ascii;
	struct text label = {0};
	text_puts(out, ascii ? "|" : "▏");
	flame_label(input->tree, cell->node, cell->width - 1, ascii, &label);
	if (label.data)
		text_field(out, label.data, label.length, cell->width - 1, false, ascii);
	else
		text_repeat(out, " ", cell->width - 1);
	text_free(&label);
}

/* A bar ends a frame that no other one follows, so that its width can be seen without colour. */
static void flame_row_text(
	const struct report_input *input, const struct flame *flame, size_t row, struct text *line)
{
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	bool ascii = input->options->ascii;
	int used = 0;
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		const struct flame_cell *cell = &cells[i];
		flame_blanks(line, &used, cell->column);
		if (cell->coverage > 0)
			text_puts(line, flame_shade(cell, ascii));
		else
			flame_frame(input, cell, line);
		used = cell->column + cell->width;
		bool is_followed = i + 1 < flame->rows[row].count && cells[i + 1].column == used;
		if (cell->coverage == 0 && !is_followed && used < flame->width) {
			text_puts(line, ascii ? "|" : "▏");
			used++;
		}
	}
	while (line->length > 0 && line->data[line->length - 1] == ' ')
		line->data[--line->length] = 0;
}

static void flame_scale(
	const struct report_input *input, const struct flame *flame, struct text *out)
{
	const struct calltree *tree = input->tree;
	char cell[UNIT_SIZE], total[AMOUNT_SIZE];
	struct text value = {0};
	text_printf(&value, "the full width is %s, one column %s of it",
		parts_amount(input, total, calltree_width(tree, 0)),
		units_percent(cell, 1, flame->width));
	if (input->options->ascii)
		text_puts(&value, "; : and . stand for frames below one column");
	else
		text_puts(&value, "; ▒ and ░ stand for frames below one column");
	head_fact(input, out, "Scale", value.data);
	text_free(&value);
}

static bool flame_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	const struct report_options *options = input->options;
	struct flame flame = flame_layout(input->tree, 0, options->columns, ORDER_SIZE);
	long most = options->node_count < 0 ? FLAME_MOST_ROWS : options->node_count;
	size_t rows = most > 0 && flame.row_count > (size_t)most ? (size_t)most : flame.row_count;
	head_text(input, out);
	flame_scale(input, &flame, out);
	text_puts(out, "\n");
	struct text line = {0};
	for (size_t row = 0; row < rows; row++) {
		text_clear(&line);
		flame_row_text(input, &flame, row, &line);
		text_add(out, line.data, line.length);
		text_puts(out, "\n");
	}
	if (rows < flame.row_count)
		parts_more(input, out, flame.row_count - rows, " rows: --nodecount=0");
	text_free(&line);
	flame_free(&flame);
	return true;
}

/* ---- JSON -------------------------------------------------------------------- */

/* What is still to be written: a node with its children, or the end of one. */
struct flame_step {
	uint32_t node;
	bool is_end, is_first;
};

struct flame_writer {
	struct flame_step *steps;
	size_t count, capacity;
	struct flame_sibling {
		uint32_t node;
		int64_t width;
	} * siblings;
	size_t sibling_count, sibling_capacity;
	int64_t cut; /* smaller frames are left out */
};

static void flame_push(struct flame_writer *writer, struct flame_step step)
{
	writer->steps =
		array_grow(writer->steps, &writer->capacity, writer->count + 1, sizeof step);
	writer->steps[writer->count++] = step;
}

/* As they are drawn: the largest first, equals as first seen. */
static int flame_compare(const void *a, const void *b)
{
	const struct flame_sibling *x = a, *y = b;
	if (x->width != y->width)
		return x->width > y->width ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void flame_push_children(
	struct flame_writer *writer, const struct calltree *tree, uint32_t node)
{
	writer->sibling_count = 0;
	for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child]) {
		const int64_t width = calltree_width(tree, child);
		if (width == 0 || width < writer->cut)
			continue;
		writer->siblings = array_grow(writer->siblings, &writer->sibling_capacity,
			writer->sibling_count + 1, sizeof *writer->siblings);
		writer->siblings[writer->sibling_count++] = (struct flame_sibling){child, width};
	}
	if (writer->sibling_count == 0)
		return;
	qsort(writer->siblings, writer->sibling_count, sizeof *writer->siblings, flame_compare);
	for (size_t i = writer->sibling_count; i-- > 0;)
		flame_push(writer, (struct flame_step){writer->siblings[i].node, false, i == 0});
}

static bool flame_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	return true;
}

/*
 * Stacks may be thousands of frames deep, and jansson writes and frees by recursion: so the nested
 * part is written here, with a stack of its own.
 */
static bool flame_json_rest(
	const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	const struct calltree *tree = input->tree;
	struct quoted names = parts_quote_rows(input);
	struct flame_writer writer = {0};
	double fraction = input->options->node_fraction;
	if (fraction > 0)
		writer.cut =
			(int64_t)((double)calltree_width(tree, 0) * (fraction < 1 ? fraction : 1));
	text_puts(out, "\"root\": ");
	flame_push(&writer, (struct flame_step){0, false, true});
	while (writer.count > 0) {
		struct flame_step step = writer.steps[--writer.count];
		if (step.is_end) {
			text_puts(out, "]}");
			continue;
		}
		text_puts(out, step.is_first ? "{\"name\": " : ",\n{\"name\": ");
		parts_quoted(&names, tree->row[step.node], out);
		text_puts(out, ", \"self\": ");
		parts_write_value(input, parts_type(input), tree->self[step.node], out);
		text_puts(out, ", \"total\": ");
		parts_write_value(input, parts_type(input), tree->total[step.node], out);
		text_puts(out, ", \"children\": [");
		flame_push(&writer, (struct flame_step){step.node, true, false});
		flame_push_children(&writer, tree, step.node);
	}
	free(writer.steps);
	free(writer.siblings);
	quoted_free(&names);
	return true;
}

const struct report report_flame = {
	.name = "flame",
	.description = "the call tree drawn as a flame graph",
	.needs_tree = true,
	.shows_stacks = true,
	.text = flame_text,
	.json = flame_json,
	.json_rest = flame_json_rest,
};
