/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_COMMON_H
#define VPTOP_TUI_VIEW_COMMON_H

#include "base/units.h"
#include "view/view.h"

/* What several views draw alike. `scratch` is a text of the caller that is cleared here. */

/* Below this size, which the app never gives them, views draw nothing at all. */
enum { VIEW_LEAST_WIDTH = 30, VIEW_LEAST_HEIGHT = 3 };
bool common_is_too_small(struct box area);

/* Nothing to show, in words: draws the reason into the middle of `area` and returns true. */
bool common_empty(const struct view_context *context, struct canvas *canvas, struct box area);

/* A value of the tree's type for people: "12 360", "41m12s", "576 MiB". */
char *common_value(char out[UNIT_SIZE], const struct calltree *tree, int64_t value);
/* The same with ~ before it where it is an estimate. */
char *common_estimate(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, bool is_estimate);
/* A value, and a share, of a place in the tree: an estimate by calltree_is_estimate. */
char *common_place_value(char out[UNIT_SIZE], const struct calltree *tree, int64_t value);
char *common_place_share(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, int64_t whole);
/* "100", "100/20" where 20 of the calls are no recursion (pstats.md section 3). */
char *common_calls(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t calls, int64_t primitive);
/* Whether figures of functions are estimates here; those of places in the tree may be where these
 * are not (calltree_is_estimate). */
bool common_rows_are_estimates(const struct calltree *tree);
/* Why a call graph's tree is an estimate, a sentence or two; "" for other profiles. */
const char *common_estimate_note(const struct calltree *tree);
/* What shares are of, as a value; never with a sign. */
char *common_base(char out[UNIT_SIZE], const struct calltree *tree);
/* Cells of a column of values: `usual`, or more where a unit was asked for that makes them long. */
int common_value_width(const struct calltree *tree, int usual);
/* Whether values of the tree are changes: they can be below 0. */
bool common_is_change(const struct calltree *tree);
/* What value is of the tree's base: "12.3%"; a change has its sign: "+12.3%", "-0.4%". */
char *common_share(char out[UNIT_SIZE], const struct calltree *tree, int64_t value);
/* The same of another whole, say the zoomed frame. */
char *common_share_of(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, int64_t whole);
/* What such values are: "samples", "CPU time", "growth". */
const char *common_noun(const struct calltree *tree);

/* A sentence about values that are not what they seem; "" for the others. */
const char *common_explanation(const struct calltree *tree);

/* Whether nothing is left out: no time window, thread or filter. */
bool common_is_whole(const struct view_context *context);
/* What percentages are of, after "4 951 samples": " in the window", "" for the whole run. */
const char *common_scope(const struct view_context *context);
/* A sentence, with a blank before it, on what filters do to percentages; "" where there are none.
 */
const char *common_filter_note(const struct view_context *context);

/* A pattern for pattern_compile that ignores case unless it has an upper case letter; to be freed.
 */
char *common_smart_case(const char *text);

/*
 * Which rows of the tree match a pattern as the user types it, that is with common_smart_case:
 * [tree->row_count], 1 where name, file or module do; to be freed. NULL and *err for a bad pattern.
 */
uint8_t *common_match(const struct calltree *tree, const char *pattern, struct vp_error *err);

/* The name of a row, NUL-ended, valid until the next use of `scratch`. */
const char *common_name(const struct view_context *context, uint32_t row, struct text *scratch);
/* Where it is: "dir/file.py:12", the whole path when the context or `full` says so. */
const char *common_location(
	const struct view_context *context, uint32_t row, bool full, struct text *scratch);

/*
 * The frames below `above` (one of node's callers; 0: from the root on) down to `node`: path[] gets
 * the innermost ones, at most `most`, outermost first; returns how many there are in all.
 */
uint32_t common_path(
	const struct calltree *tree, uint32_t above, uint32_t node, uint32_t *path, uint32_t most);

/* Those frames in one line of at most `cells`: "main › run › … › copy"; both ends are kept. */
void common_chain(const struct view_context *context, uint32_t above, uint32_t node, int cells,
	struct text *out);
