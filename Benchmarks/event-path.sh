#!/usr/bin/env bash
# Compares three designs for the events between a reader and a writer, with the same scanner, adapter and writer: a call for each event to
# objects, a call for each batch of events to objects, and calls that the compiler knows, to structures generic over the next one. Prints the
# median of the processor time of 9 runs in turn, and its ratio to that of single calls. "none" is the scanner without a receiver.
#
#   Benchmarks/event-path.sh           200,000 people as JSON and XML, to JSON Lines
#   Benchmarks/event-path.sh 20000
set -euo pipefail
cd "$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

python3 make-people.py "${1:-200000}" "$work"
swiftc -O -wmo -swift-version 6 EventPath/*.swift -o "$work/event-path"
for run in 1 2 3 4 5 6 7 8 9; do
  for format in json xml; do
    for design in none calls batches static; do "$work/event-path" "$design" "$format" "$work/people.$format"; done
  done
done > "$work/times"
python3 - "$work/times" <<'END'
import statistics, sys

times, outputs = {}, {}
for line in open(sys.argv[1]):
    design, kind, *output, seconds = line.split()
    times.setdefault((kind, design), []).append(float(seconds))
    if design != "none":
        assert outputs.setdefault(kind, output) == output, f"{design} writes another output"
for (kind, design), seconds in times.items():
    median = statistics.median(seconds)
    print(f"{kind:5}{design:9}{median:8.4f} s {median / statistics.median(times[kind, 'calls']):6.2f}")
END
