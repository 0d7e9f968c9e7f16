/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "format/folded_frame.h"
#include "report/parts.h"

/*
 * The call tree as folded stacks, "root;...;leaf value", in the unit of the value type: all that
 * the query has, nothing pruned. A frame is the row's label, written by the rules of
 * folded_frame.h, so that reading the lines gives the same table: the same labels with the same
 * self and total values.
 *
 * Values below 0 are announced by a first line "# signed", which other tools take for a comment.
 */

#define FOLDED_MAX_OUTPUT ((size_t)16 << 30)

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether names[string_id] alone tell rows apart when they are read again. */
enum { NAME_HAS_FILE = 1, NAME_IS_PLAIN = 2, NAME_IS_TWICE = 4 };

static uint8_t *folded_names(const struct calltree *tree)
{
	uint8_t *names = memory_new(tree->profile->strings.count, 1);
	for (uint32_t i = 1; i < tree->row_count; i++) {
		const struct row *row = &tree->rows[i];
		uint8_t *flags = &names[row->name];
		if (row->file != 0)
			*flags |= NAME_HAS_FILE;
		else if (row->module == 0)
			*flags |= *flags & NAME_IS_PLAIN ? NAME_IS_TWICE : NAME_IS_PLAIN;
	}
	return names;
}

/*
 * The name alone where reading it again makes the same functions of it, with the module where only
 * that tells them apart; else the label. Two rows of the same label become one.
 */
static void folded_row(const struct report_input *input, const uint8_t *names, uint32_t i,
	struct text *scratch, struct text *out)
{
	const struct calltree *tree = input->tree;
	const struct row *row = &tree->rows[i];
	const bool ascii = input->options->ascii;
	const enum granularity granularity = tree->query.granularity;
	const bool is_function =
		row->name != 0 && granularity != BY_FILE && granularity != BY_ADDRESS;
	const bool is_name = is_function && !(names[row->name] & (NAME_HAS_FILE | NAME_IS_TWICE));
	const char *module = NULL, *suffix = NULL;
	struct text cleaned = {0};
	if (is_function && row->module != 0) {
		size_t length;
		const char *bytes = profile_string(tree->profile, row->module, &length);
		suffix = folded_frame_suffix(bytes);
		text_clean(&cleaned, bytes, length, ascii);
		if (!suffix && is_name && row->is_ambiguous)
			module = cleaned.data;
	}
	text_clear(scratch);
	if (is_name)
		row_name(tree, i, ascii, scratch);
	else
		row_label(tree, i, ascii, scratch);
	folded_frame_write(
		out, scratch->data ? scratch->data : "", scratch->length, module, suffix);
	text_free(&cleaned);
}

/* The text of each row, as it stands in a line. */
static struct quoted folded_rows(const struct report_input *input)
{
	const struct calltree *tree = input->tree;
	struct quoted rows = {.end = memory_new(tree->row_count, sizeof *rows.end)};
	struct text scratch = {0};
	uint8_t *names = folded_names(tree);
	for (uint32_t i = 1; i < tree->row_count; i++) {
		folded_row(input, names, i, &scratch, &rows.pool);
		rows.end[i] = rows.pool.length;
	}
	text_free(&scratch);
	free(names);
	return rows;
}

/* ---- lines -------------------------------------------------------------------------------- */

static void folded_line(const struct report_input *input, struct text *out, const struct text *path,
	int64_t value, bool is_json)
{
	if (!is_json) {
		text_add(out, path->data, path->length);
		text_puts(out, " ");
		parts_write_value(input, parts_type(input), value, out);
		text_puts(out, "\n");
		return;
	}
	json_t *stack = parts_string(path->data, path->length);
	char *quoted = json_dumps(stack, JSON_ENCODE_ANY);
	text_printf(out, "{\"stack\": %s, \"value\": ", quoted);
	parts_write_value(input, parts_type(input), value, out);
	text_puts(out, "}");
	free(quoted);
	json_decref(stack);
}

/* The nodes from the root to the one at hand, and how long the line is with each of them. */
struct folded_path {
	uint32_t *node;
	size_t *length;
	size_t depth, node_capacity, length_capacity;
	struct text text;
};

/* Nodes come in pre-order: the parent is on the path. */
static void folded_go_to(struct folded_path *path, const struct calltree *tree,
	const struct quoted *rows, uint32_t node)
{
	while (path->depth > 0 && path->node[path->depth - 1] != tree->parent[node])
		path->depth--;
	path->text.length = path->depth > 0 ? path->length[path->depth - 1] : 0;
	if (path->depth > 0)
		text_puts(&path->text, ";");
	parts_quoted(rows, tree->row[node], &path->text);
	const size_t depth = path->depth++;
	path->node = array_grow(path->node, &path->node_capacity, depth + 1, sizeof *path->node);
	path->length =
		array_grow(path->length, &path->length_capacity, depth + 1, sizeof *path->length);
	path->node[depth] = node;
	path->length[depth] = path->text.length;
}

static bool folded_write(
	const struct report_input *input, bool is_json, struct text *out, struct vp_error *err)
{
	const struct calltree *tree = input->tree;
	struct quoted rows = folded_rows(input);
	struct folded_path path = {0};
	const char *between = is_json ? "\n  " : "";
	bool ok = true;
	text_puts(&path.text, "");
	for (uint32_t node = 0; ok && node < tree->node_count; node++) {
		if (node > 0)
			folded_go_to(&path, tree, &rows, node);
		if (tree->self[node] == 0)
			continue;
		text_puts(out, between);
		folded_line(input, out, &path.text, tree->self[node], is_json);
		between = is_json ? ",\n  " : "";
		ok = out->length < FOLDED_MAX_OUTPUT;
	}
	free(path.node);
	free(path.length);
	text_free(&path.text);
	quoted_free(&rows);
	return ok || error_set(err, ERROR_LIMIT, -1,
			     "more than %zu GiB of lines: the stacks are too deep for this format",
			     FOLDED_MAX_OUTPUT >> 30);
}

static bool folded_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	for (uint32_t node = 0; node < input->tree->node_count; node++) {
		if (input->tree->self[node] >= 0)
			continue;
		text_puts(out, "# signed\n");
		break;
	}
	return folded_write(input, false, out, err);
}

static bool folded_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	return true;
}

static bool folded_json_rest(
	const struct report_input *input, struct text *out, struct vp_error *err)
{
	text_puts(out, "\"stacks\": [");
	const bool ok = folded_write(input, true, out, err);
	text_puts(out, "]");
	return ok;
}

const struct report report_folded = {
	.name = "folded",
	.description = "all stacks as folded lines: root;...;leaf value",
	.needs_tree = true,
	.shows_stacks = true,
	.text = folded_text,
	.json = folded_json,
	.json_rest = folded_json_rest,
};
