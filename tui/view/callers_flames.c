/* SPDX-License-Identifier: MIT */
/* The callers view as two flame graphs: who led here grows upwards, what it calls hangs below. */
#include "view/callers_state.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_EDGE = 0x258f, CURSOR_MARK = 0x25b6 };

/* Where the graphs are: `above` rows of callers, the centre's row, `below` rows of callees. */
struct callers_flames {
	struct box head, graph, detail;
	int above, below, bar_y;
};

static size_t callers_rows(const struct callers_state *state, int which)
{
	size_t rows = state->side[which].flame.row_count;
	return rows > 0 ? rows - 1 : 0;
}

static struct callers_flames callers_flames_divide(
	const struct callers_state *state, struct box area)
{
	int head = area.height >= 10;
	int detail = area.height >= 12 ? 2 : area.height >= 5;
	struct callers_flames places = {.head = {area.x, area.y, area.width, head},
		.graph = {area.x, area.y + head, area.width, area.height - head - detail},
		.detail = {area.x, area.y + area.height - detail, area.width, detail}};
	int room = places.graph.height > 1 ? places.graph.height - 1 : 0;
	size_t up = callers_rows(state, CALLERS), down = callers_rows(state, CALLEES);
	int half = room / 2;
	if (down < (size_t)(room - half))
		half = room - (int)down;
	places.above = up < (size_t)half ? (int)up : half;
	places.below = room - places.above;
	places.bar_y = places.graph.y + places.above;
	return places;
}

/* ---- the cursor -------------------------------------------------------------------------------
 */

static int callers_level_side(int64_t level)
{
	return level > 0 ? CALLEES : CALLERS;
}

static size_t callers_level_row(int64_t level)
{
	return (size_t)(level < 0 ? -level : level);
}

static const struct flame_cell *callers_flames_cell(const struct callers_state *state)
{
	const struct callers_side *side = &state->side[callers_level_side(state->level)];
	return flame_at(&side->flame, callers_level_row(state->level), state->column);
}

/* The cell of a row that is nearest to a column; NULL: the row has none. */
static const struct flame_cell *callers_nearest(const struct flame *flame, size_t row, int column)
{
	const struct flame_cell *best = NULL;
	int best_distance = 0;
	if (row >= flame->row_count)
		return NULL;
	for (uint32_t i = 0; i < flame->rows[row].count; i++) {
		const struct flame_cell *cell = &flame->cells[flame->rows[row].first + i];
		int end = cell->column + cell->width;
		int distance = column < cell->column ? cell->column - column
			       : column >= end       ? column - end + 1
						     : 0;
		if (!best || distance < best_distance) {
			best = cell;
			best_distance = distance;
		}
	}
	return best;
}

/* Stands on a cell of a row, in the wanted column if that is in it. */
static void callers_stand_on(
	struct callers_state *state, int64_t level, const struct flame_cell *cell)
{
	int last = cell->column + cell->width - 1;
	state->level = level;
	state->column = state->wanted;
	if (state->column < cell->column)
		state->column = cell->column;
	if (state->column > last)
		state->column = last;
}

static void callers_stand_near(struct callers_state *state, int64_t level)
{
	int64_t top = -(int64_t)callers_rows(state, CALLERS);
	int64_t bottom = (int64_t)callers_rows(state, CALLEES);
	level = level < top ? top : level > bottom ? bottom : level;
	const struct flame *flame = &state->side[callers_level_side(level)].flame;
	const struct flame_cell *cell =
		callers_nearest(flame, callers_level_row(level), state->wanted);
	if (cell)
		callers_stand_on(state, level, cell);
}

static void callers_flames_follow(struct callers_state *state, const struct callers_flames *places)
{
	const int rooms[SIDES] = {[CALLERS] = places->above, [CALLEES] = places->below};
	for (int i = 0; i < SIDES; i++) {
		size_t *scroll = &state->side[i].flame_scroll, rows = callers_rows(state, i);
		size_t room = (size_t)rooms[i], row = callers_level_row(state->level);
		if (state->level != 0 && callers_level_side(state->level) == i && room > 0) {
			if (row <= *scroll)
				*scroll = row - 1;
			if (row > *scroll + room)
				*scroll = row - room;
		}
		if (*scroll + room > rows)
			*scroll = rows > room ? rows - room : 0;
	}
}

void callers_flames_settle(
	struct callers_state *state, const struct view_context *context, struct box area)
{
	(void)context;
	for (int i = 0; i < SIDES; i++) {
		struct callers_side *side = &state->side[i];
		if (side->width == area.width)
			continue;
		if (side->width > 0)
			state->wanted = state->wanted * area.width / side->width;
		flame_free(&side->flame);
		side->flame = flame_layout(side->tree, AROUND_CENTRE, area.width, ORDER_SIZE);
		side->width = area.width;
	}
	if (!callers_flames_cell(state))
		callers_stand_near(state, state->level);
	struct callers_flames places = callers_flames_divide(state, area);
	callers_flames_follow(state, &places);
}

