# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What tests in a real terminal share: tmux on a socket of its own, a shell in it, the program in the
# shell. Nothing waits for a fixed time: the screen is polled, and compared with what vptop draws
# for the same keys without a terminal.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"

if ! command -v tmux >/dev/null 2>&1; then
	echo 'skip - real terminal: there is no tmux'
	exit 0
fi

profile=$top_srcdir/data/samples/etl-memory.msgpack.gz
folder=$(mktemp -d "${TMPDIR:-/tmp}/vptop-tmux.XXXXXX")
socket=vptop-test-$$
failures=0
wrong=
locale=C.UTF-8
options=
unset TMUX TMUX_PANE NO_COLOR COLORTERM
# A user without configuration, who has seen the tour.
mkdir -p "$folder/state/vptop" "$folder/config"
: >"$folder/state/vptop/tour-seen"
export LC_ALL=C.UTF-8 TZ=UTC XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config"

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
	tries=$(($1 * 40))
	shift
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		test $tries -gt 0 || return 1
		sleep 0.02
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

# type TEXT: presses its characters.
type_text() {
	t send-keys -t shell -l -- "$1"
}

flag() { # the value of a tmux format
	t display-message -p -t shell "#{$1}"
}

flag_is() {
	test "$(flag "$1")" = "$2"
}

# ---- pictures -------------------------------------------------------------------

screen_is() {
	test "$(screen)" = "$1"
}

# The screen becomes what vptop draws after the keys in $pressed, at the size that it started with.
is_as_drawn() {
	test -z "$wrong" || return # one word on it is enough
	# shellcheck disable=SC2086 # several options
	picture=$(LC_ALL=$locale "$VPTOP" $options --dump-screen="$start_size" --keys="$pressed" "$profile")
	if ! until_true 10 screen_is "$picture"; then
		went_wrong "another picture than after $pressed"
		screen >"$folder/screen"
		printf '%s\n' "$picture" | diff - "$folder/screen" | head -n 10 | sed 's/^/#   /'
	fi
}

# press KEYS [NAMES]: types characters; NAMES: the same as --keys has it.
press() {
	type_text "$1"
	pressed=$pressed${2:-$1}
}

press_key() { # TMUX-NAME NAME
	keys "$1"
	pressed="$pressed<$2>"
}

resize() { # WIDTH HEIGHT
	t resize-window -t shell -x "$1" -y "$2"
	pressed="$pressed<Resize:${1}x$2>"
}

# ---- the shell and the program --------------------------------------------------

# A new shell. It has a line on its screen that must be there again after each run.
start_shell() { # WIDTH HEIGHT NAME=VALUE...
	width=$1 height=$2
	shift 2
	t kill-session -t shell >/dev/null 2>&1
	t new-session -d -s shell -x "$width" -y "$height" env -i PATH="$PATH" HOME="$folder" \
		LC_ALL="$locale" TZ=UTC XDG_STATE_HOME="$XDG_STATE_HOME" \
		XDG_CONFIG_HOME="$XDG_CONFIG_HOME" LSAN_OPTIONS="${LSAN_OPTIONS:-}" PS1='$ ' ENV= \
		TERM=screen-256color "$@" sh -i
	t resize-window -t shell -x "$width" -y "$height"
	wait_for '^\$'
	rm -f "$folder/before"
	keys "ulimit -c 0; cd /; clear; stty -g >$folder/before; echo shell-was-here" Enter
	wait_for '^shell-was-here'
	until_true 10 test -s "$folder/before" || went_wrong 'no stty'
	start_size=${width}x$height
}

# Runs vptop in the shell; its end is written to the file `status`, its process id to `pid`.
start_vptop() { # ARGUMENTS
	rm -f "$folder/status" "$folder/after" "$folder/pid"
	# The shell must not take a child that died of SIGINT for its own end.
	cat >"$folder/run" <<-END
		trap : INT
		sh -c 'echo \$\$ >$folder/pid; exec "$VPTOP" $options $*'
		echo \$? >$folder/status.new
		stty -g >$folder/after
		mv $folder/status.new $folder/status
	END
	keys ". $folder/run" Enter
	until_true 10 test -s "$folder/pid" || went_wrong 'not started'
	pressed=
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

modes_are_back() {
	cmp -s "$folder/before" "$folder/after" ||
		went_wrong "stty: $(cat "$folder/before") became $(cat "$folder/after")"
	until_true 5 flag_is alternate_on 0 || went_wrong 'still on the alternate screen'
	until_true 5 flag_is cursor_flag 1 || went_wrong 'the cursor is hidden'
	test "$(flag 'mouse_any_flag}#{mouse_standard_flag}#{mouse_button_flag}#{mouse_sgr_flag')" = 0000 ||
		went_wrong 'the mouse is still on'
	test "$(flag 'scroll_region_upper},#{scroll_region_lower')" = "0,$(($(flag pane_height) - 1))" ||
		went_wrong 'a part of the screen scrolls'
	test "$(flag 'keypad_flag}#{keypad_cursor_flag')" = 00 || went_wrong 'the keypad is still on'
}

terminal_is_back() {
	modes_are_back
	wait_for '^shell-was-here'
	! shows '\[[1-9] (Summary|Flame|Time|Top|Callers)\]' || went_wrong 'the screen is still there'
}

# A session that stays, so that the server does.
t new-session -d -s stay -x 80 -y 24 sleep 3600
t set-option -g status off
