#!/bin/sh
# Time and peak memory of one value of a 100 MB archive, against a conversion of it: what `get` looks at is little.
#
#     Benchmarks/get.sh [ferry]
set -eu
ferry=${1:-"$(dirname "$0")/../.build/release/ferry"}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder/large.archive" <<'PYTHON'
import plistlib, sys
UID, count = plistlib.UID, 400_000
objects = ["$null", {"NS.objects": [UID(4 + 3 * n) for n in range(count)], "$class": UID(3)}]
objects += [{"$classname": name, "$classes": [name, "NSObject"]} for name in ("Note", "NSArray")]
for number in range(count):
    person = len(objects)
    objects += [{"name": UID(person + 1), "note": UID(person + 2), "$class": UID(2)}, f"Note {number}", f"{number} " + "x" * 160]
archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": objects}
plistlib.dump(archive, open(sys.argv[1], "wb"), fmt=plistlib.FMT_BINARY, sort_keys=False)
PYTHON
ls -l "$folder/large.archive" | awk '{ print $5 " bytes" }'
measure() {
  echo "\$ ferry $*" | sed "s|$folder/||"
  /usr/bin/env python3 - "$ferry" "$@" <<'PYTHON'
import resource, subprocess, sys, time
start = time.time()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"    {time.time() - start:.3f} s, {usage.ru_maxrss / 1024:.0f} MiB peak")
PYTHON
}
measure get "$folder/large.archive" '[399999].name'
measure get "$folder/large.archive" '$objects[600000]'
measure set "$folder/large.archive" '[200000].name' Ada
measure convert "$folder/large.archive" --to json -o "$folder/large.json"
