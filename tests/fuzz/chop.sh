#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Damaged copies of real profiles through every reader and query: cut at 200 places, 200 times with
# changed bytes. tests/fuzz/chop does it in one process; here is what it is run on.
set -u
: "${top_srcdir:=.}" "${VPTOP:=./vptop}"
chop=$(dirname "$VPTOP")/tests/fuzz/chop
golden=$top_srcdir/tests/golden/data

"$chop" \
	"$top_srcdir"/data/samples/*.prof "$top_srcdir"/data/samples/*.gz \
	"$top_srcdir"/tests/cases/data/*.vmprof \
	"$golden"/vmprof/cpython27-lines.prof.gz \
	"$golden"/vmprof/cpython311-lines-mem-native.prof.gz \
	"$golden"/viewer/cpython27-mem.v2.msgpack \
	"$golden"/viewer/cpython311-lines-mem-native.v2.msgpack.gz \
	"$golden"/viewer/storage/4/*.msgpack.gz \
	"$golden"/server/cpython27-mem.flamegraph.json \
	"$golden"/server/cpython27-mem.memorygraph.json.gz
