/* SPDX-License-Identifier: MIT */
#include "view/view.h"

const struct view *const view_table[] = {
	&view_summary,
	&view_flame,
	&view_timeline,
	&view_top,
	&view_callers,
	&view_files,
	&view_labels,
	NULL,
};
