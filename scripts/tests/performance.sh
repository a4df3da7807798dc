#!/usr/bin/env bash
# docs/performance.md: the generator writes what small canned figures say. The documents are what the kept figures give.
source "$(dirname "$0")/common.sh"
canned=scripts/tests/performance
work=$output/performance
rm -rf "$work"
mkdir -p "$work"

# write <results>: a copy of the document and its pictures from those figures.
write() { cp docs/performance.md "$work/performance.md" && python3 scripts/performance.py "$1" --document "$work/performance.md" --images "$work/images" --targets "$work/targets.md"; }
# has <line> [<file>]: the copy, or another file, has a line that begins with these words.
has() { grep -qF -- "$1" "$work/${2:-performance.md}" || { grep -F -- "${1:0:12}" "$work/${2:-performance.md}"; return 1; }; }

check "the document is written from canned figures" write "$canned"
check "times and ratios of a workload" has '| rings | 8 | 4 | 100 | 110 | 12.5 | 13.8 | 10.7 | 25 | 27.5 | 21 |'
check "workloads without PQP are marked" has '| robust_far * | 200 | 190 | 220 | 230 | 1.1 | 1.15 |  |'
check "workloads that end at the roots are marked" has '| spinning * | 0.3 | 0.09 | 0.1 | 0.2 | 0.333 | 0.667 | 0.25 |'
check "means and minima leave the marked out" has '| **least** |  |  |  |  | **10** | **10.3** | **4.31** |'
check "the targets" has '| exact distance, cold | 4.31 × (bunny_bunny_path) | **7 × missed** | 1 of 2 | 6.79 × | **13 × missed** | 15 × |' targets.md
check "the target of small steps" has '| exact distance, steps of 0.1 % | 7.4 × (bunny_bunny_path@0.1%) | **8 × missed** |' targets.md
check "a workload below its target" has '| bunny_bunny_path | distance | feeler, cold | 70 µs | 4.31 | **7 missed** |' targets.md
check "a workload that ends at the roots has a time for a target" has '| spinning | collide | feeler, cold | 0.3 µs | 0.25 | **0.08 µs missed** |' targets.md
no_targets() { ! grep -inE 'target|missed' "$work/performance.md"; }
check "the document for users has no targets" no_targets
check "wrong answers are named" has 'feeler differs from the stored answers on: robust_far distance (4 of 52 poses).'
check "latency" has '| rings | 6.4 / 32 / 48 / 64 | 3.2 / 16 / 24 / 32 | 80 / 400 / 600 / 800 |'
check "instructions" has '| rings | distance, cold | 9,000 | 40 | 50 | 100 |'
twice() { cp "$work/performance.md" "$work/once.md" && python3 scripts/performance.py "$canned" --document "$work/performance.md" --images "$work/images" --targets "$work/targets.md" && diff "$work/once.md" "$work/performance.md"; }
check "writing twice changes nothing" twice

# Well-formed, small, and nothing outside the frame.
pictures_are_sound() {
    python3 - "$@" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
from pathlib import Path
for name in sys.argv[1:]:
    root = tree.parse(name).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    assert Path(name).stat().st_size < 40000, f"{name} is large"
    for shape in root.iter():
        x, y = float(shape.get("x", shape.get("cx", 0))), float(shape.get("y", shape.get("cy", 0)))
        assert 0 <= x + float(shape.get("width", 0)) <= width and 0 <= y + float(shape.get("height", 0)) <= height, f"{name}: {shape.attrib}"
PYTHON
}
check "the pictures are sound" pictures_are_sound "$work"/images/{time,latency}_{distance,collide}.svg "$work/images/comparison.svg" || ls "$work/images"
without_coal() {
    rm -rf "$work/lean" && cp -r "$canned" "$work/lean" && sed -i '/,Coal,/d' "$work"/lean/*.csv && write "$work/lean" &&
        has '| rings | 8 | 4 | 100 | 12.5 | 10.7 | 25 | 21 |'
}
check "Coal may be missing" without_coal
rm -rf "$work/lean"
check "missing figures are refused" refused 'No such file' python3 scripts/performance.py "$work/nowhere"
mkdir -p "$work/empty" && : >"$work/empty/peers.csv"
check "empty figures are refused" refused 'has no columns' python3 scripts/performance.py "$work/empty"
check "unknown options are refused" refused 'unknown option' bash scripts/performance.sh --nonsense 1
check "workloads that are not there are refused" refused 'No such file' bash scripts/performance.sh --workloads "$work/nowhere"

# The documents in the repository are what the figures in the repository give: nobody edited one without the other.
kept_figures_give_the_document() {
    local results
    results=$(sed -n 's/^- figures: `\(.*\)`$/\1/p' docs/performance.md)
    write "${results:?the document names no figures}" && diff docs/performance.md "$work/performance.md" &&
        diff "$results/targets.md" "$work/targets.md" && cp README.md "$work/README.md" &&
        python3 scripts/comparison.py "$results/peers.csv" --readme "$work/README.md" && diff README.md "$work/README.md" &&
        for picture in "$work"/images/*.svg; do cmp "$picture" "docs/images/${picture##*/}" || return 1; done
}
check "the documents are what the kept figures give" kept_figures_give_the_document
check "links lead somewhere" python3 scripts/tests/links.py docs/performance.md benches/peers/README.md README.md CONTRIBUTING.md
check "a link that leads nowhere is found" refused nowhere.md python3 scripts/tests/links.py <(echo "[x](nowhere.md)")
finish "performance"
