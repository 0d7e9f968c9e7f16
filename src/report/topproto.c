/* SPDX-License-Identifier: MIT */
/*
 * The table of the report top as a profile in pprof's format: a sample for each row, with what it
 * has in all ("cum") and by itself ("flat"), as pprof -topproto writes it. Values are in the base
 * unit of their type, so that nothing is lost; with --unit in that one, cut to whole numbers as
 * pprof does. --divide-by, which is for what is read, changes nothing here, as there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pprof_units.h"
#include "report/export.h"
#include "report/pprof_file.h"

struct top_writer {
	const struct report_input *input; /* with one unit for all values */
	struct pprof_file file;
	struct text name; /* scratch */
	string_id *index; /* of the profile's strings among the file's; 0: not there so far */
};

/* ---- values ---------------------------------------------------------------------------------- */

/* The unit that the values are written in; NULL: that of their type. */
static const char *top_unit(const struct report_input *input)
{
	const char *unit = input->options->unit;
	const bool is_of_each = unit && (strcmp(unit, "auto") == 0 || strcmp(unit, "minimum") == 0);
	return is_of_each ? NULL : unit;
}

static uint64_t top_value(const struct report_input *input, int64_t value)
{
	const struct value_type *type = parts_type(input);
	if (!top_unit(input))
		return (uint64_t)value;
	const double scaled = pprof_units_scale((double)value / (double)units_power(type->decimals),
		type->unit, top_unit(input), NULL);
	if (scaled >= 0x1p63)
		return INT64_MAX;
	return (uint64_t)(scaled < -0x1p63 ? INT64_MIN : (int64_t)scaled);
}

static void top_types(struct top_writer *writer)
{
	struct text unit = {0};
	if (top_unit(writer->input))
		text_puts(&unit, top_unit(writer->input));
	else
		export_unit(parts_type(writer->input), parts_type(writer->input)->unit, &unit);
	pprof_file_type(&writer->file, PROFILE_TYPE, "cum", unit.data);
	pprof_file_type(&writer->file, PROFILE_TYPE, "flat", unit.data);
	text_free(&unit);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static uint64_t top_string(struct top_writer *writer, string_id id)
{
	if (writer->index[id] == 0) {
		size_t length;
		const char *bytes = profile_string(writer->input->profile, id, &length);
		writer->index[id] = strings_add(&writer->file.strings, bytes, length);
	}
	return writer->index[id];
}

/*
 * What a row is called there: in pprof's profiles by its name alone, the file stands beside it; in
 * others, where two may have one name, as the table says.
 */
static uint64_t top_name(struct top_writer *writer, uint32_t row)
{
	const struct calltree *tree = writer->input->tree;
	const struct row *it = &tree->rows[row];
	const bool is_file = tree->query.granularity == BY_FILE;
	if (tree->profile->is_name_function && it->file != 0 && (is_file || it->name == 0))
		return 0;
	if (tree->profile->is_name_function && it->name != 0)
		return top_string(writer, it->name);
	text_clear(&writer->name);
	row_label(tree, row, false, &writer->name);
	return strings_add(&writer->file.strings, writer->name.data, writer->name.length);
}

/* Row number `id` as a function, a location of it and a sample there. */
static void top_record(struct top_writer *writer, const struct function_row *row, uint64_t id)
{
	const struct report_input *input = writer->input;
	const struct row *it = &input->tree->rows[row->row];
	const enum granularity granularity = input->tree->query.granularity;
	struct pprof_file *file = &writer->file;
	const bool is_name = input->profile->is_name_function;
	wire_put_number(&file->message, FUNCTION_ID, id);
	wire_put_number(&file->message, FUNCTION_NAME, top_name(writer, row->row));
	if (granularity != BY_FUNCTION || !is_name)
		wire_put_number(&file->message, FUNCTION_FILE, top_string(writer, it->file));
	pprof_file_put(file, PROFILE_FUNCTION);

	text_clear(&file->inner);
	wire_put_number(&file->inner, LINE_FUNCTION, id);
	if (granularity == BY_LINE || granularity == BY_ADDRESS)
		wire_put_number(&file->inner, LINE_LINE, it->line);
	wire_put_number(&file->message, LOCATION_ID, id);
	if (granularity == BY_ADDRESS)
		wire_put_number(&file->message, LOCATION_ADDRESS, it->address);
	wire_put_message(&file->message, LOCATION_LINE, &file->inner);
	pprof_file_put(file, PROFILE_LOCATION);

	text_clear(&file->packed);
	wire_put_varint(&file->packed, id);
	wire_put_message(&file->message, SAMPLE_LOCATION, &file->packed);
	text_clear(&file->packed);
	wire_put_varint(&file->packed, top_value(input, row->cum));
	wire_put_varint(&file->packed, top_value(input, row->flat));
	wire_put_message(&file->message, SAMPLE_VALUE, &file->packed);
	pprof_file_put(file, PROFILE_SAMPLE);
}

static bool topproto_text(const struct report_input *given, struct text *out, struct vp_error *err)
{
	(void)err;
	struct report_options own;
	struct shown shown = parts_shown(given);
	const struct report_input input = parts_with_unit(given, shown.rows, shown.count, &own);
	struct top_writer writer = {.input = &input};
	writer.index = memory_new(input.profile->strings.count, sizeof *writer.index);
	pprof_file_open(&writer.file, out);
	top_types(&writer);
	for (size_t i = 0; i < shown.count; i++)
		top_record(&writer, &shown.rows[i], i + 1);
	pprof_file_times(&writer.file, input.profile);
	pprof_file_close(&writer.file);
	text_free(&writer.name);
	free(writer.index);
	shown_free(&shown);
	return true;
}

const struct report report_topproto = {
	.name = "topproto",
	.description = "the table of top as a profile in pprof's format",
	.needs_tree = true,
	.is_binary = true,
	.shows_means = true,
	.text = topproto_text,
};
