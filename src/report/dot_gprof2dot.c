/* SPDX-License-Identifier: MIT */
/*
 * A graph of calls as gprof2dot draws it with its default colours (pstats.md section 6): the shares
 * of functions and of calls are those of the file, nothing is estimated. Functions have the numbers
 * of the order in which the file names them.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "profile/callgraph.h"
#include "report/dot.h"
#include "report/dot_text.h"

struct heat_graph {
	const struct report_input *input;
	const struct profile *profile;
	const struct callgraph *calls;
	int64_t total_ns;
	double node_fraction, edge_fraction;
	bool *is_shown; /* by function */
	struct text *out;
	struct text scratch;
};

static double heat_ratio(int64_t part, int64_t whole)
{
	if (whole == 0)
		return 1;
	const double ratio = (double)part / (double)whole;
	return ratio < 0 ? 0 : ratio > 1 ? 1 : ratio;
}

/* ---- looks ----------------------------------------------------------------------------------- */

static double heat_channel(double low, double high, double hue)
{
	hue -= floor(hue);
	if (hue * 6 < 1)
		return low + (high - low) * hue * 6;
	if (hue * 2 < 1)
		return high;
	if (hue * 3 < 2)
		return low + (high - low) * (2.0 / 3.0 - hue) * 6;
	return low;
}

static unsigned heat_byte(double channel)
{
	return channel <= 0 ? 0 : channel >= 1 ? 255 : (unsigned)(channel * 255 + 0.5);
}

/* From dark blue for nothing over green to bright red for all. */
static void heat_colour(const struct heat_graph *graph, const char *name, double weight)
{
	const double hue = 2.0 / 3.0 + weight * (0.0 - 2.0 / 3.0);
	const double saturation = 0.8 + weight * (1.0 - 0.8);
	const double light = 0.25 + weight * (0.5 - 0.25);
	const double high =
		light <= 0.5 ? light * (saturation + 1) : light + saturation - light * saturation;
	const double low = light * 2 - high;
	text_printf(graph->out, "%s=\"#%02x%02x%02x\", ", name,
		heat_byte(heat_channel(low, high, hue + 1.0 / 3.0)),
		heat_byte(heat_channel(low, high, hue)),
		heat_byte(heat_channel(low, high, hue - 1.0 / 3.0)));
}

static double heat_pen(double weight)
{
	return weight * 4 > 0.5 ? weight * 4 : 0.5;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* As graphviz takes it for one word: bare where it has letters and digits alone. */
static void heat_word(const struct heat_graph *graph, const struct text *word)
{
	static const char *const keywords[] = {
		"node", "edge", "graph", "digraph", "subgraph", "strict"};
	const char *s = word->data ? word->data : "";
	bool is_bare = word->length > 0 && strncmp(s, "0x", 2) != 0;
	for (size_t i = 0; i < word->length && is_bare; i++)
		is_bare = isalnum((unsigned char)s[i]) && (unsigned char)s[i] < 0x80;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		is_bare = is_bare && strcasecmp(s, keywords[i]) != 0;
	text_puts(graph->out, is_bare ? "" : "\"");
	dot_escape(graph->out, s, word->length);
	text_puts(graph->out, is_bare ? "" : "\"");
}

/* The file's name without what is behind its last dot; a dot in front is no such one. */
static void heat_module(const char *path, size_t length, const char **name, size_t *size)
{
	size_t start = length, first, end = length;
	while (start > 0 && path[start - 1] != '/')
		start--;
	first = start;
	while (first < length && path[first] == '.')
		first++;
	for (size_t i = length; i > first + 1; i--) {
		if (path[i - 1] != '.')
			continue;
		end = i - 1;
		break;
	}
	*name = path + start;
	*size = end - start;
}

/* "module:line:function" */
static void heat_name(struct heat_graph *graph, const struct function *function)
{
	const bool ascii = graph->input->options->ascii;
	size_t length, size;
	const char *name;
	const char *file = profile_string(graph->profile, function->file, &length);
	heat_module(file, length, &name, &size);
	text_clear(&graph->scratch);
	text_clean(&graph->scratch, name, size, ascii);
	text_printf(&graph->scratch, ":%" PRIu32 ":", function->line);
	name = profile_string(graph->profile, function->name, &length);
	text_clean(&graph->scratch, name, length, ascii);
}

static const char *heat_times(const struct heat_graph *graph)
{
	return graph->input->options->ascii ? "x" : "\u00d7";
}

/* ---- nodes and edges ------------------------------------------------------------------------- */

static void heat_node(struct heat_graph *graph, uint32_t id)
{
	const struct function *function = &graph->profile->functions[id];
	const struct call_node *node = &graph->calls->nodes[id];
	const double weight = heat_ratio(node->total_ns, graph->total_ns);
	const bool ascii = graph->input->options->ascii;
	size_t length;
	text_printf(graph->out, "\t%" PRIu32 " [", id - 1);
	heat_colour(graph, "color", weight);
	text_puts(graph->out, "fontcolor=\"#ffffff\", fontsize=\"10.00\", label=");
	heat_name(graph, function);
	text_printf(&graph->scratch, "\n%.2f%%\n(%.2f%%)\n%" PRId64 "%s", weight * 100,
		heat_ratio(node->self_ns, graph->calls->total_ns) * 100, node->calls,
		heat_times(graph));
	heat_word(graph, &graph->scratch);
	text_puts(graph->out, ", tooltip=");
	const char *file = profile_string(graph->profile, function->file, &length);
	text_clear(&graph->scratch);
	text_clean(&graph->scratch, file, length, ascii);
	heat_word(graph, &graph->scratch);
	text_puts(graph->out, "];\n");
}

static void heat_edge(struct heat_graph *graph, const struct call_edge *edge)
{
	const double weight = heat_ratio(edge->total_ns, graph->total_ns);
	const double pen = heat_pen(weight);
	if (!graph->is_shown[edge->callee] || weight < graph->edge_fraction)
		return;
	text_printf(graph->out, "\t%" PRIu32 " -> %" PRIu32 " [arrowsize=\"%.2f\", ",
		edge->caller - 1, edge->callee - 1, 0.5 * sqrt(pen));
	heat_colour(graph, "color", weight);
	heat_colour(graph, "fontcolor", weight);
	text_puts(graph->out, "fontsize=\"10.00\", label=");
	text_clear(&graph->scratch);
	text_printf(&graph->scratch, "%.2f%%\n%" PRId64 "%s", weight * 100, edge->primitive,
		heat_times(graph));
	heat_word(graph, &graph->scratch);
	text_printf(graph->out, ", labeldistance=\"%.2f\", penwidth=\"%.2f\"];\n", pen, pen);
}

/* ---- which ----------------------------------------------------------------------------------- */

static int heat_compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return *x > *y ? -1 : *x < *y;
}

