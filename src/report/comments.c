/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/parts.h"

/* What whoever made the profile wrote into it, a line each. */

static const char *comments_of(const struct report_input *input)
{
	return input->profile->comments ? input->profile->comments : "";
}

static bool comments_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	(void)err;
	for (const char *line = comments_of(input); *line;) {
		const size_t length = strcspn(line, "\n");
		text_clean(out, line, length, input->options->ascii);
		text_puts(out, "\n");
		line += length + (line[length] == '\n');
	}
	return true;
}

static bool comments_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	json_t *comments = json_array();
	(void)err;
	for (const char *line = comments_of(input); *line;) {
		const size_t length = strcspn(line, "\n");
		json_array_append_new(comments, parts_string(line, length));
		line += length + (line[length] == '\n');
	}
	json_object_set_new(object, "comments", comments);
	return true;
}

const struct report report_comments = {
	.name = "comments",
	.description = "comments that the file has",
	.text = comments_text,
	.json = comments_json,
};
