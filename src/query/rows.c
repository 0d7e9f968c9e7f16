/* SPDX-License-Identifier: MIT */
#include "query/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- frames to rows ------------------------------------------------------------------ */

/*
 * Two frames are one row if these are equal. `kind` says what `a` is, so that an address is never
 * taken for a function's number.
 */
struct row_key {
	uint64_t a;
	string_id file;
	uint32_t line;
	string_id name;
	uint8_t kind;
};

enum { KEY_ADDRESS, KEY_FUNCTION, KEY_FILE, KEY_NAME, KEY_MODULE };

/* Where functions are names: what pprof puts together (numbers.md 3.1 rules 8 and 9). */
static struct row_key rows_key_of_name(const struct calltree *tree, const struct frame *frame)
{
	const struct function *f = &tree->profile->functions[frame->function];
	struct row_key key = {.kind = KEY_NAME, .name = f->name};
	if (f->name == 0 && f->file == 0)
		key = (struct row_key){.kind = KEY_MODULE, .name = f->module};
	switch (tree->query.granularity) {
	case BY_ADDRESS:
		key.a = frame->address;
		/* fall through */
	case BY_LINE:
		key.line = frame->line;
		/* fall through */
	case BY_FILEFUNCTION:
		key.file = f->file;
		return key;
	case BY_FILE:
		key.name = f->file;
		break;
	case BY_FUNCTION:
		break;
	}
	return key.name ? key : (struct row_key){.kind = KEY_MODULE, .name = f->module};
}

static struct row_key rows_key(const struct calltree *tree, const struct frame *frame)
{
	const struct function *function = &tree->profile->functions[frame->function];
	bool is_known = frame->function != 0;
	if (tree->profile->is_name_function)
		return rows_key_of_name(tree, frame);
	switch (tree->query.granularity) {
	case BY_FUNCTION:
	case BY_FILEFUNCTION:
		if (is_known)
			return (struct row_key){.a = frame->function, .kind = KEY_FUNCTION};
		break;
	case BY_LINE:
		if (is_known)
			return (struct row_key){
				.a = frame->function, .line = frame->line, .kind = KEY_FUNCTION};
		break;
	case BY_FILE:
		if (is_known)
			return (struct row_key){.a = function->file, .kind = KEY_FILE};
		break;
	case BY_ADDRESS:
		/* A format without addresses: the finest there is. */
		if (is_known && frame->address == 0)
			return (struct row_key){
				.a = frame->function, .line = frame->line, .kind = KEY_FUNCTION};
		break;
	}
	return (struct row_key){.a = frame->address, .kind = KEY_ADDRESS};
}

static uint64_t rows_key_hash(const struct row_key *key)
{
	uint64_t hash = key->a ^ hash_u64((uint64_t)key->line << 8 | key->kind);
	if (key->name || key->file)
		hash ^= hash_u64((uint64_t)key->name << 32 | key->file);
	return hash;
}

static bool rows_is_key(const struct row_key *x, const struct row_key *y)
{
	return x->a == y->a && x->kind == y->kind && x->line == y->line && x->file == y->file &&
	       x->name == y->name;
}

static struct row rows_make(const struct calltree *tree, const struct frame *frame)
{
	const struct function *function = &tree->profile->functions[frame->function];
	struct row row = {.name = function->name,
		.file = function->file,
		.module = function->module,
		.line = function->line,
		.address = frame->address,
		.kind = frame->function ? function->kind : frame->kind};
	bool is_line = tree->query.granularity == BY_LINE ||
		       (tree->query.granularity == BY_ADDRESS && frame->address == 0);
	if (tree->profile->is_name_function ? is_line || tree->query.granularity == BY_ADDRESS
					    : is_line && frame->line)
		row.line = frame->line;
	if (tree->query.granularity == BY_FILE) {
		row.name = function->file;
		row.line = 0;
	}
	return row;
}

static void rows_assign(struct calltree *tree)
{
	const struct profile *profile = tree->profile;
	struct hash_map slots = {0};
	struct row_key *keys = memory_new(profile->frame_count, sizeof *keys);
	tree->row_of_frame = memory_new(profile->frame_count, sizeof *tree->row_of_frame);
	tree->rows = memory_new(profile->frame_count, sizeof *tree->rows);
	tree->row_count = 1; /* the root */
	for (frame_id i = 1; i < profile->frame_count; i++) {
		struct row_key key = rows_key(tree, &profile->frames[i]);
		uint64_t hash = rows_key_hash(&key);
		uint32_t *slot;
		while (*(slot = hash_map_slot(&slots, hash)) != 0) {
			if (rows_is_key(&keys[*slot - 1], &key))
				break;
			hash = hash_u64(hash + 1);
		}
		if (*slot == 0) {
			keys[tree->row_count] = key;
			tree->rows[tree->row_count] = rows_make(tree, &profile->frames[i]);
			*slot = ++tree->row_count;
		}
		tree->row_of_frame[i] = *slot - 1;
	}
	hash_map_free(&slots);
	free(keys);
}

/* ---- which labels must say more -------------------------------------------------------- */

/* Where the last two parts of a path begin (vmprof-viewer-msgpack.md section 4). */
static size_t rows_short_path(const char *path, size_t length)
{
	int slashes = 0;
	for (size_t i = length; i-- > 0;)
		if ((path[i] == '/' || path[i] == '\\') && ++slashes == 2)
			return i + 1;
	return 0;
}

static uint64_t rows_label_hash(const struct calltree *tree, const struct row *row)
{
	size_t length;
	const char *path = profile_string(tree->profile, row->file, &length);
	size_t start = rows_short_path(path, length);
	return hash_u64(hash_bytes(path + start, length - start) ^
			hash_u64((uint64_t)row->name << 32 | row->line));
}

