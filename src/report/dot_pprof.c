/* SPDX-License-Identifier: MIT */
/*
 * The graph of calls as pprof draws it: a box for each node, larger and redder by its shares, edges
 * wider by theirs, dotted where nodes between were left out; at each node a few boxes for the
 * labels of its samples.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pprof_units.h"
#include "query/graph_parts.h"
#include "query/rows.h"
#include "report/amounts.h"
#include "report/dot.h"
#include "report/dot_tags.h"
#include "report/dot_text.h"

struct picture {
	const struct report_input *input;
	const struct graph *graph;
	struct amounts amounts;
	double largest; /* flat value */
	struct text *out;
};

/* ---- colours --------------------------------------------------------------------------------- */

/* Grey at 0, red at 1, green at -1, and soon far from grey; pale for what is written on. */
static void picture_colour(struct text *out, double share, bool is_pale)
{
	double saturation = is_pale ? 0.1 : 1, value = is_pale ? 0.93 : 0.7;
	double red, green;
	share = share > 1 ? 1 : share < -1 ? -1 : share;
	if (fabs(share) < 0.2)
		saturation *= fabs(share) / 0.2;
	const double far = pow(fabs(share), 0.3), weaker = value * (1 - saturation * far);
	red = share < 0 ? weaker : value;
	green = share < 0 ? value : weaker;
	text_printf(out, "#%02x%02x%02x", (unsigned)(red * 255), (unsigned)(green * 255),
		(unsigned)(value * (1 - saturation) * 255));
}

