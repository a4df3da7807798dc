#!/usr/bin/env bash
# The papers' experiments in their quick form: they need no files, fill every table and figure, and the conclusions that must hold do.
source "$(dirname "$0")/common.sh"
unset FEELER_DATA
out=$output/papers
rm -rf "$out"

# Optimised, but without the link time of a release. Functions, because the time limit of `check` is short for a compiler.
build() { cargo build --quiet --profile quick -p feeler-tools --bin papers; }
unit_tests() { cargo test --quiet --profile quick -p feeler-tools --lib papers; }
check "build" build || finish "papers"
check "the papers' trees, fronts and areas" unit_tests
papers=$root/target/quick/papers
run_all() { timeout 900 "$papers" --quick --out "$out"; }
check "every experiment" run_all

claims=$out/claims.csv
holds() { grep -F -- "$1" "$claims" | grep -q ',yes,' || { cat "$claims"; return 1; }; }
for claim in "priority search reduces volume tests" "triangle caching reduces volume tests" \
    "the ideal distance query makes the tests of the dilated collision query" "refit is faster than rebuild" \
    "shells need fewer tests than OBB in the middle displacements" "coherence is faster below its switch" \
    "the paper's front finds the contacts of the plain algorithm" \
    "one sphere and five axes need fewer box tests than SAT lite"; do
    check "$claim" holds "$claim"
done

# The page has every experiment, a picture for every figure, a file for every table, and no number that is none.
page=$out/index.html
for experiment in swept_sphere_volumes aabb_trees_deformable temporal_coherence spherical_shells dual_obb_sphere; do
    check "$experiment is on the page" grep -q "id=\"$experiment\"" "$page"
done
files_and_blocks() {
    local figures tables files
    figures=$(grep -c '<svg' "$page") tables=$(grep -c '<p class="caption"' "$page") files=$(find "$out" -name '*.csv' | wc -l)
    echo "$figures figures, $tables figures and tables, $files files"
    [ "$figures" -ge 15 ] && [ "$files" -eq $((tables + 2)) ]
}
check "as many files as figures and tables" files_and_blocks
check "numbers are finite" bash -c "! grep -nE '[>, ](NaN|-?inf)[<, ]' '$page' '$out'/*.csv"
check "the page needs nothing else" bash -c "! grep -nE 'src=|href=\"[^#]|url\(|@import' '$page'"
check "an unknown experiment is refused" refused "usage: papers" "$papers" --only nonsense --out "$out/none"
check "one experiment alone" says "dual_obb_sphere" bash -c "'$papers' --quick --only dual_obb_sphere --out '$out/one' && cut -d, -f1 '$out/one/conclusions.csv' | sort -u"
finish "papers"
