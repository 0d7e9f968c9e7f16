/* SPDX-License-Identifier: MIT */
#include "choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool choose_type(
	const char *name, const struct profile *profile, struct query *query, struct vp_error *err)
{
	struct text known = {0};
	if (!name || profile_find_type(profile, name, &query->type))
		return true;
	for (unsigned i = 0; i < profile->type_count; i++)
		text_printf(&known, "%s%s", i > 0 ? ", " : "", profile->types[i].name);
	error_set(err, ERROR_USAGE, -1, "there is no value type '%.60s'; this profile has %s", name,
		known.data ? known.data : "none");
	text_free(&known);
	return false;
}

static bool choose_thread(
	const char *text, const struct profile *profile, struct query *query, struct vp_error *err)
{
	char *end;
	if (!text)
		return true;
	errno = 0;
	const uint64_t id = strtoull(text, &end, 0);
	if (*end == '\0' && end != text && errno == 0) {
		for (uint32_t i = 0; i < profile->thread_count; i++) {
			if (profile->threads[i].id == id) {
				query->thread = (int32_t)i;
				return true;
			}
		}
	}
	return error_set(err, ERROR_USAGE, -1,
		"this profile has no thread '%.60s' (--report=threads lists them)", text);
}

bool choose_query(const struct query *wished, const char *type, const char *thread,
	const struct profile *profile, struct query *query, struct vp_error *err)
{
	query_init(query, profile);
	query->granularity = wished->granularity;
	query->show_assembler = wished->show_assembler;
	query->reference_tree = wished->reference_tree;
	query->relative_percentages = wished->relative_percentages;
	query->no_inlines = wished->no_inlines;
	query->all_frames = wished->all_frames;
	query->mean = wished->mean;
	query->divide_by = wished->divide_by;
	query->unit = wished->unit;
	query->drop_negative = wished->drop_negative;
	memcpy(query->filters, wished->filters, sizeof query->filters);
	return choose_type(type, profile, query, err) && choose_thread(thread, profile, query, err);
}
