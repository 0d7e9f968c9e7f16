/* SPDX-License-Identifier: MIT */
/*
 * A source is a chain of layers: the raw bytes (file, memory, a stretch of another source) and on
 * top of them up to four decompressors. Each layer has a window, a buffer of which [begin, end) is
 * waiting.
 */
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "source/inflate.h"

enum {
	MAX_LAYERS = 4,
	RAW_WINDOW = 128 * 1024,
	INFLATED_WINDOW = 512 * 1024,
	MIN_ROOM = 64 * 1024
};

/* Beyond this many bytes a layer that inflates more than 1000:1 is taken for a bomb. */
#define RATIO_FREE ((uint64_t)64 << 20)

struct source {
	struct source_window window; /* first: source.h reads it */
	struct source_limits limits;

	/* One of these four gives the bytes. */
	int fd;
	const uint8_t *memory;
	size_t memory_size;
	struct source *outer;      /* a stretch of it */
	struct source *compressed; /* the layer below; owned */
	struct inflater *inflater;

	uint64_t part_left; /* of the stretch of `outer` */
	uint64_t taken;     /* bytes taken from where they come from */
	uint64_t total;     /* of the file, 0 unknown */
	bool can_rewind;
	const char *compression_name;

	uint8_t *buffer; /* NULL where the bytes are in memory anyway */
	size_t capacity;
	bool at_end;
	struct vp_error problem; /* code ERROR_NONE: none */
};

/* The window at the start: all of the memory, or nothing yet. */
static void source_start_window(struct source *source)
{
	struct source_window *window = &source->window;
	window->next = source->memory ? source->memory : source->buffer;
	if (!window->next)
		window->next = (const uint8_t *)"";
	window->end = window->next + source->memory_size;
	window->end_offset = source->memory_size;
}

static struct source *source_new(const struct source_limits *limits)
{
	struct source *source = memory_new(1, sizeof *source);
	source->limits = *limits;
	source->fd = -1;
	source_start_window(source);
	return source;
}

void source_close(struct source *source)
{
	while (source) {
		struct source *below = source->compressed;
		if (source->outer)
			source_skip(source->outer, source->part_left);
		if (source->fd > STDERR_FILENO)
			close(source->fd);
		inflate_close(source->inflater);
		free(source->buffer);
		free(source);
		source = below;
	}
}

/* ---- filling the window ------------------------------------------------- */

/* Where more bytes go, and how many can. */
static uint8_t *source_tail(const struct source *source, size_t *room)
{
	size_t used = (size_t)(source->window.end - source->buffer);
	*room = source->capacity - used;
	return source->buffer + used;
}

static void source_added(struct source *source, size_t count)
{
	source->window.end += count;
	source->window.end_offset += count;
}

