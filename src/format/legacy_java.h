/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_FORMAT_LEGACY_JAVA_H
#define VPTOP_FORMAT_LEGACY_JAVA_H

#include "format/legacy.h"

/*
 * Reads what each address of a Java profile is, up to the end: line[length] first (NULL: none),
 * then the lines that follow (formats/pprof.md section 4.6).
 */
void legacy_java_locations(struct legacy *legacy, const char *line, size_t length);

#endif
