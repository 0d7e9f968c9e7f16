/* SPDX-License-Identifier: MIT */
/* The colours of frames. */
#include "base/hash.h"
#include "view/common.h"

const char *common_colouring_name(enum colouring colouring)
{
	static const char *const names[COLOURING_COUNT] = {"module", "name", "self", "none"};
	return names[colouring];
}

/*
 * What a frame belongs to: its module where it has one, else the last two parts of its file's path,
 * which are the same on every machine. In a compiled program all is one module: there it is the
 * folder of the file.
 */
static uint64_t common_module_hash(const struct calltree *tree, const struct row *row)
{
	size_t length;
	const char *module = profile_string(tree->profile, row->module, &length);
	bool is_compiled = tree->profile->is_name_function && row->file != 0;
	if (length > 0 && !is_compiled)
		return hash_bytes(module, length);
	const char *file = profile_string(tree->profile, row->file, &length);
	while (is_compiled && length > 0 && file[length - 1] != '/')
		length--;
	length -= is_compiled && length > 1;
	size_t start = length;
	for (int slashes = 0; start > 0; start--)
		if (file[start - 1] == '/' && ++slashes == 2)
			break;
	return hash_bytes(file + start, length - start);
}

/* More is red, less is green; what became as much more as less is neither. */
static enum role common_change_role(
	const struct calltree *tree, uint32_t node, enum role beside, enum role above)
{
	const int64_t change = tree->total[node];
	const enum role role = change > 0 ? ROLE_FRAME_MORE : ROLE_FRAME_LESS;
	const enum role other = change > 0 ? ROLE_FRAME_MORE_TOO : ROLE_FRAME_LESS_TOO;
	if (change == 0 || tree->row[node] == 0)
		return ROLE_FRAME_GREY;
	return beside == role || (above == role && beside != other) ? other : role;
}

/* Five steps of self time, from cold to hot, as hues of the theme. */
static int common_heat(const struct calltree *tree, uint32_t node)
{
	static const int hues[] = {0, 2, 4, 1, 5};
	double share =
		tree->total[node] > 0 ? (double)tree->self[node] / (double)tree->total[node] : 0;
	int step = share < 0.02 ? 0 : share < 0.2 ? 1 : share < 0.5 ? 2 : share < 0.8 ? 3 : 4;
	return hues[step];
}

enum role common_frame_role(const struct calltree *tree, uint32_t node, enum colouring colouring,
	enum role beside, enum role above)
{
	const struct row *row = &tree->rows[tree->row[node]];
	/* In a Python program native code is what is not the user's; a compiled one is all native.
	 */
	bool has_no_source = (row->kind == CODE_NATIVE && !tree->profile->is_name_function) ||
			     row->name == 0 || row->kind == CODE_GC || row->kind == CODE_TRACING ||
			     row->kind == CODE_ASSEMBLER;
	if (colouring == COLOUR_BY_NOTHING)
		return ROLE_NORMAL;
	if (common_is_change(tree))
		return common_change_role(tree, node, beside, above);
	if (has_no_source || tree->row[node] == 0)
		return ROLE_FRAME_GREY;
	uint64_t name = hash_u64(common_name_hash(tree, row));
	int hue = (int)(name % FRAME_HUES);
	if (colouring == COLOUR_BY_MODULE)
		hue = (int)(hash_u64(common_module_hash(tree, row)) % FRAME_HUES);
	else if (colouring == COLOUR_BY_SELF)
		hue = common_heat(tree, node);
	int role = ROLE_FRAME_FIRST + hue * 2 + (int)(name >> 40 & 1);
	int other = ROLE_FRAME_FIRST + ((role - ROLE_FRAME_FIRST) ^ 1); /* its other shade */
	if (role == (int)beside || (role == (int)above && other != (int)beside))
		role = other;
	return (enum role)role;
}
