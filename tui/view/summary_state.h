/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_SUMMARY_STATE_H
#define VPTOP_TUI_VIEW_SUMMARY_STATE_H

#include "view/summary_facts.h"

/* The state of the summary, and what summary.c (keys) and summary_draw.c (cells) share. */

enum { SUMMARY_MOST_ROWS = 64 };

/* What the cursor can stand on, from top to bottom; the two tables stand side by side. */
enum summary_section {
	SUMMARY_WARNINGS,
	SUMMARY_MEMORY,
	SUMMARY_SELF,
	SUMMARY_TOTAL,
	SUMMARY_STACK,
	SUMMARY_SECTIONS
};

struct summary_table {
	struct function_row rows[SUMMARY_MOST_ROWS];
	int count, shown; /* shown: by the last drawing */
};

struct summary_state {
	unsigned generation;
	struct query query;
	bool is_built;
	struct summary_table tables[2]; /* self, total */
	bool has_peak;
	struct bin peak;        /* the whole window as one bin */
	uint32_t stack;         /* the stack at the peak, without memory the heaviest one */
	bool is_stack_filtered; /* a filter leaves it out */
	int stack_shown;        /* frames of it; as `shown` */

	struct bin *bins;
	size_t bin_count, bin_capacity;
	struct chart chart;
	bool has_chart;
	bool is_absolute;
	enum chart_series series;

	bool has_moved;           /* the user did: only then something is selected */
	bool has_cursor, is_page; /* is_page: all warnings fill the body */
	size_t page_first;        /* the first warning on that page */
	enum summary_section section;
	int index; /* line of a table or of the stack */
	struct {
		bool has_moved, has_cursor;
		enum summary_section section;
		int index;
	} kept; /* where a search began */
	struct text scratch;
};

/* How the body is divided; a height of 0: not there. */
struct summary_places {
	struct box facts, warnings, memory, self, total, stack;
};

/* Brings all up to date, collects the facts, says where things are. First thing to call. */
struct summary_places summary_prepare(struct summary_state *state,
	const struct view_context *context, struct box area, struct summary_facts *facts);

/* On how many lines of a section the cursor can stand. After summary_prepare. */
int summary_lines(const struct summary_state *state, enum summary_section section);
/* Whether the cursor can stand on a section at all. */
bool summary_is_there(const struct summary_state *state, const struct summary_places *places,
	enum summary_section section);
/* The frame of the stack on its line `i`; 0: there is none. */
uint32_t summary_stack_node(
	const struct summary_state *state, const struct view_context *context, int i);

void summary_draw(
	void *opaque, const struct view_context *context, struct canvas *canvas, struct box area);

#endif
