/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_RESTRICT_H
#define VPTOP_TUI_RESTRICT_H

#include "profile/clock.h"
#include "query/query.h"

/*
 * What is left out of the pictures, the same in all views: filters, time window, thread; and how
 * fine the rows are. Each change makes the call tree anew or counts it again; where that fails
 * nothing changes.
 */

struct app;

enum restriction {
	RESTRICT_FILTER, /* + enum filter_kind */
	RESTRICT_WINDOW = FILTER_COUNT,
	RESTRICT_THREAD,
	RESTRICT_TAG_ROOT, /* no restriction but another profile: values of labels are frames */
	RESTRICT_TAG_LEAF,
	RESTRICT_COUNT
};

struct restrictions {
	char *filters[FILTER_COUNT]; /* owned; NULL: none */
	char *from, *to;             /* as clock_parse reads them, owned; NULL: the run's ends */
	char thread[24];             /* its id; "": all */
	char *tag_root, *tag_leaf;   /* keys of labels with commas, owned; NULL: none */
	enum granularity granularity;
	bool no_inlines;                        /* inlined frames count as their callers */
	enum restriction added[RESTRICT_COUNT]; /* those in force, in the order they came */
	unsigned added_count;
};

/* From the command line's options. */
void restrict_init(struct restrictions *restrictions, const struct query *query, const char *from,
	const char *to, const char *thread);
/* Labels that are frames from the start. */
void restrict_init_labels(
	struct restrictions *restrictions, const char *tag_root, const char *tag_leaf);
void restrict_free(struct restrictions *restrictions);

/* The query they make of a profile; false and *err (ERROR_USAGE) where they do not fit it. */
bool restrict_query(const struct app *app, const struct profile *profile, const struct clock *clock,
	struct query *query, struct vp_error *err);

/* Each of them: NULL or "" takes the restriction away. */
bool restrict_filter(
	struct app *app, enum filter_kind kind, const char *pattern, struct vp_error *err);
bool restrict_window(struct app *app, const char *from, const char *to, struct vp_error *err);
bool restrict_samples(struct app *app, uint64_t first, uint64_t last, struct vp_error *err);
bool restrict_thread(struct app *app, const char *id, struct vp_error *err);
bool restrict_granularity(struct app *app, enum granularity granularity, struct vp_error *err);
bool restrict_inlines(struct app *app, bool no_inlines, struct vp_error *err);
/* RESTRICT_TAG_ROOT or RESTRICT_TAG_LEAF: keys with commas. */
bool restrict_labels(
	struct app *app, enum restriction which, const char *keys, struct vp_error *err);

void restrict_remove(struct app *app, enum restriction restriction);
/* The one that came last; false: there is none. */
bool restrict_remove_last(struct app *app);

/* "focus", "show from": as chips, menus and prompts call a filter. */
const char *restrict_filter_name(enum filter_kind kind);
const char *restrict_granularity_name(enum granularity granularity);

/* What one chip of the context line says; nothing is added where it is not in force. */
void restrict_describe(const struct app *app, enum restriction restriction, struct text *out);

#endif
