/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct vp_error *err, enum error_class code, int64_t offset, const char *format, ...)
{
	if (!err)
		return false;
	err->code = code;
	err->offset = offset;
	va_list args;
	va_start(args, format);
	vsnprintf(err->message, sizeof err->message, format, args);
	va_end(args);
	return false;
}

const char *error_class_name(enum error_class code)
{
	static const char *const names[] = {
		[ERROR_NONE] = "none",
		[ERROR_EMPTY] = "empty",
		[ERROR_TRUNCATED] = "truncated",
		[ERROR_MALFORMED] = "malformed",
		[ERROR_UNRECOGNIZED] = "unrecognized",
		[ERROR_COMPRESSION] = "unsupported-compression",
		[ERROR_ENCODING] = "unsupported-encoding",
		[ERROR_VERSION] = "unsupported-version",
		[ERROR_INCOMPATIBLE] = "incompatible",
		[ERROR_OVERFLOW] = "overflow",
		[ERROR_LIMIT] = "limit",
		[ERROR_IO] = "io",
		[ERROR_USAGE] = "usage",
		[ERROR_CANCELLED] = "cancelled",
	};
	return names[code];
}
