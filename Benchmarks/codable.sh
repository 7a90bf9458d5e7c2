#!/usr/bin/env bash
# Compares Codable decoding by Ferry with Foundation and XMLCoder: first the values, which must be equal, then time and peak memory.
#
#   Benchmarks/codable.sh              ten thousand and a million people
#   Benchmarks/codable.sh 10000        ten thousand
#
# Each measurement is a process of its own, and all run in turn. XMLCoder is left out above a hundred thousand people.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh
swift build -c release --package-path Benchmarks/Codable 2>&1 | tail -1
codable="$(swift build -c release --package-path Benchmarks/Codable --show-bin-path)/codable"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

"$codable" compare
for count in "${@:-10000 1000000}"; do
  for number in $count; do
    python3 - "$codable" "$work" "$number" <<'PYTHON'
import os, subprocess, sys
codable, work, count = sys.argv[1], sys.argv[2], sys.argv[3]
rows = [
    ("json", "json", ["ferry-json", "records-json", "foundation-json"]),
    ("plist-binary", "plist", ["ferry-plist", "foundation-plist"]),
    ("xml", "xml", ["ferry-xml", "records-xml", "xmlcoder-xml"]),
    ("archive", "archive", ["ferry-archive"]),
]
print(f"\n{count} people     milliseconds   MiB peak   file MB")
for form, extension, names in rows:
    path = f"{work}/people.{extension}"
    subprocess.run([codable, "make", form, count, path], check=True)
    for name in names:
        if name == "xmlcoder-xml" and int(count) > 100_000:
            continue
        # A process in between: its children's peak is that of the one measurement.
        program = (
            "import resource, subprocess, sys\n"
            "found = subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True).stdout.split()\n"
            "print(*found, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        line = subprocess.run(
            [sys.executable, "-c", program, codable, "decode", name, path], check=True, capture_output=True, text=True
        ).stdout.split()
        assert line[0] == count, line
        peak = int(line[2]) / (1024 if sys.platform != "darwin" else 1 << 20)
        print(f"{name:18} {line[1]:>12}   {peak:8.1f}   {os.path.getsize(path) / 1e6:7.1f}")
PYTHON
  done
done
