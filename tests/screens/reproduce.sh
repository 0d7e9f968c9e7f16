#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The commands that `y` shows are run: they print the figures of the same query given by options, and
# of what is on the screen after keys.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"
export LC_ALL=C.UTF-8 TZ=UTC VPTOP

samples=$top_srcdir/data/samples
folder=$(mktemp -d "${TMPDIR:-/tmp}/vptop-reproduce.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
: "${SHELL_OF_COMMANDS:=sh}"

failed() { # NAME WHY
	echo "not ok - $1: $2"
	failures=$((failures + 1))
}

# page KEYS [OPTION]... FILE: what y shows after some keys.
page() {
	keys=$1
	shift
	"$VPTOP" --dump-screen=500x100 --keys="${keys}y" "$@" 2>&1
}

# below HEADING: the line after it, of the page on standard input.
below() {
	sed -n "/^$1\$/{n;p;q;}"
}

# run COMMAND OPTION...: as a user's shell runs what was pasted into it.
run() {
	command=$1
	shift
	$SHELL_OF_COMMANDS -c "vptop() { \"\$VPTOP\" \"\$@\"; }; $command $*"
}

# The same figures: all of the JSON but how the query was put into words.
figures() {
	sed '/^ "query":/d'
}

# same NAME HEADING KEYS REPORT [OPTION]... FILE: the command printed below HEADING gives what
# REPORT with these options gives.
same() {
	name=$1 heading=$2 keys=$3 report=$4
	shift 4
	command=$(page "$keys" "$@" | below "$heading")
	run "$command" --format=json >"$folder/printed" 2>"$folder/errors"
	"$VPTOP" --report="$report" --format=json "$@" 2>&1 | figures >"$folder/expected"
	figures <"$folder/printed" >"$folder/figures"
	if test -z "$command"; then
		failed "$name" 'there is no command'
	elif test -s "$folder/errors"; then
		failed "$name" "$command: $(head -n 1 "$folder/errors")"
	elif ! grep -q '"vptop": 1' "$folder/expected" || grep -q '^{"vptop": 1, "error"' "$folder/expected"; then
		failed "$name" "no report to compare with: $(head -n 1 "$folder/expected")"
	elif cmp -s "$folder/expected" "$folder/figures"; then
		echo "ok - $name"
	else
		failed "$name" "other figures: $command"
	fi
}

# shown NAME KEYS FILE: after keys, the numbers that y shows of all ("shares are of N") are what the
# printed command of the same view gives, with the report top for its total.
shown() {
	name=$1 keys=$2
	shift 2
	page "$keys" "$@" >"$folder/page"
	of=$(sed -n 's/^counted: samples; shares are of //p' "$folder/page" | tr -d ' ')
	command=$(below 'Print it as text' <"$folder/page" |
		sed 's/--report=[a-z]*/--report=top/; s/ --function=[^ ]*//')
	total=$(run "$command" --format=json | sed -n 's/^ "total": \([0-9]*\).*/\1/p')
	if test -n "$of" && test "$of" = "$total"; then
		echo "ok - $name"
	else
		failed "$name" "the screen says '$of', the command '$total': $command"
	fi
}

memory=$samples/etl-memory.msgpack.gz
text='Print it as text'

same 'summary' "$text" 1 summary "$memory"
same 'flame graph' "$text" 2 flame "$memory"
same 'timeline' "$text" 3 timeline "$memory"
same 'top' "$text" 4 top "$memory"
same 'CPU time only' "$text" 2 flame "$samples/etl-cpu.prof.gz"
same 'growth' "$text" 2 flame --type=growth "$memory"
same 'a window' "$text" 4 top --from='#1000' --to='#2001' "$memory"
same 'a window in time' "$text" 2 flame --from=+10s --to=+20s "$memory"
same 'the end of a window only' "$text" 3 timeline --to=50% "$memory"
same 'a filter with quotes' "$text" 2 flame --focus="clean|it's \"\$HOME\" \\\\" "$memory"
same 'all filters' "$text" 4 top --focus=run_batch --ignore='^walk$' --hide=json --show=. \
	--show-from=main --relative-percentages "$memory"
same 'lines' "$text" 4 top --granularity=lines "$memory"
same 'relative time' "$text" 3 timeline --time=relative --clock=nominal "$memory"
same 'rows' "$text" 4 top --nodecount=3 --sort=cum "$memory"
same 'divided values' "$text" 4 top --divide-by=7 --unit=ms "$memory"
same 'callers' "$text" 5 peek --function='^clean$' "$memory"
same 'callers in a window' "$text" 5 peek --function='^clean$' --from='#10' --to='#3000' "$memory"
same 'a moment' 'Print what ran at the selected moment' '3P' bin --at='#4215' "$memory"

# Without --at the report bin of a series is of the last snapshot.
leak=$top_srcdir/tests/golden/data/merge/leak
"$VPTOP" -r bin -f json --at='#162' "$leak"/heap-*.goheapprof >"$folder/expected" 2>&1
"$VPTOP" -r bin -f json "$leak"/heap-*.goheapprof >"$folder/printed" 2>&1
"$VPTOP" -r bin "$leak"/heap-*.goheapprof >"$folder/text" 2>&1
if grep -q '"first": 162, "last": 249' "$folder/printed" && cmp -s "$folder/expected" "$folder/printed" &&
	grep -q '^Snapshot *the last, 4 of 4' "$folder/text" && grep -q 'at=TIME asks for another' "$folder/text"; then
	echo 'ok - bin of a series'
else
	failed 'bin of a series' "$(head -n 1 "$folder/printed")"
fi

threads=${VPTOP_SHARED:-}/profiles/vmprof/cpython311-realtime-threads.prof
if test -f "$threads"; then
	same 'a thread' "$text" 2 flame --thread=0xac848b0 "$threads"
	shown 'keys: a thread' '4@<Down><Enter>' "$threads"
else
	echo 'skip - a thread: no shared profiles'
fi

# Files with names that a shell, a terminal or an option parser would take for something else.
odd="$folder/it's \"a\" \$(false) \`b\` \\ *.gz"
cp "$memory" "$odd"
same 'a path with quotes' "$text" 2 flame "$odd"
cp "$memory" "$folder/-x.gz"
top=$(cd "$top_srcdir" && pwd)
case $VPTOP in /*) ;; *) VPTOP=$PWD/$VPTOP ;; esac
cd "$folder" || exit 1
command=$(page 2 -- -x.gz | below "$text")
if test "$command" = 'vptop --report=flame ./-x.gz'; then
	echo 'ok - a path that begins with -'
else
	failed 'a path that begins with -' "$command"
fi
cd "$top" || exit 1
if command -v bash >/dev/null; then
	SHELL_OF_COMMANDS=bash
	odd=$(printf '%s/a\tb\033[31m1\377.gz' "$folder")
	cp "$memory" "$odd"
	same 'a path with any bytes' "$text" 2 flame "$odd"
	same 'a name in ASCII only' "$text" 2 flame --ascii --focus='日本|clean' "$memory"
else
	echo 'skip - a path with any bytes: no bash'
fi
SHELL_OF_COMMANDS='sh'

# What was chosen by keys.
shown 'keys: all of it' '4' "$memory"
shown 'keys: a time window' '3P<Left><Left>v<Right><Right><Right>v4' "$memory"
shown 'keys: one filter' '4&run_batch<Enter>4' "$memory"

# The view opens again as it was.
opens() { # NAME KEYS FILE
	name=$1 keys=$2
	shift 2
	command=$(page "$keys" "$@" | below 'Open this view again')
	# The last line tells keys, which depend on where one came from.
	"$VPTOP" --dump-screen=80x24 --keys="$keys" "$@" 2>&1 | sed '$d' >"$folder/before"
	run "$command" --dump-screen=80x24 2>&1 | sed '$d' >"$folder/after"
	if cmp -s "$folder/before" "$folder/after"; then
		echo "ok - $name"
	else
		failed "$name" "$command"
		diff "$folder/before" "$folder/after" | sed 's/^/#   /'
	fi
}
opens 'opens: summary' 1 "$memory"
opens 'opens: flame graph of growth' '2VV' "$memory"
opens 'opens: timeline in relative time' '3T' "$memory"
opens 'opens: top of a filter' '4' --focus="it's|clean" --granularity=lines "$memory"
opens 'opens: values in a unit' '4' --type=growth --unit=kB --divide-by=3 "$memory"
opens 'opens: a window' '2' --from='#100' --to='#2000' "$memory"

test "$failures" -eq 0
