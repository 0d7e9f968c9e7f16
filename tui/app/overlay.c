/* SPDX-License-Identifier: MIT */
#include "app/overlay.h"

#include <stdio.h>

#include "app/menu.h"
#include "app/pages.h"
#include "app/settings.h"
#include "app/tour.h"
#include "kit/help.h"

void overlay_close(struct app *app)
{
	if (app->overlay == OVERLAY_PAGE && app->page == PAGE_TOUR)
		tour_remember();
	app->overlay = OVERLAY_NONE;
}

static void overlay_fill_help(struct app *app)
{
	struct text explanation = {0};
	char title[40];
	if (app_can_act(app) && app_view(app)->explain)
		app_view(app)->explain(app->state[app->view], &app->context, &explanation);
	snprintf(title, sizeof title, "Help: %s", app_view(app)->tab);
	help_fill(
		&app->pager, title, explanation.data ? explanation.data : "", app_view_where(app));
	text_free(&explanation);
}

void overlay_open_page(struct app *app, enum page page)
{
	app->overlay = OVERLAY_PAGE;
	app->page = page;
	app->tour_step = 0;
	if (page == PAGE_HELP)
		overlay_fill_help(app);
	else if (page == PAGE_YANK)
		pages_yank(app);
	else
		tour_fill(&app->pager, 0);
}

/* The tour's pages are turned; after the last one it is over. */
static void overlay_turn_tour(struct app *app, int step)
{
	app->tour_step += step;
	if (app->tour_step < 0)
		app->tour_step = 0;
	if (app->tour_step >= TOUR_STEPS)
		overlay_close(app);
	else
		tour_fill(&app->pager, app->tour_step);
}

static void overlay_act_in_page(struct app *app, enum action action)
{
	const struct prompt *prompt = &app->prompt;
	if (pager_act(&app->pager, action, app_body(app)))
		return;
	if (action == ACT_SEARCH) {
		prompt_open(app, PROMPT_SEARCH_PAGE);
	} else if (action == ACT_HIT_NEXT || action == ACT_HIT_PREVIOUS) {
		if (!prompt->edit.length ||
			!pager_find(&app->pager, app_body(app), prompt->edit.text,
				action == ACT_HIT_NEXT ? 1 : -1))
			app_notice(app, "Nothing more to find on this page");
	} else if (action == ACT_COPY && app->page == PAGE_YANK) {
		text_clear(&app->request.copy);
		pages_copy(app, &app->request.copy);
		app_notice(app, "Sent to the terminal's clipboard (OSC 52), if it allows that");
	} else if (action == ACT_TOUR_NEXT || action == ACT_TOUR_BACK) {
		overlay_turn_tour(app, action == ACT_TOUR_NEXT ? 1 : -1);
	} else if (action == ACT_TOUR) {
		overlay_open_page(app, PAGE_TOUR);
	}
}

void overlay_act(struct app *app, enum action action)
{
	if (app->overlay == OVERLAY_PAGE)
		overlay_act_in_page(app, action);
	else if (app->list_kind == LIST_SETTINGS)
		settings_act(app, action);
	else
		menu_act(app, action);
}

/* ---- drawing ------------------------------------------------------------------ */

void overlay_draw(struct app *app, struct box body)
{
	if (app->overlay == OVERLAY_LIST) {
		if (app->list_kind == LIST_SETTINGS && app_can_act(app))
			settings_fill(app);
		list_draw(&app->list, &app->canvas, body);
	} else if (app->overlay == OVERLAY_PAGE) {
		pager_draw(&app->pager, &app->canvas, body);
	}
}
