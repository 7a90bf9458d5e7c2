#!/usr/bin/env bash
# Builds a Debian package of the command: the tool with the Swift library inside, manual pages, and completions.
#
#     Packaging/debian.sh [FOLDER [FERRY]]      writes FOLDER/ferry_VERSION_ARCHITECTURE.deb (default: .build/packages)
#
# The build takes a quarter of an hour. FERRY is a tool that has been built in this way, and is packed instead.
# Install the package with: apt install ./ferry_VERSION_ARCHITECTURE.deb
set -euo pipefail
out="$(realpath -m "${1:-"$(dirname "$0")/../.build/packages"}")"
tool=
if [ $# -gt 1 ]; then tool="$(realpath "$2")"; fi
cd "$(dirname "$0")/.."
Scripts/setup.sh packaging
if [ -z "$tool" ]; then
  build=.build/static
  # With a section for each function, the linker leaves out those that are not used, and a run takes less memory.
  Scripts/build.sh -c release --product ferry --static-swift-stdlib --scratch-path "$build" \
    -Xswiftc -Xfrontend -Xswiftc -function-sections 2>&1 | tail -1
  tool="$(swift build -c release --static-swift-stdlib --scratch-path "$build" --show-bin-path)/ferry"
fi
# grep -q could end ldd by SIGPIPE, and the pipeline would fail although there is a match.
if ldd "$tool" | grep libswift >/dev/null; then
  echo "$tool needs the shared libraries of Swift (build it with --static-swift-stdlib)" >&2
  exit 1
fi

root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
install -D -m 755 "$tool" "$root/usr/bin/ferry"
strip "$root/usr/bin/ferry"
version="$("$root/usr/bin/ferry" --version | cut -d ' ' -f 1)"

mkdir -p "$root/usr/share/man/man1"
"$tool" --experimental-dump-help | python3 Packaging/manual-pages.py "$root/usr/share/man/man1" "$version"
gzip -9n "$root"/usr/share/man/man1/*.1

completions() { install -D -m 644 /dev/stdin "$root/usr/share/$1"; }
"$tool" --generate-completion-script bash | completions bash-completion/completions/ferry
"$tool" --generate-completion-script zsh | completions zsh/vendor-completions/_ferry
"$tool" --generate-completion-script fish | completions fish/vendor_completions.d/ferry.fish

install -D -m 644 LICENSE "$root/usr/share/doc/ferry/copyright"
gzip -9nc CHANGELOG.md | install -D -m 644 /dev/stdin "$root/usr/share/doc/ferry/changelog.gz"

# The packages of the shared libraries that the tool uses.
work="$(mktemp -d)"
mkdir "$work/debian"
printf 'Source: ferry\n\nPackage: ferry\nArchitecture: any\n' >"$work/debian/control"
depends="$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$root/usr/bin/ferry" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')"
rm -rf "$work"
architecture="$(dpkg --print-architecture)"
mkdir -p "$root/DEBIAN" "$out"
cat >"$root/DEBIAN/control" <<CONTROL
Package: ferry
Version: $version
Architecture: $architecture
Maintainer: The Ferry maintainers <ferry@localhost>
Depends: $depends
Installed-Size: $(du -sk "$root" | cut -f1)
Section: utils
Priority: optional
Description: convert, edit and merge XML, JSON, property lists and keyed archives
 Ferry carries records between XML, JSON, CSV, property lists, SQLite databases
 and the keyed archives that Apple's apps save as documents, exactly and in both
 directions. It also shows, searches, compares, edits and merges such files.
CONTROL
file="$out/ferry_${version}_${architecture}.deb"
dpkg-deb --build --root-owner-group "$root" "$file" >/dev/null
echo "$file"
