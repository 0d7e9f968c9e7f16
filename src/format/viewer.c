/* SPDX-License-Identifier: MIT */
/*
 * vmprof-viewer: what its client submits (formats/vmprof-viewer-msgpack.md), one MessagePack map of
 *
 *     version, project, period, duration, max_mem, start_date, top_level_function,
 *     cpu_profile, mem_profile, addr_name_map     blobs, each gzip of MessagePack
 *
 * in any order, itself plain or gzip'd; or one of the three blobs alone.
 *
 * The CPU tree and the names are small, the samples are not. So where the input can be read twice,
 * the first pass takes the small parts and gives the first picture, the second one reads the
 * samples.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/format.h"
#include "format/viewer_blobs.h"

enum { MAX_KEY = 1 << 16 };

enum part { PART_NONE, PART_TREE, PART_SAMPLES, PART_NAMES };

struct envelope {
	struct viewer viewer;
	struct source *source;
	bool defers_samples;   /* to a second pass */
	bool samples_deferred; /* they were seen in the first one */
	int64_t version, max_memory_kib;
	const char *start_date;
};

/* ---- one blob --------------------------------------------------------------------------- */

typedef bool (*viewer_reader)(struct viewer *viewer, struct source *source,
	const struct msgpack_item *first, struct vp_error *err);

static viewer_reader viewer_reader_of(enum part part)
{
	return part == PART_TREE      ? viewer_read_tree
	       : part == PART_SAMPLES ? viewer_read_samples
				      : viewer_read_names;
}

static const char *viewer_part_name(enum part part)
{
	return part == PART_TREE      ? "cpu_profile"
	       : part == PART_SAMPLES ? "mem_profile"
				      : "addr_name_map";
}

/* A part whose MessagePack is in `item`'s bytes (compressed or not), or begins with `item` itself.
 */
static bool viewer_part(
	struct envelope *e, enum part part, const struct msgpack_item *item, struct vp_error *err)
{
	struct builder *builder = e->viewer.builder;
	if (item->type != MSGPACK_BYTES)
		return viewer_reader_of(part)(&e->viewer, e->source, item, err);
	struct vp_error why = {0};
	struct msgpack_item first;
	struct source *inner = source_open_part(e->source, item->count, &why);
	bool has_first = inner && msgpack_next(inner, &first, &why);
	bool ok = true;
	if (!has_first) {
		ok = why.code != ERROR_LIMIT;
		*err = why;
		builder_warn(builder, why.code == ERROR_TRUNCATED ? "truncated" : "malformed",
			"%s: %s: left out", viewer_part_name(part), why.message);
		builder->profile->is_truncated = true;
	} else {
		ok = viewer_reader_of(part)(&e->viewer, inner, &first, err);
		size_t rest;
		source_peek(inner, 1, &rest);
		if (ok && rest > 0 && !builder->profile->is_truncated)
			builder_warn(builder, "note", "%s: bytes behind the end are left out",
				viewer_part_name(part));
	}
	source_close(inner);
	return ok;
}

/* ---- the envelope -------------------------------------------------------------------------- */

static bool viewer_is(const char *key, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(key, word, length) == 0;
}

static enum part viewer_part_of(const char *key, size_t length)
{
	for (enum part part = PART_TREE; part <= PART_NAMES; part++)
		if (viewer_is(key, length, viewer_part_name(part)))
			return part;
	return PART_NONE;
}

/* A number, or a number written as text; NAN for anything else. */
static bool viewer_scalar(
	struct source *source, const struct msgpack_item *item, double *value, struct vp_error *err)
{
	*value = (double)NAN;
	if (msgpack_number(item, value))
		return true;
	if (item->type != MSGPACK_BYTES)
		return msgpack_skip(source, item, err);
	const char *s = msgpack_bytes(source, item, MAX_KEY, err);
	if (!s)
		return false;
	char number[64] = "";
	size_t length = item->count < sizeof number ? (size_t)item->count : 0;
	memcpy(number, s, length);
	char *end;
	double parsed = strtod(number, &end);
	if (length > 0 && *end == 0 && end != number)
		*value = parsed;
	return true;
}

/* nil or a text of the file, copied; other types give NULL. */
static bool viewer_word(struct envelope *e, const struct msgpack_item *item, const char **word,
	struct vp_error *err)
{
	if (item->type != MSGPACK_BYTES)
		return msgpack_skip(e->source, item, err);
	const char *s = msgpack_bytes(e->source, item, MAX_KEY, err);
	if (!s)
		return false;
	*word = item->count > 0 ? builder_text(e->viewer.builder, s, (size_t)item->count) : NULL;
	return true;
}

