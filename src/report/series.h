/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_SERIES_H
#define VPTOP_REPORT_SERIES_H

#include "report/parts.h"

/* The timeline of a series of snapshots: a bin a snapshot. */

bool series_text(const struct report_input *input, struct text *out, struct vp_error *err);
/* `"bins": [...]` */
bool series_json(const struct report_input *input, struct text *out, struct vp_error *err);

#endif
