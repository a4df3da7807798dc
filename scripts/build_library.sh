#!/usr/bin/env bash
# Builds the shared and the static library, gives the shared one the name that programs look for at run time, and prints
# the folder that holds them.
#   scripts/build_library.sh release    what is shipped, as CMake builds it, with debug lines
#   scripts/build_library.sh checked    with debug assertions and overflow checks
#   scripts/build_library.sh address    checked, and the Rust code watched by the address sanitizer
#   scripts/build_library.sh thread     the same by the thread sanitizer
# The rlib is left out on purpose: with it in the list cargo drops link-time optimisation without a word.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
kind=${1:-release}
arguments=(--profile "$kind") folder=$target/$kind
if [ "$kind" = address ] || [ "$kind" = thread ]; then
    # The stable toolchain serves; only the flag is unstable. The programs bring the runtime of their C compiler.
    triple=$(rustc -vV | sed -n 's/^host: //p')
    arguments=(--profile checked --target "$triple" --target-dir "$target/$kind") folder=$target/$kind/$triple/checked
    export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$kind" CARGO_PROFILE_CHECKED_DEBUG=line-tables-only
    # The standard library comes without the sanitizer's calls, which rustc refuses to mix unless it is told to.
    [ "$kind" = address ] || RUSTFLAGS="$RUSTFLAGS -Cunsafe-allow-abi-mismatch=sanitizer"
    # Races do not depend on the instruction set, and one compiles in half the time.
    if [ "$kind" = thread ] && grep -qsw avx2 /proc/cpuinfo; then export FEELER_ONE_LEVEL=${FEELER_ONE_LEVEL:-1}; fi
fi
major=$(sed -n 's/^version = "\([0-9]*\)\..*/\1/p' Cargo.toml | head -1)
soname=libfeeler.so.$major
# The name of the library is cmake/feelerPlatform.cmake's FEELER_SONAME. It is an argument and not the work of a build
# script, because cargo warns of a build script that passes linker arguments to a cdylib that no manifest lists.
cargo rustc --quiet --lib --crate-type cdylib,staticlib "${arguments[@]}" --locked -- -C "link-arg=-Wl,-soname,$soname" >&2
ln -sf libfeeler.so "$folder/$soname"
echo "$folder"
