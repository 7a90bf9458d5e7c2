#!/usr/bin/env bash
# Makes the documentation of the library and of FerryFoundation in .build/documentation. Fails at a link whose target does not exist, at a
# public symbol without a comment, and at a type, or a member of FerryFoundation, without a place in the topics.
#
#   Scripts/documentation.sh
#   python3 -m http.server --directory .build/documentation/Ferry     # then open /documentation/ferry
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" = Darwin ]; then docc="xcrun docc"; else docc=docc; fi
$docc --version >/dev/null 2>&1 || $docc --help >/dev/null || { echo "docc is not installed here" >&2; exit 1; }

# The target of FerryFoundation contains that of Ferry.
Scripts/build.sh -c release --target FerryFoundation 2>&1 | tail -1
symbols=.build/symbols
rm -rf "$symbols" .build/documentation && mkdir -p "$symbols" .build/documentation
modules="$(swift build -c release --show-bin-path)/Modules"
target="$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)"
sdk=()
if [ "$(uname)" = Darwin ]; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi
# The C modules that the library is built on have to be found as well.
system="$(find .build/checkouts .build/repositories -path '*Sources/CSystem/include' -print -quit 2>/dev/null || true)"
headers=()
for flag in $(pkg-config --cflags libxml-2.0 sqlite3 yaml-0.1 zlib 2>/dev/null || true); do headers+=(-Xcc "$flag"); done
for module in Sources/C*/; do headers+=(-I "$module"); done
for module in Ferry FerryFoundation; do
  mkdir -p "$symbols/$module"
  # FerryFoundation declares only extensions of the types of Ferry.
  swift symbolgraph-extract -module-name "$module" -target "$target" ${sdk[@]+"${sdk[@]}"} -I "$modules" \
    -I "${system:-.}" "${headers[@]}" -emit-extension-block-symbols \
    -minimum-access-level public -skip-inherited-docs -output-dir "$symbols/$module"
  python3 - "$module" "$symbols/$module"/*.symbols.json <<'PYTHON'
import json, sys
module, *files = sys.argv[1:]
page = f"Sources/{module}/Documentation.docc/{module}.md"
topics = open(page).read().split("## Topics")[1]
silent, unplaced = [], []
for file in files:
    graph = json.load(open(file))
    # A symbol that comes from a protocol has the protocol's comment.
    inherited = {relation["source"] for relation in graph["relationships"] if "sourceOrigin" in relation}
    extended = file.split("@")[1].split(".")[0] if "@" in file else None
    for symbol in graph["symbols"]:
        identifier, path = symbol["identifier"]["precise"], symbol["pathComponents"]
        if symbol["kind"]["identifier"] == "swift.extension" or "::SYNTHESIZED::" in identifier: continue
        if "docComment" not in symbol and identifier not in inherited: silent.append(".".join(path))
        # The types of a module have a place, and so have the members that FerryFoundation adds to the types of Ferry.
        place = "/".join([extended] + path) if extended else path[0]
        needsPlace = extended == "Ferry" if extended else len(path) == 1
        if needsPlace and f"``{place}``" not in topics: unplaced.append(place)
for name in sorted(silent): print(f"{name} has no comment", file=sys.stderr)
for name in sorted(unplaced): print(f"{name} has no place in the topics of {page}", file=sys.stderr)
sys.exit(1 if silent or unplaced else 0)
PYTHON
  $docc convert "Sources/$module/Documentation.docc" --additional-symbol-graph-dir "$symbols/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" --warnings-as-errors \
    --output-path ".build/documentation/$module"
done
