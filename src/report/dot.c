/* SPDX-License-Identifier: MIT */
#include "report/dot.h"

/* What gprof2dot's picture has no place for: stacks, rows that are no functions, and changes. */
static bool dot_is_of_pprof(const struct report_input *input)
{
	const struct report_options *options = input->options;
	const struct query *query = &options->query;
	bool is_pprof = options->call_tree || query->mean || query->granularity != BY_FUNCTION ||
			input->profile->difference != DIFFERENCE_NONE;
	for (int i = 0; i < FILTER_COUNT; i++)
		is_pprof |= query->filters[i] != NULL;
	return is_pprof;
}

static bool dot_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	if (!input->profile->callgraph || dot_is_of_pprof(input))
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
