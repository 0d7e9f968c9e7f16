/* SPDX-License-Identifier: MIT */

/*
 * The JSON of vmprof-server, as its web pages fetch it and as old clients posted it:
 *
 *     {"data": {"VM": "pypy", "argv": "...", "version": 2, "profiles": NODE}, "measures": {...}}
 *         flame graph; also without the "data" wrapper, and a bare NODE. NODE is
 *         [name, address, count, meta, children], count includes the children.
 *     {"mem_profile": {"x": [...], "mean": [...], "max": [...], "trace": [BIN, ...]},
 *      "addr_name_map": {address: name}}
 *         memory graph, reduced by the server to about 99 bins; BIN is
 *         [samples, common prefix, samples of the most common stack, rest of that stack].
 *     {"addresses": {address: name}, "profiles": [[[address, ...], count], ...]}
 *         the oldest upload, root first; may be JSON text in a string under "data".
 *     {"error": "text"}
 *
 * Names are "lang:function:line:file", in the oldest upload "lang:file:function:line". Not read:
 * the counters in meta (how often the leaf was JIT or native code), measures, the means of the
 * bins.
 *
 * The whole text becomes a tree of jansson values before it is read: these answers are small. Its
 * parser refuses more than 2048 levels, which is 1023 frames; everything after it is iterative.
 */

#include "format/server_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/units.h"

/* A value takes up to 16 times its text in memory; a real answer has a few MiB. */
#define SERVER_JSON_MAX_BYTES ((uint64_t)256 << 20)

enum { SERVER_JSON_TICK = 4096 };

struct server_json {
	struct source *source;
	struct builder *builder;
	struct vp_error *err;
	uint64_t bytes; /* of text so far */
	bool is_too_long, is_cancelled;
	struct strings names;    /* as in the file */
	struct hash_map name_of; /* address -> id in names */
	uint64_t broken;         /* values that are not what they should be */
	uint64_t steps;          /* since the start, for the ticks */
};

/* ---- bytes to values ------------------------------------------------------ */

static bool server_json_tick(struct server_json *reader)
{
	uint64_t done, total;
	source_progress(reader->source, &done, &total);
	if (!builder_tick(reader->builder, done, total))
		reader->is_cancelled = true;
	return !reader->is_cancelled;
}

/* Feeds jansson; -1 ends the text, and the flags say why. */
static size_t server_json_feed(void *buffer, size_t size, void *data)
{
	struct server_json *reader = data;
	if (reader->steps++ % SERVER_JSON_TICK == 0 && !server_json_tick(reader))
		return (size_t)-1;
	size_t available;
	const uint8_t *bytes = source_peek(reader->source, size, &available);
	size_t length = available < size ? available : size;
	reader->bytes += length;
	if (reader->bytes > SERVER_JSON_MAX_BYTES) {
		reader->is_too_long = true;
		return (size_t)-1;
	}
	if (length > 0)
		memcpy(buffer, bytes, length);
	source_skip(reader->source, length);
	return length;
}

static bool server_json_cancelled(const struct server_json *reader)
{
	return error_set(reader->err, ERROR_CANCELLED, -1, "cancelled");
}

/* Turns what jansson says into an error of ours. */
static void server_json_explain(const struct server_json *reader, const json_error_t *problem)
{
	struct vp_error *err = reader->err;
	int64_t offset = problem->position;
	if (reader->is_cancelled) {
		server_json_cancelled(reader);
		return;
	}
	if (reader->is_too_long) {
		error_set(err, ERROR_LIMIT, offset, "more than 256 MiB of JSON: too much to read");
		return;
	}
	if (source_problem(reader->source, err))
		return;
	switch (json_error_code(problem)) {
	case json_error_stack_overflow:
		error_set(err, ERROR_LIMIT, offset,
			"JSON nested deeper than 2048 levels (1023 frames) at byte %lld",
			(long long)offset);
		return;
	case json_error_premature_end_of_input:
		error_set(err, ERROR_TRUNCATED, offset,
			"the JSON text is cut short at byte %lld: fetch or copy it again",
			(long long)offset);
		return;
	case json_error_invalid_utf8:
		error_set(err, ERROR_ENCODING, offset, "JSON text that is not UTF-8 at byte %lld",
			(long long)offset);
		return;
	case json_error_numeric_overflow:
		error_set(err, ERROR_OVERFLOW, offset, "a number past 64 bits at byte %lld",
			(long long)offset);
		return;
	default:
		error_set(err, ERROR_MALFORMED, offset, "broken JSON at line %d, byte %lld: %s",
			problem->line, (long long)offset, problem->text);
	}
}

