#!/usr/bin/env bash
# Makes the library's documentation in .build/documentation. Fails at a link whose target does not exist, at a public symbol
# without a comment, and at a type that is missing from the topics.
#
#   Scripts/documentation.sh
#   python3 -m http.server --directory .build/documentation     # then open /documentation/ferry
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" = Darwin ]; then docc="xcrun docc"; else docc=docc; fi
$docc --version >/dev/null 2>&1 || $docc --help >/dev/null || { echo "docc is not installed here" >&2; exit 1; }

Scripts/build.sh -c release --target Ferry 2>&1 | tail -1
symbols=.build/symbols
rm -rf "$symbols" && mkdir -p "$symbols"
modules="$(swift build -c release --show-bin-path)/Modules"
target="$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)"
sdk=()
if [ "$(uname)" = Darwin ]; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi
# The C modules that the library is built on have to be found as well.
system="$(find .build/checkouts .build/repositories -path '*Sources/CSystem/include' -print -quit 2>/dev/null || true)"
headers=()
for flag in $(pkg-config --cflags libxml-2.0 sqlite3 yaml-0.1 zlib 2>/dev/null || true); do headers+=(-Xcc "$flag"); done
for module in Sources/C*/; do headers+=(-I "$module"); done
swift symbolgraph-extract -module-name Ferry -target "$target" ${sdk[@]+"${sdk[@]}"} -I "$modules" \
  -I "${system:-.}" "${headers[@]}" \
  -minimum-access-level public -skip-inherited-docs -output-dir "$symbols"
python3 - "$symbols/Ferry.symbols.json" <<'PYTHON'
import json, sys
graph = json.load(open(sys.argv[1]))
# A symbol that comes from a protocol has the protocol's comment.
inherited = {relation["source"] for relation in graph["relationships"] if "sourceOrigin" in relation}
silent = [
    ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]
    if "docComment" not in symbol and symbol["identifier"]["precise"] not in inherited
    and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
]
topics = open("Sources/Ferry/Documentation.docc/Ferry.md").read().split("## Topics")[1]
unplaced = [
    symbol["pathComponents"][0] for symbol in graph["symbols"]
    if len(symbol["pathComponents"]) == 1 and f"``{symbol['pathComponents'][0]}``" not in topics
]
for name in sorted(silent): print(f"{name} has no comment", file=sys.stderr)
for name in sorted(unplaced): print(f"{name} has no place in the topics of Ferry.md", file=sys.stderr)
sys.exit(1 if silent or unplaced else 0)
PYTHON
$docc convert Sources/Ferry/Documentation.docc --additional-symbol-graph-dir "$symbols" \
  --fallback-display-name Ferry --fallback-bundle-identifier ferry --warnings-as-errors \
  --output-path .build/documentation
