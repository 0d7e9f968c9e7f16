/* SPDX-License-Identifier: MIT */
#ifndef VPTOP_TUI_GUARD_H
#define VPTOP_TUI_GUARD_H

#include <signal.h>
#include <stdbool.h>

/*
 * Signals while the screen is on. Being asked to end (INT, TERM, HUP, QUIT) sets a flag, so that
 * the program leaves its loop and gives the terminal back in good order; where that takes more than
 * two seconds, or after a crash (SEGV, BUS, FPE, ILL, ABRT), the handler itself does it with
 * prepared bytes. In between, what the process and its libraries write to stderr is kept and shown
 * afterwards.
 */

/*
 * Starts to guard. The terminal's settings are read from `input`, which must not have been changed
 * yet; they and `restore` (which must stay valid) are written when the program dies.
 */
void guard_prepare(int input, int output);
void guard_start(const char *restore);
/* Puts settings, handlers and stderr back. */
void guard_stop(void);

/* The signal that asked us to end, 0: none. */
int guard_signal(void);
/* Whether a stop (TSTP) was asked for, or the process goes on after one (CONT), since the last
 * call. */
bool guard_take_stop(void);
bool guard_take_continue(void);

/* Whether the window's size has changed since the last call. */
bool guard_take_resize(void);

/* Stops the process group as the terminal's own suspend key would; returns when it goes on. */
void guard_suspend(void);

/*
 * Runs a program in the foreground with signals, input and stderr as they were before we came, and
 * waits for its end. The terminal must have been given back. False where it could not be run (exit
 * status 126 or 127, as of a shell).
 */
bool guard_run(const char *const argv[]);

/*
 * Blocks all these signals, so that none is missed between looking and waiting. *before
 * is the mask to wait with, and to restore.
 */
void guard_block(sigset_t *before);

#endif
