#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each view at several sizes, drawn without a terminal and compared with tests/screens/NAME.screen.
# UPDATE_GOLDEN=1 writes these files anew: read the difference before you keep it.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"
export LC_ALL=C.UTF-8 TZ=UTC

case $VPTOP in
/*) ;;
*) VPTOP=$(pwd)/$VPTOP ;;
esac
goldens=$top_srcdir/tests/screens
samples=$top_srcdir/data/samples
folder=$(mktemp -d "${TMPDIR:-/tmp}/vptop-screens.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failures=0

failed() { # NAME WHY
	echo "not ok - $1: $2"
	failures=$((failures + 1))
}

# screen NAME SIZE KEYS SAMPLE [OPTION]...
screen() {
	name=$1 size=$2 keys=$3 sample=$4
	shift 4
	golden=$goldens/$name.screen
	drawn=$folder/$name.screen
	# From within their folder: the page of names has the path as typed.
	if ! (cd "$samples" && "$VPTOP" --dump-screen="$size" --keys="$keys" "$@" "$sample") \
		>"$drawn" 2>"$folder/errors" || test -s "$folder/errors"; then
		failed "$name" "vptop says: $(head -n 1 "$folder/errors")"
		return
	fi
	if test "$(wc -l <"$drawn")" -ne "${size#*x}"; then
		failed "$name" "not ${size#*x} lines"
	elif LC_ALL=C grep -q '[[:cntrl:]]' "$drawn"; then
		failed "$name" 'control characters'
	elif test -n "${UPDATE_GOLDEN:-}"; then
		cp "$drawn" "$golden"
		echo "ok - $name (written)"
	elif ! test -f "$golden"; then
		failed "$name" 'there is no golden file (UPDATE_GOLDEN=1 writes it)'
	elif cmp -s "$golden" "$drawn"; then
		echo "ok - $name"
	else
		failed "$name" 'differs from its golden file'
		diff "$golden" "$drawn" | sed 's/^/#   /'
	fi
}

memory=etl-memory.msgpack.gz

# sizes NAME KEYS [OPTION]...: at five sizes, with block glyphs and in ASCII.
sizes() {
	family=$1 pressed=$2
	shift 2
	for large in 40x10 80x24 100x30 120x40 200x60; do
		screen "$family-$large" $large "$pressed" $memory "$@"
		screen "$family-ascii-$large" $large "$pressed" $memory --ascii "$@"
	done
}

sizes summary 1
sizes flame 2jjjjjjjj
sizes timeline 3
sizes top 4
sizes callers 4jjj5
sizes callers-flames 4jjj5F
sizes help '2?'
sizes menu 4jm
sizes settings '2<F2>'
sizes names 2jjjjy
sizes tour '2?t'
sizes prompt-search 2/js
sizes prompt-filter '2&json'
sizes prompt-narrow '4&js'
sizes prompt-go-to 3:12
sizes context '2:+10s..+20s<Enter>&run<Enter>/json<Enter>'

number=0
for view in summary flame timeline top callers; do
	number=$((number + 1))
	screen "$view-cpu-100x30" 100x30 $number etl-cpu.prof.gz
	screen "$view-cpython-80x24" 80x24 $number etl.prof
	screen "$view-help-80x24" 80x24 "$number?" $memory
done

screen summary-total 80x24 'ljj' $memory
screen summary-chart 80x24 'k' $memory
screen summary-growth 80x24 'VV' $memory
screen flame-cursor 100x30 '2jjjjjjjjjl' $memory
screen flame-zoomed 80x24 '2jjjjjjjjjj<Enter>jj' $memory
screen flame-zoomed-twice 100x30 '2jjjjjjjjjjl<Enter>jj<Enter>jj' $memory
screen flame-out 100x30 '2jjjjjjjjjjl<Enter>jj<Enter>u' $memory
screen flame-caller 80x24 '2jjjjjjjjjj<Enter>kk' $memory
screen flame-inverted 80x24 '2ikkkkk' $memory
screen flame-aggregate 80x24 '2jjjjjjjjjj$' $memory
screen flame-deepest 80x24 '2G' $memory
screen flame-by-name 80x24 '2O' $memory
screen flame-of-zoom 80x24 '2jjjjjjjjjj<Enter>%' $memory
screen flame-absolute 80x24 '2%%' $memory
screen timeline-mean 80x24 '3aa' $memory
screen timeline-max 80x24 '3a' $memory
screen timeline-relative 80x24 '3T' $memory
screen timeline-zoomed 100x30 '3++++' $memory
screen timeline-one-sample 100x30 '3+++++++++' $memory
screen timeline-start 100x30 '3gjj' $memory
screen timeline-peak 100x30 '3[' $memory
screen top-by-total 100x30 '4>jjj' $memory
screen top-by-name 80x24 '4>>Ijj' $memory
screen top-shifted 80x24 '4l' $memory
screen top-to-flame 80x24 '4jjj2' $memory
screen top-to-callers 80x24 '4jjj<Enter>' $memory
screen top-filter 80x24 '4&pars<Enter>j' $memory
screen top-filter-none 40x10 '4&zzz<Enter>' $memory
screen top-search 80x24 '4/pars<Enter>nn' $memory
screen top-line 80x24 '4:20<Enter>' $memory
screen top-total-narrow 40x10 '4>G' $memory
screen top-help-filter 80x24 '4&pars<Enter>?' $memory
screen summary-window 80x24 'Gk' $memory --from=+20s --to=+40s
screen summary-search 80x24 '/sort<Enter>n' $memory
screen summary-focus 100x30 '' etl-cpu.prof.gz --from=+2s --to=+4s --focus=json
screen flame-frame 100x30 '2jjjjjl' etl.prof
screen flame-zoomed-ascii 80x24 '2jjjjjll<Enter>' etl.prof --ascii
screen flame-search 100x30 '2/_insert<Enter>nn' etl.prof
screen flame-leaves 100x30 '2Bj' etl.prof
screen flame-leaves-help 100x30 '2B?' etl.prof
screen flame-fold 80x24 '2j' $memory
screen flame-fold-opened 80x24 '2j ' $memory
screen flame-unfolded 80x24 '2e' $memory
screen timeline-mark 100x30 '3vhhhhhhhhhhh' $memory
screen timeline-mark-ascii 80x24 '3vhhhhhhhhhhh' $memory --ascii
screen timeline-mark-narrow 40x10 '3vhhh' $memory
screen timeline-window 100x30 '3vhhhhhhhhhhhv' $memory
screen timeline-window-zoomed 100x30 '3vhhhhhhhhhhh<Enter>jj ' $memory
screen timeline-search 100x30 '3/sort_scratch<Enter>n' $memory
screen timeline-search-ascii 80x24 '3/sort_scratch<Enter>n' $memory --ascii
screen timeline-from 100x30 '3' $memory --from=+10s --to=+12s
screen timeline-focus-ascii 80x24 '3gj' $memory --focus=fingerprint --ascii
screen timeline-lanes 100x30 '3/fingerprint<Enter>gnjj ' etl-cpu.prof.gz
screen callers-recursion 100x30 '4jj<Enter>' etl.prof
screen callers-unfolded 100x30 '4>jjjjj<Enter>e' $memory
screen callers-flames-deep 100x30 '4>jjjjj<Enter>FjjjjG' $memory
screen callers-gone 80x24 '4>jjjjj<Enter>&fingerprint<Enter>' $memory
screen callers-of-all 80x24 '4>jjjjj<Enter>jj<Enter>%' $memory
screen names-moment 100x30 '3Py' $memory
screen tour-second 80x24 '?t<Right>' $memory
screen help-search 80x24 '2?/zoom<Enter>' $memory
screen menu-filter 100x30 '4jm' $memory --hide=clean
screen exports-80x24 80x24 2S $memory
screen exports-40x10 40x10 2S $memory
screen exports-name 80x24 '4&clean<Enter>Sj<Enter>' $memory
screen divided-top 80x24 '4' $memory --type=growth --unit=kB --divide-by=10
screen bad-pattern 80x24 '2/(' $memory

# The profiles of a job runner's folder. What stands there of a file is when it was written.
runs=$folder/runs
mkdir -p "$runs"
cp -R "$top_srcdir/tests/golden/data/output" "$runs/output"
chmod -R u+w "$runs"
: >"$runs/output/daily-close/profiledata/node_empty.pyprof"
cp "$runs/output/daily-close/profiledata/node_parse.gocpuprof" "$runs/output/.hidden.prof"
find "$runs/output" -type f -exec touch -d '2026-11-30 12:00:00 UTC' {} +
samples_before=$samples memory_before=$memory
samples=$runs memory=output
sizes files 6
screen files-mark 80x24 '6 jjj ' output
screen files-search 80x24 '6/pyprof<Enter>n' output
screen files-filter 80x24 '6&heap<Enter>' output
screen files-by-size 100x30 '6>>>>' output
screen files-folded 80x24 '6hh' output
screen files-hidden 80x24 '6.' output
screen files-error 80x24 '6/empty<Enter>' output
screen files-error-opened 80x24 '6/empty<Enter><Enter>' output
screen files-names 100x30 '6w' output
screen files-help-80x24 80x24 '6?' output
screen files-menu 80x24 '6m' output
screen files-none 40x10 '6' output --filter=nothing
screen files-no-profile 80x24 '2' output
screen files-opened 80x24 'j<Enter>' output
screen files-back 80x24 'j<Enter>4jj6' output
screen files-of-one 80x24 '6' output/daily-close/profiledata/node_rules.pyprof
screen files-read 120x24 '6jj' output
screen files-settings 80x24 '6<F2>j' output
screen files-write 80x24 '6p' output
screen files-change 80x24 '/orders.*gocpu<Enter> gj d' output
samples=$samples_before memory=$memory_before

# A series of snapshots, what grew in it, and a difference of two files.
leak=../../tests/golden/data/merge/leak
diff=../../tests/golden/data/merge/diff
series() { # NAME SIZE KEYS [OPTION]...
	named=$1 size_of=$2 typed=$3
	shift 3
	screen "series-$named" "$size_of" "$typed" "$leak/heap-19.goheapprof" "$@" \
		"$leak/heap-00.goheapprof" "$leak/heap-06.goheapprof" "$leak/heap-12.goheapprof"
}
series 40x10 40x10 '3h'
series 80x24 80x24 '3h'
series 200x60 200x60 '3h'
series ascii-80x24 80x24 '3h' --ascii
series marked 80x24 '3gvll'
series growth 80x24 '3gvll<Enter>'
series growth-back 80x24 '3gvll<Enter>q'
series of-one 80x24 '3hh<Enter>'
series help 80x24 '3?'
series names 100x30 '3h<Enter>y'
series summary 80x24 '1'
series line 80x24 '3jjh'
series scrolled 80x19 '3jjjjj'
series search 80x24 '3/hex<Enter>'
series wheel 80x19 '3<WheelDown:10,16><Click:40,16>'
series unit 80x24 '3hj' --unit=kB
screen difference-names 100x30 '2y' "$diff/fast.gocpuprof" --diff-base="$diff/slow.gocpuprof" --normalize

# A graph of calls: callers first, with calls; flame graphs are estimates.
calls=../../tests/golden/data/pstats/cpython311.pyprof.gz
for large in 40x10 80x24 200x60; do
	screen "calls-$large" $large '' $calls -q '--function=^expr$'
	screen "calls-top-$large" $large 4 $calls -q
done
screen calls-ascii-80x24 80x24 '' $calls -q --ascii '--function=^expr$'
screen calls-start 80x24 '' $calls -q
screen calls-flames 80x24 F $calls -q '--function=^expr$'
screen calls-flame 100x30 '2jjjj' $calls -q
screen calls-flame-help 80x24 '2?' $calls -q
screen calls-help 80x24 '?' $calls -q '--function=^expr$'
screen calls-top-by-calls 80x24 '4<' $calls -q
screen calls-top-focus 80x24 '4' $calls -q --focus=expr
screen calls-summary 80x24 1 $calls -q
now=../../tests/golden/data/pstats/cpython313.pyprof.gz
screen calls-change-80x24 80x24 '' $now -q --base=$calls '--function=^expr$'
screen calls-change-120x40 120x40 x $now -q --base=$calls '--function=^expr$'
screen calls-change-top-120x40 120x40 '4<' $now -q --base=$calls
screen calls-change-top-200x60 200x60 '4' $now -q --base=$calls
screen calls-change-summary 80x24 1 $now -q --base=$calls
screen calls-estimated 100x30 '' ../../tests/golden/data/pstats/cpython311-profile.pyprof.gz -q '--function=^expr$'

# Labels of samples, and what is made of them.
labelled=../../tests/golden/data/pprof/work/cpu.gocpuprof
for large in 40x10 80x24 200x60; do
	screen "labels-$large" $large 8 $labelled
done
screen labels-ascii-80x24 80x24 8 $labelled --ascii
screen labels-focus 80x24 '8jjjj<Enter>' $labelled
screen labels-ignore 80x24 '8jjjjxjx' $labelled
screen labels-folded 80x24 '8jjjh>' $labelled
screen labels-search 80x24 '8/larg' $labelled
screen labels-filter 80x24 '8&small<Enter>' $labelled
screen labels-root 100x30 '8jjjr2' $labelled
screen labels-leaf 80x24 '8L4' $labelled
screen labels-undone 80x24 '8jjjru' $labelled
screen labels-menu 80x24 '8m' $labelled
screen labels-settings 80x30 '<F2>' $labelled --tagroot=size '--tagfocus=worker=^1$'
screen labels-names 100x30 '8y' $labelled --tagroot=size '--tagfocus=worker=^1$'
screen labels-help-80x24 80x24 '8?' $labelled
screen labels-heap 80x24 8 ../../tests/golden/data/pprof/work/heap.goheapprof
screen labels-none 80x24 8 etl.prof --view=labels

# The screens in README are real ones.
in_readme() { # NAME SIZE KEYS
	"$VPTOP" --dump-screen="$2" --keys="$3" "$samples/$memory" | sed 's/^/    /; s/ *$//' >"$folder/dump"
	sed 's/ *$//' "$top_srcdir/README" >"$folder/readme"
	if test -s "$folder/dump" && ! grep -Fxvf "$folder/readme" "$folder/dump" >"$folder/missing"; then
		echo "ok - README: $1"
	else
		failed "README: $1" "not in README: $(head -n 1 "$folder/missing")"
	fi
}
in_readme flame 80x20 2jjjj
in_readme timeline 80x24 3vhhhhhhhhhh
in_readme callers 80x21 '4jj<Enter>'

test "$failures" -eq 0
