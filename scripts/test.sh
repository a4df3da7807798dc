#!/usr/bin/env bash
# Runs everything that is tested; `scripts/test.sh <section>...` runs only those sections.
# A section is a function named section_<name>, listed in `sections`; it fails by returning non-zero.
set -u
cd "$(dirname "$0")/.." || exit 1

sections=(format layers lint rust c_boundary checked address thread abi dependencies wrapper examples documents papers performance packaging legacy arm64)

# The modules of the volumes come out of a macro, where cargo fmt does not look.
section_format() { cargo fmt --all --check && rustfmt --check --edition 2024 src/volume/*/*.rs; }
section_layers() { python3 scripts/tests/layers.py; }
section_lint() { cargo clippy --quiet --workspace --all-targets -- -D warnings; }
section_rust() { cargo test --quiet --no-fail-fast; }
section_c_boundary() { bash tests/c/run.sh; }
section_checked() { bash tests/c/run.sh checked; }
section_address() { bash tests/c/run.sh address; }
section_thread() { bash tests/c/run.sh thread; }
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

bash scripts/setup.sh || exit 1
[ $# -gt 0 ] && sections=("$@")
passed=() failed=()
for section in "${sections[@]}"; do
    echo "== $section"
    if "section_$section"; then passed+=("$section"); else failed+=("$section"); fi
done
echo "== sections: ${#passed[@]} passed, ${#failed[@]} failed${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} -eq 0 ]
