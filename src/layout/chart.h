/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_LAYOUT_CHART_H
#define VPTOP_LAYOUT_CHART_H

#include "base/units.h"
#include "query/timeline.h"

/* A timeline as columns of cells, with its axes (screens.md 3.2). One bin is one column. */

enum chart_series { SERIES_MAX, SERIES_MEAN, SERIES_BOTH };

enum chart_ink {
	INK_NONE,
	INK_MEAN,       /* also the one series of SERIES_MAX: solid ink */
	INK_MAX,        /* from the mean up to the max, always whole cells */
	INK_MEAN_ON_MAX /* the cell with the top of the mean, where the max goes on above it */
};

struct chart_cell {
	uint8_t ink;    /* enum chart_ink */
	uint8_t eighth; /* 1..8: how much of the cell is filled from below (8: all of it) */
};

enum { CHART_LABEL_SIZE = 48 };

struct chart_tick {
	/* Column; or row whose upper edge has the value (`height`: the x axis). */
	int position;
	char text[CHART_LABEL_SIZE];
};

enum { MAX_CHART_TICKS = 64 };

struct chart {
	int width, height;
	int64_t top;              /* bytes at the upper edge; 0 is the lower edge */
	struct chart_cell *cells; /* [height][width], row 0 on top */
	struct chart_tick y[MAX_CHART_TICKS];
	int y_count;
	char y_unit[8]; /* "GiB": what the y labels are in */
	struct chart_tick x[MAX_CHART_TICKS];
	int x_count;
	int64_t x_step; /* ns between the labels (samples with TIME_NONE); 0: none fits */
};

/*
 * Draws bins[count], one a column (count <= width; empty bins leave a blank column), into width x
 * height cells. A bin may stand in several columns side by side.
 * `clock` and `is_absolute` place the labels of the x axis; first..last are the samples shown.
 */
struct chart chart_layout(const struct bin *bins, size_t count, int width, int height,
	enum chart_series series, const struct clock *clock, bool is_absolute, uint64_t first,
	uint64_t last);
void chart_free(struct chart *chart);

/* The column where the label of x[i] begins: centred below its tick, inside the chart. */
int chart_label_column(const struct chart *chart, int i);

/*
 * The character of a cell: U+2581..2588 for the mean, U+2591 for the max, ' ' for nothing; '#' and
 * ':' when ascii; `no_eighths`: full and shade blocks only.
 */
uint32_t chart_glyph(struct chart_cell cell, bool ascii, bool no_eighths);

/*
 * A moment of the run as the axis, status lines and reports write it: clock time or "+25m50s", by
 * `is_absolute`; `step_ns`: how fine. `~` in front where the clock is an estimate.
 */
char *chart_moment(char out[UNIT_SIZE], const struct clock *clock, uint64_t sample,
	bool is_absolute, int64_t step_ns);

#endif
