#!/usr/bin/env bash
# Shows which libraries the library and the tool want to be linked with, and fails if Foundation is among them.
#
#   Scripts/linkage.sh
#
# ArgumentParser, which the tool is made with, wants FoundationEssentials, and no more than that may come with it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(uname)" = Linux ] || exit 0 # elsewhere Foundation is a part of the system

fail() {
  echo "$1" >&2
  exit 1
}

Scripts/build.sh -c release --product ferry 2>&1 | tail -1
built="$(swift build -c release --show-bin-path)"

# Every object file lists the libraries of the modules that it imports, and of those that they import.
mapfile -t objects < <(tr -d "'\"" <"$built/ferry.product/Objects.LinkFileList" | grep -v '/ArgumentParser\.build/')
own="$(readelf --string-dump=.swift1_autolink_entries "${objects[@]}" | sed -n 's/.*  -l//p' | sort -u)"
echo "The library, and the tool without ArgumentParser, want" $own
grep -qx sqlite3 <<<"$own" || fail "the libraries that the modules want were not found"
if grep -q Foundation <<<"$own"; then fail "Foundation is among them"; fi

tool="$(readelf --dynamic "$built/ferry" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')"
echo "The tool wants" $tool
grep -q libsqlite3 <<<"$tool" || fail "the libraries that the tool wants were not found"
if grep Foundation <<<"$tool" | grep -qv '^libFoundationEssentials\.so$'; then
  fail "the tool is linked with Foundation"
fi
