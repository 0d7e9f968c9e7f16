/* SPDX-License-Identifier: MIT */
#include "report/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pprof_units.h"
#include "report/calls.h"

/* ---- lines of text ------------------------------------------------------ */

void parts_line(const struct report_input *input, struct text *out, const char *s)
{
	size_t length = strlen(s);
	int columns = input->options->columns;
	if (text_width(s, length) > columns)
		text_field(out, s, length, columns, false, input->options->ascii);
	else
		text_add(out, s, length);
	text_puts(out, "\n");
}

void parts_more(const struct report_input *input, struct text *out, size_t count, const char *what)
{
	char number[UNIT_SIZE];
	struct text line = {0};
	text_printf(&line, "%s more%s", units_count(number, (int64_t)count), what);
	parts_line(input, out, line.data);
	text_free(&line);
}

/* Bytes of s[length] that go into a line of `cells`: up to the last blank that fits. */
static size_t parts_break(const char *s, size_t length, int cells)
{
	int width;
	size_t fits = text_fit(s, length, cells, &width);
	if (fits == length)
		return length;
	for (size_t i = fits + 1; i-- > 1;)
		if (s[i] == ' ')
			return i;
	/* One character has to go out even where the line is narrower than it. */
	uint32_t c;
	return fits > 0 ? fits : utf8_decode(s, length, &c) ? utf8_decode(s, length, &c) : 1;
}

void parts_wrap(const struct report_input *input, struct text *out, const char *first,
	const char *s, size_t length)
{
	int columns = input->options->columns;
	int indent = text_width(first, strlen(first));
	if (indent + 8 > columns) { /* a narrow column: no room for a hanging indent */
		parts_line(input, out, first);
		first = "";
		indent = 0;
	}
	text_puts(out, first);
	while (length > 0) {
		size_t taken = parts_break(s, length, columns - indent);
		size_t shown = taken;
		while (shown > 0 && s[shown - 1] == ' ')
			shown--;
		text_add(out, s, shown);
		text_puts(out, "\n");
		while (taken < length && s[taken] == ' ')
			taken++;
		s += taken;
		length -= taken;
		if (length > 0)
			text_repeat(out, " ", indent);
	}
}

void parts_clean(const struct report_input *input, struct text *out, const char *s)
{
	if (s)
		text_clean(out, s, strlen(s), input->options->ascii);
}

const struct value_type *parts_type(const struct report_input *input)
{
	return &input->profile->types[input->options->query.type];
}

static int64_t parts_divided(const struct report_input *input, int64_t value)
{
	return pprof_units_divided(value, input->options->divide_by);
}

char *parts_value(const struct report_input *input, char out[UNIT_SIZE], int64_t value)
{
	const struct value_type *type = parts_type(input);
	const struct report_options *options = input->options;
	return pprof_units_printed(
		out, value, type->decimals, type->unit, options->divide_by, options->unit);
}

static int64_t parts_size(int64_t value)
{
	return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
}

struct report_input parts_with_unit(const struct report_input *input,
	const struct function_row *rows, size_t count, struct report_options *own)
{
	struct report_input with = *input;
	const struct value_type *type = parts_type(input);
	const double power = (double)units_power(type->decimals);
	int64_t least = 0;
	*own = *input->options;
	with.options = own;
	if (!own->unit || strcmp(own->unit, "minimum") != 0 || count == 0)
		return with;
	for (size_t i = 0; i < count; i++) {
		int64_t size = parts_size(rows[i].flat ? rows[i].flat : rows[i].cum);
		if (size > 0 && (least == 0 || size < least))
			least = size;
	}
	if (least == 0)
		least = input->tree->base;
	own->unit = pprof_units_minimum((double)parts_divided(input, least) / power,
		(double)parts_divided(input, input->tree->base) / power, type->unit, false);
	return with;
}

char *parts_amount(const struct report_input *input, char out[AMOUNT_SIZE], int64_t value)
{
	char number[UNIT_SIZE];
	const struct value_type *type = parts_type(input);
	parts_value(input, number, value);
	if (strcmp(type->unit, "count") == 0)
		snprintf(out, AMOUNT_SIZE, "%s %.40s", number, type->name);
	else
		snprintf(out, AMOUNT_SIZE, "%s of %.40s", number, type->name);
	return out;
}

