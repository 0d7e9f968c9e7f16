/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "guard.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 2, CRASH_STACK = 64 * 1024 };

static const int guard_end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};
static const int guard_job_signals[] = {SIGTSTP, SIGCONT, SIGWINCH};
static const int guard_crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum {
	END_SIGNALS = sizeof guard_end_signals / sizeof guard_end_signals[0],
	JOB_SIGNALS = sizeof guard_job_signals / sizeof guard_job_signals[0],
	CRASH_SIGNALS = sizeof guard_crash_signals / sizeof guard_crash_signals[0]
};

/* Signal handlers reach nothing but globals. */
static volatile sig_atomic_t guard_ended_by, guard_stopped, guard_continued, guard_resized;
static struct {
	bool is_started, has_settings;
	int input, output;
	struct termios settings;
	const char *restore;
	size_t restore_length;
	FILE *kept;      /* what went to stderr meanwhile */
	int real_stderr; /* -1: not redirected */
	struct sigaction end_before[END_SIGNALS], job_before[JOB_SIGNALS],
		crash_before[CRASH_SIGNALS];
	char stack[CRASH_STACK]; /* so that a handler can run after a stack overflow */
} guard = {.real_stderr = -1};

static void guard_write(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		const ssize_t n = write(fd, bytes, length);
		if (n <= 0)
			return;
		bytes += n;
		length -= (size_t)n;
	}
}

/* Gives stderr back and shows what was kept of it. Safe in a signal handler. */
static void guard_release_stderr(void)
{
	char bytes[1024];
	if (guard.real_stderr < 0)
		return;
	const int kept = dup(STDERR_FILENO); /* the file */
	dup2(guard.real_stderr, STDERR_FILENO);
	close(guard.real_stderr);
	guard.real_stderr = -1;
	if (kept < 0)
		return;
	lseek(kept, 0, SEEK_SET);
	for (ssize_t n; (n = read(kept, bytes, sizeof bytes)) > 0;)
		guard_write(STDERR_FILENO, bytes, (size_t)n);
	close(kept);
}

static void guard_keep_stderr(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	guard.kept = tmpfile();
	if (!guard.kept)
		return;
	fflush(stderr);
	guard.real_stderr = dup(STDERR_FILENO);
	if (guard.real_stderr >= 0)
		dup2(fileno(guard.kept), STDERR_FILENO);
}

/* Gives the terminal back with nothing but what a signal handler may do, then dies of `number`. */
static void guard_die(int number)
{
	signal(SIGTTOU, SIG_IGN); /* a job in the background would be stopped here */
	guard_write(guard.output, guard.restore, guard.restore_length);
	if (guard.has_settings)
		tcsetattr(guard.input, TCSANOW, &guard.settings);
	guard_release_stderr();
	signal(number, SIG_DFL);
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(number);
}

static void guard_on_crash(int number)
{
	guard_die(number);
}

static void guard_on_end(int number)
{
	if (guard_ended_by) /* patience is over: by the alarm, or asked twice */
		guard_die((int)guard_ended_by);
	guard_ended_by = number;
	alarm(PATIENCE_SECONDS);
}

static void guard_on_job(int number)
{
	if (number == SIGTSTP)
		guard_stopped = 1;
	else if (number == SIGCONT)
		guard_continued = 1;
	else
		guard_resized = 1;
}

