#!/usr/bin/env bash
# Installs what a script needs, through apt when it may; otherwise says what to install.
#
#   Scripts/setup.sh            what building needs
#   Scripts/setup.sh peers      and the tools that tests compare with
#   Scripts/setup.sh benchmarks and the programs whose speed Benchmarks/compare.sh compares
#   Scripts/setup.sh count      and what counts instructions
#   Scripts/setup.sh packaging  and what makes a Debian package
#   Scripts/setup.sh debootstrap  and what installs a minimal Debian
#   Scripts/setup.sh recording  and the terminal that Scripts/record-progress.sh records
set -euo pipefail

missing=()
need() { # command-or-pkg-config-test, package
  if ! eval "$1" >/dev/null 2>&1; then missing+=("$2"); fi
}

command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
if [ "$(uname)" = Darwin ]; then # libxml2, SQLite and plutil belong to macOS
  pkg-config --exists yaml-0.1 2>/dev/null && exit 0
  command -v brew >/dev/null || { echo "please install: libyaml and pkgconf" >&2; exit 1; }
  exec brew install --quiet libyaml pkgconf
fi

need 'command -v pkg-config' pkg-config
need 'pkg-config --exists libxml-2.0' libxml2-dev
need 'pkg-config --exists sqlite3' libsqlite3-dev
need 'pkg-config --exists yaml-0.1' libyaml-dev
need 'pkg-config --exists zlib' zlib1g-dev
need 'pkg-config --exists libzstd' libzstd-dev
need 'pkg-config --exists liblzma' liblzma-dev
if [ "${1:-}" = benchmarks ]; then
  need 'command -v xmllint' libxml2-utils
  need 'command -v plistutil' libplist-utils
  need 'command -v python3' python3
  need 'python3 -c "import ensurepip"' python3-venv
  need 'command -v jq' jq
  need 'pkg-config --exists expat' libexpat1-dev
  need 'pkg-config --exists pugixml' libpugixml-dev
fi
if [ "${1:-}" = count ]; then
  need 'command -v valgrind' valgrind
  need 'command -v strip' binutils
  need 'command -v python3' python3
fi
if [ "${1:-}" = packaging ]; then
  need 'command -v dpkg-shlibdeps' dpkg-dev
  need 'command -v python3' python3
fi
if [ "${1:-}" = debootstrap ]; then need 'command -v debootstrap' debootstrap; fi
if [ "${1:-}" = recording ]; then need 'command -v tmux' tmux; fi
if [ "${1:-}" = peers ]; then
  need 'command -v groff' groff-base
  need 'command -v xmllint' libxml2-utils
  need 'command -v plistutil' libplist-utils
  need 'command -v python3' python3
  need 'python3 -c "import yaml"' python3-yaml
  need 'command -v strace' strace
  need 'command -v gzip' gzip
  need 'command -v zstd' zstd
  need 'command -v xz' xz-utils
  need 'command -v iconv' libc-bin
  need 'command -v openssl' openssl
  # The browser that opens the pages of `show --html`. The tests that need it are skipped without it.
  if apt-cache show chromium-driver >/dev/null 2>&1; then
    need 'command -v chromium' chromium
    need 'command -v chromedriver' chromium-driver
  fi
fi
if [ "${1:-}" = peers ] && command -v python3 >/dev/null && ! python3 -c 'import typedstream' 2>/dev/null; then
  # A library that reads typedstreams. The test that compares with it is skipped without it.
  python3 -m pip install -q --break-system-packages pytypedstream >/dev/null 2>&1 \
    || echo "pytypedstream could not be installed; the test that needs it will be skipped" >&2
fi
if [ "${1:-}" = peers ] && command -v python3 >/dev/null && ! python3 -c 'import selenium' 2>/dev/null; then
  python3 -m pip install -q --break-system-packages selenium >/dev/null 2>&1 \
    || echo "selenium could not be installed; the tests in a browser will be skipped" >&2
fi
[ ${#missing[@]} -eq 0 ] && exit 0

run=""
[ "$(id -u)" -eq 0 ] || run="sudo -n"
if command -v apt-get >/dev/null && { [ -z "$run" ] || sudo -n true 2>/dev/null; }; then
  echo "installing ${missing[*]}"
  $run apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "please install: ${missing[*]}" >&2
  exit 1
fi
