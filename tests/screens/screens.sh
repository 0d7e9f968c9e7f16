#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each view at several sizes, drawn without a terminal and compared with tests/screens/NAME.screen.
# UPDATE_GOLDEN=1 writes these files anew: read the difference before you keep it.
set -u
: "${VPTOP:=./vptop}" "${top_srcdir:=.}"
export LC_ALL=C.UTF-8 TZ=UTC

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
	if ! "$VPTOP" --dump-screen="$size" --keys="$keys" "$@" "$samples/$sample" \
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
number=0
for view in summary flame timeline top; do
	number=$((number + 1))
	for size in 40x10 80x24 120x40 200x60; do
		screen "$view-$size" $size $number $memory
	done
	screen "$view-ascii-80x24" 80x24 $number $memory --ascii
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
screen top-to-flame 80x24 '4jjj<Enter>' $memory

test "$failures" -eq 0
