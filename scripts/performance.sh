#!/usr/bin/env bash
# Measures everything that docs/performance.md shows, keeps the figures under benches/results, and writes the documents again:
#   bash scripts/performance.sh [--seconds 3] [--workloads FOLDER] [--only linked_rings,tumbling_tori]
# The workloads are those of $FEELER_DATA/workloads if the variable is set (tools/src/stored.rs says what the folder holds) and the
# project's own machine parts, else all that the project makes itself. PQP was measured on the stored ones only.
# The environment of benches/peers/run.sh counts here as well (PEERS_WITHOUT_COAL=1, FEELER_INCLUDE, FEELER_LIBRARY).
# Takes about a quarter of an hour; a machine that does nothing else gives the best figures.
set -u
command_line="scripts/performance.sh${*:+ $*}"
seconds=3 workloads= only=()
machine_parts="machine_parts peg_in_hole meshing_gears drilled_plates boxes_stacked"
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || { echo "performance: $1 needs a value" >&2; exit 2; }
    case $1 in
    --seconds) seconds=$2 ;;
    --workloads) workloads=$(cd "$2" && pwd) || exit 2 ;;
    --only) only=(--only "$2") ;;
    *) echo "performance: unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
[ -z "${FEELER_DATA:-}" ] || FEELER_DATA=$(realpath "$FEELER_DATA") || exit 2
cd "$(dirname "$0")/.." || exit 1
if [ -z "$workloads" ]; then
    workloads=$PWD/target/workloads
    if [ -z "${FEELER_DATA:-}" ]; then
        bash scripts/export_workloads.sh "$workloads" || exit 1
    else
        # The stored workloads, and the project's machine parts beside them.
        workloads=$PWD/target/performance/workloads
        rm -rf "$workloads"
        mkdir -p "$workloads"
        ln -s "$FEELER_DATA"/workloads/* "$workloads" || exit 1
        # The bench looks for known answers beside the folder of the workloads.
        ln -sfn "$FEELER_DATA/answers" "$PWD/target/performance/answers" || exit 1
        bash scripts/export_workloads.sh "$workloads" $machine_parts || exit 1
    fi
fi
[ -d "$workloads" ] || { echo "performance: no workloads in $workloads; name them by --workloads" >&2; exit 2; }
# The paths in small steps that are stored, or else one path, which the bench resamples.
steps=$(cd "$workloads" && ls -d ./*_0.1 ./*_0.03 ./*_0.01 2>/dev/null | sed 's|^\./||' | paste -sd ,)
small_steps=(--only "$steps")
[ -n "$steps" ] || small_steps=(--only animals_path --resample 0.1 --resample-poses 2000)
is_whole=
[ ${#only[@]} -gt 0 ] || { is_whole=1; only=(--only "$(ls "$workloads" | grep -vE '_0\.0?[13]$' | paste -sd ,)"); }

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
processor=${processor:-unknown processor}
name=$(tr 'A-Z' 'a-z' <<<"$processor" | sed 's/([a-z]*)//g; s/[^a-z0-9]\{1,\}/_/g; s/^_//; s/_$//')
results=benches/results/$name
work=target/performance
mkdir -p "$results" "$work"

echo "performance: the peers on all workloads"
load=$(cut -d ' ' -f 1 /proc/loadavg)
# Wrong answers do not stop the run: the document shows them.
bash benches/peers/run.sh --workloads "$workloads" ${only[@]+"${only[@]}"} --seconds "$seconds" --latency --lenient \
    --csv "$results/peers.csv" >"$work/peers.md" || exit 1
echo "performance: small steps"
bash benches/peers/run.sh --workloads "$workloads" "${small_steps[@]}" --queries collide,contacts,distance,tolerance \
    --seconds "$seconds" --latency --lenient --csv "$results/resampled.csv" >"$work/resampled.md" || exit 1
echo "performance: instructions"
bash scripts/instructions.sh --csv "$results/instructions.csv" >"$work/instructions.md" || exit 1

commit=$(git rev-parse --short HEAD 2>/dev/null)
git diff --quiet HEAD -- src Cargo.toml 2>/dev/null || commit="$commit with changes"
{
    echo "command: $command_line"
    echo "date: $(date -u +%Y-%m-%d)"
    echo "processor: $processor, $(nproc) processors, cache $(sed -n 's/^cache size[^:]*: //p' /proc/cpuinfo | head -n 1)," \
        "$(grep -m1 '^flags' /proc/cpuinfo | grep -owE 'avx2|fma|avx512f' | paste -sd ' ')"
    echo "system: $(uname -srm), load average $load before and $(cut -d ' ' -f 1 /proc/loadavg) after"
    echo "compilers: $(rustc --version | cut -d ' ' -f 1,2), $(c++ --version | head -n 1)"
    echo "library: ${FEELER_LIBRARY:+given by FEELER_LIBRARY; the sources are at }commit $commit"
    sed -n 's/^- \(clock\|feeler shipped\|FCL\|Coal\): /\1: /p' "$work/peers.md"
    # The bench itself is one; more than a little before it began is somebody else.
    awk -v load="$load" 'BEGIN { exit !(load > 0.7) }' && echo "warning: the machine was busy with other work; these figures are provisional"
} >"$results/machine.txt"
python3 scripts/performance.py "$results" || exit 1
# A run of some workloads only has other rows than the README shows.
[ -z "$is_whole" ] || python3 scripts/comparison.py "$results/peers.csv"