const struct calltree *callers_flames_frame(const struct callers_state *state, uint32_t *node)
{
	const struct flame_cell *cell =
		state->side[CALLEES].width > 0 ? callers_flames_cell(state) : NULL;
	*node = cell ? cell->node : AROUND_CENTRE;
	return state->side[cell ? callers_level_side(state->level) : CALLEES].tree;
}

/* ---- keys -------------------------------------------------------------------------------------
 */

static void callers_flames_aside(struct callers_state *state, int step)
{
	const struct flame *flame = &state->side[callers_level_side(state->level)].flame;
	const struct flame_row *row = &flame->rows[callers_level_row(state->level)];
	const struct flame_cell *cells = flame->cells + row->first, *cell;
	cell = callers_flames_cell(state);
	if (!cell)
		return;
	int64_t to = cell - cells + step;
	if (to < 0 || to >= (int64_t)row->count)
		return;
	state->wanted = cells[to].column;
	callers_stand_on(state, state->level, &cells[to]);
	state->wanted = state->column;
}

bool callers_flames_move(struct callers_state *state, enum action action, struct box area)
{
	struct callers_flames places = callers_flames_divide(state, area);
	int64_t page = places.graph.height > 1 ? places.graph.height - 1 : 1;
	int64_t level = state->level;
	switch (action) {
	case ACT_UP:
	case ACT_DOWN:
		callers_stand_near(state, level + (action == ACT_UP ? -1 : 1));
		return true;
	case ACT_LEFT:
	case ACT_RIGHT:
		callers_flames_aside(state, action == ACT_LEFT ? -1 : 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		callers_stand_near(state, level + (action == ACT_PAGE_UP ? -page : page));
		return true;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		page = (page + 1) / 2;
		callers_stand_near(state, level + (action == ACT_HALF_UP ? -page : page));
		return true;
	case ACT_FIRST:
	case ACT_LAST:
		callers_stand_near(state, action == ACT_FIRST ? INT32_MIN : INT32_MAX);
		return true;
	case ACT_NEXT_SECTION:
		callers_stand_near(state, level < 0 ? 0 : level == 0 ? 1 : level);
		return true;
	case ACT_PREVIOUS_SECTION:
		callers_stand_near(state, level > 0 ? 0 : level == 0 ? -1 : level);
		return true;
	case ACT_SCROLL_UP:
	case ACT_SCROLL_DOWN:
		callers_flames_scroll(state, area,
			level < 0 ? places.graph.y : places.graph.y + places.graph.height - 1,
			action == ACT_SCROLL_UP ? -1 : 1);
		return true;
	default:
		return false;
	}
}

void callers_flames_scroll(struct callers_state *state, struct box area, int y, int step)
{
	struct callers_flames places = callers_flames_divide(state, area);
	int which = y < places.bar_y ? CALLERS : CALLEES;
	size_t room = (size_t)(which == CALLERS ? places.above : places.below);
	size_t *scroll = &state->side[which].flame_scroll, rows = callers_rows(state, which);
	bool is_away = (step < 0) == (which == CALLERS); /* from the centre */
	if (is_away && *scroll + room < rows)
		++*scroll;
	if (!is_away && *scroll > 0)
		--*scroll;
	if (state->level == 0 || callers_level_side(state->level) != which || room == 0)
		return;
	size_t row = callers_level_row(state->level);
	if (row <= *scroll)
		row = *scroll + 1;
	if (row > *scroll + room)
		row = *scroll + room;
	callers_stand_near(state, which == CALLERS ? -(int64_t)row : (int64_t)row);
}

/* The level that a screen line shows. */
static int64_t callers_level_at(
	const struct callers_state *state, const struct callers_flames *places, int y)
{
	if (y == places->bar_y)
		return 0;
	if (y < places->bar_y)
		return -(places->bar_y - y) - (int64_t)state->side[CALLERS].flame_scroll;
	return y - places->bar_y + (int64_t)state->side[CALLEES].flame_scroll;
}

bool callers_flames_press(struct callers_state *state, struct box area, int x, int y)
{
	struct callers_flames places = callers_flames_divide(state, area);
	const struct box *graph = &places.graph;
	if (y < graph->y || y >= graph->y + graph->height || x < area.x)
		return false;
	int64_t level = callers_level_at(state, &places, y);
	const struct flame *flame = &state->side[callers_level_side(level)].flame;
	const struct flame_cell *cell = flame_at(flame, callers_level_row(level), x - area.x);
	if (!cell)
		return false;
	state->wanted = x - area.x;
	callers_stand_on(state, level, cell);
	return true;
}

/* ---- search -----------------------------------------------------------------------------------
 */

/* The frame number `i` of a row that is a hit, from `i` on in steps of `step`; -1: none. */
static int64_t callers_hit_in_row(const struct calltree *tree, const struct flame *flame,
	size_t row, const uint8_t *hits, int64_t i, int step)
{
	const struct flame_row *cells = &flame->rows[row];
	for (; i >= 0 && i < (int64_t)cells->count; i += step)
		if (hits[tree->row[flame->cells[cells->first + (size_t)i].node]])
			return i;
	return -1;
}

enum found callers_flames_find(
	struct callers_state *state, const struct view_context *context, enum find where)
{
	int64_t top = -(int64_t)callers_rows(state, CALLERS);
	int64_t levels = (int64_t)callers_rows(state, CALLEES) - top + 1;
	int step = where == FIND_BACKWARD ? -1 : 1;
	const struct flame *flame = &state->side[callers_level_side(state->level)].flame;
	const struct flame_cell *own = callers_flames_cell(state);
	int64_t start =
		own ? own - flame->cells - flame->rows[callers_level_row(state->level)].first : 0;
	if (where != FIND_HERE)
		start += step;
	for (int64_t i = 0; i <= levels; i++) { /* our own row twice: its other end comes last */
		int64_t index = (state->level - top + i * step + 2 * levels) % levels;
		int64_t level = top + index;
		const struct callers_side *side = &state->side[callers_level_side(level)];
		size_t row = callers_level_row(level);
		int64_t from = i == 0     ? start
			       : step > 0 ? 0
					  : (int64_t)side->flame.rows[row].count - 1;
		int64_t hit = callers_hit_in_row(
			side->tree, &side->flame, row, context->search->hits, from, step);
		if (hit < 0)
			continue;
		const struct flame_cell *cell =
			&side->flame.cells[side->flame.rows[row].first + (size_t)hit];
		bool is_wrapped = i > 0 && (level - state->level) * step <= 0;
		state->wanted = cell->column;
		callers_stand_on(state, level, cell);
		return is_wrapped ? FOUND_WRAPPED : FOUND;
	}
	return FOUND_NOTHING;
}

/* ---- cells ------------------------------------------------------------------------------------
 */

struct callers_flame_brush {
	struct callers_state *state;
	const struct view_context *context;
	struct canvas *canvas;
	const struct callers_flames *places;
	const struct flame_cell *cursor;
	struct calltree labels; /* the side's tree with the base that percentages are of */
};

static void callers_figure(const struct callers_flame_brush *brush, int64_t value, char *out)
{
	if (brush->state->share == SHARE_NONE)
		common_place_value(out, &brush->labels, value);
	else
		common_place_share(out, &brush->labels, value, brush->labels.base);
}

static void callers_draw_frame(const struct callers_flame_brush *brush,
	const struct flame_cell *cell, int y, enum role role)
{
	struct canvas *canvas = brush->canvas;
	struct text *scratch = &brush->state->scratch;
	int x = brush->places->graph.x + cell->column;
	struct box box = {x, y, cell->width, 1};
	char figure[UNIT_SIZE];
	bool is_cursor = cell == brush->cursor;
	if (cell->coverage > 0) {
		uint32_t glyph = cell->coverage >= 128 ? 0x2592 : 0x2591;
		canvas_put(canvas, x, y, ROLE_FRAME_TINY, is_cursor ? CURSOR_MARK : glyph);
	} else {
		canvas_fill(canvas, box, role, ' ');
		canvas_put(canvas, x, y, role, is_cursor ? CURSOR_MARK : LEFT_EDGE);
		callers_figure(brush, cell->value, figure);
		text_clear(scratch);
		flame_label_with(&brush->labels, cell->node, figure, cell->width - 1,
			brush->context->ascii, scratch);
		int used = scratch->data ? canvas_text(canvas, x + 1, y, cell->width - 1, role,
						   scratch->data)
					 : 0;
		canvas_look(canvas, (struct box){x + 1, y, used, 1},
			common_look(brush->context, brush->labels.row[cell->node]));
	}
	if (is_cursor)
		canvas_look(canvas, box, LOOK_REVERSE | LOOK_BOLD);
}

/* `toward`: the step from y to the row of this one's parents. */
static void callers_draw_row(const struct callers_flame_brush *brush, const struct flame *flame,
	size_t row, int y, int toward)
{
	const struct flame_cell *cells = flame->cells + flame->rows[row].first;
	uint32_t count = flame->rows[row].count;
	enum role beside = ROLE_NORMAL;
	int edge = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct flame_cell *cell = &cells[i];
		int x = brush->places->graph.x + cell->column;
		enum role role = ROLE_FRAME_TINY;
		if (cell->coverage == 0)
			role = common_frame_role(&brush->labels, cell->node, COLOUR_BY_MODULE,
				cell->column == edge ? beside : ROLE_NORMAL,
				common_role_at(brush->canvas, x, y + toward));
		callers_draw_frame(brush, cell, y, role);
		if (cell->coverage > 0)
			continue;
		beside = role;
		edge = cell->column + cell->width;
		bool is_last = i + 1 == count || cells[i + 1].column != edge;
		if (is_last && edge < flame->width)
			canvas_put(brush->canvas, brush->places->graph.x + edge, y, ROLE_RULE,
				LEFT_EDGE);
	}
}