static bool viewer_field(struct envelope *e, const char *key, size_t length,
	const struct msgpack_item *item, struct vp_error *err)
{
	struct profile *profile = e->viewer.builder->profile;
	if (viewer_is(key, length, "project"))
		return viewer_word(e, item, &profile->project, err);
	if (viewer_is(key, length, "top_level_function"))
		return viewer_word(e, item, &profile->top_level_function, err);
	if (viewer_is(key, length, "start_date"))
		return viewer_word(e, item, &e->start_date, err);
	double value;
	bool is_version = viewer_is(key, length, "version"),
	     is_period = viewer_is(key, length, "period"),
	     is_peak = viewer_is(key, length, "max_mem");
	if (!is_version && !is_period && !is_peak)
		return msgpack_skip(e->source, item, err);
	if (!viewer_scalar(e->source, item, &value, err))
		return false;
	if (is_version && fabs(value) < 1e6)
		e->version = (int64_t)value;
	if (is_period && value > 0 && value < 9e15) /* microseconds; 0 and below mean unknown */
		profile->period_ns = (int64_t)llround(value * 1000);
	if (is_peak && value >= 0 && value < 9e15)
		e->max_memory_kib = (int64_t)llround(value);
	return true;
}

/* Lets the application have a look; at once when tree and names make the first picture. */
static bool viewer_look(struct envelope *e, struct vp_error *err)
{
	struct builder *builder = e->viewer.builder;
	bool is_whole = builder->preview && e->viewer.has_tree && e->viewer.has_names;
	bool is_first = is_whole && !builder->preview_is_whole;
	source_progress(e->source, &builder->done, &builder->total);
	builder->preview_is_whole = builder->preview_is_whole || is_whole;
	bool goes_on = is_first ? builder_tick_now(builder)
				: builder_tick(builder, builder->done, builder->total);
	return goes_on || error_set(err, ERROR_CANCELLED, -1, "loading was stopped");
}

/* One pass over the map: everything, or (later) one part only. */
static bool viewer_pass(struct envelope *e, enum part only, struct vp_error *err)
{
	struct msgpack_item map, item;
	if (!msgpack_next(e->source, &map, err))
		return false;
	for (uint64_t i = 0; i < map.count; i++) {
		char key[32];
		if (!msgpack_next(e->source, &item, err))
			return false;
		const char *name = msgpack_bytes(e->source, &item, MAX_KEY, err);
		if (!name)
			return false;
		size_t length = item.count < sizeof key ? (size_t)item.count : 0;
		memcpy(key, name, length);
		if (!msgpack_next(e->source, &item, err))
			return false;
		enum part part = viewer_part_of(key, length);
		bool later = only == PART_NONE && part == PART_SAMPLES && e->defers_samples &&
			     !(e->viewer.has_tree && e->viewer.has_names);
		bool ok;
		e->samples_deferred = e->samples_deferred || later;
		if (later || (only != PART_NONE && part != only))
			ok = msgpack_skip(e->source, &item, err);
		else if (part != PART_NONE)
			ok = viewer_part(e, part, &item, err);
		else
			ok = viewer_field(e, key, length, &item, err);
		if (!ok || !viewer_look(e, err))
			return false;
	}
	return true;
}

static void viewer_judge_fields(struct envelope *e)
{
	struct builder *builder = e->viewer.builder;
	struct profile *profile = builder->profile;
	profile->version = e->version > 0 ? (int)e->version : -1;
	if (e->version != 1 && e->version != 2)
		builder_warn(builder, "malformed",
			"envelope version %lld is unknown: read as version 2",
			(long long)e->version);
	if (profile->period_ns == 0)
		builder_warn(builder, "note",
			"no period in the file: time is shown as sample numbers (--period says it)");
	/* Version 1 has no start date, even where the key is there (the server reads it from 2 on).
	 */
	if (e->version == 1 || !e->start_date)
		return;
	profile->has_start = units_parse_iso8601(
		e->start_date, &profile->start_ns, &profile->has_offset, &profile->offset_s);
	if (!profile->has_start)
		builder_warn(
			builder, "bad-time", "start_date '%s' is no date: left out", e->start_date);
	else if (!profile->has_offset)
		profile->has_offset = true; /* no zone: UTC (section 1) */
}

/* The file says its own peak: two counts of one thing. */
static void viewer_check_peak(struct envelope *e)
{
	struct profile *profile = e->viewer.builder->profile;
	if (e->max_memory_kib < 0 || profile->is_truncated || !profile_has_memory(profile) ||
		profile->sample_count == 0)
		return;
	long long peak = profile_memory_kib(profile, profile_peak(profile)),
		  said = e->max_memory_kib;
	if (peak != said)
		builder_warn(e->viewer.builder, "note",
			"the file says its peak is %lld KiB, its samples say %lld KiB: that is shown",
			said, peak);
}

