#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in a real terminal: tmux on a socket of its own. Views, resizing, suspending, quitting,
# signals, and terminals that it cannot use. Nothing waits for a fixed time: the screen is polled.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"

if ! command -v tmux >/dev/null 2>&1; then
	echo 'skip - real terminal: there is no tmux'
	exit 0
fi

profile=$top_srcdir/tests/golden/data/viewer/runs/acme-shop/2016-08-18_nightly_import.msgpack.gz
folder=$(mktemp -d "${TMPDIR:-/tmp}/vptop-tmux.XXXXXX")
socket=vptop-test-$$
failures=0
unset TMUX TMUX_PANE
export LC_ALL=C.UTF-8 TZ=UTC

t() {
	tmux -L "$socket" -f /dev/null "$@"
}

clean_up() {
	t kill-server >/dev/null 2>&1
	rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

result() { # NAME: ok unless something of it went wrong
	if test -z "$wrong"; then
		echo "ok - $1"
	else
		echo "not ok - $1: $wrong"
		screen 2>/dev/null | sed 's/^/#   |/'
		failures=$((failures + 1))
	fi
	wrong=
}

went_wrong() {
	wrong=${wrong:-$1}
}

# until_true SECONDS COMMAND...: polls; says nothing.
until_true() {
	tries=$(($1 * 20))
	shift
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		test $tries -gt 0 || return 1
		sleep 0.05
	done
}

screen() {
	t capture-pane -p -t shell
}

shows() {
	screen | grep -qE -- "$1"
}

wait_for() {
	until_true 10 shows "$1" || went_wrong "no \"$1\" on the screen"
}

keys() {
	t send-keys -t shell "$@"
}

flag() { # the value of a tmux format
	t display-message -p -t shell "#{$1}"
}

flag_is() {
	test "$(flag "$1")" = "$2"
}

# A new shell of 80x24. It has a line on its screen that must be there again after each run.
start_shell() { # WIDTH HEIGHT NAME=VALUE...
	width=$1 height=$2
	shift 2
	t kill-session -t shell >/dev/null 2>&1
	t new-session -d -s shell -x "$width" -y "$height" env -i PATH="$PATH" HOME="$folder" \
		LC_ALL=C.UTF-8 TZ=UTC LSAN_OPTIONS="${LSAN_OPTIONS:-}" PS1='$ ' ENV= TERM=screen-256color "$@" sh -i
	t resize-window -t shell -x "$width" -y "$height"
	wait_for '^\$'
	keys 'ulimit -c 0; cd /; clear; echo shell-was-here' Enter
	wait_for '^shell-was-here'
	rm -f "$folder/before"
	keys "stty -g >$folder/before" Enter
	until_true 10 test -s "$folder/before" || went_wrong 'no stty'
}

# Runs vptop in the shell; its end is written to the file `status`, its process id to `pid`.
start_vptop() { # ARGUMENTS
	rm -f "$folder/status" "$folder/after" "$folder/pid"
	# The shell must not take a child that died of SIGINT for its own end.
	cat >"$folder/run" <<-END
		trap : INT
		sh -c 'echo \$\$ >$folder/pid; exec "$VPTOP" $*'
		echo \$? >$folder/status.new
		stty -g >$folder/after
		mv $folder/status.new $folder/status
	END
	keys ". $folder/run" Enter
	until_true 10 test -s "$folder/pid" || went_wrong 'not started'
}

# The program has ended with that status, and the terminal is as it was.
ended_with() {
	until_true 10 test -s "$folder/status" || {
		went_wrong 'did not end'
		return
	}
	status=$(cat "$folder/status")
	test "$status" = "$1" || went_wrong "status $status, not $1"
	terminal_is_back
}

terminal_is_back() {
	cmp -s "$folder/before" "$folder/after" ||
		went_wrong "stty: $(cat "$folder/before") became $(cat "$folder/after")"
	until_true 5 flag_is alternate_on 0 || went_wrong 'still on the alternate screen'
	until_true 5 flag_is cursor_flag 1 || went_wrong 'the cursor is hidden'
	test "$(flag mouse_any_flag)$(flag mouse_standard_flag)$(flag mouse_button_flag)" = 000 ||
		went_wrong 'the mouse is still on'
	wait_for '^shell-was-here'
	! shows '\[[1-9] (Summary|Flame|Time|Top)\]' || went_wrong 'the screen is still there'
}

# The screen when it has not changed for a while.
settled() {
	last='' same=0
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		now=$(screen)
		if test -n "$now" && test "$now" = "$last"; then
			same=$((same + 1))
			test $same -lt 3 || break
		else
			same=0
		fi
		last=$now
		sleep 0.1
	done
	printf '%s\n' "$now"
}

# A session that stays, so that the server does.
t new-session -d -s stay -x 80 -y 24 sleep 3600
t set-option -g status off

# ---- views ----------------------------------------------------------------------

wrong=
start_shell 80 24
start_vptop "$profile"
wait_for '\[1 Summary\]'
flag_is alternate_on 1 || went_wrong 'not on the alternate screen'
result 'opens with the summary'

for view in '2 Flame' '3 Time' '4 Top' '1 Summary'; do
	keys "${view%% *}"
	wait_for "\\[$view\\]"
	result "key ${view%% *} shows ${view#* }"
done

keys 2
wait_for '\[2 Flame\]'
before=$(settled)
keys '?'
until_true 10 shows 'Enter' || went_wrong 'no help'
test "$(settled)" != "$before" || went_wrong 'help shows nothing'
keys Escape
until_true 10 shows '\[2 Flame\]' || went_wrong 'help stays'
result 'help opens and closes'

# ---- sizes ----------------------------------------------------------------------

keys 1
wait_for '\[1 Summary\]'
first=$(settled)
for view in 1 2 3 4; do
	keys "$view"
	wait_for "\\[$view "
	before=$(settled)
	for size in '40 10' '200 60' '80 24'; do
		t resize-window -t shell -x "${size% *}" -y "${size#* }"
		wait_for "\\[$view "
		now=$(settled)
		test "$(flag pane_width)x$(flag pane_height)" = "${size% *}x${size#* }" ||
			went_wrong "the pane is not $size"
		printf '%s\n' "$now" >"$folder/view$view-${size% *}"
	done
	test "$now" = "$before" || went_wrong 'another picture after coming back to 80x24'
	result "view $view at 40x10, 200x60 and back"
done
for size in '1 1' '5 3' '300 100' '80 24'; do
	t resize-window -t shell -x "${size% *}" -y "${size#* }"
	settled >/dev/null
done
keys 1
wait_for '\[1 Summary\]'
test "$(settled)" = "$first" || went_wrong 'another picture after 1x1'
result 'survives 1x1 and 300x100'

keys Q
ended_with 0
result 'Q ends it'

for size in 40 200; do
	height=$(test $size = 40 && echo 10 || echo 60)
	start_shell "$size" "$height"
	start_vptop "$profile"
	wait_for '\[1 '
	keys 2
	wait_for '\[2 '
	test "$(settled)" = "$(cat "$folder/view2-$size")" ||
		went_wrong 'a new one of that size shows another picture than a resized one'
	keys Q
	ended_with 0
	result "started at ${size}x$height: the same as resized"
done

# ---- suspend --------------------------------------------------------------------

start_shell 80 24
start_vptop "$profile"
wait_for '\[1 Summary\]'
before=$(settled)
keys C-z
until_true 10 shows '[Ss]topped|[Ss]uspended' || went_wrong 'not stopped'
flag_is alternate_on 0 || went_wrong 'stopped on the alternate screen'
shows '^shell-was-here' || went_wrong "the shell's screen is not back"
rm -f "$folder/after"
keys "stty -g >$folder/after" Enter
until_true 10 test -s "$folder/after" || went_wrong 'the shell does not answer'
cmp -s "$folder/before" "$folder/after" || went_wrong 'stty differs while stopped'
keys fg Enter
until_true 10 shows '\[1 Summary\]' || went_wrong 'no picture after fg'
test "$(settled)" = "$before" || went_wrong 'another picture after fg'
keys 2
wait_for '\[2 Flame\]'
rm -f "$folder/after"
keys Q
until_true 10 flag_is alternate_on 0 || went_wrong 'did not end'
keys "stty -g >$folder/after" Enter
until_true 10 test -s "$folder/after" || went_wrong 'the shell does not answer'
terminal_is_back
result 'suspend and resume'

start_shell 80 24
start_vptop "$profile"
wait_for '\[1 Summary\]'
keys C-z
until_true 10 shows '[Ss]topped|[Ss]uspended' || went_wrong 'not stopped'
t resize-window -t shell -x 40 -y 10
keys fg Enter
wait_for '\[1 '
keys 2
wait_for '\[2 '
test "$(settled)" = "$(cat "$folder/view2-40")" || went_wrong 'the new size is not taken'
keys Q
until_true 10 flag_is alternate_on 0 || went_wrong 'did not end'
result 'resized while suspended'

# ---- signals --------------------------------------------------------------------

for signal in TERM:143 HUP:129 INT:130 QUIT:131 SEGV:139 ABRT:134; do
	start_shell 80 24
	start_vptop "$profile"
	wait_for '\[1 Summary\]'
	keys 2
	wait_for '\[2 Flame\]'
	kill -"${signal%:*}" "$(cat "$folder/pid")"
	ended_with "${signal#*:}"
	result "kill -${signal%:*} leaves the terminal as it was"
done

# Without a shell between, which would take the terminal of what is stopped.
t kill-session -t shell
t new-session -d -s shell -x 80 -y 24 env -i PATH="$PATH" HOME="$folder" LC_ALL=C.UTF-8 TZ=UTC \
	TERM=screen-256color sh -c "echo \$\$ >$folder/pid; exec $VPTOP $profile"
wait_for '\[1 Summary\]'
kill -STOP "$(cat "$folder/pid")"
kill -CONT "$(cat "$folder/pid")"
keys 3
wait_for '\[3 Time\]'
keys C-c
gone() {
	! t has-session -t shell
}
until_true 10 gone || went_wrong 'Ctrl-C does not end it'
result 'kill -STOP and -CONT, then Ctrl-C'

# The terminal goes away: an end, never a spin.
t new-session -d -s shell -x 80 -y 24 env -i PATH="$PATH" HOME="$folder" LC_ALL=C.UTF-8 TZ=UTC \
	TERM=screen-256color sh -c "echo \$\$ >$folder/pid; trap '' HUP; exec $VPTOP $profile"
wait_for '\[1 Summary\]'
t kill-session -t shell
ended() {
	! kill -0 "$(cat "$folder/pid")"
}
until_true 10 ended || went_wrong 'it goes on without a terminal'
result 'ends when the terminal goes away, with SIGHUP ignored, too'

# ---- other ends -----------------------------------------------------------------

start_shell 80 24
keys "stty -g >$folder/before" Enter
start_vptop "- <$profile"
wait_for '\[1 Summary\]'
keys 4
wait_for '\[4 Top\]'
keys Q
ended_with 0
result 'a profile on standard input, keys from the terminal'

start_shell 80 24
start_vptop "$folder/no-such-file"
until_true 10 test -s "$folder/status" || went_wrong 'did not end'
ended_with 1
wait_for '^vptop: .*no-such-file'
result 'a file that is not there: one line on the shell, no screen'

for term in TERM=dumb TERM= TERM=no-such-terminal; do
	start_shell 80 24
	rm -f "$folder/status"
	keys "$term $VPTOP $profile 2>$folder/err; echo \$? >$folder/status" Enter
	until_true 10 test -s "$folder/status" || went_wrong 'did not end by itself'
	test "$(cat "$folder/status" 2>/dev/null)" = 0 ||
		went_wrong "status $(cat "$folder/status"), $(cat "$folder/err")"
	wait_for 'pipeline'
	flag_is alternate_on 0 || went_wrong 'on the alternate screen'
	! screen | grep -q '\^\[' || went_wrong 'escape sequences'
	result "with $term it prints text"
done

start_shell 80 24 LC_ALL=C
start_vptop "$profile"
wait_for '\[1 Summary\]'
for view in 2 3 4; do
	keys "$view"
	wait_for "\\[$view "
	settled | LC_ALL=C grep -q '[^ -~]' && went_wrong "view $view: not ASCII"
done
keys Q
ended_with 0
result 'the C locale has ASCII only'

exit $((failures > 0))