static void callers_draw_graph(struct callers_flame_brush *brush, int which)
{
	struct callers_state *state = brush->state;
	const struct callers_flames *places = brush->places;
	const struct callers_side *side = &state->side[which];
	int away = which == CALLERS ? -1 : 1;
	int room = which == CALLERS ? places->above : places->below;
	int64_t base = state->share == SHARE_OF_ALL ? side->tree->base : state->cum;
	char words[48];
	brush->labels = *side->tree;
	brush->labels.base = base;
	if (which == CALLERS) /* the centre's row is both graphs' first one */
		callers_draw_row(brush, &side->flame, 0, places->bar_y, 0);
	size_t row = side->flame_scroll + 1;
	int lines = 0;
	for (; lines < room && row < side->flame.row_count; lines++, row++)
		callers_draw_row(
			brush, &side->flame, row, places->bar_y + away * (lines + 1), -away);
	size_t hidden = side->flame.row_count - row;
	if (hidden == 0 || room < 2)
		return;
	snprintf(words, sizeof words, " %s %zu more row%s ", which == CALLERS ? "\u25b2" : "\u25bc",
		hidden, hidden == 1 ? "" : "s");
	int width = text_width(words, strlen(words));
	canvas_text(brush->canvas, places->graph.x + places->graph.width - width,
		places->bar_y + away * lines, width, ROLE_ACCENT, words);
}

