/* SPDX-License-Identifier: MIT */
#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool save_put(int file, const struct text *text)
{
	size_t done = 0;
	while (done < text->length) {
		const ssize_t n = write(file, text->data + done, text->length - done);
		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* A pipe or a device is written to as it is. */
static bool save_into(const char *path, const struct text *text, struct vp_error *err)
{
	const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = file >= 0 && save_put(file, text);
	int error = errno; /* the first one is the reason */
	if (file >= 0 && close(file) != 0 && ok) {
		error = errno;
		ok = false;
	}
	return ok || error_set(err, ERROR_IO, -1, "%s", strerror(error));
}

/* A new file that then takes the place of `path`. */
static bool save_beside(
	const char *path, mode_t mode, const struct text *text, struct vp_error *err)
{
	struct text name = {0};
	text_printf(&name, "%s.XXXXXX", path);
	const int file = mkstemp(name.data);
	bool ok = file >= 0 && save_put(file, text) && fchmod(file, mode) == 0;
	int error = errno;
	if (file >= 0 && close(file) != 0 && ok) {
		error = errno;
		ok = false;
	}
	if (ok && rename(name.data, path) != 0) {
		error = errno;
		ok = false;
	}
	if (!ok) {
		error_set(err, ERROR_IO, -1, "%s", strerror(error));
		if (file >= 0)
			unlink(name.data);
	}
	text_free(&name);
	return ok;
}

/* Where `path` is a link, what it leads to is written. */
static bool save_over(const char *path, const struct text *text, struct vp_error *err)
{
	struct stat st;
	const bool is_there = stat(path, &st) == 0;
	if (is_there && !S_ISREG(st.st_mode))
		return save_into(path, text, err);
	const mode_t mask = umask(0);
	umask(mask);
	char *real = is_there ? realpath(path, NULL) : NULL;
	const bool ok = save_beside(
		real ? real : path, is_there ? st.st_mode & 0777 : 0666 & ~mask, text, err);
	free(real);
	return ok;
}

static bool save_new(const char *path, const struct text *text, struct vp_error *err)
{
	struct stat st;
	const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0 && errno == EEXIST && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)))
		return error_set(err, ERROR_USAGE, -1, "there is a file of that name");
	if (file < 0)
		return error_set(
			err, ERROR_IO, -1, "%s", strerror(errno == EEXIST ? EISDIR : errno));
	bool ok = save_put(file, text);
	const int error = errno;
	const bool is_closed = close(file) == 0;
	if (ok && is_closed)
		return true;
	error_set(err, ERROR_IO, -1, "%s", strerror(ok ? errno : error));
	unlink(path);
	return false;
}

bool save_text(const char *path, const struct text *text, bool overwrite, struct vp_error *err)
{
	return overwrite ? save_over(path, text, err) : save_new(path, text, err);
}
