/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/bins.h"
#include "report/head.h"

/* What ran in one bin of the timeline: what its stacks have in common, and how they went on. */

enum { BIN_MOST_TAILS = 20 };

struct bin_found {
	struct bin bin;
	bool is_first;
	size_t index, count; /* which of how many */
	struct bin_detail detail;
	uint32_t *prefix, *top; /* paths: what is common; the most frequent stack, whole */
	size_t prefix_count, top_count;
};

/*
 * What ran is counted in samples, whatever type was asked for; and figures that are to equal the
 * reference server's need its stacks: the raw addresses (numbers.md, own rule 9).
 */
static void bin_prepare(const struct profile *profile, struct report_options *options)
{
	if (profile->types[options->query.type].kind == VALUE_GAUGE)
		options->query.type = profile->default_type;
	if (options->bins == BINS_VIEWER) {
		options->query.show_assembler = true;
		options->query.granularity = profile->has_lines ? BY_LINE : BY_ADDRESS;
	}
}

static bool bin_sample(const struct report_input *input, uint64_t *sample, struct vp_error *err)
{
	const struct query *query = &input->options->query;
	const char *at = input->options->at;
	if (at) {
		int64_t ns;
		if (!clock_parse(&input->clock, at, &ns, err))
			return false;
		*sample = clock_sample(&input->clock, ns);
		/* The server's last bin has one sample more than was asked for. */
		uint64_t last = query->last + (input->options->bins == BINS_VIEWER);
		if (*sample >= query->first && *sample < last)
			return true;
		return error_set(
			err, ERROR_USAGE, -1, "--at=%.100s lies outside of --from and --to", at);
	}
	if (input->profile->snapshots && query->last > query->first) {
		*sample = query->last - 1; /* what lives at last */
		return true;
	}
	if (!profile_has_memory(input->profile))
		return error_set(err, ERROR_USAGE, -1,
			"this profile has no memory and so no peak: say which moment by --at=TIME");
	struct bin whole = bins_whole(input);
	*sample = whole.max_sample;
	return whole.count > 0 ||
	       error_set(err, ERROR_USAGE, -1, "no sample of this thread lies in the range");
}

/* In a series a bin is a snapshot, as in its timeline, or what was asked for of it. */
static void bin_find_snapshot(
	const struct report_input *input, uint64_t sample, struct bin_found *found)
{
	const struct query *query = &input->options->query;
	uint64_t first, last;
	found->index = profile_snapshot_of(input->profile, sample);
	found->count = input->profile->snapshot_count;
	found->is_first = found->index == 0;
	profile_snapshot_range(input->profile, found->index, &first, &last);
	first = first > query->first ? first : query->first;
	last = last < query->last ? last : query->last;
	if (first < last)
		timeline_bins(input->pyramid, first, last, query->thread, &found->bin, 1);
}

static bool bin_find(
	const struct report_input *input, struct bin_found *found, struct vp_error *err)
{
	uint64_t sample = 0;
	if (!input->profile->is_timed || input->profile->sample_count == 0)
		return error_set(err, ERROR_USAGE, -1,
			"this profile has no timeline: its samples carry no order in time");
	if (!bin_sample(input, &sample, err))
		return false;
	if (input->profile->snapshots) {
		bin_find_snapshot(input, sample, found);
		return found->bin.last > found->bin.first ||
		       error_set(err, ERROR_USAGE, -1, "there is no sample in that snapshot");
	}
	struct bin *bins = bins_make(input, &found->count);
	for (size_t i = 0; i < found->count; i++) {
		if (sample < bins[i].first || sample >= bins[i].last)
			continue;
		found->bin = bins[i];
		found->index = i;
		found->is_first = i == 0;
	}
	free(bins);
	return found->bin.last > found->bin.first ||
	       error_set(err, ERROR_USAGE, -1, "there is no bin at that moment");
}

static bool bin_make(
	const struct report_input *input, struct bin_found *found, struct vp_error *err)
{
	*found = (struct bin_found){0};
	if (!bin_find(input, found, err))
		return false;
	found->detail = bin_detail_build(input->tree, found->bin.first, found->bin.last,
		input->options->query.thread, input->options->bins == BINS_VIEWER);
	uint32_t top = found->detail.tail_count > 0 ? found->detail.tails[0].node : 0;
	found->prefix = parts_path(input->tree, found->detail.prefix, &found->prefix_count);
	found->top = parts_path(input->tree, top, &found->top_count);
	return true;
}