void parts_join(
	const struct report_input *input, const uint32_t *path, size_t count, struct text *out)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_puts(out, " > ");
		row_name(input->tree, calltree_row(input->tree, path[i]), input->options->ascii,
			out);
	}
}

void parts_cell_marked_name(
	const struct report_input *input, struct table *table, uint32_t row, const char *mark)
{
	table->has_paths = input->options->query.granularity == BY_FILE;
	row_name(input->tree, row, input->options->ascii, &table->pool);
	table_cell(table, mark);
}

void parts_cell_name(const struct report_input *input, struct table *table, uint32_t row)
{
	parts_cell_marked_name(input, table, row, "");
}

void parts_cell_place(const struct report_input *input, struct table *table, uint32_t row)
{
	if (row != 0 && input->options->query.granularity != BY_FILE)
		row_location(input->tree, row, false, input->options->ascii, &table->pool);
	table_cell(table, "");
}

void parts_cell_value(const struct report_input *input, struct table *table, int64_t value)
{
	char text[UNIT_SIZE];
	text_puts(&table->pool, input->is_estimate ? "~" : "");
	table_cell(table, parts_value(input, text, value));
}

void parts_cell_percent(struct table *table, double value, double total)
{
	char text[UNIT_SIZE];
	table_cell(table, units_percent(text, value, total));
}

char *parts_moment(
	const struct report_input *input, char out[UNIT_SIZE], uint64_t sample, int64_t step_ns)
{
	return chart_moment(out, &input->clock, sample, input->is_absolute, step_ns);
}

/* ---- JSON ---------------------------------------------------------------- */

json_t *parts_string(const char *bytes, size_t length)
{
	json_t *string = json_stringn(bytes, length);
	if (string)
		return string;
	struct text repaired = {0};
	for (size_t i = 0; i < length;) {
		uint32_t c;
		size_t size = utf8_decode(bytes + i, length - i, &c);
		if (size)
			text_add(&repaired, bytes + i, size);
		else
			text_puts(&repaired, "\xef\xbf\xbd");
		i += size ? size : 1;
	}
	string = json_stringn(repaired.data, repaired.length);
	text_free(&repaired);
	return string;
}

json_t *parts_string_or_null(const char *s)
{
	return s ? parts_string(s, strlen(s)) : json_null();
}

json_t *parts_interned(const struct report_input *input, string_id id)
{
	if (id == 0)
		return json_null();
	size_t length;
	const char *bytes = profile_string(input->profile, id, &length);
	return parts_string(bytes, length);
}

json_t *parts_json_typed(const struct value_type *type, int64_t value)
{
	if (type->decimals == 0)
		return json_integer(value);
	return json_real((double)value / (double)units_power(type->decimals));
}

json_t *parts_json_value(const struct report_input *input, int64_t value)
{
	return parts_json_typed(parts_type(input), parts_divided(input, value));
}

void parts_write_value(const struct report_input *input, const struct value_type *type,
	int64_t value, struct text *out)
{
	char plain[UNIT_SIZE];
	text_puts(out, units_plain(plain, parts_divided(input, value), type->decimals));
}

json_t *parts_integer_or_null(int64_t value, bool known)
{
	return known ? json_integer(value) : json_null();
}

json_t *parts_name(const struct report_input *input, uint32_t row)
{
	if (row != 0 && input->tree->rows[row].name != 0)
		return parts_interned(input, input->tree->rows[row].name);
	struct text text = {0};
	row_name(input->tree, row, false, &text);
	json_t *name = parts_string(text.data ? text.data : "", text.length);
	text_free(&text);
	return name;
}

static json_t *parts_label(const struct report_input *input, uint32_t row)
{
	struct text text = {0};
	row_label(input->tree, row, false, &text);
	json_t *label = parts_string(text.data ? text.data : "", text.length);
	text_free(&text);
	return label;
}

void parts_set_row(const struct report_input *input, json_t *object, uint32_t row)
{
	const struct row *it = &input->tree->rows[row];
	json_object_set_new(object, "label", parts_label(input, row));
	json_object_set_new(object, "name", parts_name(input, row));
	json_object_set_new(object, "file", parts_interned(input, it->file));
	json_object_set_new(object, "line", json_integer(it->line));
	json_object_set_new(object, "module", parts_interned(input, it->module));
}

