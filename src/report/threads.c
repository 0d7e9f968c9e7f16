/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/head.h"

/* How much each thread used. */

struct threads_row {
	uint32_t thread; /* index into profile->threads */
	int64_t value, samples;
};

static int threads_compare(const void *a, const void *b)
{
	const struct threads_row *x = a, *y = b;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* [thread_count] by value down; samples that a filter drops do not count. free() it. */
static struct threads_row *threads_make(const struct report_input *input)
{
	const struct profile *profile = input->profile;
	const struct calltree *tree = input->tree;
	const struct query *query = &input->options->query;
	struct threads_row *rows = memory_new((size_t)profile->thread_count + 1, sizeof *rows);
	bool overflow = false;
	for (uint32_t i = 0; i < profile->thread_count; i++)
		rows[i].thread = i;
	for (size_t i = (size_t)query->first; i < query->last && i < profile->sample_count; i++) {
		uint32_t thread = profile->sample_thread ? profile->sample_thread[i] : 0;
		bool is_dropped = calltree_node_of_sample(tree, i) == NODE_DROPPED;
		if (thread >= profile->thread_count || is_dropped ||
			(query->thread >= 0 && thread != (uint32_t)query->thread))
			continue;
		rows[thread].samples =
			units_add(rows[thread].samples, parts_weight(profile, i), &overflow);
		rows[thread].value = units_add(
			rows[thread].value, profile_value(profile, query->type, i), &overflow);
	}
	qsort(rows, profile->thread_count, sizeof *rows, threads_compare);
	return rows;
}

static const struct table_column threads_columns[] = {
	{"NUMBER", COLUMN_NUMBER, 0, 0},
	{"ID", COLUMN_NUMBER, 0, 0},
	{"SAMPLES", COLUMN_NUMBER, 0, 1},
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"SHARE", COLUMN_NUMBER, 0, 0},
};

static bool threads_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	struct threads_row *rows = threads_make(input);
	struct table table;
	table_init(&table, threads_columns, sizeof threads_columns / sizeof *threads_columns);
	for (uint32_t i = 0; i < input->profile->thread_count; i++) {
		char text[UNIT_SIZE];
		table_cell(&table, units_count(text, (int64_t)rows[i].thread + 1));
		snprintf(text, sizeof text, "0x%" PRIx64,
			input->profile->threads[rows[i].thread].id);
		table_cell(&table, text);
		table_cell(&table, units_count(text, rows[i].samples));
		parts_cell_value(input, &table, rows[i].value);
		parts_cell_percent(&table, (double)rows[i].value, (double)input->tree->base);
	}
	head_text(input, out);
	text_puts(out, "\n");
	if (input->profile->thread_count > 0)
		table_write(&table, out, input->options->columns, input->options->ascii);
	else
		text_puts(out, "This file does not say which thread a sample is of.\n");
	table_free(&table);
	free(rows);
	return true;
}

static bool threads_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	struct threads_row *rows = threads_make(input);
	json_t *array = json_array();
	for (uint32_t i = 0; i < input->profile->thread_count; i++) {
		json_t *row = json_object();
		uint64_t id = input->profile->threads[rows[i].thread].id;
		json_object_set_new(row, "id", json_sprintf("0x%" PRIx64, id));
		json_object_set_new(row, "name", json_null());
		json_object_set_new(row, "value", parts_json_value(input, rows[i].value));
		json_object_set_new(row, "number", json_integer((json_int_t)rows[i].thread + 1));
		json_object_set_new(row, "samples", json_integer(rows[i].samples));
		json_array_append_new(array, row);
	}
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	json_object_set_new(object, "rows", array);
	free(rows);
	return true;
}

const struct report report_threads = {
	.name = "threads",
	.description = "how much each thread used",
	.needs_tree = true,
	.text = threads_text,
	.json = threads_json,
};
