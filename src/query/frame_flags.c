/* SPDX-License-Identifier: MIT */
#include "query/frame_flags.h"

#include <stdlib.h>
#include <string.h>

#include "query/pattern.h"

/* Many frames share a function: each of these is matched once. */
enum { IS_UNKNOWN, IS_OTHER, IS_MATCH };

struct flags_match {
	const struct calltree *tree;
	struct pattern *pattern;
	uint8_t *known; /* by function */
};

/* Whether the name, the file or the module of a function matches. As pattern_matches. */
static int flags_match_function(
	const struct flags_match *match, function_id id, struct vp_error *err)
{
	const struct profile *profile = match->tree->profile;
	const struct function *function = &profile->functions[id];
	const string_id parts[] = {function->name, function->file, function->module};
	if (match->known[id] != IS_UNKNOWN)
		return match->known[id] == IS_MATCH;
	int matches = 0;
	for (int i = 0; i < 3 && matches == 0; i++) {
		size_t length;
		const char *bytes = profile_string(profile, parts[i], &length);
		if (parts[i] != 0)
			matches = pattern_matches(match->pattern, bytes, length, err);
	}
	if (matches >= 0)
		match->known[id] = matches ? IS_MATCH : IS_OTHER;
	return matches;
}

/*
 * The same for a frame. One without a name is found by what it is called on the screen; but in
 * profiles where names are all there is, it has none.
 */
static int flags_match_frame(const struct flags_match *match, frame_id i, struct vp_error *err)
{
	const struct calltree *tree = match->tree;
	const struct frame *frame = &tree->profile->frames[i];
	bool has_name = tree->profile->functions[frame->function].name != 0;
	if (has_name || tree->profile->is_name_function)
		return flags_match_function(match, frame->function, err);
	return pattern_matches_row(match->pattern, tree, tree->row_of_frame[i], err);
}

/* A location without lines, where functions are names: nothing to show. */
static bool flags_is_bare(const struct profile *profile, frame_id i)
{
	const struct function *function = profile_function(profile, i);
	return profile->is_name_function && function->name == 0 && function->file == 0;
}

/* Sets a bit in flags[frame] where the pattern of a filter matches, or where it does not. */
static bool flags_mark(const struct calltree *tree, enum filter_kind filter, uint8_t bit,
	bool on_match, uint8_t *flags, struct vp_error *err)
{
	if (!tree->query.filters[filter])
		return true;
	struct flags_match match = {tree, pattern_compile(tree->query.filters[filter], err),
		memory_new(tree->profile->function_count, 1)};
	bool ok = match.pattern != NULL;
	for (frame_id i = 1; ok && i < tree->profile->frame_count; i++) {
		int matches = flags_match_frame(&match, i, err);
		if (filter == FILTER_SHOW && flags_is_bare(tree->profile, i))
			matches = matches > 0 ? 0 : matches;
		ok = matches >= 0;
		if ((matches == 1) == on_match)
			flags[i] |= bit;
	}
	pattern_free(match.pattern);
	free(match.known);
	return ok;
}

/* ---- frames that the profile wants left out ---------------------------------------------------
 */

/* The name as such patterns are written: without a leading dot and the arguments. */
static size_t flags_simple_name(const char **name, size_t length)
{
	static const char *const reserved[] = {"(anonymous namespace)", "operator()"};
	if (length > 0 && **name == '.') {
		++*name;
		length--;
	}
	for (size_t i = 0; i < length;) {
		size_t skipped = 0;
		for (int k = 0; k < 2; k++) {
			size_t size = strlen(reserved[k]);
			if (length - i >= size && memcmp(*name + i, reserved[k], size) == 0)
				skipped = size;
		}
		if (skipped == 0 && (*name)[i] == '(')
			return i;
		i += skipped ? skipped : 1;
	}
	return length;
}

/* The pattern as one of whole names; NULL where it is none: then nothing is left out. */
static struct pattern *flags_compile_whole(const char *pattern, struct vp_error *err)
{
	struct text whole = {0};
	if (!pattern)
		return NULL;
	text_printf(&whole, "^(?:%s)$", pattern);
	struct pattern *compiled = pattern_compile(whole.data, err);
	text_free(&whole);
	return compiled;
}

/* Whether the pattern matches the simple name of a function; none matches one without a name. */
static int flags_match_simple(const struct pattern *pattern, const struct profile *profile,
	function_id id, struct vp_error *err)
{
	size_t length;
	const char *name = profile_string(profile, profile->functions[id].name, &length);
	if (length == 0)
		return 0;
	length = flags_simple_name(&name, length);
	return pattern_matches(pattern, name, length, err);
}

/* Rule 7. A pattern that is none, or takes too long, leaves nothing out: frame_flags_check says so.
 */
