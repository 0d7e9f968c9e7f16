/* SPDX-License-Identifier: MIT */
/*
 * Profiles of Python's cProfile and profile, yappi (save(type='pstat')) and the sampling profiler
 * of Python 3.15, as pstats reads them: one marshalled dict (marshal.h; pstats.md sections 1 to 4)
 *
 *     (file, line, function): (primitive calls, calls, own time, time with callees, callers)
 *
 * where callers is a dict of such keys: from cProfile to (calls, primitive calls, time, time), or
 * several such groups, from profile to the number of calls alone. yappi has the first two numbers
 * the other way round; the greater one is all calls, wherever it stands. Times are seconds. The key
 * ("__sampled__",) says that calls are samples.
 *
 * What is there are figures of functions and of pairs of functions: they become profile->callgraph.
 * pstats_tree.c makes stacks from them. Not read: which clock was used and when (it is not there).
 */
#include "format/pstats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "format/format.h"
#include "format/marshal.h"
#include "profile/callgraph.h"

enum { PSTATS_STEPS = 1 << 15 }; /* objects between two ticks */

#define PSTATS_MARKER "__sampled__"

struct pstats {
	struct builder *builder;
	struct vp_error *err;
	struct marshal marshal;
	string_id *string_of;     /* by text of marshal, + 1; 0: not looked up yet */
	function_id *function_of; /* by value of marshal that is a key; 0 likewise */
	struct call_node *nodes;  /* by function */
	size_t node_capacity;
	uint32_t node_count;
	struct call_edge *edges;
	size_t edge_count, edge_capacity;
	uint64_t groups; /* of figures of callers that were looked at */
	uint64_t bytes;  /* of the file */
	bool is_sampled, is_past;
	uint64_t odd_keys, odd_values, odd_callers, negative_times;
	int64_t negative_ns;
};

/* ---- keys -------------------------------------------------------------------------------- */

static string_id pstats_string(struct pstats *reader, string_id text)
{
	if (reader->string_of[text] == 0) {
		size_t length;
		const char *bytes = strings_get(&reader->marshal.texts, text, &length);
		reader->string_of[text] = builder_string(reader->builder, bytes, length) + 1;
	}
	return reader->string_of[text] - 1;
}

static bool pstats_is_text(const struct pstats *reader, string_id text, const char *wanted)
{
	size_t length;
	const char *bytes = strings_get(&reader->marshal.texts, text, &length);
	return length == strlen(wanted) && memcmp(bytes, wanted, length) == 0;
}

/* cProfile has built-in functions in the file "~", profile in "", yappi in their module. */
static bool pstats_is_native(const struct pstats *reader, string_id file, int64_t line)
{
	static const char *const files[] = {"~", "", "__builtin__", "builtins"};
	if (line > 0)
		return false;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (pstats_is_text(reader, file, files[i]))
			return true;
	return false;
}

static void pstats_make_node(struct pstats *reader, function_id function)
{
	if (function < reader->node_count)
		return;
	reader->nodes = array_grow(
		reader->nodes, &reader->node_capacity, (size_t)function + 1, sizeof *reader->nodes);
	memset(reader->nodes + reader->node_count, 0,
		(function + 1 - reader->node_count) * sizeof *reader->nodes);
	reader->node_count = function + 1;
}

/* The function of a key; 0 where it is none: (text, number, text) is. */
static function_id pstats_function(struct pstats *reader, const struct marshal_value *key)
{
	const size_t index = (size_t)(key - reader->marshal.values);
	if (reader->function_of[index] != 0)
		return reader->function_of[index];
	if (key->type != MARSHAL_TUPLE || key->count != 3)
		return 0;
	const struct marshal_value *file = marshal_item(&reader->marshal, key, 0);
	const struct marshal_value *line = marshal_item(&reader->marshal, key, 1);
	const struct marshal_value *name = marshal_item(&reader->marshal, key, 2);
	if (file->type != MARSHAL_TEXT || name->type != MARSHAL_TEXT || line->type != MARSHAL_INT)
		return 0;
	struct function function = {.name = pstats_string(reader, name->text),
		.file = pstats_string(reader, file->text),
		.kind = pstats_is_native(reader, file->text, line->integer) ? CODE_NATIVE
									    : CODE_PYTHON};
	if (line->integer > 0 && line->integer <= UINT32_MAX)
		function.line = (uint32_t)line->integer;
	const function_id id = builder_function(reader->builder, &function);
	pstats_make_node(reader, id);
	reader->function_of[index] = id;
	return id;
}

