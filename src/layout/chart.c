/* SPDX-License-Identifier: MIT */
#include "layout/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MINUTE (60 * NS_PER_S)
#define NS_PER_HOUR (3600 * NS_PER_S)
#define NS_PER_DAY (86400 * NS_PER_S)

enum {
	CHART_GAP = 3,         /* blanks between two labels of the x axis, at least */
	CHART_MOST_LABELS = 6, /* of the y axis */
};

/* ---- y axis ------------------------------------------------------------------ */

/* Steps of labels in hundredths of the unit: 1, 2, 2.5, 5 times a power of ten. */
static const int chart_nice_steps[] = {1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000,
	2500, 5000, 10000, 20000, 25000, 50000, 100000};

/* The unit in which the number before the point has one to three digits. */
static double chart_unit(double value, char name[8])
{
	static const char *const names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double unit = 1024;
	size_t i = 0;
	for (; value >= 1000 * unit && i + 1 < sizeof names / sizeof *names; i++)
		unit *= 1024;
	snprintf(name, 8, "%s", names[i]);
	return unit;
}

/*
 * Chooses the label step (in hundredths) and how many steps there are from 0 to the upper edge: the
 * one that wastes the least height, and of those the one with more labels, but at least two rows
 * apart.
 */
static int chart_choose_step(double hundredths, int height, int *step_count)
{
	int most = height / 2 < CHART_MOST_LABELS - 1 ? height / 2 : CHART_MOST_LABELS - 1;
	if (most < 1)
		most = 1;
	int least = most >= 2 ? 2 : 1;
	int best = 0;
	for (size_t i = 0; i < sizeof chart_nice_steps / sizeof *chart_nice_steps; i++) {
		int step = chart_nice_steps[i];
		double needed = ceil(hundredths / step);
		if (needed > most)
			continue;
		int count = needed < least ? least : (int)needed;
		if (best == 0 || step * count < best * *step_count) {
			best = step;
			*step_count = count;
		}
	}
	return best;
}

static void chart_y_axis(struct chart *chart, int64_t most)
{
	double unit = chart_unit((double)most, chart->y_unit);
	double hundredths = most > 0 ? (double)most * 100 / unit : 100;
	int step_count = 1;
	int step = chart_choose_step(hundredths, chart->height, &step_count);
	if (step == 0) { /* more than 5000 EiB: hostile, but a chart all the same */
		step = (int)ceil(hundredths);
		step_count = 1;
	}
	double top = ceil((double)step * step_count * unit / 100);
	chart->top = top < 9.2e18 ? (int64_t)top : INT64_MAX;
	int decimals = step % 100 == 0 ? 0 : step % 10 == 0 ? 1 : 2;
	for (int i = 0; i <= step_count; i++) {
		struct chart_tick *tick = &chart->y[chart->y_count++];
		tick->position = chart->height - (i * chart->height + step_count / 2) / step_count;
		snprintf(tick->text, sizeof tick->text, "%.*f", decimals, step * i / 100.0);
		if (i == 0)
			snprintf(tick->text, sizeof tick->text, "0");
	}
}

/* ---- columns ----------------------------------------------------------------- */

static struct chart_cell *chart_at(struct chart *chart, int column, int from_bottom)
{
	int row = chart->height - 1 - from_bottom;
	return &chart->cells[(size_t)row * (size_t)chart->width + (size_t)column];
}

/* Height of a value in eighths of a cell; what is not nothing shows. */
static int chart_eighths(const struct chart *chart, double value)
{
	int all = chart->height * 8;
	double eighths = floor(value / (double)chart->top * all + 0.5);
	if (value > 0 && eighths < 1)
		eighths = 1;
	return eighths > all ? all : eighths < 0 ? 0 : (int)eighths;
}

static void chart_solid(struct chart *chart, int column, int eighths)
{
	for (int cell = 0; cell * 8 < eighths; cell++) {
		int filled = eighths - cell * 8;
		*chart_at(chart, column, cell) = (struct chart_cell){
			.ink = INK_MEAN, .eighth = (uint8_t)(filled < 8 ? filled : 8)};
	}
}

