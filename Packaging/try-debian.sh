#!/usr/bin/env bash
# Installs the Debian package in a new, minimal Debian, and uses it there as a new user would: manual pages, completions,
# conversions, git, and a page for a browser. Needs root and the network.
#
#     Packaging/debian.sh && Packaging/try-debian.sh .build/packages/ferry_*.deb
set -euo pipefail
package="$(realpath "$1")"
cd "$(dirname "$0")/.."
Scripts/setup.sh debootstrap
. /etc/os-release

root="$(mktemp -d)"
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 ||
  { tail -5 "$root.log" >&2; rm "$root.log"; exit 1; }
rm "$root.log"
cp /etc/resolv.conf "$root/etc/"
# A minimal Debian installs no manual pages.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*
# Swift reads the arguments of a process there.
mount -t proc proc "$root/proc"
mkdir "$root/home/user"
cp "$package" "$root/home/user/ferry.deb"
cp Examples/folks.xml "$root/home/user/"

cat >"$root/home/user/session.sh" <<'SESSION'
set -euo pipefail
cd /home/user
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
expect() { # description, expected part of the output; the output is the standard input
  local output
  output="$(cat)"
  case "$output" in
  *"$2"*) echo "ok: $1" ;;
  *) printf 'FAILED: %s: no "%s" in:\n%s\n' "$1" "$2" "$output" >&2; exit 1 ;;
  esac
}
install() { apt-get install -y -qq --no-install-recommends "$@" >install.log 2>&1 || { cat install.log >&2; exit 1; }; }
install ./ferry.deb
ldd /usr/bin/ferry | expect "the tool needs no Swift on the machine" libxml2
if ldd /usr/bin/ferry | grep -E 'libswift|lib_?Foundation|not found'; then exit 1; fi
ferry --version | expect "the version" "$(dpkg-query -W -f '${Version}' ferry)"

install man-db bash-completion zsh fish git
MANWIDTH=80 man ferry | expect "the manual page" "ferry convert folks.xml --to json"
MANWIDTH=80 man ferry-convert | expect "the manual page of a command" "--select"
MANWIDTH=80 man ferry-schema-infer | expect "the manual page of a command inside another one" "--name"
for page in /usr/share/man/man1/ferry*.1.gz; do
  warnings="$(man --warnings -l "$page" 2>&1 >/dev/null)"
  [ -z "$warnings" ] || { echo "FAILED: $page: $warnings" >&2; exit 1; }
done
bash -c '. /usr/share/bash-completion/bash_completion
  COMP_WORDS=(ferry conv) COMP_CWORD=1 COMP_LINE="ferry conv" COMP_POINT=10
  _completion_loader ferry || [ $? = 124 ]
  "$(complete -p ferry | sed "s/.*-F \([^ ]*\).*/\1/")" ferry conv ferry
  printf "%s\n" "${COMPREPLY[@]}"' | expect "completion in bash" convert
fish -c 'complete --do-complete "ferry conv"' | expect "completion in fish" convert
zsh -c 'autoload -Uz compinit && compinit -u && print $_comps[ferry]' | expect "completion in zsh" _ferry

ferry convert folks.xml -o people.pplgrp 2>&1
ferry show people.pplgrp | expect "a conversion" 'Person { first: "Matt", last: "Neuburg" }'
ferry convert people.pplgrp --to yaml | expect "YAML" "firstName: Matt"
gzip -k folks.xml
ferry convert folks.xml.gz --to csv | expect "compressed input and CSV" "Matt,Neuburg"
ferry convert folks.xml -o people.sqlite 2>&1
ferry convert people.sqlite --to json | expect "a database" 'Doright'

git init -q .
git config user.email user@example.org
git config user.name user
git config diff.ferry.command "ferry diff --git --"
echo '*.pplgrp diff=ferry' >.gitattributes
git add .gitattributes people.pplgrp
git commit -qm people
ferry set people.pplgrp '[0].first' Ada
git --no-pager diff | expect "differences in git" '~ [0].first: "Matt" → "Ada"'
ferry show people.pplgrp --html -o page.html
head -c 200 page.html | expect "a page for a browser" "<!DOCTYPE html>"
install chromium
# Root has no sandbox for a browser.
timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --enable-logging=stderr \
  --virtual-time-budget=5000 --dump-dom file:///home/user/page.html >shown.html 2>browser.log || { cat browser.log >&2; exit 1; }
expect "the page in a browser" '<span class="key">first</span>: <span class="string">"Ada"</span>' <shown.html
if grep CONSOLE browser.log; then echo "FAILED: the browser complains about the page" >&2; exit 1; fi
apt-get remove -y -qq ferry >install.log 2>&1
[ ! -e /usr/bin/ferry ] || exit 1
[ -z "$(find / -xdev -iname '*ferry*' -not -path '/home/*' -not -path '/var/*' -not -path '/proc/*')" ] || exit 1
echo "ok: the package leaves nothing when it is removed"
SESSION
chroot "$root" bash /home/user/session.sh
