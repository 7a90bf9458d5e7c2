#!/usr/bin/env bash
# All tests. Installs what they need, the peers that they compare with too.
#
# FERRY_CORPUS names a folder of real files; without it the tests over it are skipped.
set -euo pipefail
if [ -n "${FERRY_CORPUS:-}" ]; then
  FERRY_CORPUS="$(realpath "$FERRY_CORPUS")"
  export FERRY_CORPUS
fi
cd "$(dirname "$0")/.."
Scripts/setup.sh peers
# What users run is tested: the optimized build (Package.swift).
export FERRY_TESTED=1
Scripts/build.sh -c release --build-tests 2>&1 | tail -3
# Two at once for each core: all at once would keep each other waiting, and hold all that they hold in memory.
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
status=0
swift test -c release --skip-build --experimental-maximum-parallelization-width "$((2 * $(getconf _NPROCESSORS_ONLN)))" "$@" \
  2>&1 | tee "$log" || status=$?
if [ "$status" != 0 ]; then
  # Thousands of lines lie between a failure and the end, where one looks for it.
  printf '\nWhat failed:\n'
  grep -a -A 8 -E '^✘ Test .* recorded|^error: |Fatal error' "$log" | grep -av -E '^[◇✔] |^--$' | cut -c 1-1000 | head -n 200
fi
exit "$status"
