/* SPDX-License-Identifier: MIT */
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/format.h"
#include "profile/clock.h"
#include "query/frame_flags.h"
#include "query/timeline.h"
#include "report/report.h"

enum { EXERCISE_LABELS = 100, EXERCISE_NEIGHBOURS = 8 }; /* of that many rows */

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static void exercise_stacks(const struct profile *profile)
{
	EXPECT(profile->stack_count > 0 && profile->frame_count > 0);
	EXPECT(profile->function_count > 0 && profile->stack_end[0] == profile->stack_count);
	for (stack_id i = 1; i < profile->stack_count; i++) {
		stack_id parent = profile->stack_parent[i];
		EXPECT(parent < i && profile->stack_end[i] > i);
		EXPECT(profile->stack_end[i] <= profile->stack_end[parent]);
		EXPECT(profile->stack_frame[i] > 0 &&
			profile->stack_frame[i] < profile->frame_count);
	}
	for (frame_id i = 0; i < profile->frame_count; i++)
		EXPECT(profile->frames[i].function < profile->function_count);
	for (size_t i = 0; i < profile->sample_count; i++) {
		EXPECT(profile->sample_stack[i] < profile->stack_count);
		EXPECT(!profile->sample_thread ||
			profile->sample_thread[i] < profile->thread_count);
	}
	EXPECT(profile->type_count > 0 && profile->default_type < profile->type_count);
	EXPECT(profile->types[profile->default_type].kind != VALUE_GAUGE);
	if (profile_has_memory(profile) && profile->sample_count > 0)
		EXPECT(profile_peak(profile) < profile->sample_count);
}

static void exercise_label(const struct calltree *tree, uint32_t row)
{
	struct text text = {0};
	row_label(tree, row, false, &text);
	EXPECT(text.length > 0);
	text_puts(&text, " ");
	row_location(tree, row, true, false, &text);
	for (size_t i = 0; i < text.length;) {
		uint32_t c = 0;
		size_t size = utf8_decode(text.data + i, text.length - i, &c);
		EXPECT(size > 0 && c >= 0x20 && !(c >= 0x7f && c < 0xa0));
		i += size;
	}
	text_clear(&text);
	row_name(tree, row, true, &text);
	for (size_t i = 0; i < text.length; i++)
		EXPECT(text.data[i] >= 0x20 && text.data[i] < 0x7f);
	text_free(&text);
}

static void exercise_sums(const struct calltree *tree)
{
	bool overflow = tree->overflow, has_negative = false;
	int64_t sum = 0;
	EXPECT(tree->node_count > 0 && tree->end[0] == tree->node_count);
	for (uint32_t i = 0; i < tree->node_count; i++)
		has_negative |= tree->self[i] < 0;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		sum = units_add(sum, tree->self[i], &overflow);
		EXPECT(tree->row[i] < tree->row_count);
		if (i == 0)
			continue;
		EXPECT(tree->parent[i] < i && tree->end[i] > i);
		EXPECT(tree->end[i] <= tree->end[tree->parent[i]]);
		if (!overflow && !has_negative)
			EXPECT(tree->total[i] <= tree->total[tree->parent[i]]);
	}
	if (!overflow)
		EXPECT(sum == tree->total[0]);
}

static void exercise_details(const struct calltree *tree, size_t samples)
{
	static const size_t starts[] = {0, 1, 7};
	for (size_t i = 0; i < 3 && starts[i] < samples; i++) {
		uint64_t last = i == 0 ? samples : starts[i] + (samples - starts[i] + 1) / 2;
		for (int as_viewer = 0; as_viewer < 2; as_viewer++) {
			struct bin_detail detail =
				bin_detail_build(tree, starts[i], last, -1, as_viewer);
			EXPECT(detail.count == last - starts[i]);
			uint64_t sum = detail.empty_count;
			for (size_t k = 0; k < detail.tail_count; k++) {
				const struct tail *tail = &detail.tails[k];
				sum += tail->count;
				EXPECT(tail->node < tree->node_count);
				EXPECT(k == 0 || tail->count <= detail.tails[k - 1].count);
				EXPECT(tail->node >= detail.prefix &&
					tail->node < tree->end[detail.prefix]);
			}
			EXPECT(sum == detail.count);
			bin_detail_free(&detail);
		}
	}
}

