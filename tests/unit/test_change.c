/* SPDX-License-Identifier: MIT */
/* Two profiles that are compared: widths, parts, and how the screens show them. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "layout/flame.h"
#include "query/around.h"

/* Stacks of a difference: what base and new have. */
static const struct {
	const char *stack[4];
	int64_t base, newer;
} stacks[] = {
	{{"main", "load", "parse"}, 400, 100},
	{{"main", "load"}, 50, 50},
	{{"main", "train", "forward"}, 200, 500},
	{{"main", "train", "backward"}, 300, 0},
	{{"main", "save"}, 0, 70},
};

enum { STACKS = sizeof stacks / sizeof *stacks, BASE_TOTAL = 950, CHANGE = -230, CHANGES = 970 };

static struct profile *make_difference(void)
{
	static const char *const names[] = {"cpu", "base:cpu", "new:cpu"};
	const struct builder_limits limits = {.max_depth = 100};
	struct builder builder;
	builder_init(&builder, &limits, NULL, NULL);
	for (unsigned i = 0; i < 3; i++) {
		builder_type(&builder, names[i], "nanoseconds", VALUE_COUNTER, 1000000);
		builder.own_types[i].part = (enum value_part)(PART_DELTA + i);
	}
	for (int i = 0; i < STACKS; i++) {
		frame_id frames[4];
		size_t depth = 0;
		for (; depth < 4 && stacks[i].stack[depth]; depth++) {
			const char *name = stacks[i].stack[depth];
			const struct function function = {
				.name = builder_string(&builder, name, strlen(name)),
				.kind = CODE_NATIVE};
			frames[depth] = builder_function_frame(&builder,
				&(struct frame){.function = builder_function(&builder, &function),
					.kind = CODE_NATIVE});
		}
		builder_values(&builder, builder_stack(&builder, frames, depth),
			(const int64_t[]){
				stacks[i].newer - stacks[i].base, stacks[i].base, stacks[i].newer});
	}
	builder.profile->format = "pprof";
	builder.profile->is_timed = false;
	builder.profile->is_name_function = true;
	builder.profile->difference = DIFFERENCE_CANCELS;
	return builder_finish(&builder);
}

struct fixture {
	struct app app;
	struct text dump;
};

static void open_app(struct fixture *f, const char *view)
{
	static struct report_options options;
	struct vp_error err;
	options = (struct report_options){.query.thread = -1};
	*f = (struct fixture){0};
	app_init(&f->app, &options, "difference", NULL, view, false);
	assert_true(app_show(&f->app, make_difference(), false, &err));
}

static void close_app(struct fixture *f)
{
	app_free(&f->app);
	text_free(&f->dump);
}

static const char *draw(struct fixture *f, int width, int height)
{
	app_draw(&f->app, width, height);
	text_clear(&f->dump);
	canvas_dump(&f->app.canvas, &f->dump);
	return f->dump.data;
}

static uint32_t row_of(const struct calltree *tree, const char *name)
{
	for (uint32_t row = 1; row < tree->row_count; row++)
		if (strcmp(profile_string(tree->profile, tree->rows[row].name, NULL), name) == 0)
			return row;
	fail();
	return 0;
}

/* ---- the tree ---------------------------------------------------------------------- */

static void a_node_is_as_wide_as_what_changed_below_it(void **unused)
{
	struct profile *profile = make_difference();
	struct query query;
	struct vp_error err;
	(void)unused;
	query_init(&query, profile);
	struct calltree *tree = calltree_build(profile, &query, &err);
	assert_non_null(tree->width);
	assert_int_equal(tree->total[0], CHANGE * INT64_C(1000000));
	assert_int_equal(calltree_width(tree, 0), CHANGES * INT64_C(1000000));
	for (uint32_t node = 0; node < tree->node_count; node++) {
		int64_t below = tree->self[node] < 0 ? -tree->self[node] : tree->self[node];
		for (uint32_t child = node + 1; child < tree->end[node]; child = tree->end[child])
			below += calltree_width(tree, child);
		assert_int_equal(calltree_width(tree, node), below);
	}
	struct flame flame = flame_layout(tree, 0, 97, ORDER_SIZE);
	assert_int_equal(flame.row_count, 4);
	int used = 0;
	for (uint32_t i = 0; i < flame.rows[1].count; i++)
		used += flame.cells[flame.rows[1].first + i].width;
	assert_int_equal(used, 97);
	flame_free(&flame);
	query.type = profile_type_of_part(profile, query.type, PART_NEW);
	assert_true(calltree_count(tree, &query, &err));
	assert_null(tree->width); /* nothing is below 0 */
	calltree_free(tree);
	profile_free(profile);
}

static void the_parts_of_each_row_add_up(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "top");
	const struct view_context *context = &f.app.context;
	for (uint32_t node = 0; node < context->tree->node_count; node++) {
		assert_int_equal(context->base->total[node] + context->change->total[node],
			context->newer->total[node]);
		assert_int_equal(context->tree->total[node], context->change->total[node]);
	}
	assert_int_equal(context->base->total[0], BASE_TOTAL * INT64_C(1000000));
	close_app(&f);
}

/* ---- on the screen -------------------------------------------------------------------- */

