/* SPDX-License-Identifier: MIT */

/*
 * Compares windows of a memory graph with what the reference server makes of them.
 *
 *     viewer_windows [-l] PROFILE < TABLE
 *
 * TABLE, by viewer.py from an oracle, has for each window a line "window X0 X1 BINS" and for each
 * of its bins a line "bin X MEAN MAX SAMPLES COUNT PREFIX REST": MEAN and MAX in KiB, COUNT of the
 * most common stack; PREFIX and REST are frames root first, joined by commas ("-" for none), a
 * frame is ADDRESS or (with -l, where the profile has lines) ADDRESS/LINE. Prints "figures N", and
 * one line a difference; status 1 if there is any.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "query/timeline.h"

enum { WINDOWS_MAX_DEPTH = 4096 };

struct windows {
	const struct profile *profile;
	struct calltree *tree;
	struct pyramid *pyramid;
	bool with_lines;
	struct bin bins[99];
	size_t bin_count, next; /* of the window at hand; the bin that the next line is about */
	char window[80];        /* for messages */
	uint64_t figures, differences;
};

static void windows_differ(
	struct windows *windows, const char *what, const char *ours, const char *oracle)
{
	windows->differences++;
	printf("%s bin %zu: %s: ours %s, oracle %s\n", windows->window, windows->next, what, ours,
		oracle);
}

static void windows_number(struct windows *windows, const char *what, double ours, double oracle)
{
	windows->figures++;
	if (ours == oracle)
		return;
	char a[40], b[40];
	snprintf(a, sizeof a, "%.17g", ours);
	snprintf(b, sizeof b, "%.17g", oracle);
	windows_differ(windows, what, a, b);
}

static void windows_begin(struct windows *windows, const char *line)
{
	double x0, x1;
	long count;
	if (sscanf(line, "window %lf %lf %ld", &x0, &x1, &count) != 3) {
		fprintf(stderr, "viewer_windows: not a window: %s\n", line);
		exit(2);
	}
	snprintf(windows->window, sizeof windows->window, "window %g..%g", x0, x1);
	windows->bin_count = timeline_viewer_bins(windows->pyramid, x0, x1, windows->bins);
	windows->next = 0;
	windows_number(windows, "bins", (double)windows->bin_count, (double)count);
}

/*
 * The frames from below `top` down to `node` as the table writes them. A native frame has no line;
 * a row has one all the same where its function's definition is known.
 */
static void windows_path(
	const struct windows *windows, uint32_t top, uint32_t node, struct text *out)
{
	static uint32_t path[WINDOWS_MAX_DEPTH];
	size_t depth = 0;
	for (; node != top && node != 0 && depth < WINDOWS_MAX_DEPTH;
		node = windows->tree->parent[node])
		path[depth++] = node;
	text_clear(out);
	text_puts(out, depth == 0 ? "-" : "");
	while (depth > 0) {
		const struct row *row = &windows->tree->rows[windows->tree->row[path[--depth]]];
		text_printf(out, "%" PRIu64, row->address);
		if (windows->with_lines && row->line > 0 && row->kind == CODE_PYTHON)
			text_printf(out, "/%" PRIu32, row->line);
		text_puts(out, depth > 0 ? "," : "");
	}
}

static void windows_stack(
	struct windows *windows, const char *what, uint32_t top, uint32_t node, const char *oracle)
{
	struct text ours = {0};
	windows_path(windows, top, node, &ours);
	windows->figures++;
	if (strcmp(ours.data, oracle) != 0)
		windows_differ(windows, what, ours.data, oracle);
	text_free(&ours);
}

static void windows_bin(struct windows *windows, char *line)
{
	if (windows->next >= windows->bin_count)
		return; /* the number of bins differs, which was said */
	char *field[8] = {0};
	size_t fields = 0;
	for (char *word = strtok(line, " \n"); word && fields < 8; word = strtok(NULL, " \n"))
		field[fields++] = word;
	if (fields != 8) {
		fprintf(stderr, "viewer_windows: a bin of %zu fields\n", fields);
		exit(2);
	}
	const struct bin *bin = &windows->bins[windows->next];
	/* The oracle's x is the left edge, which belongs to the bin before but for the first one.
	 */
	uint64_t x = bin->first - (windows->next > 0);
	windows_number(windows, "x", (double)x, strtod(field[1], NULL));
	windows_number(windows, "mean", bin->mean, strtod(field[2], NULL) * 1024);
	windows_number(windows, "max", (double)bin->max, strtod(field[3], NULL) * 1024);
	windows_number(windows, "samples", (double)bin->count, strtod(field[4], NULL));
	struct bin_detail detail = bin_detail_build(windows->tree, bin->first, bin->last, -1, true);
	windows_number(
		windows, "samples of the detail", (double)detail.count, strtod(field[4], NULL));
	windows_stack(windows, "prefix", 0, detail.prefix, field[6]);
	if (detail.tail_count > 0) {
		windows_number(windows, "count of the most common stack",
			(double)detail.tails[0].count, strtod(field[5], NULL));
		windows_stack(windows, "rest", detail.prefix, detail.tails[0].node, field[7]);
	}
	bin_detail_free(&detail);
	windows->next++;
}

int main(int argc, char **argv)
{
	bool with_lines = argc == 3 && strcmp(argv[1], "-l") == 0;
	if (argc != 2 + with_lines) {
		fputs("usage: viewer_windows [-l] PROFILE < TABLE\n", stderr);
		return 2;
	}
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *profile = profile_load(argv[argc - 1], &options, &err);
	if (!profile) {
		fprintf(stderr, "viewer_windows: %s\n", err.message);
		return 2;
	}
	/* The reference compares whole stacks as recorded. */
	struct query query = {0};
	query_init(&query, profile);
	query.granularity = with_lines ? BY_LINE : BY_ADDRESS;
	query.show_assembler = true;
	struct windows windows = {
		.profile = profile,
		.with_lines = with_lines,
		.tree = calltree_build(profile, &query, &err),
		.pyramid = pyramid_build(profile),
	};
	if (!windows.tree) {
		fprintf(stderr, "viewer_windows: %s\n", err.message);
		return 2;
	}
	char *line = NULL;
	size_t capacity = 0;
	while (getline(&line, &capacity, stdin) > 0) {
		if (strncmp(line, "window", 6) == 0)
			windows_begin(&windows, line);
		else
			windows_bin(&windows, line);
	}
	printf("figures %" PRIu64 "\n", windows.figures);
	free(line);
	pyramid_free(windows.pyramid);
	calltree_free(windows.tree);
	profile_free(profile);
	return windows.differences > 0;
}
