#!/usr/bin/env bash
# All tests. Installs what they need, the peers that they compare with too.
#
# FERRY_CORPUS names a folder of real files; without it the tests over it are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh peers
swift build --build-tests 2>&1 | tail -3
swift test --skip-build "$@"
