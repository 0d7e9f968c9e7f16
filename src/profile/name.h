/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_PROFILE_NAME_H
#define VPTOP_PROFILE_NAME_H

#include "profile/profile.h"

/*
 * Takes "lang:function:line:file" apart (vmprof.md section 5, "Parsing rule"): the language up to
 * the first ':'; for native code split at the last ":<digits>:", else at the first one, so that
 * colons in functions (std::sort) and in files (C:\x.py) stay. Without one: function only, line 0,
 * no file. A file of "-" is kept as it stands. Adds the pieces to `strings`.
 */
struct function name_parse(struct strings *strings, string_id text);

#endif
