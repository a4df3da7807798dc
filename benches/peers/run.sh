#!/bin/sh
# Installs what is missing, builds feeler's shared library and the bench, and runs it with the given arguments:
#   benches/peers/run.sh --seconds 1
# Without --workloads: those of $FEELER_DATA/workloads where the variable is set, else those that the project makes itself, which
# are written to target/workloads.
# FEELER_INCLUDE and FEELER_LIBRARY, when both are set, name a feeler that is already built.
# PEERS_BUILD is the build directory (default: target/peers), PEERS_WITHOUT_COAL=1 leaves Coal out.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${PEERS_BUILD:-$root/target/peers}
mkdir -p "$build"

missing=
command -v cmake >/dev/null 2>&1 || missing="$missing cmake"
command -v c++ >/dev/null 2>&1 || missing="$missing g++"
command -v make >/dev/null 2>&1 || missing="$missing make"
[ -e /usr/include/fcl/fcl.h ] || [ -e /usr/local/include/fcl/fcl.h ] || missing="$missing libfcl-dev"
if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        { apt-get install -y $missing || { apt-get update && apt-get install -y $missing; }; } >&2
    else
        echo "run.sh: please install:$missing" >&2
        exit 2
    fi
fi

# Coal is optional: without network or Python the run goes on without it.
coal=
if [ -z "${PEERS_WITHOUT_COAL:-}" ]; then
    find_coal() { find "$build/venv/" -type d -name cmeel.prefix 2>/dev/null | head -n 1; }
    coal=$(find_coal)
    if [ -z "$coal" ] || [ ! -e "$coal/lib/libcoal.so" ]; then
        { python3 -m venv "$build/venv" && "$build/venv/bin/pip" install --quiet coal; } >&2 || true
        coal=$(find_coal)
    fi
    if [ -z "$coal" ] || [ ! -e "$coal/lib/libcoal.so" ]; then
        echo "run.sh: warning: Coal could not be installed from PyPI; it is left out" >&2
        coal=
    fi
fi

if [ -z "${FEELER_INCLUDE:-}" ] || [ -z "${FEELER_LIBRARY:-}" ]; then
    bash "$root/scripts/build_library.sh" release >&2
    FEELER_INCLUDE=$root/include
    FEELER_LIBRARY=${CARGO_TARGET_DIR:-$root/target}/release/libfeeler.so
fi

cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release -DFEELER_INCLUDE="$FEELER_INCLUDE" -DFEELER_LIBRARY="$FEELER_LIBRARY" \
    -DCOAL_PREFIX="$coal" >"$build/cmake.log" 2>&1 || { cat "$build/cmake.log" >&2; exit 2; }
cmake --build "$build" --parallel 2 >"$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 2; }
for argument in "$@"; do
    case $argument in --workloads | --help) exec "$build/peers" "$@" ;; esac
done
if [ -n "${FEELER_DATA:-}" ]; then
    exec "$build/peers" --workloads "$FEELER_DATA/workloads" "$@"
fi
sh "$root/scripts/export_workloads.sh" "$root/target/workloads" >&2
exec "$build/peers" --workloads "$root/target/workloads" "$@"
