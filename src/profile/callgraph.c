/* SPDX-License-Identifier: MIT */
#include "profile/callgraph.h"

#include <stdlib.h>

void callgraph_free(struct callgraph *graph)
{
	if (!graph)
		return;
	free(graph->nodes);
	free(graph->edges);
	free(graph->incoming);
	free(graph->first_callee);
	free(graph->first_caller);
	free(graph);
}
