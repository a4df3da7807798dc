#!/usr/bin/env bash
# Counts by callgrind what queries with memory take where memory cannot help, and fails where that is more than 3 % above cold queries:
#   bash scripts/vain_memory.sh [workload...]
# By default the unrelated poses of the stored workloads rings, fcl_env_rob, torus_cave and teapot_patches where FEELER_DATA names their
# folder, else of linked_rings and animals_close, which the project makes itself. scripts/instructions.sh does the counting.
set -u
here=$(cd "$(dirname "$0")" && pwd)
workloads=("$@")
if [ $# -eq 0 ]; then
    workloads=(linked_rings animals_close)
    [ -z "${FEELER_DATA:-}" ] || workloads=(rings fcl_env_rob torus_cave teapot_patches)
fi
csv=$(mktemp)
trap 'rm -f "$csv"' EXIT
queries=
for query in collide contacts tolerance distance; do queries+="$query:cold $query:warm "; done
bash "$here/instructions.sh" --csv "$csv" --queries "$queries" "${workloads[@]}" || exit 1
awk -F, '
    NR > 1 && $3 == "cold" { cold[$1 "," $2] = $5 }
    NR > 1 && $3 == "warm" {
        loss = 100 * ($5 / cold[$1 "," $2] - 1)
        printf "%s %s: %+.1f %%\n", $1, $2, loss
        if (loss > 3) failed = 1
    }
    END { if (failed) print "vain_memory: memory costs more than 3 % somewhere"; exit failed }
' "$csv"