static double picture_share(const struct picture *picture, int64_t value)
{
	const double total = fabs((double)picture->input->tree->base);
	return total > 0 ? (double)value / total : 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void picture_add_escaped(struct text *out, const struct text *text)
{
	dot_escape(out, text->data ? text->data : "", text->length);
}

/* The row's label as one line. */
static void picture_name(const struct picture *picture, uint32_t row, struct text *out)
{
	struct text label = {0};
	row_label(picture->input->tree, row, picture->input->options->ascii, &label);
	picture_add_escaped(out, &label);
	text_free(&label);
}

/*
 * Address, name, file and line, a line for each, as far as the rows tell them apart. Whether there
 * is more than an address.
 */
static bool picture_lines_of_name(
	const struct picture *picture, const struct row *row, struct text *out)
{
	const struct profile *profile = picture->input->profile;
	const enum granularity granularity = picture->input->tree->query.granularity;
	size_t length, base_length;
	const char *name = profile_string(profile, row->name, &length);
	const char *file = profile_string(profile, row->file, &base_length);
	const bool ascii = picture->input->options->ascii;
	struct text clean = {0};
	if (granularity == BY_ADDRESS && row->address)
		text_printf(out, "%016" PRIx64 "\\n", row->address);
	const size_t before = out->length;
	if (length > 0 && granularity != BY_FILE) {
		text_clean(&clean, name, length, ascii);
		dot_short_name(out, clean.data, clean.length);
		text_puts(out, "\\n");
	}
	const bool has_line = row->line && (granularity == BY_LINE || granularity == BY_ADDRESS);
	text_clear(&clean);
	file = dot_base_name(file, base_length, &base_length);
	text_clean(&clean, file, base_length, ascii);
	if (granularity != BY_FUNCTION && (base_length > 0 || has_line)) {
		picture_add_escaped(out, &clean);
		if (has_line)
			text_printf(out, ":%" PRIu32, row->line);
		text_puts(out, "\\n");
	}
	text_free(&clean);
	return out->length > before;
}

static void picture_lines(const struct picture *picture, uint32_t row, struct text *out)
{
	const struct calltree *tree = picture->input->tree;
	const bool ascii = picture->input->options->ascii;
	const bool is_name_function = picture->input->profile->is_name_function;
	struct text text = {0};
	if (is_name_function && picture_lines_of_name(picture, &tree->rows[row], out))
		return;
	if (is_name_function)
		row_module(tree, row, ascii, &text);
	else
		row_name(tree, row, ascii, &text);
	picture_add_escaped(out, &text);
	text_puts(out, "\\n");
	text_clear(&text);
	if (!is_name_function)
		row_location(tree, row, false, ascii, &text);
	picture_add_escaped(out, &text);
	text_puts(out, text.length > 0 ? "\\n" : "");
	text_free(&text);
}

static void picture_amount(const struct picture *picture, int64_t value)
{
	char amount[UNIT_SIZE], share[UNIT_SIZE];
	pprof_units_percent(share, (double)value, (double)picture->input->tree->base);
	text_printf(picture->out, "%s (%s)", amounts_value(&picture->amounts, amount, value),
		share + strspn(share, " "));
}

static void picture_node(const struct picture *picture, uint32_t i)
{
	enum { FONT_LEAST = 8, FONT_GROWTH = 16 };
	const struct graph_node *node = &picture->graph->nodes[i];
	const int64_t flat = graph_flat(node), cum = graph_cum(node);
	struct text *out = picture->out;
	char amount[UNIT_SIZE];
	int font = FONT_LEAST;
	text_printf(out, "N%" PRIu32 " [label=\"", i + 1);
	picture_lines(picture, node->row, out);
	if (flat != 0)
		picture_amount(picture, flat);
	else
		text_puts(out, "0");
	if (cum != flat) {
		text_puts(out, flat != 0 ? "\\nof " : " of ");
		picture_amount(picture, cum);
	}
	if (picture->largest > 0 && flat != 0)
		font += (int)ceil(FONT_GROWTH * sqrt(fabs((double)flat) / picture->largest));
	text_printf(out, "\" id=\"node%" PRIu32 "\" fontsize=%d shape=box tooltip=\"", i + 1, font);
	picture_name(picture, node->row, out);
	text_printf(out, " (%s)\" color=\"", amounts_value(&picture->amounts, amount, cum));
	picture_colour(out, picture_share(picture, cum), false);
	text_puts(out, "\" fillcolor=\"");
	picture_colour(out, picture_share(picture, cum), true);
	text_puts(out, "\"]\n");
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* 1 + weight x steps / total, at most 1 + steps: as whole numbers. */
static int picture_steps(const struct picture *picture, int64_t weight, int steps)
{
	const double total = (double)picture->input->tree->base;
	const double share = trunc(fabs((double)weight * steps / total));
	return share < steps ? 1 + (int)share : 1 + steps;
}

static void picture_edge_tip(
	const struct picture *picture, const struct graph_edge *edge, const char *amount)
{
	struct text *out = picture->out;
	const struct graph_node *nodes = picture->graph->nodes;
	text_puts(out, "\"");
	picture_name(picture, nodes[edge->from].row, out);
	text_puts(out, edge->is_residual ? " ... " : " -> ");
	picture_name(picture, nodes[edge->to].row, out);
	text_printf(out, " (%s)\"", amount);
}

static void picture_edge(
	const struct picture *picture, const struct graph_edge *edge, bool has_tags)
{
	struct text *out = picture->out;
	const int64_t weight = graph_weight(edge);
	char amount[UNIT_SIZE];
	amounts_value(&picture->amounts, amount, weight);
	/* As pprof has it: what is not shown is node 0, which nothing describes. */
	const uint32_t to = edge->to < picture->graph->node_count ? edge->to + 1 : 0;
	text_printf(out, "N%" PRIu32 " -> N%" PRIu32 " [label=\" %s%s\"", edge->from + 1, to,
		amount, edge->is_inlined ? "\\n (inline)" : "");
	if (picture->input->tree->base != 0) {
		const int heavy = picture_steps(picture, weight, 100);
		const int wide = picture_steps(picture, weight, 5);
		if (heavy > 1)
			text_printf(out, " weight=%d", heavy);
		if (wide > 1)
			text_printf(out, " penwidth=%d", wide);
		text_puts(out, " color=\"");
		picture_colour(out, picture_share(picture, weight), false);
		text_puts(out, "\"");
	}
	text_puts(out, " tooltip=");
	picture_edge_tip(picture, edge, amount);
	text_puts(out, " labeltooltip=");
	picture_edge_tip(picture, edge, amount);
	text_printf(out, "%s%s]\n", edge->is_residual ? " style=\"dotted\"" : "",
		has_tags ? " minlen=2" : "");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Lines as graphviz has them: each ended by \l. */
static void picture_legend_lines(const struct text *lines, struct text *out)
{
	for (size_t i = 0, end; i < lines->length; i = end + 1) {
		end = i;
		while (lines->data[end] != '\n')
			end++;
		dot_escape(out, lines->data + i, end - i);
		text_puts(out, "\\l");
	}
}

static void picture_start(const struct picture *picture)
{
	struct text *out = picture->out, title = {0}, legend = {0};
	amounts_title(picture->input, &title);
	amounts_legend(&picture->amounts, picture->graph, &legend);
	text_puts(out, "digraph \"");
	if (title.length > 0)
		picture_add_escaped(out, &title);
	else
		text_puts(out, "unnamed");
	text_puts(out, "\" {\nnode [style=filled fillcolor=\"#f8f8f8\"]\nsubgraph cluster_L { \"");
	dot_escape(out, legend.data, strcspn(legend.data, "\n"));
	text_puts(out, "\" [shape=box fontsize=16 label=\"");
	picture_legend_lines(&legend, out);
	text_puts(out, "\"");
	if (title.length > 0) {
		text_puts(out, " tooltip=\"");
		picture_add_escaped(out, &title);
		text_puts(out, "\"");
	}
	text_puts(out, "] }\n");
	text_free(&title);
	text_free(&legend);
}

static void picture_draw(struct picture *picture)
{
	const struct graph *graph = picture->graph;
	bool *has_tags = memory_new(graph->node_count, sizeof *has_tags);
	size_t first = 0;
	picture_start(picture);
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const double flat = fabs((double)graph_flat(&graph->nodes[i]));
		picture->largest = flat > picture->largest ? flat : picture->largest;
	}
	for (uint32_t i = 0; i < graph->node_count; i++) {
		size_t count = 0;
		while (first + count < graph->tag_count && graph->tags[first + count].node == i)
			count++;
		picture_node(picture, i);
		has_tags[i] = dot_tags(&picture->amounts, graph, i,
			count ? graph->tags + first : NULL, count, picture->out);
		first += count;
	}
	for (size_t i = 0; i < graph->edge_count; i++)
		picture_edge(picture, &graph->edges[i], has_tags[graph->edges[i].from]);
	text_puts(picture->out, "}\n");
	free(has_tags);
}

bool dot_pprof(const struct report_input *input, struct text *out, struct vp_error *err)
{
	const struct graph_options options = amounts_graph(input, true);
	struct graph *graph = graph_build(input->tree, &options, err);
	if (!graph)
		return false;
	struct picture picture = {.input = input,
		.graph = graph,
		.amounts = amounts_of(input, graph, false),
		.out = out};
	picture_draw(&picture);
	graph_free(graph);
	return true;
}