static bool viewer_is_final(const struct vp_error *err)
{
	return err->code == ERROR_CANCELLED || err->code == ERROR_LIMIT;
}

/* Once more from the start, for one part; false where the loading has to end. */
static bool viewer_pass_again(struct envelope *e, enum part part, struct vp_error *err)
{
	struct vp_error why = {0};
	if (!source_rewind(e->source))
		return error_set(err, ERROR_IO, -1, "cannot read the file a second time");
	if (viewer_pass(e, part, &why) || !viewer_is_final(&why))
		return true;
	*err = why;
	return false;
}

/* There are no samples, so the tree is the profile: once more, if the first time was a glance. */
static bool viewer_read_tree_again(struct envelope *e, struct vp_error *err)
{
	struct viewer *viewer = &e->viewer;
	if (viewer->builder->preview && !viewer->is_glance)
		return true;
	builder_drop_preview(viewer->builder);
	viewer->builder->preview_can_leave = viewer->is_glance = false;
	viewer->wants_preview = true;
	viewer_forget_tree(viewer);
	return viewer_pass_again(e, PART_TREE, err);
}

/* False where nothing more can be read: what was read by then may be enough all the same. */
static bool viewer_passes(struct envelope *e, struct vp_error *err)
{
	struct viewer *viewer = &e->viewer;
	struct vp_error cut = {0};
	bool whole = viewer_pass(e, PART_NONE, &cut);
	if (!whole && viewer_is_final(&cut)) {
		*err = cut;
		return false;
	}
	if (e->samples_deferred && !viewer_pass_again(e, PART_SAMPLES, err))
		return false;
	bool needs_tree = viewer->has_tree && viewer->builder->profile->sample_count == 0;
	if (needs_tree && !viewer_read_tree_again(e, err))
		return false;
	if (whole)
		return true;
	if (!viewer->has_samples && !viewer->has_tree) {
		*err = cut;
		return false;
	}
	viewer->builder->profile->is_truncated = true;
	builder_warn(viewer->builder, cut.code == ERROR_MALFORMED ? "malformed" : "truncated",
		"envelope: %s: what came before is kept", cut.message);
	return true;
}

static bool viewer_read_envelope(
	struct source *source, struct builder *builder, struct vp_error *err)
{
	struct envelope e = {.source = source, .version = 0, .max_memory_kib = -1};
	viewer_init(&e.viewer, builder);
	e.defers_samples = source_can_rewind(source);
	/* Where nobody looks on, the tree is kept only if it cannot be read again. */
	e.viewer.wants_preview = builder->progress || !e.defers_samples;
	builder->preview_can_leave = e.viewer.is_glance = e.defers_samples;
	bool ok = viewer_passes(&e, err) && viewer_finish(&e.viewer, err);
	if (ok) {
		viewer_judge_fields(&e);
		viewer_check_peak(&e);
	}
	viewer_free(&e.viewer);
	return ok;
}

/* ---- one blob alone, and which it is ----------------------------------------------------- */

enum shape { SHAPE_NONE, SHAPE_ENVELOPE, SHAPE_TREE, SHAPE_SAMPLES, SHAPE_NAMES, SHAPE_RESAMPLED };

/* A cursor over the first bytes for sniffing. */
struct glance {
	const uint8_t *p, *end;
};

static bool glance_next(struct glance *g, struct msgpack_item *item, const uint8_t **payload)
{
	int used = msgpack_head(g->p, (size_t)(g->end - g->p), item);
	if (used <= 0)
		return false;
	g->p += used;
	*payload = g->p;
	if (item->type == MSGPACK_BYTES || item->type == MSGPACK_EXT) {
		if (item->count > (uint64_t)(g->end - g->p))
			return false;
		g->p += item->count;
	}
	return true;
}

/* Steps over a whole value; false where the bytes end first. */
static bool glance_skip(struct glance *g)
{
	const uint8_t *payload;
	for (uint64_t left = 1; left > 0; left--) {
		struct msgpack_item item;
		if (!glance_next(g, &item, &payload))
			return false;
		uint64_t more = item.type == MSGPACK_ARRAY ? item.count
				: item.type == MSGPACK_MAP ? item.count * 2
							   : 0;
		left += more < UINT32_MAX * UINT64_C(2) ? more : 0;
	}
	return true;
}

