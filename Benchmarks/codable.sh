#!/usr/bin/env bash
# Compares Codable decoding by Ferry with JSONDecoder, PropertyListDecoder, NSKeyedUnarchiver and XMLCoder: first the values, which must be
# equal, then time and peak memory, with their ratios to Ferry's.
#
#   Benchmarks/codable.sh              ten thousand and a million people
#   Benchmarks/codable.sh 10000        ten thousand
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh
Scripts/build.sh -c release --package-path Benchmarks/Codable 2>&1 | tail -1
codable="$(swift build -c release --package-path Benchmarks/Codable --show-bin-path)/codable"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

"$codable" compare
[ $# -gt 0 ] || set -- 10000 1000000
for count in "$@"; do python3 Benchmarks/codable.py "$codable" "$work" "$count"; done