/* The time of the last of the first `count` functions; 0 where there are not more. */
static int64_t heat_least(const struct callgraph *calls, long count)
{
	int64_t least = 0;
	if (count <= 0 || (uint64_t)count + 1 >= calls->node_count)
		return 0;
	int64_t *times = memory_new(calls->node_count, sizeof *times);
	for (uint32_t i = 1; i < calls->node_count; i++)
		times[i - 1] = calls->nodes[i].total_ns;
	qsort(times, calls->node_count - 1, sizeof *times, heat_compare);
	least = times[count - 1];
	free(times);
	return least;
}

static void heat_choose(struct heat_graph *graph)
{
	const struct report_options *options = graph->input->options;
	const struct callgraph *calls = graph->calls;
	const int64_t least = options->no_trim ? 0 : heat_least(calls, options->node_count);
	graph->node_fraction = options->node_fraction < 0 ? 0.005 : options->node_fraction;
	graph->edge_fraction = options->edge_fraction < 0 ? 0.001 : options->edge_fraction;
	if (options->no_trim)
		graph->node_fraction = graph->edge_fraction = 0;
	graph->total_ns = calls->total_ns;
	for (uint32_t i = 1; i < calls->node_count; i++)
		if (calls->nodes[i].total_ns > graph->total_ns)
			graph->total_ns = calls->nodes[i].total_ns;
	graph->is_shown = memory_new(calls->node_count, sizeof *graph->is_shown);
	for (uint32_t i = 1; i < calls->node_count; i++) {
		const int64_t total = calls->nodes[i].total_ns;
		graph->is_shown[i] = heat_ratio(total, graph->total_ns) >= graph->node_fraction &&
				     total >= least;
	}
}

void dot_gprof2dot(const struct report_input *input, struct text *out)
{
	const struct callgraph *calls = input->profile->callgraph;
	struct heat_graph graph = {
		.input = input, .profile = input->profile, .calls = calls, .out = out};
	heat_choose(&graph);
	text_puts(out, "digraph {\n"
		       "\ttooltip=\" \"\n"
		       "\tgraph [fontname=Arial, nodesep=0.125, ranksep=0.25];\n"
		       "\tnode [fontcolor=white, fontname=Arial, height=0, shape=box, "
		       "style=filled, width=0];\n"
		       "\tedge [fontname=Arial];\n");
	for (uint32_t i = 1; i < calls->node_count; i++) {
		if (!graph.is_shown[i])
			continue;
		heat_node(&graph, i);
		for (size_t k = calls->first_callee[i]; k < calls->first_callee[i + 1]; k++)
			heat_edge(&graph, &calls->edges[k]);
	}
	text_puts(out, "}\n");
	free(graph.is_shown);
	text_free(&graph.scratch);
}
