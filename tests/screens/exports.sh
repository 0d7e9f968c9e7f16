#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the screen saves (S) is, byte for byte, what the command line writes: with the options that
# mean the same as the keys, and with those that `y` tells.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"
export LC_ALL=C.UTF-8 TZ=UTC VPTOP
case $VPTOP in /*) ;; *) VPTOP=$PWD/$VPTOP ;; esac

top=$(cd "$top_srcdir" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/vptop-exports.XXXXXX")
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failures=0

passed_if() { # NAME WHY: by the status of the command before
	if test $? -eq 0; then
		echo "ok - $1"
	else
		echo "not ok - $1: $2"
		failures=$((failures + 1))
	fi
}

# The files lie where no name is odd: `y` has its own test.
cp "$top/data/samples/etl-memory.msgpack.gz" "$folder/memory.gz"
cp "$top/tests/golden/data/pprof/work/cpu.gocpuprof" "$folder/cpu"
cp "$top/tests/golden/data/pprof/work/heap.goheapprof" "$folder/heap"
cp "$top/tests/golden/data/merge/diff/"*.gocpuprof "$folder"
cp "$top/tests/golden/data/merge/leak/"*.goheapprof "$folder"
cp "$top/tests/golden/data/pstats/cpython311.pyprof.gz" "$folder/calls.pyprof.gz"
cd "$folder" || exit 1

# save KEYS LINE NAME [OPTION]... FILE: the file NAME after KEYS, in the form of a line of the list.
save() {
	pressed=$1 line=$2 to=$3
	shift 3
	"$VPTOP" -q --dump-screen=200x40 --keys="${pressed}S$line<Enter><C-u>$to<Enter>" "$@" >screen 2>&1
}

# run_told KEYS REPORT [OPTION]... FILE: the command of `y` for that report, run.
run_told() {
	pressed=$1 report=$2
	shift 2
	command=$("$VPTOP" -q --dump-screen=500x100 --keys="${pressed}y" "$@" 2>&1 |
		sed -n '/^Print it as text$/{n;p;q;}')
	case $report in
	json) command="$command --format=json" ;;
	*) command=$(echo "$command" | sed "s/--report=[a-z]*/--report=$report/") ;;
	esac
	sh -c "vptop() { \"\$VPTOP\" -q \"\$@\"; }; $command"
}

# saves NAME KEYS REPORT FILES OPTIONS SHOWN: what S writes after KEYS is what OPTIONS print and what
# `y` tells. REPORT is the view's, for JSON, which says in other words how a window was asked for.
saves() {
	name=$1 keys=$2 view=$3 files=$4 options=$5
	line=
	for form in pprof folded callgrind dot raw json; do
		rm -f saved
		# shellcheck disable=SC2086
		save "$keys" "$line" saved $files
		line=${line}j
		# shellcheck disable=SC2086
		run_told "$keys" $form $files >told 2>&1
		if test $form = json; then
			# shellcheck disable=SC2086
			"$VPTOP" -q --report="$view" --format=json $options $files 2>&1 | sed '/^ "query":/d' >printed
			sed '/^ "query":/d' saved >figures
		else
			# shellcheck disable=SC2086
			"$VPTOP" -q --report=$form $options $files >printed 2>&1
			cp saved figures
		fi
		test -s saved && cmp -s printed figures && cmp -s told saved
		passed_if "$name: $form" "$(head -n 1 printed | cut -c 1-80)"
	done
}

saves 'all of it' 2 flame memory.gz ''
saves 'a filter, typed' '2&run_batch<Enter>4' top memory.gz '--focus=run_batch'
saves 'a window, typed' '3:+10s..+20s<Enter>4' top memory.gz '--from=+10s --to=+20s'
saves 'another type' 2VV flame memory.gz '--type=growth'
saves 'lines, a filter and a window' '2&run_batch<Enter>3:+10s..+20s<Enter>2' flame \
	'-g lines memory.gz' '--focus=run_batch --from=+10s --to=+20s'
saves 'a label' '8jjjj<Enter>8' tags cpu '--tagfocus=size=^small$'
saves 'labels as frames' '8jjjr2' flame cpu '--tagroot=size'
saves 'a heap, another type' 2V flame heap '--type=alloc_objects'
saves 'a change' 4 top '--diff-base=slow.gocpuprof fast.gocpuprof' ''
saves 'the base of a change' 4x top '--diff-base=slow.gocpuprof fast.gocpuprof' '--type=base:cpu'
saves 'a snapshot of a series' '3h<Enter>' flame \
	'heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof' '--from=#31 --to=#67'
saves 'a graph of calls' 4 top calls.pyprof.gz ''

# What grew in a series is the difference of two files, but its stacks stand in the series' order.
rm -f saved
save '3gv$<Enter>' j saved heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof
run_told '3gv$<Enter>' folded heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof | sort >told
"$VPTOP" -r folded --base=heap-00.goheapprof heap-19.goheapprof | sort >printed
sort saved | cmp -s - printed && cmp -s told printed
passed_if 'what grew in a series' "$(head -n 1 told)"