/* Solid up to the mean, shade from there up to the max, which is rounded up to a whole cell. */
static void chart_mean_and_max(struct chart *chart, int column, const struct bin *bin)
{
	int mean = chart_eighths(chart, bin->mean);
	double scale = chart->height / (double)chart->top;
	chart_solid(chart, column, mean);
	if (((double)bin->max - bin->mean) * scale <= 1.0 / 16)
		return;
	int cells = (int)ceil((double)bin->max * scale - 1e-9);
	if (mean % 8 != 0 && cells > mean / 8)
		chart_at(chart, column, mean / 8)->ink = INK_MEAN_ON_MAX;
	for (int cell = (mean + 7) / 8; cell < cells && cell < chart->height; cell++)
		*chart_at(chart, column, cell) = (struct chart_cell){.ink = INK_MAX, .eighth = 8};
}

static void chart_column(
	struct chart *chart, int column, const struct bin *bin, enum chart_series series)
{
	switch (series) {
	case SERIES_MAX:
		chart_solid(chart, column, chart_eighths(chart, (double)bin->max));
		break;
	case SERIES_MEAN:
		chart_solid(chart, column, chart_eighths(chart, bin->mean));
		break;
	case SERIES_BOTH:
		chart_mean_and_max(chart, column, bin);
		break;
	}
}

/* ---- x axis ------------------------------------------------------------------ */

/* What the labels of the x axis are made from. */
struct chart_time {
	const struct clock *clock;
	bool is_absolute;
	int64_t start,
		end;  /* of what is shown: ns after the first sample; samples with TIME_NONE */
	int64_t zone; /* ns to add for the local time at the start; 0 for time since the start */
};

static const int64_t chart_time_steps[] = {
	1000,
	2000,
	5000,
	10000,
	20000,
	50000,
	100000,
	200000,
	500000,
	1000000,
	2000000,
	5000000,
	10000000,
	20000000,
	50000000,
	100000000,
	200000000,
	500000000,
	1 * NS_PER_S,
	2 * NS_PER_S,
	5 * NS_PER_S,
	10 * NS_PER_S,
	15 * NS_PER_S,
	30 * NS_PER_S,
	1 * NS_PER_MINUTE,
	2 * NS_PER_MINUTE,
	5 * NS_PER_MINUTE,
	10 * NS_PER_MINUTE,
	15 * NS_PER_MINUTE,
	30 * NS_PER_MINUTE,
	1 * NS_PER_HOUR,
	2 * NS_PER_HOUR,
	3 * NS_PER_HOUR,
	6 * NS_PER_HOUR,
	12 * NS_PER_HOUR,
	1 * NS_PER_DAY,
	2 * NS_PER_DAY,
	7 * NS_PER_DAY,
	14 * NS_PER_DAY,
	28 * NS_PER_DAY,
	91 * NS_PER_DAY,
	364 * NS_PER_DAY,
};

/* ".25", with as many decimals of a second as the step needs; nothing for whole seconds. */
static void chart_fraction(char out[12], int64_t ns, int64_t step)
{
	int decimals = 0;
	for (int64_t unit = NS_PER_S; step % unit != 0 && decimals < 9; unit /= 10)
		decimals++;
	out[0] = '\0';
	char digits[12];
	if (decimals > 0) {
		snprintf(digits, sizeof digits, "%09d", (int)(ns % NS_PER_S));
		snprintf(out, 12, ".%.*s", decimals, digits);
	}
}