json_t *parts_neighbours(
	const struct report_input *input, const struct neighbour *list, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++) {
		if (list[i].row == 0) /* called from outside: no function */
			continue;
		json_t *object = json_object();
		json_object_set_new(object, "name", parts_name(input, list[i].row));
		json_object_set_new(object, "label", parts_label(input, list[i].row));
		json_object_set_new(object, "value", parts_json_value(input, list[i].value));
		if (input->options->query.mean)
			json_object_set_new(object, "mean", parts_json_value(input, list[i].mean));
		json_object_set_new(object, "inline", json_boolean(list[i].is_inlined));
		calls_set(object, list[i].has_calls, list[i].calls, list[i].primitive);
		if (list[i].is_estimate)
			json_object_set_new(object, "estimated", json_true());
		json_array_append_new(array, object);
	}
	return array;
}

json_t *parts_names(const struct report_input *input, const uint32_t *path, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, parts_name(input, calltree_row(input->tree, path[i])));
	return array;
}

json_t *parts_json_moment(const struct report_input *input, uint64_t sample)
{
	const struct clock *clock = &input->clock;
	char text[UNIT_SIZE];
	if (clock->kind == TIME_NONE)
		return json_null();
	int64_t ns = clock_time(clock, sample);
	if (!input->is_absolute)
		return json_string(units_elapsed(text, ns, 1));
	int64_t moment = clock->start_ns + ns;
	int32_t offset = clock->has_offset ? clock->offset_s : units_local_offset(moment);
	return json_string(units_iso8601(text, moment, offset));
}

void parts_write_string(const char *bytes, size_t length, struct text *out)
{
	json_t *string = parts_string(bytes, length);
	char *json = json_dumps(string, JSON_ENCODE_ANY);
	text_puts(out, json ? json : "\"\"");
	free(json);
	json_decref(string);
}

struct quoted parts_quote_rows(const struct report_input *input)
{
	const struct calltree *tree = input->tree;
	struct quoted quoted = {{0}, memory_new(tree->row_count, sizeof *quoted.end)};
	for (uint32_t row = 0; row < tree->row_count; row++) {
		json_t *name = parts_name(input, row);
		size_t size = json_dumpb(name, NULL, 0, JSON_ENCODE_ANY);
		struct text *pool = &quoted.pool;
		pool->data = array_grow(pool->data, &pool->capacity, pool->length + size + 1, 1);
		json_dumpb(name, pool->data + pool->length, size, JSON_ENCODE_ANY);
		pool->length += size;
		quoted.end[row] = pool->length;
		json_decref(name);
	}
	return quoted;
}

void parts_quoted(const struct quoted *quoted, uint32_t row, struct text *out)
{
	size_t start = row > 0 ? quoted->end[row - 1] : 0;
	text_add(out, quoted->pool.data + start, quoted->end[row] - start);
}

void quoted_free(struct quoted *quoted)
{
	text_free(&quoted->pool);
	free(quoted->end);
}

