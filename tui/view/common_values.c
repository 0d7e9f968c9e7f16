/* SPDX-License-Identifier: MIT */
/* Values, shares and calls as all views print them, and what is said of them. */
#include <stdio.h>
#include <string.h>

#include "base/pprof_units.h"
#include "view/common.h"

/* The unit that was asked for, where the type has such ones: samples are not so many milliseconds,
 * as pprof's reports have it. */
static const char *common_unit(const struct calltree *tree)
{
	const struct value_type *type = &tree->profile->types[tree->query.type];
	const char *own;
	pprof_units_scale(1, type->unit, "minimum", &own);
	return *own ? tree->query.unit : NULL;
}

char *common_base(char out[UNIT_SIZE], const struct calltree *tree)
{
	const struct value_type *type = &tree->profile->types[tree->query.type];
	return pprof_units_printed(out, tree->base, type->decimals, type->unit,
		tree->query.divide_by, common_unit(tree));
}

int common_value_width(const struct calltree *tree, int usual)
{
	enum { ROOM = 5 }; /* a sign, two decimals, and a blank before it */
	char base[UNIT_SIZE];
	if (!common_unit(tree))
		return usual;
	const int width = (int)strlen(common_base(base, tree)) + ROOM;
	return width > usual ? width : usual;
}

char *common_value(char out[UNIT_SIZE], const struct calltree *tree, int64_t value)
{
	const bool has_sign = value > 0 && common_is_change(tree);
	const struct value_type *type = &tree->profile->types[tree->query.type];
	pprof_units_printed(
		out, value, type->decimals, type->unit, tree->query.divide_by, common_unit(tree));
	if (has_sign) {
		memmove(out + 1, out, UNIT_SIZE - 2);
		out[0] = '+';
		out[UNIT_SIZE - 1] = '\0';
	}
	return out;
}

char *common_estimate(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, bool is_estimate)
{
	char plain[UNIT_SIZE];
	snprintf(out, UNIT_SIZE, "%s%.60s", is_estimate ? "~" : "",
		common_value(plain, tree, value));
	return out;
}

char *common_place_value(char out[UNIT_SIZE], const struct calltree *tree, int64_t value)
{
	return common_estimate(out, tree, value, value != 0 && calltree_is_estimate(tree));
}

char *common_place_share(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, int64_t whole)
{
	char plain[UNIT_SIZE];
	snprintf(out, UNIT_SIZE, "%s%.60s", calltree_is_estimate(tree) ? "~" : "",
		common_share_of(plain, tree, value, whole));
	return out;
}

char *common_calls(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t calls, int64_t primitive)
{
	const bool is_change = common_is_change(tree);
	char all[UNIT_SIZE], some[UNIT_SIZE];
	int used = 0;
	if (calls != primitive)
		used = snprintf(out, UNIT_SIZE, "%s%.28s/", is_change && calls > 0 ? "+" : "",
			units_count(all, calls));
	snprintf(out + used, UNIT_SIZE - (size_t)used, "%s%.28s",
		is_change && primitive > 0 ? "+" : "", units_count(some, primitive));
	return out;
}

bool common_rows_are_estimates(const struct calltree *tree)
{
	return calltree_is_estimate(tree) && !calltree_is_exact(tree);
}

const char *common_estimate_note(const struct calltree *tree)
{
	if (!calltree_is_estimate(tree))
		return "";
	return "Values with ~ are estimates: the file says how long functions took and which of them "
	       "call each other, but not in which stacks. So a function's time is divided among "
	       "its callers in proportion to what each of them had of it. Top and Callers without "
	       "filters are exact.";
}

bool common_is_change(const struct calltree *tree)
{
	return tree->profile->types[tree->query.type].part == PART_DELTA;
}

char *common_share_of(
	char out[UNIT_SIZE], const struct calltree *tree, int64_t value, int64_t whole)
{
	char share[UNIT_SIZE];
	const char *sign = !common_is_change(tree) || value == 0 ? "" : value > 0 ? "+" : "-";
	units_percent(share, (double)value, (double)whole);
	snprintf(out, UNIT_SIZE, "%s%.60s", sign, share);
	return out;
}

char *common_share(char out[UNIT_SIZE], const struct calltree *tree, int64_t value)
{
	return common_share_of(out, tree, value, tree->base);
}

const char *common_noun(const struct calltree *tree)
{
	const struct value_type *type = &tree->profile->types[tree->query.type];
	if (strcmp(type->name, "time") == 0)
		return tree->profile->is_realtime || tree->profile->callgraph ? "time" : "CPU time";
	return type->name;
}

const char *common_explanation(const struct calltree *tree)
{
	if (common_is_change(tree))
		return tree->profile->difference == DIFFERENCE_OF_BASE
			       ? "A change is what the new profile has more (+) or less (-) than the "
				 "old one; shares are of what the old one has in all. x shows old and "
				 "new."
			       : "A change is what the new profile has more (+) or less (-) than the "
				 "old one; shares are of all changes, whichever way. x shows old and "
				 "new.";
	switch (tree->profile->types[tree->query.type].source) {
	case VALUE_RISE:
		return "Growth is how much more memory the process had than one sample before; it is "
		       "credited to the stack of the later sample, and falls do not count.";
	case VALUE_TIME:
		return "Time is samples times the period.";
	case VALUE_WEIGHT:
	case VALUE_COLUMN:
	case VALUE_MEMORY:
		break;
	}
	return "";
}

bool common_is_whole(const struct view_context *context)
{
	return *common_scope(context) == '\0' && *common_filter_note(context) == '\0';
}

const char *common_scope(const struct view_context *context)
{
	const struct query *query = &context->tree->query;
	bool is_window = query->first > 0 || query->last < context->profile->sample_count;
	if (query->thread >= 0)
		return is_window ? " of the thread in the window" : " of the thread";
	if (is_window && context->profile->snapshots)
		return " in the snapshot";
	return is_window ? " in the window" : "";
}

const char *common_filter_note(const struct view_context *context)
{
	const struct query *query = &context->tree->query;
	for (int i = 0; i < FILTER_COUNT; i++)
		if (query->filters[i])
			return query->relative_percentages
				       ? " Samples that the filters leave out are not among them."
				       : " Samples that the filters leave out are among them.";
	return "";
}