/* "0", "+20m", "+1h05", "+1m30", "+0.25s", "+2d06h" */
static void chart_elapsed_label(char out[CHART_LABEL_SIZE], int64_t ns, int64_t step)
{
	int64_t minutes = ns / NS_PER_MINUTE;
	int seconds = (int)(ns / NS_PER_S % 60);
	char fraction[12];
	chart_fraction(fraction, ns, step);
	if (ns == 0)
		snprintf(out, CHART_LABEL_SIZE, "0");
	else if (step >= NS_PER_HOUR && ns >= NS_PER_DAY && ns % NS_PER_DAY != 0)
		snprintf(out, CHART_LABEL_SIZE, "+%dd%02dh", (int)(ns / NS_PER_DAY),
			(int)(minutes / 60 % 24));
	else if (step >= NS_PER_HOUR && ns >= NS_PER_DAY)
		snprintf(out, CHART_LABEL_SIZE, "+%dd", (int)(ns / NS_PER_DAY));
	else if (step >= NS_PER_HOUR)
		snprintf(out, CHART_LABEL_SIZE, "+%dh", (int)(minutes / 60));
	else if (step >= NS_PER_MINUTE && minutes >= 60)
		snprintf(out, CHART_LABEL_SIZE, "+%dh%02d", (int)(minutes / 60),
			(int)(minutes % 60));
	else if (step >= NS_PER_MINUTE)
		snprintf(out, CHART_LABEL_SIZE, "+%dm", (int)minutes);
	else if (minutes >= 60)
		snprintf(out, CHART_LABEL_SIZE, "+%dh%02dm%02d%s", (int)(minutes / 60),
			(int)(minutes % 60), seconds, fraction);
	else if (minutes > 0)
		snprintf(out, CHART_LABEL_SIZE, "+%dm%02d%s", (int)minutes, seconds, fraction);
	else
		snprintf(out, CHART_LABEL_SIZE, "+%d%ss", seconds, fraction);
}

