#!/usr/bin/env bash
# All tests. Installs what they need, the peers that they compare with too.
#
# FERRY_CORPUS names a folder of real files; without it the tests over it are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh peers
# The library and the tool are optimized (Package.swift), in a folder of their own, so that the build of `swift build`
# stays as it is.
export FERRY_OPTIMIZED=1
build=.build/tests
swift build --scratch-path "$build" --build-tests 2>&1 | tail -3
# Two at once for each core: all at once would keep each other waiting, and hold all that they hold in memory.
swift test --scratch-path "$build" --skip-build --experimental-maximum-parallelization-width "$((2 * $(getconf _NPROCESSORS_ONLN)))" "$@"