static json_t *server_json_load(struct server_json *reader)
{
	size_t available;
	const uint8_t *bytes = source_peek(reader->source, 3, &available);
	if (available >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		source_skip(reader->source, 3);
	json_error_t problem;
	json_t *root = json_load_callback(server_json_feed, reader, JSON_ALLOW_NUL, &problem);
	if (!root)
		server_json_explain(reader, &problem);
	return root;
}

/* ---- numbers, addresses, names ---------------------------------------------- */

/* A number, whole or not, in the range of int64; false for anything else. */
static bool server_json_number(const json_t *value, int64_t *number)
{
	if (json_is_integer(value)) {
		*number = json_integer_value(value);
		return true;
	}
	double real = json_is_real(value) ? json_real_value(value) : 1e300;
	if (!(real > -9.2e18 && real < 9.2e18))
		return false;
	*number = (int64_t)(real < 0 ? real - 0.5 : real + 0.5);
	return true;
}

/* A count of samples: a number that is not negative. Anything else counts 0 and as broken. */
static int64_t server_json_count(struct server_json *reader, const json_t *value)
{
	int64_t count;
	if (server_json_number(value, &count) && count >= 0)
		return count;
	reader->broken++;
	return 0;
}

/* Addresses are decimal text or numbers; other text is an address of its own. 0: none at all. */
static uint64_t server_json_address_of_text(const char *text)
{
	char *end;
	bool is_negative = text[0] == '-';
	uint64_t address = strtoull(text + is_negative, &end, 0);
	if (end == text + is_negative || *end)
		return text[0] ? hash_bytes(text, strlen(text)) : 0;
	return is_negative ? 0 - address : address;
}

static uint64_t server_json_address(const json_t *value)
{
	int64_t number;
	if (json_is_string(value))
		return server_json_address_of_text(json_string_value(value));
	return server_json_number(value, &number) ? (uint64_t)number : 0;
}

/*
 * "lang:file:function:line" to "lang:function:line:file" in `out`; a name that does not end in a
 * number is in today's order already. The file may hold colons.
 */
static void server_json_reorder(const char *name, size_t length, struct text *out)
{
	text_clear(out);
	const char *end = name + length;
	const char *line = end;
	while (line > name && line[-1] >= '0' && line[-1] <= '9')
		line--;
	const char *file = memchr(name, ':', length);
	const char *function = line - 1; /* its end, at first */
	if (line == end || line - name < 2 || line[-1] != ':' || !file || file >= function) {
		text_add(out, name, length);
		return;
	}
	file++;
	while (function > file && function[-1] != ':')
		function--;
	if (function == file) {
		text_add(out, name, length);
		return;
	}
	text_add(out, name, (size_t)(file - name));
	text_add(out, function, (size_t)(line - 1 - function));
	text_add(out, ":", 1);
	text_add(out, line, (size_t)(end - line));
	text_add(out, ":", 1);
	text_add(out, file, (size_t)(function - 1 - file));
}

/*
 * Names an address and returns it, or a new one where it is 0 or bears another name already: in the
 * files of a server it never does, and two functions must not become one because it does here.
 */
static uint64_t server_json_name(
	struct server_json *reader, uint64_t address, const char *name, size_t length)
{
	/* What the server writes for an address that it has no name for. */
	bool has_name = memchr(name, ':', length) != NULL;
	string_id id = strings_add(&reader->names, name, length);
	if (address == 0)
		address = hash_bytes(name, length) | 1;
	uint32_t *slot = hash_map_slot(&reader->name_of, address);
	if (*slot != 0 && *slot != id + 1) {
		address = hash_u64(address ^ hash_bytes(name, length)) | 1;
		slot = hash_map_slot(&reader->name_of, address);
	}
	if (*slot == 0) {
		*slot = id + 1;
		if (has_name)
			builder_name(reader->builder, address, name, length, 0);
	}
	return address;
}

static frame_id server_json_frame(struct server_json *reader, uint64_t address)
{
	string_id id = hash_map_get(&reader->name_of, address, 0);
	size_t length;
	const char *name = strings_get(&reader->names, id, &length);
	enum code_kind kind = CODE_PYTHON;
	if (length >= 2 && name[0] == 'n' && name[1] == ':')
		kind = CODE_NATIVE;
	else if (!memchr(name, ':', length))
		kind = CODE_UNKNOWN;
	return builder_frame(reader->builder, address, 0, kind);
}

/* A map of addresses to names. */
static void server_json_names(struct server_json *reader, json_t *map, bool is_legacy)
{
	struct text ordered = {0};
	const char *key;
	json_t *value;
	json_object_foreach(map, key, value)
	{
		uint64_t address = server_json_address_of_text(key);
		if (!json_is_string(value) || address == 0) {
			reader->broken++;
			continue;
		}
		const char *name = json_string_value(value);
		size_t length = json_string_length(value);
		if (is_legacy) {
			server_json_reorder(name, length, &ordered);
			name = ordered.length > 0 ? ordered.data : "";
			length = ordered.length;
		}
		server_json_name(reader, address, name, length);
	}
	text_free(&ordered);
}

/* ---- the tree of a flame graph ---------------------------------------------- */

struct server_json_level {
	json_t *children; /* NULL: none */
	size_t next;      /* child to go on with */
	stack_id stack;
};

/* The sum of the children's counts; saturates. */
static int64_t server_json_children_count(const json_t *children)
{
	int64_t sum = 0;
	bool overflow = false;
	for (size_t i = 0; i < json_array_size(children); i++) {
		int64_t count;
		const json_t *node = json_array_get(children, i);
		if (server_json_number(json_array_get(node, 2), &count) && count > 0)
			sum = units_add(sum, count, &overflow);
	}
	return sum;
}

/* Makes the samples that a node has of its own, and gives the level below it. */
static struct server_json_level server_json_node(
	struct server_json *reader, json_t *node, stack_id parent)
{
	struct server_json_level level = {.stack = parent};
	json_t *name = json_array_get(node, 0);
	if (!json_is_string(name) || json_array_size(node) < 3) {
		/* Its children go to its parent: what they count stays. */
		reader->broken++;
		level.children = json_array_get(node, 4);
		return level;
	}
	uint64_t address = server_json_name(reader, server_json_address(json_array_get(node, 1)),
		json_string_value(name), json_string_length(name));
	level.stack = builder_child(reader->builder, parent, server_json_frame(reader, address));
	level.children = json_array_get(node, 4);
	int64_t below = server_json_children_count(level.children);
	int64_t own = server_json_count(reader, json_array_get(node, 2)) - below;
	if (own > 0)
		builder_sample(reader->builder, level.stack, own, -1, 0);
	if (own < 0)
		reader->broken++;
	return level;
}

static bool server_json_tree(struct server_json *reader, json_t *root)
{
	struct server_json_level *levels = NULL;
	size_t capacity = 0, depth = 1;
	reader->builder->profile->is_timed = false;
	levels = array_grow(levels, &capacity, depth, sizeof *levels);
	levels[0] = server_json_node(reader, root, 0);
	while (depth > 0) {
		struct server_json_level *level = &levels[depth - 1];
		json_t *child = json_array_get(level->children, level->next++);
		if (!child) {
			depth--;
			continue;
		}
		if (reader->steps++ % SERVER_JSON_TICK == 0 && !server_json_tick(reader))
			break;
		struct server_json_level below = server_json_node(reader, child, level->stack);
		levels = array_grow(levels, &capacity, depth + 1, sizeof *levels);
		levels[depth++] = below;
	}
	free(levels);
	return !reader->is_cancelled || server_json_cancelled(reader);
}

/* ---- stacks as lists of addresses ------------------------------------------- */

struct server_json_stack {
	frame_id *frames;
	size_t depth, capacity;
};

/* Adds the addresses of `list`; numbers that are not positive are lines, not addresses. */
static void server_json_push(
	struct server_json *reader, struct server_json_stack *stack, const json_t *list)
{
	if (list && !json_is_array(list))
		reader->broken++;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *entry = json_array_get(list, i);
		uint64_t address = server_json_address(entry);
		if (address == 0 || (json_is_integer(entry) && json_integer_value(entry) < 0))
			continue;
		stack->frames = array_grow(
			stack->frames, &stack->capacity, stack->depth + 1, sizeof *stack->frames);
		stack->frames[stack->depth++] = server_json_frame(reader, address);
	}
}

