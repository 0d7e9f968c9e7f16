/* SPDX-License-Identifier: MIT */
#include "derive/open.h"

struct profile *profile_open(const struct open_options *options, struct vp_error *err)
{
	return profile_load(options->paths[0], &options->load, err);
}
