#!/usr/bin/env bash
# Counts the instructions that a conversion takes for each record, which, unlike its time, do not depend on what else the
# machine does. Fails if one takes 3 % more than Benchmarks/counts.tsv says:
#
#   Benchmarks/count.sh            compares
#   Benchmarks/count.sh --record   writes the counts to Benchmarks/counts.tsv
#
# The count of a record is the difference between 1,500 and 500 records, so that the start of the program does not matter,
# and that of a small file the difference between 300 and 100 files.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(uname)" = Linux ] || exit 0 # valgrind does not run Swift's programs elsewhere
Scripts/setup.sh count

# The build of the tests is counted, so that .ci/run builds once.
export FERRY_TESTED=1
Scripts/build.sh -c release --product ferry 2>&1 | tail -1
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
ferry="$work/ferry"
# valgrind cannot read the debug information of Swift's programs.
strip --strip-debug -o "$ferry" "$(swift build -c release --show-bin-path)/ferry"
for count in 500 1500; do python3 Benchmarks/make-people.py "$count" "$work/$count"; done
export SWIFT_DETERMINISTIC_HASHING=1

instructions() { # arguments of ferry
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$ferry" "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

count() { # name, input, arguments of ferry convert
  local name="$1" input="$2" few many
  shift 2
  few="$(instructions convert "$work/500/$input" -o "$work/output" --force -q "$@")"
  many="$(instructions convert "$work/1500/$input" -o "$work/output" --force -q "$@")"
  printf '%s\t%s\n' "$name" "$(((many - few) / 1000))"
}

count_files() { # name, arguments of ferry convert: the instructions for each small file
  local name="$1" few many
  shift
  local files=("$work"/500/small/*)
  few="$(instructions convert "${files[@]:0:100}" --out-dir "$work/few" -q --jobs 1 "$@")"
  many="$(instructions convert "${files[@]:0:300}" --out-dir "$work/many" -q --jobs 1 "$@")"
  printf '%s\t%s\n' "$name" "$(((many - few) / 200))"
}

count_differences() { # name, input: the instructions for each record of two versions that differ in one value
  local name="$1" input="$2" counts=()
  for count in 500 1500; do
    sed 's/New York/York/' "$work/$count/$input" >"$work/changed"
    # The exit status 1 says that the files differ. Another one is an error.
    counts+=("$(instructions diff "$work/$count/$input" "$work/changed" --from "${input##*.}" || [ $? = 1 ])")
  done
  printf '%s\t%s\n' "$name" "$(((counts[1] - counts[0]) / 1000))"
}

all() {
  count xml-json people.xml --to json --schema none
  count xml-jsonl-select people.xml --to jsonl --select /people/person --schema none
  count xml-jsonl-schema people.xml --to jsonl --schema Benchmarks/people.schema.json
  count xml-jsonl-select-schema people.xml --to jsonl --select /people/person --schema Benchmarks/people.schema.json
  count xml-xml people.xml --to xml --schema none
  count json-json people.json --to json
  count json-jsonl people.json --to jsonl
  count json-jsonl-schema people.json --to jsonl --schema Benchmarks/people.schema.json
  count jsonl-json people.jsonl --to json
  count json-xml people.json --to xml
  count json-plist people.json --to plist-xml
  count json-bplist people.json --to plist-binary
  count json-archive people.json --to archive
  count plist-bplist people.plist --to plist-binary
  count plist-json people.plist --to json
  count bplist-json people.bplist --to json
  count archive-json people.archive --to json
  count archive-typed people.archive --to json --form typed
  count_files small-xml-json --to json
  count_differences json-diff people.json
}

if [ "${1:-}" = --record ]; then
  all | tee Benchmarks/counts.tsv
  exit
fi
all | awk -F'\t' '
  NR == FNR { recorded[$1] = $2; next }
  !($1 in recorded) { print $1 ": " $2 " instructions a record, not recorded yet (--record)"; failed = 1; next }
  {
    change = ($2 / recorded[$1] - 1) * 100
    printf "%-23s %7d instructions a record, %+.1f %%\n", $1, $2, change
    if (change > 3) { print $1 " takes more instructions than recorded"; failed = 1 }
    if (change < -3) print $1 " takes fewer: record the new count (--record)"
  }
  END { exit failed }
' Benchmarks/counts.tsv -
