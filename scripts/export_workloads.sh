#!/bin/sh
# Writes the workloads that the project makes itself as files, for programs in other languages:
#   scripts/export_workloads.sh [folder [workload ...]]     (default: target/workloads, all of them)
set -eu
folder=${1:-}
[ $# -eq 0 ] || shift
case $folder in "" | /*) ;; *) folder=$PWD/$folder ;; esac
cd "$(dirname -- "$0")/.."
exec cargo run --quiet --profile quick -p feeler-tools --bin export_workloads -- "${folder:-$PWD/target/workloads}" "$@"
