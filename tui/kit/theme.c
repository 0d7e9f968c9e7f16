/* SPDX-License-Identifier: MIT */
#include "kit/theme.h"

/* Numbers of the 256-colour palette: 16..231 are a cube of six levels, 232..255 are greys. */
enum {
	BLACK = 16,
	BLUE = 31,
	NAVY = 24,
	SKY = 117,
	STEEL = 74,
	WHITE = 231,
	RED = 160,
	ORANGE = 166,
	GREY = 244,
	LIGHT_GREY = 250,
	COAL = 238,
	SILVER = 252
};

/* Hues of the flame graph: two shades that carry black text with a contrast of at least 6:1. */
static const uint8_t theme_hues[FRAME_HUES][2] = {
	{117, 74},  /* sky */
	{215, 173}, /* orange */
	{150, 107}, /* lime */
	{183, 140}, /* violet */
	{186, 143}, /* straw */
	{210, 174}, /* red */
	{116, 73},  /* cyan */
	{219, 176}, /* magenta */
	{77, 71},   /* green */
	{147, 104}, /* blue */
	{79, 72},   /* sea green */
	{212, 175}, /* pink */
};

static const struct style theme_256[ROLE_FRAME_FIRST] = {
	[ROLE_NORMAL] = {-1, -1, 0},
	[ROLE_TITLE] = {WHITE, NAVY, LOOK_BOLD},
	[ROLE_TAB] = {SILVER, NAVY, 0},
	[ROLE_TAB_ACTIVE] = {NAVY, WHITE, LOOK_BOLD},
	[ROLE_CONTEXT] = {-1, -1, 0},
	[ROLE_HEADING] = {BLUE, -1, LOOK_BOLD},
	[ROLE_RULE] = {GREY, -1, 0},
	[ROLE_DIM] = {GREY, -1, 0},
	[ROLE_ACCENT] = {BLUE, -1, LOOK_BOLD},
	[ROLE_NUMBER] = {-1, -1, 0},
	[ROLE_BAR] = {BLUE, -1, 0},
	[ROLE_WARNING] = {RED, -1, LOOK_BOLD},
	[ROLE_PREFIX] = {BLUE, -1, LOOK_BOLD},
	[ROLE_REMAINDER] = {ORANGE, -1, 0},
	[ROLE_MEAN] = {BLUE, -1, 0},
	/* The shade of U+2591 and the background above the mean's top look alike. */
	[ROLE_MAX] = {STEEL, SKY, 0},
	[ROLE_MEAN_ON_MAX] = {BLUE, SKY, 0},
	[ROLE_FOOTER] = {SILVER, COAL, 0},
	[ROLE_FOOTER_KEY] = {SKY, COAL, LOOK_BOLD},
	[ROLE_OVERLAY] = {-1, -1, 0},
	[ROLE_OVERLAY_KEY] = {BLUE, -1, LOOK_BOLD},
	[ROLE_OVERLAY_HEADING] = {ORANGE, -1, LOOK_BOLD},
	[ROLE_FRAME_GREY] = {BLACK, LIGHT_GREY, 0},
	[ROLE_FRAME_ROOT] = {GREY, -1, 0},
	[ROLE_FRAME_TINY] = {-1, -1, 0},
	[ROLE_FRAME_CURSOR] = {WHITE, NAVY, 0},
	[ROLE_FRAME_MORE] = {BLACK, 210, 0},
	[ROLE_FRAME_MORE_TOO] = {BLACK, 174, 0},
	[ROLE_FRAME_LESS] = {BLACK, 77, 0},
	[ROLE_FRAME_LESS_TOO] = {BLACK, 71, 0},
};

