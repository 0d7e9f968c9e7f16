/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_REPORT_H
#define VPTOP_REPORT_REPORT_H

#include "base/error.h"
#include "base/text.h"
#include "layout/chart.h"
#include "query/query.h"
#include "query/timeline.h"

/*
 * Reports: the same results as the screens, as text or JSON. A report is a constant struct in a
 * file of its own, and one line in the table of report.c.
 */

enum time_axis { TIME_AUTO, TIME_ABSOLUTE, TIME_RELATIVE };

struct report_options {
	struct query query;
	enum clock_choice clock;
	enum time_axis time;
	enum chart_series series; /* --mem */
	enum function_sort sort;
	int bins;              /* 0: one a sample; -1: the reference server's; else how many */
	bool is_bins_given;    /* the user said --bins: the timeline's text lists them */
	const char *at;        /* report bin: moment; NULL: the peak */
	const char *from, *to; /* as typed; query.first and last are set from them */
	const char *function;  /* -F */
	long node_count;       /* 0: everything; -1: the report's own default */
	double node_fraction, edge_fraction; /* < 0: the report's own default */
	bool no_trim;                    /* neither node count nor fractions leave anything out */
	double divide_by;                /* 0: 1 */
	const char *unit;                /* of values in text; NULL: the one that fits each */
	bool drop_negative;              /* rows below 0 */
	bool call_tree;                  /* --call-tree: dot and others by places in the tree */
	const char *tag_show, *tag_hide; /* patterns of keys of labels that are printed or not */
	int columns;                     /* width of text */
	bool ascii;                      /* no character above 127 */
};

/* What a report reads; made once by report_run. */
struct report_input {
	const struct profile *profile;
	const struct report_options *options;
	struct calltree *tree;   /* NULL for a report that needs none */
	struct pyramid *pyramid; /* NULL likewise */
	struct clock clock;
	bool is_absolute; /* the time axis in force */
	bool is_estimate; /* what the report prints of rows or stacks is estimated, by
			     calltree_is_estimate */
};

/* Values of report_options.bins that are no number of bins. */
enum { BINS_EACH_SAMPLE = 0, BINS_VIEWER = -1 };

struct json_t;

struct report {
	const char *name, *description;
	bool needs_tree, needs_timeline;
	bool is_binary;     /* not for a terminal */
	bool shows_stacks;  /* its values are those of places in the tree, not of functions */
	bool shows_inlined; /* it says which calls were inlined */
	bool shows_means;   /* its values need not add up: --mean is possible */
	/* Adapts the options before anything is built; may be NULL. */
	void (*prepare)(const struct profile *profile, struct report_options *options);
	bool (*text)(const struct report_input *input, struct text *out, struct vp_error *err);
	/* Adds its keys to `object`, which has the common head already. NULL: it has no such form.
	 */
	bool (*json)(const struct report_input *input, struct json_t *object, struct vp_error *err);
	/*
	 * Adds one more member, `"key": value`, as text: what is too deep or too long for a tree of
	 * JSON values. May be NULL.
	 */
	bool (*json_rest)(const struct report_input *input, struct text *out, struct vp_error *err);
};

extern const struct report report_summary, report_top, report_tree, report_peek, report_traces,
	report_flame, report_timeline, report_bin, report_threads, report_callers, report_callees,
	report_info, report_folded, report_raw, report_pprof, report_dot, report_callgrind,
	report_comments, report_tags, report_diff, report_topproto;

extern const struct report *const report_table[]; /* NULL-ended */
const struct report *report_find(const char *name);

/* Runs a report into `out`; `json` chooses the form. */
bool report_run(const struct report *report, const struct profile *profile,
	const struct report_options *options, bool json, struct text *out, struct vp_error *err);

/* Writes an object as JSON, the rows of an array a line each, safe for terminals. */
void report_write_json(struct json_t *object, struct text *out);

/* The object that an error prints with --format=json. */
void report_json_error(const struct vp_error *error, struct text *out);

#endif
