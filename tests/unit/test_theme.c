/* SPDX-License-Identifier: MIT */
/* Colours: readable, and few enough for a terminal that has 64 pairs. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kit/theme.h"

enum { EDGE = 0x258f };

/* Relative luminance of a colour of the 256-colour palette (WCAG 2.1; xterm's levels). */
static double luminance(int colour)
{
	static const int levels[] = {0, 95, 135, 175, 215, 255};
	int rgb[3];
	assert_true(colour >= 16 && colour < 256);
	for (int i = 0; i < 3; i++)
		rgb[i] = colour >= 232 ? 8 + 10 * (colour - 232)
				       : levels[(colour - 16) /
						 (i == 0          ? 36
							 : i == 1 ? 6
								  : 1) %
						 6];
	double linear[3];
	for (int i = 0; i < 3; i++) {
		const double c = rgb[i] / 255.0;
		linear[i] = c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

static double contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

static void frames_are_readable(void **state)
{
	(void)state;
	for (int role = ROLE_FRAME_FIRST; role <= ROLE_FRAME_LAST; role++) {
		const struct style text = theme_style((enum role)role, 'a', DEPTH_256);
		const struct style edge = theme_style((enum role)role, EDGE, DEPTH_256);
		assert_true(
			contrast(luminance(text.foreground), luminance(text.background)) >= 4.5);
		assert_int_equal(text.background, edge.background);
		assert_true(contrast(luminance(edge.foreground), luminance(edge.background)) >= 2);
	}
}

static void hues_and_shades_all_differ(void **state)
{
	(void)state;
	for (int a = ROLE_FRAME_FIRST; a <= ROLE_FRAME_LAST; a++)
		for (int b = ROLE_FRAME_FIRST; b < a; b++)
			assert_int_not_equal(theme_style((enum role)a, 'a', DEPTH_256).background,
				theme_style((enum role)b, 'a', DEPTH_256).background);
	/* With six backgrounds two neighbours of one hue still differ. */
	for (int hue = 0; hue < FRAME_HUES; hue++) {
		const int first = ROLE_FRAME_FIRST + 2 * hue;
		assert_int_not_equal(theme_style((enum role)first, 'a', DEPTH_8).background,
			theme_style((enum role)(first + 1), 'a', DEPTH_8).background);
	}
}

/* On the terminal's own background, which may be black or white, or on one of ours. */
static void text_is_readable_on_dark_and_light(void **state)
{
	(void)state;
	for (int role = 0; role < ROLE_FRAME_FIRST; role++) {
		const struct style style = theme_style((enum role)role, 'a', DEPTH_256);
		/* The shade of the chart carries no text. */
		if (style.foreground < 0 || role == ROLE_MAX)
			continue;
		const double ink = luminance(style.foreground);
		if (style.background >= 0) {
			assert_true(contrast(ink, luminance(style.background)) >= 2.5);
		} else {
			assert_true(contrast(ink, 0) >= 3);
			assert_true(contrast(ink, 1) >= 3);
		}
	}
}

static void pairs_stay_below_64(void **state)
{
	(void)state;
	for (int depth = DEPTH_MONO; depth <= DEPTH_256; depth++) {
		int pairs[2 * ROLE_COUNT][2], count = 0;
		for (int i = 0; i < 2 * ROLE_COUNT; i++) {
			const struct style style = theme_style(
				(enum role)(i / 2), i % 2 ? EDGE : 'a', (enum colour_depth)depth);
			int k = 0;
			while (k < count && (pairs[k][0] != style.foreground ||
						    pairs[k][1] != style.background))
				k++;
			if (k == count) {
				pairs[count][0] = style.foreground;
				pairs[count++][1] = style.background;
			}
			assert_true(depth != DEPTH_MONO || style.foreground == -1);
			assert_true(
				depth != DEPTH_8 || (style.foreground < 8 && style.background < 8));
		}
		assert_true(count < 64);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_readable),
		cmocka_unit_test(hues_and_shades_all_differ),
		cmocka_unit_test(text_is_readable_on_dark_and_light),
		cmocka_unit_test(pairs_stay_below_64),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
