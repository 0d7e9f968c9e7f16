/* SPDX-License-Identifier: MIT */
/*
 * The graph of calls for kcachegrind and its kin, as pprof writes it: a cost line for each address,
 * with the calls from there; names are written once and numbers stand for them afterwards.
 *
 * A file that is such a graph itself (pstats.md section 3) has no addresses: there positions are
 * lines, costs are its own to the nanosecond, and calls are counted.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/units.h"
#include "report/amounts.h"
#include "report/export.h"

struct callgrind {
	const struct report_input *input;
	const struct graph *graph;
	struct amounts amounts;
	struct text *out;
	struct strings objects, files, names; /* an id is the number that stands for it */
	struct text name;                     /* scratch */
	bool is_exact;                        /* calltree_is_exact */
	bool is_whole;                        /* costs are values as they are */
	/*
	 * Readers take nodes of one name and file for one function. Where they are not, calls name
	 * them "name [1/3]": which of how many. An exact graph has "name:line" wherever they are
	 * named.
	 */
	uint32_t *which; /* by node */
	uint32_t *group; /* by node: of one name and file */
	uint32_t *group_size;
};

static void callgrind_prepare(const struct profile *profile, struct report_options *options)
{
	(void)profile;
	options->query.granularity = BY_ADDRESS;
}

static const struct row *callgrind_row(const struct callgrind *callgrind, uint32_t node)
{
	return &callgrind->input->tree->rows[callgrind->graph->nodes[node].row];
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t callgrind_pair(uint64_t a, uint64_t b)
{
	return hash_u64(hash_u64(a) + b);
}

static void callgrind_tell_apart(struct callgrind *callgrind)
{
	const struct graph *graph = callgrind->graph;
	struct hash_map groups = {0}, functions = {0};
	const uint32_t count = graph->node_count;
	callgrind->which = memory_new(count, sizeof *callgrind->which);
	callgrind->group = memory_new(count, sizeof *callgrind->group);
	callgrind->group_size = memory_new(count, sizeof *callgrind->group_size);
	uint32_t group_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct row *row = callgrind_row(callgrind, i);
		const uint32_t place = graph->nodes[i].place;
		const uint32_t parent = place ? callgrind->input->tree->parent[place] : 0;
		uint32_t *slot = hash_map_slot(&groups, (uint64_t)row->name << 32 | row->file);
		if (*slot == 0)
			*slot = ++group_count;
		const uint32_t group = callgrind->group[i] = *slot - 1;
		/* In an exact graph no two nodes are one function. */
		slot = hash_map_slot(&functions,
			callgrind->is_exact
				? i
				: callgrind_pair((uint64_t)group << 32 | parent, row->module));
		if (*slot == 0)
			*slot = ++callgrind->group_size[group];
		callgrind->which[i] = *slot;
	}
	hash_map_free(&groups);
	hash_map_free(&functions);
}

/* "key=(1) name" the first time, "key=(1)" later; nothing stands for no name. */
static void callgrind_put(struct callgrind *callgrind, const char *key, struct strings *names)
{
	const struct text *name = &callgrind->name;
	struct text *out = callgrind->out;
	text_puts(out, key);
	if (name->length > 0) {
		const uint32_t before = names->count;
		const string_id id = strings_add(names, name->data, name->length);
		text_printf(out, "(%" PRIu32 ")", id);
		if (names->count > before) {
			text_puts(out, " ");
			text_add(out, name->data, name->length);
		}
	}
	text_puts(out, "\n");
}

/* A called function without a file would be taken for one of its caller's file. */
static void callgrind_string(
	struct callgrind *callgrind, const char *key, struct strings *names, string_id id)
{
	size_t length;
	const char *bytes = profile_string(callgrind->input->profile, id, &length);
	if (length == 0 && callgrind->is_exact) {
		bytes = "~";
		length = 1;
	}
	text_clear(&callgrind->name);
	text_clean(&callgrind->name, bytes, length, callgrind->input->options->ascii);
	callgrind_put(callgrind, key, names);
}

