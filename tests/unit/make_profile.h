/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TESTS_MAKE_PROFILE_H
#define VPTOP_TESTS_MAKE_PROFILE_H

#include "profile/builder.h"

/*
 * Profiles for tests, written as folded text: "main;work;r;r 3" adds three samples of that stack,
 * each with `memory_kib` (below 0: not recorded). Functions are "py:NAME:1:/srv/NAME.py".
 */
struct making {
	struct builder builder;
};

void making_start(struct making *making);
void making_add(struct making *making, const char *folded, int64_t memory_kib);
struct profile *making_finish(struct making *making);

#endif
