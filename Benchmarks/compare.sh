#!/usr/bin/env bash
# Compares the speed and memory of Ferry and of its peers on the same inputs, and prints a table in Markdown:
#
#     Benchmarks/compare.sh [PEOPLE] [ROUNDS] > compare-$(date +%F).md
#
# The inputs hold 200,000 people unless another number is given. The first run installs the peers through apt
# and pip, and builds the others in .build/benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
people="${1:-200000}"
rounds="${2:-3}"
tools="$PWD/.build/benchmarks/tools"
inputs="$PWD/.build/benchmarks/inputs-$people"

{
  Scripts/setup.sh benchmarks
  mkdir -p "$tools"
  [ -f "$tools/python/installed" ] || {
    python3 -m venv "$tools/python"
    "$tools/python/bin/pip" install -q orjson lxml xmltodict bpylist2 NSKeyedUnArchiver
    touch "$tools/python/installed"
  }
  cp Benchmarks/Peers/peers.py "$tools/peers.py"
  cc -O2 -o "$tools/measure" Benchmarks/measure.c
  # shellcheck disable=SC2046
  cc -O2 -o "$tools/libxml2-sax" Benchmarks/Peers/libxml2-sax.c $(pkg-config --cflags --libs libxml-2.0)
  cc -O2 -o "$tools/copy-files" Benchmarks/Peers/copy-files.c
  cc -O2 -o "$tools/expat-sax" Benchmarks/Peers/expat-sax.c -lexpat
  c++ -O2 -o "$tools/pugixml-parse" Benchmarks/Peers/pugixml-parse.cpp -lpugixml
  swiftc -O -o "$tools/foundation-archive" Benchmarks/Peers/foundation-archive.swift
  [ -f "$inputs/small/00000.xml" ] || python3 Benchmarks/make-people.py "$people" "$inputs"
  Scripts/build.sh -c release --product ferry
} >&2

exec python3 Benchmarks/compare.py "$(swift build -c release --show-bin-path)/ferry" "$inputs" "$tools" "$rounds"