/* A function without a name has none here, where its profile says so of addresses. */
static void callgrind_function(
	struct callgrind *callgrind, const char *key, uint32_t node, bool is_called)
{
	const struct row *row = callgrind_row(callgrind, node);
	const uint32_t size = callgrind->group_size[callgrind->group[node]];
	text_clear(&callgrind->name);
	if (row->name != 0 || !callgrind->input->profile->is_name_function)
		row_name(callgrind->input->tree, callgrind->graph->nodes[node].row,
			callgrind->input->options->ascii, &callgrind->name);
	if (callgrind->is_exact && size > 1)
		text_printf(&callgrind->name, ":%" PRIu32, row->line);
	else if (is_called && size > 1)
		text_printf(&callgrind->name, " [%" PRIu32 "/%" PRIu32 "]", callgrind->which[node],
			size);
	callgrind_put(callgrind, key, &callgrind->names);
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* An address, or its distance from that of the node before where that is shorter. */
static void callgrind_address(struct text *out, const struct row *before, uint64_t address)
{
	char whole[24], step[24];
	snprintf(whole, sizeof whole, "0x%" PRIx64, address);
	if (!before) {
		text_puts(out, whole);
		return;
	}
	snprintf(step, sizeof step, "%+" PRId64, (int64_t)(address - before->address));
	if (address == before->address)
		text_puts(out, "*");
	else
		text_puts(out, strlen(step) < strlen(whole) ? step : whole);
}

static int64_t callgrind_cost(const struct callgrind *callgrind, int64_t value)
{
	if (callgrind->is_whole)
		return value;
	/* Costs are whole numbers: what has fractions is counted in the last of their digits. */
	const bool has_fraction = parts_type(callgrind->input)->decimals > 0;
	const double cost =
		has_fraction ? (double)value : trunc(amounts_scaled(&callgrind->amounts, value));
	return cost >= 0x1p63 ? INT64_MAX : cost < -0x1p63 ? INT64_MIN : (int64_t)cost;
}

/* The line that is being executed; of a function alone there is none to name. */
static uint32_t callgrind_line(const struct callgrind *callgrind, const struct row *row)
{
	return row->name == 0 && callgrind->input->profile->is_name_function ? 0 : row->line;
}

/* Where a node is: address and line. */
static void callgrind_position(
	struct callgrind *callgrind, const struct row *before, const struct row *row)
{
	if (!callgrind->is_exact) {
		callgrind_address(callgrind->out, before, row->address);
		text_puts(callgrind->out, " ");
	}
	text_printf(callgrind->out, "%" PRIu32, callgrind_line(callgrind, row));
}

/* How often, where that is known and the format can say it: it has no numbers below 0. */
static int64_t callgrind_count(const struct callgrind *callgrind, const struct graph_edge *edge)
{
	return parts_type(callgrind->input)->part == PART_DELTA ? 0 : edge->calls;
}

/* The caller's place is said anew, since calls have none of their own. */
static void callgrind_calls(struct callgrind *callgrind, uint32_t node, const struct row *before)
{
	const struct graph *graph = callgrind->graph;
	for (size_t k = graph->out.start[node]; k < graph->out.start[node + 1]; k++) {
		const struct graph_edge *edge = &graph->edges[graph->out.edges[k]];
		/* Readers take the time of no calls for the caller's own. */
		if (callgrind->is_exact && edge->calls == 0 && edge->weight == 0)
			continue;
		const struct row *callee = callgrind_row(callgrind, edge->to);
		callgrind_string(callgrind, "cfl=", &callgrind->files, callee->file);
		callgrind_function(callgrind, "cfn=", edge->to, true);
		text_printf(callgrind->out, "calls=%" PRId64 " ", callgrind_count(callgrind, edge));
		callgrind_position(callgrind, before, callee);
		if (callgrind->is_exact)
			text_printf(callgrind->out, "\n%" PRIu32 " ",
				callgrind_line(callgrind, callgrind_row(callgrind, node)));
		else
			text_puts(callgrind->out, "\n* * ");
		text_printf(
			callgrind->out, "%" PRId64 "\n", callgrind_cost(callgrind, edge->weight));
	}
}

static void callgrind_nodes(struct callgrind *callgrind)
{
	const struct graph *graph = callgrind->graph;
	const struct row *before = NULL;
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct row *row = callgrind_row(callgrind, i);
		const bool is_same = before && row->module == before->module &&
				     row->file == before->file && row->name == before->name;
		if (!is_same) {
			text_puts(callgrind->out, "\n");
			if (!callgrind->is_exact)
				callgrind_string(
					callgrind, "ob=", &callgrind->objects, row->module);
			callgrind_string(callgrind, "fl=", &callgrind->files, row->file);
			callgrind_function(callgrind, "fn=", i, false);
		}
		callgrind_position(callgrind, before, row);
		text_printf(callgrind->out, " %" PRId64 "\n",
			callgrind_cost(callgrind, graph_flat(&graph->nodes[i])));
		callgrind_calls(callgrind, i, before);
		before = row;
	}
}