void parts_real(struct text *out, double value)
{
	char digits[40];
	if (value == (double)(int64_t)(value < 9e15 && value > -9e15 ? value : 0)) {
		text_printf(out, "%" PRId64 ".0", (int64_t)value);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	text_puts(out, digits);
	if (!strpbrk(digits, ".en"))
		text_puts(out, ".0");
}

int64_t parts_weight(const struct profile *profile, size_t i)
{
	const struct column *weight = &profile->weight;
	return weight->wide ? weight->wide[i] : weight->narrow ? (int64_t)weight->narrow[i] : 1;
}

/* ---- which rows ---------------------------------------------------------- */

uint32_t *parts_path(const struct calltree *tree, uint32_t node, size_t *count)
{
	*count = 0;
	for (uint32_t i = node; i != 0; i = tree->parent[i])
		++*count;
	uint32_t *path = memory_new(*count + 1, sizeof *path);
	for (size_t i = *count; i-- > 0; node = tree->parent[node])
		path[i] = node;
	return path;
}

static int64_t parts_cut(int64_t sum, double fraction)
{
	double cut = (sum < 0 ? -(double)sum : (double)sum) * fraction;
	return cut < 9e18 ? (int64_t)cut : INT64_MAX;
}

struct function_row *parts_functions(
	const struct report_input *input, enum function_sort sort, size_t *count)
{
	size_t all, kept = 0;
	struct function_row *rows = functions_build(input->tree, sort, &all);
	for (size_t i = 0; i < all; i++)
		if (!input->options->drop_negative || !function_is_negative(&rows[i]))
			rows[kept++] = rows[i];
	*count = kept;
	return rows;
}

/* Where rows were cut pprof shows edges that skip them; for other profiles they are not there. */
static bool *parts_kept(const struct report_input *input, const struct shown *shown)
{
	if (!input->profile->is_name_function || shown->count == shown->all)
		return NULL;
	bool *kept = memory_new(input->tree->row_count, sizeof *kept);
	for (size_t i = 0; i < shown->count; i++)
		kept[shown->rows[i].row] = true;
	return kept;
}

struct shown parts_shown(const struct report_input *input)
{
	const struct report_options *options = input->options;
	double node_fraction = options->node_fraction < 0 ? 0.005 : options->node_fraction;
	double edge_fraction = options->edge_fraction < 0 ? 0.001 : options->edge_fraction;
	long most = options->node_count < 0 ? 80 : options->node_count;
	struct shown shown = {0};
	bool overflow = false;
	int64_t sum = 0;
	shown.rows = parts_functions(input, options->sort, &shown.all);
	for (size_t i = 0; i < shown.all; i++)
		sum = units_add(sum, shown.rows[i].flat_sum, &overflow);
	shown.cut = parts_cut(sum, node_fraction);
	shown.edge_cut = parts_cut(sum, edge_fraction);
	for (size_t i = 0; i < shown.all; i++)
		if (parts_size(shown.rows[i].cum_sum) >= shown.cut)
			shown.rows[shown.passed++] = shown.rows[i];
	shown.count = shown.passed;
	if (most > 0 && shown.count > (size_t)most)
		shown.count = (size_t)most;
	for (size_t i = 0; i < shown.count; i++)
		shown.flat = units_add(shown.flat, shown.rows[i].flat, &overflow);
	shown.kept = parts_kept(input, &shown);
	return shown;
}

void shown_free(struct shown *shown)
{
	free(shown->rows);
	free(shown->kept);
	*shown = (struct shown){0};
}

/* Whether the row is called exactly as the user wrote. */
static bool parts_is_named(const struct report_input *input, uint32_t row, const char *name)
{
	size_t length;
	const char *bytes = profile_string(input->profile, input->tree->rows[row].name, &length);
	return length == strlen(name) && memcmp(bytes, name, length) == 0;
}

struct function_row *parts_matching(
	const struct report_input *input, size_t *count, struct vp_error *err)
{
	const char *pattern = input->options->function;
	*count = 0;
	if (!pattern || !*pattern) {
		error_set(err, ERROR_USAGE, -1,
			"this report needs a function: -F NAME (a regular expression)");
		return NULL;
	}
	size_t matched = 0, all;
	struct vp_error problem = {.code = ERROR_NONE};
	uint32_t *rows = rows_matching(input->tree, pattern, &matched, &problem);
	if (!rows && problem.code != ERROR_NONE) {
		*err = problem;
		return NULL;
	}
	bool *wanted = memory_new(input->tree->row_count, sizeof *wanted);
	for (size_t i = 0; rows && i < matched; i++)
		wanted[rows[i]] = true;
	free(rows);
	struct function_row *list = parts_functions(input, SORT_CUM, &all);
	struct function_row *found = memory_new(all + 1, sizeof *found);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < all; i++)
			if (wanted[list[i].row] && list[i].row != 0 &&
				parts_is_named(input, list[i].row, pattern) == (pass == 0))
				found[(*count)++] = list[i];
	free(list);
	free(wanted);
	if (*count == 0) {
		free(found);
		error_set(err, ERROR_USAGE, -1, "no function that was sampled matches %.200s",
			pattern);
		return NULL;
	}
	return found;
}
