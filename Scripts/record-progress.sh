#!/usr/bin/env bash
# Records what a terminal shows of a conversion of 10,000 files that Control-C interrupts, and of the run that finishes it. Fails
# unless only whole files are left.
#
#     Scripts/record-progress.sh [FERRY] >Documentation/Progress.txt     # FERRY: the tool (default: .build/release/ferry)
set -euo pipefail
tool="$(realpath "${1:-"$(dirname "$0")/../.build/release/ferry"}")"
cd "$(dirname "$0")/.."
Scripts/setup.sh recording
count=10000

work="$(mktemp -d)"
terminal() { tmux -S "$work/socket" -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home" "$work/home/in"
ln -s "$tool" "$work/bin/ferry"
awk -v count="$count" -v folder="$work/home/in" 'BEGIN {
  for (i = 0; i < 25; i++) people = people "<person><firstName>Ada</firstName><lastName>Lovelace</lastName></person>\n"
  for (i = 1; i <= count; i++) {
    file = sprintf("%s/%05d.xml", folder, i)
    print "<people>\n" people "</people>" >file
    close(file)
  }
}'

screen() { # without the empty lines below the text
  terminal capture-pane -p | awk 'NF { for (; empty; empty--) print ""; print; next } { empty++ }'
}
fail() { echo "$1" >&2; screen >&2; exit 1; }
await() { # a regular expression that a line of the screen fits, within a minute
  local step
  for step in $(seq 600); do
    if screen | grep -qE "$1"; then return; fi
    sleep 0.05
  done
  fail "no \"$1\" on the screen:"
}
type() { # a command line, and a regular expression for its last line
  terminal send-keys -l "$1"
  terminal send-keys Enter
  await "$2"
}
show() { printf '\n--- %s\n\n' "$1"; screen; }

terminal new-session -d -x 100 -y 16 -c "$work/home" "env PATH=$work/bin:$PATH PS1='\$ ' TERM=screen ENV= sh"
await '^\$'
type 'ferry convert -r in --to json --out-dir out' ' of 10,000 files, .* left'
echo "A conversion of 10,000 files in a terminal, interrupted and finished, as Scripts/record-progress.sh has recorded it."
show "after half a second"
sleep 0.7
show "0.7 seconds later"
terminal send-keys C-c
await '^\$ *$'
type 'echo $?' '^130$'
type 'ls out | wc -l' '^[0-9]+$'
type 'ls -A out | grep -vc "^[0-9]*\.json$"' '^0$'
type 'ferry check out >/dev/null' ' checked, 0 wrong'
show "after Control-C"

# All inputs are equal, and so must be all outputs, each of which is whole.
left="$(find "$work/home/out" -type f | wc -l)"
[ "$left" -gt 0 ] && [ "$left" -lt "$count" ] || fail "$left files are left, of $count:"
contents() { find "$work/home/out" -type f -exec md5sum {} + | cut -d ' ' -f 1 | sort -u | wc -l; }
[ "$(contents)" = 1 ] || fail "$(contents) different files are left:"
"$tool" convert "$work/home/in/00001.xml" --to json -q | cmp -s - "$(find "$work/home/out" -type f | head -1)" ||
  fail "a file is not what the conversion writes:"

type clear '^\$ *$'
sleep 0.2
type 'ferry convert -r in --to json --out-dir out --changed-only' ' converted, 0 failed, '
show "the rest, with the files that are left unchanged"
[ "$(contents)" = 1 ] && [ "$(find "$work/home/out" -type f | wc -l)" = "$count" ] || fail "the files are not all converted:"
