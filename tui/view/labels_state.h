/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_LABELS_STATE_H
#define VPTOP_TUI_VIEW_LABELS_STATE_H

#include "query/pattern.h"
#include "query/tag_sums.h"
#include "view/common.h"
#include "view/table_draw.h"

/* The state of the table of labels, and what labels.c (keys), labels_rows.c (lines) and
 * labels_draw.c (cells) share. */

/* A line: a key, or a value of it. */
struct labels_line {
	uint32_t key;   /* index into sums.list */
	uint32_t value; /* index into sums.values; LABELS_KEY: it is the key's own line */
};

#define LABELS_KEY UINT32_MAX

struct labels_state {
	unsigned generation;
	struct query query;
	bool is_built, has_sums;
	struct tag_sums sums;
	struct labels_line *lines;                     /* those that are shown */
	size_t line_count, line_capacity, value_count; /* value_count: values among them */
	uint8_t *folded;                               /* [sums.keys.count] */
	uint32_t folded_count;
	bool is_by_name, is_reversed;

	struct text pattern;      /* only values that match are shown; length 0: all of them */
	struct pattern *compiled; /* of it; NULL: none */

	size_t cursor, scroll;
	uint64_t wanted; /* hash of the line that the user chose; 0: none */
	struct {
		size_t cursor, scroll;
		uint64_t wanted;
	} kept; /* where a search began */
	struct text scratch, filter;
};

/* How the body is divided; a height of 0: not there. */
struct table_places labels_divide(struct box area);

/* Brings all up to date with the context, and the cursor onto the screen. First thing to call. */
void labels_settle(struct labels_state *state, const struct view_context *context,
	const struct table_places *places);
/* Makes the lines anew: other folds, order or pattern. */
void labels_list(struct labels_state *state);
/* Notes the line below the cursor as the wanted one. */
void labels_note(struct labels_state *state);

const struct tag_key *labels_key(const struct labels_state *state, const struct labels_line *line);
/* NULL on the line of a key. */
const struct tag_value *labels_value(
	const struct labels_state *state, const struct labels_line *line);
/* The name of a key, the text of a value: bytes of the file. */
const char *labels_name(
	const struct labels_state *state, const struct labels_line *line, size_t *length);
/* Whether a pattern matches what the line says. */
bool labels_matches(const struct labels_state *state, const struct labels_line *line,
	const struct pattern *pattern);

void labels_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);
void labels_status(void *opaque, const struct view_context *context, struct text *out);
void labels_explain(void *opaque, const struct view_context *context, struct text *out);

#endif