/* A hash that two rows share by chance only makes a label longer than it must be. */
static void rows_mark_ambiguous(struct calltree *tree)
{
	struct hash_map names = {0}, labels = {0};
	for (uint32_t i = 1; i < tree->row_count; i++) {
		struct row *row = &tree->rows[i];
		if (row->name == 0)
			continue;
		uint32_t *first = hash_map_slot(&names, row->name);
		if (*first)
			row->is_ambiguous = tree->rows[*first - 1].is_ambiguous = true;
		else
			*first = i + 1;
		first = hash_map_slot(&labels, rows_label_hash(tree, row));
		if (*first)
			row->needs_path = tree->rows[*first - 1].needs_path = true;
		else
			*first = i + 1;
	}
	hash_map_free(&names);
	hash_map_free(&labels);
}

void rows_build(struct calltree *tree)
{
	rows_assign(tree);
	rows_mark_ambiguous(tree);
}

bool rows_are_frames(const struct calltree *tree)
{
	return tree->row_count == tree->profile->frame_count;
}

/* ---- rows as text ----------------------------------------------------------------------- */

void row_module(const struct calltree *tree, uint32_t row, bool ascii, struct text *out)
{
	size_t length;
	const char *path = profile_string(tree->profile, tree->rows[row].module, &length);
	if (length == 0) {
		text_puts(out, "<unknown>");
		return;
	}
	while (length > 1 && path[length - 1] == '/')
		length--;
	size_t start = length;
	while (start > 0 && path[start - 1] != '/')
		start--;
	text_puts(out, "[");
	text_clean(out, path + start, length - start, ascii);
	text_puts(out, "]");
}

/* cProfile's built-in functions are in the file "~". */
static bool row_is_built_in(const struct calltree *tree, const struct row *r)
{
	size_t length;
	const char *path = profile_string(tree->profile, r->file, &length);
	return length == 1 && path[0] == '~' && r->line == 0 && r->kind == CODE_NATIVE;
}

void row_name(const struct calltree *tree, uint32_t row, bool ascii, struct text *out)
{
	const struct row *r = &tree->rows[row];
	size_t length;
	const char *name = profile_string(tree->profile, r->name, &length);
	if (row == 0) {
		text_puts(out, "all");
	} else if (length > 0 && length > 1 && name[0] == '<' && name[length - 1] == '>' &&
		   row_is_built_in(tree, r)) {
		text_puts(out, "{"); /* as pstats prints it */
		text_clean(out, name + 1, length - 2, ascii);
		text_puts(out, "}");
	} else if (length > 0) {
		text_clean(out, name, length, ascii);
	} else if (tree->profile->is_name_function) {
		row_module(tree, row, ascii, out);
		if (tree->query.granularity == BY_ADDRESS)
			text_printf(out, " 0x%" PRIx64, r->address);
	} else if (r->kind == CODE_ASSEMBLER) {
		text_printf(out, "<assembler 0x%" PRIx64 ">", r->address);
	} else {
		text_printf(out, "<unknown 0x%" PRIx64 ">", r->address);
	}
}

void row_location(
	const struct calltree *tree, uint32_t row, bool full, bool ascii, struct text *out)
{
	const struct row *r = &tree->rows[row];
	size_t length;
	const char *path = profile_string(tree->profile, r->file, &length);
	if (row == 0)
		return;
	if (length == 0 && r->kind == CODE_UNKNOWN && (r->name || r->module))
		return; /* its name or module is all that is known */
	if (length == 0 || (length == 1 && path[0] == '-') || row_is_built_in(tree, r)) {
		text_printf(out, "[%s]", code_kind_name((enum code_kind)r->kind));
		return;
	}
	size_t start = full ? 0 : rows_short_path(path, length);
	text_clean(out, path + start, length - start, ascii);
	if (r->line)
		text_printf(out, ":%" PRIu32, r->line);
}

/* What pprof prints: address, name, file, line, as far as the granularity tells them apart. */
static void row_label_of_name(
	const struct calltree *tree, uint32_t row, bool ascii, struct text *out)
{
	const struct row *r = &tree->rows[row];
	enum granularity granularity = tree->query.granularity;
	size_t name_length, length;
	const char *name = profile_string(tree->profile, r->name, &name_length);
	const char *file = profile_string(tree->profile, r->file, &length);
	if (granularity == BY_ADDRESS && r->address)
		text_printf(out, "%016" PRIx64 " ", r->address);
	const size_t before = out->length;
	if (name_length > 0 && granularity != BY_FILE)
		text_clean(out, name, name_length, ascii);
	bool has_line = r->line && (granularity == BY_LINE || granularity == BY_ADDRESS);
	if (granularity != BY_FUNCTION && (length > 0 || has_line)) {
		text_puts(out, out->length > before ? " " : "");
		text_clean(out, file, length, ascii);
		if (has_line)
			text_printf(out, ":%" PRIu32, r->line);
	}
	if (out->length == before)
		row_module(tree, row, ascii, out);
}

void row_label(const struct calltree *tree, uint32_t row, bool ascii, struct text *out)
{
	const struct row *r = &tree->rows[row];
	if (row && tree->profile->is_name_function) {
		row_label_of_name(tree, row, ascii, out);
		return;
	}
	row_name(tree, row, ascii, out);
	if (row && r->name && r->is_ambiguous && tree->query.granularity != BY_FILE) {
		text_puts(out, " ");
		row_location(tree, row, r->needs_path, ascii, out);
	}
	if (row && r->name && r->address && tree->query.granularity == BY_ADDRESS)
		text_printf(out, " 0x%" PRIx64, r->address);
}