static void source_fill_file(struct source *source)
{
	size_t room;
	uint8_t *tail = source_tail(source, &room);
	ssize_t got;
	do
		got = read(source->fd, tail, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		error_set(&source->problem, ERROR_IO, (int64_t)source->taken, "cannot read: %s",
			strerror(errno));
	if (got <= 0) {
		source->at_end = true;
		return;
	}
	source_added(source, (size_t)got);
	source->taken += (uint64_t)got;
}

static void source_fill_part(struct source *source)
{
	size_t available, room;
	uint8_t *tail = source_tail(source, &room);
	if (room > source->part_left)
		room = (size_t)source->part_left;
	const uint8_t *bytes = room ? source_peek(source->outer, 1, &available) : NULL;
	if (!bytes || available == 0) {
		source->at_end = true;
		if (source->part_left > 0 && !source_problem(source->outer, &source->problem))
			error_set(&source->problem, ERROR_TRUNCATED,
				(int64_t)source_offset(source->outer),
				"%llu bytes are missing at the end",
				(unsigned long long)source->part_left);
		return;
	}
	size_t count = available < room ? available : room;
	memcpy(tail, bytes, count);
	source_skip(source->outer, count);
	source_added(source, count);
	source->taken += count;
	source->part_left -= count;
}

static void source_check_size(struct source *source, uint64_t made)
{
	if (made > source->limits.max_inflated)
		error_set(&source->problem, ERROR_LIMIT, (int64_t)made,
			"inflates to more than %llu bytes (raise the limit with --max-inflated)",
			(unsigned long long)source->limits.max_inflated);
	else if (made > RATIO_FREE && made / 1000 > source->taken + 1 &&
		 source->limits.max_inflated <= SOURCE_DEFAULT_MAX_INFLATED)
		error_set(&source->problem, ERROR_LIMIT, (int64_t)made,
			"inflates more than 1000:1, which no profile does (to read it all the same, raise "
			"--max-inflated above %llu)",
			(unsigned long long)SOURCE_DEFAULT_MAX_INFLATED);
}

static void source_fill_inflated(struct source *source)
{
	struct source *below = source->compressed;
	size_t available;
	const uint8_t *in = source_peek(below, 4, &available);
	size_t used = available, made;
	uint8_t *tail = source_tail(source, &made);
	enum inflate_state state =
		inflate_run(source->inflater, in, &used, tail, &made, available < 4);
	source_skip(below, used);
	source->taken += used;
	source_added(source, made);
	bool is_stuck =
		used == 0 && made == 0 && state == INFLATE_MORE && available < 4 && below->at_end;
	if (state == INFLATE_BROKEN)
		error_set(&source->problem, ERROR_MALFORMED, (int64_t)source->taken,
			"broken %s data", source->compression_name);
	else if (is_stuck && !source_problem(below, &source->problem))
		error_set(&source->problem, ERROR_TRUNCATED, (int64_t)source->taken,
			"the %s data is cut short", source->compression_name);
	else
		source_check_size(source, source->window.end_offset);
	source->at_end = state != INFLATE_MORE || is_stuck || source->problem.code != ERROR_NONE;
}

/* Puts more bytes behind `end`, or sets at_end. */
static void source_fill(struct source *source)
{
	if (source->compressed)
		source_fill_inflated(source);
	else if (source->outer)
		source_fill_part(source);
	else if (source->memory)
		source->at_end = true; /* it is all in the window */
	else
		source_fill_file(source);
}

/* Room for `wanted` bytes in one piece from window.next on, and for at least MIN_ROOM new ones. */
static void source_make_room(struct source *source, size_t wanted)
{
	struct source_window *window = &source->window;
	size_t waiting = (size_t)(window->end - window->next);
	size_t least = (wanted > waiting ? wanted : waiting) + MIN_ROOM;
	size_t before = source->buffer ? (size_t)(window->next - source->buffer) : 0;
	if (source->capacity >= before + least)
		return;
	if (before > 0)
		memmove(source->buffer, window->next, waiting);
	size_t capacity = source->capacity;
	if (capacity == 0)
		capacity = source->compressed ? INFLATED_WINDOW : RAW_WINDOW;
	while (capacity < least)
		capacity *= 2;
	if (capacity > source->capacity)
		source->buffer = memory_grow(source->buffer, capacity);
	source->capacity = capacity;
	window->next = source->buffer;
	window->end = source->buffer + waiting;
}

const uint8_t *source_peek_more(struct source *source, size_t wanted, size_t *available)
{
	const struct source_window *window = &source->window;
	while ((size_t)(window->end - window->next) < wanted && !source->at_end) {
		if (!source->memory)
			source_make_room(source, wanted);
		source_fill(source);
	}
	*available = (size_t)(window->end - window->next);
	return window->next;
}

/* Far ahead in a plain file nothing needs to be read. */
static uint64_t source_seek(struct source *source, uint64_t count)
{
	struct source_window *window = &source->window;
	uint64_t waiting = (uint64_t)(window->end - window->next), far = count - waiting;
	if (source->fd < 0 || !source->can_rewind || count < waiting + RAW_WINDOW ||
		far > source->total - window->end_offset ||
		lseek(source->fd, (off_t)far, SEEK_CUR) < 0)
		return count;
	window->next = window->end;
	window->end_offset += far;
	source->taken += far;
	return 0;
}

bool source_skip_more(struct source *source, uint64_t count)
{
	count = source_seek(source, count);
	while (count > 0) {
		size_t available;
		source_peek(source, 1, &available);
		if (available == 0)
			return false;
		size_t step = available < count ? available : (size_t)count;
		source->window.next += step;
		count -= step;
	}
	return true;
}

bool source_problem(const struct source *source, struct vp_error *err)
{
	if (source->problem.code == ERROR_NONE)
		return false;
	if (err)
		*err = source->problem;
	return true;
}

static const struct source *source_bottom(const struct source *source)
{
	while (source->compressed || source->outer)
		source = source->compressed ? source->compressed : source->outer;
	return source;
}

void source_progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	const struct source *bottom = source_bottom(source);
	*done = bottom->memory ? source_offset(bottom) : bottom->taken;
	*total = bottom->memory ? bottom->memory_size : bottom->total;
}

