#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Who may include whom: each library stays in its room, src/ knows nothing of tui/, and every source
# is in Makefile.am. Prints one case a rule.
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 1
failures=0

# report NAME OFFENDERS: the case fails when there is any offender, and shows them.
report() {
	if test -z "$2"; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		echo "$2" | sed 's/^/    /'
		failures=$((failures + 1))
	fi
}

# only_in NAME HEADER ROOM: lines of src/ and tui/ that include HEADER (a regular expression) outside
# of the files that match ROOM.
only_in() {
	report "$1" "$(grep -rnE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($2)>" \
		src tui | grep -vE "^($3):")"
}

# only_called_in NAME PATTERN ROOM FOLDERS...: the same for calls.
only_called_in() {
	name=$1 pattern=$2 room=$3
	shift 3
	report "$name" "$(grep -rnE --include='*.c' "$pattern" "$@" | grep -vE "^($room):")"
}

only_in 'curses is in tui/term.c and tui/input.c only' \
	'(ncursesw?/)?(n?curses|term|termcap|panel|menu|form)\.h' 'tui/(term|input)\.c'
only_in 'zlib and zstd are in src/source/ only' 'zlib\.h|zstd.*\.h|libdeflate\.h' 'src/source/[a-z_]+\.[ch]'
only_in 'jansson is in JSON formats and reports only' 'jansson\.h' 'src/(format/[a-z_]*json|report/[a-z_]+)\.[ch]'
only_in 'PCRE2 is in src/query/ only' 'pcre2.*\.h' 'src/query/[a-z_]+\.[ch]'
only_in 'msgpack-c is in no product file' 'msgpack.*/.*|msgpack\.h' 'src/format/viewer[a-z_]*\.[ch]'

report 'src/ never includes from tui/' "$(grep -rnE --include='*.[ch]' \
	'#[[:space:]]*include[[:space:]]*"(\.\./)*(tui/|kit/|view/|app\.h|term\.h|options\.h|load\.h)' src)"
report 'formats do not include each other' "$(grep -rnE --include='*.c' \
	'#[[:space:]]*include[[:space:]]*"(query|layout|report)/' src/format src/source src/profile src/base)"
report 'queries know neither layout nor reports' "$(grep -rnE --include='*.[ch]' \
	'#[[:space:]]*include[[:space:]]*"(layout|report|format)/' src/query)"
report 'what derives profiles knows neither layout nor reports' "$(grep -rnE --include='*.[ch]' \
	'#[[:space:]]*include[[:space:]]*"(layout|report)/' src/derive)"
report 'layout knows no report' "$(grep -rnE --include='*.[ch]' \
	'#[[:space:]]*include[[:space:]]*"(report|format)/' src/layout)"
report 'views know neither the app nor the terminal' "$(grep -rnE --include='*.[ch]' \
	'#[[:space:]]*include[[:space:]]*"(app/[a-z_]+|term|options|load|screen)\.h"' tui/view tui/kit)"

only_called_in 'src/ does not end the program (memory.c aside)' \
	'(^|[^_[:alnum:]])(exit|_exit|abort)[[:space:]]*\(' 'src/base/memory\.c' src
only_called_in 'src/ does not print' \
	'(^|[^_[:alnum:]])(printf|puts|putchar|perror|fprintf|fputs)[[:space:]]*\(' 'src/base/memory\.c' src
only_called_in 'src/ does not read the environment' \
	'(^|[^_[:alnum:]])(getenv|secure_getenv|setlocale)[[:space:]]*\(' 'nothing' src

# Comments and strings hold file names, too: only whole words of Makefile.am count.
missing=
for file in $(find src tui -name '*.[ch]' | sort); do
	grep -qE "(^|[[:space:]])$file([[:space:]]|\$)" Makefile.am || missing="$missing$file
"
done
report 'every source and header is in Makefile.am' "$missing"

missing=
for file in $(find tests/unit -name 'test_*.c' | sed 's/\.c$//' | sort); do
	grep -qE "(^|[[:space:]])$file([[:space:]]|\$)" Makefile.am || missing="$missing$file
"
done
report 'every unit test is in Makefile.am' "$missing"

report 'every file says its licence in the first line' "$(find src tui tests -name '*.[ch]' |
	while read -r file; do
		head -n 1 "$file" | grep -q '^/\* SPDX-License-Identifier: MIT \*/$' || echo "$file"
	done)"

exit $((failures > 0))
