#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program in a real terminal: views, resizing, suspending, quitting, signals, and terminals that
# it cannot use.
. "${top_srcdir:=.}/tests/screens/tmux-lib.sh"

# ---- views ----------------------------------------------------------------------

start_shell 80 24
start_vptop "$profile"
is_as_drawn
flag_is alternate_on 1 || went_wrong 'not on the alternate screen'
flag_is mouse_button_flag 1 || went_wrong 'the mouse is off'
result 'opens with the summary'

for view in 2 3 4 5 1; do
	press $view
	is_as_drawn
	result "key $view shows a view"
done

press 2
is_as_drawn
press '?'
is_as_drawn
press_key Escape Esc
is_as_drawn
result 'help opens and closes'

# ---- sizes ----------------------------------------------------------------------

for view in 1 2 3 4 5; do
	press $view
	is_as_drawn
	for size in '40 10' '200 60' '80 24'; do
		resize "${size% *}" "${size#* }"
		is_as_drawn
	done
	result "view $view at 40x10, 200x60 and back"
done
for size in '1 1' '5 3' '300 100' '39 24' '80 24'; do
	resize "${size% *}" "${size#* }"
	is_as_drawn
done
result 'survives 1x1 and 300x100'

press Q
ended_with 0
result 'Q ends it'

# ---- suspend --------------------------------------------------------------------

is_stopped() {
	until_true 10 shows '[Ss]topped|[Ss]uspended' || went_wrong 'not stopped'
	rm -f "$folder/after"
	keys "stty -g >$folder/after" Enter
	until_true 10 test -s "$folder/after" || went_wrong 'the shell does not answer'
	modes_are_back
	shows '^shell-was-here' || went_wrong "the shell's screen is not back"
}

start_shell 80 24
start_vptop "$profile"
is_as_drawn
keys C-z
is_stopped
keys fg Enter
is_as_drawn
flag_is mouse_button_flag 1 || went_wrong 'the mouse is off after fg'
press 2
is_as_drawn
result 'suspend and resume'

keys C-z
is_stopped
t resize-window -t shell -x 60 -y 40
keys fg Enter
pressed="$pressed<Resize:60x40>"
is_as_drawn
keys Q
until_true 10 flag_is alternate_on 0 || went_wrong 'did not end'
rm -f "$folder/after"
keys "stty -g >$folder/after" Enter
until_true 10 test -s "$folder/after" || went_wrong 'the shell does not answer'
modes_are_back
result 'resized while suspended'

# ---- signals --------------------------------------------------------------------

for signal in TERM:143 HUP:129 INT:130 QUIT:131 SEGV:139 ABRT:134; do
	start_shell 80 24
	start_vptop "$profile"
	is_as_drawn
	press 2
	is_as_drawn
	kill -"${signal%:*}" "$(cat "$folder/pid")"
	ended_with "${signal#*:}"
	result "kill -${signal%:*} leaves the terminal as it was"
done

# Without a shell between, which would take the terminal of what is stopped.
start_alone() { # COMMAND
	t kill-session -t shell
	t new-session -d -s shell -x 80 -y 24 env -i PATH="$PATH" HOME="$folder" LC_ALL=C.UTF-8 \
		TZ=UTC XDG_STATE_HOME="$XDG_STATE_HOME" XDG_CONFIG_HOME="$XDG_CONFIG_HOME" \
		TERM=screen-256color sh -c "echo \$\$ >$folder/pid; $1"
	pressed=
	is_as_drawn
}

gone() {
	! t has-session -t shell
}

ended() {
	! kill -0 "$(cat "$folder/pid")"
}

start_alone "exec $VPTOP $profile"
kill -STOP "$(cat "$folder/pid")"
kill -CONT "$(cat "$folder/pid")"
press 3
is_as_drawn
keys C-c
until_true 10 gone || went_wrong 'Ctrl-C does not end it'
result 'kill -STOP and -CONT, then Ctrl-C'

t new-session -d -s shell -x 80 -y 24 sleep 1
start_alone "trap '' HUP; exec $VPTOP $profile"
t kill-session -t shell
until_true 2 ended || went_wrong 'it goes on without a terminal'
result 'ends when the terminal goes away, with SIGHUP ignored, too'

# ---- other ends -----------------------------------------------------------------

start_shell 80 24
start_vptop "- <$profile"
wait_for '\[1 Summary\]'
press 4
wait_for '\[4 Top\]'
press Q
ended_with 0
result 'a profile on standard input, keys from the terminal'

start_shell 80 24
start_vptop "$folder/no-such-file"
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

exit $((failures > 0))
