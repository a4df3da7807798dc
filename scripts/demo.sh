#!/usr/bin/env bash
# From a clone to a running program: builds the library, installs it into build/prefix, builds the examples against
# that prefix with find_package and runs the haptic loop. Arguments go to the haptic loop: scripts/demo.sh --seconds 30
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh demo

# quietly <what> <command...>: the output is shown only when the command fails.
quietly() {
    local what=$1 log=build/demo.log start=$SECONDS
    shift
    mkdir -p build
    printf '%-60s' "$what"
    if ! "$@" >"$log" 2>&1; then
        printf 'failed\n'
        cat "$log"
        exit 1
    fi
    printf '%3d s\n' $((SECONDS - start))
}

# The libraries that cargo compiles here are those that scripts/test.sh tests: compiled once.
quietly "configuring the library" cmake -S . -B build/library -DCMAKE_INSTALL_PREFIX="$PWD/build/prefix" \
    -DFEELER_CARGO_TARGET_DIR="$PWD/target"
quietly "compiling the library (the first time takes two to three minutes)" cmake --build build/library
quietly "installing it into build/prefix" cmake --install build/library
quietly "configuring the examples, with find_package(feeler)" cmake -S c_examples -B build/examples \
    -DCMAKE_PREFIX_PATH="$PWD/build/prefix" -DBUILD_SHARED_LIBS=ON
quietly "compiling the examples" cmake --build build/examples --parallel 2

printf '\n$ build/examples/closest_points\n'
build/examples/closest_points
printf '\n$ build/examples/haptic_loop %s\n' "$*"
build/examples/haptic_loop --picture build/haptic_loop.svg "$@"
