#!/usr/bin/env bash
# Prints the most instructions that a unit of work takes, for each query and volume, counted by callgrind on triangle pairs that are as hard
# as they come: flat on each other, needles, coordinates of every magnitude. With the speed of a machine it turns max_work into a deadline.
# feeler_model_within has no budget: its unit is a triangle of the model.
#   bash scripts/work_units.sh           some minutes; valgrind comes from scripts/setup.sh
set -euo pipefail
cd "$(dirname "$0")/.."
libraries=${FEELER_LIBRARIES:-$(bash scripts/build_library.sh release)}
work=target/work_units
rm -rf $work
mkdir -p $work
gcc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Iinclude tests/c/work_units.c -o $work/work_units \
    -L"$libraries" -lfeeler -Wl,-rpath,"$(realpath "$libraries")" -lm -pthread
# valgrind knows no AVX-512.
FEELER_ISA=avx2 valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file=$work/out $work/work_units >$work/log 2>&1 ||
    { cat $work/log; exit 1; }
python3 - $work <<'PYTHON'
import pathlib
import re
import sys

fixed, slope, hardest = {}, {}, {}
for path in pathlib.Path(sys.argv[1]).glob("out.*"):
    text = path.read_text()
    label = re.search(r"desc: Trigger: Client Request: (.*)", text)
    total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    if not label or not total:
        continue
    volume, query, scene, budget, work = label[1].split("|")
    count, work = int(total[1]), int(work)
    key = volume, query
    if budget == "1":
        fixed[key] = max(fixed.get(key, 0), count)
    elif work >= 50 and count / work > slope.get(key, 0):
        slope[key], hardest[key] = count / work, scene
volumes, queries = [list(dict.fromkeys(key[k] for key in sorted(slope))) for k in (0, 1)]
print("| volume |", " | ".join(queries), "|\n|---|" + "--:|" * len(queries))
for volume in volumes:
    cells = [f"{slope.get((volume, query), 0):.0f}" for query in queries]
    print(f"| {volume} |", " | ".join(cells), "|")
print("| before the first unit |", " | ".join(str(max(fixed.get((v, q), 0) for v in volumes) or "") for q in queries), "|")
worst = max(slope, key=slope.get)
print(f"\ninstructions per unit of work; the most: {slope[worst]:.0f}, {worst[1]} with {worst[0]}, {hardest[worst]}")
PYTHON