static bool pstats_is_marker(const struct pstats *reader, const struct marshal_value *key)
{
	if (key->type != MARSHAL_TUPLE || key->count != 1)
		return false;
	const struct marshal_value *text = marshal_item(&reader->marshal, key, 0);
	return text->type == MARSHAL_TEXT && pstats_is_text(reader, text->text, PSTATS_MARKER);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static int64_t pstats_round(struct pstats *reader, double number)
{
	if (number >= 0x1p63 || number < -0x1p63) {
		reader->is_past = true;
		return number < 0 ? INT64_MIN : INT64_MAX;
	}
	return llround(number);
}

/* False for what is no number of calls. */
static bool pstats_calls(struct pstats *reader, const struct marshal_value *value, int64_t *calls)
{
	if (!marshal_is_number(value))
		return false;
	*calls = value->type == MARSHAL_REAL ? pstats_round(reader, value->real) : value->integer;
	reader->is_past |= value->is_clamped;
	return *calls >= 0;
}

/* profile takes the time of its own work off, and may take too much. */
static int64_t pstats_ns(struct pstats *reader, const struct marshal_value *value)
{
	const double seconds = value->type == MARSHAL_REAL ? value->real : (double)value->integer;
	const int64_t ns = pstats_round(reader, seconds * 1e9);
	bool overflow = false;
	if (ns >= 0)
		return ns;
	reader->negative_times++;
	reader->negative_ns = units_add(reader->negative_ns, ns, &overflow);
	return 0;
}

/* What four items of a tuple say, wherever it is. */
struct pstats_figures {
	int64_t calls, primitive, self_ns, total_ns;
};

static bool pstats_figures(struct pstats *reader, const struct marshal_value *tuple, uint32_t first,
	struct pstats_figures *figures)
{
	const struct marshal_value *item[4];
	int64_t a, b;
	for (uint32_t i = 0; i < 4; i++)
		item[i] = marshal_item(&reader->marshal, tuple, first + i);
	if (!pstats_calls(reader, item[0], &a) || !pstats_calls(reader, item[1], &b) ||
		!marshal_is_number(item[2]) || !marshal_is_number(item[3]))
		return false;
	*figures = (struct pstats_figures){.calls = a > b ? a : b,
		.primitive = a > b ? b : a,
		.self_ns = pstats_ns(reader, item[2]),
		.total_ns = pstats_ns(reader, item[3])};
	return true;
}

static bool pstats_is_row(const struct marshal_value *value)
{
	return value->type == MARSHAL_TUPLE || value->type == MARSHAL_LIST;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void pstats_add_edge(struct pstats *reader, struct call_edge edge)
{
	reader->edges = array_grow(reader->edges, &reader->edge_capacity, reader->edge_count + 1,
		sizeof *reader->edges);
	reader->edges[reader->edge_count++] = edge;
}

/* False where the value of a caller is neither a number nor groups of four. */
static bool pstats_caller(struct pstats *reader, function_id caller, function_id callee,
	const struct marshal_value *value)
{
	struct call_edge edge = {.caller = caller, .callee = callee};
	reader->groups++;
	if (marshal_is_number(value)) {
		edge.is_estimate = true;
		if (!pstats_calls(reader, value, &edge.calls))
			return false;
		pstats_add_edge(reader, edge);
		return true;
	}
	if (!pstats_is_row(value) || value->count == 0 || value->count % 4 != 0)
		return false;
	reader->groups += value->count / 4;
	for (uint32_t i = 0; i < value->count && reader->groups <= reader->bytes; i += 4) {
		struct pstats_figures figures;
		if (!pstats_figures(reader, value, i, &figures))
			return false;
		edge.calls = units_add(edge.calls, figures.calls, &reader->is_past);
		edge.primitive = units_add(edge.primitive, figures.primitive, &reader->is_past);
		edge.self_ns = units_add(edge.self_ns, figures.self_ns, &reader->is_past);
		edge.total_ns = units_add(edge.total_ns, figures.total_ns, &reader->is_past);
	}
	pstats_add_edge(reader, edge);
	return true;
}

/*
 * Each caller takes ten bytes of the file, unless the file refers to the same ones again and again:
 * those who write it that way want to see us count.
 */
static bool pstats_callers(
	struct pstats *reader, function_id callee, const struct marshal_value *callers)
{
	for (uint32_t i = 0; i + 1 < callers->count; i += 2) {
		const function_id caller =
			pstats_function(reader, marshal_item(&reader->marshal, callers, i));
		if (caller == 0 || !pstats_caller(reader, caller, callee,
					   marshal_item(&reader->marshal, callers, i + 1)))
			reader->odd_callers++;
		if (reader->groups > reader->bytes)
			return error_set(reader->err, ERROR_LIMIT, -1,
				"more callers than the file has bytes: it refers to the same ones again and again");
	}
	return true;
}

static bool pstats_entry(
	struct pstats *reader, const struct marshal_value *key, const struct marshal_value *value)
{
	struct pstats_figures figures;
	if (pstats_is_marker(reader, key)) {
		reader->is_sampled = true;
		return true;
	}
	const function_id function = pstats_function(reader, key);
	if (function == 0) {
		reader->odd_keys++;
		return true;
	}
	if (!pstats_is_row(value) || value->count < 4 || value->count > 5 ||
		!pstats_figures(reader, value, 0, &figures)) {
		reader->odd_values++;
		return true;
	}
	struct call_node *node = &reader->nodes[function];
	node->has_entry = true;
	node->calls = units_add(node->calls, figures.calls, &reader->is_past);
	node->primitive = units_add(node->primitive, figures.primitive, &reader->is_past);
	node->self_ns = units_add(node->self_ns, figures.self_ns, &reader->is_past);
	node->total_ns = units_add(node->total_ns, figures.total_ns, &reader->is_past);
	if (value->count < 5)
		return true;
	const struct marshal_value *callers = marshal_item(&reader->marshal, value, 4);
	if (callers->type == MARSHAL_DICT)
		return pstats_callers(reader, function, callers);
	reader->odd_callers += callers->type != MARSHAL_NONE;
	return true;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static bool pstats_tick(struct pstats *reader)
{
	uint64_t done, total;
	source_progress(reader->marshal.source, &done, &total);
	return builder_tick(reader->builder, done, total) ||
	       error_set(reader->err, ERROR_CANCELLED, -1, "cancelled");
}

/* Where the input breaks the entries that are complete are kept. */
static bool pstats_decode(struct pstats *reader)
{
	struct marshal *marshal = &reader->marshal;
	struct vp_error problem = {0};
	while (!marshal->is_done) {
		if (!marshal_read(marshal, PSTATS_STEPS, &problem))
			break;
		if (!pstats_tick(reader))
			return false;
	}
	reader->bytes = source_offset(marshal->source);
	if (marshal->is_done)
		return true;
	const bool can_keep = problem.code == ERROR_TRUNCATED || problem.code == ERROR_MALFORMED;
	if (!can_keep || !marshal_salvage(marshal) || marshal->values[marshal->root].count == 0) {
		if (reader->err)
			*reader->err = problem;
		return false;
	}
	reader->builder->profile->is_truncated = true;
	builder_warn(reader->builder, error_class_name(problem.code),
		"%s; the %u functions before it are shown, the times of the others are missing",
		problem.message, (unsigned)(marshal->values[marshal->root].count / 2));
	return true;
}

static bool pstats_entries(struct pstats *reader)
{
	const struct marshal *marshal = &reader->marshal;
	const struct marshal_value *root = &marshal->values[marshal->root];
	if (root->type != MARSHAL_DICT)
		return error_set(reader->err, ERROR_MALFORMED, 0,
			"this is no Python profile: its marshal data at byte 0 are not a dict");
	reader->string_of = memory_new((size_t)marshal->texts.count + 1, sizeof(string_id));
	reader->function_of = memory_new(marshal->value_count, sizeof(function_id));
	for (uint32_t i = 0; i + 1 < root->count; i += 2) {
		if (!pstats_entry(reader, marshal_item(marshal, root, i),
			    marshal_item(marshal, root, i + 1)))
			return false;
		if (i % PSTATS_STEPS == 0 && !pstats_tick(reader))
			return false;
	}
	if (reader->node_count == 0 && root->count > 0 && !reader->is_sampled)
		return error_set(reader->err, ERROR_MALFORMED, 0,
			"this is no Python profile: none of its %u entries is one of a function",
			(unsigned)(root->count / 2));
	return true;
}

static void pstats_warn_odd(
	struct pstats *reader, uint64_t count, const char *one, const char *many)
{
	if (count > 0)
		builder_warn(reader->builder, "malformed", "%llu %s skipped",
			(unsigned long long)count, count == 1 ? one : many);
}

static void pstats_warn(struct pstats *reader)
{
	size_t behind;
	pstats_warn_odd(reader, reader->odd_keys, "entry whose key is not (file, line, name) was",
		"entries whose keys are not (file, line, name) were");
	pstats_warn_odd(reader, reader->odd_values, "entry without calls and times was",
		"entries without calls and times were");
	pstats_warn_odd(reader, reader->odd_callers, "caller without a name or figures was",
		"callers without a name or figures were");
	if (reader->negative_times > 0)
		builder_warn(reader->builder, "bad-time",
			"%llu times below 0 (%.9f s together) count as 0",
			(unsigned long long)reader->negative_times,
			(double)reader->negative_ns / 1e9);
	if (reader->is_past)
		builder_warn(reader->builder, "overflow", "a number is past 64 bits");
	source_peek(reader->marshal.source, 1, &behind);
	if (reader->marshal.is_done && behind > 0)
		builder_warn(reader->builder, "note",
			"what follows the profile at byte %llu was not read",
			(unsigned long long)reader->bytes);
}

static void pstats_finish(struct pstats *reader)
{
	struct builder *builder = reader->builder;
	struct profile *profile = builder->profile;
	pstats_make_node(reader, 0); /* function 0 is nobody */
	profile->callgraph =
		callgraph_new(reader->nodes, reader->node_count, reader->edges, reader->edge_count);
	callgraph_estimate(profile->callgraph);
	profile->callgraph->is_sampled = reader->is_sampled;
	profile->has_estimated_stacks = true;
	reader->nodes = NULL;
	reader->edges = NULL;
	for (function_id id = 1; id < profile->callgraph->node_count; id++) {
		const uint8_t kind = profile->functions[id].kind;
		builder_function_frame(builder, &(struct frame){.function = id, .kind = kind});
		profile->has_native |= kind == CODE_NATIVE;
	}
	builder_type(builder, "time", "nanoseconds", VALUE_COUNTER, 1);
	pstats_tree_build(builder);
	if (profile->sample_count == 0 && profile->function_count > 1) {
		/* All times are 0; a sample, since functions and calls are there to be seen. */
		builder_values(builder, 0, &(int64_t){0});
		builder_warn(builder, "note", "all times are 0");
	} else if (profile->sample_count > 0)
		builder_warn(builder, "estimate",
			"the file says which functions call each other, not in which stacks: flame graph and traces are estimated from that (~)");
	if (!profile->callgraph->has_edge_times)
		builder_warn(builder, "estimate",
			"the file counts calls between functions without their times, which are estimated by the share of the calls");
}

static bool pstats_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct pstats reader = {.builder = builder, .err = err};
	builder->profile->format = "pstats";
	builder->profile->version = -1;
	marshal_init(&reader.marshal, source);
	const bool ok = pstats_decode(&reader) && pstats_entries(&reader);
	if (ok) {
		pstats_warn(&reader);
		pstats_finish(&reader);
	}
	free(reader.nodes);
	free(reader.edges);
	free(reader.string_of);
	free(reader.function_of);
	marshal_free(&reader.marshal);
	return ok;
}

/* A marshalled dict whose first key is a tuple of 1 or 3, or that is empty (detect.md step 5). */
static int pstats_sniff(const uint8_t *b, size_t size)
{
	static const uint8_t zero[3];
	if (size < 2 || (b[0] & 0x7f) != '{')
		return 0;
	if (b[1] == '0')
		return size == 2 ? 16 : 0;
	const bool is_short = (b[1] & 0x7f) == ')';
	if ((!is_short && (b[1] & 0x7f) != '(') || size < 3 || (b[2] != 1 && b[2] != 3))
		return 0;
	const size_t given = size - 3 < sizeof zero ? size - 3 : sizeof zero;
	if (!is_short && memcmp(b + 3, zero, given) != 0)
		return 0;
	return is_short ? 24 : 24 + 8 * (int)given;
}

const struct format format_pstats = {
	.name = "pstats",
	.description = "profiles of Python's cProfile, profile and yappi (pstats)",
	.sniff = pstats_sniff,
	.read = pstats_read,
};