/* The eight colours differ from terminal to terminal, so text is in the terminal's own colour. */
static const struct style theme_8[ROLE_FRAME_FIRST] = {
	[ROLE_NORMAL] = {-1, -1, 0},
	[ROLE_TITLE] = {7, 4, LOOK_BOLD},
	[ROLE_TAB] = {7, 4, 0},
	[ROLE_TAB_ACTIVE] = {0, 7, 0},
	[ROLE_CONTEXT] = {-1, -1, 0},
	[ROLE_HEADING] = {-1, -1, LOOK_BOLD},
	[ROLE_RULE] = {-1, -1, THEME_DIM},
	[ROLE_DIM] = {-1, -1, THEME_DIM},
	[ROLE_ACCENT] = {-1, -1, LOOK_BOLD},
	[ROLE_NUMBER] = {-1, -1, 0},
	[ROLE_BAR] = {5, -1, 0},
	[ROLE_WARNING] = {1, -1, LOOK_BOLD},
	[ROLE_PREFIX] = {-1, -1, LOOK_BOLD},
	[ROLE_REMAINDER] = {5, -1, 0},
	[ROLE_MEAN] = {-1, -1, 0},
	[ROLE_MAX] = {0, 5, 0},
	[ROLE_MEAN_ON_MAX] = {-1, 5, 0},
	[ROLE_FOOTER] = {0, 6, 0},
	[ROLE_FOOTER_KEY] = {7, 4, LOOK_BOLD},
	[ROLE_OVERLAY] = {-1, -1, 0},
	[ROLE_OVERLAY_KEY] = {-1, -1, LOOK_BOLD},
	[ROLE_OVERLAY_HEADING] = {5, -1, LOOK_BOLD},
	[ROLE_FRAME_GREY] = {0, 7, 0},
	[ROLE_FRAME_ROOT] = {-1, -1, THEME_DIM},
	[ROLE_FRAME_TINY] = {-1, -1, 0},
	[ROLE_FRAME_CURSOR] = {-1, -1, LOOK_REVERSE},
	[ROLE_FRAME_MORE] = {7, 1, 0},
	[ROLE_FRAME_MORE_TOO] = {7, 1, LOOK_BOLD},
	[ROLE_FRAME_LESS] = {0, 2, 0},
	[ROLE_FRAME_LESS_TOO] = {0, 2, 0},
};

static const struct style theme_mono[ROLE_FRAME_FIRST] = {
	[ROLE_NORMAL] = {-1, -1, 0},
	[ROLE_TITLE] = {-1, -1, LOOK_REVERSE},
	[ROLE_TAB] = {-1, -1, LOOK_REVERSE},
	[ROLE_TAB_ACTIVE] = {-1, -1, LOOK_BOLD},
	[ROLE_CONTEXT] = {-1, -1, 0},
	[ROLE_HEADING] = {-1, -1, LOOK_BOLD},
	[ROLE_RULE] = {-1, -1, 0},
	[ROLE_DIM] = {-1, -1, THEME_DIM},
	[ROLE_ACCENT] = {-1, -1, LOOK_BOLD},
	[ROLE_NUMBER] = {-1, -1, 0},
	[ROLE_BAR] = {-1, -1, 0},
	[ROLE_WARNING] = {-1, -1, LOOK_BOLD},
	[ROLE_PREFIX] = {-1, -1, LOOK_BOLD},
	[ROLE_REMAINDER] = {-1, -1, 0},
	[ROLE_MEAN] = {-1, -1, 0},
	[ROLE_MAX] = {-1, -1, 0},
	[ROLE_MEAN_ON_MAX] = {-1, -1, 0},
	[ROLE_FOOTER] = {-1, -1, LOOK_REVERSE},
	[ROLE_FOOTER_KEY] = {-1, -1, LOOK_REVERSE | LOOK_BOLD},
	[ROLE_OVERLAY] = {-1, -1, 0},
	[ROLE_OVERLAY_KEY] = {-1, -1, LOOK_BOLD},
	[ROLE_OVERLAY_HEADING] = {-1, -1, LOOK_BOLD},
	[ROLE_FRAME_GREY] = {-1, -1, 0},
	[ROLE_FRAME_ROOT] = {-1, -1, THEME_DIM},
	[ROLE_FRAME_TINY] = {-1, -1, 0},
	[ROLE_FRAME_CURSOR] = {-1, -1, LOOK_REVERSE},
	[ROLE_FRAME_MORE] = {-1, -1, 0},
	[ROLE_FRAME_MORE_TOO] = {-1, -1, 0},
	[ROLE_FRAME_LESS] = {-1, -1, 0},
	[ROLE_FRAME_LESS_TOO] = {-1, -1, 0},
};

/* A frame of the flame graph: hue and shade are in the number of the role. */
static struct style theme_frame(enum role role, enum colour_depth depth)
{
	const int hue = ((int)role - ROLE_FRAME_FIRST) / 2,
		  shade = ((int)role - ROLE_FRAME_FIRST) % 2;
	if (depth == DEPTH_256)
		return (struct style){BLACK, theme_hues[hue][shade], 0};
	if (depth == DEPTH_8) {
		/* Red, green, yellow, blue, magenta, cyan; black text is lost on red and blue. */
		const int background = 1 + (hue + 3 * shade) % 6;
		return (struct style){background == 1 || background == 4 ? 7 : 0, background, 0};
	}
	return (struct style){-1, -1, 0};
}

struct style theme_style(enum role role, enum colour_depth depth)
{
	static const struct style *const tables[] = {
		[DEPTH_MONO] = theme_mono, [DEPTH_8] = theme_8, [DEPTH_256] = theme_256};
	if (role >= ROLE_FRAME_FIRST)
		return theme_frame(role, depth);
	return tables[depth][role];
}
