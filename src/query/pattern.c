/* SPDX-License-Identifier: MIT */
#include "query/pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/memory.h"

enum { MATCH_LIMIT = 1000000, HEAP_LIMIT_KIB = 64 * 1024 };

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

struct pattern *pattern_compile(const char *text, struct vp_error *err)
{
	int code;
	PCRE2_SIZE offset;
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &offset, NULL);
	if (!compiled) {
		PCRE2_UCHAR why[128];
		pcre2_get_error_message(code, why, sizeof why);
		error_set(err, ERROR_USAGE, -1,
			"'%.80s' is no regular expression: %s (character %zu)", text,
			(const char *)why, (size_t)offset);
		return NULL;
	}
	struct pattern *pattern = memory_new(1, sizeof *pattern);
	pattern->code = compiled;
	pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); /* only faster: may fail */
	pattern->data = pcre2_match_data_create_from_pattern(compiled, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
	pcre2_set_heap_limit(pattern->context, HEAP_LIMIT_KIB);
	return pattern;
}

void pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->context);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	free(pattern);
}

int pattern_matches(
	const struct pattern *pattern, const char *bytes, size_t length, struct vp_error *err)
{
	int status = pcre2_match(
		pattern->code, (PCRE2_SPTR)bytes, length, 0, 0, pattern->data, pattern->context);
	if (status >= 0)
		return 1;
	if (status == PCRE2_ERROR_NOMATCH)
		return 0;
	error_set(err, ERROR_LIMIT, -1,
		"a regular expression takes too long on this profile's names");
	return -1;
}

int pattern_matches_row(const struct pattern *pattern, const struct calltree *tree, uint32_t row,
	struct vp_error *err)
{
	const struct row *r = &tree->rows[row];
	const string_id parts[] = {r->name, r->file, r->module};
	for (size_t i = 0; i < 3; i++) {
		size_t length;
		const char *bytes = profile_string(tree->profile, parts[i], &length);
		if (parts[i] == 0)
			continue;
		int matches = pattern_matches(pattern, bytes, length, err);
		if (matches)
			return matches;
	}
	if (r->name)
		return 0;
	struct text name = {0};
	row_name(tree, row, false, &name);
	int matches = pattern_matches(pattern, name.data, name.length, err);
	text_free(&name);
	return matches;
}
