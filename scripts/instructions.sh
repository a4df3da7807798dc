#!/usr/bin/env bash
# Prints the instructions that one query takes, counted by callgrind: a figure that no other load on the machine changes.
#   bash scripts/instructions.sh [--csv FILE] [--queries "distance:cold approx"] [workload...]
# By default the stored workloads rings, falling_tori and buddha_d1 where FEELER_DATA names their folder, else linked_rings,
# tumbling_tori and animals_close, which the project makes itself; all queries but approximate ones.
# Counted is `ask` of tools/src/bin/workload.rs: placing the models and the query, as in benches/peers, one pass over all poses.
# FEELER_PROFILE names the cargo profile (default: quick, because valgrind 3.19 stops at an instruction that a release may hold,
# vmovq between registers). valgrind comes from scripts/setup.sh.
set -u
csv=
queries=(distance:cold distance:warm collide:cold contacts:cold tolerance:cold)
while [ "${1:-}" = --csv ] || [ "${1:-}" = --queries ]; do
    [ $# -ge 2 ] || { echo "instructions: $1 needs a value" >&2; exit 2; }
    if [ "$1" = --csv ]; then csv=$(realpath -m "$2"); else read -ra queries <<<"$2"; fi
    shift 2
done
workloads=("$@")
if [ $# -eq 0 ]; then
    workloads=(linked_rings tumbling_tori animals_close)
    [ -z "${FEELER_DATA:-}" ] || workloads=(rings falling_tori buddha_d1)
fi
# The folder as it is named from where the caller stands.
[ -z "${FEELER_DATA:-}" ] || FEELER_DATA=$(realpath "$FEELER_DATA") || exit 2
profile=${FEELER_PROFILE:-quick}
cd "$(dirname "$0")/.." || exit 1
command -v valgrind >/dev/null || { echo "instructions: valgrind is missing; scripts/setup.sh installs it" >&2; exit 2; }
cargo build --quiet --profile "$profile" -p feeler-tools --bin workload || exit 1
program=${CARGO_TARGET_DIR:-target}/$profile/workload
work=${CARGO_TARGET_DIR:-target}/instructions
mkdir -p "$work"

[ -z "$csv" ] || echo "workload,query,mode,poses,instructions" >"$csv"
echo "| workload | query | instructions per query |"
echo "|---|---|---|"
for workload in "${workloads[@]}"; do
    for query in "${queries[@]}"; do
        # valgrind knows no AVX-512; AVX2 is what the library chooses on most machines anyway.
        FEELER_ISA=avx2 QUERIES=$query PASSES=1 valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" \
            --toggle-collect='*workload::ask*' "$program" "$workload" >"$work/output" 2>"$work/log" ||
            { cat "$work/log" >&2; echo "instructions: $workload $query failed" >&2; exit 1; }
        poses=$(sed -n 's/.* triangles, \([0-9]*\) poses,.*/\1/p' "$work/output")
        total=$(sed -n 's/^\(summary\|totals\): *\([0-9]*\).*/\2/p' "$work/callgrind.out" | head -n 1)
        if [ -z "$poses" ] || [ "${total:-0}" -eq 0 ]; then
            echo "instructions: nothing was counted for $workload $query" >&2
            exit 1
        fi
        name=${query%:*} mode=cold
        [ "${query#*:}" = warm ] && mode=warm
        echo "| $workload | $name, $mode | $((total / poses)) |"
        [ -z "$csv" ] || echo "$workload,$name,$mode,$poses,$((total / poses))" >>"$csv"
    done
done
