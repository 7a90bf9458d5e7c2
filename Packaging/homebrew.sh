#!/usr/bin/env bash
# Writes a Homebrew formula, which builds the command from an archive of the sources, with manual pages and completions.
#
#     Packaging/homebrew.sh URL ARCHIVE [FOLDER]     writes FOLDER/ferry.rb (default: .build/packages)
#
# URL is the address of the archive, and ARCHIVE the same file on this machine, whose checksum the formula has:
#
#     git archive --prefix=ferry-0.1.0/ -o ferry-0.1.0.tar.gz v0.1.0
#     Packaging/homebrew.sh https://example.org/ferry-0.1.0.tar.gz ferry-0.1.0.tar.gz
#
# Put ferry.rb into the folder Formula of a tap, and install it with: brew install USER/TAP/ferry
set -euo pipefail
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  echo "usage: Packaging/homebrew.sh URL ARCHIVE [FOLDER]" >&2
  exit 64
fi
url="$1" archive="$2"
# The URL becomes a string of Ruby, in which these characters have a meaning.
case "$url" in
*[\"\\\#\ ]*) echo "the URL has a character that must be written as %XX: $url" >&2; exit 64 ;;
https://*/* | http://*/* | file:///*) ;;
*) echo "give the URL of the archive, such as https://example.org/ferry-0.1.0.tar.gz: $url" >&2; exit 64 ;;
esac
[ -f "$archive" ] || { echo "no such file: $archive" >&2; exit 66; }
sources="$(cd "$(dirname "$0")/.." && pwd)"
out="${3:-$sources/.build/packages}"
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
sha256="$(checksum <"$archive" | cut -d ' ' -f 1)"
version="$(sed -n 's/.*static let number = "\(.*\)"/\1/p' "$sources/Sources/FerryTool/Version.swift")"
scheme="${url%%://*}" rest="${url#*://}"
homepage="$scheme://${rest%%/*}/"

mkdir -p "$out"
cat >"$out/ferry.rb" <<FORMULA
class Ferry < Formula
  desc "Convert, edit and merge XML, JSON, property lists and keyed archives"
  homepage "$homepage"
  url "$url"
  version "$version"
  sha256 "$sha256"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on "libyaml"
  depends_on "xz"
  depends_on "zstd"
  uses_from_macos "python" => :build
  uses_from_macos "swift" => :build, since: :tahoe # Swift 6.3
  uses_from_macos "libxml2"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  on_macos do
    depends_on macos: :tahoe
  end

  def install
    # Homebrew's own sandbox surrounds the build.
    system "swift", "build", "-c", "release", "--product", "ferry", "--disable-sandbox"
    bin.install ".build/release/ferry"
    system "#{bin}/ferry --experimental-dump-help | python3 Packaging/manual-pages.py man #{version}"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"ferry", "--generate-completion-script")
  end

  test do
    (testpath/"people.json").write '[{"first":"Ada","last":"King"}]'
    assert_equal "first,last\nAda,King\n", shell_output("#{bin}/ferry convert people.json --to csv")
  end
end
FORMULA
echo "$out/ferry.rb"
