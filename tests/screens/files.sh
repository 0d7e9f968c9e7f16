#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The list of a folder's profiles in a real terminal: opening one and coming back, the folder read
# again, and keys while a large file is being read.
. "${top_srcdir:=.}/tests/screens/tmux-lib.sh"

profile=$folder/output
cp -R "$top_srcdir/tests/golden/data/output" "$profile"
chmod -R u+w "$profile"

start_shell 80 24
start_vptop "$profile"
is_as_drawn
result 'a folder opens as a list of its profiles'

press j
press_key Enter Enter
is_as_drawn
wait_for '\[1 Summary\]'
result 'Enter opens a profile'

press 4jj6
is_as_drawn
press q
is_as_drawn
result 'q and 6 go back and forth'

press 6
is_as_drawn
for size in '40 10' '200 60' '1 1' '80 24'; do
	resize "${size% *}" "${size#* }"
	is_as_drawn
done
result 'at 40x10, 200x60, 1x1 and back'

press j
press ' ' ' '
press j
press d
is_as_drawn
press Q
ended_with 0
result 'marks, a change, and its end'

start_shell 80 24
start_vptop "$profile"
wait_for '5 profiles'
cp "$profile/daily-close/profiledata/node_rules.pyprof" "$profile/new.pyprof"
type_text R
wait_for '6 profiles'
wait_for 'new.pyprof'
result 'R reads the folder again'
type_text Q
ended_with 0

# Keys are answered while a profile is read for its row; opening it shows how far that is.
awk 'BEGIN { for (i = 0; i < 150000; i++) print "main;step" i % 977 ";work" i " 1" }' \
	>"$profile/large.folded"
start_shell 80 24
start_vptop "$profile"
wait_for 'large.folded'
type_text E
wait_for '▸ daily-close'
type_text e
wait_for 'node_score'
type_text G
wait_for '^▸.*(large.folded|new.pyprof)'
type_text '/large'
keys Enter
wait_for '^▸.*large.folded'
keys Enter
wait_for '\[1 Summary\]'
wait_for '150 000'
result 'a large profile does not hold keys up'
type_text Q
ended_with 0

# One that is stopped leaves the list as it was.
start_shell 80 24
start_vptop "$profile --filter=large"
wait_for 'large.folded'
keys Enter
until_true 10 shows 'reading|\[1 Summary\]' || went_wrong 'it is not being read'
keys Escape
wait_for 'Stopped|stopped: a part|\[1 Summary\]'
type_text 6
wait_for '\[6 Files\]'
result 'Esc stops the loading'
type_text Q
ended_with 0

test "$failures" -eq 0
