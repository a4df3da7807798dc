#!/usr/bin/env bash
# Everything under the sanitizers, in one go:
#   scripts/sanitizers.sh                 all of it, about 25 minutes on two cores
#   scripts/sanitizers.sh address         memory and leaks: C, C++ and Rust tests
#   scripts/sanitizers.sh thread          data races: C, C++ and Rust tests
#   scripts/sanitizers.sh undefined       undefined behaviour in the C and C++ programs; overflow and assertions in the Rust code
# Nothing of the library is suppressed; scripts/tests/thread_sanitizer.txt has what is, and why. The stable toolchain serves; only the flags
# are unstable, and the standard library is not watched.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# Sanitizers are slow, and so may the machine be.
export FEELER_TEST_SECONDS=${FEELER_TEST_SECONDS:-1200}
triple=$(rustc -vV | sed -n 's/^host: //p')
failed=()

# stage <name> <command...>
stage() {
    local name=$1
    shift
    echo "== $name"
    "$@" || failed+=("$name")
}

# The Rust tests of the library and of its interface. Left out are those that compare millions of numbers on one thread and know no
# unsafe code besides the lanes: they would take an hour here. Under the thread sanitizer one test runs at a time, so that the tests share
# nothing by way of the standard library, whose locks the sanitizer does not see. Tests with threads of their own still have them.
rust_tests() {
    local flags="-Zsanitizer=$1 -Cunsafe-allow-abi-mismatch=sanitizer" at_once=1
    [ "$1" = address ] && flags="-Zsanitizer=address" at_once=$(nproc)
    TSAN_OPTIONS="suppressions=$PWD/scripts/tests/thread_sanitizer.txt" RUST_TEST_THREADS=$at_once \
        RUSTC_BOOTSTRAP=1 RUSTFLAGS=$flags CARGO_PROFILE_TEST_OPT_LEVEL=1 FEELER_ONE_LEVEL=1 \
        cargo test --quiet --target "$triple" --target-dir "target/$1-rust" --features internals --lib \
        --test allocation --test deforming --test local_minima --test one_model --test sweep --test tree
}

kinds=("$@")
[ ${#kinds[@]} -gt 0 ] || kinds=(address thread undefined)
for kind in "${kinds[@]}"; do
    case $kind in
    address | thread)
        stage "$kind: C and C++" bash tests/c/run.sh "$kind" all
        stage "$kind: Rust" rust_tests "$kind"
        ;;
    # The programs run with -fsanitize=undefined there, too; here they meet a library that ends them on overflow.
    undefined) stage "undefined: C and C++" bash tests/c/run.sh undefined ;;
    *)
        echo "no such sanitizer: $kind"
        exit 2
        ;;
    esac
done
echo "== sanitizers: ${#failed[@]} failed${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} -eq 0 ]