static void exercise_tree(const struct profile *profile, const struct query *query)
{
	struct vp_error err = {0};
	struct calltree *tree = calltree_build(profile, query, &err);
	EXPECT(tree || err.message[0]);
	if (!tree)
		return;
	exercise_sums(tree);
	EXPECT(calltree_mark_inlined(tree, &err));
	for (int sort = SORT_FLAT; sort <= SORT_NAME; sort++) {
		size_t count;
		struct function_row *rows = functions_build(tree, (enum function_sort)sort, &count);
		for (size_t i = 0; i < count; i++)
			EXPECT(rows[i].row < tree->row_count);
		free(rows);
	}
	for (uint32_t row = 0; row < tree->row_count && row < EXERCISE_LABELS; row++)
		exercise_label(tree, row);
	for (uint32_t row = 0; row < tree->row_count && row < EXERCISE_NEIGHBOURS; row++) {
		struct neighbours neighbours = neighbours_build(tree, row);
		neighbours_free(&neighbours);
	}
	exercise_details(tree, profile->sample_count);
	calltree_free(tree);
}

static void exercise_trees(const struct profile *profile, bool every)
{
	struct query query = {0};
	query_init(&query, profile);
	if (!every) {
		exercise_tree(profile, &query);
		return;
	}
	for (int granularity = BY_FUNCTION; granularity <= BY_ADDRESS; granularity++) {
		query_init(&query, profile);
		query.granularity = (enum granularity)granularity;
		query.show_assembler = granularity == BY_ADDRESS;
		exercise_tree(profile, &query);
	}
	query_init(&query, profile);
	query.reference_tree = true;
	exercise_tree(profile, &query);
	for (int filter = 0; filter < FILTER_COUNT; filter++) {
		query_init(&query, profile);
		query.filters[filter] = "a|<";
		exercise_tree(profile, &query);
	}
	query_init(&query, profile);
	query.no_inlines = query.all_frames = query.mean = true;
	query.filters[FILTER_SHOW_FROM] = "a|<";
	query.filters[FILTER_PRUNE_FROM] = "e|n";
	exercise_tree(profile, &query);
	query.no_inlines = query.all_frames = false;
	exercise_tree(profile, &query);
	for (query_init(&query, profile), query.type = 0; query.type < profile->type_count;
		query.type++)
		exercise_tree(profile, &query);
}

static void exercise_timeline(const struct profile *profile)
{
	struct pyramid *pyramid = pyramid_build(profile);
	size_t n = profile->sample_count;
	static const size_t wanted[] = {1, 2, 99, 300};
	for (size_t i = 0; i < 4; i++) {
		struct bin bins[300];
		size_t count = timeline_bins(pyramid, 0, n, -1, bins, wanted[i]);
		EXPECT(count <= wanted[i] && count <= n && (count > 0 || n == 0));
		uint64_t next = 0;
		for (size_t k = 0; k < count; k++) {
			EXPECT(bins[k].first == next && bins[k].last > next);
			EXPECT(bins[k].count == bins[k].last - bins[k].first);
			EXPECT(bins[k].min <= bins[k].max);
			next = bins[k].last;
		}
		EXPECT(next == n);
		const struct bin_grid grid = {0, n, count};
		struct bin peak;
		if (timeline_peak(pyramid, &grid, 0, 1, &peak))
			EXPECT(peak.first < peak.last && peak.last <= n);
	}
	static const double edges[][2] = {
		{0, 1e300}, {-5, 3.5}, {7, 7}, {9, 2}, {1e9, 2e9}, {0, 2}};
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
		struct bin bins[99];
		size_t count = timeline_viewer_bins(pyramid, edges[i][0], edges[i][1], bins);
		EXPECT(count <= 99);
		for (size_t k = 0; k < count; k++)
			EXPECT(bins[k].last <= n && bins[k].first < bins[k].last);
	}
	pyramid_free(pyramid);
}