static void bin_free(struct bin_found *found)
{
	bin_detail_free(&found->detail);
	free(found->prefix);
	free(found->top);
}

/* Frames of a tail below the common prefix; free() *path. */
static const uint32_t *bin_rest(const struct report_input *input, const struct bin_found *found,
	uint32_t node, uint32_t **path, size_t *count)
{
	*path = parts_path(input->tree, node, count);
	size_t common = found->prefix_count < *count ? found->prefix_count : *count;
	*count -= common;
	return *path + common;
}

/* ---- text ------------------------------------------------------------------ */

static const struct table_column bin_frames[] = {
	{"", COLUMN_NUMBER, 0, 0},
	{"", COLUMN_TEXT, 16, 0},
	{"", COLUMN_PLACE, 12, 1},
};

static const struct table_column bin_tails[] = {
	{"SHARE", COLUMN_NUMBER, 0, 0},
	{"SAMPLES", COLUMN_NUMBER, 0, 1},
	{"MEAN", COLUMN_NUMBER, 0, 2},
	{"MAX", COLUMN_NUMBER, 0, 3},
	{"AFTER THE COMMON PART", COLUMN_TEXT, 20, 0},
};

static void bin_text_frames(const struct report_input *input, const uint32_t *path, size_t count,
	size_t depth, struct text *out)
{
	struct table table;
	table_init(&table, bin_frames, sizeof bin_frames / sizeof *bin_frames);
	for (size_t i = 0; i < count; i++) {
		char number[UNIT_SIZE];
		uint32_t row = input->tree->row[path[i]];
		snprintf(number, sizeof number, "%4zu", depth + i + 1);
		table_cell(&table, number);
		parts_cell_name(input, &table, row);
		parts_cell_place(input, &table, row);
	}
	table_write(&table, out, input->options->columns, input->options->ascii);
	table_free(&table);
}

/* Which snapshot it is is said by the head. */
static void bin_text_snapshot(
	const struct report_input *input, const struct bin_found *found, struct text *out)
{
	const struct bin *bin = &found->bin;
	struct text value = {0};
	char a[UNIT_SIZE], b[UNIT_SIZE];
	text_printf(&value, "a bin a snapshot: samples %s to %s%s",
		units_count(a, (int64_t)bin->first), units_count(b, (int64_t)bin->last - 1),
		input->options->at ? "" : "; --at=TIME asks for another one");
	head_fact(input, out, "Bin", value.data);
	text_free(&value);
}

static void bin_text_facts(
	const struct report_input *input, const struct bin_found *found, struct text *out)
{
	const struct bin *bin = &found->bin;
	char a[UNIT_SIZE], b[UNIT_SIZE], c[UNIT_SIZE];
	if (input->profile->snapshots) {
		bin_text_snapshot(input, found, out);
		return;
	}
	struct text value = {0};
	int64_t step = bins_step_ns(input, found->count) / 10;
	text_printf(&value, "%zu of %zu, %s to %s", found->index + 1, found->count,
		parts_moment(input, a, bin->first, step), parts_moment(input, b, bin->last, step));
	text_printf(&value, ", samples %s to %s", units_count(a, (int64_t)bin->first),
		units_count(b, (int64_t)bin->last - 1));
	head_fact(input, out, "Bin", value.data);
	text_clear(&value);
	if (profile_has_memory(input->profile) && bin->count > 0) {
		text_printf(&value, "mean %s, max %s at %s",
			units_value(a, (int64_t)(bin->mean + 0.5), "bytes"),
			units_value(b, bin->max, "bytes"),
			parts_moment(input, c, bin->max_sample, step));
		text_printf(&value, ", min %s", units_value(a, bin->min, "bytes"));
		head_fact(input, out, "Memory", value.data);
	}
	text_free(&value);
}

static void bin_text_prefix(
	const struct report_input *input, const struct bin_found *found, struct text *out)
{
	const struct bin_detail *detail = &found->detail;
	char stacks[UNIT_SIZE], empty[UNIT_SIZE];
	units_count(stacks, (int64_t)(detail->count - detail->empty_count));
	text_puts(out, "\n");
	struct text line = {0};
	if (found->prefix_count == 0)
		text_printf(&line, "Nothing is common to all %s stacks", stacks);
	else
		text_printf(
			&line, "Common to all %s stacks: %zu frames", stacks, found->prefix_count);
	if (detail->empty_count > 0)
		text_printf(&line, " (%s more samples have no stack)",
			units_count(empty, (int64_t)detail->empty_count));
	parts_wrap(input, out, "", line.data, line.length);
	text_free(&line);
	bin_text_frames(input, found->prefix, found->prefix_count, 0, out);
}

