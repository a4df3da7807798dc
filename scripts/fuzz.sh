#!/usr/bin/env bash
# Looks for inputs on which the library fails, by libFuzzer on the stable toolchain:
#   scripts/fuzz.sh                      every target for 10 seconds: what the tests run
#   scripts/fuzz.sh TARGET SECONDS       one target; what it learns is kept in target/fuzz/corpus and used again
#   scripts/fuzz.sh TARGET INPUT         one input, to see a failure again
#   scripts/fuzz.sh keep TARGET          the smallest inputs that reach what the corpus reaches become the seeds
# FEELER_FUZZ_SANITIZER=address watches memory as well (another build). Targets are the files of fuzz/fuzz_targets. An input that
# fails is left in target/fuzz/failures, and becomes a test once the fault is understood; it moves to fuzz/found/TARGET, too.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(c_boundary meshes queries coherence updates)
triple=$(rustc -vV | sed -n 's/^host: //p')
sanitizer=${FEELER_FUZZ_SANITIZER:-none}
export CARGO_TARGET_DIR=$PWD/target/fuzz/$sanitizer
# Edges are counted and comparisons are watched: that is how the fuzzer learns what to try.
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16"
if [ "$sanitizer" != none ]; then
    export RUSTC_BOOTSTRAP=1
    RUSTFLAGS="$RUSTFLAGS -Zsanitizer=$sanitizer"
fi
RUSTFLAGS=$(tr -s '\n ' '  ' <<<"$RUSTFLAGS")
export RUSTFLAGS
# One instruction set: the others give the same bits (tests/determinism.rs), and this halves the build.
if grep -qsw avx2 /proc/cpuinfo; then export FEELER_ONE_LEVEL=${FEELER_ONE_LEVEL:-1}; fi
# A target is named, so that build scripts are compiled without these flags.
cargo build --quiet --release --locked --manifest-path fuzz/Cargo.toml --target "$triple"
programs=$CARGO_TARGET_DIR/$triple/release
work=target/fuzz
mkdir -p $work/failures

# fuzz <target> <arguments...>
fuzz() {
    local target=$1
    shift
    mkdir -p "$work/corpus/$target"
    "$programs/$target" -timeout=60 -rss_limit_mb=4096 -max_len=4096 -len_control=0 -artifact_prefix="$work/failures/$target-" "$@"
}

# inputs <target>: the folders of inputs that are kept: seeds, and what once failed.
inputs() { find fuzz/seeds fuzz/found -mindepth 1 -maxdepth 1 -name "$1"; }

# briefly <target>: from the inputs that are kept and always the same way, so that a test has one outcome.
briefly() {
    local log
    if log=$(fuzz "$1" -seed=1 -max_total_time=10 -print_final_stats=1 "$(mktemp -d)" $(inputs "$1") 2>&1); then
        awk -v target="$1" '/number_of_executed_units/ { runs = $2 } / cov: / { for (k = 1; k < NF; k++) if ($k == "cov:") edges = $(k + 1) }
            END { printf "  %-12s %7d inputs, %d edges\n", target, runs, edges }' <<<"$log"
    else
        echo "FAILED: $1"
        tail -60 <<<"$log"
        return 1
    fi
}

if [ $# -eq 0 ]; then
    failed=0
    # Two at a time.
    for ((first = 0; first < ${#targets[@]}; first += 2)); do
        running=()
        for target in "${targets[@]:first:2}"; do
            briefly "$target" &
            running+=($!)
        done
        for job in "${running[@]}"; do wait "$job" || failed=$((failed + 1)); done
    done
    echo "fuzzing: $((${#targets[@]} - failed)) passed, $failed failed"
    [ $failed -eq 0 ]
elif [ "$1" = keep ]; then
    mkdir -p "fuzz/seeds/$2"
    fuzz "$2" -merge=1 "fuzz/seeds/$2" "$work/corpus/$2"
elif [ -f "$2" ]; then
    fuzz "$1" "$2"
else
    fuzz "$1" -max_total_time="$2" -print_final_stats=1 "$work/corpus/$1" $(inputs "$1")
fi