static void top_shows_old_new_and_change(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "top");
	const char *screen = draw(&f, 160, 24);
	assert_non_null(strstr(screen, "TOTAL old"));
	const char *line = strstr(screen, " forward");
	assert_non_null(line);
	while (line[-1] != '\n')
		line--;
	/* self old, new, change; the same of its total, and the share of the base */
	assert_non_null(
		strstr(line, "200 ms     500 ms    +300 ms     200 ms     500 ms    +300 ms"));
	assert_non_null(strstr(screen, "-300 ms"));
	/* A row that only one of the two has. */
	assert_non_null(strstr(screen, "+70.0 ms"));
	draw(&f, 40, 10);
	assert_non_null(strstr(draw(&f, 62, 20), "TOTAL +-"));
	close_app(&f);
}

static void one_key_flips_base_new_and_change(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "flame");
	const struct view_context *context = &f.app.context;
	static const enum value_part order[] = {PART_DELTA, PART_BASE, PART_NEW, PART_DELTA};
	for (int i = 0; i < 4; i++) {
		const enum value_part part = context->profile->types[context->query.type].part;
		assert_int_equal(part, order[i]);
		assert_non_null(strstr(draw(&f, 100, 30), "forward"));
		app_key(&f.app, 'x');
	}
	/* The next value type is one of the same part, and there is no other one. */
	app_key(&f.app, 'V');
	assert_int_equal(context->profile->types[context->query.type].part, PART_BASE);
	close_app(&f);
}

static void a_flame_graph_of_falls_only_is_drawn(void **unused)
{
	struct fixture f;
	struct vp_error err;
	(void)unused;
	open_app(&f, "flame");
	assert_true(restrict_filter(&f.app, FILTER_FOCUS, "^(parse|backward)$", &err));
	const char *screen = draw(&f, 100, 30);
	assert_non_null(strstr(screen, "parse"));
	assert_non_null(strstr(screen, "backward"));
	assert_non_null(strstr(screen, "-30.9%"));
	close_app(&f);
}

static void colours_say_what_became_more_and_less(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "flame");
	draw(&f, 100, 30);
	bool has_more = false, has_less = false;
	for (int i = 0; i < f.app.canvas.width * f.app.canvas.height; i++) {
		const enum role role = (enum role)f.app.canvas.cells[i].role;
		has_more |= role == ROLE_FRAME_MORE || role == ROLE_FRAME_MORE_TOO;
		has_less |= role == ROLE_FRAME_LESS || role == ROLE_FRAME_LESS_TOO;
		assert_true(role < ROLE_FRAME_FIRST);
	}
	assert_true(has_more && has_less);
	close_app(&f);
}

static void every_view_draws_a_difference_at_every_size(void **unused)
{
	static const char *const views[] = {"summary", "flame", "timeline", "top", "callers"};
	(void)unused;
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		struct fixture f;
		open_app(&f, views[i]);
		for (int width = 40; width < 220; width += 13) {
			draw(&f, width, width / 4);
			app_key(&f.app, 'x');
			app_key(&f.app, width % 2 ? 'j' : 'l');
			app_key(&f.app, width % 3 ? 'B' : KEY_RETURN);
		}
		close_app(&f);
	}
}

/* Trees of callers, callees and leaves are counted for the parts, too. */
static void parts_of_other_trees_add_up(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "flame");
	const struct view_context *context = &f.app.context;
	const unsigned type = context->query.type;
	for (uint32_t row = 0; row < context->tree->row_count * 2; row++) {
		struct calltree *tree = row == 0 ? calltree_bottom_up(context->tree)
					: row < context->tree->row_count
						? calltree_callers(context->tree, row)
						: calltree_callees(context->tree,
							  row - context->tree->row_count + 1);
		if (row + 1 == context->tree->row_count * 2) {
			calltree_free(tree);
			break;
		}
		struct calltree *parts[3];
		for (unsigned i = 0; i < 3; i++)
			parts[i] =
				calltree_recount(tree, profile_type_of_part(context->profile, type,
							       (enum value_part)(PART_DELTA + i)));
		for (uint32_t node = 0; node < tree->node_count; node++) {
			/* Samples outside of such a tree are in none of its nodes. */
			assert_int_equal(parts[0]->total[node], tree->total[node]);
			assert_int_equal(parts[1]->total[node] + parts[0]->total[node],
				parts[2]->total[node]);
		}
		for (unsigned i = 0; i < 3; i++)
			calltree_free(parts[i]);
		calltree_free(tree);
	}
	close_app(&f);
}

static void callers_of_a_change_have_the_changes(void **unused)
{
	struct fixture f;
	(void)unused;
	open_app(&f, "callers");
	const struct view_context *context = &f.app.context;
	const struct neighbours around =
		neighbours_build(context->tree, row_of(context->tree, "train"));
	struct neighbours copy = around;
	assert_int_equal(around.callee_count, 2);
	assert_int_equal(around.callees[0].value + around.callees[1].value, around.cum);
	neighbours_free(&copy);
	assert_non_null(strstr(draw(&f, 100, 30), "CALLEES"));
	close_app(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_as_wide_as_what_changed_below_it),
		cmocka_unit_test(the_parts_of_each_row_add_up),
		cmocka_unit_test(top_shows_old_new_and_change),
		cmocka_unit_test(one_key_flips_base_new_and_change),
		cmocka_unit_test(a_flame_graph_of_falls_only_is_drawn),
		cmocka_unit_test(colours_say_what_became_more_and_less),
		cmocka_unit_test(every_view_draws_a_difference_at_every_size),
		cmocka_unit_test(parts_of_other_trees_add_up),
		cmocka_unit_test(callers_of_a_change_have_the_changes),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
