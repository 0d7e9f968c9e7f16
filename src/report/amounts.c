/* SPDX-License-Identifier: MIT */
#include "report/amounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/pprof_units.h"
#include "query/graph_parts.h"
#include "report/dot_text.h"
#include "report/export.h"

/* ---- values ---------------------------------------------------------------------------------- */

/* A value in the unit of its type: divided as asked, then cut to a whole number. */
static double amounts_plain(const struct report_input *input, int64_t value)
{
	const double divide_by = input->options->divide_by;
	double plain = (double)value;
	if (divide_by > 0 && divide_by != 1)
		plain = trunc(plain * (1 / divide_by));
	return plain / pow(10, parts_type(input)->decimals);
}

struct amounts amounts_of(
	const struct report_input *input, const struct graph *graph, bool is_whole)
{
	struct amounts amounts = {.input = input, .unit = input->options->unit};
	if (amounts.unit && strcmp(amounts.unit, "minimum") != 0)
		return amounts;
	uint64_t least = 0;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		uint64_t size = graph_size(graph_flat(&graph->nodes[i]));
		if (size == 0)
			size = graph_size(graph_cum(&graph->nodes[i]));
		if (size > 0 && (least == 0 || size < least))
			least = size;
	}
	const int64_t smallest = least < INT64_MAX ? (int64_t)least : INT64_MAX;
	amounts.unit = graph->node_count == 0 ? "minimum"
					      : pprof_units_minimum(amounts_plain(input, smallest),
							amounts_plain(input, input->tree->base),
							parts_type(input)->unit, is_whole);
	return amounts;
}

double amounts_scaled(const struct amounts *amounts, int64_t value)
{
	return pprof_units_scale(amounts_plain(amounts->input, value),
		parts_type(amounts->input)->unit, amounts->unit, NULL);
}

char *amounts_value(const struct amounts *amounts, char out[UNIT_SIZE], int64_t value)
{
	return pprof_units_value(out, amounts_plain(amounts->input, value),
		parts_type(amounts->input)->unit, amounts->unit);
}

/* ---- how much -------------------------------------------------------------------------------- */

enum { AMOUNTS_NODES = 80 };

struct graph_options amounts_graph(const struct report_input *input, bool is_visual)
{
	const struct report_options *options = input->options;
	struct graph_options graph = {.sort = options->sort,
		.is_tree = options->call_tree,
		.is_visual = is_visual,
		.node_count = options->node_count,
		.node_fraction = options->node_fraction,
		.edge_fraction = options->edge_fraction,
		.drop_negative = options->drop_negative,
		.has_tags = is_visual,
		.tag_show = options->tag_show,
		.tag_hide = options->tag_hide,
		.unit = options->unit};
	if (graph.node_count < 0)
		graph.node_count = AMOUNTS_NODES;
	if (graph.node_fraction < 0)
		graph.node_fraction = 0.005;
	if (graph.edge_fraction < 0)
		graph.edge_fraction = 0.001;
	if (options->no_trim || !is_visual) {
		graph.node_count = 0;
		graph.node_fraction = graph.edge_fraction = 0;
	}
	return graph;
}

/* ---- words ----------------------------------------------------------------------------------- */

void amounts_title(const struct report_input *input, struct text *out)
{
	const struct profile *profile = input->profile;
	size_t length = 0;
	const char *path = profile->source ? profile->source : "";
	if (profile->is_name_function)
		path = profile->mapping_count > 1
			       ? profile_string(profile, profile->mappings[1].file, NULL)
			       : "";
	const char *base = dot_base_name(path, strlen(path), &length);
	text_clean(out, base, length, input->options->ascii);
}

static void amounts_line(
	const struct amounts *amounts, struct text *out, const char *what, const char *s)
{
	text_puts(out, what);
	parts_clean(amounts->input, out, s);
	text_puts(out, "\n");
}

/* Comments that begin with a # are notes for programs. */
static void amounts_comments(const struct amounts *amounts, struct text *out)
{
	const char *line = amounts->input->profile->comments;
	while (line) {
		const char *end = strchr(line, '\n');
		const size_t length = end ? (size_t)(end - line) : strlen(line);
		if (*line != '#') {
			text_clean(out, line, length, amounts->input->options->ascii);
			text_puts(out, "\n");
		}
		line = end ? end + 1 : NULL;
	}
}