static int64_t chart_floor(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Nanoseconds to add to UTC for the local time at a moment of the run. */
static int64_t chart_zone(const struct clock *clock, int64_t ns)
{
	int32_t offset_s =
		clock->has_offset ? clock->offset_s : units_local_offset(clock->start_ns + ns);
	return offset_s * NS_PER_S;
}

/* "Mon 30" of a local time. */
static void chart_day(char out[CHART_LABEL_SIZE], int64_t local_ns)
{
	static const char *const names[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
	int64_t day = chart_floor(local_ns, NS_PER_DAY);
	time_t seconds = (time_t)(day * 86400);
	struct tm tm = {0};
	gmtime_r(&seconds, &tm);
	snprintf(out, CHART_LABEL_SIZE, "%s %d", names[day - chart_floor(day, 7) * 7],
		tm.tm_mday % 100);
}

/* "11:30", "11:30:15"; "Mon 30" at midnight, and where the label before, at `before`, was on
 * another day. */
static void chart_clock_label(char out[CHART_LABEL_SIZE], const struct chart_time *time, int64_t ns,
	int64_t before, int64_t step)
{
	int64_t local = time->clock->start_ns + ns + chart_zone(time->clock, ns);
	int64_t of_day = local - chart_floor(local, NS_PER_DAY) * NS_PER_DAY;
	int minutes = (int)(of_day / NS_PER_MINUTE);
	bool is_new_day = of_day == 0;
	if (before >= 0) {
		int64_t other = time->clock->start_ns + before + chart_zone(time->clock, before);
		is_new_day = is_new_day ||
			     chart_floor(other, NS_PER_DAY) != chart_floor(local, NS_PER_DAY);
	}
	char fraction[12];
	chart_fraction(fraction, of_day, step);
	if (step >= NS_PER_DAY || is_new_day)
		chart_day(out, local);
	else if (step >= NS_PER_MINUTE)
		snprintf(out, CHART_LABEL_SIZE, "%02d:%02d", minutes / 60, minutes % 60);
	else
		snprintf(out, CHART_LABEL_SIZE, "%02d:%02d:%02d%s", minutes / 60, minutes % 60,
			(int)(of_day / NS_PER_S % 60), fraction);
}

static void chart_label(char out[CHART_LABEL_SIZE], const struct chart_time *time, int64_t at,
	int64_t before, int64_t step)
{
	if (time->clock->kind == TIME_NONE)
		snprintf(out, CHART_LABEL_SIZE, "#%lld", (long long)at);
	else if (time->is_absolute && time->clock->has_date)
		chart_clock_label(out, time, at, before, step);
	else
		chart_elapsed_label(out, at, step);
}

/* The last column whose bin begins at or before the sample. */
static int chart_last_column_of(const struct bin *bins, size_t count, uint64_t sample)
{
	size_t low = 0;
	size_t high = count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (bins[middle].first <= sample)
			low = middle;
		else
			high = middle;
	}
	return (int)low;
}

/* The column of a moment; `at` is in `sample`. Of the columns of a bin that has several it is the
 * one where the moment is. */
static int chart_column_of(const struct bin *bins, size_t count, const struct chart_time *time,
	uint64_t sample, int64_t at)
{
	int last = chart_last_column_of(bins, count, sample);
	int first = last;
	while (first > 0 && bins[first - 1].first == bins[last].first)
		first--;
	if (first == last)
		return last;
	int64_t start = clock_time(time->clock, bins[last].first);
	int64_t end = clock_time(time->clock, bins[last].last);
	if (at <= start || end <= start)
		return first;
	double share = (double)(at - start) / (double)(end - start);
	int column = first + (int)(share * (last - first + 1));
	return column < last ? column : last;
}

/* The first round moment at or after the start of what is shown. */
static int64_t chart_first_tick(const struct chart_time *time, int64_t step)
{
	/* Weeks begin on a Monday; 1970 began on a Thursday. */
	int64_t weekday = step % (7 * NS_PER_DAY) == 0 ? 3 * NS_PER_DAY : 0;
	int64_t base = time->is_absolute ? time->clock->start_ns + time->zone + weekday : 0;
	int64_t local = base + time->start;
	int64_t tick = chart_floor(local + step - 1, step) * step;
	return tick - base;
}

int chart_label_column(const struct chart *chart, int i)
{
	int length = (int)strlen(chart->x[i].text);
	int column = chart->x[i].position - length / 2;
	if (column + length > chart->width)
		column = chart->width - length;
	return column < 0 ? 0 : column;
}

/*
 * The moment of a tick that is `at` in the time zone of the start. Where the clock was changed
 * since, steps of more than an hour go on at round local times, in which a day has 23 or 25 hours;
 * shorter ones go on in UTC, so that no hour is left out.
 */
static int64_t chart_tick_moment(const struct chart_time *time, int64_t at, int64_t step)
{
	if (!time->is_absolute || step <= NS_PER_HOUR)
		return at;
	int64_t zone = chart_zone(time->clock, at);
	int64_t moment = at - (zone - time->zone);
	/* A round time that the clock leaves out is shown by the one after it. */
	return chart_zone(time->clock, moment) == zone ? moment : at;
}

/* Puts a label at each multiple of step; false where they come too close to each other. */
static bool chart_try_step(struct chart *chart, const struct chart_time *time, int64_t step,
	const struct bin *bins, size_t count)
{
	chart->x_count = 0;
	int64_t before = -1;
	int edge = -CHART_GAP; /* where the label before ended */
	/* Where the clock went forward, a tick comes before the moment it is counted from. */
	bool is_shifted = time->is_absolute && step > NS_PER_HOUR;
	int64_t end = is_shifted ? time->end + NS_PER_DAY : time->end;
	for (int64_t next = chart_first_tick(time, step); next < end; next += step) {
		int64_t at = chart_tick_moment(time, next, step);
		if (at < time->start || at >= time->end)
			continue;
		if (chart->x_count == MAX_CHART_TICKS)
			return false;
		uint64_t sample = clock_sample(time->clock, at);
		if (time->clock->kind == TIME_NONE)
			sample = (uint64_t)at;
		struct chart_tick *tick = &chart->x[chart->x_count++];
		tick->position = chart_column_of(bins, count, time, sample, at);
		chart_label(tick->text, time, at, before, step);
		int column = chart_label_column(chart, chart->x_count - 1);
		int length = (int)strlen(tick->text);
		if (column < edge + CHART_GAP || length > chart->width)
			return false;
		edge = column + length;
		before = at;
	}
	return true;
}

static void chart_x_axis(
	struct chart *chart, const struct chart_time *time, const struct bin *bins, size_t count)
{
	bool is_counted = time->clock->kind == TIME_NONE;
	size_t steps = sizeof chart_time_steps / sizeof *chart_time_steps;
	int64_t counted = 1;
	for (size_t i = 0; i < (is_counted ? 36 : steps); i++) {
		static const int factors[] = {1, 2, 5};
		int64_t step = is_counted ? counted * factors[i % 3] : chart_time_steps[i];
		if (i % 3 == 2)
			counted *= 10;
		/* A label takes a column and its gap: most steps need no closer look. */
		if ((time->end - time->start) / step > chart->width / (CHART_GAP + 1))
			continue;
		if (chart_try_step(chart, time, step, bins, count)) {
			chart->x_step = step;
			return;
		}
	}
	chart->x_count = 0;
}

/* ---- all together ------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-function-size): a chart is made from that many things */
struct chart chart_layout(const struct bin *bins, size_t count, int width, int height,
	enum chart_series series, const struct clock *clock, bool is_absolute, uint64_t first,
	uint64_t last)
{
	struct chart chart = {.width = width < 1 ? 1 : width, .height = height < 1 ? 1 : height};
	chart.cells = memory_new((size_t)chart.width * (size_t)chart.height, sizeof *chart.cells);
	int64_t most = 0;
	for (size_t i = 0; i < count; i++)
		if (bins[i].count && bins[i].max > most)
			most = bins[i].max;
	chart_y_axis(&chart, most);
	for (size_t i = 0; i < count && i < (size_t)chart.width; i++)
		if (bins[i].count)
			chart_column(&chart, (int)i, &bins[i], series);
	if (count > 0 && first < last) {
		struct chart_time time = {
			.clock = clock,
			.is_absolute = is_absolute && clock->has_date,
			.start = clock_time(clock, first),
			.end = clock_time(clock, last),
		};
		if (time.is_absolute)
			time.zone = chart_zone(clock, time.start);
		chart_x_axis(&chart, &time, bins, count);
	}
	return chart;
}

void chart_free(struct chart *chart)
{
	free(chart->cells);
	*chart = (struct chart){0};
}

uint32_t chart_glyph(struct chart_cell cell, bool ascii, bool no_eighths)
{
	uint32_t full = ascii ? '#' : 0x2588;
	uint32_t shade = ascii ? ':' : 0x2591;
	bool is_half = cell.eighth >= 4;
	switch ((enum chart_ink)cell.ink) {
	case INK_NONE:
		return ' ';
	case INK_MAX:
		return shade;
	case INK_MEAN:
		if (ascii || no_eighths)
			return is_half ? full : ' ';
		return 0x2580u + cell.eighth;
	case INK_MEAN_ON_MAX:
		if (ascii || no_eighths)
			return is_half ? full : shade;
		return 0x2580u + cell.eighth;
	}
	return ' ';
}

char *chart_moment(char out[UNIT_SIZE], const struct clock *clock, uint64_t sample,
	bool is_absolute, int64_t step_ns)
{
	if (clock->kind == TIME_NONE) {
		snprintf(out, UNIT_SIZE, "#%llu", (unsigned long long)sample);
		return out;
	}
	int64_t ns = clock_time(clock, sample);
	bool is_exact = !clock->is_estimate || sample == 0 ||
			(clock->kind == TIME_STRETCHED && sample >= clock->samples);
	char moment[UNIT_SIZE];
	char day[CHART_LABEL_SIZE] = "";
	if (is_absolute && clock->has_date) {
		int64_t unix_ns = clock->start_ns + ns;
		units_clock(moment, unix_ns, clock->has_offset, clock->offset_s, step_ns,
			CLOCK_TIME, NULL);
		int64_t local = unix_ns + chart_zone(clock, ns);
		int64_t local_start = clock->start_ns + chart_zone(clock, 0);
		if (chart_floor(local, NS_PER_DAY) != chart_floor(local_start, NS_PER_DAY))
			chart_day(day, local);
	} else {
		units_elapsed(moment, ns, step_ns);
	}
	snprintf(
		out, UNIT_SIZE, "%s%s%s%.20s", is_exact ? "" : "~", day, day[0] ? " " : "", moment);
	return out;
}