const char *source_compression(const struct source *source)
{
	return source->compression_name;
}

bool source_can_rewind(const struct source *source)
{
	return source->can_rewind;
}

bool source_rewind(struct source *source)
{
	if (!source->can_rewind)
		return false;
	if (source->compressed) {
		if (!source_rewind(source->compressed))
			return false;
		inflate_reset(source->inflater);
	}
	if (source->fd >= 0 && lseek(source->fd, 0, SEEK_SET) < 0)
		return false;
	source_start_window(source);
	source->taken = 0;
	source->at_end = false;
	source->problem.code = ERROR_NONE;
	return true;
}

/* ---- opening --------------------------------------------------------------- */

/* Puts a decompressor on top of `source` for each layer that its bytes show. Closes it on failure.
 */
static struct source *source_unwrap(struct source *source, struct vp_error *err)
{
	for (int layers = 0;; layers++) {
		size_t available;
		const char *name;
		const uint8_t *bytes = source_peek(source, 6, &available);
		enum compression compression = inflate_detect(bytes, available, &name);
		if (available == 0 && source_problem(source, err))
			break;
		if (available == 0 && layers == 0 && !source->outer) {
			error_set(err, ERROR_EMPTY, 0, "empty file");
			break;
		}
		if (compression == COMPRESSION_NONE && name) {
			error_set(err, ERROR_COMPRESSION, 0,
				"%s data is not read here: unpack it first", name);
			break;
		}
		if (compression == COMPRESSION_NONE)
			return source;
		if (layers == MAX_LAYERS) {
			error_set(err, ERROR_LIMIT, 0, "more than %d layers of compression",
				MAX_LAYERS);
			break;
		}
		struct inflater *inflater = inflate_open(compression);
		if (!inflater) {
			error_set(err, ERROR_IO, 0, "cannot start the %s decoder", name);
			break;
		}
		struct source *layer = source_new(&source->limits);
		layer->compressed = source;
		layer->inflater = inflater;
		layer->compression_name = name;
		layer->can_rewind = source->can_rewind;
		source = layer;
	}
	source_close(source);
	return NULL;
}

struct source *source_open(
	const char *path, const struct source_limits *limits, struct vp_error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0) {
		error_set(err, ERROR_IO, -1, "cannot open: %s", strerror(errno));
		if (fd > STDERR_FILENO)
			close(fd);
		return NULL;
	}
	struct source *source = source_new(limits);
	source->fd = fd;
	source->can_rewind = S_ISREG(st.st_mode) && !is_stdin;
	source->total = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	if (S_ISDIR(st.st_mode)) {
		error_set(err, ERROR_IO, -1, "is a folder");
		source_close(source);
		return NULL;
	}
	return source_unwrap(source, err);
}

struct source *source_open_memory(
	const void *bytes, size_t size, const struct source_limits *limits, struct vp_error *err)
{
	struct source *source = source_new(limits);
	source->memory = size ? bytes : (const uint8_t *)"";
	source->memory_size = size;
	source_start_window(source);
	source->can_rewind = true;
	return source_unwrap(source, err);
}

struct source *source_open_part(struct source *outer, uint64_t length, struct vp_error *err)
{
	struct source *source = source_new(&outer->limits);
	source->outer = outer;
	source->part_left = length;
	return source_unwrap(source, err);
}
