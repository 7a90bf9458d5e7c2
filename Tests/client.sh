#!/usr/bin/env bash
# Makes a new package that depends on Ferry by the lines of the README, builds it in debug mode, and runs the README's example there.
# The build takes four minutes of a processor, so Tests/run.sh leaves it out.
#
#     Tests/client.sh [FOLDER]     # FOLDER keeps the package and what was built (default: a temporary folder)
set -euo pipefail
if [ $# -gt 0 ]; then
  mkdir -p "$1"
  work="$(realpath "$1")"
else
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
fi
cd "$(dirname "$0")/.."
Scripts/setup.sh
root="$PWD"

# The README takes a package of the name "ferry" in the folder beside the client.
ln -sfn "$root" "$work/ferry"
dependency="$(sed -n 's/.*with `\(\.package([^`]*)\)`.*/\1/p' README.md)"
product="$(sed -n 's/.*with `\(\.product([^`]*)\)`.*/\1/p' README.md)"
mkdir -p "$work/client/Sources/client" "$work/client/Sources/make-people"
cat >"$work/client/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v26)],
  dependencies: [$dependency],
  targets: [
    .executableTarget(name: "client", dependencies: [$product]),
    .executableTarget(name: "make-people", dependencies: [$product]),
  ]
)
PACKAGE
awk '/^```/ { isCode = $0 == "```swift"; next } isCode' README.md >"$work/client/Sources/client/main.swift"
cat >"$work/client/Sources/make-people/main.swift" <<'SWIFT'
import Ferry
import Foundation

let people = try FileInput(path: CommandLine.arguments[1]).readAll()
try Data(Conversion(to: .archive).convert(people).bytes).write(to: URL(filePath: "people.pplgrp"))
SWIFT

cd "$work/client"
unset FERRY_TESTED
"$root/Scripts/build.sh" >build.log 2>&1 || { tail -n 30 build.log >&2; exit 1; }
if grep -E 'warning:|error:' build.log | grep client/; then exit 1; fi
built="$(swift build --show-bin-path)"
"$built/make-people" "$root/Examples/folks.xml"
printed="$("$built/client")"
echo "$printed"
expected="$(sed -n 's|^print.*// \(.*\)…$|\1|p' Sources/client/main.swift)"
[ -n "$expected" ] && [ "${printed#"$expected"}" != "$printed" ] || { echo "expected $expected…" >&2; exit 1; }
# A client fetches what the library uses, and not the packages of the command and the tests.
fetched="$(cd .build/checkouts && echo *)"
[ "$fetched" = "swift-collections swift-system" ] || { echo "fetched $fetched" >&2; exit 1; }
