/* SPDX-License-Identifier: MIT */
#include "mouse.h"

#include <stdlib.h>

enum {
	BUTTON_RIGHT = 2,
	BUTTON_UP = 3,
	SHIFT = 4,
	MODIFIERS = 4 + 8 + 16, /* Shift, Meta, Control */
	MOVED = 32,
	WHEEL = 64,
	LARGEST_CELL = 65535
};

#define DOUBLE_CLICK_NS INT64_C(300000000)

static bool mouse_is_at(const struct mouse *mouse, int x, int y)
{
	return mouse->at.x == x && mouse->at.y == y;
}

static enum pointer_kind mouse_press(struct mouse *mouse, int x, int y, int64_t now_ns)
{
	const bool is_second = mouse->press_ns != 0 && mouse_is_at(mouse, x, y) &&
			       now_ns - mouse->press_ns <= DOUBLE_CLICK_NS;
	mouse->is_held = true;
	mouse->press_ns = is_second ? 0 : now_ns; /* a third one is a first one again */
	return is_second ? POINTER_DOUBLE : POINTER_PRESS;
}

/* The wheel's four directions; with Shift the first two go sideways. */
static enum pointer_kind mouse_wheel(int button)
{
	static const enum pointer_kind kinds[] = {
		POINTER_WHEEL_UP, POINTER_WHEEL_DOWN, POINTER_WHEEL_LEFT, POINTER_WHEEL_RIGHT};
	const int direction = button & 3;
	return kinds[(button & SHIFT) && direction < 2 ? direction + 2 : direction];
}

bool mouse_report(struct mouse *mouse, int button, int x, int y, bool is_release, int64_t now_ns,
	struct pointer *out)
{
	const int plain = button & ~MODIFIERS;
	const bool was_held = mouse->is_held, is_here = mouse_is_at(mouse, x, y);
	*out = (struct pointer){.x = x, .y = y};
	if (button < 0 || x < 0 || y < 0)
		return false;
	if (plain >= WHEEL && plain < WHEEL + 4 && !is_release) {
		out->kind = mouse_wheel(button);
		return true;
	}
	if (plain == MOVED) {
		out->kind = POINTER_DRAG;
		mouse->press_ns = 0;
	} else if (plain == BUTTON_UP || (plain == 0 && is_release)) {
		out->kind = POINTER_RELEASE;
		mouse->is_held = false;
	} else if (plain == 0) {
		out->kind = mouse_press(mouse, x, y, now_ns);
	} else if (plain == BUTTON_RIGHT && !is_release) {
		out->kind = POINTER_RIGHT;
		mouse->press_ns = 0;
		return true;
	} else {
		return false;
	}
	mouse->at = *out;
	if (out->kind == POINTER_DRAG)
		return was_held && !is_here;
	return out->kind != POINTER_RELEASE || was_held;
}

/* A number that `end` follows; -1 where there is none. */
static int mouse_number(const char **text, char end)
{
	char *next;
	if (**text < '0' || **text > '9')
		return -1;
	const long number = strtol(*text, &next, 10);
	if ((end ? *next != end : *next != 'M' && *next != 'm') || number > LARGEST_CELL)
		return -1;
	*text = next + 1;
	return (int)number;
}

bool mouse_report_text(struct mouse *mouse, const char *text, int64_t now_ns, struct pointer *out)
{
	const int button = mouse_number(&text, ';');
	const int x = button < 0 ? -1 : mouse_number(&text, ';');
	const int y = x < 1 ? -1 : mouse_number(&text, '\0');
	if (y < 1 || *text != '\0')
		return false;
	return mouse_report(mouse, button, x - 1, y - 1, text[-1] == 'm', now_ns, out);
}