static bool viewer_is_key(const char *key, size_t length)
{
	static const char *const keys[] = {"version", "project", "period", "duration", "max_mem",
		"start_date", "top_level_function", "cpu_profile", "mem_profile", "addr_name_map"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (viewer_is(key, length, keys[i]))
			return true;
	return false;
}

static enum shape viewer_shape_map(struct glance *g, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		struct msgpack_item key, value;
		const uint8_t *bytes, *name;
		if (!glance_next(g, &key, &bytes))
			return SHAPE_NONE;
		bool is_text = key.type == MSGPACK_BYTES && key.count > 0;
		if (is_text && viewer_is_key((const char *)bytes, (size_t)key.count))
			return SHAPE_ENVELOPE;
		if (is_text && viewer_is((const char *)bytes, (size_t)key.count, "trace"))
			return SHAPE_RESAMPLED;
		bool is_address = key.type == MSGPACK_INT ||
				  (is_text && (bytes[0] == 0 || bytes[0] == '-' ||
						      (bytes[0] >= '0' && bytes[0] <= '9')));
		struct glance after = *g;
		if (is_address && glance_next(&after, &value, &name) &&
			value.type == MSGPACK_BYTES && memchr(name, ':', (size_t)value.count))
			return SHAPE_NAMES;
		if (!glance_skip(g))
			return SHAPE_NONE;
	}
	return SHAPE_NONE;
}

static enum shape viewer_shape_array(struct glance *g, uint64_t count)
{
	struct msgpack_item first, second;
	const uint8_t *payload;
	if (count == 0)
		return SHAPE_SAMPLES;
	if (!glance_next(g, &first, &payload))
		return SHAPE_NONE;
	if (count == 4 && (first.type == MSGPACK_BYTES || first.type == MSGPACK_INT))
		return glance_next(g, &second, &payload) && second.type == MSGPACK_INT &&
				       glance_next(g, &second, &payload) &&
				       second.type == MSGPACK_MAP
			       ? SHAPE_TREE
			       : SHAPE_NONE;
	if (first.type != MSGPACK_ARRAY || first.count < 1 || first.count > 2)
		return SHAPE_NONE;
	if (!glance_next(g, &second, &payload) || second.type != MSGPACK_ARRAY)
		return SHAPE_NONE;
	if (second.count == 0)
		return SHAPE_SAMPLES;
	return glance_next(g, &first, &payload) && first.type == MSGPACK_INT ? SHAPE_SAMPLES
									     : SHAPE_NONE;
}

static enum shape viewer_shape(const uint8_t *bytes, size_t size)
{
	struct glance g = {bytes, bytes + size};
	struct msgpack_item item;
	const uint8_t *payload;
	if (size == 0 ||
		(bytes[0] < 0x80 || (bytes[0] >= 0xa0 && bytes[0] < 0xdc) || bytes[0] >= 0xe0))
		return SHAPE_NONE; /* neither map nor array */
	if (!glance_next(&g, &item, &payload))
		return SHAPE_NONE;
	if (item.type == MSGPACK_MAP)
		return viewer_shape_map(&g, item.count);
	return item.type == MSGPACK_ARRAY ? viewer_shape_array(&g, item.count) : SHAPE_NONE;
}

static int viewer_sniff(const uint8_t *bytes, size_t size)
{
	static const int bits[] = {
		[SHAPE_NONE] = 0,
		[SHAPE_ENVELOPE] = 150,
		[SHAPE_TREE] = 60,
		[SHAPE_SAMPLES] = 40,
		[SHAPE_NAMES] = 60,
		[SHAPE_RESAMPLED] = 60,
	};
	return bits[viewer_shape(bytes, size)];
}

static bool viewer_read_alone(
	struct source *source, struct builder *builder, viewer_reader reader, struct vp_error *err)
{
	struct viewer viewer;
	struct msgpack_item first;
	viewer_init(&viewer, builder);
	viewer.wants_preview = true;
	bool ok = msgpack_next(source, &first, err) && reader(&viewer, source, &first, err) &&
		  viewer_finish(&viewer, err);
	viewer_free(&viewer);
	return ok;
}

static bool viewer_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	size_t have;
	const uint8_t *bytes = source_peek(source, FORMAT_SNIFF_SIZE, &have);
	switch (viewer_shape(bytes, have)) {
	case SHAPE_TREE:
		return viewer_read_alone(source, builder, viewer_read_tree, err);
	case SHAPE_SAMPLES:
		return viewer_read_alone(source, builder, viewer_read_samples, err);
	case SHAPE_NAMES:
		return error_set(err, ERROR_UNRECOGNIZED, 0,
			"only the names of a vmprof-viewer profile (addr_name_map): open its folder, or cpu or mem");
	case SHAPE_RESAMPLED:
		return error_set(err, ERROR_UNRECOGNIZED, 0,
			"a vmprof-viewer server's answer for its chart, not a profile");
	case SHAPE_NONE:
	case SHAPE_ENVELOPE:
		break;
	}
	return viewer_read_envelope(source, builder, err);
}

const struct format format_viewer = {
	.name = "vmprof-viewer",
	.description =
		"vmprof-viewer submission (MessagePack, versions 1 and 2), or one blob of it",
	.sniff = viewer_sniff,
	.read = viewer_read,
};
