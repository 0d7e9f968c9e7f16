/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "query/tag_sums.h"
#include "report/head.h"

/* How much the samples with each label amount to (numbers.md 3.2 rule 8). */

static bool tags_sum(const struct report_input *input, struct tag_sums *sums, struct vp_error *err)
{
	const struct tag_options options = {.show = input->options->tag_show,
		.hide = input->options->tag_hide,
		.unit = input->options->unit};
	return tag_sums_build(sums, input->tree, &options, err);
}

/* How many values of a key are printed. */
static uint32_t tags_most(const struct report_input *input, uint32_t count)
{
	const long most = input->options->node_count;
	return most > 0 && count > (unsigned long)most ? (uint32_t)most : count;
}

/* ---- text ----------------------------------------------------------------------------------- */

static const struct table_column tags_columns[] = {
	{"VALUE", COLUMN_NUMBER, 0, 0},
	{"OF ALL", COLUMN_NUMBER, 0, 0},
	{"OF KEY", COLUMN_NUMBER, 0, 1},
	{"LABEL", COLUMN_TEXT, 12, 0},
};

static void tags_clean(const struct report_input *input, struct table *table, const char *bytes,
	size_t length, const char *rest)
{
	text_clean(&table->pool, bytes, length, input->options->ascii);
	table_cell(table, rest);
}

static void tags_text_key(const struct report_input *input, const struct tag_sums *sums,
	const struct tag_key *key, struct table *table)
{
	const double base = (double)input->tree->base;
	const uint32_t most = tags_most(input, key->count);
	size_t length;
	const char *name = profile_string(input->profile, sums->keys.keys[key->key].key, &length);
	parts_cell_value(input, table, key->value);
	parts_cell_percent(table, (double)key->value, base);
	table_cell(table, "");
	tags_clean(input, table, name, length, ":");
	for (uint32_t i = 0; i < most; i++) {
		const struct tag_value *value = &sums->values[key->first + i];
		parts_cell_value(input, table, value->value);
		parts_cell_percent(table, (double)value->value, base);
		parts_cell_percent(table, (double)value->value, (double)key->value);
		text_puts(&table->pool, "  ");
		tags_clean(input, table, sums->text.data + value->text, value->length, "");
	}
	if (most < key->count) {
		char number[UNIT_SIZE];
		for (int i = 0; i < 3; i++)
			table_cell(table, "");
		text_printf(&table->pool, "  %s more values",
			units_count(number, (int64_t)key->count - most));
		table_cell(table, "");
	}
	table_rule(table);
}

static bool tags_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct tag_sums sums;
	if (!tags_sum(input, &sums, err))
		return false;
	struct table table;
	table_init(&table, tags_columns, sizeof tags_columns / sizeof *tags_columns);
	for (uint32_t i = 0; i < sums.count; i++)
		tags_text_key(input, &sums, &sums.list[i], &table);
	head_text(input, out);
	text_puts(out, "\n");
	if (sums.count > 0)
		table_write(&table, out, input->options->columns, input->options->ascii);
	else
		parts_line(input, out,
			input->profile->label_count > 0
				? "No sample that is counted has a label."
				: "The samples of this file have no labels.");
	table_free(&table);
	tag_sums_free(&sums);
	return true;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static double tags_share(int64_t value, int64_t total)
{
	return total != 0 ? (double)value / (double)total : 0;
}

static void tags_json_value(const struct report_input *input, const struct tag_sums *sums,
	const struct tag_key *key, const struct tag_value *value, struct text *out)
{
	text_puts(out, "{\"value\": ");
	parts_write_string(sums->text.data + value->text, value->length, out);
	text_puts(out, ", \"weight\": ");
	parts_write_value(input, parts_type(input), value->value, out);
	text_puts(out, ", \"share\": ");
	parts_real(out, tags_share(value->value, input->tree->base));
	text_puts(out, ", \"share_of_key\": ");
	parts_real(out, tags_share(value->value, key->value));
	if (value->has_number)
		text_printf(out, ", \"least\": %" PRId64 ", \"most\": %" PRId64, value->least,
			value->most);
	text_puts(out, "}");
}

static void tags_json_key(const struct report_input *input, const struct tag_sums *sums,
	const struct tag_key *key, struct text *out)
{
	const struct label_key *label = &sums->keys.keys[key->key];
	const char *unit = label_unit(&sums->keys, key->key);
	const uint32_t most = tags_most(input, key->count);
	size_t length;
	const char *name = profile_string(input->profile, label->key, &length);
	text_puts(out, "{\"key\": ");
	parts_write_string(name, length, out);
	text_puts(out, ", \"unit\": ");
	if (label->has_numbers)
		parts_write_string(unit, strlen(unit), out);
	else
		text_puts(out, "null");
	text_puts(out, ", \"total\": ");
	parts_write_value(input, parts_type(input), key->value, out);
	text_puts(out, ", \"share\": ");
	parts_real(out, tags_share(key->value, input->tree->base));
	text_printf(out, ", \"value_count\": %" PRIu32 ", \"values\": [", key->count);
	for (uint32_t i = 0; i < most; i++) {
		text_puts(out, i > 0 ? ",\n    " : "\n    ");
		tags_json_value(input, sums, key, &sums->values[key->first + i], out);
	}
	text_puts(out, "]}");
}

static bool tags_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	(void)err;
	json_object_set_new(object, "total", parts_json_value(input, input->tree->base));
	return true;
}

static bool tags_json_rest(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct tag_sums sums;
	if (!tags_sum(input, &sums, err))
		return false;
	text_puts(out, "\"tags\": [");
	for (uint32_t i = 0; i < sums.count; i++) {
		text_puts(out, i > 0 ? ",\n  " : "\n  ");
		tags_json_key(input, &sums, &sums.list[i], out);
	}
	text_puts(out, "]");
	tag_sums_free(&sums);
	return true;
}

const struct report report_tags = {
	.name = "tags",
	.description = "how much the samples with each label amount to",
	.needs_tree = true,
	.text = tags_text,
	.json = tags_json,
	.json_rest = tags_json_rest,
};
