#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every type of terminal, with and without UTF-8: every view, every key once, many sizes, the end.
. "${top_srcdir:=.}/tests/screens/tmux-lib.sh"

escape=$(printf '\033')

# Each printable character with Esc after it, which closes what it opened; not those that end the
# program, stop it, or leave the profile (R), the mouse (M) and what Files opens (6: see files.sh) to
# the loop.
every_key() {
	for code in $(seq 33 126); do
		octal=$(printf %o "$code")
		key=$(printf '%b' "\\0$octal")
		case $key in q | Q | R | M | 6) continue ;; esac
		all_keys=$all_keys$key$escape
		case $key in '<') key='<lt>' ;; esac
		all_names=$all_names$key'<Esc>'
	done
}
all_keys='' all_names=''
every_key

# Name in tmux, name in --keys.
named='Down:Down Up:Up Right:Right Left:Left NPage:PgDn PPage:PgUp End:End Home:Home Tab:Tab BTab:S-Tab
	Enter:Enter BSpace:Backspace DC:Del C-d:C-d C-u:C-u C-e:C-e C-y:C-y C-l:C-l Space:Space
	F1:F1 F1:F1 F2:F2 Escape:Esc F3:F3 Escape:Esc F4:F4 Escape:Esc F6:F6 F7:F7 F8:F8 F9:F9 Escape:Esc'

press_named() {
	for pair in $named; do
		if test "$pair" = Space:Space; then
			press ' '
		else
			press_key "${pair%:*}" "${pair#*:}"
		fi
		# Esc and a key that follows at once are two keys for us, but not for every terminal.
		test "${pair%:*}" != Escape || is_as_drawn
	done
}

sizes=$(awk 'BEGIN { srand(7); for (i = 0; i < 20; i++) print 1 + int(rand() * 150) "x" 1 + int(rand() * 50) }')

for term in ${VPTOP_TERMINALS:-xterm-256color tmux-256color screen linux vt100}; do
	for locale in C C.UTF-8; do
		options=
		# The console's font lacks glyphs that the pictures without a terminal have.
		test "$term" != linux || options=--glyphs=$(test $locale = C && echo ascii || echo blocks)
		start_shell 80 24 "TERM=$term"
		start_vptop "$profile"
		is_as_drawn
		for view in 2 3 4 5 1; do
			press $view
			is_as_drawn
		done
		press "$all_keys" "$all_names"
		is_as_drawn
		for view in 1 2 3 4 5; do
			press $view
			is_as_drawn
			press_named
			is_as_drawn
		done
		for key in M M p y o; do
			type_text "$key$escape"
		done
		type_text R
		for size in $sizes; do
			t resize-window -t shell -x "${size%x*}" -y "${size#*x}"
		done
		t resize-window -t shell -x 80 -y 24
		keys 3
		wait_for '\[3 Time\]'
		if test $locale = C && screen | LC_ALL=C grep -q '[^ -~]'; then
			went_wrong 'not ASCII'
		fi
		keys Q
		until_true 10 test -s "$folder/status" || went_wrong 'did not end'
		test "$(cat "$folder/status")" = 0 || went_wrong "status $(cat "$folder/status")"
		case $term in
		# They have no screen of their own for a program.
		linux | vt100) modes_are_back ;;
		*) terminal_is_back ;;
		esac
		keys 'echo and-goes-on' Enter
		wait_for '^and-goes-on'
		result "$term, $locale"
	done
done

exit $((failures > 0))