# The bars of a series are all snapshots, and what other tools read is the one that is chosen.
rm -f saved
save '3h<Enter>3' jjjjj saved heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof
run_told '3h<Enter>3' json heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof >told
test "$(grep -c '"source": "heap-..\.' saved)" -eq 4 && cmp -s told saved
passed_if 'the bars of a series: json' "$(head -n 1 told)"
rm -f saved
save '3h<Enter>3' '' saved heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof
"$VPTOP" -r pprof --from='#31' --to='#67' heap-00.goheapprof heap-06.goheapprof heap-19.goheapprof | cmp -s - saved
passed_if 'the bars of a series: pprof' 'another file'

# Names, questions and errors.
save 2 '' own.pb.gz memory.gz
grep -q "Written $("$VPTOP" -q -r pprof memory.gz | wc -c | awk '{ printf "%.2f KiB", $1 / 1024 }') to own.pb.gz" screen
passed_if 'the notice says how much and where' "$(grep Written screen)"
cp own.pb.gz first
"$VPTOP" --dump-screen=80x24 --keys='2&clean<Enter>S<Enter><C-u>own.pb.gz<Enter>' memory.gz >screen
grep -q 'it exists: Enter again overwrites it' screen && cmp -s own.pb.gz first
passed_if 'it asks before it overwrites' "$(tail -n 1 screen)"
"$VPTOP" --dump-screen=80x24 --keys='2&clean<Enter>S<Enter><C-u>own.pb.gz<Enter><Enter>' memory.gz >screen
"$VPTOP" -r pprof --focus=clean memory.gz | cmp -s own.pb.gz
passed_if 'and then does' "$(tail -n 1 screen)"
"$VPTOP" --dump-screen=80x24 --keys='2S<Enter><C-u>no/such/x<Enter>' memory.gz >screen
grep -q 'No such file or directory' screen
passed_if 'no such folder' "$(tail -n 1 screen)"
mkdir sub
"$VPTOP" --dump-screen=80x24 --keys='2S<Enter><C-u>sub<Enter>' memory.gz >screen
grep -q 'Is a directory' screen
passed_if 'a folder' "$(tail -n 1 screen)"
if test -c /dev/full; then
	"$VPTOP" --dump-screen=80x24 --keys='2S<Enter><C-u>/dev/full<Enter><Enter>' memory.gz >screen
	grep -q 'No space left on device' screen && test -c /dev/full
	passed_if 'a device that is full is left as it is' "$(tail -n 1 screen)"
fi
mkfifo pipe
cat pipe >printed &
"$VPTOP" -q -r folded -o pipe memory.gz
wait
"$VPTOP" -q -r folded memory.gz | cmp -s - printed && test -p pipe
passed_if 'a pipe is written to and stays one' "$(wc -c <printed)"
echo before >target
chmod 640 target
ln -s target link
"$VPTOP" -q -r folded -o link memory.gz
cmp -s target printed && test -L link && test "$(stat -c %a target)" = 640
passed_if 'a link leads to the file that is written' "$(stat -c %a target)"
cp memory.gz memory.pb.gz
"$VPTOP" --dump-screen=80x24 --keys='2S<Enter>' memory.pb.gz >screen
grep -q 'save pprof to: memory-saved.pb.gz' screen
passed_if 'the name is not that of the file itself' "$(tail -n 1 screen)"

# The list of files: its path, and the list as text.
mkdir runs
cp cpu runs
cp heap-19.goheapprof runs/heap
touch -d '2026-11-30 12:00:00 UTC' runs/*
"$VPTOP" --dump-screen=200x24 --keys=jjy runs >screen
grep -Fxq "$(pwd -P)/runs/heap" screen && grep -q '^vptop --report=summary runs/heap$' screen
passed_if 'y on a file has its path and commands' "$(sed -n 5p screen)"
"$VPTOP" --dump-screen=80x24 --keys='p<Enter>' runs >screen
grep -q 'to runs.txt' screen && "$VPTOP" -r catalog --columns=100 runs >printed &&
	sed '1,2d' runs.txt | cmp -s - printed
passed_if 'p in the list writes what the report prints' "$(grep Written screen)"
for file in cpu heap; do
	"$VPTOP" -q --dump-screen=160x30 --keys="/$file<Enter>" runs |
		sed -n 's/.*[0-9]%  *[0-9.]* [a-zA-Z]*  \([a-zA-Z].*[^ ]\) *$/\1/p' >shown
	"$VPTOP" -q -r top -n 5 --nodefraction=0 -f json "runs/$file" |
		sed -n 's/.*"name": "\([^"]*\)".*"flat".*/\1/p' >printed
	test "$(wc -l <shown)" -eq 5 && cmp -s shown printed
	passed_if "the preview of $file has the five hottest functions" "$(head -n 1 shown)"
done

test "$failures" -eq 0
