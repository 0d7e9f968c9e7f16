/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_PARTS_H
#define VPTOP_REPORT_PARTS_H

#include <jansson.h>

#include "report/report.h"
#include "report/table.h"

/* What several reports are made of. */

/* ---- lines of text ------------------------------------------------------ */

/* Cleaned text as one line, cut to the report's width. */
void parts_line(const struct report_input *input, struct text *out, const char *s);

/* A line that says what was left out: "69 more stacks". */
void parts_more(const struct report_input *input, struct text *out, size_t count, const char *what);

/*
 * Cleaned text s[length] over as many lines as it needs, broken at blanks; the first line begins
 * with `first`, the others with as many blanks.
 */
void parts_wrap(const struct report_input *input, struct text *out, const char *first,
	const char *s, size_t length);

/* Adds a foreign string, cleaned; nothing for NULL. */
void parts_clean(const struct report_input *input, struct text *out, const char *s);

/*
 * A value in the unit of the query's type, divided by options->divide_by, and where options->unit
 * is set as pprof writes it (numbers.md 3.2 rule 5).
 */
char *parts_value(const struct report_input *input, char out[UNIT_SIZE], int64_t value);

/* The same with what it counts, for a sentence: "8 280 samples", "49.5 s of time". */
enum { AMOUNT_SIZE = UNIT_SIZE + 48 };
char *parts_amount(const struct report_input *input, char out[AMOUNT_SIZE], int64_t value);

/*
 * The input with the one unit that "minimum" stands for where these rows are printed; other units
 * stay. `own` is what the result points to.
 */
struct report_input parts_with_unit(const struct report_input *input,
	const struct function_row *rows, size_t count, struct report_options *own);

/* The type that the query counts. */
const struct value_type *parts_type(const struct report_input *input);

/* "all > main > run": names of path[count], joined. */
void parts_join(
	const struct report_input *input, const uint32_t *path, size_t count, struct text *out);

/* Cells for a table: the name of a row, and where it is. */
void parts_cell_name(const struct report_input *input, struct table *table, uint32_t row);
/* The same, followed by a mark. */
void parts_cell_marked_name(
	const struct report_input *input, struct table *table, uint32_t row, const char *mark);
void parts_cell_place(const struct report_input *input, struct table *table, uint32_t row);
void parts_cell_value(const struct report_input *input, struct table *table, int64_t value);
void parts_cell_percent(struct table *table, double value, double total);

/* Moments as people read them; `step_ns` is how fine. */
char *parts_moment(
	const struct report_input *input, char out[UNIT_SIZE], uint64_t sample, int64_t step_ns);

/* ---- JSON ---------------------------------------------------------------- */

/* bytes[length] as a JSON string: broken UTF-8 becomes U+FFFD. */
json_t *parts_string(const char *bytes, size_t length);
/* The same as text. */
void parts_write_string(const char *bytes, size_t length, struct text *out);
/* The same for a C string; null for NULL. */
json_t *parts_string_or_null(const char *s);
/* An interned string; null for id 0. */
json_t *parts_interned(const struct report_input *input, string_id id);
/* A value of the query's type, divided by options->divide_by: a whole number where it has no
 * decimals. */
json_t *parts_json_value(const struct report_input *input, int64_t value);
/* A value of any type as it is. */
json_t *parts_json_typed(const struct value_type *type, int64_t value);
/* A value of any type as a plain number in text, divided by options->divide_by. */
void parts_write_value(const struct report_input *input, const struct value_type *type,
	int64_t value, struct text *out);
json_t *parts_integer_or_null(int64_t value, bool known);

/* A row's name as the profile has it; as people see it where it has none. */
json_t *parts_name(const struct report_input *input, uint32_t row);
/* Sets label, name, file, line, module. */
void parts_set_row(const struct report_input *input, json_t *object, uint32_t row);
/* [{"name", "label", "value", "inline"}], and "calls", "primitive_calls" where they are known */
json_t *parts_neighbours(
	const struct report_input *input, const struct neighbour *list, size_t count);
/* Names of path[count]. */
json_t *parts_names(const struct report_input *input, const uint32_t *path, size_t count);

/* A moment for JSON: ISO 8601 on an absolute axis, "+25m50.2s" on a relative one, null without a
 * clock. */
json_t *parts_json_moment(const struct report_input *input, uint64_t sample);

/* Names of all rows as quoted JSON text, for reports that write a name many times. */
struct quoted {
	struct text pool;
	size_t *end; /* [row_count] */
};
struct quoted parts_quote_rows(const struct report_input *input);
void parts_quoted(const struct quoted *quoted, uint32_t row, struct text *out);
void quoted_free(struct quoted *quoted);

/* A number with a fraction, in as few digits as bring it back. */
void parts_real(struct text *out, double value);

/* How often sample i was seen. */
int64_t parts_weight(const struct profile *profile, size_t i);

/* ---- which rows ---------------------------------------------------------- */

/* Nodes of the call tree from below the root to `node`; free() it. */
uint32_t *parts_path(const struct calltree *tree, uint32_t node, size_t *count);

/*
 * Rows in order, and how many of them are to be printed: a row stays if |cum| >= cut, then the
 * first `node_count` stay (numbers.md 3.3 rules 8, 9).
 */
struct shown {
	struct function_row *rows; /* those that stay come first, in order; free() it */
	size_t all, passed, count; /* rows at all, with |cum| >= cut, to be printed */
	bool *kept;   /* by row, those to be printed; NULL: all. Its edges skip the others. */
	int64_t flat; /* sum over what is printed */
	int64_t cut, edge_cut;
};
struct shown parts_shown(const struct report_input *input);
void shown_free(struct shown *shown);

/* As functions_build, without the rows that options->drop_negative leaves out. */
struct function_row *parts_functions(
	const struct report_input *input, enum function_sort sort, size_t *count);

/* The rows that -F names, those of exactly that name first, then by cum; *count; free() it. */
struct function_row *parts_matching(
	const struct report_input *input, size_t *count, struct vp_error *err);

#endif