/* The same chain drawn, hits of the search marked; returns the cells used. */
int common_draw_chain(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, enum role role, uint32_t above, uint32_t node, struct text *scratch);

/*
 * The frames of a stack as a numbered list, outermost first; the innermost ones are kept where
 * there is no room. Returns the lines used.
 */
int common_stack(const struct view_context *context, struct canvas *canvas, struct box area,
	uint32_t node, enum role role, struct text *scratch);
/* The same with the cursor on one of its frames, `marked` (0: on none). */
int common_stack_marked(const struct view_context *context, struct canvas *canvas, struct box area,
	uint32_t node, uint32_t marked, enum role role, struct text *scratch);
/* How many frames of such a list there are in `height` lines; *skipped: how many lines are before
 * them. */
int common_stack_frames(const struct calltree *tree, uint32_t node, int height, int *skipped);

/* What the colour of a frame says; in a difference only whether it became more or less. */
enum colouring {
	COLOUR_BY_MODULE,
	COLOUR_BY_NAME,
	COLOUR_BY_SELF,
	COLOUR_BY_NOTHING,
	COLOURING_COUNT
};
const char *common_colouring_name(enum colouring colouring);

/*
 * The role of a frame: a hue and shade that depend on names alone, so that they are the same in
 * every run and on every machine; but never the role `beside` of the frame to its left, and not
 * that of its caller, `above`, if there is a choice.
 */
enum role common_frame_role(const struct calltree *tree, uint32_t node, enum colouring colouring,
	enum role beside, enum role above);

/* The role of a cell that is drawn already; ROLE_NORMAL outside. */
enum role common_role_at(const struct canvas *canvas, int x, int y);

/* A hash of the name alone; of the address where there is none. */
uint64_t common_name_hash(const struct calltree *tree, const struct row *row);
/* A hash of what a row is called, for finding it again in another tree. */
uint64_t common_row_hash(const struct calltree *tree, uint32_t row);

/* The node of a row with the largest total; 0 where there is none. */
uint32_t common_largest_node(const struct calltree *tree, uint32_t row);

/* The sample below `node` with the most memory (without memory: the first one); -1: none. */
int64_t common_sample_of_node(const struct view_context *context, uint32_t node);

/* The frame that was running in a sample; 0 where its stack is empty or left out by a filter. */
uint32_t common_node_of_sample(const struct view_context *context, int64_t sample);

/* How finely moments are written when `samples` samples are one step. */
int64_t common_step(const struct clock *clock, uint64_t samples);

/*
 * The axes of a chart in `area`: CHART_LEFT columns of labels on the left, CHART_BOTTOM rows below
 * it. `has_values`: with the chart's cells and the y axis.
 */
enum { CHART_LEFT = 7, CHART_BOTTOM = 2 };
void common_chart(const struct view_context *context, struct canvas *canvas, struct box area,
	const struct chart *chart, const struct bin *bins, size_t count, bool has_values);

/* How the name of a row looks that the search hits: LOOK_ bits, 0 for the others. */
int common_look(const struct view_context *context, uint32_t row);

/*
 * Marks the row of a table that the cursor is on: a pointer at its left edge, and its name. Nothing
 * else of it changes, so that a cursor that moves costs few bytes.
 */
void common_mark_row(struct canvas *canvas, int left, struct box name);

/* Draws `text` in at most `cells`, with an ellipsis where it is cut; returns the cells used. */
int common_text(struct canvas *canvas, int x, int y, int cells, enum role role, const char *text);
/* The same for a text whose end says most. */
int common_text_end(
	struct canvas *canvas, int x, int y, int cells, enum role role, const char *text);
/* The same for a row's name, of which the most telling part is kept; a hit of the search is marked.
 */
int common_draw_name(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, enum role role, uint32_t row, struct text *scratch);
/* The same for a location: without its folder before it is cut, since file and line say most;
 * with long names asked for, as much of the path as there is room for. */
int common_draw_location(const struct view_context *context, struct canvas *canvas, int x, int y,
	int cells, uint32_t row, struct text *scratch);

/* Writes a line of `text` that is wrapped at blanks into `area`; returns the lines used. */
int common_wrap(struct canvas *canvas, struct box area, enum role role, const char *text);

#endif
