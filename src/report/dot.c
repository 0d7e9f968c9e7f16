/* SPDX-License-Identifier: MIT */
#include "report/dot.h"

/* What the graph of calls in a file cannot answer: there are no stacks in it. */
static bool dot_needs_stacks(const struct report_options *options)
{
	const struct query *query = &options->query;
	bool needs = options->call_tree || query->mean || query->granularity != BY_FUNCTION;
	for (int i = 0; i < FILTER_COUNT; i++)
		needs |= query->filters[i] != NULL;
	return needs;
}

static bool dot_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	if (!input->profile->callgraph || dot_needs_stacks(input->options))
		return dot_pprof(input, out, err);
	dot_gprof2dot(input, out);
	return true;
}

const struct report report_dot = {
	.name = "dot",
	.description = "the graph of calls as a picture for graphviz",
	.needs_tree = true,
	.shows_inlined = true,
	.shows_means = true,
	.text = dot_text,
};
