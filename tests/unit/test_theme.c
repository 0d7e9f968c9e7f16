/* SPDX-License-Identifier: MIT */
/* Colours: readable on dark and on light terminals. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kit/theme.h"

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
	for (int role = ROLE_FRAME_GREY; role < ROLE_COUNT; role++) {
		const struct style text = theme_style((enum role)role, DEPTH_256);
		if (text.background >= 0)
			assert_true(contrast(luminance(text.foreground),
					    luminance(text.background)) >= 4.5);
	}
}

static void hues_and_shades_all_differ(void **state)
{
	(void)state;
	for (int a = ROLE_FRAME_FIRST; a <= ROLE_FRAME_LAST; a++)
		for (int b = ROLE_FRAME_FIRST; b < a; b++)
			assert_int_not_equal(theme_style((enum role)a, DEPTH_256).background,
				theme_style((enum role)b, DEPTH_256).background);
	/* With six backgrounds two neighbours of one hue still differ. */
	for (int hue = 0; hue < FRAME_HUES; hue++) {
		const int first = ROLE_FRAME_FIRST + 2 * hue;
		assert_int_not_equal(theme_style((enum role)first, DEPTH_8).background,
			theme_style((enum role)(first + 1), DEPTH_8).background);
	}
}

/* On the terminal's own background, which may be black or white, or on one of ours. */
static void text_is_readable_on_dark_and_light(void **state)
{
	(void)state;
	for (int role = 0; role < ROLE_FRAME_FIRST; role++) {
		const struct style style = theme_style((enum role)role, DEPTH_256);
		/* Shade and blocks of the chart carry no text. */
		if (style.foreground < 0 || role == ROLE_MAX || role == ROLE_MEAN_ON_MAX)
			continue;
		const double ink = luminance(style.foreground);
		if (style.background >= 0) {
			assert_true(contrast(ink, luminance(style.background)) >= 4.5);
		} else {
			assert_true(contrast(ink, 0) >= 3.8);
			assert_true(contrast(ink, 1) >= 3.8);
		}
	}
}

/* The chart's two inks differ, and its darker one is seen on both. */
static void the_chart_is_visible(void **state)
{
	(void)state;
	const struct style max = theme_style(ROLE_MAX, DEPTH_256);
	const struct style mean = theme_style(ROLE_MEAN, DEPTH_256);
	const struct style both = theme_style(ROLE_MEAN_ON_MAX, DEPTH_256);
	assert_int_equal(both.background, max.background);
	assert_int_equal(both.foreground, mean.foreground);
	assert_true(contrast(luminance(both.foreground), luminance(both.background)) >= 2.5);
}

/* A colour of ours never stands on a background that is not known, unless eight are all there are;
 * then text has the terminal's own colour, or a background with it. */
static void no_style_needs_what_a_terminal_lacks(void **state)
{
	(void)state;
	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct style mono = theme_style((enum role)role, DEPTH_MONO);
		const struct style eight = theme_style((enum role)role, DEPTH_8);
		const struct style full = theme_style((enum role)role, DEPTH_256);
		assert_true(mono.foreground == -1 && mono.background == -1);
		assert_true(eight.foreground < 8 && eight.background < 8);
		/* Numbers below 16 are what the user's theme makes of them. */
		assert_true(full.foreground == -1 || full.foreground >= 16);
		assert_true(full.background == -1 || full.background >= 16);
		/* Ink of ours on paper of ours, or the terminal's own on its own. */
		assert_true(full.background == -1 || full.foreground >= 0);
		/* Black, white, yellow and cyan vanish on one of the two backgrounds. */
		if (eight.background == -1)
			assert_true(eight.foreground == -1 || eight.foreground == 1 ||
				    eight.foreground == 2 || eight.foreground == 4 ||
				    eight.foreground == 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_readable),
		cmocka_unit_test(hues_and_shades_all_differ),
		cmocka_unit_test(text_is_readable_on_dark_and_light),
		cmocka_unit_test(the_chart_is_visible),
		cmocka_unit_test(no_style_needs_what_a_terminal_lacks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
