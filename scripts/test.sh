#!/usr/bin/env bash
# Runs everything that is tested; `scripts/test.sh <section>...` runs only those sections.
# A section is a function named section_<name>, listed in one of two lanes below; it fails by returning non-zero.
set -u
cd "$(dirname "$0")/.." || exit 1

# The modules of the volumes come out of a macro, where cargo fmt does not look.
section_format() {
    cargo fmt --all --check && rustfmt --check --edition 2024 src/volume/*/*.rs && cargo fmt --check --manifest-path fuzz/Cargo.toml
}
section_layers() { python3 scripts/tests/layers.py; }
section_lint() { cargo clippy --quiet --workspace --all-targets -- -D warnings; }
section_rust() { cargo test --quiet --no-fail-fast; }
# The pinned bits on the path of processors whose instructions the library does not know. There lanes are loops over single numbers, and
# LLVM's loop passes would take hours over the tens of thousands of loops of one kernel. These few passes leave them alone. What
# is not optimised much needs large stacks.
section_portable() {
    local passes="always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,sroa,early-cse,adce,simplifycfg)"
    RUSTFLAGS="-C no-prepopulate-passes -C passes=$passes" CARGO_PROFILE_TEST_OPT_LEVEL=1 CARGO_PROFILE_TEST_DEBUG=false \
        CARGO_PROFILE_TEST_DEBUG_ASSERTIONS=false CARGO_PROFILE_TEST_OVERFLOW_CHECKS=false RUST_MIN_STACK=536870912 \
        cargo test --quiet --features portable --target "$(rustc -vV | sed -n 's/^host: //p')" --target-dir target/portable \
        --test determinism a_part
}
section_c_boundary() { bash tests/c/run.sh; }
section_checked() { bash tests/c/run.sh checked; }
section_address() { bash tests/c/run.sh address; }
section_thread() { bash tests/c/run.sh thread; }
section_fuzz() { bash scripts/fuzz.sh; }
section_abi() { bash scripts/tests/abi.sh; }
section_dependencies() { python3 scripts/tests/dependencies.py; }
section_wrapper() { bash scripts/tests/wrapper.sh; }
section_examples() { bash scripts/tests/examples.sh; }
section_documents() { bash scripts/tests/documents.sh; }
section_papers() { bash scripts/tests/papers.sh; }
section_performance() { bash scripts/tests/performance.sh; }
section_packaging() { bash scripts/tests/packaging.sh; }
section_legacy() { bash scripts/tests/legacy.sh; }
section_arm64() { bash scripts/arm64.sh; }

# What is compiled once need not be kept in pieces.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
bash scripts/setup.sh || exit 1
logs=target/test_logs
mkdir -p $logs

# run <section>...: one after the other. What a section prints appears in one piece when it ends, with the seconds it took.
run() {
    local section began verdict
    for section in "$@"; do
        began=$SECONDS verdict=passed
        echo "-- $section begins"
        "section_$section" >$logs/$section.txt 2>&1 </dev/null || verdict=failed
        echo $verdict >$logs/$section.verdict
        (
            flock 9
            echo "== $section ($((SECONDS - began)) s)"
            cat $logs/$section.txt
        ) 9>$logs/lock
    done
}

# Two lanes side by side, because compilers spend much of their time on one core. Sections of one lane share the files they
# build: the first lane those of cargo test, the second the libraries and what is installed. `arm64` and `portable` build in folders of
# their own, so each ends the lane that would be shorter without it.
first=(format layers lint rust fuzz papers dependencies arm64)
second=(c_boundary checked address thread abi wrapper examples documents performance packaging legacy portable)
if [ $# -gt 0 ]; then
    first=("$@") second=()
fi
sections=("${first[@]}" "${second[@]}")
rm -f $logs/*.verdict
run "${second[@]}" &
run "${first[@]}"
wait
passed=() failed=()
for section in "${sections[@]}"; do
    if [ "$(cat $logs/$section.verdict 2>/dev/null)" = passed ]; then passed+=("$section"); else failed+=("$section"); fi
done
echo "== sections: ${#passed[@]} passed, ${#failed[@]} failed${failed[*]:+: ${failed[*]}}; $((SECONDS / 60)) minutes"
[ ${#failed[@]} -eq 0 ]