static void guard_handle(
	const int *signals, int count, void (*handler)(int), int flags, struct sigaction *before)
{
	for (int i = 0; i < count; i++) {
		struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
		sigemptyset(&action.sa_mask);
		sigaction(signals[i], NULL, &before[i]);
		/* What the shell or nohup has the process ignore stays ignored. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void guard_unhandle(const int *signals, int count, const struct sigaction *before)
{
	for (int i = 0; i < count; i++)
		sigaction(signals[i], &before[i], NULL);
}

void guard_prepare(int input, int output)
{
	guard.input = input;
	guard.output = output;
	guard.has_settings = tcgetattr(input, &guard.settings) == 0;
	/* Before the screen library puts its own handlers in. */
	guard_handle(guard_end_signals, END_SIGNALS, guard_on_end, 0, guard.end_before);
	guard_handle(guard_job_signals, JOB_SIGNALS, guard_on_job, 0, guard.job_before);
}

void guard_start(const char *restore)
{
	guard.restore = restore;
	guard.restore_length = strlen(restore);
	const stack_t stack = {.ss_sp = guard.stack, .ss_size = sizeof guard.stack};
	sigaltstack(&stack, NULL);
	guard_handle(guard_crash_signals, CRASH_SIGNALS, guard_on_crash,
		(int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK), guard.crash_before);
	guard_keep_stderr();
	guard.is_started = true;
}

void guard_stop(void)
{
	alarm(0);
	guard_unhandle(guard_end_signals, END_SIGNALS, guard.end_before);
	guard_unhandle(guard_job_signals, JOB_SIGNALS, guard.job_before);
	void (*before)(int) = signal(SIGTTOU, SIG_IGN);
	if (guard.has_settings)
		tcsetattr(guard.input, TCSADRAIN, &guard.settings);
	signal(SIGTTOU, before);
	if (!guard.is_started)
		return;
	guard_unhandle(guard_crash_signals, CRASH_SIGNALS, guard.crash_before);
	fflush(stderr);
	guard_release_stderr();
	if (guard.kept)
		fclose(guard.kept);
	guard.kept = NULL;
	guard.is_started = false;
}

int guard_signal(void)
{
	return (int)guard_ended_by;
}

bool guard_take_stop(void)
{
	const bool was = guard_stopped;
	guard_stopped = 0;
	return was;
}

bool guard_take_continue(void)
{
	const bool was = guard_continued;
	guard_continued = 0;
	return was;
}

bool guard_take_resize(void)
{
	const bool was = guard_resized;
	guard_resized = 0;
	return was;
}

void guard_suspend(void)
{
	struct sigaction ours, normal = {.sa_handler = SIG_DFL};
	sigemptyset(&normal.sa_mask);
	sigaction(SIGTSTP, NULL, &ours);
	if (ours.sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &normal, NULL);
	kill(0, SIGTSTP); /* all of the job: a script that waits for us has to stop as well */
	sigaction(SIGTSTP, &ours, NULL);
	guard_continued = 0;
}

/* The child's side of guard_run. */
static void guard_become(const char *const argv[])
{
	sigset_t none;
	guard_unhandle(guard_end_signals, END_SIGNALS, guard.end_before);
	guard_unhandle(guard_job_signals, JOB_SIGNALS, guard.job_before);
	guard_unhandle(guard_crash_signals, CRASH_SIGNALS, guard.crash_before);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(guard.input, STDIN_FILENO); /* ours may be the profile */
	if (guard.real_stderr >= 0)
		dup2(guard.real_stderr, STDERR_FILENO);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

bool guard_run(const char *const argv[])
{
	/* Interrupts are meant for the program; to be stopped is meant for both of us. */
	static const int signals[] = {SIGINT, SIGQUIT, SIGTSTP};
	struct sigaction before[3];
	int status = 0;
	for (int i = 0; i < 3; i++) {
		struct sigaction action = {.sa_handler = i < 2 ? SIG_IGN : SIG_DFL};
		sigemptyset(&action.sa_mask);
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	const pid_t child = fork();
	if (child == 0)
		guard_become(argv);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		if (guard_ended_by)
			kill(child, SIGTERM);
	guard_unhandle(signals, 3, before);
	guard_stopped = guard_continued = 0;
	return child > 0 &&
	       !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}

void guard_block(sigset_t *before)
{
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < END_SIGNALS; i++)
		sigaddset(&set, guard_end_signals[i]);
	for (int i = 0; i < JOB_SIGNALS; i++)
		sigaddset(&set, guard_job_signals[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}