static bool server_json_legacy(struct server_json *reader, json_t *addresses, json_t *profiles)
{
	reader->builder->profile->is_timed = false;
	server_json_names(reader, addresses, true);
	struct server_json_stack stack = {0};
	for (size_t i = 0; i < json_array_size(profiles); i++) {
		if (reader->steps++ % SERVER_JSON_TICK == 0 && !server_json_tick(reader))
			break;
		const json_t *entry = json_array_get(profiles, i);
		int64_t count = server_json_count(reader, json_array_get(entry, 1));
		stack.depth = 0;
		server_json_push(reader, &stack, json_array_get(entry, 0));
		if (count > 0)
			builder_sample(reader->builder,
				builder_stack(reader->builder, stack.frames, stack.depth), count,
				-1, 0);
	}
	free(stack.frames);
	return !reader->is_cancelled || server_json_cancelled(reader);
}

/*
 * A bin becomes one sample: its most common stack, with the bin's maximum. What else was in the bin
 * is lost, and so is the distance of the bins in time.
 */
static bool server_json_memory(struct server_json *reader, json_t *memory, json_t *map)
{
	json_t *max = json_object_get(memory, "max");
	json_t *trace = json_object_get(memory, "trace");
	size_t count = json_array_size(max);
	server_json_names(reader, map, false);
	if (json_array_size(trace) != count)
		reader->broken++;
	struct server_json_stack stack = {0};
	int64_t samples = 0;
	bool overflow = false;
	for (size_t i = 0; i < count; i++) {
		if (reader->steps++ % SERVER_JSON_TICK == 0 && !server_json_tick(reader))
			break;
		const json_t *bin = json_array_get(trace, i);
		stack.depth = 0;
		/* A bin without samples is [[], []]. */
		if (json_is_number(json_array_get(bin, 0))) {
			samples = units_add(samples,
				server_json_count(reader, json_array_get(bin, 0)), &overflow);
			server_json_push(reader, &stack, json_array_get(bin, 1));
			server_json_push(reader, &stack, json_array_get(bin, 3));
		}
		int64_t kib = server_json_count(reader, json_array_get(max, i));
		builder_sample(reader->builder,
			builder_stack(reader->builder, stack.frames, stack.depth), 1, kib, 0);
	}
	free(stack.frames);
	if (reader->is_cancelled)
		return server_json_cancelled(reader);
	builder_warn(reader->builder, "estimate",
		"the server had reduced %lld samples to %zu bins: each bin is shown as one sample, "
		"with its maximum and its most common stack",
		(long long)samples, count);
	return true;
}

