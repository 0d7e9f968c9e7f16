/* SPDX-License-Identifier: MIT */
/* The mouse: what it presses outside the view is as if the key of it had been pressed. */
#include "app/app.h"
#include "app/overlay.h"
#include "app/places.h"

static bool pointer_is_in(const struct box *box, const struct pointer *pointer)
{
	return pointer->x >= box->x && pointer->x < box->x + box->width && pointer->y >= box->y &&
	       pointer->y < box->y + box->height;
}

static enum action pointer_wheel_action(enum pointer_kind kind)
{
	return kind == POINTER_WHEEL_UP ? ACT_UP : kind == POINTER_WHEEL_DOWN ? ACT_DOWN : ACT_NONE;
}

/* A list: press selects, and does it where it was selected already; beside it closes it. */
static void pointer_in_list(struct app *app, const struct pointer *pointer)
{
	const struct box body = app_body(app);
	const struct box box = list_box(&app->list, body);
	const size_t before = app->list.cursor;
	const enum action wheel = pointer_wheel_action(pointer->kind);
	if (wheel != ACT_NONE)
		list_act(&app->list, wheel, body);
	if (pointer->kind != POINTER_PRESS && pointer->kind != POINTER_DOUBLE)
		return;
	if (!pointer_is_in(&box, pointer))
		overlay_close(app);
	else if (list_point(&app->list, body, pointer->x, pointer->y) &&
		 (app->list.cursor == before || pointer->kind == POINTER_DOUBLE))
		app_act(app, ACT_IN);
}

static void pointer_in_page(struct app *app, const struct pointer *pointer)
{
	const enum action wheel = pointer_wheel_action(pointer->kind);
	const struct box box = pager_box(&app->pager, app_body(app));
	for (int i = 0; i < 3 && wheel != ACT_NONE; i++)
		pager_act(&app->pager, wheel, app_body(app));
	if (pointer->kind == POINTER_PRESS && !pointer_is_in(&box, pointer))
		overlay_close(app);
}

/* Tabs, chips and the footer; false: none of them is there. */
static bool pointer_on_spot(struct app *app, const struct pointer *pointer)
{
	for (size_t i = 0; i < app->spot_count; i++) {
		const struct spot spot = app->spots[i];
		if (pointer->y != spot.y || pointer->x < spot.x ||
			pointer->x >= spot.x + spot.width)
			continue;
		if (spot.kind == SPOT_TAB) {
			overlay_close(app);
			app_open_view(app, spot.value);
		} else if (spot.kind == SPOT_KEY)
			app_key(app, spot.value);
		else if (spot.value < RESTRICT_COUNT)
			restrict_remove(app, (enum restriction)spot.value);
		else
			search_clear(app);
		return true;
	}
	return false;
}

static void pointer_in_view(struct app *app, const struct pointer *pointer)
{
	const struct view *view = app_view(app);
	struct pointer press = *pointer;
	if (!app_can_act(app) || !view->point)
		return;
	if (pointer->kind == POINTER_RIGHT) {
		app_act(app, ACT_OUT);
		return;
	}
	if (pointer->kind == POINTER_DOUBLE)
		press.kind = POINTER_PRESS;
	const struct reaction reaction =
		view->point(app->state[app->view], &app->context, app_body(app), &press);
	app_react(app, &reaction);
	if (pointer->kind == POINTER_DOUBLE && reaction.handled)
		app_act(app, ACT_IN);
}

void app_pointer(struct app *app, const struct pointer *pointer)
{
	const struct box body = app_body(app);
	const bool is_press = pointer->kind == POINTER_PRESS || pointer->kind == POINTER_DOUBLE;
	if (app->canvas.width < SMALLEST_WIDTH || app->canvas.height < SMALLEST_HEIGHT)
		return;
	if (is_press || pointer->kind == POINTER_RIGHT)
		app->notice[0] = '\0';
	place_note_entry(app);
	if (is_press && app->prompt.kind == PROMPT_NONE && pointer_on_spot(app, pointer))
		return;
	if (app->prompt.kind != PROMPT_NONE)
		return;
	if (app->overlay == OVERLAY_LIST)
		pointer_in_list(app, pointer);
	else if (app->overlay == OVERLAY_PAGE)
		pointer_in_page(app, pointer);
	else if (pointer_is_in(&body, pointer) || pointer->kind == POINTER_DRAG ||
		 pointer->kind == POINTER_RELEASE)
		pointer_in_view(app, pointer);
}
