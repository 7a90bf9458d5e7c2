#!/usr/bin/env bash
# Finds commands whose time grows faster than their input, with inputs of many shapes in all formats (an hour). With words, only the
# commands whose line has all of them run:
#
#   Benchmarks/growth.sh
#   Benchmarks/growth.sh records.yaml merge
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/build.sh -c release --product ferry 2>&1 | tail -1
python3 Benchmarks/growth.py "$(swift build -c release --show-bin-path)/ferry" "$@"