/* What functions have by themselves: without it the sum of what is listed counts as all. */
static void callgrind_total(struct callgrind *callgrind)
{
	const struct graph *graph = callgrind->graph;
	bool overflow = false;
	int64_t sum = 0;
	for (uint32_t i = 0; i < graph->node_count; i++)
		sum = units_add(
			sum, callgrind_cost(callgrind, graph_flat(&graph->nodes[i])), &overflow);
	text_printf(callgrind->out, "\ntotals: %" PRId64 "\n", sum);
}

/* Costs are nanoseconds, so that none is cut off, unless another unit is asked for. */
static void callgrind_choose_unit(struct callgrind *callgrind)
{
	const struct report_options *options = callgrind->input->options;
	callgrind->is_exact = calltree_is_exact(callgrind->input->tree);
	callgrind->is_whole = callgrind->is_exact && !options->unit &&
			      (options->divide_by == 0 || options->divide_by == 1);
	if (callgrind->is_whole)
		callgrind->amounts.unit = "ns";
}

static bool callgrind_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	const struct graph_options options = amounts_graph(input, false);
	struct graph *graph = graph_build(input->tree, &options, err);
	if (!graph)
		return false;
	struct callgrind callgrind = {.input = input,
		.graph = graph,
		.amounts = amounts_of(input, graph, true),
		.out = out};
	callgrind_choose_unit(&callgrind);
	strings_init(&callgrind.objects);
	strings_init(&callgrind.files);
	strings_init(&callgrind.names);
	callgrind_tell_apart(&callgrind);
	if (input->is_estimate)
		text_printf(out, "desc: Estimated: %s\n", export_estimate);
	text_puts(out, callgrind.is_exact ? "positions: line\nevents: "
					  : "positions: instr line\nevents: ");
	parts_clean(input, out, parts_type(input)->name);
	text_puts(out, "(");
	export_unit(parts_type(input), callgrind.amounts.unit, &callgrind.name);
	parts_clean(input, out, callgrind.name.data);
	text_puts(out, ")\n");
	callgrind_nodes(&callgrind);
	if (callgrind.is_exact)
		callgrind_total(&callgrind);
	strings_free(&callgrind.objects);
	strings_free(&callgrind.files);
	strings_free(&callgrind.names);
	text_free(&callgrind.name);
	free(callgrind.which);
	free(callgrind.group);
	free(callgrind.group_size);
	graph_free(graph);
	return true;
}

const struct report report_callgrind = {
	.name = "callgrind",
	.description = "the graph of calls for kcachegrind",
	.needs_tree = true,
	.prepare = callgrind_prepare,
	.text = callgrind_text,
};
