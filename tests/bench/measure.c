/* SPDX-License-Identifier: MIT */
/*
 * Runs a command with its output thrown away and prints what it cost:
 *
 *   measure COMMAND ARGUMENT...   ->   STATUS CPU_SECONDS WALL_SECONDS PEAK_KIB
 *
 * A program of its own because the kernel counts the peak of the process that called exec, too: a
 * large one, such as Python, would show up in the figures of its children.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double measure_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double measure_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	const double start = measure_now();
	const pid_t child = fork();
	if (child == 0) {
		const int null = open("/dev/null", O_RDWR);
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	int status = 0;
	struct rusage usage;
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 1;
	printf("%d %.6f %.6f %ld\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		measure_seconds(usage.ru_utime) + measure_seconds(usage.ru_stime),
		measure_now() - start, usage.ru_maxrss);
	return 0;
}
