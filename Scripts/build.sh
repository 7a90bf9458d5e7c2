#!/usr/bin/env bash
# Builds, as `swift build` does, with its arguments:
#
#   Scripts/build.sh -c release --product ferry
#
# The package manager passes the traits to the compiler in an order that differs from run to run, and then builds everything
# again. With this variable it is always the same order.
SWIFT_DETERMINISTIC_HASHING=1 exec swift build "$@"