static void exercise_clock(const struct profile *profile)
{
	for (int choice = CLOCK_AUTO; choice <= CLOCK_NOMINAL; choice++) {
		struct clock clock = clock_make(profile, (enum clock_choice)choice);
		for (uint64_t i = 0; i < profile->sample_count;
			i += 1 + profile->sample_count / 7) {
			int64_t ns = clock_time(&clock, i);
			EXPECT(ns <= clock_time(&clock, i + 1));
			EXPECT(clock_sample(&clock, ns) < profile->sample_count);
		}
		static const char *const moments[] = {"11:30", "+20m", "#3", "50%", "x", ""};
		for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
			int64_t ns;
			struct vp_error err = {0};
			EXPECT(clock_parse(&clock, moments[i], &ns, &err) || err.message[0]);
		}
	}
	clock_duration_ns(profile);
	clock_sampled_ns(profile);
}

/* What was written of a profile is one again, and has the same sums. */
static void exercise_written(const struct profile *profile, const struct text *bytes)
{
	struct load_options options = load_options_default();
	struct vp_error err = {0};
	struct profile *again =
		profile_load_memory((const uint8_t *)bytes->data, bytes->length, &options, &err);
	unsigned written = 0;
	if (!again) { /* what is odd is refused, but is no bad file */
		EXPECT(err.code == ERROR_LIMIT);
		return;
	}
	for (unsigned i = 0; i < profile->type_count; i++) {
		const struct value_type *type = &profile->types[i];
		if (type->kind == VALUE_GAUGE ||
			(type->part != PART_ALL && type->part != PART_DELTA))
			continue;
		EXPECT(written < again->type_count);
		const struct value_type *same = &again->types[written++];
		if (type->total > INT64_MIN / 2 && type->total < INT64_MAX / 2)
			EXPECT(same->total == type->total);
	}
	EXPECT(written == again->type_count || written == 0);
	profile_free(again);
}

static void exercise_exports(const struct profile *profile, bool every)
{
	static const struct report *const reports[] = {
		&report_pprof, &report_dot, &report_callgrind, &report_raw, &report_comments};
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
		for (int k = 0; k < (every ? 3 : 1); k++) {
			struct report_options options = {.node_count = k == 2 ? 3 : -1,
				.node_fraction = -1,
				.edge_fraction = -1};
			struct text text = {0};
			struct vp_error err = {0};
			query_init(&options.query, profile);
			options.call_tree = options.no_trim = options.ascii = k == 1;
			options.query.filters[FILTER_HIDE] = k == 2 ? "a|<" : NULL;
			EXPECT(report_run(reports[i], profile, &options, false, &text, &err));
			if (k == 0 && i == 0)
				exercise_written(profile, &text);
			text_clear(&text);
			if (reports[i]->json)
				EXPECT(report_run(
					reports[i], profile, &options, true, &text, &err));
			text_free(&text);
		}
	}
}

bool exercise(const uint8_t *bytes, size_t size, bool every)
{
	struct load_options options = load_options_default();
	options.source.max_inflated = 32 << 20;
	struct vp_error err = {0};
	struct profile *profile = profile_load_memory(bytes, size, &options, &err);
	if (!profile) {
		EXPECT(err.code != ERROR_NONE && err.message[0]);
		return false;
	}
	frame_flags_check(profile);
	for (size_t i = 0; i < profile->warning_count; i++)
		EXPECT(profile->warnings[i].class_name && profile->warnings[i].message[0]);
	exercise_stacks(profile);
	exercise_trees(profile, every);
	exercise_timeline(profile);
	exercise_clock(profile);
	exercise_exports(profile, every);
	profile_free(profile);
	return true;
}