static void callers_flames_detail(const struct callers_flame_brush *brush)
{
	const struct box *box = &brush->places->detail;
	struct callers_state *state = brush->state;
	const struct calltree *tree = brush->context->tree;
	const struct flame_cell *cell = brush->cursor;
	struct text *scratch = &state->scratch;
	char value[UNIT_SIZE], share[UNIT_SIZE], of_all[UNIT_SIZE], figures[3 * UNIT_SIZE + 40];
	uint32_t node;
	int y = box->y;
	if (box->height < 1 || !cell)
		return;
	uint32_t row = callers_flames_frame(state, &node)->row[node];
	if (box->height > 1)
		canvas_rule(brush->canvas, box->x, y++, box->width,
			state->level < 0   ? "led here"
			: state->level > 0 ? "called from here"
					   : "the centre");
	common_place_value(value, tree, cell->value);
	units_percent(share, (double)cell->value, (double)state->cum);
	units_percent(of_all, (double)cell->value, (double)tree->base);
	if (box->width >= 100)
		snprintf(figures, sizeof figures, "%s   %s of the centre   %s of all", value, share,
			of_all);
	else
		snprintf(figures, sizeof figures, "%s  %s", value, share);
	int width = text_width(figures, strlen(figures)), cells = box->width - 4 - width;
	canvas_text_right(brush->canvas, box->x + 1, y, box->width - 2, ROLE_NORMAL, figures);
	int used = 0;
	if (cell->coverage > 0 && cell->frames > 1)
		used = canvas_printf(brush->canvas, box->x + 1, y, cells, ROLE_DIM,
			"%u below one cell, largest: ", cell->frames);
	used += common_draw_name(brush->context, brush->canvas, box->x + 1 + used, y, cells - used,
		ROLE_ACCENT, row, scratch);
	if (cells - used > 20)
		common_text_end(brush->canvas, box->x + 1 + used + 3, y, cells - used - 3,
			ROLE_NORMAL, common_location(brush->context, row, true, scratch));
}

void callers_flames_draw(struct callers_state *state, const struct view_context *context,
	struct canvas *canvas, struct box area)
{
	struct callers_flames places = callers_flames_divide(state, area);
	struct callers_flame_brush brush = {.state = state,
		.context = context,
		.canvas = canvas,
		.places = &places,
		.cursor = callers_flames_cell(state)};
	callers_draw_head(state, context, canvas, places.head);
	for (int i = 0; i < SIDES; i++)
		callers_draw_graph(&brush, i);
	callers_flames_detail(&brush);
}
