#!/usr/bin/env bash
# Peak memory, and time, of converting large streams, and of reading their records one at a time. The size in megabytes may be
# given: Benchmarks/memory.sh 50
#
# On Linux, also prints how much of that is the process's own memory: the rest are pages of the program and its libraries, which processes
# share, and of which the system maps more or fewer. Fails when a conversion takes more than 12 MiB of its own, elsewhere more than 48 MiB in
# all, or when the records do not come back.
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes="${1:-200}"
mostOwn=$((12 * 1024))
mostAll=$((48 * 1024))

Scripts/build.sh -c release --product ferry 2>&1 | tail -1
Scripts/build.sh -c release --product records 2>&1 | tail -1
programs="$(swift build -c release --show-bin-path)"
ferry="$programs/ferry"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 Benchmarks/make-data.py xml "$megabytes" "$work/people.xml"
python3 Benchmarks/make-data.py jsonl "$megabytes" "$work/people.jsonl"

# The peak is that of the child alone: a shell in between would have a peak of its own.
measure() {
  python3 - "$mostOwn" "$mostAll" "$@" <<'PYTHON'
import os, resource, subprocess, sys, time
most_own, most_all, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]

def own_memory(process):
    """The memory of a running process in KiB without pages of files; 0 where the system does not say."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("RssAnon:")), 0)
    except OSError:
        return 0

start, own = time.time(), 0
process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
while process.poll() is None:
    own = max(own, own_memory(process))
    time.sleep(0.002)
seconds = time.time() - start
if process.returncode != 0:
    sys.exit(f"exit status {process.returncode}: {' '.join(command)}")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if sys.platform == "darwin":
    peak //= 1024
source = next(word for word in command if os.path.isfile(word) and word != command[0])
rate = os.path.getsize(source) / 1e6 / seconds
names = [os.path.basename(word) for word in command]
part = f" ({own / 1024:4.1f} of its own)" if own else ""
print(f"{peak / 1024:6.1f} MiB peak{part}  {seconds:6.2f} s  {rate:6.1f} MB/s   {' '.join(names)}")
sys.exit(own > most_own if own else peak > most_all)
PYTHON
}

# Each thread adds about two megabytes.
measure "$ferry" convert "$work/people.xml" --schema person --to jsonl --jobs 2 -o "$work/out.jsonl"
measure "$ferry" convert "$work/people.jsonl" --to json --jobs 2 -o "$work/list.json"
measure "$ferry" convert "$work/people.jsonl" --schema person --to xml -o "$work/out.xml"
measure "$ferry" convert "$work/people.xml" --to json -o "$work/out.json"
measure "$ferry" convert "$work/people.jsonl" --to xml -o "$work/plain.xml"
measure "$ferry" convert "$work/people.xml" --schema none --to jsonl -o "$work/plain.jsonl"
measure "$ferry" convert "$work/people.jsonl" --to plist-xml -o "$work/out.plist"
measure "$ferry" convert "$work/out.plist" --from plist-xml --to jsonl -o "$work/back.jsonl"
measure "$programs/records" "$work/people.xml" /people/person
measure "$programs/records" "$work/people.jsonl"

cmp "$work/people.jsonl" "$work/back.jsonl"
cmp "$work/people.xml" <("$ferry" convert "$work/out.jsonl" --schema person --to xml)
echo "the records came back"