/* ---- which of them it is ------------------------------------------------------ */

static const char *server_json_text(
	struct server_json *reader, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_string(value) || json_string_length(value) == 0)
		return NULL;
	return builder_text(reader->builder, json_string_value(value), json_string_length(value));
}

static bool server_json_choose(struct server_json *reader, json_t *root)
{
	json_t *profiles = json_is_array(root) ? root : json_object_get(root, "profiles");
	json_t *memory = json_object_get(root, "mem_profile");
	json_t *problem = json_object_get(root, "error");
	int64_t version;
	if (server_json_number(json_object_get(root, "version"), &version) && version >= 0 &&
		version < 1000)
		reader->builder->profile->version = (int)version;
	if (json_is_object(memory))
		return server_json_memory(reader, memory, json_object_get(root, "addr_name_map"));
	if (json_is_string(json_array_get(profiles, 0))) {
		reader->builder->profile->interpreter = server_json_text(reader, root, "VM");
		reader->builder->profile->arguments = server_json_text(reader, root, "argv");
		return server_json_tree(reader, profiles);
	}
	json_t *addresses = json_object_get(root, "addresses");
	if (json_is_array(profiles) &&
		(json_is_object(addresses) || json_is_array(json_array_get(profiles, 0))))
		return server_json_legacy(reader, addresses, profiles);
	if (json_is_string(problem))
		return error_set(reader->err, ERROR_MALFORMED, -1,
			"not a profile but the server's own error: %s", json_string_value(problem));
	return error_set(reader->err, ERROR_UNRECOGNIZED, -1,
		"JSON, but not vmprof-server's: no \"profiles\" of its form and no \"mem_profile\"");
}

/* Takes off the wrapper, which may be an object or JSON text in a string; *root is released then.
 */
static bool server_json_unwrap(struct server_json *reader, json_t **root)
{
	json_t *data = json_object_get(*root, "data");
	json_t *inner = NULL;
	if (json_is_object(data) || json_is_array(data)) {
		inner = json_incref(data);
	} else if (json_is_string(data)) {
		json_error_t problem;
		inner = json_loadb(json_string_value(data), json_string_length(data),
			JSON_ALLOW_NUL, &problem);
		if (!inner) {
			server_json_explain(reader, &problem);
			return false;
		}
	}
	if (inner) {
		json_decref(*root);
		*root = inner;
	}
	return true;
}

static bool server_json_read(struct source *source, struct builder *builder, struct vp_error *err)
{
	struct server_json reader = {.source = source, .builder = builder, .err = err};
	json_t *root = server_json_load(&reader);
	if (!root)
		return false;
	strings_init(&reader.names);
	builder->profile->format = "vmprof-server";
	bool is_read = server_json_unwrap(&reader, &root) && server_json_choose(&reader, root);
	if (is_read && reader.broken > 0)
		builder_warn(builder, "malformed",
			"%llu values of the JSON are not what they should be (counts below the "
			"sum of their children, missing or negative numbers, other types)",
			(unsigned long long)reader.broken);
	json_decref(root);
	hash_map_free(&reader.name_of);
	strings_free(&reader.names);
	return is_read;
}

const struct format format_server_json = {
	.name = "vmprof-server",
	.description = "JSON of vmprof-server: flame graph, memory graph, old uploads",
	.sniff = server_json_sniff,
	.read = server_json_read,
};