static void bin_text_top(
	const struct report_input *input, const struct bin_found *found, struct text *out)
{
	const struct bin_detail *detail = &found->detail;
	char count[UNIT_SIZE], all[UNIT_SIZE], share[UNIT_SIZE];
	if (detail->tail_count == 0)
		return;
	uint64_t top = detail->tails[0].count;
	units_percent(share, (double)top, (double)detail->count);
	units_count(count, (int64_t)top);
	units_count(all, (int64_t)detail->count);
	text_puts(out, "\n");
	struct text line = {0};
	if (found->top_count <= found->prefix_count)
		text_printf(
			&line, "Then nothing more, in %s of %s samples (%s)", count, all, share);
	else
		text_printf(&line, "Then, most often: in %s of %s samples (%s)", count, all, share);
	parts_wrap(input, out, "", line.data, line.length);
	text_free(&line);
	if (found->top_count > found->prefix_count)
		bin_text_frames(input, found->top + found->prefix_count,
			found->top_count - found->prefix_count, found->prefix_count, out);
}

static void bin_text_tail(const struct report_input *input, const struct bin_found *found,
	const struct tail *tail, struct table *table)
{
	char text[UNIT_SIZE];
	bool has_memory = profile_has_memory(input->profile);
	uint32_t *path;
	size_t count;
	const uint32_t *rest = bin_rest(input, found, tail->node, &path, &count);
	parts_cell_percent(table, (double)tail->count, (double)found->detail.count);
	table_cell(table, units_count(text, (int64_t)tail->count));
	table_cell(
		table, has_memory ? units_value(text, (int64_t)(tail->mean + 0.5), "bytes") : "");
	table_cell(table, has_memory ? units_value(text, tail->max, "bytes") : "");
	if (count == 0)
		table_cell(table, "(nothing more)");
	else {
		parts_join(input, rest, count, &table->pool);
		table_cell(table, "");
	}
	free(path);
}

static void bin_text_tails(
	const struct report_input *input, const struct bin_found *found, struct text *out)
{
	const struct bin_detail *detail = &found->detail;
	if (detail->tail_count < 2)
		return;
	long most = input->options->node_count < 0 ? BIN_MOST_TAILS : input->options->node_count;
	struct table table;
	table_init(&table, bin_tails, sizeof bin_tails / sizeof *bin_tails);
	size_t i = 0;
	for (; i < detail->tail_count && (most == 0 || (long)i < most); i++)
		bin_text_tail(input, found, &detail->tails[i], &table);
	text_puts(out, "\n");
	table_write(&table, out, input->options->columns, input->options->ascii);
	if (i < detail->tail_count)
		parts_more(input, out, detail->tail_count - i, "");
	table_free(&table);
}

static bool bin_text(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct bin_found found;
	if (!bin_make(input, &found, err))
		return false;
	head_text(input, out);
	bin_text_facts(input, &found, out);
	bin_text_prefix(input, &found, out);
	bin_text_top(input, &found, out);
	bin_text_tails(input, &found, out);
	bin_free(&found);
	return true;
}

/* ---- JSON ------------------------------------------------------------------- */

static const struct row *bin_row(const struct report_input *input, uint32_t node)
{
	return &input->tree->rows[input->tree->row[node]];
}

static void bin_push_address(const struct report_input *input, json_t *array, uint32_t node)
{
	json_array_append_new(array, json_sprintf("%" PRIu64, bin_row(input, node)->address));
}

/* In a profile with lines the server's stacks have the line, negative, after each address. */
static void bin_push_line(const struct report_input *input, json_t *array, uint32_t node)
{
	const struct row *row = bin_row(input, node);
	bool has_line = row->kind != CODE_NATIVE && row->line != 0;
	if (input->profile->has_lines)
		json_array_append_new(
			array, has_line ? json_sprintf("-%" PRIu32, row->line) : json_string("0"));
}

static void bin_push(
	const struct report_input *input, json_t *array, const uint32_t *path, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bin_push_address(input, array, path[i]);
		bin_push_line(input, array, path[i]);
	}
}

/* Whether all stacks go on with the same address behind the common part, at different lines. */
static bool bin_shares_address(const struct report_input *input, const struct bin_found *found)
{
	const struct bin_detail *detail = &found->detail;
	bool is_shared = input->profile->has_lines && found->top_count > found->prefix_count;
	for (size_t i = 0; i < detail->tail_count && is_shared; i++) {
		uint32_t *path;
		size_t count;
		const uint32_t *rest = bin_rest(input, found, detail->tails[i].node, &path, &count);
		is_shared = count > 0 &&
			    bin_row(input, rest[0])->address ==
				    bin_row(input, found->top[found->prefix_count])->address;
		free(path);
	}
	return is_shared;
}

