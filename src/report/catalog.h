/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_REPORT_CATALOG_H
#define VPTOP_REPORT_CATALOG_H

#include "catalog/catalog.h"
#include "report/report.h"

/*
 * The report `catalog`: the profiles of a folder, by path. It is of no profile, so it is not in the
 * table of reports. Of the options it takes columns, ascii and the catalog's own filter.
 */

extern const char report_catalog_description[];

/* The catalog must have been read to its end. */
void report_catalog(const struct catalog *catalog, const struct catalog_filter *filter,
	const struct report_options *options, bool json, struct text *out);

#endif