static void flags_mark_dropped(const struct profile *profile, uint8_t *flags)
{
	struct pattern *drop = flags_compile_whole(profile->drop_frames, NULL);
	struct pattern *keep = drop ? flags_compile_whole(profile->keep_frames, NULL) : NULL;
	uint8_t *known = memory_new(profile->function_count, 1);
	for (frame_id i = 1; drop && i < profile->frame_count; i++) {
		function_id id = profile->frames[i].function;
		if (known[id] == IS_UNKNOWN) {
			bool is_dropped =
				flags_match_simple(drop, profile, id, NULL) == 1 &&
				!(keep && flags_match_simple(keep, profile, id, NULL) == 1);
			known[id] = is_dropped ? IS_MATCH : IS_OTHER;
		}
		if (known[id] == IS_MATCH)
			flags[i] |= FRAME_DROP;
	}
	pattern_free(drop);
	pattern_free(keep);
	free(known);
}

static bool flags_check_pattern(
	const struct profile *profile, const char *text, struct vp_error *err)
{
	struct pattern *pattern = flags_compile_whole(text, err);
	bool ok = pattern != NULL;
	for (function_id id = 1; ok && id < profile->function_count; id++)
		ok = flags_match_simple(pattern, profile, id, err) >= 0;
	pattern_free(pattern);
	return ok;
}

static void flags_warn(struct profile *profile, const char *name, const struct vp_error *err)
{
	struct text message = {0};
	text_printf(&message, "the file's %s is left aside: %s", name, err->message);
	char *copy = arena_new(&profile->arena, message.length + 1, 1);
	memcpy(copy, message.data, message.length);
	profile->warnings = array_grow(profile->warnings, &profile->warning_capacity,
		profile->warning_count + 1, sizeof *profile->warnings);
	profile->warnings[profile->warning_count++] = (struct warning){"malformed", copy};
	text_free(&message);
}

void frame_flags_check(struct profile *profile)
{
	struct vp_error err = {.offset = -1};
	if (!profile->drop_frames)
		return; /* keep_frames alone has nothing to keep */
	if (!flags_check_pattern(profile, profile->drop_frames, &err))
		flags_warn(profile, "drop_frames", &err);
	else if (profile->keep_frames && !flags_check_pattern(profile, profile->keep_frames, &err))
		flags_warn(profile, "keep_frames", &err);
}

/* Rule 6: names only, and simple ones. */
static bool flags_mark_pruned(const struct calltree *tree, uint8_t *flags, struct vp_error *err)
{
	const struct profile *profile = tree->profile;
	if (!tree->query.filters[FILTER_PRUNE_FROM])
		return true;
	struct pattern *pattern = pattern_compile(tree->query.filters[FILTER_PRUNE_FROM], err);
	if (!pattern)
		return false;
	uint8_t *known = memory_new(profile->function_count, 1);
	int matches = 0;
	for (frame_id i = 1; matches >= 0 && i < profile->frame_count; i++) {
		function_id id = profile->frames[i].function;
		if (known[id] == IS_UNKNOWN) {
			matches = flags_match_simple(pattern, profile, id, err);
			known[id] = matches > 0 ? IS_MATCH : IS_OTHER;
		}
		if (known[id] == IS_MATCH)
			flags[i] |= FRAME_PRUNE;
	}
	pattern_free(pattern);
	free(known);
	return matches >= 0;
}

static void flags_hide_assembler(const struct calltree *tree, uint8_t *flags)
{
	const struct profile *profile = tree->profile;
	if (tree->query.show_assembler && !tree->query.reference_tree)
		return;
	for (frame_id i = 1; i < profile->frame_count; i++)
		if (profile->frames[i].kind == CODE_ASSEMBLER)
			flags[i] |= FRAME_HIDDEN;
}

uint8_t *frame_flags_build(const struct calltree *tree, struct vp_error *err)
{
	const struct profile *profile = tree->profile;
	uint8_t *flags = memory_new(profile->frame_count, 1);
	bool ok = flags_mark(tree, FILTER_FOCUS, FRAME_FOCUS, true, flags, err) &&
		  flags_mark(tree, FILTER_IGNORE, FRAME_IGNORE, true, flags, err) &&
		  flags_mark(tree, FILTER_HIDE, FRAME_HIDDEN, true, flags, err) &&
		  flags_mark(tree, FILTER_SHOW, FRAME_HIDDEN, false, flags, err) &&
		  flags_mark(tree, FILTER_SHOW_FROM, FRAME_START, true, flags, err) &&
		  flags_mark_pruned(tree, flags, err);
	if (!ok) {
		free(flags);
		return NULL;
	}
	if (!tree->query.all_frames)
		flags_mark_dropped(profile, flags);
	flags_hide_assembler(tree, flags);
	return flags;
}
