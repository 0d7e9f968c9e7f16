/* SPDX-License-Identifier: MIT */
#include "load.h"

#include <time.h>

#include "screen.h"

#define MS INT64_C(1000000)

/*
 * A picture of what is there so far costs as much as finishing that much. So another one is made
 * only when there is twice as much to see, not too soon after the last, and not at all when it
 * would make the user wait.
 */
enum { MOST_SAMPLES = 2000000, FEWEST_SAMPLES = 1024, SMALL_INPUT = 256 * 1024 };
#define PICTURE_NS (500 * MS)
#define MOMENT_NS (40 * MS) /* what is loaded in less needs no screen meanwhile */

struct load {
	struct app *app;
	const struct term_options *terminal;
	bool has_no_screen; /* opening it failed */
	bool has_picture;
	int64_t start_ns, picture_ns;
	size_t next_samples;   /* make the next picture from this many on */
	struct vp_error error; /* the options do not fit the profile */
};

static int64_t load_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 * MS + now.tv_nsec;
}

static bool load_open(struct load *load)
{
	struct vp_error err;
	if (term_is_open() || load->has_no_screen)
		return term_is_open();
	const bool ok = screen_open(load->app, load->terminal, &err);
	load->has_no_screen = !ok;
	return ok;
}

static bool load_wants_picture(const struct load *load, const struct builder *builder)
{
	const size_t samples = builder->profile->sample_count;
	if (!load->has_picture)
		return true;
	/* The call tree is the whole picture already; it will not grow. */
	if (builder->preview_is_whole)
		return false;
	return samples >= load->next_samples && samples < MOST_SAMPLES &&
	       load_now() - load->picture_ns >= PICTURE_NS;
}

/* Shows what is there so far; false where the options do not fit it. */
static bool load_picture(struct load *load, struct builder *builder, bool is_loading)
{
	struct profile *part = builder_snapshot(builder);
	if (!part)
		return true;
	const size_t samples = builder->profile->sample_count;
	load->next_samples = samples < FEWEST_SAMPLES ? FEWEST_SAMPLES : 2 * samples;
	load->has_picture = true;
	const bool ok = app_show(load->app, part, is_loading, &load->error);
	load->picture_ns = load_now();
	return ok;
}

/* Esc: what was read so far is what there is. */
static void load_stop(struct load *load, struct builder *builder)
{
	builder_warn(builder, "truncated",
		"the loading was stopped after %zu samples; the rest of the file is not in the picture",
		builder->profile->sample_count);
	if (load_picture(load, builder, false) && load->has_picture)
		load->app->is_partial = true;
	else if (!load->app->browser.opening)
		load->app->quit = true;
}

static bool load_progress(void *context, struct builder *builder, uint64_t done, uint64_t total)
{
	struct load *load = context;
	struct app *app = load->app;
	const bool is_short = load_now() - load->start_ns < MOMENT_NS;
	const bool is_small = total > 0 && total - done < SMALL_INPUT;
	app->done = done;
	app->total = total;
	app->samples_read = builder->profile->sample_count;
	/* The call tree of a viewer's file is there at once, and worth a screen at once. */
	if (!term_is_open() && is_short && (is_small || !builder->preview_is_whole))
		return true;
	if (!load_open(load))
		return true;
	if (load_wants_picture(load, builder) && !load_picture(load, builder, true))
		return false;
	screen_draw(app);
	if (!screen_step(app, 0))
		return false;
	if (app->cancel)
		load_stop(load, builder);
	return !app->cancel;
}

bool load_profile(struct app *app, const struct open_options *options,
	const struct term_options *terminal, struct vp_error *err)
{
	struct load load = {.app = app, .terminal = terminal, .start_ns = load_now()};
	struct open_options own = *options;
	own.load.progress = load_progress;
	own.load.progress_context = &load;
	app->is_loading = true;
	struct profile *profile = profile_open(&own, err);
	app->is_loading = false;
	if (load.error.code != ERROR_NONE) {
		profile_free(profile);
		*err = load.error;
		return false;
	}
	if (app->quit || app->is_partial) {
		profile_free(profile);
		return true;
	}
	return profile && app_show(app, profile, false, err);
}
