/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_VIEW_SUMMARY_FACTS_H
#define VPTOP_TUI_VIEW_SUMMARY_FACTS_H

#include "view/common.h"

/* What a profile says of itself, as lines of label and value. */

enum { SUMMARY_MOST_FACTS = 14, SUMMARY_FACT_SIZE = 320 };

struct summary_fact {
	const char *label;
	char value[SUMMARY_FACT_SIZE];
	enum role role;
};

struct summary_facts {
	struct summary_fact facts[SUMMARY_MOST_FACTS];
	int count;
};

/*
 * The most telling ones first; what the profile does not say is left out. `peak`: the sample with
 * the most memory is in it (NULL: that is said elsewhere); `is_brief`: only what a run was like.
 */
void summary_collect(const struct view_context *context, const struct bin *peak, bool is_brief,
	struct summary_facts *out);

#endif
