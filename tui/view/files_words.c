/* SPDX-License-Identifier: MIT */
/* The profiles of a folder: the context line and the help. */
#include "view/files_state.h"

static const char *const files_orders[] = {[FILES_BY_NAME] = "name",
	[FILES_BY_START] = "start",
	[FILES_BY_LENGTH] = "length",
	[FILES_BY_TOTAL] = "total",
	[FILES_BY_SIZE] = "size"};

const char *files_sort_name(const struct files_state *state)
{
	return files_orders[state->sort];
}

void files_status(void *opaque, const struct view_context *context, struct text *out)
{
	const struct files_state *state = opaque;
	const struct catalog *catalog = context->catalog;
	char count[UNIT_SIZE], all[UNIT_SIZE];
	if (!catalog)
		return;
	if (state->marked_count > 0)
		text_printf(out, "%s marked   ", units_count(count, (int64_t)state->marked_count));
	units_count(all, (int64_t)catalog->count);
	if (state->profile_count < catalog->count)
		text_printf(
			out, "%s of %s", units_count(count, (int64_t)state->profile_count), all);
	else
		text_puts(out, all);
	text_printf(out, " profile%s", catalog->count == 1 ? "" : "s");
	if (!catalog->is_found)
		text_puts(out, ", looking for more");
	else if (catalog->read_count < catalog->count)
		text_printf(out, ", %s read", units_count(count, (int64_t)catalog->read_count));
	else if (catalog->limit)
		text_puts(out, ", not all");
	text_printf(out, "   sort: %s%s", files_sort_name(state),
		state->is_reversed ? ", reversed" : "");
}

void files_explain(void *opaque, const struct view_context *context, struct text *out)
{
	const struct catalog *catalog = context->catalog;
	(void)opaque;
	text_puts(out,
		"The profiles of this folder and of the folders in it. What a file is, its content "
		"says; files that are no profiles are not in the list. Files are only read here, "
		"never changed.\n");
	text_puts(out,
		"In a job runner's folder (output/PROCESS/profiledata/NODE.gocpuprof, .goheapprof, "
		".pyprof) profiles stand below their process, by node and kind. TOTAL is the sum of "
		"the value that the profile is shown by first; where the memory of a run was "
		"recorded it is the peak. STARTED in grey is when the file was written, where it has "
		"no date of its own.\n");
	text_puts(out,
		"Space marks a profile. d opens what changed from the marked one to the selected "
		"one, or from the first marked to the second; A opens all marked ones together. "
		"6 comes back to this list.\n");
	text_puts(out,
		"Where there is room the functions with the most self value stand below or beside what "
		"the selected profile says of itself. y has its path, p writes all of the list to a file.\n");
	if (catalog && catalog->limit)
		text_printf(out, "Not all of the folder is in the list: %s.\n", catalog->limit);
}
