/* SPDX-License-Identifier: MIT */
#include "kit/frame.h"

#include <stdio.h>
#include <string.h>

struct box frame_middle(struct box area, int width, int height)
{
	struct box box = area;
	if (width < area.width) {
		box.x += (area.width - width) / 2;
		box.width = width;
	}
	if (height < area.height) {
		box.y += (area.height - height) / 2;
		box.height = height;
	}
	return box;
}

void frame_more(struct canvas *canvas, struct box frame, size_t above, size_t below)
{
	char more[60];
	if (above == 0 && below == 0)
		return;
	if (below > 0)
		snprintf(more, sizeof more, " %zu more %s ", below, below == 1 ? "line" : "lines");
	else
		snprintf(more, sizeof more, " %zu above ", above);
	const int width = (int)strlen(more);
	if (width + 4 <= frame.width)
		canvas_text(canvas, frame.x + frame.width - 2 - width, frame.y + frame.height - 1,
			width, ROLE_OVERLAY_HEADING, more);
}
