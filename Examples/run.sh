#!/usr/bin/env bash
# Ferry's main job on real input: people from XML to every format and back.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh

echo "building ferry (the first time takes a few minutes)"
Scripts/build.sh -c release --product ferry 2>&1 | tail -1
ferry="$(swift build -c release --show-bin-path)/ferry"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

say "ferry convert Examples/folks.xml -o people.pplgrp"
"$ferry" convert Examples/folks.xml -o "$work/people.pplgrp"
say "ferry show people.pplgrp"
"$ferry" show "$work/people.pplgrp"
say "ferry convert people.pplgrp --to json"
"$ferry" convert "$work/people.pplgrp" --to json | tee "$work/first.json"

current="$work/people.pplgrp"
for format in plist-xml plist-binary jsonl archive-xml xml; do
  next="$work/people.$format"
  say "ferry convert ${current##*/} --schema person --to $format -o people.$format"
  "$ferry" convert "$current" --schema person --to "$format" -o "$next"
  case $format in
    plist-binary) printf '(%s bytes, binary)\n' "$(wc -c <"$next")" ;;
    *) head -c 400 "$next" ;;
  esac
  current="$next"
done

say "ferry convert people.xml --to json"
"$ferry" convert "$current" --to json | tee "$work/last.json"
cmp "$work/first.json" "$work/last.json"
printf '\nThe people came back as they were.\n'

say "ferry convert Examples/books.xml --schema Examples/book.schema.json --to json --pretty"
"$ferry" convert Examples/books.xml --schema Examples/book.schema.json --to json --pretty

say "ferry convert Examples/things.xml -o 'Things I Own.mystuff'"
"$ferry" convert Examples/things.xml -o "$work/Things I Own.mystuff"
ls "$work/Things I Own.mystuff"