/* The stacks as the reference server has them: addresses, root first. */
static void bin_json_addresses(const struct report_input *input, const struct bin_found *found,
	const uint32_t *rest, size_t rest_count, json_t *object)
{
	json_t *prefix = json_array(), *remainder = json_array();
	bin_push(input, prefix, found->prefix, found->prefix_count);
	if (bin_shares_address(input, found)) {
		bin_push_address(input, prefix, rest[0]);
		bin_push_line(input, remainder, rest[0]);
		rest++;
		rest_count--;
	}
	bin_push(input, remainder, rest, rest_count);
	json_object_set_new(object, "prefix_addresses", prefix);
	json_object_set_new(object, "remainder_addresses", remainder);
}

static json_t *bin_json_tails(const struct report_input *input, const struct bin_found *found)
{
	const struct bin_detail *detail = &found->detail;
	long most = input->options->node_count < 0 ? BIN_MOST_TAILS : input->options->node_count;
	json_t *array = json_array();
	for (size_t i = 0; i < detail->tail_count && (most == 0 || (long)i < most); i++) {
		const struct tail *tail = &detail->tails[i];
		uint32_t *path;
		size_t count;
		const uint32_t *rest = bin_rest(input, found, tail->node, &path, &count);
		json_t *object = json_object();
		json_object_set_new(object, "stack", parts_names(input, rest, count));
		json_object_set_new(object, "count", json_integer((json_int_t)tail->count));
		json_object_set_new(
			object, "share", json_real((double)tail->count / (double)detail->count));
		if (profile_has_memory(input->profile)) {
			json_object_set_new(object, "mean", json_real(tail->mean));
			json_object_set_new(object, "max", json_integer(tail->max));
		}
		json_array_append_new(array, object);
		free(path);
	}
	return array;
}

static void bin_json_stacks(
	const struct report_input *input, const struct bin_found *found, json_t *object)
{
	const struct bin_detail *detail = &found->detail;
	size_t common =
		found->prefix_count < found->top_count ? found->prefix_count : found->top_count;
	const uint32_t *rest = found->top + common;
	size_t rest_count = found->top_count - common;
	uint64_t top = detail->tail_count > 0 ? detail->tails[0].count : 0;
	json_object_set_new(
		object, "prefix", parts_names(input, found->prefix, found->prefix_count));
	json_object_set_new(object, "remainder", parts_names(input, rest, rest_count));
	json_object_set_new(object, "remainder_count", json_integer((json_int_t)top));
	json_object_set_new(object, "remainder_share",
		json_real(detail->count > 0 ? (double)top / (double)detail->count : 0.0));
	if (input->options->bins == BINS_VIEWER)
		bin_json_addresses(input, found, rest, rest_count, object);
	json_object_set_new(object, "tails", bin_json_tails(input, found));
}

static bool bin_json(const struct report_input *input, json_t *object, struct vp_error *err)
{
	struct bin_found found;
	if (!bin_make(input, &found, err))
		return false;
	bool has_memory = profile_has_memory(input->profile);
	json_object_set_new(object, "unit", json_string(has_memory ? "bytes" : "count"));
	json_object_set_new(object, "bin", json_integer((json_int_t)found.index));
	json_object_set_new(object, "bins", json_integer((json_int_t)found.count));
	json_object_set_new(object, "time", parts_json_moment(input, found.bin.first));
	json_object_set_new(object, "empty", json_integer((json_int_t)found.detail.empty_count));
	bin_json_stacks(input, &found, object);
	bin_free(&found);
	return true;
}

/* The figures of the bin itself, as `timeline` writes them. */
static bool bin_json_rest(const struct report_input *input, struct text *out, struct vp_error *err)
{
	struct bin_found found = {0};
	if (!bin_find(input, &found, err))
		return false;
	bins_members(input, &found.bin, found.is_first, out);
	return true;
}

const struct report report_bin = {
	.name = "bin",
	.description =
		"what ran in one bin of the timeline (--at; default: the peak, of a series the last snapshot)",
	.needs_tree = true,
	.needs_timeline = true,
	.prepare = bin_prepare,
	.text = bin_text,
	.json = bin_json,
	.json_rest = bin_json_rest,
};