static void amounts_time(const struct amounts *amounts, struct text *out)
{
	const struct profile *profile = amounts->input->profile;
	const int64_t total = amounts->input->tree->base;
	char duration[UNIT_SIZE], amount[UNIT_SIZE], share[UNIT_SIZE], moment[UNIT_SIZE],
		zone[UNIT_SIZE];
	if (profile->has_start) {
		int32_t offset;
		units_clock(moment, profile->start_ns, profile->has_offset, profile->offset_s,
			1000000000, CLOCK_DATE_TIME, &offset);
		text_printf(out, "Time: %s %s\n", moment, units_zone(zone, offset));
	}
	if (profile->duration_ns == 0)
		return;
	pprof_units_value(duration, (double)profile->duration_ns, "nanoseconds", "auto");
	text_printf(out, "Duration: %s, Total samples = %s", duration,
		amounts_value(amounts, amount, total));
	if (strcmp(parts_type(amounts->input)->unit, "nanoseconds") == 0 && total != 0)
		text_printf(out, " (%s)",
			pprof_units_percent(share, (double)total, (double)profile->duration_ns));
	text_puts(out, "\n");
}

/* One filter, cut where it is long; the first one has a line above it. */
static void amounts_filter(const struct amounts *amounts, struct text *out, bool *has_any,
	const char *name, const char *value)
{
	enum { FILTER_SHOWN = 80 };
	struct text filter = {0};
	if (!value)
		return;
	text_printf(&filter, "%s=%s", name, value);
	const bool is_long = filter.length > FILTER_SHOWN;
	text_puts(out, *has_any ? "   " : "Active filters:\n   ");
	text_clean(out, filter.data, is_long ? FILTER_SHOWN : filter.length,
		amounts->input->options->ascii);
	text_puts(out, is_long ? "...\n" : "\n");
	text_free(&filter);
	*has_any = true;
}

/* As pprof names them; it does not say prune_from. */
static void amounts_filters(const struct amounts *amounts, struct text *out)
{
	const struct report_options *options = amounts->input->options;
	const bool is_pprof = amounts->input->profile->is_name_function;
	bool has_any = false;
	for (int i = 0; i < FILTER_COUNT; i++)
		if (i != FILTER_PRUNE_FROM || !is_pprof)
			amounts_filter(amounts, out, &has_any,
				i == FILTER_SHOW_FROM ? "show_from"
						      : filter_name((enum filter_kind)i),
				options->query.filters[i]);
	amounts_filter(amounts, out, &has_any, "tagshow", options->tag_show);
	amounts_filter(amounts, out, &has_any, "taghide", options->tag_hide);
}

static void amounts_dropped(const struct amounts *amounts, struct text *out, size_t count,
	const char *what, const char *by, double fraction)
{
	char amount[UNIT_SIZE];
	if (count == 0)
		return;
	const double cut = fabs((double)amounts->input->tree->base * fraction);
	text_printf(out, "Dropped %zu %s%s (%s <= %s)\n", count, what, count > 1 ? "s" : "", by,
		amounts_value(amounts, amount, cut < 0x1p63 ? (int64_t)cut : INT64_MAX));
}

static void amounts_shown(
	const struct amounts *amounts, const struct graph *graph, struct text *out)
{
	const struct graph_options options = amounts_graph(amounts->input, true);
	const int64_t total = amounts->input->tree->base;
	char flat[UNIT_SIZE], share[UNIT_SIZE], all[UNIT_SIZE];
	int64_t sum = 0;
	bool overflow = false;
	for (uint32_t i = 0; i < graph->node_count; i++)
		sum = units_add(sum, graph_flat(&graph->nodes[i]), &overflow);
	pprof_units_percent(share, (double)sum, (double)total);
	text_printf(out, "Showing nodes accounting for %s, %s of %s total\n",
		amounts_value(amounts, flat, sum), share + strspn(share, " "),
		amounts_value(amounts, all, total));
	if (total == 0)
		return;
	amounts_dropped(amounts, out, graph->dropped_nodes, "node", "cum", options.node_fraction);
	amounts_dropped(amounts, out, graph->dropped_edges, "edge", "freq", options.edge_fraction);
	if (graph->node_count > 0 && graph->node_count < graph->before)
		text_printf(
			out, "Showing top %u nodes out of %zu\n", graph->node_count, graph->before);
}

void amounts_legend(const struct amounts *amounts, const struct graph *graph, struct text *out)
{
	const struct profile *profile = amounts->input->profile;
	struct text title = {0};
	amounts_title(amounts->input, &title);
	if (title.length > 0)
		text_printf(out, "File: %s\n", title.data);
	if (profile->mapping_count > 1 && profile->mappings[1].build_id != 0)
		amounts_line(amounts, out,
			"Build ID: ", profile_string(profile, profile->mappings[1].build_id, NULL));
	amounts_comments(amounts, out);
	amounts_line(amounts, out, amounts->input->options->query.mean ? "Type: mean_" : "Type: ",
		parts_type(amounts->input)->name);
	if (profile->doc_url)
		amounts_line(amounts, out, "Doc: ", profile->doc_url);
	amounts_time(amounts, out);
	amounts_filters(amounts, out);
	if (amounts->input->is_estimate)
		text_printf(out, "Estimated: %s\n", export_estimate);
	amounts_shown(amounts, graph, out);
	text_free(&title);
}
