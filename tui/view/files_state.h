/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_FILES_STATE_H
#define VPTOP_TUI_VIEW_FILES_STATE_H

#include "query/pattern.h"
#include "view/common.h"
#include "view/table_draw.h"

/*
 * The state of the list of a folder's profiles, and what files.c (keys), files_rows.c (which rows,
 * in what order), files_draw.c (cells), files_detail.c, files_find.c and files_words.c share.
 */

enum files_sort {
	FILES_BY_NAME,
	FILES_BY_START,
	FILES_BY_LENGTH,
	FILES_BY_TOTAL,
	FILES_BY_SIZE,
	FILES_SORT_COUNT
};

/* A line of the list: a group, or one of its profiles. */
struct files_row {
	bool is_group;
	uint32_t index;  /* of the catalog's groups or entries */
	uint32_t within; /* profiles of the group, as far as they are shown */
};

struct files_state {
	/* Of what the rows are. */
	const struct catalog *catalog;
	unsigned generation;
	bool is_stale; /* sort, filter or folds changed */

	struct files_row *rows;
	size_t count, capacity;
	size_t profile_count; /* rows that are profiles, those of folded groups as well */
	bool has_groups;      /* groups have a row of their own */

	size_t cursor, scroll;
	bool is_chosen;     /* the user moved the cursor: it stays on its row's path */
	struct text wanted; /* path of the row below the cursor, "/" behind a group's */

	enum files_sort sort;
	bool is_reversed;
	struct text pattern; /* of `narrow`, "": none */
	struct pattern *filter;
	struct pattern *finder;
	bool is_folded_by_default;
	uint64_t *folded; /* hashes of the paths of groups that are not as usual */
	size_t folded_count, folded_capacity;

	char **marked; /* paths, in the order they were marked */
	size_t marked_count, marked_capacity;
	uint32_t files[2]; /* of reactions */
	uint32_t *list;    /* of reactions */

	struct {
		size_t cursor, scroll;
	} kept;
	struct text scratch;
};

/* Columns, from the left; width 0: left out. */
struct files_columns {
	int name, name_x;
	int kind, kind_x, start, start_x, length, length_x, samples, samples_x, total, total_x,
		size, size_x;
	bool has_date; /* the start has the year, too */
};

struct table_places files_divide(struct box area);
struct files_columns files_choose_columns(const struct files_state *state, int width);

/* How many lines the detail of the selected row has, the rule included; 0: none. */
int files_detail_height(struct box area);
void files_draw_detail(struct files_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area);

/* Makes the rows anew where the catalog or the view's own settings changed. */
void files_refresh(struct files_state *state, const struct view_context *context);
/* Refreshes, and puts cursor and scroll right. */
void files_settle(struct files_state *state, const struct view_context *context,
	const struct table_places *places);
/* The row below the cursor is what the user chose. */
void files_note(struct files_state *state, const struct view_context *context);

bool files_is_folded(
	const struct files_state *state, const struct catalog *catalog, uint32_t group);
void files_fold(
	struct files_state *state, const struct catalog *catalog, uint32_t group, bool fold);

/* Which place in the order of marking an entry has, from 1; 0: it is not marked. */
size_t files_mark(const struct files_state *state, const struct catalog_entry *entry);

/* The entry below the cursor; NULL: it is a group, or there is none. */
const struct catalog_entry *files_selected(
	const struct files_state *state, const struct view_context *context);

/* What is searched and filtered by: the path in the folder, project and function. */
bool files_matches(
	const struct pattern *pattern, const struct catalog_entry *entry, struct text *scratch);

/* Whether it is the profile that is open. */
bool files_is_open(const struct view_context *context, const struct catalog_entry *entry);

/* The time that stands in the list: the start of the run, else when the file was written. */
int64_t files_time(const struct catalog_entry *entry, bool *is_start);

/* "2026-11-30 11:30:05", without the seconds, or without the year as well. */
void files_add_time(struct text *out, const struct catalog_entry *entry, bool has_year);

const char *files_sort_name(const struct files_state *state);
void files_sort_by(struct files_state *state, enum files_sort sort);
/* A reaction that there is nothing more to do for. */
struct reaction files_reaction(void);

void files_clear_filter(struct files_state *state);
bool files_narrow(
	void *state, const struct view_context *context, const char *pattern, struct vp_error *err);
enum found files_find(void *state, const struct view_context *context, struct box area,
	const char *text, enum find where, struct vp_error *err);
void files_go_to_line(void *state, const struct view_context *context, uint64_t line);
struct reaction files_point(void *state, const struct view_context *context, struct box area,
	const struct pointer *pointer);

void files_draw(
	void *state, const struct view_context *context, struct canvas *canvas, struct box area);
void files_status(void *state, const struct view_context *context, struct text *out);
void files_explain(void *state, const struct view_context *context, struct text *out);

#endif
