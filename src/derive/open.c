/* SPDX-License-Identifier: MIT */
#include "derive/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "derive/difference.h"
#include "derive/labelled_difference.h"
#include "derive/merge.h"
#include "derive/series.h"
#include "derive/tag_frames.h"
#include "query/frame_flags.h"

/* Loading of several files: the progress of all of them, and no picture of one alone. */
struct opening {
	const struct open_options *options;
	struct load_options load;
	struct builder nothing; /* what there is to see so far */
	size_t file_count, number;
};

static bool open_progress(void *context, struct builder *builder, uint64_t done, uint64_t total)
{
	struct opening *opening = context;
	const struct load_options *load = &opening->options->load;
	uint64_t before, all;
	(void)builder;
	if (__builtin_mul_overflow(total, (uint64_t)opening->number, &before) ||
		__builtin_mul_overflow(total, (uint64_t)opening->file_count, &all))
		before = all = 0;
	return load->progress(load->progress_context, &opening->nothing, before + done, all);
}

/* "PATH: " in front of the message, where there is more than one file. */
static void open_blame(const struct opening *opening, const char *path, struct vp_error *err)
{
	struct text message = {0};
	if (opening->file_count < 2 || !err || err->code == ERROR_CANCELLED)
		return;
	text_printf(&message, "%.*s: %s", (int)sizeof err->message / 2, path, err->message);
	error_set(err, err->code, err->offset, "%s", message.data);
	text_free(&message);
}

/* ---- several files to one profile ------------------------------------------------------ */

struct loaded {
	struct profile **profiles;
	size_t count;
};

static void loaded_free(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->count; i++)
		profile_free(loaded->profiles[i]);
	free(loaded->profiles);
	*loaded = (struct loaded){0};
}

static bool open_load(struct opening *opening, const char *const *paths, size_t count,
	struct loaded *loaded, struct vp_error *err)
{
	loaded->profiles = memory_new(count, sizeof *loaded->profiles);
	for (size_t i = 0; i < count; i++) {
		struct profile *profile = profile_load(paths[i], &opening->load, err);
		if (!profile) {
			open_blame(opening, paths[i], err);
			return false;
		}
		loaded->profiles[loaded->count++] = profile;
		opening->number++;
	}
	return true;
}

static struct profile *open_join(struct opening *opening, const struct loaded *loaded,
	const char *const *paths, enum together together, struct vp_error *err)
{
	const struct profile *const *profiles = (const struct profile *const *)loaded->profiles;
	size_t bad = 0;
	const bool is_series = together == TOGETHER_SERIES ||
			       (together == TOGETHER_AUTO && series_is(profiles, loaded->count));
	struct profile *profile =
		is_series ? profile_series(profiles, paths, loaded->count, &bad, err)
			  : profile_merge(profiles, paths, loaded->count, &bad, err);
	if (!profile)
		open_blame(opening, paths[bad], err);
	return profile;
}

/* One profile of all paths. */
static struct profile *open_paths(struct opening *opening, const char *const *paths, size_t count,
	enum together together, struct vp_error *err)
{
	struct loaded loaded = {0};
	struct profile *profile = NULL;
	if (open_load(opening, paths, count, &loaded, err)) {
		if (count == 1 && together != TOGETHER_SERIES) {
			profile = loaded.profiles[0];
			loaded.count = 0;
		} else {
			profile = open_join(opening, &loaded, paths, together, err);
		}
	}
	loaded_free(&loaded);
	return profile;
}

/* ---- the base --------------------------------------------------------------------------- */

/* Subtracts the base; frees `now`. */
static struct profile *open_subtract(
	struct opening *opening, struct profile *now, struct vp_error *err)
{
	const struct open_options *options = opening->options;
	struct profile *base =
		open_paths(opening, options->bases, options->base_count, TOGETHER_MERGED, err);
	struct profile *difference = NULL;
	if (base) {
		difference = profile_difference(
			&(struct difference_options){.now = difference_all(now),
				.base = difference_all(base),
				.kind = options->is_diff_base ? DIFFERENCE_OF_BASE
							      : DIFFERENCE_CANCELS,
				.normalize = options->normalize},
			err);
		if (!difference)
			open_blame(opening, options->bases[0], err);
	}
	profile_free(now);
	profile_free(base);
	return difference;
}

/* Where labels are to be frames; frees `profile`. */
static struct profile *open_with_tags(
	const struct open_options *options, struct profile *profile, struct vp_error *err)
{
	if (!profile || (!options->tag_root && !options->tag_leaf))
		return profile;
	struct profile *with = profile_with_tags(
		profile, options->tag_root, options->tag_leaf, options->tag_unit, err);
	profile_free(profile);
	if (with && with->snapshots)
		series_sum_up(with);
	return with;
}

/* ---- all of it -------------------------------------------------------------------------- */

static size_t open_count_stdin(const char *const *paths, size_t count)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += strcmp(paths[i], "-") == 0;
	return found;
}

static bool open_check(const struct open_options *options, struct vp_error *err)
{
	if (open_count_stdin(options->paths, options->path_count) +
			open_count_stdin(options->bases, options->base_count) >
		1)
		return error_set(err, ERROR_USAGE, -1,
			"standard input (-) is named more than once, and can be read once only");
	if (options->base_count > 0 && options->together == TOGETHER_SERIES)
		return error_set(err, ERROR_USAGE, -1,
			"--series keeps profiles apart, a base is subtracted from one: leave one of the two out");
	if (options->normalize && options->base_count == 0)
		return error_set(err, ERROR_USAGE, -1,
			"--normalize needs a profile to compare with: --base=FILE or --diff-base=FILE");
	return true;
}

struct profile *profile_open(const struct open_options *options, struct vp_error *err)
{
	struct opening opening = {.options = options,
		.load = options->load,
		.file_count = options->path_count + options->base_count};
	if (!open_check(options, err))
		return NULL;
	builder_init(&opening.nothing, &options->load.builder, NULL, NULL);
	if (options->load.progress && opening.file_count > 1) {
		opening.load.progress = open_progress;
		opening.load.progress_context = &opening;
	}
	const enum together together =
		options->base_count > 0 ? TOGETHER_MERGED : options->together;
	struct profile *profile =
		open_paths(&opening, options->paths, options->path_count, together, err);
	if (profile && options->base_count > 0)
		profile = open_subtract(&opening, profile, err);
	builder_abort(&opening.nothing);
	if (profile)
		labelled_difference(profile);
	profile = open_with_tags(options, profile, err);
	if (profile)
		frame_flags_check(profile);
	return profile;
}
